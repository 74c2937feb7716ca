// Placeholders of simulated hardware: what they say, that they run as before, and that nothing else is taken for one.
#include <QtTest/QtTest>

#include "engine/graph/text.h"
#include "engine/provider/channels_last.h"
#include "engine/provider/graph_sections.h"
#include "engine/provider/node_evaluator.h"
#include "providers/cpu/provider.h"
#include "providers/declared/context.h"
#include "tests/unit/providers/declared/declared_fixture.h"

using namespace cutaway;
using namespace cutaway::declared;
using namespace cutaway::testing;

namespace {

const KernelRegistry& kernels() {
  static const std::unique_ptr<ExecutionProvider> cpu = *cpuProvider().create({});
  return *cpu->kernels();
}

constexpr const char* kOperators = R"([{"op": "Conv"}, {"op": "Relu"}, {"op": "Tanh"}, {"op": "Add"}, {"op": "Exp"}])";

std::unique_ptr<ExecutionProvider> toy(const std::string& extra = {}) {
  auto provider = declaredFrom(toyProfile(kOperators, extra));
  provider->useFallbackKernels(&kernels());
  return provider;
}

// The whole model as one group, compiled and exported.
struct Exported {
  Asked asked;
  std::unique_ptr<ExecutionProvider> maker = toy();
  CompiledNode compiled;
  context_binary::ContextPartition partition;

  explicit Exported(const std::string& text, void (*change)(Graph&) = nullptr) : asked(text) {
    if (change != nullptr) change(asked.model.graph);
    const FusedSubGraph group{"toy_0", asked.model, asked.model.graph};
    Result<std::vector<CompiledNode>> made = maker->compile({&group, 1}, Progress());
    if (!made) qFatal("%s", describe(made.error()).c_str());
    compiled = std::move(made->front());
    Result<context_binary::ContextPartition> exported = maker->exportContext({group, *compiled.kernel}, Progress());
    if (!exported) qFatal("%s", describe(exported.error()).c_str());
    partition = *std::move(exported);
    partition.name = "toy_0";
    for (const ValueId id : asked.model.graph.inputs())
      partition.inputs.push_back({asked.model.graph.value(id).name, asked.model.graph.value(id).type});
    for (const ValueId id : asked.model.graph.outputs())
      partition.outputs.push_back({asked.model.graph.value(id).name, asked.model.graph.value(id).type});
  }
  Result<CompiledNode> restore(ExecutionProvider& by) const {
    return by.restoreContext({partition, nullptr, "toy_0"}, Progress());
  }
  void setProfile(std::string text) {
    const auto bytes = std::make_shared<const std::string>(std::move(text));
    partition.sections[0].bytes = std::as_bytes(std::span(*bytes));
    partition.sections[0].keepAlive = bytes;
  }
};

RuntimeValue feedOf(const ValueType& type, int64_t n) {
  std::vector<int64_t> dims;
  for (const Dim& dim : type.shape->dims())
    dims.push_back(dim.isKnown() ? dim.value() : n);
  Tensor tensor = *Tensor::create(ElementType::kFloat, dims);
  for (size_t i = 0; i < tensor.span<float>().size(); ++i)
    tensor.span<float>()[i] = static_cast<float>((i * 31 + static_cast<size_t>(n)) % 97) / 32 - 1;
  return tensor;
}

Result<std::vector<RuntimeValue>> run(const Kernel& kernel, const Graph& model,
                                      const std::vector<RuntimeValue>& feeds) {
  Graph graph;
  std::vector<ValueId> inputs;
  std::vector<std::string> outputs;
  for (const ValueId id : model.inputs())
    inputs.push_back(graph.addInput(model.value(id).name, model.value(id).type));
  for (size_t i = 0; i < model.outputs().size(); ++i)
    outputs.push_back(fmt::format("out{}", i));
  const NodeId node = graph.addNode({.name = "fused", .opType = "Fused"}, inputs, outputs);
  for (size_t i = 0; i < outputs.size(); ++i)
    graph.mutableValue(graph.node(node).outputs[i]).type = model.value(model.outputs()[i]).type;
  return evaluateKernel(kernel, graph, node, feeds);
}

QString problemOf(const Result<CompiledNode>& restored) {
  return restored ? QString("no error") : QString::fromStdString(describe(restored.error()));
}

constexpr const char* kChain =
    "main (float[n,3] x) => (float[n,3] y) <float[3] b = {1,-2,3}> { a = Add (x, b)\n c = Relu (a)\n y = Tanh (c) }";
constexpr const char* kImage =
    "main (float[1,2,4,4] x) => (float[1,2,4,4] y) <float[2,2,1,1] w = {1,-2,3,4}, float[2] b = {0.5,-0.5}> { p = Conv "
    "(x, w, b)\n y = Relu (p) }";

// As the partition stage moves nodes when a profile prefers channels last.
void moveToChannelsLast(Graph& graph) {
  for (const NodeId id : graph.nodeIds())
    graph.mutableNode(id).domain = kChannelsLastDomain;
  for (const char* name : {"x", "p", "y"}) {
    Value& value = graph.mutableValue(graph.findValue(name));
    value.type = permuted(value.type, permToChannelsLast(4));
  }
}

}  // namespace

