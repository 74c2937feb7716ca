// Steps one and two: break cycles, choose layers, and cut long lines into bends.
#include <algorithm>
#include <numeric>

#include "ui/canvas/proper_graph.h"

namespace cutaway::ui {
namespace {

struct Arc {
  int node;
  int target;
};

// Outgoing arcs of every node, in net order.
struct Arcs {
  std::vector<int> starts;
  std::vector<Arc> arcs;

  explicit Arcs(const LayoutInput& input) : starts(input.nodes.size() + 1, 0) {
    for (const LayoutNet& net : input.nets)
      starts[net.source + 1] += net.targetCount;
    std::partial_sum(starts.begin(), starts.end(), starts.begin());
    arcs.resize(starts.back());
    std::vector<int> next(starts.begin(), starts.end() - 1);
    for (const LayoutNet& net : input.nets)
      for (int t = net.firstTarget; t < net.firstTarget + net.targetCount; ++t)
        arcs[next[net.source]++] = {input.targets[t].node, t};
  }
};

// Marks arcs that lead back to a node still being visited: a depth-first walk without recursion.
void markBackwardArcs(const LayoutInput& input, const Arcs& arcs, std::vector<bool>& backward) {
  enum : char { kNew, kOpen, kDone };
  std::vector<char> state(input.nodes.size(), kNew);
  std::vector<int> next(arcs.starts.begin(), arcs.starts.end() - 1);
  std::vector<int> path;
  for (size_t root = 0; root < input.nodes.size(); ++root) {
    if (state[root] != kNew) continue;
    path.push_back(static_cast<int>(root));
    state[root] = kOpen;
    while (!path.empty()) {
      const int node = path.back();
      if (next[node] == arcs.starts[node + 1]) {
        state[node] = kDone;
        path.pop_back();
        continue;
      }
      const Arc arc = arcs.arcs[next[node]++];
      if (state[arc.node] == kOpen) {
        backward[arc.target] = true;
      } else if (state[arc.node] == kNew) {
        state[arc.node] = kOpen;
        path.push_back(arc.node);
      }
    }
  }
}

std::vector<int> topologicalOrder(const LayoutInput& input, const Arcs& arcs, const std::vector<bool>& backward) {
  std::vector<int> missing(input.nodes.size(), 0);
  for (const Arc& arc : arcs.arcs)
    missing[arc.node] += !backward[arc.target];
  std::vector<int> order;
  order.reserve(input.nodes.size());
  for (size_t node = 0; node < input.nodes.size(); ++node)
    if (missing[node] == 0) order.push_back(static_cast<int>(node));
  for (size_t i = 0; i < order.size(); ++i)
    for (int a = arcs.starts[order[i]]; a < arcs.starts[order[i] + 1]; ++a)
      if (!backward[arcs.arcs[a].target] && --missing[arcs.arcs[a].node] == 0) order.push_back(arcs.arcs[a].node);
  return order;
}

}  // namespace

std::vector<int> assignLayers(const LayoutInput& input, std::vector<bool>& backward) {
  backward.assign(input.targets.size(), false);
  const Arcs arcs(input);
  markBackwardArcs(input, arcs, backward);
  const std::vector<int> order = topologicalOrder(input, arcs, backward);

  std::vector<int> layer(input.nodes.size(), 0);
  std::vector<bool> fed(input.nodes.size(), false);
  const bool pinned = std::any_of(input.nodes.begin(), input.nodes.end(),
                                  [](const LayoutNode& node) { return node.pin == LayerPin::kFirst; });
  for (const int node : order) {
    if (pinned && input.nodes[node].pin != LayerPin::kFirst) layer[node] = std::max(layer[node], 1);
    for (int a = arcs.starts[node]; a < arcs.starts[node + 1]; ++a) {
      const Arc& arc = arcs.arcs[a];
      if (backward[arc.target]) continue;
      layer[arc.node] = std::max(layer[arc.node], layer[node] + 1);
      fed[arc.node] =
          fed[arc.node] || fed[node] || input.nodes[node].input || input.nodes[node].pin == LayerPin::kFirst;
    }
  }
  // What nothing feeds stands just above its first reader, not at the far top, and so does what is made of that alone:
  // constants and what is computed of them.
  for (auto node = order.rbegin(); node != order.rend(); ++node) {
    if (fed[*node] || input.nodes[*node].pin != LayerPin::kFree) continue;
    int first = std::numeric_limits<int>::max();
    for (int a = arcs.starts[*node]; a < arcs.starts[*node + 1]; ++a)
      if (!backward[arcs.arcs[a].target]) first = std::min(first, layer[arcs.arcs[a].node] - 1);
    if (first != std::numeric_limits<int>::max()) layer[*node] = std::max(layer[*node], first);
  }
  int last = 0;
  for (size_t node = 0; node < layer.size(); ++node)
    if (input.nodes[node].pin != LayerPin::kLast) last = std::max(last, layer[node] + 1);
  for (size_t node = 0; node < layer.size(); ++node)
    if (input.nodes[node].pin == LayerPin::kLast) layer[node] = std::max(last, layer[node]);
  return layer;
}

namespace {

// Which nets get bends: the shortest first, until the budget is spent.
std::vector<bool> netsWithBends(const LayoutInput& input, const std::vector<int>& spans, int linesPerNode) {
  std::vector<int> bySpan(input.nets.size());
  std::iota(bySpan.begin(), bySpan.end(), 0);
  std::stable_sort(bySpan.begin(), bySpan.end(), [&](int a, int b) { return spans[a] < spans[b]; });
  long long budget = static_cast<long long>(linesPerNode) * static_cast<long long>(input.nodes.size()) + 1000;
  std::vector<bool> result(input.nets.size(), false);
  for (const int net : bySpan) {
    budget -= std::max(0, spans[net] - 1);
    if (budget < 0) break;
    result[net] = true;
  }
  return result;
}

void listLines(ProperGraph& graph) {
  const auto list = [&](LineLists& lists, auto end) {
    lists.starts.assign(graph.vertexCount() + 1, 0);
    for (const LayerLine& line : graph.lines)
      ++lists.starts[end(line) + 1];
    std::partial_sum(lists.starts.begin(), lists.starts.end(), lists.starts.begin());
    lists.lines.resize(graph.lines.size());
    std::vector<int> next(lists.starts.begin(), lists.starts.end() - 1);
    for (size_t i = 0; i < graph.lines.size(); ++i)
      lists.lines[next[end(graph.lines[i])]++] = static_cast<int>(i);
  };
  list(graph.down, [](const LayerLine& line) { return line.from; });
  list(graph.up, [](const LayerLine& line) { return line.to; });
}

}  // namespace

ProperGraph addBends(const LayoutInput& input, const LayoutOptions& options, std::vector<int> layers,
                     const std::vector<bool>& backward) {
  ProperGraph graph;
  graph.realCount = static_cast<int>(input.nodes.size());
  graph.layerOf = std::move(layers);
  for (const LayoutNode& node : input.nodes)
    graph.width.push_back(node.width);

  const auto forward = [&](const LayoutNet& net, int t) {
    return !backward[t] && graph.layerOf[input.targets[t].node] > graph.layerOf[net.source];
  };
  std::vector<int> spans(input.nets.size(), 0);
  for (size_t n = 0; n < input.nets.size(); ++n)
    for (int t = input.nets[n].firstTarget; t < input.nets[n].firstTarget + input.nets[n].targetCount; ++t)
      if (forward(input.nets[n], t))
        spans[n] = std::max(spans[n], graph.layerOf[input.targets[t].node] - graph.layerOf[input.nets[n].source]);
  const std::vector<bool> bent = netsWithBends(input, spans, options.linesPerNode);

  std::vector<int> chain;
  for (size_t n = 0; n < input.nets.size(); ++n) {
    const LayoutNet& net = input.nets[n];
    const int top = graph.layerOf[net.source];
    chain.assign(1, net.source);
    for (int depth = 1; bent[n] && depth < spans[n]; ++depth) {
      const int bend = graph.vertexCount();
      graph.layerOf.push_back(top + depth);
      graph.width.push_back(0);
      graph.lines.push_back({chain.back(), bend, static_cast<int>(n), -1});
      chain.push_back(bend);
    }
    for (int t = net.firstTarget; t < net.firstTarget + net.targetCount; ++t) {
      const int node = input.targets[t].node;
      const int span = graph.layerOf[node] - top;
      if (forward(net, t) && (bent[n] || span == 1)) {
        graph.lines.push_back({chain[span - 1], node, static_cast<int>(n), t});
      } else {
        graph.loose.push_back({static_cast<int>(n), t});
      }
    }
  }
  const int layerCount = graph.layerOf.empty() ? 0 : *std::max_element(graph.layerOf.begin(), graph.layerOf.end()) + 1;
  graph.layers.resize(layerCount);
  listLines(graph);
  return graph;
}

}  // namespace cutaway::ui
