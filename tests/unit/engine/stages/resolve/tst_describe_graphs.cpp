#include <QtTest/QtTest>

#include "engine/context_binary/inside_nodes.h"
#include "engine/graph/text.h"
#include "engine/stages/resolve/describe_again.h"

using namespace cutaway;

namespace {

constexpr const char* kText = R"(<ir_version: 8, opset_import: ["" : 17, "f" : 1]>
g (bool[] c, float[n,2] x) => (y, z) <float[2] w = {1,2}> {
  p = Add (x, w)
  [if] y = If <then_branch = t () => (float[n,2] a) { a = Relu (p) }, else_branch = e () => (float[n,2] b) { b = Neg (p) }> (c)
  [call] z = f.F (p)
}
<domain: "f", opset_import: ["" : 17]> F (a) => (b) { b = Elu <alpha = 0.5> (a) })";

Model resolvedModel() {
  auto model = parseModelText(kText);
  if (!model) qFatal("%s", describe(model.error()).c_str());
  Progress progress;
  const auto report = resolve::resolve(*model, {}, progress);
  if (!report) qFatal("%s", describe(report.error()).c_str());
  return *std::move(model);
}

}  // namespace

class TestDescribeGraphs : public QObject {
  Q_OBJECT

 private slots:
  void orderAndTitles() {
    const Model model = resolvedModel();
    const ModelGraphs graphs = resolve::describeGraphs(model);
    QCOMPARE(graphs.graphs.size(), size_t{4});
    QCOMPARE(graphs.graphs[0].title, std::string("main graph"));
    QCOMPARE(graphs.graphs[1].title, std::string("then_branch of If 'if'"));
    QCOMPARE(graphs.graphs[2].title, std::string("else_branch of If 'if'"));
    QCOMPARE(graphs.graphs[3].title, std::string("function f:F"));
    QVERIFY(graphs.graphs[3].isFunction);
    QCOMPARE(graphs.graphs[1].parentGraph, 0);
    QCOMPARE(graphs.graphs[1].parentNode, 1);
    QCOMPARE(graphs.graphs[0].nodes[1].bodies, (std::vector<int32_t>{1, 2}));
    QCOMPARE(graphs.graphs[0].nodes[2].function, 3);
    const auto order = resolve::graphsInReportOrder(model);
    QCOMPARE(order.size(), graphs.graphs.size());
    for (size_t i = 0; i < order.size(); ++i)
      QCOMPARE(order[i]->name(), graphs.graphs[i].name);
  }

  // Original nodes stand behind the graphs that run, functions included, and are found from both sides.
  void nodesInsideAContextNodeAreAGraph() {
    auto model = parseModelText(R"(<ir_version: 10, opset_import: ["" : 17, "com.microsoft" : 1, "f" : 1]>
g (float[n,2] x) => (float[n,2] y) {
  h = f.F (x)
  [part] k = com.microsoft.EPContext <ep_cache_context = "a.bin", embed_mode = 0> (h)
  [other] y = com.microsoft.EPContext <ep_cache_context = "b.bin", embed_mode = 0> (k)
}
<domain: "f", opset_import: ["" : 17]> F (a) => (b) { b = Elu (a) })");
    if (!model) QFAIL(describe(model.error()).c_str());
    const Model inside = resolvedModel();
    Graph& graph = model->graph;
    graph.mutableNode(graph.findNode("part"))
        .metadata.emplace_back(context_binary::kInsideKey, context_binary::writeInside(inside.graph));
    graph.mutableNode(graph.findNode("other"))
        .metadata.emplace_back(context_binary::kInsideKey, "{\"version\": 1, \"nodes\": 7}");
    const ModelGraphs graphs = resolve::describeGraphs(*model);
    QCOMPARE(graphs.graphs.size(), size_t{3});
    const GraphReport& shown = graphs.graphs[2];
    QVERIFY(shown.isInside);
    QVERIFY(!shown.isFunction);
    QCOMPARE(shown.parentGraph, 0);
    QCOMPARE(shown.parentNode, 1);
    QCOMPARE(shown.title, std::string("inside EPContext 'part'"));
    QCOMPARE(shown.nodes.size(), inside.graph.nodeCount());
    QCOMPARE(shown.nodes[0].opType, std::string("Add"));
    QCOMPARE(graphs.graphs[0].nodes[1].inside, 2);
    QCOMPARE(graphs.graphs[0].nodes[2].inside, kNone);
    QCOMPARE(resolve::graphsInReportOrder(*model).size(), size_t{2});
    // A stage later, the text need not be read again: here it is not there any more.
    graph.mutableNode(graph.findNode("part")).metadata.front().second = "{}";
    QCOMPARE(resolve::describeGraphs(*model).graphs.size(), size_t{2});
    const ModelGraphs again = resolve::describeAgain(*model, graphs);
    QCOMPARE(again.graphs.size(), size_t{3});
    QCOMPARE(again.graphs[2].title, shown.title);
    QCOMPARE(again.graphs[2].nodes.size(), shown.nodes.size());
    QCOMPARE(again.graphs[0].nodes[1].inside, 2);
  }

