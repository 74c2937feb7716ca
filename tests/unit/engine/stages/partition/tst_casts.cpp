// Nodes whose element type nobody has kernels for run in float32: where the casts stand, which are left out, and what
// is told about them.
#include <QtTest/QtTest>

#include "tests/unit/engine/stages/partition/partition_bench.h"

using namespace cutaway;
using namespace cutaway::bench;

namespace {

constexpr ElementType kWide[] = {ElementType::kFloat, ElementType::kInt64};
constexpr TypeRule kWideOnly[] = {{TypeRule::kAllInputs, kWide}};
Result<std::unique_ptr<Kernel>> noKernel(const KernelInfo&) {
  return fail(ErrorCode::kNotImplemented, "tables of this test only answer questions");
}

// Kernels of float and int64 only; casts of everything.
constexpr KernelRow kMath[] = {
    {.opType = "Relu", .versions = {1}, .types = kWideOnly, .create = noKernel},
    {.opType = "Tanh", .versions = {1}, .types = kWideOnly, .create = noKernel},
    {.opType = "Add", .versions = {1}, .types = kWideOnly, .create = noKernel},
    {.opType = "If", .versions = {1}, .create = noKernel},
    {.opType = "ArgMax", .versions = {1}, .types = kWideOnly, .create = noKernel},
    {.opType = "QuantizeLinear", .versions = {1}, .types = kWideOnly, .create = noKernel},
};
constexpr KernelRow kCasts[] = {{.opType = "Cast", .versions = {1}, .create = noKernel}};

class WideProvider final : public ExecutionProvider {
 public:
  WideProvider(std::string name, std::vector<KernelRows> tables) : m_name(std::move(name)), m_registry(tables) {}
  const std::string& name() const override { return m_name; }
  const Device& device() const override { return heapAllocator().device(); }
  Allocator& allocator() override { return heapAllocator(); }
  const KernelRegistry* kernels() const override { return &m_registry; }

 private:
  std::string m_name;
  KernelRegistry m_registry;
};

Providers wide(bool casts = true) {
  Providers providers;
  providers.push_back(std::make_unique<WideProvider>("math", std::vector<KernelRows>{kMath}));
  providers.push_back(
      std::make_unique<WideProvider>("cpu", casts ? std::vector<KernelRows>{kCasts} : std::vector<KernelRows>{}));
  return providers;
}

Result<partition::Partition> ask(Model& model, const Providers& providers) {
  partition::PartitionOptions options;
  options.runnable = false;
  return partitioned(model, providers, options);
}

std::string nodesOf(const Graph& graph) {
  TextOptions options;
  options.showProvider = true;
  const std::string text = printGraph(graph, options);
  return text.substr(text.find("{\n"));
}

}  // namespace

class TestCasts : public QObject {
  Q_OBJECT
 private slots:
  void castsStandAroundTheNodesAndNotBetweenThem() {
    Model model = resolved(R"(<ir_version: 8, opset_import: ["" : 17]>
main (float16[2] x) => (float16[2] y) {
  [a] va = Relu (x)
  [b] vb = Tanh (va)
  [c] y = Add (vb, va)
})");
    const Result<partition::Partition> made = ask(model, wide());
    CUTAWAY_VERIFY(made);
    QCOMPARE(made->report.unassignedNodes, int64_t{0});
    QCOMPARE(nodesOf(model.graph), std::string(R"({
  [a] "va@float" = Relu @math ("x@float")
  [b] "vb@float" = Tanh @math ("va@float")
  [c] "y@float" = Add @math ("vb@float", "va@float")
  ["cast x to x@float"] "x@float" = Cast @cpu <to = 1> (x)
  ["cast y@float to y"] y = Cast @cpu <to = 10> ("y@float")
}
)"));
    QCOMPARE(model.graph.value(model.graph.findValue("va@float")).type.element, ElementType::kFloat);
    QCOMPARE(model.graph.value(model.graph.findValue("y")).type.element, ElementType::kFloat16);
    QVERIFY(!model.graph.findValue("va").valid() || model.graph.value(model.graph.findValue("va")).uses.empty());
  }

  void eachCastIsReported() {
    Model model = resolved(R"(<ir_version: 8, opset_import: ["" : 17]>
main (bfloat16[2] x) => (bfloat16[2] y) { [a] y = Relu (x) })");
    const Result<partition::Partition> made = ask(model, wide());
    CUTAWAY_VERIFY(made);
    QCOMPARE(made->report.copies.size(), size_t{2});
    const CopyReport& in = made->report.copies[0];
    QCOMPARE(in.kind, std::string("cast"));
    QCOMPARE(in.from, std::string("bfloat16"));
    QCOMPARE(in.to, std::string("float"));
    QCOMPARE(in.sizeBytes, int64_t{8});
    QCOMPARE(in.cause, std::string("Relu 'a' runs in float32 on math: no kernel of this session takes it in bfloat16"));
    QCOMPARE(in.remedy, std::string("if a provider took Relu 'a' in bfloat16, this cast and 1 other would go"));
    QCOMPARE(model.graph.node(NodeId{static_cast<size_t>(in.causeNode)}).name, std::string("a"));
    const ProviderAnswer& answer = answerOf(*made, "a", "math");
    QCOMPARE(answer.verdict, Verdict::kClaimed);
    QCOMPARE(answer.reason, std::string("in float32, with casts around it: no kernel of this session takes bfloat16"));
    for (const NodePlacement& node : made->report.nodes)
      QCOMPARE(node.answers.size(), size_t{2});
    for (const NodeId id : model.graph.nodeIds()) {
      if (model.graph.node(id).opType != "Cast") continue;
      QCOMPARE(model.graph.node(id).rewrite, std::string("cast"));
      QCOMPARE(model.graph.node(id).origins, model.graph.node(model.graph.findNode("a")).origins);
    }
  }

