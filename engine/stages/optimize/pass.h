#pragma once
// A graph pass: looks at one node of a read-only graph and proposes a patch, or nothing.
//
// A unit file passes/<name>.cpp defines `Pass pass_<name>()`. The driver walks the nodes, applies patches, infers types of what is new, and comes back to nodes whose surroundings changed.
// Thread rule: propose is pure. Cost: about constant per node, so that 50,000 nodes stay near-linear.
// Example: see passes/eliminate_noops.cpp.

#include <optional>
#include <string_view>

#include "engine/base/progress.h"
#include "engine/graph/model.h"
#include "engine/graph/patch.h"
#include "engine/provider/kernel.h"
#include "engine/stages/optimize/optimize.h"

namespace cutaway {

struct PassContext {
  const Model& model;
  const Graph& graph;
  const OptimizeOptions& options;
};

struct Pass {
  std::string_view name;      // as users switch it off: "ConstantFolding"
  std::string_view purpose;   // one line
  int level = 1;
  // An error is about the model and ends the stage; most passes only answer "nothing to do".
  Result<std::optional<GraphPatch>> (*propose)(const PassContext& context, NodeId node) = nullptr;
};

}  // namespace cutaway
