#include "engine/schema/schema_list.h"

#include <algorithm>
#include <functional>
#include <tuple>

#include "engine/schema/onnx_schemas.h"
#include "engine/schema/schema_entry.h"

namespace cutaway {

std::vector<const OperatorSchema*> allSchemas() {
  std::vector<const OperatorSchema*> list;
  const auto add = [&](std::string_view opType, std::string_view domain, int64_t version) {
    if (const OperatorSchema* schema = findSchema(opType, domain, version)) list.push_back(schema);
  };
  for (const OnnxOperator& each : onnxOperators())
    add(each.opType, each.domain, each.sinceVersion);
  for (const auto& [opType, domain] : ownOperatorNames())
    add(opType, domain, 1);
  const auto key = [](const OperatorSchema* each) { return std::tie(each->domain, each->opType, each->sinceVersion); };
  std::sort(list.begin(), list.end(),
            [&](const OperatorSchema* a, const OperatorSchema* b) { return key(a) < key(b); });
  list.erase(std::unique(list.begin(), list.end()), list.end());
  return list;
}

std::vector<int32_t> schemaVersions(std::string_view opType, std::string_view domain) {
  std::vector<int32_t> versions;
  for (const OnnxOperator& each : onnxOperators())
    if (each.opType == opType && each.domain == domain) versions.push_back(each.sinceVersion);
  for (const auto& [ownType, ownDomain] : ownOperatorNames())
    if (ownType == opType && ownDomain == domain)
      if (const OperatorSchema* schema = findSchema(opType, domain, 1)) versions.push_back(schema->sinceVersion);
  std::sort(versions.begin(), versions.end(), std::greater<>());
  versions.erase(std::unique(versions.begin(), versions.end()), versions.end());
  return versions;
}

}  // namespace cutaway
