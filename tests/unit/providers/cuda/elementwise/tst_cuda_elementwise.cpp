// Elementwise operators on the emulator against cpu: every type, odd sizes, no elements, every form of
// broadcasting, NaN and the ends of integers.
#include <cmath>
#include <limits>

#include <QtTest/QtTest>

#include "tests/unit/providers/cuda/cuda_case.h"

using namespace cutaway;
using namespace cutaway::testing;

namespace {

const double kNan = std::numeric_limits<double>::quiet_NaN(), kInfinity = std::numeric_limits<double>::infinity();

const std::vector<ElementType> kFloats{ElementType::kFloat, ElementType::kFloat16, ElementType::kBfloat16,
                                       ElementType::kDouble};
const std::vector<ElementType> kIntegers{ElementType::kInt8,   ElementType::kUint8, ElementType::kInt16,
                                         ElementType::kUint16, ElementType::kInt32, ElementType::kUint32,
                                         ElementType::kInt64,  ElementType::kUint64};

std::vector<ElementType> all() {
  std::vector<ElementType> types = kFloats;
  types.insert(types.end(), kIntegers.begin(), kIntegers.end());
  return types;
}
std::string nameOf(ElementType type) {
  return std::string(elementTypeName(type));
}

void compare(const CudaCase& each, const std::string& what) {
  const std::string difference = differenceOf(each);
  QVERIFY2(difference.empty(), (what + ": " + difference).c_str());
}

struct Pair {
  std::vector<int64_t> a, b;
};
const std::vector<Pair> kPairs = {
    {{3, 5, 8}, {3, 5, 8}},
    {{37}, {37}},
    {{3, 5, 8}, {8}},
    {{3, 5, 8}, {1}},
    {{}, {4, 4}},
    {{5, 1}, {1, 7}},
    {{2, 3, 4, 16}, {3, 1, 16}},
    {{2, 6, 16}, {6, 1}},
    {{0, 3}, {3}},
    {{1}, {1}},
    {{2, 1, 3, 1, 8}, {4, 1, 5, 1}},
};

}  // namespace

