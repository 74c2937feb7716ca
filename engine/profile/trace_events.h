#pragma once
// The events of a Chrome trace, read one by one: whatever stands in the file, memory is bounded by what is kept of
// them.
//
// Thread rule: pure. Example: CUTAWAY_TRY(TraceFile trace, readTraceEvents(json, "profile.json"));

#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"

namespace cutaway::profile {

// A complete event ("ph":"X"). Texts are empty and numbers -1 where the file does not say.
struct TraceEvent {
  std::string name;
  std::string category;
  double startUs = 0;
  double durationUs = 0;
  int64_t thread = 0;
  std::string opType;
  std::string provider;
  std::string variant;
  std::string partOf;
  std::string tag;
  int64_t nodeIndex = -1;
  int64_t graph = -1;
  int64_t activationBytes = -1;
  int64_t parameterBytes = -1;
  int64_t outputBytes = -1;
  int64_t scratchBytes = -1;
  // Of the arena when the node ended (onnxruntime since 1.31): in use, how much more than when it began, the most that
  // ever was in use up to then, held.
  int64_t inUseBytes = -1;
  int64_t inUseDeltaBytes = -1;  // -1 too where it is less
  int64_t inUsePeakBytes = -1;
  int64_t heldBytes = -1;
  std::vector<std::string> inputShapes;  // "float[1,3]"
  std::vector<std::string> outputShapes;
};

struct TraceFile {
  static constexpr size_t kMostEvents = 1'000'000;  // onnxruntime writes no more
  static constexpr double kLongestUs = 9e9;  // two and a half hours; of kMostEvents the sum still fits into nanoseconds
  std::vector<TraceEvent> events;
  int64_t read = 0;          // events of any kind
  int64_t leftOut = 0;       // beyond kMostEvents
  std::string tool;          // that measured layers on its device; empty: it is a trace
  int64_t averagedRuns = 0;  // of such a tool: each time stands for so many runs; 0: the runs are there one by one
  bool truncated =
      false;  // the file ends inside the list, as that of a process that was stopped does; what came before counts
};

// A list of events, or an object with the list under "traceEvents". INVALID_ARGUMENT, with file and number of the
// event, for anything else.
Result<TraceFile> readTraceEvents(std::string_view json, const std::string& file);

}  // namespace cutaway::profile
