#include "ui/canvas/view/graph_accessible.h"

#include <algorithm>

#include <QPointer>

#include "ui/base/format.h"
#include "ui/canvas/scene_tips.h"
#include "ui/canvas/view/graph_view.h"

namespace cutaway::ui {
namespace {

// One item of the scene.
class ItemAccessible : public QAccessibleInterface, public QAccessibleActionInterface {
  Q_DECLARE_TR_FUNCTIONS(cutaway::ui::ItemAccessible)  // Qt's own tr() would look for these words in Qt's context
 public:
  ItemAccessible(GraphView* view, std::weak_ptr<const Scene> scene, int item)
      : m_view(view), m_scene(std::move(scene)), m_item(item) {}

  int item() const { return m_item; }
  bool isValid() const override { return m_view && m_scene.lock() && m_scene.lock().get() == m_view->scene(); }
  QObject* object() const override { return nullptr; }
  QWindow* window() const override { return m_view ? m_view->window()->windowHandle() : nullptr; }
  QAccessibleInterface* parent() const override {
    return m_view ? QAccessible::queryAccessibleInterface(m_view) : nullptr;
  }
  QAccessibleInterface* child(int) const override { return nullptr; }
  QAccessibleInterface* childAt(int, int) const override { return nullptr; }
  int childCount() const override { return 0; }
  int indexOfChild(const QAccessibleInterface*) const override { return -1; }
  void setText(QAccessible::Text, const QString&) override {}

  QRect rect() const override {
    if (!isValid()) return {};
    const QRect shown = m_view->transform().toScreen(shape().rect).toRect();
    return {m_view->mapToGlobal(shown.topLeft()), shown.size()};
  }
  QAccessible::Role role() const override {
    return isValid() && shape().kind == ItemKind::kFolded ? QAccessible::Grouping : QAccessible::ListItem;
  }
  QAccessible::State state() const override {
    QAccessible::State state;
    if (!isValid()) {
      state.invalid = true;
      return state;
    }
    const auto& selected = m_view->look().selected;
    state.selectable = state.focusable = true;
    state.selected = std::find(selected.begin(), selected.end(), m_item) != selected.end();
    state.focused = state.selected && m_view->hasFocus();
    state.expandable = state.collapsed = shape().kind == ItemKind::kFolded || shape().card > 0;
    state.expanded = shape().kind == ItemKind::kHeader;
    state.offscreen = !m_view->rect().intersects(m_view->transform().toScreen(shape().rect).toRect());
    return state;
  }
  QString text(QAccessible::Text kind) const override {
    if (!isValid()) return {};
    return kind == QAccessible::Name          ? name()
           : kind == QAccessible::Description ? itemTip(*m_view->scene(), m_view->look(), m_item)
                                              : QString();
  }

  void* interface_cast(QAccessible::InterfaceType type) override {
    return type == QAccessible::ActionInterface ? static_cast<QAccessibleActionInterface*>(this) : nullptr;
  }
  QStringList actionNames() const override { return {pressAction(), toggleAction(), showMenuAction()}; }
  QString localizedActionDescription(const QString& action) const override {
    return action == pressAction()    ? tr("Selects it")
           : action == toggleAction() ? tr("Unfolds it, or enters its body")
                                      : tr("Opens its menu");
  }
  QStringList keyBindingsForAction(const QString&) const override { return {}; }
  void doAction(const QString& action) override {
    if (!isValid()) return;
    m_view->reveal(shape().rect);
    if (action == pressAction() || action == setFocusAction()) {
      m_view->setFocus();
      emit m_view->itemClicked(m_item, Qt::NoModifier);
    } else if (action == toggleAction()) {
      emit m_view->itemActivated(m_item);
    } else if (action == showMenuAction()) {
      emit m_view->menuRequested(m_item, rect().center());
    }
  }

