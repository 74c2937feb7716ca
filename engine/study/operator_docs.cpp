// The schema of an operator as strings for windows: signatures, attributes with their defaults, allowed types,
// versions.
#include "engine/study/operator_docs.h"

#include "engine/graph/attribute_text.h"
#include "engine/schema/schema_list.h"

namespace cutaway::study {
namespace {

std::string plainDomain(const std::string& domain) {
  return domain == "ai.onnx" ? std::string() : domain;
}

std::vector<ParameterDocs> parameters(const std::vector<FormalParameter>& from) {
  std::vector<ParameterDocs> to;
  for (const FormalParameter& each : from) {
    const char* role = each.arity == FormalParameter::Arity::kOptional   ? "optional"
                       : each.arity == FormalParameter::Arity::kVariadic ? "variadic"
                                                                         : "";
    to.push_back({each.name, each.typeText, role, each.documentation});
  }
  return to;
}

std::string allowedTypes(const TypeConstraint& constraint) {
  std::string text;
  for (const std::string& each : constraint.allowed)
    text += (text.empty() ? "" : ", ") + each;
  return text;
}

// An empty text is a default too, and is told apart from none.
std::string defaultText(const SchemaAttribute& attribute) {
  if (!attribute.defaultValue) return {};
  if (const auto* text = std::get_if<std::string>(&attribute.defaultValue->value)) return "\"" + *text + "\"";
  return attributeText(*attribute.defaultValue);
}

}  // namespace

std::optional<OperatorDocs> operatorDocs(const std::string& opType, const std::string& domain, int64_t version) {
  const OperatorSchema* schema = findSchema(opType, domain, version);
  if (schema == nullptr) return std::nullopt;
  OperatorDocs docs;
  docs.opType = schema->opType;
  docs.domain = schema->domain.empty() ? "ai.onnx" : schema->domain;
  docs.sinceVersion = schema->sinceVersion;
  docs.deprecated = schema->deprecated;
  docs.text = schema->documentation;
  docs.inputs = parameters(schema->inputs);
  docs.outputs = parameters(schema->outputs);
  for (const SchemaAttribute& each : schema->attributes)
    docs.attributes.push_back({each.name, each.kind, defaultText(each), each.required, each.documentation});
  for (const TypeConstraint& each : schema->typeConstraints)
    docs.types.emplace_back(each.name, allowedTypes(each));
  docs.versions = schemaVersions(opType, plainDomain(domain));
  return docs;
}

}  // namespace cutaway::study
