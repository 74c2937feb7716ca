// Convolutions with a window of one cell by our own loops, against sums of products in double: plain, channels last and
// in blocks of sixteen, with rests of cells, channels and filters, and in groups; and that threads do not change them.

#include <cmath>
#include <cstring>
#include <limits>
#include <memory>

#include <QTest>

#include "engine/base/parallel.h"
#include "engine/math/convolution.h"
#include "engine/math/planar_pointwise.h"
#include "engine/math/pointwise.h"
#include "tests/unit/engine/math/random_floats.h"

using namespace cutaway;
using namespace cutaway::math;

namespace {

struct Case {
  const char* name;
  int64_t batch, in, out, height, width;  // of the results
  Layout from = Layout::kChannelsLast, to = Layout::kChannelsLast;
  bool bias = false, residual = false;
  Activation activation{};
  int64_t down = 1, across = 1;  // strides
  int64_t groups = 1;
};

constexpr Layout kBlocks = Layout::kBlocked16, kLast = Layout::kChannelsLast, kPlain = Layout::kPlain;

const Case kCases[] = {
    {"whole tiles", 1, 32, 64, 8, 6, kLast, kLast, true},
    {"rests everywhere", 2, 37, 43, 13, 11, kLast, kLast, true, true, {ActivationKind::kRelu}},
    {"one filter", 1, 64, 1, 9, 9, kLast, kLast, true, false, {ActivationKind::kSigmoid}},
    {"one channel", 3, 1, 33, 5, 7, kLast, kLast, false, true},
    {"one cell", 2, 20, 30, 1, 1, kLast, kLast, true},
    {"five vectors", 1, 24, 80, 7, 9, kLast, kLast, true, false, {ActivationKind::kHardSwish}},
    {"to blocks", 2, 24, 144, 9, 8, kLast, kBlocks, true, false, {ActivationKind::kClip, 0.0f, 6.0f}},
    {"from blocks", 2, 144, 24, 9, 8, kBlocks, kLast, true, true},
    {"from blocks to blocks", 3, 48, 32, 5, 5, kBlocks, kBlocks, false, true, {ActivationKind::kSwish, 1.0f}},
    {"many cells", 1, 16, 96, 60, 50, kLast, kBlocks, true, false, {ActivationKind::kTanh}},
    {"plain", 1, 32, 96, 16, 12, kPlain, kPlain, true},
    {"plain rests", 2, 37, 43, 13, 11, kPlain, kPlain, true, true, {ActivationKind::kRelu}},
    {"plain, one filter", 1, 64, 1, 9, 9, kPlain, kPlain, true, false, {ActivationKind::kSigmoid}},
    {"plain, one channel", 3, 1, 33, 5, 7, kPlain, kPlain, false, true},
    {"plain, few cells", 2, 20, 130, 2, 3, kPlain, kPlain, true, false, {ActivationKind::kHardSwish}},
    {"plain, every second", 2, 24, 50, 9, 10, kPlain, kPlain, true, true, {ActivationKind::kClip, 0.0f, 0.5f}, 2, 2},
    {"plain, every third row", 1, 9, 70, 4, 33, kPlain, kPlain, false, false, {}, 3, 1},
    {"many channels", 1, 512, 96, 7, 7, kBlocks, kLast, true, true, {ActivationKind::kElu, 0.5f}},
    {"groups", 2, 48, 96, 9, 8, kLast, kLast, true, false, {ActivationKind::kRelu}, 1, 1, 3},
    {"groups, rests of five", 1, 68, 52, 7, 11, kLast, kLast, true, true, {ActivationKind::kClip, 0.0f, 0.5f}, 1, 1, 4},
    {"groups, rests of seven", 2, 12, 46, 5, 9, kLast, kLast, true, true, {ActivationKind::kHardSwish}, 1, 1, 2},
    {"groups of one vector each", 1, 32, 16, 6, 6, kLast, kLast, false, false, {ActivationKind::kSwish, 1.0f}, 1, 1, 2},
    {"groups of one channel", 1, 6, 18, 4, 5, kLast, kLast, true, true, {}, 1, 1, 6},
    {"groups of many cells", 1, 24, 112, 40, 40, kLast, kLast, true, false, {ActivationKind::kRelu}, 1, 1, 4},
};

ConvolutionShape shapeOf(const Case& each) {
  ConvolutionShape shape;
  shape.batch = each.batch;
  shape.inChannels = each.in;
  shape.outChannels = each.out;
  shape.output = {each.height, each.width};
  // What is left behind the last cell of a row or a plane is not read.
  shape.input = {each.height * each.down, each.width * each.across};
  shape.kernel = shape.dilations = {1, 1};
  shape.strides = {each.down, each.across};
  shape.padsEnd = {1 - each.down, 1 - each.across};
  shape.bias = each.bias;
  shape.residual = each.residual;
  shape.groups = each.groups;
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
  std::vector<float> input, weights, bias, residual;  // weights: [out][in of a group]
};

Operands operandsFor(const ConvolutionShape& shape) {
  const int64_t cells = shape.batch * shape.output[0] * shape.output[1];
  return {numbers(shape.batch * shape.input[0] * shape.input[1] * shape.inChannels, 1),
          numbers(shape.inChannels / shape.groups * shape.outChannels, 2), numbers(shape.outChannels, 3),
          numbers(cells * shape.outChannels, 4)};
}

std::vector<double> expected(const ConvolutionShape& shape, const Operands& given) {
  const int64_t cells = shape.output[0] * shape.output[1], inCells = shape.input[0] * shape.input[1];
  const int64_t channels = shape.inChannels / shape.groups, filters = shape.outChannels / shape.groups;
  std::vector<double> result(given.residual.size());
  for (int64_t image = 0; image < shape.batch; ++image) {
    for (int64_t cell = 0; cell < cells; ++cell) {
      const int64_t from =
          cell / shape.output[1] * shape.strides[0] * shape.input[1] + cell % shape.output[1] * shape.strides[1];
      for (int64_t out = 0; out < shape.outChannels; ++out) {
        const size_t place = placeOf(shape.outputLayout, image, out, cell, shape.outChannels, cells);
        double sum = shape.bias ? static_cast<double>(given.bias[static_cast<size_t>(out)]) : 0.0;
        if (shape.residual) sum += static_cast<double>(given.residual[place]);
        for (int64_t in = 0; in < channels; ++in) {
          const int64_t channel = out / filters * channels + in;
          const size_t number = placeOf(shape.inputLayout, image, channel, from, shape.inChannels, inCells);
          sum += static_cast<double>(given.input[number]) *
                 static_cast<double>(given.weights[static_cast<size_t>(out * channels + in)]);
        }
        result[place] = static_cast<double>(shape.activation(static_cast<float>(sum)));
      }
    }
  }
  return result;
}

bool isThere(const ConvolutionShape& shape) {
  if (shape.inputLayout == kBlocks || shape.outputLayout == kBlocks) return Pointwise::takesBlocks();
  return shape.inputLayout == kPlain ? channelLoops() != nullptr : Pointwise::isThere();
}

bool can(const ConvolutionShape& shape) {
  return shape.inputLayout == kPlain ? PlanarPointwise::can(shape) : Pointwise::can(shape);
}

std::unique_ptr<const OwnConvolution> made(const ConvolutionShape& shape) {
  if (shape.inputLayout == kPlain) return std::make_unique<const PlanarPointwise>(shape);
  return std::make_unique<const Pointwise>(shape);
}

// inPlace: the residual is the output's own memory.
std::vector<float> computed(const ConvolutionShape& shape, const Operands& given, bool inPlace) {
  const std::unique_ptr<const OwnConvolution> convolution = made(shape);
  const auto [outStride, inStride, down, across] = convolution->weightStrides();
  std::vector<float> ordered(given.weights.size()), packed(static_cast<size_t>(convolution->weightCount()));
  std::vector<std::byte> scratch(convolution->scratchBytes());
  const int64_t channels = shape.inChannels / shape.groups, filters = shape.outChannels / shape.groups;
  for (int64_t out = 0; out < shape.outChannels; ++out) {
    const int64_t group = out / filters * filters * channels;
    for (int64_t in = 0; in < channels; ++in)
      ordered[static_cast<size_t>(group + out % filters * outStride + in * inStride)] =
          given.weights[static_cast<size_t>(out * channels + in)];
  }
  convolution->transformWeights(ordered.data(), packed.data());
  std::vector<float> output(given.residual.size(), std::numeric_limits<float>::quiet_NaN());
  if (inPlace) output = given.residual;
  convolution->run(given.input.data(), packed.data(),
                   {.bias = shape.bias ? given.bias.data() : nullptr,
                    .residual = !shape.residual ? nullptr
                                : inPlace       ? output.data()
                                                : given.residual.data(),
                    .activation = shape.activation},
                   output.data(), scratch);
  return output;
}

}  // namespace

