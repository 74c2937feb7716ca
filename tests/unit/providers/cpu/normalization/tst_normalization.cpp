// Normalisations: the vector loops against the loop in double, whole operators against their form in double, and inputs
// that do not fit.

#include <cmath>
#include <limits>

#include <QTest>

#include "engine/base/parallel.h"
#include "providers/cpu/kernels/normalization/norm_row.h"
#include "tests/unit/providers/cpu/elementwise/operator_call.h"
#include "tests/unit/providers/cpu/random_tensor.h"

using namespace cutaway;
using List = QList<qint64>;

namespace {

std::vector<int64_t> ints(const List& list) {
  return {list.begin(), list.end()};
}

Tensor shifted(Tensor tensor, float by) {
  for (float& value : tensor.span<float>())
    value += by;
  return tensor;
}

OperatorCall contrib(const char* name, std::vector<Attribute> attributes = {}, size_t outputs = 1) {
  return {
      .opType = name, .domain = "com.microsoft", .version = 1, .attributes = std::move(attributes), .outputs = outputs};
}

void compareWithDouble(const OperatorCall& call, const std::vector<Tensor>& inputs, double tolerance) {
  std::vector<Tensor> wide;
  for (const Tensor& input : inputs)
    wide.push_back(input.valid() && input.type() == ElementType::kFloat ? asDouble(input) : input);
  const Tensor wanted = callOperator(call, wide);
  QVERIFY(wanted.valid());
  for (const int threads : {1, 3}) {
    const ThreadShare share(threads);
    const Tensor y = callOperator(call, inputs);
    QVERIFY(y.valid());
    const std::string text = difference(y, asFloat(wanted), tolerance, tolerance);
    QVERIFY2(text.empty(), text.c_str());
  }
}

}  // namespace

class TestNormalization : public QObject {
  Q_OBJECT

 private slots:
  // Neighbours at both ends, windows of even and odd size, cells that fill no vector, exponents with a loop of their
  // own.
  void acrossChannels_data() {
    QTest::addColumn<List>("dims");
    QTest::addColumn<int>("size");
    QTest::addColumn<float>("beta");
    QTest::newRow("five channels") << List{2, 9, 7, 5} << 5 << 0.75f;
    QTest::newRow("two channels") << List{1, 6, 33} << 2 << 0.75f;
    QTest::newRow("more than there are") << List{1, 3, 4, 4} << 9 << 0.75f;
    QTest::newRow("no cells beside each other") << List{3, 8} << 3 << 0.75f;
    QTest::newRow("another exponent") << List{1, 5, 17} << 3 << 0.6f;
  }
  void acrossChannels() {
    QFETCH(List, dims);
    QFETCH(int, size);
    QFETCH(float, beta);
    compareWithDouble(
        {.opType = "LRN", .attributes = {{"size", int64_t{size}}, {"alpha", 0.3f}, {"beta", beta}, {"bias", 1.5f}}},
        {randomTensor(ints(dims), 3)}, 1e-6);
  }

  void rowsAgreeWithTheDefinition_data() {
    QTest::addColumn<int>("count");
    QTest::addColumn<bool>("centered");
    QTest::addColumn<bool>("scaled");
    QTest::addColumn<bool>("moved");
    QTest::addColumn<float>("center");
    for (const int count : {1, 2, 7, 16, 33, 64, 127, 768, 20000}) {
      for (int form = 0; form < 8; ++form) {
        QTest::addRow("%d form %d", count, form)
            << count << ((form & 1) != 0) << ((form & 2) != 0) << ((form & 4) != 0) << 0.0f;
      }
      QTest::addRow("%d far from zero", count) << count << true << true << true << 1000.0f;
    }
  }

