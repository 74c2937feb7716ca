// From the rows of this folder to onnx's form of a schema, and the lookup over all of them.

#include <map>
#include <memory>
#include <mutex>

#include "engine/schema/onnx_schemas.h"
#include "engine/schema/own/channels_last.h"
#include "engine/schema/own/own_operator.h"

namespace cutaway {
namespace own {

#define CUTAWAY_UNIT(name) OwnOperators own_##name();
#include "own_table.inc"
#undef CUTAWAY_UNIT

bool known(onnx::InferenceContext& context, size_t input) {
  return context.hasInput(input) && context.getInputType(input) != nullptr;
}

int64_t integerAttribute(onnx::InferenceContext& context, const char* name, int64_t otherwise) {
  const auto* attribute = context.getAttribute(name);
  return attribute == nullptr ? otherwise : attribute->i();
}

std::optional<int64_t> sumOf(std::initializer_list<int64_t> terms) {
  int64_t sum = 0;
  for (const int64_t term : terms)
    if (__builtin_add_overflow(sum, term, &sum)) return std::nullopt;
  return sum;
}

std::optional<int64_t> productOf(int64_t a, int64_t b) {
  int64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? std::nullopt : std::optional(product);
}

void setSize(onnx::TensorShapeProto::Dimension& dim, std::optional<int64_t> size) {
  dim.Clear();
  if (size && *size >= 0) dim.set_dim_value(*size);
}

void copyTypeAndShape(onnx::InferenceContext& context, size_t input, size_t output) {
  if (output >= context.getNumOutputs() || !known(context, input)) return;
  onnx::propagateElemTypeFromInputToOutput(context, input, output);
  if (onnx::hasInputShape(context, input)) onnx::propagateShapeFromInputToOutput(context, input, output);
}

void likeFirst(onnx::InferenceContext& context) {
  if (known(context, 0)) onnx::propagateShapeAndTypeFromFirstInput(context);
}

void nothing(onnx::InferenceContext&) {}

void likeOnnx(onnx::InferenceContext& context, const char* opType) {
  const onnx::OpSchema* schema = findOnnxSchema(opType, "");
  if (schema != nullptr && known(context, 0)) schema->GetTypeAndShapeInferenceFunction()(context);
}

namespace {

const std::vector<OwnOperators>& families() {
  static const std::vector<OwnOperators> tables = {
#define CUTAWAY_UNIT(name) own_##name(),
#include "own_table.inc"
#undef CUTAWAY_UNIT
  };
  return tables;
}

onnx::AttributeProto::AttributeType protoKind(AttributeKind kind) {
  switch (kind) {
    case AttributeKind::kInt:
      return onnx::AttributeProto::INT;
    case AttributeKind::kFloat:
      return onnx::AttributeProto::FLOAT;
    case AttributeKind::kString:
      return onnx::AttributeProto::STRING;
    case AttributeKind::kInts:
      return onnx::AttributeProto::INTS;
    case AttributeKind::kFloats:
      return onnx::AttributeProto::FLOATS;
    case AttributeKind::kStrings:
      return onnx::AttributeProto::STRINGS;
    case AttributeKind::kTensor:
      return onnx::AttributeProto::TENSOR;
    case AttributeKind::kGraph:
      return onnx::AttributeProto::GRAPH;
  }
  return onnx::AttributeProto::UNDEFINED;
}

// Calls add(index, name, type variable, option, least number of a variadic one) for every parameter of one side of a
// signature.
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
    if (name.ends_with('*') || name.ends_with('+')) option = onnx::OpSchema::Variadic;
    const int least = name.ends_with('*') ? 0 : 1;
    if (option != onnx::OpSchema::Single) name.remove_suffix(1);
    add(index++, std::string(name), std::string(type), option, least);
  }
}

std::unique_ptr<onnx::OpSchema> makeSchema(const OwnOperator& from) {
  auto schema = std::make_unique<onnx::OpSchema>();
  schema->SetName(from.name).SetDomain(std::string(from.domain)).SinceVersion(1).SetDoc(from.documentation);
  const std::string_view signature = from.signature;
  const size_t arrow = signature.find("->");
  std::map<std::string, bool> variables;
  forEachParameter(
      signature.substr(0, arrow), [&](int index, std::string name, std::string type, auto option, int least) {
        variables[type] = true;
        schema->Input(index, std::move(name), "", std::move(type), option, option != onnx::OpSchema::Variadic, least);
      });
  forEachParameter(
      signature.substr(arrow + 2), [&](int index, std::string name, std::string type, auto option, int least) {
        variables[type] = true;
        schema->Output(index, std::move(name), "", std::move(type), option, option != onnx::OpSchema::Variadic, least);
      });
  static const std::vector<std::string> floating = {"tensor(float)", "tensor(float16)", "tensor(bfloat16)",
                                                    "tensor(double)"};
  static const std::vector<std::string> eightBit = {"tensor(uint8)", "tensor(int8)"};
  static const std::vector<std::string> integer = {"tensor(int32)", "tensor(int64)"};
  static const std::vector<std::string> context = {
      "tensor(bool)",  "tensor(int8)",   "tensor(uint8)",   "tensor(int16)",  "tensor(uint16)",
      "tensor(int32)", "tensor(uint32)", "tensor(int64)",   "tensor(uint64)", "tensor(float16)",
      "tensor(float)", "tensor(double)", "tensor(bfloat16)"};
  for (const auto& [variable, used] : variables) {
    if (variable.find('(') != std::string::npos) continue;  // a type of its own
    const bool isInteger = variable == "I" || variable == "J";
    const bool isAny = variable == "A" || variable == "B" || variable == "V" || variable == "W" || variable == "U";
    schema->TypeConstraint(variable,
                           isInteger         ? integer
                           : variable == "E" ? context
                           : variable == "Q" ? eightBit
                           : isAny           ? onnx::OpSchema::all_tensor_types_ir13()
                                             : floating,
                           "");
  }
  for (const OwnAttribute& attribute : from.attributes)
    schema->Attr(std::string(attribute.name), std::string(), protoKind(attribute.kind), attribute.required);
  schema->TypeAndShapeInferenceFunction(from.infer);
  schema->Finalize();
  return schema;
}

// Made when somebody asks for it: few models use any of them, and all of them take as long as a small model.
class OwnSchema {
 public:
  explicit OwnSchema(const OwnOperator& from) : m_from(from) {}
  int lastVersion() const { return m_from.lastVersion; }
  const onnx::OpSchema* schema() const {
    std::call_once(m_once, [this] { m_schema = makeSchema(m_from); });
    return m_schema.get();
  }

