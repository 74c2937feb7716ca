// Products over weights of few bits: unpacking against its definition, the product over packed weights against unpacked
// ones in double, and inputs that do not fit.

#include <cmath>
#include <random>

#include <QTest>

#include "providers/cpu/kernels/weight_quantized/bit_product.h"
#include "tests/unit/providers/cpu/elementwise/operator_call.h"
#include "tests/unit/providers/cpu/random_tensor.h"

using namespace cutaway;

namespace {

struct Weights {
  std::vector<uint8_t> packed;
  std::vector<float> scales, zeros;
  cpu::BitMatrix matrix;
};

Weights randomWeights(int bits, int64_t blockSize, int64_t rows, int64_t depth, bool zeros) {
  Weights weights{.packed = {},
                  .scales = {},
                  .zeros = {},
                  .matrix = {.packed = nullptr,
                             .scales = nullptr,
                             .zeros = nullptr,
                             .rows = rows,
                             .depth = depth,
                             .blockSize = blockSize,
                             .bits = bits,
                             .defaultZero = static_cast<float>(1 << (bits - 1))}};
  std::mt19937 generator(static_cast<uint32_t>(bits * 100 + blockSize + depth));
  weights.packed.resize(static_cast<size_t>(rows * weights.matrix.rowBytes()));
  for (uint8_t& byte : weights.packed)
    byte = static_cast<uint8_t>(generator());
  const size_t numbers = static_cast<size_t>(rows * weights.matrix.blocks());
  weights.scales.assign(numbers + cpu::kScalePadding, 0.0f);
  weights.zeros.assign(numbers + cpu::kScalePadding, 0.0f);
  for (size_t i = 0; i < numbers; ++i) {
    weights.scales[i] = static_cast<float>(generator() % 1000) / 1000.0f - 0.4f;
    weights.zeros[i] = static_cast<float>(generator() % (1u << bits));
  }
  weights.matrix.packed = weights.packed.data();
  weights.matrix.scales = weights.scales.data();
  weights.matrix.zeros = zeros ? weights.zeros.data() : nullptr;
  return weights;
}

OperatorCall call(int64_t n, int64_t k, int64_t bits, int64_t block) {
  return {.opType = "MatMulNBits",
          .domain = "com.microsoft",
          .version = 1,
          .attributes = {{"N", n}, {"K", k}, {"bits", bits}, {"block_size", block}}};
}

Tensor bytes(std::initializer_list<int64_t> dims, uint8_t value) {
  Tensor tensor = *Tensor::create(ElementType::kUint8, dims);
  std::ranges::fill(tensor.span<uint8_t>(), value);
  return tensor;
}

}  // namespace

class TestWeightQuantized : public QObject {
  Q_OBJECT

 private slots:
  void fastAgreesWithTheDefinition_data() {
    QTest::addColumn<int>("bits");
    QTest::addColumn<qint64>("block");
    QTest::addColumn<qint64>("depth");
    QTest::addColumn<bool>("zeros");
    for (const int bits : {2, 4, 8}) {
      for (const qint64 block : {16, 32, 64, 128, 256, 512}) {
        for (const qint64 depth : {5, 16, 100, 513, 1024})
          QTest::addRow("%d bits, blocks of %lld, depth %lld", bits, block, depth)
              << bits << block << depth << (depth % 2 == 1);
      }
    }
  }

