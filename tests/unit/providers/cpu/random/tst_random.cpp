// Random operators: the documented sequence, seeds, distributions, and Dropout in both modes.

#include <cmath>

#include <QTest>

#include "tests/unit/providers/cpu/elementwise/operator_call.h"

using namespace cutaway;

namespace {

const std::vector<int64_t> kThree{3};

Tensor draw(const char* opType, std::vector<int64_t> shape, std::vector<Attribute> attributes) {
  attributes.push_back({"shape", std::move(shape)});
  return callOperator({.opType = opType, .attributes = std::move(attributes)}, {});
}

}  // namespace

class TestRandom : public QObject {
  Q_OBJECT

 private slots:
  void sequence();
  void distributions();
  void withoutSeed();
  void like();
  void multinomial();
  void bernoulli();
  void dropout();
};

// The first numbers of numpy.random.RandomState(0): rand(3) and randn(3).
void TestRandom::sequence() {
  const Tensor uniform = draw("RandomUniform", kThree, {{"seed", 0.0f}, {"dtype", int64_t{11}}});
  const double wantedUniform[] = {0.5488135039273248, 0.7151893663724195, 0.6027633760716439};
  for (size_t i = 0; i < 3; ++i)
    QVERIFY(std::fabs(uniform.span<double>()[i] - wantedUniform[i]) < 1e-15);
  const Tensor normal = draw("RandomNormal", kThree, {{"seed", 0.0f}, {"dtype", int64_t{11}}});
  const double wantedNormal[] = {1.764052345967664, 0.4001572083672233, 0.9787379841057392};
  for (size_t i = 0; i < 3; ++i)
    QVERIFY(std::fabs(normal.span<double>()[i] - wantedNormal[i]) < 1e-14);
}

void TestRandom::distributions() {
  const Tensor uniform = draw("RandomUniform", {200000}, {{"seed", 5.0f}, {"low", -2.0f}, {"high", 4.0f}});
  double sum = 0;
  for (const float x : uniform.span<float>()) {
    QVERIFY(x >= -2 && x <= 4);
    sum += x;
  }
  QVERIFY(std::fabs(sum / 200000 - 1) < 0.02);
  const Tensor normal = draw("RandomNormal", {200000}, {{"seed", 5.0f}, {"mean", 3.0f}, {"scale", 2.0f}});
  double mean = 0;
  double square = 0;
  for (const float x : normal.span<float>()) {
    mean += x;
    square += (x - 3.0) * (x - 3.0);
  }
  QVERIFY(std::fabs(mean / 200000 - 3) < 0.03);
  QVERIFY(std::fabs(square / 200000 - 4) < 0.08);
}

void TestRandom::withoutSeed() {
  const Tensor first = draw("RandomNormal", kThree, {});
  const Tensor again = draw("RandomNormal", kThree, {});
  QCOMPARE(valuesOf<float>(first), valuesOf<float>(again));  // a node's own seed, the same in every session
  QVERIFY(valuesOf<float>(first) != valuesOf<float>(draw("RandomNormal", kThree, {{"seed", 1.0f}})));
}

void TestRandom::like() {
  const Tensor y = callOperator({.opType = "RandomUniformLike", .attributes = {{"dtype", int64_t{1}}}},
                                {tensorOf<int32_t>({2, 5}, std::vector<int32_t>(10))});
  QVERIFY(y.type() == ElementType::kFloat && y.dims() == (Dims{2, 5}));
  const Tensor z = callOperator({.opType = "RandomNormalLike"}, {tensorOf<double>({4}, std::vector<double>(4))});
  QVERIFY(z.type() == ElementType::kDouble && z.dims() == (Dims{4}));
}

void TestRandom::multinomial() {
  const Tensor x = tensorOf<float>({2, 3}, {std::log(0.1f), std::log(0.6f), std::log(0.3f), 0, -INFINITY, -INFINITY});
  const Tensor y =
      callOperator({.opType = "Multinomial", .attributes = {{"sample_size", int64_t{20000}}, {"seed", 1.0f}}}, {x});
  QVERIFY(y.dims() == (Dims{2, 20000}));
  int counts[3] = {};
  for (size_t i = 0; i < 20000; ++i)
    ++counts[y.span<int32_t>()[i]];
  QVERIFY(std::abs(counts[0] - 2000) < 300 && std::abs(counts[1] - 12000) < 500 && std::abs(counts[2] - 6000) < 400);
  for (size_t i = 20000; i < 40000; ++i)
    QCOMPARE(y.span<int32_t>()[i], 0);
}

void TestRandom::bernoulli() {
  const Tensor x = tensorOf<float>({10000}, std::vector<float>(10000, 0.3f));
  const Tensor y = callOperator({.opType = "Bernoulli", .attributes = {{"dtype", int64_t{9}}, {"seed", 2.0f}}}, {x});
  const auto drawn = y.span<bool>();
  QVERIFY(std::abs(std::count(drawn.begin(), drawn.end(), true) - 3000) < 200);
  QCOMPARE(valuesOf<float>(callOperator({.opType = "Bernoulli"}, {tensorOf<float>({2}, {0, 1})})),
           (std::vector<float>{0, 1}));
}

void TestRandom::dropout() {
  const Tensor x = tensorOf<float>({3}, {1, -2, 3});
  auto result = tryOperator({.opType = "Dropout", .outputs = 2}, {x});
  QVERIFY(result);
  QCOMPARE(valuesOf<float>((*result)[0]), (std::vector<float>{1, -2, 3}));
  QCOMPARE(valuesOf<bool>((*result)[1]), (std::vector<bool>{true, true, true}));
  QCOMPARE(
      valuesOf<float>(callOperator({.opType = "Dropout", .version = 6, .attributes = {{"is_test", int64_t{1}}}}, {x})),
      (std::vector<float>{1, -2, 3}));
  const Tensor ones = tensorOf<float>({10000}, std::vector<float>(10000, 1.0f));
  result = tryOperator({.opType = "Dropout", .attributes = {{"seed", int64_t{0}}}, .outputs = 2},
                       {ones, tensorOf<float>({}, {0.75f}), tensorOf<bool>({}, {true})});
  QVERIFY(result);
  int kept = 0;
  for (size_t i = 0; i < 10000; ++i) {
    const bool keep = (*result)[1].span<bool>()[i];
    kept += keep;
    QCOMPARE((*result)[0].span<float>()[i], keep ? 4.0f : 0.0f);
  }
  QVERIFY(std::abs(kept - 2500) < 200);
  QVERIFY(!tryOperator({.opType = "Dropout"}, {x, tensorOf<float>({}, {1.0f}), tensorOf<bool>({}, {true})}));
}

QTEST_GUILESS_MAIN(TestRandom)
#include "tst_random.moc"
