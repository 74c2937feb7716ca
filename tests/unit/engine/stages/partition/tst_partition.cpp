// The partition protocol: order of priority, groups whole or not at all, bodies first, compile failures, copies,
// reasons.
#include <algorithm>

#include <QtTest/QtTest>

#include "engine/graph/text.h"
#include "engine/stages/partition/partition.h"
#include "engine/stages/resolve/resolve.h"
#include "providers/cpu/provider.h"
#include "providers/skeleton/provider.h"
#include "tests/provider/test_provider.h"

using namespace cutaway;

namespace {

using Providers = std::vector<std::unique_ptr<ExecutionProvider>>;

std::unique_ptr<ExecutionProvider> theCpu() {
  return *cpuProvider().create({});
}

Providers with(std::vector<TestProviderPlan> plans) {
  Providers providers;
  for (TestProviderPlan& plan : plans)
    providers.push_back(makeTestProvider(std::move(plan)));
  providers.push_back(theCpu());
  return providers;
}

const KernelRegistry* kernelsOfCpu() {
  static const std::unique_ptr<ExecutionProvider> provider = theCpu();
  return provider->kernels();
}

constexpr const char* kChain = R"(<ir_version: 8, opset_import: ["" : 17]>
main (float[2,4] x) => (float[2,4] y) {
  [a] va = Relu (x)
  [b] vb = Sigmoid (va)
  [c] vc = Tanh (vb)
  [d] y = Add (vc, va)
})";

Model parsed(const char* text) {
  Model model = *parseModelText(text);
  Progress progress;
  const Result<ResolveReport> report = resolve::resolve(model, {}, progress);
  if (!report) qFatal("%s", describe(report.error()).c_str());
  return model;
}

Result<partition::Partition> partitioned(Model& model, const Providers& providers,
                                         partition::PartitionOptions options = {}) {
  Progress progress;
  options.optimizationLevel = 0;
  return partition::partitionModel(model, providers, options, progress);
}

// "a:npu b:npu c:cpu" in node order of the asked graph.
QString placements(const partition::Partition& partition) {
  QStringList parts;
  for (const NodePlacement& node : partition.report.nodes) {
    const NodeReport& report =
        partition.askedGraphs.graphs[static_cast<size_t>(node.graph)].nodes[static_cast<size_t>(node.node)];
    parts << QString::fromStdString(report.name + ":" + node.provider);
  }
  return parts.join(' ');
}

const ProviderAnswer& answerOf(const partition::Partition& partition, const std::string& nodeName,
                               const std::string& provider) {
  for (const NodePlacement& node : partition.report.nodes) {
    if (partition.askedGraphs.graphs[static_cast<size_t>(node.graph)].nodes[static_cast<size_t>(node.node)].name !=
        nodeName)
      continue;
    for (const ProviderAnswer& answer : node.answers) {
      if (answer.provider == provider) return answer;
    }
  }
  qFatal("no answer");
}

}  // namespace

class TestPartition : public QObject {
  Q_OBJECT
 private slots:
  void firstProviderInOrderKeepsTheNode_data() {
    QTest::addColumn<bool>("npuFirst");
    QTest::addColumn<QString>("expected");
    QTest::newRow("npu first") << true << "a:npu b:npu c:cpu d:cpu";
    QTest::newRow("gpu first") << false << "a:gpu b:npu c:cpu d:cpu";
  }
  void firstProviderInOrderKeepsTheNode() {
    QFETCH(bool, npuFirst);
    TestProviderPlan npu{.name = "npu",
                         .groups = {},
                         .singles = {},
                         .groupOperators = {"Relu", "Sigmoid"},
                         .failing = {},
                         .innerKernels = kernelsOfCpu()};
    TestProviderPlan gpu{.name = "gpu",
                         .groups = {},
                         .singles = {},
                         .groupOperators = {"Relu"},
                         .failing = {},
                         .innerKernels = kernelsOfCpu()};
    Model model = parsed(kChain);
    const Result<partition::Partition> partition = partitioned(model, npuFirst ? with({npu, gpu}) : with({gpu, npu}));
    QVERIFY2(partition, partition ? "" : describe(partition.error()).c_str());
    QTEST_ASSERT(partition);
    QFETCH(QString, expected);
    QCOMPARE(placements(*partition), expected);
  }

  void aGroupBecomesOneNodeWithItsOrigins() {
    Model model = parsed(kChain);
    const Result<partition::Partition> partition = partitioned(model, with({{.name = "npu",
                                                                             .groups = {{"b", "c"}},
                                                                             .singles = {},
                                                                             .groupOperators = {},
                                                                             .failing = {},
                                                                             .innerKernels = kernelsOfCpu()}}));
    QVERIFY(partition);
    QCOMPARE(partition->compiled.size(), size_t{1});
    const std::string fusedName = partition->compiled.begin()->first;
    QCOMPARE(QString::fromStdString(fusedName), QString("npu_group_b_0"));
    const NodeId fused = model.graph.findNode(fusedName);
    QVERIFY(fused.valid());
    QCOMPARE(model.graph.node(fused).origins.size(), size_t{2});
    QCOMPARE(model.graph.nodeCount(), size_t{3});
    QCOMPARE(model.graph.value(model.graph.node(fused).inputs[0]).name, std::string("va"));
    QCOMPARE(model.graph.value(model.graph.node(fused).outputs[0]).name, std::string("vc"));
  }

