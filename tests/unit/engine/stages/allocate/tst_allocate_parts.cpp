#include <algorithm>

#include <QTest>

#include "engine/graph/text.h"
#include "engine/stages/allocate/allocate.h"
#include "engine/stages/pattern/pattern.h"

using namespace cutaway;

namespace {

// What kernels of these operators declare.
NodeMemoryHints hintsOf(const Node& node) {
  NodeMemoryHints hints;
  if (node.opType == "Relu") hints.inplace = {{0, 0, AliasKind::kMayInplace}};
  if (node.opType == "Add") hints.inplace = {{0, 0, AliasKind::kMayInplace}, {1, 0, AliasKind::kMayInplace}};
  if (node.opType == "Reshape" || node.opType == "Identity") hints.inplace = {{0, 0, AliasKind::kAlias}};
  if (node.opType == "Concat") hints.inplace = {{InplaceHint::kEveryInput, 0, AliasKind::kJoin}};
  if (node.opType == "Split") hints.inplace = {{0, InplaceHint::kEveryOutput, AliasKind::kSplit}};
  if (node.opType == "OnDevice") hints.device = Device{DeviceType::kSimulated, 0, "other"};
  if (node.opType == "Brings") hints.externalOutputs = true;
  return hints;
}

struct Planned {
  Graph graph;
  schedule::SequentialExecutionPlan order;
  allocate::AllocationPlan allocation;
  std::vector<int64_t> offsets;
  const allocate::AllocPlanPerValue& of(const char* name) const {
    return allocation.values[graph.findValue(name).index()];
  }
  std::string ruleOf(const char* name) const { return allocRuleName(of(name).rule); }
  std::string rootOf(const char* name) const { return graph.value(of(name).root).name; }
  int64_t offsetOf(const char* name) const { return offsets[graph.findValue(name).index()]; }
  bool contains(const char* name, const char* text) const { return of(name).reason.find(text) != std::string::npos; }
};

// Steps as written, so that tests can name them.
schedule::SequentialExecutionPlan asWritten(const Graph& graph) {
  schedule::SequentialExecutionPlan order;
  order.stepOfNode.assign(graph.nodeSlots(), -1);
  for (NodeId node : graph.nodeIds()) {
    order.stepOfNode[node.index()] = static_cast<int32_t>(order.steps.size());
    order.steps.push_back({node, 0});
  }
  return order;
}

ValueType floats(std::vector<Dim> dims) {
  return ValueType::tensor(ElementType::kFloat, Shape(std::move(dims)));
}
ValueType floats(std::initializer_list<int64_t> dims) {
  return ValueType::tensor(ElementType::kFloat, Shape::of({dims.begin(), dims.size()}));
}

class Maker {
 public:
  Maker& input(const char* name, ValueType type) {
    m_graph.addInput(name, std::move(type));
    return *this;
  }
  Maker& node(const char* opType, std::vector<const char*> inputs,
              std::vector<std::pair<const char*, ValueType>> outputs, int64_t axis = 0) {
    Node node;
    node.opType = opType;
    node.name = std::string("make_") + outputs[0].first;
    node.setAttribute("axis", axis);
    std::vector<ValueId> ids;
    for (const char* each : inputs)
      ids.push_back(m_graph.findValue(each));
    std::vector<std::string> names;
    for (const auto& [name, type] : outputs)
      names.emplace_back(name);
    const NodeId id = m_graph.addNode(std::move(node), ids, names);
    for (size_t i = 0; i < outputs.size(); ++i)
      m_graph.mutableValue(m_graph.node(id).outputs[i]).type = outputs[i].second;
    return *this;
  }
  Maker& output(const char* name) {
    m_graph.addOutput(m_graph.findValue(name));
    return *this;
  }
  Planned plan(const allocate::AllocateOptions& options = {}, std::vector<int32_t> endOfStep = {}) {
    Planned planned{std::move(m_graph), {}, {}, {}};
    planned.order = asWritten(planned.graph);
    planned.order.endOfStep = std::move(endOfStep);
    auto made = allocate::allocate(
        planned.graph, planned.order, [&](NodeId id) { return hintsOf(planned.graph.node(id)); }, options);
    if (!made) qFatal("%s", made.error().message.c_str());
    planned.allocation = *std::move(made);
    planned.offsets = allocate::offsetsInRoot(planned.graph, planned.allocation, pattern::staticSizes(planned.graph));
    return planned;
  }

