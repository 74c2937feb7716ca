#include <QtTest/QtTest>

#include "engine/graph/packed_model.h"
#include "engine/graph/text.h"
#include "tests/unit/engine/graph/graph_consistency.h"

using namespace cutaway;

namespace {

constexpr const char* kEverything = R"(
<ir_version: 9, opset_import: ["" : 17, "custom" : 2], producer_name: "maker">
main (float[n,4] x, bool c, float[4] d) => (float[n,4] y, z) <float[4] w = {1,2,3,4}, float[4] d = {0,0,0,0}> {
  ["/layer.0/add"] a = Add (x, w)
  ["/layer.0/clip"] b = Clip (a, "", w)
  ["/layer.1/conv"] q = custom.Thing <i = -7, f = 0.5, s = "words", t = float[2] {1,2}, is = [1,-2,3], fs = [1.0,2.5],
                                    ss = ["p","q"]> (b, b)
  y = If <then_branch = then () => (float[n,4] u) { u = Add (q, x) },
          else_branch = otherwise () => (float[n,4] v) { v = Neg (x) }> (c)
  z = custom.Twice (a)
}
<domain: "custom", opset_import: ["" : 17]>
Twice (p) => (r) { r = Add (p, p) }
)";

Model parsed(const char* text) {
  Result<Model> model = parseModelText(text);
  if (!model) qFatal("%s", describe(model.error()).c_str());
  return *std::move(model);
}

// What the printed text leaves out.
QString difference(const Model& a, const Model& b) {
  const TextOptions options{.showOrigins = true, .showProvider = true};
  if (printModel(a, options) != printModel(b, options)) return QStringLiteral("the texts differ");
  if (a.origins.size() != b.origins.size()) return QStringLiteral("origins");
  for (size_t i = 0; i < a.origins.size(); ++i)
    if (a.origins[i].name != b.origins[i].name || a.origins[i].opType != b.origins[i].opType ||
        a.origins[i].graphPath != b.origins[i].graphPath)
      return QStringLiteral("origin %1").arg(i);
  if (a.graph.nodeSlots() != b.graph.nodeSlots() || a.graph.valueSlots() != b.graph.valueSlots())
    return QStringLiteral("slots");
  for (size_t i = 0; i < a.graph.nodeSlots(); ++i) {
    const Node &one = a.graph.node(NodeId{i}), &other = b.graph.node(NodeId{i});
    if (one.removed != other.removed) return QStringLiteral("hole %1").arg(i);
    if (one.removed) continue;
    if (one.name != other.name || one.documentation != other.documentation || one.metadata != other.metadata ||
        one.sinceVersion != other.sinceVersion || one.opsetVersion != other.opsetVersion ||
        one.origins != other.origins || one.rewrite != other.rewrite || one.provider != other.provider ||
        one.inputs != other.inputs || one.outputs != other.outputs || one.implicitInputs != other.implicitInputs)
      return QStringLiteral("node %1").arg(i);
  }
  for (size_t i = 0; i < a.graph.valueSlots(); ++i) {
    const Value &one = a.graph.value(ValueId{i}), &other = b.graph.value(ValueId{i});
    if (one.name != other.name || !(one.type == other.type) || one.producer != other.producer ||
        one.producerSlot != other.producerSlot || one.isInput != other.isInput || one.removed != other.removed ||
        one.outputCount != other.outputCount || one.outerScope != other.outerScope || one.uses != other.uses ||
        one.initializer.has_value() != other.initializer.has_value())
      return QStringLiteral("value %1").arg(i);
    if (one.initializer && one.initializer->data() != other.initializer->data())
      return QStringLiteral("the bytes of value %1 are not shared").arg(i);
  }
  const auto flags = [](const Graph& graph) {
    return std::array{graph.loadedFromFile, graph.inputsManual, graph.outputsManual, graph.overridableInitializers};
  };
  if (flags(a.graph) != flags(b.graph)) return QStringLiteral("flags");
  return QString::fromStdString(deepInconsistencyOf(b.graph));
}

}  // namespace

class TestPackedModel : public QObject {
  Q_OBJECT

 private slots:
  void givesBackWhatWasPutAway() {
    Model model = parsed(kEverything);
    model.graph.mutableNode(NodeId{0}).documentation = "what it is for";
    model.graph.mutableNode(NodeId{0}).metadata = {{"layer_ann", "first"}, {"more", ""}};
    model.graph.mutableNode(NodeId{1}).sinceVersion = 13;
    model.graph.mutableNode(NodeId{1}).opsetVersion = 17;
    model.graph.mutableNode(NodeId{1}).rewrite = "a pass";
    model.graph.mutableNode(NodeId{1}).provider = "cpu";
    model.graph.mutableNode(NodeId{2}).origins = {OriginId{2}, OriginId{0}};
    model.graph.mutableValue(ValueId{0}).type.denotation = "IMAGE";
    model.metadata["key"] = "text";
    const PackedModel packed(model);
    QCOMPARE(packed.nodeCount(), model.graph.nodeCount());
    const Model again = packed.unpack();
    QCOMPARE(difference(model, again), QString());
    QCOMPARE(again.metadata, model.metadata);
    QCOMPARE(again.producerName, std::string("maker"));
    QCOMPARE(again.functions.size(), size_t{1});
  }

  // Edits leave holes, and uses in another order than that of the nodes; both count for who goes on with the model.
  void keepsHolesAndTheOrderOfUses() {
    Model model = parsed(R"(
main (float[4] x) => (float[4] y, float[4] z) {
  a = Neg (x)
  b = Add (x, x)
  c = Add (x, a)
  y = Add (b, c)
  z = Abs (y)
  dead = Exp (z)
})");
    Graph& graph = model.graph;
    graph.removeNode(NodeId{5});
    graph.removeValue(graph.findValue("dead"));
    graph.setNodeInput(NodeId{0}, 0, graph.findValue("c"));  // x: uses are swapped into the gap
    graph.replaceUses(graph.findValue("b"), graph.findValue("x"));
    graph.loadedFromFile = true;
    QCOMPARE(difference(model, PackedModel(model).unpack()), QString());
    Model compacted = model;
    compacted.graph.compact();
    QCOMPARE(difference(compacted, PackedModel(compacted).unpack()), QString());
  }

  // The reason for it: names, types and edges of a long chain in 70 bytes a node, a tenth of the objects with their
  // names.
  void isSmall() {
    constexpr size_t kNodes = 2000;
    Model model;
    ValueId last = model.graph.addInput("x", ValueType::tensor(ElementType::kFloat, Shape{Dim("batch"), Dim(8)}));
    for (size_t i = 0; i < kNodes; ++i) {
      const NodeId node =
          model.graph.addNode({.name = fmt::format("/stage.{}/block.{}/Relu", i / 50, i), .opType = "Relu"}, {last},
                              {fmt::format("/stage.{}/block.{}/Relu_output_0", i / 50, i)});
      last = model.graph.node(node).outputs[0];
      model.graph.mutableValue(last).type = model.graph.value(ValueId{0}).type;
    }
    model.graph.addOutput(last);
    assignOrigins(model);
    const PackedModel packed(model);
    QVERIFY2(packed.packedBytes() < kNodes * 70, qPrintable(QString::number(packed.packedBytes())));
    QCOMPARE(difference(model, packed.unpack()), QString());
  }
};

QTEST_GUILESS_MAIN(TestPackedModel)
#include "tst_packed_model.moc"
