// precision=bf16: products of operands that are rounded to bfloat16, summed in float; against the same sums in double,
// in every layout, and with any number of threads the same bits. Without such a processor the option is refused.

#include <cmath>
#include <cstring>

#include <QTest>

#include "engine/base/parallel.h"
#include "engine/math/convolution.h"
#include "engine/math/matrix_product.h"
#include "engine/tensor/narrow_float.h"
#include "tests/unit/engine/math/random_floats.h"

using namespace cutaway;
using namespace cutaway::math;

namespace {

std::vector<float> rounded(std::vector<float> values) {
  for (float& each : values)
    each = Bfloat16::fromFloat(each).toFloat();
  return values;
}

struct Case {
  const char* name;
  int64_t in, out, size, window, stride, groups;
  Layout layout = Layout::kChannelsLast;
  bool residual = false;
};

const Case kCases[] = {
    {"one cell", 64, 128, 14, 1, 1, 1},
    {"one cell, rests, plain", 37, 43, 9, 1, 1, 1, Layout::kPlain},
    {"residual and activation", 64, 64, 7, 1, 1, 1, Layout::kChannelsLast, true},
    {"strided", 48, 96, 15, 3, 2, 1},
    {"first of a network", 3, 64, 32, 7, 2, 1, Layout::kPlain},
    {"groups", 128, 128, 7, 3, 2, 4},
};

ConvolutionShape shapeOf(const Case& each) {
  ConvolutionShape shape;
  shape.batch = 2;
  shape.inChannels = each.in;
  shape.outChannels = each.out;
  shape.groups = each.groups;
  const int64_t pad = each.window / 2, results = (each.size + 2 * pad - each.window) / each.stride + 1;
  shape.input = {each.size, each.size};
  shape.output = {results, results};
  shape.kernel = {each.window, each.window};
  shape.strides = {each.stride, each.stride};
  shape.dilations = {1, 1};
  shape.padsBegin = {pad, pad};
  shape.padsEnd = {(results - 1) * each.stride + each.window - each.size - pad,
                   (results - 1) * each.stride + each.window - each.size - pad};
  shape.bias = true;
  shape.residual = each.residual;
  shape.inputLayout = shape.outputLayout = each.layout;
  if (each.residual) shape.activation = {ActivationKind::kRelu};
  return shape;
}

size_t placeOf(const ConvolutionShape& shape, const SpatialDims& sizes, int64_t channels, int64_t image,
               int64_t channel, int64_t row, int64_t column) {
  const int64_t cells = sizes[0] * sizes[1], cell = row * sizes[1] + column;
  return static_cast<size_t>(image * channels * cells + (shape.inputLayout == Layout::kPlain
                                                             ? channel * cells + cell
                                                             : cell * channels + channel));
}

struct Operands {
  std::vector<float> input, weights, bias, residual;
};

Operands operandsFor(const ConvolutionShape& shape) {
  const int64_t results = shape.batch * shape.output[0] * shape.output[1] * shape.outChannels;
  return {numbers(shape.batch * shape.input[0] * shape.input[1] * shape.inChannels, 1),
          numbers(shape.outChannels * (shape.inChannels / shape.groups) * shape.kernel[0] * shape.kernel[1], 2),
          numbers(shape.outChannels, 3), numbers(results, 4)};
}

std::vector<double> expected(const ConvolutionShape& shape, const Operands& given) {
  std::vector<double> result(given.residual.size());
  const int64_t in = shape.inChannels / shape.groups, out = shape.outChannels / shape.groups, k = shape.kernel[0];
  for (int64_t image = 0; image < shape.batch; ++image) {
    for (int64_t filter = 0; filter < shape.outChannels; ++filter) {
      for (int64_t y = 0; y < shape.output[0]; ++y) {
        for (int64_t x = 0; x < shape.output[1]; ++x) {
          const size_t place = placeOf(shape, shape.output, shape.outChannels, image, filter, y, x);
          double sum = static_cast<double>(given.bias[static_cast<size_t>(filter)]);
          if (shape.residual) sum += static_cast<double>(given.residual[place]);
          for (int64_t channel = 0; channel < in; ++channel) {
            for (int64_t cell = 0; cell < k * k; ++cell) {
              const int64_t row = y * shape.strides[0] - shape.padsBegin[0] + cell / k,
                            column = x * shape.strides[1] - shape.padsBegin[1] + cell % k;
              if (row < 0 || row >= shape.input[0] || column < 0 || column >= shape.input[1]) continue;
              sum += static_cast<double>(given.input[placeOf(shape, shape.input, shape.inChannels, image,
                                                             filter / out * in + channel, row, column)]) *
                     static_cast<double>(given.weights[static_cast<size_t>((filter * in + channel) * k * k + cell)]);
            }
          }
          result[place] = static_cast<double>(shape.activation(static_cast<float>(sum)));
        }
      }
    }
  }
  return result;
}

std::vector<float> computed(const ConvolutionShape& shape, const Operands& given, bool packed,
                            QString* implementation) {
  const auto convolution = *Convolution::create(shape);
  if (implementation != nullptr) *implementation = QString::fromStdString(convolution->implementation());
  const auto weights = packed ? *convolution->pack(given.weights.data()) : nullptr;
  std::vector<std::byte> memory(convolution->scratchBytes() + 64);
  void* start = memory.data();
  size_t space = memory.size();
  std::align(64, convolution->scratchBytes(), start, space);
  std::vector<float> output(given.residual.size());
  Convolution::Call call(convolution);
  for (int again = 0; again < 2; ++again) {
    const auto done = call.run({.input = given.input.data(),
                                .packed = weights.get(),
                                .weights = packed ? nullptr : given.weights.data(),
                                .bias = given.bias.data(),
                                .residual = given.residual.data(),
                                .output = output.data(),
                                .scratch = {static_cast<std::byte*>(start), convolution->scratchBytes()}});
    if (!done) qFatal("%s", describe(done.error()).c_str());
  }
  return output;
}

// Largest deviation over the largest result.
double errorOf(std::span<const double> wanted, std::span<const float> found) {
  double error = 0, range = 0;
  for (size_t i = 0; i < wanted.size(); ++i) {
    error = std::max(error, std::abs(wanted[i] - static_cast<double>(found[i])));
    range = std::max(range, std::abs(wanted[i]));
  }
  return error / range;
}

bool sameBits(std::span<const float> a, std::span<const float> b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
}

}  // namespace

