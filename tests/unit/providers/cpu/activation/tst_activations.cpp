// Activations through their operators: attributes, defaults, versions and element types, against formulas written out
// here.

#include <cmath>
#include <functional>

#include <QTest>

#include "providers/cpu/kernels/type_dispatch.h"
#include "tests/unit/providers/cpu/elementwise/operator_call.h"

using namespace cutaway;

namespace {

struct Case {
  OperatorCall call;
  std::function<double(double)> formula;
};

double sigmoid(double x) {
  return 1 / (1 + std::exp(-x));
}

const std::vector<Case> kCases{
    {{.opType = "Relu"}, [](double x) { return std::fmax(x, 0); }},
    {{.opType = "Relu", .version = 1}, [](double x) { return std::fmax(x, 0); }},
    {{.opType = "LeakyRelu"}, [](double x) { return x < 0 ? 0.01f * x : x; }},
    {{.opType = "LeakyRelu", .attributes = {{"alpha", 0.3f}}}, [](double x) { return x < 0 ? 0.3f * x : x; }},
    {{.opType = "Elu", .attributes = {{"alpha", 2.0f}}}, [](double x) { return x < 0 ? 2 * (std::exp(x) - 1) : x; }},
    {{.opType = "Selu"},
     [](double x) { return 1.0507010221481323 * (x < 0 ? 1.6732631921768188 * (std::exp(x) - 1) : x); }},
    {{.opType = "Celu", .attributes = {{"alpha", 0.5f}}},
     [](double x) { return std::fmax(x, 0) + std::fmin(0, 0.5 * (std::exp(x / 0.5) - 1)); }},
    {{.opType = "ThresholdedRelu", .attributes = {{"alpha", 1.5f}}}, [](double x) { return x > 1.5 ? x : 0; }},
    {{.opType = "Sigmoid"}, sigmoid},
    {{.opType = "HardSigmoid"}, [](double x) { return std::fmax(0, std::fmin(1, 0.2f * x + 0.5)); }},
    {{.opType = "HardSwish"}, [](double x) { return x * std::fmax(0, std::fmin(1, x / 6 + 0.5)); }},
    {{.opType = "Swish", .attributes = {{"alpha", 1.7f}}}, [](double x) { return x * sigmoid(1.7f * x); }},
    {{.opType = "Mish"}, [](double x) { return x * std::tanh(std::log1p(std::exp(x))); }},
    {{.opType = "Softplus"}, [](double x) { return std::log1p(std::exp(x)); }},
    {{.opType = "Softsign"}, [](double x) { return x / (1 + std::fabs(x)); }},
    {{.opType = "Tanh"}, [](double x) { return std::tanh(x); }},
    {{.opType = "Gelu"}, [](double x) { return 0.5 * x * (1 + std::erf(x / std::sqrt(2.0))); }},
    {{.opType = "Gelu", .attributes = {{"approximate", std::string("tanh")}}},
     [](double x) { return 0.5 * x * (1 + std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x))); }},
    {{.opType = "Shrink", .attributes = {{"lambd", 1.0f}, {"bias", 0.5f}}},
     [](double x) { return x < -1 ? x + 0.5 : (x > 1 ? x - 0.5 : 0); }},
    {{.opType = "Clip", .version = 6, .attributes = {{"min", -1.0f}, {"max", 2.0f}}},
     [](double x) { return std::fmin(std::fmax(x, -1), 2); }},
    {{.opType = "Gelu", .domain = "com.microsoft", .version = 1},
     [](double x) { return 0.5 * x * (1 + std::erf(x / std::sqrt(2.0))); }},
    {{.opType = "QuickGelu", .domain = "com.microsoft", .version = 1},
     [](double x) { return x * sigmoid(1.702f * x); }},
};

template <typename T>
void checkCase(const Case& each, double tolerance) {
  std::vector<T> values;
  for (double x = -6; x < 6; x += 0.037)
    values.push_back(cpu::narrow<T>(static_cast<cpu::Computed<T>>(x)));
  const auto count = static_cast<int64_t>(values.size());
  const Tensor y = callOperator(each.call, {tensorOf<T>({count}, values)});
  QVERIFY2(y.valid() && y.type() == ElementTypeOf<T>::value, each.call.opType.c_str());
  for (size_t i = 0; i < values.size(); ++i) {
    const double x = cpu::widen(values[i]);
    const double wanted = each.formula(x);
    const double got = cpu::widen(y.span<T>()[i]);
    QVERIFY2(std::fabs(got - wanted) <= tolerance * std::max(1.0, std::fabs(wanted)),
             qPrintable(QString("%1 of %2: %3, not %4").arg(each.call.opType.c_str()).arg(x).arg(got).arg(wanted)));
  }
}

}  // namespace

