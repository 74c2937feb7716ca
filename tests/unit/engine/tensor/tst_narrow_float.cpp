// The expected values are computed another way than the code does it: codes are decoded by the textbook formula in
// double precision, and encoding is a search for the nearest code.

#include <bit>
#include <cmath>
#include <random>
#include <vector>

#include <QtTest/QtTest>

#include "engine/tensor/narrow_float.h"

using namespace cutaway;

namespace {

struct Kind {
  ElementType type;
  int exponentBits, mantissaBits, bias;
  bool hasInfinity;  // as IEEE 754
  bool fnuz;         // only NaN is the code of -0
  bool hasNan;
};

constexpr Kind kKinds[] = {
    {ElementType::kFloat8E4M3FN, 4, 3, 7, false, false, true},
    {ElementType::kFloat8E4M3FNUZ, 4, 3, 8, false, true, true},
    {ElementType::kFloat8E5M2, 5, 2, 15, true, false, true},
    {ElementType::kFloat8E5M2FNUZ, 5, 2, 16, false, true, true},
    {ElementType::kFloat4E2M1, 2, 1, 1, false, false, false},
};

int codeCount(const Kind& kind) {
  return 1 << (1 + kind.exponentBits + kind.mantissaBits);
}

double formula(const Kind& kind, int code) {
  const int signBit = codeCount(kind) / 2;
  const double sign = code & signBit ? -1.0 : 1.0;
  const int exponent = (code & (signBit - 1)) >> kind.mantissaBits;
  const int mantissa = code & ((1 << kind.mantissaBits) - 1);
  const int top = (1 << kind.exponentBits) - 1;
  if (kind.fnuz && code == signBit) return std::nan("");
  if (kind.hasInfinity && exponent == top) return mantissa == 0 ? sign * INFINITY : std::nan("");
  if (kind.hasNan && !kind.fnuz && !kind.hasInfinity && exponent == top && mantissa == (1 << kind.mantissaBits) - 1)
    return std::nan("");
  const double fraction = std::pow(2.0, -kind.mantissaBits) * mantissa;
  return sign * (exponent == 0 ? std::pow(2.0, 1 - kind.bias) * fraction
                               : std::pow(2.0, exponent - kind.bias) * (1 + fraction));
}

double largest(const Kind& kind) {
  double best = 0;
  for (int code = 0; code < codeCount(kind); ++code) {
    if (std::isfinite(formula(kind, code))) best = std::max(best, formula(kind, code));
  }
  return best;
}

// Nearest finite value, ties to the even code. The first value that the exponent range would give above the largest one
// counts as "too large".
double nearest(const Kind& kind, double value, bool& tooLarge) {
  const double magnitude = std::fabs(value);
  const double top = largest(kind);
  const double step = top - formula(kind, [&] {
                        int below = 0;
                        for (int code = 0; code < codeCount(kind) / 2; ++code) {
                          if (formula(kind, code) < top && formula(kind, code) > formula(kind, below)) below = code;
                        }
                        return below;
                      }());
  int topCode = 0;
  while (formula(kind, topCode) != top)
    ++topCode;
  // Halfway to the next step: up when the largest code is odd.
  tooLarge = magnitude > top + step / 2 || (magnitude == top + step / 2 && topCode % 2 == 1);
  int best = 0;
  for (int code = 0; code < codeCount(kind) / 2; ++code) {
    const double candidate = formula(kind, code);
    if (!std::isfinite(candidate)) continue;
    const double target = std::min(magnitude, top);  // far above, differences would round to nothing
    const double distance = std::fabs(candidate - target);
    const double bestDistance = std::fabs(formula(kind, best) - target);
    if (distance < bestDistance || (distance == bestDistance && code % 2 == 0)) best = code;
  }
  return std::copysign(formula(kind, best), value);
}

std::vector<float> interestingFloats() {
  std::vector<float> values = {0.0f, 1e-45f, 1.17549e-38f, 1e30f, 3.4e38f, 0.25f,   0.75f,    1.25f,    1.75f, 2.5f,
                               3.5f, 5.0f,   5.0000005f,   7.0f,  464.0f,  464.01f, 61440.0f, 61439.9f, 248.0f};
  for (const Kind& kind : kKinds) {
    for (int code = 0; code + 1 < codeCount(kind) / 2; ++code) {
      const double low = formula(kind, code);
      const double high = formula(kind, code + 1);
      if (!std::isfinite(low) || !std::isfinite(high)) continue;
      const auto middle = static_cast<float>((low + high) / 2);
      for (const float value :
           {static_cast<float>(low), middle, std::nextafter(middle, 0.0f), std::nextafter(middle, INFINITY)})
        values.push_back(value);
    }
  }
  std::mt19937 random(7);
  for (int i = 0; i < 3000; ++i) {
    const float value = std::bit_cast<float>(static_cast<uint32_t>(random()));
    if (std::isfinite(value)) values.push_back(value);
  }
  std::uniform_real_distribution<float> small(0.0f, 600.0f);
  for (int i = 0; i < 1000; ++i)
    values.push_back(small(random));
  const size_t count = values.size();
  for (size_t i = 0; i < count; ++i)
    values.push_back(-values[i]);
  return values;
}

// Half precision by formula, and rounding by arithmetic instead of bits: adding and taking away a power of two rounds
// in the processor.
double halfFormula(uint16_t bits) {
  const double sign = bits & 0x8000 ? -1 : 1;
  const int exponent = bits >> 10 & 31;
  const int mantissa = bits & 1023;
  if (exponent == 31) return mantissa == 0 ? sign * INFINITY : std::nan("");
  return sign * (exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(1024 + mantissa, exponent - 25));
}

double halfRounded(float value) {
  if (!std::isfinite(value)) return value;
  int exponent = 0;
  std::frexp(value, &exponent);
  const double quantum = std::ldexp(1.0, std::max(exponent - 11, -24));
  const double rounded = std::nearbyint(value / quantum) * quantum;
  return std::fabs(rounded) > 65504 ? std::copysign(INFINITY, value) : std::copysign(rounded, value);
}

bool same(double a, double b) {
  return std::isnan(a) ? std::isnan(b) : a == b && std::signbit(a) == std::signbit(b);
}

}  // namespace

