#pragma once
// Where memory is short: what is said - what it was for, how much, and what helps; such messages are made here alone -
// and that it is never said by another result.
//
// A failure may mean to whoever hears of it that something is not possible, so that it goes another way: a node is not
// computed ahead, a provider does not take one. Memory that was refused must not end there. Whoever makes one of these
// errors tells the ShortMemoryScope of the thread, and heedShortMemory() ends the work with it, however it went on. A
// memory limit that the user set is no shortage: it is the same the next time.
//
// Thread rule: messages are for any thread; a scope belongs to the thread that made it, and those that help it
// (parallelFor, calls to providers, workers of a run) tell it, too. Scopes nest: an outer one hears of everything.
// Example:
//   if (block == nullptr) return fail(noMemoryFor("reordered weights", sizeBytes));
//   return heedShortMemory([&] { return optimize(model); });

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include "engine/base/result.h"

namespace cutaway {

// What the user allows; limitBytes 0: as much as there is.
struct MemoryAllowance {
  int64_t heldBytes = 0;
  int64_t limitBytes = 0;
};

// FAIL, by policy where the allowance would be passed: it is the user's to raise.
Error noMemoryFor(std::string_view what, int64_t sizeBytes, const MemoryAllowance& allowance = {});
// RUNTIME_EXCEPTION for what operator new threw: "out of memory WHERE (48 bytes, in Conv 'stem'): ...", with what a
// RefusedAllocation knows; of libraries that say it in another way, std::bad_alloc().
Error outOfMemory(const std::bad_alloc& refused, std::string_view where = {});

// For calls that give an error code: where there was no memory for the call, its answer says nothing.
inline void throwIfShort(const std::error_code& problem) {
  if (problem == std::errc::not_enough_memory) throw std::bad_alloc();
}

// Thrown by the operator new of our programs (program_heap.cpp).
class RefusedAllocation : public std::bad_alloc {
 public:
  explicit RefusedAllocation(size_t sizeBytes);  // and what the thread is working on (thread_work.h)
  const char* what() const noexcept override { return "out of memory"; }
  size_t sizeBytes() const { return m_sizeBytes; }
  // "Conv 'stem'"; empty: nobody said.
  std::string_view doing() const { return {m_doing.data(), m_length}; }

 private:
  size_t m_sizeBytes;
  size_t m_length = 0;
  std::array<char, 120> m_doing;
};

class ShortMemoryScope {
 public:
  ShortMemoryScope();
  ~ShortMemoryScope();
  ShortMemoryScope(const ShortMemoryScope&) = delete;
  ShortMemoryScope& operator=(const ShortMemoryScope&) = delete;

  // The first that was refused since it began.
  std::optional<Error> refusal() const;
  void tell(const Error& refusal) noexcept;
  // Of the calling thread; nullptr: nobody asks.
  static ShortMemoryScope* current();

 private:
  ShortMemoryScope* const m_outer;
  mutable std::mutex m_mutex;
  std::atomic<bool> m_isRefused{false};
  std::optional<Error> m_first;
};

// While it lives, the thread works for another's scope, which outlives it; nullptr: for none.
class ShortMemoryHelp {
 public:
  explicit ShortMemoryHelp(ShortMemoryScope* scope);
  ~ShortMemoryHelp();
  ShortMemoryHelp(const ShortMemoryHelp&) = delete;
  ShortMemoryHelp& operator=(const ShortMemoryHelp&) = delete;

 private:
  ShortMemoryScope* const m_before;
};

// What work() gives, a Result; but a refusal where memory was refused, and it went on or gives another reason.
template <typename Work>
auto heedShortMemory(Work&& work) -> decltype(work()) {
  const ShortMemoryScope scope;
  auto result = work();
  std::optional<Error> refusal = scope.refusal();
  if (!refusal) return result;
  const bool says = !result && (result.error().message.find(refusal->message) != std::string::npos ||
                                result.error().code == ErrorCode::kModelLoadCanceled);
  if (says) return result;
  return fail(*std::move(refusal));
}

}  // namespace cutaway
