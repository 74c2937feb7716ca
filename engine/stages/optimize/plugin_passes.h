#pragma once
// Passes of plug-ins, which run behind the built ones in each round.
//
// Thread rule: as passes. Example: for (const GraphPass& each : pluginPasses()) pipeline.push_back(&each);

#include <vector>

#include "engine/stages/optimize/graph_pass.h"

namespace cutaway::optimize {

// Names and tables live for the process.
std::vector<GraphPass> pluginPasses();

}  // namespace cutaway::optimize
