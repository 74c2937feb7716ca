#include "providers/onnxruntime/rules.h"

#include <optional>

#include "engine/provider/hand_over.h"

namespace cutaway::onnxruntime {

namespace {

Answer refuse(std::string rule, std::string seen, std::string reason, std::string remedy = {}) {
  return {.supported = false,
          .cause = RefusalCause::kType,
          .reason = std::move(reason),
          .rule = std::move(rule),
          .seen = std::move(seen),
          .remedy = std::move(remedy)};
}

// Sequences, maps and optionals have no place in shared memory; 6-bit floats are ours alone.
std::optional<Answer> typeOf(const Graph& graph, ValueId id) {
  if (!id.valid()) return std::nullopt;
  const Value& value = graph.value(id);
  const std::string seen = fmt::format("{} {}", value.name, toText(value.type));
  if (!value.type.isTensor())
    return refuse("tensors only", seen,
                  fmt::format("'{}' is no tensor of a known type, and groups take and give tensors", value.name));
  if (value.type.element == ElementType::kUndefined ||
      static_cast<int32_t>(value.type.element) > static_cast<int32_t>(ElementType::kInt2))
    return refuse("element types", seen,
                  fmt::format("'{}' has elements of type {}, which ONNX Runtime does not know", value.name,
                              elementTypeName(value.type.element)));
  return std::nullopt;
}

}  // namespace

std::optional<Answer> refusalByRule(const CapabilityRequest& request, NodeId id) {
  if (std::optional<Refusal> no = cannotHandOver(request, id, "ONNX Runtime"))
    return Answer{.supported = false,
                  .cause = no->cause,
                  .reason = std::move(no->reason),
                  .rule = std::move(no->rule),
                  .seen = std::move(no->seen),
                  .remedy = std::move(no->remedy)};
  const Node& node = request.graph.node(id);
  for (const std::span<const ValueId> values :
       {std::span<const ValueId>(node.inputs), std::span<const ValueId>(node.implicitInputs),
        std::span<const ValueId>(node.outputs)}) {
    for (const ValueId value : values) {
      if (std::optional<Answer> no = typeOf(request.graph, value)) return no;
    }
  }
  return std::nullopt;
}

}  // namespace cutaway::onnxruntime
