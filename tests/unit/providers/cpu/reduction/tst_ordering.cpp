// ArgMax, ArgMin, TopK, CumSum, CumProd: ties, NaN, directions, axes, and long lines against a full sort.

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include <QTest>

#include "tests/unit/providers/cpu/elementwise/operator_call.h"

using namespace cutaway;

namespace {

constexpr int64_t kOne = 1;

std::vector<int64_t> positions(const char* opType, const Tensor& x, std::vector<Attribute> attributes) {
  return valuesOf<int64_t>(callOperator({.opType = opType, .attributes = std::move(attributes)}, {x}));
}

}  // namespace

class TestOrdering : public QObject {
  Q_OBJECT

 private slots:
  void extremes();
  void extremesOfNan();
  void extremesOfFloats();
  void topKTies();
  void topKAgainstSort_data();
  void topKAgainstSort();
  void topKOldAndWrong();
  void cumulative();
};

void TestOrdering::extremes() {
  const Tensor x = tensorOf<int32_t>({2, 3}, {2, 9, 9, 4, 4, 1});
  QCOMPARE(positions("ArgMax", x, {{"axis", kOne}}), (std::vector<int64_t>{1, 0}));
  QCOMPARE(positions("ArgMax", x, {{"axis", kOne}, {"select_last_index", kOne}}), (std::vector<int64_t>{2, 1}));
  QCOMPARE(positions("ArgMin", x, {{"axis", int64_t{0}}, {"keepdims", int64_t{0}}}), (std::vector<int64_t>{0, 1, 1}));
  QCOMPARE(positions("ArgMax", x, {{"axis", int64_t{-1}}}), (std::vector<int64_t>{1, 0}));
  QVERIFY(!tryOperator({.opType = "ArgMax", .attributes = {{"axis", kOne}}},
                       {*Tensor::create(ElementType::kFloat, {2, 0})}));
}

void TestOrdering::extremesOfNan() {
  const float nan = std::nanf("");
  const Tensor x = tensorOf<float>({5}, {1, nan, 7, nan, 0});
  QCOMPARE(positions("ArgMax", x, {}), (std::vector<int64_t>{1}));
  QCOMPARE(positions("ArgMin", x, {}), (std::vector<int64_t>{1}));
  QCOMPARE(positions("ArgMax", x, {{"select_last_index", kOne}}), (std::vector<int64_t>{3}));
}

// The vector loops, along rows and down columns, with many ties and some NaN, against the definition.
void TestOrdering::extremesOfFloats() {
  constexpr int64_t kExtent = 37;
  std::mt19937 random(5);
  for (const bool withNan : {false, true}) {
    for (const int64_t inner : {int64_t{1}, int64_t{5}, int64_t{16}, int64_t{300}}) {
      std::vector<float> values(static_cast<size_t>(2 * kExtent * inner));
      for (float& value : values)
        value = withNan && random() % 40 == 0 ? std::nanf("") : static_cast<float>(random() % 9);
      const Tensor x = tensorOf<float>({2, kExtent, inner}, values);
      for (const bool largest : {false, true}) {
        for (const bool last : {false, true}) {
          const std::vector<int64_t> got =
              positions(largest ? "ArgMax" : "ArgMin", x, {{"axis", kOne}, {"select_last_index", int64_t{last}}});
          for (int64_t line = 0; line < 2 * inner; ++line) {
            const auto at = [&](int64_t i) {
              return values[static_cast<size_t>((line / inner * kExtent + i) * inner + line % inner)];
            };
            int64_t best = 0;
            for (int64_t i = 1; i < kExtent; ++i) {
              const bool equal = at(i) == at(best) || (std::isnan(at(i)) && std::isnan(at(best)));
              const bool better =
                  !std::isnan(at(best)) && (std::isnan(at(i)) || (largest ? at(i) > at(best) : at(i) < at(best)));
              if (better || (last && equal)) best = i;
            }
            QCOMPARE(got[static_cast<size_t>(line)], best);
          }
        }
      }
    }
  }
}

void TestOrdering::topKTies() {
  const float nan = std::nanf("");
  const Tensor x = tensorOf<float>({6}, {3, 1, 3, nan, 2, 1});
  auto result = tryOperator({.opType = "TopK", .outputs = 2}, {x, tensorOf<int64_t>({1}, {4})});
  QVERIFY(result);
  QCOMPARE(valuesOf<int64_t>((*result)[1]), (std::vector<int64_t>{3, 0, 2, 4}));
  result = tryOperator({.opType = "TopK", .attributes = {{"largest", int64_t{0}}}, .outputs = 2},
                       {x, tensorOf<int64_t>({1}, {6})});
  QVERIFY(result);
  QCOMPARE(valuesOf<int64_t>((*result)[1]), (std::vector<int64_t>{1, 5, 4, 0, 2, 3}));
}

