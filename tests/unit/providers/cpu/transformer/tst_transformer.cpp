// Small operators of transformer models: inputs that do not fit are refused, and edges that the conformance cases do
// not reach.

#include <QTest>

#include "tests/unit/providers/cpu/elementwise/operator_call.h"
#include "tests/unit/providers/cpu/random_tensor.h"

using namespace cutaway;

namespace {

OperatorCall contrib(const char* name, std::vector<Attribute> attributes = {}, size_t outputs = 1) {
  return {
      .opType = name, .domain = "com.microsoft", .version = 1, .attributes = std::move(attributes), .outputs = outputs};
}

bool refused(const OperatorCall& call, const std::vector<Tensor>& inputs) {
  const auto result = tryOperator(call, inputs);
  return !result.has_value() && !result.error().message.empty();
}

}  // namespace

class TestTransformer : public QObject {
  Q_OBJECT

 private slots:
  void biasMustFit() {
    const Tensor x = randomTensor({2, 3, 8}, 1), row = randomTensor({8}, 2), shorter = randomTensor({7}, 3);
    for (const char* name : {"BiasGelu", "FastGelu", "BiasSplitGelu", "BiasDropout"})
      QVERIFY2(refused(contrib(name), {x, shorter}), name);
    QVERIFY(refused(contrib("BiasAdd"), {x, shorter, x}));
    QVERIFY(refused(contrib("BiasAdd"), {x, row, randomTensor({3, 8}, 4)}));
    QVERIFY(refused(contrib("GatedAdd"), {x, x, randomTensor({2, 3, 2}, 4)}));
    QVERIFY(refused(contrib("BiasSplitGelu"), {randomTensor({2, 7}, 1), shorter}));
    QVERIFY(refused({.opType = "SwiGLU"}, {x, randomTensor({2, 3, 1}, 2)}));
    QVERIFY(refused(contrib("BiasSoftmax", {{"axis", int64_t{2}}, {"is_inner_broadcast", int64_t{1}}}), {x, shorter}));
  }

  void trainingIsRefused() {
    const Tensor x = randomTensor({2, 8}, 1), row = randomTensor({8}, 2);
    QVERIFY(refused(contrib("BiasDropout"), {x, row, Tensor{}, Tensor{}, Tensor::scalar(true)}));
    QVERIFY(tryOperator(contrib("BiasDropout"), {x, row, Tensor{}, Tensor{}, Tensor::scalar(false)}).has_value());
  }

  void paddingMustFit() {
    const Tensor x = randomTensor({2, 3, 4}, 1);
    QVERIFY(refused(contrib("RemovePadding", {}, 4), {x, tensorOf<int32_t>({2}, {1, 4})}));
    QVERIFY(refused(contrib("RemovePadding", {}, 4), {x, tensorOf<int32_t>({2}, {-1, 1})}));
    QVERIFY(refused(contrib("RemovePadding", {}, 4), {x, tensorOf<int32_t>({1}, {1})}));
    QVERIFY(refused(contrib("RestorePadding"), {randomTensor({3, 4}, 2), tensorOf<int32_t>({1, 3}, {0, 1, 3})}));
    QVERIFY(refused(contrib("RestorePadding"), {randomTensor({4, 4}, 2), tensorOf<int32_t>({1, 3}, {0, 1, 2})}));
  }

  void tokensMustBeWords() {
    QVERIFY(refused(contrib("NGramRepeatBlock", {{"ngram_size", int64_t{1}}}),
                    {tensorOf<int64_t>({1, 2}, {1, 5}), randomTensor({1, 5}, 1)}));
    QVERIFY(refused(contrib("NGramRepeatBlock", {{"ngram_size", int64_t{0}}}),
                    {tensorOf<int64_t>({1, 2}, {1, 2}), randomTensor({1, 5}, 1)}));
    QVERIFY(refused(contrib("DynamicTimeWarping"), {randomTensor({2, 3, 4}, 1)}));
    QVERIFY(refused(contrib("DynamicTimeWarping"), {randomTensor({0, 4}, 1)}));
  }

  void expertsMustFit() {
    const Tensor x = randomTensor({3, 8}, 1), logits = randomTensor({3, 2}, 2), first = randomTensor({2, 6, 8}, 3),
                 second = randomTensor({2, 8, 6}, 4);
    QVERIFY(tryOperator(contrib("MoE", {{"k", int64_t{2}}}), {x, logits, first, Tensor{}, second}).has_value());
    QVERIFY(refused(contrib("MoE", {{"k", int64_t{3}}}), {x, logits, first, Tensor{}, second}));
    QVERIFY(refused(contrib("MoE", {{"k", int64_t{0}}}), {x, logits, first, Tensor{}, second}));
    QVERIFY(refused(contrib("MoE", {{"activation_type", std::string("tan")}}), {x, logits, first, Tensor{}, second}));
    QVERIFY(refused(contrib("MoE"), {x, randomTensor({2, 2}, 2), first, Tensor{}, second}));
    QVERIFY(refused(contrib("MoE"), {x, logits, second, Tensor{}, first}));
    QVERIFY(refused(contrib("MoE"), {x, logits, randomTensor({3, 6, 8}, 3), Tensor{}, second}));
    QVERIFY(refused(contrib("MoE"), {x, logits, first, randomTensor({2, 5}, 5), second}));
  }
};

QTEST_GUILESS_MAIN(TestTransformer)
#include "tst_transformer.moc"
