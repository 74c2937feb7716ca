// com.microsoft.nchwc: what onnxruntime's optimiser makes of convolutions and pooling for its own processor, with
// channels in blocks of 8 or 16. Values are declared as plain tensors whose channels are padded to whole blocks.

#include "engine/schema/own/own_operator.h"

namespace cutaway::own {
namespace {

constexpr int64_t kLargestBlock = 16;

void blockedConv(onnx::InferenceContext& context) {
  likeOnnx(context, "Conv");
}
void blockedMaxPool(onnx::InferenceContext& context) {
  likeOnnx(context, "MaxPool");
}
void blockedAveragePool(onnx::InferenceContext& context) {
  likeOnnx(context, "AveragePool");
}
void blockedGlobalPool(onnx::InferenceContext& context) {
  likeOnnx(context, "GlobalAveragePool");
}

// Four dimensions to be arranged; false when they are not known.
bool takeShape(onnx::InferenceContext& context, onnx::TensorShapeProto& shape) {
  if (!known(context, 0)) return false;
  onnx::propagateElemTypeFromInputToOutput(context, 0, 0);
  if (!onnx::hasInputShape(context, 0)) return false;
  shape = onnx::getInputShape(context, 0);
  if (shape.dim_size() != 4) fail_shape_inference("the input must have 4 dimensions");
  return true;
}

void give(onnx::InferenceContext& context, const onnx::TensorShapeProto& shape) {
  *context.getOutputType(0)->mutable_tensor_type()->mutable_shape() = shape;
}

void reorderInput(onnx::InferenceContext& context) {
  onnx::TensorShapeProto from;
  if (!takeShape(context, from)) return;
  const bool last = integerAttribute(context, "channels_last") != 0;
  onnx::TensorShapeProto to;
  *to.add_dim() = from.dim(0);
  // Padded to whole blocks, whose size only the machine that optimised the model knows.
  auto* channels = to.add_dim();
  const auto& given = from.dim(last ? 3 : 1);
  if (given.has_dim_value() && given.dim_value() % kLargestBlock == 0) *channels = given;
  *to.add_dim() = from.dim(last ? 1 : 2);
  *to.add_dim() = from.dim(last ? 2 : 3);
  give(context, to);
}

void reorderOutput(onnx::InferenceContext& context) {
  onnx::TensorShapeProto from;
  if (!takeShape(context, from)) return;
  const bool last = integerAttribute(context, "channels_last") != 0;
  onnx::TensorShapeProto to = from;
  auto* channels = to.mutable_dim(last ? 3 : 1);
  if (last) {
    *to.mutable_dim(1) = from.dim(2);
    *to.mutable_dim(2) = from.dim(3);
  }
  channels->Clear();
  if (const int64_t count = integerAttribute(context, "channels"); count > 0) channels->set_dim_value(count);
  give(context, to);
}

void upsample(onnx::InferenceContext& context) {
  onnx::TensorShapeProto shape;
  if (!takeShape(context, shape)) return;
  const auto* scales = context.getAttribute("scales");
  for (int axis = 0; axis < 4; ++axis) {
    auto* dim = shape.mutable_dim(axis);
    const int64_t scale = scales != nullptr && scales->ints_size() == 4 ? scales->ints(axis) : 0;
    constexpr int64_t kMost = int64_t{1} << 31;
    if (scale == 1) continue;
    if (dim->has_dim_value() && scale > 0 && scale < kMost && dim->dim_value() < kMost)
      dim->set_dim_value(dim->dim_value() * scale);
    else
      dim->Clear();
  }
  give(context, shape);
}

const std::vector<OwnAttribute> kConvAttributes = {
    {"auto_pad", AttributeKind::kString},   {"dilations", AttributeKind::kInts},
    {"group", AttributeKind::kInt},         {"kernel_shape", AttributeKind::kInts},
    {"pads", AttributeKind::kInts},         {"strides", AttributeKind::kInts},
    {"activation", AttributeKind::kString}, {"activation_params", AttributeKind::kFloats}};
const std::vector<OwnAttribute> kPoolAttributes = {
    {"auto_pad", AttributeKind::kString},   {"kernel_shape", AttributeKind::kInts, true},
    {"dilations", AttributeKind::kInts},    {"strides", AttributeKind::kInts},
    {"pads", AttributeKind::kInts},         {"ceil_mode", AttributeKind::kInt},
    {"storage_order", AttributeKind::kInt}, {"count_include_pad", AttributeKind::kInt}};

constexpr const char* kPoolNote =
    "The pooling of ai.onnx of the same name on channels in blocks. onnxruntime's optimiser writes it for its own "
    "processor; it is expanded to the ordinary operator.";

const std::vector<OwnOperator>& table() {
  static const std::vector<OwnOperator> rows = {
      {.name = "ReorderInput",
       .domain = kBlocked,
       .signature = "X:tensor(float) -> Y:tensor(float)",
       .infer = reorderInput,
       .attributes = {{"channels_last", AttributeKind::kInt}},
       .documentation =
           "Where onnxruntime's optimiser goes into its blocked layout NCHWc: channels are laid out in blocks of 8 or "
           "16 "
           "(as many floats as a vector of the processor holds), padded with zeros. With channels_last the input is "
           "NHWC. It stands for no operator of the original model; here it becomes a padding, or nothing."},
      {.name = "ReorderOutput",
       .domain = kBlocked,
       .signature = "X:tensor(float) -> Y:tensor(float)",
       .infer = reorderOutput,
       .attributes = {{"channels", AttributeKind::kInt, true}, {"channels_last", AttributeKind::kInt}},
       .documentation =
           "Where onnxruntime's optimiser leaves its blocked layout NCHWc: the first `channels` channels as NCHW, or "
           "NHWC with channels_last. It stands for no operator of the original model, but for a Transpose to NHWC "
           "that followed."},
      {.name = "Conv",
       .domain = kBlocked,
       .signature = "X:tensor(float), W:tensor(float), B?:tensor(float), Sum?:tensor(float) -> Y:tensor(float)",
       .infer = blockedConv,
       .attributes = kConvAttributes,
       .documentation =
           "What onnxruntime's optimiser makes, for its own processor, of a Conv of ai.onnx (with a "
           "BatchNormalization, activation or Add of the original model taken in) on channels "
           "in "
           "blocks: Y = activation(conv(X, W) + B + Sum). W is stored in blocks (OIHW16i16o, or OIHW16o for depthwise "
           "convolutions and for inputs of fewer channels than a block, which are read straight from NCHW). It is "
           "expanded to Conv or FusedConv with plain weights."},
      {.name = "MaxPool",
       .domain = kBlocked,
       .signature = "X:tensor(float) -> Y:tensor(float)",
       .infer = blockedMaxPool,
       .attributes = kPoolAttributes,
       .documentation = kPoolNote},
      {.name = "AveragePool",
       .domain = kBlocked,
       .signature = "X:tensor(float) -> Y:tensor(float)",
       .infer = blockedAveragePool,
       .attributes = kPoolAttributes,
       .documentation = kPoolNote},
      {.name = "GlobalMaxPool",
       .domain = kBlocked,
       .signature = "X:tensor(float) -> Y:tensor(float)",
       .infer = blockedGlobalPool,
       .attributes = {},
       .documentation = kPoolNote},
      {.name = "GlobalAveragePool",
       .domain = kBlocked,
       .signature = "X:tensor(float) -> Y:tensor(float)",
       .infer = blockedGlobalPool,
       .attributes = {},
       .documentation = kPoolNote},
      {.name = "Upsample",
       .domain = kBlocked,
       .signature = "X:tensor(float) -> Y:tensor(float)",
       .infer = upsample,
       .attributes = {{"scales", AttributeKind::kInts, true},
                      {"mode", AttributeKind::kString},
                      {"coordinate_transformation_mode", AttributeKind::kString}},
       .documentation = "What onnxruntime's optimiser makes, for its own processor, of a Resize or Upsample of ai.onnx "
                        "by whole factors on channels in blocks; it is expanded to Resize."},
  };
  return rows;
}

}  // namespace

OwnOperators own_blocked() {
  return table();
}

}  // namespace cutaway::own
