// Where float values lie channels last after the CPU provider has placed them, where Reorders stand, and that the
// numbers stay the same.
#include <cmath>
#include <map>
#include <set>

#include <QtTest/QtTest>

#include "engine/base/parallel.h"
#include "engine/graph/text.h"
#include "engine/graph/topology.h"
#include "engine/math/memory_layout.h"
#include "engine/math/pointwise.h"
#include "engine/provider/node_evaluator.h"
#include "engine/stages/resolve/resolve.h"
#include "providers/cpu/provider.h"

using namespace cutaway;

namespace {

constexpr int64_t kChannels = 20, kHeight = 6, kWidth = 5;

std::string constant(const char* name, std::initializer_list<int64_t> dims) {
  QStringList sizes, values;
  int64_t count = 1;
  for (const int64_t dim : dims) {
    sizes << QString::number(dim);
    count *= dim;
  }
  for (int64_t i = 0; i < count; ++i)
    values << QString::number(0.01 * static_cast<double>((i * 37 + 11) % 101) - 0.45, 'f', 3);
  return QString("float[%1] %2 = {%3}").arg(sizes.join(','), name, values.join(", ")).toStdString();
}

Model resolved(const std::string& text) {
  Result<Model> model = parseModelText(text);
  if (!model) qFatal("%s", describe(model.error()).c_str());
  Progress progress;
  if (const auto done = resolve::resolve(*model, {}, progress); !done) qFatal("%s", describe(done.error()).c_str());
  for (const NodeId id : model->graph.nodeIds())
    model->graph.mutableNode(id).provider = "cpu";
  return *std::move(model);
}

// w: 3x3, v: 1x1, d: depthwise, t: transposed 2x2, few: three channels; s: a factor for each channel; full: for each
// element.
Model taken(const QString& body) {
  const std::string text =
      "<ir_version: 8, opset_import: [\"\" : 17]>\nmain (float[n,20,6,5] x, float[n,3,6,5] image) => (y) <" +
      constant("w", {20, 20, 3, 3}) + ", " + constant("v", {20, 20, 1, 1}) + ", " + constant("d", {20, 1, 3, 3}) +
      ", " + constant("t", {20, 20, 2, 2}) + ", " + constant("few", {20, 3, 3, 3}) + ", " + constant("s", {20, 1, 1}) +
      ", " + constant("full", {1, 20, 6, 5}) + ", " + constant("c20", {20}) +
      ", float[4] twice = {1.0, 1.0, 2.0, 2.0}, int64[5] fives = {0, 4, 5, 6, 5}, "
      "int64[4] back = {0, 20, 6, 5}, float low = {-0.5}, float high = {0.75}, float root = {1.4142135}, "
      "float unit = {1.0}, float half = {0.5}> {\n" +
      body.toStdString() + "\n}";
  return resolved(text);
}

Tensor numbers(int64_t channels) {
  std::vector<float> values(static_cast<size_t>(2 * channels * kHeight * kWidth));
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = 0.02f * static_cast<float>((i * 53 + 7) % 97) - 1.0f;
  return Tensor::of<float>(std::span<const float>(values)).reshaped(std::vector<int64_t>{2, channels, kHeight, kWidth});
}

std::vector<float> run(const Graph& graph, const KernelRegistry& kernels) {
  std::map<ValueId, RuntimeValue> values;
  for (const ValueId id : graph.initializers())
    values[id] = *graph.value(id).initializer;
  for (const ValueId id : graph.inputs())
    values[id] = numbers(graph.value(id).name == "x" ? kChannels : 3);
  const std::vector<NodeId> order = *topologicalOrder(graph);
  for (const NodeId id : order) {
    std::vector<RuntimeValue> inputs;
    for (const ValueId input : graph.node(id).inputs)
      inputs.push_back(input.valid() ? values[input] : RuntimeValue());
    auto outputs = evaluateNode(kernels, graph, id, inputs);
    if (!outputs) qFatal("%s", describe(outputs.error()).c_str());
    for (size_t slot = 0; slot < outputs->size(); ++slot)
      values[graph.node(id).outputs[slot]] = (*outputs)[slot];
  }
  const auto result = values[graph.outputs()[0]].tensor().span<float>();
  return {result.begin(), result.end()};
}

QString lying(const Graph& graph, Layout layout) {
  QStringList names;
  for (const ValueId id : graph.valueIds()) {
    if (graph.value(id).type.layout == layout) names << QString::fromStdString(graph.value(id).name);
  }
  names.sort();
  return names.join(' ');
}

QString lyingLast(const Graph& graph) {
  return lying(graph, Layout::kChannelsLast);
}

QString reorders(const Graph& graph) {
  QStringList names;
  for (const NodeId id : graph.nodeIds()) {
    const Node& node = graph.node(id);
    if (node.opType != "Reorder") continue;
    names << QString::fromStdString(graph.value(node.inputs[0]).name + ">" + graph.value(node.outputs[0]).name);
  }
  names.sort();
  return names.join(' ');
}

}  // namespace

