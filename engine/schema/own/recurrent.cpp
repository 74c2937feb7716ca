// Recurrent operators of com.microsoft.

#include "engine/schema/own/own_operator.h"

namespace cutaway::own {
namespace {

using Dimension = onnx::TensorShapeProto_Dimension;

int64_t directionsOf(onnx::InferenceContext& context) {
  const auto* direction = context.getAttribute("direction");
  return direction != nullptr && direction->s() == "bidirectional" ? 2 : 1;
}

void setShape(onnx::InferenceContext& context, size_t output, const std::vector<Dimension>& dims) {
  if (output >= context.getNumOutputs()) return;
  onnx::TensorShapeProto shape;
  for (const Dimension& dim : dims)
    *shape.add_dim() = dim;
  *context.getOutputType(output)->mutable_tensor_type()->mutable_shape() = shape;
}

Dimension dimension(int64_t value) {
  Dimension dim;
  dim.set_dim_value(value);
  return dim;
}

// X [steps, batch, input] and R, whose axis `hiddenAxis` is hidden, give Y [steps, directions, batch, hidden] and
// states [directions, batch, hidden].
void recurrentShapes(onnx::InferenceContext& context, int hiddenAxis) {
  if (!known(context, 0)) return;
  for (size_t output = 0; output < context.getNumOutputs(); ++output)
    onnx::propagateElemTypeFromInputToOutput(context, 0, output);
  Dimension hidden;
  if (context.getAttribute("hidden_size") != nullptr) hidden = dimension(integerAttribute(context, "hidden_size"));
  if (known(context, 2) && onnx::hasInputShape(context, 2) && onnx::getInputShape(context, 2).dim_size() == 3)
    hidden = onnx::getInputShape(context, 2).dim(hiddenAxis);
  Dimension steps, batch;
  if (onnx::hasInputShape(context, 0)) {
    const onnx::TensorShapeProto& x = onnx::getInputShape(context, 0);
    if (x.dim_size() != 3) fail_shape_inference("X must have three axes");
    steps = x.dim(0);
    batch = x.dim(1);
  }
  const Dimension directions = dimension(directionsOf(context));
  setShape(context, 0, {steps, directions, batch, hidden});
  setShape(context, 1, {directions, batch, hidden});
  setShape(context, 2, {directions, batch, hidden});
}

void dynamicQuantizeLstm(onnx::InferenceContext& context) {
  recurrentShapes(context, 1);
}
void attnLstm(onnx::InferenceContext& context) {
  recurrentShapes(context, 2);
}

const std::vector<OwnAttribute> kAttributes = {
    {"activation_alpha", AttributeKind::kFloats}, {"activation_beta", AttributeKind::kFloats},
    {"activations", AttributeKind::kStrings},     {"clip", AttributeKind::kFloat},
    {"direction", AttributeKind::kString},        {"hidden_size", AttributeKind::kInt},
    {"input_forget", AttributeKind::kInt}};

const std::vector<OwnOperator>& table() {
  static const std::vector<OwnOperator> rows = {
      {"DynamicQuantizeLSTM", kMicrosoft,
       "X:tensor(float), W:Q, R:Q, B?:tensor(float), sequence_lens?:tensor(int32), initial_h?:tensor(float), "
       "initial_c?:tensor(float), P?:tensor(float), W_scale:tensor(float), W_zero_point:Q, R_scale:tensor(float), "
       "R_zero_point:Q -> Y?:tensor(float), Y_h?:tensor(float), Y_c?:tensor(float)",
       dynamicQuantizeLstm, kAttributes},
      {"AttnLSTM", kMicrosoft,
       "X:T, W:T, R:T, B?:T, sequence_lens?:tensor(int32), initial_h?:T, initial_c?:T, P?:T, QW?:T, MW?:T, V?:T, M?:T, "
       "memory_seq_lens?:tensor(int32), AW?:T -> Y?:T, Y_h?:T, Y_c?:T",
       attnLstm, kAttributes},
  };
  return rows;
}

}  // namespace

OwnOperators own_recurrent() {
  return table();
}

}  // namespace cutaway::own
