#include "ui/shell/tool_docks.h"

#include <algorithm>

#include <QChildEvent>
#include <QCoreApplication>
#include <QDockWidget>
#include <QMainWindow>
#include <QStackedWidget>
#include <QTabBar>

#include "ui/base/comfort.h"
#include "ui/panels/panel_table.h"
#include "ui/panels/without_figures.h"
#include "ui/shell/dock_title.h"
#include "ui/shell/document_page.h"

namespace cutaway::ui {

QString panelTitle(const PanelDescriptor& panel) {
  return QCoreApplication::translate("Panel", panel.title);
}

ToolDocks::ToolDocks(QMainWindow* window, ThemeStore* themes) : QObject(window), m_window(window) {
  window->installEventFilter(this);
  for (const PanelDescriptor* panel : panelTable()) {
    if (panel->area != PanelArea::kTool) continue;
    auto* dock = new QDockWidget(panelTitle(*panel), window);
    dock->setObjectName(QStringLiteral("tool-") + QLatin1String(panel->id));
    auto* title = new DockTitle(themes, true);
    title->setIcon(QLatin1String(panel->icon));
    title->setText(panelTitle(*panel));
    dock->setTitleBarWidget(title);
    auto* stack = new QStackedWidget;
    stack->setProperty("role", "surface");
    stack->setAttribute(Qt::WA_StyledBackground);
    stack->setMinimumHeight(120);  // not that of its pages: the window keeps its height
    dock->setWidget(stack);
    const Tool tool{panel, dock, stack};
    m_tools.push_back(tool);
    connect(title, &DockTitle::closeRequested, dock, &QWidget::hide);
    connect(dock, &QDockWidget::visibilityChanged, this, [this, tool](bool visible) {
      if (visible) fill(tool);
    });
  }
}

// Tab bars of docks that lie on each other are made and kept by the main window: one that has no tabs at the time is no
// stop for Tab.
bool ToolDocks::eventFilter(QObject* object, QEvent* event) {
  if (object == m_window && event->type() == QEvent::ChildPolished) {
    if (auto* bar = qobject_cast<QTabBar*>(static_cast<QChildEvent*>(event)->child())) bar->installEventFilter(this);
  } else if (event->type() == QEvent::Resize || event->type() == QEvent::Show) {
    if (auto* bar = qobject_cast<QTabBar*>(object)) bar->setFocusPolicy(bar->count() > 0 ? Qt::TabFocus : Qt::NoFocus);
  }
  return QObject::eventFilter(object, event);
}

void ToolDocks::arrange(QDockWidget* beside) {
  auto* below = m_window->findChild<QDockWidget*>(QStringLiteral("stageDock"));
  for (const Tool& tool : m_tools) {
    tool.dock->setFloating(false);
    if (tool.panel->place == ToolPlace::kBeside) {
      m_window->addDockWidget(Qt::RightDockWidgetArea, tool.dock);
      m_window->tabifyDockWidget(beside, tool.dock);
    } else {
      m_window->addDockWidget(Qt::BottomDockWidgetArea, tool.dock);
      if (below) m_window->tabifyDockWidget(below, tool.dock);
      below = tool.dock;
    }
    tool.dock->hide();
  }
}

int heightShare(int share) {
  constexpr int kMost = 54;
  return std::min(kMost, share * (200 + textScale()) / 300);
}

void ToolDocks::fill(const Tool& tool) {
  if (!m_page) return;
  QWidget* panel = m_page->toolPanel(*tool.panel, tool.stack);
  if (tool.stack->indexOf(panel) < 0) tool.stack->addWidget(panel);
  tool.stack->setCurrentWidget(panel);
  if (panel->property(kWithoutFigures).toBool()) static_cast<DockTitle*>(tool.dock->titleBarWidget())->setNote({});
}

void ToolDocks::showPage(DocumentPage* page) {
  m_page = page;
  for (const Tool& tool : m_tools)
    if (tool.dock->isVisible()) fill(tool);
}

QDockWidget* ToolDocks::dock(const QString& id) const {
  for (const Tool& tool : m_tools)
    if (id == QLatin1String(tool.panel->id)) return tool.dock;
  return nullptr;
}

void ToolDocks::raise(const QString& id) {
  QDockWidget* wanted = dock(id);
  if (!wanted || !m_page) return;
  const bool first = wanted->isHidden();
  wanted->show();
  wanted->raise();
  for (const Tool& tool : m_tools) {
    if (tool.dock != wanted) continue;
    const int height = m_window->height() * heightShare(tool.panel->height) / 100;
    if (first && !wanted->isFloating() && m_window->dockWidgetArea(wanted) == Qt::BottomDockWidgetArea &&
        wanted->height() < height * 9 / 10)
      m_window->resizeDocks({wanted}, {height}, Qt::Vertical);
    fill(tool);
  }
}

void ToolDocks::toggle(const QString& id) {
  QDockWidget* wanted = dock(id);
  if (!wanted) return;
  // Behind another one it is open but not seen: it comes to the front then.
  if (!wanted->isHidden() && !wanted->visibleRegion().isEmpty()) return wanted->hide();
  raise(id);
  if (QWidget* panel = static_cast<QStackedWidget*>(wanted->widget())->currentWidget())
    panel->setFocus(Qt::ShortcutFocusReason);
}

bool ToolDocks::shown(const QString& id) const {
  const QDockWidget* wanted = dock(id);
  return wanted && !wanted->isHidden();
}

QStringList ToolDocks::shownTools() const {
  QStringList all;
  for (const Tool& tool : m_tools)
    if (!tool.dock->isHidden()) all << QLatin1String(tool.panel->id);
  return all;
}

}  // namespace cutaway::ui