  void aGroupThatWouldCloseACycleIsRejectedWhole() {
    Model model = parsed(kChain);  // a feeds d directly and through b, c
    const Result<partition::Partition> partition = partitioned(model, with({{.name = "npu",
                                                                             .groups = {{"a", "d"}},
                                                                             .singles = {},
                                                                             .groupOperators = {},
                                                                             .failing = {},
                                                                             .innerKernels = kernelsOfCpu()}}));
    QVERIFY(partition);
    QCOMPARE(placements(*partition), QString("a:cpu b:cpu c:cpu d:cpu"));
    QCOMPARE(answerOf(*partition, "a", "npu").verdict, Verdict::kGroupRejected);
    QCOMPARE(answerOf(*partition, "d", "npu").cause, RefusalCause::kCycle);
  }

  void aGroupThatFailsToCompileGoesToTheNextProvider() {
    Model model = parsed(kChain);
    const Result<partition::Partition> partition = partitioned(model, with({{.name = "npu",
                                                                             .groups = {{"b", "c"}},
                                                                             .singles = {},
                                                                             .groupOperators = {},
                                                                             .failing = {"c"},
                                                                             .innerKernels = kernelsOfCpu()},
                                                                            {.name = "gpu",
                                                                             .groups = {},
                                                                             .singles = {},
                                                                             .groupOperators = {"Tanh"},
                                                                             .failing = {},
                                                                             .innerKernels = kernelsOfCpu()}}));
    QVERIFY(partition);
    QCOMPARE(placements(*partition), QString("a:cpu b:cpu c:gpu d:cpu"));
    QCOMPARE(answerOf(*partition, "b", "npu").verdict, Verdict::kCompileFailed);
    QVERIFY(answerOf(*partition, "b", "npu").reason.find("told to fail at c") != std::string::npos);
  }

  void everyNodeHasAnAnswerFromEveryProvider() {
    Model model = parsed(kChain);
    Providers providers;
    providers.push_back(*skeletonProvider().create({}));
    providers.push_back(makeTestProvider({.name = "npu",
                                          .groups = {{"b"}},
                                          .singles = {},
                                          .groupOperators = {},
                                          .failing = {},
                                          .innerKernels = kernelsOfCpu()}));
    providers.push_back(theCpu());
    const Result<partition::Partition> partition = partitioned(model, providers);
    QVERIFY(partition);
    for (const NodePlacement& node : partition->report.nodes) {
      QCOMPARE(node.answers.size(), size_t{3});
      QCOMPARE(node.answers[0].provider, std::string("skeleton"));
      QCOMPARE(node.answers[2].provider, std::string("cpu"));
      for (const ProviderAnswer& answer : node.answers)
        QVERIFY(answer.verdict == Verdict::kClaimed || !answer.reason.empty());
    }
    QCOMPARE(answerOf(*partition, "b", "cpu").verdict, Verdict::kAlreadyTaken);
  }

  void bodiesAreAskedBeforeTheirGraph() {
    Model model = parsed(R"(<ir_version: 8, opset_import: ["" : 17]>
main (bool[] cond, float[2] x) => (float[2] y) {
  [choose] y = If <then_branch = yes () => (float[2] t) { [inner] t = Relu (x) }, else_branch = no () => (float[2] e) { [other] e = Tanh (x) }> (cond)
})");
    const Result<partition::Partition> partition = partitioned(model, with({{.name = "npu",
                                                                             .groups = {},
                                                                             .singles = {},
                                                                             .groupOperators = {"Relu"},
                                                                             .failing = {},
                                                                             .innerKernels = kernelsOfCpu()}}));
    QVERIFY2(partition, partition ? "" : describe(partition.error()).c_str());
    QTEST_ASSERT(partition);
    QCOMPARE(placements(*partition), QString("choose:cpu inner:npu other:cpu"));
  }

  void copiesStandWhereDevicesMeet() {
    Model model = parsed(kChain);
    const Result<partition::Partition> partition = partitioned(model, with({{.name = "npu",
                                                                             .ownDevice = true,
                                                                             .groups = {{"a", "b"}},
                                                                             .singles = {},
                                                                             .groupOperators = {},
                                                                             .failing = {},
                                                                             .innerKernels = kernelsOfCpu()}}));
    QVERIFY(partition);
    // x goes in once, va and vb come out once each.
    QCOMPARE(partition->report.copies.size(), size_t{3});
    int64_t toDevice = 0, toHost = 0;
    for (const CopyReport& copy : partition->report.copies) {
      QCOMPARE(copy.sizeBytes, int64_t{32});
      QVERIFY(!copy.cause.empty());
      toDevice += copy.to == "npu";
      toHost += copy.to == "cpu";
    }
    QCOMPARE(toDevice, int64_t{1});
    QCOMPARE(toHost, int64_t{2});
    for (const NodeId id : model.graph.nodeIds()) {
      const Node& node = model.graph.node(id);
      if (node.opType == "Add")
        QVERIFY(model.graph.node(model.graph.value(node.inputs[1]).producer).opType == "Memcpy");
    }
  }

