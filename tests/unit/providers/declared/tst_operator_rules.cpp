// Every rule that an entry of a profile can have: a graph that satisfies it and one that does not, with the rule, the
// value seen and what would help.
#include <QtTest/QtTest>

#include "tests/unit/providers/declared/declared_fixture.h"

using namespace cutaway;
using namespace cutaway::testing;

namespace {

struct Row {
  const char* name;
  const char* operators;
  const char* extra;
  const char* graph;    // asks about the node called n
  const char* refusal;  // "cause; rule; seen; remedy"; empty: claimed
};

constexpr const char* kRelu = "main (float[2,3] x) => (float[2,3] y) { [n] y = Relu (x) }";
constexpr const char* kOpenRelu = "main (float[N,3] x) => (float[N,3] y) { [n] y = Relu (x) }";
constexpr const char* kClip =
    "main (float[4] x) => (float[4] y) <float lo = {0}, float hi = {6}> { [n] y = Clip (x, lo, hi) }";
constexpr const char* kConv =
    "main (float[1,1,4,4] x) => (float[1,2,4,4] y) <float[2,1,1,1] w = {1, 2}> { [n] y = Conv (x, w) }";
constexpr const char* kDilatedConv =
    "main (float[1,4,9,9] x, float[2,4,3,3] w) => (float[1,2,7,5] y) { [n] y = Conv <dilations = [1,2]> (x, w) }";
constexpr const char* kFedConv =
    "main (float[1,4,9,9] x, float[2,4,3,3] w) => (float[1,2,7,7] y) { [n] y = Conv (x, w) }";
constexpr const char* kLeaky = "main (float[2] x) => (float[2] y) { [n] y = LeakyRelu <alpha = 0.2> (x) }";
constexpr const char* kPlainLeaky = "main (float[2] x) => (float[2] y) { [n] y = LeakyRelu (x) }";
constexpr const char* kPool =
    "main (float[1,4,9,9] x) => (float[1,4,8,8] y) { [n] y = AveragePool <kernel_shape = [2,2], ceil_mode = 0> (x) }";
constexpr const char* kCeilPool =
    "main (float[1,4,9,9] x) => (float[1,4,8,8] y) { [n] y = AveragePool <kernel_shape = [2,2], ceil_mode = 1> (x) }";
constexpr const char* kIf =
    "main (bool c, float[2] x) => (float[2] y) { [n] y = If <else_branch = no () => (float[2] a) { [i] a = Neg (x) }, "
    "then_branch = yes () => (float[2] b) { [j] b = Add (x, x) }> (c) }";

const Row kRows[] = {
    {"listed", R"([{"op": "Relu"}])", "", kRelu, ""},
    {"not listed", R"([{"op": "Tanh"}])", "", kRelu, "operator; operators; Relu; another operator in its place"},
    {"refused", R"([{"op": "Tanh"}])", R"("refused": [{"op": "Relu", "reason": "negative numbers are unheard of"}],)",
     kRelu, "operator; refused.Relu; Relu; another operator in its place"},
    {"domain", R"([{"op": "Relu", "domain": "com.toy"}])", "", kRelu,
     "domain; operators; Relu; operators of ai.onnx in its place"},
    {"domain by its long name", R"([{"op": "Relu", "domain": "ai.onnx"}])", "", kRelu, ""},

    {"version inside", R"([{"op": "Relu", "versions": [13, null]}])", "", kRelu, ""},
    {"version means the same until opset 17", R"([{"op": "Relu", "versions": [16, 17]}])", "", kRelu, ""},
    {"version of several spans", R"([{"op": "Relu", "versions": [[1, 5], [14, 15]]}])", "", kRelu, ""},
    {"version of several entries",
     R"([{"op": "Relu", "versions": [1, 13], "types": {"0": ["int8"]}}, {"op": "Relu", "versions": [14, 20]}])", "",
     kRelu, ""},
    {"version too new", R"([{"op": "Relu", "versions": [6, 13]}])", "", kRelu,
     "version; operators.Relu.versions; version 14 (opset 17); opset 6 to 13"},
    {"version too old", R"([{"op": "Relu", "versions": [18, null]}])", "", kRelu,
     "version; operators.Relu.versions; version 14 (opset 17); opset 18 and later"},

    {"inputs enough", R"([{"op": "Clip", "inputs": {"minimum": 3, "maximum": 3}}])", "", kClip, ""},
    {"inputs too many", R"([{"op": "Clip", "inputs": {"maximum": 1}}])", "", kClip,
     "input; operators.Clip.inputs; 3 inputs; at most 1 inputs"},
    {"outputs too many", R"([{"op": "MaxPool", "outputs": {"maximum": 1}}])", R"("types": ["float32", "int64"],)",
     "main (float[1,1,4,4] x) => (float[1,1,3,3] y, int64[1,1,3,3] i) { [n] y, i = MaxPool <kernel_shape = [2,2]> (x) "
     "}",
     "input; operators.MaxPool.outputs; 2 outputs; at most 1 outputs"},
    {"forbidden input absent", R"([{"op": "Clip", "forbidden_inputs": [2]}])", "",
     "main (float[4] x) => (float[4] y) <float lo = {0}> { [n] y = Clip (x, lo) }", ""},
    {"forbidden input", R"([{"op": "Clip", "forbidden_inputs": [2]}])", "", kClip,
     "input; operators.Clip.forbidden_inputs; input 2 ('hi'); no input 2"},

    {"default types", R"([{"op": "Relu"}])", R"("types": ["float32"],)", kRelu, ""},
    {"default types refuse", R"([{"op": "Relu"}])", R"("types": ["float16", "int8"],)", kRelu,
     "type; types; float32; int8, float16"},
    {"own types replace them", R"([{"op": "Relu", "types": {"*": ["float32"]}}])", R"("types": ["float16"],)", kRelu,
     ""},
    {"own types by slot", R"([{"op": "Clip", "types": {"2": ["float16"]}}])", R"("types": ["float32"],)", kClip,
     "type; operators.Clip.types; float32; float16"},
    {"output type follows the inputs", R"([{"op": "ArgMax", "types": {"*": ["float32"]}}])", R"("types": ["float32"],)",
     "main (float[4] x) => (int64[1] y) { [n] y = ArgMax (x) }", ""},
    {"output type by the default", R"([{"op": "ArgMax"}])", R"("types": ["float32"],)",
     "main (float[4] x) => (int64[1] y) { [n] y = ArgMax (x) }", "type; types; int64; float32"},
    {"output type of its own", R"([{"op": "ArgMax", "types": {"out0": ["int32"]}}])", R"("types": ["float32"],)",
     "main (float[4] x) => (int64[1] y) { [n] y = ArgMax (x) }", "type; operators.ArgMax.types; int64; int32"},
    {"sequences", R"([{"op": "SequenceConstruct"}])", "",
     "main (float[4] x) => (seq(float[4]) y) { [n] y = SequenceConstruct (x) }",
     "type; types; seq(float[4]); tensors: nothing else is exchanged with a declared device"},

    {"ranks", R"([{"op": "Relu", "ranks": {"0": [2, 2]}}])", "", kRelu, ""},
    {"ranks refuse", R"([{"op": "Relu", "ranks": {"0": [3, 5]}}])", "", kRelu,
     "rank; operators.Relu.ranks; rank 2; rank 3 to 5"},
    {"ranks without end", R"([{"op": "Relu", "ranks": {"*": [3, null]}}])", "", kRelu,
     "rank; operators.Relu.ranks; rank 2; rank at least 3"},
    {"ranks of outputs", R"([{"op": "Relu", "ranks": {"out0": [1, 1]}}])", "", kRelu,
     "rank; operators.Relu.ranks; rank 2; rank exactly 1"},
    {"maximum rank", R"([{"op": "Relu"}])", R"("maximum_rank": 1,)", kRelu,
     "rank; maximum_rank; rank 2; rank at most 1"},
    {"ranks replace the maximum", R"([{"op": "Relu", "ranks": {"0": [2, 2], "out*": [0, 9]}}])",
     R"("maximum_rank": 1,)", kRelu, ""},

    {"static shapes", R"([{"op": "Relu"}])", R"("static_shapes": true,)", kRelu, ""},
    {"open shapes", R"([{"op": "Relu"}])", R"("static_shapes": true,)", kOpenRelu,
     "shape; static_shapes; [N,3]; fixed dimensions (--dim NAME=VALUE)"},
    {"dimension", R"([{"op": "Relu", "shapes": [{"input": 0, "axis": 1, "minimum": 2, "maximum": 3}]}])", "", kRelu,
     ""},
    {"dimension too large",
     R"([{"op": "Relu", "shapes": [{"input": 0, "axis": 0, "minimum": 2}, {"input": 0, "axis": 1, "maximum": 2}]}])",
     "", kRelu, "shape; operators.Relu.shapes[1]; 3; at most 2"},
    {"dimension too small", R"([{"op": "Relu", "shapes": [{"input": 0, "axis": -1, "minimum": 4}]}])", "", kRelu,
     "shape; operators.Relu.shapes[0]; 3; at least 4"},
    {"multiple", R"([{"op": "Relu", "shapes": [{"output": 0, "axis": 1, "multiple_of": 2}]}])", "", kRelu,
     "shape; operators.Relu.shapes[0]; 3; a multiple of 2"},
    {"open dimension", R"([{"op": "Relu", "shapes": [{"input": 0, "axis": 0, "maximum": 1}]}])", "", kOpenRelu, ""},
    {"open dimension that must be known", R"([{"op": "Relu", "shapes": [{"input": 0, "axis": 0, "known": true}]}])", "",
     kOpenRelu, "shape; operators.Relu.shapes[0]; N; a known dimension (--dim NAME=VALUE)"},
    {"axis that is not there", R"([{"op": "Relu", "shapes": [{"input": 0, "axis": 3, "known": true}]}])", "", kRelu,
     ""},

    {"constant input", R"([{"op": "Conv", "constant_inputs": [1, 2]}])", "", kConv, ""},
    {"computed input", R"([{"op": "Conv", "constant_inputs": [1]}])", "", kFedConv,
     "input; operators.Conv.constant_inputs; a value that comes from outside; an initializer as input 1"},
    {"constant behind a DequantizeLinear", R"([{"op": "Conv", "constant_inputs": [1]}, {"op": "DequantizeLinear"}])",
     "",
     "main (float[1,1,4,4] x) => (float[1,1,4,4] y) <int8[1,1,1,1] q = {3}, float s = {0.5}> { [d] w = "
     "DequantizeLinear (q, s)\n [n] y = Conv (x, w) }",
     ""},

    {"attribute one of", R"([{"op": "Conv", "attributes": {"auto_pad": {"one_of": ["NOTSET", "VALID"]}}}])", "", kConv,
     ""},
    {"attribute by default", R"([{"op": "Conv", "attributes": {"auto_pad": {"one_of": ["VALID", "SAME_UPPER"]}}}])", "",
     kConv, "attribute; operators.Conv.attributes.auto_pad; auto_pad = NOTSET; auto_pad VALID or SAME_UPPER"},
    {"attribute nobody gives", R"([{"op": "Conv", "attributes": {"dilations": {"equals": [2, 2]}}}])", "", kConv, ""},
    {"attribute list", R"([{"op": "Conv", "attributes": {"dilations": {"equals": [1, 2]}}}])", "", kDilatedConv, ""},
    {"attribute list differs", R"([{"op": "Conv", "attributes": {"dilations": {"equals": [2, 1]}}}])", "", kDilatedConv,
     "attribute; operators.Conv.attributes.dilations; dilations = [1, 2]; dilations [2, 1]"},
    {"attribute elements", R"([{"op": "Conv", "attributes": {"dilations": {"equals": 1}}}])", "", kDilatedConv,
     "attribute; operators.Conv.attributes.dilations; dilations = [1, 2]; dilations 1"},
    {"attribute elements one of", R"([{"op": "Conv", "attributes": {"dilations": {"one_of": [1, 2]}}}])", "",
     kDilatedConv, ""},
    {"attribute element bounds", R"([{"op": "Conv", "attributes": {"dilations": {"minimum": 1, "maximum": 1}}}])", "",
     kDilatedConv, "attribute; operators.Conv.attributes.dilations; dilations = [1, 2]; dilations 1 to 1"},
    {"attribute bounds", R"([{"op": "LeakyRelu", "attributes": {"alpha": {"minimum": 0.1, "maximum": 0.5}}}])", "",
     kLeaky, ""},
    {"attribute too small by default", R"([{"op": "LeakyRelu", "attributes": {"alpha": {"minimum": 0.1}}}])", "",
     kPlainLeaky, "attribute; operators.LeakyRelu.attributes.alpha; alpha = 0.01; alpha at least 0.1"},
    {"attribute in single precision", R"([{"op": "LeakyRelu", "attributes": {"alpha": {"equals": 0.2}}}])", "", kLeaky,
     ""},
    {"attribute of the default is as good as none",
     R"([{"op": "AveragePool", "attributes": {"ceil_mode": {"absent": true}}}])", "", kPool, ""},
    {"attribute must be absent", R"([{"op": "AveragePool", "attributes": {"ceil_mode": {"absent": true}}}])", "",
     kCeilPool, "attribute; operators.AveragePool.attributes.ceil_mode; ceil_mode = 1; ceil_mode = 0, or none"},

    {"no bodies", R"([{"op": "If", "types": {"*": ["bool"]}}])", "", kIf,
     "operator; bodies; If; a model without control flow, or one where it was resolved"},
    {"bodies that are not taken", R"([{"op": "If", "types": {"*": ["bool"]}}])", R"("bodies": true,)", kIf,
     "operator; bodies; Neg; bodies whose nodes are all supported"},
};

}  // namespace

