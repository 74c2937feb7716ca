// Plans in variants, bodies in the pattern of the graph around them, the memory order beside the default order, and
// patterns for given symbols.

#include <QtTest/QtTest>

#include "engine/graph/text.h"
#include "engine/plan/plan_walk.h"
#include "engine/plan/shape_plan.h"
#include "tests/checker/test_graphs.h"
#include "tests/unit/engine/session/text_session.h"

using namespace cutaway;

namespace {

const std::map<std::string, CompiledNode> kNothingCompiled;
using Providers = std::vector<std::unique_ptr<ExecutionProvider>>;

struct Plans {
  explicit Plans(const Model& model) : walk(model) {}
  Result<void> make(const PlanOptions& options, const Progress& progress = Progress()) {
    const Providers none;
    CUTAWAY_TRY(schedule, walk.schedule(options, none, kNothingCompiled, progress));
    CUTAWAY_TRY(allocate, walk.allocate(options, progress));
    CUTAWAY_TRY(pattern, walk.pattern(options, progress));
    return {};
  }
  PlanWalk walk;
  ScheduleReport schedule;
  AllocateReport allocate;
  PatternReport pattern;
};

Model randomModel(uint64_t seed, int nodes, bool symbolic = false) {
  Model model;
  model.graph = randomGraph({.seed = seed, .nodes = nodes, .symbolicDims = symbolic});
  return model;
}

// The main graph planned in one way, as the options say.
int64_t plainPeak(const PlannedGraph& planned) {
  const MemoryHints hints = [](NodeId) { return NodeMemoryHints{}; };
  const auto sizes = staticSizes(*planned.graph);
  AllocateOptions options;
  options.parts = options.intoOutputs = false;
  const auto plan = planBestVariant({*planned.graph, planned.order, hints, options, {}, sizes, false});
  return plan ? plan->peakBytes : -1;
}

constexpr const char* kBranches = R"(<ir_version: 8, opset_import: ["" : 17]>
  g (bool flag, float[1024] x) => (float[1024] y) {
    [n] a = Neg (x)
    [i] b = If <then_branch = yes () => (float[1024] p) { [e] q = Exp (a) [c] r = Concat <axis = 0> (q, q) [s] s = ReduceSum <keepdims = 1> (r) [m] p = Mul (s, a) },
                else_branch = no () => (float[1024] z) { [t] z = Tanh (a) }> (flag)
    [o] y = Neg (b) })";

}  // namespace

class TestPlanWalk : public QObject {
  Q_OBJECT
 private slots:
  void variantsAreNeverLargerThanOnePlan() {
    for (uint64_t seed = 1; seed <= 20; ++seed) {
      const Model model = randomModel(seed, 60);
      Plans plans(model);
      QVERIFY(plans.make({}).has_value());
      const int64_t alone = plainPeak(plans.walk.graphs()[0]);
      QVERIFY(plans.pattern.peakBytes <= alone);
      QVERIFY(plans.pattern.lowerBoundBytes <= plans.pattern.peakBytes);
      Plans again(model);
      QVERIFY(again.make({}).has_value());
      QCOMPARE(again.pattern.peakBytes, plans.pattern.peakBytes);
      QCOMPARE(again.allocate.note, plans.allocate.note);
      QVERIFY(plans.schedule.timeNs >= 0 && plans.allocate.timeNs >= 0 && plans.pattern.timeNs > 0);
    }
  }

  void referenceRulesAreNotVaried() {
    const Model model = randomModel(5, 80);
    Plans plans(model);
    QVERIFY(plans.make({.order = "memory", .rules = AllocRules::kReference}).has_value());
    QCOMPARE(plans.allocate.rules, std::string("reference"));
    QVERIFY(plans.allocate.note.empty());
    for (const GraphPattern& graph : plans.pattern.graphs) {
      QVERIFY(graph.strategies.size() <= 1);
      for (const StrategyResult& strategy : graph.strategies)
        QCOMPARE(strategy.name, std::string("best fit by time"));
    }
  }

  void memoryOrderIsNeverLarger() {
    int smaller = 0;
    for (uint64_t seed = 1; seed <= 10; ++seed) {
      const Model model = randomModel(seed, 50);
      Plans byDefault(model), byMemory(model);
      QVERIFY(byDefault.make({}).has_value());
      QVERIFY(byMemory.make({.order = "memory"}).has_value());
      QVERIFY(byMemory.pattern.peakBytes <= byDefault.pattern.peakBytes);
      QVERIFY(!byMemory.schedule.note.empty());
      if (byMemory.pattern.peakBytes < byDefault.pattern.peakBytes) ++smaller;
    }
    QVERIFY(smaller > 0);
  }

