#pragma once
// A graph with the bodies below it, and what a body that is built in memory takes from the graphs around it.
//
// Thread rule: as the model. Example:
//   const std::vector<NestedGraph> graphs = nestedGraphs(model.graph);
//   keepKnownCaptures(graphs, 1);

#include <vector>

#include "engine/graph/graph.h"

namespace cutaway::resolve {

struct NestedGraph {
  Graph* graph;
  int32_t parent;  // index in the list, kNone for the root
};

// The root and every body below it, each after the graph around it.
std::vector<NestedGraph> nestedGraphs(Graph& root);

// For a body built in memory: only what graphs around it know can be captured; anything else is an input of the body.
// The graphs around it have their lists by then.
void keepKnownCaptures(const std::vector<NestedGraph>& graphs, size_t index);

}  // namespace cutaway::resolve
