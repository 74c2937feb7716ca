// Channels last for providers that prefer it: which nodes turn, where Transposes stand, and what a refusal leaves
// behind.
#include <QtTest/QtTest>

#include "engine/graph/topology.h"
#include "engine/provider/channels_last.h"
#include "engine/provider/graph_interpreter.h"
#include "engine/provider/group_builder.h"
#include "engine/stages/partition/layout.h"
#include "tests/unit/engine/stages/partition/partition_bench.h"
#include "tests/unit/providers/cpu/graph_interpreter.h"

using namespace cutaway;
using namespace cutaway::bench;

namespace {

struct ImageProviderOptions {
  std::set<std::string> operators;
  std::set<std::string> refusedTurned{};  // node names that it does not want with channels last
  std::set<std::string> failing{};        // groups with these do not compile
  bool compiles = false;  // maximal groups; otherwise node by node, so that the graph stays to be looked at
  bool refusesEverythingTurned = false;  // as soon as one node has channels last
  LayoutPreference layout = LayoutPreference::kNhwc;
};

class ImageProvider final : public ExecutionProvider {
 public:
  explicit ImageProvider(ImageProviderOptions options) : m_options(std::move(options)) {}

  const std::string& name() const override { return m_name; }
  const Device& device() const override { return heapAllocator().device(); }
  Allocator& allocator() override { return heapAllocator(); }
  LayoutPreference preferredLayout() const override { return m_options.layout; }

  Result<CapabilityAnswer> capability(const CapabilityRequest& request) override {
    CapabilityAnswer answer;
    std::vector<char> supported(request.graph.nodeSlots(), 0);
    const bool anyTurned = std::any_of(request.free.begin(), request.free.end(),
                                       [&](NodeId id) { return request.graph.node(id).domain == kChannelsLastDomain; });
    for (const NodeId id : request.free) {
      const Node& node = request.graph.node(id);
      if (anyTurned && m_options.refusesEverythingTurned) continue;
      const bool unwanted = node.domain == kChannelsLastDomain && m_options.refusedTurned.contains(node.name);
      if (unwanted)
        answer.refusals.push_back(
            {id, RefusalCause::kAttribute, "not this one", "turned", node.name, "channels first"});
      if (!unwanted && m_options.operators.contains(node.opType)) supported[id.index()] = 1;
    }
    if (m_options.compiles) {
      answer.claims =
          buildGroups(request, {.supported = supported, .stopOperators = {}, .accept = {}, .domain = {}}).claims;
      return answer;
    }
    for (const NodeId id : request.free) {
      if (supported[id.index()]) answer.claims.push_back({.subGraph = {.nodes = {id}, .metaDef = std::nullopt}});
    }
    return answer;
  }

  Result<std::vector<CompiledNode>> compile(std::span<const FusedSubGraph> groups, const Progress&) override {
    std::vector<CompiledNode> compiled;
    for (const FusedSubGraph& group : groups) {
      for (const NodeId id : group.graph.nodeIds()) {
        if (m_options.failing.contains(group.graph.node(id).name)) return fail(ErrorCode::kEpFail, "told to fail");
      }
      CUTAWAY_TRY(std::shared_ptr<const Kernel> kernel, interpretGraph(group.graph, *kernelsOfCpu()));
      compiled.push_back({.kernel = std::move(kernel), .inplace = {}});
    }
    return compiled;
  }

