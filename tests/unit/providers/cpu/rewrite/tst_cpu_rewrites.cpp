// What the CPU provider fuses on the nodes it has taken, and what it leaves alone; the numbers stay the same.
#include <map>

#include <QtTest/QtTest>

#include "engine/graph/text.h"
#include "engine/graph/topology.h"
#include "engine/provider/node_evaluator.h"
#include "engine/stages/resolve/resolve.h"
#include "engine/tensor/packed_weight.h"
#include "providers/cpu/provider.h"

using namespace cutaway;

namespace {

Model resolved(const std::string& text) {
  Result<Model> model = parseModelText(text);
  if (!model) qFatal("%s", describe(model.error()).c_str());
  Progress progress;
  if (const auto done = resolve::resolve(*model, {}, progress); !done) qFatal("%s", describe(done.error()).c_str());
  for (const NodeId id : model->graph.nodeIds())
    model->graph.mutableNode(id).provider = "cpu";
  return *std::move(model);
}

// type: of halves.
Model takenInHalves(const std::string& type, const QString& body) {
  const auto typed = [&](const char* rest) { return type + rest; };
  return resolved("<ir_version: 10, opset_import: [\"\" : 22]>\nmain (" + typed("[1,2,3,3] x, ") +
                  typed("[1,2,3,3] r) => (") + typed("[1,2,3,3] y) <") +
                  typed("[2,2,1,1] w = {1.0, -2.0, 0.5, 3.0}, ") + typed("[2] b = {0.25, -0.5}, ") +
                  typed("[2,2,3,3] table = {") + QString("0.5, -0.25, 1.0, ").repeated(11).toStdString() +
                  "0.5, 0.25, 1.5}, int64[1] zero = {0}> {\n" + body.toStdString() + "\n}");
}

// Weights that are large enough to wait for their packing.
Model takenWithWeights(const std::string& type, const QString& body) {
  const auto typed = [&](const char* rest) { return type + rest; };
  const auto weights = [&](const char* dimsAndName, int count) {
    QStringList numbers;
    for (int i = 0; i < count; ++i)
      numbers << QString::number(0.0625 * ((i * 7) % 11 - 5));
    return typed(dimsAndName) + " = {" + numbers.join(", ").toStdString() + "}, ";
  };
  return resolved(
      "<ir_version: 10, opset_import: [\"\" : 22]>\nmain (" + typed("[1,2,3,3] x) => (") + typed("[1,2,3,3] y) <") +
      weights("[512,2,1,1] up", 1024) + weights("[2,512,1,1] down", 1024) + weights("[2,512] wide", 1024) +
      weights("[512,2] deep", 1024) + weights("[1,2,512] layer", 1024) + weights("[64,18] rows", 1152) +
      weights("[18,64] columns", 1152) +
      "int64[2] row = {1, 18}, int64[2] pairs = {9, 2}, int64[3] stack = {1, 9, 2}, int64[4] image = {1, 2, "
      "3, 3}> {\n" +
      body.toStdString() + "\n}");
}

Model taken(const QString& body) {
  return resolved(
      "<ir_version: 8, opset_import: [\"\" : 17]>\nmain (float[1,2,3,3] x, float[1,2,3,3] r) => (float[1,2,3,3] y) "
      "<float[2,2,1,1] w = {1.0, -2.0, 0.5, 3.0}, float[2] b = {0.25, -0.5}, float[1] one = {1.0}, float[2,1,1] f = "
      "{1.5, -0.75}, float[3] row = {1.0, 2.0, 3.0}, float[2] two = {2.0, 0.5}, float low = {-0.5}, "
      "float high = {0.75}, float small = {0.00001}, float exponent = {2.0}, float[3] shift = {0.5, 0.0, -0.5}, "
      "float[3,3] square = {1.0, -0.5, 0.25, 2.0, 0.5, -1.0, 0.0, 1.5, -2.0}, "
      "float zero = {0.0}, float six = {6.0}, float sixth = {0.16666667}, float[1] threes = {3.0}, float[1] sixes = "
      "{6.0}, float root = {1.4142135}, float inverse = {0.70710677}, float half = {0.5}, float[1,1,1,1,1] deepHalf = "
      "{0.5}, "
      "float unit = {1.0}, float three = "
      "{3.0}, "
      "float cubic = {0.044715}, float pi = {0.7978846}, int64[5] groups = {1, 2, 1, 3, 3}, int64[5] planes = {1, 2, "
      "1, 9, 1}, "
      "int64[3] flat = {2, 3, 3}, int64[4] back = {1, 2, 3, 3}> {\n" +
      body.toStdString() + "\n}");
}

QString operators(const Graph& graph) {
  QStringList names;
  const std::vector<NodeId> order = *topologicalOrder(graph);
  for (const NodeId id : order)
    names << QString::fromStdString(graph.node(id).opType);
  return names.join(' ');
}

Tensor inType(const Tensor& tensor, ElementType type) {
  if (tensor.type() == type) return tensor;
  Graph graph;
  const ValueId x = graph.addInput("x", ValueType::tensor(tensor.type(), Shape::of(tensor.dims())));
  Node cast{.opType = "Cast", .sinceVersion = 13, .opsetVersion = 17};
  cast.setAttribute("to", static_cast<int64_t>(type));
  const NodeId id = graph.addNode(std::move(cast), {x}, {"y"});
  const std::unique_ptr<ExecutionProvider> provider = *cpuProvider().create({});
  const std::vector<RuntimeValue> inputs{tensor};
  return evaluateNode(*provider->kernels(), graph, id, inputs)->front().tensor();
}

std::vector<float> run(const Graph& graph, const KernelRegistry& kernels) {
  std::map<ValueId, RuntimeValue> values;
  for (const ValueId id : graph.initializers())
    values[id] = *graph.value(id).initializer;
  for (const ValueId id : graph.inputs()) {
    std::vector<float> numbers(18);
    for (size_t i = 0; i < numbers.size(); ++i)
      numbers[i] =
          graph.value(id).name == "x" ? 0.3f * static_cast<float>(i) - 2.0f : 1.0f - 0.2f * static_cast<float>(i);
    values[id] = inType(Tensor::of<float>(std::span<const float>(numbers)).reshaped(std::vector<int64_t>{1, 2, 3, 3}),
                        graph.value(id).type.element);
  }
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
  const Tensor floats = inType(values[graph.outputs()[0]].tensor(), ElementType::kFloat);
  const auto result = floats.span<float>();
  return {result.begin(), result.end()};
}

}  // namespace

