// Cast between kinds of numbers and text; every pair of types exists; runs longer than a block; unused bits of packed
// types.

#include <cmath>
#include <limits>

#include <QTest>

#include "tests/unit/providers/cpu/elementwise/operator_call.h"

using namespace cutaway;

namespace {

Tensor cast(const Tensor& x, ElementType to, std::vector<Attribute> attributes = {}) {
  attributes.push_back({"to", static_cast<int64_t>(to)});
  return callOperator({.opType = "Cast", .attributes = std::move(attributes)}, {x});
}

template <typename To, typename From>
std::vector<To> castValues(const std::vector<From>& values) {
  return valuesOf<To>(cast(tensorOf<From>({static_cast<int64_t>(values.size())}, values), ElementTypeOf<To>::value));
}

}  // namespace

class TestCast : public QObject {
  Q_OBJECT

 private slots:
  void numbers();
  void text();
  void halves();
  void packed();
  void everyPair();
  void longRuns();
  void bits();
};

void TestCast::numbers() {
  QCOMPARE((castValues<int32_t, float>({1.9f, -1.9f, 0.0f})), (std::vector<int32_t>{1, -1, 0}));
  QCOMPARE((castValues<int8_t, int16_t>({200, -129, 5})), (std::vector<int8_t>{-56, 127, 5}));
  QCOMPARE((castValues<uint8_t, float>({255.9f, -1.0f})), (std::vector<uint8_t>{255, 255}));
  QCOMPARE((castValues<bool, float>({0.0f, -0.0f, 0.25f, std::nanf("")})),
           (std::vector<bool>{false, false, true, true}));
  QCOMPARE((castValues<float, bool>({true, false})), (std::vector<float>{1, 0}));
  QCOMPARE((castValues<double, uint64_t>({std::numeric_limits<uint64_t>::max()})),
           (std::vector<double>{18446744073709551616.0}));
  QCOMPARE((castValues<uint64_t, double>({9.3e18})), (std::vector<uint64_t>{9300000000000000000u}));
  QCOMPARE((castValues<int64_t, float>({std::numeric_limits<float>::infinity()})),
           (std::vector<int64_t>{std::numeric_limits<int64_t>::min()}));
  QCOMPARE((castValues<int64_t, int32_t>({-7})), (std::vector<int64_t>{-7}));
  QCOMPARE((castValues<float, double>({1e300})), (std::vector<float>{std::numeric_limits<float>::infinity()}));
}

void TestCast::text() {
  QCOMPARE((castValues<std::string, float>({0.5f, -3.0f, 314.15926f, -INFINITY, NAN})),
           (std::vector<std::string>{"0.5", "-3", "314.15927", "-INF", "NaN"}));
  QCOMPARE((castValues<std::string, int64_t>({-42})), (std::vector<std::string>{"-42"}));
  QCOMPARE((castValues<float, std::string>({"3.14", "1e-5", "1E8", "+INF", "-inf", " 7 "})),
           (std::vector<float>{3.14f, 1e-5f, 1e8f, INFINITY, -INFINITY, 7}));
  QVERIFY(std::isnan((castValues<double, std::string>({"nan"}))[0]));
  QCOMPARE((castValues<double, std::string>({"1e999", "-1e-999"})), (std::vector<double>{INFINITY, 0}));
  QCOMPARE((castValues<int32_t, std::string>({"100", "100.5", "-3"})), (std::vector<int32_t>{100, 100, -3}));
  const auto wrong = tryOperator({.opType = "Cast", .attributes = {{"to", static_cast<int64_t>(ElementType::kFloat)}}},
                                 {tensorOf<std::string>({2}, {"1", "Hello"})});
  QVERIFY(!wrong);
  QVERIFY2(wrong.error().message.find("element 1") != std::string::npos, wrong.error().message.c_str());
}

