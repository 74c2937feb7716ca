// Another engine's account beside ours: what is the same, and by which rule a difference is explained or left
// unexplained.
#include <QtTest/QtTest>

#include "app/second_opinion/profile_events.h"
#include "engine/study/second_opinion/second_opinion.h"

using namespace cutaway;
using namespace cutaway::study;

namespace {

// A chain x -> nodes -> y of one tensor of four floats; a node is "name Operator output" and may name a domain first.
std::shared_ptr<const ModelGraphs> chain(const QStringList& nodes) {
  auto graphs = std::make_shared<ModelGraphs>();
  GraphReport graph;
  const auto add = [&](const QString& name) {
    graph.values.push_back({.name = name.toStdString(), .type = "float[4]"});
    return static_cast<int32_t>(graph.values.size()) - 1;
  };
  int32_t before = add("x");
  graph.values[0].role = ValueRole::kInput;
  graph.inputs = {before};
  for (const QString& text : nodes) {
    const QStringList words = text.split(' ');
    const auto index = static_cast<int32_t>(graph.nodes.size());
    const int32_t after = add(words[2]);
    graph.values[static_cast<size_t>(before)].consumers.push_back(index);
    graph.values[static_cast<size_t>(after)].producer = index;
    NodeReport node{.name = words[0].toStdString(), .opType = words[1].toStdString()};
    if (words.size() > 3) node.domain = words[3].toStdString();
    node.provider = "cpu";
    node.inputs = {before};
    node.outputs = {after};
    graph.nodes.push_back(node);
    before = after;
  }
  graph.values[static_cast<size_t>(before)].isOutput = true;
  graph.outputs = {before};
  graphs->graphs.push_back(std::move(graph));
  return graphs;
}

OurEngine oursOf(const QStringList& loaded, const QStringList& optimized) {
  auto walk = std::make_shared<WalkReport>();
  walk->loadedGraphs = chain(loaded);
  walk->optimizedGraphs = walk->partitionedGraphs = chain(optimized);
  walk->optimize = std::make_shared<OptimizeReport>();
  walk->partition = std::make_shared<PartitionReport>();
  return {.walk = walk, .otherNames = {{"cpu", {"CPUExecutionProvider"}}}};
}

OtherEngine theirsOf(const QStringList& optimized) {
  OtherEngine theirs{.name = "onnxruntime", .version = "1.31.1"};
  theirs.optimized = chain(optimized);
  theirs.providers = {"CPUExecutionProvider"};
  return theirs;
}

// "Relu: removed", a line a difference.
QStringList told(const StageOpinion& stage) {
  QStringList lines;
  for (const OpinionDifference& one : stage.differences)
    lines << QString::fromStdString(one.what + ": " + (one.rule.empty() ? "unexplained" : one.rule));
  lines.sort();
  return lines;
}

// Ours on the same graph: the order of its steps, and a block.
void planned(OurEngine& ours, const QStringList& nodes, const std::vector<int32_t>& order, int64_t block,
             int64_t sizeBytes) {
  auto walk = std::make_shared<WalkReport>();
  walk->partitionedGraphs = chain(nodes);
  auto schedule = std::make_shared<ScheduleReport>();
  schedule->graphs.push_back({});
  for (const int32_t node : order)
    schedule->graphs[0].steps.push_back({.node = node});
  walk->schedule = schedule;
  auto pattern = std::make_shared<PatternReport>();
  pattern->graphs.push_back({.graph = 0, .peakBytes = block});
  walk->pattern = pattern;
  auto allocate = std::make_shared<AllocateReport>();
  allocate->graphs.push_back({});
  for (size_t value = 1; value < walk->partitionedGraphs->graphs[0].values.size(); ++value)
    allocate->graphs[0].values.push_back(
        {.value = static_cast<int32_t>(value), .kind = AllocKind::kAllocate, .sizeBytes = sizeBytes});
  walk->allocate = allocate;
  ours.sameGraph = walk;
}

execute::Feed floats(const char* name, const std::vector<float>& values) {
  Tensor tensor = *Tensor::create(ElementType::kFloat, {static_cast<int64_t>(values.size())});
  std::ranges::copy(values, tensor.span<float>().begin());
  return {name, std::move(tensor)};
}

}  // namespace

