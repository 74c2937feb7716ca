// Matrix products on the emulator against cpu: all types, transposes, batches, vectors, forms of C; and what the
// rewrites make of a product and its followers.
#include <QtTest/QtTest>

#include "tests/unit/providers/cuda/cuda_case.h"

using namespace cutaway;
using namespace cutaway::testing;

namespace {

using List = std::vector<int64_t>;

const std::pair<ElementType, const char*> kTypes[] = {{ElementType::kFloat, "float"},
                                                      {ElementType::kDouble, "double"},
                                                      {ElementType::kFloat16, "float16"},
                                                      {ElementType::kBfloat16, "bfloat16"}};

std::string listText(const std::vector<int64_t>& dims) {
  std::string text;
  for (const int64_t dim : dims)
    text += (text.empty() ? "" : ",") + std::to_string(dim);
  return text;
}

struct Operands {
  List a, b;
};
struct Follower {
  const char* name;
  const char* nodes;
  const char* fused;
};

}  // namespace

class TestCudaProducts : public QObject {
  Q_OBJECT
 private slots:
  void shapes_data() {
    QTest::addColumn<int>("index");
    for (int i = 0; i < static_cast<int>(std::size(kShapes)); ++i)
      QTest::newRow((listText(kShapes[i].a) + " x " + listText(kShapes[i].b)).c_str()) << i;
  }
  void shapes() {
    QFETCH(int, index);
    for (const auto& [type, name] : kTypes) {
      const CudaCase each{
          .nodes = "y = MatMul (a, b)",
          .inputs = {{"a", randomOf(type, kShapes[index].a, 1)}, {"b", randomOf(type, kShapes[index].b, 2)}},
          .outputs = std::string(name) + " y"};
      QCOMPARE(QString::fromStdString(differenceOf(each)), QString());
    }
  }

  void integers() {
    for (const auto& [type, name] : {std::pair{ElementType::kInt32, "int32"},
                                     {ElementType::kUint32, "uint32"},
                                     {ElementType::kInt64, "int64"},
                                     {ElementType::kUint64, "uint64"}}) {
      const CudaCase each{
          .nodes = "y = MatMul (a, b)",
          .inputs = {{"a", randomOf(type, {2, 9, 17}, 1, 0, 100)}, {"b", randomOf(type, {17, 11}, 2, 0, 100)}},
          .outputs = std::string(name) + " y"};
      QCOMPARE(QString::fromStdString(differenceOf(each)), QString());
    }
  }

  void transposes_data() {
    QTest::addColumn<int>("bits");
    for (int bits = 0; bits < 16; ++bits)
      QTest::newRow(std::to_string(bits).c_str()) << bits;
  }
  void transposes() {
    QFETCH(int, bits);
    const bool a = bits & 1, b = bits & 2, batchA = bits & 4, batchB = bits & 8;
    const auto dims = [](bool transposed, bool inside, int64_t rows, int64_t columns) {
      if (transposed) std::swap(rows, columns);
      return inside ? List{rows, 3, columns} : List{3, rows, columns};
    };
    const std::string node = "y = com.microsoft.FusedMatMul <transA = " + std::to_string(a) +
                             ", transB = " + std::to_string(b) + ", transBatchA = " + std::to_string(batchA) +
                             ", transBatchB = " + std::to_string(batchB) + ", alpha = 0.5> (a, b)";
    for (const int64_t rows : {1, 13}) {
      const CudaCase each{.nodes = node,
                          .inputs = {{"a", randomOf(ElementType::kFloat, dims(a, batchA, rows, 40), 1)},
                                     {"b", randomOf(ElementType::kFloat, dims(b, batchB, 40, 21), 2)}},
                          .domains = {{"com.microsoft", 1}}};
      QCOMPARE(QString::fromStdString(differenceOf(each)), QString());
    }
  }

