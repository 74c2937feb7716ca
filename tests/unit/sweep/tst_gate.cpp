// The gate: what is worse is told, what is not passes, and its statistics are those of their sources.
#include <random>

#include "sweep/answers/gate.h"
#include "sweep/answers/matrix.h"

#include <QtTest/QtTest>

using namespace cutaway;
using namespace cutaway::sweep;

namespace {

CellResult result(const std::string& figure, double value, int64_t repeat = 0) {
  CellResult cell;
  cell.cell = {"m.onnx", "c", MeasureKind::kBench, repeat};
  cell.isDone = true;
  cell.record.machine.processor = "p";
  cell.record.findings.figures[figure].value = value;
  return cell;
}

Result<GateReport> compared(const std::vector<CellResult>& before, const std::vector<CellResult>& now) {
  return gate(before, now, [](bool, const std::string&) { return std::vector<NodePlacement>{}; }, {});
}

// Repeats of a time: a median, noise of so many per cent, and now and then a run that was disturbed.
std::vector<CellResult> noisy(std::mt19937& chance, double median, double share) {
  std::normal_distribution<double> normal(0, 1);
  std::uniform_real_distribution<double> uniform(0, 1);
  std::vector<CellResult> results;
  for (int64_t i = 0; i < 5; ++i) {
    const double disturbed = uniform(chance) < 0.1 ? 1.5 : 1;
    results.push_back(result("median_ms", median * std::exp(normal(chance) * share) * disturbed, i));
  }
  return results;
}

}  // namespace

class TestGate : public QObject {
  Q_OBJECT

