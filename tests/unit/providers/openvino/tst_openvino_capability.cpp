// What the provider claims and refuses, with which words.
#include <QtTest/QtTest>

#include "engine/graph/text.h"
#include "engine/graph/topology.h"
#include "engine/provider/group_namer.h"
#include "engine/provider/node_form.h"
#include "engine/stages/resolve/resolve.h"
#include "engine/tensor/heap_limit.h"
#include "providers/openvino/provider.h"

using namespace cutaway;

namespace {

Model resolved(const char* text) {
  Model model = *parseModelText(text);
  Progress progress;
  const Result<ResolveReport> report = resolve::resolve(model, {}, progress);
  if (!report) qFatal("%s", describe(report.error()).c_str());
  return model;
}

Result<CapabilityAnswer> ask(const Model& model, const ProviderOptions& options, CancelToken cancel = {}) {
  CUTAWAY_TRY(const std::unique_ptr<ExecutionProvider> provider, openvinoProvider().create({.options = options}));
  CUTAWAY_TRY(const std::vector<NodeId> free, topologicalOrder(model.graph));
  GroupNamer names(model);
  const Progress progress(cancel);
  return provider->capability(
      {.model = model, .graph = model.graph, .free = free, .progress = progress, .names = &names});
}

// "Relu Tanh | Det": operators of each claimed group, groups separated by '|'.
std::string claimedOperators(const Model& model, const CapabilityAnswer& answer) {
  std::string text;
  for (const ComputeCapability& claim : answer.claims) {
    if (!text.empty()) text += "| ";
    for (const NodeId id : claim.subGraph.nodes)
      text += model.graph.node(id).opType + " ";
  }
  return text;
}

}  // namespace

