#pragma once
// The commands of the window as menus and keys. Whether an entry can be used is asked when its menu opens and again
// when its key is pressed.
//
// Thread rule: GUI thread.
// Example: auto* menus = new CommandMenus(window, menuBar);  menus->fill(allCommands(*window));
// menus->run("file.open");

#include <array>
#include <vector>

#include <QHash>
#include <QObject>

#include "ui/shell/command.h"

class QAction;
class QMenu;
class QMenuBar;

namespace cutaway::ui {

// Every group that was built in, in the order of the folder's list.
std::vector<Command> allCommands(MainWindow& window);

class CommandMenus : public QObject {
  Q_OBJECT
 public:
  CommandMenus(MainWindow* window, QMenuBar* bar);

  void fill(std::vector<Command> commands);  // once
  const std::vector<Command>& commands() const { return m_commands; }
  const Command* find(const QString& id) const;
  QAction* action(const QString& id) const { return m_actions.value(id); }

  bool usable(const Command& command) const;
  static QString plain(QString title);             // without the mark of its letter
  static QString titleOf(const Command& command);  // as it is now, plain; empty: not now
  static QString keysOf(const Command& command);   // as this system writes them, those of the canvas too
  bool run(const QString& id);                     // false: there is no such command, or it cannot be used now
  void refresh();                                  // another page, or none

 signals:
  void ran(const QString& id);

 private:
  void addToMenu(const Command& command, QAction* action);
  void ask(QMenu* menu, bool open);

  MainWindow* m_window;
  std::vector<Command> m_commands;
  QHash<QString, QAction*> m_actions;
  std::array<QMenu*, kMenuCount> m_menus{};
  QHash<QString, QMenu*> m_submenus;
};

}  // namespace cutaway::ui
