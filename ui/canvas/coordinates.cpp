// Step four: x coordinates after U. Brandes and B. Koepf, "Fast and Simple Horizontal Coordinate Assignment" (2001),
// with their compaction replaced by two longest-path walks over the graph of blocks, which needs no recursion.
#include <algorithm>
#include <array>
#include <numeric>

#include "ui/canvas/proper_graph.h"

namespace cutaway::ui {
namespace {

struct Alignment {
  bool fromTop = true;
  bool fromLeft = true;
};

// Lines that cross the inside of a long net (both ends bends) must not align, so that long nets stay straight.
std::vector<bool> markConflicts(const ProperGraph& graph) {
  std::vector<bool> conflict(graph.lines.size(), false);
  for (size_t l = 0; l + 1 < graph.layers.size(); ++l) {
    const std::vector<int>& lower = graph.layers[l + 1];
    int left = 0;
    size_t done = 0;
    for (size_t i = 0; i < lower.size(); ++i) {
      int innerPosition = -1;
      if (graph.isBend(lower[i]))
        for (const int line : graph.up.of(lower[i]))
          if (graph.isBend(graph.lines[line].from)) innerPosition = graph.position[graph.lines[line].from];
      if (innerPosition < 0 && i + 1 < lower.size()) continue;
      const int right = innerPosition >= 0 ? innerPosition : static_cast<int>(graph.layers[l].size()) - 1;
      for (; done <= i; ++done)
        for (const int line : graph.up.of(lower[done])) {
          const int position = graph.position[graph.lines[line].from];
          if (position < left || position > right) conflict[line] = true;
        }
      left = right;
    }
  }
  return conflict;
}

class Aligner {
 public:
  Aligner(const ProperGraph& graph, const LayoutOptions& options, const std::vector<bool>& conflict,
          Alignment alignment)
      : m_graph(graph),
        m_options(options),
        m_conflict(conflict),
        m_alignment(alignment),
        m_root(graph.vertexCount()),
        m_next(graph.vertexCount()) {
    std::iota(m_root.begin(), m_root.end(), 0);
    std::iota(m_next.begin(), m_next.end(), 0);
  }

  std::vector<double> run() {
    align();
    std::vector<double> x = compact();
    if (!m_alignment.fromLeft)
      for (double& value : x)
        value = -value;
    return x;
  }

 private:
  int vertexAt(const std::vector<int>& layer, size_t i) const {
    return m_alignment.fromLeft ? layer[i] : layer[layer.size() - 1 - i];
  }

  // Joins every vertex with the median of its neighbours into blocks that will share one x.
  void align() {
    const int count = static_cast<int>(m_graph.layers.size());
    for (int step = 1; step < count; ++step) {
      const std::vector<int>& layer = m_graph.layers[m_alignment.fromTop ? step : count - 1 - step];
      int reached = -1;  // position, in walking direction, that blocks have taken so far
      for (size_t i = 0; i < layer.size(); ++i)
        alignVertex(vertexAt(layer, i), reached);
    }
  }

  void alignVertex(int vertex, int& reached) {
    const auto lines = m_alignment.fromTop ? m_graph.up.of(vertex) : m_graph.down.of(vertex);
    const int degree = static_cast<int>(lines.size());
    if (degree == 0) return;
    std::array<int, 2> medians = {(degree - 1) / 2, degree / 2};
    if (!m_alignment.fromLeft) std::swap(medians[0], medians[1]);
    for (const int median : medians) {
      if (m_next[vertex] != vertex) return;
      const int line = lines[median];
      const int other = m_alignment.fromTop ? m_graph.lines[line].from : m_graph.lines[line].to;
      const int size = static_cast<int>(m_graph.layers[m_graph.layerOf[other]].size());
      const int position = m_alignment.fromLeft ? m_graph.position[other] : size - 1 - m_graph.position[other];
      if (m_conflict[line] || position <= reached) continue;
      m_next[other] = vertex;
      m_root[vertex] = m_root[other];
      m_next[vertex] = m_root[vertex];
      reached = position;
    }
  }

  double separation(int a, int b) const {
    const bool nodes = !m_graph.isBend(a) && !m_graph.isBend(b);
    return (m_graph.width[a] + m_graph.width[b]) / 2 + (nodes ? m_options.nodeGap : m_options.lineGap);
  }

