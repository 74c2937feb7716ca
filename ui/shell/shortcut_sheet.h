#pragma once
// The sheet of keys: every command that has one, by menu, searchable and printable.
//
// Thread rule: GUI thread. Example: ShortcutSheet sheet(window);  sheet.exec();

#include <QDialog>

class QLineEdit;
class QTextDocument;
class QTreeWidget;

namespace cutaway::ui {

class MainWindow;

class ShortcutSheet : public QDialog {
  Q_OBJECT
 public:
  explicit ShortcutSheet(MainWindow* window);
  QLineEdit* line() { return m_line; }
  QTreeWidget* list() { return m_list; }
  QString html() const;  // what is printed

 private:
  void fill();
  void filter(const QString& words);
  void print();

  MainWindow* m_window;
  QLineEdit* m_line;
  QTreeWidget* m_list;
};

}  // namespace cutaway::ui
