// Convolutions of bytes with bytes as results against plain sums, bit by bit, in sizes that leave rests of every tile,
// vector and block; and that threads do not change them.

#include <cmath>
#include <random>

#include <QTest>

#include "engine/base/parallel.h"
#include "engine/math/requantized_convolution.h"

using namespace cutaway;
using namespace cutaway::math;

namespace {

struct Case {
  const char* name;
  int64_t batch, channels, maps, groups, height, width, kernelHeight, kernelWidth, stride, dilation, padding;
};

const Case kCases[] = {
    {"image", 1, 3, 32, 1, 19, 17, 3, 3, 2, 1, 1},
    {"one channel", 2, 1, 20, 1, 14, 15, 5, 5, 1, 1, 2},
    {"large window of an image", 1, 3, 40, 1, 30, 31, 7, 7, 2, 1, 3},
    {"pointwise", 2, 16, 96, 1, 9, 11, 1, 1, 1, 1, 0},
    {"dilated", 1, 20, 24, 1, 8, 8, 3, 3, 1, 2, 2},
    {"rests of channels and maps", 1, 10, 7, 1, 6, 5, 1, 1, 1, 1, 0},
    {"two groups", 1, 24, 40, 2, 7, 9, 3, 3, 2, 1, 1},
    {"several blocks", 1, 8, 33, 1, 40, 13, 5, 2, 1, 1, 1},
    {"large window", 1, 4, 16, 1, 30, 30, 7, 7, 2, 1, 3},
    {"rows of one result", 2, 2, 20, 1, 150, 3, 3, 3, 1, 1, 0},
    {"two steps a cell", 2, 7, 36, 1, 12, 40, 3, 4, 2, 1, 2},
    {"one result", 1, 64, 80, 1, 3, 3, 3, 3, 1, 1, 0},
    {"padding beyond the window", 1, 4, 20, 1, 4, 4, 2, 2, 1, 1, 3},
    {"depthwise, one block", 1, 64, 64, 64, 10, 11, 3, 3, 1, 1, 1},
    {"depthwise, half a block", 2, 32, 32, 32, 9, 12, 3, 3, 2, 1, 1},
    {"depthwise, rests of blocks", 1, 100, 100, 100, 11, 13, 3, 3, 1, 1, 1},
    {"depthwise, few channels", 1, 5, 5, 5, 6, 6, 3, 3, 1, 1, 1},
    {"depthwise, five rows", 1, 70, 70, 70, 9, 10, 5, 5, 1, 1, 2},
    {"depthwise, any window", 1, 40, 40, 40, 9, 9, 4, 2, 3, 1, 1},
    {"depthwise, seven rows", 1, 96, 96, 96, 12, 9, 7, 7, 1, 1, 3},
};

IntegerConvolutionShape shapeOf(const Case& each) {
  IntegerConvolutionShape shape;
  shape.batch = each.batch;
  shape.inChannels = each.channels;
  shape.outChannels = each.maps;
  shape.groups = each.groups;
  shape.input = {each.height, each.width};
  shape.kernel = {each.kernelHeight, each.kernelWidth};
  shape.strides = {each.stride, each.stride};
  shape.dilations = {each.dilation, each.dilation};
  shape.padsBegin = {each.padding, each.padding};
  for (size_t axis = 0; axis < 2; ++axis)
    shape.output[axis] =
        (shape.input[axis] + 2 * each.padding - (shape.kernel[axis] - 1) * each.dilation - 1) / each.stride + 1;
  return shape;
}

template <typename T>
std::vector<T> randomBytes(int64_t count, uint32_t seed) {
  std::mt19937 generator(seed);
  std::vector<T> values(static_cast<size_t>(count));
  for (T& each : values)
    each = static_cast<T>(generator());
  return values;
}

struct Operands {
  std::vector<uint8_t> input;
  std::vector<int8_t> weights;
  std::vector<int32_t> added;
  std::vector<float> scales;
  uint8_t flip, padding;
  int32_t zeroPoint;
  bool isSigned;
  bool mayOverflow;
};

// Scales that use the whole range of bytes, and a little more.
Operands operandsFor(const IntegerConvolutionShape& shape, int64_t cellBytes, bool isSigned, bool signedResult) {
  const int64_t window = shape.inChannels / shape.groups * shape.kernel[0] * shape.kernel[1];
  Operands all{.input = randomBytes<uint8_t>(shape.batch * shape.input[0] * shape.input[1] * cellBytes, 1),
               .weights = randomBytes<int8_t>(shape.outChannels * window, 2),
               .added = {},
               .scales = {},
               .flip = isSigned ? uint8_t{0x80} : uint8_t{0},
               .padding = 37,
               .zeroPoint = signedResult ? -5 : 100,
               .isSigned = signedResult,
               .mayOverflow = true};
  std::mt19937 generator(3);
  for (int64_t map = 0; map < shape.outChannels; ++map) {
    all.added.push_back(static_cast<int32_t>(generator() % 20000) - 10000);
    all.scales.push_back(static_cast<float>(generator() % 1000 + 1) * 2e-5f / std::sqrt(static_cast<float>(window)));
  }
  return all;
}

// Those that this processor has instructions for.
std::vector<const RequantizedLoops*> usableLoops() {
  std::vector<const RequantizedLoops*> loops;
  for (const RequantizedLoops* each : {vnniLoops(), avx2Loops()}) {
    if (each != nullptr) loops.push_back(each);
  }
  return loops;
}

std::vector<uint8_t> run(const RequantizedLoops& loops, const IntegerConvolutionShape& shape, const Operands& o) {
  const RequantizedConvolution convolution(shape, loops);
  std::vector<int8_t> packed(static_cast<size_t>(convolution.packedBytes()));
  convolution.pack(o.weights.data(), packed.data());
  std::vector<std::byte> memory(convolution.scratchBytes() + 64);
  std::byte* aligned = memory.data() + (64 - reinterpret_cast<uintptr_t>(memory.data()) % 64) % 64;
  int64_t count = shape.batch * shape.outChannels;
  for (size_t axis = 0; axis < shape.spatialRank; ++axis)
    count *= shape.output[axis];
  std::vector<uint8_t> result(static_cast<size_t>(count), 0xAB);
  std::vector<int32_t> added(static_cast<size_t>(convolution.places()));
  std::vector<float> scales(added.size());
  convolution.placeTerms({o.added.data(), o.scales.data()}, added.data(), scales.data());
  convolution.run({o.input.data(), o.flip, o.padding}, packed.data(),
                  {added.data(), scales.data(), o.zeroPoint, o.isSigned, o.mayOverflow}, result.data(),
                  {aligned, convolution.scratchBytes()});
  return result;
}

std::vector<uint8_t> plainSums(const IntegerConvolutionShape& s, const Operands& o, int64_t cellBytes) {
  const int64_t channels = s.inChannels / s.groups, maps = s.outChannels / s.groups;
  std::vector<uint8_t> result;
  const auto byteAt = [&](int64_t entry, int64_t y, int64_t x, int64_t channel) {
    const bool inside = y >= 0 && y < s.input[0] && x >= 0 && x < s.input[1];
    const int64_t at = ((entry * s.input[0] + y) * s.input[1] + x) * cellBytes + channel;
    return static_cast<int32_t>((inside ? o.input[static_cast<size_t>(at)] : o.padding) ^ o.flip);
  };
  const auto sumAt = [&](int64_t entry, int64_t row, int64_t column, int64_t map) {
    int32_t sum = o.added[static_cast<size_t>(map)];
    for (int64_t channel = 0; channel < channels; ++channel) {
      for (int64_t k = 0; k < s.kernel[0]; ++k) {
        for (int64_t l = 0; l < s.kernel[1]; ++l)
          sum += byteAt(entry, row * s.strides[0] - s.padsBegin[0] + k * s.dilations[0],
                        column * s.strides[1] - s.padsBegin[1] + l * s.dilations[1], map / maps * channels + channel) *
                 o.weights[static_cast<size_t>(((map * channels + channel) * s.kernel[0] + k) * s.kernel[1] + l)];
      }
    }
    return sum;
  };
  const float low = static_cast<float>((o.isSigned ? -128 : 0) - o.zeroPoint);
  const float high = static_cast<float>((o.isSigned ? 127 : 255) - o.zeroPoint);
  for (int64_t cell = 0; cell < s.batch * s.output[0] * s.output[1]; ++cell) {
    for (int64_t map = 0; map < s.outChannels; ++map) {
      const int64_t line = cell / s.output[1];
      const int32_t sum = sumAt(line / s.output[0], line % s.output[0], cell % s.output[1], map);
      const float value = std::clamp(static_cast<float>(sum) * o.scales[static_cast<size_t>(map)], low, high);
      result.push_back(static_cast<uint8_t>(static_cast<int32_t>(std::nearbyint(value)) + o.zeroPoint));
    }
  }
  return result;
}

}  // namespace

