// Fourier transforms of many lengths against the sum that defines them; round trips; frames; windows.

#include <cmath>
#include <complex>
#include <random>

#include <QTest>

#include "tests/unit/providers/cpu/elementwise/operator_call.h"

using namespace cutaway;

namespace {

using Complex = std::complex<double>;

std::vector<double> randomNumbers(size_t count) {
  std::mt19937 random(4);
  std::vector<double> values(count);
  for (double& value : values)
    value = (random() % 2001) / 1000.0 - 1;
  return values;
}

std::vector<Complex> byDefinition(const std::vector<Complex>& x, bool inverse) {
  const auto n = static_cast<double>(x.size());
  std::vector<Complex> y(x.size());
  for (size_t k = 0; k < x.size(); ++k) {
    for (size_t i = 0; i < x.size(); ++i)
      y[k] += x[i] * std::polar(1.0, (inverse ? 2 : -2) * M_PI * static_cast<double>(k * i % x.size()) / n);
    if (inverse) y[k] /= n;
  }
  return y;
}

}  // namespace

class TestSignal : public QObject {
  Q_OBJECT

 private slots:
  void lengths_data();
  void lengths();
  void realThereAndBack();
  void axisAndLength();
  void frames();
  void windows();
};

void TestSignal::lengths_data() {
  QTest::addColumn<int>("length");
  for (const int length : {1, 2, 3, 4, 5, 7, 8, 12, 16, 17, 30, 64, 97, 100, 128, 255})
    QTest::addRow("%d", length) << length;
}

void TestSignal::lengths() {
  QFETCH(int, length);
  const auto n = static_cast<size_t>(length);
  const std::vector<double> numbers = randomNumbers(2 * n);
  std::vector<Complex> x(n);
  for (size_t i = 0; i < n; ++i)
    x[i] = {numbers[2 * i], numbers[2 * i + 1]};
  for (const bool inverse : {false, true}) {
    const Tensor y = callOperator({.opType = "DFT", .attributes = {{"inverse", int64_t{inverse}}}},
                                  {tensorOf<double>({1, length, 2}, numbers)});
    QVERIFY(y.dims() == (Dims{1, length, 2}));
    const std::vector<Complex> wanted = byDefinition(x, inverse);
    for (size_t i = 0; i < n; ++i)
      QVERIFY(std::abs(Complex(y.span<double>()[2 * i], y.span<double>()[2 * i + 1]) - wanted[i]) < 1e-11);
  }
}

void TestSignal::realThereAndBack() {
  for (const int64_t length : {8, 9, 30}) {
    const std::vector<double> numbers = randomNumbers(static_cast<size_t>(2 * length));
    const Tensor x = tensorOf<double>({2, length, 1}, numbers);
    const Tensor half = callOperator({.opType = "DFT", .attributes = {{"onesided", int64_t{1}}}}, {x});
    QVERIFY(half.dims() == (Dims{2, length / 2 + 1, 2}));
    const Tensor back =
        callOperator({.opType = "DFT", .attributes = {{"onesided", int64_t{1}}, {"inverse", int64_t{1}}}},
                     {half, tensorOf<int64_t>({}, {length})});
    QVERIFY(back.dims() == (Dims{2, length, 1}));
    for (size_t i = 0; i < numbers.size(); ++i)
      QVERIFY(std::fabs(back.span<double>()[i] - numbers[i]) < 1e-12);
  }
}