  // The inner value is a graph output as well: it keeps its own cast, and the next node still takes the float32 value.
  void aValueThatOthersNeedKeepsItsCast() {
    Model model = resolved(R"(<ir_version: 8, opset_import: ["" : 17]>
main (float16[2] x) => (float16[2] va, float16[2] y) {
  [a] va = Relu (x)
  [b] y = Tanh (va)
})");
    const Result<partition::Partition> made = ask(model, wide());
    CUTAWAY_VERIFY(made);
    QCOMPARE(nodesOf(model.graph), std::string(R"({
  [a] "va@float" = Relu @math ("x@float")
  [b] "y@float" = Tanh @math ("va@float")
  ["cast x to x@float"] "x@float" = Cast @cpu <to = 1> (x)
  ["cast va@float to va"] va = Cast @cpu <to = 10> ("va@float")
  ["cast y@float to y"] y = Cast @cpu <to = 10> ("y@float")
}
)"));
  }

  void outputsOfAnotherTypeStay() {
    Model model = resolved(R"(<ir_version: 8, opset_import: ["" : 17]>
main (float16[2,3] x) => (int64[1,3] y) { [a] y = ArgMax <axis = 0> (x) })");
    const Result<partition::Partition> made = ask(model, wide());
    CUTAWAY_VERIFY(made);
    QCOMPARE(nodesOf(model.graph), std::string(R"({
  [a] y = ArgMax @math <axis = 0> ("x@float")
  ["cast x to x@float"] "x@float" = Cast @cpu <to = 1> (x)
}
)"));
  }

  void onlyNarrowFloatsAreCast_data() {
    QTest::addColumn<QString>("type");
    QTest::addColumn<bool>("cast");
    QTest::newRow("float16") << "float16" << true;
    QTest::newRow("double") << "double" << false;
    QTest::newRow("int32") << "int32" << false;
  }
  void onlyNarrowFloatsAreCast() {
    QFETCH(QString, type);
    QFETCH(bool, cast);
    const QByteArray text =
        QString("<ir_version: 8, opset_import: [\"\" : 17]>\nmain (%1[2] x) => (%1[2] y) { [a] y = Relu (x) }")
            .arg(type)
            .toUtf8();
    Model model = resolved(text.constData());
    const Result<partition::Partition> made = ask(model, wide());
    CUTAWAY_VERIFY(made);
    QCOMPARE(made->report.unassignedNodes, int64_t{cast ? 0 : 1});
    QCOMPARE(made->report.copies.size(), size_t{cast ? 2u : 0u});
  }

  void withoutACastNothingMoves() {
    Model model = resolved(R"(<ir_version: 8, opset_import: ["" : 17]>
main (float16[2] x) => (float16[2] y) { [a] y = Relu (x) })");
    const Result<partition::Partition> made = ask(model, wide(false));
    CUTAWAY_VERIFY(made);
    QCOMPARE(made->report.unassignedNodes, int64_t{1});
    QCOMPARE(model.graph.nodeCount(), size_t{1});
  }

  void anOperatorNobodyHasStaysAlone() {
    Model model = resolved(R"(<ir_version: 8, opset_import: ["" : 17]>
main (float16[2] x) => (float16[2] y) { [a] y = Sigmoid (x) })");
    const Result<partition::Partition> made = ask(model, wide());
    CUTAWAY_VERIFY(made);
    QCOMPARE(made->report.unassignedNodes, int64_t{1});
    QCOMPARE(made->report.copies.size(), size_t{0});
  }

  // A body casts for itself what it captures.
  void bodiesAreOnTheirOwn() {
    Model model = resolved(R"(<ir_version: 8, opset_import: ["" : 17]>
main (bool[] cond, float16[2] x) => (float16[2] y) {
  [a] va = Relu (x)
  [choose] y = If <then_branch = yes () => (float16[2] t) { [inner] t = Tanh (va) }, else_branch = no () => (float16[2] e) { [other] e = Relu (va) }> (cond)
})");
    const Result<partition::Partition> made = ask(model, wide());
    CUTAWAY_VERIFY(made);
    QCOMPARE(made->report.unassignedNodes, int64_t{0});
    QCOMPARE(made->report.copies.size(), size_t{6});
    const Node& choose = model.graph.node(model.graph.findNode("choose"));
    QCOMPARE(choose.implicitInputs.size(), size_t{1});
    QCOMPARE(model.graph.value(choose.implicitInputs[0]).name, std::string("va"));
  }
};

QTEST_GUILESS_MAIN(TestCasts)
#include "tst_casts.moc"
