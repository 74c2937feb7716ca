#pragma once
// Plans compared: two walks side by side, all orders in a table, one dimension over a range.
//
// Every walk starts from the optimised model in hand (SessionOptions::keepOptimized); partition is done once, planning
// again for each variant. Thread rule: as WhatIf. Example: CUTAWAY_TRY(PlanTable orders,
// compareOrders(*session->optimizedModel(), options, table, progress));

#include <span>

#include "engine/report/plan_comparison.h"
#include "engine/session/session.h"

namespace cutaway::study {

// Both walks have the same partitioned graphs (by node names); otherwise a warning says what could not be matched.
PlanComparison comparePlans(const WalkReport& a, const WalkReport& b);
PlanFigures planFigures(const WalkReport& walk, std::string title);

// One row per order: default, priority, fifo, memory.
Result<PlanTable> compareOrders(const Model& optimized, const session::SessionOptions& options,
                                const ProviderTable& table, Progress& progress);
// One row per value of the symbolic dimension. INVALID_ARGUMENT when the model has no such symbol (its symbols are
// named) or a value is below 1.
Result<PlanTable> sweepDimension(const Model& optimized, const session::SessionOptions& options,
                                 const ProviderTable& table, const std::string& dimension,
                                 std::span<const int64_t> values, Progress& progress);

}  // namespace cutaway::study
