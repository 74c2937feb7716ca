// Stop signals: what asks to stop, who sees it, and that loops on several threads leave out what is left.

#include <atomic>
#include <thread>

#include <QtTest/QtTest>

#include "engine/base/cancel_scope.h"
#include "engine/base/parallel.h"

using namespace cutaway;

class TestCancelScope : public QObject {
  Q_OBJECT

 private slots:
  void noScopeNeverStops() {
    QVERIFY(currentStopSignal() == nullptr);
    QVERIFY(!stopRequested());
  }

  void everyCauseStops() {
    const CancelToken token;
    std::atomic<bool> failed = false;
    const StopSignal signal(token, 0, &failed);
    const CancelScope scope(signal);
    QVERIFY(!stopRequested());
    QVERIFY(signal.cause() == StopSignal::Cause::kNone);
    failed = true;
    QVERIFY(stopRequested());
    QVERIFY(signal.cause() == StopSignal::Cause::kFailed);
    token.cancel();
    QVERIFY(signal.cause() == StopSignal::Cause::kCancelled);
    QVERIFY(StopSignal(CancelToken(), nowNs() - 1).cause() == StopSignal::Cause::kDeadline);
    QVERIFY(!StopSignal(CancelToken(), nowNs() + 60'000'000'000).requested());
  }

  void scopesNestAndBelongToTheirThread() {
    const CancelToken token;
    token.cancel();
    const StopSignal outer(token), inner{CancelToken()};
    const CancelScope first(outer);
    {
      const CancelScope second(inner);
      QVERIFY(!stopRequested());
    }
    QVERIFY(stopRequested());
    bool elsewhere = true;
    std::thread([&] { elsewhere = stopRequested(); }).join();
    QVERIFY(!elsewhere);
  }

  void loopsLeaveOutTheRest_data() {
    QTest::addColumn<int>("threads");
    for (const int threads : {1, 2, 4})
      QTest::addRow("%d threads", threads) << threads;
  }
  void loopsLeaveOutTheRest() {
    QFETCH(int, threads);
    const ThreadShare share(threads);
    const CancelToken token;
    const StopSignal signal(token);
    const CancelScope scope(signal);
    std::atomic<int64_t> done = 0;
    std::atomic<int> strangers = 0;
    parallelFor(64 * 1000, 1, [&](int64_t begin, int64_t end) {
      if (currentStopSignal() != &signal) ++strangers;
      done += end - begin;
      token.cancel();
    });
    QCOMPARE(strangers.load(), 0);
    QVERIFY(done.load() > 0);
    // Each thread may finish the piece it is at.
    QVERIFY(done.load() <= threads * 64 * 8);
    done = 0;
    parallelFor(1000, 1, [&](int64_t begin, int64_t end) { done += end - begin; });
    QCOMPARE(done.load(), int64_t{0});
  }

  void nestedLoopsStopToo() {
    const ThreadShare share(2);
    const CancelToken token;
    const StopSignal signal(token);
    const CancelScope scope(signal);
    std::atomic<int64_t> inner = 0;
    parallelFor(2, 1, [&](int64_t, int64_t) {
      parallelFor(64 * 100, 1, [&](int64_t begin, int64_t end) {
        inner += end - begin;
        token.cancel();
      });
    });
    QVERIFY(inner.load() <= 2 * 64);
  }
};

QTEST_GUILESS_MAIN(TestCancelScope)
#include "tst_cancel_scope.moc"
