#include "app/second_opinion/other_precision.h"

#include "engine/stages/optimize/constant_values.h"

namespace cutaway {

namespace {

bool isNarrow(ElementType type) {
  return type == ElementType::kFloat || type == ElementType::kFloat16 || type == ElementType::kBfloat16;
}

Result<Tensor> retyped(const Tensor& tensor, ElementType type) {
  if (!isNarrow(tensor.type()) || tensor.type() == type) return tensor;
  const auto values = optimize::numbers(tensor);
  Tensor made = values ? optimize::tensorOf(type, tensor.dims(), *values) : Tensor();
  if (!made.valid()) return fail(ErrorCode::kFail, "no memory for a tensor of {}", elementTypeName(type));
  return made;
}

Result<void> retypeNode(Node& node, ElementType type) {
  for (Attribute& attribute : node.attributes) {
    if (auto* const tensor = heldAs<Tensor>(attribute.value)) {
      CUTAWAY_TRY(*tensor, retyped(*tensor, type));
    }
    if (node.opType != "Constant") continue;
    // A float by definition: as a tensor it can be of any type.
    if (const float* const number = std::get_if<float>(&attribute.value)) {
      CUTAWAY_TRY(Tensor value, retyped(Tensor::scalar(*number), type));
      attribute = {"value", std::move(value)};
    } else if (const auto* const numbers = std::get_if<std::vector<float>>(&attribute.value)) {
      CUTAWAY_TRY(Tensor values, retyped(Tensor::of(std::span(*numbers)), type));
      attribute = {"value", std::move(values)};
    }
  }
  if (node.opType == "Cast" && isNarrow(static_cast<ElementType>(node.attributeOr<int64_t>("to", 0))))
    node.setAttribute("to", static_cast<int64_t>(type));
  if (node.opType == "ConstantOfShape" && node.findAttribute("value") == nullptr) {
    const float zero = 0;
    CUTAWAY_TRY(Tensor value, retyped(Tensor::of(std::span(&zero, 1)), type));
    node.setAttribute("value", std::move(value));
  }
  return {};
}

}  // namespace

Result<void> retype(Model& model, ElementType type) {
  Result<void> done;
  forEachGraph(model.graph, [&](Graph& graph) {
    for (const ValueId id : graph.valueIds()) {
      Value& value = graph.mutableValue(id);
      if (value.type.isTensor() && isNarrow(value.type.element)) value.type.element = type;
      if (!done || !value.initializer) continue;
      Result<Tensor> made = retyped(*value.initializer, type);
      if (made)
        value.initializer = *std::move(made);
      else
        done = fail(std::move(made).error());
    }
    for (const NodeId id : graph.nodeIds())
      if (done) done = retypeNode(graph.mutableNode(id), type);
  });
  return done;
}

Result<std::vector<execute::Feed>> retypedFeeds(const std::vector<execute::Feed>& feeds, ElementType type) {
  std::vector<execute::Feed> all = feeds;
  for (execute::Feed& feed : all) {
    if (!feed.value.isTensor()) continue;
    CUTAWAY_TRY(Tensor made, retyped(feed.value.tensor(), type));
    feed.value = std::move(made);
  }
  return all;
}

}  // namespace cutaway
