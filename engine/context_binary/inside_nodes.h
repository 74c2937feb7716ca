#pragma once
// Which original nodes are inside a context node: kept in the node's metadata, so that a compiled model can still be
// looked into.
//
// Metadata key "cutaway.inside" of the EPContext node: a compact JSON text (version 1): {"v":1, "name", "values":
// [[name, type text, constant dims or null]], "nodes": [[name, operator, domain, inputs, outputs, [[attribute, kind,
// short text]], values that bodies capture, what made it]], "inputs", "outputs"}; values are referred to by number, -1
// is an absent one. Weights and bodies of nodes are not in it. It is the author's word: shown, never run. Thread rule:
// pure. Example: node.metadata.emplace_back(kInsideKey, writeInside(group.graph));

#include <string>

#include "engine/graph/graph.h"
#include "engine/report/graph_report.h"

namespace cutaway::context_binary {

inline constexpr const char* kInsideKey = "cutaway.inside";
inline constexpr const char* kProviderKey =
    "cutaway.provider";  // of a node outside of compiled groups: who ran it when the model was exported

std::string writeInside(const Graph& group);
// The graph as the windows see it; INVALID_GRAPH when the text is no such thing (too deep, too long, numbers out of
// range, a value with two producers).
Result<GraphReport> readInside(std::string_view text);

}  // namespace cutaway::context_binary
