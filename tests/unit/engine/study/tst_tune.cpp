// Tuning: which list is taken from given runs, and the whole of it on a small model.

#include <QTemporaryDir>
#include <QtTest/QtTest>

#include "engine/graph/text.h"
#include "engine/session/choice/auto_choice.h"
#include "engine/study/tune/tune.h"
#include "providers/cpu/provider.h"
#include "tests/provider/test_provider.h"
#include "tests/unit/engine/session/text_session.h"

using namespace cutaway;

namespace {

constexpr const char* kChain = R"(<ir_version: 8, opset_import: ["" : 17]>
  g (float[1,4] x) => (float[1,4] y) { [a] p = Relu (x) [b] y = Neg (p) })";

std::vector<double> around(double middle, int runs) {
  std::vector<double> series;
  for (int i = 0; i < runs; ++i)
    series.push_back(middle * (1 + 0.01 * ((i * 7) % 5 - 2)));
  return series;
}

const KernelRegistry* kernelsOfCpu() {
  static const auto cpu = cpuProvider().create({});
  return (*cpu)->kernels();
}

Result<std::unique_ptr<ExecutionProvider>> makeGood(const ProviderRequest&) {
  return makeTestProvider({.name = "good", .groups = {}, .groupOperators = {"Relu"}, .innerKernels = kernelsOfCpu()});
}
Result<std::unique_ptr<ExecutionProvider>> makeIdle(const ProviderRequest&) {
  return makeTestProvider({.name = "idle", .groups = {}});
}
Result<std::unique_ptr<ExecutionProvider>> makeBroken(const ProviderRequest&) {
  return fail(ErrorCode::kEpFail, "no such library");
}

ProviderEntry entry(std::string name, decltype(ProviderEntry::create) create) {
  ProviderEntry made{.name = std::move(name), .displayName = {}, .description = {}, .create = create};
  made.onnxruntime = {{.name = "Counterpart", .device = "cpu"}};
  return made;
}

study::TuneRequest request() {
  return {.source = load::ModelSource::loaded(std::make_shared<const Model>(*parseModelText(kChain))),
          .options = {},
          .title = "chain",
          .seconds = 0.01};
}

}  // namespace

class TestTune : public QObject {
  Q_OBJECT
 private slots:
  void theFastestIsTakenWhenChanceDoesNotExplainIt_data() {
    QTest::addColumn<QList<double>>("medians");
    QTest::addColumn<int>("runs");
    QTest::addColumn<int>("taken");
    QTest::newRow("cpu alone") << QList<double>{10} << 20 << 0;
    QTest::newRow("clearly faster") << QList<double>{10, 8} << 20 << 1;
    QTest::newRow("clearly slower") << QList<double>{10, 12} << 20 << 0;
    QTest::newRow("the same") << QList<double>{10, 10} << 20 << 0;
    QTest::newRow("faster by less than the spread") << QList<double>{10, 9.99} << 20 << 0;
    QTest::newRow("faster by a hundredth, whatever chance says") << QList<double>{10, 9.9} << 400 << 0;
    QTest::newRow("too few runs to tell") << QList<double>{10, 8} << 3 << 0;
    QTest::newRow("the better of two") << QList<double>{10, 8, 7} << 20 << 2;
    QTest::newRow("one did not run") << QList<double>{10, 0, 7} << 20 << 2;
  }
  void theFastestIsTakenWhenChanceDoesNotExplainIt() {
    QFETCH(QList<double>, medians);
    QFETCH(int, runs);
    std::vector<MeasuredList> lists;
    std::vector<std::vector<double>> series;
    for (const double median : medians) {
      lists.push_back({.providers = {fmt::format("p{}", lists.size())}});
      series.push_back(median > 0 ? around(median, runs) : std::vector<double>());
    }
    QTEST(static_cast<int>(study::fastestList(lists, series)), "taken");
    for (size_t i = 0; i < lists.size(); ++i) {
      QCOMPARE(lists[i].runs, static_cast<int64_t>(series[i].size()));
      if (series[i].empty()) QCOMPARE(lists[i].medianMs, -1.0);
      if (!series[i].empty()) QVERIFY(lists[i].lowMs <= lists[i].medianMs && lists[i].medianMs <= lists[i].highMs);
    }
  }

  void everyListIsMeasuredOrSaysWhyNot() {
    const ProviderTable table{entry("good", makeGood), entry("idle", makeIdle), entry("broken", makeBroken),
                              cpuProvider()};
    Progress progress;
    const auto plan = study::tune(request(), table, progress);
    QVERIFY2(plan, why(plan).c_str());
    QCOMPARE(plan->measured.size(), size_t{4});
    QCOMPARE(plan->measured[0].providers, std::vector<std::string>{"cpu"});
    QVERIFY(plan->measured[0].runs >= study::kLeastRounds);
    QVERIFY(plan->measured[1].runs > 0 && plan->measured[1].problem.empty());
    QCOMPARE(plan->measured[2].problem, std::string("idle takes no node of this model"));
    QVERIFY(plan->measured[3].problem.find("no such library") != std::string::npos);
    QCOMPARE(plan->title, std::string("chain"));
    // What it took is found again under the same settings, by a session that says auto.
    const QTemporaryDir folder;
    session::SessionOptions options;
    options.providers = {"auto"};
    options.tuned.folder = folder.path().toStdString();
    QVERIFY(session::saveTuned(options.tuned.folder, *plan));
    const auto session = textSession(kChain, options, {}, &table);
    QVERIFY2(session, why(session).c_str());
    QCOMPARE((*session)->report()->choice->basis, ChoiceBasis::kMeasured);
    QCOMPARE((*session)->report()->choice->providers, plan->providers);
  }

  void nothingToCompareIsSaid() {
    Progress progress;
    const auto plan = study::tune(request(), cpuTable(), progress);
    QVERIFY(!plan);
    QVERIFY2(plan.error().message.find("there is nothing to measure") != std::string::npos, why(plan).c_str());
  }

  void cancelEndsIt() {
    const ProviderTable table{entry("good", makeGood), cpuProvider()};
    CancelToken token;
    token.cancel();
    Progress progress(token);
    const auto plan = study::tune(request(), table, progress);
    QVERIFY(!plan);
    QCOMPARE(plan.error().code, ErrorCode::kModelLoadCanceled);
  }
};

QTEST_GUILESS_MAIN(TestTune)
#include "tst_tune.moc"
