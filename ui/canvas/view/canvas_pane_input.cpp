// Pointer and keys on the canvas: what a click, a menu or a key on an item does.
#include <QKeyEvent>

#include "ui/base/format.h"
#include "ui/canvas/key_walk.h"
#include "ui/canvas/view/canvas_bar.h"
#include "ui/canvas/view/canvas_pane.h"
#include "ui/canvas/view/graph_view.h"
#include "ui/canvas/view/reading_controller.h"
#include "ui/document/document.h"

namespace cutaway::ui {

void CanvasPane::connectView() {
  connect(m_view, &GraphView::itemClicked, this, [this](int item, Qt::KeyboardModifiers modifiers) {
    const Scene& scene = *m_loaded.scene;
    std::vector<int> nodes = scene.nodesOf(item);
    const int of = scene.items[item].graph;
    if (nodes.empty())
      return m_document->selection().selectValue(
          {of, text(scene.reportOf(scene.items[item]).values[scene.items[item].index].name)});
    for (int& node : nodes)
      node = targetOf(scene.items[item], node).node;
    const NodeTarget first = targetOf(scene.items[item], scene.nodesOf(item).front());
    if (modifiers.testFlag(Qt::ControlModifier)) {
      const std::vector<int> before = m_document->selection().nodesIn(first.version, first.graph);
      nodes.insert(nodes.end(), before.begin(), before.end());
    }
    if (nodes.size() == 1) {
      m_document->selection().selectNode(first);
    } else {
      m_document->selection().selectNodes(first.version, first.graph, nodes);
    }
  });
  connect(m_view, &GraphView::netClicked, this, [this](int net) {
    const int of = m_loaded.scene->nets[net].graph;
    const OpenedGroup* group = m_opened.of(of);
    m_document->selection().selectValue(
        {group ? group->graph : of, text(m_loaded.scene->valueOf(m_loaded.scene->nets[net]).name)});
  });
  connect(m_view, &GraphView::emptyClicked, this, [this] { m_document->selection().clear(); });
  connect(m_view, &GraphView::itemActivated, this, &CanvasPane::activate);
  connect(m_view, &GraphView::menuRequested, this, &CanvasPane::requestMenu);
  connect(m_view, &GraphView::boxFolded, this, &CanvasPane::foldBox);
  connect(m_view, &GraphView::bodyToggled, this, &CanvasPane::unfold);
  connect(m_view, &GraphView::transformChanged, this, [this] {
    m_bar->setScale(m_view->transform().scale);
    placeOverlays();
  });
}

NodeTarget CanvasPane::targetOf(const SceneItem& item, int node) const {
  if (const OpenedGroup* group = m_opened.of(item.graph))
    return {GraphVersion::kOptimized, group->graph, group->nodes[static_cast<size_t>(node)]};
  return {m_version, item.graph, node};
}

void CanvasPane::activate(int item) {
  const SceneItem& shown = m_loaded.scene->items[item];
  if (shown.kind == ItemKind::kFolded || shown.card > 0) return unfold(item);
  if (shown.kind != ItemKind::kNode && shown.kind != ItemKind::kHeader) return;
  const NodeReport& node = m_loaded.scene->nodeOf(shown);
  if (!node.bodies.empty()) {
    enterGraph(node.bodies.front());
  } else if (node.function >= 0) {
    enterGraph(node.function);
  } else if (opensAsHull(node)) {
    shown.kind == ItemKind::kHeader ? void() : unfold(item);
  } else if (node.inside >= 0) {
    enterGraph(node.inside);
  }
}

void CanvasPane::selectGroup(int item) {
  m_document->selection().selectNodes(m_version, m_loaded.scene->items[item].graph, m_loaded.scene->nodesOf(item));
}

// By mouse the item under it, by key the selected one.
void CanvasPane::requestMenu(int item, const QPoint& globalPosition) {
  if (!m_loaded.scene) return;
  const int asked = item >= 0 ? item : currentItem();
  if (asked >= 0 && m_loaded.scene->items[asked].kind == ItemKind::kFolded) {
    selectGroup(asked);
    emit groupMenuRequested(asked, globalPosition);
    return;
  }
  const std::vector<int> nodes = item >= 0 ? m_loaded.scene->nodesOf(item) : std::vector<int>();
  const NodeTarget target =
      nodes.empty() ? m_document->selection().focusIn(m_version) : targetOf(m_loaded.scene->items[item], nodes.front());
  if (!target.valid()) return;
  if (!nodes.empty()) m_document->selection().selectNode(target);
  emit nodeMenuRequested(target, globalPosition);
}

void CanvasPane::moveSelection(int key) {
  if (!m_loaded.scene || m_loaded.scene->items.empty()) return;
  const Scene& scene = *m_loaded.scene;
  const NodeTarget focus = m_document->selection().focusIn(m_version);
  if (!focus.valid() || focus.graph != graph()) {
    if (!scene.report().nodes.empty()) m_document->selection().selectNode({m_version, graph(), 0});
    return;
  }
  if (const int next = nodeBeside(scene, focus.node, key); next >= 0)
    m_document->selection().selectNode({m_version, graph(), next});
}

void CanvasPane::keyPressEvent(QKeyEvent* event) {
  switch (event->key()) {
    case Qt::Key_Up:
    case Qt::Key_Down:
    case Qt::Key_Left:
    case Qt::Key_Right:
      return moveSelection(event->key());
    case Qt::Key_Return:
    case Qt::Key_Enter:
      if (const int item = currentItem(); item >= 0 && event->modifiers() == Qt::NoModifier) return activate(item);
      break;
    case Qt::Key_Plus:
      if (event->modifiers() == Qt::NoModifier || event->modifiers() == Qt::ShiftModifier ||
          event->modifiers() == Qt::KeypadModifier)
        return unfoldSelected();
      break;
    case Qt::Key_Minus:
      if (event->modifiers() == Qt::NoModifier || event->modifiers() == Qt::KeypadModifier) return foldSelected();
      break;
    case Qt::Key_Backspace:
      if (event->modifiers() == Qt::NoModifier) return leaveGraph();
      break;
    case Qt::Key_Escape:
      if (m_document->playhead().escape()) return;
      if (ReadingController& reading = ReadingController::of(m_document); !reading.reach().empty())
        return reading.setReach({});  // first the highlighting, then the selection
      return m_document->selection().clear();
    default:
      break;
  }
  QWidget::keyPressEvent(event);
}

}  // namespace cutaway::ui