  // Blocks as far to the start as their neighbours allow, then pulled towards the neighbours that follow.
  std::vector<double> compact() {
    const int count = m_graph.vertexCount();
    struct Push {
      int to;
      double distance;
    };
    std::vector<int> starts(count + 1, 0), missing(count, 0);
    const auto eachPair = [&](auto&& visit) {
      for (const std::vector<int>& layer : m_graph.layers)
        for (size_t i = 0; i + 1 < layer.size(); ++i)
          visit(vertexAt(layer, i), vertexAt(layer, i + 1));
    };
    eachPair([&](int a, int b) {
      ++starts[m_root[a] + 1];
      ++missing[m_root[b]];
    });
    std::partial_sum(starts.begin(), starts.end(), starts.begin());
    std::vector<Push> pushes(starts.back());
    std::vector<int> next(starts.begin(), starts.end() - 1);
    eachPair([&](int a, int b) { pushes[next[m_root[a]]++] = {m_root[b], separation(a, b)}; });

    std::vector<int> order;
    order.reserve(count);
    for (int v = 0; v < count; ++v)
      if (m_root[v] == v && missing[v] == 0) order.push_back(v);
    std::vector<double> x(count, 0);
    for (size_t i = 0; i < order.size(); ++i)
      for (int p = starts[order[i]]; p < starts[order[i] + 1]; ++p) {
        x[pushes[p].to] = std::max(x[pushes[p].to], x[order[i]] + pushes[p].distance);
        if (--missing[pushes[p].to] == 0) order.push_back(pushes[p].to);
      }
    for (auto block = order.rbegin(); block != order.rend(); ++block) {
      double limit = std::numeric_limits<double>::infinity();
      for (int p = starts[*block]; p < starts[*block + 1]; ++p)
        limit = std::min(limit, x[pushes[p].to] - pushes[p].distance);
      if (limit != std::numeric_limits<double>::infinity()) x[*block] = std::max(x[*block], limit);
    }
    for (int v = 0; v < count; ++v)
      if (m_root[v] != v) x[v] = x[m_root[v]];
    return x;
  }

  const ProperGraph& m_graph;
  const LayoutOptions& m_options;
  const std::vector<bool>& m_conflict;
  Alignment m_alignment;
  std::vector<int> m_root;
  std::vector<int> m_next;
};

struct Extent {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
};

Extent extentOf(const ProperGraph& graph, const std::vector<double>& x) {
  Extent extent;
  for (int v = 0; v < graph.vertexCount(); ++v) {
    extent.low = std::min(extent.low, x[v] - graph.width[v] / 2);
    extent.high = std::max(extent.high, x[v] + graph.width[v] / 2);
  }
  return extent;
}

}  // namespace

std::vector<double> assignCoordinates(const ProperGraph& graph, const LayoutOptions& options,
                                      const CancelToken& cancel) {
  const std::vector<bool> conflict = markConflicts(graph);
  constexpr std::array<Alignment, 4> kAlignments = {{{true, true}, {true, false}, {false, true}, {false, false}}};
  std::array<std::vector<double>, 4> all;
  std::array<Extent, 4> extents;
  size_t narrowest = 0;
  for (size_t i = 0; i < all.size(); ++i) {
    if (cancel.cancelled()) return {};
    all[i] = Aligner(graph, options, conflict, kAlignments[i]).run();
    extents[i] = extentOf(graph, all[i]);
    if (extents[i].high - extents[i].low < extents[narrowest].high - extents[narrowest].low) narrowest = i;
  }
  for (size_t i = 0; i < all.size(); ++i) {
    const double shift =
        kAlignments[i].fromLeft ? extents[narrowest].low - extents[i].low : extents[narrowest].high - extents[i].high;
    for (double& x : all[i])
      x += shift;
  }
  std::vector<double> x(graph.vertexCount());
  for (int v = 0; v < graph.vertexCount(); ++v) {
    std::array<double, 4> four = {all[0][v], all[1][v], all[2][v], all[3][v]};
    std::sort(four.begin(), four.end());
    x[v] = (four[1] + four[2]) / 2;
  }
  return x;
}

}  // namespace cutaway::ui
