// Going round the areas of the window by key.
#include <vector>

#include <QApplication>
#include <QDockWidget>
#include <QMenuBar>
#include <QWidget>

#include "ui/canvas/view/canvas_pane.h"
#include "ui/canvas/view/graph_view.h"
#include "ui/shell/command.h"
#include "ui/shell/document_page.h"
#include "ui/shell/main_window.h"
#include "ui/shell/stage_ribbon.h"

namespace cutaway::ui {
namespace {

// The first widget inside, the area itself included, that takes the focus by Tab.
QWidget* firstFocusable(QWidget* area) {
  if (!area) return nullptr;
  if (area->focusPolicy() & Qt::TabFocus) return area;
  for (QWidget* each = area->nextInFocusChain(); each && each != area; each = each->nextInFocusChain())
    if (area->isAncestorOf(each) && (each->focusPolicy() & Qt::TabFocus) && each->isVisibleTo(area) &&
        each->isEnabled())
      return each;
  return nullptr;
}

// Areas that can be seen, from top left to bottom right.
std::vector<QWidget*> areas(MainWindow& window) {
  std::vector<QWidget*> all = {window.ribbon()};
  if (DocumentPage* page = window.currentPage()) all.push_back(page->canvas()->view());
  for (auto* dock : window.findChildren<QDockWidget*>())
    if (dock->isVisible() && dock->widget() && !dock->visibleRegion().isEmpty()) all.push_back(dock->widget());
  return all;
}

void step(MainWindow& window, int by) {
  const std::vector<QWidget*> all = areas(window);
  const QWidget* focus = QApplication::focusWidget();
  int now = by > 0 ? -1 : 0;
  for (size_t i = 0; i < all.size() && focus; ++i)
    if (all[i] == focus || all[i]->isAncestorOf(focus)) now = static_cast<int>(i);
  const int count = static_cast<int>(all.size());
  for (int tried = 1; tried <= count; ++tried) {
    QWidget* target = firstFocusable(all[static_cast<size_t>(((now + by * tried) % count + count) % count)]);
    if (!target) continue;
    target->setFocus(by > 0 ? Qt::TabFocusReason : Qt::BacktabFocusReason);
    return;
  }
}

}  // namespace

std::vector<Command> commands_focus(MainWindow& window) {
  const QString section = QStringLiteral("focus");
  return {{.id = QStringLiteral("view.nextArea"),
           .menu = Menu::kView,
           .section = section,
           .title = MainWindow::tr("Next &area"),
           .keys = QStringLiteral("F6"),
           .help = MainWindow::tr("Stages, graph, panels: the keyboard goes from one to the next."),
           .act = [&window] { step(window, 1); }},
          {.id = QStringLiteral("view.previousArea"),
           .menu = Menu::kView,
           .section = section,
           .title = MainWindow::tr("Previous area"),
           .keys = QStringLiteral("Shift+F6"),
           .act = [&window] { step(window, -1); }}};
}

}  // namespace cutaway::ui
