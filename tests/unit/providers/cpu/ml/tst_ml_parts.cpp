// What the operators of ai.onnx.ml stand on: post transforms, kernel functions fast and plain, coupled probabilities,
// tables of keys.

#include <cmath>
#include <numeric>
#include <random>

#include <QtTest>

#include "engine/graph/text.h"
#include "providers/cpu/kernels/ml/class_probabilities.h"
#include "providers/cpu/kernels/ml/key_table.h"
#include "providers/cpu/kernels/ml/post_transform.h"
#include "providers/cpu/kernels/ml/support_vectors.h"

using namespace cutaway;
using cpu::ml::PostTransform;

namespace {

bool near(float a, float b, float tolerance = 1e-5f) {
  return std::abs(a - b) <= tolerance || (std::isnan(a) && std::isnan(b)) || a == b;
}

}  // namespace

class TestMlParts : public QObject {
  Q_OBJECT
 private slots:
  void namesOfPostTransforms() {
    for (const char* name : {"NONE", "SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO", "PROBIT"})
      QVERIFY(cpu::ml::parsePostTransform(name));
    for (const char* name : {"", "softmax", "SOFTMAX ", "LOGIT"})
      QVERIFY(!cpu::ml::parsePostTransform(name));
  }

  void rowsAreTransformed() {
    const auto applied = [](PostTransform transform, std::vector<float> row) {
      cpu::ml::applyPostTransform(transform, std::span<float>(row));
      return row;
    };
    const std::vector<float> soft = applied(PostTransform::kSoftmax, {1000.0f, 1000.0f, -1000.0f});
    QVERIFY(near(soft[0], 0.5f) && near(soft[1], 0.5f) && soft[2] == 0.0f);
    const std::vector<float> zero = applied(PostTransform::kSoftmaxZero, {0.0f, 1.0f, 1.0f});
    QVERIFY(zero[0] == 0.0f && near(zero[1], 0.5f));
    QCOMPARE(applied(PostTransform::kSoftmaxZero, {0.0f, 0.0f}), (std::vector<float>{0.0f, 0.0f}));
    const std::vector<float> logistic = applied(PostTransform::kLogistic, {0.0f, 200.0f, -200.0f, std::log(3.0f)});
    QVERIFY(logistic[0] == 0.5f && logistic[1] == 1.0f && logistic[2] == 0.0f && near(logistic[3], 0.75f));
    // The quantile of the normal distribution: exact at the middle, to 0.4 % elsewhere (the approximation's bound).
    const std::vector<float> probit = applied(PostTransform::kProbit, {0.5f, 0.975f, 0.025f, 1.5f});
    QVERIFY(probit[0] == 0.0f && near(probit[1], 1.95996f, 0.01f) && near(probit[2], -1.95996f, 0.01f) &&
            std::isnan(probit[3]));
    QVERIFY(applied(PostTransform::kSoftmax, {}).empty());
  }

  void rowsOfOneTensorStandAlone() {
    std::vector<double> scores{1, 2, 3, -1, 0, 5};
    cpu::ml::applyPostTransform(PostTransform::kSoftmax, std::span<double>(scores), 2, 3);
    QVERIFY(std::abs(scores[0] + scores[1] + scores[2] - 1) < 1e-12);
    QVERIFY(std::abs(scores[3] + scores[4] + scores[5] - 1) < 1e-12);
  }

  void secondScores() {
    const auto pair = [](PostTransform transform, cpu::ml::SecondClass second, float score) {
      std::array<float, 2> scores{};
      cpu::ml::writeBinaryScores(transform, second, score, scores.data());
      return scores;
    };
    QVERIFY(near(pair(PostTransform::kNone, cpu::ml::SecondClass::kComplement, 0.25f)[0], 0.75f));
    QVERIFY(near(pair(PostTransform::kNone, cpu::ml::SecondClass::kOpposite, 0.25f)[0], -0.25f));
    QVERIFY(near(pair(PostTransform::kSoftmax, cpu::ml::SecondClass::kOpposite, 0.25f)[1], 0.25f));
    const auto logistic = pair(PostTransform::kLogistic, cpu::ml::SecondClass::kComplement, 2.0f);
    QVERIFY(near(logistic[0] + logistic[1], 1.0f) && near(logistic[1], 1.0f / (1.0f + std::exp(-2.0f))));
    const auto probit = pair(PostTransform::kProbit, cpu::ml::SecondClass::kComplement, 0.75f);
    QVERIFY(near(probit[0], -probit[1]));
  }

