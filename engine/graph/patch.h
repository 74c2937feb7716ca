#pragma once
// A patch: a proposed edit of one graph, made over a read-only graph and applied (or refused) as a whole.
//
// New nodes are written by value names; names that exist keep their value, others are made. Provenance: new nodes
// inherit the origins of all removed nodes unless they name their own. Thread rule: plain values. Example:
//   GraphPatch patch{.note = "x + 0 is x"};
//   patch.removeNodes = {add};
//   patch.replaceValues = {{sum, x}};
//   CUTAWAY_CHECK(applyPatch(graph, patch, "NoopElimination"));

#include <string>
#include <utility>
#include <vector>

#include "engine/graph/graph.h"

namespace cutaway {

struct NewNode {
  Node node{};
  std::vector<std::string> inputs{};     // value names, "" = absent
  std::vector<std::string> outputs{};    // value names, "" = absent
  std::vector<ValueType> outputTypes{};  // may be shorter; missing ones stay as they are
};

struct GraphPatch {
  std::string note{};  // one line for people: what and why
  std::vector<NodeId> removeNodes{};
  std::vector<NewNode> addNodes{};
  std::vector<std::pair<std::string, Tensor>> addInitializers{};
  // Uses and graph-output places of the first become the second. A graph output keeps its name: the surviving producer
  // takes it over, or an Identity is added when it cannot.
  std::vector<std::pair<ValueId, ValueId>> replaceValues{};
};

struct PatchResult {
  std::vector<NodeId> added;
  std::vector<OriginId> origins;  // of everything removed, sorted
};

// Checks that nothing dangles (a removed node's used outputs must be replaced or produced anew), applies, and drops
// initializers left without use. On failure the graph is as before: INVALID_GRAPH.
Result<PatchResult> applyPatch(Graph& graph, GraphPatch patch, std::string_view rewriteName);

}  // namespace cutaway
