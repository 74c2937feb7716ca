// The graph interpreter: cut-out graphs as one kernel, with the borders, the memory and the refusals of a compiled
// group.
#include <thread>

#include <QtTest/QtTest>

#include "engine/graph/text.h"
#include "engine/provider/execution_provider.h"
#include "engine/provider/graph_interpreter.h"
#include "engine/provider/kernel_contexts.h"
#include "engine/provider/node_evaluator.h"
#include "engine/stages/resolve/resolve.h"
#include "providers/cpu/provider.h"

using namespace cutaway;

namespace {

const KernelRegistry& kernels() {
  static const std::unique_ptr<ExecutionProvider> cpu = *cpuProvider().create({});
  return *cpu->kernels();
}

Graph graphOf(const std::string& text) {
  Result<Model> model = parseModelText("<ir_version: 8, opset_import: [\"\" : 17]>\n" + text);
  if (!model) qFatal("%s", describe(model.error()).c_str());
  Progress progress;
  const Result<ResolveReport> resolved = resolve::resolve(*model, {.trace = false}, progress);
  if (!resolved) qFatal("%s", describe(resolved.error()).c_str());
  return std::move(model->graph);
}

// A kernel with the borders of a graph, run as the one node of a graph of its own.
class Fused {
 public:
  explicit Fused(const Graph& inner) {
    std::vector<ValueId> inputs;
    std::vector<std::string> outputs;
    for (const ValueId id : inner.inputs())
      inputs.push_back(m_graph.addInput(inner.value(id).name, inner.value(id).type));
    for (size_t i = 0; i < inner.outputs().size(); ++i)
      outputs.push_back(fmt::format("out{}", i));
    m_node = m_graph.addNode({.name = "fused", .opType = "Fused"}, inputs, outputs);
    for (size_t i = 0; i < outputs.size(); ++i)
      m_graph.mutableValue(m_graph.node(m_node).outputs[i]).type = inner.value(inner.outputs()[i]).type;
  }
  Result<std::vector<RuntimeValue>> run(const Kernel& kernel, const std::vector<RuntimeValue>& inputs) const {
    return evaluateKernel(kernel, m_graph, m_node, inputs);
  }

 private:
  Graph m_graph;
  NodeId m_node;
};

RuntimeValue floats(std::vector<float> values, std::vector<int64_t> dims = {}) {
  if (dims.empty()) dims = {static_cast<int64_t>(values.size())};
  Tensor tensor = *Tensor::create(ElementType::kFloat, dims);
  std::copy(values.begin(), values.end(), tensor.span<float>().begin());
  return tensor;
}

QString textOf(const RuntimeValue& value) {
  QStringList parts;
  if (value.isSequence()) {
    for (const RuntimeValue& item : value.sequence().items)
      parts << "(" + textOf(item) + ")";
  } else if (value.isTensor() && value.tensor().type() == ElementType::kString) {
    for (const std::string& each : value.tensor().span<std::string>())
      parts << QString::fromStdString(each);
  } else if (value.isTensor()) {
    for (const float each : value.tensor().span<float>())
      parts << QString::number(each);
  }
  return parts.join(' ');
}

// All outputs of the graph's text on these inputs.
QString runText(const std::string& text, const std::vector<RuntimeValue>& inputs) {
  const Graph graph = graphOf(text);
  const Result<std::shared_ptr<const Kernel>> kernel = interpretGraph(graph, kernels());
  if (!kernel) return QString::fromStdString("error: " + kernel.error().message);
  const Result<std::vector<RuntimeValue>> outputs = Fused(graph).run(**kernel, inputs);
  if (!outputs) return QString::fromStdString("error: " + describe(outputs.error()));
  QStringList parts;
  for (const RuntimeValue& output : *outputs)
    parts << textOf(output);
  return parts.join(" | ");
}

// A context that remembers its state between runs, as a frame does, and lends its outputs memory that it keeps.
// Keeps its state and its inputs over runs; one output of floats. The interpreter brings its own scratch.
class Frame {
 public:
  Frame(const Kernel& kernel, std::vector<RuntimeValue> inputs)
      : m_state(kernel.createState()), m_inputs(std::move(inputs)) {}
  Result<void> run(const Kernel& kernel) {
    LoneCall call{.outputs = {{.type = ElementType::kFloat}}, .mostScratchBytes = 0, .cancelled = &isCancelled};
    for (const RuntimeValue& input : m_inputs)
      call.inputs.push_back(&input);
    LoneContext context(std::move(call), m_state.get());
    CUTAWAY_CHECK(kernel.run(context));
    m_output = context.takeOutputs().front();
    return {};
  }

