#pragma once
// What a profiled run wrote down, as reports: made after the run, where texts cost nothing that is measured.
//
// Example: recorder.end(nowNs());  collectRun(recorder, result);

#include "engine/execute/run_recorder.h"
#include "engine/execute/run_types.h"

namespace cutaway::profile {

// Fills timings, spans, memory, engineNsPerNode and droppedSpans, and what devices did. Times are from the start of the
// run. Operations of a step are found once for each set of shapes and kept in the log. On the thread that ran.
void collectRun(execute::RunRecorder& recorder, execute::RunResult& result);

}  // namespace cutaway::profile
