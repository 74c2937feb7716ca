// Products with a constant right factor in a session whose number of rows is open: one row, which reads the factor
// where it lies, and several, which read it packed, in turn.

#include <QTest>

#include "engine/tensor/narrow_float.h"
#include "tests/unit/engine/session/text_session.h"

using namespace cutaway;

namespace {

constexpr int64_t kDepth = 45, kColumns = 150;

float factorAt(int64_t depth, int64_t column) {
  return static_cast<float>((depth * 31 + column * 17) % 61 - 30) / 16.0f;
}
float rowAt(int64_t row, int64_t depth) {
  return static_cast<float>((row * 13 + depth * 7) % 29 - 14) / 8.0f;
}

std::string factor(bool transposed) {
  std::string list;
  for (int64_t i = 0; i < kDepth * kColumns; ++i) {
    const float value = transposed ? factorAt(i % kDepth, i / kDepth) : factorAt(i / kColumns, i % kColumns);
    list += fmt::format("{}{}", i == 0 ? "" : ",", value);
  }
  return list;
}

}  // namespace

class TestConstantFactor : public QObject {
  Q_OBJECT
 private slots:
  void rowsInTurn_data() {
    QTest::addColumn<QString>("call");
    QTest::addColumn<QString>("type");
    QTest::addColumn<bool>("transposed");
    QTest::newRow("MatMul") << "MatMul (a, b)" << "float" << false;
    QTest::newRow("MatMul of halves") << "MatMul (a, b)" << "float16" << false;
    QTest::newRow("FusedMatMul") << "com.microsoft.FusedMatMul <transB = 1> (a, b)" << "float" << true;
    QTest::newRow("Gemm") << "Gemm (a, b)" << "float" << false;
    QTest::newRow("Gemm, transposed") << "Gemm <transB = 1> (a, b)" << "float" << true;
  }
  void rowsInTurn() {
    QFETCH(QString, call);
    QFETCH(QString, type);
    QFETCH(bool, transposed);
    const std::string text = fmt::format(
        "<ir_version: 8, opset_import: [\"\" : 17, \"com.microsoft\" : 1]>\nmain ({0}[n,{1}] a) => ({0}[n,{2}] y) "
        "<{0}[{3},{4}] b = {{{5}}}> {{ y = {6} }}",
        type.toStdString(), kDepth, kColumns, transposed ? kColumns : kDepth, transposed ? kDepth : kColumns,
        factor(transposed), call.toStdString());
    const auto session = textSession(text);
    QVERIFY2(session, why(session).c_str());
    const bool halves = type == "float16";
    for (const int64_t rows : {1, 4, 1, 9}) {
      Tensor a = *Tensor::create(halves ? ElementType::kFloat16 : ElementType::kFloat, {rows, kDepth});
      for (int64_t i = 0; i < rows * kDepth; ++i) {
        const float value = rowAt(i / kDepth, i % kDepth);
        if (halves)
          floatToHalf(&value, a.span<Float16>().data() + i, 1);
        else
          a.span<float>()[static_cast<size_t>(i)] = value;
      }
      const auto result = (*session)->run({{"a", RuntimeValue(a)}}, {});
      QVERIFY2(result, why(result).c_str());
      const Tensor& y = result->outputs[0].value.tensor();
      for (int64_t i = 0; i < rows * kColumns; ++i) {
        double wanted = 0;
        for (int64_t k = 0; k < kDepth; ++k)
          wanted += static_cast<double>(rowAt(i / kColumns, k)) * static_cast<double>(factorAt(k, i % kColumns));
        float seen = 0;
        if (halves)
          halfToFloat(y.span<Float16>().data() + i, &seen, 1);
        else
          seen = y.span<float>()[static_cast<size_t>(i)];
        // Multiples of 1/128, and sums far below 2^17: exact in floats, in any order.
        if (halves)
          QVERIFY(std::abs(static_cast<double>(seen) - wanted) <= std::abs(wanted) / 1024.0);
        else
          QCOMPARE(static_cast<double>(seen), wanted);
      }
    }
  }
};

QTEST_GUILESS_MAIN(TestConstantFactor)
#include "tst_constant_factor.moc"
