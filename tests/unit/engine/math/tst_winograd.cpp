// 3x3 convolutions by Winograd's algorithm against sums of products in double, over a table of shapes; on vectors of 16
// and of 8 floats; and that neither layouts, threads nor where the weights come from change them.

#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include <hwy/targets.h>

#include <QTest>

#include "engine/base/parallel.h"
#include "engine/math/convolution.h"
#include "engine/math/winograd.h"

using namespace cutaway;
using namespace cutaway::math;

namespace {

struct Case {
  const char* name;
  int64_t batch, in, out, height, width;
  int64_t padTop, padLeft, padBottom, padRight;
  bool bias = false, residual = false;
  Activation activation{};
};

const Case kCases[] = {
    {"whole tiles", 1, 32, 64, 16, 16, 1, 1, 1, 1, true},
    {"rests everywhere", 1, 37, 43, 13, 11, 1, 1, 1, 1, true, true, {ActivationKind::kRelu}},
    {"no padding", 1, 24, 16, 14, 10, 0, 0, 0, 0},
    {"uneven padding", 2, 16, 80, 9, 12, 0, 2, 1, 0, true, false, {ActivationKind::kLeakyRelu, 0.1f}},
    {"more padding than window", 1, 16, 16, 6, 6, 4, 4, 4, 4, true},
    {"one result across", 1, 20, 20, 9, 3, 0, 0, 0, 0, true},
    {"one result channel", 1, 64, 1, 20, 20, 1, 1, 1, 1, true, false, {ActivationKind::kSigmoid}},
    {"one input channel", 1, 1, 33, 12, 12, 1, 1, 1, 1, false, true},
    {"several blocks", 3, 19, 130, 30, 26, 1, 1, 1, 1, true, true, {ActivationKind::kClip, 0.0f, 6.0f}},
    {"five vectors", 1, 16, 80, 8, 8, 1, 1, 1, 1, true, false, {ActivationKind::kHardSwish}},
    {"many channels, few tiles", 1, 300, 200, 7, 7, 1, 1, 1, 1, true, true, {ActivationKind::kSwish, 1.0f}},
    {"tanh", 1, 16, 24, 8, 8, 1, 1, 1, 1, true, false, {ActivationKind::kTanh}},
    {"elu", 1, 16, 24, 8, 8, 1, 1, 1, 1, true, true, {ActivationKind::kElu, 0.5f}},
    {"hard sigmoid", 1, 16, 24, 8, 8, 1, 1, 1, 1, true, true, {ActivationKind::kHardSigmoid, 0.2f, 0.5f}},
};

ConvolutionShape shapeOf(const Case& each) {
  ConvolutionShape shape;
  shape.batch = each.batch;
  shape.inChannels = each.in;
  shape.outChannels = each.out;
  shape.input = {each.height, each.width};
  shape.output = {each.height + each.padTop + each.padBottom - 2, each.width + each.padLeft + each.padRight - 2};
  shape.kernel = {3, 3};
  shape.strides = shape.dilations = {1, 1};
  shape.padsBegin = {each.padTop, each.padLeft};
  shape.padsEnd = {each.padBottom, each.padRight};
  shape.bias = each.bias;
  shape.residual = each.residual;
  shape.activation = each.activation;
  return shape;
}

struct Numbers {
  std::vector<float> input, weights, bias, residual;  // [N, C, H, W], [O, I, 3, 3], [O], [N, O, H, W]
};

Numbers numbersFor(const ConvolutionShape& shape) {
  std::mt19937 random(17);
  std::normal_distribution<float> normal;
  const auto fill = [&](int64_t count, float scale) {
    std::vector<float> values(static_cast<size_t>(count));
    for (float& each : values)
      each = normal(random) * scale;
    return values;
  };
  const float scale = std::sqrt(2.0f / static_cast<float>(9 * shape.inChannels));
  const int64_t cells = shape.output[0] * shape.output[1];
  return {fill(shape.batch * shape.inChannels * shape.input[0] * shape.input[1], 1.0f),
          fill(shape.outChannels * shape.inChannels * 9, scale), fill(shape.outChannels, 0.5f),
          fill(shape.batch * shape.outChannels * cells, 1.0f)};
}

std::vector<double> expected(const ConvolutionShape& shape, const Numbers& numbers) {
  const auto [height, width] = std::pair(shape.output[0], shape.output[1]);
  std::vector<double> result;
  for (int64_t n = 0; n < shape.batch; ++n) {
    for (int64_t o = 0; o < shape.outChannels; ++o) {
      for (int64_t y = 0; y < height; ++y) {
        for (int64_t x = 0; x < width; ++x) {
          double sum = shape.bias ? static_cast<double>(numbers.bias[static_cast<size_t>(o)]) : 0.0;
          for (int64_t c = 0; c < shape.inChannels; ++c) {
            for (int64_t k = 0; k < 9; ++k) {
              const int64_t row = y + k / 3 - shape.padsBegin[0], column = x + k % 3 - shape.padsBegin[1];
              if (row < 0 || row >= shape.input[0] || column < 0 || column >= shape.input[1]) continue;
              const auto from =
                  static_cast<size_t>(((n * shape.inChannels + c) * shape.input[0] + row) * shape.input[1] + column);
              sum += static_cast<double>(numbers.input[from]) *
                     static_cast<double>(numbers.weights[static_cast<size_t>((o * shape.inChannels + c) * 9 + k)]);
            }
          }
          if (shape.residual) sum += static_cast<double>(numbers.residual[result.size()]);
          result.push_back(sum);
        }
      }
    }
  }
  return result;
}

// [N, C, cells] to [N, cells, C], or back.
std::vector<float> turned(const std::vector<float>& from, int64_t batch, int64_t rows, int64_t columns) {
  std::vector<float> to(from.size());
  for (int64_t n = 0; n < batch; ++n) {
    for (int64_t r = 0; r < rows; ++r) {
      for (int64_t c = 0; c < columns; ++c)
        to[static_cast<size_t>((n * columns + c) * rows + r)] = from[static_cast<size_t>((n * rows + r) * columns + c)];
    }
  }
  return to;
}

struct Aligned {
  explicit Aligned(size_t bytes) : storage(bytes + 64) {
    const auto address = reinterpret_cast<uintptr_t>(storage.data());
    bytesHere = {storage.data() + (64 - address % 64) % 64, bytes};
  }
  std::vector<std::byte> storage;
  std::span<std::byte> bytesHere;
};

// In the model's order, whatever the layout of the convolution.
std::vector<float> computed(ConvolutionShape shape, const Numbers& numbers, Layout layout, bool packs,
                            std::string* implementation = nullptr) {
  shape.inputLayout = shape.outputLayout = layout;
  const auto convolution = Convolution::create(shape);
  if (!convolution) return {};
  if (implementation != nullptr) *implementation = (*convolution)->implementation();
  const int64_t inCells = shape.input[0] * shape.input[1], cells = shape.output[0] * shape.output[1];
  const bool turns = layout == Layout::kChannelsLast;
  const auto x = turns ? turned(numbers.input, shape.batch, shape.inChannels, inCells) : numbers.input;
  const auto z = turns ? turned(numbers.residual, shape.batch, shape.outChannels, cells) : numbers.residual;
  const auto packed = packs ? *(*convolution)->pack(numbers.weights.data()) : nullptr;
  Aligned scratch((*convolution)->scratchBytes());
  std::vector<float> y(numbers.residual.size());
  Convolution::Call call(*convolution);
  const auto ran = call.run({.input = x.data(),
                             .packed = packed.get(),
                             .weights = packs ? nullptr : numbers.weights.data(),
                             .bias = numbers.bias.data(),
                             .residual = z.data(),
                             .output = y.data(),
                             .scratch = scratch.bytesHere});
  if (!ran) return {};
  return turns ? turned(y, shape.batch, cells, shape.outChannels) : y;
}

std::vector<float> byWinograd(const ConvolutionShape& shape, int64_t edge, const Numbers& numbers) {
  const Winograd winograd(shape, edge);
  const int64_t inCells = shape.input[0] * shape.input[1], cells = shape.output[0] * shape.output[1];
  const auto x = turned(numbers.input, shape.batch, shape.inChannels, inCells);
  const auto z = turned(numbers.residual, shape.batch, shape.outChannels, cells);
  // [out, in, 9] to [9, in, out]
  const auto weights = turned(turned(numbers.weights, shape.outChannels, shape.inChannels, 9), 1, shape.outChannels,
                              9 * shape.inChannels);
  Aligned packed(static_cast<size_t>(winograd.weightCount()) * sizeof(float)), scratch(winograd.scratchBytes());
  auto* transformed = reinterpret_cast<float*>(packed.bytesHere.data());
  winograd.transformWeights(weights.data(), transformed);
  std::vector<float> y(z.size());
  winograd.run(x.data(), transformed,
               {.bias = shape.bias ? numbers.bias.data() : nullptr,
                .residual = shape.residual ? z.data() : nullptr,
                .activation = shape.activation},
               y.data(), scratch.bytesHere);
  return turned(y, shape.batch, cells, shape.outChannels);
}

// The largest deviation as a share of the range of the sums, which activations may cut.
double errorOf(const ConvolutionShape& shape, const std::vector<double>& sums, const std::vector<float>& seen) {
  if (seen.size() != sums.size()) return std::numeric_limits<double>::infinity();
  double range = 0, worst = 0;
  for (size_t i = 0; i < sums.size(); ++i) {
    const double wanted = static_cast<double>(shape.activation(static_cast<float>(sums[i])));
    range = std::max(range, std::fabs(sums[i]));
    worst = std::max(worst, std::fabs(wanted - static_cast<double>(seen[i])));
    if (std::isnan(seen[i])) return std::numeric_limits<double>::infinity();
  }
  return worst / range;
}

bool sameBits(const std::vector<float>& a, const std::vector<float>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

void addCases() {
  QTest::addColumn<size_t>("index");
  for (size_t i = 0; i < std::size(kCases); ++i)
    QTest::newRow(kCases[i].name) << i;
}

// Highway asks for the processor's instruction sets again.
class VectorsOfEight {
 public:
  VectorsOfEight() { hwy::DisableTargets(HWY_AVX3 | (HWY_AVX3 - 1)); }
  ~VectorsOfEight() { hwy::DisableTargets(0); }
  VectorsOfEight(const VectorsOfEight&) = delete;
  VectorsOfEight& operator=(const VectorsOfEight&) = delete;
};

}  // namespace

class TestWinograd : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    QVERIFY2(channelLoops() != nullptr, "These tests need a processor with AVX2 and fused multiply-add.");
  }

  void matchesSumsInDouble_data() { addCases(); }
  void matchesSumsInDouble() {
    QFETCH(size_t, index);
    const ConvolutionShape shape = shapeOf(kCases[index]);
    const Numbers numbers = numbersFor(shape);
    const std::vector<double> sums = expected(shape, numbers);
    for (const int64_t edge : {4, 2}) {
      const double error = errorOf(shape, sums, byWinograd(shape, edge, numbers));
      QVERIFY2(error <= 1e-5, qPrintable(QStringLiteral("edge %1: %2 of the range").arg(edge).arg(error)));
      const VectorsOfEight narrow;
      QVERIFY(channelLoops() != nullptr && channelLoops()->lanes == 8);
      const double narrowError = errorOf(shape, sums, byWinograd(shape, edge, numbers));
      QVERIFY2(narrowError <= 1e-5, qPrintable(QStringLiteral("8 lanes, edge %1: %2").arg(edge).arg(narrowError)));
    }
  }

  // Few tiles and many, few weights and many: each way of sharing the work out.
  void threadsDoNotChangeBits_data() { addCases(); }
  void threadsDoNotChangeBits() {
    QFETCH(size_t, index);
    const ConvolutionShape shape = shapeOf(kCases[index]);
    const Numbers numbers = numbersFor(shape);
    for (const int64_t edge : {4, 2}) {
      std::vector<float> alone;
      for (const int threads : {1, 2, 3, 8}) {
        const ThreadShare share(threads);
        const std::vector<float> seen = byWinograd(shape, edge, numbers);
        if (threads == 1) alone = seen;
        QVERIFY2(sameBits(alone, seen), qPrintable(QStringLiteral("%1 threads").arg(threads)));
      }
    }
  }

  void standsForTheConvolution_data() { addCases(); }
  void standsForTheConvolution() {
    QFETCH(size_t, index);
    ConvolutionShape shape = shapeOf(kCases[index]);
    const Numbers numbers = numbersFor(shape);
    const std::vector<double> sums = expected(shape, numbers);
    std::string implementation;
    const std::vector<float> last = computed(shape, numbers, Layout::kChannelsLast, true, &implementation);
    QCOMPARE(QString::fromStdString(implementation).startsWith("winograd"), Winograd::suits(shape));
    QVERIFY(errorOf(shape, sums, last) <= 1e-5);
    const std::vector<float> unpacked = computed(shape, numbers, Layout::kChannelsLast, false);
    const std::vector<float> plain = computed(shape, numbers, Layout::kPlain, true);
    const std::vector<float> plainUnpacked = computed(shape, numbers, Layout::kPlain, false);
    QVERIFY(errorOf(shape, sums, plain) <= 1e-5);
    QVERIFY(errorOf(shape, sums, plainUnpacked) <= 1e-5);
    if (Winograd::suits(shape))
      QVERIFY(sameBits(last, plain) && sameBits(last, unpacked) && sameBits(last, plainUnpacked));
    shape.precision = Precision::kExact;
    const std::vector<float> exact = computed(shape, numbers, Layout::kPlain, true, &implementation);
    QVERIFY(!QString::fromStdString(implementation).startsWith("winograd"));
    QVERIFY(errorOf(shape, sums, exact) <= 1e-5);
  }

  void ruleNamesWhatItCannotDo() {
    ConvolutionShape shape = shapeOf({"", 1, 64, 64, 32, 32, 1, 1, 1, 1});
    QVERIFY(Winograd::suits(shape));
    const auto with = [&](auto&& change) {
      ConvolutionShape other = shape;
      change(other);
      return Winograd::can(other);
    };
    QVERIFY(!with([](ConvolutionShape& it) { it.strides = {1, 2}; }));
    QVERIFY(!with([](ConvolutionShape& it) { it.dilations = {2, 1}; }));
    QVERIFY(!with([](ConvolutionShape& it) { it.kernel = {3, 5}; }));
    QVERIFY(!with([](ConvolutionShape& it) { it.groups = 2; }));
    QVERIFY(!with([](ConvolutionShape& it) { it.transposed = true; }));
    QVERIFY(!with([](ConvolutionShape& it) { it.spatialRank = 1; }));
    QVERIFY(!with([](ConvolutionShape& it) { it.padsBegin = {-1, 0}; }));
    // Few tiles do not pay for large weights; images smaller than a tile never do.
    QVERIFY(!Winograd::suits(shapeOf({"", 1, 512, 512, 3, 3, 1, 1, 1, 1})));
    QVERIFY(!Winograd::suits(shapeOf({"", 1, 8, 64, 64, 64, 1, 1, 1, 1})));
  }

  // What is not a number stays within the tile that sees it.
  void nanSpreadsOverItsTileOnly() {
    ConvolutionShape shape = shapeOf({"", 1, 16, 16, 16, 16, 1, 1, 1, 1});
    Numbers numbers = numbersFor(shape);
    numbers.input[5 * 16 + 5] = std::numeric_limits<float>::quiet_NaN();
    const std::vector<float> seen = byWinograd(shape, 4, numbers);
    for (int64_t y = 0; y < 16; ++y) {
      for (int64_t x = 0; x < 16; ++x) {
        const bool sees = std::abs(y - 5) <= 1 && std::abs(x - 5) <= 1;
        const bool near = y >= 4 && y < 8 && x >= 4 && x < 8;
        const bool isNan = std::isnan(seen[static_cast<size_t>(y * 16 + x)]);
        if (sees) QVERIFY(isNan);
        if (!near) QVERIFY(!isNan);
      }
    }
  }
};

QTEST_APPLESS_MAIN(TestWinograd)
#include "tst_winograd.moc"
