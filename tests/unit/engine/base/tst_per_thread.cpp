// Objects of threads end with them, and where there is no memory for one the thread goes without: no end of the
// program.
#include <atomic>
#include <csignal>
#include <new>
#include <thread>

#include <QtTest/QtTest>

#include "engine/base/per_thread.h"
#include "engine/base/sanitized.h"
#include "engine/base/signal_stack.h"
#include "tests/program/counted_heap.h"

using namespace cutaway;

extern "C" void* __libc_calloc(size_t number, size_t each);

namespace {

std::atomic<int> g_alive = 0;

struct Counted {
  Counted() { ++g_alive; }
  ~Counted() { --g_alive; }
  int number = 0;
};

}  // namespace

// What the C library asks for a thread_local's destructor.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // which have their own
extern "C" void* calloc(size_t number, size_t each) noexcept {
  return counted_heap::isShort ? nullptr : __libc_calloc(number, each);
}
#endif

class TestPerThread : public QObject {
  Q_OBJECT

 private slots:
  void eachThreadHasItsOwnUntilItEnds() {
    static const PerThread<Counted> objects;
    QVERIFY(objects.find() != nullptr);
    objects.find()->number = 1;
    std::thread([] {
      QCOMPARE(objects.find()->number, 0);
      objects.find()->number = 2;
      QCOMPARE(objects.find()->number, 2);
      QCOMPARE(g_alive.load(), 2);
    }).join();
    QCOMPARE(g_alive.load(), 1);
    QCOMPARE(objects.find()->number, 1);
  }

  void theLastThreadsGoesWithTheWhole() {
    const int before = g_alive;
    {
      const PerThread<Counted> objects;
      QVERIFY(objects.find() != nullptr);
      QCOMPARE(g_alive.load(), before + 1);
    }
    QCOMPARE(g_alive.load(), before);
  }

  void withoutMemoryThereIsNone() {
    static const PerThread<Counted> objects;
    std::thread([] {
      counted_heap::isShort = true;
      const bool none = objects.find() == nullptr;
      bool isThrown = false;
      try {
        static_cast<void>(objects.own());
      } catch (const std::bad_alloc&) {
        isThrown = true;
      }
      counted_heap::isShort = false;
      QVERIFY(none && isThrown);
      QCOMPARE(&objects.own(), objects.find());  // the next time there is memory again
    }).join();
  }

  void aStackForSignalsCanBeDoneWithout() {
    if (kSanitized) return;  // a sanitizer gives every thread one of its own
    std::thread([] {
      counted_heap::isShort = true;
      giveThreadSignalStack();
      counted_heap::isShort = false;
      stack_t present{};
      ::sigaltstack(nullptr, &present);
      QVERIFY((present.ss_flags & SS_DISABLE) != 0);
    }).join();
  }
};

QTEST_GUILESS_MAIN(TestPerThread)
#include "tst_per_thread.moc"