class TestNarrowFloat : public QObject {
  Q_OBJECT

 private slots:
  void everyCodeDecodesByFormula() {
    for (const Kind& kind : kKinds) {
      for (int code = 0; code < codeCount(kind); ++code) {
        const float value = narrowToFloat(kind.type, static_cast<uint8_t>(code));
        QVERIFY2(same(value, formula(kind, code)),
                 qPrintable(QString("kind %1 code %2: %3").arg(static_cast<int>(kind.type)).arg(code).arg(value)));
      }
    }
    for (int code = 0; code < 255; ++code)
      QCOMPARE(static_cast<double>(narrowToFloat(ElementType::kFloat8E8M0, static_cast<uint8_t>(code))),
               std::pow(2.0, code - 127));
    QVERIFY(std::isnan(narrowToFloat(ElementType::kFloat8E8M0, 255)));
  }

  void everyValueSurvivesARoundTrip() {
    for (const Kind& kind : kKinds) {
      for (int code = 0; code < codeCount(kind); ++code) {
        const double value = formula(kind, code);
        if (!std::isfinite(value)) continue;
        for (const bool saturate : {true, false})
          QCOMPARE(static_cast<int>(floatToNarrow(kind.type, static_cast<float>(value), saturate)), code);
      }
    }
  }

  void encodingFindsTheNearest() {
    const std::vector<float> values = interestingFloats();
    for (const Kind& kind : kKinds) {
      for (const float value : values) {
        bool tooLarge = false;
        const double expected = nearest(kind, value, tooLarge);
        const float clamped = narrowToFloat(kind.type, floatToNarrow(kind.type, value, true));
        const double expectedSign = kind.fnuz && expected == 0 ? 0.0 : expected;
        QVERIFY2(same(clamped, expectedSign), qPrintable(QString("kind %1 value %2: %3, not %4")
                                                             .arg(static_cast<int>(kind.type))
                                                             .arg(value, 0, 'g', 9)
                                                             .arg(clamped)
                                                             .arg(expected)));
        const float open = narrowToFloat(kind.type, floatToNarrow(kind.type, value, false));
        if (tooLarge && kind.hasNan) {
          QVERIFY(kind.hasInfinity ? same(open, std::copysign(INFINITY, value)) : std::isnan(open));
        } else {
          QVERIFY(same(open, expectedSign));
        }
      }
    }
  }

