// What the overlays say of a walk: categories with letters that differ, amounts with words, and why something is
// missing.
#include <algorithm>
#include <tuple>

#include <QJsonObject>
#include <QSet>
#include <QTest>
#include <QTranslator>

#include "engine/report/accuracy_report.h"
#include "tests/unit/ui/walk_fixture.h"
#include "ui/base/provider_marks.h"
#include "ui/base/style_rules.h"
#include "ui/canvas/overlay.h"

using namespace cutaway;
using namespace cutaway::ui;

namespace {

int countOf(const Overlay& overlay, const QString& label) {
  for (const LegendEntry& entry : overlay.legend)
    if (entry.label == label) return entry.count;
  return -1;
}

// The sample with costs, as the engine publishes them.
std::shared_ptr<const WalkReport> walkWithCosts() {
  auto walk = std::make_shared<WalkReport>(*test::sampleWalk());
  auto costs = std::make_shared<CostReport>();
  for (const GraphReport& graph : walk->loadedGraphs->graphs)
    costs->graphs.emplace_back().nodes.resize(graph.nodes.size());
  costs->graphs[0].nodes[0] = {.flops = 884'736, .movedBytes = 77'824, .weightBytes = 1'728, .parameters = 432};
  costs->graphs[0].nodes[8] = {.flops = 330, .movedBytes = 104, .weightBytes = 680, .parameters = 170};
  walk->loadedCosts = costs;
  return walk;
}

}  // namespace

class TestOverlays : public QObject {
  Q_OBJECT

 private slots:
  void everyOverlayIsWhole_data() {
    QTest::addColumn<QString>("id");
    for (const OverlayDescriptor* overlay : overlayTable())
      QTest::newRow(overlay->id) << QString::fromLatin1(overlay->id);
  }
  void everyOverlayIsWhole() {
    QFETCH(QString, id);
    const auto walk = walkWithCosts();
    for (const auto& each : {walk, test::failedWalk()})
      for (const GraphVersion version : {GraphVersion::kLoaded, GraphVersion::kOptimized, GraphVersion::kPartitioned}) {
        const Overlay overlay = makeOverlay(id.toStdString(), *each, version, 0);
        QVERIFY(!overlay.title().isEmpty());
        QVERIFY(overlay.available || !overlay.missing.isEmpty());
        QSet<QChar> letters;
        int coloured = 0;
        for (const LegendEntry& entry : overlay.legend) {
          if (entry.category < 0) continue;
          ++coloured;
          QVERIFY2(!entry.letter.isNull(), qPrintable(entry.label));
          letters.insert(entry.letter);
        }
        QCOMPARE(letters.size(), coloured);  // never colour alone, and never the same letter twice
        for (const signed char category : overlay.category)
          QVERIFY(category < 8);
        if (overlay.isRamp() && overlay.available && !overlay.amount.empty())
          QVERIFY(!overlay.lowText.isEmpty() && !overlay.highText.isEmpty());
      }
    QVERIFY(findOverlay(id.toStdString()));
  }

  void stagesHaveTheirOverlays() {
    QCOMPARE(QString(overlayFor(Stage::kLoad)), QString("operator"));
    QCOMPARE(QString(overlayFor(Stage::kOptimize)), QString("change"));
    QCOMPARE(QString(overlayFor(Stage::kPartition)), QString("provider"));
    QCOMPARE(QString(overlayFor(Stage::kPattern)), QString("memory"));
    QVERIFY(!findOverlay("nonsense"));
    QVERIFY(makeOverlay("nonsense", *test::sampleWalk(), GraphVersion::kLoaded, 0).category.empty());
  }

