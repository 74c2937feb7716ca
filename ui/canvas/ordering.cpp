// Step three: the order of vertices on every layer. Barycentre sweeps down and up (Sugiyama et al. 1981), after each of
// which neighbours change places where that saves crossings (Gansner et al. 1993); crossings are counted with an
// accumulator tree (Barth, Juenger, Mutzel 2002).
#include <algorithm>
#include <numeric>
#include <utility>

#include "ui/canvas/proper_graph.h"

namespace cutaway::ui {
namespace {

constexpr int kCountedVertices = 30'000;  // above: sweeps are not compared, only applied
constexpr int kLargeGraphSweeps = 3;
constexpr int kExchangedVertices = 10'000;  // above: no neighbours change places
constexpr int kExchangeRounds = 4;

// First order: a depth-first walk from the top keeps what hangs together side by side.
void fillLayers(ProperGraph& graph) {
  std::vector<bool> seen(graph.vertexCount(), false);
  std::vector<int> roots(graph.vertexCount());
  std::iota(roots.begin(), roots.end(), 0);
  std::stable_sort(roots.begin(), roots.end(), [&](int a, int b) { return graph.layerOf[a] < graph.layerOf[b]; });
  std::vector<int> stack;
  for (const int root : roots) {
    if (seen[root]) continue;
    stack.push_back(root);
    while (!stack.empty()) {
      const int vertex = stack.back();
      stack.pop_back();
      if (seen[vertex]) continue;
      seen[vertex] = true;
      graph.layers[graph.layerOf[vertex]].push_back(vertex);
      const auto lines = graph.down.of(vertex);
      for (auto line = lines.rbegin(); line != lines.rend(); ++line)
        stack.push_back(graph.lines[*line].to);
    }
  }
}

// Sorts one layer by the mean position of its neighbours on the layer already ordered; vertices without neighbours keep
// their place.
void sortLayer(ProperGraph& graph, std::vector<int>& layer, bool downward, std::vector<double>& key) {
  if (layer.size() < 2) return;
  for (const int vertex : layer) {
    const auto lines = downward ? graph.up.of(vertex) : graph.down.of(vertex);
    double sum = 0;
    for (const int line : lines)
      sum += graph.position[downward ? graph.lines[line].from : graph.lines[line].to];
    key[vertex] = lines.empty() ? graph.position[vertex] : sum / static_cast<double>(lines.size());
  }
  std::stable_sort(layer.begin(), layer.end(), [&](int a, int b) { return key[a] < key[b]; });
  for (size_t i = 0; i < layer.size(); ++i)
    graph.position[layer[i]] = static_cast<int>(i);
}

bool sweep(ProperGraph& graph, bool downward, std::vector<double>& key, const CancelToken& cancel) {
  const int count = static_cast<int>(graph.layers.size());
  for (int i = 1; i < count; ++i) {
    if ((i & 255) == 0 && cancel.cancelled()) return false;
    sortLayer(graph, graph.layers[downward ? i : count - 1 - i], downward, key);
  }
  return true;
}

// Crossings between the lines of two neighbours on a layer, for one and for the other order of the two.
class NeighbourCrossings {
 public:
  std::pair<long long, long long> of(const ProperGraph& graph, int left, int right) {
    std::pair<long long, long long> crossings{0, 0};
    for (const bool up : {true, false}) {
      list(graph, left, up, m_left);
      list(graph, right, up, m_right);
      crossings.first += pairsAbove(m_left, m_right);
      crossings.second += pairsAbove(m_right, m_left);
    }
    return crossings;
  }

 private:
  static void list(const ProperGraph& graph, int vertex, bool up, std::vector<int>& ends) {
    ends.clear();
    for (const int line : (up ? graph.up : graph.down).of(vertex))
      ends.push_back(graph.position[up ? graph.lines[line].from : graph.lines[line].to]);
    std::sort(ends.begin(), ends.end());
  }
  // Pairs of an end of the one that lies behind an end of the other.
  static long long pairsAbove(const std::vector<int>& one, const std::vector<int>& other) {
    long long pairs = 0;
    size_t before = 0;
    for (const int end : one) {
      while (before < other.size() && other[before] < end)
        ++before;
      pairs += static_cast<long long>(before);
    }
    return pairs;
  }

