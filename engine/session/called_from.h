#pragma once
// Errors of nodes that came out of a function say which node of the file calls it: inlining gives such nodes names
// ("_inlfunc_F_y_Reshape_0") that no file has.
//
// Thread rule: pure. Example: return fail(tellCall(std::move(error), model));

#include "engine/graph/model.h"

namespace cutaway::session {

// where.node becomes the call's, and so does what the message calls the node; values that inlining named become inputs
// and outputs of it. Others come back as they are.
Error tellCall(Error error, const Model& model);

}  // namespace cutaway::session
