// Costs in every state of the model a walk publishes: parallel to the graphs, worked out by hand, sums of groups and
// functions.
#include <nlohmann/json.hpp>

#include <QtTest/QtTest>

#include "engine/base/clock.h"
#include "engine/base/format.h"
#include "engine/graph/text.h"
#include "engine/plan/graph_costs.h"
#include "engine/report/json_costs.h"
#include "engine/stages/resolve/resolve.h"
#include "tests/unit/engine/session/text_session.h"

using namespace cutaway;

namespace {

constexpr const char* kBranch = R"(<ir_version: 8, opset_import: ["" : 17]>
main (float[2,4] x, bool b) => (float[2,3] y, float[2,3] q) <float[4,3] w = {1,0,0,1,1,0,0,1,1,1,1,1}, int64[2] shape = {2, 3}> {
  [product] p = MatMul (x, w)
  [sum] s = Add (p, p)
  [turn] y = Reshape (s, shape)
  [branch] q = If <then_branch = t () => (r) { [inner] r = MatMul (x, w) }, else_branch = e () => (o) <float[2,3] own = {1,2,3,4,5,6}> { [other] o = Add (own, s) }> (b)
})";

constexpr const char* kFunctions = R"(<ir_version: 8, opset_import: ["" : 17, "my" : 1]>
main (float[2,4] x, float[n,4] open) => (z, u, v) <float[4,4] w = {1,0,0,1,1,0,0,1,1,1,1,1,1,1,1,1}> {
  [one] y = my.Twice (x, w)
  [two] z = my.Twice (y, w)
  [unknown] u = my.Twice (open, w)
  [nobody] v = your.Thing (x)
}
<domain: "my", opset_import: ["" : 17, "my" : 1]>
Twice (a, b) => (c) { m = my.Once (a, b)  c = my.Once (m, b) }
<domain: "my", opset_import: ["" : 17, "my" : 1]>
Once (a, b) => (c) { c = MatMul (a, b) })";

Model resolved(const std::string& text) {
  auto model = parseModelText(text);
  if (!model) qFatal("%s", describe(model.error()).c_str());
  Progress progress;
  const auto report = resolve::resolve(*model, {}, progress);
  if (!report) qFatal("%s", describe(report.error()).c_str());
  return *std::move(model);
}

const NodeFigures& figures(const CostReport& costs, const ModelGraphs& graphs, const char* node) {
  for (size_t g = 0; g < graphs.graphs.size(); ++g)
    for (size_t n = 0; n < graphs.graphs[g].nodes.size(); ++n)
      if (graphs.graphs[g].nodes[n].name == node) return costs.graphs[g].nodes[n];
  qFatal("no node %s", node);
}

void compareShape(const CostReport& costs, const ModelGraphs& graphs) {
  QCOMPARE(costs.graphs.size(), graphs.graphs.size());
  for (size_t i = 0; i < graphs.graphs.size(); ++i)
    QCOMPARE(costs.graphs[i].nodes.size(), graphs.graphs[i].nodes.size());
}

}  // namespace

class TestGraphCosts : public QObject {
  Q_OBJECT

 private slots:
  void figuresByHand() {
    const Model model = resolved(kBranch);
    const ModelGraphs graphs = resolve::describeGraphs(model);
    const CostReport costs = plan::costsOf(model, graphs);
    compareShape(costs, graphs);
    const NodeFigures& product = figures(costs, graphs, "product");
    QCOMPARE(product.flops, int64_t(2 * 2 * 4 * 3));
    QCOMPARE(product.movedBytes, int64_t(8 * 4 + 6 * 4));
    QCOMPARE(product.weightBytes, int64_t(48));
    QCOMPARE(product.parameters, int64_t(12));
    QCOMPARE(figures(costs, graphs, "turn").parameters, int64_t(0));  // int64 is no parameter
    QCOMPARE(figures(costs, graphs, "turn").weightBytes, int64_t(16));
    // A body reads the weight of the graph around it, and its own.
    QCOMPARE(figures(costs, graphs, "inner").parameters, int64_t(12));
    QCOMPARE(figures(costs, graphs, "other").parameters, int64_t(6));
    QCOMPARE(figures(costs, graphs, "other").flops, int64_t(6));
    const GraphCosts& main = costs.graphs[0];
    QCOMPARE(main.total.parameters, int64_t(12));
    QCOMPARE(main.total.weightBytes, int64_t(48 + 16));
    QCOMPARE(main.total.flops, int64_t(48 + 6));
  }

