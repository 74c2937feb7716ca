#pragma once
// Questions that several passes ask about the surroundings of a node.
//
// Thread rule: pure. Example: if (const NodeId add = onlyConsumer(graph, product); add.valid() && graph.node(add).opType == "Add") ...

#include <optional>
#include <string_view>

#include "engine/graph/graph.h"

namespace cutaway {

// A node of ai.onnx with this operator.
bool isOnnxOperator(const Node& node, std::string_view opType);
// The one node that takes the value, once and explicitly; invalid when there are several, none, or the value is a graph output.
NodeId onlyConsumer(const Graph& graph, ValueId value);
// The tensor of a value that cannot change; nullptr otherwise (absent, computed, overridable).
const Tensor* constantOf(const Graph& graph, ValueId value);
const Tensor* constantInput(const Graph& graph, const Node& node, size_t slot);
// Every element equals `wanted` (numeric types; nothing for others).
bool isFilledWith(const Tensor& tensor, double wanted);
// The output may be replaced by the input without losing a graph output's name.
bool mayForward(const Graph& graph, ValueId input, ValueId output);
// An output slot that somebody uses.
bool isUsed(const Graph& graph, const Node& node, size_t outputSlot);
// Integers of an int64 or int32 tensor.
std::optional<std::vector<int64_t>> integersOf(const Tensor& tensor);

}  // namespace cutaway
