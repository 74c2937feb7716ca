// Integers at the ends of their range, division by zero, shifts, remainders, powers.

#include <limits>

#include <QTest>

#include "tests/unit/providers/cpu/elementwise/operator_call.h"

using namespace cutaway;

namespace {

template <typename T>
std::vector<T> binary(const char* opType, std::vector<T> a, std::vector<T> b, std::vector<Attribute> attributes = {}) {
  const auto count = static_cast<int64_t>(a.size());
  return valuesOf<T>(callOperator({.opType = opType, .attributes = std::move(attributes)},
                                  {tensorOf<T>({count}, a), tensorOf<T>({count}, b)}));
}

template <typename T>
void ends() {
  constexpr T low = std::numeric_limits<T>::min();
  constexpr T high = std::numeric_limits<T>::max();
  QCOMPARE(binary<T>("Add", {high}, {1}), (std::vector<T>{low}));
  QCOMPARE(binary<T>("Sub", {low}, {1}), (std::vector<T>{high}));
  QCOMPARE(binary<T>("Mul", {high}, {high}), (std::vector<T>{1}));
  if constexpr (std::is_signed_v<T>) {
    QCOMPARE(binary<T>("Div", {low, -7}, {-1, 2}), (std::vector<T>{low, -3}));
    QCOMPARE(binary<T>("Mod", {low, -7, 7}, {-1, 3, -3}), (std::vector<T>{0, 2, -2}));
    QCOMPARE(binary<T>("Mod", {low, -7, 7}, {-1, 3, -3}, {{"fmod", int64_t{1}}}), (std::vector<T>{0, -1, 1}));
    QCOMPARE(valuesOf<T>(callOperator({.opType = "Abs"}, {tensorOf<T>({3}, {low, -5, 5})})),
             (std::vector<T>{low, 5, 5}));
    QCOMPARE(valuesOf<T>(callOperator({.opType = "Neg"}, {tensorOf<T>({2}, {low, 5})})), (std::vector<T>{low, -5}));
    QCOMPARE(valuesOf<T>(callOperator({.opType = "Sign"}, {tensorOf<T>({3}, {low, 0, 9})})),
             (std::vector<T>{-1, 0, 1}));
    QCOMPARE(valuesOf<T>(callOperator({.opType = "Relu"}, {tensorOf<T>({3}, {low, 0, 9})})), (std::vector<T>{0, 0, 9}));
  }
}

}  // namespace

class TestIntegerArithmetic : public QObject {
  Q_OBJECT

 private slots:
  void endsOfTheRange();
  void divisionByZero_data();
  void divisionByZero();
  void shifts();
  void powers();
  void bits();
};

void TestIntegerArithmetic::endsOfTheRange() {
  ends<int8_t>();
  ends<int16_t>();
  ends<int32_t>();
  ends<int64_t>();
  ends<uint8_t>();
  ends<uint16_t>();
  ends<uint32_t>();
  ends<uint64_t>();
}

void TestIntegerArithmetic::divisionByZero_data() {
  QTest::addColumn<QString>("opType");
  QTest::newRow("Div") << "Div";
  QTest::newRow("Mod") << "Mod";
}

void TestIntegerArithmetic::divisionByZero() {
  QFETCH(QString, opType);
  const auto result = tryOperator({.opType = opType.toStdString()},
                                  {tensorOf<int32_t>({4}, {1, 2, 3, 4}), tensorOf<int32_t>({4}, {1, 1, 0, 0})});
  QVERIFY(!result);
  QCOMPARE(result.error().code, ErrorCode::kInvalidArgument);
  QVERIFY2(result.error().message.find("element 2") != std::string::npos, result.error().message.c_str());
}

void TestIntegerArithmetic::shifts() {
  const std::vector<Attribute> left{{"direction", std::string("LEFT")}};
  const std::vector<Attribute> right{{"direction", std::string("RIGHT")}};
  QCOMPARE(binary<uint8_t>("BitShift", {255, 1, 1}, {4, 7, 8}, left), (std::vector<uint8_t>{240, 128, 0}));
  QCOMPARE(binary<uint32_t>("BitShift", {16, 4, 1}, {1, 2, 40}, right), (std::vector<uint32_t>{8, 1, 0}));
  QCOMPARE(binary<int16_t>("BitShift", {-8, -8, 8, -8}, {1, 99, 99, -1}, right), (std::vector<int16_t>{-4, -1, 0, -1}));
  QCOMPARE(binary<int16_t>("BitShift", {-8, 1}, {1, 15}, left),
           (std::vector<int16_t>{-16, std::numeric_limits<int16_t>::min()}));
}

void TestIntegerArithmetic::powers() {
  QCOMPARE(binary<int32_t>("Pow", {2, 3, -2, -1, 5, 2}, {10, 4, 3, -3, -2, 0}),
           (std::vector<int32_t>{1024, 81, -8, -1, 0, 1}));
  const Tensor mixed =
      callOperator({.opType = "Pow"}, {tensorOf<int64_t>({3}, {4, 9, -3}), tensorOf<float>({1}, {0.5f})});
  QCOMPARE(valuesOf<int64_t>(mixed), (std::vector<int64_t>{2, 3, std::numeric_limits<int64_t>::min()}));
  const Tensor squares =
      callOperator({.opType = "Pow"}, {tensorOf<float>({3}, {1.5f, -2, 3}), tensorOf<int64_t>({}, {2})});
  QCOMPARE(valuesOf<float>(squares), (std::vector<float>{2.25f, 4, 9}));
}

void TestIntegerArithmetic::bits() {
  QCOMPARE(binary<int32_t>("BitwiseAnd", {12, -1}, {10, 7}), (std::vector<int32_t>{8, 7}));
  QCOMPARE(binary<uint16_t>("BitwiseOr", {12}, {3}), (std::vector<uint16_t>{15}));
  QCOMPARE(binary<int64_t>("BitwiseXor", {12}, {-1}), (std::vector<int64_t>{-13}));
  QCOMPARE(valuesOf<uint8_t>(callOperator({.opType = "BitwiseNot"}, {tensorOf<uint8_t>({2}, {0, 0xF0})})),
           (std::vector<uint8_t>{255, 15}));
  QCOMPARE(valuesOf<bool>(callOperator({.opType = "Not"}, {tensorOf<bool>({2}, {true, false})})),
           (std::vector<bool>{false, true}));
}

QTEST_GUILESS_MAIN(TestIntegerArithmetic)
#include "tst_integer_arithmetic.moc"
