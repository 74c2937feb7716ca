// Handlers run on a stack of their own, and never on threads of ours.
#include <array>
#include <atomic>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <thread>

#include <pthread.h>

#include <QtTest/QtTest>

#include "engine/base/parallel.h"
#include "engine/base/signal_stack.h"

using namespace cutaway;

namespace {

std::atomic<uintptr_t> g_handledAt = 0;

extern "C" void noteFrame(int) {
  char here = 0;
  g_handledAt = reinterpret_cast<uintptr_t>(&here);
}

void handle(int signal) {
  struct sigaction action{};
  action.sa_handler = noteFrame;
  action.sa_flags = SA_ONSTACK;
  QCOMPARE(::sigaction(signal, &action, nullptr), 0);
}

stack_t present() {
  stack_t stack{};
  ::sigaltstack(nullptr, &stack);
  return stack;
}

bool takes(int signal) {
  sigset_t blocked;
  ::pthread_sigmask(SIG_BLOCK, nullptr, &blocked);
  return ::sigismember(&blocked, signal) == 0;
}

}  // namespace

class TestSignalStack : public QObject {
  Q_OBJECT

 private slots:
  void handlersRunBesideTheWork() {
    handle(SIGUSR1);
    std::thread([] {
      giveThreadSignalStack();
      giveThreadSignalStack();
      ::raise(SIGUSR1);
      const auto begin = reinterpret_cast<uintptr_t>(present().ss_sp);
      QVERIFY(g_handledAt > begin && g_handledAt < begin + present().ss_size);
    }).join();
  }

  void aStackThatIsThereStays() {
    std::thread([] {
      std::array<std::byte, 65536> own;
      const stack_t stack{.ss_sp = own.data(), .ss_flags = 0, .ss_size = own.size()};
      stack_t before{};
      QCOMPARE(::sigaltstack(&stack, &before), 0);
      giveThreadSignalStack();
      QCOMPARE(present().ss_sp, static_cast<void*>(own.data()));
      QCOMPARE(::sigaltstack(&before, nullptr), 0);  // it ends before the thread does
    }).join();
  }

  void threadsOfOursTakeFaultsOnly() {
    std::thread([] {
      leaveSignalsToOthers();
      for (const int signal : {SIGINT, SIGTERM, SIGALRM, SIGPROF, SIGCHLD, SIGUSR1})
        QVERIFY(!takes(signal));
      for (const int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT})
        QVERIFY(takes(fault));
    }).join();
    QVERIFY(takes(SIGINT));
  }

  void threadsOfThePoolTakeFaultsOnly() {
    std::atomic<int> taking = 0, helping = 0;
    const ThreadShare share(4);
    const auto caller = std::this_thread::get_id();
    // Until a thread of the pool took part: which of them come, the system says.
    while (helping == 0) {
      parallelFor(64, 1, [&](int64_t, int64_t) {
        if (std::this_thread::get_id() == caller) return std::this_thread::yield();
        ++helping;
        if (takes(SIGINT) || takes(SIGPROF)) ++taking;
      });
    }
    QCOMPARE(taking.load(), 0);
  }
};

QTEST_GUILESS_MAIN(TestSignalStack)
#include "tst_signal_stack.moc"
