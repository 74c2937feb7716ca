#include "providers/onednn/operator_table.h"

#include <string>
#include <unordered_map>

namespace cutaway::onednn {

#define CUTAWAY_UNIT(name) OperatorRows operators_##name();
#include "operators_table.inc"
#undef CUTAWAY_UNIT

std::vector<const OperatorRow*> allOperators() {
  std::vector<const OperatorRow*> rows;
#define CUTAWAY_UNIT(name)                          \
  for (const OperatorRow& row : operators_##name()) \
    rows.push_back(&row);
#include "operators_table.inc"
#undef CUTAWAY_UNIT
  return rows;
}

const OperatorRow* findOperator(const Node& node) {
  static const std::unordered_map<std::string, const OperatorRow*> rows = [] {
    std::unordered_map<std::string, const OperatorRow*> made;
    for (const OperatorRow* row : allOperators())
      made.emplace(std::string(row->domain) + ":" + std::string(row->opType), row);
    return made;
  }();
  const auto found = rows.find((node.domain == "ai.onnx" ? std::string() : node.domain.string()) + ":" + node.opType);
  return found == rows.end() ? nullptr : found->second;
}

}  // namespace cutaway::onednn