  void rowsAgreeWithTheDefinition() {
    QFETCH(int, count);
    QFETCH(bool, centered);
    QFETCH(bool, scaled);
    QFETCH(bool, moved);
    QFETCH(float, center);
    const Tensor x = shifted(randomTensor({count}, 1), center), scale = randomTensor({count}, 2),
                 shift = randomTensor({count}, 3);
    const cpu::RowRule<float> rule{.scale = scaled ? scale.span<float>().data() : nullptr,
                                   .shift = moved ? shift.span<float>().data() : nullptr,
                                   .epsilon = 1e-5f,
                                   .centered = centered};
    std::vector<float> fast(static_cast<size_t>(count)), slow(static_cast<size_t>(count));
    const cpu::RowStatistics<float> found = cpu::normalizeRow(x.span<float>().data(), rule, fast.data(), count);
    const cpu::RowStatistics<float> wanted =
        cpu::normalizeRowReference(x.span<float>().data(), rule, slow.data(), count);
    QVERIFY(std::abs(found.mean - wanted.mean) <= 1e-5f * std::max(1.0f, std::abs(wanted.mean)));
    QVERIFY(std::abs(found.inverse - wanted.inverse) <= 1e-5f * wanted.inverse);
    for (size_t i = 0; i < fast.size(); ++i)
      QVERIFY2(std::abs(fast[i] - slow[i]) <= 2e-5f * std::max(1.0f, std::abs(slow[i])),
               qPrintable(QString("%1: %2 instead of %3").arg(i).arg(fast[i]).arg(slow[i])));
    std::vector<float> inPlace(x.span<float>().begin(), x.span<float>().end());
    cpu::normalizeRow(inPlace.data(), rule, inPlace.data(), count);
    QCOMPARE(inPlace, fast);
  }

  void rowsOfNotANumberStaySo() {
    std::vector<float> x(40, 1.0f), y(40);
    x[17] = std::numeric_limits<float>::quiet_NaN();
    cpu::normalizeRow(x.data(), {.scale = nullptr, .shift = nullptr, .epsilon = 1e-5f, .centered = true}, y.data(), 40);
    for (const float value : y)
      QVERIFY(std::isnan(value));
  }

  // A single chain of floats is off by one part in ten thousand here; pieces of a few thousand keep it to some parts in
  // a million.
  void sumsOfLongRuns() {
    std::vector<float> x(100003, 0.1f);
    float chain = 0;
    for (const float value : x)
      chain += value;
    QVERIFY(std::abs(static_cast<double>(chain) - 10000.3) > 0.5);
    QVERIFY(std::abs(cpu::rowSum(x.data(), 100003) - 10000.3) < 0.05);
    QVERIFY(std::abs(cpu::rowSquares(x.data(), 0.0f, 100003) - 1000.03) < 0.005);
  }

