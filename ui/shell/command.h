#pragma once
// What the window can be asked to do: entries of menus and of the command palette, with their keys.
//
// Commands live in ui/shell/commands/<group>.cpp, a unit that defines `std::vector<Command>
// commands_<group>(MainWindow& window)` in namespace cutaway::ui and is named in that folder's CMakeLists. Menus,
// palette and the sheet of shortcuts are made of the same list, so nothing is told twice. The function is called once,
// when the window is complete: a group may also connect to window.actions() there (compareRequested, exportRequested),
// or to window.pageOpened. Thread rule: GUI thread. Example:
//   std::vector<Command> commands_bookmarks(MainWindow& window) {
//     return {{.id = "bookmark.next", .menu = Menu::kGo, .title = QObject::tr("Next bookmark"), .keys = "B", .act =
//     [&window] { ... }}};
//   }

#include <functional>
#include <vector>

#include <QString>

namespace cutaway::ui {

class MainWindow;

enum class Menu { kFile, kEdit, kView, kGo, kModel, kHelp };
inline constexpr int kMenuCount = 6;

struct Command {
  QString id;  // "file.open": stable, for tests and settings
  Menu menu = Menu::kFile;
  QString section = {};  // entries of one section stand together; another section begins after a line
  QString submenu = {};  // title of a menu inside, empty: none
  QString title;         // "Open ...", with & for its letter
  QString keys = {};     // portable text: "Ctrl+Shift+E"; several are divided by "; "
  QString canvasKeys =
      {};             // answered by the canvas itself while it has the focus, or made with the mouse: told, not bound
  QString help = {};  // one sentence, for the palette and the status line
  std::function<void()> act = {};  // empty: only the sheet of shortcuts tells of it
  std::function<bool()> enabled =
      {};  // asked when a menu or the palette opens and when the page changes; empty: always
  std::function<bool()> checked = {};  // an entry with a tick
  std::function<QString()> liveTitle =
      {};                 // instead of the title whenever it is shown; an empty answer hides the entry
  bool needsPage = true;  // only with an open model
  bool inMenu = true;     // false: palette and keys only
};

}  // namespace cutaway::ui
