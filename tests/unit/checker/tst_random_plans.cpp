// Property test: on 10,000 random graphs, every order, set of rules, mode and number of workers gives plans that the
// independent checker accepts, the same every time, with the lower bound that the checker counts. Each graph goes
// through every order; modes, workers and bound dimensions rotate, so that each combination meets hundreds of graphs.

#include <array>
#include <cstdio>

#include <QTest>

#include "tests/checker/plan_checker.h"
#include "tests/checker/random_graphs.h"
#include "tests/checker/value_places.h"

using namespace cutaway;

namespace {

struct Mode {
  const char* name;
  allocate::AllocRules rules = allocate::AllocRules::kCutaway;
  bool memoryReuse = true;
  bool inPlace = true;
  bool parts = true;
  bool intoOutputs = true;
};
constexpr std::array<Mode, 7> kModes = {{
    {"cutaway"},
    {"no reuse", allocate::AllocRules::kCutaway, false},
    {"not in place", allocate::AllocRules::kCutaway, true, false},
    {"no parts", allocate::AllocRules::kCutaway, true, true, false},
    {"not into outputs", allocate::AllocRules::kCutaway, true, true, true, false},
    {"onnxruntime", allocate::AllocRules::kOnnxruntime},
    {"onnxruntime, no reuse", allocate::AllocRules::kOnnxruntime, false},
}};
constexpr std::array<schedule::OrderPolicy, 5> kOrders = {
    schedule::OrderPolicy::kDefault, schedule::OrderPolicy::kFifo, schedule::OrderPolicy::kPriority,
    schedule::OrderPolicy::kMemory, schedule::OrderPolicy::kOnnxruntime};
constexpr std::array<int, 3> kWorkers = {1, 2, 4};

struct Wanted {
  schedule::OrderPolicy order = schedule::OrderPolicy::kDefault;
  Mode mode;
  int workers = 1;
  std::map<std::string, int64_t> dims;
};

// Plans a graph and the bodies in it, inner ones first, and has all of them judged.
class Judge {
 public:
  explicit Judge(const Wanted& wanted) : m_wanted(wanted) {}

  // What its pattern needs per device. Where something is wrong, it is in complaints().
  std::vector<pattern::BodyNeed> plan(const Graph& graph, bool isBody, bool isLoopBody) {
    const MemoryHints hints = randomModelHints(graph);
    const std::vector<int64_t> sizes = sizesOf(graph);
    const schedule::ScheduleOptions scheduling{.policy = m_wanted.order,
                                               .hints = hints,
                                               .sizes = sizes,
                                               .durationsNs = {},
                                               .workers = isBody ? 1 : m_wanted.workers};
    const auto order = schedule::schedule(graph, scheduling);
    if (!order) return complain("schedule: " + order.error().message);
    allocate::AllocateOptions allocating;
    allocating.rules = m_wanted.mode.rules;
    allocating.memoryReuse = m_wanted.mode.memoryReuse;
    allocating.inPlace = m_wanted.mode.inPlace;
    allocating.parts = m_wanted.mode.parts;
    allocating.intoOutputs = m_wanted.mode.intoOutputs;
    allocating.isLoopBody = isLoopBody;
    const auto allocation = allocate::allocate(graph, *order, hints, allocating);
    if (!allocation) return complain("allocate: " + allocation.error().message);
    pattern::PatternOptions placing{.effort = 500, .bodyNeeds = bodyNeeds(graph, *order)};
    if (m_wanted.mode.rules == allocate::AllocRules::kOnnxruntime) {
      placing.rules = pattern::PatternRules::kOnnxruntimeCounters;  // the least peak is counted with pauses
      placing.bodyNeeds.clear();                                    // bodies bring memory of their own
    }
    const auto pattern = pattern::planPattern(graph, *order, *allocation, sizes, placing);
    if (!pattern) return complain("pattern: " + pattern.error().message);
    const PlanToCheck subject{.graph = graph,
                              .order = *order,
                              .allocation = *allocation,
                              .hints = hints,
                              .pattern = &*pattern,
                              .isLoopBody = isLoopBody,
                              .rules = m_wanted.mode.rules,
                              .workers = isBody ? 1 : m_wanted.workers,
                              .dims = m_wanted.dims,
                              .bodyNeeds = placing.bodyNeeds};
    judge(subject, schedule::describeSchedule(graph, *order, 0, scheduling));
    remember(subject);
    std::vector<pattern::BodyNeed> needs;
    for (const pattern::MemoryPattern& each : pattern->patterns)
      needs.push_back({each.device, each.peakBytes});
    return needs;
  }

