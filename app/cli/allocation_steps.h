#pragma once
// `allocate --trace`: how the planner came to the plan, step by step.
//
// Thread rule: the main thread. Example: printAllocationSteps(walk);  json["steps"] = allocationStepsToJson(walk);

#include <nlohmann/json_fwd.hpp>

#include "engine/report/walk_report.h"

namespace cutaway::cli {

// A table a graph: the node, what it makes and by which rule, use counts of the buffers around the step, the free list
// behind it. The walk has gone through allocate.
void printAllocationSteps(const WalkReport& walk);
// An array of graphs with their steps; value and node indexes are those of the partitioned graphs.
nlohmann::json allocationStepsToJson(const WalkReport& walk);

}  // namespace cutaway::cli
