#include <array>
#include <atomic>
#include <mutex>
#include <new>
#include <numeric>
#include <thread>
#include <vector>

#include <QtTest/QtTest>

#include "engine/base/loop_part.h"
#include "engine/base/parallel.h"

using namespace cutaway;

namespace {

using Ranges = std::vector<std::pair<int64_t, int64_t>>;

Ranges rangesOf(int threads, int64_t count, int64_t grain) {
  ThreadShare share(threads);
  std::mutex mutex;
  Ranges ranges;
  parallelFor(count, grain, [&](int64_t begin, int64_t end) {
    const std::scoped_lock lock(mutex);
    ranges.emplace_back(begin, end);
  });
  std::ranges::sort(ranges);
  return ranges;
}

}  // namespace

class TestParallel : public QObject {
  Q_OBJECT

 private slots:
  void rangesCoverEverythingOnce_data() {
    QTest::addColumn<int>("threads");
    QTest::addColumn<qint64>("count");
    QTest::addColumn<qint64>("grain");
    for (const int threads : {1, 2, 3, 7, 64}) {
      for (const qint64 count : {0, 1, 2, 15, 16, 17, 100, 1000}) {
        for (const qint64 grain : {-1, 0, 1, 7, 16, 5000}) {
          QTest::addRow("%d threads, %lld by %lld", threads, count, grain) << threads << count << grain;
        }
      }
    }
  }
  void rangesCoverEverythingOnce() {
    QFETCH(int, threads);
    QFETCH(qint64, count);
    QFETCH(qint64, grain);
    const Ranges ranges = rangesOf(threads, count, grain);
    // Four chunks a thread at most, unless a thread has 128 grains or more: then chunks of at least 64.
    if (count < 128 * std::max<int64_t>(grain, 1)) QVERIFY(static_cast<int64_t>(ranges.size()) <= 4 * threads);
    int64_t expectedBegin = 0;
    for (size_t i = 0; i < ranges.size(); ++i) {
      QCOMPARE(ranges[i].first, expectedBegin);
      QVERIFY(ranges[i].second > ranges[i].first);
      if (i + 1 < ranges.size()) QVERIFY(ranges[i].second - ranges[i].first >= grain);
      expectedBegin = ranges[i].second;
    }
    QCOMPARE(expectedBegin, int64_t{count});
    QVERIFY(rangesOf(threads, count, grain) == ranges);
  }

  void hugeCountsDoNotOverflow() {
    const int64_t count = std::numeric_limits<int64_t>::max();
    const Ranges ranges = rangesOf(3, count, 1);
    QCOMPARE(ranges.size(), size_t{3 * 128});
    QCOMPARE(ranges.back().second, count);
    QCOMPARE(rangesOf(1, count, count / 2).size(), size_t{1});
  }

  void longLoopsAreCutAtMultiplesOfGrains_data() {
    QTest::addColumn<int>("threads");
    QTest::addColumn<qint64>("count");
    QTest::addColumn<qint64>("grain");
    QTest::newRow("rows") << 1 << qint64{1000} << qint64{1};
    QTest::newRow("rows on three threads") << 3 << qint64{5000} << qint64{1};
    QTest::newRow("elements") << 2 << qint64{100'000'001} << qint64{8192};
    QTest::newRow("odd grain") << 2 << qint64{1'000'003} << qint64{37};
  }
  void longLoopsAreCutAtMultiplesOfGrains() {
    QFETCH(int, threads);
    QFETCH(qint64, count);
    QFETCH(qint64, grain);
    const Ranges ranges = rangesOf(threads, count, grain);
    QVERIFY(ranges.size() > static_cast<size_t>(threads));
    QVERIFY(ranges.size() <= static_cast<size_t>(threads) * 128);
    int64_t expectedBegin = 0;
    for (const auto& [begin, end] : ranges) {
      QCOMPARE(begin, expectedBegin);
      QCOMPARE(begin % (64 * grain), int64_t{0});
      expectedBegin = end;
    }
    QCOMPARE(expectedBegin, int64_t{count});
  }

  // Each range waits until others have begun: only threads of their own can do that.
  void severalThreadsWork() {
    ThreadShare share(4);
    std::mutex mutex;
    std::vector<std::thread::id> ids;
    std::atomic<int> begun = 0;
    parallelFor(4, 1, [&](int64_t, int64_t) {
      ++begun;
      while (begun < 4)
        std::this_thread::yield();
      const std::scoped_lock lock(mutex);
      ids.push_back(std::this_thread::get_id());
    });
    std::ranges::sort(ids);
    QCOMPARE(ids.size(), size_t{4});
    QVERIFY(std::unique(ids.begin(), ids.end()) == ids.end());
  }

