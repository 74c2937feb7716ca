#pragma once
// What both convolution rewrites ask of the graph.
//
// Thread rule: pure, but for replaceByFused. Example: if (const NodeId next = followerOf(graph, conv, "Relu");
// next.valid()) ...

#include "providers/cpu/rewrite/rewrite_table.h"

namespace cutaway::cpu {

// A Conv or FusedConv of float32 values that this provider has taken and that has no activation yet.
bool isOpenConvolution(const Graph& graph, const Node& node);
// The one consumer of the node's only output, when it is taken by this provider too; invalid otherwise.
NodeId onlyFollower(const Graph& graph, const Node& node);
// Puts a FusedConv in the place of `convolution` and `follower`; it makes the follower's output. INVALID_GRAPH leaves
// the graph as it was.
Result<void> replaceByFused(RewriteRequest& request, NodeId convolution, NodeId follower,
                            std::vector<std::string> inputs, const std::vector<Attribute>& more, std::string note);

}  // namespace cutaway::cpu
