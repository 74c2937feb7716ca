// Groups of supported nodes on text graphs: waves, borders, Q/DQ units, stop operators, groups taken before.
#include <QtTest/QtTest>

#include "engine/graph/text.h"
#include "engine/graph/topology.h"
#include "engine/provider/group_builder.h"
#include "engine/provider/group_namer.h"

using namespace cutaway;

namespace {

struct Asked {
  explicit Asked(const QString& text) {
    Result<Model> parsed = parseModelText("<ir_version: 8, opset_import: [\"\" : 17]>\n" + text.toStdString());
    if (!parsed) qFatal("%s", describe(parsed.error()).c_str());
    model = *std::move(parsed);
    free = *topologicalOrder(model.graph);
    names = std::make_unique<GroupNamer>(model);
  }
  CapabilityRequest request() {
    return {.model = model,
            .graph = model.graph,
            .free = free,
            .progress = progress,
            .names = names.get(),
            .takenGroups = taken};
  }

  // Nodes whose name begins with 's' are supported.
  GroupingOptions options() const {
    GroupingOptions result;
    result.supported.assign(model.graph.nodeSlots(), 0);
    for (const NodeId id : model.graph.nodeIds())
      result.supported[id.index()] = model.graph.node(id).name.front() == 's';
    return result;
  }
  // These nodes, together one group, belong to somebody else.
  void take(std::initializer_list<const char*> nodes) {
    if (taken.empty()) taken.assign(model.graph.nodeSlots(), -1);
    const int32_t group = m_groups++;
    for (const char* name : nodes) {
      taken[model.graph.findNode(name).index()] = group;
      std::erase(free, model.graph.findNode(name));
    }
  }
  QString nodes(std::span<const NodeId> ids) const {
    QStringList result;
    for (const NodeId id : ids)
      result << QString::fromStdString(model.graph.node(id).name);
    return result.join(' ');
  }
  QString groups(const Groups& made) const {
    QStringList result;
    for (const ComputeCapability& claim : made.claims)
      result << nodes(claim.subGraph.nodes);
    return result.join(" | ");
  }
  QString values(const std::vector<ValueId>& ids) const {
    QStringList result;
    for (const ValueId id : ids)
      result << QString::fromStdString(model.graph.value(id).name);
    return result.join(' ');
  }
  QString refused(const Groups& made) const {
    QStringList result;
    for (const Refusal& refusal : made.refusals)
      result << QString::fromStdString(model.graph.node(refusal.node).name + ":" + refusal.rule);
    result.sort();
    return result.join(' ');
  }

  Model model;
  std::vector<NodeId> free;
  std::vector<int32_t> taken;
  std::unique_ptr<GroupNamer> names;
  Progress progress;

 private:
  int32_t m_groups = 0;
};

}  // namespace