  void functionsCostTheirBodies() {
    const Model model = resolved(kFunctions);
    const ModelGraphs graphs = resolve::describeGraphs(model);
    const CostReport costs = plan::costsOf(model, graphs);
    compareShape(costs, graphs);
    QCOMPARE(figures(costs, graphs, "one").flops, int64_t(2 * 2 * 2 * 4 * 4));
    QCOMPARE(figures(costs, graphs, "one").parameters, int64_t(16));
    QCOMPARE(figures(costs, graphs, "unknown").flops, int64_t(-1));
    QCOMPARE(figures(costs, graphs, "nobody").flops, int64_t(-1));
    QVERIFY(costs.graphs[0].unknownNodes >= 2);
  }

  // Quantised weights are parameters: a quantised model has as many as the one it was made of.
  void quantisedWeightsAreParameters() {
    const Model model = resolved(R"(<ir_version: 10, opset_import: ["" : 21]>
main (float[2] x) => (float[2] y) <int8[2] w = {1, 2}, float scale = {0.5}, int8 zero = {0}> {
  [back] d = DequantizeLinear (w, scale, zero)  [sum] y = Add (x, d) })");
    const ModelGraphs graphs = resolve::describeGraphs(model);
    const CostReport costs = plan::costsOf(model, graphs);
    QCOMPARE(figures(costs, graphs, "back").parameters, int64_t(4));
    QCOMPARE(costs.graphs[0].total.parameters, int64_t(4));
  }

  void everySnapshotHasThem() {
    const auto session = textSession(kBranch);
    QVERIFY2(session.has_value(), why(session).c_str());
    const WalkReport& walk = *(*session)->report();
    QVERIFY(walk.loadedCosts && walk.optimizedCosts && walk.partitionedCosts);
    compareShape(*walk.loadedCosts, *walk.loadedGraphs);
    compareShape(*walk.optimizedCosts, *walk.optimizedGraphs);
    compareShape(*walk.partitionedCosts, *walk.partitionedGraphs);
    QCOMPARE(walk.partitionedCosts->graphs[0].total.flops, walk.optimizedCosts->graphs[0].total.flops);
    QCOMPARE(walk.partitionedCosts->graphs[0].total.parameters, int64_t(12));
  }

  void groupsAreSums() {
    ModelGraphs asked = resolve::describeGraphs(resolved(kBranch));
    PartitionReport report;
    const CostReport loaded = plan::costsOf(resolved(kBranch), asked);
    for (size_t g = 0; g < asked.graphs.size(); ++g)
      for (size_t n = 0; n < asked.graphs[g].nodes.size(); ++n)
        report.nodes.push_back({.graph = int32_t(g),
                                .node = int32_t(n),
                                .provider = "p",
                                .flops = loaded.graphs[g].nodes[n].flops,
                                .movedBytes = loaded.graphs[g].nodes[n].movedBytes});
    const CostReport askedCosts = plan::costsOfAsked(asked, report);
    report.groups = {{.provider = "p", .name = "fused", .graph = 0, .compiled = true, .nodes = {0, 1}},
                     {.provider = "p", .name = "bad", .graph = 7, .compiled = true, .nodes = {0}}};
    const Model fused = resolved(R"(<ir_version: 8, opset_import: ["" : 17, "p" : 1]>
main (float[2,4] x) => (float[2,3] y) <int64[2] shape = {2, 3}, float[2,3] s> { [fused] s = p.Group (x)  [turn] y = Reshape (s, shape) })");
    const ModelGraphs partitioned = resolve::describeGraphs(fused);
    const CostReport costs = plan::costsOfPartitioned(fused, partitioned, asked, askedCosts, report);
    QCOMPARE(figures(costs, partitioned, "fused").flops, int64_t(48 + 6));
    QCOMPARE(figures(costs, partitioned, "fused").parameters, int64_t(12));
    QCOMPARE(figures(costs, partitioned, "fused").movedBytes, int64_t(32 + 24));
    QCOMPARE(costs.graphs[0].total.parameters, int64_t(12));
    QCOMPARE(costs.graphs[0].total.weightBytes, int64_t(48 + 16));
  }

