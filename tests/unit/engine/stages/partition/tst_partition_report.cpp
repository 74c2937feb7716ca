// Figures of the partition report: costs, groups with their borders, what each provider took, refusals by cause.
#include <QtTest/QtTest>

#include "engine/graph/text.h"
#include "engine/stages/partition/partition.h"
#include "engine/stages/partition/refusal_summary.h"
#include "engine/stages/resolve/resolve.h"
#include "providers/cpu/provider.h"
#include "tests/provider/test_provider.h"

using namespace cutaway;

namespace {

constexpr const char* kModel = R"(<ir_version: 8, opset_import: ["" : 17]>
main (float[2,4] x) => (float[2,3] y) <float[4,3] w = {1,2,3,4,5,6,7,8,9,10,11,12}> {
  [m] h = MatMul (x, w)
  [r] a = Relu (h)
  [t] b = Tanh (a)
  [m2] z = MatMul (x, w)
  [s] y = Add (b, z)
})";

Result<partition::Partition> partitioned(Model& model) {
  Progress progress;
  if (const Result<ResolveReport> report = resolve::resolve(model, {}, progress); !report) return fail(report.error());
  TestProviderPlan plan;
  plan.name = "npu";
  plan.groups = {{"m", "r"}};
  plan.simulated = true;
  std::vector<std::unique_ptr<ExecutionProvider>> providers;
  providers.push_back(makeTestProvider(std::move(plan)));
  providers.push_back(*cpuProvider().create({}));
  return partition::partitionModel(model, providers, {.compile = false}, progress);
}

QString text(const std::vector<std::string>& words) {
  QStringList list;
  for (const std::string& word : words)
    list << QString::fromStdString(word);
  return list.join(' ');
}

}  // namespace

class TestPartitionReport : public QObject {
  Q_OBJECT
 private slots:
  void nodesTellWhatTheyCost() {
    Model model = *parseModelText(kModel);
    const Result<partition::Partition> partition = partitioned(model);
    QVERIFY(partition);
    const NodePlacement& product = partition->report.nodes[0];
    QCOMPARE(product.flops, int64_t{2 * 2 * 4 * 3});
    QCOMPARE(product.movedBytes, int64_t{(2 * 4 + 2 * 3) * 4});
    QCOMPARE(product.weightBytes, int64_t{4 * 3 * 4});
  }

  // A weight that several nodes read is one weight of their provider.
  void sharedWeightsCountOnce() {
    Model model = *parseModelText(R"(<ir_version: 8, opset_import: ["" : 17]>
g (float[2,4] x) => (float[2,4] y) <float[4,4] w = {1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16}, float[4] v = {1,2,3,4}> {
  [m] a = MatMul (x, w)
  [r] b = MatMul (a, w)
  [s] c = Add (b, v)
  [t] y = Mul (c, v)
})");
    const Result<partition::Partition> partition = partitioned(model);
    QVERIFY2(partition, partition ? "" : describe(partition.error()).c_str());
    for (const ProviderSummary& provider : partition->report.providers) {
      QCOMPARE(provider.claimedNodes, int64_t{2});
      QCOMPARE(provider.weightBytes, provider.name == "npu" ? int64_t{64} : int64_t{16});
    }
  }

  void groupsTellTheirBordersAndCosts() {
    Model model = *parseModelText(kModel);
    const Result<partition::Partition> partition = partitioned(model);
    QVERIFY(partition);
    const std::vector<GroupReport>& groups = partition->report.groups;
    QCOMPARE(groups.size(), size_t{2});
    QCOMPARE(groups[0].name, std::string("npu_group_m_0"));
    QVERIFY(groups[0].compiled && groups[0].simulated);
    QCOMPARE(text(groups[0].inputs), QString("x"));
    QCOMPARE(text(groups[0].outputs), QString("a"));
    QCOMPARE(groups[0].inputBytes, int64_t{32});
    QCOMPARE(groups[0].outputBytes, int64_t{24});
    QCOMPARE(groups[0].weightBytes, int64_t{48});
    QCOMPARE(groups[0].flops, partition->report.nodes[0].flops + partition->report.nodes[1].flops);
    QVERIFY(!groups[1].compiled && !groups[1].simulated);
    QCOMPARE(text(groups[1].inputs), QString("a x"));
    QCOMPARE(text(groups[1].outputs), QString("y"));
    QCOMPARE(groups[1].weightBytes, int64_t{48});
  }

  void providersTellWhatTheyTook() {
    Model model = *parseModelText(kModel);
    const Result<partition::Partition> partition = partitioned(model);
    QVERIFY(partition);
    const ProviderSummary& npu = partition->report.providers[0];
    QVERIFY(npu.simulated);
    QCOMPARE(npu.claimedNodes, int64_t{2});
    QCOMPARE(npu.refusedNodes, int64_t{3});
    QCOMPARE(npu.groups, int64_t{1});
    QCOMPARE(npu.flops, partition->report.groups[0].flops);
    QCOMPARE(npu.weightBytes, int64_t{48});
    QCOMPARE(partition->report.providers[1].groups, int64_t{1});
  }

  void refusalsAreSummedByCause() {
    Model model = *parseModelText(kModel);
    const Result<partition::Partition> partition = partitioned(model);
    QVERIFY(partition);
    const std::vector<RefusalSummary>& refusals = partition->report.refusals;
    QCOMPARE(refusals.size(), size_t{3});  // Tanh, MatMul, Add
    QVERIFY(refusals[0].flops >= refusals[1].flops && refusals[1].flops >= refusals[2].flops);
    const auto product = std::find_if(refusals.begin(), refusals.end(), [](const RefusalSummary& summary) {
      return summary.nodes == std::vector<int32_t>{3};
    });
    QVERIFY(product != refusals.end());
    QCOMPARE(product->provider, std::string("npu"));
    QCOMPARE(product->flops, int64_t{48});
  }

  void reasonsOfOnePatternAreOneCause() {
    const auto refused = [](const char* reason, const char* rule, int64_t flops) {
      return NodePlacement{.answers = {{.provider = "npu",
                                        .verdict = Verdict::kRefused,
                                        .cause = RefusalCause::kType,
                                        .reason = reason,
                                        .rule = rule}},
                           .flops = flops};
    };
    const std::vector<ProviderSummary> providers{{.name = "npu", .device = {}, .reason = {}}};
    const std::vector<NodePlacement> nodes{
        refused("input 0 ('x') is double", "", 1), refused("input 12 ('y') is double", "", 2),
        refused("input 0 ('x') is string", "", -1), refused("one", "types", 3), refused("other", "types", 5)};
    const std::vector<RefusalSummary> summaries = partition::summarizeRefusals(providers, nodes);
    QCOMPARE(summaries.size(), size_t{3});
    QCOMPARE(summaries[0].nodes, (std::vector<int32_t>{3, 4}));
    QCOMPARE(summaries[0].flops, int64_t{8});
    QCOMPARE(summaries[1].nodes, (std::vector<int32_t>{0, 1}));
    QCOMPARE(summaries[1].reason, std::string("input 0 ('x') is double"));
    QCOMPARE(summaries[2].flops, int64_t{0});
    QCOMPARE(partition::reasonPattern("the user's own 'a'b' and 17"), std::string("the user's own ''b' and #"));
  }
};

QTEST_GUILESS_MAIN(TestPartitionReport)
#include "tst_partition_report.moc"
