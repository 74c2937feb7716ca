#pragma once
// Functions are expanded only when no provider wants the call as it stands (Graph::InlineFunction in
// onnxruntime/core/graph/graph.cc).
//
// Thread rule: edits the model in hand. Example: CUTAWAY_TRY(const int64_t count, inlineUnclaimedFunctions(model,
// providers, progress));

#include "engine/graph/model.h"

namespace cutaway::partition {

// Inlines this call when it has a function body (model-local first, then the schema's); false when it has none. Types
// of the new values are the caller's business. FAIL, naming the call, when the functions behind a local one would
// make more nodes than any real model has: a small file can call its functions without end.
Result<bool> inlineCall(const Model& model, Graph& graph, NodeId call);

}  // namespace cutaway::partition