class TestCpuRewrites : public QObject {
  Q_OBJECT
 private slots:
  void fuses_data() {
    QTest::addColumn<QString>("body");
    QTest::addColumn<int>("level");
    QTest::addColumn<QString>("after");
    const auto row = [](const char* name, const QString& body, int level, const char* after) {
      QTest::newRow(name) << body << level << QString(after);
    };
    row("activation", "c = Conv (x, w, b)\n y = Relu (c)", 2, "FusedConv");
    row("activation with a parameter", "c = Conv (x, w)\n y = LeakyRelu <alpha = 0.25> (c)", 2, "FusedConv");
    row("clip by inputs", "c = Conv (x, w)\n y = Clip (c, low, high)", 2, "FusedConv");
    row("clip above only", "c = Conv (x, w)\n y = Clip (c, \"\", high)", 2, "FusedConv");
    row("hard swish", "c = Conv (x, w, b)\n y = HardSwish (c)", 2, "FusedConv");
    row("hard sigmoid", "c = Conv (x, w, b)\n y = HardSigmoid <alpha = 0.3> (c)", 2, "FusedConv");
    row("elu", "c = Conv (x, w, b)\n y = Elu <alpha = 0.5> (c)", 2, "FusedConv");
    row("sum of two", "c = Conv (x, w, b)\n y = Sum (c, r)", 2, "FusedConv");
    row("sum of three", "c = Conv (x, w, b)\n y = Sum (c, r, r)", 2, "Conv Sum");
    row("bounds that are computed", "c = Conv (x, w)\n l = Abs (high)\n y = Clip (c, low, l)", 2, "Conv Abs Clip");
    row("scale and shift", "a = BatchNormalization (x, b, b, b, two)\n m = Mul (a, f)\n y = Add (f, m)", 2,
        "BatchNormalization");
    row("one factor", "a = BatchNormalization (x, b, b, b, two)\n y = Mul (a, low)", 2, "BatchNormalization");
    row("a factor for each column", "a = BatchNormalization (x, b, b, b, two)\n y = Mul (a, row)", 2,
        "BatchNormalization Mul");
    row("a normalisation read twice", "a = BatchNormalization (x, b, b, b, two)\n m = Mul (a, f)\n y = Add (a, m)", 2,
        "BatchNormalization Mul Add");
    row("mean of the plane", "m = ReduceMean <axes = [-1, 2]> (x)\n y = Add (x, m)", 2, "GlobalAveragePool Add");
    row("mean of one axis", "m = ReduceMean <axes = [2]> (x)\n y = Add (x, m)", 2, "ReduceMean Add");
    row("mean of everything", "m = ReduceMean (x)\n y = Add (x, m)", 2, "ReduceMean Add");
    row("hard swish of a ramp", "a = Add (x, threes)\n c = Clip (a, zero, six)\n m = Mul (x, c)\n y = Div (m, sixes)",
        2, "HardSwish");
    row("hard swish of a ramp, other order",
        "a = Add (three, x)\n c = Clip (a, zero, six)\n d = Mul (sixth, c)\n y = Mul (d, x)", 2, "HardSwish");
    row("hard swish of a ramp behind a convolution",
        "v = Conv (x, w, b)\n a = Add (v, three)\n c = Clip (a, zero, six)\n m = Mul (v, c)\n y = Div (m, six)", 2,
        "FusedConv");
    row("hard swish of a scaled ramp",
        "s = Mul (x, sixth)\n a = Add (s, half)\n c = Clip (a, zero, unit)\n y = Mul (x, c)", 2, "HardSwish");
    row("hard swish of a HardSigmoid", "s = HardSigmoid <alpha = 0.16666667> (x)\n y = Mul (x, s)", 2, "HardSwish");
    row("HardSigmoid of another slope", "s = HardSigmoid <alpha = 0.2> (x)\n y = Mul (x, s)", 2, "HardSigmoid Mul");
    row("ramp to another top", "a = Add (x, three)\n c = Clip (a, zero, three)\n m = Mul (x, c)\n y = Div (m, six)", 2,
        "Add Clip Mul Div");
    row("ramp of another value", "a = Add (x, three)\n c = Clip (a, zero, six)\n m = Mul (r, c)\n y = Div (m, six)", 2,
        "Add Clip Mul Div");
    row("ramp from elsewhere", "a = Add (x, three)\n c = Clip (a, low, six)\n m = Mul (x, c)\n y = Div (m, six)", 2,
        "Add Clip Mul Div");
    row("bias of a product", "p = MatMul (x, square)\n y = Add (p, shift)", 2, "MatMul");
    row("bias of a product, first", "p = MatMul (x, square)\n y = Add (shift, p)", 2, "MatMul");
    row("bias of a product, read twice", "p = MatMul (x, square)\n a = Add (p, shift)\n y = Mul (a, p)", 2,
        "MatMul Add Mul");
    row("one number behind a product", "p = MatMul (x, square)\n y = Add (p, one)", 2, "MatMul Add");
    row("bias at level 1", "p = MatMul (x, square)\n y = Add (p, shift)", 1, "MatMul Add");
    row("swish", "s = Sigmoid (x)\n y = Mul (x, s)", 2, "QuickGelu");
    row("swish, sigmoid first", "s = Sigmoid (x)\n y = Mul (s, x)", 2, "QuickGelu");
    row("a sigmoid of something else", "s = Sigmoid (r)\n y = Mul (x, s)", 2, "Sigmoid Mul");
    row("a sigmoid that is read twice", "s = Sigmoid (x)\n m = Mul (x, s)\n y = Add (m, s)", 2, "Sigmoid Mul Add");
    const QString norm =
        "m = ReduceMean <axes = [-1]> (x)\n d = Sub (x, m)\n p = %1\n v = ReduceMean <axes = [3]> (p)\n e = Add (v, "
        "small)\n s = Sqrt (e)\n";
    const QString power = norm.arg("Pow (d, exponent)"), square = norm.arg("Mul (d, d)");
    row("layer normalisation", power + "q = Div (d, s)\n w1 = Mul (q, row)\n y = Add (w1, shift)", 2,
        "LayerNormalization");
    row("layer normalisation by a reciprocal",
        square + "i = Reciprocal (s)\n q = Mul (i, d)\n w1 = Mul (row, q)\n y = Add (shift, w1)", 2,
        "LayerNormalization");
    row("layer normalisation without bias", square + "q = Div (d, s)\n y = Mul (q, row)", 2, "LayerNormalization");
    row("layer normalisation, then a sum", square + "q = Div (d, s)\n w1 = Mul (q, row)\n y = Add (w1, x)", 2,
        "LayerNormalization Add");
    row("layer normalisation whose difference is read", square + "q = Div (d, s)\n w1 = Mul (q, row)\n y = Add (w1, d)",
        2, "ReduceMean Sub Mul ReduceMean Add Sqrt Div Mul Add");
    row("a scale that is no row", square + "q = Div (d, s)\n w1 = Mul (q, f)\n y = Add (w1, shift)", 2,
        "ReduceMean Sub Mul ReduceMean Add Sqrt Div Mul Add");
    row("layer normalisation at level 1", square + "q = Div (d, s)\n y = Mul (q, row)", 1,
        "ReduceMean Sub Mul ReduceMean Add Sqrt Div Mul");
    row("gelu", "d = Div (x, root)\n e = Erf (d)\n a = Add (e, unit)\n m = Mul (x, a)\n y = Mul (m, half)", 2, "Gelu");
    row("gelu, halved first",
        "h = Mul (half, x)\n d = Mul (x, inverse)\n e = Erf (d)\n a = Add (unit, e)\n y = Mul (h, a)", 2, "Gelu");
    row("gelu, halved inside",
        "d = Mul (inverse, x)\n e = Erf (d)\n a = Add (e, unit)\n h = Mul (a, half)\n y = Mul (h, x)", 2, "Gelu");
    row("gelu by two products",
        "d = Mul (inverse, x)\n e = Erf (d)\n h = Mul (half, x)\n m = Mul (e, h)\n y = Add (m, h)", 2, "Gelu");
    row("gelu whose half is read",
        "d = Mul (inverse, x)\n e = Erf (d)\n h = Mul (half, x)\n m = Mul (e, h)\n g = Add (m, h)\n y = Add (g, h)", 2,
        "Mul Gelu Add");  // the half stays
    row("another root", "d = Mul (x, half)\n e = Erf (d)\n a = Add (e, unit)\n m = Mul (x, a)\n y = Mul (m, half)", 2,
        "Mul Erf Add Mul Mul");
    row("of two values", "d = Div (x, root)\n e = Erf (d)\n a = Add (e, unit)\n m = Mul (r, a)\n y = Mul (m, half)", 2,
        "Div Erf Add Mul Mul");
    row("gelu whose erf is read",
        "d = Div (x, root)\n e = Erf (d)\n a = Add (e, unit)\n m = Mul (x, a)\n h = Mul (m, "
        "half)\n y = Add (h, e)",
        2, "Div Erf Add Mul Mul Add");
    row("gelu of a sum",
        "s = Add (row, x)\n d = Div (s, root)\n e = Erf (d)\n a = Add (e, unit)\n m = Mul (s, a)\n y = Mul (m, half)",
        2, "BiasGelu");
    row("gelu of a sum that is read elsewhere",
        "s = Add (x, row)\n d = Div (s, root)\n e = Erf (d)\n a = Add (e, unit)\n m = Mul (s, a)\n g = Mul (m, half)\n "
        "y = Add (g, s)",
        2, "Add Gelu Add");
    row("gelu of a sum of two tensors",
        "s = Add (x, r)\n d = Div (s, root)\n e = Erf (d)\n a = Add (e, unit)\n m = Mul (s, a)\n y = Mul (m, half)", 2,
        "Add Gelu");
    row("a half of more axes",
        "d = Div (x, root)\n e = Erf (d)\n a = Add (e, unit)\n m = Mul (x, a)\n y = Mul (m, deepHalf)", 2,
        "Div Erf Add Mul Mul");
    row("gelu by tanh of a sum",
        "s = Add (x, row)\n c = Pow (s, three)\n k = Mul (c, cubic)\n q = Add (s, k)\n u = Mul (q, pi)\n t = Tanh "
        "(u)\n "
        "a = Add (t, unit)\n h = Mul (s, half)\n y = Mul (h, a)",
        2, "FastGelu");
    row("gelu at level 1", "d = Div (x, root)\n e = Erf (d)\n a = Add (e, unit)\n m = Mul (x, a)\n y = Mul (m, half)",
        1, "Div Erf Add Mul Mul");
    row("gelu by tanh",
        "c = Pow (x, three)\n k = Mul (c, cubic)\n s = Add (x, k)\n u = Mul (s, pi)\n t = Tanh (u)\n a = Add (t, "
        "unit)\n "
        "h = Mul (x, half)\n y = Mul (h, a)",
        2, "FastGelu");
    row("gelu by tanh, factored out",
        "u1 = Mul (x, pi)\n q = Mul (x, x)\n k = Mul (q, cubic)\n s = Add (k, unit)\n u = Mul (u1, s)\n t = Tanh (u)\n "
        "a = Add (unit, t)\n m = Mul (x, a)\n y = Mul (m, half)",
        2, "FastGelu");
    row("swish at level 1", "s = Sigmoid (x)\n y = Mul (x, s)", 1, "Sigmoid Mul");
    const QString groups = "g = Reshape (x, groups)\n";
    const QString turned = " t = Transpose <perm = [0, 2, 1, 3, 4]> (g)\n";
    row("channel shuffle", groups + turned + " y = Reshape (t, back)", 2, "ChannelShuffle");
    row("channel shuffle at level 1", groups + turned + " y = Reshape (t, back)", 1, "Reshape Transpose Reshape");
    row("rows take turns, too", groups + " t = Transpose <perm = [0, 2, 1, 4, 3]> (g)\n y = Reshape (t, back)", 2,
        "Reshape Transpose Reshape");
    row("other planes", QString("g = Reshape (x, planes)\n") + turned + " y = Reshape (t, back)", 2,
        "Reshape Transpose Reshape");
    row("groups that are read twice",
        groups + turned + " u = Reshape (t, back)\n v = Reshape (g, back)\n y = Add (u, v)", 2,
        "Reshape Transpose Reshape Reshape Add");
    row("residual", "c = Conv (x, w, b)\n y = Add (c, r)", 2, "FusedConv");
    row("residual first", "c = Conv (x, w)\n y = Add (r, c)", 2, "FusedConv");
    row("residual, then activation", "c = Conv (x, w, b)\n s = Add (c, r)\n y = Relu (s)", 2, "FusedConv");
    row("level 1 leaves it", "c = Conv (x, w, b)\n y = Relu (c)", 1, "Conv Relu");
    row("two consumers", "c = Conv (x, w)\n a = Relu (c)\n y = Add (a, c)", 2, "Conv Relu Add");
    row("a constant is no residual", "c = Conv (x, w)\n y = Add (c, one)", 2, "Conv Add");
    row("an activation it has no form for", "c = Conv (x, w)\n y = Softsign (c)", 2, "Conv Softsign");
  }
  void fuses() {
    QFETCH(QString, body);
    QFETCH(int, level);
    QFETCH(QString, after);
    const std::unique_ptr<ExecutionProvider> provider = *cpuProvider().create({});
    Model model = taken(body);
    const std::vector<float> before = run(model.graph, *provider->kernels());
    const size_t origins = model.origins.size();
    const auto rewrites = provider->rewriteAssigned(model, model.graph, level);
    QVERIFY(rewrites);
    QCOMPARE(operators(model.graph), after);
    if (after == "FusedConv") {
      const Node& fused = model.graph.node(model.graph.nodeIds().front());
      QCOMPARE(fused.origins.size(), origins);
      QCOMPARE(fused.provider, std::string("cpu"));
      QVERIFY(!rewrites->empty() && !rewrites->front().note.empty());
    }
    const std::vector<float> fusedResult = run(model.graph, *provider->kernels());
    for (size_t i = 0; i < before.size(); ++i)
      QVERIFY2(std::abs(before[i] - fusedResult[i]) < 1e-5f, qPrintable(QString("element %1").arg(i)));
  }

