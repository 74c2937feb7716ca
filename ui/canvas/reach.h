#pragma once
// Which nodes of a graph are reached from others: neighbours, everything upstream or downstream, paths between two.
//
// Thread rule: pure over immutable snapshots, linear in nodes and uses, iterative.
// Example: std::vector<int> nodes = downstreamOf(graph, {3});  // ascending, with node 3
#include <vector>

#include "engine/report/graph_report.h"

namespace cutaway::ui {

std::vector<int> neighboursOf(const GraphReport& graph, const std::vector<int>& nodes);
std::vector<int> upstreamOf(const GraphReport& graph, const std::vector<int>& nodes);
std::vector<int> downstreamOf(const GraphReport& graph, const std::vector<int>& nodes);
// Along the flow from one to the other, whichever is upstream; empty: no path. The shortest has the fewest nodes, in
// order of the flow.
std::vector<int> shortestPath(const GraphReport& graph, int first, int second);
// Every node that lies on any path; ascending.
std::vector<int> nodesBetween(const GraphReport& graph, int first, int second);

}  // namespace cutaway::ui
