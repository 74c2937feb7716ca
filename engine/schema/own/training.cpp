// What exported training graphs carry: backward operators, optimiser steps and accumulation of com.microsoft.

#include "engine/schema/own/own_operator.h"

namespace cutaway::own {
namespace {

// Every output i is like input order[i].
template <size_t... order>
void likeInputs(onnx::InferenceContext& context) {
  size_t output = 0;
  (copyTypeAndShape(context, order, output++), ...);
}

// The elements' type is that of the gradient; the shape is what the model declares.
void typeOfFirst(onnx::InferenceContext& context) {
  if (known(context, 0)) onnx::propagateElemTypeFromInputToOutput(context, 0, 0);
}

// shape, indices, dY
void gatherGrad(onnx::InferenceContext& context) {
  if (known(context, 2)) onnx::propagateElemTypeFromInputToOutput(context, 2, 0);
}

void bitmaskDropout(onnx::InferenceContext& context) {
  copyTypeAndShape(context, 0, 0);
  if (context.getNumOutputs() > 1) onnx::updateOutputElemType(context, 1, onnx::TensorProto::UINT32);
}

void updatedFlag(onnx::InferenceContext& context) {
  onnx::updateOutputElemType(context, 0, onnx::TensorProto::BOOL);
  context.getOutputType(0)->mutable_tensor_type()->mutable_shape()->add_dim()->set_dim_value(1);
}

void accumulator(onnx::InferenceContext& context) {
  updatedFlag(context);
  copyTypeAndShape(context, 0, 1);
}

// Sequences come out as they went in.
template <size_t first, size_t... order>
void optimizer(onnx::InferenceContext& context) {
  onnx::updateOutputElemType(context, 0, onnx::TensorProto::BOOL);
  if (known(context, first) && onnx::hasInputShape(context, first))
    onnx::propagateShapeFromInputToOutput(context, first, 0);
  size_t output = 1;
  const auto copy = [&](size_t input) {
    if (output < context.getNumOutputs() && known(context, input))
      *context.getOutputType(output) = *context.getInputType(input);
    ++output;
  };
  (copy(order), ...);
}

constexpr auto kInt = AttributeKind::kInt;
constexpr auto kFloat = AttributeKind::kFloat;

const std::vector<OwnAttribute> kPoolAttributes = {{"auto_pad", AttributeKind::kString},
                                                   {"kernel_shape", AttributeKind::kInts, true},
                                                   {"pads", AttributeKind::kInts},
                                                   {"strides", AttributeKind::kInts},
                                                   {"storage_order", kInt},
                                                   {"ceil_mode", kInt},
                                                   {"count_include_pad", kInt},
                                                   {"dilations", AttributeKind::kInts}};
const std::vector<OwnAttribute> kLossAttributes = {
    {"reduction", AttributeKind::kString}, {"ignore_index", kInt}, {"output_type", kInt}};

const std::vector<OwnOperator>& table() {
  static const std::vector<OwnOperator> rows = {
      {"ReluGrad", kMicrosoft, "dY:T, X:T -> dX:T", likeFirst, {}},
      {"SigmoidGrad", kMicrosoft, "dY:T, Y:T -> dX:T", likeFirst, {}},
      {"TanhGrad", kMicrosoft, "dY:T, Y:T -> dX:T", likeFirst, {}},
      {"LeakyReluGrad", kMicrosoft, "dY:T, Y:T -> dX:T", likeFirst, {{"alpha", kFloat}}},
      {"GeluGrad", kMicrosoft, "dY:T, X:T -> dX:T", likeFirst, {}},
      {"FastGeluGrad", kMicrosoft, "dY:T, X:T -> dX:T", likeFirst, {}},
      {"QuickGeluGrad", kMicrosoft, "dY:T, X:T -> dX:T", likeFirst, {{"alpha", kFloat}}},
      {"BiasGeluGrad_dX", kMicrosoft, "dY:T, X:T, B:T -> dX:T", likeFirst, {}},
      {"BiasFastGeluGrad_dX", kMicrosoft, "dY:T, X:T, B:T -> dX:T", likeFirst, {}},
      {"SoftmaxGrad", kMicrosoft, "dY:T, Y:T -> dX:T", likeFirst, {{"axis", kInt}}},
      {"SoftmaxGrad_13", kMicrosoft, "dY:T, Y:T -> dX:T", likeFirst, {{"axis", kInt}}},
      {"LogSoftmaxGrad", kMicrosoft, "dY:T, Y:T -> dX:T", likeFirst, {{"axis", kInt}}},
      {"LogSoftmaxGrad_13", kMicrosoft, "dY:T, Y:T -> dX:T", likeFirst, {{"axis", kInt}}},
      {"SoftmaxCrossEntropyLossGrad", kMicrosoft, "dY:T, log_prob:T, label:I, weight?:T, bias?:T -> d_logits:T",
       likeInputs<1>, kLossAttributes},
      {"SoftmaxCrossEntropyLossInternalGrad", kMicrosoft,
       "dY:T, log_prob:T, label:I, weight?:T, ignore_index?:tensor(int64), bias?:T -> d_logits:T", likeInputs<1>,
       kLossAttributes},
      {"AveragePoolGrad", kMicrosoft, "dY:T -> dX:T", typeOfFirst, kPoolAttributes},
      {"MaxPoolGrad", kMicrosoft, "dY:T, Indices:tensor(int64) -> dX:T", typeOfFirst, kPoolAttributes},
      {"GatherGrad", kMicrosoft, "shape:tensor(int64), indices:I, dY:T -> dX:T", gatherGrad, {{"axis", kInt}}},
      {"DropoutGrad",
       kMicrosoft,
       "dy:T, mask:tensor(bool), ratio?:V, training_mode?:tensor(bool) -> dx:T",
       likeFirst,
       {}},
      {"BitmaskDropout",
       kMicrosoft,
       "data:T, ratio?:V, training_mode?:tensor(bool) -> output:T, mask?:tensor(uint32)",
       bitmaskDropout,
       {{"seed", kInt}}},
      {"BitmaskDropoutGrad",
       kMicrosoft,
       "dy:T, mask:tensor(uint32), ratio?:V, training_mode?:tensor(bool) -> dx:T",
       likeFirst,
       {}},
      {"LayerNormalizationGrad",
       kMicrosoft,
       "Y_grad:T, X:T, scale:T, mean:V, inv_std_dev:V -> X_grad:T, scale_grad:T, bias_grad:T",
       likeInputs<1, 2, 2>,
       {{"axis", kInt}}},
      {"BatchNormalizationGrad",
       kMicrosoft,
       "dY:T, X:T, scale:T, mean:V, variance:V -> X_grad:T, scale_grad:T, bias_grad:T",
       likeInputs<1, 2, 2>,
       {{"epsilon", kFloat, true}}},
      {"ConvGrad",
       kMicrosoft,
       "dY:T, X:T, W:T -> dX?:T, dW?:T, dB?:T",
       likeInputs<1, 2>,
       {{"auto_pad", AttributeKind::kString},
        {"dilations", AttributeKind::kInts},
        {"group", kInt},
        {"kernel_shape", AttributeKind::kInts},
        {"pads", AttributeKind::kInts},
        {"strides", AttributeKind::kInts}}},
      {"InPlaceAccumulatorV2",
       kMicrosoft,
       "buffer:T, value:V, overwrite_flag:tensor(bool) -> updated_flag:tensor(bool), buffer_out?:T",
       accumulator,
       {}},
      {"AdamWOptimizer",
       kMicrosoft,
       "lr:T, step:tensor(int64), weights:seq(tensor(float)), gradients:seq(tensor(float)), "
       "momentums_1:seq(tensor(float)), momentums_2:seq(tensor(float)), update_signal?:tensor(bool) -> "
       "updated_flag:tensor(bool), updated_weights?:seq(tensor(float)), updated_momentums_1?:seq(tensor(float)), "
       "updated_momentums_2?:seq(tensor(float))",
       optimizer<1, 2, 4, 5>,
       {{"alpha", kFloat},
        {"beta", kFloat},
        {"epsilon", kFloat},
        {"weight_decay", kFloat},
        {"adam_mode", kInt},
        {"correct_bias", kInt}}},
      {"SGDOptimizerV2",
       kMicrosoft,
       "lr:T, weights:seq(tensor(float)), gradients:seq(tensor(float)), update_signal?:tensor(bool) -> "
       "update_completed:tensor(bool), updated_weights?:seq(tensor(float))",
       optimizer<0, 1>,
       {}},
      {"YieldOp",
       kMicrosoft,
       "module_outputs*:A -> module_outputs_grad*:B",
       nothing,
       {{"non_differentiable_outputs", AttributeKind::kInts}, {"full_shape_outputs", AttributeKind::kInts, true}}},
  };
  return rows;
}

}  // namespace

OwnOperators own_training() {
  return table();
}

}  // namespace cutaway::own