class TestChannelsLast : public QObject {
  Q_OBJECT
 private slots:
  void places_data() {
    QTest::addColumn<QString>("body");
    QTest::addColumn<QString>("last");
    QTest::addColumn<QString>("reordered");
    const auto row = [](const char* name, const char* body, const char* last, const char* reordered) {
      QTest::newRow(name) << QString(body) << QString(last) << QString(reordered);
    };
    const char* const ends = "x>x@channels_last y@channels_last>y";
    row("a convolution alone", "y = Conv (x, v)", "", "");
    row("no convolution", "a = MaxPool <kernel_shape = [2, 2]> (x)\n y = Relu (a)", "", "");
    row("two convolutions", "a = Conv <pads = [1, 1, 1, 1]> (x, w)\n y = Conv (a, v)",
        "a x@channels_last y@channels_last", ends);
    row("few channels are read plainly", "a = Conv <pads = [1, 1, 1, 1]> (image, few)\n y = Conv (a, v)",
        "a y@channels_last", "y@channels_last>y");
    row("depthwise", "a = Conv (x, v)\n b = Conv <pads = [1, 1, 1, 1], group = 20> (a, d)\n y = Conv (b, v)",
        "a b x@channels_last y@channels_last", ends);
    row("max pool",
        "a = Conv (x, v)\n b = MaxPool <kernel_shape = [3, 3], strides = [2, 2], pads = [1, 1, 1, 1]> (a)\n"
        " y = Conv (b, v)",
        "a b x@channels_last y@channels_last", ends);
    row("max pool of what is no number", "a = Conv (x, v)\n b = Sqrt (a)\n y = MaxPool <kernel_shape = [2, 2]> (b)",
        "a b x@channels_last y@channels_last", ends);
    row("average pool",
        "a = Conv (x, v)\n b = AveragePool <kernel_shape = [3, 3], strides = [2, 2], pads = [1, 1, 1, 1]> (a)\n"
        " y = Conv (b, v)",
        "a b x@channels_last y@channels_last", ends);
    row("average pool beyond its padding",
        "a = Conv (x, v)\n b = AveragePool <kernel_shape = [2, 2], strides = [3, 3], pads = [1, 1, 0, 0], ceil_mode = "
        "1, "
        "count_include_pad = 1> (a)\n y = Conv (b, v)",
        "a b x@channels_last y@channels_last", ends);
    row("global pool reads either", "a = Conv (x, v)\n y = GlobalAveragePool (a)", "a x@channels_last",
        "x>x@channels_last");
    row("global maximum", "a = Conv (x, v)\n y = GlobalMaxPool (a)", "a x@channels_last", "x>x@channels_last");
    row("a pool of the whole plane reads either", "a = Conv (x, v)\n y = AveragePool <kernel_shape = [6, 5]> (a)",
        "a x@channels_last", "x>x@channels_last");
    row("squeeze and excitation",
        "a = Conv (x, w)\n p = GlobalAveragePool (a)\n q = Conv (p, v)\n g = HardSigmoid (q)\n b = Mul (a, g)\n y = "
        "Conv (b, v)",
        "a b x@channels_last y@channels_last", ends);
    row("elementwise", "a = Conv (x, v)\n b = Softplus (a)\n y = Conv (b, v)", "a b x@channels_last y@channels_last",
        ends);
    row("clip by inputs", "a = Conv (x, v)\n e = Exp (a)\n b = Clip (e, low, high)\n y = Conv (b, v)",
        "a b e x@channels_last y@channels_last", ends);
    row("factors of channels", "a = Conv (x, v)\n b = Mul (a, s)\n y = Conv (b, v)",
        "a b x@channels_last y@channels_last", ends);
    row("slopes of channels", "a = Conv (x, v)\n b = PRelu (a, s)\n y = Conv (b, v)",
        "a b x@channels_last y@channels_last", ends);
    row("factors of elements stay plain", "a = Conv (x, v)\n b = Mul (a, full)\n y = Conv (b, v)", "", "");
    row("normalisation",
        "two = Abs (c20)\n a = Conv (x, v)\n r = Exp (a)\n b = BatchNormalization (r, c20, c20, c20, two)\n y = Conv "
        "(b, v)",
        "a b r x@channels_last y@channels_last", ends);
    row("across channels", "a = Conv (x, v)\n b = LRN <size = 5> (a)\n y = Conv (b, v)",
        "a b x@channels_last y@channels_last", ends);
    row("join",
        "a = Conv (x, v)\n b = Conv (a, v)\n c = Concat <axis = 1> (a, b)\n k = Concat <axis = -2> (c, c)\n y = "
        "GlobalMaxPool (k)",
        "a b c k x@channels_last", "x>x@channels_last");
    row("resize",
        "a = Conv (x, v)\n b = Resize <mode = \"linear\"> (a, \"\", twice)\n c = Resize <mode = \"nearest\"> (b, \"\", "
        "twice)\n y = Conv (c, v)",
        "a b c x@channels_last y@channels_last", ends);
    row("transposed", "a = ConvTranspose <strides = [2, 2]> (x, t)\n y = Conv (a, v)",
        "a x@channels_last y@channels_last", ends);
    row("residual", "a = Conv (x, v)\n b = Conv (a, v)\n c = Add (b, a)\n y = Conv (c, v)",
        "a c x@channels_last y@channels_last", ends);
    row("a follower that two plain readers want",
        "a = Conv (x, v)\n b = Exp (a)\n p = Softmax <axis = 3> (b)\n"
        " q = ReduceMax <axes = [3], keepdims = 1> (b)\n y = Mul (p, q)",
        "", "");
    row("a plain reader beside",
        "a = Conv (x, w)\n b = Conv (a, v)\n m = GlobalMaxPool (b)\n p = Softmax <axis = 3> (a)\n y = Mul (p, m)",
        "a@channels_last b x@channels_last", "a@channels_last>a x>x@channels_last");
    row("channel shuffle",
        "a = Conv (x, v)\n g = Reshape (a, fives)\n k = Transpose <perm = [0, 2, 1, 3, 4]> (g)\n"
        " b = Reshape (k, back)\n y = Conv (b, v)",
        "a b x@channels_last y@channels_last", ends);
    row("channel shuffle of plain values",
        "g = Reshape (x, fives)\n k = Transpose <perm = [0, 2, 1, 3, 4]> (g)\n y = Reshape (k, back)", "", "");
    row("gelu",
        "a = Conv (x, v)\n q = Div (a, root)\n e = Erf (q)\n s1 = Add (e, unit)\n m = Mul (a, s1)\n b = Mul (m, "
        "half)\n y = "
        "Conv (b, v)",
        "a b x@channels_last y@channels_last", ends);
    row("swish", "a = Conv (x, v)\n g = Sigmoid (a)\n b = Mul (a, g)\n y = Conv (b, v)",
        "a b x@channels_last y@channels_last", ends);
  }
  void places() {
    QFETCH(QString, body);
    QFETCH(QString, last);
    QFETCH(QString, reordered);
    const std::unique_ptr<ExecutionProvider> provider = *cpuProvider().create({});
    Model model = taken(body);
    const std::vector<float> before = run(model.graph, *provider->kernels());
    QVERIFY(provider->rewriteAssigned(model, model.graph, 3));
    const std::vector<float> after = run(model.graph, *provider->kernels());
    QCOMPARE(after.size(), before.size());
    for (size_t i = 0; i < before.size(); ++i) {
      if (std::isnan(before[i]) && std::isnan(after[i])) continue;
      QVERIFY2(std::abs(before[i] - after[i]) < 1e-4f * (1.0f + std::abs(before[i])),
               qPrintable(QString("element %1: %2 is %3").arg(i).arg(before[i]).arg(after[i])));
    }
    QCOMPARE(reorders(model.graph), reordered);
    QCOMPARE(lyingLast(model.graph), last);
  }

