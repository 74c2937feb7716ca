// Transposed convolutions, those of our own loops and those of the library with a bias and an activation of ours behind
// them, against plain loops.

#include <cmath>
#include <cstring>
#include <random>

#include <QTest>

#include "engine/base/parallel.h"
#include "engine/math/channel_loops.h"
#include "engine/math/convolution.h"

using namespace cutaway;
using namespace cutaway::math;

namespace {

struct Case {
  const char* name;
  int64_t batch, in, out, height, width, kernel, stride, pad;
  bool bias;
  bool own;  // by our loops
  Activation activation{};
};

const Case kCases[] = {
    {"2x2", 1, 24, 24, 20, 20, 2, 2, 0, true, true, {ActivationKind::kRelu}},
    {"2x2 to one channel", 2, 24, 1, 13, 9, 2, 2, 0, true, true, {ActivationKind::kSigmoid}},
    {"3x3, odd channels", 1, 7, 37, 11, 6, 3, 3, 0, true, true},
    {"4x4, no bias", 3, 64, 19, 5, 7, 4, 4, 0, false, true, {ActivationKind::kClip, -0.1f, 0.4f}},
    {"windows overlap", 2, 16, 24, 8, 9, 4, 2, 1, true, false, {ActivationKind::kRelu}},
    {"windows overlap, odd channels", 1, 5, 13, 6, 6, 3, 2, 1, true, false, {ActivationKind::kHardSwish}},
};

ConvolutionShape shapeOf(const Case& each) {
  ConvolutionShape shape;
  shape.transposed = true;
  shape.batch = each.batch;
  shape.inChannels = each.in;
  shape.outChannels = each.out;
  shape.input = {each.height, each.width};
  shape.kernel = {each.kernel, each.kernel};
  shape.strides = {each.stride, each.stride};
  shape.dilations = {1, 1};
  shape.padsBegin = shape.padsEnd = {each.pad, each.pad};
  for (size_t axis = 0; axis < 2; ++axis)
    shape.output[axis] = (shape.input[axis] - 1) * each.stride + each.kernel - 2 * each.pad;
  shape.bias = each.bias;
  shape.activation = each.activation;
  return shape;
}

struct Numbers {
  std::vector<float> input, weights, bias;  // [N, C, H, W], [I, O, h, w]
};

Numbers numbersFor(const ConvolutionShape& shape) {
  std::mt19937 random(5);
  std::uniform_real_distribution<float> number(-1, 1);
  const auto fill = [&](int64_t count) {
    std::vector<float> values(static_cast<size_t>(count));
    for (float& each : values)
      each = number(random);
    return values;
  };
  return {fill(shape.batch * shape.inChannels * shape.input[0] * shape.input[1]),
          fill(shape.inChannels * shape.outChannels * shape.kernel[0] * shape.kernel[1]), fill(shape.outChannels)};
}

std::vector<double> expected(const ConvolutionShape& shape, const Numbers& numbers) {
  const int64_t height = shape.output[0], width = shape.output[1], kernel = shape.kernel[0];
  std::vector<double> result(static_cast<size_t>(shape.batch * shape.outChannels * height * width), 0.0);
  for (int64_t n = 0; n < shape.batch; ++n) {
    for (int64_t o = 0; o < shape.outChannels; ++o) {
      double* plane = result.data() + (n * shape.outChannels + o) * height * width;
      for (int64_t c = 0; c < shape.inChannels; ++c) {
        for (int64_t cell = 0; cell < shape.input[0] * shape.input[1]; ++cell) {
          const double x = static_cast<double>(
              numbers.input[static_cast<size_t>((n * shape.inChannels + c) * shape.input[0] * shape.input[1] + cell)]);
          for (int64_t k = 0; k < kernel * kernel; ++k) {
            const int64_t row = cell / shape.input[1] * shape.strides[0] + k / kernel - shape.padsBegin[0],
                          column = cell % shape.input[1] * shape.strides[1] + k % kernel - shape.padsBegin[1];
            if (row < 0 || row >= height || column < 0 || column >= width) continue;
            plane[row * width + column] +=
                x * static_cast<double>(
                        numbers.weights[static_cast<size_t>((c * shape.outChannels + o) * kernel * kernel + k)]);
          }
        }
      }
      for (int64_t cell = 0; cell < height * width; ++cell) {
        if (shape.bias) plane[cell] += static_cast<double>(numbers.bias[static_cast<size_t>(o)]);
        plane[cell] = static_cast<double>(shape.activation(static_cast<float>(plane[cell])));
      }
    }
  }
  return result;
}

std::vector<float> computed(const ConvolutionShape& shape, const Numbers& numbers, bool packs, std::string* made) {
  const auto convolution = Convolution::create(shape);
  if (!convolution) return {};
  if (made != nullptr) *made = (*convolution)->implementation();
  const auto packed = packs ? *(*convolution)->pack(numbers.weights.data()) : nullptr;
  std::vector<std::byte> scratch((*convolution)->scratchBytes() + 64);
  std::byte* aligned = scratch.data() + (64 - reinterpret_cast<uintptr_t>(scratch.data()) % 64) % 64;
  std::vector<float> y(static_cast<size_t>(shape.batch * shape.outChannels * shape.output[0] * shape.output[1]));
  Convolution::Call call(*convolution);
  const auto ran = call.run({.input = numbers.input.data(),
                             .packed = packed.get(),
                             .weights = packs ? nullptr : numbers.weights.data(),
                             .bias = shape.bias ? numbers.bias.data() : nullptr,
                             .output = y.data(),
                             .scratch = {aligned, (*convolution)->scratchBytes()}});
  return ran ? y : std::vector<float>{};
}

}  // namespace

class TestTransposedTiles : public QObject {
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
    const Numbers numbers = numbersFor(shape);
    const std::vector<double> wanted = expected(shape, numbers);
    std::vector<float> first;
    for (const int threads : {1, 2, 5}) {
      const ThreadShare share(threads);
      for (const bool packs : {true, false}) {
        std::string made;
        const std::vector<float> seen = computed(shape, numbers, packs, &made);
        if (channelLoops() != nullptr) QCOMPARE(made == "product and interleave", kCases[index].own);
        QCOMPARE(seen.size(), wanted.size());
        for (size_t i = 0; i < seen.size(); ++i)
          QVERIFY2(std::fabs(static_cast<double>(seen[i]) - wanted[i]) < 1e-4, qPrintable(QString::number(i)));
        if (first.empty()) first = seen;
        if (kCases[index].own && channelLoops() != nullptr)
          QVERIFY(std::memcmp(first.data(), seen.data(), seen.size() * sizeof(float)) == 0);
      }
    }
  }
};

QTEST_APPLESS_MAIN(TestTransposedTiles)
#include "tst_transposed_tiles.moc"
