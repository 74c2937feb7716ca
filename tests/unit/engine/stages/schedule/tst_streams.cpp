// Streams with their commands, plans for several workers, critical path and slack.

#include <QTest>

#include "engine/stages/schedule/schedule.h"
#include "tests/checker/test_graphs.h"

using namespace cutaway;

namespace {

NodeId addNode(Graph& graph, const char* name, std::initializer_list<ValueId> inputs, const char* opType = "Relu",
               const char* provider = "cpu") {
  Node node;
  node.name = name;
  node.opType = opType;
  node.provider = provider;
  const NodeId id = graph.addNode(std::move(node), inputs, {fmt::format("{}.y", name)});
  graph.mutableValue(graph.node(id).outputs[0]).type = floatTensor({8});
  return id;
}
ValueId out(const Graph& graph, NodeId node) {
  return graph.node(node).outputs[0];
}

MemoryHints deviceHints(const Graph& graph) {
  return [&graph](NodeId id) {
    NodeMemoryHints hints;
    if (graph.node(id).provider == "gpu") hints.device = Device{DeviceType::kSimulated, 0, "gpu"};
    return hints;
  };
}

std::string textOf(const StreamReport& stream) {
  std::string text;
  for (const StreamCommand& command : stream.commands) {
    text += fmt::format("{}{}({}{})", text.empty() ? "" : " ", streamCommandName(command.kind), command.step,
                        command.notification == kNone ? "" : fmt::format(",{}", command.notification));
  }
  return text;
}

// x -> a -> b1 -> b2 -> join; a -> c -> join; b is the longer branch.
Graph twoBranches() {
  Graph graph("branches");
  const ValueId x = graph.addInput("x", floatTensor({8}));
  const NodeId a = addNode(graph, "a", {x});
  const NodeId b1 = addNode(graph, "b1", {out(graph, a)});
  const NodeId c = addNode(graph, "c", {out(graph, a)});
  const NodeId b2 = addNode(graph, "b2", {out(graph, b1)});
  const NodeId join = addNode(graph, "join", {out(graph, b2), out(graph, c)}, "Add");
  graph.addOutput(out(graph, join));
  return graph;
}

}  // namespace

class TestStreams : public QObject {
  Q_OBJECT
 private slots:
  void oneDeviceNeedsNoCommandsButLaunches() {
    const Graph graph = twoBranches();
    const auto plan = schedule::schedule(
        graph, schedule::ScheduleOptions{.hints = deviceHints(graph), .sizes = {}, .durationsNs = {}});
    const GraphSchedule report =
        schedule::describeSchedule(graph, *plan, 0, {.hints = deviceHints(graph), .sizes = {}, .durationsNs = {}});
    QCOMPARE(report.streamPlans.size(), size_t{1});
    QCOMPARE(textOf(report.streamPlans[0]),
             std::string("LaunchKernel(0) LaunchKernel(1) LaunchKernel(2) LaunchKernel(3) LaunchKernel(4)"));
  }

  void crossingStreamsWaits() {
    // cpu: first, last; gpu: middle, shape reader on cpu reads no data.
    Graph graph("cross");
    const ValueId x = graph.addInput("x", floatTensor({8}));
    const NodeId first = addNode(graph, "first", {x});
    const NodeId middle = addNode(graph, "middle", {out(graph, first)}, "Relu", "gpu");
    const NodeId shape = addNode(graph, "shape", {out(graph, middle)}, "Shape");
    const NodeId last = addNode(graph, "last", {out(graph, middle), out(graph, shape)}, "Add");
    graph.addOutput(out(graph, last));
    const schedule::ScheduleOptions options{.hints = deviceHints(graph), .sizes = {}, .durationsNs = {}};
    const auto plan = schedule::schedule(graph, options);
    const GraphSchedule report = schedule::describeSchedule(graph, *plan, 0, options);
    QCOMPARE(report.streams, (std::vector<std::string>{"cpu", "gpu"}));
    // first and middle are on different streams: a barrier alone, because the CPU is done when it is done. middle ->
    // shape: a barrier, no notification (its data is not read).
    QCOMPARE(textOf(report.streamPlans[1]), std::string("Barrier(1,0) LaunchKernel(1) TriggerDownstream(1,1)"));
    QCOMPARE(textOf(report.streamPlans[0]),
             std::string("LaunchKernel(0) TriggerDownstream(0,0) Barrier(2,1) LaunchKernel(2) LaunchKernel(3)"));
  }

