#pragma once
// Where the person is in the execution order: one step, and a range of steps or of measured time, shared by graph,
// tables, charts and timelines.
//
// A step counts in the order of the main graph (ScheduleReport::graphs[0].steps). A range filters: views show what lies
// in it and fade the rest. Marks are steps to come back to. Thread rule: GUI thread. Example:
// document->playhead().setStep(12);  connect(&document->playhead(), &Playhead::changed, this, [this] {
// chart->setCursor(head.step()); });

#include <optional>
#include <vector>

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

namespace cutaway::ui {

class Playhead : public QObject {
  Q_OBJECT
 public:
  explicit Playhead(QObject* parent = nullptr);

  struct Range {
    int first = 0;  // steps, both inside
    int last = 0;
    bool operator==(const Range&) const = default;
    bool contains(int step) const { return step >= first && step <= last; }
  };

  int count() const { return m_count; }  // steps there are; 0: no order yet
  void setCount(int count);              // another order than before: no step, no range

  int step() const { return m_step; }  // -1: nowhere, nothing is played
  bool active() const { return m_step >= 0; }
  const std::optional<Range>& range() const { return m_range; }

  void setStep(int step);
  void stepBy(int steps);  // from nowhere: the first one, or the last one backwards
  void setRange(std::optional<Range> range);
  void reset();  // another walk: no step, no range
  // What Escape does, one thing at a time: playing, the range, the step. False: there was nothing.
  bool escape();

  // Playing: from the step it is at, or from the start, to the end of the range or of the order.
  bool playing() const { return m_timer.isActive(); }
  void setPlaying(bool playing);
  double speed() const { return m_speed; }
  void setSpeed(double factor);  // 1: four steps a second, faster where the whole would take longer than half a minute
  double stepsPerSecond() const;

  const std::vector<int>& marks() const { return m_marks; }  // ascending
  void toggleMark(int step);

 signals:
  void changed();  // step, range or marks
  void playingChanged();

 private:
  void playOn();

  int m_count = 0;
  int m_step = -1;
  std::optional<Range> m_range;
  std::vector<int> m_marks;
  QTimer m_timer;
  QElapsedTimer m_elapsed;
  double m_owed = 0;  // part of a step that time went by for already
  double m_speed = 1;
};

}  // namespace cutaway::ui
