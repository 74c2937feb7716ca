// Cases in child processes: what a crash, a hang or an exception in one costs the others, alone and in company.
#include <csignal>
#include <map>
#include <stdexcept>

#include <unistd.h>

#include <QtTest>

#include "app/cli/case_process.h"

namespace {

namespace cli = cutaway::cli;
using Kind = cli::CaseOutcome::Kind;

cli::CaseOutcome outcomeOf(const std::filesystem::path& name) {
  if (name == "crashes") std::raise(SIGKILL);
  if (name == "leaves") _exit(7);
  if (name == "hangs") {
    for (;;)
      pause();
  }
  if (name == "throws") throw std::runtime_error("two\nlines");
  if (name == "skipped") return {Kind::kSkipped, "nothing to do"};
  if (name == "long") return {Kind::kFailed, std::string(100'000, 'x')};
  return {Kind::kPassed, "", {{"cpu", 3}, {"other one", 4}}};
}

class TestCaseProcess : public QObject {
  Q_OBJECT

 private slots:
  void company_data() {
    QTest::addColumn<int>("jobs");
    QTest::addColumn<int>("casesPerProcess");
    for (const int jobs : {1, 3}) {
      for (const int each : {1, 2, 4, 100})
        QTest::addRow("%d jobs, %d cases a process", jobs, each) << jobs << each;
    }
  }

  void company() {
    QFETCH(const int, jobs);
    QFETCH(const int, casesPerProcess);
    const std::vector<std::filesystem::path> folders = {"first",   "crashes", "throws", "hangs",
                                                        "skipped", "long",    "leaves", "last"};
    std::map<std::string, cli::CaseOutcome> seen;
    std::vector<std::string> order;
    cli::runCases(folders, {.jobs = jobs, .timeoutSeconds = 1, .casesPerProcess = casesPerProcess}, outcomeOf,
                  [&](const std::filesystem::path& folder, const cli::CaseOutcome& outcome) {
                    order.push_back(folder.string());
                    QVERIFY(seen.emplace(folder.string(), outcome).second);
                  },
                  {});
    QCOMPARE(seen.size(), folders.size());
    if (jobs == 1) QVERIFY(std::equal(order.begin(), order.end(), folders.begin(), folders.end()));

    for (const char* passed : {"first", "last"}) {
      QCOMPARE(seen[passed].kind, Kind::kPassed);
      QCOMPARE(seen[passed].claimedNodes, (std::map<std::string, int64_t>{{"cpu", 3}, {"other one", 4}}));
    }
    QCOMPARE(seen["skipped"].kind, Kind::kSkipped);
    QCOMPARE(seen["skipped"].message, std::string("nothing to do"));
    for (const char* failed : {"crashes", "throws", "hangs", "long", "leaves"})
      QCOMPARE(seen[failed].kind, Kind::kFailed);
    QVERIFY(seen["crashes"].message.starts_with("crashed with signal 9"));
    QCOMPARE(seen["hangs"].message, std::string("no result after 1 s"));
    QCOMPARE(seen["leaves"].message, std::string("ended with code 7 and no result"));
    QVERIFY(seen["throws"].message.ends_with("two\nlines"));
    QCOMPARE(seen["long"].message.size(), size_t{100'000});
  }
};

}  // namespace

QTEST_GUILESS_MAIN(TestCaseProcess)
#include "tst_case_process.moc"
