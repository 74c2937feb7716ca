// Einsum: the matrix-product path (fp32) against the definition (double) for many equations, known results, and
// equations that are wrong. Det beside it.

#include <cmath>
#include <random>

#include <QTest>

#include "tests/unit/providers/cpu/elementwise/operator_call.h"

using namespace cutaway;

namespace {

template <typename T>
Tensor randomTensor(const std::vector<int64_t>& dims, uint32_t seed) {
  Tensor tensor = *Tensor::create(ElementTypeOf<T>::value, dims);
  std::mt19937 random(seed);
  for (T& element : tensor.span<T>())
    element = static_cast<T>(static_cast<int>(random() % 9) - 4);
  return tensor;
}

template <typename T>
Tensor einsum(const char* equation, const std::vector<Tensor>& inputs) {
  return callOperator({.opType = "Einsum", .attributes = {{"equation", std::string(equation)}}}, inputs);
}

}  // namespace

class TestEinsum : public QObject {
  Q_OBJECT

 private slots:
  void twoPaths_data();
  void twoPaths();
  void severalOperands_data();
  void severalOperands();
  void known();
  void wrong_data();
  void wrong();
  void determinants();
};

void TestEinsum::twoPaths_data() {
  QTest::addColumn<QString>("equation");
  QTest::addColumn<QList<int>>("a");
  QTest::addColumn<QList<int>>("b");
  QTest::newRow("product") << "ij,jk->ik" << QList<int>{3, 4} << QList<int>{4, 5};
  QTest::newRow("transposed right") << "ij,kj->ik" << QList<int>{3, 4} << QList<int>{5, 4};
  QTest::newRow("transposed left") << "ji,jk->ki" << QList<int>{4, 3} << QList<int>{4, 5};
  QTest::newRow("attention scores") << "bqhd,bkhd->bhqk" << QList<int>{2, 5, 3, 4} << QList<int>{2, 6, 3, 4};
  QTest::newRow("attention values") << "bhqk,bkhd->bqhd" << QList<int>{2, 3, 5, 6} << QList<int>{2, 6, 3, 4};
  QTest::newRow("ellipsis") << "...ij,...jk->...ik" << QList<int>{2, 3, 4} << QList<int>{2, 4, 5};
  QTest::newRow("broadcast ellipsis") << "...ij,...jk" << QList<int>{1, 3, 4} << QList<int>{6, 4, 5};
  QTest::newRow("outer") << "i,j->ij" << QList<int>{3} << QList<int>{4};
  QTest::newRow("inner") << "i,i" << QList<int>{7} << QList<int>{7};
  QTest::newRow("summed on one side") << "ij,k->ik" << QList<int>{3, 4} << QList<int>{5};
  QTest::newRow("summed on both sides") << "ij,k->" << QList<int>{3, 4} << QList<int>{5};
  QTest::newRow("summed alone beside a shared sum") << "aij,kjb->ba" << QList<int>{2, 3, 4} << QList<int>{5, 4, 6};
  QTest::newRow("diagonal summed alone") << "ii,j->j" << QList<int>{4, 4} << QList<int>{3};
  QTest::newRow("batch and summed alone") << "bij,bk->b" << QList<int>{2, 3, 4} << QList<int>{2, 5};
  QTest::newRow("sum of nothing") << "i,j->" << QList<int>{0} << QList<int>{4};
  QTest::newRow("diagonal") << "ii,ij->j" << QList<int>{4, 4} << QList<int>{4, 3};
  QTest::newRow("spaces and capitals") << " aB , Bc -> ca " << QList<int>{2, 3} << QList<int>{3, 4};
}

void TestEinsum::twoPaths() {
  QFETCH(QString, equation);
  QFETCH(QList<int>, a);
  QFETCH(QList<int>, b);
  const std::vector<int64_t> left(a.begin(), a.end());
  const std::vector<int64_t> right(b.begin(), b.end());
  const std::string text = equation.toStdString();
  const Tensor fast = einsum<float>(text.c_str(), {randomTensor<float>(left, 1), randomTensor<float>(right, 2)});
  const Tensor plain = einsum<double>(text.c_str(), {randomTensor<double>(left, 1), randomTensor<double>(right, 2)});
  QVERIFY(fast.valid() && plain.valid());
  QVERIFY(fast.dims() == plain.dims());
  for (size_t i = 0; i < fast.span<float>().size(); ++i)
    QCOMPARE(static_cast<double>(fast.span<float>()[i]), plain.span<double>()[i]);
}

