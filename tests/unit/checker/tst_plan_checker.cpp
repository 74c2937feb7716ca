// The checker itself: a good plan passes, and a plan that is broken in one place gets the complaint that belongs to it.

#include <QTest>

#include <functional>

#include "tests/checker/plan_checker.h"
#include "tests/checker/test_graphs.h"

using namespace cutaway;

namespace {

struct Plans {
  SequentialExecutionPlan order;
  AllocationPlan allocation;
  MemoryPatternGroup pattern;
};

using Break = std::function<void(const Graph&, Plans&)>;

AllocPlanPerValue& at(const Graph& graph, Plans& plans, const char* name) { return plans.allocation.values[graph.findValue(name).index()]; }

void moveInto(const Graph& graph, Plans& plans, const char* name, const char* buffer) {
  AllocPlanPerValue& value = at(graph, plans, name);
  value.kind = AllocKind::kReuse;
  value.reusedBuffer = graph.findValue(buffer);
  value.root = at(graph, plans, buffer).root;
  for (auto& step : plans.allocation.releasedAfterStep) std::erase(step, graph.findValue(name));
}

}  // namespace

Q_DECLARE_METATYPE(Break)

class TestPlanChecker : public QObject {
  Q_OBJECT
 private slots:
  void brokenPlansAreFound_data() {
    QTest::addColumn<Break>("breakIt");
    QTest::addColumn<QString>("rule");
    const auto row = [](const char* name, const char* rule, Break breakIt) { QTest::newRow(name) << breakIt << rule; };
    row("nothing broken", "", [](const Graph&, Plans&) {});
    row("two steps swapped", "order", [](const Graph&, Plans& plans) { std::swap(plans.order.steps[1], plans.order.steps[2]); });
    row("a node is missing", "order", [](const Graph&, Plans& plans) { plans.order.steps.pop_back(); });
    row("a live buffer is overwritten", "content", [](const Graph& graph, Plans& plans) { moveInto(graph, plans, "D", "B"), moveInto(graph, plans, "C", "B"); });
    row("written over an input without a hint", "in-place", [](const Graph& graph, Plans& plans) { moveInto(graph, plans, "D", "B"); });
    row("a feed is overwritten", "feeds and weights", [](const Graph& graph, Plans& plans) { moveInto(graph, plans, "A", "X"); });
    row("a weight is overwritten", "feeds and weights", [](const Graph& graph, Plans& plans) { moveInto(graph, plans, "A", "W"); });
    row("an output is recycled memory", "outputs", [](const Graph& graph, Plans& plans) { moveInto(graph, plans, "Y", "B"); });
    row("released twice", "release", [](const Graph& graph, Plans& plans) { plans.allocation.releasedAfterStep[4].push_back(graph.findValue("B")); });
    row("never released", "release", [](const Graph&, Plans& plans) { plans.allocation.releasedAfterStep[3].clear(); });
    row("released too early", "release", [](const Graph&, Plans& plans) { std::swap(plans.allocation.releasedAfterStep[3], plans.allocation.releasedAfterStep[2]); });
    row("blocks overlap", "space", [](const Graph& graph, Plans& plans) { plans.pattern.blocks[graph.findValue("D").index()].offset = 256; });
    row("block past the peak", "space", [](const Graph& graph, Plans& plans) { plans.pattern.blocks[graph.findValue("D").index()].offset = 768; });
    row("block not aligned", "space", [](const Graph& graph, Plans& plans) { plans.pattern.blocks[graph.findValue("D").index()].offset = 520; });
    row("counter ends too early", "program counter", [](const Graph& graph, Plans& plans) { at(graph, plans, "B").counter.ends = {2}; });
    row("counter with unequal lists", "program counter", [](const Graph& graph, Plans& plans) { at(graph, plans, "B").counter.ends.push_back(4); });
    row("counter intervals overlap", "program counter", [](const Graph& graph, Plans& plans) { at(graph, plans, "B").counter = {{1, 2}, {2, 3}}; });
    row("chain without an end", "kind", [](const Graph& graph, Plans& plans) { at(graph, plans, "C").reusedBuffer = graph.findValue("C"); });
    row("produced value without a kind", "kind", [](const Graph& graph, Plans& plans) { at(graph, plans, "D").kind = AllocKind::kNotSet; });
    row("buffer on another device", "device", [](const Graph& graph, Plans& plans) { at(graph, plans, "C").device.name = "gpu"; });
  }
  void brokenPlansAreFound() {
    QFETCH(Break, breakIt);
    QFETCH(QString, rule);
    const Graph graph = workedExample();
    const MemoryHints hints = referenceHints(graph);
    Plans plans;
    plans.order = *schedule(graph, OrderPolicy::kDefault);
    plans.allocation = *allocate(graph, plans.order, hints, {});
    plans.pattern = *planPattern(graph, plans.order, plans.allocation, staticSizes(graph));
    breakIt(graph, plans);
    const auto violations = checkPlan({graph, plans.order, plans.allocation, hints, &plans.pattern});
    const std::string text = describeViolations(violations);
    if (rule.isEmpty()) {
      QVERIFY2(violations.empty(), text.c_str());
      return;
    }
    const bool found = std::any_of(violations.begin(), violations.end(), [&](const PlanViolation& violation) { return rule == planRuleName(violation.rule); });
    QVERIFY2(found, fmt::format("expected '{}', got:\n{}", rule.toStdString(), text).c_str());
  }

  void differentSizesAreFound() {
    Graph graph = workedExample();
    const auto order = schedule(graph, OrderPolicy::kDefault);
    const MemoryHints hints = referenceHints(graph);
    const auto allocation = allocate(graph, *order, hints, {});
    graph.mutableValue(graph.findValue("C")).type = floatTensor({8, 2});
    const std::string text = describeViolations(checkPlan({graph, *order, *allocation, hints}));
    QVERIFY2(text.find("size: 'C'") != std::string::npos, text.c_str());
  }
};

QTEST_GUILESS_MAIN(TestPlanChecker)
#include "tst_plan_checker.moc"
