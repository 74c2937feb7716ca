// Group rules of profiles: what is claimed together, what is left out by size, number, memory, units, stop operators
// and whole models.
#include <QtTest/QtTest>

#include "tests/unit/providers/declared/declared_fixture.h"

using namespace cutaway;
using namespace cutaway::testing;

namespace {

constexpr const char* kRelus = R"([{"op": "Relu"}, {"op": "MatMul"}, {"op": "Add"}])";
// Two groups: a b | d e f, with a Tanh between them that nobody lists.
constexpr const char* kChain =
    "main (float[4] x) => (float[4] y) { [a] p = Relu (x)\n [b] q = Relu (p)\n [t] r = Tanh (q)\n [d] s = Relu (r)\n "
    "[e] u = Relu (s)\n [f] y = Relu (u) }";
constexpr const char* kQuantized = R"(main (float[4] x) => (float[4] y) <float s = {0.5}, int8 z = {0}> {
  [q0] a = QuantizeLinear (x, s, z)
  [d0] b = DequantizeLinear (a, s, z)
  [n] c = Relu (b)
  [q1] e = QuantizeLinear (c, s, z)
  [d1] y = DequantizeLinear (e, s, z) })";

struct Outcome {
  QString claims;
  QString refusals;  // "node cause rule" sorted
};

Outcome ask(const char* text, const std::string& operators, const std::string& extra) {
  Asked asked(text);
  const auto provider = declaredFrom(toyProfile(operators, extra));
  const CapabilityAnswer answer = asked.answerOf(*provider);
  QStringList refusals;
  for (const Refusal& refusal : answer.refusals)
    refusals << QString::fromStdString(fmt::format("{} {} {}", asked.model.graph.node(refusal.node).name,
                                                   refusalCauseName(refusal.cause), refusal.rule));
  refusals.sort();
  return {QString::fromStdString(claimsText(asked.model.graph, answer)), refusals.join(", ")};
}

}  // namespace

class TestGroupRules : public QObject {
  Q_OBJECT
 private slots:
  void groupsAndSingles() {
    QCOMPARE(ask(kChain, kRelus, "").claims, QString("a b | d e f"));
    QCOMPARE(ask(kChain, kRelus, R"("groups": {"compiled": false},)").claims, QString("a | b | d | e | f"));
  }

  void smallGroupsAreLeft() {
    const Outcome left = ask(kChain, kRelus, R"("groups": {"minimum_nodes": 3},)");
    QCOMPARE(left.claims, QString("d e f"));
    QCOMPARE(left.refusals,
             QString("a too small groups.minimum_nodes, b too small groups.minimum_nodes, t operator operators"));
  }

  void theLargestGroupsStay() {
    const Outcome one = ask(kChain, kRelus, R"("groups": {"maximum_groups": 1},)");
    QCOMPARE(one.claims, QString("d e f"));
    QCOMPARE(one.refusals,
             QString("a too small groups.maximum_groups, b too small groups.maximum_groups, t operator operators"));
    QCOMPARE(ask(kChain, kRelus, R"("groups": {"maximum_groups": 2},)").claims, QString("a b | d e f"));
    // Operations count before nodes.
    const char* heavy =
        "main (float[8,8] x) => (float[8,8] y) { [m] q = MatMul (x, x)\n [t] r = Tanh (q)\n [d] s = Relu (r)\n [e] y = "
        "Relu (s) }";
    QCOMPARE(ask(heavy, kRelus, R"("groups": {"maximum_groups": 1},)").claims, QString("m"));
  }

  void stopOperatorsEndTheModel() {
    QCOMPARE(ask(kChain, kRelus, R"("groups": {"stop_operators": ["Tanh"]},)").claims, QString("a b"));
    const Outcome singles = ask(kChain, kRelus, R"("groups": {"compiled": false, "stop_operators": ["Tanh"]},)");
    QCOMPARE(singles.claims, QString("a | b"));
    QCOMPARE(singles.refusals, QString("d option groups.stop_operators, e option groups.stop_operators, f option "
                                       "groups.stop_operators, t operator operators"));
  }

