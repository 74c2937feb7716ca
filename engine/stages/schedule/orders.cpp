// onnxruntime's order is Graph::ReverseDFSFrom in onnxruntime/core/graph/graph.cc; the queue and heap orders are Kahn's
// algorithm (A. B. Kahn, "Topological sorting of large networks", 1962).

#include "engine/stages/schedule/orders.h"

#include <algorithm>
#include <deque>
#include <tuple>

#include <queue>

#include "engine/graph/node_label.h"

namespace cutaway::schedule {
namespace {

tl::unexpected<Error> cycleError(const Graph& graph, size_t node) {
  const std::string label = nodeName(graph, NodeId{node});
  return fail(atNode(Error{ErrorCode::kFail,
                           fmt::format("the graph is not acyclic: node '{}' ({}) depends on its own output", label,
                                       graph.node(NodeId{node}).opType),
                           {}},
                     label));
}

}  // namespace

Result<NodeOrder> depthFirstOrder(const Graph& graph, const Dependencies& producers, const Dependencies& consumers) {
  enum class Mark : uint8_t { kNew, kOpen, kDone };
  struct Frame {
    uint32_t node;
    uint32_t next;  // producers already visited
  };
  std::vector<Mark> marks(graph.nodeSlots(), Mark::kNew);
  std::vector<Frame> stack;
  NodeOrder order;
  order.reserve(graph.nodeCount());
  const auto visitFrom = [&](size_t root) -> Result<void> {
    if (marks[root] != Mark::kNew) return {};
    marks[root] = Mark::kOpen;
    stack.push_back({static_cast<uint32_t>(root), 0});
    while (!stack.empty()) {
      Frame& top = stack.back();
      const auto row = producers.row(top.node);
      if (top.next == row.size()) {
        marks[top.node] = Mark::kDone;
        order.push_back(top.node);
        stack.pop_back();
        continue;
      }
      const uint32_t producer = row[top.next++];
      if (marks[producer] == Mark::kOpen) return cycleError(graph, producer);
      if (marks[producer] == Mark::kDone) continue;
      marks[producer] = Mark::kOpen;
      stack.push_back({producer, 0});
    }
    return {};
  };
  for (size_t node = 0; node < graph.nodeSlots(); ++node) {
    if (!graph.node(NodeId{node}).removed && consumers.row(node).empty()) CUTAWAY_CHECK(visitFrom(node));
  }
  // What no sink reaches stands on a cycle; the walk from there names one of its nodes.
  for (size_t node = 0; node < graph.nodeSlots(); ++node) {
    if (!graph.node(NodeId{node}).removed) CUTAWAY_CHECK(visitFrom(node));
  }
  return order;
}

Result<NodeOrder> onnxruntimeOrder(const Graph& graph, const Dependencies& producers, const Dependencies& consumers) {
  if (auto walked = depthFirstOrder(graph, producers, consumers); !walked) return walked;  // names a cycle
  struct Entry {
    uint32_t node;
    bool leaves;  // its producers are done
  };
  std::vector<bool> entered(graph.nodeSlots(), false);
  std::vector<Entry> stack;
  for (size_t node = 0; node < graph.nodeSlots(); ++node) {
    if (!graph.node(NodeId{node}).removed && consumers.row(node).empty())
      stack.push_back({static_cast<uint32_t>(node), false});
  }
  NodeOrder order;
  order.reserve(graph.nodeCount());
  while (!stack.empty()) {
    const Entry top = stack.back();
    stack.pop_back();
    if (top.leaves) {
      order.push_back(top.node);
      continue;
    }
    if (entered[top.node]) continue;
    entered[top.node] = true;
    stack.push_back({top.node, true});
    for (const uint32_t producer : producers.row(top.node)) {
      if (!entered[producer]) stack.push_back({producer, false});
    }
  }
  return order;
}

namespace {

// Kahn's algorithm; Ready offers push(node) and pop().
template <typename Ready>
Result<NodeOrder> kahnOrder(const Graph& graph, const Dependencies& producers, const Dependencies& consumers,
                            Ready ready) {
  std::vector<uint32_t> missing(graph.nodeSlots(), 0);
  NodeOrder order;
  order.reserve(graph.nodeCount());
  for (size_t node = 0; node < graph.nodeSlots(); ++node) {
    if (graph.node(NodeId{node}).removed) continue;
    missing[node] = static_cast<uint32_t>(producers.row(node).size());
    if (missing[node] == 0) ready.push(static_cast<uint32_t>(node));
  }
  while (!ready.empty()) {
    const uint32_t node = ready.pop();
    order.push_back(node);
    for (uint32_t consumer : consumers.row(node)) {
      if (--missing[consumer] == 0) ready.push(consumer);
    }
  }
  if (order.size() == graph.nodeCount()) return order;
  auto walked = depthFirstOrder(graph, producers, consumers);
  if (!walked) return walked;
  return fail(ErrorCode::kFail, "the graph is not acyclic");
}

struct FifoReady {
  std::deque<uint32_t> nodes;
  bool empty() const { return nodes.empty(); }
  void push(uint32_t node) { nodes.push_back(node); }
  uint32_t pop() {
    const uint32_t node = nodes.front();
    nodes.pop_front();
    return node;
  }
};

// Shape and Size first (they free their input early), then smaller "priority" attribute, then smaller index.
struct PriorityReady {
  using Key = std::tuple<bool, int64_t, uint32_t>;
  explicit PriorityReady(const Graph& nodesOf) : graph(&nodesOf) {}
  bool empty() const { return nodes.empty(); }
  void push(uint32_t index) {
    const Node& node = graph->node(NodeId{index});
    const bool readsShapeOnly = node.domain.empty() && (node.opType == "Shape" || node.opType == "Size");
    nodes.push({!readsShapeOnly, node.attributeOr<int64_t>("priority", 0), index});
  }
  uint32_t pop() {
    const uint32_t node = std::get<2>(nodes.top());
    nodes.pop();
    return node;
  }
  const Graph* graph;
  std::priority_queue<Key, std::vector<Key>, std::greater<>> nodes;
};

}  // namespace

Result<NodeOrder> fifoOrder(const Graph& graph, const Dependencies& producers, const Dependencies& consumers) {
  return kahnOrder(graph, producers, consumers, FifoReady{});
}

Result<NodeOrder> priorityOrder(const Graph& graph, const Dependencies& producers, const Dependencies& consumers) {
  return kahnOrder(graph, producers, consumers, PriorityReady(graph));
}

}  // namespace cutaway::schedule