 private:
  const SceneItem& shape() const { return m_view->scene()->items[static_cast<size_t>(m_item)]; }
  QString name() const {
    const Scene& scene = *m_view->scene();
    const GraphReport& graph = scene.reportOf(shape());
    switch (shape().kind) {
      case ItemKind::kFolded: {
        const Scope& scope = scene.scopes->scopes[static_cast<size_t>(shape().index)];
        return tr("Group %1, %2 nodes").arg(scope.title).arg(scope.nodeCount);
      }
      case ItemKind::kInput:
        return tr("Input %1").arg(ui::text(graph.values[static_cast<size_t>(shape().index)].name));
      case ItemKind::kOutput:
        return tr("Output %1").arg(ui::text(graph.values[static_cast<size_t>(shape().index)].name));
      default:
        return operatorText(scene.nodeOf(shape())) + QLatin1Char(' ') + ui::text(scene.nodeOf(shape()).name);
    }
  }

  QPointer<GraphView> m_view;
  std::weak_ptr<const Scene> m_scene;
  int m_item;
};

QAccessibleInterface* make(const QString&, QObject* object) {
  auto* view = qobject_cast<GraphView*>(object);
  return view ? new GraphAccessible(view) : nullptr;
}

}  // namespace

GraphAccessible::GraphAccessible(GraphView* view) : QAccessibleWidget(view, QAccessible::List) {}

GraphAccessible::~GraphAccessible() {
  forget();
}

void GraphAccessible::install() {
  static const bool installed = (QAccessible::installFactory(make), true);
  Q_UNUSED(installed);
}

void GraphAccessible::selectionChanged(GraphView* view) {
  if (!QAccessible::isActive() || view->look().selected.empty()) return;
  QAccessibleEvent event(view, QAccessible::Focus);
  event.setChild(view->look().selected.front());
  QAccessible::updateAccessibility(&event);
}

GraphView* GraphAccessible::view() const {
  return static_cast<GraphView*>(widget());
}

void GraphAccessible::forget() const {
  for (const QAccessible::Id id : m_children)
    if (id != 0) QAccessible::deleteAccessibleInterface(id);
  m_children.clear();
}

int GraphAccessible::childCount() const {
  return view() && view()->scene() ? static_cast<int>(view()->scene()->items.size()) : 0;
}

QAccessibleInterface* GraphAccessible::child(int index) const {
  if (index < 0 || index >= childCount()) return nullptr;
  const std::shared_ptr<const Scene> scene = view()->sharedScene();
  if (m_scene.lock() != scene) {
    forget();
    m_scene = scene;
    m_children.assign(scene->items.size(), 0);
  }
  QAccessible::Id& id = m_children[static_cast<size_t>(index)];
  if (id == 0) id = QAccessible::registerAccessibleInterface(new ItemAccessible(view(), scene, index));
  return QAccessible::accessibleInterface(id);
}

int GraphAccessible::indexOfChild(const QAccessibleInterface* child) const {
  const auto* item = dynamic_cast<const ItemAccessible*>(child);
  return item && item->isValid() ? item->item() : -1;
}

QAccessibleInterface* GraphAccessible::childAt(int x, int y) const {
  if (!view() || !view()->scene()) return nullptr;
  return child(view()->scene()->itemAt(view()->transform().toScene(QPointF(view()->mapFromGlobal(QPoint(x, y))))));
}

QAccessibleInterface* GraphAccessible::focusChild() const {
  return view() && !view()->look().selected.empty() ? child(view()->look().selected.front()) : nullptr;
}

QString GraphAccessible::text(QAccessible::Text kind) const {
  if (!view() || !view()->scene()) return QAccessibleWidget::text(kind);
  const Scene& scene = *view()->scene();
  if (kind == QAccessible::Name) return tr("Graph %1").arg(ui::text(scene.report().name));
  if (kind == QAccessible::Description)
    return tr("%1 nodes, shown as %2 items. Arrow keys go from node to node, Enter unfolds or enters, Escape clears "
              "the selection.")
        .arg(scene.report().nodes.size())
        .arg(scene.items.size());
  return QAccessibleWidget::text(kind);
}

QAccessible::State GraphAccessible::state() const {
  QAccessible::State state = QAccessibleWidget::state();
  state.multiSelectable = true;
  return state;
}

}  // namespace cutaway::ui
