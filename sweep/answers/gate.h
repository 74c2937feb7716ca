#pragma once
// What got worse between a baseline and today, cell by cell, and whether that is beyond noise.
//
// Figures that are exact are compared as they are, beyond a share that the plan gives. Times and resident memory are
// measured: they count only between machines of one class, and only when three things hold. The median of today's
// repeats is slower than the baseline's by more than the plan's share; it is so by more than three times the spread of
// both (the median of the absolute deviations from the median, scaled to a standard deviation by 1.4826: Hampel 1974);
// and the exact one-sided test of Mann and Whitney (1947) gives less than 0.05, which three repeats against three just
// reach when all of one side are slower than all of the other. Thread rule: pure apart from the stores. Example:
//   CUTAWAY_TRY(const GateReport report, gate(baseline, current, placements, settings));

#include <functional>
#include <string>
#include <vector>

#include "sweep/results/store.h"

namespace cutaway::sweep {

enum class GateKind { kOutcome, kFallback, kGroups, kTime, kMemory, kAccuracy, kContext };
std::string_view gateKindName(GateKind kind);  // "fell to the fallback provider"

struct GateFinding {
  GateKind kind = GateKind::kOutcome;
  Cell cell;                // repeat 0
  std::string file;         // of the model
  bool isMeasured = false;  // one disturbed machine can look so: to be measured again before it is believed
  std::string text;         // "3 more nodes on cpu: Resize_1, Resize_2, Softmax_4"
};

struct GateReport {
  std::vector<GateFinding> worse;
  std::vector<std::string> notes;  // what could not be compared, and why
  int64_t compared = 0;            // cells with results on both sides
  std::vector<Cell> cells;         // those compared, repeat 0
  std::string baselineProgram, program;
};

// Where a cell's nodes ran: read only where numbers differ.
using ReadPlacements = std::function<Result<std::vector<NodePlacement>>(bool baseline, const std::string& key)>;

Result<GateReport> gate(const std::vector<CellResult>& baseline, const std::vector<CellResult>& current,
                        const ReadPlacements& placements, const GateSettings& settings);

// The share of all arrangements in which the ranks of `b` are at least as far above those of `a`: exact, ties count
// half. Both sides of at least one and together at most 40 values; larger ones are cut to their first 20.
double mannWhitney(std::vector<double> a, std::vector<double> b);
// The median of |x - median|, times 1.4826.
double robustDeviation(const std::vector<double>& values);

std::string gateText(const GateReport& report);
std::string gateJunit(const GateReport& report);                                 // JUnit XML: a test case a cell
std::string gateAnnotations(const GateReport& report, const std::string& plan);  // GitHub's workflow commands
Json gateJson(const GateReport& report);

}  // namespace cutaway::sweep
