#pragma once
// What the rows of known differences are written with: an answer, and what a node's inputs and outputs are.
//
// Thread rule: pure. Example: if (elementOut(graph, node) == ElementType::kUint8) return differs(RefusalCause::kType,
// ...);

#include <optional>
#include <string>
#include <utility>

#include "engine/graph/graph.h"
#include "providers/openvino/questions.h"

namespace cutaway::openvino {

using Found = std::optional<Answer>;

inline Answer differs(RefusalCause cause, std::string seen, std::string reason, std::string remedy) {
  return {.supported = false,
          .cause = cause,
          .reason = std::move(reason),
          .rule = "known differences",
          .seen = std::move(seen),
          .remedy = std::move(remedy)};
}

inline bool has(const Node& node, size_t slot) {
  return slot < node.inputs.size() && node.inputs[slot].valid();
}

inline ElementType elementIn(const Graph& graph, const Node& node, size_t slot) {
  return has(node, slot) ? graph.value(node.inputs[slot]).type.element : ElementType::kUndefined;
}

inline ElementType elementOut(const Graph& graph, const Node& node) {
  return node.outputs.empty() || !node.outputs[0].valid() ? ElementType::kUndefined
                                                          : graph.value(node.outputs[0]).type.element;
}

inline bool isNarrow(ElementType type) {
  return isSubByte(type) || (isFloating(type) && bitsOf(type) == 8);
}

inline bool hasKnownSize(const Graph& graph, const Node& node) {
  return has(node, 0) && staticByteSize(graph.value(node.inputs[0]).type).has_value();
}

// Of a tensor's axis; -1: open, or the rank is.
inline int64_t sizeOf(const Graph& graph, const Node& node, size_t slot, int64_t axis) {
  if (!has(node, slot)) return -1;
  const std::optional<Shape>& shape = graph.value(node.inputs[slot]).type.shape;
  if (!shape) return -1;
  const auto rank = static_cast<int64_t>(shape->rank());
  if (axis < 0) axis += rank;
  if (axis < 0 || axis >= rank) return -1;
  const Dim& size = (*shape)[static_cast<size_t>(axis)];
  return size.isKnown() ? size.value() : -1;
}

}  // namespace cutaway::openvino
