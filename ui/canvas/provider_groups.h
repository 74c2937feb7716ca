#pragma once
// Scopes by provider: compiled groups, and runs of nodes in execution order that one provider takes.
//
// Thread rule: pure functions over immutable reports.
// Example: ScopeTree tree = providerGroupsOf(graphs->graphs[0], 0, walk->partition.get());

#include "engine/report/partition_report.h"
#include "ui/canvas/scope_tree.h"

namespace cutaway::ui {

// asked: speaks of the nodes of this graph as `graph` of the graphs that providers were asked about; null:
// NodeReport::provider is read.
ScopeTree providerGroupsOf(const GraphReport& report, int graph, const PartitionReport* asked);

}  // namespace cutaway::ui
