// The memory order and the model of live bytes that it minimises.

#include <map>

#include <QTest>

#include "engine/graph/text.h"
#include "engine/stages/pattern/pattern.h"
#include "engine/stages/schedule/live_memory.h"
#include "engine/stages/schedule/schedule.h"
#include "tests/checker/plan_checker.h"
#include "tests/checker/test_graphs.h"

using namespace cutaway;

namespace {

std::string namesOf(const Graph& graph, const schedule::SequentialExecutionPlan& plan) {
  std::string text;
  for (const schedule::ExecutionStep& step : plan.steps)
    text += (text.empty() ? "" : " ") + graph.node(step.node).name;
  return text;
}

NodeId addNode(Graph& graph, const char* name, std::initializer_list<ValueId> inputs, const char* opType,
               ValueType type) {
  Node node;
  node.name = name;
  node.opType = opType;
  const NodeId id = graph.addNode(std::move(node), inputs, {fmt::format("{}.y", name)});
  graph.mutableValue(graph.node(id).outputs[0]).type = std::move(type);
  return id;
}
ValueId out(const Graph& graph, NodeId node) {
  return graph.node(node).outputs[0];
}

std::vector<uint32_t> orderOf(const schedule::SequentialExecutionPlan& plan) {
  std::vector<uint32_t> order;
  for (const schedule::ExecutionStep& step : plan.steps)
    order.push_back(static_cast<uint32_t>(step.node.index()));
  return order;
}

int64_t peakOf(const Graph& graph, schedule::OrderPolicy policy, const MemoryHints& hints) {
  const auto plan = schedule::schedule(
      graph, schedule::ScheduleOptions{
                 .policy = policy, .hints = hints, .sizes = pattern::staticSizes(graph), .durationsNs = {}});
  if (!plan) return -1;
  const auto sizes = pattern::staticSizes(graph);
  return schedule::OrderMemory::of(schedule::LiveMemory(graph, hints, sizes), orderOf(*plan)).peakBytes;
}

// x opens two branches: the first leaves a large value behind, the second needs much and leaves little. Depth first by
// node index runs them the wrong way round.
Graph wrongWayRound() {
  Graph graph("branches");
  const ValueId x = graph.addInput("x", floatTensor({1}));
  const NodeId keep = addNode(graph, "keep", {x}, "MatMul", floatTensor({1000}));
  const NodeId wide = addNode(graph, "wide", {x}, "MatMul", floatTensor({4000}));
  const NodeId small = addNode(graph, "small", {out(graph, wide)}, "ReduceSum", floatTensor({1}));
  const NodeId both = addNode(graph, "both", {out(graph, keep), out(graph, small)}, "Concat", floatTensor({1001}));
  graph.addOutput(out(graph, both));
  return graph;
}

}  // namespace

class TestMemoryOrder : public QObject {
  Q_OBJECT
 private slots:
  void runsTheHungryBranchFirst() {
    const Graph graph = wrongWayRound();
    const MemoryHints none = referenceHints(graph);
    QCOMPARE(namesOf(graph, *schedule::schedule(graph, schedule::OrderPolicy::kDefault)),
             std::string("keep wide small both"));
    const auto plan = schedule::schedule(graph, schedule::ScheduleOptions{.policy = schedule::OrderPolicy::kMemory,
                                                                          .hints = none,
                                                                          .sizes = pattern::staticSizes(graph),
                                                                          .durationsNs = {}});
    QVERIFY(plan.has_value());
    QCOMPARE(namesOf(graph, *plan), std::string("wide small keep both"));
    QCOMPARE(peakOf(graph, schedule::OrderPolicy::kDefault, none), int64_t{4 * (1000 + 4000 + 1)});
    QCOMPARE(peakOf(graph, schedule::OrderPolicy::kMemory, none), int64_t{4 * (4000 + 1)});
  }

  void liveBytesOfTheWorkedExample() {
    const Graph graph = workedExample();
    const auto plan = schedule::schedule(graph, schedule::OrderPolicy::kDefault);
    const auto sizes = pattern::staticSizes(graph);
    // Values of 64 bytes. The reference's declarations: A | A B | B C | B C D | D; with in-place Add D takes C's bytes.
    // Y is the caller's.
    QCOMPARE(
        schedule::OrderMemory::of(schedule::LiveMemory(graph, referenceHints(graph), sizes), orderOf(*plan), true).live,
        (std::vector<int64_t>{64, 128, 128, 192, 64}));
    QCOMPARE(
        schedule::OrderMemory::of(schedule::LiveMemory(graph, cutawayHints(graph), sizes), orderOf(*plan), true).live,
        (std::vector<int64_t>{64, 128, 128, 128, 64}));
  }

  void neverWorseThanDefaultAndAlwaysValid() {
    for (uint64_t seed = 1; seed <= 300; ++seed) {
      const Graph graph = randomGraph({.seed = seed, .nodes = static_cast<int>(5 + seed % 120)});
      const MemoryHints hints = cutawayHints(graph);
      const int64_t standard = peakOf(graph, schedule::OrderPolicy::kDefault, hints),
                    memory = peakOf(graph, schedule::OrderPolicy::kMemory, hints);
      QVERIFY2(memory >= 0 && memory <= standard,
               qPrintable(QString("seed %1: %2 against %3").arg(seed).arg(memory).arg(standard)));
      const schedule::ScheduleOptions options{.policy = schedule::OrderPolicy::kMemory,
                                              .hints = hints,
                                              .sizes = pattern::staticSizes(graph),
                                              .durationsNs = {}};
      const auto plan = schedule::schedule(graph, options);
      const auto again = schedule::schedule(graph, options);
      QCOMPARE(namesOf(graph, *plan), namesOf(graph, *again));
      const auto allocation = allocate::allocate(graph, *plan, hints, {});
      QVERIFY(allocation.has_value());
      const auto complaints = checkPlan({graph, *plan, *allocation, hints});
      QVERIFY2(complaints.empty(), describeViolations(complaints).c_str());
    }
  }

  void unknownSizesStillOrder() {
    const Graph graph = randomGraph({.seed = 5, .nodes = 60, .symbolicDims = true, .unusualTypes = true});
    const auto plan = schedule::schedule(graph, schedule::ScheduleOptions{.policy = schedule::OrderPolicy::kMemory,
                                                                          .hints = cutawayHints(graph),
                                                                          .sizes = pattern::staticSizes(graph),
                                                                          .durationsNs = {}});
    QVERIFY(plan.has_value());
    QCOMPARE(plan->steps.size(), graph.nodeCount());
    QCOMPARE(
        schedule::describeSchedule(
            graph, *plan, 0, {.hints = cutawayHints(graph), .sizes = pattern::staticSizes(graph), .durationsNs = {}})
            .peakBytes,
        int64_t{-1});
  }

  void cancelIsHeard() {
    CancelToken token;
    token.cancel();
    const Progress progress(token);
    const Graph graph = randomGraph({.seed = 5, .nodes = 60});
    const auto plan = schedule::schedule(graph, schedule::ScheduleOptions{.policy = schedule::OrderPolicy::kMemory,
                                                                          .hints = {},
                                                                          .sizes = {},
                                                                          .durationsNs = {},
                                                                          .progress = &progress});
    QVERIFY(!plan.has_value());
    QCOMPARE(plan.error().code, ErrorCode::kModelLoadCanceled);
  }
};

QTEST_GUILESS_MAIN(TestMemoryOrder)
#include "tst_memory_order.moc"
