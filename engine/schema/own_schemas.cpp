// Schemas of operators that onnx's registry does not have: the contrib operators that are met most (engine-behavior 8.5, priority 1), EPContext, and ai.onnx operators of 2017 that were withdrawn.
//
// A signature is one line of text: "X:T, W:T, B?:T -> Y:T"; `?` optional, `*` variadic. Types: T floating, I integer, A any, Q 8-bit, or a type of its own such as tensor(float).

#include <map>
#include <memory>
#include <mutex>

#include "engine/schema/schema_entry.h"

namespace cutaway {

namespace {

constexpr std::string_view kMicrosoft = "com.microsoft";

using Infer = void (*)(onnx::InferenceContext&);
enum class Kind { kInt, kFloat, kString, kInts, kFloats };

struct OwnAttribute {
  const char* name;
  Kind kind;
  bool required = false;
};

struct OwnOperator {
  const char* name;
  std::string_view domain;
  const char* signature;
  Infer infer;
  std::vector<OwnAttribute> attributes;
  int lastVersion = std::numeric_limits<int>::max();
};

bool known(onnx::InferenceContext& context, size_t input) { return context.hasInput(input) && context.getInputType(input) != nullptr; }

void likeFirst(onnx::InferenceContext& context) {
  if (known(context, 0)) onnx::propagateShapeAndTypeFromFirstInput(context);
}

void copyTypeAndShape(onnx::InferenceContext& context, size_t input, size_t output) {
  if (output >= context.getNumOutputs() || !known(context, input)) return;
  onnx::propagateElemTypeFromInputToOutput(context, input, output);
  if (onnx::hasInputShape(context, input)) onnx::propagateShapeFromInputToOutput(context, input, output);
}

// output, mean?, inv_std_var?, input_skip_bias_sum?
void skipNormalization(onnx::InferenceContext& context) {
  copyTypeAndShape(context, 0, 0);
  copyTypeAndShape(context, 0, 3);
}

template <const char* kOperator>
void likeOnnx(onnx::InferenceContext& context) {
  const onnx::OpSchema* schema = onnx::OpSchemaRegistry::Schema(kOperator);
  if (schema != nullptr && known(context, 0)) schema->GetTypeAndShapeInferenceFunction()(context);
}

constexpr char kConv[] = "Conv";
constexpr char kGemm[] = "Gemm";
constexpr char kAdd[] = "Add";

int64_t flag(onnx::InferenceContext& context, const char* name) {
  const auto* attribute = context.getAttribute(name);
  return attribute == nullptr ? 0 : attribute->i();
}

// MatMul whose operands may be transposed in their last two axes.
void fusedMatMul(onnx::InferenceContext& context) {
  if (!known(context, 0)) return;
  onnx::propagateElemTypeFromInputToOutput(context, 0, 0);
  if (!onnx::hasInputShape(context, 0) || !onnx::hasInputShape(context, 1) || flag(context, "transBatchA") != 0 || flag(context, "transBatchB") != 0) return;
  onnx::TensorShapeProto a = onnx::getInputShape(context, 0);
  onnx::TensorShapeProto b = onnx::getInputShape(context, 1);
  if (a.dim_size() < 2 || b.dim_size() < 2) return;
  if (flag(context, "transA") != 0) a.mutable_dim()->SwapElements(a.dim_size() - 1, a.dim_size() - 2);
  if (flag(context, "transB") != 0) b.mutable_dim()->SwapElements(b.dim_size() - 1, b.dim_size() - 2);
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

void matMulNBits(onnx::InferenceContext& context) {
  if (!known(context, 0)) return;
  onnx::propagateElemTypeFromInputToOutput(context, 0, 0);
  if (!onnx::hasInputShape(context, 0)) return;
  onnx::TensorShapeProto shape = onnx::getInputShape(context, 0);
  if (shape.dim_size() == 0) return;
  shape.mutable_dim(shape.dim_size() - 1)->set_dim_value(flag(context, "N"));
  *context.getOutputType(0)->mutable_tensor_type()->mutable_shape() = shape;
}

void biasLast(onnx::InferenceContext& context) { likeFirst(context); }

// [batch, sequence, hidden] from the projection's bias or the query itself.
void attention(onnx::InferenceContext& context) {
  if (!known(context, 0)) return;
  onnx::propagateElemTypeFromInputToOutput(context, 0, 0);
  if (context.getNumOutputs() > 1) onnx::propagateElemTypeFromInputToOutput(context, 0, 1);
  if (!onnx::hasInputShape(context, 0) || !onnx::hasInputShape(context, 1) || context.getAttribute("qkv_hidden_sizes") != nullptr) return;
  onnx::TensorShapeProto shape = onnx::getInputShape(context, 0);
  const onnx::TensorShapeProto& weights = onnx::getInputShape(context, 1);
  if (shape.dim_size() != 3 || weights.dim_size() != 2) return;
  shape.mutable_dim(2)->Clear();
  if (weights.dim(1).has_dim_value()) shape.mutable_dim(2)->set_dim_value(weights.dim(1).dim_value() / 3);
  *context.getOutputType(0)->mutable_tensor_type()->mutable_shape() = shape;
}

void queryShaped(onnx::InferenceContext& context) {
  if (!known(context, 0)) return;
  for (size_t i = 0; i < context.getNumOutputs(); ++i) onnx::propagateElemTypeFromInputToOutput(context, 0, i);
  if (known(context, 1) && onnx::hasInputShape(context, 0) && onnx::getInputShape(context, 0).dim_size() == 3) onnx::propagateShapeFromInputToOutput(context, 0, 0);
}

void embedLayerNormalization(onnx::InferenceContext& context) {
  if (!known(context, 2)) return;
  onnx::propagateElemTypeFromInputToOutput(context, 2, 0);
  if (context.getNumOutputs() > 1) onnx::updateOutputElemType(context, 1, onnx::TensorProto::INT32);
  if (!onnx::hasInputShape(context, 0) || !onnx::hasInputShape(context, 2)) return;
  onnx::TensorShapeProto shape = onnx::getInputShape(context, 0);
  const onnx::TensorShapeProto& table = onnx::getInputShape(context, 2);
  if (table.dim_size() != 2) return;
  *shape.add_dim() = table.dim(1);
  *context.getOutputType(0)->mutable_tensor_type()->mutable_shape() = shape;
  if (context.getNumOutputs() > 1) *context.getOutputType(1)->mutable_tensor_type()->mutable_shape()->add_dim() = onnx::getInputShape(context, 0).dim(0);
  if (context.getNumOutputs() > 2) copyTypeAndShape(context, 2, 2);
}

void nothing(onnx::InferenceContext&) {}

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
    if (scale != nullptr && scale->ints_size() == 2) dim->set_dim_value(scale->ints(axis - 2));
    else if (dim->has_dim_value()) dim->set_dim_value(dim->dim_value() - border->ints(axis == 2 ? 1 : 0) - border->ints(axis == 2 ? 3 : 2));
    else dim->Clear();
  }
  *context.getOutputType(0)->mutable_tensor_type()->mutable_shape() = shape;
}

const std::vector<OwnAttribute> kConvAttributes = {{"auto_pad", Kind::kString}, {"dilations", Kind::kInts}, {"group", Kind::kInt}, {"kernel_shape", Kind::kInts}, {"pads", Kind::kInts}, {"strides", Kind::kInts}, {"activation", Kind::kString}, {"activation_params", Kind::kFloats}};
const std::vector<OwnAttribute> kEpsilon = {{"epsilon", Kind::kFloat}};

const std::vector<OwnOperator>& ownOperators() {
  static const std::vector<OwnOperator> table = {
      {"FusedConv", kMicrosoft, "X:T, W:T, B?:T, Z?:T -> Y:T", likeOnnx<kConv>, kConvAttributes},
      {"FusedMatMul", kMicrosoft, "A:T, B:T -> Y:T", fusedMatMul, {{"alpha", Kind::kFloat}, {"transA", Kind::kInt}, {"transB", Kind::kInt}, {"transBatchA", Kind::kInt}, {"transBatchB", Kind::kInt}}},
      {"TransposeMatMul", kMicrosoft, "A:T, B:T -> Y:T", fusedMatMul, {{"alpha", Kind::kFloat}, {"transA", Kind::kInt}, {"transB", Kind::kInt}}},
      {"FusedGemm", kMicrosoft, "A:T, B:T, C?:T -> Y:T", likeOnnx<kGemm>, {{"alpha", Kind::kFloat}, {"beta", Kind::kFloat}, {"transA", Kind::kInt}, {"transB", Kind::kInt}, {"activation", Kind::kString}, {"activation_alpha", Kind::kFloat}, {"activation_beta", Kind::kFloat}, {"activation_gamma", Kind::kFloat}}},
      {"Gelu", kMicrosoft, "X:T -> Y:T", likeFirst, {}},
      {"BiasGelu", kMicrosoft, "A:T, B:T -> C:T", likeFirst, {}},
      {"FastGelu", kMicrosoft, "X:T, bias?:T -> Y:T", biasLast, {}},
      {"QuickGelu", kMicrosoft, "X:T -> Y:T", likeFirst, {{"alpha", Kind::kFloat}}},
      {"SkipLayerNormalization", kMicrosoft, "input:T, skip:T, gamma:T, beta?:T, bias?:T -> output:T, mean?:U, inv_std_var?:U, input_skip_bias_sum?:T", skipNormalization, kEpsilon},
      {"SkipSimplifiedLayerNormalization", kMicrosoft, "input:T, skip:T, gamma:T, bias?:T -> output:T, mean?:U, inv_std_var?:U, input_skip_bias_sum?:T", skipNormalization, kEpsilon},
      {"SimplifiedLayerNormalization", "", "X:T, scale:V -> Y:V, inv_std_var?:U", likeFirst, {{"axis", Kind::kInt}, {"epsilon", Kind::kFloat}, {"stash_type", Kind::kInt}}},
      {"LayerNormalization", "", "X:T, Scale:T, B?:T -> Y:T, Mean?:U, InvStdDev?:U", likeFirst, {{"axis", Kind::kInt}, {"epsilon", Kind::kFloat}, {"stash_type", Kind::kInt}}, 16},
      {"MatMulNBits", kMicrosoft, "A:T, B:A, scales:V, zero_points?:W, g_idx?:I, bias?:T -> Y:T", matMulNBits, {{"K", Kind::kInt, true}, {"N", Kind::kInt, true}, {"bits", Kind::kInt}, {"block_size", Kind::kInt, true}, {"accuracy_level", Kind::kInt}, {"weight_prepacked", Kind::kInt}}},
      {"MultiHeadAttention", kMicrosoft, "query:T, key?:T, value?:T, bias?:T, key_padding_mask?:I, attention_bias?:T, past_key?:T, past_value?:T, past_sequence_length?:I, cache_indirection?:I -> output:T, present_key?:T, present_value?:T, qk?:U", queryShaped, {{"num_heads", Kind::kInt, true}, {"scale", Kind::kFloat}, {"mask_filter_value", Kind::kFloat}, {"unidirectional", Kind::kInt}}},
      {"GroupQueryAttention", kMicrosoft, "query:T, key?:T, value?:T, past_key?:V, past_value?:V, seqlens_k:I, total_sequence_length:I, cos_cache?:T, sin_cache?:T, position_ids?:J, attention_bias?:T, head_sink?:T, k_scale?:U, v_scale?:U, q_norm_weight?:T, k_norm_weight?:T -> output:T, present_key?:V, present_value?:V, output_qk?:T", queryShaped, {{"num_heads", Kind::kInt, true}, {"kv_num_heads", Kind::kInt, true}, {"scale", Kind::kFloat}, {"softcap", Kind::kFloat}, {"local_window_size", Kind::kInt}, {"do_rotary", Kind::kInt}, {"rotary_interleaved", Kind::kInt}, {"smooth_softmax", Kind::kInt}, {"causal", Kind::kInt}, {"qk_output", Kind::kInt}}},
      {"RotaryEmbedding", kMicrosoft, "input:T, position_ids:I, cos_cache:T, sin_cache:T -> output:T", likeFirst, {{"interleaved", Kind::kInt}, {"num_heads", Kind::kInt}, {"rotary_embedding_dim", Kind::kInt}, {"scale", Kind::kFloat}, {"is_packed_batching", Kind::kInt}}},
      {"Attention", kMicrosoft, "input:T, weights:T, bias?:T, mask_index?:I, past?:T, attention_bias?:T, past_sequence_length?:I -> output:T, present?:T", attention, {{"num_heads", Kind::kInt, true}, {"unidirectional", Kind::kInt}, {"qkv_hidden_sizes", Kind::kInts}, {"do_rotary", Kind::kInt}, {"rotary_embedding_dim", Kind::kInt}, {"scale", Kind::kFloat}, {"mask_filter_value", Kind::kFloat}, {"past_present_share_buffer", Kind::kInt}}},
      {"EmbedLayerNormalization", kMicrosoft, "input_ids:I, segment_ids?:I, word_embedding:T, position_embedding:T, segment_embedding?:T, gamma:T, beta:T, mask?:I, position_ids?:I -> output:T, mask_index?:I, embedding_sum?:T", embedLayerNormalization, {{"epsilon", Kind::kFloat}, {"mask_index_type", Kind::kInt}}},
      {"EPContext", kMicrosoft, "inputs*:A -> outputs*:B", nothing, {{"main_context", Kind::kInt}, {"ep_cache_context", Kind::kString}, {"embed_mode", Kind::kInt}, {"ep_sdk_version", Kind::kString}, {"hardware_architecture", Kind::kString}, {"partition_name", Kind::kString}, {"source", Kind::kString}, {"notes", Kind::kString}, {"onnx_model_filename", Kind::kString}, {"max_size", Kind::kInt}}},
      {"Affine", "", "X:T -> Y:T", likeFirst, {{"alpha", Kind::kFloat}, {"beta", Kind::kFloat}}},
      {"ImageScaler", "", "input:T -> output:T", likeFirst, {{"bias", Kind::kFloats}, {"scale", Kind::kFloat}}},
      {"ParametricSoftplus", "", "X:T -> Y:T", likeFirst, {{"alpha", Kind::kFloat}, {"beta", Kind::kFloat}}},
      {"ScaledTanh", "", "input:T -> output:T", likeFirst, {{"alpha", Kind::kFloat}, {"beta", Kind::kFloat}}},
      {"Scale", "", "input:T -> output:T", likeFirst, {{"scale", Kind::kFloat}}},
      {"ThresholdedRelu", "", "X:T -> Y:T", likeFirst, {{"alpha", Kind::kFloat}}, 9},
      {"Crop", "", "input:T -> output:T", cropShape, {{"border", Kind::kInts}, {"scale", Kind::kInts}}},
  };
  return table;
}

onnx::AttributeProto::AttributeType protoKind(Kind kind) {
  switch (kind) {
    case Kind::kInt: return onnx::AttributeProto::INT;
    case Kind::kFloat: return onnx::AttributeProto::FLOAT;
    case Kind::kString: return onnx::AttributeProto::STRING;
    case Kind::kInts: return onnx::AttributeProto::INTS;
    case Kind::kFloats: return onnx::AttributeProto::FLOATS;
  }
  return onnx::AttributeProto::UNDEFINED;
}

// Calls add(name, type variable, option) for every parameter of one side of a signature.
template <typename Add>
void forEachParameter(std::string_view side, Add&& add) {
  int index = 0;
  while (!side.empty()) {
    const size_t comma = std::min(side.find(','), side.size());
    std::string_view each = side.substr(0, comma);
    side.remove_prefix(std::min(comma + 1, side.size()));
    each.remove_prefix(std::min(each.find_first_not_of(' '), each.size()));
    const size_t colon = each.find(':');
    std::string_view name = each.substr(0, colon);
    std::string_view type = each.substr(colon + 1);
    type = type.substr(0, type.find(' '));
    auto option = onnx::OpSchema::Single;
    if (name.ends_with('?')) option = onnx::OpSchema::Optional;
    if (name.ends_with('*')) option = onnx::OpSchema::Variadic;
    if (option != onnx::OpSchema::Single) name.remove_suffix(1);
    add(index++, std::string(name), std::string(type), option);
  }
}

std::unique_ptr<onnx::OpSchema> makeSchema(const OwnOperator& from) {
  auto schema = std::make_unique<onnx::OpSchema>();
  schema->SetName(from.name).SetDomain(std::string(from.domain)).SinceVersion(1).SetDoc("");
  const std::string_view signature = from.signature;
  const size_t arrow = signature.find("->");
  std::map<std::string, bool> variables;
  forEachParameter(signature.substr(0, arrow), [&](int index, std::string name, std::string type, auto option) {
    variables[type] = true;
    schema->Input(index, std::move(name), "", std::move(type), option, option != onnx::OpSchema::Variadic, option == onnx::OpSchema::Variadic ? 0 : 1);
  });
  forEachParameter(signature.substr(arrow + 2), [&](int index, std::string name, std::string type, auto option) {
    variables[type] = true;
    schema->Output(index, std::move(name), "", std::move(type), option, option != onnx::OpSchema::Variadic, option == onnx::OpSchema::Variadic ? 0 : 1);
  });
  static const std::vector<std::string> floating = {"tensor(float)", "tensor(float16)", "tensor(bfloat16)", "tensor(double)"};
  static const std::vector<std::string> integer = {"tensor(int32)", "tensor(int64)"};
  for (const auto& [variable, used] : variables) {
    const bool isInteger = variable == "I" || variable == "J";
    const bool isAny = variable == "A" || variable == "B" || variable == "V" || variable == "W" || variable == "U";
    schema->TypeConstraint(variable, isInteger ? integer : isAny ? onnx::OpSchema::all_tensor_types_ir13() : floating, "");
  }
  for (const OwnAttribute& attribute : from.attributes) schema->Attr(std::string(attribute.name), std::string(), protoKind(attribute.kind), attribute.required);
  schema->TypeAndShapeInferenceFunction(from.infer);
  schema->Finalize();
  return schema;
}

struct OwnSchema {
  std::unique_ptr<onnx::OpSchema> schema;
  int lastVersion;
};

using OwnSchemas = std::map<std::pair<std::string, std::string>, OwnSchema>;

const OwnSchemas& ownSchemas() {
  static const OwnSchemas schemas = [] {
    OwnSchemas made;
    for (const OwnOperator& each : ownOperators()) made[{each.name, std::string(each.domain)}] = {makeSchema(each), each.lastVersion};
    return made;
  }();
  return schemas;
}

}  // namespace

const onnx::OpSchema* findOwnSchema(const std::string& opType, const std::string& domain, int64_t opsetVersion) {
  const auto found = ownSchemas().find({opType, domain});
  return found == ownSchemas().end() || opsetVersion > found->second.lastVersion ? nullptr : found->second.schema.get();
}

bool isOwnDomain(std::string_view domain) { return domain == kMicrosoft; }

}  // namespace cutaway
