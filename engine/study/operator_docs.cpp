// The schema of an operator as strings for windows: signatures, attributes with their defaults, allowed types,
// versions.
#include "engine/study/operator_docs.h"

#include <algorithm>
#include <map>
#include <mutex>

#include "engine/graph/attribute_text.h"
#include "engine/schema/schema_list.h"

namespace cutaway::study {
namespace {

std::string plainDomain(const std::string& domain) {
  return domain == "ai.onnx" ? std::string() : domain;
}

// Since-versions of every operator, newest first. Listing all schemas converts them all, so it is done once, when
// somebody first asks.
class VersionIndex {
 public:
  const std::vector<int32_t>& of(const std::string& opType, const std::string& domain) {
    std::call_once(m_once, [this] { fill(); });
    static const std::vector<int32_t> kNobody;
    const auto found = m_versions.find({domain, opType});
    return found == m_versions.end() ? kNobody : found->second;
  }

 private:
  void fill() {
    for (const OperatorSchema* schema : allSchemas())
      m_versions[{schema->domain, schema->opType}].push_back(schema->sinceVersion);
    for (auto& [key, versions] : m_versions)
      std::ranges::reverse(versions);
  }
  std::once_flag m_once;
  std::map<std::pair<std::string, std::string>, std::vector<int32_t>> m_versions;
};

const std::vector<int32_t>& versionsOf(const std::string& opType, const std::string& domain) {
  static VersionIndex index;
  return index.of(opType, domain);
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
  docs.versions = versionsOf(opType, plainDomain(domain));
  return docs;
}

}  // namespace cutaway::study
