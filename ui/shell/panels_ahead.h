#pragma once
// Makes the panels of stages that were not looked at yet while the user rests, so that the first look at a stage waits
// for its figures alone: one panel, or a few milliseconds of dressing, between two turns of the event loop.
//
// A window that has none makes each panel when its stage is first chosen. Thread rule: GUI thread. Example:
// new PanelsAhead(&window);   // belongs to the window

#include <deque>

#include <QBasicTimer>
#include <QObject>
#include <QPointer>

namespace cutaway::ui {

class MainWindow;

class PanelsAhead : public QObject {
  Q_OBJECT
 public:
  explicit PanelsAhead(MainWindow* window);

  // Nothing is left to make for the page that is shown.
  bool complete() const { return !m_timer.isActive(); }

 protected:
  bool eventFilter(QObject* object, QEvent* event) override;
  void timerEvent(QTimerEvent* event) override;

 private:
  void rest();  // from now on
  void dressPortion();

  MainWindow* m_window;
  QBasicTimer m_timer;
  std::deque<QPointer<QWidget>> m_undressed;  // parents before children
};

}  // namespace cutaway::ui
