// Gradient written out as ordinary operators: at every level, with its report, and what it refuses. Values are checked
// by the cases of tests/conformance/own_cases/gradient.py.

#include "tests/unit/engine/stages/optimize/optimizing.h"

using namespace cutaway;

namespace {

Result<OptimizeReport> expand(Model& model, int level) {
  Progress progress;
  optimize::OptimizeOptions options;
  options.level = level;
  options.kernels = &kernelsOfCpu();
  return optimize::optimize(model, options, progress);
}

const QByteArray kHead = "<ir_version: 10, opset_import: [\"\" : 18, \"ai.onnx.preview.training\" : 1]> ";

}  // namespace

class TestGradient : public QObject {
  Q_OBJECT

 private slots:
  void everyLevelWritesItOut() {
    for (const int level : {0, 1, 3}) {
      Model model = resolvedModel(kHead +
                                  "g (double[3] x) => (double[3] d) { y = Sin (x) d = "
                                  "ai.onnx.preview.training.Gradient <xs = [\"x\"], y = \"y\"> (x) }");
      const auto report = expand(model, level);
      if (!report) QFAIL(describe(report.error()).c_str());
      const QByteArray operators = operatorsOf(model);
      QVERIFY2(!operators.contains("Gradient") && operators.contains("Cos"), operators);
      QCOMPARE(report->passes.back().name, std::string("GradientExpansion"));
      QCOMPARE(report->passes.back().rewrites, int64_t{1});
      QCOMPARE(report->rewrites.front().removed.size(), size_t{1});
      QVERIFY(!report->rewrites.front().added.empty());
      QCOMPARE(toText(model.graph.value(model.graph.findValue("d")).type), std::string("double[3]"));
    }
  }

  void othersSeeNoPass() {
    Model model = resolvedModel("g (float[3] x) => (float[3] y) { y = Sin (x) }");
    const auto report = expand(model, 3);
    QVERIFY(report && report->passes.size() == optimize::passPipeline().size());
  }

  void refuses_data() {
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QByteArray>("says");
    QTest::addColumn<int>("code");
    const auto row = [](const char* name, const char* body, const char* says, ErrorCode code) {
      QTest::newRow(name) << QByteArray(body) << QByteArray(says) << static_cast<int>(code);
    };
    row("an operator without a rule", "y = Det (x) d = ai.onnx.preview.training.Gradient <xs = [\"x\"], y = \"y\"> (x)",
        "Det", ErrorCode::kNotImplemented);
    row("a name nobody has", "y = Sin (x) d = ai.onnx.preview.training.Gradient <xs = [\"z\"], y = \"y\"> (x)", "'z'",
        ErrorCode::kInvalidGraph);
    row("a target nobody makes", "y = Sin (x) d = ai.onnx.preview.training.Gradient <xs = [\"x\"], y = \"q\"> (x)",
        "'q'", ErrorCode::kInvalidGraph);
    row("too few inputs",
        "y = Add (x, x) d = ai.onnx.preview.training.Gradient <xs = [\"x\"], zs = [\"y\"], y = \"y\"> (x)", "1 inputs",
        ErrorCode::kInvalidGraph);
    row("too many outputs", "y = Sin (x) d, e = ai.onnx.preview.training.Gradient <xs = [\"x\"], y = \"y\"> (x)",
        "2 outputs", ErrorCode::kInvalidGraph);
    row("a circle",
        "a = ai.onnx.preview.training.Gradient <xs = [\"x\"], y = \"d\"> (x) d = ai.onnx.preview.training.Gradient <xs "
        "= [\"x\"], y = \"a\"> (x)",
        "circle", ErrorCode::kInvalidGraph);
  }
  void refuses() {
    QFETCH(QByteArray, body);
    QFETCH(QByteArray, says);
    QFETCH(int, code);
    Model model = resolvedModel(kHead + "g (double[3,3] x) => (d) { " + body + " }");
    const auto report = expand(model, 1);
    QVERIFY(!report);
    QCOMPARE(static_cast<int>(report.error().code), code);
    QVERIFY2(describe(report.error()).find(says.toStdString()) != std::string::npos, describe(report.error()).c_str());
  }
};

QTEST_GUILESS_MAIN(TestGradient)
#include "tst_gradient.moc"