  void kernelFunctionsFastAndPlain_data() {
    QTest::addColumn<QString>("kind");
    QTest::addColumn<float>("degree");
    QTest::newRow("linear") << "LINEAR" << 0.0f;
    QTest::newRow("square") << "POLY" << 2.0f;
    QTest::newRow("cube") << "POLY" << 3.0f;
    QTest::newRow("fourth") << "POLY" << 4.0f;
    QTest::newRow("rbf") << "RBF" << 0.0f;
    QTest::newRow("sigmoid") << "SIGMOID" << 0.0f;
  }
  void kernelFunctionsFastAndPlain() {
    QFETCH(QString, kind);
    QFETCH(float, degree);
    constexpr int64_t kVectors = 37, kFeatures = 23, kRows = 70;
    std::mt19937 random(5);
    std::normal_distribution<float> normal(0.0f, 0.4f);
    const auto draw = [&](int64_t count) {
      std::vector<float> values(static_cast<size_t>(count));
      for (float& value : values)
        value = normal(random);
      return values;
    };
    Graph graph("g");
    const ValueId x = graph.addInput("x", ValueType::tensor(ElementType::kFloat, std::nullopt));
    Node node{.opType = "SVMRegressor", .domain = "ai.onnx.ml"};
    node.setAttribute("kernel_type", kind.toStdString());
    node.setAttribute("kernel_params", std::vector<float>{0.3f, 0.2f, degree});
    node.setAttribute("support_vectors", draw(kVectors * kFeatures));
    const NodeId id = graph.addNode(std::move(node), {x}, {"y"});
    const auto vectors = cpu::ml::SupportVectors::read(KernelInfo(graph, id), kVectors);
    QVERIFY(vectors.has_value());
    QCOMPARE(vectors->features(), kFeatures);
    const std::vector<float> rows = draw(kRows * kFeatures);
    std::vector<float> fast(kRows * kVectors), plain(kVectors);
    QVERIFY(vectors->evaluate(rows.data(), kRows, fast.data()));
    for (int64_t row = 0; row < kRows; ++row) {
      vectors->evaluateReference(rows.data() + row * kFeatures, plain.data());
      for (int64_t i = 0; i < kVectors; ++i)
        QVERIFY2(near(fast[static_cast<size_t>(row * kVectors + i)], plain[static_cast<size_t>(i)], 2e-5f),
                 qPrintable(QString("row %1, vector %2").arg(row).arg(i)));
    }
  }

  void coupledProbabilities() {
    // Pairs that come from one set of probabilities lead back to it.
    const std::vector<float> wanted{0.5f, 0.3f, 0.15f, 0.05f};
    const size_t classes = wanted.size();
    std::vector<float> pairwise(classes * classes), workspace(classes * classes + classes), got(classes);
    for (size_t i = 0; i < classes; ++i) {
      for (size_t j = 0; j < classes; ++j)
        pairwise[i * classes + j] = wanted[i] / (wanted[i] + wanted[j]);
    }
    cpu::ml::coupleProbabilities(static_cast<int64_t>(classes), pairwise.data(), workspace.data(), got.data());
    QVERIFY(near(std::accumulate(got.begin(), got.end(), 0.0f), 1.0f));
    for (size_t i = 0; i < classes; ++i)
      QVERIFY(near(got[i], wanted[i], 0.02f));
    QVERIFY(cpu::ml::pairProbability(1e30f, 1.0f, 0.0f) > 0.0f);
    QVERIFY(cpu::ml::pairProbability(-1e30f, 1.0f, 0.0f) < 1.0f);
    QVERIFY(near(cpu::ml::pairProbability(2.0f, -1.0f, 0.5f), 1.0f / (1.0f + std::exp(-1.5f))));
  }

  void floatsAsKeys() {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const float otherNan = std::bit_cast<float>(std::bit_cast<uint32_t>(nan) | 1u);
    const Tensor keys = Tensor::of<float>(std::vector<float>{1.5f, nan, -0.0f});
    const Tensor asked = Tensor::of<float>(std::vector<float>{1.5f, nan, otherNan, 0.0f, -0.0f, 2.0f});
    std::array<int32_t, 6> places{};
    const auto byValue = cpu::ml::KeyTable::make(keys, {});
    QVERIFY(byValue.has_value());
    byValue->find(asked, 0, 6, places.data());
    QCOMPARE(places, (std::array<int32_t, 6>{0, 1, 1, 2, 2, -1}));
    const auto byBits = cpu::ml::KeyTable::make(keys, {.floatsByBits = true});
    byBits->find(asked, 0, 6, places.data());
    QCOMPARE(places, (std::array<int32_t, 6>{0, 1, -1, -1, 2, -1}));
    QVERIFY(!cpu::ml::KeyTable::make(Tensor::of<uint8_t>(std::vector<uint8_t>{1}), {}));
  }
};

QTEST_GUILESS_MAIN(TestMlParts)
#include "tst_ml_parts.moc"
