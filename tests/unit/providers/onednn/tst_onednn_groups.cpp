// Compiled groups give what the cpu provider gives: chains, residuals, blocked concatenations, open shapes, several
// threads.
#include <cmath>
#include <random>

#include <QtTest/QtTest>

#include "providers/cpu/provider.h"
#include "providers/onednn/provider.h"
#include "tests/unit/engine/session/text_session.h"
#include "tests/unit/providers/onednn/group_cases.h"

using namespace cutaway;

namespace {

struct Ran {
  std::vector<float> numbers;
  int compiled = 0;  // nodes of this provider after partitioning
  std::string variant;
};

Result<Ran> runWith(const std::string& text, const std::string& providers, std::initializer_list<int64_t> dims,
                    int threads, int level = 0) {
  const ProviderTable table{onednnProvider(), cpuProvider()};
  session::SessionOptions options;
  options.providers = {providers};
  options.threads = threads;
  options.optimizationLevel = level;
  CUTAWAY_TRY(const auto session, textSession(text, options, {}, &table));
  std::mt19937 generator(7);
  std::uniform_real_distribution<float> number(-1, 1);
  std::vector<float> values(static_cast<size_t>(elementCount({dims.begin(), dims.size()})));
  for (float& value : values)
    value = number(generator);
  Ran ran;
  for (int again = 0; again < 2; ++again) {
    CUTAWAY_TRY(const execute::RunResult result, session->run({floatFeed("x", dims, values)}, {}));
    ran.numbers.clear();
    for (const execute::Feed& output : result.outputs) {
      const std::vector<float> floats = floatsOf(output.value);
      ran.numbers.insert(ran.numbers.end(), floats.begin(), floats.end());
    }
  }
  for (const NodeId id : session->model().graph.nodeIds())
    ran.compiled += session->model().graph.node(id).provider == "onednn" ? 1 : 0;
  return ran;
}

double worst(const std::vector<float>& a, const std::vector<float>& b) {
  if (a.size() != b.size() || a.empty()) return 1e9;
  double error = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    const double difference = std::fabs(static_cast<double>(a[i]) - b[i]) / (1e-2 + std::fabs(b[i]));
    error = std::isnan(difference) ? 1e9 : std::max(error, difference);
  }
  return error;
}

}  // namespace

class TestOnednnGroups : public QObject {
  Q_OBJECT
 private slots:
  void sameAsCpu_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<int>("channels");
    QTest::addColumn<int>("rows");
    for (const GroupCase& each : groupCases())
      QTest::newRow(each.name) << QByteArray::fromStdString(each.text) << each.channels << each.rows;
  }
  void sameAsCpu() {
    QFETCH(QByteArray, text);
    QFETCH(int, channels);
    QFETCH(int, rows);
    for (const int level : {0, 3}) {
      const auto expected = runWith(text.toStdString(), "cpu", {2, channels, rows, rows}, 1, level);
      QVERIFY2(expected, expected ? "" : describe(expected.error()).c_str());
      for (const char* options : {"onednn{claim_all=1}", "onednn{claim_all=1,fuse=0}"}) {
        for (const int threads : {1, 2}) {
          const auto found = runWith(text.toStdString(), options, {2, channels, rows, rows}, threads, level);
          QVERIFY2(found, found ? "" : describe(found.error()).c_str());
          QCOMPARE(found->compiled, 1);
          QVERIFY2(worst(found->numbers, expected->numbers) < 1e-3,
                   fmt::format("level {}, {}: {}", level, options, worst(found->numbers, expected->numbers)).c_str());
        }
      }
    }
  }

  // Rounding may differ where a value lies half way between two steps; by no more than one step.
  void convolutionOnIntegers() {
    const std::string text = integerConvolution();
    for (const int level : {0, 3}) {
      const auto expected = runWith(text, "cpu", {2, 4, 9, 9}, 1, level);
      const auto found = runWith(text, "onednn{int8=1}", {2, 4, 9, 9}, 1, level);
      QVERIFY2(expected && found, found ? "" : describe(found.error()).c_str());
      QCOMPARE(found->compiled, 1);
      QCOMPARE(runWith(text, "onednn", {2, 4, 9, 9}, 1, level)->compiled, 0);
      QCOMPARE(found->numbers.size(), expected->numbers.size());
      int different = 0;
      for (size_t i = 0; i < found->numbers.size(); ++i) {
        const float steps = std::fabs(found->numbers[i] - expected->numbers[i]) / 0.05f;
        QVERIFY2(steps < 1.01f, fmt::format("level {}, element {}: {} instead of {}", level, i, found->numbers[i],
                                            expected->numbers[i])
                                    .c_str());
        different += steps > 0.5f ? 1 : 0;
      }
      QVERIFY2(different * 100 <= static_cast<int>(found->numbers.size()),
               fmt::format("{} elements differ by a step", different).c_str());
    }
  }

  void openShapesArePlannedWhenTheyAreSeen() {
    const std::string text = modelText("n,16,h,w", weightsText("w1", {8, 16, 3, 3}, 1),
                                       "a = Conv (x, w1)\nb = Relu (a)\ny = GlobalAveragePool (b)");
    for (const int64_t size : {5, 9, 5, 12}) {
      const auto expected = runWith(text, "cpu", {2, 16, size, size}, 1);
      const auto found = runWith(text, "onednn", {2, 16, size, size}, 1);
      QVERIFY2(found, found ? "" : describe(found.error()).c_str());
      QCOMPARE(found->compiled, 1);
      QVERIFY(worst(found->numbers, expected->numbers) < 1e-3);
    }
  }
};

QTEST_GUILESS_MAIN(TestOnednnGroups)
#include "tst_onednn_groups.moc"
