#pragma once
// Runs one pass over one graph until it has nothing more to say.
//
// Thread rule: edits the graph in hand. Near-linear: each node is looked at once, and again only when a patch touched its neighbourhood.
// Example: CUTAWAY_CHECK(runPass(pass, model, graph, graphIndex, options, report, progress));

#include "engine/stages/optimize/pass.h"

namespace cutaway {

struct PassRun {
  int64_t rewrites = 0;
  std::vector<RewriteReport> reports;
  std::vector<std::string> warnings;
};

Result<void> runPass(const Pass& pass, const Model& model, Graph& graph, int32_t graphIndex, const OptimizeOptions& options, const Progress& progress, PassRun& run);

}  // namespace cutaway