 private:
  Graph m_graph{"parts"};
};

const ValueType kPiece = floats({1, 32, 4});  // 512 bytes
const ValueType kWhole = floats({1, 64, 4});

}  // namespace

class TestAllocateParts : public QObject {
  Q_OBJECT
 private slots:
  void inputsOfAJoinAreMadeInTheirPlaces() {
    const Planned planned = Maker()
                                .input("x", kPiece)
                                .node("MatMul", {"x"}, {{"a", kPiece}})
                                .node("MatMul", {"x"}, {{"b", kPiece}})
                                .node("Concat", {"a", "b"}, {{"t", kWhole}}, 1)
                                .node("MatMul", {"t"}, {{"y", kWhole}})
                                .output("y")
                                .plan();
    for (const char* name : {"a", "b"}) {
      QCOMPARE(planned.ruleOf(name), std::string("part"));
      QCOMPARE(planned.of(name).kind, AllocKind::kReuse);
      QCOMPARE(planned.rootOf(name), std::string("t"));
      QVERIFY2(planned.contains(name, "inside 't'"), planned.of(name).reason.c_str());
    }
    QCOMPARE(planned.of("b").partIndex, 1);
    QCOMPARE(planned.offsetOf("a"), 0);
    QCOMPARE(planned.offsetOf("b"), 512);
    QCOMPARE(planned.of("t").kind, AllocKind::kAllocate);
    QCOMPARE(planned.ruleOf("t"), std::string("new buffer"));
    QVERIFY2(planned.contains("t", "taken early"), planned.of("t").reason.c_str());
    QCOMPARE(planned.allocation.releasedAfterStep[3], std::vector<ValueId>{planned.graph.findValue("t")});
    for (int step = 0; step < 3; ++step)
      QVERIFY(planned.allocation.releasedAfterStep[static_cast<size_t>(step)].empty());
  }

  void whatCannotBeAPart_data() {
    QTest::addColumn<int>("which");
    QTest::addColumn<QString>("because");
    QTest::newRow("interleaved") << 0 << "axis 0 before it is 2 instead of 1";
    QTest::newRow("batch not known") << 1 << "axis 0 before it is not known to be 1";
    QTest::newRow("listed twice") << 2 << "more than once";
    QTest::newRow("unaligned start") << 3 << "byte 20, which is no multiple of 64";
    QTest::newRow("size before it not known") << 4 << "a piece before it is not known";
    QTest::newRow("own size not known") << 5 << "its size is not known";
    QTest::newRow("graph output") << 6 << "graph output, whose memory is not taken before";
    QTest::newRow("another device") << 7 << "another device";
    QTest::newRow("switched off") << 8 << "no buffer is free";
  }
  void whatCannotBeAPart() {
    QFETCH(int, which);
    QFETCH(QString, because);
    ValueType first = kPiece, second = kPiece, whole = kWhole;
    if (which == 0) first = second = floats({2, 32, 4}), whole = floats({2, 64, 4});
    if (which == 1) first = second = floats({Dim("n"), Dim(32)}), whole = floats({Dim("n"), Dim(64)});
    if (which == 3) first = floats({1, 5, 1}), second = floats({1, 32, 1}), whole = floats({1, 37, 1});
    if (which == 4) first = floats({Dim(1), Dim()});
    if (which == 5) second = floats({Dim(1), Dim()});
    if (which == 4 || which == 5) whole = floats({Dim(1), Dim(100)});
    Maker maker;
    maker.input("x", kPiece)
        .node("MatMul", {"x"}, {{"a", first}})
        .node(which == 7 ? "OnDevice" : "MatMul", {"x"}, {{"b", second}});
    maker.node("Concat", {"a", which == 2 ? "a" : "b"}, {{"t", whole}}, 1)
        .node("MatMul", {"t"}, {{"y", kWhole}})
        .output("y");
    if (which == 6) maker.output("t");
    const Planned planned = maker.plan({.parts = which != 8});
    const char* refused = which == 2 ? "a" : "b";
    QCOMPARE(planned.ruleOf(refused), std::string("new buffer"));
    QVERIFY2(planned.contains(refused, because.toUtf8().constData()), planned.of(refused).reason.c_str());
  }

