// Copies between devices: where they stand, once per value and direction, what forced each, and what would make it
// unnecessary.
#include <QtTest/QtTest>

#include "tests/unit/engine/stages/partition/partition_bench.h"

using namespace cutaway;
using namespace cutaway::bench;

namespace {

// npu and gpu have memory of their own.
Result<partition::Partition> split(Model& model, std::set<std::string> onNpu, std::set<std::string> onGpu = {}) {
  TestProviderPlan npu = taking("npu", {}, true), gpu = taking("gpu", {}, true);
  for (const std::string& each : onNpu)
    npu.groups.push_back({each});
  for (const std::string& each : onGpu)
    gpu.groups.push_back({each});
  return partitioned(model, withCpu({npu, gpu}));
}

// "x cpu>npu; va npu>cpu"
QString ledger(const partition::Partition& partition) {
  QStringList parts;
  for (const CopyReport& copy : partition.report.copies) {
    const std::string value = copy.value.substr(0, copy.value.find('@'));
    parts << QString::fromStdString(value + " " + copy.from + ">" + copy.to);
  }
  return parts.join("; ");
}

QString remedies(const partition::Partition& partition) {
  QStringList parts;
  for (const CopyReport& copy : partition.report.copies)
    parts << QString::fromStdString(copy.remedy);
  return parts.join('\n');
}

constexpr const char* kChain = R"(<ir_version: 8, opset_import: ["" : 17]>
main (float[2,4] x) => (float[2,4] y) {
  [a] va = Relu (x)
  [b] vb = Sigmoid (va)
  [c] vc = Tanh (vb)
  [d] y = Add (vc, va)
})";

}  // namespace

class TestCopies : public QObject {
  Q_OBJECT
 private slots:
  void theGraphBeforeAndAfter() {
    Model model = resolved(kChain);
    const Result<partition::Partition> made = split(model, {"b", "c"});
    CUTAWAY_VERIFY(made);
    QCOMPARE(ledger(*made), QString("va cpu>npu; vc npu>cpu"));
    QCOMPARE(
        printGraph(model.graph),
        std::string(
            R"(main (float[2,4] x) => (float[2,4] y) <float[2,4] va, float[2,4] vb, float[2,4] vc, float[2,4] "va@npu", float[2,4] "vc@cpu"> {
  [a] va = Relu (x)
  [d] y = Add ("vc@cpu", va)
  [npu_group_b_0] vb = npu.group_b ("va@npu")
  [npu_group_c_1] vc = npu.group_c (vb)
  ["copy va to npu"] "va@npu" = cutaway.Memcpy <from = "cpu", to = "npu"> (va)
  ["copy vc to cpu"] "vc@cpu" = cutaway.Memcpy <from = "npu", to = "cpu"> (vc)
}
)"));
  }

  void onePerValueAndDirection() {
    Model model = resolved(R"(<ir_version: 8, opset_import: ["" : 17]>
main (float[2] x) => (float[2] y, float[2] z) {
  [a] va = Relu (x)
  [b] vb = Tanh (va)
  [c] vc = Sigmoid (va)
  [d] y = Add (va, vb)
  [e] z = Mul (va, vc)
})");
    const Result<partition::Partition> made = split(model, {"a", "b", "c"});
    CUTAWAY_VERIFY(made);
    QCOMPARE(ledger(*made), QString("x cpu>npu; va npu>cpu; vb npu>cpu; vc npu>cpu"));
  }

  void aGraphOutputThatTheHostReadsTooIsCopiedOnce() {
    Model model = resolved(R"(<ir_version: 8, opset_import: ["" : 17]>
main (float[2] x) => (float[2] y, float[2] z) {
  [a] y = Relu (x)
  [b] z = Tanh (y)
})");
    const Result<partition::Partition> made = split(model, {"a"});
    CUTAWAY_VERIFY(made);
    QCOMPARE(ledger(*made), QString("x cpu>npu; y npu>cpu"));
    const CopyReport& back = made->report.copies[1];
    QCOMPARE(back.value, std::string("y"));
    QVERIFY2(back.cause.starts_with("it is a graph output, which the caller reads on the host and"),
             back.cause.c_str());
    QCOMPARE(model.graph.node(NodeId{static_cast<size_t>(back.causeNode)}).provider, std::string("npu"));
    const Node& reader = model.graph.node(model.graph.findNode("b"));
    QCOMPARE(model.graph.value(reader.inputs[0]).name, std::string("y"));
  }

