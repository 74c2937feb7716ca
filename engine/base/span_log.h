#pragma once
// Spans of long work on one thread, nested: what the creation of a session is made of.
//
// Code anywhere below says "this is a part" with a SpanScope; where nobody keeps a log on this thread that costs one
// look at a thread-local pointer. Thread rule: a log belongs to the thread that made it current; work on other threads
// is covered by the span around the wait for it. Example: SpanLog log;  const SpanLog::Use use(log);  { const SpanScope
// span("pass ", name); ... }  for (const LoggedSpan& each : log.spans()) draw(each);

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/thread_work.h"

namespace cutaway {

struct LoggedSpan {
  std::string name;
  int32_t depth = 0;
  int64_t startNs = 0;  // on nowNs()'s clock
  int64_t endNs = 0;
};

class SpanLog {
 public:
  static constexpr size_t kMostSpans = 20'000;  // what lies beyond is counted

  // The log of this thread; nullptr: none is kept.
  static SpanLog* current();
  // Makes a log this thread's own until the end of the scope.
  class Use {
   public:
    explicit Use(SpanLog& log);
    ~Use();
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;

   private:
    SpanLog* m_before;
  };

  // In order of their begin. A span that is open still ends where it began.
  const std::vector<LoggedSpan>& spans() const { return m_spans; }
  int64_t dropped() const { return m_dropped; }

  // A part that is over, at the present depth.
  void add(std::string name, int64_t startNs, int64_t endNs);
  // Gives the place of the span, or -1 when there is no room.
  int64_t open(std::string name);
  void close(int64_t span);

 private:
  std::vector<LoggedSpan> m_spans;
  int32_t m_depth = 0;
  int64_t m_dropped = 0;
};

class SpanScope {
 public:
  explicit SpanScope(std::string_view name, std::string_view rest = {});
  ~SpanScope();
  SpanScope(const SpanScope&) = delete;
  SpanScope& operator=(const SpanScope&) = delete;

 private:
  SpanLog* m_log;
  int64_t m_span = -1;
  DoingScope m_doing;
};

}  // namespace cutaway
