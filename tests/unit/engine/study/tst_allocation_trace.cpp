// What a profiled run asked memory for, and the three ways to serve it, against figures made by hand.
#include <QtTest/QtTest>

#include "engine/study/allocation_trace/allocation_trace.h"
#include "engine/study/tune/tune.h"
#include "tests/unit/engine/session/text_session.h"

using namespace cutaway;

namespace {

// a: 400 bytes -> room for 512; Exp may write over a. Two branches of which each is needed until the Add.
constexpr const char* kModel = R"(<ir_version: 8, opset_import: ["" : 17]>
main (float[n] x) => (float[n] y) {
  [one] a = Neg (x) [two] b = Exp (a) [three] c = Sin (b) [four] d = Cos (b) [five] e = Add (c, d) [six] y = Neg (e) })";

std::shared_ptr<const WalkReport> profiled(const char* model, const session::SessionOptions& options,
                                           QString* problem) {
  auto session = textSession(model, options);
  if (!session) {
    *problem = QString::fromStdString(why(session));
    return nullptr;
  }
  const std::vector<execute::Feed> feeds = {floatFeed("x", {100}, std::vector<float>(100, 0.5f))};
  auto run =
      session::measure(**session, feeds, {.runs = 2, .seconds = 0, .warmups = 1, .profile = true}, CancelToken());
  if (!run) {
    *problem = QString::fromStdString(why(run));
    return nullptr;
  }
  return session::withRun(*(*session)->report(), *std::move(run));
}

}  // namespace

class TestAllocationTrace : public QObject {
  Q_OBJECT

 private slots:
  void sizesAreThoseOfTheRun() {
    QString problem;
    const auto walk = profiled(kModel, {.optimizationLevel = 0}, &problem);
    QVERIFY2(walk, qPrintable(problem));
    const study::AllocationTrace trace = study::allocationTrace(*walk);
    QCOMPARE(trace.allocations.size(), size_t{6});
    QCOMPARE(trace.untracedValues, int64_t{0});
    int32_t before = -1;
    for (const study::TracedAllocation& each : trace.allocations) {
      QCOMPARE(each.bytes, int64_t{400});
      QCOMPARE(each.plannedBytes, int64_t{-1});  // n is open
      QVERIFY(each.madeAtStep >= before && each.freeAfterStep >= each.madeAtStep);
      before = each.madeAtStep;
    }
    QVERIFY(!trace.allocations.back().counted);  // y belongs to the caller
    // b, c and d are alive at once when every value has memory of its own: 3 x 512 bytes.
    QCOMPARE(trace.ownPeakBytes, int64_t{3 * 512});
    // Used again, the second branch takes over b: two buffers.
    QCOMPARE(trace.reusePeakBytes, int64_t{2 * 512});
    QCOMPARE(trace.patternPeakBytes, int64_t{2 * 512});
    QVERIFY(trace.lowerBoundBytes <= trace.patternPeakBytes);
    QVERIFY(trace.measuredPeakBytes > 0);
  }

  void withoutSharingNothingIsSaved() {
    QString problem;
    const auto walk = profiled(kModel,
                               {.optimizationLevel = 0,
                                .inPlace = false,
                                .config = {{"session.enable_mem_pattern", "0"}, {"session.enable_mem_reuse", "0"}}},
                               &problem);
    QVERIFY2(walk, qPrintable(problem));
    const study::AllocationTrace trace = study::allocationTrace(*walk);
    QCOMPARE(trace.patternPeakBytes, int64_t{-1});
    QCOMPARE(trace.reusePeakBytes, trace.ownPeakBytes);
  }

  void withoutARunThereIsNone() {
    auto session = textSession(kModel);
    QVERIFY2(session, why(session).c_str());
    QVERIFY(study::allocationTrace(*(*session)->report()).allocations.empty());
  }
};

QTEST_GUILESS_MAIN(TestAllocationTrace)
#include "tst_allocation_trace.moc"