  void bytesGetAnotherShape_data() {
    QTest::addColumn<QString>("body");
    QTest::addColumn<QString>("after");
    QTest::addColumn<float>("quantum");
    const QString bytes = "q = QuantizeLinear (x, s, z)\n d = DequantizeLinear (q, s, z)\n f = Flatten (d)\n ";
    QTest::newRow("before a product") << bytes +
                                             "wd = DequantizeLinear (w, ws)\n bd = DequantizeLinear (b, bs)\n "
                                             "g = Gemm <transB = 1> (f, wd, bd)\n gq = QuantizeLinear (g, ys, yz)\n "
                                             "y = DequantizeLinear (gq, ys, yz)"
                                      << "QuantizeLinear Flatten QGemm DequantizeLinear" << 0.5F;
    QTest::newRow("between equal scales") << bytes + "fq = QuantizeLinear (f, s, z)\n y = DequantizeLinear (fq, s, z)"
                                          << "QuantizeLinear Flatten DequantizeLinear" << 0.0F;
    QTest::newRow("others read the numbers")
        << bytes + "e = Flatten (d)\n y = Add (f, e)" << "QuantizeLinear DequantizeLinear Flatten Flatten Add" << 0.0F;
  }
  void bytesGetAnotherShape() {
    QFETCH(QString, body);
    QFETCH(QString, after);
    QFETCH(float, quantum);
    QStringList weights;
    for (int i = 0; i < 72; ++i)
      weights << QString::number(i * 37 % 101 - 50);
    Model model = resolved(
        "<ir_version: 8, opset_import: [\"\" : 17]>\nmain (float[1,2,3,3] x) => (float[1,N] y) <float s = {0.125}, "
        "uint8 z = {16}, int8[4,18] w = {" +
        weights.join(", ").toStdString() +
        "}, float ws = {0.0625}, int32[4] b = {100, -300, 0, 7}, float bs = {0.0078125}, float ys = {0.5}, uint8 yz = "
        "{128}> {\n" +
        body.toStdString() + "\n}");
    const std::unique_ptr<ExecutionProvider> provider = *cpuProvider().create({});
    const std::vector<float> before = run(model.graph, *provider->kernels());
    QVERIFY(provider->rewriteAssigned(model, model.graph, 2));
    QCOMPARE(operators(model.graph), after);
    const std::vector<float> result = run(model.graph, *provider->kernels());
    QCOMPARE(result.size(), before.size());
    for (size_t i = 0; i < result.size(); ++i)
      QVERIFY(std::abs(result[i] - before[i]) <= quantum);
  }

