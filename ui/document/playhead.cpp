#include "ui/document/playhead.h"

#include <algorithm>

namespace cutaway::ui {

void Playhead::setStep(int step) {
  step = std::max(step, -1);
  if (step == m_step) return;
  m_step = step;
  emit changed();
}

void Playhead::setRange(std::optional<Range> range) {
  if (range && range->first > range->last) std::swap(range->first, range->last);
  if (range == m_range) return;
  m_range = range;
  emit changed();
}

void Playhead::reset() {
  if (m_step < 0 && !m_range) return;
  m_step = -1;
  m_range.reset();
  emit changed();
}

}  // namespace cutaway::ui
