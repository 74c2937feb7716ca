#pragma once
// Keeps the program alive when a thread in the background faults: SIGSEGV, SIGBUS, SIGFPE, SIGILL and SIGABRT park the
// thread for ever, and whoever watches is told through a pipe.
//
// What a fault leaves behind (locks that are held, half-written memory) cannot be repaired: the program goes on so that
// work can be saved, and should be started anew soon. The thread that installs the guard keeps what the system, or a
// handler before, does to it. Faults that another process sends end the program as always. In a build with sanitizers
// nothing is installed: they tell more. Thread rule: install() and take() on the thread that is not to be parked; the
// rest on any. Example:
//   CUTAWAY_CHECK(CrashGuard::install());
//   when descriptor() is readable: while (auto crash = CrashGuard::take()) giveUp(crash->work, crash->doing);

#include <cstdint>
#include <optional>
#include <string>

#include "engine/base/result.h"
#include "engine/base/thread_work.h"

namespace cutaway {

struct CrashNotice {
  int signal = 0;
  uint64_t work =
      0;  // what the thread's WorkScope said; 0: a thread that nobody knows, such as one of a provider's own
  int64_t thread = 0;  // the kernel's number
  std::string doing;   // "Conv 'conv1'", "ask openvino"; empty: unknown
};

class CrashGuard {
 public:
  // Again: does nothing. FAIL where the system refuses.
  static Result<void> install();
  static bool installed();
  // Whether install() does anything in this build.
  static bool possible();
  // Becomes readable after a fault; -1 before install().
  static int descriptor();
  // The oldest fault that was not taken yet.
  static std::optional<CrashNotice> take();
  // Threads that are parked: above 0 the program should end without waiting for them (std::_Exit).
  static int parkedThreads();
  // Gives the calling thread a stack for signal handlers, once; without one, running out of stack ends the program.
  // Done by WorkScope and parallelFor.
  static void prepareThread();
  // "SIGSEGV (read or wrote memory that is not its own)"
  static std::string signalName(int signal);
};

}  // namespace cutaway
