// onnx's operator schemas, converted to ours on first use.

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <unordered_map>

#include "engine/schema/onnx_schemas.h"
#include "engine/schema/own/channels_last.h"
#include "engine/schema/proto_reader.h"
#include "engine/schema/schema_entry.h"

namespace cutaway {

namespace {

FormalParameter convertParameter(const onnx::OpSchema::FormalParameter& from) {
  FormalParameter to;
  to.name = from.GetName();
  to.typeText = from.GetTypeStr();
  to.documentation = from.GetDescription();
  to.homogeneous = from.GetIsHomogeneous();
  switch (from.GetOption()) {
    case onnx::OpSchema::Single:
      to.arity = FormalParameter::Arity::kSingle;
      break;
    case onnx::OpSchema::Optional:
      to.arity = FormalParameter::Arity::kOptional;
      break;
    case onnx::OpSchema::Variadic:
      to.arity = FormalParameter::Arity::kVariadic;
      break;
  }
  return to;
}

std::string kindName(onnx::AttributeProto::AttributeType type) {
  const std::string& name = onnx::AttributeProto_AttributeType_Name(type);
  return name;
}

std::optional<Attribute> convertDefault(const onnx::AttributeProto& proto) {
  switch (proto.type()) {
    case onnx::AttributeProto::INT:
      return Attribute{proto.name(), int64_t{proto.i()}};
    case onnx::AttributeProto::FLOAT:
      return Attribute{proto.name(), proto.f()};
    case onnx::AttributeProto::STRING:
      return Attribute{proto.name(), std::string(proto.s())};
    case onnx::AttributeProto::INTS:
      return Attribute{proto.name(), std::vector<int64_t>(proto.ints().begin(), proto.ints().end())};
    case onnx::AttributeProto::FLOATS:
      return Attribute{proto.name(), std::vector<float>(proto.floats().begin(), proto.floats().end())};
    case onnx::AttributeProto::STRINGS:
      return Attribute{proto.name(), std::vector<std::string>(proto.strings().begin(), proto.strings().end())};
    default:
      return std::nullopt;
  }
}

void addAllowed(AllowedTypes& types, const std::string& text) {
  constexpr std::string_view kTensor = "tensor(";
  if (text.starts_with(kTensor) && text.ends_with(")")) {
    if (const auto element =
            elementTypeFromName(std::string_view(text).substr(kTensor.size(), text.size() - kTensor.size() - 1))) {
      types.tensors |= uint64_t{1} << static_cast<int>(*element);
      return;
    }
  }
  types.others.push_back(text);
}

AllowedTypes allowedTypes(const FormalParameter& parameter, const std::vector<TypeConstraint>& constraints) {
  AllowedTypes types;
  for (size_t i = 0; i < constraints.size(); ++i) {
    if (constraints[i].name != parameter.typeText) continue;
    types.variable = static_cast<int>(i);
    for (const std::string& each : constraints[i].allowed)
      addAllowed(types, each);
    return types;
  }
  addAllowed(types, parameter.typeText);
  return types;
}

// Withdrawn without a later version of the same name. A version that a later one replaced still says what its models
// mean (GroupNormalization 18).
bool isWithdrawn(const onnx::OpSchema& schema) {
  if (!schema.Deprecated()) return false;
  const onnx::OpSchema* newest = findOnnxSchema(schema.Name(), schema.domain());
  return newest == nullptr || newest->Deprecated();
}

void addAllowedTypes(SchemaEntry& entry) {
  for (const FormalParameter& each : entry.inputs)
    entry.inputTypes.push_back(allowedTypes(each, entry.typeConstraints));
  for (const FormalParameter& each : entry.outputs)
    entry.outputTypes.push_back(allowedTypes(each, entry.typeConstraints));
}

std::unique_ptr<SchemaEntry> convert(const AddedSchema& from) {
  auto to = std::make_unique<SchemaEntry>();
  static_cast<OperatorSchema&>(*to) = from.schema;
  to->added = &from;
  to->uncheckedAttributes = true;
  addAllowedTypes(*to);
  return to;
}

// Of an operator with a function body onnx looks at the nodes in there, for which it makes its registry. Those that are
// random are in isRandom(), and one that takes a graph (SequenceMap) may be.
bool isDeterministic(const onnx::OpSchema& schema, bool hasFunctionBody) {
  if (!hasFunctionBody) return schema.GetNodeDeterminism() != onnx::OpSchema::NodeDeterminism::NonDeterministic;
  return std::ranges::none_of(schema.attributes(),
                              [](const auto& each) { return each.second.type == onnx::AttributeProto::GRAPH; });
}

std::unique_ptr<SchemaEntry> convert(const onnx::OpSchema& from) {
  auto to = std::make_unique<SchemaEntry>();
  to->onnxSchema = &from;
  to->opType = from.Name();
  to->domain = from.domain();
  to->sinceVersion = from.SinceVersion();
  to->deprecated = isWithdrawn(from);
  to->minInputs = from.min_input();
  to->maxInputs = from.max_input();
  to->minOutputs = from.min_output();
  to->maxOutputs = from.max_output();
  to->documentation = from.doc() == nullptr ? "" : from.doc();
  to->hasFunctionBody = from.HasFunction() || from.HasContextDependentFunction();
  to->deterministic = isDeterministic(from, to->hasFunctionBody);
  for (const auto& each : from.inputs())
    to->inputs.push_back(convertParameter(each));
  for (const auto& each : from.outputs())
    to->outputs.push_back(convertParameter(each));
  for (const auto& each : from.typeConstraintParams())
    to->typeConstraints.push_back({each.type_param_str, each.allowed_type_strs});
  // onnx keeps attributes in a hash map; ours are in the order of their names.
  std::map<std::string, const onnx::OpSchema::Attribute*> sorted;
  for (const auto& [name, attribute] : from.attributes())
    sorted.emplace(name, &attribute);
  for (const auto& [name, attribute] : sorted) {
    to->attributes.push_back({name, kindName(attribute->type), attribute->required,
                              convertDefault(attribute->default_value), attribute->description});
  }
  addAllowedTypes(*to);
  if (from.has_type_and_shape_inference_function()) to->infer = from.GetTypeAndShapeInferenceFunction();
  return to;
}

// Operators that give different results each time they run.
bool isRandom(std::string_view opType) {
  return opType == "RandomNormal" || opType == "RandomNormalLike" || opType == "RandomUniform" ||
         opType == "RandomUniformLike" || opType == "Multinomial" || opType == "Bernoulli";
}

class SchemaCache {
 public:
  const SchemaEntry* find(std::string_view opType, std::string_view domain, int64_t version) {
    const std::string key = fmt::format("{}\n{}\n{}", domain, opType, version);
    {
      const std::shared_lock lock(m_mutex);
      if (const auto found = m_byQuestion.find(key); found != m_byQuestion.end()) return found->second;
    }
    const std::unique_lock lock(m_mutex);
    const onnx::OpSchema* schema = lookUp(std::string(opType), std::string(domain), version);
    const SchemaEntry* entry = nullptr;
    if (schema != nullptr) {
      auto& owned = m_entries[schema];
      if (!owned) {
        owned = convert(*schema);
        if (isRandom(opType)) owned->deterministic = false;
      }
      entry = owned.get();
    } else if (const AddedSchema* const added = findAddedSchema(opType, domain, version); added != nullptr) {
      auto& owned = m_addedEntries[added];
      if (!owned) owned = convert(*added);
      entry = owned.get();
    }
    m_byQuestion.emplace(key, entry);
    return entry;
  }

