// Hosts that are none: programs that end, hang, crash or talk nonsense in the place of cutaway-ort-host. Each gives an
// error with its last words, in time, and leaves no process behind.
#include <csignal>
#include <fstream>
#include <thread>

#include <sys/wait.h>
#include <unistd.h>

#include <QTemporaryDir>
#include <QtTest/QtTest>

#include "engine/base/clock.h"
#include "providers/onnxruntime/client/client.h"
#include "providers/onnxruntime/client/host_process.h"
#include "providers/onnxruntime/library.h"

using namespace cutaway;
using namespace cutaway::onnxruntime;

namespace {

namespace fs = std::filesystem;

class TestOrtLostHost : public QObject {
  Q_OBJECT
 private slots:
  void fakes_data();
  void fakes();
  void aMissingProgram();
  void theRealHostRefusesOtherLibraries_data();
  void theRealHostRefusesOtherLibraries();
  void cancelEndsAHangingHost();
  void aHostThatPrintsALotIsHeardOut();

 private:
  fs::path script(const std::string& text) {
    const fs::path path = fs::path(m_folder.path().toStdString()) / ("host" + std::to_string(++m_count));
    std::ofstream(path) << "#!/bin/bash\n" << text << '\n';
    fs::permissions(path, fs::perms::owner_all);
    return path;
  }
  const QTemporaryDir m_folder;
  int m_count = 0;
};

void TestOrtLostHost::fakes_data() {
  QTest::addColumn<QString>("text");
  QTest::addColumn<QString>("message");
  QTest::newRow("ends at once") << "exit 3" << "ended with code 3";
  QTest::newRow("ends with words") << "echo what a pity >&2; exit 1" << "last words: what a pity";
  QTest::newRow("prints to stdout") << "echo loud; exit 1" << "last words: loud";
  QTest::newRow("crashes") << "kill -SEGV $$" << "signal 11";
  QTest::newRow("is killed") << "kill -KILL $$" << "signal 9";
  QTest::newRow("hangs") << "exec sleep 1000" << "gave no answer in 0.5 s";
  QTest::newRow("closes its socket and stays") << "exec 3>&-; exec sleep 1000" << "signal 9";
  QTest::newRow("talks rubbish") << "printf 'rubbish, and more rubbish, and yet more' >&3; exec sleep 1000"
                                 << "spoke nonsense";
  QTest::newRow("talks rubbish for ever")
      << "while true; do printf 'rubbish, and more rubbish, and more' >&3; done" << "spoke nonsense";
  QTest::newRow("echoes a frame of another kind")
      << R"(printf 'CORT\x02\x00\x07\x00\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00' >&3; exec sleep 1000)"
      << "answers another request";
  QTest::newRow("answers with an empty reply")
      << R"(printf 'CORT\x02\x00\x01\x00\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00' >&3; exec sleep 1000)"
      << "no reply";
}

void TestOrtLostHost::fakes() {
  QFETCH(const QString, text);
  QFETCH(const QString, message);
  Host host({.library = "/nowhere/libonnxruntime.so", .program = script(text.toStdString()), .startSeconds = 0.5});
  for (int64_t times = 1; times <= 2; ++times) {
    const Result<LibraryFacts> facts = host.library();
    QVERIFY(!facts.has_value());
    QCOMPARE(facts.error().code, ErrorCode::kEpFail);
    QVERIFY2(QString::fromStdString(facts.error().message).contains(message), facts.error().message.c_str());
    QCOMPARE(host.counters().started, times);  // the next request starts a new one
    QCOMPARE(host.counters().lost, times);
    QCOMPARE(host.process(), int64_t{-1});
  }
  QCOMPARE(waitpid(-1, nullptr, WNOHANG), -1);  // no child is left
}

void TestOrtLostHost::aMissingProgram() {
  Host host({.library = "/nowhere/libonnxruntime.so", .program = "/nowhere/host"});
  const Result<LibraryFacts> facts = host.library();
  QVERIFY(!facts.has_value());
  QVERIFY2(facts.error().message.find("/nowhere/host") != std::string::npos, facts.error().message.c_str());
}

void TestOrtLostHost::theRealHostRefusesOtherLibraries_data() {
  QTest::addColumn<QString>("library");
  QTest::addColumn<QString>("message");
  QTest::newRow("missing") << "/nowhere/libonnxruntime.so" << "cannot be opened";
  QTest::newRow("not a library") << "/etc/passwd" << "cannot be opened";
  QTest::newRow("another library") << "libc.so.6" << "is not ONNX Runtime";
}

void TestOrtLostHost::theRealHostRefusesOtherLibraries() {
  QFETCH(const QString, library);
  QFETCH(const QString, message);
  Host host({.library = library.toStdString()});
  const Result<LibraryFacts> facts = host.library();
  QVERIFY(!facts.has_value());
  QVERIFY2(QString::fromStdString(facts.error().message).contains(message), facts.error().message.c_str());
  QCOMPARE(host.counters().lost, int64_t{0});  // it answered: the process is none the worse
}

void TestOrtLostHost::cancelEndsAHangingHost() {
  Host host({.library = "/nowhere/libonnxruntime.so", .program = script("exec sleep 1000"), .startSeconds = 100});
  const Stopwatch watch;
  const Result<LibraryFacts> facts = host.library([&] { return watch.elapsedNs() > 100'000'000; });
  QVERIFY(!facts.has_value());
  QCOMPARE(facts.error().code, ErrorCode::kModelLoadCanceled);
  QCOMPARE(waitpid(-1, nullptr, WNOHANG), -1);
}

// More than a pipe holds: it must not stop there.
void TestOrtLostHost::aHostThatPrintsALotIsHeardOut() {
  Host host({.library = "/nowhere/libonnxruntime.so",
             .program = script("head -c 3000000 /dev/zero | tr '\\0' 'x'; echo; echo the end; exit 9"),
             .startSeconds = 60});
  const Result<LibraryFacts> facts = host.library();
  QVERIFY(!facts.has_value());
  QVERIFY2(facts.error().message.find("ended with code 9") != std::string::npos, facts.error().message.c_str());
  QVERIFY2(facts.error().message.ends_with("the end"), facts.error().message.c_str());
}

}  // namespace

QTEST_GUILESS_MAIN(TestOrtLostHost)
#include "tst_ort_lost_host.moc"
