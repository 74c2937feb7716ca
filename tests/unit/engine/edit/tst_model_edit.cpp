// Every kind of edit as text graphs before and after, and every refusal; what an edited model resolves to; lists as
// JSON.
#include <QtTest/QtTest>

#include "engine/base/progress.h"
#include "engine/edit/edit_text.h"
#include "engine/edit/model_edit.h"
#include "engine/edit/model_editor.h"
#include "engine/graph/text.h"
#include "engine/stages/resolve/resolve.h"
#include "tests/unit/engine/graph/graph_consistency.h"

using namespace cutaway;

namespace {

constexpr const char* kHeader = "<ir_version: 8, opset_import: [\"\" : 17, \"my\" : 1]>\n";

// Origins: 0 conv, 1 relu, 2 sum, 3 tail.
constexpr const char* kChain =
    R"(g (float[n,4] x) => (float[n,4] y, float[n,4] t) <float[4] w = {1,2,3,4}, float[4,4] k = {1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1}> {
  [product] a = MatMul (x, k)
  [relu] b = Relu (a)
  [sum] y = Add (b, w)
  [tail] t = Softmax <axis = 1> (b)
})";

// Origins: 0 before, 1 branch, 2 inside, 3 neg, 4 other.
constexpr const char* kBranch = R"(g (float[2] x, bool c) => (float[2] y) {
  [before] h = Relu (x)
  [branch] y = If <then_branch = t () => (r) { [inside] m = Abs (h) [neg] r = Neg (m) }, else_branch = e () => (q) { [other] q = Identity (x) }> (c)
})";

constexpr const char* kFunction = R"(g (float[2] x) => (float[2] y) { [call] y = my.Twice (x) }
<domain: "my", opset_import: ["" : 17]> Twice (a) => (c) { [first] b = Relu (a) [second] c = Neg (b) })";

Model modelOf(const QByteArray& text) {
  auto model = parseModelText((kHeader + text).toStdString());
  if (!model) qFatal("%s", describe(model.error()).c_str());
  model->graph.loadedFromFile = true;
  return *std::move(model);
}

QString textOf(const Model& model) {
  return QString::fromStdString(printModel(model));
}

Result<void> resolved(Model model) {
  Progress progress;
  const auto report = resolve::resolve(model, {}, progress);
  if (!report) return fail(report.error());
  return {};
}

edit::ModelEdit onValue(edit::EditKind kind, std::string name, std::string text = {}, int graph = 0) {
  return {.kind = kind, .graph = graph, .name = std::move(name), .text = std::move(text)};
}
edit::ModelEdit onNode(edit::EditKind kind, int origin, std::string text = {}, std::string name = {}) {
  return {.kind = kind, .origin = origin, .name = std::move(name), .text = std::move(text)};
}
edit::ModelEdit extract(std::vector<std::string> from, std::vector<std::string> to) {
  return {.kind = edit::EditKind::kExtract, .names = std::move(from), .outputs = std::move(to)};
}

}  // namespace

Q_DECLARE_METATYPE(edit::ModelEdit)

class TestModelEdit : public QObject {
  Q_OBJECT

  static void row(const char* title, const char* before, edit::ModelEdit edit, const char* after) {
    QTest::newRow(title) << QByteArray(before) << edit << QByteArray(after);
  }

