#include "engine/base/signal_stack.h"

#include <csignal>
#include <cstddef>
#include <initializer_list>

#include <pthread.h>
#include <sys/mman.h>

#include "engine/base/per_thread.h"

namespace cutaway {
namespace {

constexpr size_t kStackBytes = 64 * 1024;

class SignalStack {
 public:
  SignalStack() {
    stack_t present{};
    if (::sigaltstack(nullptr, &present) != 0 || (present.ss_flags & SS_DISABLE) == 0) return;
    void* memory = ::mmap(nullptr, kStackBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return;
    m_memory = memory;
    stack_t stack{};
    stack.ss_sp = m_memory;
    stack.ss_size = kStackBytes;
    ::sigaltstack(&stack, nullptr);
  }
  ~SignalStack() {
    stack_t present{};
    if (m_memory == nullptr || ::sigaltstack(nullptr, &present) != 0) return;
    if (present.ss_sp == m_memory) {  // nobody put another in its place
      stack_t none{};
      none.ss_flags = SS_DISABLE;
      ::sigaltstack(&none, nullptr);
    }
    ::munmap(m_memory, kStackBytes);
  }
  SignalStack(const SignalStack&) = delete;
  SignalStack& operator=(const SignalStack&) = delete;

 private:
  void* m_memory = nullptr;
};

}  // namespace

void giveThreadSignalStack() {
  static const PerThread<SignalStack> stacks;
  stacks.find();  // without memory for one, handlers run where they did
}

void leaveSignalsToOthers() {
  sigset_t signals;
  ::sigfillset(&signals);
  for (const int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS})
    ::sigdelset(&signals, fault);
  ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);
}

}  // namespace cutaway