class TestBfloat16Products : public QObject {
  Q_OBJECT
 private slots:
  void readsTheOption() {
    QVERIFY(*precisionAsked("cpu", "fast") == Precision::kFast);
    QVERIFY(*precisionAsked("cpu", "exact") == Precision::kExact);
    const auto asked = precisionAsked("cpu", "bf16"), wrong = precisionAsked("cpu", "half");
    QVERIFY(!wrong && wrong.error().code == ErrorCode::kInvalidArgument);
    if (multipliesBfloat16()) {
      QVERIFY(asked && *asked == Precision::kBfloat16);
    } else {
      QVERIFY(!asked && asked.error().code == ErrorCode::kEpFail);
      QVERIFY(QString::fromStdString(asked.error().message).contains("precision=fast"));
    }
  }

  void convolutions_data() {
    QTest::addColumn<int>("index");
    for (int i = 0; i < static_cast<int>(std::size(kCases)); ++i)
      QTest::newRow(kCases[i].name) << i;
  }
  void convolutions() {
    QFETCH(int, index);
    ConvolutionShape shape = shapeOf(kCases[index]);
    const Operands given = operandsFor(shape);
    const std::vector<double> floats = expected(shape, given);
    shape.precision = Precision::kBfloat16;
    QString implementation;
    const std::vector<float> found = computed(shape, given, true, &implementation);
    QCOMPARE(implementation.contains("bf16"), roundsToBfloat16(shape));
    QCOMPARE(roundsToBfloat16(shape), multipliesBfloat16());
    QVERIFY(sameBits(found, computed(shape, given, false, nullptr)));
    for (const int threads : {1, 2, 3}) {
      const ThreadShare share(threads);
      QVERIFY(sameBits(found, computed(shape, given, true, nullptr)));
    }
    if (!multipliesBfloat16()) {
      QVERIFY(errorOf(floats, found) <= 1e-5);
      return;
    }
    Operands narrow = given;
    narrow.input = rounded(given.input);
    narrow.weights = rounded(given.weights);
    QVERIFY(errorOf(expected(shape, narrow), found) <= 2e-6);
    const double error = errorOf(floats, found);
    QVERIFY2(error > 1e-5 && error < 0x1p-7, qPrintable(QString::number(error)));
  }

