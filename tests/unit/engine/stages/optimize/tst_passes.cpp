// Every pass by text graphs: before and after, and the cases in which it must not do anything. What a pass changed
// gives the same results on random numbers.

#include <random>

#include "tests/unit/engine/stages/optimize/optimizing.h"
#include "tests/unit/providers/cpu/case_runner.h"

using namespace cutaway;

namespace {

const Tensor& initializer(const Model& model, const std::string& name) {
  return *model.graph.value(model.graph.findValue(name)).initializer;
}

std::span<const float> weightsOf(const Model& model, const Node& node, size_t slot) {
  return initializer(model, model.graph.value(node.inputs[slot]).name).span<float>();
}

// Model of one pass's result, and how often it did something.
struct Outcome {
  Model model;
  int64_t rewrites = 0;
};

// Of the graph's own inputs, the same for equal graphs; symbols are 3. Small multiples of 1/8: sums are exact.
std::vector<RuntimeValue> randomInputs(const Graph& graph) {
  std::mt19937 random(11);
  std::vector<RuntimeValue> inputs;
  for (const ValueId id : graph.inputs()) {
    if (graph.value(id).initializer) continue;
    const ValueType& type = graph.value(id).type;
    std::vector<int64_t> dims(type.shape->rank(), 3);
    for (size_t axis = 0; axis < dims.size(); ++axis) {
      if ((*type.shape)[axis].isKnown()) dims[axis] = (*type.shape)[axis].value();
    }
    Tensor tensor = *Tensor::create(type.element, dims);
    if (type.element == ElementType::kFloat) {
      for (float& number : tensor.span<float>())
        number = static_cast<float>(static_cast<int>(random() % 33) - 16) / 8;
    } else {
      auto* bytes = static_cast<uint8_t*>(tensor.mutableData());
      std::generate_n(bytes, tensor.sizeBytes(), [&] { return static_cast<uint8_t>(random() % 2); });
    }
    inputs.emplace_back(std::move(tensor));
  }
  return inputs;
}

// Both graphs on the same numbers, node by node on the kernels of cpu.
void compareResults(const Model& before, const Model& after) {
  const std::vector<RuntimeValue> inputs = randomInputs(before.graph);
  const auto results = [&](const Model& model) {
    return testing::GraphInterpreter(kernelsOfCpu()).run(model.graph, inputs);
  };
  const auto wanted = results(before), given = results(after);
  QVERIFY2(wanted.has_value(), wanted ? "" : describe(wanted.error()).c_str());
  QVERIFY2(given.has_value(), given ? "" : describe(given.error()).c_str());
  QCOMPARE(given->size(), wanted->size());
  for (size_t i = 0; i < wanted->size(); ++i) {
    const std::string difference = testing::difference((*wanted)[i], (*given)[i], 1e-5, 1e-6);
    QVERIFY2(difference.empty(), fmt::format("output {}: {}", i, difference).c_str());
  }
}

Outcome run(const QByteArray& text, const std::set<std::string>& passes) {
  Outcome outcome{resolvedModel(text)};
  Progress progress;
  const auto report = optimize::optimize(outcome.model, onlyPasses(passes), progress);
  if (!report) qFatal("%s", describe(report.error()).c_str());
  outcome.rewrites = static_cast<int64_t>(report->rewrites.size());
  return outcome;
}

void addRewriteColumns() {
  QTest::addColumn<QByteArray>("pass");
  QTest::addColumn<QByteArray>("before");
  QTest::addColumn<QByteArray>("operators");  // afterwards, in stored order
  QTest::addColumn<QByteArray>("outputs");    // names of graph outputs, which never change
}

void row(const char* pass, const char* name, const char* before, const char* operators, const char* outputs = "y") {
  QTest::newRow(qPrintable(QString("%1: %2").arg(pass, name)))
      << QByteArray(pass) << QByteArray(before) << QByteArray(operators) << QByteArray(outputs);
}

void verifyRewrite() {
  QFETCH(QByteArray, pass);
  QFETCH(QByteArray, before);
  QFETCH(QByteArray, operators);
  QFETCH(QByteArray, outputs);
  Outcome outcome = run(before, {pass.toStdString()});
  QCOMPARE(operatorsOf(outcome.model), operators);
  QByteArray names;
  for (const ValueId id : outcome.model.graph.outputs())
    names += QByteArray::fromStdString(outcome.model.graph.value(id).name) + " ";
  QCOMPARE(names.trimmed(), outputs);
  // A graph that a pass leaves alone stays to the letter; one that it changes computes the same.
  const Model original = resolvedModel(before);
  QCOMPARE(outcome.rewrites == 0, printed(outcome.model) == printed(original));
  if (outcome.rewrites != 0) compareResults(original, outcome.model);
  // Nodes know where they come from.
  for (const NodeId id : outcome.model.graph.nodeIds()) {
    const Node& node = outcome.model.graph.node(id);
    QVERIFY(!node.origins.empty());
    for (const OriginId origin : node.origins)
      QVERIFY(origin.index() < outcome.model.origins.size());
    QVERIFY(node.sinceVersion > 0);
  }
  // What came out is a model that resolves.
  Progress progress;
  const auto again = resolve::resolve(outcome.model, {}, progress);
  if (!again) QFAIL(describe(again.error()).c_str());
}

}  // namespace

