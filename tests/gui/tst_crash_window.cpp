// Crashes and exceptions in the background, as a person meets them: the window stays, says what it was, and opens and
// runs the next model.
#include <atomic>
#include <cstdlib>
#include <stdexcept>

#include <QApplication>
#include <QPushButton>
#include <QSignalSpy>

#include "engine/base/crash_guard.h"
#include "engine/base/parallel.h"
#include "tests/gui/window_driver.h"
#include "tests/program/crash.h"
#include "tests/provider/test_provider.h"
#include "ui/document/crash_watch.h"
#include "ui/shell/error_banner.h"

using namespace cutaway;
using namespace cutaway::ui;
using cutaway::test::crash;
using ui::test::engineHost;
using ui::test::sample;
using ui::test::WindowDriver;

namespace {

enum Kind { kNull, kAbort, kStack, kHelper, kThrow };

int overflow(volatile char* above, int depth) {
  if (depth < 0) return 0;
  volatile char frame[4096];
  frame[0] = above ? above[0] : 'x';
  return overflow(frame, depth + 1) + frame[0];
}

void misbehave(Kind kind) {
  switch (kind) {
    case kNull:
      return crash();
    case kAbort:
      std::abort();
    case kStack:
      overflow(nullptr, 0);
      return;
    case kHelper: {
      const ThreadShare share(4);
      parallelFor(4, 1, [](int64_t begin, int64_t) {
        if (begin == 3) crash();
      });
      return;
    }
    case kThrow:
      throw std::runtime_error("the driver is gone");
  }
}

// A provider that crashes when it is asked for the first time.
std::atomic<bool> g_npuCrashes{false};
Result<std::unique_ptr<ExecutionProvider>> makeNpu(const ProviderRequest&) {
  TestProviderPlan plan;
  plan.name = "npu";
  plan.answer = [](const CapabilityRequest&) -> Result<CapabilityAnswer> {
    if (g_npuCrashes.exchange(false)) crash();
    return CapabilityAnswer{};
  };
  return makeTestProvider(std::move(plan));
}

void addKinds() {
  QTest::addColumn<int>("kind");
  QTest::newRow("null") << int(kNull);
  QTest::newRow("abort") << int(kAbort);
  QTest::newRow("stack") << int(kStack);
  QTest::newRow("helping thread") << int(kHelper);
  QTest::newRow("exception") << int(kThrow);
}

}  // namespace