class TestSecondOpinion : public QObject {
  Q_OBJECT
 private slots:
  void inputsAndOutputs_data() {
    QTest::addColumn<QString>("theirs");
    QTest::addColumn<QString>("expected");
    QTest::newRow("the same") << "x float[4]" << "";
    QTest::newRow("another element type") << "x double[4]" << "input x: unexplained";
    QTest::newRow("another size") << "x float[5]" << "input x: inferred type";
    QTest::newRow("another name") << "z float[4]" << "input x: unexplained, input z: unexplained";
    QTest::newRow("no tensor tells no type") << "x" << "";
  }
  void inputsAndOutputs() {
    QFETCH(QString, theirs);
    QFETCH(QString, expected);
    const OurEngine ours = oursOf({"a Relu y"}, {"a Relu y"});
    OtherEngine other = theirsOf({"a Relu y"});
    const QStringList words = theirs.split(' ');
    other.inputs = {{words[0].toStdString(), words.size() > 1 ? words[1].toStdString() : ""}};
    other.outputs = {{"y", "float[4]"}};
    QCOMPARE(told(compareModels(ours, other)).join(", "), expected);
  }

  void openDimensionsMayHaveAnyName() {
    OurEngine ours = oursOf({"a Relu y"}, {"a Relu y"});
    auto walk = std::make_shared<WalkReport>(*ours.walk);
    auto graphs = std::make_shared<ModelGraphs>(*walk->loadedGraphs);
    graphs->graphs[0].values[0].type = "float[batch,4]";
    walk->loadedGraphs = graphs;
    ours.walk = walk;
    OtherEngine other = theirsOf({"a Relu y"});
    other.inputs = {{"x", "float[?,4]"}};
    other.outputs = {{"y", "float[4]"}};
    QCOMPARE(told(compareModels(ours, other)), QStringList());
    other.inputs = {{"x", "float[1,4]"}};
    QCOMPARE(told(compareModels(ours, other)), QStringList{"input x: inferred type"});
  }

  void optimizedGraphs_data() {
    QTest::addColumn<QStringList>("ours");
    QTest::addColumn<QStringList>("theirs");
    QTest::addColumn<QStringList>("expected");
    const QStringList plain = {"a Conv va", "b Relu y"};
    QTest::newRow("the same") << plain << plain << QStringList();
    QTest::newRow("fused there") << plain << QStringList{"a FusedConv y com.microsoft"}
                                 << QStringList{"Conv: other fusion", "FusedConv: other fusion", "Relu: other fusion"};
    QTest::newRow("dropped there") << QStringList{"i Identity vi", "a Conv y"} << QStringList{"a Conv y"}
                                   << QStringList{"Identity: removed"};
    QTest::newRow("another layout there")
        << QStringList{"a Conv y"}
        << QStringList{"r ReorderInput vr com.microsoft.nchwc", "a Conv vc com.microsoft.nchwc",
                       "o ReorderOutput y com.microsoft.nchwc"}
        << QStringList{"Conv: layout", "Conv: other fusion", "ReorderInput: layout", "ReorderOutput: layout"};
    QTest::newRow("no rule for it") << QStringList{"a Conv y"} << QStringList{"s LSTM vs", "a Conv y"}
                                    << QStringList{"LSTM: unexplained"};
  }
  void optimizedGraphs() {
    QFETCH(QStringList, ours);
    QFETCH(QStringList, theirs);
    QTEST(told(compareOptimized(oursOf({"a Conv va", "b Relu y"}, ours), theirsOf(theirs))), "expected");
  }

  // By a value that the node makes, else the next one behind it that the model knows.
  void differencesSayWhereToLook() {
    const QStringList loaded = {"a Conv va", "b Relu vb", "c Exp y"};
    const StageOpinion stage =
        compareOptimized(oursOf(loaded, loaded), theirsOf({"x FusedConv vb com.microsoft", "n Cast vn", "c Exp y"}));
    std::map<std::string, std::vector<std::string>> places;
    for (const OpinionDifference& one : stage.differences)
      places[one.what] = one.values;
    QCOMPARE(places["Conv"], std::vector<std::string>{"va"});
    QCOMPARE(places["FusedConv"], std::vector<std::string>{"vb"});
    QCOMPARE(places["Cast"], std::vector<std::string>{"y"});
  }

