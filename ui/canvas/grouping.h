#pragma once
// The ways in which a graph can be folded, and the tree of scopes that each gives.
//
// Thread rule: pure functions over immutable reports.
// Example: ScopeTree tree = groupsOf(*graphs, 0, Grouping::kAutomatic);  tree.scopes[1].title   // "Block x12"

#include <optional>
#include <string_view>

#include <QString>

#include "engine/report/partition_report.h"
#include "ui/canvas/scope_tree.h"

namespace cutaway::ui {

enum class Grouping : unsigned char { kAutomatic, kFlat, kNames, kBlocks, kProviders };
inline constexpr int kGroupingCount = 5;

const char* groupingId(Grouping grouping);  // "automatic", "flat", "names", "blocks", "providers"
QString groupingTitle(Grouping grouping);
std::optional<Grouping> groupingFromId(std::string_view id);

// asked: the partition whose placements speak of these graphs (they were asked before fusing); null: nodes name their
// providers themselves. Automatic takes name scopes where the names say something, else repeated blocks where there are
// enough, else leaves the graph flat. Whatever the way: scopes are convex (convex_groups), and what belongs to one node
// alone is on its card (card_groups); flat shows every node.
ScopeTree groupsOf(const ModelGraphs& graphs, int graph, Grouping grouping, const PartitionReport* asked = nullptr);

// Counts nodes of every scope from those directly inside, and finds scopes whose children are all alike. Parents stand
// before their children. Cards of nodes are not counted among what is alike.
void completeTree(ScopeTree& tree, const GraphReport& graph);

}  // namespace cutaway::ui
