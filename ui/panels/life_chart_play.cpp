// A LifeChart and the playhead: it fills up to the step, a click goes to a step, dragging chooses a range, marks stand
// on top.
#include <algorithm>
#include <cmath>

#include <QKeyEvent>
#include <QPainter>

#include "ui/base/theme_store.h"
#include "ui/document/document.h"
#include "ui/panels/life_chart.h"
#include "ui/panels/play_bar.h"

namespace cutaway::ui {
namespace {
constexpr double kVeil = 0.72, kOutsideVeil = 0.6;
constexpr double kFitMargin = 0.15;
}  // namespace

int LifeChart::stepAtX(double x) const {
  const int count = m_context.document->playhead().count();
  if (count <= 0) return -1;
  int step = static_cast<int>(std::floor(x));
  if (!m_data.stepBegins.empty()) {  // what started last before; with several lanes starts are not in order
    step = 0;
    for (size_t i = 0; i < m_data.stepBegins.size(); ++i)
      if (m_data.stepBegins[i] <= x && m_data.stepBegins[i] >= m_data.stepBegins[static_cast<size_t>(step)])
        step = static_cast<int>(i);
  }
  return std::clamp(step, 0, count - 1);
}

double LifeChart::stepLeft(int step) const {
  return static_cast<size_t>(step) < m_data.stepBegins.size() ? m_data.stepBegins[static_cast<size_t>(step)] : step;
}
double LifeChart::stepRight(int step) const {
  return static_cast<size_t>(step) < m_data.stepEnds.size() ? m_data.stepEnds[static_cast<size_t>(step)] : step + 1;
}
double LifeChart::followedStep() const {
  return m_data.played && m_context.document->playhead().active() ? m_context.document->playhead().step() : -1;
}

void LifeChart::dragRange(const QPointF& from, const QPointF& to) {
  setCursor(Qt::SizeHorCursor);
  m_context.document->playhead().setRange(
      Playhead::Range{stepAtX(m_geometry.stepAt(from.x())),
                      stepAtX(m_geometry.stepAt(std::clamp(to.x(), m_geometry.plot.left(), m_geometry.plot.right())))});
}

// First the selection, which may take the playhead along, then the step that was really pointed at.
void LifeChart::choose(const QPointF& position) {
  Selection& selection = m_context.document->selection();
  const int block = blockAt(position);
  if (block >= 0 && m_data.target) {
    selection.select(m_data.target(m_data.blocks[static_cast<size_t>(block)].item));
  } else {
    selection.clear();
  }
  if (m_data.played && m_geometry.plot.contains(position))
    m_context.document->playhead().setStep(stepAtX(m_geometry.stepAt(position.x())));
}

bool LifeChart::key(QKeyEvent* event) {
  if (!m_data.played) return false;
  if (event->key() == Qt::Key_M && event->modifiers() == Qt::NoModifier) {
    Playhead& head = m_context.document->playhead();
    const int step = pointer() && m_geometry.plot.contains(*pointer()) ? stepAtX(m_geometry.stepAt(pointer()->x()))
                     : head.active()                                   ? head.step()
                                                                       : stepOfSelection(*m_context.document);
    head.toggleMark(step);
    return true;
  }
  return handlePlayKey(*m_context.document, event);
}

void LifeChart::closer() {
  double begin = 1e300, end = -1e300, low = 1e300, high = -1e300;
  for (const LifeBlock& block : m_data.blocks)
    if (std::binary_search(m_selected.begin(), m_selected.end(), block.item))
      begin = std::min(begin, block.begin), end = std::max(end, block.end), low = std::min(low, block.from),
      high = std::max(high, block.to);
  if (end < begin) return fit();
  const QPointF centre((m_geometry.firstStep + m_geometry.endStep) / 2, (m_geometry.low + m_geometry.high) / 2);
  const double stepsOff = std::abs((begin + end) / 2 - centre.x()),
               amountsOff = std::abs((low + high) / 2 - centre.y());
  const bool centred =
      stepsOff * m_geometry.plot.width() < (m_geometry.endStep - m_geometry.firstStep) * 2 &&
      (!m_data.bytes || amountsOff * m_geometry.plot.height() < (m_geometry.high - m_geometry.low) * 2);
  const bool atEdge = m_geometry.firstStep <= 0 || m_geometry.endStep >= m_data.width;
  if (centred || atEdge) {
    const double steps = (end - begin) * (1 + 2 * kFitMargin), amounts = (high - low) * (1 + 2 * kFitMargin);
    m_geometry.zoomAt(m_geometry.x((begin + end) / 2),
                      (m_geometry.endStep - m_geometry.firstStep) / std::max(1.0, steps), m_data.width);
    if (m_data.bytes)
      m_geometry.zoomAmountAt(m_geometry.y((low + high) / 2),
                              (m_geometry.high - m_geometry.low) / std::max(1.0, amounts), m_data.high);
  }
  pan({m_geometry.plot.center().x() - m_geometry.x((begin + end) / 2),
       m_data.bytes ? m_geometry.plot.center().y() - m_geometry.y((low + high) / 2) : 0});
}

// The steps the selection lives in; without one, what lies between the last two marks.
void LifeChart::rangeOfCurrent() {
  if (!m_data.played) return;
  Playhead& head = m_context.document->playhead();
  int first = -1, last = -1;
  for (const LifeBlock& block : m_data.blocks) {
    if (!std::binary_search(m_selected.begin(), m_selected.end(), block.item)) continue;
    const int from = stepAtX(block.begin), to = m_data.stepBegins.empty() ? stepAtX(std::ceil(block.end) - 1) : from;
    first = first < 0 ? from : std::min(first, from);
    last = std::max(last, to);
  }
  if (first < 0 && head.marks().size() >= 2) first = head.marks()[head.marks().size() - 2], last = head.marks().back();
  if (first >= 0) head.setRange(Playhead::Range{first, last});
}

// What is still to come lies under a veil: the chart fills as the step moves on.
void LifeChart::paintPlayed(QPainter& painter) const {
  const double step = followedStep();
  if (step < 0) return;
  const Theme& theme = m_context.themes->current();
  const QRectF& plot = m_geometry.plot;
  const double left = m_geometry.x(stepLeft(static_cast<int>(step))),
               right = m_geometry.x(stepRight(static_cast<int>(step)));
  QColor veil = theme.surface;
  veil.setAlphaF(static_cast<float>(kVeil));
  const double from = std::clamp(right, plot.left(), plot.right());
  painter.fillRect(QRectF(QPointF(from, plot.top() - 2), QPointF(plot.right() + 1, plot.bottom())), veil);
  if (right < plot.left() || left > plot.right()) return;
  QColor now = theme.accent;
  now.setAlphaF(0.16f);
  painter.fillRect(
      QRectF(QPointF(std::max(left, plot.left()), plot.top()), QPointF(std::min(right, plot.right()), plot.bottom())),
      now);
  painter.setPen(QPen(theme.accent, 2));
  const double x = std::clamp(std::round(right) - 0.0, plot.left(), plot.right());
  painter.drawLine(QPointF(x, plot.top() - 4), QPointF(x, plot.bottom()));
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  painter.setBrush(theme.accent);
  painter.drawPolygon(QPolygonF({{x - 5, plot.top() - 9}, {x + 5, plot.top() - 9}, {x, plot.top() - 2}}));
  painter.setBrush(Qt::NoBrush);
  painter.setRenderHint(QPainter::Antialiasing, false);
}

void LifeChart::paintRange(QPainter& painter) const {
  const auto& range = m_context.document->playhead().range();
  if (!m_data.played || !range) return;
  const Theme& theme = m_context.themes->current();
  const QRectF& plot = m_geometry.plot;
  const double left = std::clamp(m_geometry.x(stepLeft(range->first)), plot.left(), plot.right()),
               right = std::clamp(m_geometry.x(stepRight(range->last)), plot.left(), plot.right());
  QColor veil = theme.surface;
  veil.setAlphaF(static_cast<float>(kOutsideVeil));
  painter.fillRect(QRectF(QPointF(plot.left(), plot.top() - 2), QPointF(left, plot.bottom())), veil);
  painter.fillRect(QRectF(QPointF(right, plot.top() - 2), QPointF(plot.right() + 1, plot.bottom())), veil);
  painter.setPen(QPen(theme.accent, 1.4));
  for (const double x : {left, right})
    painter.drawLine(QPointF(x, plot.top() - 4), QPointF(x, plot.bottom()));
  painter.fillRect(QRectF(QPointF(left, plot.bottom()), QPointF(right, plot.bottom() + 3)), theme.accent);
}

void LifeChart::paintStepMarks(QPainter& painter) const {
  if (!m_data.played) return;
  const Theme& theme = m_context.themes->current();
  const QRectF& plot = m_geometry.plot;
  for (const int step : m_context.document->playhead().marks()) {
    const double x = std::round(m_geometry.x((stepLeft(step) + stepRight(step)) / 2)) + 0.5;
    if (x < plot.left() || x > plot.right()) continue;
    painter.setPen(QPen(theme.hit, 1.2, Qt::DashDotLine));
    painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
    painter.fillRect(QRectF(x, plot.top() - 7, 8, 6), theme.hit);  // a flag
  }
}

}  // namespace cutaway::ui