  void operatorsAgreeWithDouble_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<List>("x");
    QTest::addColumn<List>("scale");
    QTest::addColumn<int>("axis");
    QTest::newRow("layer") << "LayerNormalization" << List{2, 3, 65} << List{65} << -1;
    QTest::newRow("layer, two axes") << "LayerNormalization" << List{2, 3, 4, 17} << List{4, 17} << 2;
    QTest::newRow("layer, shared scale") << "LayerNormalization" << List{2, 3, 40} << List{3, 1} << 2;
    QTest::newRow("layer, one element") << "LayerNormalization" << List{3, 1} << List{1} << 1;
    QTest::newRow("layer, no rows") << "LayerNormalization" << List{0, 8} << List{8} << 1;
    QTest::newRow("root mean square") << "RMSNormalization" << List{2, 3, 65} << List{65} << -1;
    QTest::newRow("instance") << "InstanceNormalization" << List{2, 3, 5, 7} << List{3} << 0;
    QTest::newRow("mean and variance") << "MeanVarianceNormalization" << List{2, 3, 5, 7} << List{} << 0;
  }

  void operatorsAgreeWithDouble() {
    QFETCH(QString, name);
    QFETCH(List, x);
    QFETCH(List, scale);
    QFETCH(int, axis);
    OperatorCall call{.opType = name.toStdString(), .version = 23};
    std::vector<Tensor> inputs{shifted(randomTensor(ints(x), 1), 3.0f)};
    if (!scale.isEmpty()) inputs.push_back(randomTensor(ints(scale), 2));
    if (name == "LayerNormalization" || name == "InstanceNormalization") inputs.push_back(randomTensor(ints(scale), 3));
    if (name == "LayerNormalization" || name == "RMSNormalization") call.attributes.push_back({"axis", int64_t{axis}});
    compareWithDouble(call, inputs, 2e-5);
  }

  void skipNormalizationsAgreeWithDouble() {
    const Tensor x = randomTensor({2, 5, 33}, 1), skip = randomTensor({5, 33}, 2), gamma = randomTensor({33}, 3),
                 beta = randomTensor({33}, 4), bias = randomTensor({33}, 5);
    compareWithDouble(contrib("SkipLayerNormalization", {{"epsilon", 1e-5f}}), {x, skip, gamma, beta, bias}, 2e-5);
    compareWithDouble(contrib("SkipSimplifiedLayerNormalization", {{"epsilon", 1e-5f}}), {x, skip, gamma, bias}, 2e-5);
  }

  // Two numbers in a row: the mean is between them and the deviation half their distance.
  void skipLayerNormalizationByHand() {
    const Tensor x = tensorOf<float>({1, 1, 2}, {1, 2}), skip = tensorOf<float>({1, 1, 2}, {2, 5}),
                 gamma = tensorOf<float>({2}, {10, 10}), beta = tensorOf<float>({2}, {1, 2});
    const auto results = tryOperator(contrib("SkipLayerNormalization", {{"epsilon", 0.0f}}, 4), {x, skip, gamma, beta});
    QVERIFY(results.has_value());
    QCOMPARE(valuesOf<float>((*results)[0]), (std::vector<float>{-9, 12}));
    QCOMPARE(valuesOf<float>((*results)[1]), (std::vector<float>{5}));
    QCOMPARE(valuesOf<float>((*results)[2]), (std::vector<float>{0.5}));
    QCOMPARE(valuesOf<float>((*results)[3]), (std::vector<float>{3, 7}));
  }

  void refusesWhatDoesNotFit() {
    const Tensor x = randomTensor({2, 3, 8}, 1), row = randomTensor({8}, 2), shorter = randomTensor({7}, 3);
    QVERIFY(!tryOperator(contrib("SkipLayerNormalization"), {x, x, shorter}).has_value());
    QVERIFY(!tryOperator(contrib("SkipLayerNormalization"), {x, x, row, shorter}).has_value());
    QVERIFY(!tryOperator(contrib("SkipLayerNormalization"), {x, randomTensor({2, 8}, 4), row}).has_value());
    QVERIFY(!tryOperator(contrib("SkipLayerNormalization"), {x, asDouble(x), row}).has_value());
    QVERIFY(!tryOperator(contrib("GatedRMSNorm"), {x, shorter, x}).has_value());
    QVERIFY(!tryOperator(contrib("GatedRMSNorm", {{"activation", std::string("relu")}}), {x, row, x}).has_value());
    QVERIFY(!tryOperator(contrib("GroupNorm", {{"groups", int64_t{3}}, {"activation", int64_t{0}}}),
                         {randomTensor({1, 2, 2, 8}, 5), row, row})
                 .has_value());
    QVERIFY(!tryOperator(contrib("GroupNorm", {{"groups", int64_t{0}}, {"activation", int64_t{0}}}),
                         {randomTensor({1, 2, 2, 8}, 5), row, row})
                 .has_value());
    QVERIFY(!tryOperator({.opType = "LayerNormalization", .version = 17}, {x, shorter}).has_value());
    QVERIFY(
        !tryOperator({.opType = "LayerNormalization", .version = 17, .attributes = {{"axis", int64_t{3}}}}, {x, row})
             .has_value());
  }

  void embeddingRefusesIndicesOutsideItsTables() {
    const Tensor words = randomTensor({4, 8}, 1), places = randomTensor({3, 8}, 2), row = randomTensor({8}, 3);
    const auto call = [&](const std::vector<int32_t>& ids, int64_t length) {
      return tryOperator(contrib("EmbedLayerNormalization", {}, 1),
                         {tensorOf<int32_t>({1, length}, ids), Tensor{}, words, places, Tensor{}, row, row});
    };
    QVERIFY(call({0, 3, 1}, 3).has_value());
    QVERIFY(!call({0, 4, 1}, 3).has_value());
    QVERIFY(!call({0, -1, 1}, 3).has_value());
    QVERIFY(!call({0, 1, 2, 3}, 4).has_value());  // more positions than the table has rows
  }
};

QTEST_GUILESS_MAIN(TestNormalization)
#include "tst_normalization.moc"