  // Between two convolutions with windows of one cell; where the processor has vectors of sixteen floats.
  void depthwiseInBlocks_data() {
    QTest::addColumn<QString>("body");
    QTest::addColumn<QString>("blocks");
    const auto row = [](const char* name, const char* body, const char* blocks) {
      QTest::newRow(name) << QString(body) << QString(blocks);
    };
    const char* const depthwise = " b = Conv <pads = [1, 1, 1, 1], group = 32> (a, d)\n";
    row("between two", "a = Conv (x, e)\n b = Conv <pads = [1, 1, 1, 1], group = 32> (a, d)\n y = Conv (b, p)", "a b");
    row("with clamps and a stride",
        "c = Conv (x, e)\n a = Clip (c, low, high)\n f = Conv <strides = [2, 2], pads = [1, 1, 1, 1], group = 32> (a, "
        "d)\n b = Relu (f)\n y = Conv (b, p)",
        "a b");
    row("a sum behind",
        "r = Conv (x, v)\n a = Conv (r, e)\n b = Conv <pads = [1, 1, 1, 1], group = 32> (a, d)\n c = Conv (b, p)\n y = "
        "Add (c, r)",
        "a b");
    row("two readers", qPrintable(QString("a = Conv (x, e)\n%1 c = Add (a, b)\n y = Conv (c, p)").arg(depthwise)), "");
    row("nothing behind",
        qPrintable(
            QString("a = Conv (x, e)\n%1 c = MaxPool <kernel_shape = [2, 2]> (b)\n y = Conv (c, p)").arg(depthwise)),
        "");
    row("a window before",
        qPrintable(QString("a = Conv <pads = [1, 1, 1, 1]> (x, w)\n%1 y = Conv (b, p)").arg(depthwise)), "");
    row("a stride behind", qPrintable(QString("a = Conv (x, e)\n%1 y = Conv <strides = [2, 2]> (b, p)").arg(depthwise)),
        "");
  }
  void depthwiseInBlocks() {
    QFETCH(QString, body);
    QFETCH(QString, blocks);
    const std::unique_ptr<ExecutionProvider> provider = *cpuProvider().create({});
    Model model = resolved("<ir_version: 8, opset_import: [\"\" : 17]>\nmain (float[n,20,6,5] x) => (y) <" +
                           constant("e", {32, 20, 1, 1}) + ", " + constant("d", {32, 1, 3, 3}) + ", " +
                           constant("p", {20, 32, 1, 1}) + ", " + constant("v", {20, 20, 1, 1}) + ", " +
                           constant("w", {32, 20, 3, 3}) + ", float low = {-0.5}, float high = {0.75}> {\n" +
                           body.toStdString() + "\n}");
    const std::vector<float> before = run(model.graph, *provider->kernels());
    QVERIFY(provider->rewriteAssigned(model, model.graph, 3));
    const std::vector<float> after = run(model.graph, *provider->kernels());
    QCOMPARE(after.size(), before.size());
    for (size_t i = 0; i < before.size(); ++i)
      QVERIFY2(std::abs(before[i] - after[i]) < 1e-4f * (1.0f + std::abs(before[i])),
               qPrintable(QString("element %1: %2 is %3").arg(i).arg(before[i]).arg(after[i])));
    const bool there = math::Pointwise::isThere() && math::preferredBlockedLayout() == Layout::kBlocked16;
    QCOMPARE(lying(model.graph, Layout::kBlocked16), there ? blocks : QString());
  }

