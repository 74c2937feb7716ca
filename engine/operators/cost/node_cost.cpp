// The cost of a node: operations by its operator's row, bytes by the types of its values.

#include "engine/operators/cost/node_cost.h"

#include <algorithm>
#include <limits>

#include "engine/base/input_budget.h"
#include "engine/base/named_before.h"
#include "engine/operators/traits/operator_traits.h"

namespace cutaway::operators {
namespace {

using cost::CostInput;
using cost::Count;

Count bytesOf(const Value& value) {
  const std::optional<int64_t> size = staticByteSize(value.type);
  if (size) return *size;
  return value.initializer ? Count(value.initializer->sizeBytes()) : Count::of(byteSizeOf(value.type));
}

Count operations(const CostInput& node, const Flops& flops) {
  if (flops.rule != nullptr) return flops.rule(node);
  if (flops.perInput > 0) return node.elements(0) * flops.perInput;
  return flops.perOutput > 0 ? node.outElements(0) * flops.perOutput : Count(0);
}

// Of nodes that the engine and its providers put between others, without rows of traits: they move data.
constexpr const char* kOwnDomain = "cutaway";

Count written(const Graph& graph, const Node& node) {
  Count bytes = 0;
  for (const ValueId id : node.outputs)
    if (id.valid()) bytes = bytes + bytesOf(graph.value(id));
  return bytes;
}

// An input that a node names twice is read once.
Count readActivations(const Graph& graph, const Node& node, Traffic traffic, Count writes) {
  Count bytes = 0;
  NamedBefore<ValueId> namedBefore(node.inputs);
  for (size_t slot = 0; slot < node.inputs.size(); ++slot) {
    const ValueId id = node.inputs[slot];
    if (!id.valid() || graph.isConstant(id) || namedBefore(slot)) continue;
    Count size = bytesOf(graph.value(id));
    if (slot == 0 && traffic == Traffic::kPicks && writes.formula() &&
        (!size.known() || !writes.known() || size.orUnknown() > writes.orUnknown()))
      size = writes;
    bytes = bytes + size;
  }
  return bytes;
}

int64_t constantBytes(const Graph& graph, const Node& node) {
  Count bytes = 0;
  NamedBefore<ValueId> namedBefore(node.inputs);
  for (size_t slot = 0; slot < node.inputs.size(); ++slot) {
    const ValueId id = node.inputs[slot];
    if (id.valid() && graph.isConstant(id) && !namedBefore(slot)) bytes = bytes + bytesOf(graph.value(id));
  }
  return std::max<int64_t>(bytes.orUnknown(), 0);
}

struct NodeCounts {
  Count flops, movedBytes;
};

NodeCounts countsOf(const Graph& graph, NodeId id) {
  const Node& node = graph.node(id);
  const OperatorTraits* traits = findTraits(node);
  const Traffic traffic = traits == nullptr ? Traffic::kAll : traits->traffic;
  NodeCounts counts;
  if (traits != nullptr)
    counts.flops = operations(CostInput(graph, id), traits->flops);
  else if (node.domain == kOwnDomain)
    counts.flops = 0;
  if (traits != nullptr && traits->relation == Relation::kView) {
    counts.movedBytes = 0;
    return counts;
  }
  const Count writes = written(graph, node);
  counts.movedBytes = traffic == Traffic::kShapeOnly ? writes : writes + readActivations(graph, node, traffic, writes);
  return counts;
}

}  // namespace

NodeCost nodeCost(const Graph& graph, NodeId id) {
  const NodeCounts counts = countsOf(graph, id);
  return {counts.flops.orUnknown(), counts.movedBytes.orUnknown(), constantBytes(graph, graph.node(id))};
}

int64_t nodeWork(const Graph& graph, NodeId id) {
  constexpr int64_t kForAByte = 25;  // a hundred for four bytes
  constexpr int64_t kUnknown = std::numeric_limits<int64_t>::max();
  const NodeCost cost = nodeCost(graph, id);
  if (cost.flops >= 0) return cost.flops;
  const OperatorTraits* traits = findTraits(graph.node(id));
  const Flops flops = traits == nullptr ? Flops{} : traits->flops;
  if (flops.atMost != nullptr) {
    const Count most = flops.atMost(CostInput(graph, id));
    return most.known() ? most.orUnknown() : kUnknown;
  }
  int64_t bytes = 0, work = 0;
  if (cost.movedBytes < 0 || __builtin_add_overflow(cost.movedBytes, cost.weightBytes, &bytes)) return kUnknown;
  if (!flops.linear && bytes > kInputBudget.foldedSmall) return kUnknown;
  return __builtin_mul_overflow(bytes, kForAByte, &work) ? kUnknown : work;
}

NodeFormulas nodeFormulas(const Graph& graph, NodeId id) {
  const NodeCounts counts = countsOf(graph, id);
  return {counts.flops.formula(), counts.movedBytes.formula()};
}

}  // namespace cutaway::operators
