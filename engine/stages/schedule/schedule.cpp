// Orders over the dependency graph of one Graph. Dependencies are dense arrays (compressed rows), so that each order is linear in nodes + edges.
//
// The depth-first order follows engine-behavior 4.1; the queue and heap orders are Kahn's algorithm (A. B. Kahn, "Topological sorting of large networks", 1962).

#include "engine/stages/schedule/schedule.h"

#include <algorithm>
#include <deque>
#include <queue>
#include <tuple>
#include <unordered_map>

namespace cutaway {
namespace {

// Producers of every node, each once, ascending; row i is targets[offsets[i] .. offsets[i + 1]).
struct Dependencies {
  std::vector<uint32_t> offsets;
  std::vector<uint32_t> targets;
  std::span<const uint32_t> row(size_t node) const { return {targets.data() + offsets[node], offsets[node + 1] - offsets[node]}; }
};

Dependencies producersOf(const Graph& graph) {
  Dependencies result;
  result.offsets.reserve(graph.nodeSlots() + 1);
  result.offsets.push_back(0);
  for (size_t i = 0; i < graph.nodeSlots(); ++i) {
    const Node& node = graph.node(NodeId{i});
    const size_t first = result.targets.size();
    const auto add = [&](const std::vector<ValueId>& values) {
      for (ValueId value : values) {
        if (!value.valid()) continue;
        const NodeId producer = graph.value(value).producer;
        if (producer.valid()) result.targets.push_back(static_cast<uint32_t>(producer.index()));
      }
    };
    if (!node.removed) {
      add(node.inputs);
      add(node.implicitInputs);
      const auto begin = result.targets.begin() + static_cast<std::ptrdiff_t>(first);
      std::sort(begin, result.targets.end());
      result.targets.erase(std::unique(begin, result.targets.end()), result.targets.end());
    }
    result.offsets.push_back(static_cast<uint32_t>(result.targets.size()));
  }
  return result;
}

Dependencies reversed(const Dependencies& producers) {
  const size_t count = producers.offsets.size() - 1;
  Dependencies result;
  result.offsets.assign(count + 1, 0);
  for (uint32_t target : producers.targets) ++result.offsets[target + 1];
  for (size_t i = 0; i < count; ++i) result.offsets[i + 1] += result.offsets[i];
  result.targets.resize(producers.targets.size());
  std::vector<uint32_t> next(result.offsets.begin(), result.offsets.end() - 1);
  for (size_t node = 0; node < count; ++node) {
    for (uint32_t target : producers.row(node)) result.targets[next[target]++] = static_cast<uint32_t>(node);
  }
  return result;
}

std::string nodeLabel(const Graph& graph, size_t node) {
  const Node& each = graph.node(NodeId{node});
  return each.name.empty() ? fmt::format("{}_{}", each.opType, node) : each.name;
}

tl::unexpected<Error> cycleError(const Graph& graph, size_t node) {
  const std::string label = nodeLabel(graph, node);
  return fail(atNode(Error{ErrorCode::kFail, fmt::format("the graph is not acyclic: node '{}' ({}) depends on its own output", label, graph.node(NodeId{node}).opType), {}}, label));
}

using Order = std::vector<uint32_t>;

// Post-order of a walk from the sinks. Sinks, and the producers of a node, are taken in ascending node index.
Result<Order> depthFirstOrder(const Graph& graph, const Dependencies& producers, const Dependencies& consumers) {
  enum class Mark : uint8_t { kNew, kOpen, kDone };
  struct Frame {
    uint32_t node;
    uint32_t next;  // producers already visited
  };
  std::vector<Mark> marks(graph.nodeSlots(), Mark::kNew);
  std::vector<Frame> stack;
  Order order;
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

// Kahn's algorithm; Ready offers push(node) and pop().
template <typename Ready>
Result<Order> kahnOrder(const Graph& graph, const Dependencies& producers, const Dependencies& consumers, Ready ready) {
  std::vector<uint32_t> missing(graph.nodeSlots(), 0);
  Order order;
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

SequentialExecutionPlan planOf(const Graph& graph, const Order& order) {
  SequentialExecutionPlan plan;
  plan.steps.reserve(order.size());
  plan.stepOfNode.assign(graph.nodeSlots(), -1);
  std::unordered_map<std::string, int32_t> streamOfProvider;
  for (uint32_t node : order) {
    const std::string& provider = graph.node(NodeId{node}).provider;
    const auto [stream, isNew] = streamOfProvider.try_emplace(provider, static_cast<int32_t>(plan.streams.size()));
    if (isNew) plan.streams.push_back(provider.empty() ? "unassigned" : provider);
    plan.stepOfNode[node] = static_cast<int32_t>(plan.steps.size());
    plan.steps.push_back({NodeId{node}, stream->second});
  }
  return plan;
}

}  // namespace

Result<OrderPolicy> orderPolicyFromName(std::string_view name) {
  if (name == "default" || name.empty()) return OrderPolicy::kDefault;
  if (name == "fifo") return OrderPolicy::kFifo;
  if (name == "priority") return OrderPolicy::kPriority;
  if (name == "memory") return OrderPolicy::kMemory;
  return fail(ErrorCode::kInvalidArgument, "unknown order '{}': it is one of default, fifo, priority, memory", name);
}

Result<SequentialExecutionPlan> schedule(const Graph& graph, const ScheduleOptions& options) {
  const Dependencies producers = producersOf(graph);
  const Dependencies consumers = reversed(producers);
  Order order;
  switch (options.policy) {
    case OrderPolicy::kDefault: {
      CUTAWAY_TRY(order, depthFirstOrder(graph, producers, consumers));
      break;
    }
    case OrderPolicy::kFifo: {
      CUTAWAY_TRY(order, kahnOrder(graph, producers, consumers, FifoReady{}));
      break;
    }
    case OrderPolicy::kPriority: {
      CUTAWAY_TRY(order, kahnOrder(graph, producers, consumers, PriorityReady(graph)));
      break;
    }
    case OrderPolicy::kMemory:
      return fail(ErrorCode::kNotImplemented, "the order 'memory' (smallest peak first) is not available; use default, fifo or priority");
  }
  return planOf(graph, order);
}

}  // namespace cutaway
