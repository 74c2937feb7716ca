#include "ui/shell/pair/pair_link.h"

#include <limits>

#include <QScopedValueRollback>

#include "ui/canvas/view/canvas_pane.h"
#include "ui/canvas/view/graph_view.h"
#include "ui/document/document.h"

namespace cutaway::ui {

PairLink::PairLink(CanvasPane* a, Document* documentA, CanvasPane* b, Document* documentB, QObject* parent)
    : QObject(parent), m_sides{{a, documentA, {}}, {b, documentB, {}}} {
  connectSide(0);
  connectSide(1);
}

void PairLink::connectSide(int from) {
  const Side& side = m_sides[from];
  connect(side.pane->view(), &GraphView::transformChanged, this, [this, from] { follow(from); });
  connect(side.pane, &CanvasPane::sceneShown, this, [this, from] {
    for (Side& each : m_sides)
      each.made = nullptr;
    followGraph(from);
    if (from == 1) follow(0);
  });
  connect(&side.document->selection(), &Selection::changed, this, [this, from] { followSelection(from); });
  connect(side.document, &Document::stageChanged, this,
          [this, from] { m_sides[1 - from].document->setStage(m_sides[from].document->stage()); });
}

void PairLink::setPairs(PairIndex pairs) {
  m_pairs = std::move(pairs);
  for (Side& each : m_sides)
    each.made = nullptr;
  followSelection(0);
  follow(0);
}

void PairLink::setViewsLinked(bool linked) {
  m_viewsLinked = linked;
  if (linked) follow(0);
}

void PairLink::refreshPartners(int from) {
  Side& side = m_sides[from];
  const Side& other = m_sides[1 - from];
  const void *scene = side.pane->loaded().scene.get(), *otherScene = other.pane->loaded().scene.get();
  if (side.made == scene && side.madeOther == otherScene && scene) return;
  side.made = scene;
  side.madeOther = otherScene;
  side.partners = m_pairs.diff() ? shownPartners(*side.document, side.pane->graph(), *other.document,
                                                 other.pane->graph(), m_pairs, from == 0)
                                 : std::vector<int>();
}

// Without a matched node the other view keeps its place and takes the scale only.
void PairLink::follow(int from) {
  if (m_linking || !m_viewsLinked) return;
  const QScopedValueRollback guard(m_linking, true);
  Side& side = m_sides[from];
  const Side& other = m_sides[1 - from];
  const Scene *scene = side.pane->loaded().scene.get(), *otherScene = other.pane->loaded().scene.get();
  if (!scene || !otherScene) return;
  refreshPartners(from);
  GraphView *view = side.pane->view(), *otherView = other.pane->view();
  const QPointF middle(view->width() / 2.0, view->height() / 2.0),
      otherMiddle(otherView->width() / 2.0, otherView->height() / 2.0);
  const QPointF centre = view->transform().toScene(middle);
  int best = -1;
  double nearest = std::numeric_limits<double>::infinity();
  for (size_t n = 0; n < side.partners.size() && n < scene->itemOfNode.size(); ++n) {
    if (side.partners[n] < 0 || static_cast<size_t>(side.partners[n]) >= otherScene->itemOfNode.size() ||
        scene->itemOfNode[n] < 0)
      continue;
    const QPointF way = scene->items[static_cast<size_t>(scene->itemOfNode[n])].rect.center() - centre;
    if (const double distance = QPointF::dotProduct(way, way); distance < nearest)
      nearest = distance, best = static_cast<int>(n);
  }
  ViewTransform transform = otherView->transform();
  transform.scale = view->transform().scale;
  if (best >= 0) {
    const QPointF here = view->transform().toScreen(
        scene->items[static_cast<size_t>(scene->itemOfNode[static_cast<size_t>(best)])].rect.center());
    const int item = otherScene->itemOfNode[static_cast<size_t>(side.partners[static_cast<size_t>(best)])];
    if (item >= 0)
      transform.offset =
          here - middle + otherMiddle - otherScene->items[static_cast<size_t>(item)].rect.center() * transform.scale;
  }
  otherView->setTransform(transform);
}

void PairLink::followSelection(int from) {
  if (m_linking || !m_selectionLinked || !m_pairs.diff()) return;
  const QScopedValueRollback guard(m_linking, true);
  const Selection& selection = m_sides[from].document->selection();
  Document& other = *m_sides[1 - from].document;
  if (selection.value().valid()) {
    const ValueTarget same{selection.value().graph, selection.value().name};
    for (const GraphVersion version : {GraphVersion::kLoaded, GraphVersion::kPartitioned})
      if (other.value(version, same)) return other.selection().selectValue(same);
  }
  std::vector<NodeTarget> partners;
  if (const GraphIndex* index = m_sides[from].document->index(GraphVersion::kLoaded))
    for (const int origin : selection.origins())
      for (const NodePlace& place : index->nodesOf(origin))
        if (const NodeTarget partner = m_pairs.partner({GraphVersion::kLoaded, place.graph, place.node}, from == 0);
            partner.valid())
          partners.push_back(partner);
  partners.empty() ? other.selection().clear() : other.selection().selectTargets(partners);
}

void PairLink::followGraph(int from) {
  if (m_linking || !m_viewsLinked) return;
  const QScopedValueRollback guard(m_linking, true);
  const int graph = m_pairs.partnerGraph(m_sides[from].pane->graph(), from == 0);
  if (graph >= 0 && graph != m_sides[1 - from].pane->graph()) m_sides[1 - from].pane->enterGraph(graph);
}

void PairLink::show(const NodeDiff& node) {
  const QScopedValueRollback guard(m_linking, true);
  const auto select = [](Document* document, int graph, int index) {
    index >= 0 ? document->selection().selectNode({GraphVersion::kLoaded, graph, index})
               : document->selection().clear();
  };
  select(m_sides[0].document, node.graphA, node.nodeA);
  select(m_sides[1].document, node.graphB, node.nodeB);
}

}  // namespace cutaway::ui
