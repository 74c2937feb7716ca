#include "engine/schema/schema_list.h"

#include <algorithm>
#include <tuple>

#include "engine/schema/schema_entry.h"

namespace cutaway {

std::vector<const OperatorSchema*> allSchemas() {
  std::vector<const OperatorSchema*> list;
  const auto add = [&](const std::string& opType, const std::string& domain, int64_t version) {
    if (const OperatorSchema* schema = findSchema(opType, domain, version)) list.push_back(schema);
  };
  for (const onnx::OpSchema& schema : onnx::OpSchemaRegistry::get_all_schemas_with_history())
    add(schema.Name(), schema.domain(), schema.SinceVersion());
  for (const auto& [opType, domain] : ownOperatorNames())
    add(opType, domain, 1);
  const auto key = [](const OperatorSchema* each) { return std::tie(each->domain, each->opType, each->sinceVersion); };
  std::sort(list.begin(), list.end(),
            [&](const OperatorSchema* a, const OperatorSchema* b) { return key(a) < key(b); });
  list.erase(std::unique(list.begin(), list.end()), list.end());
  return list;
}

}  // namespace cutaway