  void gemm_data() {
    QTest::addColumn<QString>("c");
    QTest::addColumn<double>("beta");
    for (const char* c : {"17", "1", "1,17", "13,1", "13,17", "1,1", ""}) {
      for (const double beta : {1.0, 0.25})
        QTest::newRow(qPrintable(QString("[%1] beta %2").arg(c).arg(beta))) << QString(c) << beta;
    }
  }
  void gemm() {
    QFETCH(QString, c);
    QFETCH(double, beta);
    List dims;
    for (const QString& part : c.split(',', Qt::SkipEmptyParts))
      dims.push_back(part.toLongLong());
    for (const auto& [type, name] : kTypes) {
      const CudaCase each{.nodes = "y = Gemm <alpha = 0.5, transB = 1, beta = " + std::to_string(beta) + "> (a, b, c)",
                          .inputs = {{"a", randomOf(type, {13, 33}, 1)},
                                     {"b", randomOf(type, {17, 33}, 2)},
                                     {"c", randomOf(type, dims, 3)}},
                          .outputs = std::string(name) + " y"};
      QCOMPARE(QString::fromStdString(differenceOf(each)), QString());
    }
  }

  void followers_data() {
    QTest::addColumn<int>("index");
    for (int i = 0; i < static_cast<int>(std::size(kFollowers)); ++i)
      QTest::newRow(kFollowers[i].name) << i;
  }
  // x [2,5,24], w [24,19], v [19], r [2,5,19].
  void followers() {
    QFETCH(int, index);
    for (const auto& [type, name] : {kTypes[0], kTypes[2]}) {
      CudaCase each{.nodes = kFollowers[index].nodes,
                    .inputs = {{"x", randomOf(type, {2, 5, 24}, 1)}, {"r", randomOf(type, {2, 5, 19}, 2)}},
                    .outputs = std::string(name) + " y",
                    .weights = {{"w", randomOf(type, {24, 19}, 3)}, {"v", randomOf(type, {19}, 4)}},
                    .domains = {{"com.microsoft", 1}},
                    .level = 3};
      if (*kFollowers[index].fused != '\0') each.fused = {kFollowers[index].fused};
      QCOMPARE(QString::fromStdString(differenceOf(each)), QString());
    }
  }

  // Three products of one input are one, whose columns are split; level 2 leaves them apart.
  void joins() {
    for (const int level : {2, 3}) {
      for (const auto& [type, name] : {kTypes[0], kTypes[2]}) {
        CudaCase each{.nodes =
                          "q0 = MatMul (x, wq)\n q = Add (q0, bq)\n k0 = MatMul (x, wk)\n k = Add (k0, bk)\n v0 = "
                          "MatMul (x, wv)\n v = Add (bv, v0)\n",
                      .inputs = {{"x", randomOf(type, {2, 5, 24}, 1)}},
                      .outputs = std::string(name) + " q, " + name + " k, " + name + " v",
                      .weights = {{"wq", randomOf(type, {24, 32}, 2)},
                                  {"wk", randomOf(type, {24, 8}, 3)},
                                  {"wv", randomOf(type, {24, 9}, 4)},
                                  {"bq", randomOf(type, {32}, 5)},
                                  {"bk", randomOf(type, {8}, 6)},
                                  {"bv", randomOf(type, {9}, 7)}},
                      .level = level};
        each.fused = level == 3 ? std::vector<std::string>{"FusedProduct", "Split"}
                                : std::vector<std::string>{"FusedProduct", "FusedProduct"};
        QCOMPARE(QString::fromStdString(differenceOf(each)), QString());
      }
    }
  }

  // Weights that are stored with the depth last, for many rows and for one.
  void packs() {
    for (const int64_t rows : {1, 6}) {
      for (const char* nodes :
           {"y = MatMul (x, w)", "y = Gemm <alpha = 0.5, beta = 0.25> (x, w, c)", "p = MatMul (x, w)\n y = Relu (p)"}) {
        const CudaCase each{.nodes = nodes,
                            .inputs = {{"x", randomOf(ElementType::kFloat, {rows, 80}, 1)},
                                       {"c", randomOf(ElementType::kFloat, {rows, 70}, 2)}},
                            .weights = {{"w", randomOf(ElementType::kFloat, {80, 70}, 3)}},
                            .level = 3,
                            .fused = {"FusedProduct"}};
        QCOMPARE(QString::fromStdString(differenceOf(each)), QString());
      }
    }
  }