 private slots:
  // Exact tail probabilities of Mann and Whitney's U (1947), by counting arrangements by hand for small sides.
  void tailProbabilities() {
    QCOMPARE(mannWhitney({1, 2, 3}, {4, 5, 6}), 1.0 / 20);
    QCOMPARE(mannWhitney({1, 2, 3, 4, 5}, {6, 7, 8, 9, 10}), 1.0 / 252);
    QCOMPARE(mannWhitney({4, 5, 6}, {1, 2, 3}), 1.0);
    QCOMPARE(mannWhitney({1}, {2}), 0.5);
    QCOMPARE(mannWhitney({1, 2}, {1.5, 3}), 2.0 / 6);  // U = 3; four and three of six arrangements
    QCOMPARE(mannWhitney({}, {1}), 1.0);
    QVERIFY(mannWhitney({1, 1, 1}, {1, 1, 1}) > 0.3);
  }
  void spread() {
    QCOMPARE(robustDeviation({1, 1, 1, 1, 100}), 0.0);
    QCOMPARE(robustDeviation({1, 2, 3, 4, 5}), 1.4826);
  }
  void exactFigures_data() {
    QTest::addColumn<QString>("figure");
    QTest::addColumn<double>("before");
    QTest::addColumn<double>("now");
    QTest::addColumn<bool>("worse");
    QTest::newRow("nodes fell") << "fallback_nodes" << 2.0 << 3.0 << true;
    QTest::newRow("nodes rose") << "fallback_nodes" << 3.0 << 2.0 << false;
    QTest::newRow("group split") << "groups" << 1.0 << 2.0 << true;
    QTest::newRow("groups merged") << "groups" << 2.0 << 1.0 << false;
    QTest::newRow("memory") << "planned_peak_bytes" << 1000.0 << 1020.0 << true;
    QTest::newRow("memory within the share") << "planned_peak_bytes" << 1000.0 << 1009.0 << false;
    QTest::newRow("error") << "max_abs_error" << 1e-5 << 2e-5 << true;
    QTest::newRow("error of the last bit") << "max_abs_error" << 0.0 << 6e-8 << false;
    QTest::newRow("context grew") << "context_bytes" << 100.0 << 110.0 << true;
    QTest::newRow("context is empty") << "context_nodes" << 2.0 << 0.0 << true;
  }
  void exactFigures() {
    QFETCH(QString, figure);
    QFETCH(double, before);
    QFETCH(double, now);
    QFETCH(bool, worse);
    CellResult a = result(figure.toStdString(), before), b = result(figure.toStdString(), now);
    a.record.findings.providers = b.record.findings.providers = {{"x", 1, 1}, {"last", 1, 0}};
    const auto report = compared({a}, {b});
    QVERIFY(report);
    QCOMPARE(report->worse.size(), size_t{worse ? 1u : 0u});
    QCOMPARE(report->compared, int64_t{1});
  }
  void outcomes() {
    CellResult good = result("x", 1), bad = good;
    bad.record.outcome = Outcome::kCrashed;
    QCOMPARE(compared({good}, {bad})->worse.size(), size_t{1});
    QCOMPARE(compared({bad}, {bad})->worse.size(), size_t{0});
    QCOMPARE(compared({bad}, {good})->worse.size(), size_t{0});
  }
  void slowerIsFound() {
    std::mt19937 chance(7);
    size_t found = 0;
    for (int i = 0; i < 500; ++i)
      found += compared(noisy(chance, 10, 0.01), noisy(chance, 13, 0.01))->worse.size();
    // Five repeats with disturbed ones among them: 386 were found as this was written.
    QVERIFY2(found >= 350, std::to_string(found).c_str());
  }
  void noisePasses() {
    std::mt19937 chance(11);
    size_t alarms = 0;
    for (int i = 0; i < 2000; ++i)
      alarms += compared(noisy(chance, 10, 0.02), noisy(chance, 10, 0.02))->worse.size();
    // 3 as this was written; the verb measures a slow cell again before it believes it.
    QVERIFY2(alarms <= 10, std::to_string(alarms).c_str());
  }
  void otherMachinesAreNotCompared() {
    std::mt19937 chance(3);
    std::vector<CellResult> now = noisy(chance, 30, 0.01);
    for (CellResult& each : now)
      each.record.machine.processor = "q";
    const auto report = compared(noisy(chance, 10, 0.01), now);
    QVERIFY(report);
    QVERIFY(report->worse.empty());
    QCOMPARE(report->notes.size(), size_t{1});
  }
  void fewRepeatsAreNotCompared() {
    const auto report = compared({result("median_ms", 1)}, {result("median_ms", 9)});
    QVERIFY(report->worse.empty());
    QCOMPARE(report->notes.size(), size_t{1});
  }
  void hostileNamesStayText() {
    CellResult a = result("groups", 1), b = result("groups", 2);
    a.cell.model = b.cell.model = "<x>&\"\x01\n::error::";
    const auto report = compared({a}, {b});
    const QString xml = QString::fromStdString(gateJunit(*report));
    QVERIFY(xml.contains("&lt;x&gt;&amp;&quot;"));
    QVERIFY(!xml.contains(QChar(1)));
    QCOMPARE(QString::fromStdString(gateAnnotations(*report, "p")).count("\n"), 1);
    const std::vector<CellResult> cells = {a};
    QVERIFY(!QString::fromStdString(matrixPage(matrixOf(cells), "t", "p", {})).contains("<x>"));
  }

  // A figure that is not all of it says so, and long names of models are told apart by what differs.
  void partialFiguresAndFolders() {
    QCOMPARE(figureText({.value = 768, .unit = "bytes", .truth = "exact"}), std::string("768 B"));
    QCOMPARE(figureText({.value = 768, .unit = "bytes", .truth = "partial"}), std::string(">= 768 B"));
    QCOMPARE(sharedFolder({"../models/a/x.onnx", "../models/ab/y.onnx"}), std::string("../models/"));
    QCOMPARE(sharedFolder({"a.onnx", "ab.onnx"}), std::string());
    QCOMPARE(sharedFolder({"m/a.onnx"}), std::string());
    QCOMPARE(sharedFolder({}), std::string());
  }
};

QTEST_MAIN(TestGate)
#include "tst_gate.moc"