 private:
  ImageProviderOptions m_options;
  std::string m_name = "npu";
};

Providers imagesThenCpu(ImageProviderOptions options) {
  Providers providers = withCpu({});
  providers.insert(providers.begin(), std::make_unique<ImageProvider>(std::move(options)));
  return providers;
}

QString text(const std::string& from) {
  return QString::fromStdString(from);
}

// One line for each node: "name Op' (inputs) -> outputs @provider"; ' for channels last.
QString rendered(const Graph& graph) {
  QStringList lines;
  const Result<std::vector<NodeId>> order = topologicalOrder(graph);
  if (!order) return text(describe(order.error()));
  for (const NodeId id : *order) {
    const Node& node = graph.node(id);
    QStringList inputs, outputs;
    for (const ValueId value : node.inputs)
      inputs << (value.valid() ? text(graph.value(value).name) : QString("-"));
    for (const ValueId value : node.outputs)
      outputs << (value.valid() ? text(graph.value(value).name) : QString("-"));
    const QString axis = node.findAttribute("axis") == nullptr
                             ? QString()
                             : QString(" axis=%1").arg(node.attributeOr<int64_t>("axis", 0));
    lines << QString("%1%2%3 (%4) -> %5 @%6")
                 .arg(text(node.opType), node.domain == kChannelsLastDomain ? "'" : "", axis, inputs.join(", "),
                      outputs.join(", "), text(node.provider));
  }
  return lines.join('\n');
}

std::vector<RuntimeValue> inputsOf(const Graph& graph) {
  std::vector<RuntimeValue> values;
  for (const ValueId id : graph.inputs()) {
    Tensor tensor = *Tensor::create(graph.value(id).type.element, *graph.value(id).type.shape->staticDims());
    float next = -3.0f;
    for (float& each : tensor.span<float>())
      each = (next = next > 3.0f ? -2.9f : next + 0.37f);
    values.emplace_back(std::move(tensor));
  }
  return values;
}

// Not fused: node by node, those with channels last as what they stand for.
std::vector<float> outcome(Graph graph, const std::vector<RuntimeValue>& inputs) {
  if (Result<void> lowered = lowerChannelsLast(graph); !lowered) qFatal("%s", describe(lowered.error()).c_str());
  testing::GraphInterpreter interpreter(*kernelsOfCpu());
  const Result<std::vector<RuntimeValue>> outputs = interpreter.run(graph, inputs);
  if (!outputs) qFatal("%s", describe(outputs.error()).c_str());
  std::vector<float> numbers;
  for (const RuntimeValue& value : *outputs) {
    const std::span<const float> each = value.tensor().span<float>();
    numbers.insert(numbers.end(), each.begin(), each.end());
  }
  return numbers;
}

constexpr const char* kHeader = "<ir_version: 8, opset_import: [\"\" : 17]>\n";
const std::set<std::string> kAll{"Conv",
                                 "Relu",
                                 "MaxPool",
                                 "Add",
                                 "Concat",
                                 "Resize",
                                 "Split",
                                 "Mul",
                                 "Sigmoid",
                                 "Transpose",
                                 "QuantizeLinear",
                                 "DequantizeLinear",
                                 "GlobalAveragePool"};

constexpr const char* kChain = R"(main (float[1,2,4,4] x) => (float[1,3,2,2] y) <float[3,2,1,1] w = {1,2,3,4,5,6}> {
  [c] a = Conv (x, w)
  [r] b = Relu (a)
  [p] y = MaxPool <kernel_shape = [2,2], strides = [2,2]> (b)
})";

constexpr const char* kTwo =
    R"(main (float[1,2,4,4] x) => (float[1,2,4,4] y) <float[2,2,1,1] v = {1,-2,3,4}, float[2,2,1,1] w = {1,2,-3,4}> {
  [c1] a = Conv (x, v)
  [s] b = Softmax <axis = 1> (a)
  [c2] y = Conv (b, w)
})";

Model modelOf(const char* graph) {
  return resolved((std::string(kHeader) + graph).c_str());
}

}  // namespace