  void assignments_data() {
    QTest::addColumn<QString>("provider");  // of ours
    QTest::addColumn<QString>("expected");
    QTest::newRow("the same") << "cpu" << "";
    QTest::newRow("one that its session has not got") << "npu" << "1 nodes such as 'a': other providers";
  }
  void assignments() {
    QFETCH(QString, provider);
    OurEngine ours = oursOf({"a Relu y"}, {"a Relu y"});
    auto graphs = std::make_shared<ModelGraphs>(*ours.walk->partitionedGraphs);
    graphs->graphs[0].nodes[0].provider = provider.toStdString();
    auto walk = std::make_shared<WalkReport>(*ours.walk);
    walk->partitionedGraphs = graphs;
    ours.walk = walk;
    ours.otherNames["npu"] = {"QNNExecutionProvider"};
    OtherEngine other = theirsOf({"a Relu y"});
    other.assignment = {{"a", "Relu", "CPUExecutionProvider"}};
    QTEST(told(compareAssignment(ours, other)).join(", "), "expected");
    // Where its session has that provider, the difference has no rule.
    other.providers.push_back("QNNExecutionProvider");
    if (provider != "npu") return;
    const StageOpinion stage = compareAssignment(ours, other);
    QCOMPARE(told(stage).size(), 1);
    QVERIFY(stage.differences[0].rule.empty());
  }

  void orders() {
    OurEngine ours;
    planned(ours, {"n0 Relu a", "n1 Exp y"}, {0, 1}, 64, 64);
    OtherEngine other = theirsOf({});
    other.events = {{.node = "n0"}, {.node = "n1"}};
    QVERIFY(compareOrder(ours, other).same());
    other.events = {{.node = "n1"}, {.node = "n0"}};
    QCOMPARE(told(compareOrder(ours, other)), QStringList{"order from step 0: unexplained"});
    QCOMPARE(compareOrder(ours, other).differences[0].values, (std::vector<std::string>{"a", "y"}));
    other.events = {{.node = "n0"}, {.node = "n7"}};
    QCOMPARE(told(compareOrder(ours, other)), QStringList{"order from step 1: other nodes"});
    other.graphProblem = "no optimised model";
    QCOMPARE(compareOrder(ours, other).problem, std::string("no optimised model"));
    QVERIFY(!compareOrder(ours, other).same());
  }

  void blocks() {
    OurEngine ours = oursOf({"a Relu y"}, {"a Relu y"});
    planned(ours, {"n0 Relu a", "n1 Exp y"}, {0, 1}, 128, 64);
    OtherEngine other = theirsOf({});
    other.events = {{.node = "n0", .bytesOpened = 64}, {.node = "n1", .bytesOpened = 64}};
    other.blockBytes = 128;
    QVERIFY(compareMemory(ours, other).same());
    other.blockBytes = 192;
    QCOMPARE(told(compareMemory(ours, other)), QStringList{"planned block: unexplained"});
    other.events[1].bytesOpened = 128;
    QCOMPARE(told(compareMemory(ours, other)), QStringList{"planned block: other memory"});
    QCOMPARE(compareMemory(ours, other).differences[0].values, std::vector<std::string>{"y"});
    other.events[1].node = "n9";
    QCOMPARE(told(compareMemory(ours, other)), QStringList{"planned block: other nodes"});
    other.blockBytes = -1;  // before 1.31
    QVERIFY(!compareMemory(ours, other).same());
    QCOMPARE(compareMemory(ours, other).problem, std::string("onnxruntime does not tell its block (from 1.31 on)"));
  }

  void results_data() {
    QTest::addColumn<float>("theirs");
    QTest::addColumn<QString>("expected");
    QTest::newRow("the same") << 2.0f << "";
    QTest::newRow("within the tolerance") << 2.0005f << "";
    QTest::newRow("rounding") << 2.01f << "output y: rounding";
    QTest::newRow("wrong") << -7.0f << "output y: unexplained";
  }
  void results() {
    QFETCH(float, theirs);
    OurEngine ours = oursOf({"a Relu y"}, {"a Relu y"});
    ours.results = {floats("y", {1, 2})};
    OtherEngine other = theirsOf({"a Relu y"});
    other.results = {floats("y", {1, theirs})};
    std::vector<ValueAccuracy> values;
    QTEST(told(compareResults(ours, other, {}, values)).join(", "), "expected");
    QCOMPARE(values.size(), size_t{1});
  }