  void halves_data() {
    QTest::addColumn<QString>("body");
    QTest::addColumn<QString>("after");
    const auto row = [](const char* name, const char* body, const char* after) {
      QTest::newRow(name) << QString(body) << QString(after);
    };
    row("two convolutions", "c = Conv (x, w, b)\n y = Conv (c, w)", "Cast Conv Conv Cast");
    row("what follows is fused", "c = Conv (x, w, b)\n a = Relu (c)\n y = Add (a, r)", "Cast Cast FusedConv Add Cast");
    row("one node alone", "y = Conv (x, w, b)", "Conv");
    row("nothing that computes in float", "a = Relu (x)\n y = Add (a, r)", "Relu Add");
    row("read twice", "c = Conv (x, w)\n d = Conv (c, w)\n y = Add (c, d)", "Cast Conv FusedConv Cast");
    row("moves between", "c = Conv (x, w)\n t = Transpose <perm = [0, 1, 3, 2]> (c)\n y = Conv (t, w)",
        "Cast Conv Transpose Conv Cast");
    row("moves at the end", "c = Conv (x, w)\n d = Conv (c, w)\n y = Transpose <perm = [0, 1, 3, 2]> (d)",
        "Cast Conv Conv Cast Transpose");
    row("moves of a table", "g = Gather (table, zero)\n s = Add (x, g)\n c = Conv (s, w)\n y = Conv (c, w)",
        "Gather Cast Cast Add Conv Conv Cast");
    row("results that jump", "c = Conv (x, w)\n f = Round (c)\n y = Conv (f, w)", "Conv Round Conv");
    row("only the shape is read", "c = Conv (x, w)\n d = Conv (c, w)\n s = Shape (c)\n y = Reshape (d, s)",
        "Cast Conv Conv Shape Cast Reshape");
  }
  void halves() {
    QFETCH(QString, body);
    QFETCH(QString, after);
    const std::unique_ptr<ExecutionProvider> provider = *cpuProvider().create({});
    for (const std::string type : {"float16", "bfloat16"}) {
      Model model = takenInHalves(type, body);
      const QString written = operators(model.graph);
      const std::vector<float> before = run(model.graph, *provider->kernels());
      QVERIFY(provider->rewriteAssigned(model, model.graph, 2));
      QCOMPARE(operators(model.graph), written);
      const auto rewrites = provider->rewriteAssigned(model, model.graph, 3);
      QVERIFY(rewrites);
      QStringList seen = operators(model.graph).split(' ');
      seen.removeAll("Reorder");
      QCOMPARE(seen.join(' '), after);
      QCOMPARE(rewrites->empty(), written == after);
      QCOMPARE(QString::fromStdString(toText(model.graph.value(model.graph.outputs()[0]).type)),
               QString::fromStdString(type + "[1,2,3,3]"));
      const std::vector<float> kept = run(model.graph, *provider->kernels());
      for (size_t i = 0; i < before.size(); ++i) {
        const float unit = (type == "float16" ? 0x1p-10f : 0x1p-7f) * 32;  // of sums up to 36, rounded on the way
        QVERIFY2(std::abs(before[i] - kept[i]) <= 4 * unit,
                 qPrintable(QString("element %1: %2, %3").arg(i).arg(before[i]).arg(kept[i])));
      }
    }
  }

