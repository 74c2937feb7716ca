// ai.onnx operators of 2017 that were withdrawn.

#include "engine/schema/own/own_operator.h"

namespace cutaway::own {
namespace {

void cropShape(onnx::InferenceContext& context) {
  if (!known(context, 0)) return;
  onnx::propagateElemTypeFromInputToOutput(context, 0, 0);
  const auto* border = context.getAttribute("border");
  if (!onnx::hasInputShape(context, 0) || border == nullptr || border->ints_size() != 4) return;
  onnx::TensorShapeProto shape = onnx::getInputShape(context, 0);
  if (shape.dim_size() != 4) return;
  const auto* scale = context.getAttribute("scale");
  for (int axis = 2; axis < 4; ++axis) {
    auto* dim = shape.mutable_dim(axis);
    const auto cut = sumOf({border->ints(axis == 2 ? 1 : 0), border->ints(axis == 2 ? 3 : 2)});
    if (scale != nullptr && scale->ints_size() == 2)
      dim->set_dim_value(scale->ints(axis - 2));
    else if (dim->has_dim_value() && cut && *cut >= 0)
      setSize(*dim, sumOf({dim->dim_value(), -*cut}));
    else
      dim->Clear();
  }
  *context.getOutputType(0)->mutable_tensor_type()->mutable_shape() = shape;
}

// Only the rank is known: the ranges are values of the run.
void dynamicSliceShape(onnx::InferenceContext& context) {
  if (!known(context, 0)) return;
  onnx::propagateElemTypeFromInputToOutput(context, 0, 0);
  if (!onnx::hasInputShape(context, 0)) return;
  auto* shape = context.getOutputType(0)->mutable_tensor_type()->mutable_shape();
  for (int axis = 0; axis < onnx::getInputShape(context, 0).dim_size(); ++axis)
    shape->add_dim();
}

const std::vector<OwnOperator>& table() {
  static const std::vector<OwnOperator> rows = {
      {"Affine", "", "X:T -> Y:T", likeFirst, {{"alpha", AttributeKind::kFloat}, {"beta", AttributeKind::kFloat}}},
      {"ImageScaler",
       "",
       "input:T -> output:T",
       likeFirst,
       {{"bias", AttributeKind::kFloats}, {"scale", AttributeKind::kFloat}}},
      {"ParametricSoftplus",
       "",
       "X:T -> Y:T",
       likeFirst,
       {{"alpha", AttributeKind::kFloat}, {"beta", AttributeKind::kFloat}}},
      {"ScaledTanh",
       "",
       "input:T -> output:T",
       likeFirst,
       {{"alpha", AttributeKind::kFloat}, {"beta", AttributeKind::kFloat}}},
      {"Scale", "", "input:T -> output:T", likeFirst, {{"scale", AttributeKind::kFloat}}},
      {"ThresholdedRelu", "", "X:T -> Y:T", likeFirst, {{"alpha", AttributeKind::kFloat}}, 9},
      {"MeanVarianceNormalization",
       "",
       "input:T -> output:T",
       likeFirst,
       {{"across_channels", AttributeKind::kInt}, {"normalize_variance", AttributeKind::kInt}},
       8},
      {"DynamicSlice", "", "data:A, starts:I, ends:I, axes?:I -> output:A", dynamicSliceShape, {}, 9},
      {"Crop",
       "",
       "input:T -> output:T",
       cropShape,
       {{"border", AttributeKind::kInts}, {"scale", AttributeKind::kInts}}},
  };
  return rows;
}

}  // namespace

OwnOperators own_withdrawn() {
  return table();
}

}  // namespace cutaway::own
