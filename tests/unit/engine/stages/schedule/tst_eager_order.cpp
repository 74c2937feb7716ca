// The eager order, against the same rule spelled out with a plain list.

#include <algorithm>

#include <QTest>

#include "engine/stages/pattern/pattern.h"
#include "engine/stages/schedule/eager_order.h"
#include "tests/checker/test_graphs.h"

using namespace cutaway;

namespace {

// Of the 16 nodes that became ready last, the newest one that frees at least what it adds runs before the base order
// goes on. Lists of more than 1,024 nodes are rid of those that have run.
class PlainEagerOrder {
 public:
  PlainEagerOrder(const Graph& graph, const schedule::Dependencies& producers, const schedule::Dependencies& consumers,
                  const schedule::LiveMemory& memory)
      : m_consumers(consumers), m_walk(memory), m_missing(graph.nodeSlots(), 0), m_done(graph.nodeSlots(), false) {
    for (NodeId id : graph.nodeIds())
      m_missing[id.index()] = producers.row(id.index()).size();
  }
  schedule::NodeOrder make(std::span<const uint32_t> base) {
    for (uint32_t next : base) {
      if (!m_done[next]) run(next);
      while (runOneThatFrees()) {
      }
      if (m_ready.size() > 1024) std::erase_if(m_ready, [&](uint32_t node) { return m_done[node]; });
    }
    return m_order;
  }

 private:
  void run(uint32_t node) {
    m_done[node] = true;
    m_walk.run(node);
    m_order.push_back(node);
    for (uint32_t consumer : m_consumers.row(node)) {
      if (--m_missing[consumer] == 0) m_ready.push_back(consumer);
    }
  }
  bool runOneThatFrees() {
    int looked = 0;
    for (size_t i = m_ready.size(); i-- > 0 && looked < 16; ++looked) {
      const uint32_t node = m_ready[i];
      if (!m_done[node] && m_walk.change(node) > 0) continue;
      m_ready.erase(m_ready.begin() + static_cast<std::ptrdiff_t>(i));
      if (m_done[node]) continue;
      run(node);
      return true;
    }
    return false;
  }

  const schedule::Dependencies& m_consumers;
  schedule::LiveWalk m_walk;
  std::vector<size_t> m_missing;
  std::vector<bool> m_done;
  schedule::NodeOrder m_ready, m_order;
};

// Layers of nodes of uneven sizes, each reading one to three values of the layers before it; the first layer reads one
// value.
Graph layered(uint64_t seed, int layers, int width) {
  Graph graph("layers");
  const auto random = [&](size_t bound) {
    seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return static_cast<size_t>(seed >> 33) % bound;
  };
  const auto add = [&](std::span<const ValueId> inputs, int64_t size) {
    Node node;
    node.name = fmt::format("n{}", graph.nodeSlots());
    node.opType = "MatMul";
    const std::string output = node.name + ".y";
    const NodeId id = graph.addNode(std::move(node), inputs, std::span(&output, 1));
    graph.mutableValue(graph.node(id).outputs[0]).type = floatTensor({size});
    return graph.node(id).outputs[0];
  };
  const ValueId feed = graph.addInput("x", floatTensor({8}));
  const ValueId source = add(std::span(&feed, 1), 64);
  std::vector<ValueId> values;
  for (int layer = 0; layer < layers; ++layer) {
    const size_t known = values.size();
    for (int i = 0; i < width; ++i) {
      std::vector<ValueId> inputs = {known == 0 ? source : values[random(known)]};
      for (size_t more = known == 0 ? 0 : random(3); more > 0; --more)
        inputs.push_back(values[random(known)]);
      values.push_back(add(inputs, static_cast<int64_t>(1 + random(512))));
    }
  }
  graph.addOutput(values.back());
  return graph;
}

}  // namespace

class TestEagerOrder : public QObject {
  Q_OBJECT
 private slots:
  void isThatOfAPlainList_data() {
    QTest::addColumn<int>("layers");
    QTest::addColumn<int>("width");
    QTest::newRow("few ready") << 40 << 6;
    QTest::newRow("hundreds ready") << 5 << 300;
    QTest::newRow("thousands ready") << 3 << 2500;
  }
  void isThatOfAPlainList() {
    QFETCH(int, layers);
    QFETCH(int, width);
    size_t moved = 0;
    for (uint64_t seed = 1; seed <= 5; ++seed) {
      const Graph graph = layered(seed, layers, width);
      const schedule::Dependencies producers = schedule::producersOf(graph), consumers = schedule::reversed(producers);
      const auto sizes = pattern::staticSizes(graph);
      const schedule::LiveMemory memory(graph, {}, sizes);
      schedule::NodeOrder base(graph.nodeSlots());  // each node reads older ones only
      for (size_t i = 0; i < base.size(); ++i)
        base[i] = static_cast<uint32_t>(i);
      const schedule::NodeOrder order = schedule::eagerOrder(graph, producers, consumers, memory, base);
      QCOMPARE(order, PlainEagerOrder(graph, producers, consumers, memory).make(base));
      QCOMPARE(order.size(), base.size());
      for (size_t i = 0; i < order.size(); ++i)
        moved += order[i] != base[i] ? 1 : 0;
    }
    QVERIFY(moved > 0);
  }
};

QTEST_GUILESS_MAIN(TestEagerOrder)
#include "tst_eager_order.moc"
