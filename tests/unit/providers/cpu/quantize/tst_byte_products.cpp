// The fast integer products and convolutions against plain sums, bit by bit, in sizes that leave rests of every vector;
// and what the operators refuse.

#include <algorithm>
#include <random>

#include <QtTest>

#include "engine/math/integer_convolution.h"
#include "engine/math/integer_product.h"
#include "providers/cpu/kernels/quantize/byte_product.h"
#include "tests/unit/providers/cpu/elementwise/operator_call.h"

using namespace cutaway;

namespace {

// Mostly the ends of the range: sums of neighbouring products are then as large as they get.
template <typename T>
std::vector<T> extremes(size_t count, uint32_t seed) {
  std::mt19937 generator(seed);
  std::vector<T> values(count);
  for (T& value : values)
    value = static_cast<T>(generator() % 4 == 0   ? generator()
                           : generator() % 2 == 0 ? std::numeric_limits<T>::max()
                                                  : std::numeric_limits<T>::min());
  return values;
}

}  // namespace

class TestByteProducts : public QObject {
  Q_OBJECT
 private slots:
  void products_data() {
    QTest::addColumn<int>("rows");
    QTest::addColumn<int>("columns");
    QTest::addColumn<int>("depth");
    for (const auto& [m, n, k] :
         {std::tuple{1, 1, 1}, {1, 67, 300}, {33, 17, 65}, {16, 64, 128}, {5, 3, 2}, {70, 129, 31}})
      QTest::addRow("%dx%dx%d", m, n, k) << m << n << k;
  }
  void products() {
    QFETCH(int, rows);
    QFETCH(int, columns);
    QFETCH(int, depth);
    const auto a = extremes<uint8_t>(static_cast<size_t>(rows * depth), 1);
    const auto b = extremes<int8_t>(static_cast<size_t>(depth * columns), 2);
    std::vector<int32_t> wanted(static_cast<size_t>(rows * columns)), sums(wanted.size());
    cpu::multiplyBytesReference(a.data(), b.data(), wanted.data(), rows, columns, depth);
    for (const bool packs : {true, false}) {
      auto product = math::IntegerProduct::create({.rows = rows, .columns = columns, .depth = depth, .packed = packs});
      QVERIFY(product);
      std::shared_ptr<const math::PackedBytes> packed;
      if (packs) packed = *(*product)->pack(b.data());
      std::vector<std::byte> memory((*product)->scratchBytes() + 64);
      std::byte* aligned = memory.data() + (64 - reinterpret_cast<uintptr_t>(memory.data()) % 64) % 64;
      math::IntegerProduct::Call call(*product);
      std::ranges::fill(sums, -1);
      QVERIFY(call.run({.a = a.data(),
                        .packed = packed.get(),
                        .b = b.data(),
                        .c = sums.data(),
                        .scratch = {aligned, (*product)->scratchBytes()}}));
      QVERIFY(sums == wanted);
    }
  }

  void convolutions() {
    math::IntegerConvolutionShape shape{.batch = 2, .inChannels = 6, .outChannels = 10, .groups = 2};
    shape.input = {9, 7};
    shape.kernel = {3, 2};
    shape.strides = {2, 1};
    shape.dilations = {1, 2};
    shape.padsBegin = {1, 0};
    shape.padsEnd = {0, 1};
    shape.output = {4, 6};
    const auto x = extremes<uint8_t>(2 * 9 * 7 * 6, 3);
    const auto w = extremes<int8_t>(10 * 3 * 3 * 2, 4);
    auto convolution = math::IntegerConvolution::create(shape);
    QVERIFY(convolution);
    const auto packed = *(*convolution)->pack(w.data());
    std::vector<int32_t> sums(2 * 4 * 6 * 10);
    std::vector<std::byte> memory((*convolution)->scratchBytes() + 64);
    std::byte* aligned = memory.data() + (64 - reinterpret_cast<uintptr_t>(memory.data()) % 64) % 64;
    math::IntegerConvolution::Call call(*convolution);
    QVERIFY(call.run(x.data(), *packed, sums.data(), {aligned, (*convolution)->scratchBytes()}));
    for (int i = 0; i < static_cast<int>(sums.size()); ++i) {
      const int map = i % 10, column = i / 10 % 6, row = i / 60 % 4, entry = i / 240;
      int sum = 0;
      for (int c = 0; c < 3; ++c) {
        for (int u = 0; u < 3; ++u) {
          for (int v = 0; v < 2; ++v) {
            const int y = row * 2 + u - 1, z = column + v * 2;
            if (y < 0 || y >= 9 || z >= 7) continue;
            sum += x[static_cast<size_t>(((entry * 9 + y) * 7 + z) * 6 + map / 5 * 3 + c)] *
                   w[static_cast<size_t>(((map * 3 + c) * 3 + u) * 2 + v)];
          }
        }
      }
      QCOMPARE(sums[static_cast<size_t>(i)], sum);
    }
  }

  void vectorTails() {
    // Every length around a vector: quantised and back.
    for (int64_t count = 1; count < 70; ++count) {
      Tensor x = *Tensor::create(ElementType::kFloat, {count});
      for (int64_t i = 0; i < count; ++i)
        x.span<float>()[static_cast<size_t>(i)] = static_cast<float>(i) * 1.25f - 20.0f;
      const Tensor y =
          callOperator({.opType = "QuantizeLinear"}, {x, Tensor::scalar(0.5f), Tensor::scalar<int8_t>(-3)});
      const Tensor back =
          callOperator({.opType = "DequantizeLinear"}, {y, Tensor::scalar(0.5f), Tensor::scalar<int8_t>(-3)});
      for (int64_t i = 0; i < count; ++i) {
        const double wanted = std::clamp(
            std::nearbyint(static_cast<double>(x.span<float>()[static_cast<size_t>(i)]) / 0.5) - 3, -128.0, 127.0);
        QCOMPARE(static_cast<double>(y.span<int8_t>()[static_cast<size_t>(i)]), wanted);
        QCOMPARE(static_cast<double>(back.span<float>()[static_cast<size_t>(i)]), (wanted + 3) * 0.5);
      }
    }
  }