 private:
  inline static const Operands kShapes[] = {
      {{7}, {7}},
      {{40}, {40, 9}},
      {{9, 40}, {40}},
      {{1, 1}, {1, 1}},
      {{3, 5}, {5, 7}},
      {{65, 33}, {33, 70}},
      {{1, 129}, {129, 50}},
      {{50, 129}, {129, 1}},
      {{4, 9, 10}, {10, 8}},
      {{9, 10}, {4, 10, 8}},
      {{2, 1, 9, 10}, {3, 10, 8}},
      {{2, 3, 9, 10}, {2, 1, 10, 8}},
      {{3, 4, 5}, {3, 5, 6}},
      {{5}, {3, 5, 6}},
      {{3, 4, 5}, {5}},
      {{0, 5}, {5, 3}},
      {{3, 0}, {0, 4}},
      {{2, 1, 64}, {2, 64, 31}},
      {{2, 1, 1, 2, 3}, {1, 2, 1, 3, 2}},
  };
  inline static const Follower kFollowers[] = {
      {"bias", "p = MatMul (x, w)\n y = Add (p, v)", "FusedProduct"},
      {"bias first", "p = MatMul (x, w)\n y = Add (v, p)", "FusedProduct"},
      {"bias, residual", "p = MatMul (x, w)\n q = Add (p, v)\n y = Add (r, q)", "FusedProduct"},
      {"residual", "p = MatMul (x, w)\n y = Add (p, r)", "FusedProduct"},
      {"residual, bias", "p = MatMul (x, w)\n q = Add (p, r)\n y = Add (q, r)", "FusedProduct"},
      {"bias, relu", "p = MatMul (x, w)\n q = Add (p, v)\n y = Relu (q)", "FusedProduct"},
      {"bias, residual, relu", "p = MatMul (x, w)\n q = Add (p, v)\n s = Add (q, r)\n y = Relu (s)", "FusedProduct"},
      {"gelu", "p = MatMul (x, w)\n y = Gelu (p)", "FusedProduct"},
      {"gelu by tanh", "p = MatMul (x, w)\n q = Add (p, v)\n y = Gelu <approximate = \"tanh\"> (q)", "FusedProduct"},
      {"bias gelu", "p = MatMul (x, w)\n y = com.microsoft.BiasGelu (p, v)", "FusedProduct"},
      {"fast gelu", "p = MatMul (x, w)\n y = com.microsoft.FastGelu (p, v)", "FusedProduct"},
      {"silu", "p = MatMul (x, w)\n s = Sigmoid (p)\n y = Mul (s, p)", "FusedProduct"},
      {"tanh", "p = MatMul (x, w)\n y = Tanh (p)", "FusedProduct"},
      {"sigmoid", "p = MatMul (x, w)\n y = Sigmoid (p)", "FusedProduct"},
      {"leaky relu", "p = MatMul (x, w)\n y = LeakyRelu <alpha = 0.2> (p)", "FusedProduct"},
      {"hard sigmoid", "p = MatMul (x, w)\n y = HardSigmoid <alpha = 0.3, beta = 0.4> (p)", "FusedProduct"},
      {"alpha", "p = com.microsoft.FusedMatMul <alpha = 0.5> (x, w)\n y = Add (p, v)", "FusedProduct"},
      {"two readers", "p = MatMul (x, w)\n q = Relu (p)\n y = Add (q, p)", "MatMul"},
  };
};

QTEST_GUILESS_MAIN(TestCudaProducts)
#include "tst_cuda_products.moc"
