#pragma once
// The windows' picture of a model that was described before, one stage earlier.
//
// Thread rule: pure. Example: snapshot.optimizedGraphs = describeAgain(model, *snapshot.loadedGraphs);

#include "engine/stages/resolve/resolve.h"

namespace cutaway::resolve {

// As describeGraphs(). What is told about the nodes inside EPContext nodes does not change from stage to stage: it is
// copied from `before` where the node is there, and read only elsewhere.
ModelGraphs describeAgain(const Model& model, const ModelGraphs& before);

}  // namespace cutaway::resolve