  // A model of halves that is only looked at holds no floats: kernels widen weights as they pack them.
  void weightsWaitForTheirPacking_data() {
    QTest::addColumn<QString>("body");
    QTest::newRow("convolutions") << "c = Conv (x, up)\n y = Conv (c, down)";
    QTest::newRow("transposed") << "c = ConvTranspose (x, down)\n y = ConvTranspose (c, up)";
    QTest::newRow("products") << "r = Reshape (x, pairs)\n c = MatMul (r, wide)\n d = MatMul (c, deep)\n"
                                 "y = Reshape (d, image)";
    QTest::newRow("products that are not packed")
        << "r = Reshape (x, stack)\n c = MatMul (r, layer)\n d = MatMul (c, deep)\n y = Reshape (d, image)";
    QTest::newRow("one row over columns, and a factor")
        << "r = Reshape (x, row)\n c = Gemm <transB = 1> (r, rows)\n"
           "d = Gemm <transB = 1, alpha = 0.5> (c, columns)\n y = Reshape (d, image)";
  }
  void weightsWaitForTheirPacking() {
    QFETCH(QString, body);
    const std::unique_ptr<ExecutionProvider> provider = *cpuProvider().create({});
    for (const std::string type : {"float16", "bfloat16"}) {
      Model model = takenWithWeights(type, body);
      const std::vector<float> before = run(model.graph, *provider->kernels());
      const auto account = std::make_shared<PackAccount>();
      const PackScope scope(account.get());
      QVERIFY(provider->rewriteAssigned(model, model.graph, 3));
      QCOMPARE(account->totals().sizeBytes, int64_t{0});
      int products = 0;
      for (const NodeId id : model.graph.nodeIds()) {
        const Node& node = model.graph.node(id);
        if (node.inputs.size() < 2 || node.opType == "Reshape") continue;
        ++products;
        QCOMPARE(model.graph.value(node.inputs[0]).type.element, ElementType::kFloat);
        QCOMPARE(model.graph.value(node.inputs[1]).type.element,
                 type == "float16" ? ElementType::kFloat16 : ElementType::kBfloat16);
      }
      QCOMPARE(products, 2);
      const std::vector<float> kept = run(model.graph, *provider->kernels());
      const float largest = std::abs(*std::ranges::max_element(before, {}, [](float each) { return std::abs(each); }));
      for (size_t i = 0; i < before.size(); ++i) {
        QVERIFY2(std::abs(before[i] - kept[i]) <= largest * (type == "float16" ? 0x1p-8f : 0x1p-5f),
                 qPrintable(QString("element %1: %2, %3").arg(i).arg(before[i]).arg(kept[i])));
      }
    }
  }

