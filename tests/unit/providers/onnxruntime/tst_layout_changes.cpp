// What became of nodes between two questions: inserted, written anew, copied, put away.
#include <QtTest/QtTest>

#include "engine/graph/text.h"
#include "providers/onnxruntime/model_writer.h"
#include "providers/onnxruntime/plugin/layout_changes.h"

using namespace cutaway;
using namespace cutaway::onnxruntime;

namespace {

// "n1 DequantizeLinear q s > d": nodes of ours are called by their number, others by another name.
CapabilityCall callOf(const QStringList& lines) {
  CapabilityCall call;
  for (const QString& line : lines) {
    const QStringList sides = line.split(" > ");
    QStringList words = sides[0].split(' ');
    const bool isOurs = words[0].startsWith('n');
    const std::string name =
        isOurs ? numberedName(NodeId(words[0].mid(1).toUInt())) + "_token_1" : words[0].toStdString();
    call.nodes.push_back({name, "", words[1].toStdString()});
    NodePorts ports;
    for (const QString& value : words.mid(2))
      ports.inputs.push_back(value.toStdString());
    for (const QString& value : sides[1].split(' '))
      ports.outputs.push_back(value.toStdString());
    call.ports.push_back(std::move(ports));
  }
  return call;
}

// n0 Relu a, n1 DequantizeLinear w, n2 Conv b, n3 Transpose t, n4 Relu y
constexpr const char* kModel = R"(<ir_version: 8, opset_import: ["": 17]>
main (float[1,2,4,4] x) => (float[1,4,4,2] y) <int8[2,2,1,1] k = {1, -2, 3, -4}, float s = {0.5}> {
  a = Relu (x)
  w = DequantizeLinear (k, s)
  b = Conv (a, w)
  t = Transpose <perm = [0, 2, 3, 1]> (b)
  y = Relu (t)
})";
const QStringList kFirst{"n0 Relu x > a", "n1 DequantizeLinear k s > w", "n2 Conv a w > b", "n3 Transpose b > t",
                         "n4 Relu t > y"};

}  // namespace

class TestLayoutChanges : public QObject {
  Q_OBJECT
 private slots:
  void changes_data() {
    QTest::addColumn<QStringList>("last");
    QTest::addColumn<QStringList>("expected");
    QTest::newRow("none") << kFirst << QStringList();
    // Channels last: a Transpose before, the one behind is not needed any more, the weights are moved.
    QTest::newRow("channels last") << QStringList{"n0 Relu x > a", "Transpose_token_1 Transpose a > a_last",
                                                  "moved DequantizeLinear k2 s > w2", "n2 Conv a_last w2 > b2",
                                                  "n4 Relu b2 > y"}
                                   << QStringList{
                                          "Transpose inserted between Relu 'n0' and Conv 'n2'",
                                          "DequantizeLinear 'n1' is written anew, for what follows has another layout",
                                          "Transpose 'n3' is put away: no node stands in its place"};
    QTest::newRow("behind a Transpose")
        << QStringList{"n0 Relu x > a",          "moved DequantizeLinear k s > w2",
                       "turn Transpose w2 > w3", "n2 Conv a w3 > b",
                       "n3 Transpose b > t",     "n4 Relu t > y"}
        << QStringList{"Transpose inserted between DequantizeLinear 'n1' and Conv 'n2'",
                       "DequantizeLinear 'n1' is written anew, for what follows has another layout"};
    QTest::newRow("at the borders") << QStringList{"in Transpose x > x2",         "n0 Relu x2 > a",
                                                   "n1 DequantizeLinear k s > w", "n2 Conv a w > b",
                                                   "n3 Transpose b > t",          "n4 Relu t > y2",
                                                   "out Transpose y2 > y"}
                                    << QStringList{"Transpose inserted before Relu 'n0', reading 'x'",
                                                   "Transpose inserted behind Relu 'n4'"};
    QTest::newRow("copies") << QStringList(kFirst) + QStringList{"n1 DequantizeLinear k s > w_copy"}
                            << QStringList{"DequantizeLinear 'n1' stands 2 times, once for each that reads it"};
    // A node of the same output in the place of one that nothing reads.
    QTest::newRow("the last one written anew")
        << QStringList{"n0 Relu x > a", "n1 DequantizeLinear k s > w", "n2 Conv a w > b", "n3 Transpose b > t",
                       "anew Relu t > y"}
        << QStringList{"Relu 'n4' is written anew, for what follows has another layout"};
    // Of a record that somebody has changed.
    QTest::newRow("in a circle") << QStringList{"one Transpose two_out > one_out",
                                                "two Transpose one_out > two_out",
                                                "n0 Relu x > a",
                                                "n1 DequantizeLinear k s > w",
                                                "n2 Conv a w > b",
                                                "n3 Transpose b > t",
                                                "n4 Relu t > y"}
                                 << QStringList{"Transpose inserted, reading 'two_out'",
                                                "Transpose inserted, reading 'one_out'"};
  }
  void changes() {
    QFETCH(QStringList, last);
    const Result<Model> model = parseModelText(kModel);
    QVERIFY2(model, model ? "" : model.error().message.c_str());
    Graph graph = model->graph;
    const std::vector<NodeId> nodes = graph.nodeIds();
    for (const NodeId id : nodes)
      graph.mutableNode(id).name = fmt::format("n{}", id.index());
    QStringList found;
    for (const LayoutChange& change : layoutChanges(graph, nodes, callOf(kFirst), callOf(last)))
      found += QString::fromStdString(changeText(graph, change));
    QTEST(found, "expected");
  }

  // A record that was made before there were any.
  void withoutPorts() {
    const Result<Model> model = parseModelText(kModel);
    QVERIFY(model);
    CapabilityCall last = callOf({"n0 Relu x > a"});
    last.ports.clear();
    QVERIFY(layoutChanges(model->graph, model->graph.nodeIds(), callOf(kFirst), last).empty());
  }

  // They are told once, and of a graph in which the provider has a node.
  void notes() {
    Result<Model> model = parseModelText(kModel);
    QVERIFY(model);
    Graph& graph = model->graph;
    ChangeNotes notes;
    notes.keep(graph, changeNotes(graph, layoutChanges(graph, graph.nodeIds(), callOf(kFirst),
                                                       callOf({"n0 Relu x > a", "n2 Conv a w > b"}))));
    ChangeNotes others = notes;
    QVERIFY(others.take(graph, "npu").empty());
    graph.mutableNode(graph.nodeIds().front()).provider = "npu";
    QCOMPARE(notes.take(graph, "npu").size(), size_t{3});
    QVERIFY(notes.take(graph, "npu").empty());
  }
};

QTEST_GUILESS_MAIN(TestLayoutChanges)
#include "tst_layout_changes.moc"