  // A group has one time: its nodes share it, and all nodes together come to what was measured.
  void timesAddUp() {
    auto walk = std::make_shared<WalkReport>(*test::sampleWalk());
    auto run = std::make_shared<RunReport>();
    run->profiled = true;
    run->runs = 10;
    double measured = 0;
    const std::vector<NodeReport>& steps = walk->partitionedGraphs->graphs[0].nodes;
    bool isGrouped = false;
    for (size_t n = 0; n < steps.size(); ++n) {
      isGrouped = isGrouped || steps[n].origins.size() > 1;
      if (steps[n].origins.empty()) continue;
      NodeTiming timing;
      timing.node = timing.step = static_cast<int32_t>(n);
      timing.totalNs = 1'000'000;
      measured += 1'000'000;
      run->nodes.push_back(timing);
    }
    QVERIFY(isGrouped);
    walk->run = run;
    const Overlay overlay = makeOverlay("time", *walk, GraphVersion::kLoaded, 0);
    double painted = 0;
    for (const double amount : overlay.amount)
      painted += std::max(0.0, amount);
    QVERIFY2(std::abs(painted - measured) < 1, qPrintable(QString::number(painted - measured)));
    QCOMPARE(overlay.legend.size(), size_t{1});
    QVERIFY2(overlay.legend[0].label.startsWith("estimated inside groups"), qPrintable(overlay.legend[0].label));
    const Overlay own = makeOverlay("time", *walk, GraphVersion::kPartitioned, 0);
    QVERIFY(own.legend.empty());
    // A node's own time is measured, its share of a group's is estimated, and what no hardware computed is simulated.
    QCOMPARE(own.wholeTruth, TruthKind::kMeasured);
    QVERIFY(overlay.truth == TruthKind::kMeasured && overlay.wholeTruth == TruthKind::kEstimated);
    auto partition = std::make_shared<PartitionReport>(*walk->partition);
    ProviderSummary* first = nullptr;
    for (ProviderSummary& provider : partition->providers)
      if (provider.claimedNodes > 0 && first == nullptr) first = &provider;
    QVERIFY(first);
    first->simulated = true;
    walk->partition = partition;
    const Overlay simulated = makeOverlay("time", *walk, GraphVersion::kPartitioned, 0);
    QCOMPARE(simulated.wholeTruth, TruthKind::kSimulated);
    for (size_t n = 0; n < steps.size(); ++n)
      if (simulated.amount[n] >= 0)
        QCOMPARE(simulated.truthOf(static_cast<int>(n)),
                 steps[n].provider == first->name ? TruthKind::kSimulated : TruthKind::kMeasured);
    const Overlay providers = makeOverlay("provider", *walk, GraphVersion::kPartitioned, 0);
    for (const LegendEntry& entry : providers.legend)
      QCOMPARE(entry.truth == TruthKind::kSimulated, entry.label.toStdString() == first->name);
  }

  // A node without a figure is left out of sums.
  void sumsThatLeaveOutArePartial() {
    const auto walkOf = [](int64_t flopsOfTheFourth) {
      auto walk = std::make_shared<WalkReport>(*walkWithCosts());
      auto costs = std::make_shared<CostReport>(*walk->loadedCosts);
      for (NodeFigures& node : costs->graphs[0].nodes)
        node.flops = 100;
      costs->graphs[0].nodes[3].flops = flopsOfTheFourth;
      walk->loadedCosts = costs;
      return walk;
    };
    const Overlay overlay = makeOverlay("flops", *walkOf(100), GraphVersion::kLoaded, 0);
    QCOMPARE(overlay.truthOf(0), TruthKind::kExact);
    QCOMPARE(overlay.wholeTruth, TruthKind::kExact);
    const auto open = walkOf(-1);
    const Overlay left = makeOverlay("flops", *open, GraphVersion::kLoaded, 0);
    QCOMPARE(left.truthOf(0), TruthKind::kExact);
    QCOMPARE(left.truthOf(3), TruthKind::kPartial);
    QCOMPARE(left.wholeTruth, TruthKind::kPartial);
    QCOMPARE(makeOverlay("order", *open, GraphVersion::kLoaded, 0).wholeTruth, TruthKind::kExact);
  }

  // Words are looked up where the files of translations have them.
  void wordsAreTranslated() {
    class Contexts : public QTranslator {
     public:
      QString translate(const char* context, const char* words, const char*, int) const override {
        return QStringLiteral("%1|%2").arg(QLatin1String(context), QLatin1String(words));
      }
      bool isEmpty() const override { return false; }
    };
    Contexts contexts;
    QCoreApplication::installTranslator(&contexts);
    const Overlay change = makeOverlay("change", *test::sampleWalk(), GraphVersion::kLoaded, 0);
    QCoreApplication::removeTranslator(&contexts);
    QCOMPARE(change.legend.front().label, QStringLiteral("Overlay|changed"));
    QCOMPARE(change.legend.back().label, QStringLiteral("cutaway::ui::OverlayWords|unchanged"));
  }

