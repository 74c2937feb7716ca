#include "ui/canvas/layer_columns.h"

#include <algorithm>
#include <limits>

namespace cutaway::ui {
namespace {

constexpr double kReadable = 0.42;                 // scale from which cards show their titles
constexpr double kClearlyMore = 1.3;               // times the scale, that columns must win
constexpr double kEarliest = 0.75, kLatest = 1.1;  // of the wanted length, where a column may end
constexpr int kMostTurns = 40;                     // values from one column to the next: more are no lines but a wall
constexpr int kMostColumns = 1000;
constexpr double kWidest = 3;  // times the window's proportions, where no more columns are tried
constexpr double kGrowth = 1.1;

struct Extent {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
};

struct Page {
  std::vector<int> last;  // layer of each column
  double width = 0, height = 0, scale = 0;
};

class Wrapper {
 public:
  Wrapper(const LayoutInput& input, const ProperGraph& graph, const std::vector<double>& x, const LayerSpans& layers,
          const LayoutOptions& options)
      : m_input(input), m_graph(graph), m_x(x), m_layers(layers), m_options(options) {
    const size_t count = graph.layers.size();
    m_extents.resize(count);
    for (int v = 0; v < graph.vertexCount(); ++v) {
      Extent& extent = m_extents[graph.layerOf[v]];
      extent.low = std::min(extent.low, x[v] - graph.width[v] / 2);
      extent.high = std::max(extent.high, x[v] + graph.width[v] / 2);
    }
    m_crossing.assign(count, 0);
    std::vector<int> seen(count, -1);  // lines of a net stand together
    for (const LayerLine& line : graph.lines)
      if (int& net = seen[graph.layerOf[line.from]]; net != line.net) {
        net = line.net;
        ++m_crossing[graph.layerOf[line.from]];
      }
  }

  LayerColumns wrap() const {
    Page best = pageOf({static_cast<int>(m_graph.layers.size()) - 1});
    if (best.scale >= kReadable) return {};
    const double wanted = kClearlyMore * best.scale;
    for (int columns = 2; columns < kMostColumns;
         columns = std::max(columns + 1, static_cast<int>(columns * kGrowth))) {
      std::vector<int> last = cutsFor(m_layers.bottom.back() / columns);
      Page page = pageOf(std::move(last));
      const bool wide = page.width * m_options.windowAlong > kWidest * page.height * m_options.windowAcross;
      if (page.scale > best.scale) best = std::move(page);
      if (wide) break;
    }
    return best.last.size() > 1 && best.scale >= wanted ? place(best) : LayerColumns();
  }

 private:
  // Layers that end the columns: where the fewest values cross, near the wanted length.
  std::vector<int> cutsFor(double length) const {
    std::vector<int> last;
    const int end = static_cast<int>(m_graph.layers.size()) - 1;
    for (int first = 0; first <= end;) {
      const double from = m_layers.top[first];
      int best = -1;
      double fewest = std::numeric_limits<double>::infinity();
      if (m_layers.bottom[end] - from > kLatest * length)
        for (int layer = first; layer < end && m_layers.bottom[layer] - from <= kLatest * length; ++layer) {
          const double reach = (m_layers.bottom[layer] - from) / length;
          if (reach < kEarliest || m_crossing[layer] > kMostTurns) continue;
          const double price = m_crossing[layer] + std::abs(1 - reach);
          if (price < fewest) fewest = price, best = layer;
        }
      if (best < 0) best = nextCut(first, length);
      last.push_back(best);
      first = best + 1;
    }
    return last;
  }

  // No cut in the wanted reach: the first one behind it, else the rest is one column.
  int nextCut(int first, double length) const {
    const int end = static_cast<int>(m_graph.layers.size()) - 1;
    if (m_layers.bottom[end] - m_layers.top[first] <= kLatest * length) return end;
    for (int layer = first; layer < end; ++layer)
      if (m_layers.bottom[layer] - m_layers.top[first] >= kEarliest * length && m_crossing[layer] <= kMostTurns)
        return layer;
    return end;
  }

  double lanes(int layer) const { return (m_crossing[layer] + 1) * m_options.lineGap; }
  double channel(int layer) const { return lanes(layer) + m_options.nodeGap; }

