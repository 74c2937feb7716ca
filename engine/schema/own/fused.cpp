// What optimisers write: convolution and products with an activation, a scale or transposed operands.

#include "engine/schema/own/own_operator.h"

namespace cutaway::own {
namespace {

void likeConv(onnx::InferenceContext& context) {
  likeOnnx(context, "Conv");
}
void likeGemm(onnx::InferenceContext& context) {
  likeOnnx(context, "Gemm");
}

// An operand as MatMul sees it: the batch form stores [rows, batch..., columns]; then the last two axes may be swapped.
onnx::TensorShapeProto operand(onnx::InferenceContext& context, size_t input, const char* batchFlag, const char* flag) {
  onnx::TensorShapeProto shape = onnx::getInputShape(context, input);
  const int rank = shape.dim_size();
  if (integerAttribute(context, batchFlag) != 0) {
    for (int axis = 0; axis + 2 < rank; ++axis)
      shape.mutable_dim()->SwapElements(axis, axis + 1);
  }
  if (rank > 1 && integerAttribute(context, flag) != 0) shape.mutable_dim()->SwapElements(rank - 1, rank - 2);
  return shape;
}

// MatMul whose operands may be transposed.
void fusedMatMul(onnx::InferenceContext& context) {
  if (!known(context, 0)) return;
  onnx::propagateElemTypeFromInputToOutput(context, 0, 0);
  if (!known(context, 1) || !onnx::hasInputShape(context, 0) || !onnx::hasInputShape(context, 1)) return;
  const onnx::TensorShapeProto a = operand(context, 0, "transBatchA", "transA");
  const onnx::TensorShapeProto b = operand(context, 1, "transBatchB", "transB");
  if (a.dim_size() < 2 || b.dim_size() < 2) return;
  onnx::TensorShapeProto aBatch = a;
  onnx::TensorShapeProto bBatch = b;
  aBatch.mutable_dim()->DeleteSubrange(a.dim_size() - 2, 2);
  bBatch.mutable_dim()->DeleteSubrange(b.dim_size() - 2, 2);
  onnx::TensorShapeProto result;
  onnx::bidirectionalBroadcastShapeInference(aBatch, bBatch, result);
  *result.add_dim() = a.dim(a.dim_size() - 2);
  *result.add_dim() = b.dim(b.dim_size() - 1);
  *context.getOutputType(0)->mutable_tensor_type()->mutable_shape() = result;
}

const std::vector<OwnAttribute> kConvAttributes = {
    {"auto_pad", AttributeKind::kString},   {"dilations", AttributeKind::kInts},
    {"group", AttributeKind::kInt},         {"kernel_shape", AttributeKind::kInts},
    {"pads", AttributeKind::kInts},         {"strides", AttributeKind::kInts},
    {"activation", AttributeKind::kString}, {"activation_params", AttributeKind::kFloats}};

const std::vector<OwnOperator>& table() {
  static const std::vector<OwnOperator> rows = {
      {"FusedConv", kMicrosoft, "X:T, W:T, B?:T, Z?:T -> Y:T", likeConv, kConvAttributes},
      {"FusedMatMul",
       kMicrosoft,
       "A:T, B:T -> Y:T",
       fusedMatMul,
       {{"alpha", AttributeKind::kFloat},
        {"transA", AttributeKind::kInt},
        {"transB", AttributeKind::kInt},
        {"transBatchA", AttributeKind::kInt},
        {"transBatchB", AttributeKind::kInt}}},
      {"TransposeMatMul",
       kMicrosoft,
       "A:T, B:T -> Y:T",
       fusedMatMul,
       {{"alpha", AttributeKind::kFloat}, {"transA", AttributeKind::kInt}, {"transB", AttributeKind::kInt}}},
      {"FusedGemm",
       kMicrosoft,
       "A:T, B:T, C?:T -> Y:T",
       likeGemm,
       {{"alpha", AttributeKind::kFloat},
        {"beta", AttributeKind::kFloat},
        {"transA", AttributeKind::kInt},
        {"transB", AttributeKind::kInt},
        {"activation", AttributeKind::kString},
        {"activation_alpha", AttributeKind::kFloat},
        {"activation_beta", AttributeKind::kFloat},
        {"activation_gamma", AttributeKind::kFloat}}},
  };
  return rows;
}

}  // namespace

OwnOperators own_fused() {
  return table();
}

}  // namespace cutaway::own
