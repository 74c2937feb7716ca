// Convolutions of images with few channels by our own loops, against sums of products in double: plain and channels
// last, with rests of cells and filters, pads that reach beyond the image, gaps, and in groups; and that threads do not
// change them.

#include <cmath>
#include <cstring>
#include <limits>
#include <memory>

#include <QTest>

#include "engine/base/parallel.h"
#include "engine/math/convolution.h"
#include "engine/math/few_channels.h"
#include "tests/unit/engine/math/random_floats.h"

using namespace cutaway;
using namespace cutaway::math;

namespace {

constexpr Layout kBlocks = Layout::kBlocked16, kLast = Layout::kChannelsLast, kPlain = Layout::kPlain;

struct Case {
  const char* name;
  int64_t batch, in, out;
  SpatialDims input, kernel, strides, dilations, padsBegin, padsEnd;
  Layout from = kPlain, to = kLast;
  bool bias = false, residual = false;
  Activation activation{};
  int64_t groups = 1;
};

const Case kCases[] = {
    {"first of a network", 1, 3, 32, {20, 26}, {3, 3}, {2, 2}, {1, 1}, {1, 1}, {1, 1}, kPlain, kLast, true},
    {"the same, channels last", 2, 3, 32, {20, 26}, {3, 3}, {2, 2}, {1, 1}, {1, 1}, {1, 1}, kLast, kLast, true, true},
    {"to blocks", 2, 3, 48, {9, 11}, {3, 3}, {1, 1}, {1, 1}, {0, 2}, {1, 0}, kPlain, kBlocks, true, true},
    {"large window", 1, 2, 64, {33, 31}, {7, 7}, {2, 2}, {1, 1}, {3, 3}, {3, 3}, kPlain, kLast, true},
    {"gaps",
     1,
     4,
     20,
     {15, 17},
     {3, 2},
     {1, 2},
     {2, 3},
     {2, 0},
     {2, 3},
     kLast,
     kLast,
     false,
     false,
     {ActivationKind::kSwish, 1.0f}},
    {"pads beyond the image",
     1,
     2,
     8,
     {3, 2},
     {2, 2},
     {1, 1},
     {1, 1},
     {4, 5},
     {5, 4},
     kPlain,
     kLast,
     true,
     true,
     {ActivationKind::kHardSwish}},
    {"what is left is not read", 1, 1, 9, {8, 10}, {2, 3}, {3, 4}, {1, 1}, {0, 0}, {-1, -2}},
    {"sound, overlapping", 1, 1, 130, {1, 900}, {1, 40}, {1, 16}, {1, 1}, {0, 12}, {0, 12}},
    {"sound, side by side",
     2,
     1,
     70,
     {1, 640},
     {1, 91},
     {1, 87},
     {1, 1},
     {0, 7},
     {0, 90},
     kLast,
     kLast,
     false,
     false,
     {ActivationKind::kTanh}},
    {"two filters", 1, 1, 2, {1, 100}, {1, 15}, {1, 1}, {1, 1}, {0, 7}, {0, 8}},
    {"one result", 1, 1, 640, {1, 1}, {1, 455}, {1, 441}, {1, 1}, {0, 7}, {0, 448}},
    {"a long row in several parts",
     1,
     1,
     24,
     {1, 9000},
     {1, 300},
     {1, 7},
     {1, 1},
     {0, 0},
     {0, 0},
     kPlain,
     kLast,
     true,
     false,
     {ActivationKind::kRelu}},
    {"far apart", 1, 6, 5, {23, 40}, {3, 3}, {1, 2}, {8, 9}, {4, 5}, {6, 2}, kLast, kLast, true, true},
    {"many channels, one filter", 1, 40, 1, {12, 13}, {9, 7}, {1, 1}, {1, 1}, {4, 3}, {4, 3}, kLast, kLast, true},
    {"groups",
     2,
     12,
     20,
     {9, 7},
     {3, 3},
     {1, 1},
     {1, 1},
     {1, 1},
     {1, 1},
     kLast,
     kLast,
     true,
     true,
     {ActivationKind::kSwish, 1.0f},
     2},
    {"plain groups",
     2,
     12,
     20,
     {9, 7},
     {3, 2},
     {2, 1},
     {1, 2},
     {1, 1},
     {1, 0},
     kPlain,
     kLast,
     true,
     false,
     {ActivationKind::kRelu},
     4},
    {"two filters a channel",
     1,
     18,
     36,
     {14, 30},
     {3, 3},
     {2, 2},
     {1, 1},
     {1, 1},
     {1, 1},
     kLast,
     kLast,
     true,
     false,
     {ActivationKind::kClip, 0.0f, 0.5f},
     18},
    {"one channel each, window around the image",
     1,
     20,
     20,
     {1, 2},
     {5, 5},
     {1, 1},
     {1, 1},
     {2, 2},
     {2, 2},
     kLast,
     kLast,
     true,
     true,
     {},
     20},
};

ConvolutionShape shapeOf(const Case& each) {
  ConvolutionShape shape;
  shape.batch = each.batch;
  shape.inChannels = each.in;
  shape.outChannels = each.out;
  shape.input = each.input;
  shape.kernel = each.kernel;
  shape.strides = each.strides;
  shape.dilations = each.dilations;
  shape.padsBegin = each.padsBegin;
  shape.padsEnd = each.padsEnd;
  for (size_t axis = 0; axis < 2; ++axis) {
    const int64_t extent = (each.kernel[axis] - 1) * each.dilations[axis] + 1;
    shape.output[axis] =
        (each.input[axis] + each.padsBegin[axis] + each.padsEnd[axis] - extent) / each.strides[axis] + 1;
  }
  shape.groups = each.groups;
  shape.bias = each.bias;
  shape.residual = each.residual;
  shape.inputLayout = each.from;
  shape.outputLayout = each.to;
  shape.activation = each.activation;
  return shape;
}

// Where a number of an image of `cells` cells stands.
size_t placeOf(Layout layout, int64_t image, int64_t channel, int64_t cell, int64_t channels, int64_t cells) {
  const int64_t within = layout == kBlocks  ? (channel / 16 * cells + cell) * 16 + channel % 16
                         : layout == kPlain ? channel * cells + cell
                                            : cell * channels + channel;
  return static_cast<size_t>(image * channels * cells + within);
}

struct Operands {
  std::vector<float> input, weights, bias, residual;  // weights: [out][in][height][width]
};

Operands operandsFor(const ConvolutionShape& shape) {
  const int64_t results = shape.batch * shape.output[0] * shape.output[1] * shape.outChannels;
  return {numbers(shape.batch * shape.inChannels * shape.input[0] * shape.input[1], 1),
          numbers(shape.outChannels * (shape.inChannels / shape.groups) * shape.kernel[0] * shape.kernel[1], 2),
          numbers(shape.outChannels, 3), numbers(results, 4)};
}

double sumOf(const ConvolutionShape& shape, const Operands& given, int64_t image, int64_t out, int64_t cell) {
  const int64_t inCells = shape.input[0] * shape.input[1], across = shape.kernel[1];
  const int64_t window = shape.kernel[0] * across, width = shape.output[1];
  const int64_t channels = shape.inChannels / shape.groups, filters = shape.outChannels / shape.groups;
  double sum = 0;
  for (int64_t k = 0; k < window; ++k) {
    const int64_t y = cell / width * shape.strides[0] - shape.padsBegin[0] + k / across * shape.dilations[0];
    const int64_t x = cell % width * shape.strides[1] - shape.padsBegin[1] + k % across * shape.dilations[1];
    if (y < 0 || y >= shape.input[0] || x < 0 || x >= shape.input[1]) continue;
    for (int64_t in = 0; in < channels; ++in) {
      const int64_t channel = out / filters * channels + in;
      const size_t from = placeOf(shape.inputLayout, image, channel, y * shape.input[1] + x, shape.inChannels, inCells);
      sum += static_cast<double>(given.input[from]) *
             static_cast<double>(given.weights[static_cast<size_t>((out * channels + in) * window + k)]);
    }
  }
  return sum;
}

std::vector<double> expected(const ConvolutionShape& shape, const Operands& given) {
  const int64_t cells = shape.output[0] * shape.output[1];
  std::vector<double> result(given.residual.size());
  for (int64_t image = 0; image < shape.batch; ++image) {
    for (int64_t out = 0; out < shape.outChannels; ++out) {
      for (int64_t cell = 0; cell < cells; ++cell) {
        const size_t place = placeOf(shape.outputLayout, image, out, cell, shape.outChannels, cells);
        double sum = sumOf(shape, given, image, out, cell);
        if (shape.bias) sum += static_cast<double>(given.bias[static_cast<size_t>(out)]);
        if (shape.residual) sum += static_cast<double>(given.residual[place]);
        result[place] = static_cast<double>(shape.activation(static_cast<float>(sum)));
      }
    }
  }
  return result;
}

std::vector<float> computed(const ConvolutionShape& shape, const Operands& given) {
  const FewChannels convolution(shape);
  const auto [outStride, inStride, down, across] = convolution.weightStrides();
  std::vector<float> ordered(given.weights.size()), packed(static_cast<size_t>(convolution.weightCount()));
  const int64_t channels = shape.inChannels / shape.groups, filters = shape.outChannels / shape.groups;
  size_t at = 0;
  for (int64_t out = 0; out < shape.outChannels; ++out) {
    const int64_t filter =
        out / filters * filters * channels * shape.kernel[0] * shape.kernel[1] + out % filters * outStride;
    for (int64_t in = 0; in < channels; ++in) {
      for (int64_t y = 0; y < shape.kernel[0]; ++y) {
        for (int64_t x = 0; x < shape.kernel[1]; ++x)
          ordered[static_cast<size_t>(filter + in * inStride + y * down + x * across)] = given.weights[at++];
      }
    }
  }
  convolution.transformWeights(ordered.data(), packed.data());
  std::vector<float> output(given.residual.size(), std::numeric_limits<float>::quiet_NaN());
  std::vector<std::byte> scratch(convolution.scratchBytes());
  convolution.run(given.input.data(), packed.data(),
                  {.bias = shape.bias ? given.bias.data() : nullptr,
                   .residual = shape.residual ? given.residual.data() : nullptr,
                   .activation = shape.activation},
                  output.data(), scratch);
  return output;
}

}  // namespace

