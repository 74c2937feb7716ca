#pragma once
// Name scopes: "/encoder/layer.0/attention/MatMul" belongs to encoder > layer > 0 > attention. What the canvas folds by.
//
// Names are split at '/' and '.'; scopes that hold a single node, or nothing but one other scope, say nothing and are left out.
// Thread rule: pure function over an immutable report.
// Example: ScopeTree tree = scopesOf(graph);  tree.scopes[tree.scopeOfNode[3]].title

#include <QString>
#include <vector>

#include "engine/report/graph_report.h"

namespace cutaway::ui {

struct Scope {
  QString title;     // what to write on the box: "attention", "layer.0"
  QString path;      // "encoder/layer/0/attention": unique, survives new snapshots
  int parent = -1;
  int depth = 0;
  int nodeCount = 0;  // with all scopes inside
};

struct ScopeTree {
  std::vector<Scope> scopes;     // 0: the whole graph; parents stand before their children
  std::vector<int> scopeOfNode;  // innermost scope
};

ScopeTree scopesOf(const GraphReport& graph);

}  // namespace cutaway::ui
