#pragma once
// Known differences (differences.h) of integers: what OpenVINO's device computes in floats, which hold every integer up
// to 2^24 only.
//
// Thread rule: pure. Example: if (Found large = largeIntegers(graph, node)) return large;

#include "providers/openvino/difference_parts.h"

namespace cutaway::openvino {

Found largeIntegers(const Graph& graph, const Node& node);

}  // namespace cutaway::openvino