  void declaredBoundsMakeTheBatchANumber() {
    Maker maker;
    maker.input("x", kPiece)
        .node("MatMul", {"x"}, {{"a", floats({Dim("n"), Dim(16), Dim("s")})}})
        .node("MatMul", {"x"}, {{"b", floats({Dim("n"), Dim(16), Dim("s")})}});
    maker.node("Concat", {"a", "b"}, {{"t", floats({Dim("n"), Dim(32), Dim("s")})}}, 1)
        .node("MatMul", {"t"}, {{"y", kWhole}})
        .output("y");
    const Planned planned = maker.plan({.leastDims = {{"n", 1}}, .mostDims = {{"n", 1}}});
    QCOMPARE(planned.ruleOf("a"), std::string("part"));
    QCOMPARE(planned.ruleOf("b"), std::string("part"));
    QCOMPARE(planned.offsetOf("b"), -1);
    std::vector<int64_t> sizes(planned.graph.valueSlots(), 640);
    QCOMPARE(allocate::offsetsInRoot(planned.graph, planned.allocation, sizes)[planned.graph.findValue("b").index()],
             -1);  // two pieces do not fit into a whole of their own size
    sizes[planned.graph.findValue("t").index()] = 1280;
    QCOMPARE(allocate::offsetsInRoot(planned.graph, planned.allocation, sizes)[planned.graph.findValue("b").index()],
             640);
    sizes[planned.graph.findValue("a").index()] = 100;
    QCOMPARE(allocate::offsetsInRoot(planned.graph, planned.allocation, sizes)[planned.graph.findValue("b").index()],
             -1);  // unaligned
  }

  void joinsInJoinsShareOneBuffer() {
    const ValueType all = floats({1, 96, 4});
    const Planned planned = Maker()
                                .input("x", kPiece)
                                .node("MatMul", {"x"}, {{"c", kPiece}})
                                .node("MatMul", {"x"}, {{"a", kPiece}})
                                .node("MatMul", {"x"}, {{"b", kPiece}})
                                .node("Concat", {"a", "b"}, {{"inner", kWhole}}, 1)
                                .node("MatMul", {"inner"}, {{"d", kPiece}})
                                .node("Concat", {"c", "inner"}, {{"outer", all}}, 1)
                                .node("MatMul", {"outer", "inner", "a"}, {{"y", kPiece}})
                                .output("y")
                                .plan();
    for (const char* name : {"a", "b", "c", "inner"}) {
      QCOMPARE(planned.ruleOf(name), std::string("part"));
      QCOMPARE(planned.rootOf(name), std::string("outer"));
    }
    QCOMPARE(planned.offsetOf("inner"), 512);
    QCOMPARE(planned.offsetOf("a"), 512);
    QCOMPARE(planned.offsetOf("b"), 1024);
    QCOMPARE(planned.ruleOf("d"), std::string("new buffer"));
    QCOMPARE(planned.allocation.releasedAfterStep[6].size(), size_t{1});
  }

