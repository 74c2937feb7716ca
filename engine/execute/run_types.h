#pragma once
// What goes into a run and what comes out of it, whoever runs it.

#include <cstdint>
#include <string>
#include <vector>

#include "engine/base/progress.h"
#include "engine/report/run_report.h"
#include "engine/tensor/runtime_value.h"

namespace cutaway::execute {

struct NamedType {
  std::string name;
  ValueType type;
  bool required = true;  // false: has a default (overridable initializer)
};

struct Feed {
  std::string name;
  RuntimeValue value;
};

struct RunOptions {
  CancelToken cancel;                   // cancel() from any thread ends the run with FAIL within 50 ms
  std::string tag;                      // goes into logs, errors and traces
  int64_t deadlineNs = 0;               // the run may take this long; 0: no limit
  bool shrinkMemory = false;            // give idle memory back after the run (memory.enable_memory_arena_shrinkage)
  bool profile = false;                 // fill NodeTiming, spans and memory samples
  std::vector<std::string> keepValues;  // intermediates to return too; "all" keeps every one
  std::vector<std::string> outputs;     // empty: all, in model order
};

struct RunResult {
  std::vector<Feed> outputs;
  std::vector<Feed> kept;
  std::vector<NodeTiming> timings;  // when profiled
  std::vector<TraceSpan> spans;
  std::vector<MemorySample> memory;
  double engineNsPerNode = -1;                   // time outside kernels, per step of the main graph
  int64_t droppedSpans = 0;                      // calls that found no room among the spans
  std::vector<DeviceLane> deviceLanes;           // of devices that work on their own; their spans are among `spans`
  std::vector<DeviceMemoryReport> deviceMemory;  // with samples; without what only the session knows
  int64_t timeNs = 0;                            // all of it but making the profile's texts
};

// Devices that work on their own.
struct DeviceFigures {
  std::vector<DeviceMemoryReport> memory;
  std::vector<CapturedSegmentReport> capturedSegments;
  std::vector<SegmentBreak> segmentBreaks;
};

}  // namespace cutaway::execute