  void fastAgreesWithTheDefinition() {
    QFETCH(int, bits);
    QFETCH(qint64, block);
    QFETCH(qint64, depth);
    QFETCH(bool, zeros);
    const int64_t rows = 7;
    const Weights weights = randomWeights(bits, block, rows, depth, zeros);
    std::vector<float> expected(static_cast<size_t>(rows * depth)), expanded(static_cast<size_t>(rows * depth));
    for (int64_t n = 0; n < rows; ++n) {
      cpu::expandRowReference(weights.matrix, n, expected.data() + n * depth);
      cpu::expandRow(weights.matrix, n, expanded.data() + n * depth);
    }
    QCOMPARE(expanded, expected);
    for (const int64_t lines : {1, 3, 4, 6}) {
      const Tensor a = randomTensor({lines, depth}, 9);
      std::vector<float> memory(static_cast<size_t>(cpu::PreparedRows::floats(weights.matrix, lines))),
          y(static_cast<size_t>(lines * rows));
      cpu::PreparedRows left(weights.matrix, lines, memory.data());
      for (int64_t line = 0; line < lines; ++line)
        left.fill(line, a.span<float>().data() + line * depth);
      cpu::bitProduct(weights.matrix, left, 0, rows, y.data(), rows);
      for (int64_t line = 0; line < lines; ++line) {
        for (int64_t n = 0; n < rows; ++n) {
          double sum = 0, size = 0;
          for (int64_t k = 0; k < depth; ++k) {
            const double term = static_cast<double>(a.span<float>()[static_cast<size_t>(line * depth + k)]) *
                                static_cast<double>(expected[static_cast<size_t>(n * depth + k)]);
            sum += term;
            size += std::abs(term);
          }
          const double got = static_cast<double>(y[static_cast<size_t>(line * rows + n)]);
          QVERIFY2(std::abs(got - sum) <= 3e-6 * size + 1e-6,
                   qPrintable(QString("%1, %2: %3 instead of %4").arg(line).arg(n).arg(got).arg(sum)));
        }
      }
    }
  }

  // One block of 16 numbers, all 3 (0x33), zero point 8 and scale 0.5: every weight is -2.5.
  void byHand() {
    const Tensor a = tensorOf<float>({1, 16}, std::vector<float>(16, 1.0f)),
                 scales = tensorOf<float>({2, 1}, {0.5f, 1.0f}), bias = tensorOf<float>({2}, {1.0f, 2.0f});
    QCOMPARE(valuesOf<float>(callOperator(call(2, 16, 4, 16), {a, bytes({2, 1, 8}, 0x33), scales})),
             (std::vector<float>{-40, -80}));
    QCOMPARE(valuesOf<float>(callOperator(call(2, 16, 4, 16),
                                          {a, bytes({2, 1, 8}, 0x33), scales, bytes({2, 1}, 1), Tensor{}, bias})),
             (std::vector<float>{17, 34}));
  }

  void refusesWhatDoesNotFit() {
    const Tensor a = randomTensor({2, 32}, 1), b = bytes({4, 1, 16}, 0), scales = randomTensor({4, 1}, 2);
    QVERIFY(tryOperator(call(4, 32, 4, 32), {a, b, scales}).has_value());
    QVERIFY(!tryOperator(call(4, 32, 3, 32), {a, b, scales}).has_value());
    QVERIFY(!tryOperator(call(4, 32, 4, 24), {a, b, scales}).has_value());
    QVERIFY(!tryOperator(call(4, 32, 4, 8), {a, b, scales}).has_value());
    QVERIFY(!tryOperator(call(5, 32, 4, 32), {a, b, scales}).has_value());
    QVERIFY(!tryOperator(call(4, 33, 4, 32), {a, b, scales}).has_value());
    QVERIFY(!tryOperator(call(0, 32, 4, 32), {a, b, scales}).has_value());
    QVERIFY(!tryOperator(call(4, 32, 4, 32), {a, b, randomTensor({3, 1}, 2)}).has_value());
    QVERIFY(!tryOperator(call(4, 32, 4, 32), {a, b, scales, bytes({4, 2}, 0)}).has_value());
    QVERIFY(
        !tryOperator(call(4, 32, 4, 32), {a, b, scales, Tensor{}, tensorOf<int32_t>({32}, std::vector<int32_t>(32, 1))})
             .has_value());
    QVERIFY(!tryOperator(call(4, 32, 4, 32), {a, b, scales, Tensor{}, Tensor{}, randomTensor({3}, 4)}).has_value());
  }
};

QTEST_GUILESS_MAIN(TestWeightQuantized)
#include "tst_weight_quantized.moc"