  void runsWithinTheNoiseAreNoWin() {
    OurEngine ours;
    OtherEngine other = theirsOf({});
    ours.runNs = {100, 110, 120, 130, 140};
    other.runNs = {105, 115, 125, 135, 145};
    QVERIFY(compareRuns(ours, other).rows[1].ours.find("within the noise") != std::string::npos);
    other.runNs = {205, 215, 225, 235, 245};
    QCOMPARE(compareRuns(ours, other).rows[1].ours, std::string("0.53"));
    other.runNs = ours.runNs;
    QVERIFY(!compareRuns(ours, other).same());  // measured: neither the same nor different
    QVERIFY(compareRuns(ours, other).differences.empty());
  }

  void aRefusalIsAVerdict() {
    OtherEngine other = theirsOf({});
    other.verdict = "Fatal error: no such operator";
    const SecondOpinion opinion = compareEngines(oursOf({"a Relu y"}, {"a Relu y"}), other, {});
    QCOMPARE(opinion.verdict, other.verdict);
    QVERIFY(opinion.stages.empty());
    QCOMPARE(opinion.unexplained(), int64_t{0});
  }

  void everyRuleIsListedOnce() {
    QStringList names;
    for (const OpinionRule& rule : opinionRules())
      names << rule.name;
    QCOMPARE(names.size(), static_cast<qsizetype>(QSet<QString>(names.begin(), names.end()).size()));
    QVERIFY(names.contains("other fusion"));
  }

  void profileEvents() {
    const char* trace = R"([
      {"cat":"Session","name":"session_initialization","ts":1,"dur":2},
      {"cat":"Node","name":"n1_kernel_time","ts":10,"dur":9,"args":{"mem_bytes_requested_in_use":"164","mem_requested_in_use_delta":"64"}},
      {"cat":"Node","name":"body_kernel_time","ts":19,"dur":1,"args":{}},
      {"cat":"Node","name":"n0_kernel_time","ts":20,"dur":8,"args":{"mem_bytes_requested_in_use":"100","mem_requested_in_use_delta":"-64"}},
      {"cat":"Session","name":"model_run","ts":5,"dur":30},
      {"cat":"Node","name":"n1_kernel_time","ts":40,"dur":3,"args":{"mem_bytes_requested_in_use":"356","mem_requested_in_use_delta":"0"}},
      {"cat":"Node","name":"n0_kernel_time","ts":44,"dur":5,"args":{"mem_bytes_requested_in_use":"356","mem_requested_in_use_delta":"0"}},
      {"cat":"Session","name":"model_run","ts":38,"dur":30}])";
    const auto events = readRunEvents(trace, {"n0", "n1"});
    QVERIFY(events);
    QCOMPARE(events->runs, int64_t{2});
    QCOMPARE(events->events.size(), size_t{2});
    QCOMPARE(events->events[0].node, std::string("n1"));
    QCOMPARE(events->events[0].time.meanNs, int64_t{3000});  // the first run allocates: left out
    QCOMPARE(events->timedRuns, int64_t{1});
    QCOMPARE(events->events[0].bytesOpened, int64_t{64});
    QCOMPARE(events->blockBytes, int64_t{256});
  }
  void profilesThatAreNone_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("cut") << QByteArray("[{\"cat\":\"Node\"");
    QTest::newRow("an object") << QByteArray("{}");
    QTest::newRow("names that are numbers") << QByteArray("[{\"cat\":\"Node\",\"name\":7}]");
  }
  void profilesThatAreNone() {
    QFETCH(QByteArray, text);
    const auto events = readRunEvents(text.toStdString(), {"n0"});
    QVERIFY(!events);
    QCOMPARE(events.error().code, ErrorCode::kInvalidProtobuf);
  }
};

QTEST_GUILESS_MAIN(TestSecondOpinion)
#include "tst_second_opinion.moc"