class TestLayout : public QObject {
  Q_OBJECT
 private slots:
  void nodesTurn_data() {
    QTest::addColumn<QString>("before");
    QTest::addColumn<QString>("after");
    QTest::newRow("a chain keeps one Transpose at each end") << QString(kChain) << R"(Transpose (x) -> x@nhwc @npu
Conv' (x@nhwc, w) -> a@nhwc @npu
Relu (a@nhwc) -> b@nhwc @npu
MaxPool' (b@nhwc) -> y@nhwc @npu
Transpose (y@nhwc) -> y @npu)";
    QTest::newRow("residual")
        << R"(main (float[1,2,4,4] x) => (float[1,2,4,4] y) <float[2,2,1,1] v = {1,-2,3,4}, float[2,2,1,1] w = {1,2,-3,4}> {
  a = Conv (x, v)
  b = Add (a, x)
  c = Conv (b, w)
  y = Add (c, b)
})" << R"(Transpose (x) -> x@nhwc @npu
Conv' (x@nhwc, v) -> a@nhwc @npu
Add (a@nhwc, x@nhwc) -> b@nhwc @npu
Conv' (b@nhwc, w) -> c@nhwc @npu
Add (c@nhwc, b@nhwc) -> y@nhwc @npu
Transpose (y@nhwc) -> y @npu)";
    QTest::newRow("axes of Split and Concat")
        << R"(main (float[1,2,4,4] x) => (float[1,4,4,4] y) <float[4,2,1,1] v = {1,-2,3,4,5,6,7,8}> {
  a = Conv (x, v)
  b, c = Split <axis = 1> (a)
  d = MaxPool <kernel_shape = [1,1]> (b)
  y = Concat <axis = -3> (c, d)
})" << R"(Transpose (x) -> x@nhwc @npu
Conv' (x@nhwc, v) -> a@nhwc @npu
Split axis=3 (a@nhwc) -> b@nhwc, c@nhwc @npu
MaxPool' (b@nhwc) -> d@nhwc @npu
Concat axis=3 (c@nhwc, d@nhwc) -> y@nhwc @npu
Transpose (y@nhwc) -> y @npu)";
    QTest::newRow("a graph output in the middle")
        << R"(main (float[1,2,4,4] x) => (float[1,2,4,4] m, float[1,2,1,1] y) <float[2,2,1,1] v = {1,-2,3,4}> {
  m = Conv (x, v)
  b = Sigmoid (m)
  y = GlobalAveragePool (b)
})" << R"(Transpose (x) -> x@nhwc @npu
Conv' (x@nhwc, v) -> m@nhwc @npu
Sigmoid (m@nhwc) -> b@nhwc @npu
GlobalAveragePool' (b@nhwc) -> y@nhwc @npu
Transpose (m@nhwc) -> m @npu
Transpose (y@nhwc) -> y @npu)";
    QTest::newRow("constants by channel are turned, single numbers stay")
        << R"(main (float[1,2,4,4] x) => (float[1,2,4,4] y) <float[2,2,1,1] v = {1,-2,3,4}, float[2,1,1] bias = {10,20}, float half = {0.5}> {
  a = Conv (x, v)
  b = Add (a, bias)
  y = Mul (b, half)
})" << R"(Transpose (x) -> x@nhwc @npu
Conv' (x@nhwc, v) -> a@nhwc @npu
Add (a@nhwc, bias@nhwc) -> b@nhwc @npu
Mul (b@nhwc, half) -> y@nhwc @npu
Transpose (y@nhwc) -> y @npu)";
    QTest::newRow("scales of Resize keep their order")
        << R"(main (float[1,2,4,4] x) => (float[1,2,8,4] y) <float[4] scales = {1,1,2,1}> {
  y = Resize <mode = "nearest"> (x, "", scales)
})" << R"(Transpose (x) -> x@nhwc @npu
Resize' (x@nhwc, -, scales) -> y@nhwc @npu
Transpose (y@nhwc) -> y @npu)";
    QTest::newRow("Q/DQ: bytes are turned, and operators keep their quantizers")
        << R"(main (float[1,2,4,4] x) => (float[1,2,16] y) <float[2,2,1,1] v = {1,-2,3,4}, float s = {0.05}, uint8 z = {128}, int64[3] flat = {1,2,16}> {
  q = QuantizeLinear (x, s, z)
  d = DequantizeLinear (q, s, z)
  a = Conv (d, v)
  r = Relu (a)
  p = QuantizeLinear (r, s, z)
  e = DequantizeLinear (p, s, z)
  y = Reshape (e, flat)
})" << R"(QuantizeLinear (x, s, z) -> q @npu
Transpose (q) -> q@nhwc @npu
DequantizeLinear (q@nhwc, s, z) -> d@nhwc @npu
Conv' (d@nhwc, v) -> a@nhwc @npu
Relu (a@nhwc) -> r@nhwc @npu
QuantizeLinear (r@nhwc, s, z) -> p@nhwc @npu
Transpose (p@nhwc) -> p @npu
DequantizeLinear (p, s, z) -> e @npu
Reshape (e, flat) -> y @cpu)";
    QTest::newRow("between nodes of others") << QString(kTwo) << R"(Transpose (x) -> x@nhwc @npu
