// Image, index and shape operators of com.microsoft: many are what ai.onnx took over later.

#include "engine/schema/own/own_operator.h"

namespace cutaway::own {
namespace {

using Shape = onnx::TensorShapeProto;

void typeLikeFirst(onnx::InferenceContext& context) {
  if (known(context, 0)) onnx::propagateElemTypeFromInputToOutput(context, 0, 0);
}
Shape* outputShape(onnx::InferenceContext& context) {
  return context.getOutputType(0)->mutable_tensor_type()->mutable_shape();
}

void likeGridSample(onnx::InferenceContext& context) {
  likeOnnx(context, "GridSample");
}
void likeGatherNd(onnx::InferenceContext& context) {
  likeOnnx(context, "GatherND");
}

void oneAxis(onnx::InferenceContext& context) {
  typeLikeFirst(context);
  if (known(context, 0)) outputShape(context)->add_dim();
}

void uniqueLists(onnx::InferenceContext& context) {
  oneAxis(context);
  for (size_t output = 1; output < 3 && output < context.getNumOutputs(); ++output) {
    onnx::updateOutputElemType(context, output, onnx::TensorProto::INT64);
    auto* shape = context.getOutputType(output)->mutable_tensor_type()->mutable_shape();
    if (output == 1 && known(context, 0) && onnx::hasInputShape(context, 0))
      *shape = onnx::getInputShape(context, 0);
    else
      shape->add_dim();
  }
}

// As many axes as the first input, `more` in addition; the dims are known at run time.
void rankLikeFirst(onnx::InferenceContext& context, int more) {
  typeLikeFirst(context);
  if (!known(context, 0) || !onnx::hasInputShape(context, 0)) return;
  const int rank = onnx::getInputShape(context, 0).dim_size() + more;
  Shape* shape = outputShape(context);
  for (int axis = 0; axis < rank; ++axis)
    shape->add_dim();
}
void sameRank(onnx::InferenceContext& context) {
  rankLikeFirst(context, 0);
}
void oneRankMore(onnx::InferenceContext& context) {
  rankLikeFirst(context, 1);
}

// [regions, C, ?, ?]
void cropAndResize(onnx::InferenceContext& context) {
  typeLikeFirst(context);
  if (!known(context, 0) || !known(context, 1)) return;
  Shape* shape = outputShape(context);
  for (int axis = 0; axis < 4; ++axis)
    shape->add_dim();
  if (onnx::hasInputShape(context, 1) && onnx::getInputShape(context, 1).dim_size() == 2)
    *shape->mutable_dim(0) = onnx::getInputShape(context, 1).dim(0);
  if (onnx::hasInputShape(context, 0) && onnx::getInputShape(context, 0).dim_size() == 4)
    *shape->mutable_dim(1) = onnx::getInputShape(context, 0).dim(1);
}

void pairs(onnx::InferenceContext& context) {
  typeLikeFirst(context);
  if (!known(context, 0)) return;
  Shape* shape = outputShape(context);
  for (size_t input = 0; input < 2; ++input) {
    auto* dim = shape->add_dim();
    if (known(context, input) && onnx::hasInputShape(context, input) &&
        onnx::getInputShape(context, input).dim_size() == 2)
      *dim = onnx::getInputShape(context, input).dim(0);
  }
}

const std::vector<OwnOperator>& table() {
  static const std::vector<OwnOperator> rows = {
      {"CropAndResize",
       kMicrosoft,
       "X:T, rois:T, batch_indices:tensor(int32), crop_size:tensor(int32) -> Y:T",
       cropAndResize,
       {{"mode", AttributeKind::kString}, {"extrapolation_value", AttributeKind::kFloat}}},
      {"GridSample",
       kMicrosoft,
       "X:T, Grid:T -> Y:T",
       likeGridSample,
       {{"mode", AttributeKind::kString},
        {"padding_mode", AttributeKind::kString},
        {"align_corners", AttributeKind::kInt}}},
      {"GatherND", kMicrosoft, "data:A, indices:I -> output:A", likeGatherNd, {}},
      {"Trilu", kMicrosoft, "X:A, k?:tensor(int64) -> Y:A", likeFirst, {{"upper", AttributeKind::kInt}}},
      {"Range", kMicrosoft, "start:A, limit:A, delta?:A -> Y:A", oneAxis, {}},
      {"Pad",
       kMicrosoft,
       "data:T, pads:tensor(int64), value?:T -> output:T",
       sameRank,
       {{"mode", AttributeKind::kString}}},
      {"ExpandDims", kMicrosoft, "X:A, axis:tensor(int32) -> Y:A", oneRankMore, {}},
      {"UnfoldTensor",
       kMicrosoft,
       "input:A -> output:A",
       oneRankMore,
       {{"dim", AttributeKind::kInt}, {"size", AttributeKind::kInt, true}, {"step", AttributeKind::kInt}}},
      {"Unique", kMicrosoft, "x:A -> y:A, idx:tensor(int64), counts:tensor(int64)", uniqueLists, {}},
      {"ConvTransposeWithDynamicPads",
       kMicrosoft,
       "X:T, W:T, Pads?:tensor(int64), B?:T -> Y:T",
       sameRank,
       {{"auto_pad", AttributeKind::kString},
        {"dilations", AttributeKind::kInts},
        {"group", AttributeKind::kInt},
        {"kernel_shape", AttributeKind::kInts},
        {"output_padding", AttributeKind::kInts},
        {"strides", AttributeKind::kInts}}},
      {"Inverse", kMicrosoft, "X:T -> Y:T", likeFirst, {}},
      {"CDist", kMicrosoft, "A:T, B:T -> C:T", pairs, {{"metric", AttributeKind::kString}}},
      {"NhwcConv",
       kMicrosoft,
       "X:T, W:T, B?:T -> Y:T",
       sameRank,
       {{"auto_pad", AttributeKind::kString},
        {"dilations", AttributeKind::kInts},
        {"group", AttributeKind::kInt},
        {"kernel_shape", AttributeKind::kInts},
        {"pads", AttributeKind::kInts},
        {"strides", AttributeKind::kInts}}},
      {"NhwcMaxPool",
       kMicrosoft,
       "x:Q -> y:Q",
       sameRank,
       {{"auto_pad", AttributeKind::kString},
        {"ceil_mode", AttributeKind::kInt},
        {"dilations", AttributeKind::kInts},
        {"kernel_shape", AttributeKind::kInts, true},
        {"pads", AttributeKind::kInts},
        {"strides", AttributeKind::kInts}}},
  };
  return rows;
}

}  // namespace

OwnOperators own_vision() {
  return table();
}

}  // namespace cutaway::own
