#include <algorithm>

#include <QTest>

#include "engine/stages/allocate/allocate.h"
#include "engine/stages/allocate/onnxruntime_hints.h"
#include "engine/stages/allocate/size_class.h"
#include "tests/checker/growth.h"
#include "tests/checker/plan_checker.h"
#include "tests/checker/test_graphs.h"

using namespace cutaway;

namespace {

ValueId addNode(Graph& graph, const char* opType, std::vector<ValueId> inputs, const char* output,
                const ValueType& type) {
  Node node;
  node.opType = opType;
  node.name = std::string("n_") + output;
  const std::vector<std::string> outputs{output};
  const ValueId value = graph.node(graph.addNode(std::move(node), inputs, outputs)).outputs[0];
  graph.mutableValue(value).type = type;
  return value;
}

struct Planned {
  schedule::SequentialExecutionPlan order;
  allocate::AllocationPlan allocation;
  std::string violations;
  const allocate::AllocPlanPerValue& of(const Graph& graph, const char* name) const {
    return allocation.values[graph.findValue(name).index()];
  }
};

Planned planOf(const Graph& graph, const MemoryHints& hints, const allocate::AllocateOptions& options = {}) {
  Planned planned;
  planned.order = *schedule::schedule(graph, schedule::OrderPolicy::kDefault);
  planned.allocation = *allocate::allocate(graph, planned.order, hints, options);
  const auto pattern = pattern::planPattern(graph, planned.order, planned.allocation, pattern::staticSizes(graph));
  planned.violations = describeViolations(
      checkPlan({graph, planned.order, planned.allocation, hints, &*pattern, options.isLoopBody, options.rules}));
  return planned;
}

int buffersOf(const Planned& planned) {
  return static_cast<int>(
      std::count_if(planned.allocation.values.begin(), planned.allocation.values.end(),
                    [](const allocate::AllocPlanPerValue& value) { return value.kind == AllocKind::kAllocate; }));
}

#define VERIFY_GOOD(planned) QVERIFY2((planned).violations.empty(), (planned).violations.c_str())

}  // namespace

class TestAllocate : public QObject {
  Q_OBJECT
 private slots:
  void workedExampleByTheReferenceRules_data() {
    QTest::addColumn<bool>("addDeclares");
    QTest::newRow("kernels declare what those of onnxruntime do") << false;
    QTest::newRow("our Add declares more") << true;
  }
  void workedExampleByTheReferenceRules() {
    QFETCH(bool, addDeclares);
    const Graph graph = workedExample();
    const Planned planned = planOf(graph, addDeclares ? cutawayHints(graph) : referenceHints(graph),
                                   {.rules = allocate::AllocRules::kOnnxruntime});
    QCOMPARE(buffersOf(planned), 3);
    VERIFY_GOOD(planned);
    QCOMPARE(planned.of(graph, "X").kind, AllocKind::kPreExisting);
    QCOMPARE(planned.of(graph, "W").kind, AllocKind::kAllocateStatically);
    QCOMPARE(planned.of(graph, "A").kind, AllocKind::kAllocate);
    QCOMPARE(planned.of(graph, "B").kind, AllocKind::kAllocate);
    QCOMPARE(planned.of(graph, "C").kind, AllocKind::kReuse);
    QCOMPARE(planned.of(graph, "C").root, graph.findValue("A"));
    QVERIFY(!planned.of(graph, "C").inPlace);
    QCOMPARE(planned.of(graph, "D").kind, AllocKind::kAllocate);
    QCOMPARE(planned.of(graph, "Y").kind, AllocKind::kAllocateOutput);
    QCOMPARE(planned.of(graph, "B").counter.starts, std::vector<int32_t>{1});
    QCOMPARE(planned.of(graph, "B").counter.ends, std::vector<int32_t>{3});
    QVERIFY2(planned.of(graph, "A").reason.find("graph input") != std::string::npos,
             planned.of(graph, "A").reason.c_str());
    QVERIFY2(planned.of(graph, "C").reason.find("'A'") != std::string::npos, planned.of(graph, "C").reason.c_str());
    QVERIFY2(planned.of(graph, "D").reason.find("no buffer is free") != std::string::npos,
             planned.of(graph, "D").reason.c_str());
  }

