#pragma once
// What a thread takes over from the one whose loop it helps with: what may stop it, who hears
// that memory is short, and what it is working on.
//
// Thread rule: a LoopOwner is made by the caller and shared; a LoopScope belongs to one thread. Example:
//   const detail::LoopOwner owner;                                       // on the caller
//   const detail::LoopScope scope(owner, seat);                          // on each thread that helps, and on the
//   caller

#include "engine/base/cancel_scope.h"
#include "engine/base/short_memory.h"
#include "engine/base/thread_work.h"

namespace cutaway::detail {

struct LoopOwner {
  LoopOwner();
  const StopSignal* stop;
  ShortMemoryScope* memory;
  ThreadWork work;
};

// While it stands, the thread is inside a loop: loops that it begins run inline, loopPart() is its seat.
class LoopScope {
 public:
  LoopScope(const LoopOwner& owner, int seat);
  ~LoopScope();
  LoopScope(const LoopScope&) = delete;
  LoopScope& operator=(const LoopScope&) = delete;

 private:
  const CancelScope m_cancel;
  const ShortMemoryHelp m_memory;
  const ThreadWork m_work;
  const int m_part;
  const bool m_insideLoop;
};

bool insideLoop();

}  // namespace cutaway::detail
