#pragma once
// Cuts a part of a model out as a model of its own: the nodes between some values and others.
//
// Thread rule: pure. Example: CUTAWAY_TRY(Submodel cut, cutSubmodel(model, {"conv1_out"}, {"relu3_out"}));
// save(cut.model, path, {});

#include <span>
#include <string>
#include <vector>

#include "engine/graph/model.h"

namespace cutaway::study {

struct Submodel {
  Model model;  // opsets, local functions, metadata and origins kept; inputs in the given order, then the added ones
  std::vector<std::string> addedInputs;  // inputs of the model that the outputs need beside the given values
};

// Values of the main graph of a resolved model. No inputs: everything the outputs need. INVALID_ARGUMENT naming the
// value: unknown, an input that the outputs do not need, an output that is an input, no node left. Linear in the graph.
Result<Submodel> cutSubmodel(const Model& model, std::span<const std::string> inputs,
                             std::span<const std::string> outputs);

// The nodes alone, with what they read from outside as inputs and what is used outside, or is an output of the model,
// as outputs.
Result<Submodel> cutNodes(const Model& model, const Graph& graph, std::span<const NodeId> nodes);

}  // namespace cutaway::study