  // onnxruntime adds the zero point before it rounds: an exact half goes to the even sum.
  void sumsOfHalves_data() {
    QTest::addColumn<QByteArray>("op");
    QTest::addColumn<int>("zero");
    for (const char* op : {"QLinearAdd", "QLinearMul"})
      for (const int zero : {-3, 0, 1, 2})
        QTest::addRow("%s, zero point %d", op, zero) << QByteArray(op) << zero;
  }
  void sumsOfHalves() {
    QFETCH(QByteArray, op);
    QFETCH(int, zero);
    const bool isSum = op == "QLinearAdd";
    constexpr int64_t kCount = 61;
    Tensor a = *Tensor::create(ElementType::kInt8, {kCount}), b = *Tensor::create(ElementType::kInt8, {kCount});
    for (int64_t i = 0; i < kCount; ++i) {
      a.span<int8_t>()[static_cast<size_t>(i)] = static_cast<int8_t>(i - 30);
      b.span<int8_t>()[static_cast<size_t>(i)] = static_cast<int8_t>(i * 7 % 23 - 9);
    }
    const Tensor quarter = Tensor::scalar(0.25f), scale = Tensor::scalar(isSum ? 0.5f : 0.125f);
    const Tensor y = callOperator({.opType = op.constData(), .domain = "com.microsoft", .version = 1},
                                  {a, quarter, Tensor::scalar<int8_t>(3), b, quarter, Tensor::scalar<int8_t>(-2), scale,
                                   Tensor::scalar<int8_t>(static_cast<int8_t>(zero))});
    for (size_t i = 0; i < kCount; ++i) {
      const double left = (a.span<int8_t>()[i] - 3) * 0.25, right = (b.span<int8_t>()[i] + 2) * 0.25;
      const double units = isSum ? (left + right) / 0.5 : left * right / 0.125;
      QCOMPARE(static_cast<double>(y.span<int8_t>()[i]), std::clamp(std::nearbyint(units + zero), -128.0, 127.0));
    }
  }

  // And in means of windows.
  void meansOfHalves_data() {
    QTest::addColumn<int>("zero");
    for (const int zero : {-3, 0, 1, 2})
      QTest::addRow("zero point %d", zero) << zero;
  }
  void meansOfHalves() {
    QFETCH(int, zero);
    constexpr int64_t kCount = 41;
    Tensor x = *Tensor::create(ElementType::kInt8, {1, 1, kCount});
    for (int64_t i = 0; i < kCount; ++i)
      x.span<int8_t>()[static_cast<size_t>(i)] = static_cast<int8_t>(i - 20);
    const Tensor scale = Tensor::scalar(0.5f);
    const Tensor y =
        callOperator({.opType = "QLinearAveragePool",
                      .domain = "com.microsoft",
                      .version = 1,
                      .attributes = {{"kernel_shape", std::vector<int64_t>{2}}}},
                     {x, scale, Tensor::scalar<int8_t>(3), scale, Tensor::scalar<int8_t>(static_cast<int8_t>(zero))});
    QCOMPARE(y.elementCount(), kCount - 1);
    for (size_t i = 0; i + 1 < kCount; ++i) {
      const double mean = x.span<int8_t>()[i] + 0.5 - 3;
      QCOMPARE(static_cast<double>(y.span<int8_t>()[i]), std::nearbyint(mean + zero));
    }
  }

  void refusals() {
    const Tensor bytes = tensorOf<uint8_t>({2, 2}, {1, 2, 3, 4});
    const Tensor scale = Tensor::scalar(0.5f);
    const Tensor zero = Tensor::scalar<uint8_t>(0);
    const auto ms = [](const char* op) { return OperatorCall{.opType = op, .domain = "com.microsoft", .version = 1}; };
    QVERIFY(!tryOperator({.opType = "MatMulInteger"}, {bytes, bytes, tensorOf<uint8_t>({3}, {1, 2, 3})}));
    QVERIFY(!tryOperator({.opType = "MatMulInteger"}, {bytes, bytes, Tensor::scalar<int8_t>(1)}));
    QVERIFY(!tryOperator({.opType = "QLinearMatMul"},
                         {bytes, tensorOf<float>({3}, {1, 1, 1}), zero, bytes, scale, zero, scale, zero}));
    QVERIFY(!tryOperator(ms("QLinearAdd"),
                         {bytes, scale, zero, tensorOf<uint8_t>({3}, {1, 2, 3}), scale, zero, scale, zero}));
    QVERIFY(
        !tryOperator(ms("QLinearAdd"), {bytes, tensorOf<float>({2}, {1, 1}), zero, bytes, scale, zero, scale, zero}));
    QVERIFY(!tryOperator(ms("DynamicQuantizeMatMul"),
                         {tensorOf<float>({1, 2}, {1, 2}), bytes, tensorOf<float>({3}, {1, 1, 1})}));
    QVERIFY(!tryOperator(ms("QGemm"), {bytes, scale, zero, bytes, scale, zero, tensorOf<int32_t>({3}, {1, 2, 3})}));
    QVERIFY(tryOperator(ms("QGemm"), {bytes, scale, zero, bytes, scale, zero, tensorOf<int32_t>({2}, {1, 2})}));
  }
};

QTEST_GUILESS_MAIN(TestByteProducts)
#include "tst_byte_products.moc"
