// Gathers and scatters against one assignment for each index, and what they say about indices that do not exist.

#include <algorithm>
#include <limits>
#include <numeric>
#include <random>

#include <QtTest>

#include "tests/unit/providers/cpu/elementwise/operator_call.h"

using namespace cutaway;

namespace {

Tensor counting(const std::vector<int64_t>& dims, int32_t first = 1) {
  Tensor tensor = *Tensor::create(ElementType::kInt32, dims);
  std::iota(tensor.span<int32_t>().begin(), tensor.span<int32_t>().end(), first);
  return tensor;
}

Attribute axisOf(int64_t axis) {
  return {"axis", axis};
}

bool refusedWith(const Result<std::vector<Tensor>>& outputs, const std::string& words) {
  return !outputs && outputs.error().code == ErrorCode::kInvalidArgument &&
         outputs.error().message.find(words) != std::string::npos;
}

}  // namespace

class TestIndexingKernels : public QObject {
  Q_OBJECT
 private slots:
  // Numbers, which are hashed, against a map: few and many different ones, zeros of both signs and NaN.
  void uniqueNumbers() {
    std::mt19937 random(6);
    for (const uint32_t different : {3u, 50u, 100000u}) {
      for (const int64_t sorted : {0, 1}) {
        std::vector<float> values(500);
        for (float& value : values)
          value = static_cast<float>(static_cast<int>(random() % different) - 1) * (random() % 2 != 0 ? 1.0f : -1.0f);
        values[7] = values[300] = std::numeric_limits<float>::quiet_NaN();
        const auto outputs = tryOperator({.opType = "Unique", .attributes = {{"sorted", sorted}}, .outputs = 4},
                                         {tensorOf<float>({500}, values)});
        QVERIFY(outputs);
        const auto unique = valuesOf<float>((*outputs)[0]);
        const auto first = valuesOf<int64_t>((*outputs)[1]), inverse = valuesOf<int64_t>((*outputs)[2]),
                   counts = valuesOf<int64_t>((*outputs)[3]);
        const auto same = [](float a, float b) { return a == b || (a != a && b != b); };
        QCOMPARE(std::accumulate(counts.begin(), counts.end(), int64_t{0}), int64_t{500});
        for (size_t i = 0; i < values.size(); ++i)
          QVERIFY(same(unique[static_cast<size_t>(inverse[i])], values[i]));
        for (size_t g = 0; g < unique.size(); ++g) {
          const auto found =
              std::find_if(values.begin(), values.end(), [&](float value) { return same(value, unique[g]); });
          QCOMPARE(first[g], static_cast<int64_t>(found - values.begin()));
          QCOMPARE(counts[g], static_cast<int64_t>(std::count_if(values.begin(), values.end(),
                                                                 [&](float value) { return same(value, unique[g]); })));
          if (g > 0)
            QVERIFY(sorted != 0 ? unique[g - 1] < unique[g] || unique[g] != unique[g] : first[g - 1] < first[g]);
        }
      }
    }
  }

  void gather() {
    const Tensor x = counting({3, 4, 5});
    const std::vector<int64_t> picks{3, -4, 1, 1};
    for (const int64_t axis : {int64_t{1}, int64_t{-2}}) {
      const Tensor y =
          callOperator({.opType = "Gather", .attributes = {axisOf(axis)}}, {x, tensorOf<int64_t>({2, 2}, picks)});
      QVERIFY(y.dims() == (Dims{3, 2, 2, 5}));
      for (int64_t i = 0; i < y.elementCount(); ++i) {
        const int64_t pick = (picks[static_cast<size_t>(i / 5 % 4)] + 4) % 4;
        QCOMPARE(y.span<int32_t>()[static_cast<size_t>(i)], static_cast<int32_t>((i / 20 * 4 + pick) * 5 + i % 5 + 1));
      }
    }
    QVERIFY(refusedWith(tryOperator({.opType = "Gather"}, {x, Tensor::scalar<int64_t>(3)}), "index 3"));
    QVERIFY(refusedWith(tryOperator({.opType = "Gather"}, {x, Tensor::scalar<int32_t>(-4)}), "[-3, 2]"));
    QVERIFY(refusedWith(tryOperator({.opType = "Gather"}, {x, Tensor::scalar(std::numeric_limits<int64_t>::min())}),
                        "-9223372036854775808"));
    QCOMPARE(valuesOf<std::string>(callOperator(
                 {.opType = "Gather"}, {tensorOf<std::string>({2}, {"a", "b"}), tensorOf<int64_t>({3}, {1, 0, 1})})),
             (std::vector<std::string>{"b", "a", "b"}));
  }

