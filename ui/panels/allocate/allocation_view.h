#pragma once
// What the parts of the allocation panel read: the snapshot with who lives in whose buffer, made once when it arrives;
// and how a rule looks.
//
// Thread rule: immutable once made.
// Example: const auto view = allocationView(walk);  for (int32_t value : view->tenants(0, root)) draw(value);

#include <array>
#include <memory>
#include <span>
#include <vector>

#include <QChar>
#include <QString>

#include "engine/report/walk_report.h"
#include "ui/base/graph_target.h"
#include "ui/panels/life_chart_data.h"

namespace cutaway::ui {

inline constexpr size_t kAllocRuleCount = static_cast<size_t>(AllocRule::kNewBuffer) + 1;

struct RuleSum {
  int64_t values = 0;
  int64_t bytes = 0;    // of values whose size is known
  int64_t unknown = 0;  // values of unknown size
};

struct AllocationView {
  std::shared_ptr<const WalkReport> walk;
  std::vector<std::pair<int32_t, int32_t>>
      rows;  // plan and value of every value that has a place, in the order of the report
  std::array<RuleSum, kAllocRuleCount> sums{};

  std::vector<std::string> devices;  // that values lie on, in the order of the report

  const AllocateReport& report() const { return *walk->allocate; }
  const ModelGraphs& graphs() const { return *walk->partitionedGraphs; }
  int planOf(int graph) const;                                   // index of a graph's plan; kNone
  const ValueAllocation* find(const ValueTarget& target) const;  // null: no such value, or it has no place
  const ValueAllocation* at(int plan, int value) const;
  // Values that live in the buffer of a root, the root among them, by the step in which they begin.
  std::span<const int32_t> tenants(int plan, int root) const;

  std::vector<std::vector<int32_t>> tenantStarts,
      tenantValues;  // [plan]: tenants of root r are tenantValues[starts[r] .. starts[r + 1])
};

std::shared_ptr<const AllocationView> allocationView(std::shared_ptr<const WalkReport> walk);  // null without reports

// The rule, read from the kind in reports that do not say it.
AllocRule ruleOf(const ValueAllocation& value);
struct RuleLook {
  int category = -1;
  QChar letter;
  BlockShape shape = BlockShape::kPlain;
};
RuleLook ruleLook(AllocRule rule);
QString ruleText(AllocRule rule);     // "in place"
QString ruleMeaning(AllocRule rule);  // a sentence
QString kindText(const ValueAllocation& value);
QString lifeText(const ValueAllocation& value);   // "0–3, 7–9"
QString bytesText(const ValueAllocation& value);  // "3.07 KB", "3072*batch" or "?"

}  // namespace cutaway::ui