  void workedExampleWithInPlaceAdd() {
    const Graph graph = workedExample();
    const Planned planned = planOf(graph, cutawayHints(graph));
    VERIFY_GOOD(planned);
    QCOMPARE(planned.of(graph, "D").kind, AllocKind::kReuse);
    QVERIFY(planned.of(graph, "D").inPlace);
    QCOMPARE(planned.of(graph, "D").root, graph.findValue("A"));
    QCOMPARE(planned.of(graph, "D").rule, AllocRule::kInPlace);
    QCOMPARE(buffersOf(planned), 2);
  }

  void withoutReuseOnlyInPlaceRemains() {
    const Graph graph = workedExample();
    const Planned planned = planOf(graph, referenceHints(graph), {.memoryReuse = false});
    VERIFY_GOOD(planned);
    QCOMPARE(planned.of(graph, "C").kind, AllocKind::kAllocate);
    QVERIFY(planned.of(graph, "C").reason.find("switched off") != std::string::npos);
  }

  void freeListIsLastInFirstOut() {
    // a and b are freed in this order; c must take b.
    Graph graph("lifo");
    const ValueType type = floatTensor({2, 8});
    const ValueId x = graph.addInput("x", type);
    const ValueId a = addNode(graph, "MatMul", {x}, "a", type);
    const ValueId b = addNode(graph, "MatMul", {a}, "b", type);
    const ValueId wide = addNode(graph, "MatMul", {b}, "wide", floatTensor({2, 16}));
    addNode(graph, "MatMul", {wide}, "c", type);
    graph.addOutput(addNode(graph, "MatMul", {graph.findValue("c")}, "y", type));
    const Planned planned = planOf(graph, referenceHints(graph));
    VERIFY_GOOD(planned);
    QCOMPARE(planned.of(graph, "c").root, graph.findValue("b"));
    QVERIFY2(planned.of(graph, "wide").reason.find("it holds 64 bytes and 128 are needed") != std::string::npos,
             planned.of(graph, "wide").reason.c_str());
  }

  void viewsShareAndKeepTheBufferAlive() {
    Graph graph("views");
    const ValueType type = floatTensor({2, 8});
    const ValueId x = graph.addInput("x", type);
    const ValueId a = addNode(graph, "MatMul", {x}, "a", type);
    const ValueId view = addNode(graph, "Reshape", {a}, "view", floatTensor({16}));
    const ValueId b = addNode(graph, "MatMul", {x}, "b", type);
    const ValueId c = addNode(graph, "Add", {view, b}, "c", type);
    graph.addOutput(addNode(graph, "MatMul", {c, view}, "y", type));
    const Planned planned = planOf(graph, cutawayHints(graph));
    VERIFY_GOOD(planned);
    QCOMPARE(planned.of(graph, "view").kind, AllocKind::kReuse);
    QCOMPARE(planned.of(graph, "view").root, a);
    QVERIFY(planned.of(graph, "b").root != a);
    QVERIFY(planned.of(graph, "c").root != a);
    QVERIFY2(planned.of(graph, "view").reason.find("view of 'a'") != std::string::npos,
             planned.of(graph, "view").reason.c_str());
  }

  void valueReadTwiceByOneNodeIsNotOverwritten() {
    Graph graph("twice");
    const ValueType type = floatTensor({2, 8});
    const ValueId a = addNode(graph, "MatMul", {graph.addInput("x", type)}, "a", type);
    const ValueId b = addNode(graph, "Add", {a, a}, "b", type);
    graph.addOutput(addNode(graph, "MatMul", {b}, "y", type));
    const Planned planned = planOf(graph, cutawayHints(graph));
    VERIFY_GOOD(planned);
    QVERIFY(planned.of(graph, "b").root != a);
    QVERIFY2(planned.of(graph, "b").reason.find("reads it twice") != std::string::npos,
             planned.of(graph, "b").reason.c_str());
  }

  void outputsThatAreReadAgainAreNeverRecycled() {
    Graph graph("outputs");
    const ValueType type = floatTensor({2, 8});
    const ValueId a = addNode(graph, "Relu", {graph.addInput("x", type)}, "a", type);
    graph.addOutput(a);
    const ValueId b = addNode(graph, "Relu", {a}, "b", type);
    graph.addOutput(addNode(graph, "Relu", {b}, "c", type));
    const Planned planned = planOf(graph, cutawayHints(graph));
    VERIFY_GOOD(planned);
    QCOMPARE(planned.of(graph, "a").kind, AllocKind::kAllocateOutput);
    QCOMPARE(planned.of(graph, "b").kind, AllocKind::kAllocate);
    QCOMPARE(planned.of(graph, "a").counter.ends, std::vector<int32_t>{2});
    QVERIFY2(planned.of(graph, "b").reason.find("graph output") != std::string::npos,
             planned.of(graph, "b").reason.c_str());
  }