class TestOperatorRules : public QObject {
  Q_OBJECT
 private slots:
  void rules_data() {
    QTest::addColumn<int>("index");
    for (size_t i = 0; i < std::size(kRows); ++i)
      QTest::newRow(kRows[i].name) << static_cast<int>(i);
  }

  void rules() {
    QFETCH(int, index);
    const Row* row = &kRows[index];
    Asked asked(row->graph);
    const auto provider = declaredFrom(toyProfile(row->operators, row->extra));
    const CapabilityAnswer answer = asked.answerOf(*provider);
    const Refusal* refusal = refusalOf(asked.model.graph, answer, "n");
    const std::string text = refusal == nullptr ? ""
                                                : fmt::format("{}; {}; {}; {}", refusalCauseName(refusal->cause),
                                                              refusal->rule, refusal->seen, refusal->remedy);
    QCOMPARE(QString::fromStdString(text), QString(row->refusal));
    QCOMPARE(claimsText(asked.model.graph, answer).find('n') != std::string::npos, refusal == nullptr);
  }

  void reasonsNameTheirSource() {
    Asked asked(kRelu);
    const auto provider = declaredFrom(
        toyProfile(R"([{"op": "Relu", "ranks": {"0": [4, 4]}, "note": "images only", "source": "blog"}])"));
    const CapabilityAnswer answer = asked.answerOf(*provider);
    QCOMPARE(QString::fromStdString(answer.refusals.at(0).reason),
             QString("Relu of Toy NPU: input 0 ('x') has rank 2, and exactly 4 is supported, according to Blog (2025) "
                     "(images only)"));
  }

