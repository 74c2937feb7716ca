// Opening, closing, leaving.
#include <QDir>
#include <QFileInfo>

#include "ui/base/format.h"
#include "ui/base/view_state.h"
#include "ui/document/document.h"
#include "ui/panels/panel_actions.h"
#include "ui/shell/command.h"
#include "ui/shell/document_page.h"
#include "ui/shell/main_window.h"
#include "ui/shell/page_tabs.h"
#include "ui/shell/session_keeper.h"
#include "ui/shell/tool_docks.h"

namespace cutaway::ui {
namespace {

constexpr int kRecentKeys = 9;

Command recentFile(MainWindow& window, int place) {
  const auto path = [&window, place]() -> QString { return window.viewState()->recentFiles().value(place); };
  return {.id = QStringLiteral("file.recent.%1").arg(place + 1),
          .menu = Menu::kFile,
          .section = QStringLiteral("open"),
          .submenu = MainWindow::tr("Open &recent"),
          .title = MainWindow::tr("Recent file %1").arg(place + 1),
          .keys = QStringLiteral("Ctrl+%1").arg(place + 1),
          .act = [&window, path] { window.openFile(path()); },
          .liveTitle =
              [path] {
                const QString file = path();
                if (file.isEmpty()) return QString();
                const QString title =
                    shortened(QDir::toNativeSeparators(file), 80).replace(QLatin1Char('&'), QLatin1String("&&"));
                return QFileInfo::exists(file) ? title : MainWindow::tr("%1 (missing)").arg(title);
              },
          .needsPage = false};
}

bool hasUnsavedEdits(MainWindow& window) {
  return window.currentPage() && window.currentPage()->document()->edits().unsaved();
}

void saveEdited(MainWindow& window) {
  window.tools()->raise(QStringLiteral("edit"));
  emit window.actions()->saveEditedRequested();
}

std::vector<Command> saving(MainWindow& window) {
  const QString section = QStringLiteral("session");
  return {{.id = QStringLiteral("file.saveEdited"),
           .menu = Menu::kFile,
           .section = section,
           .title = MainWindow::tr("Save edited &model as \u2026"),
           .help = MainWindow::tr("Writes the model with its edits to a file; the file that is open stays as it is."),
           .act = [&window] { saveEdited(window); },
           .enabled = [&window] { return !window.currentPage()->document()->edits().edits().empty(); }},
          {.id = QStringLiteral("session.save"),
           .menu = Menu::kFile,
           .section = section,
           .title = MainWindow::tr("&Save session"),
           .keys = QStringLiteral("Ctrl+S"),
           .help = MainWindow::tr("Where a model has edits that are not saved, the key asks for them first."),
           .act = [&window] { hasUnsavedEdits(window) ? saveEdited(window) : window.session()->save(); },
           .liveTitle =
               [&window] {
                 return hasUnsavedEdits(window) ? MainWindow::tr("&Save edited model \u2026")
                                                : MainWindow::tr("&Save session");
               }},
          {.id = QStringLiteral("session.saveAs"),
           .menu = Menu::kFile,
           .section = section,
           .title = MainWindow::tr("Save session &as \u2026"),
           .keys = QStringLiteral("Ctrl+Shift+S"),
           .act = [&window] { window.session()->saveAs(); }}};
}

}  // namespace

std::vector<Command> commands_file(MainWindow& window) {
  std::vector<Command> all = {
      {.id = QStringLiteral("file.open"),
       .menu = Menu::kFile,
       .section = QStringLiteral("open"),
       .title = MainWindow::tr("&Open \u2026"),
       .keys = QStringLiteral("Ctrl+O"),
       .help = MainWindow::tr("Opens models in tabs of their own; files can be dropped on the window too."),
       .act = [&window] { window.showOpenDialog(); },
       .needsPage = false}};
  for (int i = 0; i < kRecentKeys; ++i)
    all.push_back(recentFile(window, i));
  all.push_back({.id = QStringLiteral("file.reopen"),
                 .menu = Menu::kFile,
                 .section = QStringLiteral("open"),
                 .title = MainWindow::tr("Reopen &closed model"),
                 .keys = QStringLiteral("Ctrl+Shift+T"),
                 .act = [&window] { window.reopenClosed(); },
                 .enabled = [&window] { return window.canReopen(); },
                 .needsPage = false});
  all.push_back({.id = QStringLiteral("file.reload"),
                 .menu = Menu::kFile,
                 .section = QStringLiteral("open"),
                 .title = MainWindow::tr("Re&load"),
                 .keys = QStringLiteral("F5"),
                 .help = MainWindow::tr("Reads the file again and runs all stages."),
                 .act = [&window] { window.currentPage()->reload(); }});
  const QString session = QStringLiteral("session");
  all.push_back(
      {.id = QStringLiteral("session.open"),
       .menu = Menu::kFile,
       .section = session,
       .title = MainWindow::tr("Open s&ession \u2026"),
       .help = MainWindow::tr(
           "A session keeps models with their settings, edits, bookmarks, profile and the arrangement of the window."),
       .act = [&window] { window.session()->openDialog(); },
       .needsPage = false});
  for (Command& command : saving(window))
    all.push_back(std::move(command));
  all.push_back({.id = QStringLiteral("file.close"),
                 .menu = Menu::kFile,
                 .section = QStringLiteral("end"),
                 .title = MainWindow::tr("Cl&ose"),
                 .keys = QStringLiteral("Ctrl+W; Ctrl+F4"),
                 .act = [&window] { window.closeTab(window.tabs()->currentIndex()); },
                 .enabled = [&window] { return window.pageCount() > 0; },
                 .needsPage = false});
  all.push_back({.id = QStringLiteral("file.quit"),
                 .menu = Menu::kFile,
                 .section = QStringLiteral("end"),
                 .title = MainWindow::tr("&Quit"),
                 .keys = QStringLiteral("Ctrl+Q"),
                 .act = [&window] { window.close(); },
                 .needsPage = false});
  return all;
}

}  // namespace cutaway::ui
