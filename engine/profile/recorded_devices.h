#pragma once
// What devices that work on their own did in a profiled run, as lanes, spans and memory of a report.

#include <vector>

#include "engine/execute/program/graph_program.h"
#include "engine/execute/run_recorder.h"
#include "engine/execute/run_types.h"

namespace cutaway {

// programs: by GraphProgram::graphIndex, a place may be empty. Adds to spans, deviceLanes and deviceMemory.
void collectDevices(const RunRecorder& recorder, const std::vector<const GraphProgram*>& programs, RunResult& result);

}  // namespace cutaway
