#pragma once
// A model in another version of the standard's operators, by onnx's version converter.
//
// Thread rule: pure. Example: CUTAWAY_TRY(Model older, convertOpset(model, 17));

#include "engine/graph/model.h"

namespace cutaway {

// Only ai.onnx is converted. Nodes keep the origins of those that made the same output; new ones have those of all
// nodes that are gone. NOT_IMPLEMENTED: the converter has no way for an operator, the model has functions of its own
// or control flow, or more than 1 GB of weights; with the converter's words.
Result<Model> convertOpset(const Model& model, int64_t version);

}  // namespace cutaway
