#pragma once
// The way to a node through a tree of scopes: what must be open to see it, and what one passes on the way.
//
// Thread rule: pure functions over an immutable tree. Example: for (const QString& path : pathsTo(tree, node))
// unfolded.insert(path);

#include <QString>
#include <QStringList>

#include "ui/canvas/scope_tree.h"

namespace cutaway::ui {

QStringList pathsTo(const ScopeTree& tree,
                    int node);                   // of the scopes around it, outermost first; its card stays closed
QString wayTo(const ScopeTree& tree, int node);  // "encoder > layer 3: attention"; empty: it stands in the open

}  // namespace cutaway::ui
