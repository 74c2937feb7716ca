#pragma once
// What one run carries through all its graphs: cancellation, profiling, values to keep.
//
// Thread rule: one run. Example: RunControl control{.cancel = options.cancel, .recorder = &recorder.lane(0)};

#include <cstdint>
#include <vector>

#include "engine/base/progress.h"

namespace cutaway::execute {

class LaneRecorder;
class RunRecorder;

struct RunControl {
  CancelToken cancel;
  int64_t deadlineNs = 0;            // moment on nowNs()'s clock; 0: none
  LaneRecorder* recorder = nullptr;  // of the lane that runs; nullptr: not profiled
  RunRecorder* lanes = nullptr;      // one lane for each worker of the dataflow executor; nullptr: not profiled
  std::vector<bool> keep;            // by value of the main graph; empty: nothing is kept
};

}  // namespace cutaway::execute
