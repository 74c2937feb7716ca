// Memory that ends where no exception can leave ends the program with words and its exit code, not with an abort.
#include <array>
#include <csignal>
#include <functional>
#include <new>
#include <string>
#include <thread>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <QtTest/QtTest>

#include "app/program_heap/memory_end.h"
#include "engine/base/short_memory.h"
#include "engine/base/thread_work.h"

using namespace cutaway;

namespace {

constexpr int kCode = 5;

struct Ended {
  int code = -1;
  int signal = 0;
  std::string words;
};

// What a program ends with that does this.
Ended endOf(const std::function<void()>& work, bool onlyThisThread = false) {
  std::array<int, 2> pipe{};
  if (::pipe(pipe.data()) != 0) return {};
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(pipe[1], STDERR_FILENO);
    const rlimit none{0, 0};
    ::setrlimit(RLIMIT_CORE, &none);
    std::signal(SIGABRT, SIG_DFL);
    tellEndOfMemory({.program = "tool", .advice = "get more", .exitCode = kCode, .onlyThisThread = onlyThisThread});
    work();
    ::_exit(0);
  }
  ::close(pipe[1]);
  Ended ended;
  std::array<char, 1024> piece;
  for (ssize_t count; (count = ::read(pipe[0], piece.data(), piece.size())) > 0;)
    ended.words.append(piece.data(), static_cast<size_t>(count));
  ::close(pipe[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  if (WIFEXITED(status)) ended.code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) ended.signal = WTERMSIG(status);
  return ended;
}

// As the destructor of a JSON value does.
struct AllocatesAtItsEnd {
  ~AllocatesAtItsEnd() {
    const DoingScope doing("the report");
    throwRefused();
  }
  static void throwRefused() { throw RefusedAllocation(4096); }
};

}  // namespace

class TestMemoryEnd : public QObject {
  Q_OBJECT

 private slots:
  void destructorsEndItWithWords() {
    const Ended ended = endOf([] { const AllocatesAtItsEnd value; });
    QCOMPARE(ended.signal, 0);
    QCOMPARE(ended.code, kCode);
    QCOMPARE(ended.words,
             std::string("tool: RUNTIME_EXCEPTION: out of memory (4096 bytes, in the report): get more\n"));
  }

  void threadsEndItWithWords() {
    const auto work = [] { std::thread([] { throw std::bad_alloc(); }).join(); };
    const Ended ended = endOf(work);
    QCOMPARE(ended.code, kCode);
    QCOMPARE(ended.words, std::string("tool: RUNTIME_EXCEPTION: out of memory: get more\n"));
    QCOMPARE(endOf(work, true).signal, SIGABRT);  // somebody else's to tell
  }

  void otherExceptionsEndItAsBefore() {
    QCOMPARE(endOf([] { std::thread([] { throw 1; }).join(); }).signal, SIGABRT);
  }
};

QTEST_GUILESS_MAIN(TestMemoryEnd)
#include "tst_memory_end.moc"