void TestCast::halves() {
  // One rounding, not two: this double lies just above the middle of two halves, and float would put it on the middle.
  const double value = 1.0 + std::ldexp(1.0, -11) + std::ldexp(1.0, -40);
  const Tensor half = cast(tensorOf<double>({1}, {value}), ElementType::kFloat16);
  QCOMPARE(half.span<Float16>()[0].toFloat(), 1.0f + std::ldexp(1.0f, -10));
  const Tensor back =
      cast(cast(tensorOf<float>({3}, {1.5f, -0.1f, 70000.0f}), ElementType::kBfloat16), ElementType::kFloat);
  QCOMPARE(back.span<float>()[0], 1.5f);
  QVERIFY(std::fabs(back.span<float>()[1] + 0.1f) < 1e-3f);
}

void TestCast::packed() {
  const Tensor x = tensorOf<float>({5}, {-9, -8, 7, 8, 1});
  const Tensor packed = cast(x, ElementType::kInt4);
  QCOMPARE(packed.sizeBytes(), 3);
  const auto* bytes = static_cast<const uint8_t*>(packed.data());
  QCOMPARE(bytes[0], uint8_t{0x87});  // -9 keeps its low bits: 7
  QCOMPARE(bytes[1], uint8_t{0x87});
  QCOMPARE(bytes[2], uint8_t{0x01});
  QCOMPARE(valuesOf<int32_t>(cast(packed, ElementType::kInt32)), (std::vector<int32_t>{7, -8, 7, -8, 1}));
  QCOMPARE(valuesOf<int32_t>(cast(cast(x, ElementType::kUint2), ElementType::kInt32)),
           (std::vector<int32_t>{3, 0, 3, 0, 1}));
  QCOMPARE(valuesOf<float>(cast(cast(tensorOf<float>({4}, {0.3f, 3, 1.1f, 1}), ElementType::kFloat8E8M0,
                                     {{"round_mode", std::string("down")}}),
                                ElementType::kFloat)),
           (std::vector<float>{0.25f, 2, 1, 1}));
}

void TestCast::everyPair() {
  for (int from = 1; from < kElementTypeCount; ++from) {
    for (int to = 1; to < kElementTypeCount; ++to) {
      const auto source = static_cast<ElementType>(from);
      const auto target = static_cast<ElementType>(to);
      const auto isComplex = [](ElementType type) {
        return type == ElementType::kComplex64 || type == ElementType::kComplex128;
      };
      if (isComplex(source) || isComplex(target)) continue;
      const Tensor ones = cast(tensorOf<float>({3}, {1, 1, 1}), source);
      QVERIFY(ones.valid());
      const Tensor there = cast(ones, target);
      QVERIFY2(there.valid() && there.type() == target, qPrintable(QString("%1 to %2").arg(from).arg(to)));
      QCOMPARE(valuesOf<float>(cast(there, ElementType::kFloat)), (std::vector<float>{1, 1, 1}));
    }
  }
}

void TestCast::longRuns() {
  std::vector<int32_t> values(100001);
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<int32_t>(i % 16) - 8;
  const Tensor packed = cast(tensorOf<int32_t>({100001}, values), ElementType::kInt4);
  QCOMPARE(valuesOf<int32_t>(cast(packed, ElementType::kInt32)), values);
}

void TestCast::bits() {
  const Tensor y =
      callOperator({.opType = "BitCast", .attributes = {{"to", static_cast<int64_t>(ElementType::kUint32)}}},
                   {tensorOf<float>({1}, {1.0f})});
  QCOMPARE(valuesOf<uint32_t>(y), (std::vector<uint32_t>{0x3F800000}));
  QVERIFY(!tryOperator({.opType = "BitCast", .attributes = {{"to", static_cast<int64_t>(ElementType::kUint16)}}},
                       {tensorOf<float>({1}, {1.0f})}));
  const Tensor like =
      callOperator({.opType = "CastLike"}, {tensorOf<float>({2}, {1.5f, -2.5f}), tensorOf<int16_t>({1}, {0})});
  QCOMPARE(valuesOf<int16_t>(like), (std::vector<int16_t>{1, -2}));
}

QTEST_GUILESS_MAIN(TestCast)
#include "tst_cast.moc"