 private slots:
  void edits_data() {
    QTest::addColumn<QByteArray>("before");
    QTest::addColumn<edit::ModelEdit>("edit");
    QTest::addColumn<QByteArray>("after");
    row("rename a value", kChain, onValue(edit::EditKind::kRenameValue, "b", "middle"),
        R"(g (float[n,4] x) => (float[n,4] y, float[n,4] t) <float[4] w = {1,2,3,4}, float[4,4] k = {1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1}> {
      [product] a = MatMul (x, k) [relu] middle = Relu (a) [sum] y = Add (middle, w) [tail] t = Softmax <axis = 1> (middle) })");
    row("rename an input", "g (float[2] x) => (float[2] y) { y = Add (x, x) }",
        onValue(edit::EditKind::kRenameValue, "x", "data in"),
        "g (float[2] \"data in\") => (float[2] y) { y = Add (\"data in\", \"data in\") }");
    row("rename what a body captures", kBranch, onValue(edit::EditKind::kRenameValue, "h", "hidden"),
        R"(g (float[2] x, bool c) => (float[2] y) { [before] hidden = Relu (x)
      [branch] y = If <then_branch = t () => (r) { [inside] m = Abs (hidden) [neg] r = Neg (m) }, else_branch = e () => (q) { [other] q = Identity (x) }> (c) })");
    row("rename inside a body", kBranch, onValue(edit::EditKind::kRenameValue, "m", "inner", 1),
        R"(g (float[2] x, bool c) => (float[2] y) { [before] h = Relu (x)
      [branch] y = If <then_branch = t () => (r) { [inside] inner = Abs (h) [neg] r = Neg (inner) }, else_branch = e () => (q) { [other] q = Identity (x) }> (c) })");
    row("rename in a function", kFunction, onValue(edit::EditKind::kRenameValue, "b", "between", 1),
        "g (float[2] x) => (float[2] y) { [call] y = my.Twice (x) }\n<domain: \"my\", opset_import: [\"\" : 17]> Twice "
        "(a) => (c) { [first] between = Relu (a) [second] c = Neg (between) }");
    row("to its own name", "g (float[2] x) => (float[2] y) { y = Neg (x) }",
        onValue(edit::EditKind::kRenameValue, "x", "x"), "g (float[2] x) => (float[2] y) { y = Neg (x) }");
    row("element type", "g (float[2] x) => (float[2] y) { y = Neg (x) }",
        onValue(edit::EditKind::kSetElementType, "x", "float16"), "g (float16[2] x) => (float[2] y) { y = Neg (x) }");
    row("shape", "g (float[2] x) => (float[2] y) { y = Neg (x) }",
        onValue(edit::EditKind::kSetShape, "x", "batch,3,,224"),
        "g (float[batch,3,?,224] x) => (float[2] y) { y = Neg (x) }");
    row("scalar", "g (float[2] x) => (float[2] y) { y = Neg (x) }", onValue(edit::EditKind::kSetShape, "y", "[]"),
        "g (float[2] x) => (float[] y) { y = Neg (x) }");
    row("dimension", kChain, onValue(edit::EditKind::kSetDim, "n", "8"),
        R"(g (float[8,4] x) => (float[8,4] y, float[8,4] t) <float[4] w = {1,2,3,4}, float[4,4] k = {1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1}> {
      [product] a = MatMul (x, k) [relu] b = Relu (a) [sum] y = Add (b, w) [tail] t = Softmax <axis = 1> (b) })");
    row("dimension to another name", "g (float[n,n] x) => (float[n,m] y) { y = Neg (x) }",
        onValue(edit::EditKind::kSetDim, "n", "batch"),
        "g (float[batch,batch] x) => (float[batch,m] y) { y = Neg (x) }");
    row("rename a node", "g (float[2] x) => (float[2] y) { [old] y = Neg (x) }",
        onNode(edit::EditKind::kRenameNode, 0, "new"), "g (float[2] x) => (float[2] y) { [new] y = Neg (x) }");
    row("bypass in the middle", kChain, onNode(edit::EditKind::kBypassNode, 1),
        R"(g (float[n,4] x) => (float[n,4] y, float[n,4] t) <float[4] w = {1,2,3,4}, float[4,4] k = {1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1}> {
      [product] a = MatMul (x, k) [sum] y = Add (a, w) [tail] t = Softmax <axis = 1> (a) })");
    row("bypass what makes an output", "g (float[2] x) => (float[2] y) { [r] a = Relu (x) [n] y = Neg (a) }",
        onNode(edit::EditKind::kBypassNode, 1), "g (float[2] x) => (float[2] y) { [r] y = Relu (x) }");
    row("bypass between input and output",
        "g (float[2] x) => (float[2] y, float[2] z) { [n] y = Neg (x) [r] z = Relu (x) }",
        onNode(edit::EditKind::kBypassNode, 0),
        "g (float[2] x) => (float[2] y, float[2] z) { [r] z = Relu (x) y = Identity (x) }");
    row("bypass drops the weight",
        "g (float[2] x) => (float[2] y) <float[2] w = {1,2}> { [a] h = Add (x, w) [n] y = Neg (h) }",
        onNode(edit::EditKind::kBypassNode, 0), "g (float[2] x) => (float[2] y) { [n] y = Neg (x) }");
    row("bypass in a body", kBranch, onNode(edit::EditKind::kBypassNode, 2),
        R"(g (float[2] x, bool c) => (float[2] y) { [before] h = Relu (x)
      [branch] y = If <then_branch = t () => (r) { [neg] r = Neg (h) }, else_branch = e () => (q) { [other] q = Identity (x) }> (c) })");
    row("bypass in a function", kFunction, onNode(edit::EditKind::kBypassNode, 1),
        "g (float[2] x) => (float[2] y) { [call] y = my.Twice (x) }\n<domain: \"my\", opset_import: [\"\" : 17]> Twice "
        "(a) => (c) { [second] c = Neg (a) }");
    row("delete makes inputs",
        "g (float[2] x) => (float[2] y) <float[2] w = {1,2}, float[2] h> { [a] h = Add (x, w) [n] y = Neg (h) }",
        onNode(edit::EditKind::kDeleteNode, 0), "g (float[2] x, float[2] h) => (float[2] y) { [n] y = Neg (h) }");
    row("delete infers the type", "g (float[2] x) => (float[2] y) { [a] h = Relu (x) [n] y = Neg (h) }",
        onNode(edit::EditKind::kDeleteNode, 0), "g (float[2] x, float[2] h) => (float[2] y) { [n] y = Neg (h) }");
    row("delete takes an output away",
        "g (float[2] x) => (float[2] y, float[2] z) { [n] y = Neg (x) [r] z = Relu (x) }",
        onNode(edit::EditKind::kDeleteNode, 0), "g (float[2] x) => (float[2] z) { [r] z = Relu (x) }");
    row("set an integer", kChain, onNode(edit::EditKind::kSetAttribute, 3, "-1", "axis"),
        R"(g (float[n,4] x) => (float[n,4] y, float[n,4] t) <float[4] w = {1,2,3,4}, float[4,4] k = {1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1}> {
      [product] a = MatMul (x, k) [relu] b = Relu (a) [sum] y = Add (b, w) [tail] t = Softmax <axis = -1> (b) })");
    row("set what only the schema knows", "g (float[2] x) => (y) { y = LeakyRelu (x) }",
        onNode(edit::EditKind::kSetAttribute, 0, "0.5", "alpha"),
        "g (float[2] x) => (y) { y = LeakyRelu <alpha = 0.5> (x) }");
    row("set integers", "g (float[2,3] x) => (y) { y = Transpose <perm = [0, 1]> (x) }",
        onNode(edit::EditKind::kSetAttribute, 0, "[1, 0]", "perm"),
        "g (float[2,3] x) => (y) { y = Transpose <perm = [1, 0]> (x) }");
    row("set a text", "g (float[1,1,4] x) => (y) <float[1,1,1] w = {1}> { y = Conv <auto_pad = \"VALID\"> (x, w) }",
        onNode(edit::EditKind::kSetAttribute, 0, "SAME_UPPER", "auto_pad"),
        "g (float[1,1,4] x) => (y) <float[1,1,1] w = {1}> { y = Conv <auto_pad = \"SAME_UPPER\"> (x, w) }");
    row("remove an attribute", "g (float[2,3] x) => (y) { y = Transpose <perm = [0, 1]> (x) }",
        onNode(edit::EditKind::kRemoveAttribute, 0, {}, "perm"), "g (float[2,3] x) => (y) { y = Transpose (x) }");
    row("add an output", "g (float[2] x) => (float[2] y) { h = Relu (x) y = Neg (h) }",
        onValue(edit::EditKind::kAddOutput, "h"),
        "g (float[2] x) => (float[2] y, float[2] h) { h = Relu (x) y = Neg (h) }");
    row("remove an output", "g (float[2] x) => (float[2] y, float[2] h) { h = Relu (x) y = Neg (h) }",
        onValue(edit::EditKind::kRemoveOutput, "h"),
        "g (float[2] x) => (float[2] y) <float[2] h> { h = Relu (x) y = Neg (h) }");
    row("extract", kChain, extract({"a"}, {"y"}),
        "g (float[n,4] a) => (float[n,4] y) <float[4] w = {1,2,3,4}> { [relu] b = Relu (a) [sum] y = Add (b, w) }");
    row("extract what an output needs", kChain, extract({}, {"b"}),
        "g (float[n,4] x) => (float[n,4] b) <float[4,4] k = {1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1}> { [product] a = MatMul "
        "(x, k) [relu] b = Relu (a) }");
    row("extract with a body", kBranch, extract({"h"}, {"y"}), R"(g (float[2] h, float[2] x, bool c) => (float[2] y) {
      [branch] y = If <then_branch = t () => (r) { [inside] m = Abs (h) [neg] r = Neg (m) }, else_branch = e () => (q) { [other] q = Identity (x) }> (c) })");
  }
  void edits() {
    QFETCH(QByteArray, before);
    QFETCH(edit::ModelEdit, edit);
    QFETCH(QByteArray, after);
    const Model model = modelOf(before);
    const QString untouched = textOf(model);
    const auto edited = edit::applyEdits(model, std::span(&edit, 1));
    QVERIFY2(edited.has_value(), edited ? "" : describe(edited.error()).c_str());
    QCOMPARE(textOf(*edited), textOf(modelOf(after)));
    QCOMPARE(textOf(model), untouched);
    forEachGraph(edited->graph,
                 [](const Graph& graph) { QCOMPARE(QString::fromStdString(inconsistencyOf(graph)), QString()); });
    QCOMPARE(edited->origins.size(), model.origins.size());
    QVERIFY(edit::checkEdit(model, edit));
    QVERIFY(!describe(edit, model).empty());
    const bool contradicts = edit.kind == edit::EditKind::kSetElementType || edit.kind == edit::EditKind::kSetShape ||
                             edit.kind == edit::EditKind::kSetAttribute;
    const Result<void> good = resolved(*edited);
    if (!contradicts)
      QVERIFY2(good.has_value(), good ? "" : describe(good.error()).c_str());
    else if (!good)
      QVERIFY(!good.error().message.empty());
  }

  void refusals_data() {
    QTest::addColumn<QByteArray>("before");
    QTest::addColumn<edit::ModelEdit>("edit");
    QTest::addColumn<QByteArray>("says");
    row("rename nothing", kChain, onValue(edit::EditKind::kRenameValue, "zz", "a2"), "no value \"zz\"");
    row("rename to nothing", kChain, onValue(edit::EditKind::kRenameValue, "a", ""), "needs a name");
    row("name taken", kChain, onValue(edit::EditKind::kRenameValue, "a", "b"), "is taken");
    row("name taken in a body", kBranch, onValue(edit::EditKind::kRenameValue, "h", "m"), "is taken");
    row("name taken around", kBranch, onValue(edit::EditKind::kRenameValue, "m", "x", 1), "is taken");
    row("rename what is captured, in the body", kBranch, onValue(edit::EditKind::kRenameValue, "h", "z", 1),
        "belongs to a graph around");
    row("no such graph", kChain, onValue(edit::EditKind::kRenameValue, "a", "z", 5), "no graph 5");
    row("negative graph", kChain, onValue(edit::EditKind::kRenameValue, "a", "z", -1), "no graph -1");
    row("no element type", kChain, onValue(edit::EditKind::kSetElementType, "x", "float17"), "no element type");
    row("type of an inner value", kChain, onValue(edit::EditKind::kSetElementType, "b", "int8"),
        "neither an input nor an output");
    row("type of a function's value", kFunction, onValue(edit::EditKind::kSetElementType, "a", "int8", 1),
        "no types of their own");
    row("type against the default", "g (float[2] x, float[2] w) => (y) <float[2] w = {1,2}> { y = Add (x, w) }",
        onValue(edit::EditKind::kSetElementType, "w", "int8"), "has a value of type float");
    row("shape against the default", "g (float[2] x, float[2] w) => (y) <float[2] w = {1,2}> { y = Add (x, w) }",
        onValue(edit::EditKind::kSetShape, "w", "3"), "has a value of shape [2]");
    row("shape of a sequence", "g (seq(float[2]) x) => (y) { y = SequenceLength (x) }",
        onValue(edit::EditKind::kSetShape, "x", "3"), "not a tensor");
    row("negative dimension", kChain, onValue(edit::EditKind::kSetShape, "x", "-1,4"), "negative");
    row("number too large", kChain, onValue(edit::EditKind::kSetShape, "x", "99999999999999999999"), "64 bits");
    row("too many elements", kChain, onValue(edit::EditKind::kSetShape, "x", "4294967296,4294967296"), "more elements");
    row("half a number", kChain, onValue(edit::EditKind::kSetShape, "x", "3x,4"), "not a whole number");
    row("no such dimension", kChain, onValue(edit::EditKind::kSetDim, "batch", "4"), "no declared shape");
    row("dimension without a name", kChain, onValue(edit::EditKind::kSetDim, "", "4"), "needs a name");
    row("dimension to nothing", kChain, onValue(edit::EditKind::kSetDim, "n", ""), "empty");
    row("no such node", kChain, onNode(edit::EditKind::kRenameNode, 44, "z"), "no node 44");
    row("negative node", kChain, onNode(edit::EditKind::kDeleteNode, -1), "no node -1");
    row("node name taken", kChain, onNode(edit::EditKind::kRenameNode, 0, "relu"), "another node");
    row("the only node", "g (float[2] x) => (y) { y = Neg (x) }", onNode(edit::EditKind::kDeleteNode, 0),
        "nothing would be left");
    row("no output left", "g (float[2] x) => (float[2] y) { [a] h = Neg (x) [b] y = Neg (x) }",
        onNode(edit::EditKind::kDeleteNode, 1), "no output would be left");
    row("delete inside a body", kBranch, onNode(edit::EditKind::kDeleteNode, 2), "bypass the node instead");
    row("delete of unknown type", "g (float[2] x) => (float[2] y) { [a] h = my.Odd (x) [b] y = Neg (h) }",
        onNode(edit::EditKind::kDeleteNode, 0), "its type is not known");
    row("bypass changes the type", "g (float[2] x) => (int64[2] y) { [c] h = Cast <to = 7> (x) [n] y = Neg (h) }",
        onNode(edit::EditKind::kBypassNode, 0), "no input has the type of its output, int64[2]");
    row("bypass changes the shape", "g (float[2,3] x) => (float[3,2] y) { [c] h = Transpose (x) [n] y = Neg (h) }",
        onNode(edit::EditKind::kBypassNode, 0), "no input has the type");
    row("bypass without input",
        "g (float[2] x) => (float[2] y) { [c] h = Constant <value_floats = [1.0, 2.0]> () [n] y = Add (x, h) }",
        onNode(edit::EditKind::kBypassNode, 0), "no input");
    row("bypass with a second output in use",
        "g (float[4] x) => (float[4] y, int64[4] z) <int64[1] kk = {4}> { [c] h, i = TopK (x, kk) [n] y = Neg (h) [m] "
        "z = Neg (i) }",
        onNode(edit::EditKind::kBypassNode, 0), "");
    row("no such attribute", kChain, onNode(edit::EditKind::kSetAttribute, 1, "1", "axis"),
        "has no attribute \"axis\"");
    row("attribute of another kind", kChain, onNode(edit::EditKind::kSetAttribute, 3, "left", "axis"),
        "not a whole number");
    row("attribute that is a graph", kBranch, onNode(edit::EditKind::kSetAttribute, 1, "x", "then_branch"),
        "cannot be written as text");
    row("remove no attribute", kChain, onNode(edit::EditKind::kRemoveAttribute, 1, {}, "axis"), "has no attribute");
    row("remove a body", kBranch, onNode(edit::EditKind::kRemoveAttribute, 1, {}, "then_branch"), "required");
    row("remove what is required", "g (float[2] x) => (y) { y = Cast <to = 7> (x) }",
        onNode(edit::EditKind::kRemoveAttribute, 0, {}, "to"), "required");
    row("output twice", kChain, onValue(edit::EditKind::kAddOutput, "y"), "already");
    row("input as output", kChain, onValue(edit::EditKind::kAddOutput, "x"), "no node makes it");
    row("constant as output", kChain, onValue(edit::EditKind::kAddOutput, "w"), "a constant");
    row("output of a body", kBranch, onValue(edit::EditKind::kAddOutput, "m", {}, 1), "main graph");
    row("remove no output", kChain, onValue(edit::EditKind::kRemoveOutput, "a"), "no output");
    row("remove the only output", kBranch, onValue(edit::EditKind::kRemoveOutput, "y"), "only output");
    row("extract nothing", kChain, extract({"a"}, {}), "at least one");
    row("extract an input", kChain, extract({}, {"x"}), "no node of it makes it");
    row("extract from what is not needed", kChain, extract({"t"}, {"y"}), "do not need");
    row("extract twice the same", kChain, extract({}, {"y", "y"}), "twice");
    row("extract from a constant", kChain, extract({"k"}, {"y"}), "constant");
    row("metadata without key", kChain, onValue(edit::EditKind::kSetMetadata, "", "v"), "key");
    row("no such metadata", kChain, onValue(edit::EditKind::kRemoveMetadata, "v"), "no metadata");
    row("unknown kind", kChain, {.kind = static_cast<edit::EditKind>(99)}, "unknown kind of edit 99");
    row("hostile names", kChain, onValue(edit::EditKind::kRenameValue, std::string("\0\xff\n{}%s", 7), "z"),
        "no value");
  }
  void refusals() {
    QFETCH(QByteArray, before);
    QFETCH(edit::ModelEdit, edit);
    QFETCH(QByteArray, says);
    const Model model = modelOf(before);
    const QString untouched = textOf(model);
    const auto edited = edit::applyEdits(model, std::span(&edit, 1));
    QVERIFY(!edited);
    QCOMPARE(edited.error().code, ErrorCode::kInvalidArgument);
    QVERIFY2(QByteArray::fromStdString(edited.error().message).contains(says), edited.error().message.c_str());
    QVERIFY(!edit::checkEdit(model, edit));
    QCOMPARE(textOf(model), untouched);
  }

  void facts() {
    const std::vector<edit::ModelEdit> edits = {onValue(edit::EditKind::kSetMetadata, "author", "me"),
                                                onValue(edit::EditKind::kSetMetadata, "author", "you"),
                                                onValue(edit::EditKind::kSetMetadata, "other", ""),
                                                onValue(edit::EditKind::kRemoveMetadata, "other"),
                                                {.kind = edit::EditKind::kSetProducer, .text = "hand"},
                                                {.kind = edit::EditKind::kSetDocumentation, .text = "words"}};
    const auto edited = edit::applyEdits(modelOf(kChain), edits);
    QVERIFY(edited);
    QCOMPARE(edited->metadata, (std::map<std::string, std::string>{{"author", "you"}}));
    QCOMPARE(edited->producerName, std::string("hand"));
    QCOMPARE(edited->documentation, std::string("words"));
  }

  void laterEditsSeeEarlierOnes() {
    const std::vector<edit::ModelEdit> edits = {
        onNode(edit::EditKind::kBypassNode, 1), onNode(edit::EditKind::kDeleteNode, 3),
        onValue(edit::EditKind::kRenameValue, "a", "z"), onNode(edit::EditKind::kRenameNode, 0, "relu")};
    const auto edited = edit::applyEdits(modelOf(kChain), edits);
    QVERIFY2(edited.has_value(), edited ? "" : edited.error().message.c_str());
    const std::vector<edit::ModelEdit> again = {onNode(edit::EditKind::kDeleteNode, 1),
                                                onNode(edit::EditKind::kBypassNode, 1)};
    const auto gone = edit::applyEdits(modelOf(kChain), again);
    QVERIFY(!gone);
    QVERIFY2(gone.error().message.find("edit 2 (bypass Relu 'relu')") != std::string::npos &&
                 gone.error().message.find("is gone") != std::string::npos,
             gone.error().message.c_str());
  }

  // Bodies that went with their node are not touched any more, and the graphs behind them have moved up.
  void graphsAreCountedAnew() {
    const char* text = R"(g (float[n] x, bool c) => (float[n] y, float[n] z) {
      [one] y = If <then_branch = t () => (r) { r = Abs (x) }, else_branch = e () => (q) { q = Identity (x) }> (c)
      [two] z = If <then_branch = u () => (p) { deep = Abs (x) p = Neg (deep) }, else_branch = v () => (o) { o = Identity (x) }> (c)
    })";
    const std::vector<edit::ModelEdit> edits = {onNode(edit::EditKind::kDeleteNode, 0),
                                                onValue(edit::EditKind::kSetDim, "n", "4"),
                                                onValue(edit::EditKind::kRenameValue, "deep", "low", 1)};
    const auto edited = edit::applyEdits(modelOf(text), edits);
    QVERIFY2(edited.has_value(), edited ? "" : edited.error().message.c_str());
    QVERIFY(textOf(*edited).contains("low"));
    QVERIFY(!textOf(*edited).contains("[n]"));
  }

  // Edits count graphs as reports do.
  void graphOrder() {
    Model model = modelOf(R"(g (float[2] x, bool c) => (y, z, w) {
      y = If <then_branch = t () => (r) { r = If <then_branch = tt () => (rr) { rr = Abs (x) }, else_branch = te () => (re) { re = Neg (x) }> (c) }, else_branch = e () => (q) { q = Identity (x) }> (c)
      z = If <then_branch = u () => (p) { p = Abs (x) }, else_branch = v () => (o) { o = Identity (x) }> (c)
      w = my.Twice (x)
    }
    <domain: "my", opset_import: ["" : 17]> Twice (a) => (b) { b = Relu (a) })");
    const std::vector<const Graph*> reports = resolve::graphsInReportOrder(model);
    const edit::ModelEditor editor(model);
    QCOMPARE(editor.graphs().size(), reports.size());
    for (size_t i = 0; i < reports.size(); ++i)
      QVERIFY(editor.graphs()[i].graph == reports[i]);
  }

  void json() {
    const std::vector<edit::ModelEdit> edits = {onValue(edit::EditKind::kRenameValue, "a", "b \"quoted\"", 2),
                                                onNode(edit::EditKind::kSetAttribute, 7, "[1, 2]", "pads"),
                                                extract({"a"}, {"b", "c"}),
                                                {.kind = edit::EditKind::kSetDocumentation}};
    const auto back = edit::editsFromJson(edit::editsToJson(edits));
    QVERIFY2(back.has_value(), back ? "" : back.error().message.c_str());
    QCOMPARE(*back, edits);
    QCOMPARE(*edit::editsFromJson("{\"edits\": []}"), std::vector<edit::ModelEdit>());
  }

  void badJson_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("says");
    const auto bad = [](const char* text, const char* says) {
      QTest::newRow(text) << QByteArray(text) << QByteArray(says);
    };
    bad("", "not JSON");
    bad("[]", "no list");
    bad("{\"edits\": 3}", "no list");
    bad("{\"edits\": [3]}", "edit 1: it is no object");
    bad("{\"edits\": [{\"kind\": \"set producer\", \"text\": \"x\"}, {}]}", "edit 2: it has no 'kind'");
    bad("{\"edits\": [{\"kind\": \"fly\"}]}", "no edit 'fly'");
    bad("{\"edits\": [{\"kind\": \"extract\", \"names\": \"a\"}]}", "no list of names");
    bad("{\"edits\": [{\"kind\": \"extract\", \"names\": [1]}]}", "no list of names");
    bad("{\"edits\": [{\"kind\": \"delete node\", \"origin\": 9999999999}]}", "no number of a node");
    bad("{\"edits\": [{\"kind\": \"delete node\", \"origin\": 1.5}]}", "no number of a node");
    bad("{\"edits\": [{\"kind\": \"delete node\", \"colour\": 1}]}", "unknown key 'colour'");
  }
  void badJson() {
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, says);
    const auto edits = edit::editsFromJson(text.toStdString());
    QVERIFY(!edits);
    QVERIFY2(QByteArray::fromStdString(edits.error().message).contains(says), edits.error().message.c_str());
  }
};

QTEST_APPLESS_MAIN(TestModelEdit)
#include "tst_model_edit.moc"