 private:
  const OwnOperator& m_from;
  mutable std::once_flag m_once;
  mutable std::unique_ptr<onnx::OpSchema> m_schema;
};

using OwnSchemas = std::map<std::pair<std::string, std::string>, OwnSchema>;

const OwnSchemas& ownSchemas() {
  static const OwnSchemas schemas = [] {
    OwnSchemas made;
    for (const OwnOperators& family : families())
      for (const OwnOperator& each : family)
        made.try_emplace({each.name, std::string(each.domain)}, each);
    return made;
  }();
  return schemas;
}

}  // namespace
}  // namespace own

const onnx::OpSchema* findOwnSchema(const std::string& opType, const std::string& domain, int64_t opsetVersion) {
  if (domain == own::kChannelsLast) return own::findChannelsLastSchema(opType, opsetVersion);
  const auto found = own::ownSchemas().find({opType, domain});
  return found == own::ownSchemas().end() || opsetVersion > found->second.lastVersion() ? nullptr
                                                                                        : found->second.schema();
}

std::vector<std::pair<std::string, std::string>> ownOperatorNames() {
  std::vector<std::pair<std::string, std::string>> names;
  for (const auto& [name, schema] : own::ownSchemas()) {
    if (name.second != own::kBlocked) names.push_back(name);
  }
  return names;
}

bool isOwnDomain(std::string_view domain) {
  return domain == own::kMicrosoft || domain == own::kBlocked;
}

}  // namespace cutaway
