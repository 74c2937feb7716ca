// Products and lookups over weights stored in few bits.

#include <onnx/defs/tensor_proto_util.h>

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

// [..., K] times a stored [N, K]; [..., N] times it when it is not transposed.
void matMulBnb4(onnx::InferenceContext& context) {
  if (!known(context, 0)) return;
  onnx::propagateElemTypeFromInputToOutput(context, 0, 0);
  if (!onnx::hasInputShape(context, 0)) return;
  onnx::TensorShapeProto shape = onnx::getInputShape(context, 0);
  if (shape.dim_size() == 0) return;
  shape.mutable_dim(shape.dim_size() - 1)
      ->set_dim_value(integerAttribute(context, integerAttribute(context, "transB", 1) != 0 ? "N" : "K"));
  *context.getOutputType(0)->mutable_tensor_type()->mutable_shape() = shape;
}

// [..., K] times a matrix whose shape is a value.
void matMulFpQ4(onnx::InferenceContext& context) {
  if (!known(context, 0)) return;
  onnx::propagateElemTypeFromInputToOutput(context, 0, 0);
  const onnx::TensorProto* stored = context.getInputData(2);
  if (!onnx::hasInputShape(context, 0) || onnx::getInputShape(context, 0).dim_size() == 0) return;
  onnx::TensorShapeProto shape = onnx::getInputShape(context, 0);
  auto* last = shape.mutable_dim(shape.dim_size() - 1);
  last->Clear();
  if (stored != nullptr && stored->data_type() == onnx::TensorProto::INT64) {
    const std::vector<int64_t> dims = onnx::ParseData<int64_t>(stored);
    if (dims.size() == 2) last->set_dim_value(dims[1]);
  }
  *context.getOutputType(0)->mutable_tensor_type()->mutable_shape() = shape;
}

// data's axes with the gathered one replaced by those of the indices; bytes hold several numbers along the last axis.
void gatherBlockQuantized(onnx::InferenceContext& context) {
  if (!known(context, 0) || !known(context, 2)) return;
  onnx::propagateElemTypeFromInputToOutput(context, 2, 0);
  if (!onnx::hasInputShape(context, 0) || !onnx::hasInputShape(context, 1)) return;
  onnx::TensorShapeProto data = onnx::getInputShape(context, 0);
  const int64_t rank = data.dim_size(), bits = integerAttribute(context, "bits", 4);
  int64_t axis = integerAttribute(context, "gather_axis", 0);
  if (axis < 0) axis += rank;
  if (rank == 0 || axis < 0 || axis >= rank || (bits != 2 && bits != 4 && bits != 8)) return;
  auto* last = data.mutable_dim(static_cast<int>(rank) - 1);
  if (context.getInputType(0)->tensor_type().elem_type() == onnx::TensorProto::UINT8 && bits < 8) {
    if (last->has_dim_value())
      setSize(*last, productOf(last->dim_value(), 8 / bits));
    else
      last->Clear();
  }
  onnx::TensorShapeProto shape;
  for (int i = 0; i < static_cast<int>(axis); ++i)
    *shape.add_dim() = data.dim(i);
  for (const auto& dim : onnx::getInputShape(context, 1).dim())
    *shape.add_dim() = dim;
  for (int i = static_cast<int>(axis) + 1; i < static_cast<int>(rank); ++i)
    *shape.add_dim() = data.dim(i);
  *context.getOutputType(0)->mutable_tensor_type()->mutable_shape() = shape;
}

const std::vector<OwnOperator>& table() {
  static const std::vector<OwnOperator> rows = {
      {"MatMulNBits",
       kMicrosoft,
       "A:T, B:A, scales:V, zero_points?:W, g_idx?:I, bias?:T -> Y:T",
       matMulNBits,
       {{"K", AttributeKind::kInt, true},
        {"N", AttributeKind::kInt, true},
        {"bits", AttributeKind::kInt},
        {"block_size", AttributeKind::kInt, true},
        {"accuracy_level", AttributeKind::kInt},
        {"weight_prepacked", AttributeKind::kInt}}},
      {"MatMulBnb4",
       kMicrosoft,
       "A:T, B:A, absmax:T -> Y:T",
       matMulBnb4,
       {{"K", AttributeKind::kInt, true},
        {"N", AttributeKind::kInt, true},
        {"block_size", AttributeKind::kInt, true},
        {"quant_type", AttributeKind::kInt, true},
        {"training_mode", AttributeKind::kInt},
        {"transB", AttributeKind::kInt}}},
      {"MatMulFpQ4",
       kMicrosoft,
       "A:T, B:tensor(uint8), B_shape:tensor(int64) -> Y:T",
       matMulFpQ4,
       {{"blk_quant_type", AttributeKind::kInt}}},
      {"GatherBlockQuantized",
       kMicrosoft,
       "data:A, indices:I, scales:T, zero_points?:A -> output:T",
       gatherBlockQuantized,
       {{"bits", AttributeKind::kInt},
        {"block_size", AttributeKind::kInt},
        {"quantize_axis", AttributeKind::kInt},
        {"gather_axis", AttributeKind::kInt}}},
  };
  return rows;
}

}  // namespace

OwnOperators own_weight_quantized() {
  return table();
}

}  // namespace cutaway::own
