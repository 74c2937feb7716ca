#pragma once
// What a figure is: exact, of a part only, taken from assumed dimensions, estimated, simulated or measured. Every
// figure that is shown can be asked for it, so that none says more than is known.
//
// Thread rule: pure over an immutable report.
// Example: const Truth truth = stageTruth(walk, Stage::kPattern);  put("{}: {}", stageHeadline(walk, Stage::kPattern),
// truthText(truth));   // ">= 768 B, dynamic shapes: partial: 12 of 198 buffers have a size before running"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "engine/report/walk_report.h"

namespace cutaway {

enum class TruthKind : uint8_t { kExact, kPartial, kAssumed, kEstimated, kSimulated, kMeasured };
const char* truthKindName(TruthKind kind);  // "exact", "partial", "assumed", ...

struct Truth {
  TruthKind kind = TruthKind::kExact;
  int64_t known = 0, all = 0;  // partial: it speaks of so many of so many
  std::string basis;           // partial: of what ("buffers"); estimated: by which model; simulated: by which profile
                               // or simulator
  std::vector<std::pair<std::string, int64_t>>
      dims;                      // open dimensions and what was taken for them: all that is assumed
  int64_t runs = 0;              // measured: how often
  double lowMs = 0, highMs = 0;  // measured: 95 % interval of the median; equal: not known
};

// One line: "partial: 12 of 198 buffers", "measured: 10 runs, median between 3.1 ms and 3.3 ms, at batch = 1".
std::string truthText(const Truth& truth);

// Of the figure that stageHeadline() gives; of a stage that is not done: exact.
Truth stageTruth(const WalkReport& walk, Stage stage);

// What a run took for dimensions that model and configuration leave open, by its inputs: {"batch", 1}; a dimension
// without a name is "input[axis]". Each name once, in the order of the inputs. Empty: none was open.
std::vector<std::pair<std::string, int64_t>> runDims(const WalkReport& walk, const RunReport& run);
std::string dimsSentence(const std::vector<std::pair<std::string, int64_t>>& dims);  // "batch = 1, seq = 16"

}  // namespace cutaway
