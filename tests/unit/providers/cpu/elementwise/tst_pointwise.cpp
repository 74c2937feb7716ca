// The vectorised loops against the definition in double: accuracy over wide ranges, special values, every tail length,
// and in place.

#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include <QTest>

#include "providers/cpu/kernels/elementwise/pointwise.h"
#include "providers/cpu/kernels/elementwise/trigonometry_vector.h"

using namespace cutaway::cpu;

namespace {

constexpr int kOpCount = static_cast<int>(PointwiseOp::kShrink) + 1;

PointwiseParameters parametersOf(PointwiseOp op) {
  switch (op) {
    case PointwiseOp::kLeakyRelu:
      return {0.1f, 0};
    case PointwiseOp::kElu:
      return {1.5f, 0};
    case PointwiseOp::kSelu:
      return {1.67326319f, 1.05070102f};
    case PointwiseOp::kCelu:
      return {2.0f, 0};
    case PointwiseOp::kThresholdedRelu:
      return {0.75f, 0};
    case PointwiseOp::kHardSigmoid:
      return {0.2f, 0.5f};
    case PointwiseOp::kSwish:
      return {2.0f, 0};  // the product is exact, so that only the loop is measured
    case PointwiseOp::kClip:
      return {-1.25f, 2.5f};
    case PointwiseOp::kShrink:
      return {0.5f, 0.25f};
    default:
      return {};
  }
}

// Units of the last place of an operator. Those that subtract rounded numbers near each other are held to an absolute
// error too.
double allowedUlps(PointwiseOp op) {
  switch (op) {
    case PointwiseOp::kLog:
    case PointwiseOp::kSoftplus:
    case PointwiseOp::kMish:
      return 4;
    case PointwiseOp::kSwish:
    case PointwiseOp::kGeluTanh:
    case PointwiseOp::kGelu:
    case PointwiseOp::kCelu:
    case PointwiseOp::kSelu:
      return 4;
    default:
      return 2.5;
  }
}

double unitOfLastPlace(double value) {
  const float magnitude = std::max(static_cast<float>(std::fabs(value)), std::numeric_limits<float>::min());
  return static_cast<double>(std::nextafter(magnitude, std::numeric_limits<float>::infinity())) -
         static_cast<double>(magnitude);
}

std::vector<float> samples() {
  std::vector<float> values;
  for (float x = -110; x < 100; x += 0.0173f)
    values.push_back(x);
  for (float x = -4; x < 4; x += 0.00037f)
    values.push_back(x);
  std::mt19937 random(7);
  for (int i = 0; i < 20000; ++i) {
    const float x = std::bit_cast<float>(static_cast<uint32_t>(random()));
    if (std::isfinite(x)) values.push_back(x);
  }
  return values;
}

}  // namespace

class TestPointwise : public QObject {
  Q_OBJECT

 private slots:
  void accuracy_data();
  void accuracy();
  void specialValues();
  void tailsAndInPlace();
  void powers();
};

void TestPointwise::accuracy_data() {
  QTest::addColumn<int>("op");
  for (int op = 0; op < kOpCount; ++op) {
    if (vectorLoop(static_cast<PointwiseOp>(op)) != nullptr) QTest::addRow("%d", op) << op;
  }
}

void TestPointwise::accuracy() {
  QFETCH(int, op);
  const auto which = static_cast<PointwiseOp>(op);
  const PointwiseParameters parameters = parametersOf(which);
  const std::vector<float> x = samples();
  std::vector<float> y(x.size());
  vectorLoop(which)(x.data(), y.data(), static_cast<int64_t>(x.size()), parameters);
  // The 1 + erf and 1 + tanh of Gelu lose digits for negative numbers: there the error of the factor counts, an ulp of
  // 1 times |x|.
  const bool cancels = which == PointwiseOp::kGelu || which == PointwiseOp::kGeluTanh;
  double worst = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    const double wanted = pointwiseReference(which, x[i], parameters);
    const double asFloat = static_cast<double>(static_cast<float>(wanted));
    if (std::isnan(wanted) || std::isinf(asFloat)) {
      const bool same =
          std::isnan(wanted) ? std::isnan(y[i]) : (static_cast<double>(y[i]) == asFloat || std::fabs(y[i]) > 3.4e38f);
      QVERIFY2(same, qPrintable(QString("x = %1: %2, not %3").arg(x[i]).arg(y[i]).arg(wanted)));
      continue;
    }
    double unit = unitOfLastPlace(wanted);
    if (cancels) unit = std::max(unit, std::fabs(x[i]) * 6e-8);
    if (which == PointwiseOp::kHardSwish || which == PointwiseOp::kHardSigmoid)
      unit = std::max(unit, 6e-8 * std::max(1.0f, std::fabs(x[i])));  // a sum near zero
    // x times a factor that is subnormal itself: its steps count |x| times.
    if (which == PointwiseOp::kSwish || which == PointwiseOp::kMish) unit = std::max(unit, std::fabs(x[i]) * 1.5e-45);
    if (std::isinf(y[i]) && std::fabs(wanted) > 3.3e38) continue;
    worst = std::max(worst, std::fabs(static_cast<double>(y[i]) - wanted) / unit);
    QVERIFY2(worst <= allowedUlps(which), qPrintable(QString("x = %1: %2, not %3 (%4 ulp)")
                                                         .arg(x[i], 0, 'g', 9)
                                                         .arg(y[i], 0, 'g', 9)
                                                         .arg(wanted, 0, 'g', 12)
                                                         .arg(worst)));
  }
}