  // A group is one card and many nodes: legend and table of providers count the same.
  void legendCountsNodes() {
    const auto walk = test::sampleWalk();
    for (const GraphVersion version : {GraphVersion::kOptimized, GraphVersion::kPartitioned}) {
      const Overlay overlay = makeOverlay("provider", *walk, version, 0);
      for (const ProviderSummary& provider : walk->partition->providers) {
        const auto placed =
            std::count_if(walk->partition->nodes.begin(), walk->partition->nodes.end(),
                          [&](const NodePlacement& node) { return node.graph == 0 && node.provider == provider.name; });
        QCOMPARE(countOf(overlay, QString::fromStdString(provider.name)), int(placed));
      }
    }
  }

  // What a provider did to nodes that it took is marked on what they were, and on what they became.
  void providersMarkWhatTheyChange() {
    auto walk = std::make_shared<WalkReport>(*test::sampleWalk());
    QVERIFY(makeOverlay("provider", *walk, GraphVersion::kLoaded, 0).marks.empty());
    auto graphs = std::make_shared<ModelGraphs>(*walk->partitionedGraphs);
    NodeReport& pool = graphs->graphs[0].nodes[2];
    pool.rewrite = "cpu layout";
    NodeReport turned = pool;
    turned.opType = "Transpose";
    turned.rewrite = "channels last";
    graphs->graphs[0].nodes.push_back(turned);
    graphs->graphs[0].nodes[0].rewrite = "fused by skeleton";
    graphs->graphs[0].nodes[1].rewrite = "copy";
    walk->partitionedGraphs = graphs;
    for (const auto& [version, node, nodes] :
         {std::tuple(GraphVersion::kLoaded, 6, 1), std::tuple(GraphVersion::kOptimized, 5, 1),
          std::tuple(GraphVersion::kPartitioned, 2, 2)}) {
      const Overlay overlay = makeOverlay("provider", *walk, version, 0);
      QCOMPARE(int(overlay.marks.size()), nodes);
      QVERIFY(overlay.marks.contains(node));
      QVERIFY2(overlay.marks.at(node).contains(QStringLiteral("cpu: written anew as GlobalAveragePool (cpu layout)")),
               qPrintable(overlay.marks.at(node)));
      if (version != GraphVersion::kPartitioned)
        QVERIFY(overlay.marks.at(node).contains(QStringLiteral("cpu: a Transpose put in (channels last)")));
      QCOMPARE(overlay.legend.back().category, kMarkedNodes);
      QCOMPARE(overlay.legend.back().count, nodes);
    }
    // What a pass of optimisation did is told elsewhere.
    graphs->graphs[0].nodes[2].rewrite = "fuse_conv_bn";
    graphs->graphs[0].nodes.back().rewrite = "fuse_conv_bn";
    QVERIFY(makeOverlay("provider", *walk, GraphVersion::kLoaded, 0).marks.empty());
  }

  // What ONNX Runtime changes inside of a plug-in is only told in words.
  void changesInsidePluginsAreMarked() {
    auto walk = std::make_shared<WalkReport>(*test::sampleWalk());
    auto partition = std::make_shared<PartitionReport>(*walk->partition);
    partition->providerRewrites = {
        "skeleton: Transpose inserted between Conv 'body/conv' and Relu 'body/relu': layout change of ONNX Runtime"};
    walk->partition = partition;
    const Overlay overlay = makeOverlay("provider", *walk, GraphVersion::kOptimized, 0);
    QCOMPARE(overlay.marks.size(), size_t{2});
    QVERIFY(overlay.marks.contains(2) && overlay.marks.contains(3));
    QVERIFY(overlay.marks.at(3).contains(QStringLiteral("Transpose inserted between")));
    QCOMPARE(overlay.legend.back().count, 2);
  }

