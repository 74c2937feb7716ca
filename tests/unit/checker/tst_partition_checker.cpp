// The partition checker itself: a good partition passes; broken in one place, it is complained about.
#include <QtTest/QtTest>

#include "engine/graph/text.h"
#include "engine/stages/resolve/resolve.h"
#include "providers/cpu/provider.h"
#include "tests/checker/partition_checker.h"
#include "tests/provider/test_provider.h"

using namespace cutaway;

namespace {

constexpr const char* kModel = R"(<ir_version: 8, opset_import: ["" : 17]>
main (float[2] x) => (float[2] y) {
  [a] va = Relu (x)
  [b] vb = Sigmoid (va)
  [c] vc = Tanh (vb)
  [d] vd = Neg (vc)
  [e] y = Add (vd, va)
})";

struct Good {
  Model model = *parseModelText(kModel);
  partition::Partition partition;
};

Good goodPartition() {
  Good good;
  Progress progress;
  if (!resolve::resolve(good.model, {}, progress)) qFatal("resolve");
  std::vector<std::unique_ptr<ExecutionProvider>> providers;
  TestProviderPlan plan;
  plan.name = "npu";
  plan.groups = {{"b", "c"}, {"e"}};
  providers.push_back(makeTestProvider(std::move(plan)));
  providers.push_back(*cpuProvider().create({}));
  Result<partition::Partition> partition =
      partition::partitionModel(good.model, providers, {.compile = false}, progress);
  if (!partition) qFatal("partition");
  good.partition = *std::move(partition);
  return good;
}

using Break = std::function<void(Good&)>;

}  // namespace

Q_DECLARE_METATYPE(Break)

class TestPartitionChecker : public QObject {
  Q_OBJECT
 private slots:
  void complains_data() {
    QTest::addColumn<Break>("breakIt");
    QTest::addColumn<QString>("complaint");
    const auto row = [](const char* name, const char* complaint, Break breakIt) {
      QTest::newRow(name) << breakIt << QString(complaint);
    };
    row("good", "", [](Good&) {});
    row("a node without provider", "node a has no provider",
        [](Good& good) { good.partition.report.nodes[0].provider = SharedText(); });
    row("a provider nobody knows", "which the session has not",
        [](Good& good) { good.partition.report.nodes[0].provider = "gpu"; });
    row("a node left out", "5 nodes were asked about, and 4",
        [](Good& good) { good.partition.report.nodes.pop_back(); });
    row("a node placed twice", "two placements",
        [](Good& good) { good.partition.report.nodes[1] = good.partition.report.nodes[0]; });
    row("an answer left out", "has answers of: cpu", [](Good& good) {
      good.partition.report.nodes[0].answers.erase(good.partition.report.nodes[0].answers.begin());
    });
    row("an answer against the placement", "node a of cpu: npu says claimed",
        [](Good& good) { good.partition.report.nodes[0].answers[0].verdict = Verdict::kClaimed; });
    row("no reason", "refuses without a reason",
        [](Good& good) { good.partition.report.nodes[0].answers[0].reason = SharedText(); });
    row("a node in two groups", "node b is in two groups",
        [](Good& good) { good.partition.report.groups[1].nodes.push_back(1); });
    row("a node in somebody else's group", "is in a group of cpu",
        [](Good& good) { good.partition.report.groups[0].provider = "cpu"; });
    row("a group that is not convex", "a cycle of groups", [](Good& good) {
      good.partition.report.nodes[4].group = 0;
      good.partition.report.groups[0].nodes.push_back(4);
      good.partition.report.groups[1].nodes = {};
    });
    row("an input left out", "needs va", [](Good& good) { good.partition.report.groups[0].inputs.clear(); });
    row("an output left out", "gives vc", [](Good& good) { good.partition.report.groups[0].outputs.clear(); });
    row("an output listed twice", "lists a value twice",
        [](Good& good) { good.partition.report.groups[0].outputs.push_back("vc"); });
    row("a node lost", "original nodes",
        [](Good& good) { good.model.graph.removeNode(good.model.graph.findNode("a")); });
    row("a fused node under another name", "0 nodes are called npu_group_b_0",
        [](Good& good) { good.model.graph.mutableNode(good.model.graph.findNode("npu_group_b_0")).name = "other"; });
    row("a kernel too many", "2 groups, 3 compiled kernels", [](Good& good) { good.partition.compiled["more"] = {}; });
  }
  void complains() {
    QFETCH(Break, breakIt);
    QFETCH(QString, complaint);
    Good good = goodPartition();
    breakIt(good);
    const std::string told =
        fmt::format("{}", fmt::join(checkPartition({good.partition, good.model, {"npu", "cpu"}}), "; "));
    QVERIFY2(complaint.isEmpty() ? told.empty() : QString::fromStdString(told).contains(complaint), told.c_str());
  }
};

QTEST_GUILESS_MAIN(TestPartitionChecker)
#include "tst_partition_checker.moc"
