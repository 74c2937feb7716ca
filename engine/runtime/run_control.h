#pragma once
// What one run carries through all its graphs: cancellation, profiling, values to keep.
//
// Thread rule: one run. Example: RunControl control{.cancel = options.cancel, .profile = true, .startNs = nowNs()};

#include <cstdint>
#include <string>
#include <vector>

#include "engine/base/progress.h"

namespace cutaway {

struct StepTiming {
  int64_t startNs = -1;  // of the first call, from the start of the run
  int64_t totalNs = 0;
  int64_t minNs = 0;
  int64_t maxNs = 0;
  int64_t calls = 0;
  int64_t outputBytes = 0;
  std::vector<std::string> inputShapes;
  std::vector<std::string> outputShapes;
};

struct RunControl {
  CancelToken cancel;
  int64_t deadlineNs = 0;  // moment on nowNs()'s clock; 0: none
  bool profile = false;
  int64_t startNs = 0;
  std::vector<bool> keep;  // by value of the main graph; empty: nothing is kept
};

}  // namespace cutaway