  void gatherElements() {
    const Tensor x = counting({3, 4});
    const std::vector<int64_t> picks{0, -1, 2, 1, 1, 0};
    const Tensor y =
        callOperator({.opType = "GatherElements", .attributes = {axisOf(0)}}, {x, tensorOf<int64_t>({2, 3}, picks)});
    for (size_t i = 0; i < picks.size(); ++i)
      QCOMPARE(y.span<int32_t>()[i], static_cast<int32_t>((picks[i] + 3) % 3 * 4 + static_cast<int64_t>(i % 3) + 1));
    QVERIFY(refusedWith(
        tryOperator({.opType = "GatherElements", .attributes = {axisOf(1)}}, {x, tensorOf<int64_t>({1, 1}, {4})}),
        "index 4"));
    QVERIFY(refusedWith(tryOperator({.opType = "GatherElements", .attributes = {axisOf(1)}}, {x, counting({4, 1}, 0)}),
                        "beyond"));
  }

  void gatherNd() {
    const Tensor x = counting({2, 3, 4});
    const Tensor y = callOperator({.opType = "GatherND"}, {x, tensorOf<int64_t>({3, 2}, {0, 1, 1, -1, 1, 0})});
    QVERIFY(y.dims() == (Dims{3, 4}));
    QCOMPARE(valuesOf<int32_t>(y), (std::vector<int32_t>{5, 6, 7, 8, 21, 22, 23, 24, 13, 14, 15, 16}));
    const Tensor batched = callOperator({.opType = "GatherND", .attributes = {{"batch_dims", int64_t{1}}}},
                                        {x, tensorOf<int64_t>({2, 1}, {2, 0})});
    QCOMPARE(valuesOf<int32_t>(batched), (std::vector<int32_t>{9, 10, 11, 12, 13, 14, 15, 16}));
    QVERIFY(refusedWith(tryOperator({.opType = "GatherND"}, {x, tensorOf<int64_t>({1, 2}, {0, 3})}), "index 3"));
    QVERIFY(!tryOperator({.opType = "GatherND"},
                         {x, tensorOf<int64_t>({1, 4}, {0, 0, 0, 0})}));  // refused by shape inference already
  }

  void scatterReductions_data() {
    QTest::addColumn<QString>("reduction");
    for (const char* name : {"none", "add", "mul", "min", "max"})
      QTest::newRow(name) << name;
  }
  void scatterReductions() {
    QFETCH(QString, reduction);
    const std::vector<int64_t> picks{2, 0, 2, -3, 1, 2};
    const std::vector<float> updates{3, -2, 0.5f, 7, -1, 4};
    std::vector<float> wanted{1, 2, 3};
    for (size_t i = 0; i < picks.size(); ++i) {
      float& old = wanted[static_cast<size_t>((picks[i] + 3) % 3)];
      if (reduction == "none") old = updates[i];
      if (reduction == "add") old += updates[i];
      if (reduction == "mul") old *= updates[i];
      if (reduction == "min") old = std::min(old, updates[i]);
      if (reduction == "max") old = std::max(old, updates[i]);
    }
    const Tensor data = tensorOf<float>({3}, {1, 2, 3});
    const Attribute how{"reduction", reduction.toStdString()};
    QVERIFY(refusedWith(tryOperator({.opType = "ScatterElements", .attributes = {how}},
                                    {data, tensorOf<int64_t>({6}, picks), tensorOf<float>({5}, {1, 2, 3, 4, 5})}),
                        "updates"));
    // The operator wants no more indices than places; two axes make room.
    const Tensor wide = tensorOf<float>({1, 3}, {1, 2, 3});
    const Tensor nd = callOperator({.opType = "ScatterND", .attributes = {how}},
                                   {data, tensorOf<int64_t>({6, 1}, picks), tensorOf<float>({6}, updates)});
    QCOMPARE(valuesOf<float>(nd), wanted);
    const Tensor elements = callOperator({.opType = "ScatterElements", .attributes = {axisOf(1), how}},
                                         {wide, tensorOf<int64_t>({1, 6}, picks), tensorOf<float>({1, 6}, updates)});
    QCOMPARE(valuesOf<float>(elements), wanted);
    QVERIFY(refusedWith(tryOperator({.opType = "ScatterND", .attributes = {how}},
                                    {data, tensorOf<int64_t>({1, 1}, {3}), tensorOf<float>({1}, {0})}),
                        "index 3"));
  }

