// Sweeps over shapes: curves, sentence and rows of a report, and the panel over a real engine.
#include <filesystem>

#include <QTabWidget>
#include <QTableView>
#include <QTest>

#include "engine/graph/text.h"
#include "engine/stages/load/save.h"
#include "providers/cpu/provider.h"
#include "tests/unit/ui/panels/tool_bench.h"
#include "ui/document/shape_sweeper.h"
#include "ui/document/study_job.h"
#include "ui/panels/curve_chart.h"
#include "ui/panels/empty_state.h"
#include "ui/panels/shapes/shape_tables.h"

using namespace cutaway;
using namespace cutaway::ui;

namespace {

constexpr const char* kModel = R"(<ir_version: 8, opset_import: ["" : 17]>
main (float[batch,seq] x) => (float[batch,seq] y) { [a] p = Sin (x)  [b] y = Tanh (p) })";

// Two batches over three lengths; the last was not planned.
ShapeSweep report() {
  ShapeSweep sweep{.dims = {"batch", "seq"}, .rows = {}};
  for (const int64_t batch : {1, 8})
    for (const int64_t seq : {16, 32, 64})
      sweep.rows.push_back({.dims = {{"batch", batch}, {"seq", seq}},
                            .peakBytes = batch * seq * 1000,
                            .lowerBoundBytes = batch * seq * 1000,
                            .groups = 0,
                            .leftNodes = 2,
                            .runs = 5,
                            .medianMs = static_cast<double>(batch * seq) / 16,
                            .lowMs = static_cast<double>(batch * seq) / 20,
                            .highMs = static_cast<double>(batch * seq) / 10});
  sweep.rows.back() = {.dims = {{"batch", 8}, {"seq", 64}}, .problem = "it does not fit"};
  return sweep;
}

std::shared_ptr<const EngineHost> realHost() {
  auto host = std::make_shared<EngineHost>();
  host->providers = {cpuProvider()};
  host->createSession = session::Session::create;
  return host;
}

}  // namespace

class TestShapesPanel : public QObject {
  Q_OBJECT

 private slots:
  void curvesAreOverTheLongestDimension() {
    const CurveChartData latency = latencyCurves(report());
    QCOMPARE(latency.axis, QStringLiteral("seq"));
    QCOMPARE(latency.ticks, (std::vector<QString>{"16", "32", "64"}));
    QCOMPARE(latency.curves.size(), size_t{2});
    QCOMPARE(latency.curves[0].label, QStringLiteral("batch = 1"));
    QCOMPARE(latency.curves[1].amounts, (std::vector<double>{8, 16, -1}));
    QCOMPARE(latency.curves[1].spread[0], (std::pair<double, double>{6.4, 12.8}));
    QCOMPARE(latency.write(2.5), QStringLiteral("2.5 ms"));
    QCOMPARE(peakCurves(report()).curves[0].amounts, (std::vector<double>{16'000, 32'000, 64'000}));
  }

  void sentenceNamesTheEnds() {
    const QString words = sweepSentence(report());
    QVERIFY2(words.contains("6 shapes: median 1 ms at batch = 1, seq = 16 to 16 ms at batch = 8, seq = 32"),
             qPrintable(words));
    QVERIFY2(words.contains("planned peak 16 KB at") && words.contains("1 without figures"), qPrintable(words));
  }

  // A peak of what has a size is none of all, and a simulator's time is none of the hardware.
  void figuresSayWhatTheyAre() {
    ShapeSweep sweep = report();
    for (ShapeRow& row : sweep.rows) {
      row.unplannedBuffers = 3;
      row.simulated = {"declared(X)"};
      row.assumed = {{"other", 1}};
    }
    QVERIFY(peakCurves(sweep).curves.empty());
    QVERIFY(latencyCurves(sweep).curves[0].amounts[0] > 0);
    QVERIFY(sweepSentence(sweep).contains("simulated median"));
    const auto shared = std::make_shared<const ShapeSweep>(sweep);
    const ReportRows rows = shapeRows(shared);
    QStringList cells;
    for (int column = 0; column < static_cast<int>(rows.columns.size()); ++column)
      cells << rows.cell(0, column);
    const QString line = cells.join(u'|');
    QVERIFY2(line.contains("(simulated)") && line.contains(QStringLiteral("\u2265 16 KB")) &&
                 line.contains("run at other = 1") && line.contains("declared(X) is not here"),
             qPrintable(line));
    QVERIFY(rows.cell(5, static_cast<int>(rows.columns.size()) - 1).contains("it does not fit"));
  }

  void nothingToSweepIsSaid() {
    test::ToolBench bench("shapes", realHost());
    auto* empty = bench.find<EmptyState>();
    QVERIFY(empty && !empty->button()->isEnabled());
  }

  void plansAndRuns() {
    QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("model.onnx"));
    QVERIFY(load::save(*parseModelText(kModel), file.toStdString(), {}));
    test::ToolBench bench("shapes", realHost());
    bench.document.open(file);
    QTRY_VERIFY_WITH_TIMEOUT(!bench.document.service().busy(), 60000);
    auto* empty = bench.find<EmptyState>();
    QVERIFY(!empty->button()->isEnabled());
    ShapeSweeper* sweeper = ShapeSweeper::of(&bench.document);
    QCOMPARE(sweeper, ShapeSweeper::of(&bench.document));
    sweeper->setSizes("batch", {1, 8});
    sweeper->setSizes("seq", {16, 32, 64});
    QCOMPARE(sweeper->combinations(), size_t{6});
    QTRY_VERIFY(empty->button()->isEnabled());
    sweeper->request(3);
    auto* job = bench.find<StudyJob>();
    QVERIFY(job->busy());
    QTRY_VERIFY_WITH_TIMEOUT(!job->busy(), 60000);
    const auto sweep = job->result<ShapeSweep>();
    QVERIFY2(sweep, job->error() ? describe(*job->error()).c_str() : "cancelled");
    QCOMPARE(sweep->rows.size(), size_t{6});
    QCOMPARE(sweep->rows.back().runs, int64_t{3});
    QCOMPARE(bench.find<QTableView>()->model()->rowCount(), 6);
    const auto charts = bench.panel->findChildren<CurveChart*>();
    QCOMPARE(charts.size(), 2);
    for (const CurveChart* chart : charts)
      QCOMPARE(chart->data().curves.size(), size_t{2});
    bench.picture(QStringLiteral("shapes"));
    // Planned only: there is no latency to draw.
    sweeper->request(0);
    QTRY_VERIFY_WITH_TIMEOUT(!job->busy(), 60000);
    QVERIFY(!wasRun(*job->result<ShapeSweep>()));
    QCOMPARE(std::ranges::count_if(charts, [](const CurveChart* chart) { return chart->isVisible(); }), 1);
  }
};

QTEST_MAIN(TestShapesPanel)
#include "tst_shapes_panel.moc"