  // The tables of the Cast operator.
  void specialValues() {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    for (const Kind& kind : kKinds) {
      const auto top = static_cast<float>(largest(kind));
      const auto cast = [&](float value, bool saturate) {
        return narrowToFloat(kind.type, floatToNarrow(kind.type, value, saturate));
      };
      QCOMPARE(cast(INFINITY, true), top);
      QCOMPARE(cast(-INFINITY, true), -top);
      QVERIFY(same(cast(-0.0f, true), kind.fnuz ? 0.0 : -0.0));
      if (!kind.hasNan) continue;
      QVERIFY(std::isnan(cast(nan, true)) && std::isnan(cast(nan, false)) && std::isnan(cast(-nan, true)));
      QVERIFY(kind.hasInfinity ? cast(-INFINITY, false) == -INFINITY : std::isnan(cast(-INFINITY, false)));
    }
    // From ONNX's conformance data.
    QCOMPARE(static_cast<int>(floatToNarrow(ElementType::kFloat4E2M1, nan, true)), 8);
  }

  void scalesRound_data() {
    QTest::addColumn<float>("value");
    QTest::addColumn<int>("up");
    QTest::addColumn<int>("down");
    QTest::addColumn<int>("nearest");
    QTest::addColumn<int>("open");  // nearest without saturation
    QTest::newRow("one") << 1.0f << 127 << 127 << 127 << 127;
    QTest::newRow("below the middle") << 1.4f << 128 << 127 << 127 << 127;
    QTest::newRow("the middle goes up") << 1.5f << 128 << 127 << 128 << 128;
    QTest::newRow("above the middle") << 1.6f << 128 << 127 << 128 << 128;
    QTest::newRow("smallest") << 0x1p-127f << 0 << 0 << 0 << 0;
    QTest::newRow("just above the smallest") << 0x1.1p-127f << 1 << 0 << 0 << 0;
    QTest::newRow("nearer to the next") << 0x1.8p-127f << 1 << 0 << 1 << 1;
    QTest::newRow("below the smallest") << 0x1p-128f << 0 << 0 << 0 << 255;
    QTest::newRow("zero") << 0.0f << 0 << 0 << 0 << 255;
    QTest::newRow("largest") << 0x1p127f << 254 << 254 << 254 << 254;
    QTest::newRow("above the largest") << 0x1.8p127f << 254 << 254 << 254 << 255;
    QTest::newRow("slightly above the largest") << 0x1.1p127f << 254 << 254 << 254 << 254;
    QTest::newRow("infinity") << INFINITY << 254 << 254 << 254 << 255;
    QTest::newRow("nan") << std::nanf("") << 255 << 255 << 255 << 255;
  }
  void scalesRound() {
    QFETCH(float, value);
    QFETCH(int, up);
    QFETCH(int, down);
    QFETCH(int, nearest);
    QFETCH(int, open);
    QCOMPARE(static_cast<int>(floatToScale(value, ScaleRounding::kUp, true)), up);
    QCOMPARE(static_cast<int>(floatToNarrow(ElementType::kFloat8E8M0, value, true)), up);
    QCOMPARE(static_cast<int>(floatToScale(value, ScaleRounding::kDown, true)), down);
    QCOMPARE(static_cast<int>(floatToScale(value, ScaleRounding::kNearest, true)), nearest);
    QCOMPARE(static_cast<int>(floatToScale(value, ScaleRounding::kNearest, false)), open);
  }

