#include "ui/panels/model/model_rollup.h"

#include <algorithm>
#include <unordered_map>

#include "ui/base/format.h"
#include "ui/canvas/name_scopes.h"

namespace cutaway::ui {
namespace {

const NodeFigures* figuresOf(const CostReport* costs, size_t graph, size_t node) {
  if (!costs || graph >= costs->graphs.size() || node >= costs->graphs[graph].nodes.size()) return nullptr;
  return &costs->graphs[graph].nodes[node];
}

void add(RollupRow& row, const NodeFigures* figures) {
  ++row.nodes;
  if (!figures || figures->flops < 0) ++row.unknown;
  if (!figures) return;
  row.sum.flops += std::max<int64_t>(0, figures->flops);
  row.sum.movedBytes += std::max<int64_t>(0, figures->movedBytes);
  row.sum.weightBytes += figures->weightBytes;
  row.sum.parameters += figures->parameters;
}

void addScopes(ModelRollup& made, const GraphReport& graph, const CostReport* costs) {
  const ScopeTree tree = scopesOf(graph);
  made.scopes.resize(tree.scopes.size());
  for (size_t scope = 0; scope < tree.scopes.size(); ++scope) {
    made.scopes[scope].title = tree.scopes[scope].path;
    made.scopes[scope].depth = tree.scopes[scope].depth;
  }
  for (size_t node = 0; node < graph.nodes.size(); ++node)
    for (int scope = tree.scopeOfNode[node]; scope >= 0; scope = tree.scopes[static_cast<size_t>(scope)].parent) {
      add(made.scopes[static_cast<size_t>(scope)], figuresOf(costs, 0, node));
      made.scopes[static_cast<size_t>(scope)].members.push_back(static_cast<int>(node));
    }
  if (!made.scopes.empty()) made.scopes.erase(made.scopes.begin());  // the whole graph is the facts' business
}

}  // namespace

ModelRollup rollUp(const ModelGraphs& graphs, const CostReport* costs, GraphVersion version) {
  ModelRollup made;
  std::unordered_map<std::string, size_t> rows;
  for (size_t g = 0; g < graphs.graphs.size(); ++g) {
    if (graphs.graphs[g].isInside) continue;  // their context node stands for them
    for (size_t n = 0; n < graphs.graphs[g].nodes.size(); ++n) {
      const NodeReport& node = graphs.graphs[g].nodes[n];
      const auto [entry, added] = rows.try_emplace(node.domain + ":" + node.opType, made.operators.size());
      if (added) {
        made.operators.emplace_back();
        made.operators.back().title =
            node.domain.empty() ? text(node.opType) : QStringLiteral("%1:%2").arg(text(node.domain), text(node.opType));
      }
      RollupRow& row = made.operators[entry->second];
      add(row, figuresOf(costs, g, n));
      row.members.push_back(static_cast<int>(made.places.size()));
      made.places.push_back({version, static_cast<int>(g), static_cast<int>(n)});
    }
  }
  std::stable_sort(made.operators.begin(), made.operators.end(),
                   [](const RollupRow& a, const RollupRow& b) { return a.nodes > b.nodes; });
  if (!graphs.graphs.empty()) addScopes(made, graphs.graphs[0], costs);
  return made;
}

}  // namespace cutaway::ui
