// The partition protocol (onnxruntime/core/framework/graph_partitioner.cc) rule by rule: text graphs before and after.
#include <QRegularExpression>
#include <QtTest/QtTest>

#include "engine/graph/text.h"
#include "engine/provider/group_builder.h"
#include "engine/stages/partition/partition.h"
#include "engine/stages/resolve/resolve.h"
#include "providers/cpu/provider.h"
#include "tests/provider/test_provider.h"

using namespace cutaway;

namespace {

using Names = std::vector<std::string>;
using Providers = std::vector<std::unique_ptr<ExecutionProvider>>;

const KernelRegistry* kernelsOfCpu() {
  static const std::unique_ptr<ExecutionProvider> provider = *cpuProvider().create({});
  return provider->kernels();
}

// Builds maximal groups of these operators.
TestProviderPlan grouping(std::string name, std::set<std::string> operators) {
  TestProviderPlan plan;
  plan.name = std::move(name);
  plan.innerKernels = kernelsOfCpu();
  plan.answer = [operators = std::move(operators)](const CapabilityRequest& request) -> Result<CapabilityAnswer> {
    GroupingOptions options;
    options.supported.assign(request.graph.nodeSlots(), 0);
    for (const NodeId id : request.free)
      options.supported[id.index()] = operators.contains(request.graph.node(id).opType);
    Groups groups = buildGroups(request, options);
    return CapabilityAnswer{std::move(groups.claims), std::move(groups.refusals)};
  };
  return plan;
}

TestProviderPlan claiming(std::string name, std::vector<Names> groups) {
  TestProviderPlan plan;
  plan.name = std::move(name);
  plan.groups = std::move(groups);
  plan.innerKernels = kernelsOfCpu();
  return plan;
}

TestProviderPlan byKernel(std::string name, std::set<std::string> nodes) {
  TestProviderPlan plan;
  plan.name = std::move(name);
  plan.singles = std::move(nodes);
  plan.kernels = kernelsOfCpu();
  return plan;
}

using Plans = std::vector<TestProviderPlan>;

Result<partition::Partition> partitioned(Model& model, const QString& text, Plans plans,
                                         partition::PartitionOptions options = {}) {
  CUTAWAY_TRY(model,
              parseModelText("<ir_version: 8, opset_import: [\"\" : 17, \"local\" : 1, \"com.microsoft\" : 1]>\n" +
                             text.toStdString()));
  Progress progress;
  CUTAWAY_TRY(const ResolveReport resolved, resolve::resolve(model, {}, progress));
  Providers providers;
  for (TestProviderPlan& plan : plans)
    providers.push_back(makeTestProvider(std::move(plan)));
  providers.push_back(*cpuProvider().create({}));
  options.optimizationLevel = 0;
  return partition::partitionModel(model, providers, options, progress);
}

// One node a line, as "[name] outputs = Operator @provider (inputs)"; '#' stands for the model's hash in names that
// GroupNamer gave.
QString nodesOf(const Model& model) {
  QStringList lines;
  for (const QString& line : QString::fromStdString(printModel(model, {.showProvider = true})).split('\n')) {
    if (line.contains(" @")) lines << line.simplified();
  }
  return lines.join('\n').replace(QRegularExpression("[0-9a-f]{16}"), "#").remove('"');
}

// Claims these nodes in one group, whoever has them.
TestProviderPlan stealing(std::string name, Names nodes) {
  TestProviderPlan plan;
  plan.name = std::move(name);
  plan.answer = [nodes = std::move(nodes)](const CapabilityRequest& request) -> Result<CapabilityAnswer> {
    ComputeCapability claim{
        .subGraph = {.nodes = {}, .metaDef = MetaDef{.name = "stolen", .domain = {}, .inputs = {}, .outputs = {}}}};
    for (const std::string& node : nodes)
      claim.subGraph.nodes.push_back(request.graph.findNode(node));
    return CapabilityAnswer{{claim}, {}};
  };
  return plan;
}

constexpr const char* kChain =
    "main (float[2] x) => (float[2] y) { [a] va = Relu (x) [b] vb = Sigmoid (va) [c] vc = Tanh (vb) [d] y = Add (vc, "
    "va) }";

}  // namespace

Q_DECLARE_METATYPE(Plans)

