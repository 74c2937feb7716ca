// Costs over open dimensions: symbols where types keep them, polynomials through counted sizes where they do not, and
// nothing where neither holds.
#include <QtTest/QtTest>

#include "engine/base/format.h"
#include "engine/graph/packed_model.h"
#include "engine/graph/text.h"
#include "engine/operators/cost/node_cost.h"
#include "engine/stages/resolve/resolve.h"
#include "engine/study/formulas/model_formulas.h"
#include "engine/study/formulas/plan_formulas.h"
#include "engine/study/formulas/polynomial_fit.h"
#include "tests/unit/engine/session/text_session.h"

using namespace cutaway;
using namespace cutaway::study;

namespace {

Model modelOf(const std::string& text) {
  Result<Model> model = parseModelText("<ir_version: 8, opset_import: [\"\" : 17]>\n" + text);
  if (!model) qFatal("%s", describe(model.error()).c_str());
  assignOrigins(*model);
  return *std::move(model);
}

ModelFormulas formulasOf(const std::string& text, const std::map<std::string, int64_t>& dims = {}) {
  Progress progress;
  Result<ModelFormulas> formulas = modelFormulas(modelOf(text), dims, progress);
  if (!formulas) qFatal("%s", describe(formulas.error()).c_str());
  return *std::move(formulas);
}

// Counted with these sizes, by the types alone.
std::pair<int64_t, int64_t> countedAt(const std::string& text, const std::map<std::string, int64_t>& dims) {
  Model model = *parseModelText("<ir_version: 8, opset_import: [\"\" : 17]>\n" + text);
  Progress progress;
  if (!resolve::resolve(model, {.dims = dims, .trace = false}, progress)) qFatal("the sizes do not fit");
  std::pair<int64_t, int64_t> sum;
  for (const NodeId id : model.graph.nodeIds()) {
    const operators::NodeCost cost = operators::nodeCost(model.graph, id);
    sum.first += cost.flops;
    sum.second += cost.movedBytes;
  }
  return sum;
}

// Two halvings, and a resize by what the shape says: types lose the sizes on the way.
constexpr const char* kStrided = R"(
main (float[n,3,h,w] image, float[4,3,3,3] k, float[4,4,3,3] l) => (float[n,4,a,b] y) {
  [first] c = Conv <kernel_shape = [3,3], pads = [1,1,1,1], strides = [2,2]> (image, k)
  [second] d = Conv <kernel_shape = [3,3], pads = [1,1,1,1], strides = [2,2]> (c, l)
  [last] y = Relu (d)
})";

// The same beside a call of F<levels>: ten calls of the level below each, at last ten nodes. A call that holds a graph
// is looked at each time.
std::string stridedBesideCalls(int levels) {
  std::string text = R"(<ir_version: 8, opset_import: ["" : 17, "f" : 1]>
main (float[n,3,h,w] image, float[4,3,3,3] k, float[4,4,3,3] l) => (float[n,4,a,b] y, z) {
  [first] c = Conv <kernel_shape = [3,3], pads = [1,1,1,1], strides = [2,2]> (image, k)
  [second] d = Conv <kernel_shape = [3,3], pads = [1,1,1,1], strides = [2,2]> (c, l)
  [last] y = Relu (d)
)";
  constexpr const char* kHeld = "<g = t () => (m) { m = Constant <value_float = 1.0> () }>";
  text += fmt::format("  z = f.F{} {} (image)\n}}\n", levels, kHeld);
  for (int level = 0; level <= levels; ++level) {
    text += fmt::format("<domain: \"f\", opset_import: [\"\" : 17, \"f\" : 1]> F{} (v0) => (v10) {{\n", level);
    const std::string called = level == 0 ? "Relu" : fmt::format("f.F{} {}", level - 1, kHeld);
    for (int i = 0; i < 10; ++i)
      text += fmt::format("  v{} = {} (v{})\n", i + 1, called, i);
    text += "}\n";
  }
  return text;
}

// The same beside an If with so many nodes in a body.
std::string stridedBesideBody(int nodes) {
  std::string body;
  for (int i = 0; i < nodes; ++i)
    body += fmt::format("v{} = Relu ({})\n", i, i == 0 ? "image" : fmt::format("v{}", i - 1));
  return fmt::format(R"(<ir_version: 8, opset_import: ["" : 17]>
main (float[n,3,h,w] image, float[4,3,3,3] k, float[4,4,3,3] l, bool q) => (float[n,4,a,b] y, z) {{
  [first] c = Conv <kernel_shape = [3,3], pads = [1,1,1,1], strides = [2,2]> (image, k)
  [second] d = Conv <kernel_shape = [3,3], pads = [1,1,1,1], strides = [2,2]> (c, l)
  [last] y = Relu (d)
  z = If <then_branch = t () => (v{}) {{ {} }}, else_branch = e () => (u) {{ u = Neg (image) }}> (q)
}})",
                     nodes - 1, body);
}

}  // namespace

