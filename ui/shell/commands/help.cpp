// Help.
#include "ui/shell/command.h"
#include "ui/shell/main_window.h"
#include "ui/shell/shortcut_sheet.h"

namespace cutaway::ui {

std::vector<Command> commands_help(MainWindow& window) {
  return {{.id = QStringLiteral("help.shortcuts"), .menu = Menu::kHelp, .section = QStringLiteral("keys"), .title = MainWindow::tr("&Keyboard shortcuts"), .keys = QStringLiteral("?"),
           .act = [&window] { ShortcutSheet(&window).exec(); }, .needsPage = false}};
}

}  // namespace cutaway::ui