  Page pageOf(std::vector<int> last) const {
    Page page;
    for (size_t column = 0; column < last.size(); ++column) {
      const int first = column == 0 ? 0 : last[column - 1] + 1;
      const Extent extent = extentOf(first, last[column]);
      const bool ends = column + 1 == last.size();
      page.width += extent.high - extent.low + (ends ? 0 : channel(last[column]));
      page.height = std::max(page.height, (column == 0 ? 0 : lanes(last[column - 1])) + m_layers.bottom[last[column]] -
                                              m_layers.top[first] + (ends ? 0 : lanes(last[column])));
    }
    page.scale = std::min(m_options.windowAcross / std::max(page.width, 1.0),
                          m_options.windowAlong / std::max(page.height, 1.0));
    page.last = std::move(last);
    return page;
  }

  Extent extentOf(int first, int last) const {
    Extent extent;
    for (int layer = first; layer <= last; ++layer) {
      extent.low = std::min(extent.low, m_extents[layer].low);
      extent.high = std::max(extent.high, m_extents[layer].high);
    }
    return extent;
  }

  LayerColumns place(const Page& page) const {
    LayerColumns columns;
    columns.width = page.width;
    columns.height = page.height;
    double across = 0;
    int first = 0;
    for (size_t column = 0; column < page.last.size(); ++column) {
      const int last = page.last[column];
      const Extent extent = extentOf(first, last);
      const double head = first == 0 ? 0 : lanes(first - 1);
      columns.columnOf.insert(columns.columnOf.end(), last - first + 1, static_cast<int>(column));
      columns.across.push_back(across - extent.low);
      columns.along.push_back(head - m_layers.top[first]);
      across += extent.high - extent.low;
      columns.turns.emplace_back();
      if (column + 1 < page.last.size()) {
        const double low = columns.along.back() + m_layers.bottom[last];
        columns.turns.back() = turnsOf(last, low, across + m_options.nodeGap / 2);
        across += channel(last);
      }
      first = last + 1;
    }
    return columns;
  }

  // Nested, so that values that leave in order arrive in order without crossing: the last one turns first and arrives
  // highest.
  std::unordered_map<int, ColumnTurn> turnsOf(int layer, double low, double side) const {
    std::vector<std::pair<double, int>> leaving;  // where, which net
    for (const int vertex : m_graph.layers[layer]) {
      size_t begin = leaving.size();
      for (const int line : m_graph.down.of(vertex)) {
        const int net = m_graph.lines[line].net;
        if (std::none_of(leaving.begin() + static_cast<std::ptrdiff_t>(begin), leaving.end(),
                         [net](const auto& other) { return other.second == net; }))
          leaving.emplace_back(m_x[vertex], net);
      }
    }
    std::stable_sort(leaving.begin(), leaving.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    std::unordered_map<int, ColumnTurn> turns;
    for (size_t i = 0; i < leaving.size(); ++i) {
      const double lane = (static_cast<double>(i) + 0.5) * m_options.lineGap;
      turns[leaving[i].second] = {low + lane, side + lane, lane};
    }
    return turns;
  }

  const LayoutInput& m_input;
  const ProperGraph& m_graph;
  const std::vector<double>& m_x;
  const LayerSpans& m_layers;
  const LayoutOptions& m_options;
  std::vector<Extent> m_extents;  // per layer
  std::vector<int> m_crossing;    // per layer: values that go on below it
};

}  // namespace

LayerColumns columnsOf(const LayoutInput& input, const ProperGraph& graph, const std::vector<double>& x,
                       const LayerSpans& layers, const LayoutOptions& options) {
  if (options.windowAcross <= 0 || options.windowAlong <= 0 || layers.bottom.back() <= options.windowAlong) return {};
  return Wrapper(input, graph, x, layers, options).wrap();
}

void moveToColumns(const LayerColumns& columns, const LayoutInput& input, const ProperGraph& graph,
                   std::vector<double>& x, LayerSpans& layers) {
  for (int v = 0; v < graph.vertexCount(); ++v)
    x[v] += columns.across[columns.of(graph.layerOf[v])];
  for (size_t layer = 0; layer < layers.top.size(); ++layer) {
    layers.top[layer] += columns.along[columns.columnOf[layer]];
    layers.bottom[layer] += columns.along[columns.columnOf[layer]];
  }
  const std::vector<int>& end = graph.layers.back();
  const bool border = std::ranges::any_of(
      end, [&](int vertex) { return !graph.isBend(vertex) && input.nodes[vertex].pin == LayerPin::kLast; });
  if (border) layers.top.back() = layers.bottom.back() = columns.height;
}

}  // namespace cutaway::ui