class TestRequantizedConvolution : public QObject {
  Q_OBJECT
 private slots:
  void results_data() {
    QTest::addColumn<size_t>("index");
    QTest::addColumn<bool>("isSigned");
    QTest::addColumn<bool>("signedResult");
    for (size_t index = 0; index < std::size(kCases); ++index) {
      for (const bool isSigned : {false, true})
        QTest::addRow("%s, %s", kCases[index].name, isSigned ? "int8 to uint8" : "uint8 to int8")
            << index << isSigned << !isSigned;
    }
    QTest::newRow("int8 to int8") << size_t{0} << true << true;
    QTest::newRow("uint8 to uint8") << size_t{11} << false << false;
  }
  void results() {
    QFETCH(size_t, index);
    QFETCH(bool, isSigned);
    QFETCH(bool, signedResult);
    const IntegerConvolutionShape shape = shapeOf(kCases[index]);
    QCOMPARE(RequantizedConvolution::suits(shape), requantizedLoops() != nullptr);
    if (requantizedLoops() == nullptr) return;
    const int64_t cellBytes = RequantizedConvolution(shape).cellBytes();
    Operands operands = operandsFor(shape, cellBytes, isSigned, signedResult);
    const std::vector<uint8_t> wanted = plainSums(shape, operands, cellBytes);
    const auto [least, most] = std::ranges::minmax(wanted);
    QVERIFY2(most - least > 100, "the case shows only few different results");
    QVERIFY(staysInRange(operands.scales));
    for (const RequantizedLoops* loops : usableLoops()) {
      operands.mayOverflow = true;
      for (const int threads : {1, 2, 5}) {
        const ThreadShare share(threads);
        QVERIFY2(run(*loops, shape, operands) == wanted, loops->instructions.data());
      }
      operands.mayOverflow = false;
      QVERIFY2(run(*loops, shape, operands) == wanted, loops->instructions.data());
    }
  }

