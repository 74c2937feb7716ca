#pragma once
// Tables over plans: values that two plans treat differently, one row per size of a dimension.
//
// Thread rule: GUI thread; the functions keep the report alive.
// Example: model->present(differenceRows(comparison));

#include <memory>

#include "engine/report/plan_comparison.h"
#include "ui/panels/report_model.h"

namespace cutaway::ui {

ReportRows differenceRows(std::shared_ptr<const PlanComparison> comparison);
ReportRows sweepRows(std::shared_ptr<const PlanTable> table);
// What differs, in words: "rule, buffer, life".
QString differenceWords(const ValueDifference& difference);

}  // namespace cutaway::ui