class TestFewChannels : public QObject {
  Q_OBJECT
 private slots:
  void matchesPlainLoops_data() {
    QTest::addColumn<size_t>("index");
    for (size_t i = 0; i < std::size(kCases); ++i)
      QTest::newRow(kCases[i].name) << i;
  }
  void matchesPlainLoops() {
    QFETCH(size_t, index);
    const ConvolutionShape shape = shapeOf(kCases[index]);
    const bool isThere = pointwiseLoops() != nullptr, hasBlocks = isThere && pointwiseLoops()->lanes == kBlockChannels;
    const bool can = shape.outputLayout == kBlocks ? hasBlocks : isThere;
    QCOMPARE(FewChannels::can(shape), can);
    if (hasBlocks) QCOMPARE(FewChannels::suits(shape), shape.groups == 1 && shape.inChannels <= 4);
    if (!can) return;
    const Operands given = operandsFor(shape);
    const std::vector<double> wanted = expected(shape, given);
    std::vector<float> first;
    for (const int threads : {1, 2, 5}) {
      const ThreadShare share(threads);
      const std::vector<float> seen = computed(shape, given);
      for (size_t i = 0; i < seen.size(); ++i)
        QVERIFY2(std::fabs(static_cast<double>(seen[i]) - wanted[i]) < 5e-5, qPrintable(QString::number(i)));
      if (first.empty()) first = seen;
      QVERIFY(std::memcmp(first.data(), seen.data(), seen.size() * sizeof(float)) == 0);
    }
  }

