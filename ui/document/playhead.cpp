#include "ui/document/playhead.h"

#include <algorithm>

namespace cutaway::ui {
namespace {
constexpr double kSlowest = 4;        // steps a second
constexpr double kWholeSeconds = 30;  // a long order is walked in leaps
constexpr int kFrameMs = 40;
}  // namespace

Playhead::Playhead(QObject* parent) : QObject(parent), m_timer(this) {
  connect(&m_timer, &QTimer::timeout, this, &Playhead::playOn);
}

void Playhead::setCount(int count) {
  count = std::max(0, count);
  if (count == m_count) return;
  m_count = count;
  reset();
}

void Playhead::setStep(int step) {
  step = std::max(step, -1);
  if (m_count > 0) step = std::min(step, m_count - 1);
  if (step == m_step) return;
  m_step = step;
  emit changed();
}

void Playhead::stepBy(int steps) {
  if (m_step < 0) return setStep(steps >= 0 ? 0 : m_count - 1);
  setStep(std::max(0, m_step + steps));
}

void Playhead::setRange(std::optional<Range> range) {
  if (range && range->first > range->last) std::swap(range->first, range->last);
  if (range && m_count > 0)
    range = Range{std::clamp(range->first, 0, m_count - 1), std::clamp(range->last, 0, m_count - 1)};
  if (range == m_range) return;
  m_range = range;
  emit changed();
}

void Playhead::reset() {
  setPlaying(false);
  if (m_step < 0 && !m_range && m_marks.empty()) return;
  m_step = -1;
  m_range.reset();
  m_marks.clear();
  emit changed();
}

bool Playhead::escape() {
  if (playing()) {
    setPlaying(false);
  } else if (m_range) {
    setRange({});
  } else if (active()) {
    setStep(-1);
  } else {
    return false;
  }
  return true;
}

double Playhead::stepsPerSecond() const {
  return std::max(kSlowest, m_count / kWholeSeconds) * m_speed;
}

void Playhead::setSpeed(double factor) {
  m_speed = std::clamp(factor, 0.01, 100.0);
  if (playing()) m_timer.setInterval(std::max(kFrameMs, static_cast<int>(1000 / stepsPerSecond())));
}

void Playhead::setPlaying(bool playing) {
  if (playing == this->playing() || (playing && m_count == 0)) return;
  if (!playing) {
    m_timer.stop();
  } else {
    const int first = m_range ? m_range->first : 0, last = m_range ? m_range->last : m_count - 1;
    if (m_step < first || m_step >= last) setStep(first);
    m_owed = 0;
    m_elapsed.start();
    m_timer.start(std::max(kFrameMs, static_cast<int>(1000 / stepsPerSecond())));
  }
  emit playingChanged();
}

// By the time that went by, so that a slow frame leaps instead of slowing the whole down.
void Playhead::playOn() {
  m_owed += std::min(1.0, static_cast<double>(m_elapsed.restart()) / 1000.0) * stepsPerSecond();
  const int whole = std::max(1, static_cast<int>(m_owed + 0.05));
  m_owed = std::max(0.0, m_owed - whole);
  const int last = m_range ? m_range->last : m_count - 1;
  setStep(std::min(last, m_step + whole));
  if (m_step >= last) setPlaying(false);
}

void Playhead::toggleMark(int step) {
  if (step < 0) return;
  const auto at = std::lower_bound(m_marks.begin(), m_marks.end(), step);
  if (at != m_marks.end() && *at == step) {
    m_marks.erase(at);
  } else {
    m_marks.insert(at, step);
  }
  emit changed();
}

}  // namespace cutaway::ui
