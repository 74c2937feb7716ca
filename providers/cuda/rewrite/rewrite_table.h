#pragma once
// Edits on nodes that the provider has taken: fusing what follows a product or convolution into it, chains into one
// compiled kernel. One unit each, in list order.
//
// Thread rule: as ExecutionProvider::rewriteAssigned. Example: a unit <name>.cpp defines `Result<void>
// rewrite_<name>(RewriteCall& call)` and is named in rewrite/CMakeLists.txt.

#include <string>
#include <vector>

#include "engine/provider/execution_provider.h"
#include "providers/cuda/options.h"

namespace cutaway::cuda {

struct RewriteCall {
  Model& model;
  Graph& graph;
  const std::string& provider;  // only nodes with this provider may be touched
  int level = 3;                // --opt-level; 0: nothing is rewritten
  const CudaOptions& options;
  const KernelRegistry* kernels = nullptr;  // makes kernels without a backend: says whether a new node could be run
  bool chains = true;                       // the backend compiles kernels at run time, or interprets them
  std::vector<ProviderRewrite> done{};
};

// Domain of the nodes that these edits make.
inline constexpr const char* kCudaDomain = "cutaway.cuda";

Result<std::vector<ProviderRewrite>> rewriteGraph(RewriteCall call);

}  // namespace cutaway::cuda
