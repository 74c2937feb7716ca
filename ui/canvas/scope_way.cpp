#include "ui/canvas/scope_way.h"

namespace cutaway::ui {
namespace {

template <typename Take>
QStringList around(const ScopeTree& tree, int node, Take&& take) {
  QStringList found;
  if (node < 0 || node >= static_cast<int>(tree.scopeOfNode.size())) return found;
  for (int scope = tree.scopeOfNode[node]; scope > 0; scope = tree.scopes[scope].parent)
    if (tree.scopes[scope].kind != ScopeKind::kCard) found.prepend(take(tree.scopes[scope]));
  return found;
}

}  // namespace

QStringList pathsTo(const ScopeTree& tree, int node) {
  return around(tree, node, [](const Scope& scope) { return scope.path; });
}

QString wayTo(const ScopeTree& tree, int node) {
  return around(tree, node, [](const Scope& scope) { return scope.title; }).join(QStringLiteral(" \u203a "));
}

}  // namespace cutaway::ui
