#pragma once
// Plan comparisons as tables.
//
// Thread rule: pure, prints to stdout. Example: printPlanComparison(*result.plans, 40);

#include "engine/report/plan_comparison.h"

namespace cutaway::cli {

void printPlanTable(const PlanTable& table);
// mostValues: rows of the table of differences.
void printPlanComparison(const PlanComparison& comparison, size_t mostValues);

}  // namespace cutaway::cli
