// What is open on the canvas: scopes, cards and bodies are folded and unfolded, and opened on the way to what was
// found.
#include <algorithm>
#include <utility>

#include "ui/canvas/opened_groups.h"
#include "ui/canvas/scene_graph.h"
#include "ui/canvas/scope_way.h"
#include "ui/canvas/view/canvas_finder.h"
#include "ui/canvas/view/canvas_pane.h"

namespace cutaway::ui {

// What was found inside folded groups is unfolded, compiled ones too; bodies are entered by the selection.
void CanvasPane::openWay() {
  const Scene* scene = m_loaded.scene.get();
  if (!m_wayWanted || !showsGraphs()) return;
  const OpenedGroup* compiled = m_opened.of(m_wayWanted->graph);
  const int around = compiled ? compiled->graph : m_wayWanted->graph;
  if (scene->graph != around) return compiled && graph() != around ? enterGraph(around) : void();
  const FindHit hit = *std::exchange(m_wayWanted, std::nullopt);
  const int outer = compiled ? compiled->fused : hit.node;
  QString way = wayTo(*scene->groups, outer);
  const GraphReport& report = m_opened.graphs->graphs[static_cast<size_t>(around)];
  if (compiled) {
    if (!way.isEmpty()) way += QStringLiteral(" \u203a ");
    way += hullName(*m_opened.graphs, report.nodes[static_cast<size_t>(outer)]);
  }
  m_finder->setWay(way);
  const int item = firstItemOf(hit.graph, hit.node);
  if (item >= 0 && scene->items[item].kind != ItemKind::kFolded) return m_view->showReadable(scene->items[item].rect);
  if (item < 0 && !compiled) return;
  for (const QString& path : pathsTo(*scene->groups, outer))
    unfolded().insert(path);
  if (compiled) {
    const int scope = scene->groups->scopeOfNode[static_cast<size_t>(outer)];
    unfolded().insert(bodyPath(scene->groups->scopes[static_cast<size_t>(scope)].path, report, outer));
  }
  m_revealWanted = m_readableWanted = true;
  requestScene(true);
}

void CanvasPane::unfold(int item) {
  const SceneItem& shown = m_loaded.scene->items[item];
  const ScopeTree& tree = *m_loaded.scene->scopes;
  if (shown.kind == ItemKind::kFolded) {
    m_foldedPath = tree.scopes[shown.index].path;
  } else if (shown.card > 0) {
    m_foldedPath = tree.scopes[shown.card].path;
  } else if (shown.kind == ItemKind::kNode && hasBody(m_loaded.scene->nodeOf(shown))) {
    m_foldedPath = bodyPath(tree.scopes[shown.scope].path, m_loaded.scene->reportOf(shown), shown.index);
  } else {
    return;
  }
  unfolded().insert(m_foldedPath);
  requestScene(true);
}

void CanvasPane::foldBox(int box) {
  if (!m_loaded.scene || box < 0 || box >= static_cast<int>(m_loaded.scene->boxes.size())) return;
  const ScopeTree& tree = *m_loaded.scene->scopes;
  int scope = m_loaded.scene->boxes[box].scope;
  if (tree.scopes[scope].kind == ScopeKind::kBranch)
    scope = tree.scopes[scope].parent;  // bodies of one node fold together
  m_foldedPath = tree.scopes[scope].path;
  unfolded().remove(m_foldedPath);
  requestScene(true);
}

void CanvasPane::unfoldSelected() {
  if (const int item = currentItem(); item >= 0) unfold(item);
}

void CanvasPane::foldSelected() {
  const int item = currentItem();
  if (item < 0) return;
  const Scene& scene = *m_loaded.scene;
  for (size_t b = 0; b < scene.boxes.size(); ++b)
    if (scene.boxes[b].scope == scene.items[item].scope) return foldBox(static_cast<int>(b));
}

QStringList CanvasPane::unfoldedPaths() const {
  const QSet<QString> open = m_unfolded.value(foldKey());
  QStringList paths(open.begin(), open.end());
  paths.sort();
  return paths;
}

void CanvasPane::setUnfoldedPaths(const QStringList& paths) {
  unfolded() = QSet<QString>(paths.begin(), paths.end());
  requestScene(true);
}

void CanvasPane::foldAll() {
  unfolded().clear();
  requestScene(false);
}

void CanvasPane::unfoldAll() {
  if (!m_loaded.scene) return;
  const bool cards =
      std::ranges::none_of(m_loaded.scene->items, [](const SceneItem& item) { return item.kind == ItemKind::kFolded; });
  for (const Scope& scope : m_loaded.scene->groups->scopes)
    if (cards || scope.kind != ScopeKind::kCard) unfolded().insert(scope.path);
  requestScene(true);
}

}  // namespace cutaway::ui