  // Rounded once, where the model's result is; with precision=exact after every operator, as the model says.
  void halvesAreRoundedOnce() {
    const QString body = "c = Conv (x, w)\n y = Conv (c, w)";
    const std::unique_ptr<ExecutionProvider> fast = *cpuProvider().create({});
    ProviderRequest request;
    request.options = {{"precision", "exact"}};
    const std::unique_ptr<ExecutionProvider> exact = *cpuProvider().create(request);
    Model model = takenInHalves("float16", body), same = takenInHalves("float16", body);
    QVERIFY(exact->rewriteAssigned(same, same.graph, 3));
    QCOMPARE(operators(same.graph), QString("Conv Conv"));
    QVERIFY(fast->rewriteAssigned(model, model.graph, 3));
    const std::vector<float> once = run(model.graph, *fast->kernels()), often = run(same.graph, *exact->kernels());
    bool differs = false;
    for (size_t i = 0; i < 9; ++i) {
      // The weights twice over: [1 -2; 0.5 3] squared.
      const auto x = [&](size_t place) {
        const float number = 0.3f * static_cast<float>(place) - 2.0f;
        return static_cast<double>(
            inType(inType(Tensor::of<float>(std::span(&number, 1)), ElementType::kFloat16), ElementType::kFloat)
                .span<float>()[0]);
      };
      const double first = 0 * x(i) - 8 * x(9 + i), second = 2 * x(i) + 8 * x(9 + i);
      const auto nearest = [](double value) {
        const float number = static_cast<float>(value);
        return inType(inType(Tensor::of<float>(std::span(&number, 1)), ElementType::kFloat16), ElementType::kFloat)
            .span<float>()[0];
      };
      QCOMPARE(once[i], nearest(first));
      QCOMPARE(once[9 + i], nearest(second));
      differs = differs || once[i] != often[i] || once[9 + i] != often[9 + i];
    }
    QVERIFY(differs);
  }

