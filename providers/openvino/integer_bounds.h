#pragma once
// How large an integer can be, as far as the nodes that it comes from tell. OpenVINO's device CPU computes many
// operators of int32 and int64 in floats, which hold every integer up to 2^24.
//
// Thread rule: pure. Example: const bool isSafe = largestMagnitude(graph, node.inputs[0]) <= kExactInFloats;

#include <limits>

#include "engine/graph/graph.h"

namespace cutaway::openvino {

inline constexpr double kExactInFloats = 16'777'216;

// `unknown` where nothing is known. Sizes of tensors, and places in them, count as at most 2^20: else no shape of an
// open model could be computed.
double largestMagnitude(const Graph& graph, ValueId value, double unknown = std::numeric_limits<double>::infinity());

// Sizes of one tensor, all or some of them: their product is no more than its elements, which count as at most 2^24.
bool areSizes(const Graph& graph, ValueId value);

// Elements of a tensor; kExactInFloats where a size is open.
double elementsOf(const Graph& graph, ValueId value);

}  // namespace cutaway::openvino