class TestPointwiseConvolution : public QObject {
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
    QCOMPARE(can(shape), isThere(shape));
    if (!isThere(shape)) return;
    const Operands given = operandsFor(shape);
    const std::vector<double> wanted = expected(shape, given);
    std::vector<float> first;
    for (const int threads : {1, 2, 5}) {
      const ThreadShare share(threads);
      for (const bool inPlace : {false, true}) {
        const std::vector<float> seen = computed(shape, given, inPlace);
        for (size_t i = 0; i < seen.size(); ++i)
          QVERIFY2(std::fabs(static_cast<double>(seen[i]) - wanted[i]) < 2e-5, qPrintable(QString::number(i)));
        if (first.empty()) first = seen;
        QVERIFY(std::memcmp(first.data(), seen.data(), seen.size() * sizeof(float)) == 0);
      }
    }
  }

  // A clamp leaves what is no number, and only the results of its own cell.
  void notANumberStays() {
    for (const ActivationKind kind : {ActivationKind::kRelu, ActivationKind::kClip}) {
      const ConvolutionShape shape = shapeOf({"", 1, 16, 20, 3, 3, kLast, kLast, true, false, {kind, 0.0f, 0.5f}});
      QCOMPARE(Pointwise::can(shape), Pointwise::isThere());
      if (!Pointwise::isThere()) return;
      Operands given = operandsFor(shape);
      given.input[4 * 16 + 7] = std::numeric_limits<float>::quiet_NaN();
      const std::vector<float> seen = computed(shape, given, false);
      for (size_t i = 0; i < seen.size(); ++i)
        QCOMPARE(std::isnan(seen[i]), i / 20 == 4);
    }
  }

  // Two orders are ours alone; one order is, where much memory is read; windows and strides never are. Groups are, in
  // short vectors.
  void isChosen() {
    const auto suits = [](auto&& change) {
      ConvolutionShape shape = shapeOf({"", 8, 32, 16, 112, 112});
      change(shape);
      return Pointwise::suits(shape);
    };
    const bool there = Pointwise::takesBlocks(), isShort = Pointwise::isThere() && !there;
    QCOMPARE(suits([](ConvolutionShape&) {}), there);
    QVERIFY(!suits([](ConvolutionShape& shape) { shape.batch = 1; }));
    QCOMPARE(suits([](ConvolutionShape& shape) { shape.batch = 1, shape.outputLayout = kBlocks; }), there);
    QVERIFY(!suits([](ConvolutionShape& shape) { shape.outputLayout = kBlocks, shape.outChannels = 24; }));
    QVERIFY(!suits([](ConvolutionShape& shape) { shape.strides = {2, 2}; }));
    QCOMPARE(suits([](ConvolutionShape& shape) { shape.groups = 2; }), isShort);
    const auto plainGroups = [](int64_t groups) {
      return [groups](ConvolutionShape& shape) {
        shape.inputLayout = shape.outputLayout = kPlain;
        shape.inChannels = 136, shape.groups = groups;
      };
    };
    QCOMPARE(suits(plainGroups(2)), isShort);
    QVERIFY(!suits(plainGroups(8)));
    QVERIFY(!suits([](ConvolutionShape& shape) { shape.kernel = {3, 3}; }));
    const auto last = Convolution::create(shapeOf({"", 8, 32, 16, 112, 112}));
    QVERIFY(last);
    QCOMPARE((*last)->implementation() == "pointwise", there);
    const auto plain = Convolution::create(shapeOf({"", 1, 32, 64, 56, 56, kPlain, kPlain}));
    QVERIFY(plain);
    QCOMPARE((*plain)->implementation() == "pointwise:plain", channelLoops() != nullptr);
  }
};

QTEST_GUILESS_MAIN(TestPointwiseConvolution)
#include "tst_pointwise_convolution.moc"
