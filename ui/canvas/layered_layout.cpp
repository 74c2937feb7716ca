#include "ui/canvas/layered_layout.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "ui/canvas/layer_columns.h"
#include "ui/canvas/proper_graph.h"

namespace cutaway::ui {

void LayoutInput::addNet(int source, const std::vector<LayoutTarget>& to, double port) {
  nets.push_back({source, port, static_cast<int>(targets.size()), static_cast<int>(to.size())});
  targets.insert(targets.end(), to.begin(), to.end());
}

void LayoutInput::addNet(int source, std::initializer_list<int> to) {
  nets.push_back({source, kAutomaticPort, static_cast<int>(targets.size()), static_cast<int>(to.size())});
  for (const int node : to)
    targets.push_back({node, kAutomaticPort});
}

namespace {

constexpr double kPortGap = 14;
constexpr double kStub = 0.5;  // shorter verticals are not worth a segment

LayerSpans stackLayers(const LayoutInput& input, const ProperGraph& graph, double gap) {
  LayerSpans layers;
  layers.top.resize(graph.layers.size());
  layers.bottom.resize(graph.layers.size());
  std::vector<double> height(graph.layers.size(), 0);
  for (int node = 0; node < graph.realCount; ++node)
    height[graph.layerOf[node]] = std::max(height[graph.layerOf[node]], input.nodes[node].height);
  double y = 0;
  for (size_t l = 0; l < graph.layers.size(); ++l) {
    layers.top[l] = y;
    layers.bottom[l] = y + height[l];
    // Many lines between two layers need room to turn; the border of a box needs little.
    const bool border = l + 1 < height.size() && (height[l] == 0 || height[l + 1] == 0);
    y = layers.bottom[l] +
        gap * (border ? 0.45 : std::clamp(static_cast<double>(graph.layers[l].size()) / 24.0, 1.0, 3.0));
  }
  return layers;
}

// Where lines touch a node: spread along its edge in the order of the other ends.
class Ports {
 public:
  Ports(const LayoutInput& input, const ProperGraph& graph, const std::vector<double>& x)
      : m_out(input.nets.size()), m_in(input.targets.size()) {
    for (size_t n = 0; n < input.nets.size(); ++n)
      m_out[n] = input.nets[n].port;
    for (size_t t = 0; t < input.targets.size(); ++t)
      m_in[t] = input.targets[t].port;
    for (int node = 0; node < graph.realCount; ++node) {
      spread(
          input.nodes[node].width, graph.down.of(node), [&](int line) { return graph.lines[line].net; },
          [&](int line) { return x[graph.lines[line].to]; }, m_out);
      spread(
          input.nodes[node].width, graph.up.of(node), [&](int line) { return graph.lines[line].target; },
          [&](int line) { return x[graph.lines[line].from]; }, m_in);
    }
    for (std::vector<double>* ports : {&m_out, &m_in})
      for (double& port : *ports)
        if (std::isnan(port)) port = 0;
  }
  double out(int net) const { return m_out[net]; }
  double in(int target) const { return m_in[target]; }

 private:
  struct Entry {
    int id;
    double sum;
    int count;
  };
  template <typename Id, typename Where>
  void spread(double width, std::span<const int> lines, Id id, Where where, std::vector<double>& ports) {
    m_entries.clear();
    for (const int line : lines) {
      const int key = id(line);
      if (key < 0 || !std::isnan(ports[key])) continue;
      const auto known =
          std::find_if(m_entries.begin(), m_entries.end(), [&](const Entry& entry) { return entry.id == key; });
      if (known == m_entries.end()) {
        m_entries.push_back({key, where(line), 1});
      } else {
        known->sum += where(line);
        ++known->count;
      }
      if (m_entries.size() > 64)
        break;  // beyond that ports would be closer than a pixel: the rest leave from the middle
    }
    std::stable_sort(m_entries.begin(), m_entries.end(),
                     [](const Entry& a, const Entry& b) { return a.sum * b.count < b.sum * a.count; });
    const double gap = std::min(kPortGap, width / (static_cast<double>(m_entries.size()) + 1));
    for (size_t i = 0; i < m_entries.size(); ++i)
      ports[m_entries[i].id] = gap * (static_cast<double>(i) - (static_cast<double>(m_entries.size()) - 1) / 2);
  }
  std::vector<double> m_out;
  std::vector<double> m_in;
  std::vector<Entry> m_entries;
};

class LineWriter {
 public:
  LineWriter(const LayoutInput& input, const ProperGraph& graph, const std::vector<double>& x, const LayerSpans& layers,
             const LayerColumns& columns)
      : m_input(input),
        m_graph(graph),
        m_x(x),
        m_layers(layers),
        m_columns(columns),
        m_ports(input, graph, x),
        m_turned(columns.wrapped() ? input.nets.size() : 0, -1) {}

