// Quantisation against the formula in double for each element, and integer products against plain sums.

#include <algorithm>
#include <cmath>
#include <random>

#include <QtTest>

#include "engine/tensor/packed_bits.h"
#include "tests/unit/providers/cpu/elementwise/operator_call.h"

using namespace cutaway;

namespace {

struct Range {
  int low, high;
};

Range rangeOf(ElementType type) {
  switch (type) {
    case ElementType::kUint8:
      return {0, 255};
    case ElementType::kInt8:
      return {-128, 127};
    case ElementType::kUint16:
      return {0, 65535};
    case ElementType::kInt16:
      return {-32768, 32767};
    case ElementType::kUint4:
      return {0, 15};
    case ElementType::kInt4:
      return {-8, 7};
    case ElementType::kUint2:
      return {0, 3};
    default:
      return {-2, 1};
  }
}

int valueAt(const Tensor& tensor, int64_t i) {
  const size_t at = static_cast<size_t>(i);
  switch (tensor.type()) {
    case ElementType::kUint8:
      return tensor.span<uint8_t>()[at];
    case ElementType::kInt8:
      return tensor.span<int8_t>()[at];
    case ElementType::kUint16:
      return tensor.span<uint16_t>()[at];
    case ElementType::kInt16:
      return tensor.span<int16_t>()[at];
    default:
      break;
  }
  const int bits = bitsOf(tensor.type());
  const uint8_t raw = packedBits(static_cast<const uint8_t*>(tensor.data()), i, bits);
  return rangeOf(tensor.type()).low < 0 ? signExtend(raw, bits) : raw;
}

void setValue(Tensor& tensor, int64_t i, int value) {
  const size_t at = static_cast<size_t>(i);
  switch (tensor.type()) {
    case ElementType::kUint8:
      tensor.span<uint8_t>()[at] = static_cast<uint8_t>(value);
      return;
    case ElementType::kInt8:
      tensor.span<int8_t>()[at] = static_cast<int8_t>(value);
      return;
    case ElementType::kUint16:
      tensor.span<uint16_t>()[at] = static_cast<uint16_t>(value);
      return;
    case ElementType::kInt16:
      tensor.span<int16_t>()[at] = static_cast<int16_t>(value);
      return;
    default:
      setPackedBits(static_cast<uint8_t*>(tensor.mutableData()), i, bitsOf(tensor.type()), static_cast<uint8_t>(value));
  }
}

Tensor randomIntegers(ElementType type, const std::vector<int64_t>& dims, uint32_t seed) {
  Tensor tensor = *Tensor::create(type, dims);
  std::mt19937 generator(seed);
  const Range range = rangeOf(type);
  for (int64_t i = 0; i < tensor.elementCount(); ++i)
    setValue(tensor, i, range.low + static_cast<int>(generator() % static_cast<uint32_t>(range.high - range.low + 1)));
  return tensor;
}

// Multiples of a quarter: halves between two quantised values come up often.
Tensor randomQuarters(const std::vector<int64_t>& dims, float most, uint32_t seed) {
  Tensor tensor = *Tensor::create(ElementType::kFloat, dims);
  std::mt19937 generator(seed);
  for (float& value : tensor.span<float>())
    value = (static_cast<float>(generator() % 20001) / 10000.0f - 1.0f) * most;
  for (float& value : tensor.span<float>())
    value = std::round(value * 4) / 4;
  return tensor;
}

Tensor powersOfTwo(const std::vector<int64_t>& dims, uint32_t seed) {
  Tensor tensor = *Tensor::create(ElementType::kFloat, dims);
  std::mt19937 generator(seed);
  for (float& value : tensor.span<float>())
    value = std::ldexp(1.0f, static_cast<int>(generator() % 4) - 2);
  return tensor;
}

// Where the scale of element i of [2, 6, 5] lies.
enum class Kind { kTensor, kAxis, kLastAxis, kBlocks, kLastBlocks };
int64_t scalePlace(Kind kind, int64_t i) {
  const int64_t outer = i / 30;
  const int64_t middle = i / 5 % 6;
  const int64_t inner = i % 5;
  switch (kind) {
    case Kind::kTensor:
      return 0;
    case Kind::kAxis:
      return middle;
    case Kind::kLastAxis:
      return inner;
    case Kind::kBlocks:
      return (outer * 2 + middle / 4) * 5 + inner;
    default:
      return (outer * 6 + middle) * 2 + inner / 3;
  }
}

struct ScaleCase {
  std::vector<int64_t> scaleDims;
  std::vector<Attribute> attributes;
};
ScaleCase layoutOf(Kind kind) {
  switch (kind) {
    case Kind::kTensor:
      return {{}, {}};
    case Kind::kAxis:
      return {{6}, {{"axis", int64_t{1}}}};
    case Kind::kLastAxis:
      return {{5}, {{"axis", int64_t{-1}}}};
    case Kind::kBlocks:
      return {{2, 2, 5}, {{"axis", int64_t{1}}, {"block_size", int64_t{4}}}};
    default:
      return {{2, 6, 2}, {{"axis", int64_t{2}}, {"block_size", int64_t{3}}}};
  }
}

}  // namespace