class TestProtocol : public QObject {
  Q_OBJECT
 private slots:
  void rules_data() {
    QTest::addColumn<QString>("before");
    QTest::addColumn<Plans>("plans");
    QTest::addColumn<QString>("after");
    const auto row = [](const char* name, const char* before, Plans plans, const char* after) {
      QTest::newRow(name) << QString(before) << plans << QString(after);
    };
    row("cpu takes what nobody wants", kChain, {},
        "[a] va = Relu @cpu (x)\n[b] vb = Sigmoid @cpu (va)\n[c] vc = Tanh @cpu (vb)\n[d] y = Add @cpu (vc, va)");
    row("a single node stays as it is and is run by kernel", kChain, {byKernel("npu", {"b"})},
        "[a] va = Relu @cpu (x)\n[b] vb = Sigmoid @npu (va)\n[c] vc = Tanh @cpu (vb)\n[d] y = Add @cpu (vc, va)");
    row("a group becomes one node", kChain, {claiming("npu", {{"b", "c"}})},
        "[a] va = Relu @cpu (x)\n[d] y = Add @cpu (vc, va)\n[npu_group_b_0] vc = npu.group_b @npu (va)");
    row("first come, first served", kChain, {claiming("npu", {{"b", "c"}}), claiming("gpu", {{"b"}, {"a"}})},
        "[d] y = Add @cpu (vc, va)\n[npu_group_b_0] vc = npu.group_b @npu (va)\n[gpu_group_a_1] va = gpu.group_a @gpu "
        "(x)");
    row("no partial steal: the whole group is refused", kChain, {byKernel("npu", {"c"}), stealing("gpu", {"b", "c"})},
        "[a] va = Relu @cpu (x)\n[b] vb = Sigmoid @cpu (va)\n[c] vc = Tanh @npu (vb)\n[d] y = Add @cpu (vc, va)");
    row("a group that is not convex is refused whole", kChain, {claiming("npu", {{"a", "d"}})},
        "[a] va = Relu @cpu (x)\n[b] vb = Sigmoid @cpu (va)\n[c] vc = Tanh @cpu (vb)\n[d] y = Add @cpu (vc, va)");
    row("constants go into the group, values come in first-use order",
        "main (float[2] x, float[2] z) => (float[2] y) <float[2] w = {1, 2}> { [a] va = Mul (z, w) [b] vb = Sub (x, "
        "va) [c] y = Relu (vb) }",
        {claiming("npu", {{"a", "b"}})}, "[c] y = Relu @cpu (vb)\n[npu_group_a_0] vb = npu.group_a @npu (z, x)");
    row("maximal groups around what is not supported",
        "main (float[2] x) => (float[2] y) { [a] va = Relu (x) [b] vb = Tanh (va) [c] vc = Relu (vb) [d] vd = Relu "
        "(va) [e] y = Sum (vc, vd) }",
        {grouping("npu", {"Relu", "Sum"})},
        "[b] vb = Tanh @cpu (va)\n[npu_#_0_0] va, vd = npu.#_0 @npu (x)\n[npu_#_1_1] y = npu.#_1 @npu (vb, vd)");
    row("a group taken before counts as one node",
        "main (float[2] x, float[2] z) => (float[2] v, float[2] y) { [a] va = Relu (x) [t] v = Tanh (va) [u] vu = Tanh "
        "(z) [b] vb = Relu (vu) [c] y = Add (va, vb) }",
        {claiming("npu", {{"t", "u"}}), grouping("gpu", {"Relu", "Add"})},
        "[npu_group_t_0] v, vu = npu.group_t @npu (va, z)\n[gpu_#_0_1] va = gpu.#_0 @gpu (x)\n[gpu_#_1_2] y = gpu.#_1 "
        "@gpu (vu, va)");
    row("Q/DQ go with their operator",
        "main (uint8[2] x, float s, uint8 z) => (uint8[2] y) { [dq] f = DequantizeLinear (x, s, z) [r] g = Relu (f) "
        "[q] h = QuantizeLinear (g, s, z) [i] y = Identity (h) }",
        {grouping("npu", {"DequantizeLinear", "Relu", "QuantizeLinear"})},
        "[i] y = Identity @cpu (h)\n[npu_#_0_0] h = npu.#_0 @npu (x, s, z)");
    row("a Q/DQ unit that is not supported whole stays out",
        "main (uint8[2] x, float s, uint8 z) => (uint8[2] y) { [dq] f = DequantizeLinear (x, s, z) [r] g = Relu (f) "
        "[q] h = QuantizeLinear (g, s, z) [i] y = Identity (h) }",
        {grouping("npu", {"DequantizeLinear", "Relu", "Identity"})},
        "[dq] f = DequantizeLinear @cpu (x, s, z)\n[r] g = Relu @cpu (f)\n[q] h = QuantizeLinear @cpu (g, s, "
        "z)\n[npu_#_0_0] y = npu.#_0 @npu (h)");
    row("bodies are asked about too, and names count over all graphs", R"(main (bool[] c, float[2] x) => (float[2] y) {
      [r] h = Relu (x)
      [if] y = If <then_branch = yes () => (float[2] t) { [p] t = Relu (h) }, else_branch = no () => (float[2] e) { [q] e = Relu (h) }> (c) })",
        {grouping("npu", {"Relu"})},
        "[if] y = If @cpu <then_branch = yes () => (float[2] t) {\n[npu_#_0_0] t = npu.#_0 @npu (h)\n[npu_#_1_1] e = "
        "npu.#_1 @npu (h)\n[npu_#_2_2] h = npu.#_2 @npu (x)");
    row("values that bodies capture go into the group", R"(main (bool[] c, float[2] x) => (float[2] y) {
      [r] h = Relu (x)
      [if] y = If <then_branch = yes () => (float[2] t) { [p] t = Relu (h) }, else_branch = no () => (float[2] e) { [q] e = Tanh (x) }> (c) })",
        {[] {
          // Nothing here runs bodies inside of groups; a kernel that does nothing will do.
          struct Nothing final : Kernel {
            Result<void> run(KernelContext&) const override { return {}; }
          };
          TestProviderPlan plan = grouping("npu", {"If"});
          plan.onCompile = [](std::span<const FusedSubGraph>, const Progress&) -> Result<std::vector<CompiledNode>> {
            return std::vector<CompiledNode>{{std::make_shared<const Nothing>(), {}}};
          };
          return plan;
        }()},
        "[r] h = Relu @cpu (x)\n[npu_#_0_0] y = npu.#_0 @npu (c, h, x)");
    row("a function that somebody takes whole stays a call",
        R"(main (float[2] x) => (float[2] y) { [call] y = local.Twice (x) }
<domain: "local", opset_import: ["" : 17]>
Twice (a) => (b) { t = Relu (a) b = Relu (t) })",
        {byKernel("npu", {"call"})}, "[call] y = local.Twice @npu (x)");
    row("a function that nobody takes is inlined, and everybody asked again",
        R"(main (float[2] x) => (float[2] y) { [first] h = Relu (x) [call] y = local.Twice (h) }
<domain: "local", opset_import: ["" : 17]>
Twice (a) => (b) { t = Relu (a) b = Tanh (t) })",
        {grouping("npu", {"Relu"})},
        "[_inlfunc_Twice_y_Tanh_1] y = Tanh @cpu (_inlfunc_Twice_y_t)\n[npu_#_0_0] _inlfunc_Twice_y_t = npu.#_0 @npu "
        "(x)");
    row("a group that fails to compile goes to the next", kChain,
        {[] {
           TestProviderPlan plan = claiming("npu", {{"b", "c"}});
           plan.failing = {"b"};
           return plan;
         }(),
         claiming("gpu", {{"c"}})},
        "[a] va = Relu @cpu (x)\n[b] vb = Sigmoid @cpu (va)\n[d] y = Add @cpu (vc, va)\n[gpu_group_c_1] vc = "
        "gpu.group_c @gpu (vb)");
  }
  void rules() {
    QFETCH(QString, before);
    QFETCH(Plans, plans);
    QFETCH(QString, after);
    Model model;
    const Result<partition::Partition> partition = partitioned(model, before, plans);
    QVERIFY2(partition, partition ? "" : describe(partition.error()).c_str());
    QTEST_ASSERT(partition);
    QCOMPARE(nodesOf(model), after);
  }

  void namesAreTheSameInEveryRun() {
    const char* text = "main (float[2] x) => (float[2] y) { [a] va = Relu (x) [b] vb = Tanh (va) [c] y = Relu (vb) }";
    Names first, second;
    for (Names* names : {&first, &second}) {
      Model model;
      const Result<partition::Partition> partition = partitioned(model, text, {grouping("npu", {"Relu"})});
      QVERIFY(partition);
      for (const auto& [name, compiled] : partition->compiled)
        names->push_back(name);
    }
    QCOMPARE(first.size(), size_t{2});
    QCOMPARE(first, second);
  }

  void withoutProvidersNothingIsDone() {
    Model model = *parseModelText("main (float[2] x) => (float[2] y) { y = Relu (x) }");
    Progress progress;
    const Result<partition::Partition> partition = partition::partitionModel(model, {}, {}, progress);
    QVERIFY(!partition);
    QCOMPARE(partition.error().code, ErrorCode::kInvalidArgument);
    QVERIFY(model.graph.nodeCount() == 1);
  }

  void cancelBetweenSteps() {
    Model model = *parseModelText("main (float[2] x) => (float[2] y) { y = Relu (x) }");
    const CancelToken token;
    token.cancel();
    Progress progress(token);
    Providers providers;
    providers.push_back(*cpuProvider().create({}));
    const Result<partition::Partition> partition = partition::partitionModel(model, providers, {}, progress);
    QVERIFY(!partition);
    QCOMPARE(partition.error().code, ErrorCode::kModelLoadCanceled);
  }

  void aContextNodeThatNobodyTakesNamesItsSource() {
    Model model;
    const Result<partition::Partition> partition =
        partitioned(model,
                    "main (float[2] x) => (float[2] y) { [ctx] y = com.microsoft.EPContext <main_context = 1, source = "
                    "\"QNN\", ep_cache_context = \"bytes\"> (x) }",
                    {claiming("npu", {})});
    QVERIFY(!partition);
    QCOMPARE(partition.error().code, ErrorCode::kNotImplemented);
    for (const char* word : {"QNN", "npu", "cpu"})
      QVERIFY2(partition.error().message.find(word) != std::string::npos, partition.error().message.c_str());
  }

  void functionsThatExpandWithoutEndAreRefused() {
    // 1,100 calls of 1,000 nodes each, from a file of a few kilobytes.
    const auto chain = [](const char* name, const char* operation, int length) {
      std::string text = fmt::format(
          "<domain: \"local\", opset_import: [\"\" : 17, \"local\" : 1]>\n{} (v0) => (v{}) {{ ", name, length);
      for (int i = 0; i < length; ++i)
        text += fmt::format("v{} = {} (v{}) ", i + 1, operation, i);
      return text + "}\n";
    };
    const std::string text = "main (float[2] x) => (float[2] y) { y = local.Outer (x) }\n" +
                             chain("Outer", "local.Inner", 1100) + chain("Inner", "Relu", 1000);
    Model model;
    const Result<partition::Partition> partition = partitioned(model, QString::fromStdString(text), {});
    QVERIFY(!partition);
    // 50,000 and 100 for each of the file's nodes.
    QVERIFY2(
        partition.error().message.find("2101 nodes of the file would become more than 220100") != std::string::npos,
        partition.error().message.c_str());
  }

  void listsThatFunctionsCopyAreLimited_data() {
    QTest::addColumn<int>("length");
    QTest::addColumn<bool>("asArgument");
    QTest::addColumn<bool>("refused");
    QTest::newRow("short, in the function") << 10 << false << false;
    QTest::newRow("long, in the function") << 10'000 << false << true;
    QTest::newRow("short, from the call") << 10 << true << false;
    QTest::newRow("long, from the call") << 10'000 << true << true;
  }
  void listsThatFunctionsCopyAreLimited() {
    // 2,000 copies of a list.
    QFETCH(int, length);
    QFETCH(bool, asArgument);
    QFETCH(bool, refused);
    std::string list = "[1";
    for (int i = 1; i < length; ++i)
      list += ", 1";
    list += "]";
    const std::string header = "<domain: \"local\", opset_import: [\"\" : 17, \"local\" : 1]>\n";
    const std::string given = asArgument ? "<s = " + list + "> " : "", passed = asArgument ? "<s = @s> " : "";
    std::string text = "main (float[2] x) => (float[2] y) { y = local.Outer " + given + "(x) }\n" + header + "Outer " +
                       (asArgument ? "<s> " : "") + "(v0) => (v1000) { ";
    for (int i = 0; i < 1000; ++i)
      text += fmt::format("v{} = local.Inner {}(v{}) ", i + 1, passed, i);
    text += "}\n" + header + "Inner " + (asArgument ? "<s> " : "") +
            "(a) => (b) { t = Relu <s = " + (asArgument ? "@s" : list) +
            "> (a) b = Relu <s = " + (asArgument ? "@s" : list) + "> (t) }\n";
    Model model;
    const Result<partition::Partition> partition = partitioned(model, QString::fromStdString(text), {});
    const std::string message = partition ? "" : partition.error().message;
    QVERIFY2((message.find("this call of Outer are called so often") != std::string::npos) == refused, message.c_str());
  }
};

QTEST_GUILESS_MAIN(TestProtocol)
#include "tst_protocol.moc"
