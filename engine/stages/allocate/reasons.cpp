#include "engine/stages/allocate/reasons.h"

#include <cmath>

#include "engine/base/printable.h"
#include "engine/graph/node_label.h"

namespace cutaway::allocate {
namespace {

constexpr double kIncomparable = 1e300;
constexpr size_t kLongestLabel = 200;  // bytes

std::string dimText(const Dim& dim) {
  return dim.isKnown() ? std::to_string(dim.value()) : dim.isSymbol() ? dim.symbol() : "unknown";
}

// onnxruntime's rule: every dimension for itself.
SizeDifference compareShapes(const ValueType& have, const ValueType& need) {
  if (have.shape->rank() != need.shape->rank())
    return {500, fmt::format("its rank is {} instead of {}", have.shape->rank(), need.shape->rank())};
  if (bitsOf(have.element) != bitsOf(need.element))
    return {400, fmt::format("its elements have {} bits instead of {}", bitsOf(have.element), bitsOf(need.element))};
  if (have.layout != need.layout) return {300, "its memory layout is another"};
  SizeDifference difference;
  for (size_t axis = 0; axis < need.shape->rank(); ++axis) {
    const Dim& there = (*have.shape)[axis];
    const Dim& here = (*need.shape)[axis];
    if (there.sameAs(here)) continue;
    if (difference.distance++ == 0)
      difference.text = fmt::format("axis {} is {} there and {} here", axis, dimText(there), dimText(here));
  }
  return difference;
}

}  // namespace

std::string valueLabel(const Graph& graph, ValueId value) {
  return shortenedText(graph.value(value).name, kLongestLabel);
}

std::string nodeNameLabel(const Graph& graph, NodeId node) {
  return shortenedText(nodeName(graph, node), kLongestLabel);
}

SizeDifference compareSizes(const Graph& graph, const SizeTable& sizes, AllocRules rules, ValueId haveId,
                            ValueId needId) {
  const ValueType& have = graph.value(haveId).type;
  const ValueType& need = graph.value(needId).type;
  if (!have.isTensor() || !need.isTensor()) return {kIncomparable, "it is not a tensor"};
  if (have.element == ElementType::kString || need.element == ElementType::kString)
    return {kIncomparable, "strings never share a buffer"};
  if (!have.shape || !need.shape) return {kIncomparable / 2, "its rank is not known"};
  if (rules == AllocRules::kOnnxruntime) return compareShapes(have, need);
  const ValueSize& there = sizes.of(haveId);
  const ValueSize& here = sizes.of(needId);
  if (!there.known() || !here.known()) return {kIncomparable / 4, "its size is not known before running"};
  if (there.bytes < 0 || here.bytes < 0) {
    if (there.polynomial == here.polynomial && there.bytes == here.bytes)
      return {1, fmt::format("its elements have {} bits instead of {}", bitsOf(have.element), bitsOf(need.element))};
    return {1e30, fmt::format("{} are not known to hold {} without much waste", sizes.text(there), sizes.text(here))};
  }
  const double distance = std::abs(static_cast<double>(there.bytes) - static_cast<double>(here.bytes));
  if (there.bytes < here.bytes)
    return {distance, fmt::format("it holds {} and {} are needed", sizes.text(there), here.bytes)};
  if (there.bytes > here.bytes)
    return {distance, fmt::format("it holds {} and only {} are needed", sizes.text(there), here.bytes)};
  return {0.5, fmt::format("its elements have {} bits instead of {}", bitsOf(have.element), bitsOf(need.element))};
}

ClosestBuffer closestFreeBuffer(const Graph& graph, const SizeTable& sizes, AllocRules rules,
                                const AllocationPlan& plan, const FreeBuffers& free, ValueId need) {
  ValueId closest;
  SizeDifference best{2 * kIncomparable, ""};
  bool onOtherDevices = false;
  for (ValueId candidate : free.newest()) {
    if (!(plan.values[candidate.index()].device == plan.values[need.index()].device)) {
      onOtherDevices = true;
      continue;
    }
    SizeDifference difference = compareSizes(graph, sizes, rules, candidate, need);
    if (difference.distance >= best.distance) continue;
    best = std::move(difference);
    closest = candidate;
  }
  if (!closest.valid())
    return {closest,
            onOtherDevices ? "the buffers that are free lie on other devices" : "no buffer is free at this step"};
  return {closest,
          fmt::format("of {} free {} '{}' ({}) comes closest, but {}", free.count(),
                      free.count() == 1 ? "buffer" : "buffers", valueLabel(graph, closest),
                      toText(graph.value(closest).type), best.text.empty() ? "it is not usable here" : best.text)};
}

}  // namespace cutaway::allocate