  void unusedOutputsTakeAndGiveNothingInTheirStep() {
    Graph graph("unused");
    const ValueType type = floatTensor({2, 8});
    const ValueId x = graph.addInput("x", type);
    const ValueId a = addNode(graph, "MatMul", {x}, "a", type);
    const ValueId b = addNode(graph, "MatMul", {a}, "b", type);
    Node node;
    node.opType = "Split";
    const std::vector<std::string> names{"used", "unused"};
    const std::vector<ValueId> inputs{b};
    for (ValueId value : std::vector<ValueId>(graph.node(graph.addNode(std::move(node), inputs, names)).outputs))
      graph.mutableValue(value).type = type;
    graph.addOutput(addNode(graph, "MatMul", {graph.findValue("used")}, "y", type));
    const Planned planned = planOf(graph, referenceHints(graph), {.rules = allocate::AllocRules::kOnnxruntime});
    VERIFY_GOOD(planned);
    QCOMPARE(planned.of(graph, "used").root, a);
    QCOMPARE(planned.of(graph, "unused").kind, AllocKind::kAllocate);
    QVERIFY(planned.of(graph, "unused").reason.find("nothing reads it") != std::string::npos);
    // Nobody gives it back before the run ends.
    QCOMPARE(planned.of(graph, "unused").counter.ends, std::vector<int32_t>{3});
    QCOMPARE(planned.allocation.releasedAfterStep[3], (std::vector<ValueId>{a, graph.findValue("unused")}));
  }

  void onnxruntimeTakesUnreadBuffersAgain() {
    // The unread part of the split is free for c, and so is given back behind the last reader of c.
    Graph graph("unread");
    const ValueType type = floatTensor({2, 8});
    const ValueId x = graph.addInput("x", floatTensor({4, 8}));
    Node split;
    split.opType = "Split";
    const std::vector<ValueId> inputs{x};
    for (const ValueId value : std::vector<ValueId>(
             graph.node(graph.addNode(std::move(split), inputs, std::vector<std::string>{"used", "unread"})).outputs))
      graph.mutableValue(value).type = type;
    const ValueId c = addNode(graph, "MatMul", {graph.findValue("used")}, "c", type);
    const ValueId d = addNode(graph, "MatMul", {c}, "d", floatTensor({2, 4}));
    graph.addOutput(addNode(graph, "MatMul", {d}, "y", type));
    const Planned planned = planOf(graph, referenceHints(graph), {.rules = allocate::AllocRules::kOnnxruntime});
    VERIFY_GOOD(planned);
    QCOMPARE(planned.of(graph, "c").root, graph.findValue("unread"));
    QCOMPARE(planned.of(graph, "unread").counter.ends, std::vector<int32_t>{0});
    QCOMPARE(planned.allocation.releasedAfterStep[2], std::vector<ValueId>{graph.findValue("unread")});
  }

  void onnxruntimeDeclares_data() {
    QTest::addColumn<QString>("opType");
    QTest::addColumn<bool>("declares");
    for (const char* opType : {"Relu", "Softmax", "Cast", "ScatterElements", "TensorScatter", "Trilu", "Clip"})
      QTest::newRow(opType) << opType << true;
    // As seen in the allocations of onnxruntime 1.31.1: their outputs take memory of their own.
    for (const char* opType : {"ScatterND", "DFT", "Abs", "Add", "Hardmax", "Dropout", "Gelu"})
      QTest::newRow(opType) << opType << false;
  }
  void onnxruntimeDeclares() {
    QFETCH(QString, opType);
    QFETCH(bool, declares);
    Node node;
    node.opType = opType.toStdString();
    const auto kept = allocate::onnxruntimeDeclarations(node, {{0, 0, AliasKind::kMayInplace}});
    QCOMPARE(!kept.empty(), declares);
  }

