// MatMul, Gemm and their fused forms: floats against doubles over a table of shapes, wide products against plain loops,
// and small cases worked out by hand.

#include <random>

#include <QTest>

#include "engine/base/parallel.h"
#include "providers/cpu/kernels/matmul/wide_product.h"
#include "tests/unit/providers/cpu/elementwise/operator_call.h"
#include "tests/unit/providers/cpu/random_tensor.h"

using namespace cutaway;
using List = QList<qint64>;

namespace {

std::vector<int64_t> ints(const List& list) {
  return {list.begin(), list.end()};
}

void compareWithDouble(const OperatorCall& call, const std::vector<Tensor>& inputs) {
  std::vector<Tensor> wideInputs;
  for (const Tensor& input : inputs)
    wideInputs.push_back(input.valid() ? asDouble(input) : Tensor{});
  const Tensor wide = callOperator(call, wideInputs);
  QVERIFY(wide.valid());
  for (const int threads : {1, 3}) {
    const ThreadShare share(threads);
    const Tensor y = callOperator(call, inputs);
    QVERIFY(y.valid());
    const std::string text = difference(y, asFloat(wide), 1e-4, 1e-4);
    QVERIFY2(text.empty(), text.c_str());
  }
}

// The vectorised product against the plain loops, for both layouts of both operands. The doubles are such that every
// sum is exact.
template <typename T, typename Make>
void compareWide(const List& shape, Make make) {
  const int64_t rows = shape[0], columns = shape[1], depth = shape[2];
  std::mt19937_64 random(11);
  std::vector<T> a(static_cast<size_t>(rows * depth) + 1), b(static_cast<size_t>(depth * columns) + 1);
  for (T& value : a)
    value = make(random());
  for (T& value : b)
    value = make(random());
  for (const bool transposeA : {false, true}) {
    for (const bool transposeB : {false, true}) {
      const cpu::ProductGeometry geometry{
          rows, columns, depth, transposeA, transposeB, transposeA ? rows : depth, transposeB ? depth : columns};
      std::vector<T> wanted(static_cast<size_t>(rows * columns), T(1)), got(wanted.size() + 1, T(99));
      multiplyReference<T>(geometry, a.data(), b.data(), wanted.data());
      multiplyWide<T>(geometry, a.data(), b.data(), got.data());
      QCOMPARE(got.back(), T(99));
      got.pop_back();
      QVERIFY(got == wanted);
    }
  }
}

}  // namespace

class TestMatMul : public QObject {
  Q_OBJECT

 private slots:
  void matMul_data() {
    QTest::addColumn<List>("a");
    QTest::addColumn<List>("b");
    QTest::addColumn<List>("y");
    QTest::newRow("matrices") << List{5, 7} << List{7, 3} << List{5, 3};
    QTest::newRow("vector by vector") << List{7} << List{7} << List{};
    QTest::newRow("vector by matrix") << List{7} << List{7, 3} << List{3};
    QTest::newRow("matrix by vector") << List{5, 7} << List{7} << List{5};
    QTest::newRow("batch by matrix") << List{2, 3, 5, 7} << List{7, 4} << List{2, 3, 5, 4};
    QTest::newRow("batch by batch") << List{6, 5, 7} << List{6, 7, 4} << List{6, 5, 4};
    QTest::newRow("broadcast") << List{2, 1, 5, 7} << List{3, 7, 4} << List{2, 3, 5, 4};
    QTest::newRow("matrix by batch") << List{5, 7} << List{3, 7, 4} << List{3, 5, 4};
    QTest::newRow("batch by vector") << List{3, 5, 7} << List{7} << List{3, 5};
    QTest::newRow("no depth") << List{2, 0} << List{0, 3} << List{2, 3};
    QTest::newRow("no rows") << List{0, 4} << List{4, 3} << List{0, 3};
    QTest::newRow("wide") << List{33, 130} << List{130, 67} << List{33, 67};
  }

  void matMul() {
    QFETCH(List, a);
    QFETCH(List, b);
    QFETCH(List, y);
    const Tensor left = randomTensor(ints(a), 1), right = randomTensor(ints(b), 2);
    compareWithDouble({.opType = "MatMul"}, {left, right});
    QCOMPARE(Dims(ints(y)), callOperator({.opType = "MatMul"}, {left, right}).dims());
  }