  // Colours and letters follow names: another order of priority, or another provider beside them, changes none.
  void providersKeepTheirColours() {
    const auto marksOf = [](std::vector<std::string> names) {
      WalkReport walk;
      auto partition = std::make_shared<PartitionReport>();
      for (const std::string& name : names)
        partition->providers.push_back({.name = name});
      walk.partition = partition;
      return providerMarks(walk);
    };
    const ProviderMarks one = marksOf({"declared(QNN-HTP)", "onednn", "cpu"}),
                        other = marksOf({"onednn", "declared(QNN-HTP)", "cpu"}), more = marksOf({"openvino", "cpu"});
    for (const char* name : {"declared(QNN-HTP)", "onednn", "cpu"}) {
      QCOMPARE(one.indexOf(name), other.indexOf(name));
      QCOMPARE(one.letterOf(name), other.letterOf(name));
      QVERIFY(!one.letterOf(name).isNull());
    }
    QCOMPARE(more.indexOf("cpu"), one.indexOf("cpu"));
    QCOMPARE(one.indexOf(""), -1);
    QCOMPARE(one.indexOf("cuda"), -1);
    QSet<int> places;
    const std::vector<std::string> many = {"cpu",         "declared(A)", "declared(B)", "declared(C)",
                                           "declared(D)", "declared(E)", "onednn"};
    const ProviderMarks all = marksOf(many);
    for (const std::string& name : many)
      places.insert(all.indexOf(name));
    QCOMPARE(places.size(), 7);
    QVERIFY(!places.contains(-1));
  }

  void refusalsShowTheirCauses() {
    const Overlay optimized = makeOverlay("refusal", *test::sampleWalk(), GraphVersion::kOptimized, 0);
    QCOMPARE(countOf(optimized, "operator"), 5);
    QCOMPARE(countOf(optimized, "claimed by the first provider"), 5);
    const Overlay partitioned = makeOverlay("refusal", *test::sampleWalk(), GraphVersion::kPartitioned, 0);
    QCOMPARE(static_cast<int>(partitioned.category[0]), -1);
    QCOMPARE(static_cast<int>(partitioned.category[2]), 0);
  }

  void frequentCausesHaveColours() {
    auto walk = std::make_shared<WalkReport>(*test::sampleWalk());
    auto partition = std::make_shared<PartitionReport>(*walk->partition);
    constexpr RefusalCause kCauses[] = {RefusalCause::kType,      RefusalCause::kShape, RefusalCause::kRank,
                                        RefusalCause::kAttribute, RefusalCause::kInput, RefusalCause::kOption,
                                        RefusalCause::kDomain,    RefusalCause::kCycle};
    for (size_t i = 0; i < 10; ++i) {
      partition->nodes[i].answers[0].verdict = Verdict::kRefused;
      partition->nodes[i].answers[0].cause = kCauses[std::min<size_t>(i / 2 + (i > 7 ? i - 7 : 0), 7)];
    }
    walk->partition = partition;
    const Overlay overlay = makeOverlay("refusal", *walk, GraphVersion::kOptimized, 0);
    QCOMPARE(countOf(overlay, "type"), 2);
    QVERIFY(countOf(overlay, "other causes") > 0);
    QVERIFY(overlay.legend.size() <= 8);
  }

  void changesAndPassesAreCounted() {
    const Overlay change = makeOverlay("change", *test::sampleWalk(), GraphVersion::kLoaded, 0);
    QCOMPARE(countOf(change, "fused"), 2);
    QCOMPARE(countOf(change, "unchanged"), 9);
    const Overlay pass = makeOverlay("pass", *test::sampleWalk(), GraphVersion::kLoaded, 0);
    QCOMPARE(countOf(pass, "fuse_conv_bn"), 2);
  }

  void rolesOfValuesColourTheirNodes() {
    const Overlay overlay = makeOverlay("role", *test::sampleWalk(), GraphVersion::kLoaded, 0);
    QCOMPARE(countOf(overlay, "makes an output"), 1);  // If
    QCOMPARE(countOf(overlay, "reads an input"), 1);   // the first convolution
    QCOMPARE(countOf(overlay, "captured by a body"), 1);
    QCOMPARE(countOf(overlay, "reads a constant"), 2);  // BatchNormalization and the second convolution
    QCOMPARE(countOf(overlay, "intermediates only"), 6);
    // A body: its own output counts before what it reads from around it.
    const Overlay body = makeOverlay("role", *test::sampleWalk(), GraphVersion::kLoaded, 1);
    QCOMPARE(countOf(body, "makes an output"), 1);
    ModelGraphs graphs;
    GraphReport& graph = graphs.graphs.emplace_back();
    graph.values = {{.name = "x", .consumers = {0}, .role = ValueRole::kOuterScope},
                    {.name = "w", .consumers = {1}, .role = ValueRole::kOverridableInitializer},
                    {.name = "a", .consumers = {1}},
                    {.name = "b", .consumers = {2, 3}},
                    {.name = "nobody"},
                    {.name = "k", .consumers = {3}, .role = ValueRole::kConstant},
                    {.name = "c", .consumers = {4}},
                    {.name = "d", .consumers = {5}}};
    graph.nodes = {{.name = "outer", .opType = "Neg", .inputs = {0}, .outputs = {2}},
                   {.name = "default", .opType = "Mul", .inputs = {2, 1}, .outputs = {3}},
                   {.name = "dangling", .opType = "Abs", .inputs = {3}, .outputs = {4}},
                   {.name = "constant", .opType = "Add", .inputs = {3, 5}, .outputs = {6}},
                   {.name = "between", .opType = "Exp", .inputs = {6}, .outputs = {7}}};
    WalkReport walk;
    walk.loadedGraphs = std::make_shared<const ModelGraphs>(graphs);
    QCOMPARE(makeOverlay("role", walk, GraphVersion::kLoaded, 0).category, (std::vector<signed char>{5, 2, 3, 6, -1}));
  }

