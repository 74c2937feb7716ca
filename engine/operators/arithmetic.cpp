#include "engine/operators/arithmetic.h"

#include <algorithm>

namespace cutaway::operators {
namespace {

ElementType typeOf(const Graph& graph, ValueId value) {
  return value.valid() ? graph.value(value).type.element : ElementType::kUndefined;
}

}  // namespace

ElementType commonInputType(const Graph& graph, const Node& node, size_t count) {
  for (size_t slot = 0; slot < std::min(count, node.inputs.size()); ++slot) {
    const ElementType type = typeOf(graph, node.inputs[slot]);
    if (type != ElementType::kUndefined) return type;
  }
  return ElementType::kUndefined;
}

Result<void> checkAlikeInputs(const Graph& graph, const Node& node, size_t count) {
  if (count == 0 || node.inputs.size() < count)
    return fail(ErrorCode::kInvalidGraph, "{} has {} inputs, not {}", node.opType, node.inputs.size(),
                std::max<size_t>(count, 1));
  const ElementType common = commonInputType(graph, node, count);
  for (size_t slot = 0; slot < count; ++slot) {
    if (!node.inputs[slot].valid()) return fail(ErrorCode::kInvalidGraph, "{}: input {} is missing", node.opType, slot);
    const ElementType type = typeOf(graph, node.inputs[slot]);
    if (type != ElementType::kUndefined && type != common)
      return fail(ErrorCode::kInvalidGraph, "{}: the inputs differ in type", node.opType);
  }
  return {};
}

Result<ShiftDirection> readShiftDirection(const Node& node) {
  const std::string direction = node.attributeOr<std::string>("direction", "");
  if (direction != "LEFT" && direction != "RIGHT")
    return fail(ErrorCode::kInvalidArgument, "BitShift: direction is '{}', not LEFT or RIGHT", direction);
  return direction == "LEFT" ? ShiftDirection::kLeft : ShiftDirection::kRight;
}

Remainder readRemainder(const Node& node) {
  return node.attributeOr<int64_t>("fmod", 0) != 0 ? Remainder::kTruncated : Remainder::kFloor;
}

}  // namespace cutaway::operators
