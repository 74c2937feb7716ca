// Nodes in layouts of onnxruntime's optimiser: what is inferred for them, the ordinary operators they become, and what
// is refused. Values are checked by tests/models/saved_by_onnxruntime.py.

#include <numeric>

#include "engine/schema/schema.h"
#include "engine/stages/optimize/layouts/blocked_weights.h"
#include "tests/unit/engine/stages/optimize/optimizing.h"

using namespace cutaway;

namespace {

const QByteArray kHead =
    "<ir_version: 8, opset_import: [\"\" : 17, \"com.microsoft\" : 1, \"com.microsoft.nchwc\" : 1, "
    "\"com.ms.internal.nhwc\" : 17]> ";

Result<OptimizeReport> expand(Model& model, int level = 0) {
  Progress progress;
  optimize::OptimizeOptions options;
  options.level = level;
  options.kernels = &kernelsOfCpu();
  return optimize::optimize(model, options, progress);
}

std::string typeOf(const Model& model, const char* value) {
  return toText(model.graph.value(model.graph.findValue(value)).type);
}

Tensor weights(const std::vector<int64_t>& dims) {
  Tensor tensor = *Tensor::create(ElementType::kFloat, dims);
  const auto values = tensor.span<float>();
  std::iota(values.begin(), values.end(), 0.0f);
  return tensor;
}

// Adds weights of these dimensions as an initializer, as no text could.
void addWeights(Model& model, const char* name, const std::vector<int64_t>& dims) {
  model.graph.addInitializer(name, weights(dims));
}

Model parsed(const QByteArray& body) {
  auto model = parseModelText((kHead + body).toStdString());
  if (!model) qFatal("%s", describe(model.error()).c_str());
  return *std::move(model);
}

void resolveModel(Model& model) {
  Progress progress;
  if (const auto report = resolve::resolve(model, {}, progress); !report)
    qFatal("%s", describe(report.error()).c_str());
}

}  // namespace

class TestLayouts : public QObject {
  Q_OBJECT

 private slots:
  // A small net as onnxruntime writes it on a machine with blocks of 16: 3 channels read straight, 24 channels padded
  // to 32, depthwise, pooling, out again.
  void blockedNet() {
    for (const int level : {0, 3}) {
      Model model = parsed(
          "g (float[1,3,8,8] x) => (float[1,2,2,24] y) {"
          "[first] a = com.microsoft.nchwc.Conv <activation = \"Relu\", pads = [1,1,1,1]> (x, w1, b1)"
          "[depth] b = com.microsoft.nchwc.Conv <group = 32, pads = [1,1,1,1]> (a, w2)"
          "[sum] c = com.microsoft.nchwc.Conv <kernel_shape = [1,1]> (b, w3, \"\", a)"
          "[pool] d = com.microsoft.nchwc.MaxPool <kernel_shape = [4,4], strides = [4,4]> (c)"
          "[out] y = com.microsoft.nchwc.ReorderOutput <channels = 24, channels_last = 1> (d) }");
      addWeights(model, "w1", {32, 3, 3, 3});
      addWeights(model, "b1", {32});
      addWeights(model, "w2", {32, 1, 3, 3});
      addWeights(model, "w3", {32, 32, 1, 1});
      resolveModel(model);
      QCOMPARE(typeOf(model, "a"), std::string("float[1,32,8,8]"));
      QCOMPARE(typeOf(model, "d"), std::string("float[1,32,2,2]"));
      QCOMPARE(typeOf(model, "y"), std::string("float[1,2,2,24]"));
      const auto report = expand(model, level);
      if (!report) QFAIL(describe(report.error()).c_str());
      QVERIFY2(report->warnings.empty(), report->warnings.empty() ? "" : report->warnings.front().c_str());
      QCOMPARE(operatorsOf(model).split(' ').toList().count("FusedConv"), 2);
      QCOMPARE(operatorsOf(model), QByteArray("FusedConv Conv FusedConv MaxPool Slice Transpose"));
      QCOMPARE(typeOf(model, "d"), std::string("float[1,32,2,2]"));
      for (const NodeId id : model.graph.nodeIds()) {
        const Node& node = model.graph.node(id);
        QVERIFY2(node.domain.empty() || node.domain == "com.microsoft", node.domain.c_str());
        QCOMPARE(node.origins.size(), size_t{1});
      }
      QCOMPARE(report->passes.back().name, std::string("LayoutExpansion"));
      QCOMPARE(report->passes.back().rewrites, int64_t{5});
      QVERIFY(report->rewrites.front().note.find("blocks of 16") != std::string::npos);
      QVERIFY(!model.graph.findValue("w3").valid());
    }
  }

