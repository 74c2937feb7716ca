// The rows of all families, and the lookup by name and domain.

#include "engine/operators/traits/operator_traits.h"

#include <algorithm>
#include <unordered_map>
#include <vector>

namespace cutaway::operators {

#define CUTAWAY_UNIT(name) OperatorRows traits_##name();
#include "traits_table.inc"
#undef CUTAWAY_UNIT

namespace {

struct Table {
  std::vector<const OperatorTraits*> rows;
  std::unordered_map<std::string_view, std::unordered_map<std::string_view, const OperatorTraits*>> byDomain;
  std::unordered_map<std::string_view, const OperatorTraits*> byName;
};

const Table& table() {
  static const Table made = [] {
    Table all;
    for (const OperatorRows family : {
#define CUTAWAY_UNIT(name) traits_##name(),
#include "traits_table.inc"
#undef CUTAWAY_UNIT
         }) {
      for (const OperatorTraits& row : family) {
        all.rows.push_back(&row);
        all.byDomain[row.domain].emplace(row.opType, &row);
        const OperatorTraits*& named = all.byName[row.opType];
        if (named == nullptr || row.domain.empty()) named = &row;
      }
    }
    return all;
  }();
  return made;
}

// Domains whose operators may be those of ai.onnx, or of com.microsoft, under the same name.
bool sharesNames(std::string_view domain) {
  return domain.empty() || domain == "ai.onnx" || domain == "com.microsoft" || domain == "com.ms.internal.nhwc" ||
         domain == "cutaway";
}
bool isShared(const OperatorTraits& row) {
  return row.domain.empty() || row.domain == "com.microsoft";
}

}  // namespace

const OperatorTraits* findTraits(std::string_view opType, std::string_view domain) {
  const Table& all = table();
  if (const auto rows = all.byDomain.find(domain); rows != all.byDomain.end()) {
    if (const auto row = rows->second.find(opType); row != rows->second.end()) return row->second;
  }
  if (!sharesNames(domain)) return nullptr;
  const OperatorTraits* row = findTraitsByName(opType);
  return row != nullptr && isShared(*row) ? row : nullptr;
}

const OperatorTraits* findTraitsByName(std::string_view opType) {
  const auto row = table().byName.find(opType);
  return row == table().byName.end() ? nullptr : row->second;
}

ElementFunction elementFunctionOf(const Node& node) {
  const OperatorTraits* row = findTraits(node);
  const bool holds = row != nullptr && row->domain == node.domain && std::max(node.sinceVersion, 1) >= row->since;
  return holds ? row->function : ElementFunction::kNone;
}

ElementFunction elementFunctionNamed(std::string_view opType) {
  const OperatorTraits* row = findTraitsByName(opType);
  return row == nullptr ? ElementFunction::kNone : row->function;
}

std::span<const OperatorTraits* const> allTraits() {
  return table().rows;
}

}  // namespace cutaway::operators