  void bodiesArePartOfTheOuterPattern() {
    SessionOptions options;
    options.optimizationLevel = 0;
    options.prepareRun = false;
    const auto session = textSession(kBranches, options);
    QVERIFY2(session, why(session).c_str());
    const auto walk = (*session)->report();
    const PatternReport& report = *walk->pattern;
    const GraphPattern& main = report.graphs.front();
    int64_t largestBody = 0;
    for (const GraphPattern& graph : report.graphs) {
      if (graph.graph != main.graph) largestBody = std::max(largestBody, graph.peakBytes);
    }
    QVERIFY(largestBody > 0);
    const auto workspace = std::find_if(main.blocks.begin(), main.blocks.end(),
                                        [](const PatternBlock& block) { return block.value == kNone; });
    QVERIFY(workspace != main.blocks.end());
    QCOMPARE(workspace->neededBytes, largestBody);
    QCOMPARE(walk->partitionedGraphs->graphs[0].nodes[static_cast<size_t>(workspace->node)].opType, std::string("If"));
    QCOMPARE(workspace->firstStep, workspace->lastStep);
    // a (kept for the body), what the body needs, and the node's result at once.
    QCOMPARE(main.peakBytes, 4096 + largestBody + 4096);
    const auto part =
        std::find_if(main.peak.begin(), main.peak.end(), [](const PeakPart& each) { return each.value == kNone; });
    QVERIFY(part != main.peak.end());
    QCOMPARE(part->producer, workspace->node);
    QCOMPARE(part->savesBytes, largestBody);
    QVERIFY(planViolations(kBranches, options).empty());
  }

  void switchedOffPatternSaysSo() {
    const Model model = randomModel(3, 20);
    Plans plans(model);
    QVERIFY(plans.make({.memoryPattern = false}).has_value());
    QVERIFY(!plans.pattern.eligible);
    QVERIFY(!plans.pattern.reason.empty());
  }

  void dimsGiveSizes() {
    const Model model = randomModel(4, 60, true);
    Plans open(model), bound(model);
    QVERIFY(open.make({}).has_value());
    QVERIFY(bound.make({.dims = {{"batch", 512}, {"length", 512}}}).has_value());
    QVERIFY(!open.pattern.graphs[0].unplanned.empty());
    QVERIFY(bound.pattern.graphs[0].unplanned.empty());
    QVERIFY(bound.pattern.peakBytes > open.pattern.peakBytes);
  }

  void patternsForShapes() {
    const Model model = randomModel(4, 60, true);
    Plans plans(model);
    QVERIFY(plans.make({}).has_value());
    const PlannedGraph& main = plans.walk.graphs()[0];
    const GraphSizes sizes(*main.graph);
    int64_t before = 0;
    for (const int64_t batch : {1, 8, 64}) {
      const auto plan =
          planForShapes(main, plans.walk.graphs(), {{"batch", batch}, {"length", batch}}, nullptr, {.sizes = &sizes});
      QVERIFY(plan.has_value());
      QVERIFY(plan->complete);
      QVERIFY(plan->lowerBoundBytes <= plan->peakBytes);
      QVERIFY(plan->peakBytes > before);
      before = plan->peakBytes;
    }
    const auto half = planForShapes(main, plans.walk.graphs(), {{"batch", 8}}, nullptr);
    QVERIFY(!half->complete);
    // What formulas do not tell was seen in a run.
    const std::vector<int64_t> traced = sizes.under({{"batch", 8}, {"length", 4}});
    const auto whole = planForShapes(main, plans.walk.graphs(), {{"batch", 8}}, &traced);
    QVERIFY(whole->complete);
    QVERIFY(whole->peakBytes >= half->peakBytes);
  }

  void expressionsOfSymbols() {
    Model model;
    const ValueId x =
        model.graph.addInput("x", ValueType::tensor(ElementType::kFloat, Shape{Dim("past + seq"), Dim(4)}));
    model.graph.addOutput(x);
    const GraphSizes sizes(model.graph);
    QCOMPARE(sizes.under({{"past", 2}, {"seq", 3}})[x.index()], int64_t{80});
    QCOMPARE(sizes.underAll(1)[x.index()], int64_t{32});
    QCOMPARE(sizes.under({})[x.index()], int64_t{-1});
  }

  void cancelled() {
    const Model model = randomModel(1, 30);
    Progress progress;
    progress.token().cancel();
    Plans plans(model);
    QCOMPARE(plans.make({}, progress).error().code, ErrorCode::kModelLoadCanceled);
  }
};

QTEST_GUILESS_MAIN(TestPlanWalk)
#include "tst_plan_walk.moc"
