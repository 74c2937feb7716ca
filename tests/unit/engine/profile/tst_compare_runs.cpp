// Statistics against published values and known distributions; two profiles compared.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include <QTest>

#include "engine/profile/node_times.h"
#include "engine/profile/profiles.h"
#include "engine/profile/statistics.h"

using namespace cutaway;

namespace {

std::vector<double> normal(std::mt19937& random, size_t count, double middle, double spread) {
  std::normal_distribution<double> draw(middle, spread);
  std::vector<double> series(count);
  std::ranges::generate(series, [&] { return draw(random); });
  return series;
}

NodeTiming timing(int32_t node, int64_t totalNs, double deviationNs = 0) {
  NodeTiming made;
  made.node = made.step = node;
  made.totalNs = made.minNs = made.maxNs = totalNs;
  made.deviationNs = deviationNs;
  made.calls = 1;
  return made;
}

ModelGraphs graphsOf(const std::vector<std::pair<std::string, std::string>>& nodes) {
  ModelGraphs graphs;
  graphs.graphs.resize(1);
  for (const auto& [name, opType] : nodes) {
    graphs.graphs[0].nodes.emplace_back();
    graphs.graphs[0].nodes.back().name = name;
    graphs.graphs[0].nodes.back().opType = opType;
  }
  return graphs;
}

bool close(double a, double b, double relative) {
  return std::abs(a - b) <= relative * std::max(std::abs(a), std::abs(b));
}

}  // namespace

class TestCompareRuns : public QObject {
  Q_OBJECT
 private slots:
  void percentiles() {
    const std::vector<double> series{1, 2, 3, 4, 5};
    QCOMPARE(profile::percentile(series, 0), 1.0);
    QCOMPARE(profile::percentile(series, 0.5), 3.0);
    QCOMPARE(profile::percentile(series, 0.9), 4.6);
    QCOMPARE(profile::percentile(series, 1), 5.0);
    QCOMPARE(profile::percentile({}, 0.5), 0.0);
    QCOMPARE(profile::mean(series), 3.0);
    QVERIFY(close(profile::deviation(series), std::sqrt(2.5), 1e-12));
    QCOMPARE(profile::deviation(std::vector<double>{7}), 0.0);
  }

  // Ranks from tables of the sign test: 6 runs give smallest and largest, 10 give the 2nd and 9th, 20 the 6th and 15th,
  // 100 the 40th and 61st.
  void medianRanks_data() {
    QTest::addColumn<int>("runs");
    QTest::addColumn<int>("rank");
    QTest::newRow("1") << 1 << 1;
    QTest::newRow("5") << 5 << 1;
    QTest::newRow("6") << 6 << 1;
    QTest::newRow("9") << 9 << 2;
    QTest::newRow("10") << 10 << 2;
    QTest::newRow("20") << 20 << 6;
    QTest::newRow("100") << 100 << 40;
  }
  void medianRanks() {
    QFETCH(int, runs);
    QFETCH(int, rank);
    std::vector<double> series(static_cast<size_t>(runs));
    std::iota(series.begin(), series.end(), 1.0);
    const profile::Interval interval = profile::medianInterval(series);
    QCOMPARE(interval.low, static_cast<double>(rank));
    QCOMPARE(interval.high, static_cast<double>(runs + 1 - rank));
  }

  void medianIntervalsOfLongSeriesGoOn() {
    std::vector<double> series(1001);
    std::iota(series.begin(), series.end(), 0.0);
    const profile::Interval longer = profile::medianInterval(series);
    series.pop_back();
    const profile::Interval exact = profile::medianInterval(series);
    QVERIFY(std::abs((longer.high - longer.low) - (exact.high - exact.low)) <= 3);
  }

  // 95 of 100 intervals hold the true median; here of an exponential distribution, which is as skewed as run times are.
  void medianIntervalsCover() {
    std::mt19937 random(7);
    std::exponential_distribution<double> draw(1);
    int covered = 0;
    for (int i = 0; i < 2000; ++i) {
      std::vector<double> series(25);
      std::ranges::generate(series, [&] { return draw(random); });
      std::ranges::sort(series);
      const profile::Interval interval = profile::medianInterval(series);
      covered += interval.low <= std::log(2.0) && std::log(2.0) <= interval.high ? 1 : 0;
    }
    QVERIFY2(covered >= 1880 && covered <= 1960, qPrintable(QString::number(covered)));
  }