class TestFormulas : public QObject {
  Q_OBJECT

 private slots:
  // Dimensions that who runs the graph chooses are written out; those that follow inside it are counted.
  void symbolsOfTypes() {
    const ModelFormulas formulas = formulasOf(R"(
main (float[n,4] x) => (float[n,3] y, float[2,k] z) <float[4,3] w = {1,0,0,1,1,0,0,1,1,1,1,1}, int64[2,k] i> {
  y = MatMul (x, w)
  i = NonZero (x)
  z = Cast <to = 1> (i)
})");
    QCOMPARE(formulas.free, std::set<std::string>{"n"});
    QVERIFY(formulas.multiples.empty());
    QCOMPARE(formulas.nodes.size(), size_t{3});
    QCOMPARE(formulas.nodes[0].flops->toText(), std::string("24*n"));
    QCOMPARE(formulas.nodes[0].movedBytes->toText(), std::string("28*n"));
    const std::string bytes = formulaText(formulas.movedBytes, formulas.free, formatBytes);
    QVERIFY2(bytes.find(" x n") != std::string::npos, bytes.c_str());
    QVERIFY2(bytes.ends_with(" in sizes that follow inside the graph") && bytes.find(" x k") == std::string::npos,
             bytes.c_str());
  }

  // Names of dimensions come from files: those that are expressions are one name, and stay whole.
  void namesThatAreExpressions() {
    const ModelFormulas formulas =
        formulasOf(R"(main (float["floor(w/2 - 1/2) + 1","a x b"] x) => (float["floor(w/2 - 1/2) + 1","a x b"] y) {
          y = Relu (x) })");
    QCOMPARE(formulas.free, (std::set<std::string>{"floor(w/2 - 1/2) + 1", "a x b"}));
    QCOMPARE(formulaText(formulas.movedBytes, formulas.free, formatBytes),
             std::string("8 B x \"a x b\" x \"floor(w/2 - 1/2) + 1\""));
  }

  void sizesBehindStridesAreCounted() {
    const ModelFormulas formulas = formulasOf(kStrided);
    QCOMPARE(formulas.free, (std::set<std::string>{"h", "n", "w"}));
    QCOMPARE(formulas.nodesWithoutFlops, int64_t{0});
    QCOMPARE(formulas.nodesWithoutBytes, int64_t{0});
    QCOMPARE(formulas.multiples, (std::map<std::string, int64_t>{{"h", 4}, {"w", 4}}));
    QCOMPARE(multiplesText(formulas.multiples), std::string("h and w in multiples of 4"));
    // 2 * 27 * 4 of each of a quarter of the pixels, 2 * 36 * 4 and 4 of each of a sixteenth.
    QCOMPARE(formulas.flops.toText(), std::string("72.25*h*n*w"));
    for (const auto& [n, h, w] : {std::tuple{1, 4, 4}, {2, 64, 132}, {7, 1080, 1920}}) {
      const std::map<std::string, int64_t> sizes = {{"n", n}, {"h", h}, {"w", w}};
      const auto [flops, bytes] = countedAt(kStrided, sizes);
      QCOMPARE(*formulas.flops.at(sizes), double(flops));
      QCOMPARE(*formulas.movedBytes.at(sizes), double(bytes));
    }
    QCOMPARE(formulas.sizes.at("d").toText(), std::string("h*n*w"));  // 4 bytes * 4 channels / 16
    // A size that is given is no dimension of the formula.
    const ModelFormulas bound = formulasOf(kStrided, {{"h", 64}, {"w", 64}});
    QCOMPARE(bound.flops.toText(), std::string("295936*n"));
    QVERIFY(bound.multiples.empty());
  }

  // Sizes are tried where that is quick: nodes in bodies and behind calls are typed for each, too.
  void onlyFewNodesAreTypedOften_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<bool>("tried");
    QTest::newRow("1,110 nodes behind a call") << QByteArray::fromStdString(stridedBesideCalls(2)) << true;
    QTest::newRow("11,110 nodes behind a call") << QByteArray::fromStdString(stridedBesideCalls(3)) << false;
    QTest::newRow("100 nodes in a body") << QByteArray::fromStdString(stridedBesideBody(100)) << true;
    QTest::newRow("11,000 nodes in a body") << QByteArray::fromStdString(stridedBesideBody(11'000)) << false;
  }
  void onlyFewNodesAreTypedOften() {
    QFETCH(QByteArray, text);
    QFETCH(bool, tried);
    Result<Model> model = parseModelText(text.toStdString());
    QVERIFY2(model.has_value(), model ? "" : describe(model.error()).c_str());
    assignOrigins(*model);
    Progress progress;
    const Result<ModelFormulas> formulas = modelFormulas(*std::move(model), {}, progress);
    QVERIFY2(formulas.has_value(), formulas ? "" : describe(formulas.error()).c_str());
    // Without sizes that were tried nothing has to be a multiple.
    QCOMPARE(!formulas->multiples.empty(), tried);
  }

  void squaresOfALength() {
    const char* text = R"(
main (float[batch,seq,8] x, float[8,8] w) => (float[batch,seq,seq] y) {
  q = MatMul (x, w)
  t = Transpose <perm = [0,2,1]> (x)
  y = MatMul (q, t)
})";
    const ModelFormulas formulas = formulasOf(text);
    const std::map<std::string, int64_t> sizes = {{"batch", 3}, {"seq", 17}};
    QCOMPARE(*formulas.flops.at(sizes), double(countedAt(text, sizes).first));
    QVERIFY2(formulas.flops.toText().find("seq*seq") != std::string::npos, formulas.flops.toText().c_str());
    QVERIFY(formulas.multiples.empty());
  }

  // Dimensions without a name are called by their input and place.
  void namelessDimensions() {
    const ModelFormulas formulas = formulasOf("main (float[?,3] x) => (float[?,3] y) { y = Neg (x) }");
    QCOMPARE(formulas.free, std::set<std::string>{"x[0]"});
    QCOMPARE(formulas.flops.toText(), std::string("3*\"x[0]\""));
  }

  // A size for a dimension without a name is one of the formula's, and may not fit.
  void sizesThatDoNotFit() {
    const Model model =
        modelOf(R"(main (float[?,3] x) => (float[5,3] y) <float[5,3] c = {1,1,1,1,1,1,1,1,1,1,1,1,1,1,1}> {
      y = Add (x, c) })");
    Progress progress;
    QVERIFY(modelFormulas(model, {}, progress).has_value());
    const Result<ModelFormulas> refused = modelFormulas(model, {{"x[0]", 4}}, progress);
    QVERIFY(!refused);
    QVERIFY2(describe(refused.error()).find("x float[4,3]") != std::string::npos, describe(refused.error()).c_str());
  }

  // Nobody waits for the sizes that are left to be tried.
  void cancelling() {
    CancelToken token;
    token.cancel();
    Progress progress(token);
    const Result<ModelFormulas> cancelled = modelFormulas(modelOf(kStrided), {}, progress);
    QVERIFY(!cancelled);
    QCOMPARE(cancelled.error().code, ErrorCode::kModelLoadCanceled);
  }

  // The session keeps what formulas are made of, and only where they say more than numbers.
  void modelsThatSessionsKeep() {
    std::unique_ptr<session::Session> session;
    const auto keptOf = [&](const std::string& text, bool runs) {
      session::SessionOptions options;
      options.prepareRun = runs;
      session = *textSession("<ir_version: 8, opset_import: [\"\" : 17]>\n" + text, options);
      return session->report()->loadedModel.lock();
    };
    const std::string open = "main (float[n,3] x) => (float[n,3] y) { a = Identity (x)  y = Neg (a) }";
    QVERIFY(!keptOf(open, true));
    QVERIFY(!keptOf("main (float[2,3] x) => (float[2,3] y) { y = Neg (x) }", false));
    std::shared_ptr<const PackedModel> kept = keptOf(open, false);
    QVERIFY(kept);
    QCOMPARE(kept->nodeCount(), size_t{2});  // Optimize has not been there
    Progress progress;
    QCOMPARE(modelFormulas(kept->unpack(), {}, progress)->flops.toText(), std::string("3*n"));
    // A snapshot outlives its session, the model does not.
    const std::weak_ptr<const PackedModel> held = std::exchange(kept, nullptr);
    const auto walk = session->report();
    session.reset();
    QVERIFY(walk->loadedModel.expired() && held.expired());
  }

  // What no polynomial gives has no formula, and is counted.
  void whatIsNoPolynomial() {
    const ModelFormulas formulas = formulasOf(R"(
main (float[n,4] x) => (float[n,4] y, int64[2,k] i) { y = Neg (x)  i = NonZero (x) })");
    QCOMPARE(formulas.nodes[0].flops->toText(), std::string("4*n"));
    const ModelFormulas closed = formulasOf("main (float[2,3] x) => (float[2,3] y) { y = Neg (x) }");
    QVERIFY(!closed.isOpen() && closed.free.empty());
    QCOMPARE(closed.flops.toText(), std::string("6"));
    const ModelFormulas custom =
        formulasOf(R"(main (float[n,4] x) => (float[n,4] y, z) { y = Neg (x)  z = your.Unheard (x) })");
    QCOMPARE(custom.nodesWithoutFlops, int64_t{1});
  }

  void fitting() {
    Grid grid{.dims = {"a", "b"}, .degrees = {1, 2}, .unit = 2};
    const auto count = [](double a, double b) { return 5 + 3 * a + 7 * a * b * b - b; };
    std::vector<double> counts;
    for (const Point& point : grid.points())
      counts.push_back(count(double(point[0] * 2), double(point[1] * 2)));
    QCOMPARE(fit(grid, counts).toText(), std::string("3*a + 7*a*b*b - b + 5"));
    QCOMPARE(degreeOf(4, 4, 4), 0);
    QCOMPARE(degreeOf(4, 6, 8), 1);
    QCOMPARE(degreeOf(1, 4, 9), 2);
  }

  void textsOfFormulas() {
    for (const char* text : {"0", "12", "-3*n", "4128*batch*seq + 12", "-2*n + n*n - 7", "8*\"a x b\"*\"q\\\"\""}) {
      const std::optional<CostFormula> read = CostFormula::read(text);
      QVERIFY2(read, text);
      QVERIFY2(read->toText() == text, read->toText().c_str());
    }
    for (const char* text : {"", "unknown", "4*?*8", "3*", "n +", "4 n", "\"open", "n/2"})
      QVERIFY2(!CostFormula::read(text) || std::string(text) == "unknown", text);  // "unknown" reads as a name
    CostFormula sum = *CostFormula::read("12*n");
    QVERIFY(sum.isOpen() && !CostFormula::constant(7).isOpen());
    QCOMPARE(formulaText(sum, {"n"}, formatBytes), std::string("12 B x n"));
    QVERIFY(sum.add(CostFormula::constant(3)));
    QCOMPARE(formulaText(sum, {"n"}, formatBytes), std::string("12 B x n + 3 B"));
    QCOMPARE(formulaHead(sum, formatBytes), std::string("12 B x n + ..."));
    QCOMPARE(formulaText(*CostFormula::read("k"), {"n"}, formatBytes),
             std::string("1 term in sizes that follow inside the graph"));
    CostFormula small;
    small.terms[{"n"}] = 0.25;
    QCOMPARE(formulaText(small, {"n"}, formatBytes), std::string("0.25 B x n"));
    QVERIFY(!sum.at({}));
    for (int i = 0; i < 300; ++i)
      sum.add(*CostFormula::read("s" + std::to_string(i)));
    QCOMPARE(sum.terms.size(), size_t{256});
  }

  // Plans: what lives at once where one step needs most, and all buffers.
  void plans() {
    const auto session = textSession(R"(<ir_version: 8, opset_import: ["" : 17]>
main (float[n,8] x, float[8,16] u, float[16,2] v) => (float[n,2] y) {
  a = Sin (x)  b = MatMul (a, u)  c = Sin (b)  d = MatMul (c, v)  y = Sin (d) })");
    QVERIFY2(session.has_value(), why(session).c_str());
    const WalkReport& walk = *(*session)->report();
    const std::vector<PlanFormulas> plans = planFormulas(walk, {});
    QCOMPARE(plans.size(), size_t{1});
    QCOMPARE(plans[0].buffersWithout, int64_t{0});
    QVERIFY(!plans[0].bounds.empty() && plans[0].naive.isOpen());
    // Held against the plan with the size known: nothing is rounded up to less.
    const int64_t n = 64;
    const auto bound = textSession(R"(<ir_version: 8, opset_import: ["" : 17]>
main (float[64,8] x, float[8,16] u, float[16,2] v) => (float[64,2] y) {
  a = Sin (x)  b = MatMul (a, u)  c = Sin (b)  d = MatMul (c, v)  y = Sin (d) })");
    const PatternReport& pattern = *(*bound)->report()->pattern;
    QCOMPARE(int64_t(*plans[0].bounds[0].at({{"n", n}})), pattern.lowerBoundBytes);
    QCOMPARE(int64_t(*plans[0].naive.at({{"n", n}})), pattern.naiveBytes);
    QVERIFY(planFormulas(*(*bound)->report(), {}).empty());
  }
};

QTEST_APPLESS_MAIN(TestFormulas)
#include "tst_formulas.moc"