class TestGroupBuilder : public QObject {
  Q_OBJECT
 private slots:
  void waves_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("expected");
    QTest::newRow("everything supported is one group")
        << "main (float[2] x) => (float[2] y) { [s1] a = Relu (x) [s2] b = Tanh (a) [s3] y = Add (a, b) }"
        << "s1 s2 s3";
    QTest::newRow("nothing supported") << "main (float[2] x) => (float[2] y) { [a] h = Relu (x) [b] y = Tanh (h) }"
                                       << "";
    QTest::newRow("a path through an unsupported node parts the group")
        << "main (float[2] x) => (float[2] y) { [s1] a = Relu (x) [u] b = Tanh (a) [s2] c = Relu (b) [s3] y = Add (a, "
           "c) }"
        << "s1 | s2 s3";
    QTest::newRow("what comes before does not part it")
        << "main (float[2] x) => (float[2] y) { [u1] a = Relu (x) [s1] b = Tanh (x) [s2] c = Add (a, b) [u2] d = Relu "
           "(a) [s3] y = Add (c, d) }"
        << "s1 s2 s3";
    QTest::newRow("two unsupported branches") << R"(main (float[2] x) => (float[2] y) {
      [s1] a = Relu (x) [u1] b = Tanh (a) [s2] c = Relu (a) [u2] d = Tanh (c) [s3] e = Relu (b) [s4] f = Relu (d) [s5] y = Add (e, f) })"
                                              << "s1 s2 | s3 s4 s5";
    QTest::newRow("crossing chains close no cycle") << R"(main (float[2] x, float[2] z) => (float[2] y, float[2] w) {
      [s1] a = Relu (x) [u1] b = Tanh (a) [s2] y = Relu (b) [s3] c = Relu (z) [u2] d = Tanh (c) [s4] e = Relu (d) [u3] w = Tanh (e) })"
                                                    << "s1 s3 | s2 s4";
    QTest::newRow("a body's captured values are edges") << R"(main (float[2] x, bool[] c) => (float[2] y) {
      [s1] a = Relu (x)
      [u] b = If <then_branch = yes () => (float[2] t) { [in] t = Relu (a) }, else_branch = no () => (float[2] e) { [im] e = Tanh (a) }> (c)
      [s2] y = Add (a, b) })" << "s1 | s2";
    QTest::newRow("a Q/DQ unit goes as one") << R"(main (uint8[2] x, float s, uint8 z) => (uint8[2] y) {
      [s1] f = DequantizeLinear (x, s, z) [s2] g = Relu (f) [s3] y = QuantizeLinear (g, s, z) })"
                                             << "s1 s2 s3";
    QTest::newRow("a Q/DQ unit that is not supported whole stays out")
        << R"(main (uint8[2] x, float s, uint8 z) => (uint8[2] y) {
      [s1] f = DequantizeLinear (x, s, z) [s2] g = Relu (f) [u] y = QuantizeLinear (g, s, z) })"
        << "";
  }
  void waves() {
    QFETCH(QString, text);
    Asked asked(text);
    const Groups made = buildGroups(asked.request(), asked.options());
    QFETCH(QString, expected);
    QCOMPARE(asked.groups(made), expected);
  }

  void bordersAreInFirstUseOrder() {
    Asked asked(R"(main (float[2] x, float[2] z) => (float[2] b, float[2] y) <float[2] w = {1, 2}> {
      [s1] a = Add (z, w) [s2] b = Sub (x, a) [s3] c = Relu (b) [u] y = Tanh (c) })");
    GroupingOptions options = asked.options();
    Groups made = buildGroups(asked.request(), options);
    QCOMPARE(made.claims.size(), size_t{1});
    QCOMPARE(asked.values(made.claims[0].subGraph.metaDef->inputs), QString("z x"));
    QCOMPARE(asked.values(made.claims[0].subGraph.metaDef->outputs), QString("b c"));
    options.constantsAsInputs = true;
    made = buildGroups(asked.request(), options);
    QCOMPARE(asked.values(made.claims[0].subGraph.metaDef->inputs), QString("z w x"));
  }

  void namesCountOnOverGraphsAndAreTheSameAgain() {
    Asked asked("main (float[2] x) => (float[2] y) { [s1] a = Relu (x) [u] b = Tanh (a) [s2] y = Relu (b) }");
    const Groups first = buildGroups(asked.request(), asked.options());
    const Groups second = buildGroups(asked.request(), asked.options());
    const std::string hash = asked.names->modelHash();
    QCOMPARE(first.claims[0].subGraph.metaDef->name, hash + "_0");
    QCOMPARE(second.claims[1].subGraph.metaDef->name, hash + "_3");
    asked.names->restart();
    QCOMPARE(buildGroups(asked.request(), asked.options()).claims[1].subGraph.metaDef->name,
             first.claims[1].subGraph.metaDef->name);
  }

  void stopOperatorsStopEverythingBehindThem() {
    Asked asked(
        "main (float[2] x) => (float[2] y, float[2] z) { [s1] a = Relu (x) [s2] b = Tanh (a) [u] c = Relu (b) [s3] y = "
        "Relu (c) [s4] z = Relu (a) }");
    GroupingOptions options = asked.options();
    options.stopOperators = {"Tanh"};
    const Groups made = buildGroups(asked.request(), options);
    QCOMPARE(asked.groups(made), QString("s1 s4"));
    QCOMPARE(asked.refused(made), QString("s2:stop operators s3:stop operators"));
  }

  void smallAndUnwantedGroupsAreRefused() {
    Asked asked(
        "main (float[2] x) => (float[2] y) { [s1] a = Relu (x) [u] b = Tanh (a) [s2] c = Relu (b) [s3] y = Relu (c) }");
    GroupingOptions options = asked.options();
    options.minimumNodes = 2;
    Groups made = buildGroups(asked.request(), options);
    QCOMPARE(asked.groups(made), QString("s2 s3"));
    QCOMPARE(asked.refused(made), QString("s1:minimum group size"));
    QCOMPARE(made.refusals[0].cause, RefusalCause::kTooSmall);
    QVERIFY(!made.refusals[0].reason.empty() && !made.refusals[0].seen.empty() && !made.refusals[0].remedy.empty());

    options.minimumNodes = 1;
    options.accept = [](std::span<const NodeId> nodes) {
      return nodes.size() > 1 ? std::string("two do not pay") : std::string();
    };
    made = buildGroups(asked.request(), options);
    QCOMPARE(asked.groups(made), QString("s1"));
    QCOMPARE(asked.refused(made), QString("s2:group rule s3:group rule"));
    QCOMPARE(made.refusals[0].reason, std::string("two do not pay"));
  }

  // Parts of a group feed each other one way only, and a Q/DQ unit stays in one piece.
  void largeGroupsAreCut() {
    Asked asked(
        "main (float[2] x) => (float[2] y) { [s1] a = Relu (x) [s2] b = Tanh (a) [s3] c = Relu (b) [s4] d = Add (a, c) "
        "[s5] y = Relu (d) }");
    GroupingOptions options = asked.options();
    options.maximumNodes = 2;
    QCOMPARE(asked.groups(buildGroups(asked.request(), options)), QString("s1 s2 | s3 s4 | s5"));
    options.maximumNodes = 5;
    QCOMPARE(asked.groups(buildGroups(asked.request(), options)), QString("s1 s2 s3 s4 s5"));
    options.maximumNodes = 1;
    QCOMPARE(asked.groups(buildGroups(asked.request(), options)), QString("s1 | s2 | s3 | s4 | s5"));
  }

  void nodesTakenBeforeAreOutside() {
    Asked asked("main (float[2] x) => (float[2] y) { [s1] a = Relu (x) [s2] b = Tanh (a) [s3] y = Relu (b) }");
    asked.take({"s2"});
    QCOMPARE(asked.groups(buildGroups(asked.request(), asked.options())), QString("s1 | s3"));
  }

  void groupsTakenBeforeAreOneNode() {
    // {t1, t2} is one node of another provider: s1 feeds it, and it feeds s2, although no path of single nodes leads
    // from s1 to s2.
    const char* text =
        "main (float[2] x, float[2] z) => (float[2] v, float[2] y) { [s1] a = Relu (x) [t1] v = Tanh (a) [t2] b = Tanh "
        "(z) [s2] c = Relu (b) [s3] y = Add (a, c) }";
    Asked apart(text);
    apart.take({"t1"});
    apart.take({"t2"});
    QCOMPARE(apart.groups(buildGroups(apart.request(), apart.options())), QString("s1 s2 s3"));
    Asked together(text);
    together.take({"t1", "t2"});
    QCOMPARE(together.groups(buildGroups(together.request(), together.options())), QString("s1 | s2 s3"));
  }

  void aUnitWithATakenNodeSaysSo() {
    Asked asked(
        "main (uint8[2] x, float s, uint8 z) => (float[2] y) { [s1] f = DequantizeLinear (x, s, z) [s2] y = Relu (f) "
        "}");
    asked.take({"s2"});
    const Groups made = buildGroups(asked.request(), asked.options());
    QVERIFY(made.claims.empty());
    QCOMPARE(asked.refused(made), QString("s1:Q/DQ units"));
    QVERIFY2(made.refusals[0].reason.find("'s2', which another provider has claimed") != std::string::npos,
             made.refusals[0].reason.c_str());
  }
};

QTEST_GUILESS_MAIN(TestGroupBuilder)
#include "tst_group_builder.moc"