class TestCudaElementwise : public QObject {
  Q_OBJECT
 private slots:
  void arithmetic_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("result");
    for (const char* name : {"Add", "Sub", "Mul", "Div", "Max", "Min"})
      QTest::newRow(name) << name << "";
    for (const char* name : {"Equal", "Less", "Greater", "LessOrEqual", "GreaterOrEqual"})
      QTest::newRow(name) << name << "bool";
  }
  void arithmetic() {
    QFETCH(QString, name);
    QFETCH(QString, result);
    for (const ElementType type : all()) {
      const bool whole = isInteger(type);
      for (const Pair& pair : kPairs) {
        const CudaCase each{.nodes = "y = " + name.toStdString() + " (a, b)",
                            .inputs = {{"a", randomOf(type, pair.a, 1, whole ? 1 : -3, whole ? 90 : 3)},
                                       {"b", randomOf(type, pair.b, 2, whole ? 1 : -3, whole ? 90 : 3)}},
                            .outputs = (result.isEmpty() ? nameOf(type) : result.toStdString()) + " y"};
        compare(each, nameOf(type));
      }
    }
  }

  // Wrapping, truncation, signs of remainders, shifts beyond the width.
  void integerEnds() {
    for (const ElementType type : {ElementType::kInt8, ElementType::kInt32, ElementType::kInt64}) {
      const double low = type == ElementType::kInt8 ? -128 : -2147483648.0, high = -low - 1;
      const Tensor a = tensorOf(type, {6}, {low, low, high, -7, 7, -1}),
                   b = tensorOf(type, {6}, {-1, 3, high, 3, -3, -5});
      for (const char* node :
           {"Add (a, b)", "Sub (a, b)", "Mul (a, b)", "Div (a, b)", "Mod (a, b)", "Mod <fmod = 1> (a, b)",
            "BitwiseAnd (a, b)", "BitwiseOr (a, b)", "BitwiseXor (a, b)", "Max (a, b)"}) {
        compare({.nodes = std::string("y = ") + node, .inputs = {{"a", a}, {"b", b}}, .outputs = nameOf(type) + " y"},
                nameOf(type) + " " + node);
      }
      for (const char* name : {"Abs", "Neg", "Sign", "Relu", "BitwiseNot"})
        compare({.nodes = std::string("y = ") + name + " (a)", .inputs = {{"a", a}}, .outputs = nameOf(type) + " y"},
                name);
    }
    for (const ElementType type : {ElementType::kUint8, ElementType::kUint32, ElementType::kUint64}) {
      const Tensor a = tensorOf(type, {5}, {200, 1, 255, 16, 3}), b = tensorOf(type, {5}, {1, 31, 9, 64, 0});
      for (const char* direction : {"LEFT", "RIGHT"}) {
        compare({.nodes = std::string("y = BitShift <direction = \"") + direction + "\"> (a, b)",
                 .inputs = {{"a", a}, {"b", b}},
                 .outputs = nameOf(type) + " y"},
                nameOf(type) + " " + direction);
      }
    }
  }

  // A zero on the right of an integer division gives 0 on the device: nothing there can refuse one element, and nothing
  // may be harmed.
  void integerDivisionByZero() {
    QVERIFY(errorOf({.nodes = "y = Div (a, b)",
                     .inputs = {{"a", tensorOf(ElementType::kInt32, {2}, {7, 8})},
                                {"b", tensorOf(ElementType::kInt32, {2}, {0, 2})}},
                     .outputs = "int32 y"})
                .empty());
  }

  void notNumbers() {
    for (const ElementType type : kFloats) {
      const Tensor a = tensorOf(type, {8}, {kNan, 1, kInfinity, -kInfinity, -0.0, 0.0, 2.5, -3.5}),
                   b = tensorOf(type, {8}, {1, kNan, -kInfinity, kInfinity, 0.0, -0.0, -2.5, 2}),
                   one = tensorOf(type, {}, {1});
      for (const char* node : {"Max (a, b)",
                               "Min (a, b)",
                               "Mod <fmod = 1> (a, b)",
                               "Pow (a, b)",
                               "Clip (a, one)",
                               "Clip (a, \"\", one)",
                               "Relu (a)",
                               "Sign (a)",
                               "Round (a)",
                               "Floor (a)",
                               "Ceil (a)",
                               "Softplus (a)",
                               "Sigmoid (a)",
                               "ThresholdedRelu <alpha = 0.5> (a)",
                               "Elu (a)",
                               "HardSwish (a)",
                               "PRelu (a, b)",
                               "Sqrt (a)",
                               "Abs (a)",
                               "LeakyRelu (a)"}) {
        compare({.nodes = std::string("y = ") + node,
                 .inputs = {{"a", a}, {"b", b}, {"one", one}},
                 .outputs = nameOf(type) + " y"},
                nameOf(type) + " " + node);
      }
      for (const char* node : {"IsNaN (a)", "IsInf (a)", "IsInf <detect_negative = 0> (a)", "Less (a, b)",
                               "Equal (a, b)", "GreaterOrEqual (a, b)"}) {
        compare({.nodes = std::string("y = ") + node, .inputs = {{"a", a}, {"b", b}}, .outputs = "bool y"},
                nameOf(type) + " " + node);
      }
    }
  }

  void functions_data() {
    QTest::addColumn<QString>("node");
    QTest::addColumn<double>("low");
    QTest::addColumn<double>("high");
    for (const char* name : {"Sin",  "Cos", "Tan",     "Atan",        "Sinh",      "Cosh", "Asinh",    "Tanh",
                             "Exp",  "Erf", "Sigmoid", "HardSigmoid", "HardSwish", "Mish", "Softplus", "Softsign",
                             "Gelu", "Elu", "Selu",    "Celu",        "LeakyRelu", "Neg",  "Round"}) {
      QTest::newRow(name) << QString(name) << -2.0 << 2.0;
    }
    for (const char* name : {"Log", "Sqrt", "Reciprocal"})
      QTest::newRow(name) << QString(name) << 0.25 << 4.0;
    for (const char* name : {"Asin", "Acos", "Atanh"})
      QTest::newRow(name) << QString(name) << -0.9 << 0.9;
    QTest::newRow("Acosh") << "Acosh" << 1.1 << 4.0;
    QTest::newRow("Gelu tanh") << "Gelu <approximate = \"tanh\">" << -3.0 << 3.0;
    QTest::newRow("Shrink") << "Shrink <lambd = 0.7, bias = 0.2>" << -2.0 << 2.0;
  }
  void functions() {
    QFETCH(QString, node);
    QFETCH(double, low);
    QFETCH(double, high);
    for (const ElementType type : kFloats) {
      // Types that the operator does not take, in any version.
      if ((type == ElementType::kBfloat16 && node.startsWith("Shrink")) ||
          (type != ElementType::kFloat && node == "Celu"))
        continue;
      for (const std::vector<int64_t>& dims : {std::vector<int64_t>{}, {0, 4}, {7}, {3, 64}, {5, 13}}) {
        compare({.nodes = "y = " + node.toStdString() + " (x)",
                 .inputs = {{"x", randomOf(type, dims, 5, low, high)}},
                 .outputs = nameOf(type) + " y"},
                nameOf(type));
      }
    }
  }

  void casts() {
    const Tensor values = tensorOf(ElementType::kDouble, {9}, {0, 1, -1, 2.5, -3.5, 100, 300, 65504, 1e-5});
    std::vector<ElementType> types = all();
    types.push_back(ElementType::kBool);
    for (const ElementType from : types) {
      for (const ElementType to : types) {
        const std::string there = std::to_string(static_cast<int>(from)), back = std::to_string(static_cast<int>(to));
        const CudaCase each{
            .nodes = "h = Cast <to = " + there + "> (x)\ny = Cast <to = " + back + "> (h)",
            .inputs = {{"x", from == ElementType::kUint64 ? tensorOf(ElementType::kDouble, {3}, {0, 1, 7}) : values}},
            .outputs = nameOf(to) + " y"};
        compare(each, nameOf(from) + " to " + nameOf(to));
      }
    }
  }

  void narrowFloats() {
    for (const int type : {17, 18, 19, 20}) {
      for (const int saturate : {0, 1}) {
        const CudaCase each{.nodes = "h = Cast <to = " + std::to_string(type) +
                                     ", saturate = " + std::to_string(saturate) + "> (x)\ny = Cast <to = 1> (h)",
                            .inputs = {{"x", tensorOf(ElementType::kFloat, {14},
                                                      {0, -0.0, 1, -1.0625, 0.3, 447, 449, 480, 1e6, -1e6, 57344,
                                                       kInfinity, kNan, 0.001})}}};
        compare(each, std::to_string(type));
      }
    }
  }

  void powers() {
    for (const ElementType base :
         {ElementType::kFloat, ElementType::kFloat16, ElementType::kDouble, ElementType::kInt32, ElementType::kInt64}) {
      for (const ElementType exponent :
           {ElementType::kFloat, ElementType::kInt32, ElementType::kInt64, ElementType::kDouble}) {
        const CudaCase each{
            .nodes = "y = Pow (a, b)",
            .inputs = {{"a", tensorOf(base, {2, 3}, {1, 2, 3, 4, 5, 1})}, {"b", tensorOf(exponent, {3}, {2, 3, 0})}},
            .outputs = nameOf(base) + " y"};
        compare(each, nameOf(base) + " " + nameOf(exponent));
      }
    }
  }

  void selection() {
    for (const ElementType type :
         {ElementType::kBool, ElementType::kInt8, ElementType::kFloat16, ElementType::kFloat, ElementType::kInt64}) {
      for (const std::vector<int64_t>& condition : {std::vector<int64_t>{4, 16}, {16}, {4, 1}, {1}, {3, 1, 16}}) {
        const CudaCase each{.nodes = "y = Where (c, a, b)",
                            .inputs = {{"c", randomOf(ElementType::kBool, condition, 4)},
                                       {"a", randomOf(type, {4, 16}, 1, 0, 2)},
                                       {"b", randomOf(type, {16}, 2, 0, 2)}},
                            .outputs = nameOf(type) + " y"};
        compare(each, nameOf(type));
      }
    }
    for (const char* name : {"And", "Or", "Xor", "Equal"}) {
      compare(
          {.nodes = std::string("y = ") + name + " (a, b)",
           .inputs = {{"a", randomOf(ElementType::kBool, {3, 16}, 1)}, {"b", randomOf(ElementType::kBool, {16}, 2)}},
           .outputs = "bool y"},
          name);
    }
    compare({.nodes = "y = Not (a)", .inputs = {{"a", randomOf(ElementType::kBool, {35}, 1)}}, .outputs = "bool y"},
            "Not");
  }

  void many() {
    for (const char* name : {"Sum", "Mean", "Max", "Min"}) {
      for (const ElementType type : kFloats) {
        const CudaCase each{.nodes = std::string("y = ") + name + " (a, b, c)",
                            .inputs = {{"a", randomOf(type, {3, 8}, 1)},
                                       {"b", randomOf(type, {8}, 2)},
                                       {"c", randomOf(type, {2, 1, 1}, 3)}},
                            .outputs = nameOf(type) + " y"};
        compare(each, name + nameOf(type));
        compare({.nodes = std::string("y = ") + name + " (a)",
                 .inputs = {{"a", randomOf(type, {3, 8}, 1)}},
                 .outputs = nameOf(type) + " y"},
                name);
      }
    }
  }

  void oldBroadcast() {
    compare(
        {.nodes = "y = Add <broadcast = 1, axis = 1> (a, b)",
         .inputs = {{"a", randomOf(ElementType::kFloat, {2, 3, 4}, 1)}, {"b", randomOf(ElementType::kFloat, {3}, 2)}},
         .opset = 6},
        "axis 1");
    compare(
        {.nodes = "y = PRelu (a, b)",
         .inputs = {{"a", randomOf(ElementType::kFloat, {2, 3, 4}, 1)}, {"b", randomOf(ElementType::kFloat, {3}, 2)}},
         .opset = 6},
        "slope per channel");
  }
};

QTEST_GUILESS_MAIN(TestCudaElementwise)
#include "tst_cuda_elementwise.moc"
