// Reduce operators against sums in long double over every set of axes; empty sets, no axes, accuracy over a million
// elements, and independence of the number of threads.

#include <cmath>
#include <functional>
#include <map>
#include <random>

#include <QTest>

#include "engine/base/parallel.h"
#include "providers/cpu/kernels/type_dispatch.h"
#include "tests/unit/providers/cpu/elementwise/operator_call.h"

using namespace cutaway;

namespace {

using Numbers = std::vector<long double>;
using Formula = std::function<long double(const Numbers&)>;

long double sumOf(const Numbers& x, const std::function<long double(long double)>& map) {
  long double total = 0;
  for (const long double each : x)
    total += map(each);
  return total;
}

const std::map<std::string, Formula> kFormulas{
    {"ReduceSum", [](const Numbers& x) { return sumOf(x, [](long double v) { return v; }); }},
    {"ReduceMean",
     [](const Numbers& x) { return sumOf(x, [](long double v) { return v; }) / static_cast<long double>(x.size()); }},
    {"ReduceMax", [](const Numbers& x) { return *std::max_element(x.begin(), x.end()); }},
    {"ReduceMin", [](const Numbers& x) { return *std::min_element(x.begin(), x.end()); }},
    {"ReduceProd",
     [](const Numbers& x) {
       long double p = 1;
       for (const long double v : x)
         p *= v;
       return p;
     }},
    {"ReduceL1", [](const Numbers& x) { return sumOf(x, [](long double v) { return std::fabs(v); }); }},
    {"ReduceL2", [](const Numbers& x) { return std::sqrt(sumOf(x, [](long double v) { return v * v; })); }},
    {"ReduceLogSum", [](const Numbers& x) { return std::log(sumOf(x, [](long double v) { return v; })); }},
    {"ReduceLogSumExp", [](const Numbers& x) { return std::log(sumOf(x, [](long double v) { return std::exp(v); })); }},
    {"ReduceSumSquare", [](const Numbers& x) { return sumOf(x, [](long double v) { return v * v; }); }},
};

template <typename T>
Tensor positiveTensor(const std::vector<int64_t>& dims, uint32_t seed) {
  Tensor tensor = *Tensor::create(ElementTypeOf<T>::value, dims);
  std::mt19937 random(seed);
  for (T& element : tensor.span<T>())
    element = cpu::narrow<T>(static_cast<cpu::Computed<T>>(
        std::is_integral_v<T> ? 1.0 + random() % 3 : 0.8 + 0.4 * (random() % 1000) / 1000.0));
  return tensor;
}

// Elements behind each output, by walking the input.
std::vector<Numbers> grouped(const std::vector<int64_t>& dims, unsigned axes,
                             const std::function<long double(size_t)>& at) {
  int64_t outputs = 1;
  int64_t count = 1;
  for (size_t axis = 0; axis < dims.size(); ++axis) {
    count *= dims[axis];
    if ((axes >> axis & 1) == 0) outputs *= dims[axis];
  }
  std::vector<Numbers> groups(static_cast<size_t>(outputs));
  for (int64_t i = 0; i < count; ++i) {
    int64_t rest = i;
    int64_t output = 0;
    int64_t stride = 1;
    for (size_t axis = dims.size(); axis-- > 0;) {
      if ((axes >> axis & 1) == 0) {
        output += rest % dims[axis] * stride;
        stride *= dims[axis];
      }
      rest /= dims[axis];
    }
    groups[static_cast<size_t>(output)].push_back(at(static_cast<size_t>(i)));
  }
  return groups;
}

template <typename T>
void checkAllAxes(const std::string& opType, const std::vector<int64_t>& dims, double tolerance) {
  const Tensor x = positiveTensor<T>(dims, 11);
  for (unsigned axes = 1; axes < 1u << dims.size(); ++axes) {
    std::vector<int64_t> list;
    for (size_t axis = 0; axis < dims.size(); ++axis) {
      if ((axes >> axis & 1) != 0)
        list.push_back(axis % 2 == 0 ? static_cast<int64_t>(axis)
                                     : static_cast<int64_t>(axis) - static_cast<int64_t>(dims.size()));
    }
    const Tensor y = callOperator({.opType = opType, .version = 20, .attributes = {{"keepdims", int64_t{0}}}},
                                  {x, tensorOf<int64_t>({static_cast<int64_t>(list.size())}, list)});
    QVERIFY2(y.valid(), opType.c_str());
    const std::vector<Numbers> groups =
        grouped(dims, axes, [&](size_t i) { return static_cast<long double>(cpu::widen(x.span<T>()[i])); });
    QCOMPARE(y.elementCount(), static_cast<int64_t>(groups.size()));
    for (size_t i = 0; i < groups.size(); ++i) {
      long double wanted = kFormulas.at(opType)(groups[i]);
      if (std::is_integral_v<T>) wanted = std::trunc(wanted);
      const auto got = static_cast<long double>(cpu::widen(y.span<T>()[i]));
      QVERIFY2(std::fabs(got - wanted) <= tolerance * std::max(1.0L, std::fabs(wanted)),
               qPrintable(QString("%1, axes %2, output %3: %4, not %5")
                              .arg(opType.c_str())
                              .arg(axes)
                              .arg(i)
                              .arg(double(got))
                              .arg(double(wanted))));
    }
  }
}

}  // namespace

