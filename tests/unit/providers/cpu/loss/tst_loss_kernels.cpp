// The losses of classifiers against their definition in double, over more places than a block holds, and what they
// refuse.

#include <cmath>
#include <random>

#include <QtTest>

#include "tests/unit/providers/cpu/elementwise/operator_call.h"

using namespace cutaway;

namespace {

constexpr int64_t kClasses = 5;
constexpr int64_t kPlaces = 300;  // more than one block of places

struct Sample {
  Tensor scores = *Tensor::create(ElementType::kFloat, {2, kClasses, kPlaces});
  Tensor labels = *Tensor::create(ElementType::kInt64, {2, kPlaces});
  Tensor weights = tensorOf<float>({kClasses}, {0.5f, 2, 1, 0.25f, 3});

  Sample() {
    std::mt19937 random(11);
    for (float& score : scores.span<float>())
      score = static_cast<float>(random() % 1000) / 100 - 5;
    for (int64_t& label : labels.span<int64_t>())
      label = static_cast<int64_t>(random() % kClasses);
  }
  double score(int64_t entry, int64_t label, int64_t place) const {
    return scores.span<float>()[static_cast<size_t>((entry * kClasses + label) * kPlaces + place)];
  }
  double logProbability(int64_t entry, int64_t label, int64_t place) const {
    double sum = 0;
    for (int64_t c = 0; c < kClasses; ++c)
      sum += std::exp(score(entry, c, place));
    return score(entry, label, place) - std::log(sum);
  }
};

bool close(double a, double b) {
  return std::abs(a - b) <= 1e-4 + 1e-4 * std::abs(b);
}

OperatorCall softmaxLoss(const std::string& reduction, std::vector<Attribute> more = {}) {
  more.push_back({"reduction", reduction});
  return {.opType = "SoftmaxCrossEntropyLoss", .version = 13, .attributes = std::move(more)};
}

bool refused(const OperatorCall& call, const std::vector<Tensor>& inputs) {
  const Result<std::vector<Tensor>> outputs = tryOperator(call, inputs);
  return !outputs && outputs.error().code != ErrorCode::kNotImplemented && !outputs.error().message.empty();
}

}  // namespace

class TestLossKernels : public QObject {
  Q_OBJECT

 private slots:
  void everyPlace() {
    const Sample sample;
    OperatorCall call = softmaxLoss("none");
    call.outputs = 2;
    const Result<std::vector<Tensor>> outputs = tryOperator(call, {sample.scores, sample.labels, sample.weights});
    QVERIFY(outputs);
    for (int64_t entry = 0; entry < 2; ++entry) {
      for (int64_t place = 0; place < kPlaces; ++place) {
        const int64_t label = sample.labels.span<int64_t>()[static_cast<size_t>(entry * kPlaces + place)];
        const double weight = sample.weights.span<float>()[static_cast<size_t>(label)];
        QVERIFY(close((*outputs)[0].span<float>()[static_cast<size_t>(entry * kPlaces + place)],
                      -weight * sample.logProbability(entry, label, place)));
        for (int64_t c = 0; c < kClasses; ++c) {
          QVERIFY(close((*outputs)[1].span<float>()[static_cast<size_t>((entry * kClasses + c) * kPlaces + place)],
                        sample.logProbability(entry, c, place)));
        }
      }
    }
  }

  void sumsAndMeans() {
    const Sample sample;
    double sum = 0, weights = 0;
    for (int64_t i = 0; i < 2 * kPlaces; ++i) {
      const int64_t label = sample.labels.span<int64_t>()[static_cast<size_t>(i)];
      if (label == 3) continue;
      const double weight = sample.weights.span<float>()[static_cast<size_t>(label)];
      sum -= weight * sample.logProbability(i / kPlaces, label, i % kPlaces);
      weights += weight;
    }
    const std::vector<Tensor> inputs{sample.scores, sample.labels, sample.weights};
    const Tensor total = callOperator(softmaxLoss("sum", {{"ignore_index", int64_t{3}}}), inputs);
    const Tensor mean = callOperator(softmaxLoss("mean", {{"ignore_index", int64_t{3}}}), inputs);
    QVERIFY(total.rank() == 0 && close(total.span<float>()[0], sum));
    QVERIFY(close(mean.span<float>()[0], sum / weights));
  }

  void ignoredLabelsMayBeAnything() {
    const OperatorCall call{.opType = "NegativeLogLikelihoodLoss",
                            .version = 13,
                            .attributes = {{"ignore_index", int64_t{-100}}, {"reduction", std::string("sum")}}};
    const Tensor loss =
        callOperator(call, {tensorOf<float>({2, 2}, {-1, -2, -3, -4}), tensorOf<int64_t>({2}, {-100, 1})});
    QCOMPARE(loss.span<float>()[0], 4.0f);
  }

  void refusals() {
    const Tensor scores = tensorOf<float>({2, 2}, {-1, -2, -3, -4});
    QVERIFY(refused(softmaxLoss("mean"), {scores, tensorOf<int64_t>({2}, {0, 2})}));  // no such class
    QVERIFY(refused(softmaxLoss("mean"), {scores, tensorOf<int64_t>({2}, {0, -1})}));
    QVERIFY(refused(softmaxLoss("mean"), {scores, tensorOf<int64_t>({3}, {0, 1, 0})}));
    QVERIFY(refused(softmaxLoss("mean"), {scores, tensorOf<int64_t>({2}, {0, 1}), tensorOf<float>({3}, {1, 1, 1})}));
    QVERIFY(refused(softmaxLoss("most"), {scores, tensorOf<int64_t>({2}, {0, 1})}));
  }
};

QTEST_GUILESS_MAIN(TestLossKernels)
#include "tst_loss_kernels.moc"
