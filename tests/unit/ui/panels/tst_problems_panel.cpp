// The list of problems: everything that went wrong, where, and what to do next.
#include <QClipboard>
#include <QGuiApplication>
#include <QPushButton>
#include <QTableView>
#include <QTest>

#include "tests/unit/ui/panels/tool_bench.h"
#include "ui/document/problem_list.h"
#include "ui/panels/linked_table.h"

using namespace cutaway;
using namespace cutaway::ui;

namespace {

std::shared_ptr<const WalkReport> troubled() {
  auto walk = std::make_shared<WalkReport>(*test::sampleWalk());
  auto load = std::make_shared<LoadReport>(*walk->load);
  load->warnings = {"an opset is newer than what is known"};
  walk->load = load;
  auto resolve = std::make_shared<ResolveReport>(*walk->resolve);
  resolve->warnings = {
      {walk->loadedGraphs->graphs[0].nodes[1].name, {}, "its declared shape is not what was inferred"}};
  resolve->openSymbols = {"batch"};
  walk->resolve = resolve;
  auto partition = std::make_shared<PartitionReport>(*walk->partition);
  partition->refusals = {{.provider = "skeleton",
                          .cause = RefusalCause::kOther,
                          .reason = "it has no kernel for it",
                          .remedy = "opset 13",
                          .nodes = {6}}};
  walk->partition = partition;
  return walk;
}

}  // namespace

class TestProblemsPanel : public QObject {
  Q_OBJECT

 private slots:
  void allStagesAreHeard() {
    test::ToolBench bench("problems");
    bench.document.setWalk(troubled());
    const auto problems = collectProblems(bench.document);
    const ProblemCounts counts = countProblems(problems);
    QVERIFY(counts.warnings >= 2);
    QVERIFY(counts.notes >= 2);
    const ProblemCounts cheap = problemCounts(bench.document);
    QCOMPARE(cheap.errors, counts.errors);
    QCOMPARE(cheap.warnings, counts.warnings);
    QCOMPARE(cheap.notes, counts.notes);
    for (size_t i = 1; i < problems.size(); ++i)
      QVERIFY(problems[i - 1].severity <= problems[i].severity);
    for (const Problem& problem : problems) {
      QVERIFY(!problem.stage.isEmpty() && !problem.message.isEmpty());
      QVERIFY2(!problem.next.isEmpty(), qPrintable(problem.message));
    }
    const auto named = std::find_if(problems.begin(), problems.end(),
                                    [](const Problem& problem) { return problem.message.contains("inferred"); });
    QVERIFY(named != problems.end());
    QCOMPARE(named->target.node, (NodeTarget{GraphVersion::kLoaded, 0, 1}));
    const auto refused = std::find_if(problems.begin(), problems.end(),
                                      [](const Problem& problem) { return problem.message.contains("no kernel"); });
    QVERIFY(refused != problems.end());
    QVERIFY(refused->next.contains("opset 13"));
  }

  void failureComesFirstWithItsPlace() {
    test::ToolBench bench("problems");
    bench.document.setWalk(test::failedWalk());
    const auto problems = collectProblems(bench.document);
    QVERIFY(!problems.empty());
    QCOMPARE(problems.front().severity, Problem::kError);
    QVERIFY(problemText(problems.front()).startsWith("error, "));
  }

  void everyCodeHasANextStep() {
    for (int code = static_cast<int>(ErrorCode::kFail); code <= static_cast<int>(ErrorCode::kDeviceReset); ++code)
      QVERIFY(!nextStep(static_cast<ErrorCode>(code)).isEmpty());
  }

  void rowsLeadToTheirPlaceAndAreCopied() {
    test::ToolBench bench("problems");
    bench.document.setWalk(troubled());
    bench.picture("problems");
    auto* view = bench.panel->findChild<QTableView*>();
    const int all = view->model()->rowCount();
    for (int row = 0; row < all; ++row)
      if (view->model()->index(row, 2).data().toString().contains("inferred")) view->selectRow(row);
    QCOMPARE(bench.document.selection().focus(), (NodeTarget{GraphVersion::kLoaded, 0, 1}));
    for (auto* button : bench.panel->findChildren<QAbstractButton*>()) {
      if (button->text().startsWith("Copy")) button->click();
      if (button->text().startsWith("Notes")) button->click();
    }
    QVERIFY(QGuiApplication::clipboard()->text().contains("no kernel"));
    QVERIFY(view->model()->rowCount() < all);
  }

  void nothingIsSaidWhenNothingIsWrong() {
    test::ToolBench bench("problems");
    bench.picture("problems-empty");
    QVERIFY(collectProblems(bench.document).empty());
  }
};

QTEST_MAIN(TestProblemsPanel)
#include "tst_problems_panel.moc"