  void whatIsWrittenOverBelongsThereToo() {
    // q -> Relu -> p -> Reshape -> v -> Concat: all three lie in part 1.
    const ValueType flat = floats({1, 128});
    const Planned planned = Maker()
                                .input("x", kPiece)
                                .node("MatMul", {"x"}, {{"r", flat}})
                                .node("MatMul", {"x"}, {{"q", kPiece}})
                                .node("Relu", {"q"}, {{"p", kPiece}})
                                .node("Reshape", {"p"}, {{"v", flat}})
                                .node("Concat", {"r", "v"}, {{"t", floats({1, 256})}}, 1)
                                .node("MatMul", {"t"}, {{"y", kPiece}})
                                .output("y")
                                .plan();
    QCOMPARE(planned.ruleOf("q"), std::string("part"));
    QCOMPARE(planned.ruleOf("p"), std::string("in place"));
    QCOMPARE(planned.ruleOf("v"), std::string("view"));
    for (const char* name : {"q", "p", "v"}) {
      QCOMPARE(planned.rootOf(name), std::string("t"));
      QCOMPARE(planned.offsetOf(name), 512);
    }
  }

  void onlyOneOfTwoOperandsBelongsThere() {
    const Planned planned = Maker()
                                .input("x", kPiece)
                                .node("MatMul", {"x"}, {{"a", kPiece}})
                                .node("MatMul", {"x"}, {{"b", kPiece}})
                                .node("Add", {"a", "b"}, {{"s", kPiece}})
                                .node("MatMul", {"x"}, {{"r", kPiece}})
                                .node("Concat", {"s", "r"}, {{"t", kWhole}}, 1)
                                .node("MatMul", {"t"}, {{"y", kPiece}})
                                .output("y")
                                .plan();
    QCOMPARE(planned.rootOf("a"), std::string("t"));
    QCOMPARE(planned.rootOf("b"), std::string("b"));
    QCOMPARE(planned.ruleOf("s"), std::string("in place"));
    QCOMPARE(planned.rootOf("s"), std::string("t"));
  }

  void nothingElseIsWrittenOverAPart() {
    // a is read by the join and, last, by a Relu: before the join is complete nothing may be written there, and while
    // the join is read neither.
    Maker maker;
    maker.input("x", kPiece)
        .node("MatMul", {"x"}, {{"a", kPiece}})
        .node("MatMul", {"x"}, {{"b", kPiece}})
        .node("Concat", {"a", "b"}, {{"t", kWhole}}, 1)
        .node("Relu", {"a"}, {{"r", kPiece}});
    maker.node("MatMul", {"t", "r"}, {{"y", kPiece}}).output("y");
    const Planned planned = maker.plan();
    QCOMPARE(planned.ruleOf("a"), std::string("part"));
    QVERIFY(planned.rootOf("r") != "t");
    QVERIFY2(planned.contains("r", "still in use under another name"), planned.of("r").reason.c_str());
  }

  void aPartWhoseJoinIsDeadMayBeWrittenOver() {
    Maker maker;
    maker.input("x", kPiece)
        .node("MatMul", {"x"}, {{"a", kPiece}})
        .node("MatMul", {"x"}, {{"b", kPiece}})
        .node("Concat", {"a", "b"}, {{"t", kWhole}}, 1)
        .node("MatMul", {"t"}, {{"m", kPiece}});
    maker.node("Relu", {"a"}, {{"r", kPiece}}).node("MatMul", {"m", "r", "b"}, {{"y", kPiece}}).output("y");
    const Planned planned = maker.plan();
    QCOMPARE(planned.ruleOf("r"), std::string("in place"));
    QCOMPARE(planned.rootOf("r"), std::string("t"));
    QCOMPARE(planned.allocation.releasedAfterStep[5].size(), size_t{2});  // t, and m
  }

  void aJoinIsNotWrittenOverWhileAPartIsRead() {
    Maker maker;
    maker.input("x", kPiece)
        .node("MatMul", {"x"}, {{"a", kPiece}})
        .node("MatMul", {"x"}, {{"b", kPiece}})
        .node("Concat", {"a", "b"}, {{"t", kWhole}}, 1)
        .node("Relu", {"t"}, {{"r", kWhole}});
    maker.node("MatMul", {"r", "b"}, {{"y", kPiece}}).output("y");
    const Planned planned = maker.plan();
    QVERIFY(planned.rootOf("r") != "t");
  }