  void stringsSequencesAndUnknownShapesShareNothing() {
    Graph graph("odd");
    const ValueType strings = ValueType::tensor(ElementType::kString, Shape{Dim(4)});
    const ValueType sequence = ValueType::sequence(floatTensor({4}));
    const ValueType unknown = ValueType::tensor(ElementType::kFloat, Shape{Dim(), Dim(2)});
    const ValueId x = graph.addInput("x", strings);
    ValueId at = x;
    for (int i = 0; i < 3; ++i)
      at = addNode(graph, "Upper", {at}, fmt::format("s{}", i).c_str(), strings);
    for (int i = 0; i < 3; ++i)
      at = addNode(graph, "Seq", {at}, fmt::format("q{}", i).c_str(), sequence);
    for (int i = 0; i < 3; ++i)
      at = addNode(graph, "Any", {at}, fmt::format("u{}", i).c_str(), unknown);
    graph.addOutput(addNode(graph, "Any", {at}, "y", unknown));
    const Planned planned = planOf(graph, cutawayHints(graph));
    VERIFY_GOOD(planned);
    for (const char* name : {"s0", "s1", "s2", "q0", "q1", "q2", "u0", "u1", "u2"})
      QCOMPARE(planned.of(graph, name).kind, AllocKind::kAllocate);
    QVERIFY(planned.of(graph, "s2").reason.find("strings") != std::string::npos);
    QVERIFY(planned.of(graph, "q2").reason.find("not a tensor") != std::string::npos);
    QVERIFY(planned.of(graph, "u2").reason.find("not known before running") != std::string::npos);
  }

  void longNamesAreCutInReasons() {
    const std::string longName(1000, 'N');
    Graph graph("long names");
    const ValueId x = graph.addInput("x", floatTensor({4}));
    const ValueId a = addNode(graph, "MatMul", {x}, longName.c_str(), floatTensor({4}));
    const ValueId b = addNode(graph, "Relu", {a}, "b", floatTensor({4}));
    graph.addOutput(addNode(graph, "MatMul", {b}, "y", floatTensor({4})));
    const Planned planned = planOf(graph, cutawayHints(graph));
    QVERIFY2(planned.of(graph, "b").reason.find("'" + std::string(200, 'N') + "... (1000 bytes)'") != std::string::npos,
             planned.of(graph, "b").reason.c_str());
  }

  void symbolsAreComparedByName() {
    Graph graph("symbols");
    const ValueType batch = ValueType::tensor(ElementType::kFloat, Shape{Dim("batch"), Dim(8)});
    const ValueType length = ValueType::tensor(ElementType::kFloat, Shape{Dim("length"), Dim(8)});
    const ValueId x = graph.addInput("x", batch);
    const ValueId a = addNode(graph, "MatMul", {x}, "a", batch);
    const ValueId b = addNode(graph, "MatMul", {a}, "b", batch);
    const ValueId c = addNode(graph, "MatMul", {b}, "c", length);
    const ValueId d = addNode(graph, "MatMul", {c}, "d", batch);
    graph.addOutput(addNode(graph, "MatMul", {d}, "y", batch));
    const Planned planned = planOf(graph, referenceHints(graph));
    VERIFY_GOOD(planned);
    QCOMPARE(planned.of(graph, "c").kind, AllocKind::kAllocate);
    QCOMPARE(planned.of(graph, "d").root, b);
    QVERIFY2(
        planned.of(graph, "c").reason.find("32*batch bytes are not known to hold 32*length bytes") != std::string::npos,
        planned.of(graph, "c").reason.c_str());
  }

  void loopBodyPassesUnchangedStateOn() {
    Graph graph("body");
    const ValueId iteration = graph.addInput("i", ValueType::tensor(ElementType::kInt64, Shape{}));
    graph.addInput("cond", ValueType::tensor(ElementType::kBool, Shape{}));
    const ValueId state = graph.addInput("state", floatTensor({4}));
    const ValueId outer = graph.addOuterScope("outer", floatTensor({4}));
    graph.addOutput(addNode(graph, "Identity", {state}, "state_out", floatTensor({4})));
    graph.addOutput(addNode(graph, "Identity", {iteration}, "i_out", ValueType::tensor(ElementType::kInt64, Shape{})));
    graph.addOutput(addNode(graph, "Identity", {outer}, "outer_out", floatTensor({4})));
    const Planned inLoop = planOf(graph, cutawayHints(graph), {.isLoopBody = true});
    VERIFY_GOOD(inLoop);
    QCOMPARE(inLoop.of(graph, "state_out").kind, AllocKind::kShare);
    QCOMPARE(inLoop.of(graph, "state_out").root, state);
    QCOMPARE(inLoop.of(graph, "outer_out").kind, AllocKind::kShare);
    QCOMPARE(inLoop.of(graph, "i_out").kind, AllocKind::kAllocateOutput);
    QCOMPARE(planOf(graph, cutawayHints(graph)).of(graph, "state_out").kind, AllocKind::kAllocateOutput);
  }