  void takenBodiesMakeTheirNodeTaken() {
    Asked asked(kIf);
    const auto provider = declaredFrom(
        toyProfile(R"([{"op": "If", "types": {"*": ["bool"]}}, {"op": "Neg"}, {"op": "Add"}])", R"("bodies": true,)"));
    forEachGraph(asked.model.graph, [&](Graph& graph) {
      if (&graph == &asked.model.graph) return;
      QCOMPARE(asked.answerAbout(*provider, graph).claims.size(), size_t{1});
      for (const NodeId id : graph.nodeIds())
        graph.mutableNode(id).provider = provider->name();
    });
    const CapabilityAnswer answer = asked.answerOf(*provider);
    QCOMPARE(answer.claims.size(), size_t{1});
    QVERIFY2(!answer.claims[0].subGraph.metaDef, "the session runs nodes with bodies");
  }

  void bodiesOfOthersMayBeLeftAlone() {
    Asked asked(kIf);
    const char* const rules = R"([{"op": "Neg"}, {"op": "Add"}])";
    const auto everywhere = declaredFrom(toyProfile(rules));
    const auto mainAlone = declaredFrom(toyProfile(rules, R"("main_graph_only": true,)"));
    int bodies = 0;
    forEachGraph(asked.model.graph, [&](Graph& graph) {
      if (&graph == &asked.model.graph) return;
      ++bodies;
      QCOMPARE(asked.answerAbout(*everywhere, graph).claims.size(), size_t{1});
      const CapabilityAnswer answer = asked.answerAbout(*mainAlone, graph);
      QVERIFY(answer.claims.empty());
      QCOMPARE(answer.refusals.size(), size_t{1});
      QCOMPARE(QString::fromStdString(answer.refusals[0].rule), QString("main_graph_only"));
    });
    QCOMPARE(bodies, 2);
    Asked plain("main (float[2] x) => (float[2] y) { [n] y = Neg (x) }");
    QCOMPARE(plain.answerOf(*mainAlone).claims.size(), size_t{1});
  }

  void channelsLastAxesFollowTheirMeaning() {
    Asked asked(kConv);
    Graph& graph = asked.model.graph;
    const NodeId conv = graph.findNode("n");
    graph.mutableNode(conv).domain = kChannelsLastDomain;
    graph.mutableValue(graph.node(conv).inputs[0]).type.shape = Shape{Dim(1), Dim(9), Dim(9), Dim(4)};
    const auto four = declaredFrom(toyProfile(
        R"([{"op": "Conv", "shapes": [{"input": 0, "axis": 1, "minimum": 4, "maximum": 4}, {"input": 0, "axis": 2, "minimum": 9, "maximum": 9}]}])"));
    QVERIFY(asked.answerOf(*four).refusals.empty());
    const auto nine =
        declaredFrom(toyProfile(R"([{"op": "Conv", "shapes": [{"input": 0, "axis": 1, "minimum": 9}]}])"));
    QCOMPARE(asked.answerOf(*nine).refusals.size(), size_t{1});
  }
};

QTEST_GUILESS_MAIN(TestOperatorRules)
#include "tst_operator_rules.moc"