  // What one loop leaves in a core's cache, the next finds there.
  void seatsBeginAtTheirShare_data() {
    QTest::addColumn<int>("threads");
    QTest::addColumn<qint64>("count");
    for (const int threads : {2, 3, 8}) {
      for (const qint64 count : {threads, 9 * threads, 64 * threads, 1000 * threads})
        QTest::addRow("%d threads, %lld", threads, count) << threads << count;
    }
  }
  void seatsBeginAtTheirShare() {
    QFETCH(int, threads);
    QFETCH(qint64, count);
    ThreadShare share(threads);
    std::array<std::atomic<int64_t>, 8> firsts;
    for (auto& each : firsts)
      each = -1;
    std::atomic<int> begun = 0;
    parallelFor(count, 1, [&](int64_t begin, int64_t) {
      std::atomic<int64_t>& first = firsts[static_cast<size_t>(loopPart())];
      if (first >= 0) return;
      first = begin;
      ++begun;
      while (begun < threads)
        std::this_thread::yield();
    });
    for (int seat = 0; seat < threads; ++seat) {
      const int64_t first = firsts[static_cast<size_t>(seat)];
      QVERIFY2(std::abs(first - count * seat / threads) <= 64, qPrintable(QString::number(first)));
    }
  }

  void sharesAreEven() {
    for (const int64_t count : {9, 11, 17, 30, 33}) {
      const Ranges ranges = rangesOf(2, count, 1);
      const int64_t half = ranges[ranges.size() / 2].first;
      QVERIFY2(std::abs(2 * half - count) <= 1, qPrintable(QStringLiteral("%1 of %2").arg(half).arg(count)));
    }
  }

  // Memory that each part has of its own is never used by two at a time.
  void partsAreSeats() {
    ThreadShare share(4);
    std::array<std::atomic<int>, 4> inUse{};
    std::atomic<int> clashes = 0;
    parallelFor(400, 1, [&](int64_t, int64_t) {
      const int part = loopPart();
      if (part < 0 || part >= 4 || inUse[static_cast<size_t>(part)]++ != 0) ++clashes;
      std::this_thread::yield();
      --inUse[static_cast<size_t>(part)];
    });
    QCOMPARE(clashes.load(), 0);
    QCOMPARE(loopPart(), 0);
  }

  // Without it, one block of memory that is not to be had would end the program.
  void whatTheBodyThrowsComesBack_data() {
    QTest::addColumn<int>("threads");
    QTest::newRow("one thread") << 1;
    QTest::newRow("four threads") << 4;
  }
  void whatTheBodyThrowsComesBack() {
    QFETCH(int, threads);
    ThreadShare share(threads);
    std::atomic<int> inside = 0, thrown = 0;
    bool caught = false;
    try {
      parallelFor(4, 1, [&](int64_t, int64_t) {
        ++inside;
        while (inside < threads)  // each thread throws
          std::this_thread::yield();
        ++thrown;
        throw std::bad_alloc();
      });
    } catch (const std::bad_alloc&) {
      caught = true;
    }
    QVERIFY(caught);
    QCOMPARE(thrown.load(), threads);
    QCOMPARE(loopPart(), 0);
    QCOMPARE(rangesOf(4, 100, 1).back().second, int64_t{100});  // the pool goes on
  }

  void nestedLoopsRunInline() {
    ThreadShare share(4);
    std::atomic<int> inner = 0;
    std::atomic<int> threadsSeenInside = 0;
    parallelFor(4, 1, [&](int64_t, int64_t) {
      threadsSeenInside = std::max(threadsSeenInside.load(), currentThreads());
      const auto outerThread = std::this_thread::get_id();
      parallelFor(100, 1, [&](int64_t begin, int64_t end) {
        if (std::this_thread::get_id() == outerThread && begin == 0 && end == 100) ++inner;
      });
    });
    QCOMPARE(inner.load(), 4);
    QCOMPARE(threadsSeenInside.load(), 1);
    QCOMPARE(currentThreads(), 4);
  }

  void sharesNestAndBelongToTheirThread() {
    QVERIFY(availableThreads() >= 1);
    QCOMPARE(currentThreads(), availableThreads());
    {
      ThreadShare outer(3);
      QCOMPARE(currentThreads(), 3);
      {
        ThreadShare all(0);
        QCOMPARE(currentThreads(), availableThreads());
      }
      QCOMPARE(currentThreads(), 3);
      int elsewhere = 0;
      std::thread([&] { elsewhere = currentThreads(); }).join();
      QCOMPARE(elsewhere, availableThreads());
    }
    QCOMPARE(currentThreads(), availableThreads());
  }

  void callersOnManyThreadsDoNotDisturbEachOther() {
    std::vector<int64_t> sums(8);
    {
      std::vector<std::jthread> callers;
      for (size_t caller = 0; caller < sums.size(); ++caller) {
        callers.emplace_back([&sums, caller] {
          ThreadShare share(static_cast<int>(caller % 3) + 1);
          for (int round = 0; round < 50; ++round) {
            std::atomic<int64_t> sum = 0;
            parallelFor(1000, 10, [&](int64_t begin, int64_t end) {
              for (int64_t i = begin; i < end; ++i)
                sum += i;
            });
            sums[caller] += sum;
          }
        });
      }
    }
    for (const int64_t sum : sums)
      QCOMPARE(sum, int64_t{50} * 1000 * 999 / 2);
  }
};

QTEST_GUILESS_MAIN(TestParallel)
#include "tst_parallel.moc"