class TestQuantizeKernels : public QObject {
  Q_OBJECT
 private slots:
  void linear_data() {
    QTest::addColumn<int>("type");
    QTest::addColumn<int>("kind");
    const std::pair<const char*, Kind> kinds[] = {{"tensor", Kind::kTensor},
                                                  {"axis", Kind::kAxis},
                                                  {"last axis", Kind::kLastAxis},
                                                  {"blocks", Kind::kBlocks},
                                                  {"last blocks", Kind::kLastBlocks}};
    for (const ElementType type : {ElementType::kUint8, ElementType::kInt8, ElementType::kUint16, ElementType::kInt16,
                                   ElementType::kUint4, ElementType::kInt4, ElementType::kUint2, ElementType::kInt2}) {
      for (const auto& [name, kind] : kinds)
        QTest::newRow((std::string(elementTypeName(type)) + " " + name).c_str())
            << static_cast<int>(type) << static_cast<int>(kind);
    }
  }
  void linear() {
    QFETCH(int, type);
    QFETCH(int, kind);
    const ElementType element = static_cast<ElementType>(type);
    const Range range = rangeOf(element);
    const ScaleCase layout = layoutOf(static_cast<Kind>(kind));
    const Tensor x = randomQuarters({2, 6, 5}, static_cast<float>(range.high), 3);
    const Tensor scale = powersOfTwo(layout.scaleDims, 5);
    const Tensor zero = randomIntegers(element, layout.scaleDims, 7);
    const Tensor y = callOperator({.opType = "QuantizeLinear", .attributes = layout.attributes}, {x, scale, zero});
    QVERIFY(y.valid() && y.type() == element && y.dims() == x.dims());
    const Tensor back = callOperator({.opType = "DequantizeLinear", .attributes = layout.attributes}, {y, scale, zero});
    QVERIFY(back.valid() && back.type() == ElementType::kFloat);
    for (int64_t i = 0; i < x.elementCount(); ++i) {
      const int64_t place = scalePlace(static_cast<Kind>(kind), i);
      const double factor = scale.span<float>()[static_cast<size_t>(place)];
      const double rounded = std::nearbyint(x.span<float>()[static_cast<size_t>(i)] / factor) + valueAt(zero, place);
      QCOMPARE(valueAt(y, i), static_cast<int>(std::clamp<double>(rounded, range.low, range.high)));
      QCOMPARE(back.span<float>()[static_cast<size_t>(i)],
               static_cast<float>((valueAt(y, i) - valueAt(zero, place)) * factor));
    }
  }

  void extremes() {
    const float inf = std::numeric_limits<float>::infinity();
    const Tensor y = callOperator({.opType = "QuantizeLinear"}, {tensorOf<float>({5}, {inf, -inf, 1e30f, 0.5f, 1.5f}),
                                                                 Tensor::scalar(1.0f), Tensor::scalar<int8_t>(0)});
    QCOMPARE(valuesOf<int8_t>(y), (std::vector<int8_t>{127, -128, 127, 0, 2}));
    QVERIFY(!tryOperator({.opType = "QuantizeLinear"},
                         {tensorOf<float>({2, 3}, {0, 0, 0, 0, 0, 0}), tensorOf<float>({2}, {1, 1})}));
    QVERIFY(callOperator({.opType = "DequantizeLinear"}, {tensorOf<int32_t>({1}, {2147483647}), Tensor::scalar(1.0f),
                                                          Tensor::scalar<int32_t>(2147483646)})
                .span<float>()[0] == 1.0f);
  }

  void longRuns() {
    // More than one chunk and more than one thread.
    const Tensor x = randomQuarters({100000}, 200, 11);
    const Tensor y =
        callOperator({.opType = "QuantizeLinear"}, {x, Tensor::scalar(0.5f), Tensor::scalar<uint8_t>(128)});
    for (int64_t i = 0; i < x.elementCount(); ++i) {
      const double wanted = std::clamp(std::nearbyint(x.span<float>()[static_cast<size_t>(i)] / 0.5) + 128, 0.0, 255.0);
      if (valueAt(y, i) != static_cast<int>(wanted)) QCOMPARE(valueAt(y, i), static_cast<int>(wanted));
    }
  }