  // A weight that two groups and a node outside read is one weight.
  void sharedWeightsCountOnce() {
    const Model loaded = resolved(R"(<ir_version: 8, opset_import: ["" : 17]>
main (float[4] x) => (float[4] z) <float[4] w = {1,2,3,4}, float[4] inner = {1,1,1,1}> {
  [a] p = Add (x, w)  [b] q = Mul (p, inner)  [c] r = Add (q, w)  [d] s = Mul (r, inner)  [e] z = Add (s, w) })");
    const ModelGraphs asked = resolve::describeGraphs(loaded);
    const CostReport askedCosts = plan::costsOf(loaded, asked);
    PartitionReport report;
    report.groups = {{.provider = "p", .name = "first", .graph = 0, .compiled = true, .nodes = {0, 1}},
                     {.provider = "p", .name = "second", .graph = 0, .compiled = true, .nodes = {2, 3}}};
    const Model fused = resolved(R"(<ir_version: 8, opset_import: ["" : 17, "p" : 1]>
main (float[4] x) => (float[4] z) <float[4] w = {1,2,3,4}> {
  [first] q = p.Group (x)  [second] s = p.Group (q)  [e] z = Add (s, w) })");
    const ModelGraphs partitioned = resolve::describeGraphs(fused);
    const CostReport costs = plan::costsOfPartitioned(fused, partitioned, asked, askedCosts, report);
    QCOMPARE(figures(costs, partitioned, "first").parameters, int64_t(8));
    QCOMPARE(figures(costs, partitioned, "second").weightBytes, int64_t(32));
    QCOMPARE(costs.graphs[0].total.parameters, askedCosts.graphs[0].total.parameters);
    QCOMPARE(costs.graphs[0].total.weightBytes, askedCosts.graphs[0].total.weightBytes);
  }

  void json() {
    const Model model = resolved(kBranch);
    const CostReport costs = plan::costsOf(model, resolve::describeGraphs(model));
    const nlohmann::json whole = costsToJson(costs, true);
    QCOMPARE(whole.size(), costs.graphs.size());
    QCOMPARE(whole[0]["total"]["parameters"].get<int64_t>(), int64_t(12));
    QCOMPARE(whole[0]["flops"].size(), costs.graphs[0].nodes.size());
    QVERIFY(!costsToJson(costs, false)[0].contains("flops"));
  }

  // Functions that call each other twice each: 2^40 nodes when expanded.
  void functionsWithoutEnd() {
    std::string text =
        R"(<ir_version: 8, opset_import: ["" : 17, "my" : 1]> main (float[4] x) => (float[4] y) { [call] y = my.F0 (x) })";
    for (int i = 0; i < 40; ++i)
      text += fmt::format(
          "\n<domain: \"my\", opset_import: [\"\" : 17, \"my\" : 1]> F{} (a) => (c) {{ b = {} (a)  c = {} (b) }}", i,
          i == 39 ? "Neg" : fmt::format("my.F{}", i + 1), i == 39 ? "Neg" : fmt::format("my.F{}", i + 1));
    auto model = parseModelText(text);
    QVERIFY2(model.has_value(), model ? "" : model.error().message.c_str());
    const ModelGraphs graphs = resolve::describeGraphs(*model);
    QCOMPARE(figures(plan::costsOf(*model, graphs), graphs, "call").flops, int64_t(-1));
  }

  void manyNodes() {
    Model model;
    model.irVersion = 8;
    model.opsets = {{"", 17}};
    model.graph.loadedFromFile = true;
    const ValueType type = ValueType::tensor(ElementType::kFloat, Shape{Dim(16), Dim(16)});
    ValueId last = model.graph.addInput("x", type);
    for (int i = 0; i < 50'000; ++i) {
      const std::string name = fmt::format("v{}", i);
      model.graph.addValue(name, type);
      const NodeId node = model.graph.addNode(
          {.name = fmt::format("n{}", i), .opType = "Relu", .sinceVersion = 14, .opsetVersion = 17}, {last}, {name});
      last = model.graph.node(node).outputs[0];
    }
    model.graph.addOutput(last);
    const ModelGraphs graphs = resolve::describeGraphs(model);
    const Stopwatch watch;
    const CostReport costs = plan::costsOf(model, graphs);
    qInfo("50,000 nodes: %.1f ms", static_cast<double>(watch.elapsedNs()) / 1e6);
    QCOMPARE(costs.graphs[0].total.flops, int64_t(50'000) * 256);
  }
};

QTEST_APPLESS_MAIN(TestGraphCosts)
#include "tst_graph_costs.moc"
