// Another engine's account beside ours: what is the same, and by which rule a difference is explained or left
// unexplained.
#include <cmath>
#include <limits>

#include <QtTest/QtTest>

#include "app/second_opinion/last_bits.h"
#include "app/second_opinion/optimizer_passes.h"
#include "app/second_opinion/profile_events.h"
#include "engine/graph/text.h"
#include "engine/study/second_opinion/quantised_outputs.h"
#include "engine/study/second_opinion/second_opinion.h"
#include "tests/unit/engine/study/opinion_samples.h"

using namespace cutaway;
using namespace cutaway::study;

namespace {

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

}  // namespace

class TestSecondOpinion : public QObject {
  Q_OBJECT
 private slots:
  void inputsAndOutputs_data() {
    QTest::addColumn<QString>("theirs");
    QTest::addColumn<QString>("expected");
    QTest::newRow("the same") << "x float[4]" << "";
    QTest::newRow("another element type") << "x double[4]" << "input x: unexplained";
    QTest::newRow("another size") << "x float[5]" << "input x: unexplained";
    QTest::newRow("another rank") << "x float[4,1]" << "input x: unexplained";
    QTest::newRow("one infers less") << "x float[?]" << "input x: inferred type";
    QTest::newRow("one tells no rank") << "x float" << "input x: inferred type";
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

  // What differs after optimising "a Conv va", "b Relu y" is put down to a pass that changed the model, or to none.
  void optimizedGraphs_data() {
    QTest::addColumn<QStringList>("ours");
    QTest::addColumn<QStringList>("theirs");
    QTest::addColumn<QStringList>("passes");  // of theirs: name, what it takes, what it writes
    QTest::addColumn<QStringList>("expected");
    const QStringList plain = {"a Conv va", "b Relu y"};
    const QStringList fused = {"a FusedConv y com.microsoft"};
    QTest::newRow("the same") << plain << plain << QStringList() << QStringList();
    QTest::newRow("fused there") << plain << fused << QStringList{"Fusion|Conv Relu|FusedConv"}
                                 << QStringList{"Conv: their pass", "FusedConv: their pass", "Relu: their pass"};
    QTest::newRow("fused there by no pass")
        << plain << fused << QStringList{"Other|Gemm|FusedGemm"}
        << QStringList{"Conv: unexplained", "FusedConv: unexplained", "Relu: unexplained"};
    QTest::newRow("dropped there") << QStringList{"i Identity vi", "a Conv y"} << QStringList{"a Conv y"}
                                   << QStringList{"Rules|Identity|"} << QStringList{"Identity: their pass"};
    QTest::newRow("dropped there by no pass") << QStringList{"i Identity vi", "a Conv y"} << QStringList{"a Conv y"}
                                              << QStringList() << QStringList{"Identity: unexplained"};
    QTest::newRow("folding takes what is constant there, and no other")
        << plain << QStringList{"b Relu y"} << QStringList{"Folding|*|"} << QStringList{"Conv: unexplained"};
    QTest::newRow("goes with what reads it")
        << QStringList{"s LSTM vs", "a Conv y"} << QStringList{"b Relu y"} << QStringList{"Replacing|Conv|Relu"}
        << QStringList{"Conv: their pass", "LSTM: their pass", "Relu: their pass"};
    QTest::newRow("inserted there") << plain << QStringList{"a Conv va", "c Cast vc", "b Relu y"}
                                    << QStringList{"Types|Cast|Cast"} << QStringList{"Cast: their pass"};
    QTest::newRow("inserted there by no pass") << QStringList{"a Conv y"} << QStringList{"s LSTM vs", "a Conv y"}
                                               << QStringList() << QStringList{"LSTM: unexplained"};
  }
  void optimizedGraphs() {
    QFETCH(QStringList, ours);
    QFETCH(QStringList, theirs);
    QFETCH(QStringList, passes);
    OtherEngine other = theirsOf(theirs);
    for (const QString& text : passes) {
      const QStringList parts = text.split('|');
      OtherPass& pass = other.graphPasses.emplace_back();
      pass.name = parts[0].toStdString();
      for (const QString& word : parts[1].split(' ', Qt::SkipEmptyParts))
        pass.takes.push_back(word.toStdString());
      for (const QString& word : parts[2].split(' ', Qt::SkipEmptyParts))
        pass.writes.push_back(word.toStdString());
    }
    QTEST(told(compareOptimized(oursOf({"a Conv va", "b Relu y"}, ours), other)), "expected");
  }

  // Ours is known by the record of rewrites: what a pass took, and what it wrote.
  void ourPassesAreNamedByTheirRecord() {
    OurEngine ours = oursOf({"a Conv va", "b Relu y"}, {"f FusedConv y com.microsoft"});
    auto walk = std::make_shared<WalkReport>(*ours.walk);
    auto loaded = std::make_shared<ModelGraphs>(*walk->loadedGraphs);
    loaded->graphs[0].nodes[0].origins = {0};
    loaded->graphs[0].nodes[1].origins = {1};
    walk->loadedGraphs = loaded;
    auto optimized = std::make_shared<ModelGraphs>(*walk->optimizedGraphs);
    optimized->graphs[0].nodes[0].rewrite = "OurFusion";
    walk->optimizedGraphs = optimized;
    ours.walk = walk;
    const OtherEngine other = theirsOf({"a Conv va", "b Relu y"});
    const QStringList unexplained = {"Conv: unexplained", "FusedConv: our pass", "Relu: unexplained"};
    QCOMPARE(told(compareOptimized(ours, other)), unexplained);
    auto report = std::make_shared<OptimizeReport>();
    report->rewrites.push_back({.pass = "OurFusion", .origins = {0, 1}, .removed = {"Conv 'a'", "Relu 'b'"}});
    walk->optimize = report;
    const QStringList named = {"Conv: our pass", "FusedConv: our pass", "Relu: our pass"};
    QCOMPARE(told(compareOptimized(ours, other)), named);
    QVERIFY(compareOptimized(ours, other).differences[0].explanation.starts_with("OurFusion takes it away"));
  }

  // The other engine folds a value, and reads it under the name of one that is equal.
  void foldedUnderAnotherName() {
    const OurEngine ours = oursOf({"a LSTM va", "c Exp y"}, {"a LSTM va", "c Exp y"});
    OtherEngine other = theirsOf({"c Exp y"});
    other.graphPasses.push_back({.name = "Folding", .takes = {"*"}});
    const QStringList unexplained = {"LSTM: unexplained"}, folded = {"LSTM: their pass"};
    QCOMPARE(told(compareOptimized(ours, other)), unexplained);
    auto graphs = std::make_shared<ModelGraphs>(*other.optimized);
    GraphReport& graph = graphs->graphs[0];
    graph.values.push_back({.name = "equal", .type = "float[4]", .isInitializer = true});
    graph.nodes[0].inputs = {static_cast<int32_t>(graph.values.size()) - 1};
    other.optimized = graphs;
    QCOMPARE(told(compareOptimized(ours, other)), folded);
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

  // Names that neither graph has, and none at all: what a node makes tells who it is, and what cannot be told is no
  // sameness.
  void assignmentsWithoutNames_data() {
    QTest::addColumn<QString>("name");   // of their node that makes y
    QTest::addColumn<QString>("makes");  // as they tell it; empty: not told
    QTest::addColumn<QString>("problem");
    QTest::newRow("same name") << "b" << "" << "unknown: 1 of 2 nodes matched";
    QTest::newRow("no name") << "" << "" << "unknown: 0 of 2 nodes matched";
    QTest::newRow("another name") << "z" << "" << "unknown: 0 of 2 nodes matched";
    QTest::newRow("no name, and what it makes") << "" << "y" << "";
    QTest::newRow("another name, and what it makes") << "z" << "y" << "";
    QTest::newRow("another name, and what nobody makes here") << "z" << "w" << "unknown: 0 of 2 nodes matched";
  }
  void assignmentsWithoutNames() {
    QFETCH(QString, name);
    QFETCH(QString, makes);
    QFETCH(QString, problem);
    OurEngine ours = oursOf({"a Relu v", "b Exp y"}, {"a Relu v", "b Exp y"});
    auto walk = std::make_shared<WalkReport>(*ours.walk);
    auto graphs = std::make_shared<ModelGraphs>(*walk->partitionedGraphs);
    graphs->graphs[0].nodes[0].provider = "npu";
    walk->partitionedGraphs = graphs;
    ours.walk = walk;
    ours.otherNames["npu"] = {"QNNExecutionProvider"};
    OtherEngine other = theirsOf({"a Relu v", "b Exp y"});
    other.providers.push_back("QNNExecutionProvider");
    other.assignment = {{makes == "y" ? "first" : "", "Relu", "QNNExecutionProvider", {}},
                        {name.toStdString(), "Exp", "CPUExecutionProvider", {}}};
    if (!makes.isEmpty()) other.assignment[1].values = {makes.toStdString()};
    if (makes == "y") other.assignment[0].values = {"v"};
    const StageOpinion stage = compareAssignment(ours, other);
    QCOMPARE(QString::fromStdString(stage.problem), problem);
    QCOMPARE(stage.same(), problem.isEmpty());
    // Told apart by what they make, another provider is a difference whatever the names are.
    if (makes != "y") return;
    other.assignment[1].provider = "QNNExecutionProvider";
    QCOMPARE(told(compareAssignment(ours, other)).size(), 1);
  }

  // Where all lies with one provider in both, nodes of another name change nothing - as long as some are known.
  void assignmentsToOneProvider() {
    const OurEngine ours = oursOf({"a Relu v", "b Exp y"}, {"a Relu v", "b Exp y"});
    OtherEngine other = theirsOf({"a Relu v", "b Exp y"});
    other.assignment = {{"a", "Relu", "CPUExecutionProvider"}, {"", "Exp", "CPUExecutionProvider"}};
    QVERIFY(compareAssignment(ours, other).same());
    QCOMPARE(unmatchedNodes(ours, other), int64_t{1});
    other.assignment = {{"", "Relu", "CPUExecutionProvider"}, {"", "Exp", "CPUExecutionProvider"}};
    QVERIFY(!compareAssignment(ours, other).same());
    QCOMPARE(compareAssignment(ours, other).problem, std::string("unknown: 0 of 2 nodes matched"));
    // A name that stands twice is none.
    other.assignment = {{"a", "Relu", "CPUExecutionProvider"}, {"a", "Exp", "CPUExecutionProvider"}};
    QCOMPARE(unmatchedNodes(ours, other), int64_t{2});
  }

  // A node of the model that went into a fused one here is found by its origin.
  void assignmentsOfFusedNodes() {
    OurEngine ours = oursOf({"a Conv v", "b Relu y"}, {"f FusedConv y com.microsoft"});
    auto walk = std::make_shared<WalkReport>(*ours.walk);
    auto loaded = std::make_shared<ModelGraphs>(*walk->loadedGraphs);
    loaded->graphs[0].nodes[0].origins = {0};
    loaded->graphs[0].nodes[1].origins = {1};
    walk->loadedGraphs = loaded;
    auto graphs = std::make_shared<ModelGraphs>(*walk->partitionedGraphs);
    graphs->graphs[0].nodes[0].origins = {0, 1};
    walk->partitionedGraphs = graphs;
    ours.walk = walk;
    OtherEngine other = theirsOf({"a Conv v", "b Relu y"});
    other.assignment = {{"a", "Conv", "CPUExecutionProvider"}, {"n9", "Relu", "CPUExecutionProvider", {"y"}}};
    QCOMPARE(unmatchedNodes(ours, other), int64_t{0});
    other.assignment = {{"n8", "Conv", "CPUExecutionProvider", {"v"}}};
    QCOMPARE(unmatchedNodes(ours, other), int64_t{0});
    QVERIFY(compareAssignment(ours, other).same());
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
    // Another node excuses no other order of the rest.
    other.events = {{.node = "n7"}, {.node = "n1"}, {.node = "n0"}};
    QCOMPARE(told(compareOrder(ours, other)), QStringList{"order from step 0: unexplained"});
    other.graphProblem = "no optimised model";
    QCOMPARE(compareOrder(ours, other).problem, std::string("no optimised model"));
    QVERIFY(!compareOrder(ours, other).same());
  }

  void blocks() {
    OurEngine ours = oursOf({"a Relu y"}, {"a Relu y"});
    planned(ours, {"n0 Relu a", "n1 Exp y"}, {0, 1}, 128, 64);
    OtherEngine other = theirsOf({});
    other.events = {{.node = "n0"}, {.node = "n1"}};
    other.blockBytes = 128;
    QVERIFY(compareMemory(ours, other).same());
    other.blockBytes = 192;
    QCOMPARE(told(compareMemory(ours, other)), QStringList{"planned block: unexplained"});
    other.inferred = {{"a", "float[4]"}};  // the same knowledge explains nothing
    QCOMPARE(told(compareMemory(ours, other)), QStringList{"planned block: unexplained"});
    other.inferred = {{"a", "float[?]"}};
    QCOMPARE(told(compareMemory(ours, other)), QStringList{"planned block: unknown size"});
    QCOMPARE(compareMemory(ours, other).differences[0].values, std::vector<std::string>{"a"});
    other.events[1].node = "n9";
    QCOMPARE(told(compareMemory(ours, other)), QStringList{"planned block: other nodes"});
    other.blockBytes = -1;  // before 1.31
    QVERIFY(!compareMemory(ours, other).same());
    QCOMPARE(compareMemory(ours, other).problem, std::string("onnxruntime does not tell its block (from 1.31 on)"));
  }

  void results_data() {
    QTest::addColumn<float>("theirs");
    QTest::addColumn<float>("again");  // theirs from inputs moved by their last bit
    QTest::addColumn<QString>("expected");
    QTest::newRow("the same") << 2.0f << 2.0f << "";
    QTest::newRow("within the tolerance") << 2.0005f << 2.0005f << "";
    QTest::newRow("no further than its own rounding") << 2.01f << 2.02f << "output y: rounding";
    QTest::newRow("further than its own rounding") << 2.01f << 2.011f << "output y: unexplained";
    QTest::newRow("does not move at all") << 2.01f << 2.01f << "output y: unexplained";
    QTest::newRow("wrong") << -7.0f << -7.01f << "output y: unexplained";
    QTest::newRow("infinite") << std::numeric_limits<float>::infinity() << 0.0f << "output y: unexplained";
  }
  void results() {
    QFETCH(float, theirs);
    QFETCH(float, again);
    OurEngine ours = oursOf({"a Relu y"}, {"a Relu y"});
    ours.results = {floats("y", {1, 2})};
    OtherEngine other = theirsOf({"a Relu y"});
    other.results = {floats("y", {1, theirs})};
    other.retries = {{floats("y", {1, again})}};
    std::vector<ValueAccuracy> values;
    QTEST(told(compareResults(ours, other, {}, values)).join(", "), "expected");
    QCOMPARE(values.size(), size_t{1});
  }

  // It agrees with products that are exact, and only with them.
  void saturatedProducts() {
    OurEngine ours = oursOf({"a Relu y"}, {"a Relu y"});
    ours.results = {floats("y", {1, 2})};
    OtherEngine other = theirsOf({"a Relu y"});
    other.results = {floats("y", {1, 2.5f})};
    std::vector<ValueAccuracy> values;
    other.exactProducts = {floats("y", {1, 2})};
    QCOMPARE(told(compareResults(ours, other, {}, values)), QStringList{"output y: saturated products"});
    other.exactProducts = {floats("y", {1, 2.2f})};
    QCOMPARE(told(compareResults(ours, other, {}, values)), QStringList{"output y: unexplained"});
  }

  // Behind operators that round to integers, and by the scale that makes the output.
  void outputsOfQuantisedGraphs_data() {
    QTest::addColumn<QString>("nodes");
    QTest::addColumn<double>("step");  // below 0: not quantised
    QTest::newRow("floats") << "y = Relu (x)" << -1.0;
    QTest::newRow("weights alone are dequantised") << "w = DequantizeLinear (b, s) y = Mul (x, w)" << -1.0;
    QTest::newRow("dequantised") << "q = QuantizeLinear (x, s) y = DequantizeLinear (q, s)" << 0.25;
    QTest::newRow("moved behind it") << "q = QuantizeLinear (x, s) t = Identity (s) d = DequantizeLinear (q, t) "
                                        "y = Identity (d)"
                                     << 0.25;
    QTest::newRow("integers") << "y = QuantizeLinear (x, s)" << 1.0;
    QTest::newRow("computed on behind it")
        << "q = QuantizeLinear (x, s) d = DequantizeLinear (q, s) y = Exp (d)" << 0.0;
    QTest::newRow("a scale that is no constant")
        << "m = ReduceMax <keepdims = 0> (x) q = QuantizeLinear (x, m) y = DequantizeLinear (q, m)" << 0.0;
  }
  void outputsOfQuantisedGraphs() {
    QFETCH(QString, nodes);
    QFETCH(double, step);
    const Result<Model> model = parseModelText(
        "<ir_version: 8, opset_import: [\"\": 17]> main (float[4] x) => (float[4] y) <float s = {0.25}, int8[4] b = "
        "{1, 2, 3, 4}> { " +
        nodes.toStdString() + " }");
    QVERIFY2(model, model ? "" : model.error().message.c_str());
    const std::map<std::string, double> found = quantisedOutputs(model->graph);
    QCOMPARE(found.contains("y"), step >= 0);
    if (step >= 0) QCOMPARE(found.at("y"), step);
  }

  // In a quantised graph the last bit excuses nothing: whole steps, and a cause that an experiment shows.
  void stepsOfQuantisedGraphs_data() {
    QTest::addColumn<double>("step");
    QTest::addColumn<float>("theirs");
    QTest::addColumn<float>("theirsPlain");  // without optimisation; ours: 2
    QTest::addColumn<float>("oursPlain");
    QTest::addColumn<float>("oursThere");  // on their optimised model
    QTest::addColumn<QString>("expected");
    const QString unexplained = "output y: unexplained", explained = "output y: integer kernels";
    QTest::newRow("agrees without optimisation") << 0.5 << 2.5f << 2.0f << 9.0f << 9.0f << explained;
    QTest::newRow("agrees on their model") << 0.5 << 3.0f << 9.0f << 2.0f << 3.0f << explained;
    QTest::newRow("a fusion of ours excuses nothing") << 0.5 << 3.0f << 9.0f << 3.0f << 3.0f << unexplained;
    QTest::newRow("whole steps without a cause") << 0.5 << 2.5f << 9.0f << 9.0f << 9.0f << unexplained;
    QTest::newRow("another kernel of ours") << 0.5 << 2.5f << 9.0f << 2.0f << 3.0f << unexplained;
    QTest::newRow("no whole steps") << 0.5 << 2.4f << 2.0f << 2.0f << 2.4f << unexplained;
    QTest::newRow("no step that is known") << 0.0 << 2.5f << 2.0f << 2.0f << 2.5f << unexplained;
  }
  void stepsOfQuantisedGraphs() {
    QFETCH(double, step);
    QFETCH(float, theirs);
    QFETCH(float, theirsPlain);
    QFETCH(float, oursPlain);
    QFETCH(float, oursThere);
    OurEngine ours = oursOf({"a Relu y"}, {"a Relu y"});
    ours.results = {floats("y", {1, 2})};
    ours.quantised = {{"y", step}};
    ours.plainResults = {floats("y", {1, oursPlain})};
    ours.sameGraphResults = {floats("y", {1, oursThere})};
    OtherEngine other = theirsOf({"a Relu y"});
    other.results = {floats("y", {1, theirs})};
    other.retries = {{floats("y", {1, 90})}};  // moved far by the last bit
    other.plainResults = {floats("y", {1, theirsPlain})};
    std::vector<ValueAccuracy> values;
    QTEST(told(compareResults(ours, other, {}, values)).join(", "), "expected");
    // The same model without quantisation: rounding.
    ours.quantised.clear();
    QCOMPARE(told(compareResults(ours, other, {}, values)), QStringList{"output y: rounding"});
  }

  void expandedFunctions() {
    const OurEngine ours = oursOf({"a HardSwish y"}, {"a HardSwish y"});
    OtherEngine other = theirsOf({"_inlfunc_HardSwish_n0 HardSigmoid v", "_inlfunc_HardSwish_n1 Mul y"});
    const QStringList unexplained = {"HardSigmoid: unexplained", "HardSwish: unexplained", "Mul: unexplained"};
    QCOMPARE(told(compareOptimized(ours, other)), unexplained);
    other.inlinedPrefix = "_inlfunc_";
    const QStringList expanded = {"HardSigmoid: expanded", "HardSwish: expanded", "Mul: expanded"};
    QCOMPARE(told(compareOptimized(oursOf({"a HardSwish y"}, {"a HardSwish y"}), other)), expanded);
  }

  void nudgedInputs() {
    std::vector<execute::Feed> feeds = {floats("x", {1, 0, -2, std::numeric_limits<float>::infinity()})};
    feeds.push_back({"n", *Tensor::create(ElementType::kInt64, {1})});
    const std::vector<execute::Feed> moved = nudgedFeeds(feeds, 1);
    QCOMPARE(moved.size(), size_t{2});
    const auto now = moved[0].value.tensor().span<const float>();
    for (const auto& [at, was] : {std::pair{0, 1.0f}, std::pair{2, -2.0f}})
      QVERIFY(now[static_cast<size_t>(at)] == std::nextafter(was, 9.0f) ||
              now[static_cast<size_t>(at)] == std::nextafter(was, -9.0f));
    QCOMPARE(now[1], 0.0f);
    QVERIFY(std::isinf(now[3]));
    QCOMPARE(moved[1].value.tensor().data(), feeds[1].value.tensor().data());  // no floats
  }

  void passesOfOnnxruntime() {
    QVERIFY(std::ranges::count(optimizerPass("ConvActivationFusion").writes, "FusedConv") == 1);
    const OtherPass unknown = optimizerPass("NoSuchFusion");
    QCOMPARE(unknown.name, std::string("NoSuchFusion"));
    QVERIFY(unknown.takes.empty() && unknown.writes.empty());
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
    QVERIFY(names.contains("their pass"));
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
    QCOMPARE(events->events[0].time.medianNs, int64_t{3000});  // the first run allocates: left out
    QCOMPARE(events->timedRuns, int64_t{1});
    QCOMPARE(events->blockBytes, int64_t{256});
  }
  // One slow run of a node moves its mean, not its median.
  void nodeTimesAreMedians() {
    QCOMPARE(nodeSpread({}).medianNs, int64_t{-1});
    QCOMPARE(nodeSpread({7}).medianNs, int64_t{7});
    QCOMPARE(nodeSpread({4, 2}).medianNs, int64_t{3});
    const NodeSpread spread = nodeSpread({9000, 1, 3, 2, 4});
    QCOMPARE(spread.medianNs, int64_t{3});
    QCOMPARE(spread.minNs, int64_t{1});
    QCOMPARE(spread.maxNs, int64_t{9000});
    const auto events = readRunEvents(R"([
      {"cat":"Node","name":"n0_kernel_time","ts":1,"dur":50},{"cat":"Session","name":"model_run","ts":0,"dur":60},
      {"cat":"Node","name":"n0_kernel_time","ts":101,"dur":3},{"cat":"Session","name":"model_run","ts":100,"dur":60},
      {"cat":"Node","name":"n0_kernel_time","ts":201,"dur":900},{"cat":"Session","name":"model_run","ts":200,"dur":60},
      {"cat":"Node","name":"n0_kernel_time","ts":301,"dur":4},{"cat":"Session","name":"model_run","ts":300,"dur":60}])",
                                      {"n0"});
    QVERIFY(events);
    QCOMPARE(events->timedRuns, int64_t{3});
    QCOMPARE(events->events[0].time.medianNs, int64_t{4000});
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
