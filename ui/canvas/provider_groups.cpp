#include "ui/canvas/provider_groups.h"

#include <map>
#include <string_view>

#include <QCoreApplication>

#include "ui/base/format.h"
#include "ui/canvas/grouping.h"

namespace cutaway::ui {

std::vector<Taker> takersOf(const GraphReport& report, int graph, const PartitionReport* asked) {
  std::vector<Taker> takers(report.nodes.size());
  if (!asked) {
    for (size_t n = 0; n < takers.size(); ++n)
      takers[n].provider = report.nodes[n].provider;
    return takers;
  }
  for (const NodePlacement& placement : asked->nodes) {
    if (placement.graph != graph || placement.node < 0 || placement.node >= static_cast<int32_t>(takers.size()))
      continue;
    Taker& taker = takers[placement.node];
    taker.provider = placement.provider;
    if (placement.group >= 0 && placement.group < static_cast<int32_t>(asked->groups.size()) &&
        asked->groups[placement.group].compiled)
      taker.group = placement.group;
  }
  return takers;
}

// Compiled groups may lie apart in stored order, runs of kernels never: a run ends where another provider comes in
// between.
ScopeTree providerGroupsOf(const GraphReport& report, int graph, const PartitionReport* asked) {
  const std::vector<Taker> takers = takersOf(report, graph, asked);
  ScopeTree tree;
  tree.scopes.push_back({});
  tree.scopeOfNode.assign(report.nodes.size(), 0);
  std::map<int, int> scopeOfGroup;
  std::map<std::string_view, int> count;
  int run = 0;
  std::string_view last;
  const auto addScope = [&](const QString& title) {
    Scope scope;
    scope.title = title;
    scope.parent = 0;
    scope.depth = 1;
    scope.kind = ScopeKind::kProvider;
    tree.scopes.push_back(scope);
    return static_cast<int>(tree.scopes.size()) - 1;
  };
  for (size_t n = 0; n < takers.size(); ++n) {
    const Taker& taker = takers[n];
    if (taker.provider.empty()) {
      last = {};
      continue;
    }
    if (taker.group >= 0) {
      const auto [entry, added] = scopeOfGroup.try_emplace(taker.group, 0);
      if (added) {
        entry->second = addScope(QCoreApplication::translate("Grouping", "%1: compiled group %2")
                                     .arg(text(taker.provider))
                                     .arg(++count[taker.provider]));
        tree.scopes.back().path = QStringLiteral("%1:group %2").arg(text(taker.provider)).arg(count[taker.provider]);
        tree.scopes.back().compiled = true;
      }
      tree.scopeOfNode[n] = entry->second;
      last = {};
      continue;
    }
    if (taker.provider != last) {
      run = addScope(
          QCoreApplication::translate("Grouping", "%1: run %2").arg(text(taker.provider)).arg(++count[taker.provider]));
      tree.scopes.back().path = QStringLiteral("%1:run %2").arg(text(taker.provider)).arg(count[taker.provider]);
      last = taker.provider;
    }
    tree.scopeOfNode[n] = run;
  }
  completeTree(tree, report);
  return tree;
}

}  // namespace cutaway::ui
