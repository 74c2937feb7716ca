// The window itself: arrangement, theme, full screen, tabs.
#include "ui/base/view_state.h"
#include "ui/shell/command.h"
#include "ui/shell/main_window.h"
#include "ui/shell/page_tabs.h"

namespace cutaway::ui {
namespace {

const QString kThemeKey = QStringLiteral("window/theme");

Command theme(MainWindow& window, const QString& id, const QString& title, ThemeMode mode) {
  return {.id = QStringLiteral("view.theme.") + id,
          .menu = Menu::kView,
          .section = QStringLiteral("window"),
          .submenu = MainWindow::tr("&Theme"),
          .title = title,
          .act =
              [&window, mode] {
                window.themes()->setMode(mode);
                window.viewState()->put(kThemeKey, static_cast<int>(mode));
              },
          .checked = [&window, mode] { return window.themes()->mode() == mode; },
          .needsPage = false};
}

}  // namespace

std::vector<Command> commands_window(MainWindow& window) {
  const auto manyTabs = [&window] { return window.pageCount() > 1; };
  return {{.id = QStringLiteral("view.resetLayout"), .menu = Menu::kView, .section = QStringLiteral("window"), .title = MainWindow::tr("&Reset arrangement"), .act = [&window] { window.arrangeDocks(); }},
          {.id = QStringLiteral("view.fullScreen"), .menu = Menu::kView, .section = QStringLiteral("window"), .title = MainWindow::tr("F&ull screen"), .keys = QStringLiteral("F11"),
           .act = [&window] { window.setWindowState(window.windowState() ^ Qt::WindowFullScreen); }, .checked = [&window] { return window.isFullScreen(); }, .needsPage = false},
          theme(window, QStringLiteral("system"), MainWindow::tr("As the &system"), ThemeMode::kSystem),
          theme(window, QStringLiteral("light"), MainWindow::tr("&Light"), ThemeMode::kLight),
          theme(window, QStringLiteral("dark"), MainWindow::tr("&Dark"), ThemeMode::kDark),
          {.id = QStringLiteral("go.nextTab"), .menu = Menu::kGo, .section = QStringLiteral("tabs"), .title = MainWindow::tr("&Next model"), .keys = QStringLiteral("Ctrl+Tab; Ctrl+PgDown"),
           .act = [&window] { window.tabs()->step(1); }, .enabled = manyTabs},
          {.id = QStringLiteral("go.previousTab"), .menu = Menu::kGo, .section = QStringLiteral("tabs"), .title = MainWindow::tr("&Previous model"), .keys = QStringLiteral("Ctrl+Shift+Tab; Ctrl+PgUp"),
           .act = [&window] { window.tabs()->step(-1); }, .enabled = manyTabs}};
}

}  // namespace cutaway::ui
