// The docks: the stage's panel, the inspector, and every tool.
#include <QDockWidget>

#include "ui/panels/panel_table.h"
#include "ui/shell/command.h"
#include "ui/shell/main_window.h"
#include "ui/shell/tool_docks.h"

namespace cutaway::ui {

std::vector<Command> commands_panels(MainWindow& window) {
  const QString section = QStringLiteral("panels");
  std::vector<Command> all = {
      {.id = QStringLiteral("view.stagePanel"),
       .menu = Menu::kView,
       .section = section,
       .title = MainWindow::tr("&Stage panel"),
       .keys = QStringLiteral("F9"),
       .act = [&window] { window.stageDock()->setVisible(window.stageDock()->isHidden()); },
       .checked = [&window] { return !window.stageDock()->isHidden(); }},
      {.id = QStringLiteral("view.inspector"),
       .menu = Menu::kView,
       .section = section,
       .title = MainWindow::tr("Ins&pector"),
       .keys = QStringLiteral("F8"),
       .help = MainWindow::tr("Everything about what is selected."),
       .act = [&window] { window.inspectorDock()->setVisible(window.inspectorDock()->isHidden()); },
       .checked = [&window] { return !window.inspectorDock()->isHidden(); }}};
  for (const PanelDescriptor* panel : panelTable()) {
    if (panel->area != PanelArea::kTool) continue;
    const QString id = QLatin1String(panel->id);
    all.push_back({.id = QStringLiteral("tool.") + id,
                   .menu = Menu::kView,
                   .section = section,
                   .title = panelTitle(*panel).replace(QLatin1Char('&'), QLatin1String("&&")),
                   .keys = QLatin1String(panel->keys),
                   .act = [&window, id] { window.tools()->toggle(id); },
                   .checked = [&window, id] { return window.tools()->shown(id); }});
  }
  return all;
}

}  // namespace cutaway::ui