  void isChosen() {
    const auto madeBy = [](auto&& change) {
      ConvolutionShape shape = shapeOf(kCases[0]);
      change(shape);
      const auto made = Convolution::create(shape);
      return made ? QString::fromStdString((*made)->implementation()) : QString();
    };
    if (pointwiseLoops() == nullptr) return;
    if (pointwiseLoops()->lanes < kBlockChannels) {
      // Thirty-two filters are the library's, unless it has but a slow form.
      QVERIFY(!madeBy([](ConvolutionShape&) {}).startsWith("few"));
      QCOMPARE(madeBy([](ConvolutionShape& shape) { shape.outChannels = 12; }), QStringLiteral("few channels:plain"));
      QVERIFY(!madeBy([](ConvolutionShape& shape) {
                 shape.outChannels = 12;
                 shape.outputLayout = kPlain;
               }).startsWith("few"));
      for (const int64_t groups : {4, 16}) {
        const auto grouped = [&](ConvolutionShape& shape) {
          shape.inputLayout = kLast;
          shape.inChannels = 16, shape.groups = groups;
        };
        QCOMPARE(madeBy(grouped), QStringLiteral("few channels"));
      }
      const auto farApart = [](ConvolutionShape& shape) {
        shape.inputLayout = kLast;
        shape.inChannels = shape.outChannels = shape.groups = 32;
        shape.strides = {1, 1}, shape.dilations = {8, 8}, shape.padsBegin = shape.padsEnd = {8, 8};
        shape.output = shape.input;
      };
      QCOMPARE(madeBy(farApart), QStringLiteral("few channels"));
      return;
    }
    QCOMPARE(madeBy([](ConvolutionShape&) {}), QStringLiteral("few channels:plain"));
    QCOMPARE(madeBy([](ConvolutionShape& shape) { shape.inputLayout = kLast; }), QStringLiteral("few channels"));
    QVERIFY(!madeBy([](ConvolutionShape& shape) { shape.inChannels = 5; }).startsWith("few"));
    QVERIFY(!madeBy([](ConvolutionShape& shape) {
               shape.kernel = {7, 7};
               shape.output = {8, 11};
             }).startsWith("few"));
    QVERIFY(!madeBy([](ConvolutionShape& shape) { shape.inChannels = shape.groups = 2; }).startsWith("few"));
  }
};

QTEST_GUILESS_MAIN(TestFewChannels)
#include "tst_few_channels.moc"