  void halves() {
    for (uint32_t bits = 0; bits < 65536; ++bits) {
      const Float16 half{static_cast<uint16_t>(bits)};
      QVERIFY(same(half.toFloat(), halfFormula(half.bits)));
      if (!std::isnan(half.toFloat())) QCOMPARE(Float16::fromFloat(half.toFloat()).bits, half.bits);
    }
    std::vector<float> values = interestingFloats();
    for (uint32_t bits = 0; bits < 0x7C00; ++bits) {
      const auto middle =
          static_cast<float>((halfFormula(static_cast<uint16_t>(bits)) +
                              (bits == 0x7BFF ? 65536.0 : halfFormula(static_cast<uint16_t>(bits + 1)))) /
                             2);
      for (const float value : {middle, std::nextafter(middle, 0.0f), std::nextafter(middle, INFINITY)})
        values.push_back(-value), values.push_back(value);
    }
    for (const float value : values) {
      QVERIFY2(same(Float16::fromFloat(value).toFloat(), halfRounded(value)),
               qPrintable(QString::number(value, 'g', 9)));
    }
  }

  void bfloats() {
    for (uint32_t bits = 0; bits < 65536; ++bits) {
      const Bfloat16 value{static_cast<uint16_t>(bits)};
      QCOMPARE(std::bit_cast<uint32_t>(value.toFloat()), bits << 16);
      if (!std::isnan(value.toFloat())) QCOMPARE(Bfloat16::fromFloat(value.toFloat()).bits, value.bits);
      if (!std::isfinite(value.toFloat())) continue;
      // Halfway to the next code goes to the even one, a little more up, a little less down.
      const auto up = static_cast<uint16_t>(bits + 1);
      QCOMPARE(Bfloat16::fromFloat(std::bit_cast<float>((bits << 16) + 0x8000)).bits, bits % 2 == 0 ? value.bits : up);
      QCOMPARE(Bfloat16::fromFloat(std::bit_cast<float>((bits << 16) + 0x8001)).bits, up);
      QCOMPARE(Bfloat16::fromFloat(std::bit_cast<float>((bits << 16) + 0x7FFF)).bits, value.bits);
    }
    QVERIFY(std::isnan(Bfloat16::fromFloat(std::bit_cast<float>(0x7F800001u)).toFloat()));
    QVERIFY(std::isnan(Bfloat16::fromFloat(std::bit_cast<float>(0xFFFFFFFFu)).toFloat()));
  }

  // The fast path against one element at a time, bit by bit, at every length around its step.
  void runsAgreeWithSingleElements() {
    std::vector<Float16> halves(65536);
    for (size_t i = 0; i < halves.size(); ++i)
      halves[i].bits = static_cast<uint16_t>(i);
    std::vector<float> floats(halves.size());
    halfToFloat(halves.data(), floats.data(), static_cast<int64_t>(halves.size()));
    for (size_t i = 0; i < halves.size(); ++i)
      QCOMPARE(std::bit_cast<uint32_t>(floats[i]), std::bit_cast<uint32_t>(halves[i].toFloat()));

    std::vector<float> values = interestingFloats();
    for (const uint32_t bits : {0x7F800000u, 0xFF800000u, 0x7FC00000u, 0x7F800001u, 0xFFFFFFFFu, 0x7FA12345u})
      values.push_back(std::bit_cast<float>(bits));
    std::vector<Float16> back(values.size());
    floatToHalf(values.data(), back.data(), static_cast<int64_t>(values.size()));
    for (size_t i = 0; i < values.size(); ++i)
      QCOMPARE(back[i].bits, Float16::fromFloat(values[i]).bits);
    for (size_t length = 0; length < 20; ++length) {
      std::vector<float> guarded(length + 1, 42.0f);
      halfToFloat(halves.data() + 15000, guarded.data(), static_cast<int64_t>(length));
      QCOMPARE(guarded[length], 42.0f);
      for (size_t i = 0; i < length; ++i)
        QCOMPARE(guarded[i], halves[15000 + i].toFloat());
    }
  }
};

QTEST_GUILESS_MAIN(TestNarrowFloat)
#include "tst_narrow_float.moc"