  void externalOutputsAndDevices() {
    Graph graph("devices");
    const ValueType type = floatTensor({2, 8});
    const ValueId x = graph.addInput("x", type);
    const ValueId a = addNode(graph, "External", {x}, "a", type);
    const ValueId b = addNode(graph, "OnGpu", {a}, "b", type);
    const ValueId c = addNode(graph, "OnGpu", {b}, "c", type);
    const ValueId shape =
        addNode(graph, "HostShape", {c}, "shape", ValueType::tensor(ElementType::kInt64, Shape{Dim(2)}));
    const ValueId d = addNode(graph, "OnCpu", {c, shape}, "d", type);
    const ValueId e = addNode(graph, "OnCpu", {d}, "e", type);
    graph.addOutput(addNode(graph, "OnCpu", {e}, "y", type));
    const Device gpu{DeviceType::kGpu, 0, "gpu"};
    const MemoryHints hints = [&](NodeId id) {
      NodeMemoryHints result;
      const std::string& op = graph.node(id).opType;
      result.externalOutputs = op == "External";
      if (op != "OnCpu") result.device = gpu;
      if (op == "HostShape") result.hostOutputs = {0};
      return result;
    };
    const Planned planned = planOf(graph, hints);
    VERIFY_GOOD(planned);
    QCOMPARE(planned.of(graph, "a").kind, AllocKind::kAllocatedExternally);
    QVERIFY(planned.of(graph, "x").device == gpu);
    QVERIFY(planned.of(graph, "b").device == gpu);
    QVERIFY(planned.of(graph, "shape").device == Device{});
    // b is free when d is made, but it lies on the other device.
    QCOMPARE(planned.of(graph, "d").kind, AllocKind::kAllocate);
    QVERIFY2(planned.of(graph, "d").reason.find("other devices") != std::string::npos,
             planned.of(graph, "d").reason.c_str());
  }

  void sizesAsText_data() {
    QTest::addColumn<QString>("expected");
    QTest::newRow("3072*batch") << "3072*batch";
    QTest::newRow("8*3*?") << "8*3*?";
    QTest::newRow("5") << "5";
    QTest::newRow("unknown") << "unknown";
  }
  void sizesAsText() {
    QFETCH(QString, expected);
    const ValueType types[] = {ValueType::tensor(ElementType::kFloat, Shape{Dim("batch"), Dim(768)}),
                               ValueType::tensor(ElementType::kInt64, Shape{Dim(3), Dim()}),
                               ValueType::tensor(ElementType::kInt4, Shape{Dim(10)}),
                               ValueType::tensor(ElementType::kFloat, std::nullopt)};
    int matches = 0;
    for (const ValueType& type : types)
      matches += allocate::sizeText(type) == expected.toStdString() ? 1 : 0;
    QCOMPARE(matches, 1);
  }

  void manyValuesAreNearLinear() {
    for (const bool traced : {false, true}) {
      const auto ticksFor = [&](int nodes) {
        const Graph graph = randomGraph({.seed = 5, .nodes = nodes});
        const auto order = schedule::schedule(graph, schedule::OrderPolicy::kDefault);
        return ticksOf([&] {
          if (!allocate::allocate(graph, *order, cutawayHints(graph), {.traceReasons = traced}))
            qFatal("%d nodes have no plan", nodes);
        });
      };
      const Growth growth = growthOf(ticksFor, 5000, 50000, 40);
      QVERIFY2(growth.ratio < 40, fmt::format("reasons {}: {}", traced ? "on" : "off", growth.words()).c_str());
    }
  }
};

QTEST_GUILESS_MAIN(TestAllocate)
#include "tst_allocate.moc"