  void quantizedUnitsStayTogether() {
    const char* noRelu = R"([{"op": "QuantizeLinear"}, {"op": "DequantizeLinear"}])";
    QCOMPARE(ask(kQuantized, R"([{"op": "QuantizeLinear"}, {"op": "DequantizeLinear"}, {"op": "Relu"}])", "").claims,
             QString("q0 d0 n q1 d1"));
    const Outcome broken = ask(kQuantized, noRelu, "");
    QCOMPARE(broken.claims, QString("q0 | d1"));
    QCOMPARE(broken.refusals,
             QString("d0 other groups.quantized_units, n operator operators, q1 other groups.quantized_units"));
    QCOMPARE(ask(kQuantized, noRelu, R"("groups": {"compiled": false},)").claims, QString("q0 | d1"));
    QCOMPARE(ask(kQuantized, noRelu, R"("groups": {"compiled": false, "quantized_units": false},)").claims,
             QString("q0 | d0 | q1 | d1"));
  }

  void wholeModelsOnly() {
    const Outcome none = ask(kChain, kRelus, R"("groups": {"whole_model_only": true},)");
    QCOMPARE(none.claims, QString());
    QVERIFY(none.refusals.startsWith("a other groups.whole_model_only, b other groups.whole_model_only, d other"));
    QCOMPARE(ask(kChain, R"([{"op": "Relu"}, {"op": "Tanh"}])", R"("groups": {"whole_model_only": true},)").claims,
             QString("a b t d e f"));
  }

  void wholeModelsNameTheRefusedNode() {
    Asked asked(kChain);
    const auto provider = declaredFrom(toyProfile(kRelus, R"("groups": {"whole_model_only": true},)"));
    const CapabilityAnswer answer = asked.answerOf(*provider);
    QCOMPARE(QString::fromStdString(refusalOf(asked.model.graph, answer, "a")->reason),
             QString("Toy NPU takes a model whole or not at all, and one node is refused: Tanh 't': Toy NPU does not "
                     "list operator Tanh, according to Manual (2026-10)"));
    // A node that an earlier provider has taken leaves no whole model either.
    Asked taken("main (float[4] x) => (float[4] y) { [a] p = Relu (x)\n [b] y = Relu (p) }");
    taken.model.graph.mutableNode(taken.model.graph.findNode("b")).provider = "other";
    QVERIFY(taken.answerOf(*provider).claims.empty());
  }

  void wholeModelsHaveBodiesToo() {
    constexpr const char* kIf =
        "main (bool c, float[2] x) => (float[2] y) { [n] y = If <else_branch = no () => (float[2] a) { [i] a = Neg (x) "
        "}, then_branch = yes () => (float[2] b) { [j] b = Add (x, x) }> (c) }";
    const std::string extra = R"("bodies": true, "groups": {"whole_model_only": true},)";
    for (const bool negToo : {false, true}) {
      Asked asked(kIf);
      const auto provider = declaredFrom(toyProfile(
          negToo ? R"([{"op": "If"}, {"op": "Add"}, {"op": "Neg"}])" : R"([{"op": "If"}, {"op": "Add"}])", extra));
      forEachGraph(asked.model.graph, [&](const Graph& graph) {
        if (&graph != &asked.model.graph) QCOMPARE(asked.answerAbout(*provider, graph).claims.empty(), !negToo);
      });
    }
  }