void TestEinsum::severalOperands_data() {
  QTest::addColumn<QString>("equation");
  QTest::addColumn<QList<QList<int>>>("dims");
  const auto row = [](const char* equation, QList<QList<int>> dims) {
    QTest::newRow(equation) << QString(equation) << dims;
  };
  row("ij,jk,kl->il", {{3, 4}, {4, 5}, {5, 2}});
  row("ij,kl,jk->il", {{3, 4}, {5, 2}, {4, 5}});
  row("bij,bjk,bk->bi", {{2, 3, 4}, {2, 4, 5}, {2, 5}});
  row("i,j,k->kij", {{2}, {3}, {4}});
  row("i,j,k->", {{2}, {3}, {4}});
  row("ij,ij,ij->i", {{3, 4}, {3, 4}, {3, 4}});
  row("ii,ij,jk->k", {{3, 3}, {3, 4}, {4, 2}});
  row("...ij,...jk,kl->...il", {{2, 3, 4}, {1, 4, 5}, {5, 2}});
  row("ab,bc,cd,de->ae", {{2, 3}, {3, 4}, {4, 5}, {5, 2}});
  row("ij,jk,k->i", {{3, 1}, {1, 5}, {5}});
  row("ij,jk,k->ij", {{3, 0}, {0, 5}, {5}});
  QTest::newRow("nothing to sum") << QString("ij,jk,k->i") << QList<QList<int>>{{3, 0}, {0, 5}, {5}};
}

void TestEinsum::severalOperands() {
  QFETCH(QString, equation);
  QFETCH(QList<QList<int>>, dims);
  std::vector<Tensor> floats, doubles;
  for (const QList<int>& shape : dims) {
    const std::vector<int64_t> each(shape.begin(), shape.end());
    const auto seed = static_cast<uint32_t>(floats.size());
    floats.push_back(randomTensor<float>(each, seed));
    doubles.push_back(randomTensor<double>(each, seed));
  }
  const std::string text = equation.toStdString();
  const Tensor fast = einsum<float>(text.c_str(), floats);
  const Tensor plain = einsum<double>(text.c_str(), doubles);
  QVERIFY(fast.valid() && plain.valid());
  QVERIFY(fast.dims() == plain.dims());
  for (size_t i = 0; i < fast.span<float>().size(); ++i)
    QCOMPARE(static_cast<double>(fast.span<float>()[i]), plain.span<double>()[i]);
}

void TestEinsum::known() {
  const Tensor x = tensorOf<int32_t>({2, 3}, {1, 2, 3, 4, 5, 6});
  QCOMPARE(valuesOf<int32_t>(einsum<int32_t>("ij->ji", {x})), (std::vector<int32_t>{1, 4, 2, 5, 3, 6}));
  QCOMPARE(valuesOf<int32_t>(einsum<int32_t>("ij->i", {x})), (std::vector<int32_t>{6, 15}));
  QCOMPARE(valuesOf<int32_t>(einsum<int32_t>("ij->", {x})), (std::vector<int32_t>{21}));
  QCOMPARE(valuesOf<int32_t>(einsum<int32_t>(
               "ij,jk,k->i", {x, tensorOf<int32_t>({3, 2}, {1, 0, 0, 1, 1, 1}), tensorOf<int32_t>({2}, {1, 10})})),
           (std::vector<int32_t>{54, 120}));
  QCOMPARE(valuesOf<float>(einsum<float>("...ii->...i", {tensorOf<float>({2, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8})})),
           (std::vector<float>{1, 4, 5, 8}));
  const Tensor product =
      einsum<float>("ij,jk->ik", {tensorOf<float>({2, 2}, {1, 2, 3, 4}), tensorOf<float>({2, 2}, {5, 6, 7, 8})});
  QCOMPARE(valuesOf<float>(product), (std::vector<float>{19, 22, 43, 50}));
}

void TestEinsum::wrong_data() {
  QTest::addColumn<QString>("equation");
  int row = 0;
  for (const char* equation :
       {"ij,jk,k->ik", "ij,jk->iz", "i1,jk->ik", "ij,jk->ii", "ijk,jk->i", "ij,ij->", "i...j...,jk->k", ""})
    QTest::addRow("%d", row++) << equation;
}

void TestEinsum::wrong() {
  QFETCH(QString, equation);
  const auto result = tryOperator({.opType = "Einsum", .attributes = {{"equation", equation.toStdString()}}},
                                  {randomTensor<float>({2, 3}, 1), randomTensor<float>({3, 4}, 2)});
  QVERIFY(!result);
}

void TestEinsum::determinants() {
  const Tensor y = callOperator({.opType = "Det"}, {tensorOf<float>({3, 2, 2}, {0, 1, 1, 0, 2, 1, 4, 2, 3, 1, 5, 2})});
  QCOMPARE(valuesOf<float>(y), (std::vector<float>{-1, 0, 1}));
  QVERIFY(callOperator({.opType = "Det"}, {tensorOf<double>({2, 2}, {1, 2, 3, 4})}).rank() == 0);
  QVERIFY(!tryOperator({.opType = "Det"}, {tensorOf<float>({2, 3}, {1, 2, 3, 4, 5, 6})}));
}

QTEST_GUILESS_MAIN(TestEinsum)
#include "tst_einsum.moc"