class TestReductions : public QObject {
  Q_OBJECT

 private slots:
  void everySetOfAxes_data();
  void everySetOfAxes();
  void emptySets();
  void noAxes();
  void oldForm();
  void nanAndInfinity();
  void accuracy();
  void threads();
  void booleans();
};

void TestReductions::everySetOfAxes_data() {
  QTest::addColumn<QString>("opType");
  for (const auto& [name, formula] : kFormulas)
    QTest::newRow(name.c_str()) << QString::fromStdString(name);
}

void TestReductions::everySetOfAxes() {
  QFETCH(QString, opType);
  const std::string name = opType.toStdString();
  checkAllAxes<float>(name, {2, 3, 4, 5}, 2e-6);
  checkAllAxes<float>(name, {3, 1, 37, 2}, 2e-6);
  checkAllAxes<float>(name, {5, 150}, 2e-6);
  checkAllAxes<double>(name, {2, 3, 4, 5}, 1e-13);
  checkAllAxes<Float16>(name, {2, 3, 4}, 2e-3);
  checkAllAxes<Bfloat16>(name, {2, 3, 4}, 1e-2);
  checkAllAxes<int64_t>(name, {2, 3, 4}, 0);
  if (name != "ReduceProd") checkAllAxes<uint32_t>(name, {2, 3, 140}, 0);
}

void TestReductions::emptySets() {
  const std::map<std::string, float> wanted{{"ReduceSum", 0},
                                            {"ReduceProd", 1},
                                            {"ReduceMax", -INFINITY},
                                            {"ReduceMin", INFINITY},
                                            {"ReduceL1", 0},
                                            {"ReduceL2", 0},
                                            {"ReduceSumSquare", 0},
                                            {"ReduceLogSum", -INFINITY},
                                            {"ReduceLogSumExp", -INFINITY}};
  const Tensor x = *Tensor::create(ElementType::kFloat, {2, 0, 3});
  for (const auto& [name, value] : wanted) {
    const Tensor y = callOperator({.opType = name, .version = 20}, {x, tensorOf<int64_t>({1}, {1})});
    QVERIFY2(y.valid() && y.dims() == (Dims{2, 1, 3}), name.c_str());
    QCOMPARE(valuesOf<float>(y), std::vector<float>(6, value));
  }
  const Tensor least = callOperator({.opType = "ReduceMax", .version = 20},
                                    {*Tensor::create(ElementType::kInt32, {0}), tensorOf<int64_t>({1}, {0})});
  QCOMPARE(valuesOf<int32_t>(least), (std::vector<int32_t>{std::numeric_limits<int32_t>::min()}));
}

void TestReductions::noAxes() {
  const Tensor x = tensorOf<float>({2, 2}, {1, -2, 3, 4});
  const std::vector<Attribute> keep{{"noop_with_empty_axes", int64_t{1}}};
  QCOMPARE(valuesOf<float>(callOperator({.opType = "ReduceSum", .version = 20, .attributes = keep}, {x})),
           (std::vector<float>{1, -2, 3, 4}));
  QCOMPARE(valuesOf<float>(callOperator({.opType = "ReduceSumSquare", .version = 20, .attributes = keep}, {x})),
           (std::vector<float>{1, 4, 9, 16}));
  QCOMPARE(valuesOf<float>(callOperator({.opType = "ReduceSum", .version = 20}, {x})), (std::vector<float>{6}));
  QCOMPARE(valuesOf<float>(callOperator({.opType = "ReduceSum", .version = 20}, {tensorOf<float>({}, {5})})),
           (std::vector<float>{5}));
}