  void memoryIsCounted() {
    // Weights of 64 bytes, and 48 bytes alive at once: x, p and the result of the Add.
    const char* text =
        "main (float[4] x) => (float[4] y) <float[4,4] w = {1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16}> { [a] p = MatMul "
        "(x, w)\n [b] q = Relu (p)\n [c] y = Add (q, x) }";
    QCOMPARE(ask(text, kRelus, R"("device": {"memory_bytes": 112},)").claims, QString("a b c"));
    const Outcome none = ask(text, kRelus, R"("device": {"memory_bytes": 111},)");
    QCOMPARE(none.claims, QString());
    QCOMPARE(none.refusals,
             QString("a memory device.memory_bytes, b memory device.memory_bytes, c memory device.memory_bytes"));
    // One by one, nodes go in as long as there is room beside the weights of those before.
    QCOMPARE(ask(text, kRelus, R"("groups": {"compiled": false}, "device": {"memory_bytes": 96},)").claims,
             QString("a | b"));

    Asked asked(text);
    const CapabilityAnswer answer =
        asked.answerOf(*declaredFrom(toyProfile(kRelus, R"("device": {"memory_bytes": 111},)")));
    QCOMPARE(QString::fromStdString(answer.refusals[0].seen), QString("112 bytes: weights 64, activations 48"));
    QCOMPARE(QString::fromStdString(answer.refusals[0].remedy), QString("a device with 112 bytes"));
  }

  void weightsOfOtherGroupsStayOnTheDevice() {
    const char* text = R"(main (float[2] x) => (float[2] y) <float[2,2] v = {1,2,3,4}, float[2,2] w = {1,2,3,4}> {
      [a] p = MatMul (x, v)
      [t] q = Tanh (p)
      [b] y = MatMul (q, w) })";
    QCOMPARE(ask(text, kRelus, R"("device": {"memory_bytes": 48},)").claims, QString("a | b"));
    QCOMPARE(ask(text, kRelus, R"("device": {"memory_bytes": 47},)").claims, QString("a"));
  }

  void constantsAsInputs() {
    const char* text = "main (float[2] x) => (float[2] y) <float[2,2] w = {1,2,3,4}> { [a] y = MatMul (x, w) }";
    Asked asked(text);
    QCOMPARE(asked.answerOf(*declaredFrom(toyProfile(kRelus))).claims.at(0).subGraph.metaDef->inputs.size(), size_t{1});
    QCOMPARE(asked.answerOf(*declaredFrom(toyProfile(kRelus, R"("groups": {"constants_only_inputs": true},)")))
                 .claims.at(0)
                 .subGraph.metaDef->inputs.size(),
             size_t{2});
  }

  void channelsLastNodesAreCompiledAlone() {
    Asked asked(
        "main (float[1,2,4,4] x) => (float[1,2,4,4] y) { [a] p = Relu (x)\n [b] y = AveragePool <kernel_shape = [1,1]> "
        "(p) }");
    Graph& graph = asked.model.graph;
    graph.mutableNode(graph.findNode("b")).domain = kChannelsLastDomain;
    const CapabilityAnswer answer =
        asked.answerOf(*declaredFrom(toyProfile(R"([{"op": "Relu"}, {"op": "AveragePool"}])",
                                                R"("preferred_layout": "nhwc", "groups": {"compiled": false},)")));
    QCOMPARE(answer.claims.size(), size_t{2});
    QVERIFY(!answer.claims[0].subGraph.metaDef);
    QVERIFY(answer.claims[1].subGraph.metaDef.has_value());
    QCOMPARE(answer.claims[1].subGraph.metaDef->inputs.size(), size_t{1});
  }

  void everyNodeIsAnsweredOnce() {
    std::string text = "main (float[4] x) => (float[4] v5000) {\n  [n0] v0 = Relu (x)\n";
    for (int i = 1; i <= 5000; ++i)
      text += fmt::format("  [n{}] v{} = {} (v{})\n", i, i, i % 7 == 0 ? "Tanh" : "Relu", i - 1);
    Asked asked(text + "}");
    const CapabilityAnswer answer = asked.answerOf(*declaredFrom(toyProfile(kRelus)));
    QCOMPARE(answer.refusals.size(), size_t{714});
    QCOMPARE(answer.claims.size(), size_t{715});
  }
};

QTEST_GUILESS_MAIN(TestGroupRules)
#include "tst_group_rules.moc"