class TestPasses : public QObject {
  Q_OBJECT

 private slots:
  void removals_data() {
    addRewriteColumns();
    const char* dead = "DeadNodeElimination";
    row(dead, "a chain that leads nowhere", "g (float[2] x) => (y) { a = Neg (x) b = Abs (a) y = Relu (x) }", "Relu");
    row(dead, "one of two outputs is read", "g (float[4] x) => (y) { a, b = Split <num_outputs = 2> (x) y = Relu (b) }",
        "Split Relu");
    row(dead, "read by a body only",
        "g (bool[] c, float[2] x) => (y) { p = Neg (x) y = If <then_branch = t () => (float[2] a) { a = Relu (p) }, "
        "else_branch = e () => (float[2] b) { b = Abs (x) }> (c) }",
        "Neg If");

    const char* context = R"(com.microsoft.EPContext <embed_mode = 0, ep_cache_context = "a.bin">)";
    const auto contextRow = [context](const char* pass, const char* name, const char* before, const char* operators) {
      row(pass, name, QByteArray(before).replace("CONTEXT", context).constData(), operators);
    };
    contextRow(dead, "a compiled part that nobody reads stays: others may need what it holds",
               "g (float[2] x) => (y) { a = CONTEXT (x) y = Relu (x) }", "EPContext Relu");
    contextRow(
        "CommonSubexpressionElimination", "compiled parts of the same inputs stay",
        "g (float[2] x) => (float[2] y) <float[2] p, float[2] q> { p = CONTEXT (x) q = CONTEXT (x) y = Add (p, q) }",
        "EPContext EPContext Add");
    contextRow("ConstantFolding", "a compiled part of constants stays",
               "g () => (float[2] y) <float[2] w = {1, 2}, float[2] p> { p = CONTEXT (w) y = Relu (p) }",
               "EPContext Relu");

    const char* noop = "NoopElimination";
    row(noop, "identity", "g (float[2] x) => (y) { a = Identity (x) y = Relu (a) }", "Relu");
    row(noop, "identity before an output", "g (float[2] x) => (y) { a = Relu (x) y = Identity (a) }", "Relu");
    row(noop, "identity from input to output stays", "g (float[2] x) => (y) { y = Identity (x) }", "Identity");
    row(noop, "two outputs of one value keep one identity",
        "g (float[2] x) => (y, z) { a = Relu (x) y = Identity (a) z = Identity (a) }", "Relu Identity", "y z");
    row(noop, "dropout", "g (float[2] x) => (y) { a = Dropout (x) y = Relu (a) }", "Relu");
    row(noop, "dropout whose mask is read stays", "g (float[2] x) => (y, m) { a, m = Dropout (x) y = Relu (a) }",
        "Dropout Relu", "y m");
    row(noop, "dropout that trains stays",
        "g (float[2] x) => (y) <float[] r = {0.5}, bool[] t = {true}> { a = Dropout (x, r, t) y = Relu (a) }",
        "Dropout Relu");
    row(noop, "cast to the same type", "g (float[2] x) => (y) { a = Cast <to = 1> (x) y = Relu (a) }", "Relu");
    row(noop, "cast to another type stays", "g (float[2] x) => (y) { a = Cast <to = 11> (x) y = Relu (a) }",
        "Cast Relu");
    row(noop, "x + 0", "g (float[n,2] x) => (y) <float[] z = {0}> { a = Add (x, z) y = Relu (a) }", "Relu");
    row(noop, "0 + x", "g (float[n,2] x) => (y) <float[1] z = {0}> { a = Add (z, x) y = Relu (a) }", "Relu");
    row(noop, "x - 0, x * 1, x / 1",
        "g (float[2] x) => (y) <float[] z = {0}, float[] o = {1}> { a = Sub (x, z) b = Mul (a, o) c = Div (b, o) y = "
        "Relu (c) }",
        "Relu");
    row(noop, "0 - x stays", "g (float[2] x) => (y) <float[] z = {0}> { a = Sub (z, x) y = Relu (a) }", "Sub Relu");
    row(noop, "1 / x stays", "g (float[2] x) => (y) <float[] o = {1}> { a = Div (o, x) y = Relu (a) }", "Div Relu");
    row(noop, "a zero that widens the shape stays",
        "g (float[2] x) => (y) <float[3,1] z = {0,0,0}> { a = Add (x, z) y = Relu (a) }", "Add Relu");
    row(noop, "a row of zeros", "g (float[n,2] x) => (y) <float[2] z = {0,0}> { a = Add (x, z) y = Relu (a) }", "Relu");
    row(noop, "an overridable zero stays",
        "g (float[2] x, float[1] z) => (y) <float[1] z = {0}> { a = Add (x, z) y = Relu (a) }", "Add Relu");
    row(noop, "transpose that moves nothing",
        "g (float[2,3] x) => (y) { a = Transpose <perm = [0, 1]> (x) y = Relu (a) }", "Relu");
    row(noop, "transpose that moves something stays",
        "g (float[2,3] x) => (y) { a = Transpose <perm = [1, 0]> (x) y = Relu (a) }", "Transpose Relu");
    row(noop, "reshape to the same shape",
        "g (float[2,3] x) => (y) <int64[2] s = {2,-1}> { a = Reshape (x, s) y = Relu (a) }", "Relu");
    row(noop, "reshape to another shape stays",
        "g (float[2,3] x) => (y) <int64[2] s = {3,-1}> { a = Reshape (x, s) y = Relu (a) }", "Reshape Relu");
    row(noop, "expand to the same shape",
        "g (float[2,3] x) => (y) <int64[2] s = {2,3}> { a = Expand (x, s) y = Relu (a) }", "Relu");
    row(noop, "pad of nothing", "g (float[2] x) => (y) <int64[2] p = {0,0}> { a = Pad (x, p) y = Relu (a) }", "Relu");
    row(noop, "slice of everything",
        "g (float[n] x) => (y) <int64[1] s = {0}, int64[1] e = {9223372036854775807}> { a = Slice (x, s, e) y = Relu "
        "(a) }",
        "Relu");
    row(noop, "slice of a part stays",
        "g (float[4] x) => (y) <int64[1] s = {0}, int64[1] e = {3}> { a = Slice (x, s, e) y = Relu (a) }",
        "Slice Relu");
    row(noop, "slice backwards stays",
        "g (float[4] x) => (y) <int64[1] s = {-1}, int64[1] e = {-9}, int64[1] ax = {0}, int64[1] st = {-1}> { a = "
        "Slice (x, s, e, ax, st) y = Relu (a) }",
        "Slice Relu");
    row(noop, "concat of one", "g (float[2] x) => (y) { a = Concat <axis = 0> (x) y = Relu (a) }", "Relu");
    row(noop, "tile once", "g (float[2] x) => (y) <int64[1] r = {1}> { a = Tile (x, r) y = Relu (a) }", "Relu");

    const char* slices = "SliceMerge";
    row(slices, "rows, then columns",
        "g (float[4,6] x) => (y) <int64[1] one = {1}, int64[1] end = {9}, int64[1] a = {0}, int64[1] b = {-1}, "
        "int64[1] "
        "two = {2}> { r = Slice (x, one, end, a, two) c = Slice (r, one, end, b, two) y = Relu (c) }",
        "Relu Slice");
    row(slices, "rows, read twice",
        "g (float[4,6] x) => (y) <int64[1] one = {1}, int64[1] end = {9}, int64[1] a = {0}, int64[1] b = {1}> { r = "
        "Slice (x, one, end, a) c = Slice (r, one, end, b) n = Neg (r) y = Concat <axis = 1> (c, n) }",
        "Slice Neg Concat Slice");
    row(slices, "the same axis twice",
        "g (float[8] x) => (y) <int64[1] one = {1}, int64[1] end = {9}, int64[1] a = {0}> { r = Slice (x, one, end, a) "
        "y = Slice (r, one, end, a) }",
        "Slice Slice");
    row(slices, "columns apart, then rows",
        "g (float[4,6] x) => (y) <int64[1] one = {1}, int64[1] end = {9}, int64[1] a = {1}, int64[1] b = {0}, int64[1] "
        "two = {2}> { r = Slice (x, one, end, a, two) y = Slice (r, one, end, b, two) }",
        "Slice Slice");

    const char* fold = "ConstantFolding";
    row(fold, "arithmetic",
        "g (float[2] x) => (y) <float[2] a = {1,2}, float[2] b = {3,4}> { s = Add (a, b) y = Add (x, s) }", "Add");
    row(fold, "a chain",
        "g (float[2] x) => (y) <float[2] a = {1,2}> { b = Neg (a) c = Relu (b) d = Exp (c) y = Add (x, d) }", "Add");
    row(fold, "a size that is computed on the way",
        "g (float[6] x) => (y) <int64[1] two = {2}, int64[1] three = {3}, float[1] one = {1}> { n = Mul (two, three) e "
        "= Expand (one, n) f = Neg (e) y = Add (x, f) }",
        "Add");
    row(fold, "shape of a static value", "g (float[2,3] x) => (y) { y = Shape (x) }", "");
    row(fold, "a part of a shape that is static", "g (float[2,3] x) => (y) { y = Shape <start = 1> (x) }", "");
    row(fold, "size", "g (float[2,3] x) => (y) { y = Size (x) }", "");
    row(fold, "shape of a dynamic value stays", "g (float[n,3] x) => (y) { y = Shape (x) }", "Shape");
    row(fold, "random numbers stay", "g () => (y) { y = RandomNormal <shape = [2]> () }", "RandomNormal");
    row(fold, "overridable initializers stay", "g (float[2] a) => (y) <float[2] a = {1,2}> { y = Neg (a) }", "Neg");
    row(fold, "weights of a quantised unit stay",
        "g (uint8[1,2] q) => (y) <float[] s = {0.5}, uint8[] z = {0}, uint8[2,2] w = {1,2,3,4}> { a = DequantizeLinear "
        "(q, s, z) b = DequantizeLinear (w, s, z) c = MatMul (a, b) y = QuantizeLinear (c, s, z) }",
        "DequantizeLinear DequantizeLinear MatMul QuantizeLinear");
    row(fold, "weights that are only stored small",
        "g (float[1,2] x) => (y) <float[] s = {0.5}, uint8[] z = {0}, uint8[2,2] w = {1,2,3,4}> { b = DequantizeLinear "
        "(w, s, z) y = MatMul (x, b) }",
        "MatMul");
  }
  void removals() { verifyRewrite(); }

