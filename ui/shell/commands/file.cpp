// Opening, closing, leaving.
#include <QDir>
#include <QFileInfo>

#include "ui/base/format.h"
#include "ui/base/view_state.h"
#include "ui/shell/command.h"
#include "ui/shell/document_page.h"
#include "ui/shell/main_window.h"
#include "ui/shell/session_keeper.h"

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
  all.push_back({.id = QStringLiteral("session.save"),
                 .menu = Menu::kFile,
                 .section = session,
                 .title = MainWindow::tr("&Save session"),
                 .keys = QStringLiteral("Ctrl+S"),
                 .act = [&window] { window.session()->save(); }});
  all.push_back({.id = QStringLiteral("session.saveAs"),
                 .menu = Menu::kFile,
                 .section = session,
                 .title = MainWindow::tr("Save session &as \u2026"),
                 .keys = QStringLiteral("Ctrl+Shift+S"),
                 .act = [&window] { window.session()->saveAs(); }});
  all.push_back({.id = QStringLiteral("file.close"),
                 .menu = Menu::kFile,
                 .section = QStringLiteral("end"),
                 .title = MainWindow::tr("Cl&ose"),
                 .keys = QStringLiteral("Ctrl+W; Ctrl+F4"),
                 .act = [&window] { window.closePage(window.currentPage()); }});
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
