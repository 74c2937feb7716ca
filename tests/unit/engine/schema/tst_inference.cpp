#include <QtTest/QtTest>

#include "engine/graph/text.h"
#include "engine/schema/function_body.h"
#include "engine/schema/schema.h"
#include "tests/checker/growth.h"

using namespace cutaway;

namespace {

Model parsed(const QByteArray& text) {
  auto model = parseModelText(text.toStdString());
  if (!model) qFatal("%s", describe(model.error()).c_str());
  connectScopes(model->graph);
  for (Function& function : model->functions)
    connectScopes(function.body);
  return *std::move(model);
}

Result<void> infer(Model& model, std::vector<InferenceWarning>& warnings, bool strict = false) {
  return inferGraph(model, model.graph, {.strict = strict}, warnings);
}

QByteArray typeOf(const Model& model, const char* name) {
  return QByteArray::fromStdString(toText(model.graph.value(model.graph.findValue(name)).type));
}

}  // namespace

class TestInference : public QObject {
  Q_OBJECT

 private slots:
  // The value y of each graph gets this type.
  void infers_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("type");
    const auto row = [](const char* name, const char* text, const char* type) {
      QTest::newRow(name) << QByteArray(text) << QByteArray(type);
    };
    row("static", "g (float[1,3,8,8] x, float[4,3,3,3] w) => (y) { y = Conv (x, w) }", "float[1,4,6,6]");
    row("symbols are kept", "g (float[n,3] x) => (y) { y = Relu (x) }", "float[n,3]");
    row("broadcast", "g (float[n,1] x, float[1,5] z) => (y) { y = Add (x, z) }", "float[n,5]");
    row("a declared symbol beats an inferred one", "g (float[n,3] x) => (float[batch,3] y) { y = Relu (x) }",
        "float[batch,3]");
    row("an inferred number beats a declared symbol", "g (float[2,3] x) => (float[batch,3] y) { y = Relu (x) }",
        "float[2,3]");
    row("shape, gather, concat, reshape",
        "g (float[n,4,5] x) => (y) <int64[1] i = {0}, int64[1] rest = {20}> { s = Shape (x) b = Gather (s, i) t = "
        "Concat <axis = 0> (b, rest) y = Reshape (x, t) }",
        "float[n,20]");
    row("minus one in a computed shape",
        "g (float[2,4,5] x) => (y) <int64[1] i = {0}, int64[1] rest = {-1}> { s = Shape (x) b = Gather (s, i) t = "
        "Concat <axis = 0> (b, rest) y = Reshape (x, t) }",
        "float[2,20]");
    row("arithmetic on shapes",
        "g (float[6,8] x) => (y) <int64[1] zero = {0}, int64[1] two = {2}> { s = Shape (x) a = Gather (s, zero) b = "
        "Div (a, two) y = ConstantOfShape (b) }",
        "float[3]");
    row("slice of a shape",
        "g (float[n,4,5] x) => (y) <int64[1] from = {1}, int64[1] to = {3}> { s = Shape (x) p = Slice (s, from, to) y "
        "= ConstantOfShape (p) }",
        "float[4,5]");
    row("more dimensions than any model has", "g (float[n,4] x, int64[257] t) => (y) { y = Reshape (x, t) }", "float");
    row("the rank of sizes that only the run knows", "g (float[n,4] x, int64[3] t) => (y) { y = Reshape (x, t) }",
        "float[?,?,?]");
    row("no rank of as many sizes as only the run knows", "g (float[n,4] x, int64[m] t) => (y) { y = Reshape (x, t) }",
        "float");
    row("the rank of what is filled", "g (int64[2] t) => (y) { y = ConstantOfShape (t) }", "float[?,?]");
    row("range of a size",
        "g (float[2,3] x) => (y) <int64[] zero = {0}, int64[] one = {1}> { s = Size (x) y = Range (zero, s, one) }",
        "int64[6]");
    row("contrib: fused matrix product",
        "<ir_version: 8, opset_import: [\"\" : 17, \"com.microsoft\" : 1]> g (float[b,5,4] x, float[b,5,6] z) => (y) { "
        "y = com.microsoft.FusedMatMul <transA = 1> (x, z) }",
        "float[b,4,6]");
    row("contrib: skip normalisation",
        "<ir_version: 8, opset_import: [\"\" : 17, \"com.microsoft\" : 1]> g (float[b,s,8] x, float[b,s,8] z, float[8] "
        "g) => (y) { y = com.microsoft.SkipLayerNormalization (x, z, g) }",
        "float[b,s,8]");
    row("behind an unknown operator",
        "<ir_version: 8, opset_import: [\"\" : 17, \"com.example\" : 1]> g (float[2] x) => (y) { a = com.example.What "
        "(x) y = Relu (a) }",
        "unknown");
    row("if: equal branches",
        "g (bool[] c, float[n,2] x) => (y) { y = If (c) <then_branch = t () => (float[n,2] a) { a = Relu (x) }, "
        "else_branch = e () => (float[n,2] b) { b = Neg (x) }> }",
        "float[n,2]");
    row("a window in the padding is none",
        "g (float[1,1,4,6] x) => (y) { y = MaxPool <kernel_shape = [2, 1], ceil_mode = 1, pads = [1, 0, 0, 0], strides "
        "= [1, 3]> (x) }",
        "float[1,1,4,2]");
    row("a window that reaches into the padding",
        "g (float[1,1,6] x) => (y) { y = AveragePool <kernel_shape = [3], ceil_mode = 1, strides = [2]> (x) }",
        "float[1,1,3]");
    row("one side of a spectrum is the schema's default",
        "g (float[1,64] x, float[16] w) => (y) <int64 step = {8}, int64 length = {16}> { y = STFT (x, step, w, length) "
        "}",
        "float[1,7,9,2]");
    row("SAME padding leaves no output_padding",
        "g (float[1,2,4] x, float[2,3,3] w) => (y) { y = ConvTranspose <auto_pad = \"SAME_LOWER\", strides = [2], "
        "output_padding = [1]> (x, w) }",
        "float[1,3,8]");
    row("SAME padding, windows with room between them",
        "g (float[1,2,4,n] x, float[2,3,2,2] w) => (y) { y = ConvTranspose <auto_pad = \"SAME_UPPER\", strides = [3, "
        "2]> (x, w) }",
        "float[1,3,12,?]");
    row("sequence", "g (float[2,3] x) => (y) { y = SequenceConstruct (x, x) }", "seq(float[2,3])");
  }
  void infers() {
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, type);
    Model model = parsed(text);
    std::vector<InferenceWarning> warnings;
    const auto inferred = infer(model, warnings);
    if (!inferred) QFAIL(describe(inferred.error()).c_str());
    QCOMPARE(typeOf(model, "y"), type);
  }

  void refuses_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<int>("code");
    QTest::addColumn<QByteArray>("part");  // of the message
    const auto row = [](const char* name, const char* text, ErrorCode code, const char* part) {
      QTest::newRow(name) << QByteArray(text) << static_cast<int>(code) << QByteArray(part);
    };
    row("shapes that do not fit", "g (float[2,3] x, float[4,5] z) => (y) { y = MatMul (x, z) }",
        ErrorCode::kInvalidArgument, "Incompatible dimensions");
    row("types that differ", "g (float[2] x, double[2] z) => (y) { y = Add (x, z) }", ErrorCode::kInvalidGraph,
        "different types");
    row("type that is not allowed", "g (int32[1,1,2,2] x, int32[1,1,1,1] w) => (y) { y = Conv (x, w) }",
        ErrorCode::kInvalidGraph, "does not take tensor(int32)");
    row("too many inputs", "g (float[2] x) => (y) { y = Relu (x, x) }", ErrorCode::kInvalidGraph, "takes 1 input,");
    row("too few inputs", "g (float[2] x) => (y) { y = Add (x) }", ErrorCode::kInvalidGraph, "takes 2 inputs");
    row("required attribute", "g (float[2] x) => (y) { y = Cast (x) }", ErrorCode::kInvalidGraph,
        "'to' of Cast is required");
    row("kind of attribute", "g (float[2] x) => (y) { y = Cast <to = \"float\"> (x) }", ErrorCode::kInvalidGraph,
        "should be INT");
    row("a switch that says minus one", "g (float[2,3] x) => (y) { y = ReduceMax <keepdims = -1> (x) }",
        ErrorCode::kInvalidGraph, "keepdims = -1 of ReduceMax says neither no (0) nor yes (1)");
    row("a switch of another operator",
        "g (float[1,1,4,4] x) => (y) { y = MaxPool <kernel_shape = [2, 2], ceil_mode = 3> (x) }",
        ErrorCode::kInvalidGraph, "ceil_mode = 3 of MaxPool");
    row("a divisor of zero", "g (float[2] x) => (y) { y = Celu <alpha = 0.0> (x) }", ErrorCode::kInvalidGraph,
        "alpha = 0 of Celu");
    row("declared type", "g (float[2] x) => (int64[2] y) { y = Relu (x) }", ErrorCode::kInvalidGraph, "does not agree");
    row("inside a body",
        "g (bool[] c, float[2,3] x) => (y) { y = If (c) <then_branch = t () => (a) { a = MatMul (x, x) }, else_branch "
        "= e () => (b) { b = Neg (x) }> }",
        ErrorCode::kInvalidArgument, "Incompatible dimensions");
  }
  void refuses() {
    QFETCH(QByteArray, text);
    QFETCH(int, code);
    QFETCH(QByteArray, part);
    Model model = parsed(text);
    std::vector<InferenceWarning> warnings;
    const auto inferred = infer(model, warnings);
    QVERIFY(!inferred);
    QCOMPARE(static_cast<int>(inferred.error().code), code);
    QVERIFY2(QByteArray::fromStdString(inferred.error().message).contains(part), inferred.error().message.c_str());
    QVERIFY(!inferred.error().where.node.empty());
  }

  void conflictingShapesBecomeUnknownOrFail() {
    const char* text = "g (float[2,3] x) => (float[2,4] y) { y = Relu (x) }";
    Model model = parsed(text);
    std::vector<InferenceWarning> warnings;
    QVERIFY(infer(model, warnings).has_value());
    QCOMPARE(typeOf(model, "y"), QByteArray("float[2,?]"));
    QCOMPARE(warnings.size(), size_t{1});
    QCOMPARE(warnings[0].value, std::string("y"));
    Model again = parsed(text);
    const auto strict = infer(again, warnings, true);
    QVERIFY(!strict);
    QCOMPARE(strict.error().where.value, std::string("y"));
  }

  void nestedBodiesAreInferredOnce() {
    // Each level would double the work if bodies were inferred on their own and again through their node.
    const auto ticksFor = [](int levels) {
      QByteArray body = "a0 = Relu (x)";
      for (int depth = 1; depth <= levels; ++depth) {
        const QByteArray inner = body;
        const QByteArray number = QByteArray::number(depth);
        const QByteArray last = "a" + QByteArray::number(depth - 1);
        body = "a" + number + " = If (c) <then_branch = t" + number + " () => (float[2] " + last + ") { " + inner +
               " }, else_branch = e" + number + " () => (float[2] n" + number + ") { n" + number + " = Neg (x) }>";
      }
      const QByteArray output = "a" + QByteArray::number(levels);
      Model model = parsed("g (bool[] c, float[2] x) => (" + output + ") { " + body + " }");
      std::vector<InferenceWarning> warnings;
      return ticksOf([&] {
        const auto inferred = infer(model, warnings);
        if (!inferred) qFatal("%s", describe(inferred.error()).c_str());
        if (typeOf(model, output) != "float[2]") qFatal("%s", typeOf(model, output).constData());
      });
    };
    // Twice the depth: four times as long when every level copies what lies in it, and 2^12 times if it grew by
    // doubling.
    const Growth growth = growthOf(ticksFor, 12, 24, 64);
    QVERIFY2(growth.ratio < 64, growth.words().c_str());
  }

  void stopsWhenCancelled() {
    QByteArray text = "g (float[2] x) => (y) { a0 = Relu (x) ";
    for (int i = 1; i < 500; ++i)
      text += "a" + QByteArray::number(i) + " = Relu (a" + QByteArray::number(i - 1) + ") ";
    Model model = parsed(text + "y = Relu (a499) }");
    std::vector<InferenceWarning> warnings;
    const auto inferred = inferGraph(model, model.graph, {}, warnings, [] { return true; });
    QVERIFY(!inferred);
    QVERIFY(inferred.error().code == ErrorCode::kModelLoadCanceled);
  }

  void callsOfLocalFunctionsHaveTypes() {
    Model model = parsed(R"(<ir_version: 8, opset_import: ["" : 17, "f" : 1]>
      g (float[n,3] x) => (y) { y = f.Twice <to = 11> (x) }
      <domain: "f", opset_import: ["" : 17]> Twice <to> (a) => (b) { s = Add (a, a) b = Cast <to = @to> (s) })");
    std::vector<InferenceWarning> warnings;
    const auto inferred = infer(model, warnings);
    if (!inferred) QFAIL(describe(inferred.error()).c_str());
    QCOMPARE(typeOf(model, "y"), QByteArray("double[n,3]"));
  }
};

QTEST_GUILESS_MAIN(TestInference)
#include "tst_inference.moc"
