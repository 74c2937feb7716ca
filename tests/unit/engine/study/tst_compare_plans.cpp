// Plans compared: orders in a table, a dimension over a range, two plans value by value.

#include <QtTest/QtTest>

#include "engine/study/what_if/compare_plans.h"
#include "engine/study/what_if/what_if.h"
#include "providers/cpu/provider.h"
#include "tests/unit/engine/session/text_session.h"

using namespace cutaway;

namespace {

// Two branches: depth first by node index keeps the wide value of the first alive while the second, which needs more,
// runs.
constexpr const char* kBranches = R"(<ir_version: 8, opset_import: ["" : 17]>
  g (float[1,4] x, float[4,512] w, float[4,4096] v) => (float[1,513] y) {
    [keep] a = MatMul (x, w)
    [wide] b = MatMul (x, v)
    [small] c = ReduceSum <keepdims = 1> (b)
    [one] d = Reshape (c, shape)
    [both] y = Concat <axis = 1> (a, d)
  })";
constexpr const char* kOpen = R"(<ir_version: 8, opset_import: ["" : 17]>
  g (float[batch,16] x) => (float[batch,16] y) { [r] a = Sin (x) [m] b = MatMul (a, w) [t] c = Tanh (b) [s] y = Add (c, b) })";

std::string withShape(std::string text) {
  const size_t brace = text.find("=> (float[1,513] y) {");
  return text.replace(brace, 21, "=> (float[1,513] y) <int64[2] shape = {1, 1}> {");
}
std::string withWeight(std::string text) {
  const size_t brace = text.find("=> (float[batch,16] y) {");
  std::string numbers;
  for (int i = 0; i < 256; ++i)
    numbers += fmt::format("{}{}", i > 0 ? ", " : "", i % 7);
  return text.replace(brace, 24, "=> (float[batch,16] y) <float[16,16] w = {" + numbers + "}> {");
}

struct Made {
  std::unique_ptr<session::Session> session;
  session::SessionOptions options;
};

Made make(const std::string& text, std::map<std::string, int64_t> dims = {}) {
  Made made;
  made.options.keepOptimized = true;
  made.options.prepareRun = false;
  made.options.optimizationLevel = 0;
  made.options.dims = std::move(dims);
  auto session = textSession(text, made.options);
  if (!session) qFatal("%s", describe(session.error()).c_str());
  made.session = *std::move(session);
  return made;
}

}  // namespace

class TestComparePlans : public QObject {
  Q_OBJECT

 private slots:
  void orders() {
    const Made made = make(withShape(kBranches));
    Progress progress;
    const auto table = study::compareOrders(*made.session->optimizedModel(), made.options, cpuTable(), progress);
    QVERIFY2(table, why(table).c_str());
    QCOMPARE(table->parameter, std::string("order"));
    QCOMPARE(table->values, (std::vector<std::string>{"default", "priority", "fifo", "memory", "onnxruntime"}));
    const auto& rows = table->rows;
    for (const PlanFigures& row : rows) {
      QVERIFY2(row.problem.empty(), row.problem.c_str());
      QVERIFY(row.peakBytes >= row.lowerBoundBytes);
      QCOMPARE(row.outputBytes, int64_t{513 * 4});
      QCOMPARE(row.liveBytes.size(), size_t{5});
    }
    QVERIFY2(rows[3].peakBytes < rows[0].peakBytes,
             qPrintable(QString("%1 against %2").arg(rows[3].peakBytes).arg(rows[0].peakBytes)));
  }

  void sweep() {
    const Made made = make(withWeight(kOpen));
    Progress progress;
    const std::vector<int64_t> values{1, 8, 64};
    const auto table =
        study::sweepDimension(*made.session->optimizedModel(), made.options, cpuTable(), "batch", values, progress);
    QVERIFY2(table, why(table).c_str());
    QCOMPARE(table->values, (std::vector<std::string>{"1", "8", "64"}));
    QCOMPARE(table->rows[2].outputBytes >= 0, true);
    QVERIFY(table->rows[1].peakBytes > table->rows[0].peakBytes);
    QCOMPARE(table->rows[2].peakBytes, 8 * table->rows[1].peakBytes);
    for (const PlanFigures& row : table->rows)
      QCOMPARE(row.unplannedValues, int64_t{0});
  }

  void badSweeps() {
    const Made open = make(withWeight(kOpen));
    const Made bound = make(withWeight(kOpen), {{"batch", 2}});
    Progress progress;
    const std::vector<int64_t> one{1}, none{0};
    const auto unknown =
        study::sweepDimension(*open.session->optimizedModel(), open.options, cpuTable(), "seq", one, progress);
    QCOMPARE(unknown.error().code, ErrorCode::kInvalidArgument);
    QVERIFY2(unknown.error().message.find("batch") != std::string::npos, unknown.error().message.c_str());
    const auto taken =
        study::sweepDimension(*bound.session->optimizedModel(), bound.options, cpuTable(), "batch", one, progress);
    QVERIFY2(taken.error().message.find("it is bound to one size") != std::string::npos, taken.error().message.c_str());
    QCOMPARE(study::sweepDimension(*open.session->optimizedModel(), open.options, cpuTable(), "batch", none, progress)
                 .error()
                 .code,
             ErrorCode::kInvalidArgument);
  }

  void twoPlansValueByValue() {
    const Made made = make(withWeight(kOpen), {{"batch", 4}});
    study::WhatIf whatIf(cpuTable());
    Progress progress;
    const auto same = whatIf.evaluate(*made.session->optimizedModel(), made.options,
                                      *session::readConfiguration("threads=1"), *made.session->report(), progress);
    QVERIFY2(same, why(same).c_str());
    QVERIFY(same->plans->values.empty());
    QVERIFY(same->plans->sameValues > 0);
    QCOMPARE(same->plans->movedSteps, int64_t{0});
    const auto apart = whatIf.evaluate(*made.session->optimizedModel(), made.options,
                                       *session::readConfiguration("in-place=0; session.enable_mem_reuse=0"),
                                       *made.session->report(), progress);
    QVERIFY2(apart, why(apart).c_str());
    QVERIFY(!apart->plans->values.empty());
    for (const ValueDifference& each : apart->plans->values) {
      QVERIFY(!each.name.empty());
      QVERIFY(each.kindA != each.kindB || each.ruleA != each.ruleB || each.bufferA != each.bufferB ||
              each.firstA != each.firstB || each.lastA != each.lastB);
      QVERIFY2(!each.reasonB.empty(), each.name.c_str());
    }
  }

  void cancel() {
    const Made made = make(withShape(kBranches));
    CancelToken token;
    token.cancel();
    Progress progress(token);
    QCOMPARE(study::compareOrders(*made.session->optimizedModel(), made.options, cpuTable(), progress).error().code,
             ErrorCode::kModelLoadCanceled);
  }
};

QTEST_GUILESS_MAIN(TestComparePlans)
#include "tst_compare_plans.moc"