class TestDeclaredContext : public QObject {
  Q_OBJECT
 private slots:
  void saysThatItIsAPlaceholder() {
    const ContextSupport support = toy()->contextSupport();
    QVERIFY(support.kind == ContextKind::kDescribed);
    QVERIFY2(support.reason.find("Toy NPU is simulated: a placeholder is kept") == 0, support.reason.c_str());
    QCOMPARE(QString::fromStdString(support.hardware), QString("Toy NPU (simulated)"));
    QCOMPARE(QString::fromStdString(support.sdkVersion), QString("1; 2026-11-21"));
    const Exported exported(kChain);
    QCOMPARE(QString::fromStdString(exported.partition.notes),
             QString("simulated Toy NPU by Cutaway; not loadable on the real hardware"));
    const ContextSupport nodes = toy(R"("groups": {"compiled": false},)")->contextSupport();
    QVERIFY(nodes.kind == ContextKind::kNone && !nodes.reason.empty());
    QVERIFY(toy(R"("groups": {"compiled": false},)")->compatibilityInfo().empty());
  }

  void sameBits_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<bool>("channelsLast");
    QTest::newRow("chain with open shapes") << QByteArray(kChain) << false;
    QTest::newRow("image") << QByteArray(kImage) << false;
    QTest::newRow("channels last") << QByteArray(kImage) << true;
    QTest::newRow("two results") << QByteArray(
                                        "main (float[2,3] x, float[2,3] z) => (float[2,3] y, float[2,3] u) { a = Add "
                                        "(x, z)\n y = Relu (a)\n u = Exp (a) }")
                                 << false;
    QTest::newRow("a constant as result")
        << QByteArray("main (float[2] x) => (float[2] y, float[2] k) <float[2] k = {1,2}> { y = Add (x, k) }") << false;
  }
  void sameBits() {
    QFETCH(QByteArray, text);
    QFETCH(bool, channelsLast);
    const Exported exported(text.toStdString(), channelsLast ? moveToChannelsLast : nullptr);
    const auto other = toy();
    const Result<CompiledNode> restored = exported.restore(*other);
    QVERIFY2(restored, qPrintable(problemOf(restored)));
    const Graph& graph = exported.asked.model.graph;
    for (int64_t n = 1; n <= 3; ++n) {
      std::vector<RuntimeValue> feeds;
      for (const ValueId id : graph.inputs())
        feeds.push_back(feedOf(graph.value(id).type, n));
      const auto before = run(*exported.compiled.kernel, graph, feeds);
      const auto after = run(*restored->kernel, graph, feeds);
      QVERIFY2(before, before ? "" : describe(before.error()).c_str());
      QVERIFY2(after, after ? "" : describe(after.error()).c_str());
      for (size_t i = 0; i < before->size(); ++i) {
        QVERIFY((*before)[i].tensor().dims() == (*after)[i].tensor().dims());
        QVERIFY(std::ranges::equal((*before)[i].tensor().bytes(), (*after)[i].tensor().bytes()));
      }
    }
  }

  void otherProfilesRefuseIt_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("said");
    QTest::newRow("nothing") << QByteArray() << "begins with ''";
    QTest::newRow("something else") << QByteArray("ELF") << "begins with 'ELF'";
    QTest::newRow("another mark") << QByteArray("cutaway-declared 9\nToy\n1; 2026-11-21\n")
                                  << "begins with 'cutaway-declared 9'";
    QTest::newRow("another profile") << QByteArray("cutaway-declared 1\nQNN-HTP\n1; 2026-11-21\n")
                                     << "open it with declared(QNN-HTP)";
    QTest::newRow("another version") << QByteArray("cutaway-declared 1\nToy\n2; 2026-11-21\n")
                                     << "another version of profile 'Toy'";
    QTest::newRow("cut short") << QByteArray("cutaway-declared 1") << "begins with";
  }
  void otherProfilesRefuseIt() {
    QFETCH(QByteArray, text);
    QFETCH(QString, said);
    Exported exported(kChain);
    exported.setProfile(text.toStdString());
    const Result<CompiledNode> restored = exported.restore(*toy());
    QVERIFY(!restored && restored.error().code == ErrorCode::kEpFail);
    QVERIFY2(problemOf(restored).contains(said), qPrintable(problemOf(restored)));
  }

  void damagedSectionsAreRefused() {
    for (const char* name : {kProfileSection, kGraphSection}) {
      Exported exported(kChain);
      std::erase_if(exported.partition.sections,
                    [&](const context_binary::ContextSection& section) { return section.name == name; });
      const Result<CompiledNode> restored = exported.restore(*toy());
      QVERIFY(!restored && restored.error().code == ErrorCode::kEpFail);
      QVERIFY2(problemOf(restored).contains(QString("no section '%1'").arg(name)), qPrintable(problemOf(restored)));
    }
  }

  // A graph that somebody wrote: sound, but nothing here runs it.
  void graphsWithoutKernelsAreRefused() {
    Exported exported(kChain);
    const Asked strange(
        "main (float[n,3] x) => (float[n,3] y) { y = com.microsoft.EPContext <embed_mode = 1, ep_cache_context = "
        "\"x\"> (x) }");
    const auto sections = writeGraphSections(strange.model.graph, strange.model);
    QVERIFY(sections);
    exported.partition.sections.resize(1);
    for (const context_binary::ContextSection& section : *sections)
      exported.partition.sections.push_back(section);
    const Result<CompiledNode> restored = exported.restore(*toy());
    QVERIFY(!restored && restored.error().code == ErrorCode::kEpFail);
  }

  void feedsOfOtherTypesAreRefused() {
    const Exported exported(kImage);
    const auto other = toy();
    const Result<CompiledNode> restored = exported.restore(*other);
    QVERIFY(restored);
    const Graph& graph = exported.asked.model.graph;
    QVERIFY(run(*restored->kernel, graph, {feedOf(graph.value(graph.inputs()[0]).type, 1)}));
    for (const RuntimeValue& wrong : {RuntimeValue(*Tensor::create(ElementType::kFloat, {1, 2, 4, 5})),
                                      RuntimeValue(*Tensor::create(ElementType::kDouble, {1, 2, 4, 4})),
                                      RuntimeValue(*Tensor::create(ElementType::kFloat, {2, 4, 4}))}) {
      const auto result = run(*restored->kernel, graph, {wrong});
      QVERIFY(!result && result.error().code == ErrorCode::kEpFail);
      QVERIFY2(result.error().message.find("the stored group takes float[1,2,4,4]") != std::string::npos,
               result.error().message.c_str());
    }
  }

  void needsKernels() {
    const Exported exported(kChain);
    const auto bare = declaredFrom(toyProfile(kOperators));
    const Result<CompiledNode> restored = exported.restore(*bare);
    QVERIFY(!restored && restored.error().code == ErrorCode::kEpFail);
  }

  void compatibility() {
    const auto provider = toy();
    const std::string own = provider->compatibilityInfo();
    QCOMPARE(QString::fromStdString(own), QString("cutaway-declared 1; Toy; 1; 2026-11-21"));
    QVERIFY(provider->checkCompatibility(own).verdict == ContextCompatibility::kOptimal);
    QVERIFY(provider->checkCompatibility("").verdict == ContextCompatibility::kNotApplicable);
    const CompatibilityVerdict other = provider->checkCompatibility("cutaway-declared 1; Toy; 2; 2026-12-21");
    QVERIFY(other.verdict == ContextCompatibility::kUnsupported);
    QVERIFY2(other.reason.find("'cutaway-declared 1; Toy; 2; 2026-12-21'") != std::string::npos, other.reason.c_str());
  }
};

QTEST_GUILESS_MAIN(TestDeclaredContext)
#include "tst_declared_context.moc"