  // Batch and width are open.
  void quantisedValuesOfOpenSizes() {
    const std::unique_ptr<ExecutionProvider> provider = *cpuProvider().create({});
    QStringList weights;
    for (int i = 0; i < 16; ++i)
      weights << QString::number(i - 8);
    const std::string text =
        "<ir_version: 8, opset_import: [\"\" : 17]>\nmain (uint8[n,4,6,w] x) => (y) <float s = {0.1}, uint8 z = {3}, "
        "int8[4,4,1,1] k = {" +
        weights.join(", ").toStdString() +
        "}, int8 kz = {0}> {\n a = QLinearConv (x, s, z, k, s, kz, s, z)\n"
        " y = QLinearConv (a, s, z, k, s, kz, s, z)\n}";
    Model model = resolved(text);
    QVERIFY(provider->rewriteAssigned(model, model.graph, 3));
    QCOMPARE(lyingLast(model.graph), QString("a"));
  }

  // Between quantisers on one grid the largest byte is the largest number; otherwise the floats are compared.
  void maximaOfBytes_data() {
    QTest::addColumn<QString>("type");
    QTest::addColumn<QString>("zero");
    QTest::addColumn<QString>("scale");
    QTest::addColumn<QString>("last");
    QTest::newRow("uint8") << "uint8"
                           << "128"
                           << "0.05"
                           << "aq bq";
    QTest::newRow("int8") << "int8"
                          << "-3"
                          << "0.05"
                          << "aq bq";
    QTest::newRow("another grid") << "uint8"
                                  << "128"
                                  << "0.06"
                                  << "";
  }
  void maximaOfBytes() {
    QFETCH(QString, type);
    QFETCH(QString, zero);
    QFETCH(QString, scale);
    QFETCH(QString, last);
    QStringList weights;
    for (int i = 0; i < 20 * 20; ++i)
      weights << QString::number((i * 37 + 11) % 201 - 100);
    const QString text =
        QString(
            "<ir_version: 8, opset_import: [\"\" : 17]>\nmain (float[n,20,6,5] x) => (y) <float s = {0.05}, "
            "float r = {%3}, float ks = {0.002}, %1 z = {%2}, int8[20,20,1,1] k = {%4}, int8 kz = {0}> {\n"
            " xq = QuantizeLinear (x, s, z)\n xd = DequantizeLinear (xq, s, z)\n"
            " kd = DequantizeLinear (k, ks, kz)\n a = Conv (xd, kd)\n aq = QuantizeLinear (a, s, z)\n"
            " ad = DequantizeLinear (aq, s, z)\n"
            " b = MaxPool <kernel_shape = [3, 3], strides = [2, 2], pads = [1, 1, 1, 1]> (ad)\n"
            " bq = QuantizeLinear (b, r, z)\n bd = DequantizeLinear (bq, r, z)\n"
            " ld = DequantizeLinear (k, ks, kz)\n c = Conv (bd, ld)\n cq = QuantizeLinear (c, s, z)\n"
            " y = DequantizeLinear (cq, s, z)\n}")
            .arg(type, zero, scale, weights.join(", "));
    const std::unique_ptr<ExecutionProvider> provider = *cpuProvider().create({});
    Model model = resolved(text.toStdString());
    const std::vector<float> before = run(model.graph, *provider->kernels());
    QVERIFY(provider->rewriteAssigned(model, model.graph, 3));
    QCOMPARE(lyingLast(model.graph), last);
    const std::vector<float> after = run(model.graph, *provider->kernels());
    QVERIFY(before.size() == after.size() && std::set<float>(before.begin(), before.end()).size() > 8);
    for (size_t i = 0; i < before.size(); ++i)  // sums are exact where floats were rounded: one quantum at most
      QVERIFY2(std::abs(before[i] - after[i]) < 0.051f,
               qPrintable(QString("element %1: %2 is %3").arg(i).arg(before[i]).arg(after[i])));
  }

