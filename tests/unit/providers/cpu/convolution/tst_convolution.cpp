// Conv, FusedConv and ConvTranspose: the library against the plain loops over a table of shapes, and small cases worked
// out by hand.

#include <thread>

#include <QTest>

#include "engine/base/parallel.h"
#include "engine/tensor/packed_weight.h"
#include "providers/cpu/kernels/convolution/convolution_reference.h"
#include "providers/cpu/kernels/convolution/prepared_convolution.h"
#include "tests/unit/providers/cpu/elementwise/operator_call.h"
#include "tests/unit/providers/cpu/random_tensor.h"

using namespace cutaway;
using namespace cutaway::operators;
using Ints = std::vector<int64_t>;

namespace {

struct ConvCase {
  const char* name;
  Ints x, w;  // w of a transposed convolution: [in, out/groups, ...]
  Ints strides, pads, dilations;
  int64_t groups = 1;
  const char* autoPad = "NOTSET";
};

const ConvCase kCases[] = {
    {"3x3", {1, 3, 8, 8}, {5, 3, 3, 3}, {1, 1}, {1, 1, 1, 1}, {1, 1}},
    {"1x1 to blocks", {2, 16, 7, 5}, {32, 16, 1, 1}, {1, 1}, {0, 0, 0, 0}, {1, 1}},
    {"strided 7x7 with three channels", {1, 3, 23, 23}, {16, 3, 7, 7}, {2, 2}, {3, 3, 3, 3}, {1, 1}},
    {"uneven pads and strides", {1, 4, 9, 11}, {6, 4, 3, 2}, {2, 3}, {0, 1, 2, 0}, {1, 1}},
    {"dilated", {1, 8, 12, 12}, {8, 8, 3, 3}, {1, 1}, {2, 2, 2, 2}, {2, 2}},
    {"groups", {1, 8, 6, 6}, {12, 2, 3, 3}, {1, 1}, {1, 1, 1, 1}, {1, 1}, 4},
    {"depthwise", {1, 24, 10, 10}, {24, 1, 3, 3}, {2, 2}, {1, 1, 1, 1}, {1, 1}, 24},
    {"1-D", {2, 5, 30}, {7, 5, 4}, {3}, {1, 2}, {1}},
    {"3-D", {1, 4, 5, 6, 7}, {6, 4, 2, 3, 2}, {1, 2, 1}, {0, 1, 1, 1, 1, 0}, {1, 1, 1}},
    {"one column", {2, 24, 30, 1}, {32, 24, 5, 1}, {2, 1}, {1, 0, 2, 0}, {1, 1}},
    {"one column padded to more", {1, 8, 30, 1}, {6, 8, 5, 3}, {1, 1}, {0, 1, 0, 1}, {1, 1}},
    {"one column, groups", {1, 24, 30, 1}, {24, 1, 3, 1}, {1, 1}, {1, 0, 1, 0}, {1, 1}, 24},
    {"one row", {1, 16, 1, 30}, {16, 16, 1, 1}, {1, 1}, {0, 0, 0, 0}, {1, 1}},
    {"3-D of one line", {1, 4, 1, 20, 1}, {6, 4, 1, 3, 1}, {1, 2, 1}, {0, 1, 0, 0, 1, 0}, {1, 1, 1}},
    {"one cell", {1, 70, 1, 1}, {37, 70, 1, 1}, {1, 1}, {0, 0, 0, 0}, {1, 1}},
    {"one cell of two images", {2, 20, 1, 1}, {37, 20, 1, 1}, {1, 1}, {0, 0, 0, 0}, {1, 1}},
    {"one cell, groups", {1, 20, 1, 1}, {30, 10, 1, 1}, {1, 1}, {0, 0, 0, 0}, {1, 1}, 2},
    {"one cell behind pads", {1, 20, 1, 1}, {30, 20, 1, 1}, {2, 2}, {1, 1, 0, 0}, {1, 1}},
    {"all of an image", {1, 9, 5, 4}, {33, 9, 5, 4}, {2, 1}, {0, 0, 0, 0}, {1, 1}},
    {"all of a line", {1, 9, 50}, {1, 9, 50}, {1}, {0, 0}, {1}},
    {"all of an image, dilated", {1, 9, 3, 5}, {12, 9, 2, 3}, {1, 1}, {0, 0, 0, 0}, {2, 2}},
    {"same upper", {1, 3, 9, 10}, {4, 3, 3, 4}, {2, 2}, {}, {1, 1}, 1, "SAME_UPPER"},
    {"same lower", {1, 3, 9, 10}, {4, 3, 3, 4}, {2, 2}, {}, {1, 1}, 1, "SAME_LOWER"},
    {"valid", {1, 3, 9, 10}, {4, 3, 3, 4}, {2, 2}, {}, {1, 1}, 1, "VALID"},
    {"4-D window, plain loops", {1, 2, 3, 4, 3, 4}, {3, 2, 2, 2, 2, 2}, {1, 1, 1, 1}, {}, {1, 1, 1, 1}},
};

std::vector<Attribute> attributesOf(const ConvCase& each) {
  std::vector<Attribute> attributes{{"strides", each.strides},
                                    {"dilations", each.dilations},
                                    {"group", each.groups},
                                    {"auto_pad", std::string(each.autoPad)}};
  if (!each.pads.empty()) attributes.push_back({"pads", each.pads});
  return attributes;
}

Tensor expectedConv(const ConvCase& each, const Tensor& x, const Tensor& w, const Tensor& bias, const Tensor& y) {
  WindowAttributes attributes{.kernel = {},
                              .strides = each.strides,
                              .dilations = each.dilations,
                              .pads = each.pads,
                              .autoPad = *operators::parseAutoPad(each.autoPad),
                              .ceilMode = false};
  const std::span<const int64_t> xDims = x.dims(), wDims = w.dims();
  const cpu::ConvolutionGeometry geometry{each.x[0], each.x[1], each.w[0], each.groups,
                                          *placeWindow(attributes, xDims.subspan(2), wDims.subspan(2))};
  Tensor expected = *Tensor::create(ElementType::kFloat, y.dims());
  convolveReference<float>(geometry, x.span<float>().data(), w.span<float>().data(), bias.span<float>().data(),
                           expected.span<float>().data());
  return expected;
}

}  // namespace

