// Operators with two or more operands against brute-force broadcasting in double, over many shapes and every element
// type.

#include <cmath>
#include <functional>
#include <random>

#include <QTest>

#include "providers/cpu/kernels/type_dispatch.h"
#include "tests/unit/providers/cpu/elementwise/operator_call.h"

using namespace cutaway;

namespace {

using Shape64 = std::vector<int64_t>;
struct ShapePair {
  Shape64 a;
  Shape64 b;
};

const std::vector<ShapePair> kShapes{{{}, {}},
                                     {{1}, {}},
                                     {{7}, {7}},
                                     {{3, 5}, {3, 5}},
                                     {{3, 5}, {1}},
                                     {{1}, {3, 5}},
                                     {{3, 5}, {5}},
                                     {{3, 1}, {1, 5}},
                                     {{2, 3, 4}, {3, 1}},
                                     {{2, 3, 4}, {2, 1, 4}},
                                     {{2, 1, 4}, {1, 3, 1}},
                                     {{2, 3, 4, 5}, {3, 1, 1}},
                                     {{0, 3}, {1, 3}},
                                     {{4, 1, 3, 1}, {2, 1, 5}},
                                     {{5, 300}, {300}},
                                     {{5, 300}, {5, 1}},
                                     {{10000}, {10000}},
                                     {{2, 3, 1, 5, 1}, {3, 4, 1, 6}}};

Shape64 broadcastShape(const Shape64& a, const Shape64& b) {
  Shape64 result(std::max(a.size(), b.size()), 1);
  for (size_t back = 0; back < result.size(); ++back) {
    const int64_t left = back < a.size() ? a[a.size() - 1 - back] : 1;
    const int64_t right = back < b.size() ? b[b.size() - 1 - back] : 1;
    result[result.size() - 1 - back] = left == 1 ? right : left;
  }
  return result;
}

// Position in an operand of a position in the result.
int64_t sourceIndex(int64_t index, const Shape64& result, const Shape64& operand) {
  int64_t source = 0;
  int64_t stride = 1;
  for (size_t back = 0; back < result.size(); ++back) {
    const int64_t at = index % result[result.size() - 1 - back];
    index /= result[result.size() - 1 - back];
    if (back >= operand.size()) continue;
    const int64_t extent = operand[operand.size() - 1 - back];
    if (extent != 1) source += at * stride;
    stride *= extent;
  }
  return source;
}

template <typename T>
Tensor randomTensor(const Shape64& dims, uint32_t seed, double low, double high) {
  Tensor tensor = *Tensor::create(ElementTypeOf<T>::value, dims);
  std::mt19937 random(seed);
  for (T& element : tensor.span<T>()) {
    const double value = low + (high - low) * (random() % 10001) / 10000.0;
    if constexpr (std::is_same_v<T, bool>) {
      element = value > (low + high) / 2;
    } else {
      element = cpu::narrow<T>(static_cast<cpu::Computed<T>>(value));
    }
  }
  return tensor;
}

using Function = std::function<double(double, double)>;

template <typename T, typename Y = T>
void check(const char* opType, const Function& function, double low, double high, double tolerance,
           std::vector<Attribute> attributes = {}) {
  for (const ShapePair& shapes : kShapes) {
    const Tensor a = randomTensor<T>(shapes.a, 1, low, high);
    const Tensor b = randomTensor<T>(shapes.b, 2, low, high);
    const Tensor y = callOperator({.opType = opType, .attributes = attributes}, {a, b});
    const Shape64 wanted = broadcastShape(shapes.a, shapes.b);
    QVERIFY2(y.valid() && y.dims() == Dims(wanted), opType);
    QCOMPARE(y.type(), ElementTypeOf<Y>::value);
    const auto result = y.span<Y>();
    for (size_t i = 0; i < result.size(); ++i) {
      const double left =
          cpu::widen(a.span<T>()[static_cast<size_t>(sourceIndex(static_cast<int64_t>(i), wanted, shapes.a))]);
      const double right =
          cpu::widen(b.span<T>()[static_cast<size_t>(sourceIndex(static_cast<int64_t>(i), wanted, shapes.b))]);
      const double expected = function(left, right);
      const double got = static_cast<double>(cpu::widen(result[i]));
      if (std::isnan(expected) && std::isnan(got)) continue;
      QVERIFY2(
          std::fabs(got - expected) <= tolerance * std::max(1.0, std::fabs(expected)),
          qPrintable(QString("%1 of %2 and %3 is %4, not %5").arg(opType).arg(left).arg(right).arg(got).arg(expected)));
    }
  }
}

template <typename T>
void checkArithmetic(double tolerance) {
  const double low = std::is_unsigned_v<T> ? 1 : -9;
  check<T>("Add", [](double a, double b) { return a + b; }, low, 11, tolerance);
  check<T>("Mul", [](double a, double b) { return a * b; }, low, 11, tolerance);
  check<T>("Max", [](double a, double b) { return std::fmax(a, b); }, low, 11, 0);
  check<T>("Min", [](double a, double b) { return std::fmin(a, b); }, low, 11, 0);
  check<T, bool>("Less", [](double a, double b) { return a < b; }, low, 11, 0);
  check<T, bool>("Greater", [](double a, double b) { return a > b; }, low, 11, 0);
  check<T, bool>("LessOrEqual", [](double a, double b) { return a <= b; }, low, 11, 0);
  check<T, bool>("GreaterOrEqual", [](double a, double b) { return a >= b; }, low, 11, 0);
  check<T, bool>("Equal", [](double a, double b) { return a == b; }, low, 11, 0);
  if constexpr (std::is_integral_v<T>) {
    check<T>("Div", [](double a, double b) { return std::trunc(a / b); }, 1, 100, 0);
    check<T>("Mod", [](double a, double b) { return a - std::floor(a / b) * b; }, 1, 100, 0);
  } else {
    check<T>("Sub", [](double a, double b) { return a - b; }, low, 11, tolerance);
    check<T>("Div", [](double a, double b) { return a / b; }, 1, 100, tolerance);
    check<T>("Mod", [](double a, double b) { return std::fmod(a, b); }, 1, 100, tolerance, {{"fmod", int64_t{1}}});
    check<T>("Pow", [](double a, double b) { return std::pow(a, b); }, 0.5, 3, 3 * tolerance);
    check<T>("Sum", [](double a, double b) { return a + b; }, low, 11, tolerance);
    check<T>("Mean", [](double a, double b) { return (a + b) / 2; }, low, 11, 2 * tolerance);
  }
}

}  // namespace