  void theResultHasNoHolesAndCopiesNameTheirCause() {
    Model model = parsed(kChain);
    const Result<partition::Partition> partition = partitioned(model, with({{.name = "npu",
                                                                             .ownDevice = true,
                                                                             .groups = {{"a", "b"}},
                                                                             .singles = {},
                                                                             .groupOperators = {},
                                                                             .failing = {},
                                                                             .innerKernels = kernelsOfCpu()}}));
    QVERIFY(partition);
    QCOMPARE(model.graph.nodeSlots(), model.graph.nodeCount());
    QCOMPARE(model.graph.valueSlots(), model.graph.valueIds().size());
    for (const CopyReport& copy : partition->report.copies) {
      if (copy.causeNode == kNone) continue;
      QVERIFY(static_cast<size_t>(copy.causeNode) < model.graph.nodeCount());
      QVERIFY(copy.cause.find(model.graph.node(NodeId{static_cast<size_t>(copy.causeNode)}).name) != std::string::npos);
    }
  }

  void aGraphOutputMadeOnADeviceKeepsItsName() {
    Model model = parsed(kChain);
    const Result<partition::Partition> partition = partitioned(model, with({{.name = "npu",
                                                                             .ownDevice = true,
                                                                             .groups = {{"d"}},
                                                                             .singles = {},
                                                                             .groupOperators = {},
                                                                             .failing = {},
                                                                             .innerKernels = kernelsOfCpu()}}));
    QVERIFY(partition);
    const ValueId output = model.graph.outputs()[0];
    QCOMPARE(model.graph.value(output).name, std::string("y"));
    QCOMPARE(model.graph.node(model.graph.value(output).producer).opType, std::string("Memcpy"));
  }

  void policies() {
    Model model = parsed(kChain);
    const Result<partition::Partition> forbidden = partitioned(model, with({}), {.disableCpuFallback = true});
    QVERIFY(!forbidden);
    QCOMPARE(forbidden.error().code, ErrorCode::kFail);
    QVERIFY(forbidden.error().byPolicy);

    Model again = parsed(kChain);
    const Result<partition::Partition> noCompile = partitioned(again,
                                                               with({{.name = "npu",
                                                                      .groups = {{"b"}},
                                                                      .singles = {},
                                                                      .groupOperators = {},
                                                                      .failing = {},
                                                                      .innerKernels = kernelsOfCpu()}}),
                                                               {.disableCompile = true});
    QVERIFY(!noCompile);
    QCOMPARE(noCompile.error().code, ErrorCode::kModelRequiresCompilation);
  }

  void anOperatorNobodyKnowsIsAnAnswerOrAnErrorThatNamesIt() {
    const char* text = R"(<ir_version: 8, opset_import: ["" : 17, "acme" : 3]>
main (float[2] x) => (float[2] y) {
  [odd] y = acme.Sparkle (x)
})";
    Model model = parsed(text);
    const Result<partition::Partition> looked = partitioned(model, with({}), {.runnable = false});
    QVERIFY(looked);
    QCOMPARE(looked->report.unassignedNodes, int64_t{1});
    QCOMPARE(answerOf(*looked, "odd", "cpu").cause, RefusalCause::kOperator);

    Model again = parsed(text);
    const Result<partition::Partition> refused = partitioned(again, with({}));
    QVERIFY(!refused);
    QCOMPARE(refused.error().code, ErrorCode::kNotImplemented);
    QCOMPARE(refused.error().where.node, std::string("odd"));
    for (const char* word : {"Sparkle", "acme", "3"})
      QVERIFY(refused.error().message.find(word) != std::string::npos);
  }

  void functionsAreExpandedOnlyWhenNobodyTakesThemWhole() {
    const char* text = R"(<ir_version: 8, opset_import: ["" : 17, "local" : 1]>
main (float[2] x) => (float[2] y) {
  [call] y = local.Twice (x)
}
<domain: "local", opset_import: ["" : 17]>
Twice (a) => (b) {
  t = Relu (a)
  b = Relu (t)
})";
    Model model = parsed(text);
    const Result<partition::Partition> expanded = partitioned(model, with({}));
    QVERIFY2(expanded, expanded ? "" : describe(expanded.error()).c_str());
    QTEST_ASSERT(expanded);
    QCOMPARE(model.graph.nodeCount(), size_t{2});

    Model whole = parsed(text);
    const Result<partition::Partition> kept = partitioned(whole, with({{.name = "npu",
                                                                        .groups = {},
                                                                        .singles = {"call"},
                                                                        .groupOperators = {},
                                                                        .failing = {},
                                                                        .innerKernels = kernelsOfCpu()}}));
    QVERIFY(kept);
    QCOMPARE(whole.graph.nodeCount(), size_t{1});
    QCOMPARE(placements(*kept), QString("call:npu"));
  }
};

QTEST_GUILESS_MAIN(TestPartition)
#include "tst_partition.moc"