void TestOrdering::topKAgainstSort_data() {
  QTest::addColumn<int>("k");
  QTest::addColumn<bool>("largest");
  for (const int k : {0, 1, 5, 100, 999, 1000}) {
    QTest::addRow("largest %d", k) << k << true;
    QTest::addRow("smallest %d", k) << k << false;
  }
}

void TestOrdering::topKAgainstSort() {
  QFETCH(int, k);
  QFETCH(bool, largest);
  constexpr int64_t kLines = 6;
  constexpr int64_t kExtent = 1000;
  std::mt19937 random(3);
  std::vector<int32_t> values(kLines * kExtent);
  for (int32_t& value : values)
    value = static_cast<int32_t>(random() % 500);  // many ties
  // [2, extent, 3]: lines are strided.
  const Tensor x = tensorOf<int32_t>({2, kExtent, 3}, values);
  const auto result =
      tryOperator({.opType = "TopK", .attributes = {{"axis", kOne}, {"largest", int64_t{largest}}}, .outputs = 2},
                  {x, tensorOf<int64_t>({1}, {k})});
  QVERIFY(result);
  for (int64_t line = 0; line < kLines; ++line) {
    const auto at = [&](int64_t i, int64_t extent) {
      return static_cast<size_t>((line / 3 * extent + i) * 3 + line % 3);
    };
    std::vector<int64_t> order(kExtent);
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
      const int32_t left = values[at(a, kExtent)];
      const int32_t right = values[at(b, kExtent)];
      return largest ? left > right : left < right;
    });
    for (int64_t i = 0; i < k; ++i) {
      QCOMPARE((*result)[1].span<int64_t>()[at(i, k)], order[static_cast<size_t>(i)]);
      QCOMPARE((*result)[0].span<int32_t>()[at(i, k)], values[at(order[static_cast<size_t>(i)], kExtent)]);
    }
  }
}

void TestOrdering::topKOldAndWrong() {
  const Tensor x = tensorOf<float>({4}, {4, 8, 6, 2});
  const auto old = tryOperator({.opType = "TopK", .version = 9, .attributes = {{"k", int64_t{2}}}, .outputs = 2}, {x});
  QVERIFY(old);
  QCOMPARE(valuesOf<float>(old->front()), (std::vector<float>{8, 6}));
  QVERIFY(!tryOperator({.opType = "TopK", .outputs = 2}, {x, tensorOf<int64_t>({1}, {5})}));
  QVERIFY(!tryOperator({.opType = "TopK", .outputs = 2}, {x, tensorOf<int64_t>({1}, {-1})}));
}

void TestOrdering::cumulative() {
  const Tensor x = tensorOf<int32_t>({2, 3}, {1, 2, 3, 4, 5, 6});
  const auto scan = [&](const char* opType, int64_t axis, int64_t exclusive, int64_t reverse) {
    return valuesOf<int32_t>(
        callOperator({.opType = opType, .attributes = {{"exclusive", exclusive}, {"reverse", reverse}}},
                     {x, tensorOf<int64_t>({}, {axis})}));
  };
  QCOMPARE(scan("CumSum", 1, 0, 0), (std::vector<int32_t>{1, 3, 6, 4, 9, 15}));
  QCOMPARE(scan("CumSum", 1, 1, 0), (std::vector<int32_t>{0, 1, 3, 0, 4, 9}));
  QCOMPARE(scan("CumSum", -1, 0, 1), (std::vector<int32_t>{6, 5, 3, 15, 11, 6}));
  QCOMPARE(scan("CumSum", 0, 1, 1), (std::vector<int32_t>{4, 5, 6, 0, 0, 0}));
  QCOMPARE(scan("CumSum", 0, 0, 0), (std::vector<int32_t>{1, 2, 3, 5, 7, 9}));
  QCOMPARE(scan("CumProd", 0, 0, 1), (std::vector<int32_t>{4, 10, 18, 4, 5, 6}));
  QCOMPARE(scan("CumProd", 1, 0, 0), (std::vector<int32_t>{1, 2, 6, 4, 20, 120}));
  QCOMPARE(scan("CumProd", 1, 1, 1), (std::vector<int32_t>{6, 3, 1, 30, 6, 1}));
  QVERIFY(!tryOperator({.opType = "CumSum"}, {x, tensorOf<int64_t>({}, {2})}));
}

QTEST_GUILESS_MAIN(TestOrdering)
#include "tst_ordering.moc"