  void forgetUnknown() {
    const std::unique_lock lock(m_mutex);
    std::erase_if(m_byQuestion, [](const auto& answer) { return answer.second == nullptr || answer.second->added; });
  }

 private:
  static const onnx::OpSchema* lookUp(const std::string& opType, const std::string& domain, int64_t version) {
    if (version <= 0) return nullptr;
    const int capped = static_cast<int>(std::min<int64_t>(version, std::numeric_limits<int>::max()));
    if (const onnx::OpSchema* schema = findOnnxSchema(opType, domain, capped)) return schema;
    return findOwnSchema(opType, domain, version);
  }

  std::shared_mutex m_mutex;
  std::unordered_map<std::string, const SchemaEntry*> m_byQuestion;
  std::unordered_map<const onnx::OpSchema*, std::unique_ptr<SchemaEntry>> m_entries;
  std::unordered_map<const AddedSchema*, std::unique_ptr<SchemaEntry>> m_addedEntries;
};

SchemaCache& cache() {
  static SchemaCache instance;
  return instance;
}

std::string_view canonicalDomain(std::string_view domain) {
  return domain == "ai.onnx" ? std::string_view() : domain;
}

}  // namespace

std::string schemaTypeText(const ValueType& type) {
  const ValueType unknown;
  const ValueType& inner = type.inner ? *type.inner : unknown;
  switch (type.kind) {
    case TypeKind::kTensor:
      return fmt::format("tensor({})", elementTypeName(type.element));
    case TypeKind::kSparseTensor:
      return fmt::format("sparse_tensor({})", elementTypeName(type.element));
    case TypeKind::kSequence:
      return fmt::format("seq({})", schemaTypeText(inner));
    case TypeKind::kOptional:
      return fmt::format("optional({})", schemaTypeText(inner));
    // Schemas name the values of a map by their element type alone: map(int64,float).
    case TypeKind::kMap:
      return fmt::format("map({},{})", elementTypeName(type.key),
                         inner.isTensor() ? std::string(elementTypeName(inner.element)) : schemaTypeText(inner));
    case TypeKind::kOpaque:
      return "opaque()";
    case TypeKind::kUnknown:
      break;
  }
  return "unknown";
}

bool AllowedTypes::accepts(const ValueType& type) const {
  if (type.kind == TypeKind::kTensor) return (tensors >> static_cast<int>(type.element)) & 1;
  std::string text = schemaTypeText(type);
  // onnx's schemas write spaces after commas in some places and not in others.
  for (const std::string& each : others) {
    std::string plain;
    for (const char c : each) {
      if (c != ' ') plain.push_back(c);
    }
    if (plain == text) return true;
  }
  return false;
}

const SchemaEntry* findSchemaEntry(std::string_view opType, std::string_view domain, int64_t opsetVersion) {
  return cache().find(opType, canonicalDomain(domain), opsetVersion);
}

const OperatorSchema* findSchema(std::string_view opType, std::string_view domain, int64_t opsetVersion) {
  return findSchemaEntry(opType, domain, opsetVersion);
}

void forgetUnknownOperators() {
  cache().forgetUnknown();
}

bool isKnownDomain(std::string_view domain) {
  return newestOpset(domain) > 0;
}

int64_t newestOpset(std::string_view domain) {
  if (isOwnDomain(domain)) return 1;
  if (domain == own::kChannelsLast) return newestOpset("");
  const auto& versions = onnx::OpSchemaRegistry::DomainToVersionRange::Instance().LastReleaseVersionMap();
  const auto found = versions.find(std::string(canonicalDomain(domain)));
  return found == versions.end() ? newestAddedVersion(domain) : found->second;
}

int64_t newestIrVersion() {
  return onnx::IR_VERSION;
}

}  // namespace cutaway