  void dataFromADeviceNotifies() {
    Graph graph("notify");
    const ValueId x = graph.addInput("x", floatTensor({8}));
    const NodeId made = addNode(graph, "made", {x}, "Relu", "gpu");
    const NodeId used = addNode(graph, "used", {out(graph, made)});
    const NodeId again = addNode(graph, "again", {out(graph, made), out(graph, used)}, "Add");
    graph.addOutput(out(graph, again));
    const schedule::ScheduleOptions options{.hints = deviceHints(graph), .sizes = {}, .durationsNs = {}};
    const GraphSchedule report = schedule::describeSchedule(graph, *schedule::schedule(graph, options), 0, options);
    QCOMPARE(textOf(report.streamPlans[0]),
             std::string("LaunchKernel(0) ActivateNotification(0,0) TriggerDownstream(0,0)"));
    QCOMPARE(textOf(report.streamPlans[1]), std::string("Barrier(1,0) WaitOnEP(1,0) LaunchKernel(1) LaunchKernel(2)"));
  }

  void slackAndCriticalPath() {
    const Graph graph = twoBranches();
    const std::vector<int64_t> durations{10, 20, 5, 30, 1};
    const schedule::ScheduleOptions options{.hints = {}, .sizes = {}, .durationsNs = durations};
    const GraphSchedule report = schedule::describeSchedule(graph, *schedule::schedule(graph, options), 0, options);
    QCOMPARE(report.costUnit, std::string("ns"));
    QCOMPARE(report.criticalPathCost, int64_t{61});
    QCOMPARE(report.totalCost, int64_t{66});
    QCOMPARE(report.criticalPath, (std::vector<int32_t>{0, 1, 3, 4}));
    for (const ScheduleStep& step : report.steps)
      QCOMPARE(step.slack, step.node == 2 ? int64_t{45} : int64_t{0});
  }

  void workersOverlap() {
    const Graph graph = twoBranches();
    const schedule::ScheduleOptions options{.hints = {}, .sizes = {}, .durationsNs = {10, 20, 5, 30, 1}, .workers = 2};
    const auto plan = schedule::schedule(graph, options);
    QVERIFY(plan.has_value());
    std::string names;
    for (const schedule::ExecutionStep& step : plan->steps)
      names += graph.node(step.node).name + " ";
    QCOMPARE(names, std::string("a b1 c b2 join "));
    QCOMPARE(plan->workerOfStep, (std::vector<int32_t>{0, 0, 1, 0, 0}));
    // b1 runs while c starts; c has ended before b2 starts.
    QCOMPARE(plan->endOfStep, (std::vector<int32_t>{0, 2, 2, 3, 4}));
  }

  void workersNeverBreakTheOrder() {
    for (uint64_t seed = 1; seed <= 200; ++seed) {
      const Graph graph = randomGraph({.seed = seed, .nodes = static_cast<int>(5 + seed % 90)});
      const auto plan = schedule::schedule(
          graph, schedule::ScheduleOptions{
                     .hints = {}, .sizes = {}, .durationsNs = {}, .workers = static_cast<int>(2 + seed % 3)});
      QVERIFY(plan.has_value());
      QCOMPARE(plan->steps.size(), graph.nodeCount());
      for (size_t step = 0; step < plan->steps.size(); ++step) {
        QVERIFY(plan->endStep(step) >= static_cast<int32_t>(step));
        for (ValueId value : graph.node(plan->steps[step].node).inputs) {
          if (!value.valid() || !graph.value(value).producer.valid()) continue;
          const auto producer = static_cast<size_t>(plan->stepOfNode[graph.value(value).producer.index()]);
          QVERIFY2(plan->endStep(producer) < static_cast<int32_t>(step),
                   "a reader starts before what it reads is made");
        }
      }
    }
  }
};

QTEST_GUILESS_MAIN(TestStreams)
#include "tst_streams.moc"