  void scalesThatMayOverflow() {
    const auto stays = [](std::vector<float> scales) { return staysInRange(scales); };
    QVERIFY(stays({0.5F, -0.5F, 0}));
    QVERIFY(!stays({0.5F, 1}));
    QVERIFY(!stays({-1}));
    QVERIFY(!stays({std::numeric_limits<float>::quiet_NaN()}));
  }

  // A row and a volume are convolutions of images with one row, and of several.
  void otherRanks() {
    if (requantizedLoops() == nullptr) return;
    IntegerConvolutionShape line = shapeOf({"", 1, 8, 32, 1, 1, 21, 1, 3, 2, 1, 0});
    const Operands operands = operandsFor(line, 8, false, false);
    const std::vector<uint8_t> wanted = plainSums(line, operands, 8);
    for (SpatialDims* dims : {&line.input, &line.output, &line.kernel, &line.strides, &line.dilations})
      (*dims)[0] = (*dims)[1];
    line.spatialRank = 1;
    for (const RequantizedLoops* loops : usableLoops())
      QVERIFY2(run(*loops, line, operands) == wanted, loops->instructions.data());
    IntegerConvolutionShape volume = line;
    volume.spatialRank = 3;
    volume.input = {1, 1, line.input[0]};
    volume.output = {1, 1, line.output[0]};
    volume.kernel = {1, 1, line.kernel[0]};
    volume.strides = volume.dilations = {1, 1, 1};
    volume.strides[2] = line.strides[0];
    for (const RequantizedLoops* loops : usableLoops())
      QVERIFY2(run(*loops, volume, operands) == wanted, loops->instructions.data());
  }

  // Two products of 255 and 127 do not fit into 16 bits.
  void pairsDoNotSaturate() {
    IntegerConvolutionShape shape = shapeOf({"", 1, 8, 20, 1, 3, 3, 1, 1, 1, 1, 0});
    for (const int64_t groups : {1, 8}) {
      shape.groups = groups;
      if (groups > 1) shape.outChannels = groups;
      Operands operands = operandsFor(shape, 8, false, false);
      std::ranges::fill(operands.input, uint8_t{255});
      for (const int8_t weight : {int8_t{127}, int8_t{-128}}) {
        std::ranges::fill(operands.weights, weight);
        std::ranges::fill(operands.scales, 1.0f / 4096);
        const std::vector<uint8_t> wanted = plainSums(shape, operands, 8);
        for (const RequantizedLoops* loops : usableLoops())
          QVERIFY2(run(*loops, shape, operands) == wanted, loops->instructions.data());
      }
    }
  }

  void whatDoesNotSuit() {
    QVERIFY(!RequantizedConvolution::suits(shapeOf({"odd groups", 1, 6, 16, 2, 5, 5, 3, 3, 1, 1, 1})));
    QVERIFY(!RequantizedConvolution::suits(shapeOf({"dilated depthwise", 1, 8, 8, 8, 9, 9, 3, 3, 1, 2, 1})));
    QVERIFY(!RequantizedConvolution::suits(shapeOf({"nine rows", 1, 8, 8, 8, 12, 9, 9, 3, 1, 1, 1})));
  }
};

QTEST_GUILESS_MAIN(TestRequantizedConvolution)
#include "tst_requantized_convolution.moc"
