// What nodes are called: one form for all messages, tables and reports.

#include <QTest>

#include "engine/graph/node_label.h"
#include "engine/graph/text.h"
#include "engine/graph/topology.h"

using namespace cutaway;

class TestNodeLabel : public QObject {
  Q_OBJECT

 private slots:
  void nodesAreCalledByNameOrOperatorAndNumber() {
    auto model = parseModelText("g (x) => (c) { [stem] a = Conv (x) b = Relu (a) [cpu_0] c = Hash (b) }");
    QVERIFY2(model, model ? "" : describe(model.error()).c_str());
    Graph& graph = model->graph;
    graph.mutableNode(NodeId{2}).rewrite = "fused by cpu";
    QCOMPARE(nodeName(graph, NodeId{0}), std::string("stem"));
    QCOMPARE(nodeLabel(graph, NodeId{0}), std::string("Conv 'stem'"));
    QCOMPARE(nodeName(graph, NodeId{1}), std::string("Relu_1"));
    QCOMPARE(nodeLabel(graph, NodeId{1}), std::string("Relu_1"));
    QCOMPARE(nodeLabel(graph, NodeId{2}), std::string("group 'cpu_0'"));
  }

  void errorsNameUnnamedNodesTheSameWay() {
    auto model = parseModelText("g (x) => () { a = Op (x) b = Op (a, d) d = Op (b) }");
    QVERIFY2(model, model ? "" : describe(model.error()).c_str());
    const auto order = topologicalOrder(model->graph);
    QVERIFY(!order);
    QCOMPARE(order.error().where.node, std::string("Op_1"));
  }
};

QTEST_APPLESS_MAIN(TestNodeLabel)
#include "tst_node_label.moc"
