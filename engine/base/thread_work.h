#pragma once
// What a thread is working on, for whoever must tell it after a fault: the work's number, and words that are only asked
// for then.
//
// Costs a store or two where it is said, nothing where nobody listens. parallelFor hands the number on to the threads
// that help. Thread rule: each thread has its own; a scope belongs to one thread, and scopes nest. Example: const
// WorkScope work(job);  const DoingScope doing("ask ", provider.name());

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <type_traits>
#include <utility>

namespace cutaway {

// Writes at most `room` characters about `of` and gives how many: called in a signal handler, so it only reads memory.
using WorkTeller = size_t (*)(const void* of, size_t index, char* out, size_t room);

struct ThreadWork {
  uint64_t work = 0;  // 0: nobody said
  WorkTeller tell = nullptr;
  const void* of = nullptr;
  size_t index = 0;
};

namespace detail {
static_assert(std::is_trivially_destructible_v<ThreadWork>);
inline thread_local constinit ThreadWork threadWork;
}  // namespace detail

inline const ThreadWork& currentWork() {
  return detail::threadWork;
}

// The calling thread works on this until the end of the scope. A stack for its signal handlers is made where a
// CrashGuard stands.
class WorkScope {
 public:
  explicit WorkScope(uint64_t work) : WorkScope(ThreadWork{work, nullptr, nullptr, 0}) {}
  explicit WorkScope(const ThreadWork& work);
  ~WorkScope() { detail::threadWork = m_before; }
  WorkScope(const WorkScope&) = delete;
  WorkScope& operator=(const WorkScope&) = delete;

 private:
  ThreadWork m_before;
};

// Something that can tell about itself, or words of its own.
class DoingScope {
 public:
  DoingScope(WorkTeller tell, const void* of) : m_before(detail::threadWork) { set(tell, of); }
  explicit DoingScope(std::string_view words, std::string_view rest = {}) : m_before(detail::threadWork) {
    const size_t first = std::min(words.size(), m_words.size()), second = std::min(rest.size(), m_words.size() - first);
    std::memcpy(m_words.data(), words.data(), first);
    if (second > 0) std::memcpy(m_words.data() + first, rest.data(), second);
    set(&tellWords, m_words.data());
    detail::threadWork.index = first + second;
  }
  ~DoingScope() { detail::threadWork = m_before; }
  DoingScope(const DoingScope&) = delete;
  DoingScope& operator=(const DoingScope&) = delete;

 private:
  static size_t tellWords(const void* of, size_t length, char* out, size_t room) {
    const size_t count = std::min(length, room);
    std::memcpy(out, of, count);
    return count;
  }
  void set(WorkTeller tell, const void* of) {
    detail::threadWork.tell = tell;
    detail::threadWork.of = of;
    detail::threadWork.index = 0;
  }

  ThreadWork m_before;
  std::array<char, 96> m_words;  // filled only by the second constructor
};

// What of the thing that tells is being worked on now, such as the step of a program.
inline void setDoing(size_t index) {
  detail::threadWork.index = index;
}

}  // namespace cutaway
