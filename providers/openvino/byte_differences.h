#pragma once
// Known differences (differences.h) of quantisation and of elements of 8 bits and less.
//
// Thread rule: pure. Example: {"QuantizeLinear", quantize}, a row of differences.cpp.

#include "providers/openvino/difference_parts.h"

namespace cutaway::openvino {

// Whether its input comes out of a DequantizeLinear.
bool readsBytes(const Graph& graph, const Node& node);
// Whether this processor adds products of bytes in 32 bits: kernels for others saturate, and some are wrong.
bool hasVnni();
// Convolutions and products of what comes out of DequantizeLinear.
Found bytesAgainstBytes(const Graph& graph, const Node& node);
Found byteArithmetic(const Graph& graph, const Node& node);
Found narrowResult(const Graph& graph, const Node& node);
Found quantize(const Graph& graph, const Node& node);
Found dynamicQuantize(const Graph& graph, const Node& node);
Found oneStepOff(const Graph& graph, const Node& node);

}  // namespace cutaway::openvino