Conv' (x@nhwc, v) -> a@nhwc @npu
Transpose (a@nhwc) -> a @npu
Softmax axis=1 (a) -> b @cpu
Transpose (b) -> b@nhwc @npu
Conv' (b@nhwc, w) -> y@nhwc @npu
Transpose (y@nhwc) -> y @npu)";
  }
  void nodesTurn() {
    QFETCH(QString, before);
    QFETCH(QString, after);
    Model model = modelOf(before.toStdString().c_str());
    const std::vector<RuntimeValue> inputs = inputsOf(model.graph);
    const std::vector<float> expected = outcome(model.graph, inputs);
    const Result<partition::Partition> made = partitioned(model, imagesThenCpu({.operators = kAll}));
    CUTAWAY_VERIFY(made);
    QCOMPARE(rendered(model.graph), after);
    QCOMPARE(outcome(model.graph, inputs), expected);
  }

  void typesAndOriginsAreRight() {
    Model model = modelOf(kChain);
    CUTAWAY_VERIFY(partitioned(model, imagesThenCpu({.operators = kAll})));
    const Graph& graph = model.graph;
    QCOMPARE(text(toText(graph.value(graph.findValue("x@nhwc")).type)), QString("float[1,4,4,2]"));
    QCOMPARE(text(toText(graph.value(graph.findValue("b@nhwc")).type)), QString("float[1,4,4,3]"));
    QVERIFY(!graph.findValue("a").valid());  // nobody makes or reads it any more
    const Node& transpose = graph.node(graph.value(graph.findValue("x@nhwc")).producer);
    QCOMPARE(text(transpose.rewrite), QString("channels last"));
    QCOMPARE(transpose.origins, graph.node(graph.findNode("c")).origins);
    QCOMPARE(transpose.sinceVersion, 13);
  }

  void nobodyAsksForIt() {
    Model model = modelOf(kChain);
    const std::string before = printGraph(model.graph);
    CUTAWAY_VERIFY(partitioned(model, imagesThenCpu({.operators = kAll, .layout = LayoutPreference::kNchw})));
    QCOMPARE(text(printGraph(model.graph)), text(before));
  }

  // Confirms nothing: not a trace is left, and the next provider takes the nodes.
  void aRefusedLayoutLeavesTheGraphAsItWas() {
    Model model = modelOf(kChain);
    const std::string before = printGraph(model.graph);
    const Result<partition::Partition> made =
        partitioned(model, imagesThenCpu({.operators = {"Conv", "MaxPool"}, .refusedTurned = {"c", "p"}}));
    CUTAWAY_VERIFY(made);
    QCOMPARE(text(printGraph(model.graph)), text(before));
    QCOMPARE(placements(*made), QString("c:cpu r:cpu p:cpu"));
    const ProviderAnswer& answer = answerOf(*made, "c", "npu");
    QCOMPARE(answer.verdict, Verdict::kReleased);
    QCOMPARE(answer.cause, RefusalCause::kOther);
    QCOMPARE(text(answer.reason), QString("claimed, and not claimed again with channels last: not this one"));
    QCOMPARE(text(answer.rule), QString("turned"));
    QCOMPARE(text(answer.seen), QString("c"));
  }

  void oneRefusedNodeCostsOnlyItself() {
    Model model = modelOf(kTwo);
    const std::vector<RuntimeValue> inputs = inputsOf(model.graph);
    const std::vector<float> expected = outcome(model.graph, inputs);
    const Result<partition::Partition> made =
        partitioned(model, imagesThenCpu({.operators = kAll, .refusedTurned = {"c2"}}));
    CUTAWAY_VERIFY(made);
    QCOMPARE(rendered(model.graph), QString(R"(Transpose (x) -> x@nhwc @npu
Conv' (x@nhwc, v) -> a@nhwc @npu
Transpose (a@nhwc) -> a @npu
Softmax axis=1 (a) -> b @cpu
Conv (b, w) -> y @cpu)"));
    QCOMPARE(answerOf(*made, "c2", "npu").verdict, Verdict::kReleased);
    QCOMPARE(outcome(model.graph, inputs), expected);
  }

  void aProviderThatRefusesEverythingTurnedKeepsItsOtherNodes() {
    Model model = modelOf(kChain);
    const Result<partition::Partition> made =
        partitioned(model, imagesThenCpu({.operators = kAll, .refusesEverythingTurned = true}));
    CUTAWAY_VERIFY(made);
    QCOMPARE(placements(*made), QString("c:cpu r:npu p:cpu"));
    QCOMPARE(text(answerOf(*made, "p", "npu").reason),
             QString("claimed, and not claimed again with channels last: the provider gave no reason"));
  }

  void groupsThatDoNotCompileGoBack_data() {
    QTest::addColumn<QString>("failing");
    QTest::addColumn<QString>("placed");
    QTest::newRow("none") << "" << "x@nhwc/layout:npu c1:npu a/layout:npu s:cpu b@nhwc/layout:npu c2:npu y/layout:npu";
    QTest::newRow("the second") << "c2" << "c1:npu s:cpu c2:cpu";
    QTest::newRow("all") << "c1,c2" << "c1:cpu s:cpu c2:cpu";
  }
  void groupsThatDoNotCompileGoBack() {
    QFETCH(QString, failing);
    QFETCH(QString, placed);
    ImageProviderOptions options{.operators = kAll, .compiles = true};
    for (const QString& each : failing.split(','))
      options.failing.insert(each.toStdString());
    Model model = modelOf(kTwo);
    const std::string before = printGraph(model.graph);
    const Result<partition::Partition> made = partitioned(model, imagesThenCpu(options));
    CUTAWAY_VERIFY(made);
    for (const NodePlacement& node : made->report.nodes)
      QVERIFY(!node.provider.empty());
    for (const NodeId id : model.graph.nodeIds())
      QVERIFY(model.graph.node(id).domain != kChannelsLastDomain);
    for (const QString& part : placed.split(' '))
      QVERIFY2(placements(*made).split(' ').contains(part), qPrintable(placements(*made)));
    if (failing == "c1,c2") QCOMPARE(text(printGraph(model.graph)), text(before));
  }

  void operatorsNewerThanTheRulesStayAsTheyAre() {
    Model model = modelOf(kChain);
    const std::string before = printGraph(model.graph);
    for (OpsetImport& import : model.opsets)
      import.version = partition::kNewestLayoutOpset + 1;
    const Result<partition::Partition> made = partitioned(model, imagesThenCpu({.operators = kAll}));
    CUTAWAY_VERIFY(made);
    QCOMPARE(text(printGraph(model.graph)), text(before));
    QCOMPARE(placements(*made), QString("c:npu r:npu p:npu"));
    QCOMPARE(joined(made->report.warnings), QString("provider npu is asked about channels first only: the model "
                                                    "imports ai.onnx 29, and channels last are known up to opset 28"));
  }
};

QTEST_GUILESS_MAIN(TestLayout)
#include "tst_layout.moc"