  // A skip connection: made early, joined late. Its half of the joined buffer must not be open while the large values
  // in between are.
  void partsThatWouldRaiseThePeakAreLeftOut() {
    const auto make = [] {
      const ValueType large = floats({1, 32, 400});
      Maker maker;
      maker.input("x", kPiece)
          .node("MatMul", {"x"}, {{"skip", kPiece}})
          .node("MatMul", {"skip"}, {{"m", large}})
          .node("MatMul", {"m"}, {{"n", large}})
          .node("MatMul", {"n"}, {{"up", kPiece}});
      maker.node("Concat", {"up", "skip"}, {{"t", kWhole}}, 1).node("MatMul", {"t"}, {{"y", kPiece}}).output("y");
      return maker;
    };
    const Planned planned = make().plan();
    QCOMPARE(planned.ruleOf("skip"), std::string("new buffer"));
    QVERIFY2(planned.contains("skip", "while most memory is in use"), planned.of("skip").reason.c_str());
    QCOMPARE(planned.ruleOf("up"), std::string("part"));
    QCOMPARE(make().plan({.onlyPartsThatPay = false}).ruleOf("skip"), std::string("part"));
  }

  void splitsAreViews() {
    Maker maker;
    maker.input("x", kWhole)
        .node("MatMul", {"x"}, {{"w", kWhole}})
        .node("Split", {"w"}, {{"a", kPiece}, {"b", kPiece}}, 1)
        .node("Relu", {"a"}, {{"r", kPiece}})
        .node("MatMul", {"r", "b"}, {{"y", kPiece}})
        .output("y");
    const Planned planned = maker.plan();
    QCOMPARE(planned.ruleOf("a"), std::string("split part"));
    QCOMPARE(planned.ruleOf("b"), std::string("split part"));
    QCOMPARE(planned.offsetOf("b"), 512);
    QCOMPARE(planned.ruleOf("r"), std::string("in place"));  // over its half only
    QCOMPARE(planned.rootOf("r"), std::string("w"));
    QCOMPARE(planned.allocation.releasedAfterStep[3].size(), size_t{1});
  }

  void splitsOfSplitsNestToABound() {
    constexpr int kSplits = 70;
    std::vector<std::string> rests, pieces;
    for (int i = 0; i <= kSplits; ++i) {
      rests.push_back(fmt::format("a{}", i));
      pieces.push_back(fmt::format("b{}", i));
    }
    const auto sized = [](int count) { return floats({1, 32 * count, 4}); };
    Maker maker;
    maker.input("x", sized(kSplits + 1)).node("MatMul", {"x"}, {{"a0", sized(kSplits + 1)}});
    for (size_t i = 1; i <= kSplits; ++i)
      maker.node("Split", {rests[i - 1].c_str()},
                 {{rests[i].c_str(), sized(kSplits + 1 - static_cast<int>(i))}, {pieces[i].c_str(), kPiece}}, 1);
    maker.node("MatMul", {rests.back().c_str()}, {{"y", kPiece}}).output("y");
    const Planned planned = maker.plan();
    QCOMPARE(planned.ruleOf("a64"), std::string("split part"));
    QCOMPARE(planned.rootOf("a64"), std::string("a0"));
    QVERIFY(planned.ruleOf("a65") != "split part");
    QVERIFY2(planned.contains("a65", "parts nest more than 64 deep"), planned.of("a65").reason.c_str());
    QCOMPARE(planned.ruleOf("a66"), std::string("split part"));
    QCOMPARE(planned.rootOf("a66"), std::string("a65"));
  }

  void aSplitInputThatIsReadAgainIsNotWrittenOver() {
    Maker maker;
    maker.input("x", kWhole)
        .node("MatMul", {"x"}, {{"w", kWhole}})
        .node("Split", {"w"}, {{"a", kPiece}, {"b", kPiece}}, 1)
        .node("Relu", {"a"}, {{"r", kPiece}})
        .node("MatMul", {"r", "b", "w"}, {{"y", kPiece}})
        .output("y");
    QVERIFY(maker.plan().rootOf("r") != "w");
  }

