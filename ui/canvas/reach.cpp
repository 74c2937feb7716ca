// Breadth-first searches over producers and consumers.
#include "ui/canvas/reach.h"

#include <algorithm>

namespace cutaway::ui {
namespace {

template <typename Visit>
void readers(const GraphReport& graph, int node, const Visit& visit) {
  for (const int32_t output : graph.nodes[static_cast<size_t>(node)].outputs)
    if (output >= 0)
      for (const int32_t consumer : graph.values[static_cast<size_t>(output)].consumers)
        visit(consumer);
}

template <typename Visit>
void makers(const GraphReport& graph, int node, const Visit& visit) {
  const NodeReport& report = graph.nodes[static_cast<size_t>(node)];
  for (const auto* values : {&report.inputs, &report.implicitInputs})
    for (const int32_t value : *values)
      if (value >= 0 && graph.values[static_cast<size_t>(value)].producer >= 0)
        visit(graph.values[static_cast<size_t>(value)].producer);
}

std::vector<int> listed(const std::vector<bool>& reached) {
  std::vector<int> nodes;
  for (size_t n = 0; n < reached.size(); ++n)
    if (reached[n]) nodes.push_back(static_cast<int>(n));
  return nodes;
}

std::vector<bool> flood(const GraphReport& graph, const std::vector<int>& from, bool down) {
  std::vector<bool> reached(graph.nodes.size(), false);
  std::vector<int> work;
  const auto push = [&](int node) {
    if (node < 0 || static_cast<size_t>(node) >= reached.size() || reached[static_cast<size_t>(node)]) return;
    reached[static_cast<size_t>(node)] = true;
    work.push_back(node);
  };
  for (const int node : from)
    push(node);
  while (!work.empty()) {
    const int node = work.back();
    work.pop_back();
    down ? readers(graph, node, push) : makers(graph, node, push);
  }
  return reached;
}

std::vector<int> pathDown(const GraphReport& graph, int first, int second) {
  std::vector<int> cameFrom(graph.nodes.size(), -1), queue = {first};
  cameFrom[static_cast<size_t>(first)] = first;
  for (size_t next = 0; next < queue.size() && cameFrom[static_cast<size_t>(second)] < 0; ++next)
    readers(graph, queue[next], [&](int node) {
      if (cameFrom[static_cast<size_t>(node)] >= 0) return;
      cameFrom[static_cast<size_t>(node)] = queue[next];
      queue.push_back(node);
    });
  if (cameFrom[static_cast<size_t>(second)] < 0) return {};
  std::vector<int> path = {second};
  while (path.back() != first)
    path.push_back(cameFrom[static_cast<size_t>(path.back())]);
  std::reverse(path.begin(), path.end());
  return path;
}

bool known(const GraphReport& graph, int node) {
  return node >= 0 && static_cast<size_t>(node) < graph.nodes.size();
}

}  // namespace

std::vector<int> neighboursOf(const GraphReport& graph, const std::vector<int>& nodes) {
  std::vector<bool> reached(graph.nodes.size(), false);
  const auto mark = [&](int node) { reached[static_cast<size_t>(node)] = true; };
  for (const int node : nodes) {
    if (!known(graph, node)) continue;
    mark(node);
    readers(graph, node, mark);
    makers(graph, node, mark);
  }
  return listed(reached);
}

std::vector<int> upstreamOf(const GraphReport& graph, const std::vector<int>& nodes) {
  return listed(flood(graph, nodes, false));
}
std::vector<int> downstreamOf(const GraphReport& graph, const std::vector<int>& nodes) {
  return listed(flood(graph, nodes, true));
}

std::vector<int> shortestPath(const GraphReport& graph, int first, int second) {
  if (!known(graph, first) || !known(graph, second)) return {};
  std::vector<int> path = pathDown(graph, first, second);
  return path.empty() ? pathDown(graph, second, first) : path;
}

std::vector<int> nodesBetween(const GraphReport& graph, int first, int second) {
  if (!known(graph, first) || !known(graph, second)) return {};
  for (const auto& [from, to] : {std::pair(first, second), std::pair(second, first)}) {
    std::vector<bool> below = flood(graph, {from}, true);
    if (!below[static_cast<size_t>(to)]) continue;
    const std::vector<bool> above = flood(graph, {to}, false);
    for (size_t n = 0; n < below.size(); ++n)
      below[n] = below[n] && above[n];
    return listed(below);
  }
  return {};
}

}  // namespace cutaway::ui
