// Operators over strings.

#include "engine/schema/own/own_operator.h"

namespace cutaway::own {
namespace {

// [C] and [N, C] gain an axis of tokens, whose number only the run knows; [0] and [N, 0] do not, so nothing is said
// when an axis may be empty.
void tokenizer(onnx::InferenceContext& context) {
  onnx::updateOutputElemType(context, 0, onnx::TensorProto::STRING);
  if (!known(context, 0) || !onnx::hasInputShape(context, 0)) return;
  const onnx::TensorShapeProto& from = onnx::getInputShape(context, 0);
  if (from.dim_size() != 1 && from.dim_size() != 2) fail_shape_inference("Tokenizer takes [C] or [N, C]");
  for (const auto& dim : from.dim()) {
    if (!dim.has_dim_value() || dim.dim_value() == 0) return;
  }
  onnx::TensorShapeProto shape = from;
  shape.add_dim();
  onnx::updateOutputShape(context, 0, shape);
}

void murmurHash3(onnx::InferenceContext& context) {
  onnx::updateOutputElemType(
      context, 0, integerAttribute(context, "positive", 1) != 0 ? onnx::TensorProto::UINT32 : onnx::TensorProto::INT32);
  if (known(context, 0) && onnx::hasInputShape(context, 0)) onnx::propagateShapeFromInputToOutput(context, 0, 0);
}

const std::vector<OwnOperator>& table() {
  static const std::vector<OwnOperator> rows = {
      {"Tokenizer",
       kMicrosoft,
       "X:tensor(string) -> Y:tensor(string)",
       tokenizer,
       {{"mark", AttributeKind::kInt, true},
        {"pad_value", AttributeKind::kString, true},
        {"tokenexp", AttributeKind::kString},
        {"separators", AttributeKind::kStrings},
        {"mincharnum", AttributeKind::kInt, true}}},
      {"MurmurHash3",
       kMicrosoft,
       "X:A -> Y:B",
       murmurHash3,
       {{"seed", AttributeKind::kInt}, {"positive", AttributeKind::kInt}}},
  };
  return rows;
}

}  // namespace

OwnOperators own_text() {
  return table();
}

}  // namespace cutaway::own
