// Help.
#include "ui/shell/command.h"
#include "ui/shell/command_palette.h"
#include "ui/shell/guided_tour.h"
#include "ui/shell/main_window.h"
#include "ui/shell/shortcut_sheet.h"

namespace cutaway::ui {

std::vector<Command> commands_help(MainWindow& window) {
  auto* palette = new CommandPalette(&window);
  return {{.id = QStringLiteral("help.palette"),
           .menu = Menu::kHelp,
           .section = QStringLiteral("keys"),
           .title = MainWindow::tr("&Command palette \u2026"),
           .keys = QStringLiteral("Ctrl+Shift+P"),
           .help = MainWindow::tr("Finds everything the window can do."),
           .act = [palette] { palette->open(); },
           .needsPage = false},
          {.id = QStringLiteral("help.shortcuts"),
           .menu = Menu::kHelp,
           .section = QStringLiteral("keys"),
           .title = MainWindow::tr("&Keyboard shortcuts"),
           .keys = QStringLiteral("?"),
           .act = [&window] { ShortcutSheet(&window).exec(); },
           .needsPage = false},
          {.id = QStringLiteral("help.tour"),
           .menu = Menu::kHelp,
           .section = QStringLiteral("learn"),
           .title = MainWindow::tr("&Tour of the window"),
           .help = MainWindow::tr("Shows the seven main areas of the window, one after the other."),
           .act = [&window] { startTour(window); },
           .needsPage = false}};
}

}  // namespace cutaway::ui
