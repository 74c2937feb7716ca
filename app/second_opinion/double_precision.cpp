#include "app/second_opinion/double_precision.h"

#include "engine/stages/optimize/constant_values.h"

namespace cutaway {

namespace {

bool isNarrow(ElementType type) {
  return type == ElementType::kFloat || type == ElementType::kFloat16 || type == ElementType::kBfloat16;
}

Result<Tensor> widened(const Tensor& tensor) {
  if (!isNarrow(tensor.type())) return tensor;
  const auto values = optimize::numbers(tensor);
  Tensor wide = values ? optimize::tensorOf(ElementType::kDouble, tensor.dims(), *values) : Tensor();
  if (!wide.valid()) return fail(ErrorCode::kFail, "no memory for a tensor of doubles");
  return wide;
}

Result<void> widenNode(Node& node) {
  for (Attribute& attribute : node.attributes) {
    if (auto* const tensor = std::get_if<Tensor>(&attribute.value)) {
      CUTAWAY_TRY(*tensor, widened(*tensor));
    }
    if (node.opType != "Constant") continue;
    // A float by definition: as a tensor it can be a double.
    if (const float* const number = std::get_if<float>(&attribute.value)) {
      attribute = {"value", Tensor::scalar(static_cast<double>(*number))};
    } else if (const auto* const numbers = std::get_if<std::vector<float>>(&attribute.value)) {
      const std::vector<double> wide(numbers->begin(), numbers->end());
      attribute = {"value", Tensor::of(std::span(wide))};
    }
  }
  if (node.opType == "Cast" && isNarrow(static_cast<ElementType>(node.attributeOr<int64_t>("to", 0))))
    node.setAttribute("to", static_cast<int64_t>(ElementType::kDouble));
  if (node.opType == "ConstantOfShape" && node.findAttribute("value") == nullptr)
    node.setAttribute("value", Tensor::of(std::span(std::initializer_list<double>{0.0}.begin(), 1)));
  return {};
}

}  // namespace

Result<void> widen(Model& model) {
  Result<void> done;
  forEachGraph(model.graph, [&](Graph& graph) {
    for (const ValueId id : graph.valueIds()) {
      Value& value = graph.mutableValue(id);
      if (value.type.isTensor() && isNarrow(value.type.element)) value.type.element = ElementType::kDouble;
      if (!done || !value.initializer) continue;
      Result<Tensor> wide = widened(*value.initializer);
      if (wide)
        value.initializer = *std::move(wide);
      else
        done = fail(std::move(wide).error());
    }
    for (const NodeId id : graph.nodeIds())
      if (done) done = widenNode(graph.mutableNode(id));
  });
  return done;
}

Result<std::vector<execute::Feed>> widenedFeeds(const std::vector<execute::Feed>& feeds) {
  std::vector<execute::Feed> all = feeds;
  for (execute::Feed& feed : all) {
    if (!feed.value.isTensor()) continue;
    CUTAWAY_TRY(Tensor wide, widened(feed.value.tensor()));
    feed.value = std::move(wide);
  }
  return all;
}

}  // namespace cutaway
