// Threads in the background fault; the program goes on and knows who and what it was.
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <functional>
#include <thread>

#include <sys/wait.h>
#include <unistd.h>

#include <QCoreApplication>
#include <QTest>

#include "engine/base/crash_guard.h"
#include "engine/base/parallel.h"

using namespace cutaway;

namespace {

void readNull() {
  volatile int* volatile nowhere = nullptr;
  *nowhere = 1;
}

// Not a tail call, and the frame is needed after the call.
int overflow(volatile char* above, int depth) {
  if (depth < 0) return 0;
  volatile char frame[4096];
  frame[0] = above ? above[0] : 'x';
  return overflow(frame, depth + 1) + frame[0];
}

// Starts a thread that will not come back, and waits for what is told about it.
std::optional<CrashNotice> crashOf(std::function<void()> work) {
  std::thread(std::move(work)).detach();
  std::optional<CrashNotice> notice;
  return QTest::qWaitFor([&] { return (notice = CrashGuard::take()).has_value(); }, 30'000) ? notice : std::nullopt;
}

}  // namespace

class TestCrashGuard : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    QVERIFY(!CrashGuard::installed());
    QVERIFY(CrashGuard::install());
    QVERIFY(CrashGuard::install());
    QVERIFY(!CrashGuard::take());
  }

  void faultsAreTold_data() {
    QTest::addColumn<int>("kind");
    QTest::addColumn<int>("signal");
    QTest::newRow("null") << 0 << SIGSEGV;
    QTest::newRow("abort") << 1 << SIGABRT;
    QTest::newRow("abort again") << 1 << SIGABRT;
    QTest::newRow("division") << 2 << SIGFPE;
    QTest::newRow("stack") << 3 << SIGSEGV;
    QTest::newRow("exception") << 4 << SIGABRT;
    QTest::newRow("illegal") << 5 << SIGILL;
  }
  void faultsAreTold() {
    QFETCH(int, kind);
    QFETCH(int, signal);
    const int before = CrashGuard::parkedThreads();
    const auto notice = crashOf([kind] {
      const WorkScope work(77);
      const DoingScope doing("ask ", "somebody");
      switch (kind) {
        case 0:
          readNull();
          break;
        case 1:
          std::abort();
        case 2:
          raise(SIGFPE);
          break;  // a division by zero is a fault on some processors only
        case 3:
          overflow(nullptr, 0);
          break;
        case 4:
          throw 7;
        default:
          raise(SIGILL);
      }
    });
    QVERIFY(notice);
    QCOMPARE(notice->signal, signal);
    QCOMPARE(notice->work, uint64_t{77});
    QCOMPARE(notice->doing, std::string("ask somebody"));
    QVERIFY(!CrashGuard::signalName(signal).empty());
    QCOMPARE(CrashGuard::parkedThreads(), before + 1);
  }

  // Words that cannot be read do not take the program down.
  void brokenWordsAreLeftOut() {
    const auto notice = crashOf([] {
      const WorkScope work(5);
      const DoingScope doing(
          [](const void*, size_t, char*, size_t) -> size_t {
            readNull();
            return 0;
          },
          nullptr);
      readNull();
    });
    QVERIFY(notice);
    QCOMPARE(notice->work, uint64_t{5});
    QVERIFY(notice->doing.empty());
  }

  // Threads that help in a loop belong to the one that started it.
  void helpingThreadsBelongToTheirCaller() {
    const auto notice = crashOf([] {
      const WorkScope work(1234);
      const DoingScope doing("Conv 'a'");
      const ThreadShare share(4);
      const std::thread::id self = std::this_thread::get_id();
      std::atomic<bool> helped{false};
      parallelFor(4, 1, [&](int64_t, int64_t) {
        while (std::this_thread::get_id() == self && !helped)
          std::this_thread::yield();
        helped = true;
        if (std::this_thread::get_id() != self) overflow(nullptr, 0);
      });
    });
    QVERIFY(notice);
    QCOMPARE(notice->work, uint64_t{1234});
    QCOMPARE(notice->doing, std::string("Conv 'a'"));
    // The calling thread's loops go on.
    std::atomic<int64_t> sum{0};
    const ThreadShare share(4);
    parallelFor(100, 1, [&](int64_t begin, int64_t end) { sum += end - begin; });
    QCOMPARE(sum.load(), int64_t{100});
  }

  void scopesRestoreWhatWasBefore() {
    QCOMPARE(currentWork().work, uint64_t{0});
    {
      const WorkScope outer(1);
      const DoingScope doing("outer");
      {
        const WorkScope inner(2);
        QVERIFY(currentWork().tell == nullptr);
      }
      QCOMPARE(currentWork().work, uint64_t{1});
      QVERIFY(currentWork().tell != nullptr);
    }
    QVERIFY(currentWork().tell == nullptr);
  }

  // The owner's own faults end the program as always.
  void ownersFaultsEndTheProgram() {
    const pid_t child = ::fork();
    QVERIFY(child >= 0);
    if (child == 0) {
      for (const int output : {STDOUT_FILENO, STDERR_FILENO})
        ::close(output);
      readNull();
      ::_exit(0);
    }
    int status = 0;
    QCOMPARE(::waitpid(child, &status, 0), child);
    QVERIFY(WIFSIGNALED(status) || WEXITSTATUS(status) != 0);
  }
};

// Threads are parked, and some hold what exit handlers might want.
int main(int argc, char** argv) {
  if (!CrashGuard::possible()) return 0;  // sanitizers handle faults themselves
  QCoreApplication app(argc, argv);
  TestCrashGuard test;
  std::_Exit(QTest::qExec(&test, argc, argv));
}
#include "tst_crash_guard.moc"