  const std::string& complaints() const { return m_complaints; }
  const std::string& text() const { return m_text; }
  size_t plans() const { return m_plans; }

 private:
  std::vector<pattern::BodyNeed> complain(const std::string& what) {
    m_complaints += what + "\n";
    return {};
  }

  std::vector<int64_t> sizesOf(const Graph& graph) const {
    const ValueSizes sizes(graph, m_wanted.dims, {}, {});
    std::vector<int64_t> result;
    for (size_t value = 0; value < graph.valueSlots(); ++value)
      result.push_back(sizes.planned(value));
    return result;
  }

  // Bodies of one node run one at a time: the largest of each device.
  std::vector<std::pair<int32_t, pattern::BodyNeed>> bodyNeeds(const Graph& graph,
                                                               const schedule::SequentialExecutionPlan& order) {
    std::vector<std::pair<int32_t, pattern::BodyNeed>> needs;
    for (size_t step = 0; step < order.steps.size(); ++step) {
      const Node& node = graph.node(order.steps[step].node);
      std::vector<pattern::BodyNeed> most;
      forEachBody(node, [&](const std::string&, const Graph& body) {
        for (const pattern::BodyNeed& need : plan(body, true, node.opType == "Loop")) {
          const auto found = std::find_if(most.begin(), most.end(),
                                          [&](const pattern::BodyNeed& each) { return each.device == need.device; });
          if (found == most.end()) {
            most.push_back(need);
          } else {
            found->sizeBytes = std::max(found->sizeBytes, need.sizeBytes);
          }
        }
      });
      for (const pattern::BodyNeed& need : most)
        needs.emplace_back(static_cast<int32_t>(step), need);
    }
    return needs;
  }

  void judge(const PlanToCheck& plan, const GraphSchedule& schedule) {
    ++m_plans;
    const std::string violations = describeViolations(checkPlan(plan));
    if (!violations.empty()) std::fputs(drawn(plan).c_str(), stderr);  // longer than a message of Qt Test may be
    m_complaints += violations;
    m_complaints += describeViolations(checkStreams(plan.graph, plan.order, schedule));
    if (!m_complaints.empty()) return;
    for (const GraphPattern& report :
         pattern::describePattern(plan.graph, plan.order, plan.allocation, *plan.pattern, 0)) {
      const auto found =
          std::find_if(plan.pattern->patterns.begin(), plan.pattern->patterns.end(),
                       [&](const pattern::MemoryPattern& each) { return each.device.name == report.device; });
      const int64_t least = found == plan.pattern->patterns.end() ? 0 : leastPeakBytes(plan, found->device);
      if (report.lowerBoundBytes != least || report.peakBytes < least)
        m_complaints += fmt::format("{}: peak {}, lower bound {}, counted {}\n", report.device, report.peakBytes,
                                    report.lowerBoundBytes, least);
    }
  }