  std::vector<int> m_left, m_right;
};

bool exchangeNeighbours(ProperGraph& graph, const CancelToken& cancel) {
  NeighbourCrossings crossings;
  bool better = true;
  for (int round = 0; round < kExchangeRounds && better; ++round) {
    better = false;
    for (std::vector<int>& layer : graph.layers) {
      if (cancel.cancelled()) return false;
      for (size_t i = 0; i + 1 < layer.size(); ++i) {
        const auto [now, then] = crossings.of(graph, layer[i], layer[i + 1]);
        if (then >= now) continue;
        std::swap(layer[i], layer[i + 1]);
        std::swap(graph.position[layer[i]], graph.position[layer[i + 1]]);
        better = true;
      }
    }
  }
  return true;
}

}  // namespace

void setPositions(ProperGraph& graph) {
  graph.position.resize(graph.vertexCount());
  for (const std::vector<int>& layer : graph.layers)
    for (size_t i = 0; i < layer.size(); ++i)
      graph.position[layer[i]] = static_cast<int>(i);
}

void sortLines(ProperGraph& graph) {
  for (int vertex = 0; vertex < graph.vertexCount(); ++vertex) {
    std::stable_sort(
        graph.down.lines.begin() + graph.down.starts[vertex], graph.down.lines.begin() + graph.down.starts[vertex + 1],
        [&](int a, int b) { return graph.position[graph.lines[a].to] < graph.position[graph.lines[b].to]; });
    std::stable_sort(
        graph.up.lines.begin() + graph.up.starts[vertex], graph.up.lines.begin() + graph.up.starts[vertex + 1],
        [&](int a, int b) { return graph.position[graph.lines[a].from] < graph.position[graph.lines[b].from]; });
  }
}

long long countCrossings(const ProperGraph& graph) {
  long long crossings = 0;
  std::vector<int> ends, tree;
  for (size_t l = 0; l + 1 < graph.layers.size(); ++l) {
    if (graph.layers[l].size() < 2 || graph.layers[l + 1].size() < 2) continue;
    tree.assign(graph.layers[l + 1].size() + 1, 0);
    int inserted = 0;
    for (const int vertex : graph.layers[l]) {
      ends.clear();
      for (const int line : graph.down.of(vertex))
        ends.push_back(graph.position[graph.lines[line].to]);
      std::sort(ends.begin(), ends.end());
      for (const int end : ends) {
        int notRight = 0;  // lines so far that end at or left of this one
        for (int i = end + 1; i > 0; i -= i & -i)
          notRight += tree[i];
        crossings += inserted - notRight;
      }
      for (const int end : ends) {
        for (int i = end + 1; i < static_cast<int>(tree.size()); i += i & -i)
          ++tree[i];
        ++inserted;
      }
    }
  }
  return crossings;
}

bool orderLayers(ProperGraph& graph, const LayoutOptions& options, const CancelToken& cancel) {
  fillLayers(graph);
  setPositions(graph);
  const bool counted = graph.vertexCount() <= kCountedVertices;
  std::vector<double> key(graph.vertexCount(), 0);
  long long fewest = counted ? countCrossings(graph) : 0;
  auto best = graph.layers;
  const int sweeps = counted ? options.sweeps : std::min(options.sweeps, kLargeGraphSweeps);
  for (int i = 0; i < sweeps && !(counted && fewest == 0); ++i) {
    if (!sweep(graph, i % 2 == 0, key, cancel)) return false;
    if (!counted) continue;
    if (graph.vertexCount() <= kExchangedVertices && !exchangeNeighbours(graph, cancel)) return false;
    const long long crossings = countCrossings(graph);
    if (crossings >= fewest) continue;
    fewest = crossings;
    best = graph.layers;
  }
  if (counted) graph.layers = std::move(best);
  setPositions(graph);
  sortLines(graph);
  return !cancel.cancelled();
}

}  // namespace cutaway::ui