class TestConvolution : public QObject {
  Q_OBJECT

 private slots:
  void matchesPlainLoops_data() {
    QTest::addColumn<int>("index");
    for (int i = 0; i < static_cast<int>(std::size(kCases)); ++i)
      QTest::newRow(kCases[i].name) << i;
  }

  void matchesPlainLoops() {
    QFETCH(int, index);
    const ConvCase& each = kCases[index];
    const Tensor x = randomTensor(each.x, 1), w = randomTensor(each.w, 2), bias = randomTensor({each.w[0]}, 3);
    for (const int threads : {1, 3}) {
      const ThreadShare share(threads);
      const Tensor y = callOperator({.opType = "Conv", .attributes = attributesOf(each)}, {x, w, bias});
      QVERIFY(y.valid());
      const std::string text = difference(y, expectedConv(each, x, w, bias, y), 1e-4, 1e-4);
      QVERIFY2(text.empty(), text.c_str());
    }
    // Doubles go through products of gathered windows.
    const Tensor wide =
        callOperator({.opType = "Conv", .attributes = attributesOf(each)}, {asDouble(x), asDouble(w), asDouble(bias)});
    QVERIFY(wide.valid());
    QCOMPARE(difference(asFloat(wide), expectedConv(each, x, w, bias, wide), 1e-4, 1e-4), std::string());
    const Tensor half =
        callOperator({.opType = "Conv", .attributes = attributesOf(each)}, {asHalf(x), asHalf(w), asHalf(bias)});
    QVERIFY(half.valid());
    QCOMPARE(
        difference(asFloat(half),
                   expectedConv(each, asFloat(asHalf(x)), asFloat(asHalf(w)), asFloat(asHalf(bias)), half), 2e-3, 2e-3),
        std::string());
  }

