#pragma once
// What stands where there is nothing to show: a picture, one line that says why, one that says what to do, and a button
// that does it.
//
// Thread rule: GUI thread.
// Example: auto* empty = new EmptyState(themes);  empty->present({"problems", tr("No problems"), tr("The checker found
// nothing."), {}});

#include <QWidget>

class QLabel;
class QPushButton;

namespace cutaway::ui {

class ThemeStore;

class EmptyState : public QWidget {
  Q_OBJECT
 public:
  struct Words {
    QString icon;  // of resources/icons; empty: none
    QString title;
    QString text;    // empty: none
    QString action;  // of the button; empty: none
  };
  explicit EmptyState(ThemeStore* themes, QWidget* parent = nullptr);
  void present(const Words& words);
  QString title() const;
  QPushButton* button() { return m_button; }

 signals:
  void actionRequested();

 private:
  void paint();

  ThemeStore* m_themes;
  QString m_iconName;
  QLabel* m_icon;
  QLabel* m_title;
  QLabel* m_text;
  QPushButton* m_button;
};

}  // namespace cutaway::ui
