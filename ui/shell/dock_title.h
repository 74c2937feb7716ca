#pragma once
// The head of a dock: icon, title, and for tools a button that closes it. Dragging it moves the dock.
//
// Thread rule: GUI thread. Example: auto* title = new DockTitle(themes, true);  title->setText(tr("Tensor"));
// dock->setTitleBarWidget(title);

#include <QWidget>

class QLabel;
class QToolButton;

namespace cutaway::ui {

class NoteLabel;
class ThemeStore;

class DockTitle : public QWidget {
  Q_OBJECT
 public:
  DockTitle(ThemeStore* themes, bool closable, QWidget* parent = nullptr);
  void setIcon(const QString& name);  // of resources/icons; empty: none
  void setText(const QString& words);
  void setNote(const QString& words, const QString& toolTip = {});  // right of the title; gives way first

 signals:
  void closeRequested();

 private:
  void paintIcon();

  ThemeStore* m_themes;
  QString m_iconName;
  QLabel* m_icon;
  QLabel* m_title;
  NoteLabel* m_note;
  QToolButton* m_close = nullptr;
};

}  // namespace cutaway::ui
