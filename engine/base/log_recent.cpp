#include "engine/base/log_recent.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <deque>
#include <mutex>

#include <spdlog/sinks/base_sink.h>

namespace cutaway::log {

class Recent::RingSink : public spdlog::sinks::base_sink<std::mutex> {
 public:
  std::vector<Record> after(int64_t number) {
    const std::lock_guard lock(mutex_);
    const int64_t first = m_last.load() - static_cast<int64_t>(m_records.size()) + 1;
    const int64_t skipped = std::clamp<int64_t>(number + 1 - first, 0, static_cast<int64_t>(m_records.size()));
    return {m_records.begin() + skipped, m_records.end()};
  }
  int64_t last() const { return m_last.load(); }

 protected:
  void sink_it_(const spdlog::details::log_msg& message) override {
    using std::chrono::duration_cast, std::chrono::milliseconds;
    if (m_records.size() == kMost) m_records.pop_front();
    m_records.push_back({.number = m_last.load() + 1,
                         .timeMs = duration_cast<milliseconds>(message.time.time_since_epoch()).count(),
                         .level = message.level,
                         .category = {message.logger_name.data(), message.logger_name.size()},
                         .text = {message.payload.data(), message.payload.size()}});
    ++m_last;
  }
  void flush_() override {}

 private:
  std::deque<Record> m_records;
  std::atomic<int64_t> m_last = 0;
};

Recent::Recent() : m_sink(std::make_shared<RingSink>()) {
  m_sink->set_level(kInfo);
  attach(m_sink, false);
}

Recent& Recent::keep() {
  static Recent& instance = *new Recent;
  return instance;
}

std::vector<Record> Recent::after(int64_t number) const {
  return m_sink->after(number);
}

int64_t Recent::last() const {
  return m_sink->last();
}

Level Recent::level() const {
  return m_sink->level();
}

void Recent::setLevel(Level level) {
  m_sink->set_level(level);
  levelChanged();
}

}  // namespace cutaway::log
