#pragma once
// What a provider makes of the nodes that it has taken: a patch of the graph, and what the report says of it.
//
// Thread rule: one thread. Example: CUTAWAY_CHECK(applyRewrite(graph, std::move(patch), "cpu fusion", request.done));

#include <string>
#include <string_view>
#include <vector>

#include "engine/graph/patch.h"

namespace cutaway {

// An edit that a provider wants on nodes it has taken, before plans are made (fusing an activation into its
// convolution, choosing a blocked layout).
struct ProviderRewrite {
  std::string note;
  std::vector<OriginId> origins;  // of everything removed
  std::string name;               // of the first node added
};

// Applies the patch and adds to `done`: its note, the origins of what it removed, and the name of the first node that
// it adds (none: empty). Errors are those of applyPatch().
Result<void> applyRewrite(Graph& graph, GraphPatch patch, std::string_view rewriteName,
                          std::vector<ProviderRewrite>& done);

}  // namespace cutaway
