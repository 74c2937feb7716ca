// The window itself: arrangement, theme, full screen, tabs.
#include <QInputDialog>

#include "ui/base/view_state.h"
#include "ui/shell/command.h"
#include "ui/shell/main_window.h"
#include "ui/shell/page_tabs.h"
#include "ui/shell/settings_dialog.h"

namespace cutaway::ui {
namespace {

Command theme(MainWindow& window, const QString& id, const QString& title, ThemeMode mode) {
  return {.id = QStringLiteral("view.theme.") + id,
          .menu = Menu::kView,
          .section = QStringLiteral("window"),
          .submenu = MainWindow::tr("&Theme"),
          .title = title,
          .act =
              [&window, mode] {
                window.themes()->setMode(mode);
                window.viewState()->put(QLatin1String(kThemeKey), static_cast<int>(mode));
              },
          .checked = [&window, mode] { return window.themes()->mode() == mode; },
          .needsPage = false};
}

const QString kLayouts = QStringLiteral("layouts");
constexpr int kMostLayouts = 9;

void saveLayout(MainWindow& window) {
  bool ok = false;
  const QString name = QInputDialog::getText(&window, MainWindow::tr("Save arrangement"),
                                             MainWindow::tr("Name of the arrangement:"), QLineEdit::Normal, {}, &ok)
                           .trimmed()
                           .replace(QLatin1Char('/'), QLatin1Char('-'));
  if (!ok || name.isEmpty()) return;
  const QStringList names = window.viewState()->childKeys(kLayouts);
  if (!names.contains(name) && names.size() >= kMostLayouts)
    return window.message(MainWindow::tr("There are %1 arrangements already; delete one first.").arg(kMostLayouts));
  window.viewState()->put(kLayouts + QLatin1Char('/') + name, window.arrangement());
  window.message(MainWindow::tr("Arrangement saved: %1").arg(name));
}

void forgetLayout(MainWindow& window) {
  bool ok = false;
  const QString name =
      QInputDialog::getItem(&window, MainWindow::tr("Delete an arrangement"), MainWindow::tr("Arrangement:"),
                            window.viewState()->childKeys(kLayouts), 0, false, &ok);
  if (ok) window.viewState()->remove(kLayouts + QLatin1Char('/') + name);
}

void addLayouts(MainWindow& window, std::vector<Command>& all) {
  const QString submenu = MainWindow::tr("Arrange&ments"), section = QStringLiteral("window");
  all.push_back({.id = QStringLiteral("view.layout.reset"),
                 .menu = Menu::kView,
                 .section = section,
                 .submenu = submenu,
                 .title = MainWindow::tr("&Reset arrangement"),
                 .help = MainWindow::tr("Restores the default arrangement of the docks."),
                 .act = [&window] { window.arrangeDocks(); }});
  all.push_back({.id = QStringLiteral("view.layout.save"),
                 .menu = Menu::kView,
                 .section = section,
                 .submenu = submenu,
                 .title = MainWindow::tr("&Save arrangement \u2026"),
                 .act = [&window] { saveLayout(window); }});
  all.push_back({.id = QStringLiteral("view.layout.forget"),
                 .menu = Menu::kView,
                 .section = section,
                 .submenu = submenu,
                 .title = MainWindow::tr("&Delete an arrangement \u2026"),
                 .act = [&window] { forgetLayout(window); },
                 .enabled = [&window] { return !window.viewState()->childKeys(kLayouts).isEmpty(); }});
  for (int i = 0; i < kMostLayouts; ++i) {
    const auto name = [&window, i] { return window.viewState()->childKeys(kLayouts).value(i); };
    all.push_back({.id = QStringLiteral("view.layout.%1").arg(i + 1),
                   .menu = Menu::kView,
                   .section = section,
                   .submenu = submenu,
                   .title = MainWindow::tr("Arrangement %1").arg(i + 1),
                   .act =
                       [&window, name] {
                         window.restoreArrangement(
                             window.viewState()->get(kLayouts + QLatin1Char('/') + name()).toByteArray());
                       },
                   .liveTitle = [name] { return name().replace(QLatin1Char('&'), QLatin1String("&&")); }});
  }
}

}  // namespace

std::vector<Command> commands_window(MainWindow& window) {
  const auto manyTabs = [&window] { return window.pageCount() > 1; };
  std::vector<Command> all = {
      {.id = QStringLiteral("view.fullScreen"),
       .menu = Menu::kView,
       .section = QStringLiteral("window"),
       .title = MainWindow::tr("F&ull screen"),
       .keys = QStringLiteral("F11"),
       .act = [&window] { window.setWindowState(window.windowState() ^ Qt::WindowFullScreen); },
       .checked = [&window] { return window.isFullScreen(); },
       .needsPage = false},
      theme(window, QStringLiteral("system"), MainWindow::tr("As the &system"), ThemeMode::kSystem),
      theme(window, QStringLiteral("light"), MainWindow::tr("&Light"), ThemeMode::kLight),
      theme(window, QStringLiteral("dark"), MainWindow::tr("&Dark"), ThemeMode::kDark),
      {.id = QStringLiteral("go.nextTab"),
       .menu = Menu::kGo,
       .section = QStringLiteral("tabs"),
       .title = MainWindow::tr("&Next model"),
       .keys = QStringLiteral("Ctrl+Tab; Ctrl+PgDown"),
       .act = [&window] { window.tabs()->step(1); },
       .enabled = manyTabs,
       .needsPage = false},
      {.id = QStringLiteral("go.previousTab"),
       .menu = Menu::kGo,
       .section = QStringLiteral("tabs"),
       .title = MainWindow::tr("&Previous model"),
       .keys = QStringLiteral("Ctrl+Shift+Tab; Ctrl+PgUp"),
       .act = [&window] { window.tabs()->step(-1); },
       .enabled = manyTabs,
       .needsPage = false},
      {.id = QStringLiteral("edit.settings"),
       .menu = Menu::kEdit,
       .section = QStringLiteral("settings"),
       .title = MainWindow::tr("&Settings \u2026"),
       .keys = QStringLiteral("Ctrl+,"),
       .help = MainWindow::tr("Theme, language, size of text, motion, wheel, direction, grouping, defaults of models."),
       .act = [&window] { SettingsDialog(&window).exec(); },
       .needsPage = false}};
  addLayouts(window, all);
  return all;
}

}  // namespace cutaway::ui
