#pragma once
// Known differences (differences.h) of means, maxima and norms under a window.
//
// Thread rule: pure. Example: {"MaxPool", maxPool}, a row of differences.cpp.

#include "providers/openvino/difference_parts.h"

namespace cutaway::openvino {

Found averagePool(const Graph& graph, const Node& node);
Found maxPool(const Graph& graph, const Node& node);
Found normPool(const Graph& graph, const Node& node);

}  // namespace cutaway::openvino
