#include "engine/session/run_frames.h"

#include <algorithm>

namespace cutaway::session {

std::unique_ptr<RunFrame> RunFrames::take() {
  {
    const std::scoped_lock lock(m_mutex);
    ++m_inUse;
    m_mostInUse = std::max(m_mostInUse, m_inUse);
    if (!m_idle.empty()) {
      std::unique_ptr<RunFrame> frame = std::move(m_idle.back());
      m_idle.pop_back();
      return frame;
    }
  }
  try {
    return std::make_unique<RunFrame>(m_program, m_meter);
  } catch (...) {
    lose();
    throw;
  }
}

void RunFrames::giveBack(std::unique_ptr<RunFrame> frame) {
  std::vector<std::unique_ptr<RunFrame>> gone;  // dies after the lock
  const std::scoped_lock lock(m_mutex);
  --m_inUse;
  m_idle.push_back(std::move(frame));
  if (++m_runs < kWindow) return;
  const size_t wanted = std::max<size_t>(m_mostInUse, 1) - std::min(m_inUse, m_mostInUse);
  while (m_idle.size() > std::max<size_t>(wanted, 1)) {
    gone.push_back(std::move(m_idle.front()));
    m_idle.erase(m_idle.begin());
  }
  m_runs = 0;
  m_mostInUse = m_inUse;
}

void RunFrames::lose() {
  const std::scoped_lock lock(m_mutex);
  --m_inUse;
}

void RunFrames::shrink() {
  std::vector<std::unique_ptr<RunFrame>> gone;
  const std::scoped_lock lock(m_mutex);
  gone.swap(m_idle);
}

size_t RunFrames::idleCount() const {
  const std::scoped_lock lock(m_mutex);
  return m_idle.size();
}

}  // namespace cutaway::session