class TestActivations : public QObject {
  Q_OBJECT

 private slots:
  void formulas_data();
  void formulas();
  void clipBounds();
  void slopes();
  void biasGelu();
};

void TestActivations::formulas_data() {
  QTest::addColumn<int>("index");
  for (size_t i = 0; i < kCases.size(); ++i)
    QTest::addRow("%s %d", kCases[i].call.opType.c_str(), static_cast<int>(i)) << static_cast<int>(i);
}

void TestActivations::formulas() {
  QFETCH(int, index);
  const Case& each = kCases[static_cast<size_t>(index)];
  checkCase<float>(each, 1e-6);
  checkCase<double>(each, 1e-7);  // attributes are floats
  checkCase<Float16>(each, 1e-3);
  if (each.call.version >= 22 && each.call.opType != "Shrink") checkCase<Bfloat16>(each, 8e-3);
}

void TestActivations::clipBounds() {
  const Tensor x = tensorOf<int32_t>({4}, {-5, 0, 5, 50});
  QCOMPARE(valuesOf<int32_t>(
               callOperator({.opType = "Clip"}, {x, tensorOf<int32_t>({}, {-1}), tensorOf<int32_t>({}, {10})})),
           (std::vector<int32_t>{-1, 0, 5, 10}));
  QCOMPARE(valuesOf<int32_t>(callOperator({.opType = "Clip"}, {x, Tensor{}, tensorOf<int32_t>({}, {1})})),
           (std::vector<int32_t>{-5, 0, 1, 1}));
  QCOMPARE(valuesOf<int32_t>(callOperator({.opType = "Clip"}, {x})), (std::vector<int32_t>{-5, 0, 5, 50}));
  const Tensor turned = callOperator(
      {.opType = "Clip"}, {tensorOf<float>({3}, {-5, 1, 5}), tensorOf<float>({}, {2}), tensorOf<float>({}, {1})});
  QCOMPARE(valuesOf<float>(turned), (std::vector<float>{1, 1, 1}));
}

void TestActivations::slopes() {
  const Tensor x = tensorOf<float>({1, 2, 2}, {-1, 2, -3, -4});
  QCOMPARE(valuesOf<float>(callOperator({.opType = "PRelu"}, {x, tensorOf<float>({2, 1}, {0.5f, 2})})),
           (std::vector<float>{-0.5f, 2, -6, -8}));
  QCOMPARE(valuesOf<float>(callOperator({.opType = "PRelu", .version = 6}, {x, tensorOf<float>({2}, {0.5f, 2})})),
           (std::vector<float>{-0.5f, 2, -6, -8}));
  QCOMPARE(valuesOf<int32_t>(
               callOperator({.opType = "PRelu"}, {tensorOf<int32_t>({2}, {-3, 3}), tensorOf<int32_t>({1}, {2})})),
           (std::vector<int32_t>{-6, 3}));
}

void TestActivations::biasGelu() {
  const Tensor x = tensorOf<float>({2, 3}, {-1, 0, 1, 2, -2, 0.5f});
  const Tensor bias = tensorOf<float>({3}, {0.5f, -0.5f, 1});
  const Tensor y = callOperator({.opType = "BiasGelu", .domain = "com.microsoft", .version = 1}, {x, bias});
  QVERIFY(y.valid());
  for (size_t i = 0; i < 6; ++i) {
    const double sum = x.span<float>()[i] + bias.span<float>()[i % 3];
    QVERIFY(std::fabs(y.span<float>()[i] - 0.5 * sum * (1 + std::erf(sum / std::sqrt(2.0)))) < 1e-6);
  }
  QVERIFY(callOperator({.opType = "FastGelu", .domain = "com.microsoft", .version = 1}, {x, bias}).valid());
}

QTEST_GUILESS_MAIN(TestActivations)
#include "tst_activations.moc"
