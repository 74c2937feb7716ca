// Six-bit floats: the packed form against the bits written out one by one, and every code's value.

#include <array>
#include <cmath>
#include <vector>

#include <QtTest>

#include "engine/tensor/narrow_float.h"
#include "engine/tensor/six_bit_float.h"

using namespace cutaway;

class TestSixBitFloat : public QObject {
  Q_OBJECT

 private slots:
  void packing() {
    for (int64_t count = 0; count < 12; ++count) {
      std::vector<uint8_t> codes(static_cast<size_t>(count));
      std::vector<uint8_t> expected(static_cast<size_t>((6 * count + 7) / 8), 0);
      for (int64_t i = 0; i < count; ++i) {
        codes[static_cast<size_t>(i)] = static_cast<uint8_t>((i * 37 + 11) & 0x3F);
        for (int64_t bit = 0; bit < 6; ++bit) {
          const int64_t place = 6 * i + bit;
          if ((codes[static_cast<size_t>(i)] >> bit & 1) != 0)
            expected[static_cast<size_t>(place / 8)] =
                static_cast<uint8_t>(expected[static_cast<size_t>(place / 8)] | 1 << place % 8);
        }
      }
      QCOMPARE(sixBitFileBytes(count), static_cast<int64_t>(expected.size()));
      std::vector<uint8_t> packed(expected.size(), 0xAA);
      packSixBits(codes.data(), packed.data(), count);
      QVERIFY(packed == expected);
      std::vector<uint8_t> back(codes.size());
      unpackSixBits(packed.data(), back.data(), count);
      QVERIFY(back == codes);
    }
  }

  void values() {
    // 2 exponent bits, bias 1, 3 of mantissa; 3 exponent bits, bias 3, 2 of mantissa; no infinities, no NaN.
    for (int code = 0; code < 64; ++code) {
      const double sign = code >= 32 ? -1 : 1;
      const int m3 = code & 7, e2 = code >> 3 & 3, m2 = code & 3, e3 = code >> 2 & 7;
      const double first = e2 == 0 ? m3 / 8.0 : std::ldexp(1 + m3 / 8.0, e2 - 1);
      const double second = e3 == 0 ? std::ldexp(m2 / 4.0, -2) : std::ldexp(1 + m2 / 4.0, e3 - 3);
      QCOMPARE(static_cast<double>(narrowToFloat(kFloat6E2M3, static_cast<uint8_t>(code))), sign * first);
      QCOMPARE(static_cast<double>(narrowToFloat(kFloat6E3M2, static_cast<uint8_t>(code))), sign * second);
      QCOMPARE(static_cast<int>(floatToNarrow(kFloat6E2M3, static_cast<float>(sign * first), true)), code);
      QCOMPARE(static_cast<int>(floatToNarrow(kFloat6E3M2, static_cast<float>(sign * second), true)), code);
    }
    QCOMPARE(narrowToFloat(kFloat6E2M3, floatToNarrow(kFloat6E2M3, 100.0f, true)), 7.5f);
    QCOMPARE(narrowToFloat(kFloat6E3M2, floatToNarrow(kFloat6E3M2, -1e9f, true)), -28.0f);
  }
};

QTEST_GUILESS_MAIN(TestSixBitFloat)
#include "tst_six_bit_float.moc"