  void splitsOfFeedsAreCopied() {
    Maker maker;
    maker.input("x", kWhole)
        .node("Split", {"x"}, {{"a", kPiece}, {"b", kPiece}}, 1)
        .node("MatMul", {"a", "b"}, {{"y", kPiece}})
        .output("y");
    const Planned planned = maker.plan();
    QCOMPARE(planned.ruleOf("a"), std::string("new buffer"));
    QVERIFY2(planned.contains("a", "not one of the run's own"), planned.of("a").reason.c_str());
  }

  void valuesAreMadeInTheOutputThatIsAViewOfThem() {
    const ValueType flat = floats({128});
    Maker maker;
    maker.input("x", kPiece)
        .node("MatMul", {"x"}, {{"q", kPiece}})
        .node("Relu", {"q"}, {{"p", kPiece}})
        .node("Reshape", {"p"}, {{"y", flat}})
        .output("y");
    const Planned planned = maker.plan();
    QCOMPARE(planned.ruleOf("q"), std::string("into output"));
    QCOMPARE(planned.ruleOf("p"), std::string("in place"));
    QCOMPARE(planned.rootOf("p"), std::string("y"));
    QCOMPARE(planned.of("y").kind, AllocKind::kAllocateOutput);
    QVERIFY2(planned.contains("q", "graph output 'y'"), planned.of("q").reason.c_str());
    for (const auto& released : planned.allocation.releasedAfterStep)
      QVERIFY(released.empty());
  }

  void joinsThatAreOutputsOnlyWhereTheFrameCan() {
    const auto make = [] {
      Maker maker;
      maker.input("x", kPiece)
          .node("MatMul", {"x"}, {{"a", kPiece}})
          .node("MatMul", {"x"}, {{"b", kPiece}})
          .node("Concat", {"a", "b"}, {{"t", kWhole}}, 1)
          .output("t");
      return maker;
    };
    QCOMPARE(make().plan().ruleOf("a"), std::string("new buffer"));
    const Planned planned = make().plan({.partsInOutputs = true});
    QCOMPARE(planned.ruleOf("a"), std::string("part"));
    QCOMPARE(planned.of("t").kind, AllocKind::kAllocateOutput);
  }

  void largerBuffersAreTakenBestFitFirst() {
    Maker maker;
    maker.input("x", kPiece)
        .node("MatMul", {"x"}, {{"big", floats({2000})}})
        .node("MatMul", {"big"}, {{"fit", floats({1100})}})
        .node("MatMul", {"fit"}, {{"small", floats({10})}})
        .node("MatMul", {"small"}, {{"v", floats({1000})}});
    maker.node("MatMul", {"v"}, {{"y", kPiece}}).output("y");
    const Planned planned = maker.plan();
    QCOMPARE(planned.ruleOf("fit"), std::string("new buffer"));
    QCOMPARE(planned.ruleOf("small"), std::string("new buffer"));
    QVERIFY2(planned.contains("small", "comes closest, but it holds 8000 bytes and only 40 are needed"),
             planned.of("small").reason.c_str());
    QCOMPARE(planned.of("small").closest, planned.graph.findValue("big"));
    QCOMPARE(planned.ruleOf("v"), std::string("larger buffer"));
    QCOMPARE(planned.rootOf("v"), std::string("fit"));
    QVERIFY2(planned.contains("v", "4400 bytes for 4000 bytes"), planned.of("v").reason.c_str());
  }

  void equalPolynomialsShare() {
    const Dim b("B"), s("S");
    Maker maker;
    maker.input("x", kPiece)
        .node("MatMul", {"x"}, {{"a", floats({b, s, Dim(2)})}})
        .node("MatMul", {"a"}, {{"i", ValueType::tensor(ElementType::kInt32, Shape{Dim(1)})}});
    maker.node("MatMul", {"i"}, {{"c", ValueType::tensor(ElementType::kInt32, Shape{Dim(2), s, b})}})
        .node("MatMul", {"c"}, {{"d", floats({Dim("2*B"), s})}})
        .node("MatMul", {"d"}, {{"y", kPiece}})
        .output("y");
    const Planned planned = maker.plan();
    QCOMPARE(planned.ruleOf("c"), std::string("free buffer"));
    QCOMPARE(planned.rootOf("c"), std::string("a"));
    QCOMPARE(planned.ruleOf("d"), std::string("new buffer"));  // c is still read
  }

