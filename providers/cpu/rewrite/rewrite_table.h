#pragma once
// Rewrites of nodes that the CPU provider has taken: fusing an activation into its convolution, choosing a blocked
// layout.
//
// A unit <name>.cpp defines `Result<void> rewrite_<name>(RewriteRequest&)`; the units run in the order of this folder's
// CMakeLists. Thread rule: one thread. Example: see fuse_activation.cpp.

#include <vector>

#include "engine/provider/execution_provider.h"

namespace cutaway::cpu {

struct RewriteRequest {
  const Model& model;
  Graph& graph;
  int optimizationLevel = 3;
  bool exact = false;                 // every value is what the model's operators make of it, one after the other
  std::vector<ProviderRewrite> done;  // what happened, for the report
};

// Runs every rewrite in turn.
Result<std::vector<ProviderRewrite>> runCpuRewrites(const Model& model, Graph& graph, int optimizationLevel,
                                                    bool exact);

}  // namespace cutaway::cpu
