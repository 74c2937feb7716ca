#pragma once
// Scopes by provider: compiled groups, and runs of nodes in execution order that one provider takes.
//
// Thread rule: pure functions over immutable reports.
// Example: ScopeTree tree = providerGroupsOf(graphs->graphs[0], 0, walk->partition.get());

#include <string_view>
#include <vector>

#include "engine/report/partition_report.h"
#include "ui/canvas/scope_tree.h"

namespace cutaway::ui {

struct Taker {
  std::string_view provider;  // empty: nobody, or not known yet
  int group = kNone;          // compiled groups only
};
// asked: speaks of the nodes of this graph as `graph` of the graphs that providers were asked about; null:
// NodeReport::provider is read.
std::vector<Taker> takersOf(const GraphReport& report, int graph, const PartitionReport* asked);  // per node

ScopeTree providerGroupsOf(const GraphReport& report, int graph, const PartitionReport* asked);

}  // namespace cutaway::ui