  void reorderInput_data() {
    QTest::addColumn<QByteArray>("input");
    QTest::addColumn<int>("last");
    QTest::addColumn<int>("padded");
    QTest::addColumn<QByteArray>("operators");
    QTest::newRow("whole blocks") << QByteArray("1,32,4,5") << 0 << 32 << QByteArray("Identity Conv");
    QTest::newRow("padded") << QByteArray("1,20,4,5") << 0 << 32 << QByteArray("Pad Conv");
    QTest::newRow("padded to blocks of 8") << QByteArray("1,20,4,5") << 0 << 24 << QByteArray("Pad Conv");
    QTest::newRow("channels last") << QByteArray("1,4,5,32") << 1 << 32 << QByteArray("Transpose Identity Conv");
    QTest::newRow("both") << QByteArray("1,4,5,20") << 1 << 32 << QByteArray("Transpose Pad Conv");
  }
  void reorderInput() {
    QFETCH(QByteArray, input);
    QFETCH(int, last);
    QFETCH(int, padded);
    QFETCH(QByteArray, operators);
    Model model = parsed("g (float[" + input + "] x) => (y) { a = com.microsoft.nchwc.ReorderInput <channels_last = " +
                         QByteArray::number(last) + "> (x) y = com.microsoft.nchwc.Conv (a, w) }");
    addWeights(model, "w", {padded, padded, 1, 1});
    resolveModel(model);
    const auto report = expand(model);
    if (!report) QFAIL(describe(report.error()).c_str());
    QCOMPARE(operatorsOf(model), operators);
    QCOMPARE(typeOf(model, "y"), fmt::format("float[1,{},4,5]", padded));
  }

  void upsampled() {
    Model model = parsed(
        "g (float[1,16,4,5] x) => (y) { y = com.microsoft.nchwc.Upsample <scales = [1,1,2,3], mode = \"nearest\"> (x) "
        "}");
    resolveModel(model);
    QCOMPARE(typeOf(model, "y"), std::string("float[1,16,8,15]"));
    QVERIFY(expand(model).has_value());
    QCOMPARE(operatorsOf(model), QByteArray("Resize"));
    QCOMPARE(typeOf(model, "y"), std::string("float[1,16,8,15]"));
  }

  void blocksAreFound_data() {
    QTest::addColumn<int>("outputs");
    QTest::addColumn<int>("inputs");
    QTest::addColumn<int>("channels");  // of ReorderOutput
    QTest::addColumn<int>("block");     // 0: not told
    QTest::newRow("24 outputs") << 24 << 16 << 24 << 8;
    QTest::newRow("24 of 32 outputs") << 32 << 16 << 24 << 16;
    QTest::newRow("9 inputs read straight") << 16 << 9 << 16 << 16;
    QTest::newRow("24 inputs") << 16 << 24 << 16 << 8;
    QTest::newRow("all whole") << 64 << 32 << 64 << 0;
    QTest::newRow("padded by few") << 64 << 32 << 60 << 0;
  }
  void blocksAreFound() {
    QFETCH(int, outputs);
    QFETCH(int, inputs);
    QFETCH(int, channels);
    QFETCH(int, block);
    Model model = parsed("g (float[1," + QByteArray::number(inputs) +
                         ",4,4] x) => (y) { a = com.microsoft.nchwc.Conv (x, w) y = "
                         "com.microsoft.nchwc.ReorderOutput <channels = " +
                         QByteArray::number(channels) + "> (a) }");
    addWeights(model, "w", {outputs, inputs, 1, 1});
    resolveModel(model);
    QCOMPARE(optimize::blockOf(model.graph).value_or(0), int64_t{block});
    const auto report = expand(model);
    if (!report) QFAIL(describe(report.error()).c_str());
    QCOMPARE(report->warnings.size(), size_t{block == 0 ? 1u : 0u});
  }

