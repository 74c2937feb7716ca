#pragma once
// One line that finds everything the window can do: commands, stages, panels, overlays, recent files, bookmarks. By
// keyboard alone.
//
// Thread rule: GUI thread. Example: palette->open();  palette->line()->setText("fit");  Return runs what is chosen, Esc
// closes.

#include <vector>

#include <QFrame>

#include "ui/shell/command.h"

class QLabel;
class QLineEdit;
class QListWidget;

namespace cutaway::ui {

class MainWindow;

class CommandPalette : public QFrame {
  Q_OBJECT
 public:
  explicit CommandPalette(MainWindow* window);

  void open();
  QLineEdit* line() { return m_line; }
  QListWidget* list() { return m_list; }

 protected:
  bool eventFilter(QObject* object, QEvent* event) override;

 private:
  void place();
  void fill();
  void close();
  void runChosen();
  void step(int by);
  void remember(const QString& id);
  QString whereOf(const Command& command) const;

  MainWindow* m_window;
  QLineEdit* m_line;
  QListWidget* m_list;
  QLabel* m_empty;
  QWidget* m_before = nullptr;  // had the focus
};

}  // namespace cutaway::ui
