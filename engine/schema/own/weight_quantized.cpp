// Products and lookups over weights stored in few bits.

#include "engine/schema/own/own_operator.h"

namespace cutaway::own {
namespace {

void matMulNBits(onnx::InferenceContext& context) {
  if (!known(context, 0)) return;
  onnx::propagateElemTypeFromInputToOutput(context, 0, 0);
  if (!onnx::hasInputShape(context, 0)) return;
  onnx::TensorShapeProto shape = onnx::getInputShape(context, 0);
  if (shape.dim_size() == 0) return;
  shape.mutable_dim(shape.dim_size() - 1)->set_dim_value(integerAttribute(context, "N"));
  *context.getOutputType(0)->mutable_tensor_type()->mutable_shape() = shape;
}

const std::vector<OwnOperator>& table() {
  static const std::vector<OwnOperator> rows = {
    {"MatMulNBits", kMicrosoft, "A:T, B:A, scales:V, zero_points?:W, g_idx?:I, bias?:T -> Y:T", matMulNBits, {{"K", AttributeKind::kInt, true}, {"N", AttributeKind::kInt, true}, {"bits", AttributeKind::kInt}, {"block_size", AttributeKind::kInt, true}, {"accuracy_level", AttributeKind::kInt}, {"weight_prepacked", AttributeKind::kInt}}},
  };
  return rows;
}

}  // namespace

OwnOperators own_weight_quantized() { return table(); }

}  // namespace cutaway::own