  bool isCancelled = false;
  const RuntimeValue& output() const { return m_output; }

 private:
  std::unique_ptr<KernelState> m_state;
  std::vector<RuntimeValue> m_inputs;
  RuntimeValue m_output;
};

}  // namespace

class TestGraphInterpreter : public QObject {
  Q_OBJECT
 private slots:
  void runs_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("outputs");
    QTest::newRow("chain with constants")
        << "main (float[3] x) => (float[3] y) <float[3] c = {2,2,3}> { h = Add (x, c)\n y = Neg (h) }" << "-1 -4 -1";
    QTest::newRow("inner value that is an output, too")
        << "main (float[3] x) => (float[3] h, float[3] y) { h = Neg (x)\n y = Abs (h) }" << "1 -2 2 | 1 2 2";
    QTest::newRow("one value listed twice")
        << "main (float[3] x) => (float[3] y, float[3] y) { y = Neg (x) }" << "1 -2 2 | 1 -2 2";
    QTest::newRow("views")
        << "main (float[3] x) => (float[3,1] y) <int64[2] s = {3,1}> { h = Neg (x)\n y = Reshape (h, s) }" << "1 -2 2";
    QTest::newRow("left out inputs and outputs")
        << "main (float[3] x) => (float[3] y) <float hi = {0.5}> { y = Clip (x, \"\", hi) }" << "-1 0.5 -2";
    QTest::newRow("several outputs")
        << "main (float[3] x) => (float[1] a, float[2] b) <int64[2] s = {1,2}> { a, b = Split <axis = 0> (x, s) }"
        << "-1 | 2 -2";
    QTest::newRow("sequences")
        << "main (float[3] x) => (seq(float[3]) y) { h = Neg (x)\n y = SequenceConstruct (x, h) }"
        << "(-1 2 -2) (1 -2 2)";
    QTest::newRow("sequences inside") << "main (float[3] x) => (float[6] y) { h = Neg (x)\n s = SequenceConstruct (x, "
                                         "h)\n y = ConcatFromSequence <axis = 0> (s) }"
                                      << "-1 2 -2 1 -2 2";
    QTest::newRow("order of the text does not matter")
        << "main (float[3] x) => (float[3] y) { h = Neg (x)\n i = Abs (x)\n y = Add (h, i) }" << "2 0 4";
  }
  void runs() {
    QFETCH(QString, text);
    QFETCH(QString, outputs);
    QCOMPARE(runText(text.toStdString(), {floats({-1, 2, -2})}), outputs);
  }

  void strings() {
    Tensor words = *Tensor::create(ElementType::kString, {2});
    words.span<std::string>()[0] = "first word that is long enough for the heap";
    words.span<std::string>()[1] = "second";
    QCOMPARE(
        runText("main (string[2] x) => (string[2] y) <int64[2] i = {1,0}> { h = Gather (x, i)\n y = Identity (h) }",
                {words}),
        QString("second first word that is long enough for the heap"));
  }

  void statesAreReused() {
    const Graph graph = graphOf(
        "main (float[4] x) => (float[4] y) { a = Neg (x)\n b = Abs (a)\n c = Neg (b)\n d = Abs (c)\n y = Softmax (d) "
        "}");
    const std::shared_ptr<const Kernel> kernel = *interpretGraph(graph, kernels());
    Frame frame(*kernel, {floats({0, 0, 0, 0})});
    for (int run = 0; run < 3; ++run) {
      QVERIFY(frame.run(*kernel));
      QCOMPARE(textOf(frame.output()), QString("0.25 0.25 0.25 0.25"));
    }
  }

  void manyFramesAtOnce() {
    const Graph graph = graphOf("main (float[64] x) => (float[64] y) { a = Neg (x)\n b = Abs (a)\n y = Add (a, b) }");
    const std::shared_ptr<const Kernel> kernel = *interpretGraph(graph, kernels());
    std::vector<int> wrong(4, 0);
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&, t] {
        Frame frame(*kernel, {floats(std::vector<float>(64, static_cast<float>(-t)))});
        for (int run = 0; run < 50; ++run) {
          const Result<void> done = frame.run(*kernel);
          for (const float value : frame.output().tensor().span<float>())
            wrong[static_cast<size_t>(t)] += !done || value != 2.0f * static_cast<float>(t);
        }
      });
    }
    for (std::thread& thread : threads)
      thread.join();
    QCOMPARE(wrong, std::vector<int>(4, 0));
  }

  void cancelledRunsEnd() {
    const std::shared_ptr<const Kernel> kernel =
        *interpretGraph(graphOf("main (float[1] x) => (float[1] y) { y = Neg (x) }"), kernels());
    Frame frame(*kernel, {floats({1})});
    frame.isCancelled = true;
    QVERIFY(!frame.run(*kernel));
    frame.isCancelled = false;
    QVERIFY(frame.run(*kernel));
  }

  void failingNodesAreNamed() {
    const QString error =
        runText("main (float[N] x) => (float[M] y) <int64[1] s = {2}> { h = Neg (x)\n [shape] y = Reshape (h, s) }",
                {floats({1, 2, 3})});
    QVERIFY2(error.startsWith("error: ") && error.contains("'shape'"), qPrintable(error));
  }

  void refusals() {
    QVERIFY(runText("main (bool c, float[1] x) => (float[1] y) { [gate] y = If <else_branch = no () => (float[1] n) { "
                    "n = Neg (x) }, then_branch = yes () => (float[1] t) { t = Abs (x) }> (c) }",
                    {})
                .contains("bodies"));
    Graph unknown = graphOf("main (float[1] x) => (float[1] y) { [n] y = Neg (x) }");
    unknown.mutableNode(unknown.findNode("n")).domain = "com.toy";
    const auto refused = interpretGraph(unknown, kernels());
    QVERIFY(!refused);
    QCOMPARE(refused.error().code, ErrorCode::kNotImplemented);
    QCOMPARE(QString::fromStdString(refused.error().where.node), QString("n"));
  }

  // The graph with channels last: x [1,2,2,3] instead of [1,3,2,2], and so is y.
  void channelsLastNodesRun() {
    Graph graph = graphOf(
        "main (float[1,3,2,2] x) => (float[1,1,2,2] y) <float[1,3,1,1] w = {1,10,100}> { [n] y = Conv (x, w) }");
    const NodeId conv = graph.findNode("n");
    graph.mutableNode(conv).domain = kChannelsLastDomain;
    graph.mutableValue(graph.node(conv).inputs[0]).type.shape = Shape{Dim(1), Dim(2), Dim(2), Dim(3)};
    graph.mutableValue(graph.node(conv).outputs[0]).type.shape = Shape{Dim(1), Dim(2), Dim(2), Dim(1)};
    const Result<std::shared_ptr<const Kernel>> kernel = interpretGraph(graph, kernels());
    QVERIFY2(kernel, kernel ? "" : describe(kernel.error()).c_str());
    const Result<std::vector<RuntimeValue>> outputs =
        Fused(graph).run(**kernel, {floats({1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 1, 1}, {1, 2, 2, 3})});
    QVERIFY(outputs);
    QCOMPARE(textOf((*outputs)[0]), QString("321 654 987 111"));
    QCOMPARE(QString::fromStdString(dimsToText((*outputs)[0].tensor().dims())), QString("[1,2,2,1]"));
    graph.mutableValue(graph.node(conv).inputs[0]).type.shape.reset();
    QCOMPARE(interpretGraph(graph, kernels()).error().code, ErrorCode::kNotImplemented);
  }
};

QTEST_GUILESS_MAIN(TestGraphInterpreter)
#include "tst_graph_interpreter.moc"