  // Printed tables of Student's t, 97.5 %.
  void student_data() {
    QTest::addColumn<double>("degrees");
    QTest::addColumn<double>("quantile");
    QTest::newRow("1") << 1.0 << 12.7062;
    QTest::newRow("2") << 2.0 << 4.3027;
    QTest::newRow("5") << 5.0 << 2.5706;
    QTest::newRow("10") << 10.0 << 2.2281;
    QTest::newRow("30") << 30.0 << 2.0423;
    QTest::newRow("120") << 120.0 << 1.9799;
    QTest::newRow("many") << 1e6 << 1.95997;
  }
  void student() {
    QFETCH(double, degrees);
    QFETCH(double, quantile);
    QVERIFY(close(profile::studentQuantile95(degrees), quantile, 2e-5));
    QVERIFY(close(profile::studentTail(quantile, degrees), 0.05, 1e-3));
  }

  void welch() {
    // Equal deviations and counts: degrees are 2n - 2.
    const profile::Interval interval = profile::welchInterval({10, 2, 6}, {15, 2, 6});
    const double half = 2.2281 * std::sqrt(2 * 4.0 / 6);
    QVERIFY(close(interval.low, 5 - half, 1e-4));
    QVERIFY(close(interval.high, 5 + half, 1e-4));
    QVERIFY(std::isinf(profile::welchInterval({10, 0, 1}, {15, 2, 6}).low));
    QCOMPARE(profile::welchInterval({10, 0, 5}, {15, 0, 5}).low, 5.0);
    QVERIFY(profile::welchInterval({10, 1e-9, 5}, {15, 4, 5}).low < 5);
  }

  void mannWhitney() {
    const auto p = [](std::vector<double> a, std::vector<double> b) { return profile::mannWhitneyP(a, b); };
    QVERIFY(close(p({1, 2, 3}, {4, 5, 6}), 0.1, 1e-12));  // 2 of the 20 arrangements
    QVERIFY(close(p({1, 2, 3, 4, 5}, {6, 7, 8, 9, 10}), 2.0 / 252, 1e-12));
    QVERIFY(close(p({1, 4, 5}, {2, 3, 6}), 1.0, 1e-12));                         // U = 4 of 9
    QVERIFY(close(p({19, 22, 16, 29, 24}, {20, 11, 17, 12}), 0.1111111, 1e-6));  // U = 3, exact
    QCOMPARE(p({}, {1}), 1.0);
    QCOMPARE(p({3, 3, 3}, {3, 3}), 1.0);
    // Ties take the normal approximation: U is 3, and groups of 2, 3, 3 and 2 equal values correct the variance.
    const double variance = 25.0 / 12 * (11 - (6.0 + 24 + 24 + 6) / 90);
    QVERIFY(close(p({1, 1, 2, 2, 3}, {2, 3, 3, 4, 4}),
                  std::erfc((12.5 - 3 - 0.5) / std::sqrt(variance) / std::sqrt(2.0)), 1e-12));
  }

  // Chance alone is called significant in one case of twenty, a true shift nearly always.
  void errorRates() {
    std::mt19937 random(11);
    int falseRuns = 0, falseNodes = 0, found = 0, covered = 0;
    constexpr int kTrials = 1000;
    for (int i = 0; i < kTrials; ++i) {
      const auto a = normal(random, 15, 100, 5);
      const auto b = normal(random, 25, 100, 9);
      const auto moved = normal(random, 25, 110, 5);
      falseRuns += profile::mannWhitneyP(a, normal(random, 25, 100, 5)) < 0.05 ? 1 : 0;
      const profile::Interval interval = profile::welchInterval({profile::mean(a), profile::deviation(a), 15},
                                                                {profile::mean(b), profile::deviation(b), 25});
      falseNodes += interval.low > 0 || interval.high < 0 ? 1 : 0;
      found += profile::mannWhitneyP(a, moved) < 0.05 ? 1 : 0;
      const profile::Interval shift = profile::shiftInterval(a, moved);
      covered += shift.low <= 10 && 10 <= shift.high ? 1 : 0;
    }
    QVERIFY2(falseRuns >= 20 && falseRuns <= 80, qPrintable(QString::number(falseRuns)));
    QVERIFY2(falseNodes >= 20 && falseNodes <= 80, qPrintable(QString::number(falseNodes)));
    QVERIFY2(found >= 980, qPrintable(QString::number(found)));
    QVERIFY2(covered >= 920 && covered <= 980, qPrintable(QString::number(covered)));
  }

  void longSeriesAreThinned() {
    std::mt19937 random(3);
    const profile::Interval shift =
        profile::shiftInterval(normal(random, 20'000, 50, 3), normal(random, 20'000, 51, 3));
    QVERIFY(shift.low > 0.5 && shift.high < 1.5);
  }