  // What lies in one column is convolved like a row: kernels of the library walk along the last axis.
  void columnsAreRows() {
    math::ConvolutionShape row{.inChannels = 256, .outChannels = 512, .spatialRank = 2};
    row.input = {1, 512}, row.output = {1, 508}, row.kernel = {1, 5}, row.strides = row.dilations = {1, 1};
    math::ConvolutionShape column = row;
    for (math::SpatialDims* dims : {&column.input, &column.output, &column.kernel})
      std::swap((*dims)[0], (*dims)[1]);
    const auto ofRow = math::Convolution::create(row), ofColumn = math::Convolution::create(column);
    QVERIFY(ofRow && ofColumn);
    QCOMPARE((*ofColumn)->implementation(), (*ofRow)->implementation());
    QVERIFY((*ofColumn)->shape() == column && (*ofRow)->shape() == row);
  }

  // 3x3 of ones over 1..9, no padding: the sum; with padding the corner sees 1+2+4+5.
  void smallNumbers() {
    const Tensor x = tensorOf<float>({1, 1, 3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9}),
                 w = tensorOf<float>({1, 1, 3, 3}, std::vector<float>(9, 1.0f));
    QCOMPARE(valuesOf<float>(callOperator({.opType = "Conv"}, {x, w})), (std::vector<float>{45}));
    const Tensor padded = callOperator({.opType = "Conv", .attributes = {{"pads", Ints{1, 1, 1, 1}}}}, {x, w});
    QCOMPARE(valuesOf<float>(padded), (std::vector<float>{12, 21, 16, 27, 45, 33, 24, 39, 28}));
  }

  void fusedActivationAndResidual_data() {
    QTest::addColumn<QString>("activation");
    QTest::addColumn<QList<float>>("parameters");
    QTest::newRow("none") << "" << QList<float>{};
    QTest::newRow("relu") << "Relu" << QList<float>{};
    QTest::newRow("leaky") << "LeakyRelu" << QList<float>{0.1f};
    QTest::newRow("clip") << "Clip" << QList<float>{-0.2f, 0.5f};
    QTest::newRow("sigmoid") << "Sigmoid" << QList<float>{};
    QTest::newRow("tanh") << "Tanh" << QList<float>{};
    QTest::newRow("hard sigmoid") << "HardSigmoid" << QList<float>{0.3f, 0.4f};
    QTest::newRow("hard swish") << "HardSwish" << QList<float>{};
  }

  void fusedActivationAndResidual() {
    QFETCH(QString, activation);
    QFETCH(QList<float>, parameters);
    const auto fused = [&](const ConvCase& each, const std::vector<Tensor>& inputs) {
      auto attributes = attributesOf(each);
      attributes.push_back({"activation", activation.toStdString()});
      attributes.push_back({"activation_params", std::vector<float>(parameters.begin(), parameters.end())});
      return callOperator({.opType = "FusedConv", .domain = "com.microsoft", .version = 1, .attributes = attributes},
                          inputs);
    };
    const ConvCase cell{"", {1, 70, 1, 1}, {37, 70, 1, 1}, {1, 1}, {0, 0, 0, 0}, {1, 1}};
    const std::vector<Tensor> ofCell{randomTensor(cell.x, 1), randomTensor(cell.w, 2), randomTensor({37}, 3)};
    const Tensor one = fused(cell, ofCell),
                 wideOne = fused(cell, {asDouble(ofCell[0]), asDouble(ofCell[1]), asDouble(ofCell[2])});
    QVERIFY(one.valid() && wideOne.valid());
    QCOMPARE(difference(one, asFloat(wideOne), 1e-4, 1e-4), std::string());

    const ConvCase each{"", {1, 8, 6, 6}, {16, 8, 3, 3}, {1, 1}, {1, 1, 1, 1}, {1, 1}};
    const Tensor x = randomTensor(each.x, 1), w = randomTensor(each.w, 2), bias = randomTensor({16}, 3),
                 z = randomTensor({1, 16, 6, 6}, 4);
    const Tensor y = fused(each, {x, w, bias, z}),
                 wide = fused(each, {asDouble(x), asDouble(w), asDouble(bias), asDouble(z)});
    QVERIFY(y.valid() && wide.valid());
    QCOMPARE(difference(y, asFloat(wide), 1e-4, 1e-4), std::string());
    if (activation.isEmpty()) {
      Tensor expected = expectedConv(each, x, w, bias, y);
      for (size_t i = 0; i < expected.span<float>().size(); ++i)
        expected.span<float>()[i] += z.span<float>()[i];
      QCOMPARE(difference(y, expected, 1e-4, 1e-4), std::string());
    }
  }

