#include "engine/stages/allocate/reasons.h"

namespace cutaway {
namespace {

constexpr int kIncomparable = 1000;

std::string dimText(const Dim& dim) { return dim.isKnown() ? std::to_string(dim.value()) : dim.isSymbol() ? dim.symbol() : "unknown"; }

}  // namespace

std::string valueLabel(const Graph& graph, ValueId value) { return graph.value(value).name; }

std::string nodeLabel(const Graph& graph, NodeId node) {
  const Node& each = graph.node(node);
  return each.name.empty() ? fmt::format("{}_{}", each.opType, node.index()) : each.name;
}

SizeDifference compareSizes(const ValueType& have, const ValueType& need) {
  if (!have.isTensor() || !need.isTensor()) return {kIncomparable, "it is not a tensor"};
  if (have.element == ElementType::kString || need.element == ElementType::kString) return {kIncomparable, "strings never share a buffer"};
  if (!have.shape || !need.shape) return {kIncomparable - 1, "its rank is not known"};
  if (have.shape->rank() != need.shape->rank()) return {500, fmt::format("its rank is {} instead of {}", have.shape->rank(), need.shape->rank())};
  if (bitsOf(have.element) != bitsOf(need.element)) return {400, fmt::format("its elements have {} bits instead of {}", bitsOf(have.element), bitsOf(need.element))};
  if (have.layout != need.layout) return {300, "its memory layout is another"};
  SizeDifference difference;
  for (size_t axis = 0; axis < need.shape->rank(); ++axis) {
    const Dim& there = (*have.shape)[axis];
    const Dim& here = (*need.shape)[axis];
    if (there.sameAs(here)) continue;
    if (difference.distance++ == 0) difference.text = fmt::format("axis {} is {} there and {} here", axis, dimText(there), dimText(here));
  }
  return difference;
}

std::string closestFreeBuffer(const Graph& graph, const AllocationPlan& plan, std::span<const ValueId> candidates, size_t freeCount, ValueId need) {
  ValueId closest;
  SizeDifference best{kIncomparable + 1, ""};
  size_t onOtherDevices = 0;
  for (ValueId candidate : candidates) {
    if (!(plan.values[candidate.index()].device == plan.values[need.index()].device)) {
      ++onOtherDevices;
      continue;
    }
    SizeDifference difference = compareSizes(graph.value(candidate).type, graph.value(need).type);
    if (difference.distance >= best.distance) continue;
    best = std::move(difference);
    closest = candidate;
  }
  if (!closest.valid()) return onOtherDevices > 0 ? "the buffers that are free lie on other devices" : "no buffer is free at this step";
  return fmt::format("of {} free {} '{}' ({}) comes closest, but {}", freeCount, freeCount == 1 ? "buffer" : "buffers", valueLabel(graph, closest), toText(graph.value(closest).type),
                     best.text.empty() ? "it is not usable here" : best.text);
}

}  // namespace cutaway