void TestSignal::axisAndLength() {
  // Two columns of a [3, 2, 1] signal along axis 0, padded with zeros to 4.
  const Tensor x = tensorOf<float>({3, 2, 1}, {1, 10, 2, 20, 3, 30});
  const Tensor y = callOperator({.opType = "DFT"}, {x, tensorOf<int64_t>({}, {4}), tensorOf<int64_t>({}, {0})});
  QVERIFY(y.dims() == (Dims{4, 2, 2}));
  const std::vector<Complex> wanted = byDefinition({1, 2, 3, 0}, false);
  for (size_t k = 0; k < 4; ++k) {
    const auto values = y.span<float>();
    QVERIFY(std::abs(Complex(values[k * 4], values[k * 4 + 1]) - wanted[k]) < 1e-5);
    QVERIFY(std::abs(Complex(values[k * 4 + 2], values[k * 4 + 3]) - 10.0 * wanted[k]) < 1e-4);
  }
  const Tensor old = callOperator({.opType = "DFT", .version = 17, .attributes = {{"axis", int64_t{0}}}},
                                  {x, tensorOf<int64_t>({}, {4})});
  QCOMPARE(valuesOf<float>(old), valuesOf<float>(y));
  QVERIFY(!tryOperator({.opType = "DFT"}, {x, Tensor{}, tensorOf<int64_t>({}, {2})}));
}

void TestSignal::frames() {
  const std::vector<double> numbers = randomNumbers(40);
  const Tensor signal = tensorOf<double>({1, 40, 1}, numbers);
  const std::vector<double> window{0.5, 1, 1, 0.5, 0.25, 0.125};
  const Tensor y =
      callOperator({.opType = "STFT"}, {signal, tensorOf<int64_t>({}, {5}), tensorOf<double>({6}, window)});
  QVERIFY(y.dims() == (Dims{1, 7, 4, 2}));
  for (size_t frame = 0; frame < 7; ++frame) {
    std::vector<Complex> x(6);
    for (size_t i = 0; i < 6; ++i)
      x[i] = numbers[frame * 5 + i] * window[i];
    const std::vector<Complex> wanted = byDefinition(x, false);
    for (size_t bin = 0; bin < 4; ++bin) {
      const size_t at = (frame * 4 + bin) * 2;
      QVERIFY(std::abs(Complex(y.span<double>()[at], y.span<double>()[at + 1]) - wanted[bin]) < 1e-12);
    }
  }
  const Tensor plain = callOperator({.opType = "STFT"}, {tensorOf<double>({1, 40}, numbers), tensorOf<int64_t>({}, {5}),
                                                         tensorOf<double>({6}, window)});
  QVERIFY(plain.dims() == y.dims());
  QCOMPARE(valuesOf<double>(plain), valuesOf<double>(y));
  for (const Dims& dims : {Dims{40}, Dims{1, 40, 3}, Dims{1, 1, 40, 1}}) {
    const Tensor other = *Tensor::create(ElementType::kDouble, dims);
    QVERIFY(!tryOperator({.opType = "STFT"}, {other, tensorOf<int64_t>({}, {5}), tensorOf<double>({6}, window)}));
  }
  QVERIFY(!tryOperator({.opType = "STFT"}, {signal, tensorOf<int64_t>({}, {0}), tensorOf<double>({6}, window)}));
}

void TestSignal::windows() {
  const Tensor hann = callOperator({.opType = "HannWindow"}, {tensorOf<int64_t>({}, {300})});
  QVERIFY(hann.dims() == (Dims{300}));
  for (size_t i = 0; i < 300; ++i)
    QVERIFY(std::fabs(hann.span<float>()[i] - std::pow(std::sin(M_PI * static_cast<double>(i) / 300), 2)) < 1e-6);
  const Tensor symmetric = callOperator(
      {.opType = "BlackmanWindow", .attributes = {{"periodic", int64_t{0}}, {"output_datatype", int64_t{11}}}},
      {tensorOf<int32_t>({}, {7})});
  for (size_t i = 0; i < 7; ++i)
    QVERIFY(std::fabs(symmetric.span<double>()[i] - symmetric.span<double>()[6 - i]) < 1e-12);
  QVERIFY(std::fabs(symmetric.span<double>()[3] - 1) < 1e-12);
  QVERIFY(!tryOperator({.opType = "HammingWindow"}, {tensorOf<int64_t>({}, {-1})}));
}

QTEST_GUILESS_MAIN(TestSignal)
#include "tst_signal.moc"
