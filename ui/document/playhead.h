#pragma once
// Where the person is in the execution order: one step, and a range of steps or of measured time, shared by graph, tables, charts and timelines.
//
// A step counts in the order of the main graph (ScheduleReport::graphs[0].steps). A range filters: views show what lies in it and fade the rest.
// Thread rule: GUI thread.
// Example: document->playhead().setStep(12);  connect(&document->playhead(), &Playhead::changed, this, [this] { chart->setCursor(head.step()); });

#include <QObject>
#include <optional>

namespace cutaway::ui {

class Playhead : public QObject {
  Q_OBJECT
 public:
  using QObject::QObject;

  struct Range {
    int first = 0;  // steps, both inside
    int last = 0;
    bool operator==(const Range&) const = default;
    bool contains(int step) const { return step >= first && step <= last; }
  };

  int step() const { return m_step; }  // -1: nowhere, nothing is played
  bool active() const { return m_step >= 0; }
  const std::optional<Range>& range() const { return m_range; }

  void setStep(int step);
  void setRange(std::optional<Range> range);
  void reset();  // another walk: no step, no range

 signals:
  void changed();

 private:
  int m_step = -1;
  std::optional<Range> m_range;
};

}  // namespace cutaway::ui
