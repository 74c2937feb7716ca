// What optimisers write: convolution and products with an activation, a scale or transposed operands.

#include "engine/schema/own/own_operator.h"

namespace cutaway::own {
namespace {

void likeConv(onnx::InferenceContext& context) { likeOnnx(context, "Conv"); }
void likeGemm(onnx::InferenceContext& context) { likeOnnx(context, "Gemm"); }

// MatMul whose operands may be transposed in their last two axes.
void fusedMatMul(onnx::InferenceContext& context) {
  if (!known(context, 0)) return;
  onnx::propagateElemTypeFromInputToOutput(context, 0, 0);
  if (!onnx::hasInputShape(context, 0) || !onnx::hasInputShape(context, 1) || integerAttribute(context, "transBatchA") != 0 || integerAttribute(context, "transBatchB") != 0) return;
  onnx::TensorShapeProto a = onnx::getInputShape(context, 0);
  onnx::TensorShapeProto b = onnx::getInputShape(context, 1);
  if (a.dim_size() < 2 || b.dim_size() < 2) return;
  if (integerAttribute(context, "transA") != 0) a.mutable_dim()->SwapElements(a.dim_size() - 1, a.dim_size() - 2);
  if (integerAttribute(context, "transB") != 0) b.mutable_dim()->SwapElements(b.dim_size() - 1, b.dim_size() - 2);
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

const std::vector<OwnAttribute> kConvAttributes = {{"auto_pad", AttributeKind::kString}, {"dilations", AttributeKind::kInts}, {"group", AttributeKind::kInt}, {"kernel_shape", AttributeKind::kInts}, {"pads", AttributeKind::kInts}, {"strides", AttributeKind::kInts}, {"activation", AttributeKind::kString}, {"activation_params", AttributeKind::kFloats}};

const std::vector<OwnOperator>& table() {
  static const std::vector<OwnOperator> rows = {
    {"FusedConv", kMicrosoft, "X:T, W:T, B?:T, Z?:T -> Y:T", likeConv, kConvAttributes},
    {"FusedMatMul", kMicrosoft, "A:T, B:T -> Y:T", fusedMatMul, {{"alpha", AttributeKind::kFloat}, {"transA", AttributeKind::kInt}, {"transB", AttributeKind::kInt}, {"transBatchA", AttributeKind::kInt}, {"transBatchB", AttributeKind::kInt}}},
    {"TransposeMatMul", kMicrosoft, "A:T, B:T -> Y:T", fusedMatMul, {{"alpha", AttributeKind::kFloat}, {"transA", AttributeKind::kInt}, {"transB", AttributeKind::kInt}}},
    {"FusedGemm", kMicrosoft, "A:T, B:T, C?:T -> Y:T", likeGemm, {{"alpha", AttributeKind::kFloat}, {"beta", AttributeKind::kFloat}, {"transA", AttributeKind::kInt}, {"transB", AttributeKind::kInt}, {"activation", AttributeKind::kString}, {"activation_alpha", AttributeKind::kFloat}, {"activation_beta", AttributeKind::kFloat}, {"activation_gamma", AttributeKind::kFloat}}},
  };
  return rows;
}

}  // namespace

OwnOperators own_fused() { return table(); }

}  // namespace cutaway::own
