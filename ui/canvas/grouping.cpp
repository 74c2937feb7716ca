#include "ui/canvas/grouping.h"

#include <algorithm>
#include <array>
#include <functional>

#include <QCoreApplication>

#include "ui/canvas/card_groups.h"
#include "ui/canvas/convex_groups.h"
#include "ui/canvas/name_scopes.h"
#include "ui/canvas/provider_groups.h"
#include "ui/canvas/repeated_blocks.h"

namespace cutaway::ui {
namespace {

struct Way {
  const char* id;
  const char* title;
};
constexpr std::array<Way, kGroupingCount> kWays = {{
    {"automatic", QT_TRANSLATE_NOOP("Grouping", "Automatic")},
    {"flat", QT_TRANSLATE_NOOP("Grouping", "Flat")},
    {"names", QT_TRANSLATE_NOOP("Grouping", "Name scopes")},
    {"blocks", QT_TRANSLATE_NOOP("Grouping", "Repeated blocks")},
    {"providers", QT_TRANSLATE_NOOP("Grouping", "Providers")},
}};

constexpr double kNamesCover = 0.5;  // share of the nodes that name scopes must hold to be worth it
constexpr double kBlocksCover = 0.3;

double covered(const ScopeTree& tree) {
  if (tree.scopeOfNode.empty()) return 0;
  const auto inside =
      std::count_if(tree.scopeOfNode.begin(), tree.scopeOfNode.end(), [](int scope) { return scope > 0; });
  return static_cast<double>(inside) / static_cast<double>(tree.scopeOfNode.size());
}

ScopeTree flatTree(const GraphReport& graph) {
  ScopeTree tree;
  tree.scopes.push_back({});
  tree.scopeOfNode.assign(graph.nodes.size(), 0);
  completeTree(tree, graph);
  return tree;
}

ScopeTree convexScopesOf(const GraphReport& graph) {
  ScopeTree tree = scopesOf(graph);
  keepConvex(tree, graph);
  return tree;
}

ScopeTree automaticTree(const GraphReport& graph) {
  ScopeTree names = convexScopesOf(graph);
  if (covered(names) >= kNamesCover) return names;
  ScopeTree blocks = blocksOf(graph);
  if (covered(blocks) >= std::max(kBlocksCover, covered(names))) return blocks;
  return names.scopes.size() > 1 ? names : flatTree(graph);
}

}  // namespace

const char* groupingId(Grouping grouping) {
  return kWays[static_cast<size_t>(grouping)].id;
}
QString groupingTitle(Grouping grouping) {
  return QCoreApplication::translate("Grouping", kWays[static_cast<size_t>(grouping)].title);
}

std::optional<Grouping> groupingFromId(std::string_view id) {
  for (size_t i = 0; i < kWays.size(); ++i)
    if (id == kWays[i].id) return static_cast<Grouping>(i);
  return std::nullopt;
}

ScopeTree groupsOf(const ModelGraphs& graphs, int graph, Grouping grouping, const PartitionReport* asked) {
  const GraphReport& report = graphs.graphs[graph];
  const auto plain = [&]() -> ScopeTree {
    switch (grouping) {
      case Grouping::kNames:
        return convexScopesOf(report);
      case Grouping::kBlocks:
        return blocksOf(report);
      case Grouping::kProviders:
        return providerGroupsOf(report, graph, asked);
      case Grouping::kAutomatic:
        return automaticTree(report);
      case Grouping::kFlat:
        break;
    }
    return flatTree(report);
  };
  ScopeTree tree = plain();
  if (grouping == Grouping::kFlat) return tree;
  addCards(tree, report, graph, asked);
  keepConvex(tree, report);
  return tree;
}

void completeTree(ScopeTree& tree, const GraphReport& graph) {
  // What a scope is made of: a sum of hashes of operators, so that neither order nor names matter.
  std::vector<size_t> content(tree.scopes.size(), 0);
  for (Scope& scope : tree.scopes)
    scope.nodeCount = 0;
  for (size_t n = 0; n < tree.scopeOfNode.size(); ++n) {
    ++tree.scopes[tree.scopeOfNode[n]].nodeCount;
    content[tree.scopeOfNode[n]] += std::hash<std::string>()(graph.nodes[n].opType) | 1;
  }
  struct Children {
    int count = 0;
    size_t content = 0;
    bool alike = true;
  };
  std::vector<Children> children(tree.scopes.size());
  for (size_t s = tree.scopes.size(); s-- > 1;) {
    const int parent = tree.scopes[s].parent;
    tree.scopes[parent].nodeCount += tree.scopes[s].nodeCount;
    content[parent] += content[s] * 3;
    if (tree.scopes[s].kind == ScopeKind::kCard) continue;
    Children& all = children[parent];
    if (all.count++ > 0 && all.content != content[s]) all.alike = false;
    all.content = content[s];
  }
  for (size_t s = 1; s < tree.scopes.size(); ++s)
    tree.scopes[s].repeats = children[s].alike && children[s].count > 1 ? children[s].count : 0;
}

}  // namespace cutaway::ui