  void weightsComeBackPlain_data() {
    QTest::addColumn<std::vector<int64_t>>("dims");
    QTest::addColumn<int>("group");
    QTest::addColumn<int>("block");
    for (const int block : {8, 16}) {
      const auto row = [&](const char* name, std::vector<int64_t> dims, int group) {
        QTest::addRow("%s, %d", name, block) << std::move(dims) << group << block;
      };
      row("blocked", {32, 48, 3, 2}, 1);
      row("straight", {48, 3, 5, 5}, 1);
      row("depthwise", {32, 1, 3, 3}, 32);
      row("groups of blocks", {64, 32, 1, 1}, 2);
    }
  }
  void weightsComeBackPlain() {
    QFETCH(std::vector<int64_t>, dims);
    QFETCH(int, group);
    QFETCH(int, block);
    const Tensor plain = weights(dims);
    // Laid out by the definition of the layout: block of outputs, block of inputs, place, input, output.
    const int64_t inputBlock = dims[1] < block ? 1 : block;
    const int64_t window = dims[2] * dims[3];
    Tensor blocked = *Tensor::create(ElementType::kFloat, dims);
    for (int64_t o = 0; o < dims[0]; ++o) {
      for (int64_t i = 0; i < dims[1]; ++i) {
        for (int64_t at = 0; at < window; ++at) {
          const int64_t outer = (o / block) * (dims[1] / inputBlock) + i / inputBlock;
          const int64_t place = ((outer * window + at) * inputBlock + i % inputBlock) * block + o % block;
          blocked.span<float>()[static_cast<size_t>(place)] =
              plain.span<const float>()[static_cast<size_t>((o * dims[1] + i) * window + at)];
        }
      }
    }
    const auto back = optimize::plainWeights(blocked, group, block);
    if (!back) QFAIL(describe(back.error()).c_str());
    QVERIFY(std::ranges::equal(back->span<const float>(), plain.span<const float>()));
  }

  void channelsLast_data() {
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QByteArray>("type");
    QTest::addColumn<QByteArray>("operators");
    const auto row = [](const char* name, const char* body, const char* type, const char* operators) {
      QTest::newRow(name) << QByteArray(body) << QByteArray(type) << QByteArray(operators);
    };
    row("convolution", "(float[1,8,9,3] x, float[4,3,3,3] w) => (y) { y = com.ms.internal.nhwc.Conv (x, w) }",
        "float[1,6,7,4]", "Transpose Conv Transpose");
    row("of one dimension", "(float[1,8,3] x, float[4,3,3] w) => (y) { y = com.ms.internal.nhwc.Conv (x, w) }",
        "float[1,6,4]", "Transpose Conv Transpose");
    row("pooling",
        "(float[1,8,8,3] x) => (y) { y = com.ms.internal.nhwc.MaxPool <kernel_shape = [2,2], strides = [2,2]> (x) }",
        "float[1,4,4,3]", "Transpose MaxPool Transpose");
    row("global pooling", "(float[2,8,9,3] x) => (y) { y = com.ms.internal.nhwc.GlobalAveragePool (x) }",
        "float[2,1,1,3]", "Transpose GlobalAveragePool Transpose");
    row("depth to space", "(float[1,2,3,8] x) => (y) { y = com.ms.internal.nhwc.DepthToSpace <blocksize = 2> (x) }",
        "float[1,4,6,2]", "Transpose DepthToSpace Transpose");
    row("resizing",
        "(float[1,4,5,3] x) => (y) <float[4] s = {1,2,2,1}> { y = com.ms.internal.nhwc.Resize (x, \"\", s) }",
        "float[1,8,10,3]", "Transpose Gather Resize Transpose");
  }
  void channelsLast() {
    QFETCH(QByteArray, body);
    QFETCH(QByteArray, type);
    QFETCH(QByteArray, operators);
    Model model = parsed("g " + body);
    resolveModel(model);
    if (!body.contains("Resize")) QCOMPARE(typeOf(model, "y"), type.toStdString());
    const auto report = expand(model);
    if (!report) QFAIL(describe(report.error()).c_str());
    QCOMPARE(operatorsOf(model), operators);
    if (!body.contains("Resize")) QCOMPARE(typeOf(model, "y"), type.toStdString());
  }