  void nodeTimesAreMedians() {
    profile::NodeTimes times;
    for (const int64_t each : {10, 20, 4'000}) {  // one straggler
      NodeTiming called = timing(0, each);
      called.subSteps = {{"pack", each / 2, 1}};
      std::vector<NodeTiming> run{called};
      if (each >= 20) run.push_back(timing(1, 90));
      times.add(run);
    }
    const auto nodes = times.medians();
    QCOMPARE(nodes.size(), size_t{2});
    QCOMPARE(nodes[0].totalNs, int64_t{20});
    QCOMPARE(nodes[0].minNs, int64_t{10});
    QCOMPARE(nodes[0].maxNs, int64_t{4'000});
    QVERIFY(close(nodes[0].deviationNs, profile::deviation(std::vector<double>{10, 20, 4'000}), 1e-12));
    QCOMPARE(nodes[0].subSteps[0].totalNs, int64_t{10});  // half of the node, as in every run
    QCOMPARE(nodes[1].totalNs, int64_t{90});              // 0, 90, 90
    QCOMPARE(nodes[1].calls, int64_t{1});
    QVERIFY(close(nodes[1].deviationNs, std::sqrt(2700), 1e-12));
  }

  // Memory is bounded: the median of evenly spaced runs stands for that of all.
  void manyRunsAreThinned() {
    profile::NodeTimes times;
    for (int64_t run = 0; run < 5'000; ++run)
      times.add({timing(0, 1'000 + run)});
    const auto nodes = times.medians();
    QVERIFY2(std::abs(nodes[0].totalNs - 3'499) <= 16, std::to_string(nodes[0].totalNs).c_str());
  }

  void nodesAreMatchedByName() {
    RunReport a, b;
    a.runs = b.runs = 20;
    for (int i = 0; i < 20; ++i) {
      a.runMs.push_back(100 + i % 5 + 0.01 * i);
      b.runMs.push_back(120 + i % 5 + 0.01 * i);
    }
    a.nodes = {timing(0, 1000, 10), timing(1, 2000, 10), timing(2, 500, 200), timing(3, 77, 1), timing(4, 300, 1)};
    b.nodes = {timing(2, 1005, 10), timing(0, 5000, 10), timing(1, 450, 200), timing(3, 310, 1), timing(4, 66, 1)};
    const ModelGraphs graphsA =
        graphsOf({{"conv", "Conv"}, {"relu", "Relu"}, {"noisy", "Add"}, {"gone", "Mul"}, {"", "Sub"}});
    const ModelGraphs graphsB =
        graphsOf({{"relu", "Relu"}, {"noisy", "Add"}, {"conv", "Conv"}, {"", "Sub"}, {"new", "Div"}});
    const RunComparison comparison = profile::compareRuns(a, graphsA, b, graphsB);
    QVERIFY(comparison.significant && comparison.pValue < 1e-6);
    QVERIFY(comparison.lowMs > 15 && comparison.highMs < 25);
    QCOMPARE(comparison.onlyA, int64_t{1});
    QCOMPARE(comparison.onlyB, int64_t{1});
    QCOMPARE(comparison.nodes.size(), size_t{6});
    QCOMPARE(comparison.nodes[0].name, std::string("relu"));
    QCOMPARE(comparison.nodes[0].nodeA, 1);
    QCOMPARE(comparison.nodes[0].nodeB, 0);
    QVERIFY(comparison.nodes[0].significant && comparison.nodes[0].lowNs > 2900 && comparison.nodes[0].highNs < 3100);
    for (const NodeTimeDifference& node : comparison.nodes) {
      if (node.name == "conv" || node.name == "noisy") QVERIFY2(!node.significant, node.name.c_str());
      if (node.opType == "Sub") {
        QVERIFY(node.significant);
        QCOMPARE(node.bNs - node.aNs, int64_t{10});
      }
      if (node.name == "gone") QVERIFY(node.nodeB == kNone && !node.significant);
    }
    QVERIFY(comparison.warnings.empty());
  }

  void littleIsWarnedAbout() {
    RunReport a, b;
    a.runs = 1;
    b.runs = 2;
    b.threads = 2;
    b.source = "trace.json";
    const RunComparison comparison = profile::compareRuns(a, {}, b, {});
    QVERIFY(!comparison.significant);
    QVERIFY(comparison.warnings.size() >= 5);
    QCOMPARE(comparison.titleB, std::string("trace.json"));
  }

  // A timing of a node that is not there is passed over.
  void hostileIndexes() {
    RunReport a;
    a.runs = 3;
    a.nodes = {timing(-1, 5), timing(99, 5)};
    a.nodes[1].graph = 7;
    const RunComparison comparison = profile::compareRuns(a, graphsOf({{"x", "Relu"}}), a, {});
    QVERIFY(comparison.nodes.empty());
  }
};

QTEST_GUILESS_MAIN(TestCompareRuns)
#include "tst_compare_runs.moc"