  void integerProduct() {
    const Tensor a = randomIntegers(ElementType::kUint8, {2, 1, 3, 4}, 1);
    const Tensor b = randomIntegers(ElementType::kInt8, {5, 4, 6}, 2);
    const Tensor bZero = randomIntegers(ElementType::kInt8, {6}, 3);
    const Tensor y = callOperator({.opType = "MatMulInteger"}, {a, b, Tensor::scalar<uint8_t>(9), bZero});
    QVERIFY(y.dims() == (Dims{2, 5, 3, 6}));
    for (int64_t i = 0; i < y.elementCount(); ++i) {
      const int64_t column = i % 6;
      const int64_t row = i / 6 % 3;
      int sum = 0;
      for (int64_t k = 0; k < 4; ++k)
        sum += (valueAt(a, (i / 90 * 3 + row) * 4 + k) - 9) *
               (valueAt(b, (i / 18 % 5 * 4 + k) * 6 + column) - valueAt(bZero, column));
      QCOMPARE(y.span<int32_t>()[static_cast<size_t>(i)], sum);
    }
    QVERIFY(!tryOperator({.opType = "MatMulInteger"}, {a, randomIntegers(ElementType::kInt8, {3, 6}, 2)}));
  }

  void integerConvolution() {
    const Tensor x = randomIntegers(ElementType::kUint8, {2, 4, 5, 6}, 1);
    const Tensor w = randomIntegers(ElementType::kInt8, {6, 2, 3, 2}, 2);
    const std::vector<Attribute> attributes{{"group", int64_t{2}},
                                            {"pads", std::vector<int64_t>{1, 0, 2, 1}},
                                            {"strides", std::vector<int64_t>{2, 1}},
                                            {"dilations", std::vector<int64_t>{1, 2}}};
    const Tensor y = callOperator({.opType = "ConvInteger", .attributes = attributes},
                                  {x, w, Tensor::scalar<uint8_t>(7), Tensor::scalar<int8_t>(-3)});
    QVERIFY(y.dims() == (Dims{2, 6, 3, 5}));
    const Tensor bias = tensorOf<int32_t>({6}, {0, 100, -100, 5000, -5000, 1});
    const Tensor wScale = powersOfTwo({6}, 4);
    const Tensor q = callOperator({.opType = "QLinearConv", .attributes = attributes},
                                  {x, Tensor::scalar(0.25f), Tensor::scalar<uint8_t>(7), w, wScale,
                                   Tensor::scalar<int8_t>(-3), Tensor::scalar(8.0f), Tensor::scalar<int8_t>(5), bias});
    QVERIFY(q.valid() && q.dims() == y.dims());
    for (int64_t i = 0; i < y.elementCount(); ++i) {
      const int64_t map = i / 15 % 6;
      int sum = 0;
      for (int64_t c = 0; c < 2; ++c) {
        for (int64_t ky = 0; ky < 3; ++ky) {
          for (int64_t kx = 0; kx < 2; ++kx) {
            const int64_t row = i / 5 % 3 * 2 + ky - 1;
            const int64_t column = i % 5 + kx * 2;
            if (row < 0 || row >= 5 || column >= 6) continue;
            sum += (valueAt(x, ((i / 90 * 4 + map / 3 * 2 + c) * 5 + row) * 6 + column) - 7) *
                   (valueAt(w, ((map * 2 + c) * 3 + ky) * 2 + kx) + 3);
          }
        }
      }
      QCOMPARE(y.span<int32_t>()[static_cast<size_t>(i)], sum);
      const double scaled = (sum + bias.span<int32_t>()[static_cast<size_t>(map)]) * 0.25 *
                            wScale.span<float>()[static_cast<size_t>(map)] / 8.0;
      QCOMPARE(valueAt(q, i), static_cast<int>(std::clamp(std::nearbyint(scaled) + 5, -128.0, 127.0)));
    }
  }

  void dynamicRange() {
    const auto y =
        tryOperator({.opType = "DynamicQuantizeLinear", .outputs = 3}, {tensorOf<float>({4}, {-1, 0, 1.55f, 0.5f})});
    QVERIFY(y && y->size() == 3);
    const float scale = (*y)[1].span<float>()[0];
    QCOMPARE(scale, 2.55f / 255.0f);
    QCOMPARE(int((*y)[2].span<uint8_t>()[0]), 100);
    QCOMPARE(valuesOf<uint8_t>((*y)[0]), (std::vector<uint8_t>{0, 100, 255, 150}));
    const auto zeros = tryOperator({.opType = "DynamicQuantizeLinear", .outputs = 3}, {tensorOf<float>({2}, {0, 0})});
    QVERIFY(zeros && valuesOf<uint8_t>((*zeros)[0]) == (std::vector<uint8_t>{0, 0}));
  }
};

QTEST_GUILESS_MAIN(TestQuantizeKernels)
#include "tst_quantize_kernels.moc"
