#pragma once
// Runs made by hand for the window's tests: dataflow lanes, nested spans, sub-steps, memory, creation spans.
//
// Example: document.setWalk(test::profiledWalk());

#include <memory>

#include "engine/report/run_comparison.h"
#include "engine/report/walk_report.h"

namespace cutaway::ui::test {

// sampleWalk() run by two workers, with everything that a profile can hold: the If at the end has a span of its body
// below it, the first Conv has two sub-steps.
std::shared_ptr<const WalkReport> profiledWalk();

// The same times, each multiplied: for comparisons.
std::shared_ptr<const RunReport> slowerRun(const RunReport& run, double factor);

// Compares by what is there, with fixed intervals: what is more than a tenth apart counts as significant.
RunComparison compareByHand(const RunReport& a, const ModelGraphs& graphsA, const RunReport& b,
                            const ModelGraphs& graphsB);

}  // namespace cutaway::ui::test