  void attention_data() {
    QTest::addColumn<QString>("body");
    QTest::addColumn<int>("level");
    QTest::addColumn<QString>("after");
    const auto row = [](const char* name, const QString& body, int level, const char* after) {
      QTest::newRow(name) << body << level << QString(after);
    };
    const QString keys = "t = Transpose <perm = [0, 1, 3, 2]> (r)\n s = MatMul (x, t)\n",
                  shares = "p = Softmax <axis = -1> (a)\n y = MatMul (p, r)",
                  scores = "d = Mul (s, half)\n a = Add (d, row)\n";
    row("attention", keys + scores + shares, 2, "FusedAttention");
    row("attention at level 1", keys + scores + shares, 1, "Transpose MatMul Mul Add Softmax MatMul");
    row("attention with a divisor and two summands",
        keys + "d = Div (s, three)\n e = Add (row, d)\n a = Add (e, r)\n" + shares, 2, "FusedAttention");
    row("attention of heads behind rows",
        "q = Transpose <perm = [0, 2, 1, 3]> (x)\n k = Transpose <perm = [0, 2, 3, 1]> (r)\n s = MatMul (q, k)\n"
        "v = Transpose <perm = [0, 2, 1, 3]> (r)\n p = Softmax <axis = 3> (s)\n o = MatMul (p, v)\n"
        "y = Transpose <perm = [0, 2, 1, 3]> (o)",
        2, "FusedAttention");
    row("attention whose keys are turned twice",
        "h = Transpose <perm = [0, 2, 1, 3]> (r)\n t = Transpose <perm = [0, 1, 3, 2]> (h)\n"
        "q = Transpose <perm = [0, 2, 1, 3]> (x)\n s = MatMul (q, t)\n p = Softmax <axis = -1> (s)\n"
        "v = Transpose <perm = [0, 2, 1, 3]> (x)\n o = MatMul (p, v)\n y = Transpose <perm = [0, 2, 1, 3]> (o)",
        2, "FusedAttention");
    row("attention of three axes",
        "q = Reshape (x, flat)\n k = Reshape (r, flat)\n t = Transpose <perm = [0, 2, 1]> (k)\n s = MatMul (q, t)\n"
        "a = Add (s, row)\n p = Softmax <axis = 2> (a)\n o = MatMul (p, k)\n y = Reshape (o, back)",
        2, "Reshape Reshape FusedAttention Reshape");
    row("attention of three axes with heads behind rows",
        "m = Reshape (x, flat)\n n = Reshape (r, flat)\n q = Transpose <perm = [1, 0, 2]> (m)\n"
        "k = Transpose <perm = [1, 2, 0]> (n)\n v = Transpose <perm = [1, 0, 2]> (n)\n s = MatMul (q, k)\n"
        "p = Softmax <axis = 2> (s)\n o = MatMul (p, v)\n u = Transpose <perm = [1, 0, 2]> (o)\n"
        "y = Reshape (u, back)",
        2, "Reshape Reshape FusedAttention Reshape");
    row("attention whose keys one head has for all",
        "k = ReduceMean <axes = [1]> (r)\n t = Transpose <perm = [0, 1, 3, 2]> (k)\n s = MatMul (x, t)\n"
        "p = Softmax <axis = -1> (s)\n y = MatMul (p, k)",
        2, "ReduceMean FusedAttention");
    row("attention whose queries a summand spreads",
        "q = ReduceMean <axes = [2]> (x)\n t = Transpose <perm = [0, 1, 3, 2]> (r)\n s = MatMul (q, t)\n"
        "a = Add (s, x)\n" +
            shares,
        2, "ReduceMean FusedAttention");
    row("attention whose turned keys are read elsewhere",
        keys + scores +
            "p = Softmax <axis = -1> (a)\n"
            "o = MatMul (p, r)\n y = Add (o, t)",
        2, "Transpose FusedAttention Add");
    row("scores that are read elsewhere",
        keys + scores +
            "p = Softmax <axis = -1> (a)\n o = MatMul (p, r)\n"
            "y = Add (o, a)",
        2, "Transpose MatMul Mul Add Softmax MatMul Add");
    row("shares that are read elsewhere",
        keys + scores +
            "p = Softmax <axis = -1> (a)\n o = MatMul (p, r)\n"
            "y = Add (o, p)",
        2, "Transpose MatMul Mul Add Softmax MatMul Add");
    row("softmax over queries", keys + scores + "p = Softmax <axis = 2> (a)\n y = MatMul (p, r)", 2,
        "Transpose MatMul Mul Add Softmax MatMul");
    row("a scale behind the summand", keys + "d = Add (s, row)\n a = Mul (d, half)\n" + shares, 2,
        "Transpose MatMul Add Mul Softmax MatMul");
    row("a scale over the scores", keys + "a = Div (half, s)\n" + shares, 2, "Transpose MatMul Div Softmax MatMul");
    row("keys that are not turned", "s = MatMul (x, r)\n" + scores + shares, 2, "MatMul Mul Add Softmax MatMul");
    row("shares that stand on the right", keys + scores + "p = Softmax <axis = -1> (a)\n y = MatMul (r, p)", 2,
        "Transpose MatMul Mul Add Softmax MatMul");
  }
  void attention() { fuses(); }

