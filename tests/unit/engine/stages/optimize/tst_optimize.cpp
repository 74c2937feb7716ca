// The driver: levels, switches, bodies, rounds, reports, cancelling, speed.

#include "tests/checker/growth.h"
#include "tests/unit/engine/stages/optimize/optimizing.h"

using namespace cutaway;

namespace {

Result<OptimizeReport> run(Model& model, const optimize::OptimizeOptions& options) {
  Progress progress;
  return optimize::optimize(model, options, progress);
}

optimize::OptimizeOptions allPasses() {
  optimize::OptimizeOptions options;
  options.kernels = &kernelsOfCpu();
  return options;
}

constexpr const char* kText =
    R"(g (float[1,1,2,2] x) => (y) <float[2,1,1,1] w = {1,2}, float[2,1,1] f = {3,5}, bool[] c = {true}, float[] one = {1}> {
  i = Identity (x)
  k = Conv (i, w)
  m = Mul (k, f)
  n = Mul (m, one)
  nc = Not (c)
  y = If <then_branch = t () => (float[1,2,2,2] a) { a = Neg (n) }, else_branch = e () => (float[1,2,2,2] b) { b = Relu (n) }> (nc) })";

}  // namespace

class TestOptimize : public QObject {
  Q_OBJECT

 private slots:
  void passesWorkTogether() {
    Model model = resolvedModel(kText);
    const auto report = run(model, allPasses());
    if (!report) QFAIL(describe(report.error()).c_str());
    QCOMPARE(operatorsOf(model), QByteArray("Relu Conv"));
    QCOMPARE(report->nodesBefore, int64_t{8});
    QCOMPARE(report->nodesAfter, int64_t{2});
    QVERIFY(report->warnings.empty());
    QVERIFY(report->timeNs > 0);
    QVERIFY(report->foldedBytes > 0);
    QCOMPARE(report->passes.size(), optimize::passPipeline().size());
    int64_t rewrites = 0;
    for (const PassReport& pass : report->passes) {
      rewrites += pass.rewrites;
      QVERIFY(!pass.skipped && pass.rounds >= 1 && !pass.purpose.empty());
    }
    QCOMPARE(static_cast<int64_t>(report->rewrites.size()), rewrites);
    for (const RewriteReport& rewrite : report->rewrites)
      QVERIFY(!rewrite.note.empty() && !rewrite.origins.empty() && !rewrite.removed.empty());
    // The Conv remembers the two nodes it was made of.
    for (const NodeId id : model.graph.nodeIds()) {
      if (model.graph.node(id).opType == "Conv") QCOMPARE(model.graph.node(id).origins.size(), size_t{2});
    }
    QCOMPARE(toText(model.graph.value(model.graph.findValue("y")).type), std::string("float[1,2,2,2]"));
  }

  void levelsAndSwitches() {
    Model model = resolvedModel(kText);
    optimize::OptimizeOptions options = allPasses();
    options.level = 0;
    const auto none = run(model, options);
    QVERIFY(none.has_value());
    QCOMPARE(none->nodesAfter, int64_t{8});
    for (const PassReport& pass : none->passes)
      QVERIFY(pass.skipped);
    options.level = 1;
    options.disabled = {"ConvMulAddFusion"};
    const auto some = run(model, options);
    QVERIFY(some.has_value());
    QVERIFY(operatorsOf(model).contains("Mul"));
    options.kernels = nullptr;
    options.disabled.clear();
    Model other = resolvedModel(kText);
    QVERIFY(run(other, options).has_value());
    QVERIFY(operatorsOf(other).contains("Not"));
  }

  void bodiesAreOptimizedAndForgetWhatTheyNoLongerRead() {
    Model model = resolvedModel(R"(g (bool[] c, float[2] x) => (y) <float[2] k = {1,2}> {
      p = Neg (x) q = Exp (x)
      [if] y = If <then_branch = t () => (float[2] a) { d = Relu (q) i = Identity (p) s = Neg (k) a = Add (i, s) }, else_branch = e () => (float[2] b) { b = Abs (p) }> (c) })");
    const auto report = run(model, allPasses());
    if (!report) QFAIL(describe(report.error()).c_str());
    QCOMPARE(operatorsOf(model), QByteArray("Neg If"));
    const Node& node = model.graph.node(model.graph.findNode("if"));
    QCOMPARE(node.implicitInputs.size(), size_t{1});
    QCOMPARE(model.graph.value(node.implicitInputs[0]).name, std::string("p"));
    const Graph& body = **std::get_if<GraphBox>(&node.findAttribute("then_branch")->value);
    QCOMPARE(body.nodeCount(), size_t{1});
    QVERIFY(std::ranges::any_of(report->rewrites, [](const RewriteReport& rewrite) { return rewrite.graph == 1; }));
  }

  void nothingIsLeftInHoles() {
    Model model = resolvedModel(kText);
    QVERIFY(run(model, allPasses()).has_value());
    QCOMPARE(model.graph.nodeSlots(), model.graph.nodeCount());
    QCOMPARE(model.graph.valueSlots(), model.graph.valueIds().size());
  }

  void onceMoreChangesNothing() {
    Model model = resolvedModel(kText);
    QVERIFY(run(model, allPasses()).has_value());
    const QByteArray once = printed(model);
    const auto again = run(model, allPasses());
    QVERIFY(again.has_value());
    QVERIFY(again->rewrites.empty());
    QCOMPARE(printed(model), once);
  }

  void sameInputSameOutput() {
    Model a = resolvedModel(kText);
    Model b = resolvedModel(kText);
    QVERIFY(run(a, allPasses()).has_value() && run(b, allPasses()).has_value());
    QCOMPARE(printed(a), printed(b));
  }

  void stopsWhenCancelled() {
    QByteArray text = "g (float[2] x) => (y) { a0 = Relu (x) ";
    for (int i = 1; i < 500; ++i)
      text += "a" + QByteArray::number(i) + " = Neg (a" + QByteArray::number(i - 1) + ") ";
    Model model = resolvedModel(text + "y = Relu (a499) }");
    CancelToken token;
    token.cancel();
    Progress progress(token);
    const auto report = optimize::optimize(model, allPasses(), progress);
    QVERIFY(!report);
    QVERIFY(report.error().code == ErrorCode::kModelLoadCanceled);
  }

  void manyRewritesAreNearLinear() {
    const auto ticksFor = [](int nodes) {
      Model model;
      model.irVersion = 8;
      model.opsets = {{"", 17}};
      Graph& graph = model.graph;
      ValueId last = graph.addValue("x", ValueType::tensor(ElementType::kFloat, Shape{Dim("n"), Dim(2)}));
      for (int i = 0; i < nodes; ++i)
        last = graph.node(graph.addNode({.opType = i % 2 == 0 ? "Relu" : "Identity"}, {last}, {fmt::format("v{}", i)}))
                   .outputs[0];
      Progress progress;
      if (const auto resolved = resolve::resolve(model, {}, progress); !resolved)
        qFatal("%s", describe(resolved.error()).c_str());
      return ticksOf([&] {
        const auto report = run(model, allPasses());
        if (!report) qFatal("%s", describe(report.error()).c_str());
        if (report->nodesAfter != nodes / 2) qFatal("%d nodes left", static_cast<int>(report->nodesAfter));
      });
    };
    const Growth growth = growthOf(ticksFor, 4000, 40000, 40);
    QVERIFY2(growth.ratio < 40, growth.words().c_str());
  }
};

QTEST_GUILESS_MAIN(TestOptimize)
#include "tst_optimize.moc"