class TestBroadcasting : public QObject {
  Q_OBJECT

 private slots:
  void floats() { checkArithmetic<float>(1e-6); }
  void doubles() { checkArithmetic<double>(1e-14); }
  void halves() { checkArithmetic<Float16>(1e-3); }
  void brainHalves() { checkArithmetic<Bfloat16>(8e-3); }
  void integers();
  void logic();
  void where();
  void manyOperands();
  void legacyAxis();
  void shapesThatDoNotFit();
  void nanWins();
};

void TestBroadcasting::integers() {
  checkArithmetic<int8_t>(0);
  checkArithmetic<uint8_t>(0);
  checkArithmetic<int16_t>(0);
  checkArithmetic<uint16_t>(0);
  checkArithmetic<int32_t>(0);
  checkArithmetic<uint32_t>(0);
  checkArithmetic<int64_t>(0);
  checkArithmetic<uint64_t>(0);
}

void TestBroadcasting::logic() {
  check<bool>("And", [](double a, double b) { return a != 0 && b != 0; }, 0, 1, 0);
  check<bool>("Or", [](double a, double b) { return a != 0 || b != 0; }, 0, 1, 0);
  check<bool>("Xor", [](double a, double b) { return a != b; }, 0, 1, 0);
  check<bool>("Equal", [](double a, double b) { return a == b; }, 0, 1, 0);
}

