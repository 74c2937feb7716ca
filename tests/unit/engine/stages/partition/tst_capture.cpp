// What an export gets: the fused model and its groups from the moment of fusing, names with a prefix; and nodes that an
// exported model keeps for whoever ran them.
#include <QtTest/QtTest>

#include "tests/unit/engine/stages/partition/context_bench.h"

using namespace cutaway;
using namespace cutaway::bench;

namespace {

constexpr const char* kChain = R"(<ir_version: 8, opset_import: ["" : 17]>
main (float[2] x) => (float[2] y) <float[2] w = {1, 2}> { [a] va = Mul (x, w) [b] vb = Sigmoid (va) [c] vc = Tanh (vb) [d] y = Add (vc, va) })";

QString operatorsOf(const Graph& graph) {
  QStringList names;
  for (const NodeId id : graph.nodeIds())
    names << QString::fromStdString(graph.node(id).opType + "@" + graph.node(id).provider);
  return names.join(' ');
}

void say(Model& model, const char* node, const char* provider) {
  model.graph.mutableNode(model.graph.findNode(node)).metadata.emplace_back(context_binary::kProviderKey, provider);
}

}  // namespace

class TestCapture : public QObject {
  Q_OBJECT
 private slots:
  void groupsAsTheyWereCompiled() {
    Model model = resolved(kChain);
    const void* weights = model.graph.value(model.graph.findValue("w")).initializer->data();
    TestProviderPlan plan = keeping("npu", {{"a", "b"}});
    plan.ownDevice = true;
    const Result<partition::Partition> partition = partitioned(model, withCpu({plan}), {.captureGroups = true});
    CUTAWAY_VERIFY(partition);
    QVERIFY(partition->captured != nullptr);
    // The model in hand has copies across devices; the captured one is from before.
    QVERIFY2(operatorsOf(model.graph).contains("Memcpy"), qPrintable(operatorsOf(model.graph)));
    const Model& fused = *partition->captured->fused;
    QCOMPARE(operatorsOf(fused.graph), QString("Tanh@cpu Add@cpu group_a@npu"));
    QCOMPARE(fused.graph.nodeCount(), fused.graph.nodeSlots());
    QCOMPARE(partition->captured->groups.size(), size_t{1});
    const auto& [name, group] = *partition->captured->groups.begin();
    QCOMPARE(name, std::string("npu_group_a_0"));
    QVERIFY(partition->compiled.contains(name));
    QCOMPARE(&group->model, &fused);
    QCOMPARE(group->graph.nodeCount(), size_t{2});
    QCOMPARE(group->graph.value(group->graph.findValue("w")).initializer->data(), weights);
  }

  void nothingIsKeptUnlessAsked() {
    Model model = resolved(kChain);
    const Result<partition::Partition> partition = partitioned(model, withCpu({keeping("npu", {{"a", "b"}})}));
    CUTAWAY_VERIFY(partition);
    QVERIFY(partition->captured == nullptr);
  }

  void whatWasRefusedIsNotThere() {
    Model model = resolved(kChain);
    TestProviderPlan plan = keeping("npu", {{"a"}, {"b", "c"}});
    plan.failing = {"b"};
    const Result<partition::Partition> partition = partitioned(model, withCpu({plan}), {.captureGroups = true});
    CUTAWAY_VERIFY(partition);
    QCOMPARE(partition->captured->groups.size(), size_t{1});
    QCOMPARE(partition->captured->groups.begin()->first, std::string("npu_group_a_0"));
  }

  void namesTakeAPrefix() {
    for (const char* prefix : {"", "decoder_"}) {
      Model model = resolved(kChain);
      const Result<partition::Partition> partition =
          partitioned(model, withCpu({keeping("npu", {{"a", "b"}})}), {.contextPrefix = prefix});
      CUTAWAY_VERIFY(partition);
      QCOMPARE(partition->compiled.begin()->first, std::string(prefix) + "npu_group_a_0");
    }
    // A node that has such a name already keeps it.
    Model model = resolved(R"(main (float[2] x) => (float[2] y) { [p_npu_group_b_0] h = Relu (x) [b] y = Tanh (h) })");
    const Result<partition::Partition> partition =
        partitioned(model, withCpu({keeping("npu", {{"b"}})}), {.contextPrefix = "p_"});
    CUTAWAY_VERIFY(partition);
    QCOMPARE(partition->compiled.begin()->first, std::string("p_npu_group_b_1"));
  }

  void whatIfKeepsGroupsToo() {
    Model model = resolved(kChain);
    const Result<partition::Partition> partition =
        partitioned(model, withCpu({keeping("npu", {{"a", "b"}})}), {.compile = false, .captureGroups = true});
    CUTAWAY_VERIFY(partition);
    QCOMPARE(partition->captured->groups.size(), size_t{1});
  }

  void nodesStayWhereTheyRan() {
    Model free = resolved(kChain);
    const Result<partition::Partition> taken = partitioned(free, withCpu({keeping("npu", {{"a", "b"}})}));
    CUTAWAY_VERIFY(taken);
    QCOMPARE(placements(*taken), QString("a:npu b:npu c:cpu d:cpu"));
    Model kept = resolved(kChain);
    say(kept, "a", "cpu");
    const Result<partition::Partition> left = partitioned(kept, withCpu({keeping("npu", {{"a"}, {"b"}})}));
    CUTAWAY_VERIFY(left);
    QCOMPARE(placements(*left), QString("a:cpu b:npu c:cpu d:cpu"));
    QVERIFY2(answerOf(*left, "a", "npu").reason.find("metadata") != std::string::npos,
             answerOf(*left, "a", "npu").reason.c_str());
    for (const std::string& warning : left->report.warnings)
      QVERIFY2(warning.find("metadata") == std::string::npos, warning.c_str());
  }

  void aProviderThatIsNotHereKeepsNothing() {
    Model model = resolved(kChain);
    say(model, "a", "gpu");
    const Result<partition::Partition> partition = partitioned(model, withCpu({keeping("npu", {{"a"}})}));
    CUTAWAY_VERIFY(partition);
    QCOMPARE(placements(*partition), QString("a:npu b:cpu c:cpu d:cpu"));
  }

  void pinsAreStronger() {
    Model model = resolved(kChain);
    say(model, "a", "cpu");
    const Result<partition::Partition> partition =
        partitioned(model, withCpu({keeping("npu", {{"a"}})}),
                    {.pins = {{.kind = NodePin::Kind::kNode, .pattern = "a", .provider = "npu"}}});
    CUTAWAY_VERIFY(partition);
    QCOMPARE(placements(*partition), QString("a:npu b:cpu c:cpu d:cpu"));
  }

  void whatTheProviderRefusesGoesToTheOthers() {
    Model model = resolved(kChain);
    say(model, "a", "gpu");
    const Result<partition::Partition> partition =
        partitioned(model, withCpu({keeping("npu", {{"a"}}), keeping("gpu", {})}));
    CUTAWAY_VERIFY(partition);
    QCOMPARE(placements(*partition), QString("a:npu b:cpu c:cpu d:cpu"));
  }
};

QTEST_GUILESS_MAIN(TestCapture)
#include "tst_capture.moc"
