#pragma once
// What devices that work on their own did in a profiled run, as lanes, spans and memory of a report.

#include <vector>

#include "engine/execute/program/graph_program.h"
#include "engine/execute/run_recorder.h"
#include "engine/execute/run_types.h"

namespace cutaway::profile {

// programs: by GraphProgram::graphIndex, a place may be empty. Adds to spans, deviceLanes and deviceMemory.
void collectDevices(const execute::RunRecorder& recorder, const std::vector<const execute::GraphProgram*>& programs,
                    execute::RunResult& result);

}  // namespace cutaway::profile