void TestBroadcasting::where() {
  const Shape64 conditionDims{3, 1, 5};
  const Shape64 xDims{4, 1};
  const Shape64 yDims{5};
  const Shape64 wanted{3, 4, 5};
  const Tensor condition = randomTensor<bool>(conditionDims, 3, 0, 1);
  const Tensor x = randomTensor<int16_t>(xDims, 4, -100, 100);
  const Tensor y = randomTensor<int16_t>(yDims, 5, -100, 100);
  const Tensor result = callOperator({.opType = "Where"}, {condition, x, y});
  QVERIFY(result.dims() == Dims(wanted));
  for (int64_t i = 0; i < 60; ++i) {
    const bool chosen = condition.span<bool>()[static_cast<size_t>(sourceIndex(i, wanted, conditionDims))];
    const int16_t expected = chosen ? x.span<int16_t>()[static_cast<size_t>(sourceIndex(i, wanted, xDims))]
                                    : y.span<int16_t>()[static_cast<size_t>(sourceIndex(i, wanted, yDims))];
    QCOMPARE(result.span<int16_t>()[static_cast<size_t>(i)], expected);
  }
  const Tensor words = callOperator(
      {.opType = "Where"},
      {tensorOf<bool>({2}, {true, false}), tensorOf<std::string>({2}, {"a", "b"}), tensorOf<std::string>({1}, {"z"})});
  QCOMPARE(valuesOf<std::string>(words), (std::vector<std::string>{"a", "z"}));
}

void TestBroadcasting::manyOperands() {
  const Tensor a = tensorOf<float>({2, 1}, {1, 2});
  const Tensor b = tensorOf<float>({3}, {10, 20, 30});
  const Tensor c = tensorOf<float>({}, {100});
  QCOMPARE(valuesOf<float>(callOperator({.opType = "Sum"}, {a, b, c})),
           (std::vector<float>{111, 121, 131, 112, 122, 132}));
  QCOMPARE(valuesOf<float>(callOperator({.opType = "Mean"}, {c, a, b})),
           (std::vector<float>{37, 121.0f / 3, 131.0f / 3, 112.0f / 3, 122.0f / 3, 44}));
  QCOMPARE(valuesOf<float>(callOperator({.opType = "Max"}, {a})), (std::vector<float>{1, 2}));
}

void TestBroadcasting::legacyAxis() {
  const Tensor a = tensorOf<float>({2, 3, 2}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
  const Tensor b = tensorOf<float>({3}, {100, 200, 300});
  const Tensor y = callOperator(
      {.opType = "Add", .version = 6, .attributes = {{"broadcast", int64_t{1}}, {"axis", int64_t{1}}}}, {a, b});
  QCOMPARE(valuesOf<float>(y), (std::vector<float>{100, 101, 202, 203, 304, 305, 106, 107, 208, 209, 310, 311}));
  QVERIFY(!tryOperator({.opType = "Add", .version = 6}, {a, b}));  // not asked for
}

void TestBroadcasting::shapesThatDoNotFit() {
  const auto result =
      tryOperator({.opType = "Add", .version = 6, .attributes = {{"broadcast", int64_t{1}}, {"axis", int64_t{5}}}},
                  {tensorOf<float>({2, 3}, {1, 2, 3, 4, 5, 6}), tensorOf<float>({3}, {1, 2, 3})});
  QVERIFY(!result);
}

void TestBroadcasting::nanWins() {
  const float nan = std::nanf("");
  const Tensor y =
      callOperator({.opType = "Max"}, {tensorOf<float>({3}, {nan, 1, 2}), tensorOf<float>({3}, {1, nan, 3})});
  QVERIFY(std::isnan(y.span<float>()[0]) && std::isnan(y.span<float>()[1]) && y.span<float>()[2] == 3);
}

QTEST_GUILESS_MAIN(TestBroadcasting)
#include "tst_broadcasting.moc"
