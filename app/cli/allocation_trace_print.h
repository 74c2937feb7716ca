#pragma once
// The memory that a profiled run asked for, as a table and as JSON.
//
// Thread rule: the main thread. Example: printAllocationTrace(walk, study::allocationTrace(walk));

#include <nlohmann/json_fwd.hpp>

#include "engine/study/allocation_trace/allocation_trace.h"

namespace cutaway::cli {

void printAllocationTrace(const WalkReport& walk, const study::AllocationTrace& trace);
nlohmann::json allocationTraceToJson(const WalkReport& walk, const study::AllocationTrace& trace);

}  // namespace cutaway::cli