void TestReductions::oldForm() {
  const Tensor x = tensorOf<float>({2, 3}, {1, 2, 3, 4, 5, 6});
  const Tensor y =
      callOperator({.opType = "ReduceMean", .version = 11, .attributes = {{"axes", std::vector<int64_t>{-1}}}}, {x});
  QVERIFY(y.dims() == (Dims{2, 1}));
  QCOMPARE(valuesOf<float>(y), (std::vector<float>{2, 5}));
  QVERIFY(!tryOperator({.opType = "ReduceMean", .version = 20}, {x, tensorOf<int64_t>({1}, {2})}));
}

void TestReductions::nanAndInfinity() {
  const float nan = std::nanf("");
  const Tensor x = tensorOf<float>({2, 40}, [&] {
    std::vector<float> values(80, 1.0f);
    values[33] = nan;
    values[45] = INFINITY;
    return values;
  }());
  for (const char* opType : {"ReduceMax", "ReduceMin", "ReduceSum", "ReduceLogSumExp"}) {
    const Tensor y = callOperator({.opType = opType, .version = 20}, {x, tensorOf<int64_t>({1}, {1})});
    QVERIFY(std::isnan(y.span<float>()[0]));
    QCOMPARE(y.span<float>()[1], std::string(opType) == "ReduceMin" ? 1.0f : INFINITY);
  }
  const Tensor large = callOperator({.opType = "ReduceLogSumExp", .version = 20}, {tensorOf<float>({2}, {1000, 1000})});
  QVERIFY(std::fabs(large.span<float>()[0] - (1000 + std::log(2.0f))) < 1e-3f);
  const Tensor lowest =
      callOperator({.opType = "ReduceLogSumExp", .version = 20}, {tensorOf<float>({2}, {-INFINITY, -INFINITY})});
  QCOMPARE(lowest.span<float>()[0], -INFINITY);
}

void TestReductions::accuracy() {
  const Tensor row = positiveTensor<float>({1, 1000003}, 5);
  const Tensor column = row.reshaped(std::vector<int64_t>{1000003, 1});
  const Tensor pairs = positiveTensor<float>({500001, 2}, 6);
  for (const std::string opType : {"ReduceSum", "ReduceMean", "ReduceL2", "ReduceLogSumExp"}) {
    for (const auto& [x, axis] :
         {std::pair{row, int64_t{1}}, std::pair{column, int64_t{0}}, std::pair{pairs, int64_t{0}}}) {
      const Tensor y = callOperator({.opType = opType, .version = 20}, {x, tensorOf<int64_t>({1}, {axis})});
      const std::vector<int64_t> dims(x.dims().begin(), x.dims().end());
      const std::vector<Numbers> groups = grouped(
          dims, 1u << axis, [&, data = x.span<float>()](size_t i) { return static_cast<long double>(data[i]); });
      for (size_t i = 0; i < groups.size(); ++i) {
        const long double wanted = kFormulas.at(opType)(groups[i]);
        QVERIFY2(std::fabs(y.span<float>()[i] - wanted) <= 1e-6L * std::fabs(wanted),
                 qPrintable(QString("%1: %2, not %3").arg(opType.c_str()).arg(y.span<float>()[i]).arg(double(wanted))));
      }
    }
  }
}

void TestReductions::threads() {
  const Tensor x = positiveTensor<float>({3, 400000}, 9);
  std::vector<float> first;
  for (const int count : {1, 2, 3, 4}) {
    ThreadShare share(count);
    const std::vector<float> values =
        valuesOf<float>(callOperator({.opType = "ReduceSum", .version = 20}, {x, tensorOf<int64_t>({1}, {1})}));
    if (first.empty()) first = values;
    QVERIFY(values == first);  // to the last bit
  }
}

void TestReductions::booleans() {
  const Tensor x = tensorOf<bool>({2, 2}, {true, false, false, false});
  QCOMPARE(valuesOf<bool>(callOperator({.opType = "ReduceMax", .version = 20}, {x, tensorOf<int64_t>({1}, {1})})),
           (std::vector<bool>{true, false}));
  QCOMPARE(valuesOf<bool>(callOperator({.opType = "ReduceMin", .version = 20}, {x, tensorOf<int64_t>({1}, {0})})),
           (std::vector<bool>{false, false}));
  QCOMPARE(valuesOf<bool>(callOperator({.opType = "ReduceMin", .version = 20},
                                       {*Tensor::create(ElementType::kBool, {0}), tensorOf<int64_t>({1}, {0})})),
           (std::vector<bool>{true}));
}

QTEST_GUILESS_MAIN(TestReductions)
#include "tst_reductions.moc"
