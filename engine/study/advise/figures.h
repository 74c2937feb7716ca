#pragma once
// The figures of a walk that advice is about, and what a change does to them.
//
// Thread rule: pure. Example: compareFigures(adviceFigures(before, "cpu"), adviceFigures(after, "cpu"), advice);

#include <string>
#include <vector>

#include "engine/report/advice_report.h"
#include "engine/report/walk_report.h"

namespace cutaway::study {

// All measures in their order, as `before`; -1 where the walk does not know one. last: the provider of last resort.
std::vector<AdviceFigure> adviceFigures(const WalkReport& walk, const std::string& last);

// Fills gains and costs, largest share first. What one side does not know is in neither.
void compareFigures(const std::vector<AdviceFigure>& before, const std::vector<AdviceFigure>& after, Advice& advice);

// Of a gain or cost, over what it was before; 1 where it was 0.
double shareOf(const AdviceFigure& figure);

}  // namespace cutaway::study