  // As fast on floats, and nearer to what is right.
  void winogradStays() {
    ConvolutionShape shape = shapeOf({"", 64, 64, 28, 3, 1, 1});
    shape.precision = Precision::kBfloat16;
    const auto convolution = *Convolution::create(shape);
    shape.precision = Precision::kFast;
    QCOMPARE(convolution->implementation(), (*Convolution::create(shape))->implementation());
  }

  void products_data() {
    QTest::addColumn<int>("rows");
    QTest::addColumn<int>("columns");
    QTest::addColumn<int>("depth");
    QTest::addColumn<bool>("transposed");
    QTest::newRow("one row") << 1 << 512 << 768 << true;
    QTest::newRow("rests") << 37 << 65 << 33 << false;
    QTest::newRow("square") << 128 << 256 << 192 << false;
    QTest::newRow("in slices") << 4100 << 768 << 768 << true;
  }
  void products() {
    QFETCH(int, rows);
    QFETCH(int, columns);
    QFETCH(int, depth);
    QFETCH(bool, transposed);
    const std::vector<float> a = numbers(int64_t{rows} * depth, 1), b = numbers(int64_t{columns} * depth, 2),
                             bias = numbers(columns, 3);
    const auto multiplied = [&](Precision precision, int threads) {
      const ThreadShare share(threads);
      const auto product = *MatrixProduct::create({.rows = rows,
                                                   .columns = columns,
                                                   .depth = depth,
                                                   .transposeB = transposed,
                                                   .bias = true,
                                                   .activation = {},
                                                   .precision = precision});
      const auto packed = *product->pack(b.data());
      std::vector<std::byte> memory(product->scratchBytes() + 64);
      void* start = memory.data();
      size_t space = memory.size();
      std::align(64, product->scratchBytes(), start, space);
      std::vector<float> c(static_cast<size_t>(rows) * static_cast<size_t>(columns));
      MatrixProduct::Call call(product);
      const auto done =
          call.run(a.data(), *packed, bias.data(), c.data(), {static_cast<std::byte*>(start), product->scratchBytes()});
      if (!done) qFatal("%s", describe(done.error()).c_str());
      return c;
    };
    const std::vector<float> found = multiplied(Precision::kBfloat16, 1);
    const bool rounds = multipliesBfloat16();
    QCOMPARE(sameBits(found, multiplied(Precision::kFast, 1)), !rounds);
    // Where nothing is rounded the library may have no kernel whose order of summands is the same on any number of
    // threads (AVX2 has none).
    for (const int threads : {2, 3})
      QVERIFY(
          sameBits(multiplied(Precision::kBfloat16, threads), rounds ? found : multiplied(Precision::kFast, threads)));
    const std::vector<float> left = rounds ? rounded(a) : a, right = rounds ? rounded(b) : b;
    // A few rows are enough.
    std::vector<double> wanted;
    std::vector<float> these;
    for (int row = 0; row < rows; row += std::max(1, rows / 5)) {
      for (int column = 0; column < columns; ++column) {
        double sum = static_cast<double>(bias[static_cast<size_t>(column)]);
        for (int k = 0; k < depth; ++k)
          sum +=
              static_cast<double>(left[static_cast<size_t>(row * depth + k)]) *
              static_cast<double>(right[static_cast<size_t>(transposed ? column * depth + k : k * columns + column)]);
        wanted.push_back(sum);
        these.push_back(found[static_cast<size_t>(row) * static_cast<size_t>(columns) + static_cast<size_t>(column)]);
      }
    }
    QVERIFY(errorOf(wanted, these) <= 2e-6);
  }
};

QTEST_GUILESS_MAIN(TestBfloat16Products)
#include "tst_bfloat16_products.moc"
