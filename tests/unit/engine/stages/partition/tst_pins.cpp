// Pins: who is asked first, what happens when the chosen provider refuses, and what names a node answers to.
#include <QtTest/QtTest>

#include "engine/stages/partition/pins.h"
#include "tests/unit/engine/stages/partition/partition_bench.h"

using namespace cutaway;
using namespace cutaway::bench;

Q_DECLARE_METATYPE(cutaway::NodePin)

namespace {

constexpr const char* kChain = R"(<ir_version: 8, opset_import: ["" : 17]>
main (float[2,4] x) => (float[2,4] y) {
  ["enc/a"] va = Relu (x)
  ["enc/b"] vb = Sigmoid (va)
  ["encoder/c"] vc = Tanh (vb)
  [d] y = Add (vc, va)
})";

NodePin node(std::string name, std::string provider) {
  return {NodePin::Kind::kNode, std::move(name), std::move(provider)};
}
NodePin scope(std::string name, std::string provider) {
  return {NodePin::Kind::kScope, std::move(name), std::move(provider)};
}
NodePin op(std::string name, std::string provider) {
  return {NodePin::Kind::kOperator, std::move(name), std::move(provider)};
}

Result<partition::Partition> pinned(Model& model, const Providers& providers, std::vector<NodePin> pins) {
  partition::PartitionOptions options;
  options.pins = std::move(pins);
  return partitioned(model, providers, options);
}

}  // namespace

class TestPins : public QObject {
  Q_OBJECT
 private slots:
  void pinsDecide_data() {
    QTest::addColumn<NodePin>("pin");
    QTest::addColumn<QString>("expected");
    QTest::newRow("node") << node("enc/a", "gpu") << "enc/a:gpu enc/b:npu encoder/c:npu d:npu";
    QTest::newRow("scope ends at a slash") << scope("enc", "cpu") << "enc/a:cpu enc/b:cpu encoder/c:npu d:npu";
    QTest::newRow("scope written with its slash") << scope("enc/", "cpu") << "enc/a:cpu enc/b:cpu encoder/c:npu d:npu";
    QTest::newRow("operator") << op("Tanh", "cpu") << "enc/a:npu enc/b:npu encoder/c:cpu d:npu";
    QTest::newRow("operator with its domain") << op("ai.onnx:Tanh", "gpu") << "enc/a:npu enc/b:npu encoder/c:gpu d:npu";
    QTest::newRow("operator of another domain") << op("acme:Tanh", "cpu") << "enc/a:npu enc/b:npu encoder/c:npu d:npu";
  }
  void pinsDecide() {
    QFETCH(NodePin, pin);
    QFETCH(QString, expected);
    Model model = resolved(kChain);
    const Result<partition::Partition> made = pinned(
        model,
        withCpu({taking("npu", {"Relu", "Sigmoid", "Tanh", "Add"}), taking("gpu", {"Relu", "Sigmoid", "Tanh", "Add"})}),
        {pin});
    CUTAWAY_VERIFY(made);
    QCOMPARE(placements(*made), expected);
  }

  void theFirstPinThatFitsDecides() {
    Model model = resolved(kChain);
    const Result<partition::Partition> made =
        pinned(model, withCpu({taking("npu", {"Relu", "Sigmoid", "Tanh", "Add"}), taking("gpu", {"Relu"})}),
               {node("enc/a", "gpu"), scope("enc", "cpu")});
    CUTAWAY_VERIFY(made);
    QCOMPARE(placements(*made), QString("enc/a:gpu enc/b:cpu encoder/c:npu d:npu"));
  }

  void othersAreToldWhoKeepsTheNode() {
    Model model = resolved(kChain);
    const Result<partition::Partition> made = pinned(model, withCpu({taking("npu", {"Relu"})}), {node("enc/a", "cpu")});
    CUTAWAY_VERIFY(made);
    const ProviderAnswer& answer = answerOf(*made, "enc/a", "npu");
    QCOMPARE(answer.verdict, Verdict::kRefused);
    QCOMPARE(answer.cause, RefusalCause::kPin);
    QCOMPARE(answer.reason, std::string("not asked: kept for cpu by pin node:enc/a=cpu"));
    QCOMPARE(joined(made->report.warnings), QString("4 of 4 nodes are not on npu, the preferred provider: cpu 4"));
  }

  // npu is before gpu and was passed over; when gpu refuses, npu is asked before cpu.
  void aRefusedPinGoesBackToEverybodyInOrder() {
    Model model = resolved(kChain);
    const Result<partition::Partition> made =
        pinned(model, withCpu({taking("npu", {"Relu", "Tanh"}), taking("gpu", {"Add"})}),
               {op("Relu", "gpu"), op("Sigmoid", "gpu")});
    CUTAWAY_VERIFY(made);
    QCOMPARE(placements(*made), QString("enc/a:npu enc/b:cpu encoder/c:npu d:gpu"));
    QCOMPARE(answerOf(*made, "enc/a", "npu").verdict, Verdict::kClaimed);
    QCOMPARE(answerOf(*made, "enc/b", "npu").cause, RefusalCause::kOperator);
    for (const NodePlacement& each : made->report.nodes) {
      QCOMPARE(each.answers.size(), size_t{3});
      for (size_t i = 0; i < 3; ++i)
        QCOMPARE(each.answers[i].provider, made->report.providers[i].name);
    }
    QCOMPARE(
        joined(made->report.warnings),
        QString("pin op:Relu=gpu cannot be kept: gpu does not support Relu 'enc/a': the test did not ask for Relu; "
                "the node was offered to the other providers\n"
                "pin op:Sigmoid=gpu cannot be kept: gpu does not support Sigmoid 'enc/b': the test did not ask for "
                "Sigmoid; the node was offered to the other providers\n"
                "2 of 4 nodes are not on npu, the preferred provider: gpu 1, cpu 1"));
  }