  void wideProducts_data() {
    QTest::addColumn<List>("shape");  // rows, columns, depth
    for (const List& shape : {List{1, 1, 1}, List{1, 40, 9}, List{3, 16, 5}, List{8, 17, 4}, List{13, 33, 193},
                              List{29, 5, 400}, List{97, 50, 7}, List{120, 64, 200}, List{4, 3, 0}}) {
      QTest::newRow(qPrintable(QString("%1 x %2 x %3").arg(shape[0]).arg(shape[1]).arg(shape[2]))) << shape;
    }
  }

  void wideProducts() {
    QFETCH(List, shape);
    compareWide<double>(shape, [](uint64_t random) { return static_cast<double>(random % 2001) / 64 - 15; });
    compareWide<uint32_t>(shape, [](uint64_t random) { return static_cast<uint32_t>(random); });
    compareWide<uint64_t>(shape, [](uint64_t random) { return random; });
  }

  void matMulOfIntegersWraps() {
    const Tensor a = tensorOf<int32_t>({1, 2}, {1 << 30, 3}), b = tensorOf<int32_t>({2, 1}, {4, 5});
    QCOMPARE(valuesOf<int32_t>(callOperator({.opType = "MatMul"}, {a, b})), (std::vector<int32_t>{15}));
    const Tensor c = tensorOf<int64_t>({2, 2}, {1, 2, 3, 4}), d = tensorOf<int64_t>({2, 2}, {5, 6, 7, -8});
    QCOMPARE(valuesOf<int64_t>(callOperator({.opType = "MatMul"}, {c, d})), (std::vector<int64_t>{19, -10, 43, -14}));
  }

  void fusedMatMul_data() {
    QTest::addColumn<List>("a");
    QTest::addColumn<List>("b");
    QTest::addColumn<List>("flags");  // transA, transB, transBatchA, transBatchB
    QTest::newRow("a") << List{7, 5} << List{7, 3} << List{1, 0, 0, 0};
    QTest::newRow("b") << List{4, 5, 7} << List{3, 7} << List{0, 1, 0, 0};
    QTest::newRow("both, batch") << List{2, 7, 5} << List{2, 3, 7} << List{1, 1, 0, 0};
    QTest::newRow("batch moved") << List{5, 2, 7} << List{7, 2, 3} << List{0, 0, 1, 1};
  }

  void fusedMatMul() {
    QFETCH(List, a);
    QFETCH(List, b);
    QFETCH(List, flags);
    compareWithDouble({.opType = "FusedMatMul",
                       .domain = "com.microsoft",
                       .version = 1,
                       .attributes = {{"transA", int64_t{flags[0]}},
                                      {"transB", int64_t{flags[1]}},
                                      {"transBatchA", int64_t{flags[2]}},
                                      {"transBatchB", int64_t{flags[3]}},
                                      {"alpha", 0.5f}}},
                      {randomTensor(ints(a), 1), randomTensor(ints(b), 2)});
  }

  void gemm_data() {
    QTest::addColumn<qint64>("transA");
    QTest::addColumn<qint64>("transB");
    QTest::addColumn<float>("alpha");
    QTest::addColumn<float>("beta");
    QTest::addColumn<List>("c");  // {-1}: none
    for (const qint64 transA : {0, 1}) {
      for (const qint64 transB : {0, 1}) {
        const auto name = [&](const char* what) { return QString("%1%2 %3").arg(transA).arg(transB).arg(what); };
        QTest::newRow(qPrintable(name("no C"))) << transA << transB << 1.0f << 1.0f << List{-1};
        QTest::newRow(qPrintable(name("bias"))) << transA << transB << 1.0f << 1.0f << List{6};
        QTest::newRow(qPrintable(name("scaled bias"))) << transA << transB << 0.5f << 2.0f << List{1, 6};
        QTest::newRow(qPrintable(name("column"))) << transA << transB << 1.0f << 1.0f << List{4, 1};
        QTest::newRow(qPrintable(name("full"))) << transA << transB << 1.5f << 1.0f << List{4, 6};
        QTest::newRow(qPrintable(name("scalar"))) << transA << transB << 1.0f << -1.0f << List{};
        QTest::newRow(qPrintable(name("no beta"))) << transA << transB << 1.0f << 0.0f << List{6};
      }
    }
  }

