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

  // Constant factors are packed, with what follows the sums, before the first run.
  void constantFactors_data() {
    QTest::addColumn<QByteArray>("op");
    QTest::addColumn<bool>("transposed");
    QTest::addColumn<int>("rows");
    QTest::addColumn<int>("columns");
    QTest::addColumn<int>("depth");
    for (const auto& [m, n, k] : {std::tuple{1, 1, 1}, {1, 67, 300}, {33, 17, 65}, {16, 64, 128}, {5, 3, 2}}) {
      QTest::addRow("QGemm, %dx%dx%d", m, n, k) << QByteArray("QGemm") << false << m << n << k;
      QTest::addRow("QGemm, transposed, %dx%dx%d", m, n, k) << QByteArray("QGemm") << true << m << n << k;
      QTest::addRow("QLinearMatMul, %dx%dx%d", m, n, k) << QByteArray("QLinearMatMul") << false << m << n << k;
    }
  }
  void constantFactors() {
    QFETCH(QByteArray, op);
    QFETCH(bool, transposed);
    QFETCH(int, rows);
    QFETCH(int, columns);
    QFETCH(int, depth);
    const bool isGemm = op == "QGemm";
    const auto a = extremes<int8_t>(static_cast<size_t>(rows * depth), 5);
    const auto b = extremes<uint8_t>(static_cast<size_t>(depth * columns), 6);
    constexpr int kZeroA = -7, kZeroB = 128, kZeroY = 100;
    std::vector<float> scales;
    std::vector<int32_t> bias;
    for (int j = 0; j < columns; ++j) {
      scales.push_back(0.001F + 0.0001F * static_cast<float>(j % 9));
      bias.push_back(isGemm ? j * 1000 - 20000 : 0);
    }
    const OperatorCall call{
        .opType = op.constData(),
        .domain = isGemm ? "com.microsoft" : "",
        .version = isGemm ? 1 : 21,
        .attributes = isGemm ? std::vector<Attribute>{{"transB", int64_t{transposed}}} : std::vector<Attribute>{}};
    const float aScale = 0.25F, yScale = 0.5F;
    std::vector<Tensor> inputs{
        tensorOf({rows, depth}, a),     Tensor::scalar(aScale),
        Tensor::scalar<int8_t>(kZeroA), transposed ? tensorOf({columns, depth}, b) : tensorOf({depth, columns}, b),
        tensorOf({columns}, scales),    tensorOf({columns}, std::vector<uint8_t>(scales.size(), kZeroB))};
    if (isGemm) inputs.push_back(tensorOf({columns}, bias));
    inputs.push_back(Tensor::scalar(yScale));
    inputs.push_back(Tensor::scalar<uint8_t>(kZeroY));
    const Tensor y = callOperator(call, inputs);
    QCOMPARE(y.elementCount(), rows * columns);
    for (int i = 0; i < rows; ++i) {
      for (int j = 0; j < columns; ++j) {
        int sum = bias[static_cast<size_t>(j)];
        for (int d = 0; d < depth; ++d)
          sum += (a[static_cast<size_t>(i * depth + d)] - kZeroA) *
                 (b[static_cast<size_t>(transposed ? j * depth + d : d * columns + j)] - kZeroB);
        const float value = static_cast<float>(sum) * (aScale * scales[static_cast<size_t>(j)] / yScale);
        const float wanted = std::clamp(std::nearbyint(value) + kZeroY, 0.0F, 255.0F);
        QCOMPARE(static_cast<float>(y.span<uint8_t>()[static_cast<size_t>(i * columns + j)]), wanted);
      }
    }
  }

  // Channels side by side are worked on in blocks, planes one by one.
  void meansOfImages_data() {
    QTest::addColumn<int>("channels");
    QTest::addColumn<bool>("isSigned");
    for (const int channels : {1, 7, 64, 130})
      for (const bool isSigned : {false, true})
        QTest::addRow("%d channels of %s", channels, isSigned ? "int8" : "uint8") << channels << isSigned;
  }
  void meansOfImages() {
    QFETCH(int, channels);
    QFETCH(bool, isSigned);
    constexpr int kBatch = 2, kCells = 35;
    const auto bytes = extremes<uint8_t>(static_cast<size_t>(kBatch * kCells * channels), 7);
    auto turned = bytes;
    for (int i = 0; i < kBatch * kCells * channels; ++i) {
      const int channel = i % channels, cell = i / channels % kCells, entry = i / channels / kCells;
      turned[static_cast<size_t>((entry * channels + channel) * kCells + cell)] = bytes[static_cast<size_t>(i)];
    }
    const auto means = [&](const std::vector<uint8_t>& from, bool last) {
      const auto tensor = [&](std::initializer_list<int64_t> dims) {
        return isSigned ? tensorOf(dims, std::vector<int8_t>(from.begin(), from.end())) : tensorOf(dims, from);
      };
      const auto zero = [&](int value) {
        return isSigned ? Tensor::scalar(static_cast<int8_t>(value)) : Tensor::scalar(static_cast<uint8_t>(value));
      };
      const Tensor y = callOperator({.opType = "QLinearGlobalAveragePool",
                                     .domain = "com.microsoft",
                                     .version = 1,
                                     .attributes = {{"channels_last", int64_t{last}}}},
                                    {last ? tensor({kBatch, 5, 7, channels}) : tensor({kBatch, channels, 5, 7}),
                                     Tensor::scalar(0.5F), zero(9), Tensor::scalar(0.375F), zero(60)});
      const auto* result = static_cast<const uint8_t*>(y.data());
      return std::vector<uint8_t>(result, result + y.elementCount());
    };
    const std::vector<uint8_t> result = means(bytes, true);
    QCOMPARE(result.size(), static_cast<size_t>(kBatch * channels));
    QVERIFY(result == means(turned, false));
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
