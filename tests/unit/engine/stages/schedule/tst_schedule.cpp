#include <QTest>

#include "engine/stages/schedule/schedule.h"
#include "tests/checker/test_graphs.h"

using namespace cutaway;

namespace {

NodeId addNode(Graph& graph, const char* name, std::initializer_list<ValueId> inputs, const char* output,
               const char* opType = "Relu") {
  Node node;
  node.name = name;
  node.opType = opType;
  return graph.addNode(std::move(node), inputs, {std::string(output)});
}

std::string namesOf(const Graph& graph, const schedule::SequentialExecutionPlan& plan) {
  std::string text;
  for (const schedule::ExecutionStep& step : plan.steps)
    text += (text.empty() ? "" : " ") + graph.node(step.node).name;
  return text;
}

// x -> a -> {b, c}; c -> e; {b, e} -> d. Stored as a, b, c, d, e.
Graph diamond() {
  Graph graph("diamond");
  const ValueId x = graph.addInput("x", floatTensor({2}));
  const NodeId a = addNode(graph, "a", {x}, "va");
  const ValueId va = graph.node(a).outputs[0];
  const NodeId b = addNode(graph, "b", {va}, "vb");
  const NodeId c = addNode(graph, "c", {va}, "vc", "Shape");
  const NodeId d = addNode(graph, "d", {graph.node(b).outputs[0], graph.addValue("ve")}, "vd", "Add");
  addNode(graph, "e", {graph.node(c).outputs[0]}, "ve");
  graph.addOutput(graph.node(d).outputs[0]);
  return graph;
}

}  // namespace

class TestSchedule : public QObject {
  Q_OBJECT
 private slots:
  void orders_data() {
    QTest::addColumn<QString>("policy");
    QTest::addColumn<QString>("expected");
    QTest::newRow("default walks from the sink, producers by node index") << "default" << "a b c e d";
    QTest::newRow("fifo runs what became ready first") << "fifo" << "a b c e d";
    QTest::newRow("priority takes Shape first") << "priority" << "a c b e d";
    QTest::newRow("onnxruntime takes the latest producer first") << "onnxruntime" << "a c e b d";
  }
  void orders() {
    QFETCH(QString, policy);
    QFETCH(QString, expected);
    const Graph graph = diamond();
    const auto plan = schedule::schedule(graph, *schedule::orderPolicyFromName(policy.toStdString()));
    QVERIFY(plan.has_value());
    QCOMPARE(QString::fromStdString(namesOf(graph, *plan)), expected);
    for (size_t step = 0; step < plan->steps.size(); ++step)
      QCOMPARE(plan->stepOfNode[plan->steps[step].node.index()], static_cast<int32_t>(step));
  }

  void depthFirstAndFifoDiffer() {
    // Two chains x -> p1 -> p2 and x -> q1 -> q2: depth first finishes a chain, fifo alternates.
    Graph graph("chains");
    const ValueId x = graph.addInput("x", floatTensor({2}));
    const NodeId p1 = addNode(graph, "p1", {x}, "a");
    const NodeId q1 = addNode(graph, "q1", {x}, "b");
    graph.addOutput(graph.node(addNode(graph, "p2", {graph.node(p1).outputs[0]}, "c")).outputs[0]);
    graph.addOutput(graph.node(addNode(graph, "q2", {graph.node(q1).outputs[0]}, "d")).outputs[0]);
    QCOMPARE(namesOf(graph, *schedule::schedule(graph, schedule::OrderPolicy::kDefault)), std::string("p1 p2 q1 q2"));
    QCOMPARE(namesOf(graph, *schedule::schedule(graph, schedule::OrderPolicy::kFifo)), std::string("p1 q1 p2 q2"));
    // One stack for all sinks: the one pushed last runs first. So does onnxruntime 1.31.1.
    QCOMPARE(namesOf(graph, *schedule::schedule(graph, schedule::OrderPolicy::kOnnxruntime)),
             std::string("q1 q2 p1 p2"));
  }

  void implicitInputsAreEdges() {
    Graph graph("implicit");
    const ValueId x = graph.addInput("x", floatTensor({2}));
    const NodeId branch = addNode(graph, "branch", {x}, "y", "If");
    const NodeId late = addNode(graph, "late", {x}, "captured");
    const ValueId captured[] = {graph.node(late).outputs[0]};
    graph.setImplicitInputs(branch, captured);
    for (const schedule::OrderPolicy policy : {schedule::OrderPolicy::kDefault, schedule::OrderPolicy::kFifo,
                                               schedule::OrderPolicy::kPriority, schedule::OrderPolicy::kOnnxruntime})
      QCOMPARE(namesOf(graph, *schedule::schedule(graph, policy)), std::string("late branch"));
  }

  void cycleIsRefusedByName() {
    Graph graph("cycle");
    const ValueId x = graph.addInput("x", floatTensor({2}));
    addNode(graph, "first", {x, graph.addValue("back")}, "middle", "Add");
    addNode(graph, "second", {graph.findValue("middle")}, "back");
    for (const schedule::OrderPolicy policy :
         {schedule::OrderPolicy::kDefault, schedule::OrderPolicy::kFifo, schedule::OrderPolicy::kOnnxruntime}) {
      const auto plan = schedule::schedule(graph, policy);
      QVERIFY(!plan.has_value());
      QCOMPARE(plan.error().code, ErrorCode::kFail);
      QVERIFY2(!plan.error().where.node.empty(), plan.error().message.c_str());
    }
  }

  void unknownPolicy() { QCOMPARE(schedule::orderPolicyFromName("best").error().code, ErrorCode::kInvalidArgument); }

  void emptyGraph() {
    const Graph graph("empty");
    const auto plan = schedule::schedule(graph, schedule::OrderPolicy::kDefault);
    QVERIFY(plan.has_value());
    QVERIFY(plan->steps.empty());
    QVERIFY(schedule::describeSchedule(graph, *plan, 0).criticalPath.empty());
  }

  void reportKnowsPathAndWidth() {
    const Graph graph = diamond();
    const GraphSchedule report =
        schedule::describeSchedule(graph, *schedule::schedule(graph, schedule::OrderPolicy::kDefault), 3);
    QCOMPARE(report.graph, 3);
    QCOMPARE(report.criticalPath, (std::vector<int32_t>{0, 2, 4, 3}));
    QCOMPARE(report.width, 2);
    QCOMPARE(report.streams.size(), size_t{1});
  }

  void deepChainIsLinear() {
    // 200,000 nodes in one chain: no recursion.
    Graph graph("deep");
    ValueId at = graph.addInput("x", floatTensor({2}));
    for (int i = 0; i < 200000; ++i)
      at = graph.node(addNode(graph, "", {at}, std::to_string(i).c_str())).outputs[0];
    graph.addOutput(at);
    for (const schedule::OrderPolicy policy : {schedule::OrderPolicy::kDefault, schedule::OrderPolicy::kOnnxruntime}) {
      const auto plan = schedule::schedule(graph, policy);
      QVERIFY(plan.has_value());
      QCOMPARE(plan->steps.size(), size_t{200000});
    }
  }
};

QTEST_GUILESS_MAIN(TestSchedule)
#include "tst_schedule.moc"