  void schemasExplain_data() {
    QTest::addColumn<QByteArray>("opType");
    QTest::addColumn<QByteArray>("domain");
    for (const char* each : {"ReorderInput", "ReorderOutput", "Conv", "MaxPool", "AveragePool", "GlobalMaxPool",
                             "GlobalAveragePool", "Upsample"})
      QTest::addRow("blocked %s", each) << QByteArray(each) << QByteArray("com.microsoft.nchwc");
    for (const char* each : {"Conv", "ConvTranspose", "MaxPool", "AveragePool", "Resize", "QLinearConv"})
      QTest::addRow("last %s", each) << QByteArray(each) << QByteArray("com.ms.internal.nhwc");
  }
  void schemasExplain() {
    QFETCH(QByteArray, opType);
    QFETCH(QByteArray, domain);
    const OperatorSchema* schema = findSchema(opType.constData(), domain.constData(), newestOpset(domain.constData()));
    QVERIFY(schema != nullptr);
    QVERIFY2(schema->documentation.find("onnxruntime's optimiser") != std::string::npos, schema->documentation.c_str());
    QVERIFY(findSchema("Softmax", domain.constData(), newestOpset(domain.constData())) == nullptr);
  }

  void refused_data() {
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<std::vector<int64_t>>("dims");
    QTest::addColumn<QByteArray>("says");
    QTest::addColumn<int>("code");
    const auto row = [](const char* name, const char* body, std::vector<int64_t> dims, const char* says,
                        ErrorCode code) {
      QTest::newRow(name) << QByteArray(body) << std::move(dims) << QByteArray(says) << static_cast<int>(code);
    };
    row("weights that somebody gives",
        "(float[1,16,4,4] x, float[16,16,1,1] v) => (y) { y = com.microsoft.nchwc.Conv (x, v) }", {}, "not constant",
        ErrorCode::kNotImplemented);
    row("no whole blocks", "(float[1,16,4,4] x) => (y) { y = com.microsoft.nchwc.Conv (x, w) }", {20, 16, 1, 1},
        "no whole blocks", ErrorCode::kInvalidGraph);
    row("unknown channels", "(float[1,c,4,4] x) => (y) { y = com.microsoft.nchwc.ReorderInput (x) }", {},
        "bind the open dimensions", ErrorCode::kNotImplemented);
    row("more channels than there are",
        "(float[1,16,4,4] x) => (y) { y = com.microsoft.nchwc.ReorderOutput <channels = 40> (x) }", {},
        "channels is 40", ErrorCode::kInvalidGraph);
    row("places of a maximum with channels last",
        "(float[1,4,4,3] x) => (y, i) { y, i = com.ms.internal.nhwc.MaxPool <kernel_shape = [2,2]> (x) }", {},
        "only its first output", ErrorCode::kNotImplemented);
  }
  void refused() {
    QFETCH(QByteArray, body);
    QFETCH(std::vector<int64_t>, dims);
    QFETCH(QByteArray, says);
    QFETCH(int, code);
    Model model = parsed("g " + body);
    if (!dims.empty()) addWeights(model, "w", dims);
    resolveModel(model);
    const auto report = expand(model);
    QVERIFY(!report);
    QVERIFY2(describe(report.error()).find(says.toStdString()) != std::string::npos, describe(report.error()).c_str());
    QCOMPARE(static_cast<int>(report.error().code), code);
  }
};

QTEST_GUILESS_MAIN(TestLayouts)
#include "tst_layouts.moc"
