#pragma once
// What a copy of a function's body takes: its nodes, and beside them texts, lists and connections that no two copies
// share.
//
// A file of a few kilobytes can have a list in a function that is called ten thousand times. Weights and the names of
// operators are shared by all copies and count nothing.
// Thread rule: pure. Example: if (repeatedArguments(function, call) > kInputBudget.inlinedAlways) return {};

#include "engine/graph/model.h"

namespace cutaway {

// The graph's and those of the bodies below it.
int64_t nodesWithBodies(const Graph& graph);

// Graphs inside of it count nothing: they are graphs of their own to whoever adds up.
size_t copiedBytes(const AttributeValue& value);
// Of the node and its connections; references to attributes count nothing.
size_t copiedBytes(const Node& node);
// Of the graph's nodes and values; without the graphs in them.
size_t copiedBytes(const Graph& graph);

// Bytes of the call's attributes and of the function's defaults, as often as nodes of the body refer to them beyond the
// first: what filling in adds to what the file holds.
size_t repeatedArguments(const Function& function, const Node& call);

}  // namespace cutaway
