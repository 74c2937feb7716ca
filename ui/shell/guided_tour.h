#pragma once
// A short tour of the window: seven places pointed at one after the other. Esc or Skip ends it at any time.
//
// Thread rule: GUI thread. Example: auto* tour = new GuidedTour(window);  tour->start();

#include <functional>
#include <vector>

#include <QFrame>
#include <QPointer>

class QLabel;
class QPushButton;

namespace cutaway::ui {

class MainWindow;

inline constexpr const char* kTourSeenKey = "tour/seen";

class GuidedTour : public QWidget {
  Q_OBJECT
 public:
  explicit GuidedTour(MainWindow* window);
  void start();
  int step() const { return m_step; }
  int steps() const { return static_cast<int>(m_stops.size()); }
  QRect target() const;  // of the present step, in the window

 protected:
  void paintEvent(QPaintEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  bool eventFilter(QObject* object, QEvent* event) override;

 private:
  struct Stop {
    QString title, words;
    std::function<QWidget*()> target;
  };
  void go(int step);
  void place();
  void end();

  MainWindow* m_window;
  std::vector<Stop> m_stops;
  int m_step = 0;
  QPointer<QWidget> m_before;
  QFrame* m_card;
  QLabel* m_title;
  QLabel* m_words;
  QLabel* m_count;
  QPushButton* m_back;
  QPushButton* m_next;
  QPushButton* m_skip;
};

// With a sample where nothing is open.
void startTour(MainWindow& window);
// Before anything was ever opened: the tour.
void greet(MainWindow& window);

}  // namespace cutaway::ui
