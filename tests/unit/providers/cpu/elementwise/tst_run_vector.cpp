// Vector loops that classify, truncate and select, against plain ones, over every tail length and in place.

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include <QTest>

#include "providers/cpu/kernels/elementwise/run_vector.h"

using namespace cutaway::cpu;

namespace {

// Ordinary numbers, with what conversions stumble over among them.
std::vector<float> mixedNumbers(size_t count) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const float odd[] = {std::nanf(""),  kInfinity,      -kInfinity,    -0.0f, 2147483520.0f, 2147483648.0f,
                       -2147483648.0f, -2147483904.0f, 4294967296.0f, 1e15f, -1e15f,        9.3e18f,
                       -9.3e18f,       1e30f,          255.9f,        -0.9f};
  std::mt19937 random(1);
  std::vector<float> numbers(count);
  for (float& number : numbers)
    number = random() % 8 == 0 ? odd[random() % std::size(odd)]
                               : static_cast<float>(static_cast<int32_t>(random())) / 3000.0f;
  return numbers;
}

template <typename T>
void compareTruncation(const std::vector<float>& x) {
  for (size_t count = 0; count < x.size(); ++count) {
    std::vector<T> y(count + 1, T{77});
    vectorTruncate<T>(x.data(), y.data(), static_cast<int64_t>(count));
    for (size_t i = 0; i < count; ++i) {
      const bool fits = x[i] >= -9223372036854775808.0f && x[i] < 9223372036854775808.0f;
      QCOMPARE(y[i], fits ? static_cast<T>(static_cast<int64_t>(x[i])) : T{0});
    }
    QCOMPARE(y[count], T{77});
  }
}

template <typename T>
void compareSelection() {
  std::mt19937 random(2);
  for (size_t count = 1; count < 150; ++count) {
    std::vector<uint8_t> condition(count);
    std::vector<T> x(count), y(count);
    for (size_t i = 0; i < count; ++i) {
      condition[i] = static_cast<uint8_t>(random() % 3);
      x[i] = static_cast<T>(random());
      y[i] = static_cast<T>(random());
    }
    for (const int xStep : {0, 1}) {
      for (const int yStep : {0, 1}) {
        std::vector<T> wanted(count), got(count);
        for (size_t i = 0; i < count; ++i)
          wanted[i] = condition[i] != 0 ? x[i * static_cast<size_t>(xStep)] : y[i * static_cast<size_t>(yStep)];
        vectorSelect<T>(condition.data(), x.data(), y.data(), got.data(), static_cast<int64_t>(count), xStep, yStep);
        QVERIFY(got == wanted);
        if (xStep == 1) {
          got = x;
          vectorSelect<T>(condition.data(), got.data(), y.data(), got.data(), static_cast<int64_t>(count), xStep,
                          yStep);
          QVERIFY(got == wanted);
        }
      }
    }
  }
}

}  // namespace

class TestRunVector : public QObject {
  Q_OBJECT

 private slots:
  void classes();
  void truncation();
  void selection();
};

void TestRunVector::classes() {
  const std::vector<float> x = mixedNumbers(150);
  for (const bool nan : {false, true}) {
    for (const bool high : {false, true}) {
      for (const bool low : {false, true}) {
        std::vector<uint8_t> y(x.size() + 1, 9);
        vectorClassify(x.data(), y.data(), static_cast<int64_t>(x.size()), nan, high, low);
        for (size_t i = 0; i < x.size(); ++i)
          QCOMPARE(bool{y[i] != 0}, (nan && std::isnan(x[i])) || (std::isinf(x[i]) && (x[i] > 0 ? high : low)));
        for (size_t i = 0; i < x.size(); ++i)
          QVERIFY(y[i] <= 1);
        QCOMPARE(y.back(), uint8_t{9});
      }
    }
  }
}

void TestRunVector::truncation() {
  const std::vector<float> x = mixedNumbers(150);
  compareTruncation<int8_t>(x);
  compareTruncation<uint8_t>(x);
  compareTruncation<int16_t>(x);
  compareTruncation<uint16_t>(x);
  compareTruncation<int32_t>(x);
  compareTruncation<uint32_t>(x);
}

void TestRunVector::selection() {
  compareSelection<uint8_t>();
  compareSelection<uint16_t>();
  compareSelection<uint32_t>();
  compareSelection<uint64_t>();
}

QTEST_GUILESS_MAIN(TestRunVector)
#include "tst_run_vector.moc"
