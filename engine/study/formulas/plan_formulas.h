#pragma once
// What a plan needs as formulas over the dimensions that are open: the most that lives at once, and all buffers without
// sharing.
//
// Sizes as tensors have them, before they are rounded up. Thread rule: pure over immutable reports. Example:
//   for (const PlanFormulas& plan : planFormulas(*walk, formulas.sizes)) show(plan.device, plan.naive);

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/report/cost_formula.h"
#include "engine/report/walk_report.h"

namespace cutaway::study {

struct PlanFormulas {
  std::string device;
  std::vector<CostFormula> bounds;  // the largest of these lives at once; empty: a buffer has no formula, or there are
                                    // more than three steps of which now one, now another needs most
  CostFormula naive;                // of the buffers with a formula
  int64_t buffersWithout = 0;
};

// Bytes of a value; nullopt: nobody can say. name: of the value; sizes: as below.
std::optional<CostFormula> sizeFormula(const ValueAllocation& value, const std::string& name,
                                       const std::map<std::string, CostFormula>& sizes);

// Of the main graph, a device each where sizes are open. sizes: bytes of values by name (ModelFormulas::sizes); others
// are told by their types.
std::vector<PlanFormulas> planFormulas(const WalkReport& walk, const std::map<std::string, CostFormula>& sizes);

}  // namespace cutaway::study
