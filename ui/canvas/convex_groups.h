#pragma once
// Makes every scope of a tree convex: no path leaves it and comes back, and lines between scopes run one way, whichever
// of them are folded.
//
// A scope that is not is cut where paths come back; of the pieces those stay scopes that hold a fair share of it, the
// other nodes stand in the scope outside. Names promise nothing: exporters that share a constant, or name nodes after
// operators, give scopes that no layered picture can hold. Thread rule: pure function over an immutable report; linear
// for each depth of the tree, but for the knots it cuts. Example: ScopeTree tree = scopesOf(graph);  keepConvex(tree,
// graph);

#include "engine/report/graph_report.h"
#include "ui/canvas/scope_tree.h"

namespace cutaway::ui {

void keepConvex(ScopeTree& tree, const GraphReport& graph);

}  // namespace cutaway::ui