class TestOpenvinoCapability : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    const ProviderStatus status = openvinoProvider().probe();
    QVERIFY2(status.usable, status.reason.c_str());
  }

  void groupsAreMaximalAndEveryNodeIsAnswered() {
    // Det has no conversion; the branch beside it joins what comes before.
    const Model model = resolved(R"(main (float[2,3,3] x) => (float[2,3,3] y, float[2] d) {
      a = Relu (x)
      b = Tanh (a)
      e = Det (b)
      d = Abs (e)
      y = Neg (b)
    })");
    const Result<CapabilityAnswer> answer = ask(model, {{"minimum_nodes", "1"}});
    QVERIFY2(answer, answer ? "" : answer.error().message.c_str());
    QCOMPARE(claimedOperators(model, *answer), std::string("Relu Tanh Neg | Abs "));
    QCOMPARE(answer->refusals.size(), size_t{1});
    const Refusal& refusal = answer->refusals[0];
    QCOMPARE(model.graph.node(refusal.node).opType, std::string("Det"));
    QCOMPARE(refusal.cause, RefusalCause::kOperator);
    QCOMPARE(refusal.rule, std::string("frontend"));
    QVERIFY2(refusal.reason.find("no conversion for Det-11") != std::string::npos, refusal.reason.c_str());
    QCOMPARE(refusal.seen, std::string("Det-11"));
    QVERIFY(!refusal.remedy.empty());
  }

  void smallGroupsAreLeft() {
    const Model model = resolved("main (float[2] x) => (float[2] y) { h = Relu (x)\n y = Tanh (h) }");
    const Result<CapabilityAnswer> answer = ask(model, {});
    QVERIFY(answer);
    QVERIFY(answer->claims.empty());
    QCOMPARE(answer->refusals.size(), size_t{2});
    QCOMPARE(answer->refusals[0].cause, RefusalCause::kTooSmall);
  }

  void refusals_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("option");
    QTest::addColumn<int>("cause");
    QTest::addColumn<QString>("rule");
    QTest::addColumn<QString>("words");
    const auto row = [](const char* name, const char* text, RefusalCause cause, const char* rule, const char* words,
                        const char* option = "") {
      QTest::newRow(name) << QByteArray(text) << QString(option) << static_cast<int>(cause) << QString(rule)
                          << QString(words);
    };
    row("strings", "main (string[2] x) => (string[2] y) { y = Identity (x) }", RefusalCause::kType, "element types",
        "string");
    row("double", "main (double[2] x) => (double[2] y) { y = Exp (x) }", RefusalCause::kType, "element types",
        "computes double as float");
    row("sequences", "main (float[2] x) => (seq(float[2]) y) { y = SequenceConstruct (x) }", RefusalCause::kType,
        "tensors only", "is no tensor");
    row("random", "main () => (float[2] y) { y = RandomNormal <shape = [2]> () }", RefusalCause::kOperator,
        "random draws", "seed");
    row("bodies",
        "main (bool c, float[2] x) => (float[2] y) { y = If <then_branch = t () => (float[2] a) { a = Relu (x) }, "
        "else_branch = e () => (float[2] b) { b = Neg (x) }> (c) }",
        RefusalCause::kOperator, "bodies", "has bodies");
    row("open dimensions", "main (float[n] x) => (float[n] y) { y = Exp (x) }", RefusalCause::kShape,
        "option dynamic_shapes=0", "open dimensions", "dynamic_shapes");
    row("known: narrow", "main (float[2] x) => (float8e4m3fn[2] y) { y = Cast <to = 17> (x) }", RefusalCause::kType,
        "known differences", "float8e4m3fn");
    row("known: resize",
        "main (float[1,1,4,4] x) => (float[1,1,2,2] y) <int64[4] s = {1,1,2,2}> { y = Resize <mode = \"linear\", "
        "antialias = 1> (x, \"\", \"\", s) }",
        RefusalCause::kAttribute, "known differences", "filters otherwise");
    row("known: a rounded scale",
        "main (float[2,1,7] x) => (float[2,1,2] y) <int64[3] s = {2,1,2}> { y = Resize <mode = \"nearest\", "
        "coordinate_transformation_mode = \"asymmetric\", nearest_mode = \"round_prefer_ceil\"> (x, \"\", \"\", s) }",
        RefusalCause::kShape, "known differences", "divides by a rounded scale");
    row("known: ties", "main (float[4] x) => (float[2] y, int64[2] i) <int64[1] k = {2}> { y, i = TopK (x, k) }",
        RefusalCause::kOperator, "known differences", "lower index first");
    row("known: repeats", "main (float[4] x, int64[1] r) => (float[n] y) { y = Tile (x, r) }", RefusalCause::kInput,
        "known differences", "repeats");
    row("known: layout",
        "main (float[1,2,3] x, float[1,12,3] w, float[1,12,4] r) => (float[1,2,1,4] y) { y = GRU <hidden_size = 4, "
        "layout = 1> (x, w, r) }",
        RefusalCause::kAttribute, "known differences", "does not look at 'layout = 1'");
    row("known: shifts of open sizes",
        "main (uint8[n] x, uint8[n] s) => (uint8[n] y) { y = BitShift <direction = \"RIGHT\"> (x, s) }",
        RefusalCause::kShape, "known differences", "round up");
    row("known: scales of an open axis",
        "main (float[2,n,3] x, float[m] s, uint8[m] z) => (uint8[2,n,3] y) { y = QuantizeLinear <axis = 1> (x, s, z) }",
        RefusalCause::kShape, "known differences", "those of the last one");
    row("known: blocks along an open axis",
        "main (float[2,n] x, float[2,m] s, uint8[2,m] z) => (uint8[2,n] y) { y = QuantizeLinear <axis = 1, block_size "
        "= 2> "
        "(x, s, z) }",
        RefusalCause::kShape, "known differences", "axis of its blocks");
    row("known: a mask", "main (float[4] x) => (float[4] y, bool[4] m) { y, m = Dropout (x) }", RefusalCause::kOperator,
        "known differences", "gives no mask");
    row("known: integers", "main (int32[4] x) => (int32[4] y) { y = Shrink <bias = 0.25> (x) }", RefusalCause::kType,
        "known differences", "rounds 'lambd'");
    row("known: parts of different sizes",
        "main (float[7] x) => (float[4] y, float[3] z) { y, z = Split <num_outputs = 2> (x) }", RefusalCause::kShape,
        "known differences", "do not share evenly");
    row("known: padding of open sizes",
        "main (float[1,1,h,7] x) => (float[1,1,m,7] y) <float[1,1,3,1] w = {1.0,2.0,3.0}> { y = ConvTranspose "
        "<auto_pad = "
        "\"SAME_UPPER\"> (x, w) }",
        RefusalCause::kShape, "known differences", "leaves out the padding");
    row("known: the largest value",
        "<ir_version: 10, opset_import: [\"\" : 21, \"ai.onnx.ml\" : 3]> main (float[2,3] x) => (float[2,3] y) { y = "
        "ai.onnx.ml.Normalizer (x) }",
        RefusalCause::kAttribute, "known differences", "largest absolute value");
    row("known: heads of open number",
        "<ir_version: 10, opset_import: [\"\" : 23]> main (float[2,h,3,4] q, float[2,g,5,4] k, float[2,g,5,4] v) => "
        "(float[2,h,3,4] y) { y = Attention (q, k, v) }",
        RefusalCause::kShape, "known differences", "does not share the heads");
    row("known: a window left out",
        "main (float[1,1,n] x) => (float[1,1,m] y) { y = MaxPool <kernel_shape = [2], strides = [3], ceil_mode = 1> "
        "(x) }",
        RefusalCause::kShape, "known differences", "keeps a last window");
    row("known: a window cut off",
        "main (float[1,1,5] x) => (float[1,1,3] y) { y = LpPool <kernel_shape = [2], strides = [2], ceil_mode = 1> (x) "
        "}",
        RefusalCause::kAttribute, "known differences", "beyond the input");
    row("known: bytes that wrap", "main (uint8[4] x, uint8[4] z) => (uint8[4] y) { y = Add (x, z) }",
        RefusalCause::kType, "known differences", "instead of wrapping");
    row("known: quotients of bytes", "main (int8[n] x, int8[n] z) => (int8[n] y) { y = Div (x, z) }",
        RefusalCause::kType, "known differences", "rounds to the nearest");
    row("known: as many heads as steps",
        "<ir_version: 10, opset_import: [\"\" : 21, \"com.microsoft\" : 1]> main (float[1,3,12] q, float[1,5,12] k, "
        "float[1,5,12] v) => (float[1,3,12] y) { y = com.microsoft.MultiHeadAttention <num_heads = 3> (q, k, v) }",
        RefusalCause::kShape, "known differences", "mixes up heads and steps");
    row("known: bytes that have no negative", "main (int8[4] x) => (int8[4] y) { y = Neg (x) }", RefusalCause::kType,
        "known differences", "instead of wrapping");
    row("known: quotients of integers", "main (int32[4] x, int32[4] z) => (int32[4] y) { y = Div (x, z) }",
        RefusalCause::kType, "known differences", "above 2^24");
    row("known: sums of integers", "main (int64[2,3] x) => (int64[2,1] y) <int64[1] a = {1}> { y = ReduceSum (x, a) }",
        RefusalCause::kType, "known differences", "above 2^24");
    row("known: equal integers", "main (int64[n] x, int64[n] z) => (bool[n] y) { y = Equal (x, z) }",
        RefusalCause::kType, "known differences", "above 2^24");
    row("known: integers that are turned round",
        "main (int32[4,3] x, int64[3] l) => (int32[4,3] y) { y = ReverseSequence <batch_axis = 1, time_axis = 0> (x, "
        "l) }",
        RefusalCause::kType, "known differences", "above 2^24");
    row("known: large sums of bytes",
        "main (uint8[4,300] x, int8[300,5] w) => (int32[4,5] y) { y = MatMulInteger (x, w) }", RefusalCause::kType,
        "known differences", "sums up in floats");
    row("known: a constant beyond 32 bits",
        "main (int64[4] x) => (int64[4] y) <int64[1] k = {5000000000}> { y = Max (x, k) }", RefusalCause::kType,
        "known differences", "do not hold this constant");
    row("known: products beyond 32 bits",
        "main (int64[4] x) => (int64[4] y) <int64[1] k = {1000003}> { y = Mul (x, k) }", RefusalCause::kType,
        "known differences", "Mul of int64 computes in 32 bits");
    row("known: sums beyond 32 bits",
        "main (int64[4] x) => (int64[4] y) <int64[1] k = {2147483000}> { y = Add (x, k) }", RefusalCause::kType,
        "known differences", "Add of int64 computes in 32 bits");
    row("known: factors of long transforms",
        "main (float[2,99991,1] x) => (float[2,99991,2] y) <int64 a = {1}> { y = DFT (x, \"\", a) }",
        RefusalCause::kMemory, "known differences", "length x length factors");
    row("known: factors of the default axis", "main (float[2,6001,1] x) => (float[2,6001,2] y) { y = DFT (x) }",
        RefusalCause::kMemory, "known differences", "275 MB");
    row("known: factors of long frames",
        "<ir_version: 8, opset_import: [\"\" : 17]> main (float[1,90000,1] x) => (float[1,f,b,2] y) <int64 s = {6001}, "
        "int64 l = {6001}> { y = STFT (x, s, \"\", l) }",
        RefusalCause::kMemory, "known differences", "length x length factors");
    row("known: a slope of each channel", "main (float[2,3,3] x, float[3] s) => (float[2,3,3] y) { y = PRelu (x, s) }",
        RefusalCause::kShape, "known differences", "slope of one axis");
    row("known: a slope of an open axis", "main (float[a,b,c] x, float[c] s) => (float[a,b,c] y) { y = PRelu (x, s) }",
        RefusalCause::kShape, "known differences", "slope of one axis");
    row("no elements beside an open size", "main (float[n,0] x) => (float[n,0] y) { y = Relu (x) }",
        RefusalCause::kShape, "tensors with elements", "has no elements");
    row("large constants", "main () => (float[65536,65536] y) <int64[2] s = {65536,65536}> { y = ConstantOfShape (s) }",
        RefusalCause::kMemory, "large constants", "follows from constants");
    row("constants of any size", "main () => (int64[2,n] y) <float[3] c = {0.0,1.0,2.0}> { y = NonZero (c) }",
        RefusalCause::kMemory, "large constants", "not known before");
    row("large by a shape", "main (float[65536,65536] x) => (float[65536,65536] y) { y = EyeLike (x) }",
        RefusalCause::kMemory, "large constants", "follows from constants");
    row("functions",
        "<ir_version: 10, opset_import: [\"\" : 21, \"my\" : 1]> main (float[2] x) => (float[2] y) { y = my.twice (x) "
        "} <domain: \"my\", opset_import: [\"\" : 21]> twice (x) => (y) { y = Add (x, x) }",
        RefusalCause::kOperator, "functions", "function");
  }
  void slopesThatAreTaken() {
    for (const char* text : {"main (float[2,3,4] x, float[4] s) => (float[2,3,4] y) { y = PRelu (x, s) }",
                             "main (float[n,3,3] x, float[1] s) => (float[n,3,3] y) { y = PRelu (x, s) }",
                             "main (float[n,c] x, float[c] s) => (float[n,c] y) { y = PRelu (x, s) }",
                             "main (float[n,3,3] x, float[3,1] s) => (float[n,3,3] y) { y = PRelu (x, s) }"}) {
      const Result<CapabilityAnswer> answer = ask(resolved(text), {{"minimum_nodes", "1"}});
      QVERIFY2(answer && answer->refusals.empty(), text);
    }
  }

  void resultsOverWhatOthersRead() {
    const auto refused = [](const char* text) {
      const Model model = resolved(text);
      const Result<CapabilityAnswer> answer = ask(model, {{"minimum_nodes", "1"}});
      return answer && answer->refusals.size() == 1 && model.graph.node(answer->refusals[0].node).opType == "Abs" &&
             answer->refusals[0].rule == "known differences";
    };
    QVERIFY(
        refused("main (float[2] a, float[3] b) => (float[5] y) { c = Concat <axis = 0> (a, b)\n d = Abs (c)\n y = Add "
                "(c, d) }"));
    QVERIFY(
        refused("main (float[2] a, float[3] b) => (float[5] c, float[5] d) { c = Concat <axis = 0> (a, b)\n d = Abs "
                "(c) }"));
    QVERIFY(!refused("main (float[2] a, float[3] b) => (float[5] d) { c = Concat <axis = 0> (a, b)\n d = Abs (c) }"));
    QVERIFY(
        !refused("main (float[2,2] a, float[3,2] b) => (float[5,2] y) { c = Concat <axis = 0> (a, b)\n d = Abs (c)\n "
                 "y = Add (c, d) }"));
  }

  // Wrong on processors without VNNI alone.
  void differencesWithoutVnni_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("seen");  // empty: taken everywhere
    const auto row = [](const char* name, const std::string& text, const char* seen) {
      QTest::newRow(name) << QByteArray(text.c_str()) << QString(seen);
    };
    const auto mean = [](const char* in, const char* out) {
      return fmt::format(
          "main (uint8[{}] x) => (uint8[{}] y) <float s = {{0.5}}, uint8 z = {{3}}> {{ d = DequantizeLinear (x, s, "
          "z)\n "
          "p = AveragePool <kernel_shape = [2,2]> (d)\n y = QuantizeLinear (p, s, z) }}",
          in, out);
    };
    row("mean of 12", mean("1,1,4,5", "1,1,3,4"), "fewer than 16");
    row("mean, open dimensions may be 1", mean("n,3,3,3", "n,3,2,2"), "fewer than 16");
    row("mean of 16", mean("1,4,3,3", "1,4,2,2"), "");
    row("mean of 16 for each entry", mean("n,1,5,5", "n,1,4,4"), "");
    const auto convolution = [](const char* type, const char* weights, const char* window, const char* more) {
      return fmt::format(
          "main ({0}[1,1,4,4] x) => ({0}[1,1,m,n] y) <float s = {{0.5}}, {0} z = {{0}}, int8 o = {{0}}, int8[{2}] w = "
          "{{{1}}}> {{ d = DequantizeLinear (x, s, z)\n v = DequantizeLinear (w, s, o)\n c = Conv {3} (d, v)\n y = "
          "QuantizeLinear (c, s, z) }}",
          type, weights, window, more);
    };
    row("int8 under a window", convolution("int8", "1,2,3,4", "1,1,2,2", ""), "a convolution of int8");
    row("int8 with padding", convolution("int8", "1", "1,1,1,1", "<pads = [1,1,1,1]>"), "a convolution of int8");
    row("int8 under one cell", convolution("int8", "1", "1,1,1,1", ""), "");
    row("uint8, seven bits", convolution("uint8", "64,-64,3,4", "1,1,2,2", ""), "");
    row("uint8, eight bits", convolution("uint8", "65,-64,3,4", "1,1,2,2", ""), "weights of eight bits");
    const auto product = [](const char* weights) {
      return fmt::format(
          "main (uint8[3,2] x) => (uint8[3,2] y) <float s = {{0.5}}, uint8 z = {{3}}, int8 o = {{0}}, int8[2,2] w = "
          "{{{}}}> {{ d = DequantizeLinear (x, s, z)\n v = DequantizeLinear (w, s, o)\n c = MatMul (d, v)\n y = "
          "QuantizeLinear (c, s, z) }}",
          weights);
    };
    row("product, seven bits", product("1,-64,3,64"), "");
    row("product, eight bits", product("1,-64,3,-65"), "weights of eight bits");
    const auto normalized = [](const char* type) {
      return fmt::format(
          "<ir_version: 10, opset_import: [\"\" : 21]> main ({0}[1,4,2] x, {0}[4] a, {0}[4] b) => ({0}[1,4,2] y) "
          "<{0}[1,4,2] n> {{ n = GroupNormalization <num_groups = 2> (x, a, b)\n y = Add (n, x) }}",
          type);
    };
    row("groups of halves", normalized("float16"), "float16");
    row("groups of floats", normalized("float"), "");
  }
  void differencesWithoutVnni() {
    QFETCH(QByteArray, text);
    QFETCH(QString, seen);
    const Model model = resolved(text.constData());
    const Result<CapabilityAnswer> answer = ask(model, {{"minimum_nodes", "1"}});
    QVERIFY2(answer, answer ? "" : answer.error().message.c_str());
    const bool refused = std::ranges::any_of(answer->refusals, [&](const Refusal& each) {
      return each.rule == "known differences" && QString::fromStdString(each.seen).contains(seen);
    });
    const bool isWrong = __builtin_cpu_supports("avx512vnni") == 0 && __builtin_cpu_supports("avxvnni") == 0;
    QCOMPARE(refused, !seen.isEmpty() && isWrong);
  }

  void scalesOfConvolutionsThatAreOutputs() {
    const auto refused = [](const char* batch, const char* more) {
      const std::string text = fmt::format(
          "main (int8[{},1,4,4] x) => (int8[m,1,3,3] y{}) <float s = {{0.5}}, int8 z = {{0}}, float[1,1,2,2] w = "
          "{{1.0,2.0,3.0,4.0}}> {{ d = DequantizeLinear (x, s, z)\n c = Conv (d, w)\n r = Relu (c)\n y = "
          "QuantizeLinear (r, s, z) }}",
          batch, more);
      const Model model = resolved(text.c_str());
      const Result<CapabilityAnswer> answer = ask(model, {{"minimum_nodes", "1"}});
      std::string operators;
      for (const Refusal& refusal : answer->refusals)
        operators += model.graph.node(refusal.node).opType + " ";
      return QString::fromStdString(operators);
    };
    QVERIFY(refused("n", ", float[m,1,3,3] c").contains("QuantizeLinear"));
    QVERIFY(refused("n", ", float[m,1,3,3] r").contains("QuantizeLinear"));
    QCOMPARE(refused("n", ""), QString());
    QCOMPARE(refused("2", ", float[m,1,3,3] c"), QString());
  }

  void integersThatAreSmall_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("of sizes") << QByteArray(
        "main (float[n,3] x) => (float[m,3] y) <int64[1] two = {2}, int64[1] three = {3}, int64[1] zero = {0}> { s = "
        "Shape <start = 0, end = 1> (x)\n d = Mul (s, two)\n h = Mod (s, three)\n f = Div (d, two)\n g = Add (h, f)\n "
        "e "
        "= Equal (h, zero)\n q = Where (e, f, g)\n c = Concat <axis = 0> (q, three)\n r = Slice (c, zero, two)\n t = "
        "Max (r, three)\n y = Expand (x, t) }");
    QTest::newRow("of narrower types") << QByteArray(
        "main (int16[2,3] x, bool[2,3] z) => (int32[2,3] y) <int32 d = {7}> { a = Cast <to = 6> (x)\n b = Cast <to = "
        "6> "
        "(z)\n c = Mul (a, b)\n e = Clip (c, d, d)\n y = Div (e, d) }");
    QTest::newRow("compared with something small") << QByteArray(
        "main (int64[n] x, int32[3] z) => (bool[n] y, int32[3] c) <int64 d = {7}, int32 l = {-3}, int32 h "
        "= {9}> { y = Less (x, d)\n c = Clip (z, l, h) }");
    QTest::newRow("product of sizes") << QByteArray(
        "main (float[n,m,4] x) => (float[p,q] y) <int64[2] a = {0,1}, int64[1] four = {-1}> { s = Shape "
        "(x)\n i = Cast <to = 6> (s)\n g = Gather (i, a)\n r = ReduceProd (g)\n l = Cast <to = 7> (r)\n c "
        "= Concat <axis = 0> (l, four)\n y = Reshape (x, c) }");
    QTest::newRow("summed up") << QByteArray(
        "main (uint8[100,100] x) => (int32[1,1] y) { a = Cast <to = 6> (x)\n y = ReduceSum (a) }");
    QTest::newRow("products of bytes") << QByteArray(
        "main (uint8[4,200] x, int8[200,5] w) => (int32[4,5] y) { y = MatMulInteger (x, w) }");
    QTest::newRow("products of bytes that become floats") << QByteArray(
        "main (uint8[4,900] x, int8[900,5] w) => (float[4,5] y) { z = MatMulInteger (x, w)\n y = Cast <to = 1> (z) }");
    QTest::newRow("int64 of usual sizes") << QByteArray(
        "main (int64[4] x, float[n,m] f) => (int64[4] y, int64[p] t, int64[1] c, int64[4] l) <int64[1] k = {1000}, "
        "int64[1] b = {1}, int64[1] e = {9223372036854775807}> { u = Mul (x, k)\n v = Add (u, x)\n y = Sub (v, k)\n h "
        "= Shape <start = 0, end = 1> (f)\n w = Shape <start = 1, end = 2> (f)\n c = Mul (h, w)\n q = Mul (c, k)\n t "
        "= Slice (x, b, e)\n l = Add (x, q) }");
    QTest::newRow("sums, products and movement") << QByteArray(
        "main (int32[4] x, int32[4] z, int64[2] p) => (int32[n] y) { a = Add (x, z)\n b = Mul (a, x)\n m = Max (b, "
        "z)\n "
        "y = Pad (m, p) }");
  }
  void integersThatAreSmall() {
    QFETCH(QByteArray, text);
    const Result<CapabilityAnswer> answer = ask(resolved(text.constData()), {{"minimum_nodes", "1"}});
    QVERIFY(answer);
    QString reasons;
    for (const Refusal& refusal : answer->refusals)
      reasons += QString::fromStdString(refusal.reason) + "; ";
    QCOMPARE(reasons, QString());
  }

  void headsAndSteps() {
    for (const auto& [steps, refused] : {std::pair{"3", 1}, std::pair{"4", 0}, std::pair{"n", 0}}) {
      const std::string text = fmt::format(
          "main (float[1,{0},3,2] x) => (float[1,3,{0},2] y) {{ t = Transpose <perm = [0,2,1,3]> (x)\n y = Relu (t) }}",
          steps);
      const Result<CapabilityAnswer> answer = ask(resolved(text.c_str()), {{"minimum_nodes", "1"}});
      QVERIFY(answer);
      QCOMPARE(std::ranges::count(answer->refusals, RefusalCause::kShape, &Refusal::cause), refused);
    }
  }

  void meansOfBytesWithSeveralReaders() {
    for (const bool several : {false, true}) {
      const std::string text = fmt::format(
          "main (int8[1,1,4,4] x) => (int8[1,1,3,3] y{}) <float s = {{0.5}}, int8 z = {{0}}> {{ d = DequantizeLinear "
          "(x, "
          "s, z)\n c = AveragePool <kernel_shape = [2,2]> (d)\n y = QuantizeLinear (c, s, z){} }}",
          several ? ", float[1,1,3,3] e" : "", several ? "\n e = Mul (c, s)" : "");
      const Result<CapabilityAnswer> answer = ask(resolved(text.c_str()), {{"minimum_nodes", "1"}});
      QVERIFY(answer);
      QCOMPARE(std::ranges::count(answer->refusals, RefusalCause::kOperator, &Refusal::cause), several ? 1 : 0);
    }
  }

  void pooledWithRoundedSizes() {
    for (const char* text :
         {"main (float[1,1,n] x) => (float[1,1,m] y) { y = MaxPool <kernel_shape = [3], strides = [2], pads = [1, 1], "
          "ceil_mode = 1> (x) }",
          "main (float[1,1,6] x) => (float[1,1,2] y) { y = MaxPool <kernel_shape = [2], strides = [3], ceil_mode = 1> "
          "(x) }"}) {
      const Result<CapabilityAnswer> answer = ask(resolved(text), {{"minimum_nodes", "1"}});
      QVERIFY(answer);
      QCOMPARE(answer->claims.size(), size_t{1});
    }
  }

  void refusals() {
    QFETCH(QByteArray, text);
    QFETCH(QString, option);
    QFETCH(int, cause);
    QFETCH(QString, rule);
    QFETCH(QString, words);
    const Model model = resolved(text.constData());
    ProviderOptions options{{"minimum_nodes", "1"}};
    if (!option.isEmpty()) options[option.toStdString()] = "0";
    const Result<CapabilityAnswer> answer = ask(model, options);
    QVERIFY2(answer, answer ? "" : answer.error().message.c_str());
    QVERIFY(answer->claims.empty());
    QCOMPARE(answer->refusals.size(), size_t{1});
    const Refusal& refusal = answer->refusals[0];
    QCOMPARE(static_cast<int>(refusal.cause), cause);
    QCOMPARE(QString::fromStdString(refusal.rule), rule);
    QVERIFY2(QString::fromStdString(refusal.reason).contains(words), refusal.reason.c_str());
    QVERIFY(!refusal.seen.empty());
  }

  // Results that follow from constants are computed when the group is compiled; what reads the one that was refused is
  // taken again.
  void growingConstantsAreCut() {
    std::string text = "main () => (float[n] y) <float[64] c0> {\n";
    for (int i = 0; i < 24; ++i)
      text += fmt::format("c{} = Concat <axis = 0> (c{}, c{})\n", i + 1, i, i);
    Model model = *parseModelText(text + "y = Relu (c24)\n}");
    model.graph.addInitializer("c0", *Tensor::create(ElementType::kFloat, {64}));
    Progress progress;
    QVERIFY(resolve::resolve(model, {}, progress));
    const Result<CapabilityAnswer> answer = ask(model, {});
    QVERIFY2(answer, answer ? "" : answer.error().message.c_str());
    QCOMPARE(answer->refusals.size(), size_t{1});
    const Node& refused = model.graph.node(answer->refusals[0].node);
    QCOMPARE(model.graph.value(refused.outputs[0]).name, std::string("c20"));
    QCOMPARE(answer->refusals[0].rule, std::string("large constants"));
    QCOMPARE(answer->claims.size(), size_t{2});
  }

  // A window of 10^6 places over a constant of 36 MB: what is read is made there, and the window is not.
  void constantsThatTakeLongAreCut() {
    const Model model = resolved(R"(main () => (float[1,1,2001,2001] y) <int64[4] s = {1,1,3000,3000}> {
      c = ConstantOfShape (s)
      y = MaxPool <kernel_shape = [1000,1000]> (c)
    })");
    const Result<CapabilityAnswer> answer = ask(model, {{"minimum_nodes", "1"}});
    QVERIFY2(answer, answer ? "" : answer.error().message.c_str());
    QCOMPARE(answer->claims.size(), size_t{1});
    QCOMPARE(answer->refusals.size(), size_t{1});
    QCOMPARE(model.graph.node(answer->refusals[0].node).opType, std::string("MaxPool"));
    QCOMPARE(answer->refusals[0].rule, std::string("large constants"));
    QVERIFY(answer->refusals[0].reason.find("4004001000000 operations") != std::string::npos);
  }

  // Ten powers of 25,000,000 elements are seconds for our kernels and more than a minute for OpenVINO's folding.
  void constantsThatOpenVinoFoldsSlowlyAreCut() {
    std::string text = "main () => (float[10,1,1] y) <int64[3] s = {1,1,25000000}> {\nc = ConstantOfShape (s)\n", all;
    for (int i = 0; i < 10; ++i) {
      text += fmt::format("p{} = GlobalLpPool <p = {}> (c)\n", i, i + 3);
      all += fmt::format("{}p{}", i == 0 ? "" : ", ", i);
    }
    const Model model = resolved(fmt::format("{}y = Concat <axis = 0> ({})\n}}", text, all).c_str());
    const Result<CapabilityAnswer> answer = ask(model, {{"minimum_nodes", "1"}});
    QVERIFY2(answer, answer ? "" : answer.error().message.c_str());
    QVERIFY2(answer->refusals.size() >= 8, qPrintable(QString::number(answer->refusals.size())));
    for (const auto& refusal : answer->refusals)
      QCOMPARE(refusal.rule, std::string("large constants"));
  }

  // OpenVINO takes what it takes: what is above the limit by what it reads alone is not given to it.
  void aMemoryLimitBinds() {
    const Model model = resolved(R"(main (float[1000] x, float[10] z) => (float[1000] y, float[10] w) {
      y = Relu (x)
      w = Relu (z)
    })");
    const ProviderOptions options{{"minimum_nodes", "1"}};
    QCOMPARE(ask(model, options)->refusals.size(), size_t{0});
    const HeapLimit limit(7999);
    const Result<CapabilityAnswer> answer = ask(model, options);
    QVERIFY2(answer, answer ? "" : answer.error().message.c_str());
    QCOMPARE(answer->refusals.size(), size_t{1});
    QCOMPARE(answer->refusals[0].rule, std::string("memory limit"));
    QCOMPARE(answer->refusals[0].seen, std::string("8000 bytes"));
  }

  void formsLeaveLengthsOutAndKeepWhatMatters() {
    const Model model = resolved(
        R"(main (float[2,30] x, float[2,50] z, float[2,n] o) => (a, b, c, d, e, f, g) <int64[2] s = {6,-1}, int64[2] t = {2,-1}> {
      a = Softmax <axis = 1> (x)
      b = Softmax <axis = 1> (z)
      c = Softmax <axis = 0> (z)
      d = Softmax <axis = 1> (o)
      e = Reshape (x, s)
      f = Reshape (x, t)
      g = Add (x, x)
    })");
    std::map<std::string, std::string> forms;
    for (const NodeId id : model.graph.nodeIds())
      forms[model.graph.value(model.graph.node(id).outputs[0]).name] = formOf(model.graph, id);
    QCOMPARE(forms["a"], forms["b"]);
    QVERIFY(forms["a"] != forms["c"]);
    QVERIFY(forms["a"] != forms["d"]);
    QVERIFY(forms["e"] != forms["f"]);
    QVERIFY(forms["g"].find("=0") != std::string::npos);
  }

  void cancelledIsSaid() {
    const Model model =
        resolved("main (float[2,2,2] x) => (float[2,2,2] y) { y = Elu <alpha = 0.3125> (x) }");  // a form that nobody
                                                                                                 // has asked about
    CancelToken cancel;
    cancel.cancel();
    const Result<CapabilityAnswer> answer = ask(model, {}, cancel);
    QVERIFY(!answer);
    QCOMPARE(answer.error().code, ErrorCode::kModelLoadCanceled);
    QVERIFY(ask(model, {}));
  }
};

QTEST_GUILESS_MAIN(TestOpenvinoCapability)
#include "tst_openvino_capability.moc"
