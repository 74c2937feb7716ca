#pragma once
// Types of what a custom operator makes, told by ONNX Runtime: a session is made of the node alone, whose outputs then
// have the types and shapes that the library infers.
//
// Thread rule: any thread. Answers are kept: the same node with inputs of the same types is asked about once. Example:
//   schema.outputTypes = customOutputTypes;

#include <vector>

#include "engine/graph/model.h"

namespace cutaway::onnxruntime {

// Empty where the types of its inputs are not known, or nothing can be told; why is logged.
std::vector<ValueType> customOutputTypes(const Model& model, const Graph& graph, NodeId id);

}  // namespace cutaway::onnxruntime
