// The support matrix: sentence and rows of a report, and the panel over real providers.
#include <filesystem>
#include <fstream>

#include <QPushButton>
#include <QTableView>
#include <QTest>

#include "engine/graph/text.h"
#include "engine/stages/load/save.h"
#include "providers/cpu/provider.h"
#include "providers/declared/provider.h"
#include "tests/unit/providers/declared/declared_fixture.h"
#include "tests/unit/ui/panels/tool_bench.h"
#include "ui/document/study_job.h"
#include "ui/panels/empty_state.h"
#include "ui/panels/support/support_tables.h"

using namespace cutaway;
using namespace cutaway::ui;

namespace {

constexpr const char* kModel = R"(<ir_version: 8, opset_import: ["" : 17]>
main (float[2,4] x) => (float[2,4] y) { [a] p = Relu (x)  [b] y = HardSwish (p) })";

SupportReport report() {
  SupportReport made;
  made.rows = {{.provider = "declared(A)",
                .title = "A",
                .simulated = true,
                .figures = {.nodes = 10, .taken = 6, .flops = 100, .takenFlops = 75, .groups = 2, .copies = 3},
                .refusals = {{"Requires static shapes", 3}, {"no kernel", 1}}},
               {.provider = "b", .title = "B", .runsHere = false, .figures = {.nodes = 10, .taken = 9}},
               {.provider = "c", .title = "C", .usable = false, .figures = {}, .problem = "no library"}};
  return made;
}

QString lineOf(const ReportRows& rows, int row) {
  QStringList cells;
  for (int column = 0; column < static_cast<int>(rows.columns.size()); ++column)
    cells << rows.cell(row, column);
  return cells.join(u'|');
}

}  // namespace

class TestSupportPanel : public QObject {
  Q_OBJECT

 private slots:
  void sentences() {
    QCOMPARE(supportSentence(report()), QStringLiteral("B takes most: 9 of 10 nodes. None takes all."));
    SupportReport all = report();
    all.rows[0].figures.taken = 10;
    QCOMPARE(supportSentence(all), QStringLiteral("All nodes are taken by: A."));
    all.rows.erase(all.rows.begin(), all.rows.begin() + 2);
    QCOMPARE(supportSentence(all), QStringLiteral("No provider gave an answer."));
  }

  void rowsSayWhoAnswered() {
    const ReportRows rows = supportRows(std::make_shared<const SupportReport>(report()));
    QCOMPARE(lineOf(rows, 0), QStringLiteral("declared(A)|simulated|6 of 10|75 %|2|3|3 \u00d7 Requires static shapes"));
    QVERIFY(lineOf(rows, 1).contains("answers, cannot run here"));
    QCOMPARE(lineOf(rows, 2), QStringLiteral("c|no answer|\u2013|\u2013|\u2013|\u2013|no library"));
  }

  void asksAndPutsFirst() {
    QTemporaryDir folder;
    const std::filesystem::path path = folder.path().toStdString();
    std::ofstream(path / "toy.json") << cutaway::testing::toyProfile(R"([{"op": "Relu"}])", "");
    const QString file = folder.filePath(QStringLiteral("model.onnx"));
    QVERIFY(load::save(*parseModelText(kModel), file.toStdString(), {}));
    auto host = std::make_shared<EngineHost>();
    host->providers = {declaredProvider(), cpuProvider()};
    host->providers.front().arguments = {"Toy"};
    host->createSession = session::Session::create;
    test::ToolBench bench("support", host);
    session::SessionOptions options;
    options.profileFolders = {path};
    bench.document.setOptions(options);
    bench.document.open(file);
    QTRY_VERIFY_WITH_TIMEOUT(!bench.document.service().busy(), 60000);
    auto* empty = bench.find<EmptyState>();
    QTRY_VERIFY(empty->button()->isEnabled());
    empty->button()->click();
    auto* job = bench.find<StudyJob>();
    QTRY_VERIFY_WITH_TIMEOUT(!job->busy(), 60000);
    const auto found = job->result<SupportReport>();
    QVERIFY2(found, job->error() ? describe(*job->error()).c_str() : "cancelled");
    auto* table = bench.find<QTableView>();
    QCOMPARE(table->model()->rowCount(), static_cast<int>(found->rows.size()));
    QPushButton* use = nullptr;
    for (auto* button : bench.panel->findChildren<QPushButton*>())
      if (button->text() == QStringLiteral("Put it first")) use = button;
    QVERIFY(use && !use->isEnabled());
    bench.picture(QStringLiteral("support"));
    for (int row = 0; row < table->model()->rowCount(); ++row)
      if (table->model()->index(row, 0).data().toString() == QStringLiteral("declared(Toy)"))
        table->setCurrentIndex(table->model()->index(row, 0));
    QVERIFY(use->isEnabled());
    use->click();
    QCOMPARE(bench.document.options().providers.front(), std::string("declared(Toy)"));
    QTRY_VERIFY_WITH_TIMEOUT(!bench.document.service().busy(), 60000);
    QVERIFY(job->stale());
  }
};

QTEST_MAIN(TestSupportPanel)
#include "tst_support_panel.moc"
