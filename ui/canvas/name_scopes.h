#pragma once
// Name scopes: "/encoder/layer.0/attention/MatMul" belongs to encoder > layer > 0 > attention. One way to fold a graph.
//
// Names are split at '/' and '.'; scopes that hold a single node, almost all nodes, or nothing but one other scope, say
// nothing and are left out, and so are those that are called like an operator: "p2o.Conv.49" is the 49th Conv, and all
// Convs are no part of a model. Thread rule: pure function over an immutable report. Example: ScopeTree tree =
// scopesOf(graph); tree.scopes[tree.scopeOfNode[3]].title

#include "engine/report/graph_report.h"
#include "ui/canvas/scope_tree.h"

namespace cutaway::ui {

ScopeTree scopesOf(const GraphReport& graph);

}  // namespace cutaway::ui