  // The cells of a large image are shared by the threads, its sums are the same.
  void threadsDoNotChangeAverages_data() {
    QTest::addColumn<QString>("pool");
    QTest::newRow("of all cells") << "GlobalAveragePool (c)";
    QTest::newRow("of windows") << "AveragePool <kernel_shape = [3, 3], strides = [2, 1], pads = [1, 1, 1, 1]> (c)";
  }
  void threadsDoNotChangeAverages() {
    QFETCH(QString, pool);
    const std::unique_ptr<ExecutionProvider> provider = *cpuProvider().create({});
    Model model = taken(
        "a = Conv (x, v)\n b = Resize <mode = \"nearest\"> (a, \"\", twice)\n c = Resize <mode = \"linear\"> (b, \"\", "
        "twice)\n y = " +
        pool);
    QVERIFY(provider->rewriteAssigned(model, model.graph, 3));
    QVERIFY(lyingLast(model.graph).split(' ').contains("c"));
    std::vector<float> alone;
    for (const int threads : {1, 2, 5}) {
      const ThreadShare share(threads);
      const std::vector<float> seen = run(model.graph, *provider->kernels());
      if (alone.empty()) alone = seen;
      QVERIFY(alone == seen);
    }
  }

  void levelTwoLeavesLayouts() {
    const std::unique_ptr<ExecutionProvider> provider = *cpuProvider().create({});
    Model model = taken("a = Conv (x, v)\n y = Conv (a, v)");
    QVERIFY(provider->rewriteAssigned(model, model.graph, 2));
    QCOMPARE(lyingLast(model.graph), QString());
  }

  void nodesOfOthersReadPlainly() {
    const std::unique_ptr<ExecutionProvider> provider = *cpuProvider().create({});
    Model model = taken("a = Conv (x, v)\n b = Conv (a, v)\n c = Conv (b, v)\n y = Relu (c)");
    for (const NodeId id : model.graph.nodeIds()) {
      if (model.graph.node(id).outputs[0] == model.graph.findValue("b")) model.graph.mutableNode(id).provider = "npu";
    }
    QVERIFY(provider->rewriteAssigned(model, model.graph, 3));
    QCOMPARE(lyingLast(model.graph), QString());
  }
};

QTEST_GUILESS_MAIN(TestChannelsLast)
#include "tst_channels_last.moc"