  void typesHaveTheirColours() {
    const Overlay overlay = makeOverlay("dtype", *test::sampleWalk(), GraphVersion::kLoaded, 0);
    QCOMPARE(countOf(overlay, "bool"), 1);
    QCOMPARE(countOf(overlay, "float"), 10);
    QCOMPARE(overlay.letterOf(overlay.category[0]), QChar('F'));
  }

  void costsAreRamps() {
    const auto walk = walkWithCosts();
    const Overlay flops = makeOverlay("flops", *walk, GraphVersion::kLoaded, 0);
    QCOMPARE(flops.largest, 884'736.0);
    QVERIFY2(flops.highText.endsWith("kFLOP"), qPrintable(flops.highText));
    QCOMPARE(makeOverlay("parameters", *walk, GraphVersion::kLoaded, 0).highText, QString("432"));
    const Overlay weights = makeOverlay("weights", *walk, GraphVersion::kLoaded, 0);
    QCOMPARE(countOf(weights, "mostly weights"), 1);
    QCOMPARE(countOf(weights, "mostly activations"), 1);
    QVERIFY(!makeOverlay("moved", *test::sampleWalk(), GraphVersion::kLoaded, 0).available);
  }

  void errorsAreOnALogarithmicRamp() {
    AccuracyReport accuracy;
    accuracy.values = {{.value = "pooled", .maxRelative = 1e-6}, {.value = "logits", .maxRelative = 1e-2}};
    const Overlay overlay =
        makeOverlay("error", *test::sampleWalk(), GraphVersion::kLoaded, 0, nullptr, {.accuracy = &accuracy});
    QVERIFY(overlay.available);
    QCOMPARE(overlay.amount[6], 1e-6);
    QCOMPARE(overlay.shareOf(1e-2, overlay.largest), 1.0);
    QVERIFY(std::abs(overlay.shareOf(1e-6, overlay.largest) - 0.5) < 1e-9);
    QCOMPARE(overlay.shareOf(0, overlay.largest), 0.0);
    QVERIFY(!makeOverlay("error", *test::sampleWalk(), GraphVersion::kLoaded, 0).available);
  }

  void rulesColourWhatTheyHit() {
    RuleMatches matches;
    matches.rules = {{.name = "convolutions", .query = "op:Conv", .category = 3}, {.query = "off", .enabled = false}};
    matches.letters = {QChar('C'), QChar('O')};
    matches.ruleOfNode = {std::vector<signed char>(11, -1)};
    matches.ruleOfNode[0][0] = matches.ruleOfNode[0][3] = 0;
    const Overlay overlay =
        makeOverlay("rules", *test::sampleWalk(), GraphVersion::kLoaded, 0, nullptr, {.rules = &matches});
    QCOMPARE(countOf(overlay, "convolutions"), 2);
    QCOMPARE(static_cast<int>(overlay.category[3]), 3);
    QCOMPARE(overlay.legend.size(), size_t{1});
  }

  void rulesSurviveJson() {
    const StyleRules rules = {{.name = "slow", .query = "time>1ms", .category = 2, .letter = 'S', .enabled = false},
                              {.query = "op:Conv"}};
    QCOMPARE(styleRulesFromJson(toJson(rules)), rules);
    QVERIFY(styleRulesFromJson(QJsonArray{1, QStringLiteral("x"), QJsonObject{{"query", 3}}}).empty());
  }
};

QTEST_MAIN(TestOverlays)
#include "tst_overlays.moc"
