#include "ui/shell/command_menus.h"

#include <QKeySequence>
#include <QMenu>
#include <QMenuBar>

#include "ui/shell/main_window.h"

namespace cutaway::ui {

#define CUTAWAY_UNIT(name) std::vector<Command> commands_##name(MainWindow& window);
#include "commands_table.inc"
#undef CUTAWAY_UNIT

std::vector<Command> allCommands(MainWindow& window) {
  std::vector<Command> all;
  const auto add = [&all](std::vector<Command> group) {
    for (Command& command : group)
      all.push_back(std::move(command));
  };
#define CUTAWAY_UNIT(name) add(commands_##name(window));
#include "commands_table.inc"
#undef CUTAWAY_UNIT
  return all;
}

CommandMenus::CommandMenus(MainWindow* window, QMenuBar* bar) : QObject(window), m_window(window) {
  const QString titles[kMenuCount] = {tr("&File"), tr("&Edit"), tr("&View"), tr("&Go"), tr("&Model"), tr("&Help")};
  for (int i = 0; i < kMenuCount; ++i) {
    m_menus[i] = bar->addMenu(titles[i]);
    connect(m_menus[i], &QMenu::aboutToShow, this, [this, i] { ask(m_menus[i], true); });
    connect(m_menus[i], &QMenu::aboutToHide, this, [this, i] { ask(m_menus[i], false); });
  }
}

void CommandMenus::fill(std::vector<Command> commands) {
  m_commands = std::move(commands);
  for (const Command& command : m_commands) {
    if (!command.act) continue;
    auto* action = new QAction(command.title, m_window);
    action->setObjectName(command.id);
    action->setStatusTip(command.help);
    action->setCheckable(static_cast<bool>(command.checked));
    QList<QKeySequence> keys;
    for (const QString& each : command.keys.split(QLatin1String("; "), Qt::SkipEmptyParts))
      keys << QKeySequence(each, QKeySequence::PortableText);
    action->setShortcuts(keys);
    connect(action, &QAction::triggered, this, [this, id = command.id] { run(id); });
    m_actions.insert(command.id, action);
    if (!command.inMenu) m_window->addAction(action);
  }
  // Entries of one section stand together, whichever group they come from; sections in the order in which they are
  // first named.
  for (int menu = 0; menu < kMenuCount; ++menu) {
    QStringList sections;
    for (const Command& command : m_commands)
      if (static_cast<int>(command.menu) == menu && command.inMenu && command.act &&
          !sections.contains(command.section))
        sections << command.section;
    for (const QString& section : sections) {
      if (section != sections.front()) m_menus[menu]->addSeparator();
      for (const Command& command : m_commands)
        if (static_cast<int>(command.menu) == menu && command.inMenu && command.act && command.section == section)
          addToMenu(command, m_actions[command.id]);
    }
    m_menus[menu]->menuAction()->setVisible(!sections.isEmpty());
  }
  refresh();
}

void CommandMenus::addToMenu(const Command& command, QAction* action) {
  QMenu* menu = m_menus[static_cast<size_t>(command.menu)];
  if (!command.submenu.isEmpty()) {
    QMenu*& inside = m_submenus[QString::number(static_cast<int>(command.menu)) + command.submenu];
    if (!inside) {
      inside = menu->addMenu(command.submenu);
      connect(inside, &QMenu::aboutToShow, this, [this, inside] { ask(inside, true); });
      connect(inside, &QMenu::aboutToHide, this, [this, inside] { ask(inside, false); });
    }
    menu = inside;
  }
  menu->addAction(action);
}

const Command* CommandMenus::find(const QString& id) const {
  for (const Command& command : m_commands)
    if (command.id == id) return &command;
  return nullptr;
}

bool CommandMenus::usable(const Command& command) const {
  if (!command.act || (command.needsPage && !m_window->currentPage())) return false;
  return (!command.enabled || command.enabled()) && (!command.liveTitle || !command.liveTitle().isEmpty());
}

QString CommandMenus::titleOf(const Command& command) {
  return plain(command.liveTitle ? command.liveTitle() : command.title);
}

QString CommandMenus::plain(QString title) {
  title.replace(QLatin1String("&&"), QString(QChar(1)));
  title.remove(QLatin1Char('&'));
  return title.replace(QChar(1), QLatin1Char('&'));
}

QString CommandMenus::keysOf(const Command& command) {
  QStringList all;
  for (const QString& each : command.keys.split(QLatin1String("; "), Qt::SkipEmptyParts))
    all << QKeySequence(each, QKeySequence::PortableText).toString(QKeySequence::NativeText);
  if (!command.canvasKeys.isEmpty()) all << command.canvasKeys;
  return all.join(QStringLiteral("  "));
}

bool CommandMenus::run(const QString& id) {
  const Command* command = find(id);
  if (!command || !usable(*command)) return false;
  command->act();
  emit ran(id);
  return true;
}

// While a menu is open its entries look as they can be used; else keys stay alive and are judged when they are pressed.
void CommandMenus::ask(QMenu* menu, bool open) {
  for (QAction* action : menu->actions()) {
    const Command* command = action->menu() ? nullptr : find(action->objectName());
    if (!command || action->isSeparator()) continue;
    action->setEnabled(open ? usable(*command) : !command->needsPage || m_window->currentPage());
    if (!open) continue;
    if (command->checked) action->setChecked(usable(*command) && command->checked());
    if (command->liveTitle) {
      const QString title = !command->needsPage || m_window->currentPage() ? command->liveTitle() : QString();
      action->setText(title);
      action->setVisible(!title.isEmpty());
    }
  }
}

void CommandMenus::refresh() {
  for (const Command& command : m_commands)
    if (QAction* action = m_actions.value(command.id))
      action->setEnabled(!command.needsPage || m_window->currentPage());
}

}  // namespace cutaway::ui
