// The pool under stress: many callers, loops inside loops, stops in the middle. Meant for the thread sanitizer as much
// as for its own checks.

#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <numeric>
#include <thread>
#include <vector>

#include <QtTest/QtTest>

#include "engine/base/cancel_scope.h"
#include "engine/base/parallel.h"
#include "engine/base/thread_pool.h"

using namespace cutaway;

namespace {

// Parts that are drawn by whoever comes.
struct Parts {
  explicit Parts(int number) : count(number), done(static_cast<size_t>(number)) {}
  const int count;
  std::atomic<int> next{0};
  std::atomic<int> seats{0};
  std::vector<std::atomic<int>> done;

  static void draw(void* of, int seat) {
    Parts& parts = *static_cast<Parts*>(of);
    parts.seats |= 1 << seat;
    for (int part; (part = parts.next.fetch_add(1)) < parts.count;)
      ++parts.done[static_cast<size_t>(part)];
  }
  static bool left(const void* of) {
    const Parts& parts = *static_cast<const Parts*>(of);
    return parts.next < parts.count;
  }
};

// Keeps every thread it is given until the caller has gone through its own share.
struct Held {
  std::atomic<bool> callerDone{false};
  std::atomic<int> came{0};

  static void work(void* of, int seat) {
    Held& held = *static_cast<Held*>(of);
    if (seat == 0) {
      while (held.came == 0)
        std::this_thread::yield();
      held.callerDone = true;
      return;
    }
    ++held.came;
    while (!held.callerDone)
      std::this_thread::yield();
  }
  static bool left(const void* of) { return !static_cast<const Held*>(of)->callerDone; }
};

// All seats must meet.
struct Meeting {
  explicit Meeting(int seats) : all(seats) {}
  const int all;
  std::atomic<int> here{0};

  static void work(void* of, int) {
    Meeting& meeting = *static_cast<Meeting*>(of);
    ++meeting.here;
    while (meeting.here < meeting.all)
      std::this_thread::yield();
  }
  static bool left(const void*) { return true; }
};

}  // namespace

class TestThreadPool : public QObject {
  Q_OBJECT

 private slots:
  void everyPartIsDoneOnce() {
    for (int round = 0; round < 500; ++round) {
      Parts parts(1 + round % 37);
      PoolTask task(round % 8, Parts::draw, Parts::left, &parts);
      QVERIFY(ThreadPool::shared().help(task));
      for (const auto& done : parts.done)
        QCOMPARE(done.load(), 1);
      QVERIFY((parts.seats & 1) != 0);  // the caller takes part
    }
  }

  void aTaskWithoutHelpersNeedsNoThread() {
    Parts parts(3);
    PoolTask task(0, Parts::draw, Parts::left, &parts);
    QVERIFY(ThreadPool::shared().help(task));
    QCOMPARE(parts.seats.load(), 1);
  }

  // All threads of the pool are held by one task: another one goes on all the same.
  void nobodyWaitsForThreadsThatAreBusy() {
    Held held;
    std::jthread other([&] {
      PoolTask task(1, Held::work, Held::left, &held);
      QVERIFY(ThreadPool::shared().help(task));
    });
    for (int round = 0; round < 20; ++round) {
      Parts parts(4);
      PoolTask task(1, Parts::draw, Parts::left, &parts);
      QVERIFY(ThreadPool::shared().help(task));
    }
  }

  // Several tasks whose seats wait for each other, at the same time.
  void everySeatIsTakenInTheEnd() {
    std::vector<std::jthread> callers;
    for (int caller = 0; caller < 4; ++caller) {
      callers.emplace_back([] {
        for (int round = 0; round < 25; ++round) {
          Meeting meeting(4);
          PoolTask task(3, Meeting::work, Meeting::left, &meeting);
          QVERIFY(ThreadPool::shared().help(task));
        }
      });
    }
  }

  void threadsAreKept() {
    const auto run = [] {
      Meeting meeting(4);
      PoolTask task(3, Meeting::work, Meeting::left, &meeting);
      QVERIFY(ThreadPool::shared().help(task));
    };
    run();
    const int threads = ThreadPool::shared().threads();
    QVERIFY(threads >= 3);
    for (int round = 0; round < 50; ++round) {
      run();
      if (round % 10 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));  // they sleep in between
    }
    QCOMPARE(ThreadPool::shared().threads(), threads);
  }

  // Sessions beside each other, each with loops in loops; some are stopped in the middle.
  void concurrentCallersWithNestedLoopsAndStops() {
    constexpr size_t kRows = 300, kColumns = 50;
    std::atomic<int> wrong = 0;
    {
      std::vector<std::jthread> callers;
      for (int caller = 0; caller < 6; ++caller) {
        callers.emplace_back([caller, &wrong] {
          const ThreadShare share(8);
          for (int round = 0; round < 40; ++round) {
            const bool stops = (caller + round) % 3 == 0;
            const CancelToken token;
            const StopSignal signal(token);
            const CancelScope scope(signal);
            std::vector<int> cells(kRows * kColumns, 0);
            parallelFor(kRows, 1, [&](int64_t begin, int64_t end) {
              for (int64_t row = begin; row < end; ++row) {
                parallelFor(kColumns, 4, [&](int64_t first, int64_t last) {
                  for (int64_t column = first; column < last; ++column)
                    cells[static_cast<size_t>(row) * kColumns + static_cast<size_t>(column)] += 1;
                });
                if (stops && row == 100) token.cancel();
              }
            });
            const int sum = std::accumulate(cells.begin(), cells.end(), 0);
            const bool each = std::ranges::all_of(cells, [](int value) { return value == 0 || value == 1; });
            if (!each || (!stops && sum != static_cast<int>(kRows * kColumns))) ++wrong;
          }
        });
      }
    }
    QCOMPARE(wrong.load(), 0);
  }

  // What one loop wrote, the next one reads, whichever threads did the parts.
  void loopsSeeWhatLoopsBeforeWrote() {
    const ThreadShare share(8);
    std::vector<int64_t> values(4096, 0);
    for (int round = 0; round < 200; ++round) {
      parallelFor(static_cast<int64_t>(values.size()), 16, [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i)
          values[static_cast<size_t>(values.size() - 1 - static_cast<size_t>(i))] += 1;
      });
    }
    QVERIFY(std::ranges::all_of(values, [](int64_t value) { return value == 200; }));
  }
};

QTEST_GUILESS_MAIN(TestThreadPool)
#include "tst_thread_pool.moc"