  // A compiled context is bytes of any size: what is said about it is short.
  void binaryTextsAreNotCopied() {
    auto model = parseModelText(R"(<ir_version: 10, opset_import: ["" : 17, "com.microsoft" : 1]>
g (float[n,2] x) => (float[n,2] y) { y = com.microsoft.EPContext <ep_cache_context = "a", notes = "b"> (x) })");
    if (!model) QFAIL(describe(model.error()).c_str());
    Node& node = model->graph.mutableNode(NodeId{0});
    node.setAttribute("ep_cache_context", std::string("CUTAWAY\0", 8) + std::string(3'000'000, 'x'));
    node.setAttribute("notes", std::string(1000, 'n'));
    const GraphReport main = resolve::describeGraphs(*model).graphs[0];
    QCOMPARE(main.nodes[0].attributes[0].text, std::string("binary, 3000008 bytes"));
    QCOMPARE(main.nodes[0].attributes[1].text, std::string(197, 'n') + "...");
  }

  void nodesAndValues() {
    const Model model = resolvedModel();
    const GraphReport main = resolve::describeGraphs(model).graphs[0];
    const auto value = [&](const char* name) {
      return *std::ranges::find_if(main.values, [&](const ValueReport& value) { return value.name == name; });
    };
    QCOMPARE(value("x").type, std::string("float[n,2]"));
    QCOMPARE(value("x").sizeBytes, int64_t{-1});
    QVERIFY(value("x").role == ValueRole::kInput);
    QCOMPARE(value("w").sizeBytes, int64_t{8});
    QCOMPARE(value("w").preview, std::string("1, 2"));
    QVERIFY(value("w").isInitializer);
    QCOMPARE(value("p").producer, 0);
    QCOMPARE(value("p").consumers, (std::vector<int32_t>{1, 2}));
    QVERIFY(value("y").isOutput);
    QCOMPARE(main.inputs.size(), size_t{2});
    QCOMPARE(main.outputs.size(), size_t{2});
    QCOMPARE(main.nodes[0].opType, std::string("Add"));
    QCOMPARE(main.nodes[0].sinceVersion, 14);
    QCOMPARE(main.nodes[1].implicitInputs.size(), size_t{1});
    QCOMPARE(main.nodes[0].origins.size(), size_t{1});
    const GraphReport function = resolve::describeGraphs(model).graphs[3];
    QCOMPARE(function.nodes[0].attributes.size(), size_t{1});
    QCOMPARE(function.nodes[0].attributes[0].kind, std::string("FLOAT"));
    QCOMPARE(function.nodes[0].attributes[0].text, std::string("0.5"));
  }

  void holesAreLeftOut() {
    Model model = resolvedModel();
    Graph& graph = model.graph;
    const NodeId call = graph.findNode("call");
    graph.setOutputs(std::vector<ValueId>{graph.findValue("y")});
    graph.removeNode(call);
    const GraphReport main = resolve::describeGraphs(model).graphs[0];
    QCOMPARE(main.nodes.size(), size_t{2});
    for (const ValueReport& value : main.values) {
      for (const int32_t consumer : value.consumers)
        QVERIFY(consumer >= 0 && consumer < 2);
    }
  }

  // Three snapshots of a large model hold its texts once: equal ones within a stage, and names from stage to stage,
  // also of what moved up because something before it is gone.
  void equalTextsAreHeldOnce() {
    Model model = *parseModelText(R"(
main (float[n,8] x) => (float[n,8] y, float[n,8] z) {
  [first] a = Relu (x)
  [second] b = Relu (a)
  [third] y = Neg (b)
  [fourth] z = Relu (x)
})");
    const ModelGraphs before = resolve::describeGraphs(model);
    const GraphReport& was = before.graphs[0];
    QVERIFY(was.nodes[0].opType.sharesWith(was.nodes[3].opType));
    QVERIFY(was.nodes[1].name.sharesWith(model.graph.node(NodeId{1}).name));
    QVERIFY(was.values[0].name.sharesWith(model.graph.value(ValueId{0}).name));
    for (const ValueReport& value : was.values)
      if (value.type == was.values[0].type) QVERIFY(value.type.sharesWith(was.values[0].type));
    Graph& graph = model.graph;
    graph.setNodeInput(NodeId{1}, 0, graph.findValue("x"));
    graph.removeNode(NodeId{0});
    graph.removeValue(graph.findValue("a"));
    graph.mutableNode(NodeId{2}).name = "another";
    const ModelGraphs again = resolve::describeAgain(model, before);
    const GraphReport& now = again.graphs[0];
    QCOMPARE(now.nodes.size(), size_t{3});
    QCOMPARE(now.nodes[0].name.string(), std::string("second"));
    QVERIFY(now.nodes[0].name.sharesWith(was.nodes[1].name));
    QCOMPARE(now.nodes[1].name.string(), std::string("another"));
    QVERIFY(now.nodes[2].name.sharesWith(was.nodes[3].name));
    for (const ValueReport& value : now.values) {
      const auto same =
          std::ranges::find_if(was.values, [&](const ValueReport& old) { return old.name == value.name; });
      QVERIFY(same != was.values.end() && same->name.sharesWith(value.name));
    }
  }

  void longTextsAreShortened() {
    Model model = resolvedModel();
    Node& node = model.graph.mutableNode(NodeId{0});
    node.setAttribute("text", std::string(1000, 'x'));
    node.setAttribute("list", std::vector<int64_t>(1000, 7));
    const GraphReport main = resolve::describeGraphs(model).graphs[0];
    for (const AttributeReport& attribute : main.nodes[0].attributes) {
      QVERIFY(attribute.text.size() <= 200);
      QVERIFY(QByteArray::fromStdString(attribute.text).endsWith("..."));
    }
  }
};

QTEST_GUILESS_MAIN(TestDescribeGraphs)
#include "tst_describe_graphs.moc"