  void gemm() {
    QFETCH(qint64, transA);
    QFETCH(qint64, transB);
    QFETCH(float, alpha);
    QFETCH(float, beta);
    QFETCH(List, c);
    const Tensor a = randomTensor(transA != 0 ? ints({5, 4}) : ints({4, 5}), 1),
                 b = randomTensor(transB != 0 ? ints({6, 5}) : ints({5, 6}), 2);
    const std::vector<Attribute> attributes{
        {"transA", int64_t{transA}}, {"transB", int64_t{transB}}, {"alpha", alpha}, {"beta", beta}};
    std::vector<Tensor> inputs{a, b};
    if (c != List{-1}) inputs.push_back(randomTensor(ints(c), 3));
    compareWithDouble({.opType = "Gemm", .attributes = attributes}, inputs);
    auto fused = attributes;
    fused.push_back({"activation", std::string("Relu")});
    compareWithDouble({.opType = "FusedGemm", .domain = "com.microsoft", .version = 1, .attributes = fused}, inputs);
  }

  // A batch of one over columns, or rows, that lie one after another: every tail, and the same bits with any number of
  // threads.
  void gemmOfOneRow_data() {
    QTest::addColumn<qint64>("depth");
    QTest::addColumn<qint64>("columns");
    QTest::addColumn<bool>("transposed");
    const auto add = [](qint64 depth, qint64 columns) {
      QTest::addRow("%lld to %lld", depth, columns) << depth << columns << true;
      QTest::addRow("%lld to %lld, row by row", depth, columns) << depth << columns << false;
    };
    for (const qint64 depth : {1, 15, 16, 63, 64, 4099}) {
      for (const qint64 columns : {1, 4, 67})
        add(depth, columns);
    }
    add(41, 9001);
  }
  void gemmOfOneRow() {
    QFETCH(qint64, depth);
    QFETCH(qint64, columns);
    QFETCH(bool, transposed);
    const OperatorCall call{.opType = "FusedGemm",
                            .domain = "com.microsoft",
                            .version = 1,
                            .attributes = {{"transB", int64_t{transposed}}, {"activation", std::string("Relu")}}};
    const Tensor b = transposed ? randomTensor({columns, depth}, 2) : randomTensor({depth, columns}, 2);
    const std::vector<Tensor> inputs{randomTensor({1, depth}, 1), b, randomTensor({columns}, 3)};
    compareWithDouble(call, inputs);
    const auto with = [&](int threads) {
      const ThreadShare share(threads);
      return valuesOf<float>(callOperator(call, inputs));
    };
    QCOMPARE(with(3), with(1));
    QCOMPARE(with(8), with(1));
  }

  // The oldest form, with `broadcast`.
  void gemmSmallNumbers() {
    const Tensor a = tensorOf<float>({2, 2}, {1, 2, 3, 4}), b = tensorOf<float>({2, 2}, {1, 0, 0, 1}),
                 c = tensorOf<float>({2}, {10, 20});
    QCOMPARE(valuesOf<float>(
                 callOperator({.opType = "Gemm", .version = 6, .attributes = {{"broadcast", int64_t{1}}}}, {a, b, c})),
             (std::vector<float>{11, 22, 13, 24}));
    QCOMPARE(valuesOf<int32_t>(callOperator(
                 {.opType = "Gemm"},
                 {tensorOf<int32_t>({1, 2}, {2, 3}), tensorOf<int32_t>({2, 1}, {4, 5}), tensorOf<int32_t>({1}, {1})})),
             (std::vector<int32_t>{24}));
  }

  void refusesWhatDoesNotFit() {
    QVERIFY(!tryOperator({.opType = "MatMul"}, {randomTensor({2, 3}, 1), randomTensor({4, 5}, 2)}).has_value());
    QVERIFY(!tryOperator({.opType = "MatMul"}, {randomTensor({2, 2, 3}, 1), randomTensor({3, 3, 5}, 2)}).has_value());
    QVERIFY(
        !tryOperator({.opType = "Gemm"}, {randomTensor({2, 3}, 1), randomTensor({3, 5}, 2), randomTensor({3, 5}, 3)})
             .has_value());
  }
};

QTEST_GUILESS_MAIN(TestMatMul)
#include "tst_matmul.moc"