void TestPointwise::specialValues() {
  const float infinity = std::numeric_limits<float>::infinity();
  for (int op = 0; op < kOpCount; ++op) {
    const auto which = static_cast<PointwiseOp>(op);
    const PointwiseParameters parameters = parametersOf(which);
    for (const float x : {std::numeric_limits<float>::quiet_NaN(), infinity, -infinity, 0.0f, -0.0f}) {
      const double wanted = pointwiseReference(which, x, parameters);
      float y = 0;
      floatLoop(which)(&x, &y, 1, parameters);
      const bool same =
          std::isnan(wanted) ? std::isnan(y) : y == static_cast<float>(wanted) || std::fabs(y - wanted) < 1e-6;
      QVERIFY2(same, qPrintable(QString("operator %1 of %2: %3, not %4").arg(op).arg(x).arg(y).arg(wanted)));
    }
  }
}

void TestPointwise::tailsAndInPlace() {
  for (const PointwiseOp op : {PointwiseOp::kRelu, PointwiseOp::kSigmoid, PointwiseOp::kTanh, PointwiseOp::kExp}) {
    for (int64_t count = 0; count < 70; ++count) {
      std::vector<float> x(static_cast<size_t>(count) + 1, 99.0f);
      for (int64_t i = 0; i < count; ++i)
        x[static_cast<size_t>(i)] = 0.1f * static_cast<float>(i - 30);
      std::vector<float> apart = x;
      vectorLoop(op)(x.data(), apart.data(), count, {});
      for (int64_t i = 0; i < count; ++i)
        QVERIFY(std::fabs(apart[static_cast<size_t>(i)] - pointwiseReference(op, x[static_cast<size_t>(i)], {})) <
                1e-5);
      QCOMPARE(apart.back(), 99.0f);
      vectorLoop(op)(x.data(), x.data(), count, {});
      QVERIFY(x == apart);
    }
  }
}

// Every pair of ordinary and special bases and exponents, and random ones whose result is in range.
void TestPointwise::powers() {
  const float infinity = std::numeric_limits<float>::infinity();
  const std::vector<float> numbers = {0.0f,
                                      -0.0f,
                                      1,
                                      -1,
                                      2,
                                      -2,
                                      3,
                                      -3,
                                      0.5f,
                                      -0.5f,
                                      2.5f,
                                      -2.5f,
                                      1e-40f,
                                      -1e-40f,
                                      3e38f,
                                      -3e38f,
                                      1e20f,
                                      16777217.0f,
                                      -16777215.0f,
                                      1.0000001f,
                                      0.9999999f,
                                      127,
                                      -149,
                                      infinity,
                                      -infinity,
                                      std::numeric_limits<float>::quiet_NaN()};
  std::vector<float> bases, exponents;
  for (const float x : numbers) {
    for (const float y : numbers) {
      bases.push_back(x);
      exponents.push_back(y);
    }
  }
  std::mt19937 random(3);
  std::uniform_real_distribution<float> logarithm(-20, 20), exponent(-6, 6);
  for (int i = 0; i < 20003; ++i) {
    bases.push_back(std::exp(logarithm(random)));
    exponents.push_back(exponent(random));
  }
  std::vector<float> result(bases.size());
  vectorPower(bases.data(), exponents.data(), result.data(), static_cast<int64_t>(bases.size()), 1, 1);
  const auto check = [](float base, float power, float y) {
    const double wanted = std::pow(static_cast<double>(base), static_cast<double>(power));
    const float asFloat = static_cast<float>(wanted);
    const bool same = std::isnan(wanted) ? std::isnan(y)
                                         : (std::isinf(asFloat) || wanted == 0
                                                ? y == asFloat && std::signbit(y) == std::signbit(asFloat)
                                                : std::fabs(y - wanted) <= unitOfLastPlace(wanted));
    QVERIFY2(same, qPrintable(QString("%1 ^ %2: %3, not %4")
                                  .arg(base, 0, 'g', 9)
                                  .arg(power, 0, 'g', 9)
                                  .arg(y, 0, 'g', 9)
                                  .arg(wanted, 0, 'g', 12)));
  };
  for (size_t i = 0; i < bases.size(); ++i)
    check(bases[i], exponents[i], result[i]);
  const int64_t few = 677;
  vectorPower(bases.data() + 700, exponents.data() + 700, result.data(), few, 1, 0);
  for (size_t i = 0; i < few; ++i)
    check(bases[700 + i], exponents[700], result[i]);
  vectorPower(bases.data() + 700, exponents.data() + 700, result.data(), few, 0, 1);
  for (size_t i = 0; i < few; ++i)
    check(bases[700], exponents[700 + i], result[i]);
}

QTEST_GUILESS_MAIN(TestPointwise)
#include "tst_pointwise.moc"
