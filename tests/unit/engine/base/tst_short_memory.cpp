// Memory that was refused ends the work, whoever heard of it and went another way.
#include <atomic>
#include <new>
#include <stdexcept>
#include <thread>

#include <QtTest/QtTest>

#include "engine/base/exception_text.h"
#include "engine/base/parallel.h"
#include "engine/base/short_memory.h"

using namespace cutaway;

namespace {

using Work = Result<int> (*)();

Result<int> refused() {
  return fail(noMemoryFor("a block", 4096));
}

// As those do to whom a failure says that something is not possible.
int orNone(const Result<int>& result) {
  return result.value_or(0);
}

}  // namespace

class TestShortMemory : public QObject {
  Q_OBJECT

 private slots:
  void whatIsTakenForImpossibleEndsTheWork_data() {
    QTest::addColumn<Work>("work");
    QTest::addColumn<QString>("says");  // empty: the work goes well
    const auto add = [](const char* name, Work work, const char* says) { QTest::newRow(name) << work << says; };
    add("a value", [] { return Result<int>(orNone(refused())); }, "no memory for a block (4096 bytes): ");
    add("its own error", [] { return refused(); }, "no memory for a block (4096 bytes): ");
    add(
        "an error with its words",
        []() -> Result<int> { return fail(ErrorCode::kEpFail, "it failed: {}", refused().error().message); },
        "it failed: no memory for a block (4096 bytes): ");
    add(
        "another reason",
        []() -> Result<int> {
          orNone(refused());
          return fail(ErrorCode::kNotImplemented, "nobody can do this");
        },
        "no memory for a block (4096 bytes): ");
    add(
        "an exception as text",
        []() -> Result<int> {
          static_cast<void>(exceptionText(std::bad_alloc()));
          return 1;
        },
        "out of memory: ");
    add(
        "the first of two",
        []() -> Result<int> {
          orNone(refused());
          static_cast<void>(outOfMemory(std::bad_alloc()));
          return 1;
        },
        "no memory for a block (4096 bytes): ");
    add(
        "inside", [] { return Result<int>(orNone(heedShortMemory([] { return refused(); }))); },
        "no memory for a block (4096 bytes): ");
    add(
        "cancelled",
        []() -> Result<int> {
          orNone(refused());
          return fail(ErrorCode::kModelLoadCanceled, "cancelled");
        },
        "cancelled");
    add("nothing refused", [] { return Result<int>(1); }, "");
    add(
        "other exceptions",
        []() -> Result<int> {
          static_cast<void>(exceptionText(std::runtime_error("wrong")));
          return 1;
        },
        "");
    add(
        "the user's limit",
        []() -> Result<int> {
          static_cast<void>(noMemoryFor("a block", 4096, {.heldBytes = 0, .limitBytes = 100}));
          return 1;
        },
        "");
  }
  void whatIsTakenForImpossibleEndsTheWork() {
    QFETCH(Work, work);
    QFETCH(QString, says);
    const Result<int> done = heedShortMemory(work);
    QCOMPARE(done.has_value(), says.isEmpty());
    if (!done) QVERIFY2(QString::fromStdString(done.error().message).startsWith(says), done.error().message.c_str());
  }

  void threadsThatHelpTellIt() {
    const ThreadShare share(4);
    const auto caller = std::this_thread::get_id();
    std::atomic<bool> helped = false;
    const Result<int> done = heedShortMemory([&]() -> Result<int> {
      while (!helped) {
        parallelFor(64, 1, [&](int64_t, int64_t) {
          if (std::this_thread::get_id() == caller) return std::this_thread::yield();
          helped = true;
          orNone(refused());
        });
      }
      return 1;
    });
    QVERIFY(!done);
    // They work for others next.
    QVERIFY(heedShortMemory([]() -> Result<int> {
      parallelFor(64, 1, [](int64_t, int64_t) {});
      return 1;
    }));
  }

  void nobodyHasToAsk() {
    QVERIFY(ShortMemoryScope::current() == nullptr);
    QCOMPARE(orNone(refused()), 0);
  }
};

QTEST_GUILESS_MAIN(TestShortMemory)
#include "tst_short_memory.moc"
