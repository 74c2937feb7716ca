#pragma once
// The line to type what is looked for: live count, next and previous, Esc closes.
//
// Thread rule: GUI thread. Example: connect(bar, &FindBar::queryChanged, ...);  bar->setCount(3, 17);

#include <QFrame>

#include "ui/base/find_query.h"

class QLabel;
class QLineEdit;
class QToolButton;

namespace cutaway::ui {

struct Theme;

class FindBar : public QFrame {
  Q_OBJECT
 public:
  explicit FindBar(QWidget* parent = nullptr);
  void open();
  void setTheme(const Theme& theme);
  // current from 0; -1: none chosen. `place`: the graph that the current one is in, unless that is the main graph.
  void setCount(int current, int all, const QString& place = {});
  QLineEdit* line() { return m_line; }

 signals:
  void queryChanged(const cutaway::ui::FindQuery& query);
  void nextRequested();
  void previousRequested();
  void closed();
  void resized();  // its words need more or less room

 protected:
  bool eventFilter(QObject* object, QEvent* event) override;

 private:
  void close();

  QLineEdit* m_line;
  QLabel* m_count;
  QLabel* m_place;
  QToolButton* m_previous;
  QToolButton* m_next;
  QToolButton* m_close;
};

}  // namespace cutaway::ui
