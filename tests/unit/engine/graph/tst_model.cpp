#include <QtTest/QtTest>

#include "engine/graph/text.h"

using namespace cutaway;

class TestModel : public QObject {
  Q_OBJECT

 private slots:
  void domainsHaveTwoNamesForTheDefault() {
    const std::vector<OpsetImport> imports{{"", 17}, {"ai.onnx.ml", 3}};
    QCOMPARE(importedVersion(imports, ""), int64_t{17});
    QCOMPARE(importedVersion(imports, "ai.onnx"), int64_t{17});
    QCOMPARE(importedVersion(imports, "ai.onnx.ml"), int64_t{3});
    QCOMPARE(importedVersion(imports, "other"), int64_t{0});
  }

  void functionsAreFoundByAllThreeNames() {
    const auto parsed = parseModelText(R"(g (x) => (y) { y = local.f:two (x) }
      <domain: "local", opset_import: ["" : 17]> f (x) => (y) { y = Relu (x) }
      <domain: "local", opset_import: ["" : 17], overload: "two"> f (x) => (y) { y = Neg (x) })");
    QVERIFY2(parsed.has_value(), parsed ? "" : describe(parsed.error()).c_str());
    const Model& model = *parsed;
    QVERIFY(model.findFunction("local", "f", "") == &model.functions[0]);
    QVERIFY(model.findFunction("local", "f", "two") == &model.functions[1]);
    QVERIFY(model.findFunction("", "f", "") == nullptr);
  }

  void everyNodeGetsAnOrigin() {
    const auto parsed = parseModelText(R"(g (x, c) => (y) {
        a = Relu (x)
        [choice] y = If <then_branch = t () => (b) { b = Neg (a) }, else_branch = e () => (d) { d = local.f (a) }> (c)
        z = Loop <body = l (i, k) => (k2) { k2 = Identity (k) }> ()
        w = Abs (a)
      }
      <domain: "local", opset_import: ["" : 17]> f (x) => (y) { [inside] y = Exp (x) })");
    QVERIFY2(parsed.has_value(), parsed ? "" : describe(parsed.error()).c_str());
    struct Row {
      const char *name, *opType, *path;
    };
    const Row expected[] = {{"", "Relu", ""},
                            {"choice", "If", ""},
                            {"", "Neg", "choice/then_branch"},
                            {"", "f", "choice/else_branch"},
                            {"", "Loop", ""},
                            {"", "Identity", "z/body"},
                            {"", "Abs", ""},
                            {"inside", "Exp", "function local:f"}};
    QCOMPARE(parsed->origins.size(), std::size(expected));
    for (size_t i = 0; i < std::size(expected); ++i) {
      const Origin& origin = parsed->origins[i];
      QCOMPARE(origin.name.c_str(), expected[i].name);
      QCOMPARE(origin.opType.c_str(), expected[i].opType);
      QCOMPARE(origin.graphPath.c_str(), expected[i].path);
    }
    QVERIFY(parsed->graph.node(NodeId{3}).origins == std::vector<OriginId>{OriginId{6}});
  }

  void pathsOfBodiesAreShort() {
    const std::string longName(50'000, 'N');
    const auto parsed = parseModelText("g (c) => (y) { [" + longName +
                                       "] y = If <then_branch = t () => (b) { b = Neg (c) }, else_branch = e () => (d) "
                                       "{ d = Abs (c) }> (c) }");
    QVERIFY2(parsed.has_value(), parsed ? "" : describe(parsed.error()).c_str());
    QCOMPARE(parsed->origins.size(), size_t{3});
    QCOMPARE(parsed->origins[0].name.size(), longName.size());
    QVERIFY(parsed->origins[1].graphPath.starts_with("NNNN"));
    QVERIFY(parsed->origins[1].graphPath.size() <= 1024);
    QVERIFY(parsed->origins[1].graphPath != parsed->origins[2].graphPath);
  }

  void graphsAreVisitedOuterFirst() {
    Model model =
        std::move(parseModelText("g (c) => (y) { y = If <then_branch = t () => (b) { b = If <then_branch = u () => (c) "
                                 "{}, else_branch = v () => (c) {}> (c) }, else_branch = e () => (c) {}> (c) }")
                      .value());
    std::string visited;
    forEachGraph(std::as_const(model.graph), [&](const Graph& graph) { visited += graph.name(); });
    QCOMPARE(visited.front(), 'g');
    QVERIFY(visited.find('t') < visited.find('u'));
    std::ranges::sort(visited);
    QCOMPARE(visited.c_str(), "egtuv");
    forEachGraph(model.graph, [](Graph& graph) { graph.setName("seen"); });
    forEachGraph(std::as_const(model.graph), [](const Graph& graph) { QVERIFY(graph.name() == "seen"); });
  }
};

QTEST_GUILESS_MAIN(TestModel)
#include "tst_model.moc"