  std::vector<LayoutSegment> write() {
    for (const LayerLine& line : m_graph.lines)
      writeLine(line);
    for (const LooseLine& line : m_graph.loose) {
      const LayoutNet& net = m_input.nets[line.net];
      const LayoutTarget& target = m_input.targets[line.target];
      m_segments.push_back({m_x[net.source] + m_ports.out(line.net), nodeBottom(net.source),
                            m_x[target.node] + m_ports.in(line.target), nodeTop(target.node), line.net, target.node,
                            true});
    }
    std::stable_sort(m_segments.begin(), m_segments.end(),
                     [](const LayoutSegment& a, const LayoutSegment& b) { return a.net < b.net; });
    return std::move(m_segments);
  }

 private:
  double middle(int node) const {
    return (m_layers.top[m_graph.layerOf[node]] + m_layers.bottom[m_graph.layerOf[node]]) / 2;
  }
  double nodeTop(int node) const { return middle(node) - m_input.nodes[node].height / 2; }
  double nodeBottom(int node) const { return middle(node) + m_input.nodes[node].height / 2; }

  void vertical(double x, double y0, double y1, int net, int target) {
    if (y1 - y0 > kStub) m_segments.push_back({x, y0, x, y1, net, target, false});
  }

  void writeLine(const LayerLine& line) {
    const double startY = m_layers.bottom[m_graph.layerOf[line.from]], endY = m_layers.top[m_graph.layerOf[line.to]];
    double x0 = m_x[line.from], x1 = m_x[line.to];
    if (m_graph.isBend(line.from)) {
      vertical(x0, m_layers.top[m_graph.layerOf[line.from]], startY, line.net, -1);
    } else {
      x0 += m_ports.out(line.net);
      vertical(x0, nodeBottom(line.from), startY, line.net, -1);
    }
    if (line.target < 0) return between(line, x0, startY, x1, endY, -1);
    x1 += m_ports.in(line.target);
    const double arrival = nodeTop(line.to);
    const bool stub = arrival - endY > kStub;
    between(line, x0, startY, x1, endY, stub ? -1 : line.to);
    vertical(x1, endY, arrival, line.net, line.to);
  }

  // From one layer to the next; where a column ends, around it.
  void between(const LayerLine& line, double x0, double y0, double x1, double y1, int target) {
    const int column = m_columns.of(m_graph.layerOf[line.from]);
    if (column == m_columns.of(m_graph.layerOf[line.to])) {
      m_segments.push_back({x0, y0, x1, y1, line.net, target, false});
      return;
    }
    const ColumnTurn& turn = m_columns.turns[column].at(line.net);
    if (std::exchange(m_turned[line.net], column) != column) {
      m_segments.push_back({x0, y0, x0, turn.low, line.net, -1, false});
      m_segments.push_back({x0, turn.low, turn.side, turn.low, line.net, -1, false});
      m_segments.push_back({turn.side, turn.low, turn.side, turn.high, line.net, -1, false});
    }
    m_segments.push_back({turn.side, turn.high, x1, turn.high, line.net, -1, false});
    m_segments.push_back({x1, turn.high, x1, y1, line.net, target, false});
  }

  const LayoutInput& m_input;
  const ProperGraph& m_graph;
  const std::vector<double>& m_x;
  const LayerSpans& m_layers;
  const LayerColumns& m_columns;
  Ports m_ports;
  std::vector<int> m_turned;  // per net: the last column that it went around
  std::vector<LayoutSegment> m_segments;
};

}  // namespace

LayoutResult placeGraph(const LayoutInput& input, const ProperGraph& graph, std::vector<double> x,
                        const LayoutOptions& options) {
  LayoutResult result;
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (int v = 0; v < graph.vertexCount(); ++v) {
    low = std::min(low, x[v] - graph.width[v] / 2);
    high = std::max(high, x[v] + graph.width[v] / 2);
  }
  for (double& value : x)
    value -= low;
  LayerSpans layers = stackLayers(input, graph, options.layerGap);
  const LayerColumns columns = columnsOf(input, graph, x, layers, options);
  if (columns.wrapped()) moveToColumns(columns, input, graph, x, layers);
  result.nodes.resize(input.nodes.size());
  for (int node = 0; node < graph.realCount; ++node) {
    const int layer = graph.layerOf[node];
    result.nodes[node] = {x[node], (layers.top[layer] + layers.bottom[layer]) / 2, layer};
  }
  result.segments = LineWriter(input, graph, x, layers, columns).write();
  result.width = columns.wrapped() ? columns.width : high - low;
  result.height = columns.wrapped() ? columns.height : layers.bottom.back();
  result.layerCount = static_cast<int>(graph.layers.size());
  return result;
}

std::optional<LayoutResult> layoutLayered(const LayoutInput& input, const LayoutOptions& options,
                                          const CancelToken& cancel) {
  if (input.nodes.empty()) return LayoutResult();
  std::vector<bool> backward;
  std::vector<int> layerOf = assignLayers(input, backward);
  if (cancel.cancelled()) return std::nullopt;
  ProperGraph graph = addBends(input, options, std::move(layerOf), backward);
  if (!orderLayers(graph, options, cancel)) return std::nullopt;
  std::vector<double> x = assignCoordinates(graph, options, cancel);
  if (x.empty()) return std::nullopt;
  LayoutResult result = placeGraph(input, graph, std::move(x), options);
  if (cancel.cancelled()) return std::nullopt;
  return result;
}

}  // namespace cutaway::ui
