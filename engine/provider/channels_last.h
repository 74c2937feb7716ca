#pragma once
// Nodes of domain kChannelsLastDomain: the orders of axes, and such a node as what it stands for: a transpose to
// channels first, the operator itself, and a transpose back.
//
// The convention: a node there is the operator it was, with its attributes (axes counted as with channels first) and
// all operands as they are, except that its first input and its outputs have channels last. Weights stay [M, C, k..],
// per-channel vectors are vectors, scales, sizes and roi of Resize keep their order, the grid of GridSample stays [N,
// H, W, 2]. Thread rule: pure apart from the graph in hand. Example: CUTAWAY_CHECK(lowerChannelsLast(graph));   // now
// every node has a kernel of the CPU provider

#include <string_view>
#include <vector>

#include "engine/graph/graph.h"

namespace cutaway {

// Transpose's perm (out[i] = in[perm[i]]) to the order with channels last: 0, 2, 3, .., 1; and from there back: 0, n-1,
// 1, 2, ..
std::vector<int64_t> permToChannelsLast(size_t rank);
std::vector<int64_t> permToChannelsFirst(size_t rank);
// The type with its axes in this order; the rank is known.
ValueType permuted(ValueType type, const std::vector<int64_t>& perm);
// Where an axis of the channels-first order (counted from the end when negative) lies when channels come last.
int64_t channelsLastAxis(int64_t axis, size_t rank);
// The domain that an operator had before it moved to kChannelsLastDomain; every operator has one home.
std::string_view domainBeforeChannelsLast(std::string_view opType);

// NOT_IMPLEMENTED naming the node where the rank of its first input or output is not known.
Result<void> lowerChannelsLast(Graph& graph);

}  // namespace cutaway