  // A line a step, for graphs small enough to be read.
  static std::string drawn(const PlanToCheck& plan) {
    std::string text;
    for (size_t step = 0; step < plan.order.steps.size() && plan.order.steps.size() <= 40; ++step) {
      const Node& node = plan.graph.node(plan.order.steps[step].node);
      const auto name = [&](ValueId value) { return value.valid() ? plan.graph.value(value).name : "-"; };
      text += fmt::format("{}..{} {}", step, plan.order.endStep(step), node.opType);
      for (const ValueId value : node.inputs)
        text += " " + name(value);
      for (const ValueId value : node.implicitInputs)
        text += " [" + name(value) + "]";
      for (const ValueId value : node.outputs) {
        if (!value.valid()) continue;
        const allocate::AllocPlanPerValue& place = plan.allocation.values[value.index()];
        text += fmt::format(" => {}{} {} ({} of {}, {})", plan.graph.value(value).outputCount > 0 ? "OUT " : "",
                            name(value), toText(plan.graph.value(value).type), allocRuleName(place.rule),
                            name(place.reusedBuffer), place.partIndex);
      }
      text += "\n";
    }
    return text;
  }

  // All that was decided, to be compared with the next time.
  void remember(const PlanToCheck& plan) {
    for (size_t step = 0; step < plan.order.steps.size(); ++step)
      m_text += fmt::format("{}/{} ", plan.order.steps[step].node.index(), plan.order.endStep(step));
    for (size_t value = 0; value < plan.graph.valueSlots(); ++value) {
      const allocate::AllocPlanPerValue& place = plan.allocation.values[value];
      m_text += fmt::format("{} {} {} {};", static_cast<int>(place.kind), place.root.valid() ? place.root.index() : 0,
                            place.reason, plan.pattern->blocks[value].offset);
    }
  }

  Wanted m_wanted;
  std::string m_complaints;
  std::string m_text;
  size_t m_plans = 0;
};

constexpr int kSeeds = 10'000;
constexpr int kSeedsPerRow = 500;

}  // namespace

class TestRandomPlans : public QObject {
  Q_OBJECT
 private slots:
  void plansHold_data() {
    QTest::addColumn<int>("firstSeed");
    const int seeds = qEnvironmentVariableIsSet("CUTAWAY_RANDOM_PLANS")
                          ? qEnvironmentVariableIntValue("CUTAWAY_RANDOM_PLANS")
                          : kSeeds;
    for (int seed = 0; seed < seeds; seed += kSeedsPerRow)
      QTest::addRow("seeds from %d", seed) << seed;
  }
  void plansHold() {
    QFETCH(int, firstSeed);
    for (int seed = firstSeed; seed < firstSeed + kSeedsPerRow; ++seed) {
      // Mostly small, where a failure is easy to read; one in fifty up to 300 nodes.
      const auto number = static_cast<size_t>(seed);
      const int nodes = seed % 50 == 0 ? 100 + seed % 201 : 1 + seed % 31;
      const RandomModel model = randomModel(number, nodes);
      for (size_t i = 0; i < kOrders.size(); ++i) {
        const size_t turn = number * kOrders.size() + i * 5;
        Wanted wanted{kOrders[i], kModes[turn % kModes.size()], kWorkers[turn / kModes.size() % kWorkers.size()], {}};
        if (turn / 3 % 2 == 0) wanted.dims = model.dims;
        Judge judge(wanted);
        judge.plan(model.graph, false, false);
        QVERIFY2(judge.complaints().empty(), fmt::format("seed {}, {} nodes, order {}, {}, {} workers, dims {}:\n{}",
                                                         seed, nodes, i, wanted.mode.name, wanted.workers,
                                                         wanted.dims.empty() ? "open" : "bound", judge.complaints())
                                                 .c_str());
        m_plans += judge.plans();
        if (i != number % kOrders.size()) continue;
        Judge again(wanted);
        again.plan(model.graph, false, false);
        QVERIFY2(judge.text() == again.text(), fmt::format("seed {}: planned twice, the plans differ", seed).c_str());
      }
    }
  }
  void cleanupTestCase() { qInfo("%zu plans judged", m_plans); }

 private:
  size_t m_plans = 0;
};

QTEST_GUILESS_MAIN(TestRandomPlans)
#include "tst_random_plans.moc"