  // A weight that a Loop hands on is a constant in its body, and what is computed of it alone is computed once.
  void weightsOfLoopsAreFolded() {
    const Model model = run("g (float[1,2] x) => (y, z) <int64[] n = {3}, bool[] go = {true}, float[2,2] w = "
                            "{1,2,3,4}> { y, z = Loop <body "
                            "= b (int64[] i, bool[] c, float[1,2] s, float[2,2] u) => (bool[] d, float[1,2] t, "
                            "float[2,2] u) { d = Identity "
                            "(c) v = Transpose (u) t = MatMul (s, v) }> (n, go, x, w) }",
                            {"LoopInvariantCapture", "ConstantFolding"})
                            .model;
    const Node* loop = nullptr;
    for (const NodeId id : model.graph.nodeIds()) {
      if (model.graph.node(id).opType == "Loop") loop = &model.graph.node(id);
    }
    QVERIFY(loop != nullptr);
    QCOMPARE(loop->inputs.size(), size_t{3});
    forEachBody(*loop, [](const std::string&, const Graph& body) {
      QCOMPARE(body.inputs().size(), size_t{3});
      for (const NodeId id : body.nodeIds())
        QVERIFY(body.node(id).opType != "Transpose");
    });
  }

  void rewrites_data() {
    addRewriteColumns();
    const char* branch = "ConstantIfInlining";
    row(branch, "always true",
        "g (float[2] x) => (y) <bool[] c = {true}> { p = Neg (x) y = If <then_branch = t () => (float[2] a) { h = Abs "
        "(p) a = Relu (h) }, else_branch = e () => (float[2] b) { b = Exp (p) }> (c) }",
        "Neg Abs Relu");
    row(branch, "always false",
        "g (float[2] x) => (y) <bool[] c = {false}> { p = Neg (x) y = If <then_branch = t () => (float[2] a) { a = "
        "Relu (p) }, else_branch = e () => (float[2] b) { b = Exp (p) }> (c) }",
        "Neg Exp");
    row(branch, "not constant",
        "g (bool[] c, float[2] x) => (y) { y = If <then_branch = t () => (float[2] a) { a = Relu (x) }, else_branch = "
        "e () => (float[2] b) { b = Exp (x) }> (c) }",
        "If");
    row(branch, "a branch that gives back a constant",
        "g (float[2] x) => (y) <bool[] c = {true}> { y = If <then_branch = t () => (float[2] k) <float[2] k = {1,2}> { "
        "}, else_branch = e () => (float[2] b) { b = Exp (x) }> (c) }",
        "Identity");
    row(branch, "a branch with names of the outer graph",
        "g (float[2] x) => (y) <bool[] c = {true}> { h = Neg (x) z = If <then_branch = t () => (float[2] a) { i = Abs "
        "(h) a = Relu (i) }, else_branch = e () => (float[2] b) { b = Exp (x) }> (c) i = Exp (z) y = Add (i, h) }",
        "Neg Exp Add Abs Relu");

    const char* loop = "LoopInvariantCapture";
    const auto loopRow = [&](const char* name, const char* states, const char* given, const char* body,
                             const char* operators, const char* outputs) {
      const std::string before = fmt::format(
          "g (float[2] x, float[2] w) => ({}) <int64[] n = {{3}}, bool[] go = {{true}}> {{ {} = Loop <body = b "
          "(int64[] "
          "i, bool[] c, {}) => {}> (n, go, {}) }}",
          outputs, outputs, states, body, given);
      row(loop, name, before.c_str(), operators, QByteArray(outputs).replace(",", ""));
    };
    loopRow("a state that never changes", "float[2] s, float[2] u", "x, w",
            "(bool[] d, float[2] t, float[2] u) { d = Identity (c) t = Add (s, u) }", "Loop Identity", "y, z");
    loopRow("through an Identity, first of two", "float[2] u, float[2] s", "w, x",
            "(bool[] d, float[2] v, float[2] t) { d = Identity (c) v = Identity (u) t = Add (s, u) }", "Loop Identity",
            "z, y");
    loopRow("the same value twice", "float[2] s, float[2] u, float[2] v", "x, x, x",
            "(bool[] d, float[2] t, float[2] u, float[2] v) { d = Identity (c) m = Mul (u, v) t = Add (s, m) }",
            "Loop Identity Identity", "y, p, q");
    loopRow("called the same on both sides", "float[2] s, float[2] w", "x, w",
            "(bool[] d, float[2] t, float[2] w) { d = Identity (c) t = Add (s, w) }", "Loop Identity", "y, z");
    loopRow(
        "captured by a body within", "float[2] s, float[2] u", "x, w",
        "(bool[] d, float[2] t, float[2] u) { d = Identity (c) t = If <then_branch = a () => (float[2] e) { e = Add "
        "(s, u) }, else_branch = f () => (float[2] h) { h = Sub (s, u) }> (c) }",
        "Loop Identity", "y, z");
    loopRow("states that change places stay", "float[2] s, float[2] u", "x, w",
            "(bool[] d, float[2] u, float[2] s) { d = Identity (c) }", "Loop", "y, z");
    loopRow("collected in every iteration, too, stays", "float[2] u", "w",
            "(bool[] d, float[2] u, float[2] u) { d = Identity (c) }", "Loop", "y, z");
    loopRow("of a name that the body has already stays", "float[2] s, float[2] u", "x, w",
            "(bool[] d, float[2] t, float[2] u) { d = Identity (c) w = Neg (u) t = Add (s, w) }", "Loop", "y, z");

    const char* gemm = "MatMulAddFusion";
    row(gemm, "bias of columns",
        "g (float[m,3] x, float[3,4] w, float[4] b) => (y) { p = MatMul (x, w) y = Add (p, b) }", "Gemm");
    row(gemm, "bias first", "g (float[m,3] x, float[3,4] w, float[1,4] b) => (y) { p = MatMul (x, w) y = Add (b, p) }",
        "Gemm");
    row(gemm, "full bias with symbols",
        "g (float[m,3] x, float[3,4] w, float[m,4] b) => (y) { p = MatMul (x, w) y = Add (p, b) }", "Gemm");
    row(gemm, "a bias that widens the product stays",
        "g (float[1,3] x, float[3,4] w, float[5,4] b) => (y) { p = MatMul (x, w) y = Add (p, b) }", "MatMul Add");
    row(gemm, "a bias of more axes stays",
        "g (float[2,3] x, float[3,4] w, float[1,2,4] b) => (y) { p = MatMul (x, w) y = Add (p, b) }", "MatMul Add");
    row(gemm, "three axes stay",
        "g (float[5,2,3] x, float[3,4] w, float[4] b) => (y) { p = MatMul (x, w) y = Add (p, b) }", "MatMul Add");
    row(gemm, "a product read twice stays",
        "g (float[2,3] x, float[3,4] w, float[4] b) => (y, z) { p = MatMul (x, w) y = Add (p, b) z = Relu (p) }",
        "MatMul Add Relu", "y z");
    row(gemm, "a product that is an output stays",
        "g (float[2,3] x, float[3,4] w, float[4] b) => (p, y) { p = MatMul (x, w) y = Add (p, b) }", "MatMul Add",
        "p y");
    row(gemm, "integers stay", "g (int32[2,3] x, int32[3,4] w, int32[4] b) => (y) { p = MatMul (x, w) y = Add (p, b) }",
        "MatMul Add");

    const char* pad = "Pad_Fusion";
    row(pad, "into a convolution",
        "g (float[1,1,4,4] x, float[1,1,3,3] w) => (y) <int64[8] p = {0,0,1,1,0,0,1,1}> { a = Pad (x, p) y = Conv (a, "
        "w) }",
        "Conv");
    row(pad, "other values stay",
        "g (float[1,1,4,4] x, float[1,1,3,3] w) => (y) <int64[8] p = {0,0,1,1,0,0,1,1}, float[] v = {2}> { a = Pad (x, "
        "p, v) y = Conv (a, w) }",
        "Pad Conv");
    row(pad, "mirrored stays",
        "g (float[1,1,4,4] x, float[1,1,3,3] w) => (y) <int64[8] p = {0,0,1,1,0,0,1,1}> { a = Pad <mode = \"reflect\"> "
        "(x, p) y = Conv (a, w) }",
        "Pad Conv");
    row(pad, "padded channels stay",
        "g (float[1,1,4,4] x, float[1,2,3,3] w) => (y) <int64[8] p = {0,0,1,1,0,1,1,1}> { a = Pad (x, p) y = Conv (a, "
        "w) }",
        "Pad Conv");
    row(pad, "negative amounts stay",
        "g (float[1,1,6,6] x, float[1,1,3,3] w) => (y) <int64[8] p = {0,0,-1,0,0,0,0,0}> { a = Pad (x, p) y = Conv (a, "
        "w) }",
        "Pad Conv");
    row(pad, "before automatic padding stays",
        "g (float[1,1,4,4] x, float[1,1,3,3] w) => (y) <int64[8] p = {0,0,1,1,0,0,1,1}> { a = Pad (x, p) y = Conv "
        "<auto_pad = \"SAME_UPPER\"> (a, w) }",
        "Pad Conv");
    row(pad, "into an average that pads itself stays",
        "g (float[1,1,4,4] x) => (y) <int64[8] p = {0,0,1,1,0,0,1,1}> { a = Pad (x, p) y = AveragePool <kernel_shape = "
        "[2, 2], pads = [1, 1, 1, 1]> (a) }",
        "Pad AveragePool");
    row(pad, "into a maximum stays",
        "g (float[1,1,4,4] x) => (y) <int64[8] p = {0,0,1,1,0,0,1,1}> { a = Pad (x, p) y = MaxPool <kernel_shape = [2, "
        "2]> (a) }",
        "Pad MaxPool");

    const char* common = "CommonSubexpressionElimination";
    row(common, "two equal nodes", "g (float[2] x) => (y) { a = Relu (x) b = Relu (x) y = Add (a, b) }", "Relu Add");
    row(common, "equal chains",
        "g (float[2] x) => (y) { a = Relu (x) b = Relu (x) c = Neg (a) d = Neg (b) y = Add (c, d) }", "Relu Neg Add");
    row(common, "other attributes stay",
        "g (float[2] x) => (y) { a = Elu <alpha = 1.0> (x) b = Elu <alpha = 2.0> (x) y = Add (a, b) }", "Elu Elu Add");
    row(common, "constants of one value are one",
        "g (float[2] x) => (y) <float[2] v = {1, 2}, float[2] w = {1, 2}> { a = Add (x, v) b = Add (x, w) y = Mul (a, "
        "b) }",
        "Add Mul");
    row(common, "constants of other values stay",
        "g (float[2] x) => (y) <float[2] v = {1, 2}, float[2] w = {1, 3}> { a = Add (x, v) b = Add (x, w) y = Mul (a, "
        "b) }",
        "Add Add Mul");
    row(common, "constants of another shape stay",
        "g (float[2,2] x) => (y) <float[2] v = {1, 1}, float[1,2] w = {1, 1}> { a = Add (x, v) b = Add (x, w) y = Mul "
        "(a, b) }",
        "Add Add Mul");
    row(common, "constants of another type stay",
        "g (float[2] x) => (y) <float[1] v = {0}, int32[1] w = {0}> { a = CastLike (x, v) b = CastLike (x, w) c = Cast "
        "<to = 1> (b) y = Mul (a, c) }",
        "CastLike CastLike Cast Mul");
    row(common, "outputs keep their names", "g (float[2] x) => (y, z) { y = Relu (x) z = Relu (x) }", "Relu Relu",
        "y z");
    row(common, "random numbers stay",
        "g (float[2] x) => (y) { a = RandomNormalLike (x) b = RandomNormalLike (x) y = Add (a, b) }",
        "RandomNormalLike RandomNormalLike Add");
  }
  void rewrites() { verifyRewrite(); }

