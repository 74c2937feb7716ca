#pragma once
// Known differences (differences.h) of Resize.
//
// Thread rule: pure. Example: {"Resize", resize}, a row of differences.cpp.

#include "providers/openvino/difference_parts.h"

namespace cutaway::openvino {

Found resize(const Graph& graph, const Node& node);

}  // namespace cutaway::openvino