  void boundsTellWhichSymbolIsLarger() {
    const auto make = [] {
      Maker maker;
      maker.input("x", kPiece)
          .node("MatMul", {"x"}, {{"a", floats({Dim("long"), Dim(8)})}})
          .node("MatMul", {"a"}, {{"i", floats({1})}})
          .node("MatMul", {"i"}, {{"b", floats({Dim("short"), Dim(8)})}});
      maker.node("MatMul", {"b"}, {{"y", kPiece}}).output("y");
      return maker;
    };
    QCOMPARE(make().plan().ruleOf("b"), std::string("new buffer"));
    const Planned planned =
        make().plan({.leastDims = {{"short", 60}, {"long", 100}}, .mostDims = {{"short", 100}, {"long", 120}}});
    QCOMPARE(planned.ruleOf("b"), std::string("larger buffer"));
    QCOMPARE(planned.rootOf("b"), std::string("a"));
  }

  void stepsThatMayStillRunKeepTheirValues() {
    // b's reader (step 2) may run until step 3: c (step 3) takes nothing of it, d (step 4) does. And a is still read by
    // step 1, which runs until step 2: step 2 must not write over a.
    const auto make = [] {
      Maker maker;
      maker.input("x", kPiece)
          .node("MatMul", {"x"}, {{"a", kPiece}})
          .node("MatMul", {"a"}, {{"b", kPiece}})
          .node("Relu", {"a"}, {{"r", kPiece}})
          .node("MatMul", {"x"}, {{"c", kPiece}})
          .node("MatMul", {"c", "r", "b"}, {{"y", kPiece}})
          .output("y");
      return maker;
    };
    const Planned sequential = make().plan();
    QCOMPARE(sequential.ruleOf("r"), std::string("in place"));
    const Planned planned = make().plan({}, {0, 2, 2, 3, 4});
    QVERIFY(planned.rootOf("r") != "a");
    QVERIFY2(planned.contains("r", "may still be running"), planned.of("r").reason.c_str());
    QCOMPARE(planned.of("a").counter.ends, std::vector<int32_t>{2});
    QCOMPARE(planned.rootOf("c"), std::string("a"));
    const Planned longer = make().plan({}, {0, 3, 2, 3, 4});
    QCOMPARE(longer.of("a").counter.ends, std::vector<int32_t>{3});
    QVERIFY(longer.rootOf("c") != "a");
    const Planned theirs = make().plan({.rules = allocate::AllocRules::kOnnxruntime}, {0, 2, 2, 3, 4});
    QCOMPARE(theirs.ruleOf("c"), std::string("new buffer"));
    QVERIFY2(theirs.contains("c", "parallel mode"), theirs.of("c").reason.c_str());
  }

  void theReferenceComparesEveryDimension() {
    Maker maker;
    maker.input("x", kPiece)
        .node("MatMul", {"x"}, {{"a", floats({2, 3})}})
        .node("MatMul", {"a"}, {{"b", floats({1})}})
        .node("MatMul", {"b"}, {{"c", floats({3, 2})}})
        .node("MatMul", {"c"}, {{"y", kPiece}})
        .output("y");
    const Planned planned = maker.plan({.rules = allocate::AllocRules::kOnnxruntime});
    QCOMPARE(planned.ruleOf("c"), std::string("new buffer"));
    QVERIFY2(planned.contains("c", "axis 0 is 2 there and 3 here"), planned.of("c").reason.c_str());
  }
};

QTEST_GUILESS_MAIN(TestAllocateParts)
#include "tst_allocate_parts.moc"