  // As Softmax has it where every score is minus infinity.
  void attentionToNothingIsNaN() {
    const std::unique_ptr<ExecutionProvider> provider = *cpuProvider().create({});
    Model model = taken(
        "z = Mul (row, zero)\n m = Log (z)\n t = Transpose <perm = [0, 1, 3, 2]> (r)\n s = MatMul (x, t)\n"
        "a = Add (s, m)\n p = Softmax <axis = -1> (a)\n y = MatMul (p, r)");
    QVERIFY(std::ranges::all_of(run(model.graph, *provider->kernels()), [](float each) { return std::isnan(each); }));
    QVERIFY(provider->rewriteAssigned(model, model.graph, 3));
    QVERIFY(operators(model.graph).endsWith("FusedAttention"));
    QVERIFY(std::ranges::all_of(run(model.graph, *provider->kernels()), [](float each) { return std::isnan(each); }));
  }

  void nodesOfOthersAreNotTouched() {
    const std::unique_ptr<ExecutionProvider> provider = *cpuProvider().create({});
    Model model = taken("c = Conv (x, w, b)\n y = Relu (c)");
    for (const NodeId id : model.graph.nodeIds()) {
      if (model.graph.node(id).opType == "Relu") model.graph.mutableNode(id).provider = "npu";
    }
    QVERIFY(provider->rewriteAssigned(model, model.graph, 3));
    QCOMPARE(operators(model.graph), QString("Conv Relu"));
  }
};

QTEST_GUILESS_MAIN(TestCpuRewrites)
#include "tst_cpu_rewrites.moc"