  void transposed_data() {
    QTest::addColumn<QList<qint64>>("x");
    QTest::addColumn<QList<qint64>>("w");
    QTest::addColumn<QList<qint64>>("strides");
    QTest::addColumn<QList<qint64>>("pads");
    QTest::addColumn<QList<qint64>>("outputPadding");
    QTest::addColumn<qint64>("groups");
    using List = QList<qint64>;
    QTest::newRow("plain") << List{1, 4, 5, 6} << List{4, 3, 3, 3} << List{1, 1} << List{0, 0, 0, 0} << List{0, 0}
                           << qint64{1};
    QTest::newRow("strided, output padding")
        << List{2, 4, 5, 6} << List{4, 8, 3, 3} << List{2, 3} << List{1, 1, 1, 1} << List{1, 2} << qint64{1};
    QTest::newRow("groups") << List{1, 6, 4, 4} << List{6, 2, 2, 2} << List{2, 2} << List{0, 0, 0, 0} << List{0, 0}
                            << qint64{3};
    QTest::newRow("1-D") << List{1, 4, 9} << List{4, 2, 4} << List{2} << List{1, 0} << List{0} << qint64{1};
    QTest::newRow("one column") << List{1, 8, 9, 1} << List{8, 16, 4, 1} << List{2, 1} << List{1, 0, 1, 0} << List{0, 0}
                                << qint64{1};
    QTest::newRow("windows side by side")
        << List{2, 24, 7, 5} << List{24, 11, 2, 2} << List{2, 2} << List{0, 0, 0, 0} << List{0, 0} << qint64{1};
    QTest::newRow("windows of 3x4 side by side")
        << List{1, 5, 13, 9} << List{5, 20, 3, 4} << List{3, 4} << List{0, 0, 0, 0} << List{0, 0} << qint64{1};
    QTest::newRow("one output channel, side by side")
        << List{1, 24, 20, 20} << List{24, 1, 2, 2} << List{2, 2} << List{0, 0, 0, 0} << List{0, 0} << qint64{1};
    QTest::newRow("strided, padded") << List{2, 16, 9, 9} << List{16, 24, 4, 4} << List{2, 2} << List{1, 1, 1, 1}
                                     << List{0, 0} << qint64{1};
    QTest::newRow("3-D") << List{1, 2, 3, 4, 3} << List{2, 3, 2, 3, 2} << List{2, 1, 2} << List{0, 1, 0, 0, 1, 0}
                         << List{0, 0, 0} << qint64{1};
  }

