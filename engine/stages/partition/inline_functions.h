#pragma once
// Functions are expanded only when no provider wants the call as it stands (Graph::InlineFunction in
// onnxruntime/core/graph/graph.cc).
//
// Thread rule: edits the model in hand. Example: CUTAWAY_TRY(const int64_t count, inlineUnclaimedFunctions(model,
// providers, progress));

#include "engine/graph/model.h"

namespace cutaway::partition {

// Inlines this call when it has a function body (model-local first, then the schema's); false when it has none. Types
// of the new values are the caller's business. FAIL when the graph has grown past a million nodes: functions that call
// each other can make a small file without end.
Result<bool> inlineCall(const Model& model, Graph& graph, NodeId call);

}  // namespace cutaway::partition
