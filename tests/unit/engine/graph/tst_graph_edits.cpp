// Random edits, one after the other, each followed by the whole consistency check. A failure prints its seed and step.

#include <random>

#include <QtTest/QtTest>

#include "engine/graph/text.h"
#include "tests/unit/engine/graph/graph_consistency.h"

using namespace cutaway;

namespace {

class RandomEditor {
 public:
  explicit RandomEditor(uint32_t seed) : m_random(seed) {
    for (int i = 0; i < 3; ++i)
      m_graph.addInput("in" + std::to_string(i), {});
  }

  const Graph& graph() const { return m_graph; }

  std::string step() {
    static constexpr std::pair<const char*, void (RandomEditor::*)()> kEdits[] = {
        {"add a node", &RandomEditor::addNode},
        {"add a node", &RandomEditor::addNode},
        {"add a node with a body", &RandomEditor::addNodeWithBody},
        {"remove a node", &RandomEditor::removeNode},
        {"remove a value", &RandomEditor::removeValue},
        {"set an input", &RandomEditor::setInput},
        {"set an output", &RandomEditor::setOutput},
        {"replace uses", &RandomEditor::replaceUses},
        {"move uses", &RandomEditor::moveUses},
        {"rename", &RandomEditor::rename},
        {"set outputs", &RandomEditor::setOutputs},
        {"set implicit inputs", &RandomEditor::setImplicitInputs},
        {"compact", &RandomEditor::compact},
        {"copy", &RandomEditor::copy}};
    const auto& [name, edit] = kEdits[below(std::size(kEdits))];
    (this->*edit)();
    return name;
  }

 private:
  size_t below(size_t count) { return std::uniform_int_distribution<size_t>(0, count - 1)(m_random); }
  ValueId anyValue() {
    const auto ids = m_graph.valueIds();
    return ids.empty() ? m_graph.addInput(m_graph.freshName("in"), {}) : ids[below(ids.size())];
  }
  NodeId anyNode() {
    if (m_graph.nodeCount() == 0) addNode();
    const auto ids = m_graph.nodeIds();
    return ids[below(ids.size())];
  }
  std::vector<ValueId> anyValues(size_t most) {
    std::vector<ValueId> values;
    for (size_t i = below(most + 1); i > 0; --i)
      values.push_back(below(6) == 0 ? ValueId{} : anyValue());
    return values;
  }

  void addNode() {
    std::vector<std::string> outputs;
    for (size_t i = below(3) + 1; i > 0; --i)
      outputs.push_back(below(5) == 0 ? "" : "n" + std::to_string(m_nextName++));
    m_graph.addNode({.opType = "Op"}, anyValues(4), outputs);
  }
  void addNodeWithBody() {
    Graph body("body");
    std::vector<ValueId> captured;
    for (size_t i = below(3); i > 0; --i)
      captured.push_back(body.addOuterScope(m_graph.value(anyValue()).name, {}));
    body.addNode({.opType = "Inner"}, captured, std::vector<std::string>{"v" + std::to_string(below(40))});
    // The local value may have the name of a captured one; the body then captures nothing by that name.
    Node node{.opType = "If"};
    node.setAttribute("body", GraphBox(std::move(body)));
    const std::vector<std::string> outputs{"n" + std::to_string(m_nextName++)};
    const NodeId id = m_graph.addNode(std::move(node), anyValues(2), outputs);
    m_graph.bindCaptures(id);
  }
  void removeNode() { m_graph.removeNode(anyNode()); }
  void removeValue() { m_graph.removeValue(anyValue()); }
  void setInput() {
    const NodeId id = anyNode();
    m_graph.setNodeInput(id, below(m_graph.node(id).inputs.size() + 2), below(5) == 0 ? ValueId{} : anyValue());
  }
  void setOutput() {
    const NodeId id = anyNode();
    const size_t slot = below(m_graph.node(id).outputs.size() + 1);
    m_graph.setNodeOutput(id, slot, below(4) == 0 ? ValueId{} : m_graph.addValue(m_graph.freshName("o")));
  }
  void replaceUses() { m_graph.replaceUses(anyValue(), anyValue()); }
  void moveUses() { m_graph.moveUses(anyValue(), anyValue()); }
  void rename() {
    m_graph.renameValue(anyValue(), below(2) == 0 ? "v" + std::to_string(below(40)) : m_graph.freshName("r"));
  }
  void setOutputs() {
    std::vector<ValueId> values = anyValues(4);
    std::erase(values, ValueId{});
    m_graph.setOutputs(values);
  }
  void setImplicitInputs() {
    const NodeId id = anyNode();
    if (!m_graph.node(id).hasBodies()) m_graph.setImplicitInputs(id, anyValues(3));
  }
  void compact() { m_graph.compact(); }
  void copy() {
    Graph copy = m_graph;
    m_graph = std::move(copy);
  }

  std::mt19937 m_random;
  Graph m_graph{"random"};
  int m_nextName = 0;
};

}  // namespace

class TestGraphEdits : public QObject {
  Q_OBJECT

 private slots:
  void everyEditKeepsTheTables_data() {
    QTest::addColumn<uint>("seed");
    for (uint seed = 1; seed <= 40; ++seed)
      QTest::addRow("seed %u", seed) << seed;
  }
  void everyEditKeepsTheTables() {
    QFETCH(uint, seed);
    RandomEditor editor(seed);
    for (int step = 0; step < 400; ++step) {
      const std::string edit = editor.step();
      const std::string problem = deepInconsistencyOf(editor.graph());
      QVERIFY2(problem.empty(), qPrintable(QString("step %1 (%2): %3")
                                               .arg(step)
                                               .arg(QString::fromStdString(edit), QString::fromStdString(problem))));
    }
  }
};

QTEST_GUILESS_MAIN(TestGraphEdits)
#include "tst_graph_edits.moc"
