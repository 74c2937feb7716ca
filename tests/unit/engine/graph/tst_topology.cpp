#include <random>
#include <set>

#include <QtTest/QtTest>

#include "engine/graph/text.h"
#include "engine/graph/topology.h"

using namespace cutaway;

namespace {

QString orderText(const Graph& graph) {
  const auto order = topologicalOrder(graph);
  if (!order) return QString::fromStdString(describe(order.error()));
  QStringList names;
  for (const NodeId id : *order)
    names << QString::fromStdString(graph.node(id).name);
  return names.join(' ');
}

}  // namespace

class TestTopology : public QObject {
  Q_OBJECT

 private slots:
  void orders_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("order");
    QTest::newRow("empty") << QByteArray("g () => () {}") << "";
    QTest::newRow("as written") << QByteArray("g (x) => (c) { [n1] a = Op (x) [n2] b = Op (x) [n3] c = Op (a, b) }")
                                << "n1 n2 n3";
    QTest::newRow("written backwards") << QByteArray("g (x) => (c) { [n3] c = Op (b) [n2] b = Op (a) [n1] a = Op (x) }")
                                       << "n1 n2 n3";
    QTest::newRow("ties by id")
        << QByteArray("g (x) => () { [n4] d = Op (a) [n1] a = Op (x) [n2] b = Op (x) [n3] c = Op (x) }")
        << "n1 n4 n2 n3";
    QTest::newRow("same value twice") << QByteArray("g (x) => () { [n2] b = Op (a, a, a) [n1] a = Op (x) }") << "n1 n2";
    QTest::newRow("absent inputs") << QByteArray("g (x) => () { [n2] b = Op (\"\", a) [n1] a = Op (x, \"\") }")
                                   << "n1 n2";
    QTest::newRow("bodies wait for what they capture")
        << QByteArray("g (c) => () { [n2] b = If <body = t () => (r) { r = Op (a) }> (c) [n1] a = Op (c) }") << "n1 n2";
    QTest::newRow("cycle")
        << QByteArray("g (x) => () { [first] a = Op (x) [loop1] b = Op (a, d) [loop2] d = Op (b) [after] e = Op (d) }")
        << "FAIL: the graph is not acyclic: node 'loop1' (Op) depends on its own output (node 'loop1')";
    QTest::newRow("a node after the cycle is not named")
        << QByteArray("g (x) => () { [after] e = Op (d) [loop] d = Op (d) }")
        << "FAIL: the graph is not acyclic: node 'loop' (Op) depends on its own output (node 'loop')";
    QTest::newRow("cycle through a body")
        << QByteArray("g (c) => () { [loop] a = If <body = t () => (a) {}> (c) }")
        << "FAIL: the graph is not acyclic: node 'loop' (If) depends on its own output (node 'loop')";
    QTest::newRow("two producers")
        << QByteArray("g (x) => () { [n1] a = Op (x) [n2] a = Op (x) [n3] b, b = Op (a) [n4] c = Op (b) }")
        << "n1 n2 n3 n4";
  }
  void orders() {
    QFETCH(QByteArray, text);
    QFETCH(QString, order);
    const auto model = parseModelText(text.toStdString());
    QVERIFY2(model.has_value(), model ? "" : describe(model.error()).c_str());
    QCOMPARE(orderText(model->graph), order);
  }

  // Against the definition: producers first, and at every place the smallest id that could stand there.
  void randomGraphs() {
    for (uint32_t seed = 1; seed <= 50; ++seed) {
      std::mt19937 random(seed);
      const size_t count = 1 + random() % 40;
      std::vector<size_t> shuffled(count);  // position in a hidden order that makes the graph acyclic
      for (size_t i = 0; i < count; ++i)
        shuffled[i] = i;
      std::ranges::shuffle(shuffled, random);
      Graph graph;
      std::vector<std::set<size_t>> needs(count);
      for (size_t i = 0; i < count; ++i) {
        std::vector<ValueId> inputs;
        for (size_t j = 0; j < count; ++j) {
          if (shuffled[j] < shuffled[i] && random() % 5 == 0) {
            inputs.push_back(graph.addValue("v" + std::to_string(j)));
            needs[i].insert(j);
          }
        }
        const std::vector<std::string> outputs{"v" + std::to_string(i)};
        graph.addNode({.opType = "Op"}, inputs, outputs);
      }
      const std::vector<NodeId> order = topologicalOrder(graph).value();
      QCOMPARE(order.size(), count);
      std::set<size_t> placed;
      for (const NodeId id : order) {
        size_t expected = 0;
        while (placed.contains(expected) || !std::ranges::includes(placed, needs[expected]))
          ++expected;
        QCOMPARE(id.index(), expected);
        placed.insert(expected);
      }
    }
  }

  void deepGraphsNeedNoStack() {
    Graph graph;
    ValueId last = graph.addInput("x", {});
    for (int i = 0; i < 200'000; ++i) {
      const NodeId id = graph.addNode({.opType = "Op"}, std::vector<ValueId>{last},
                                      std::vector<std::string>{"v" + std::to_string(i)});
      last = graph.node(id).outputs[0];
    }
    QCOMPARE(topologicalOrder(graph).value().size(), size_t{200'000});
    graph.setNodeInput(NodeId{0}, 0, last);
    QVERIFY(!topologicalOrder(graph).has_value());
  }
};

QTEST_GUILESS_MAIN(TestTopology)
#include "tst_topology.moc"
