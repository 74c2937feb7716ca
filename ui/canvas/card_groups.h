#pragma once
// What belongs to one node and to no other is drawn on its card: constants and what is computed of them alone, the
// DequantizeLinear in front of a node and the QuantizeLinear behind it (a QDQ unit).
//
// Each becomes a scope of kind kCard around the node, which opens like any other. Nodes that differ in provider or
// compiled group from the node that they belong to stay on their own: where they run is never hidden. Joining a node
// with its only reader, or a QuantizeLinear with a value that nothing else reads, closes no cycle. Thread rule: pure
// function over immutable reports. Example: ScopeTree tree = scopesOf(graph);  addCards(tree, graphs.graphs[0], 0,
// nullptr);

#include "engine/report/partition_report.h"
#include "ui/canvas/scope_tree.h"

namespace cutaway::ui {

void addCards(ScopeTree& tree, const GraphReport& report, int graph, const PartitionReport* asked);

}  // namespace cutaway::ui