  void transposed() {
    QFETCH(QList<qint64>, x);
    QFETCH(QList<qint64>, w);
    QFETCH(QList<qint64>, strides);
    QFETCH(QList<qint64>, pads);
    QFETCH(QList<qint64>, outputPadding);
    QFETCH(qint64, groups);
    const auto ints = [](const QList<qint64>& list) { return Ints(list.begin(), list.end()); };
    const std::vector<Attribute> attributes{{"strides", ints(strides)},
                                            {"pads", ints(pads)},
                                            {"output_padding", ints(outputPadding)},
                                            {"group", int64_t{groups}}};
    const Tensor input = randomTensor(ints(x), 1), weights = randomTensor(ints(w), 2),
                 bias = randomTensor({w[1] * groups}, 3);
    const Tensor y = callOperator({.opType = "ConvTranspose", .attributes = attributes}, {input, weights, bias});
    const Tensor wide = callOperator({.opType = "ConvTranspose", .attributes = attributes},
                                     {asDouble(input), asDouble(weights), asDouble(bias)});
    QVERIFY(y.valid() && wide.valid());
    QCOMPARE(difference(y, asFloat(wide), 1e-4, 1e-4), std::string());
  }

  // One input cell of 2 spreads its kernel; stride 2 leaves no overlap.
  void transposedSmallNumbers() {
    const Tensor x = tensorOf<float>({1, 1, 1, 2}, {2, 3}), w = tensorOf<float>({1, 1, 1, 2}, {1, 10});
    QCOMPARE(
        valuesOf<float>(callOperator({.opType = "ConvTranspose", .attributes = {{"strides", Ints{1, 2}}}}, {x, w})),
        (std::vector<float>{2, 20, 3, 30}));
    QCOMPARE(valuesOf<float>(callOperator({.opType = "ConvTranspose"}, {x, w})), (std::vector<float>{2, 23, 30}));
  }

  // Frames that run for the first time at the same time get the same packed weights, which count for the session that
  // prepared them.
  void weightsArePackedWhenARunAsks() {
    const auto account = std::make_shared<PackAccount>();
    const Tensor weights = randomTensor({32, 16, 3, 3}, 2);
    math::ConvolutionShape shape{.inChannels = 16, .outChannels = 32, .input = {12, 12}, .output = {12, 12}};
    shape.kernel = {3, 3};
    shape.strides = shape.dilations = shape.padsBegin = shape.padsEnd = {1, 1};
    const auto prepare = [&] {
      const PackScope scope(account.get());
      return cpu::prepareConvolution(&weights, &shape);
    };
    const auto prepared = prepare();
    QVERIFY(prepared.has_value());
    QCOMPARE(account->totals().sizeBytes, int64_t{0});
    std::array<std::shared_ptr<const math::PackedWeights>, 4> seen;
    std::array<cpu::ConvolutionState, 4> frames;
    {
      std::vector<std::jthread> runs;
      for (size_t i = 0; i < frames.size(); ++i)
        runs.emplace_back([&, i] {
          if (const auto entry = frames[i].find(*prepared, shape)) seen[i] = (*entry)->packed;
        });
    }
    QVERIFY(seen[0] != nullptr);
    for (const auto& each : seen)
      QCOMPARE(each.get(), seen[0].get());
    QVERIFY(account->totals().sizeBytes > 0);
  }

  void refusesWhatDoesNotFit() {
    const Tensor x = randomTensor({1, 3, 4, 4}, 1);
    const auto failing = [&](const Tensor& w, std::vector<Attribute> attributes) {
      return !tryOperator({.opType = "Conv", .attributes = std::move(attributes)}, {x, w}).has_value();
    };
    QVERIFY(failing(randomTensor({2, 4, 3, 3}, 2), {}));
    QVERIFY(failing(randomTensor({2, 3, 3, 3}, 2), {{"strides", Ints{0, 1}}}));
    QVERIFY(failing(randomTensor({2, 3, 3, 3}, 2), {{"pads", Ints{1, 1}}}));
    QVERIFY(failing(randomTensor({2, 3, 9, 9}, 2), {}));
    QVERIFY(failing(randomTensor({2, 3, 3, 3}, 2), {{"group", int64_t{0}}}));
    QVERIFY(failing(randomTensor({2, 3, 3, 3}, 2), {{"pads", Ints{int64_t{1} << 62, 1, 1, 1}}}));
  }
};

QTEST_GUILESS_MAIN(TestConvolution)
#include "tst_convolution.moc"
