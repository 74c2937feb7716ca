#pragma once
// Checks of a model before its graphs are looked at: versions, domains, functions, names (Model::Model and
// Graph::Resolve in onnxruntime/core/graph).
//
// Thread rule: pure over the model in hand. Example: CUTAWAY_CHECK(checkVersions(model, options, report));

#include "engine/stages/resolve/resolve.h"

namespace cutaway::resolve {

// IR version and opset imports; imports what is used and known but not imported.
Result<void> checkVersions(Model& model, const ResolveOptions& options, ResolveReport& report);
// Functions have distinct names and do not call each other in circles, bodies included.
Result<void> checkFunctions(const Model& model);
// Names of inputs, nodes and outputs of one graph are distinct.
Result<void> checkNames(const Graph& graph);
// Operators that a known domain does not have at the imported version: NOT_IMPLEMENTED.
Result<void> checkOperators(const Model& model, const Graph& root);

}  // namespace cutaway::resolve
