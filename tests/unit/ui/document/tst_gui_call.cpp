// Work beside the GUI thread: its result comes back there, is dropped where nobody waits for it any more, and says
// where memory ran out.
#include <memory>
#include <new>

#include <QThread>
#include <QtTest/QtTest>

#include "ui/document/gui_call.h"

using namespace cutaway;
using namespace cutaway::ui;

class TestGuiCall : public QObject {
  Q_OBJECT

 private slots:
  void resultsComeToTheGuiThread() {
    QObject owner;
    QThread* worked = nullptr;
    QThread* told = nullptr;
    int answer = 0;
    elsewhere(
        &owner,
        [&worked]() -> Result<int> {
          worked = QThread::currentThread();
          return 42;
        },
        [&](QObject& alive, const Result<int>& result) {
          QCOMPARE(&alive, &owner);
          told = QThread::currentThread();
          answer = result.value_or(-1);
        });
    QTRY_COMPARE(answer, 42);
    QCOMPARE(told, QThread::currentThread());
    QVERIFY(worked != told);
  }

  void nobodyIsToldWhoIsGone() {
    auto owner = std::make_unique<QObject>();
    bool isTold = false;
    elsewhere(owner.get(), []() -> Result<void> { return {}; }, [&](QObject&, const Result<void>&) { isTold = true; });
    owner.reset();
    QVERIFY(QThreadPool::globalInstance()->waitForDone());
    QCoreApplication::processEvents();
    QVERIFY(!isTold);
  }

  void futuresHaveTheResult() {
    QThread* worked = nullptr;
    QFuture<Result<int>> future = promised([&worked]() -> Result<int> {
      worked = QThread::currentThread();
      return 42;
    });
    QCOMPARE(future.result().value_or(-1), 42);
    QTRY_VERIFY(future.isFinished());  // a result may be had a moment before
    QVERIFY(worked != QThread::currentThread());
  }

  void shortMemoryIsAResult_data() {
    QTest::addColumn<bool>("isThrown");
    QTest::newRow("thrown") << true;
    QTest::newRow("told on the way") << false;
  }
  void shortMemoryIsAResult() {
    QFETCH(bool, isThrown);
    QObject owner;
    std::optional<Result<int>> answer;
    const auto work = [isThrown]() -> Result<int> {
      if (isThrown) throw RefusedAllocation(4096);
      [[maybe_unused]] const Error heard = noMemoryFor("reordered weights", 4096);
      return 1;  // by another way, as if nothing had been
    };
    elsewhere(&owner, work, [&](QObject&, const Result<int>& result) { answer = result; });
    QTRY_VERIFY(answer.has_value());
    for (const Result<int>& each : {*answer, promised(work).result()}) {
      QVERIFY(!each);
      const QString said = QString::fromStdString(each.error().message);
      QVERIFY2(said.contains(isThrown ? "out of memory (4096 bytes" : "reordered weights"), qPrintable(said));
    }
  }
};

QTEST_GUILESS_MAIN(TestGuiCall)
#include "tst_gui_call.moc"
