#pragma once
// What the comparison of two profiles says, in words and figures: pure functions.
//
// Thread rule: any thread.
// Example: comparisonSentence(comparison) == "12 % faster than the baseline: more than noise (p = 0.003)"

#include <QString>

#include "engine/report/run_comparison.h"

namespace cutaway::ui {

enum class Change { kNoise, kFaster, kSlower, kOnlyBefore, kOnlyNow };

Change changeOf(const RunComparison& comparison);
Change changeOf(const NodeTimeDifference& node);
QString changeWord(Change change);  // "faster", "within noise", "only in the baseline"
QString probabilityText(double p);  // "p = 0.03", "p < 0.001"
QString comparisonSentence(const RunComparison& comparison);
QString comparisonDetail(const RunComparison& comparison);  // medians, interval, probability
QString signedTime(double ns);                              // "+1.2 ms", "−30 µs", "0"
QString signedPercent(double share);                        // "+12 %"

}  // namespace cutaway::ui