  void padsBecomePadding_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QList<qint64>>("pads");  // those of the operator afterwards: begins, then ends
    const auto row = [](const char* name, const char* x, const char* amounts, const char* reader, QList<qint64> pads) {
      QTest::newRow(name) << "g (float[" + QByteArray(x) + "] x) => (y) <float[1,1,3,3] w = {1,2,3,4,5,6,7,8,9}, " +
                                 "float[1,1,3] v = {1,2,3}, int64[" +
                                 QByteArray::number(2 * QByteArray(x).count(',') + 2) + "] p = {" + amounts +
                                 "}> { a = Pad (x, p) y = " + reader + " }"
                          << pads;
    };
    row("every side its own", "1,1,4,5", "0,0,1,2,0,0,3,4", "Conv (a, w)", {1, 2, 3, 4});
    row("added to what the convolution has", "1,1,4,5", "0,0,1,2,0,0,3,4", "Conv <pads = [10, 20, 30, 40]> (a, w)",
        {11, 22, 33, 44});
    row("one axis", "1,1,6", "0,0,2,0,0,1", "Conv <strides = [2]> (a, v)", {2, 1});
    row("VALID becomes amounts", "1,1,4,5", "0,0,1,0,0,0,0,2", "Conv <auto_pad = \"VALID\"> (a, w)", {1, 0, 0, 2});
    row("an average goes on counting zeros", "1,1,4,5", "0,0,1,0,0,0,0,1", "AveragePool <kernel_shape = [2, 3]> (a)",
        {1, 0, 0, 1});
  }
  void padsBecomePadding() {
    QFETCH(QByteArray, text);
    QFETCH(QList<qint64>, pads);
    const Outcome outcome = run(text, {"Pad_Fusion"});
    QCOMPARE(outcome.model.graph.nodeIds().size(), size_t{1});
    const Node& node = outcome.model.graph.node(outcome.model.graph.nodeIds().front());
    const auto given = node.attributeOr<std::vector<int64_t>>("pads", {});
    QCOMPARE(QList<qint64>(given.begin(), given.end()), pads);
    QVERIFY(node.findAttribute("auto_pad") == nullptr);
    QCOMPARE(node.attributeOr<int64_t>("count_include_pad", 0), int64_t{node.opType == "AveragePool"});
    compareResults(resolvedModel(text), outcome.model);
  }

  void batchNormalizationGoesIntoWeights() {
    const Outcome outcome =
        run("g (float[1,1,2,2] x) => (y) <float[2,1,1,1] w = {1,2}, float[2] b = {0.5,-0.5}, float[2] s = {4,2}, "
            "float[2] o = {1,-1}, float[2] m = {0.25,1}, float[2] v = {4,16}> {"
            "[conv] c = Conv (x, w, b) [bn] y = BatchNormalization <epsilon = 0.0> (c, s, o, m, v) }",
            {"ConvBNFusion"});
    QCOMPARE(operatorsOf(outcome.model), QByteArray("Conv"));
    const Node& conv = outcome.model.graph.node(outcome.model.graph.nodeIds().front());
    QCOMPARE(conv.origins.size(), size_t{2});
    QCOMPARE(conv.rewrite, std::string("ConvBNFusion"));
    // scale / sqrt(variance) is 2 and 0.5; the mean is taken off the bias before.
    const std::vector<float> weights{1 * 2, 2 * 0.5f}, bias{(0.5f - 0.25f) * 2 + 1, (-0.5f - 1) * 0.5f - 1};
    QVERIFY(std::ranges::equal(weightsOf(outcome.model, conv, 1), weights));
    QVERIFY(std::ranges::equal(weightsOf(outcome.model, conv, 2), bias));
    QVERIFY(!outcome.model.graph.findValue("w").valid());
  }

  void convolutionsThatMustStay_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("operators");
    const QByteArray head =
        "<float[2,1,1,1] w = {1,2}, float[2] s = {2,4}, float[2] o = {1,-1}, float[2] m = {0.5,1}, float[2] v = "
        "{4,16}, float[2,1,1] f = {3,5}, float[2] row = {3,5}> { c = Conv (x, w) ";
    const auto row = [&](const char* name, const char* signature, const char* rest, const char* operators) {
      QTest::newRow(name) << QByteArray(signature) + head + rest + " }" << QByteArray(operators);
    };
    row("folds", "g (float[1,1,2,2] x) => (y) ", "y = BatchNormalization (c, s, o, m, v)", "Conv");
    row("a result read twice", "g (float[1,1,2,2] x) => (y, z) ", "y = BatchNormalization (c, s, o, m, v) z = Relu (c)",
        "Conv BatchNormalization Relu");
    row("a result that is an output", "g (float[1,1,2,2] x) => (y, c) ", "y = BatchNormalization (c, s, o, m, v)",
        "Conv BatchNormalization");
    row("statistics that are not constant", "g (float[1,1,2,2] x, float[2] q) => (y) ",
        "y = BatchNormalization (c, s, o, m, q)", "Conv BatchNormalization");
    row("a factor a channel", "g (float[1,1,2,2] x) => (y) ", "y = Mul (c, f)", "Conv");
    row("a summand a channel, then a factor", "g (float[1,1,2,2] x) => (y) ", "a = Add (f, c) y = Mul (a, f)", "Conv");
    row("a factor a column stays", "g (float[1,1,2,2] x) => (y) ", "y = Mul (c, row)", "Conv Mul");
    row("a constant minus the result stays", "g (float[1,1,2,2] x) => (y) ", "y = Sub (f, c)", "Conv Sub");
    row("everything in a row", "g (float[1,1,2,2] x) => (y) ",
        "a = BatchNormalization (c, s, o, m, v) b = Mul (a, f) d = Add (b, f) y = Relu (d)", "Relu Conv");
  }
  void convolutionsThatMustStay() {
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, operators);
    const Outcome outcome = run(text, {"ConvBNFusion", "ConvMulAddFusion"});
    QCOMPARE(operatorsOf(outcome.model), operators);
    compareResults(resolvedModel(text), outcome.model);
  }

  void factorsAndSummandsGoIntoWeights() {
    const Outcome outcome =
        run("g (float[1,1,2,2] x) => (y) <float[2,1,1,1] w = {1,2}, float[2] b = {0.5,-1}, float[2,1,1] f = {3,5}, "
            "float[2,1,1] a = {0.25,4}> { c = Conv (x, w, b) d = Add (c, a) y = Mul (f, d) }",
            {"ConvMulAddFusion"});
    QCOMPARE(operatorsOf(outcome.model), QByteArray("Conv"));
    const Node& conv = outcome.model.graph.node(outcome.model.graph.nodeIds().front());
    const std::vector<float> weights{3, 10}, bias{(0.5f + 0.25f) * 3, (-1 + 4) * 5};
    QVERIFY(std::ranges::equal(weightsOf(outcome.model, conv, 1), weights));
    QVERIFY(std::ranges::equal(weightsOf(outcome.model, conv, 2), bias));
  }

  void factorsThatWouldOverflowStay_data() {
    QTest::addColumn<QByteArray>("type");
    QTest::addColumn<QByteArray>("large");
    QTest::addColumn<QByteArray>("operators");
    QTest::newRow("float") << QByteArray("float") << QByteArray("1e30") << QByteArray("Conv Mul");
    QTest::newRow("float16") << QByteArray("float16") << QByteArray("300") << QByteArray("Conv Mul");
    QTest::newRow("double") << QByteArray("double") << QByteArray("1e30") << QByteArray("Conv");
    QTest::newRow("float16 that fits") << QByteArray("float16") << QByteArray("200") << QByteArray("Conv");
  }
  void factorsThatWouldOverflowStay() {
    QFETCH(QByteArray, type);
    QFETCH(QByteArray, large);
    QFETCH(QByteArray, operators);
    const QByteArray text =
        "g (T[1,1,2,2] x) => (y) <T[2,1,1,1] w = {1,L}, T[2,1,1] f = {3,L}> { c = Conv (x, w) y = "
        "Mul (c, f) }";
    const Outcome outcome =
        run(QByteArray(text).replace("T[", type + "[").replace("L}", large + "}"), {"ConvMulAddFusion"});
    QCOMPARE(operatorsOf(outcome.model), operators);
  }

  void sharedWeightsAreCloned() {
    const QByteArray text =
        "g (float[1,1,2,2] x) => (y, z) <float[2,1,1,1] w = {1,2}, float[2,1,1] f = {3,5}> { c = Conv (x, w) d = "
        "Conv (x, w) y = Mul (c, f) z = Relu (d) }";
    const Outcome outcome = run(text, {"ConvMulAddFusion"});
    compareResults(resolvedModel(text), outcome.model);
    QCOMPARE(operatorsOf(outcome.model), QByteArray("Conv Relu Conv"));
    QCOMPARE(initializer(outcome.model, "w").span<float>()[1], 2.0f);
  }
};

QTEST_GUILESS_MAIN(TestPasses)
#include "tst_passes.moc"
