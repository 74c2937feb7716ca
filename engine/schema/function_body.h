#pragma once
// Function bodies made ready for one call: attribute references filled in, absent inputs taken out, versions and
// captures set.
//
// Thread rule: pure. Example: Graph body = bodyForCall(function, callNode);

#include "engine/graph/model.h"

namespace cutaway {

// A copy of the body with the call's attributes (and the function's defaults) in place of references.
Graph bodyForCall(const Function& function, const Node& call);

// Marks what bodies below `graph` take from around them (outerScope, implicitInputs), from the inside out. Gives the
// names that nobody in `graph` defines.
std::vector<std::string> connectScopes(Graph& graph);

// Fills opsetVersion and sinceVersion of nodes that have none yet, bodies included; domains that are not imported take
// `fallback`'s, then the newest known version.
void assignOpsetVersions(Graph& graph, const std::vector<OpsetImport>& imports,
                         const std::vector<OpsetImport>& fallback);

}  // namespace cutaway