  void aGraphOutputThatItsDeviceReadsTooStaysThereAsWell() {
    Model model = resolved(R"(<ir_version: 8, opset_import: ["" : 17]>
main (float[2] x) => (float[2] y, float[2] z) {
  [a] y = Relu (x)
  [b] z = Tanh (y)
})");
    const Result<partition::Partition> made = split(model, {"a", "b"});
    CUTAWAY_VERIFY(made);
    QCOMPARE(ledger(*made), QString("x cpu>npu; y npu>cpu; z npu>cpu"));
  }

  void aCapturedValueNamesTheNodeOfTheBody() {
    Model model = resolved(R"(<ir_version: 8, opset_import: ["" : 17]>
main (bool[] cond, float[2] x) => (float[2] y) {
  [a] va = Relu (x)
  [choose] y = If <then_branch = yes () => (float[2] t) { [inner] t = Neg (va) }, else_branch = no () => (float[2] e) { [other] e = Tanh (va) }> (cond)
})");
    const Result<partition::Partition> made = split(model, {"a"});
    CUTAWAY_VERIFY(made);
    QCOMPARE(ledger(*made), QString("x cpu>npu; va npu>cpu"));
    QCOMPARE(made->report.copies[1].cause, std::string("a body of If 'choose' captures it on the host"));
    QCOMPARE(model.graph.node(NodeId{static_cast<size_t>(made->report.copies[1].causeNode)}).name,
             std::string("choose"));
  }

  // Providers copy between their own device and the host only.
  void betweenTwoDevicesAValueGoesOverTheHost() {
    Model model = resolved(kChain);
    const Result<partition::Partition> made = split(model, {"a"}, {"b"});
    CUTAWAY_VERIFY(made);
    QCOMPARE(ledger(*made), QString("x cpu>npu; va npu>cpu; va cpu>gpu; vb gpu>cpu"));
  }

  void initializersAreNotCopied() {
    Model model = resolved(R"(<ir_version: 8, opset_import: ["" : 17]>
main (float[2] x) => (float[2] y) <float[2] w = {1, 2}> { [a] y = Add (x, w) })");
    const Result<partition::Partition> made = split(model, {"a"});
    CUTAWAY_VERIFY(made);
    QCOMPARE(ledger(*made), QString("x cpu>npu; y npu>cpu"));
  }

  void remedies_data() {
    QTest::addColumn<QStringList>("onNpu");
    QTest::addColumn<QString>("expected");
    // c is alone on the host between b and d: both of its copies go when npu takes it, and npu says why it does not. d
    // on the host would need va there instead of y.
    QTest::newRow("a hole in the device's part")
        << QStringList{"a", "b", "d"}
        << "if group 'npu_group_a_0' and 2 more ran on cpu, this copy and 3 others (128 B) would go\nif group "
           "'npu_group_d_2' ran on cpu, this copy (32 B) would go\nif Tanh 'c' ran on npu, this copy and 1 other (64 "
           "B) would go; npu refuses Tanh 'c': the test did not ask for Tanh\n"
           "if Tanh 'c' ran on npu, this copy and 1 other (64 B) would go; npu refuses Tanh 'c': the test did not ask "
           "for Tanh";
    // One small group on the device costs a copy in and one out.
    QTest::newRow("a node alone on the device")
        << QStringList{"c"}
        << "if group 'npu_group_c_0' ran on cpu, this copy and 1 other (64 B) would go\nif group 'npu_group_c_0' ran "
           "on cpu, this copy and 1 other (64 B) would go";
  }
  void remedies() {
    QFETCH(QStringList, onNpu);
    QFETCH(QString, expected);
    std::set<std::string> names;
    for (const QString& each : onNpu)
      names.insert(each.toStdString());
    Model model = resolved(kChain);
    const Result<partition::Partition> made = split(model, names);
    CUTAWAY_VERIFY(made);
    QCOMPARE(::remedies(*made), expected);
  }
};

QTEST_GUILESS_MAIN(TestCopies)
#include "tst_copies.moc"
