// The timeline and the playhead: measured time stands for steps, and steps for measured time.
#include "ui/document/document.h"
#include "ui/panels/play_bar.h"
#include "ui/panels/run/timeline_page.h"

namespace cutaway::ui {

void TimelinePage::linkPlayhead() {
  m_window.setLinked(true);
  connect(&m_context.document->playhead(), &Playhead::changed, this, &TimelinePage::followPlayhead);
  connect(&m_window, &TimeWindow::momentChosen, this, [this](double ns) {
    if (const int step = m_steps.stepAt(ns); step >= 0) m_context.document->playhead().setStep(step);
  });
  connect(&m_window, &TimeWindow::markRequested, this,
          [this](double ns) { m_context.document->playhead().toggleMark(m_steps.stepAt(ns)); });
}

void TimelinePage::followPlayhead() {
  const Playhead& head = m_context.document->playhead();
  m_window.setPlay(head.active() ? m_steps.timeOf(head.step()) : std::nullopt);
  std::vector<double> marks;
  for (const int step : head.marks())
    if (const auto time = m_steps.timeOf(step)) marks.push_back(time->beginNs);
  m_window.setMarks(std::move(marks));
  if (m_linking || head.range() == m_shownRange) return;
  m_shownRange = head.range();
  m_linking = true;
  m_window.setRange(head.range() ? m_steps.timeOf(*head.range()) : std::nullopt);
  m_window.settleRange();
  m_linking = false;
}

// What was dragged over stays as it is; the steps that ran in it are what everything else shows.
void TimelinePage::rangeToSteps() {
  if (m_linking || !m_view) return;
  m_linking = true;
  m_shownRange = m_window.range() ? m_steps.stepsIn(*m_window.range()) : std::nullopt;
  m_context.document->playhead().setRange(m_shownRange);
  m_linking = false;
}

}  // namespace cutaway::ui