  void aGroupThatDoesNotCompileSetsItsPinnedNodesFree() {
    TestProviderPlan gpu = taking("gpu", {"Relu"});
    gpu.failing = {"enc/a"};
    Model model = resolved(kChain);
    const Result<partition::Partition> made =
        pinned(model, withCpu({taking("npu", {"Relu"}), gpu}), {node("enc/a", "gpu")});
    CUTAWAY_VERIFY(made);
    QCOMPARE(placements(*made), QString("enc/a:npu enc/b:cpu encoder/c:cpu d:cpu"));
    QCOMPARE(answerOf(*made, "enc/a", "gpu").verdict, Verdict::kCompileFailed);
  }

  void groupsAreFormedOfWhatIsNotPinnedElsewhere() {
    TestProviderPlan npu = taking("npu", {});
    npu.groups = {{"enc/a", "enc/b"}, {"encoder/c"}};
    Model model = resolved(kChain);
    const Result<partition::Partition> made = pinned(model, withCpu({npu}), {node("enc/b", "cpu")});
    CUTAWAY_VERIFY(made);
    QCOMPARE(placements(*made), QString("enc/a:cpu enc/b:cpu encoder/c:npu d:cpu"));
  }

  void anUnknownProviderIsNamedWithThoseThatAreThere() {
    Model model = resolved(kChain);
    const Result<partition::Partition> made = pinned(model, withCpu({taking("npu", {})}), {node("enc/a", "tpu")});
    QVERIFY(!made);
    QCOMPARE(made.error().code, ErrorCode::kInvalidArgument);
    QCOMPARE(made.error().message,
             std::string("pin node:enc/a=tpu names provider 'tpu', which this session has not; it has: npu, cpu"));
  }

  void aPinThatFitsNothingIsAWarning() {
    Model model = resolved(kChain);
    const Result<partition::Partition> made = pinned(model, withCpu({}), {node("enc/z", "cpu")});
    CUTAWAY_VERIFY(made);
    QCOMPARE(joined(made->report.warnings), QString("pin node:enc/z=cpu fits no node"));
  }

  void bodiesAreKnownByTheirPath_data() {
    QTest::addColumn<NodePin>("pin");
    QTest::newRow("own name") << node("inner", "npu");
    QTest::newRow("path") << node("choose/then_branch/inner", "npu");
    QTest::newRow("scope of the node around it") << scope("choose", "npu");
  }
  void bodiesAreKnownByTheirPath() {
    Model model = resolved(R"(<ir_version: 8, opset_import: ["" : 17]>
main (bool[] cond, float[2] x) => (float[2] y) {
  [choose] y = If <then_branch = yes () => (float[2] t) { [inner] t = Relu (x) }, else_branch = no () => (float[2] e) { [other] e = Tanh (x) }> (cond)
})");
    QFETCH(NodePin, pin);
    const Result<partition::Partition> made =
        pinned(model, withCpu({taking("gpu", {"Relu"}), taking("npu", {"Relu"})}), {pin});
    CUTAWAY_VERIFY(made);
    QCOMPARE(placements(*made), QString("choose:cpu inner:npu other:cpu"));
  }

  // The call fits the pin, nobody takes it whole, and what it expands to fits too.
  void pinsHoldWhenFunctionsAreInlined_data() {
    QTest::addColumn<NodePin>("pin");
    QTest::newRow("node") << node("call", "npu");
    QTest::newRow("operator") << op("Twice", "npu");
  }
  void pinsHoldWhenFunctionsAreInlined() {
    Model model = resolved(R"(<ir_version: 8, opset_import: ["" : 17, "local" : 1]>
main (float[2] x) => (float[2] y) {
  [call] z = local.Twice (x)
  [last] y = Relu (z)
}
<domain: "local", opset_import: ["" : 17]>
Twice (a) => (b) {
  t = Relu (a)
  b = Relu (t)
})");
    QFETCH(NodePin, pin);
    const Result<partition::Partition> made =
        pinned(model, withCpu({taking("gpu", {"Relu"}), taking("npu", {"Relu"})}), {pin});
    CUTAWAY_VERIFY(made);
    QStringList providers;
    for (const NodePlacement& each : made->report.nodes)
      providers << QString::fromStdString(each.provider);
    providers.sort();
    QCOMPARE(providers.join(' '), QString("gpu npu npu"));
    QCOMPARE(answerOf(*made, "last", "gpu").verdict, Verdict::kClaimed);
    QCOMPARE(joined(made->report.warnings), QString("2 of 3 nodes are not on gpu, the preferred provider: npu 2"));
  }

  // A pin on a node that the optimizer replaced finds what stands for it now.
  void aPinFindsWhatANodeHasBecome() {
    Model model = resolved(kChain);
    Node fused;
    fused.name = "fused";
    fused.opType = "Gelu";
    for (const NodeId id : model.graph.nodeIds()) {
      if (model.graph.node(id).name.starts_with("enc/"))
        fused.origins.insert(fused.origins.end(), model.graph.node(id).origins.begin(),
                             model.graph.node(id).origins.end());
    }
    QCOMPARE(fused.origins.size(), size_t{2});
    QVERIFY(partition::pinFits(node("enc/b", "cpu"), model, fused));
    QVERIFY(partition::pinFits(scope("enc", "cpu"), model, fused));
    QVERIFY(!partition::pinFits(scope("enc/a", "cpu"), model, fused));
    QVERIFY(!partition::pinFits(op("Relu", "cpu"), model, fused));
  }
};

QTEST_GUILESS_MAIN(TestPins)
#include "tst_pins.moc"
