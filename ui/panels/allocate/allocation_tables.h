#pragma once
// The tables of the allocation panel: values with their buffers, rules with their sums.
//
// Thread rule: GUI thread; the functions keep the snapshot alive.
// Example: model->present(valueRows(view, mark));

#include <functional>

#include "ui/panels/allocate/allocation_view.h"
#include "ui/panels/report_model.h"

namespace cutaway::ui {

// The coloured, lettered square of a rule.
using RuleMarkOf = std::function<QVariant(AllocRule rule)>;

ReportRows valueRows(std::shared_ptr<const AllocationView> view, RuleMarkOf mark);
ReportRows ruleRows(std::shared_ptr<const AllocationView> view, RuleMarkOf mark);
std::vector<AllocRule> rulesInUse(const AllocationView& view);  // the rows of ruleRows

}  // namespace cutaway::ui