class TestCrashWindow : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { QVERIFY(CrashGuard::install()); }

  // The engine crashes while it walks a model; the same window then walks and runs another.
  void walkingCrashes_data() { addKinds(); }
  void walkingCrashes() {
    QFETCH(int, kind);
    auto host = engineHost();
    auto bad = std::make_shared<std::atomic<bool>>(true);
    host->createSession = [inner = host->createSession, bad, kind](
                              const load::ModelSource& source, const session::SessionOptions& options,
                              const ProviderTable& table, Progress& progress, const session::WalkListener& listener) {
      if (bad->exchange(false)) {
        progress.begin("Partition", "asking npu");
        const DoingScope doing("ask ", "npu");
        misbehave(static_cast<Kind>(kind));
      }
      return inner(source, options, table, progress, listener);
    };
    session::SessionOptions options;
    options.threads = 1;
    WindowDriver driver(host, options);
    driver.page = driver.window.openFile(sample("digits_cnn"));
    QTRY_VERIFY_WITH_TIMEOUT(driver.document().error(), 60'000);
    QVERIFY(!driver.document().service().busy());
    const QString words = driver.page->banner()->plainText();
    QVERIFY(driver.page->banner()->isVisible());
    if (kind == kThrow) {
      QVERIFY2(words.contains("the driver is gone"), qPrintable(words));
    } else {
      QVERIFY2(words.contains("ask npu") && words.contains("start Cutaway anew"), qPrintable(words));
      QVERIFY2(words.contains(kind == kAbort ? "SIGABRT" : "SIGSEGV"), qPrintable(words));
    }
    driver.keepPicture("crash");
    QVERIFY(driver.open(sample("digits_mlp")));
    QVERIFY(!driver.document().error());
    driver.document().run();
    QTRY_VERIFY_WITH_TIMEOUT(driver.document().walk()->run, 60'000);
    // The first one is loaded again.
    driver.page = driver.window.openFile(sample("digits_cnn"));
    driver.document().reload();
    QTRY_VERIFY_WITH_TIMEOUT(!driver.document().service().busy() && driver.document().walk()->pattern, 60'000);
    QVERIFY(!driver.document().error());
  }

  // A provider crashes when it is asked, on the thread that its calls are made on.
  void providerCrashes() {
    auto host = engineHost();
    g_npuCrashes = true;
    ProviderEntry entry = host->providers.front();
    entry.name = "npu";
    entry.takesTheRest = false;
    entry.create = makeNpu;
    host->providers.insert(host->providers.begin(), entry);
    session::SessionOptions options;
    options.providers = {"npu", "cpu"};
    WindowDriver driver(host, options);
    driver.page = driver.window.openFile(sample("digits_cnn"));
    QTRY_VERIFY_WITH_TIMEOUT(driver.document().error(), 60'000);
    const QString words = driver.page->banner()->plainText();
    QVERIFY2(words.contains("ask npu"), qPrintable(words));
    QVERIFY(driver.document().walk()->loadedGraphs);  // what was known before stays
    driver.document().reload();
    QTRY_VERIFY_WITH_TIMEOUT(!driver.document().service().busy() && driver.document().walk()->pattern, 60'000);
  }

  // A comparison crashes: its page is free again, the walk stands, and a run says that the session is lost.
  void comparingCrashes() {
    auto host = engineHost();
    host->evaluateWhatIf = [](const Model&, const session::SessionOptions&, const session::Configuration&,
                              const WalkReport&, Progress&, int) -> Result<study::WhatIfResult> {
      crash();
      return fail(ErrorCode::kFail, "not reached");
    };
    WindowDriver driver(host);
    QVERIFY(driver.open(sample("digits_cnn")));
    QSignalSpy crashes(&CrashWatch::instance(), &CrashWatch::crashed);
    driver.document().compare();
    QTRY_VERIFY_WITH_TIMEOUT(!crashes.isEmpty() && !driver.document().comparing(), 60'000);
    QVERIFY(driver.document().walk()->pattern);
    QVERIFY(driver.document().error());
    driver.document().run();
    QTRY_VERIFY_WITH_TIMEOUT(driver.document().error()->message.find("session was lost") != std::string::npos, 60'000);
    driver.document().reload();
    QTRY_VERIFY_WITH_TIMEOUT(!driver.document().service().busy() && driver.document().walk()->pattern, 60'000);
    QVERIFY(!driver.document().error());
  }

  // Two documents: only the one whose task crashed is touched.
  void othersGoOn() {
    auto host = engineHost();
    host->evaluateWhatIf = [](const Model&, const session::SessionOptions&, const session::Configuration&,
                              const WalkReport&, Progress&, int) -> Result<study::WhatIfResult> { std::abort(); };
    WindowDriver driver(host);
    DocumentPage* first = driver.open(sample("digits_mlp"));
    DocumentPage* second = driver.open(sample("digits_cnn"));
    QVERIFY(first && second);
    second->document()->compare();
    QTRY_VERIFY_WITH_TIMEOUT(second->document()->error(), 60'000);
    QVERIFY(!first->document()->error());
    first->document()->run();
    QTRY_VERIFY_WITH_TIMEOUT(first->document()->walk()->run, 60'000);
  }

  void threadsThatAreParkedAreNotWaitedFor() {
    QVERIFY(CrashGuard::parkedThreads() > 0);
    EngineService::waitForThreads();
  }
};

// As the program does: parked threads may hold what its end would wait for.
int main(int argc, char** argv) {
  if (!CrashGuard::possible()) return 0;  // sanitizers handle faults themselves
  QApplication app(argc, argv);
  TestCrashWindow test;
  std::_Exit(QTest::qExec(&test, argc, argv));
}
#include "tst_crash_window.moc"
