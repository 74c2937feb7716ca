#include "engine/base/span_log.h"

#include <utility>

#include "engine/base/clock.h"

namespace cutaway {
namespace {
thread_local SpanLog* currentLog = nullptr;
}

SpanLog* SpanLog::current() {
  return currentLog;
}

SpanLog::Use::Use(SpanLog& log) : m_before(std::exchange(currentLog, &log)) {}
SpanLog::Use::~Use() {
  currentLog = m_before;
}

void SpanLog::add(std::string name, int64_t startNs, int64_t endNs) {
  if (m_spans.size() >= kMostSpans) {
    ++m_dropped;
    return;
  }
  m_spans.push_back({std::move(name), m_depth, startNs, endNs});
}

int64_t SpanLog::open(std::string name) {
  const int64_t now = nowNs();
  const size_t before = m_spans.size();
  add(std::move(name), now, now);
  ++m_depth;
  return m_spans.size() > before ? static_cast<int64_t>(before) : -1;
}

void SpanLog::close(int64_t span) {
  --m_depth;
  if (span >= 0) m_spans[static_cast<size_t>(span)].endNs = nowNs();
}

SpanScope::SpanScope(std::string_view name, std::string_view rest) : m_log(SpanLog::current()), m_doing(name, rest) {
  if (m_log != nullptr) m_span = m_log->open(std::string(name).append(rest));
}

SpanScope::~SpanScope() {
  if (m_log != nullptr) m_log->close(m_span);
}

}  // namespace cutaway