  void scatterSlices() {
    const Tensor y = callOperator({.opType = "ScatterND"},
                                  {counting({3, 2}), tensorOf<int64_t>({2, 1}, {2, 0}), counting({2, 2}, 100)});
    QCOMPARE(valuesOf<int32_t>(y), (std::vector<int32_t>{102, 103, 3, 4, 100, 101}));
  }

  // Constant indices that name a box of the data are copied in runs; the others one by one. Both the same.
  void scatterIntoBoxes() {
    const Tensor data = counting({2, 4, 6});
    for (const bool backwards : {false, true}) {
      std::vector<int64_t> tuples;
      std::vector<int32_t> wanted = valuesOf<int32_t>(data);
      std::vector<int32_t> updates;
      for (int64_t i = 0; i < 2; ++i)
        for (int64_t j = 1; j < 3; ++j)
          for (int64_t k = 0; k < 6; ++k) {
            const int64_t column = backwards ? 5 - k : k;
            tuples.insert(tuples.end(), {i - 2, j, column});
            updates.push_back(100 + static_cast<int32_t>(updates.size()));
            wanted[static_cast<size_t>((i * 4 + j) * 6 + column)] = updates.back();
          }
      const Tensor y = callOperator({.opType = "ScatterND"}, {data, tensorOf<int64_t>({2, 2, 6, 3}, tuples),
                                                              tensorOf<int32_t>({2, 2, 6}, updates)});
      QCOMPARE(valuesOf<int32_t>(y), wanted);
    }
  }

  void nonZero() {
    const Tensor y = callOperator({.opType = "NonZero"}, {tensorOf<float>({2, 3}, {0, -0.0f, 2, 1e-45f, 0, -1})});
    QVERIFY(y.dims() == (Dims{2, 3}));
    QCOMPARE(valuesOf<int64_t>(y), (std::vector<int64_t>{0, 1, 1, 2, 0, 2}));
    QVERIFY(callOperator({.opType = "NonZero"}, {Tensor::scalar(1.0f)}).dims() == (Dims{0, 1}));
  }

  void oneHot() {
    const Tensor y =
        callOperator({.opType = "OneHot", .attributes = {axisOf(0)}},
                     {tensorOf<int64_t>({3}, {2, -1, 5}), Tensor::scalar<int64_t>(3), tensorOf<float>({2}, {-1, 1})});
    QVERIFY(y.dims() == (Dims{3, 3}));
    QCOMPARE(valuesOf<float>(y), (std::vector<float>{-1, -1, -1, -1, -1, -1, 1, 1, -1}));
  }

  void compress() {
    const Tensor x = counting({2, 3});
    const Tensor condition = tensorOf<bool>({2}, {false, true});
    QCOMPARE(valuesOf<int32_t>(callOperator({.opType = "Compress", .attributes = {axisOf(1)}}, {x, condition})),
             (std::vector<int32_t>{2, 5}));
    QCOMPARE(valuesOf<int32_t>(callOperator({.opType = "Compress"}, {x, condition})), (std::vector<int32_t>{2}));
    QVERIFY(refusedWith(
        tryOperator({.opType = "Compress", .attributes = {axisOf(0)}}, {x, tensorOf<bool>({3}, {true, false, true})}),
        "condition"));
  }

  void unique() {
    const Tensor x = tensorOf<float>({6}, {2, 1, 1, 3, 4, 3});
    for (const bool sorted : {true, false}) {
      const auto y = tryOperator({.opType = "Unique", .attributes = {{"sorted", int64_t{sorted}}}, .outputs = 4}, {x});
      QVERIFY(y && y->size() == 4);
      QCOMPARE(valuesOf<float>((*y)[0]), sorted ? (std::vector<float>{1, 2, 3, 4}) : (std::vector<float>{2, 1, 3, 4}));
      QCOMPARE(valuesOf<int64_t>((*y)[1]),
               sorted ? (std::vector<int64_t>{1, 0, 3, 4}) : (std::vector<int64_t>{0, 1, 3, 4}));
      QCOMPARE(valuesOf<int64_t>((*y)[2]),
               sorted ? (std::vector<int64_t>{1, 0, 0, 2, 3, 2}) : (std::vector<int64_t>{0, 1, 1, 2, 3, 2}));
      QCOMPARE(valuesOf<int64_t>((*y)[3]),
               sorted ? (std::vector<int64_t>{2, 1, 2, 1}) : (std::vector<int64_t>{1, 2, 2, 1}));
    }
  }
};

QTEST_GUILESS_MAIN(TestIndexingKernels)
#include "tst_indexing_kernels.moc"
