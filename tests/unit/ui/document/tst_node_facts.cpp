// Columns of what every stage knows about the nodes of a graph, in every version of it.
#include <QTest>

#include "tests/unit/ui/walk_fixture.h"
#include "ui/base/node_changes.h"
#include "ui/document/node_facts.h"

using namespace cutaway;
using namespace cutaway::ui;

class TestNodeFacts : public QObject {
  Q_OBJECT

 private slots:
  void partitionedNodesKnowStepTimeAndProvider() {
    const auto facts = makeNodeFacts(*test::sampleWalk(), GraphVersion::kPartitioned, 0);
    QCOMPARE(facts->provider.size(), size_t{7});
    QCOMPARE(facts->provider[0], std::string("skeleton"));
    QCOMPARE(facts->group[0], std::string("skeleton_0"));
    QCOMPARE(facts->step[3], int64_t{3});
    QCOMPARE(facts->timeNs[0], int64_t{820'000});
    QCOMPARE(facts->refusal[0], std::string());
    QCOMPARE(facts->refusal[2], std::string("operator: takes only convolutions and what follows them"));
    QCOMPARE(facts->outputBytes[2], int64_t{64});
  }

  void originalNodesKnowWhatBecameOfThem() {
    const auto facts = makeNodeFacts(*test::sampleWalk(), GraphVersion::kLoaded, 0);
    QCOMPARE(facts->provider[1], std::string("skeleton"));  // BatchNormalization, inside the group
    QCOMPARE(facts->step[1], int64_t{0});
    QCOMPARE(facts->rewrite[1], std::string("fuse_conv_bn"));
    QCOMPARE(facts->timeNs[1], int64_t{-1});      // a share of a group's time is not known
    QCOMPARE(facts->timeNs[8], int64_t{33'000});  // Gemm runs alone
    QCOMPARE(facts->provider[8], std::string("cpu"));
  }

  void timesAreCountedOnceInEveryVersion() {
    const auto walk = test::sampleWalk();
    for (const GraphVersion version : {GraphVersion::kLoaded, GraphVersion::kOptimized}) {
      int64_t sum = 0;
      const auto facts = makeNodeFacts(*walk, version, 0);
      for (const int64_t time : facts->timeNs)
        sum += std::max<int64_t>(time, 0);
      QCOMPARE(sum, int64_t{60'000 + 4'000 + 33'000 + 9'000 + 21'000});  // without the group and the copy
    }
  }

  void nothingIsKnownOfAStoppedWalk() {
    const auto facts = makeNodeFacts(*test::failedWalk(), GraphVersion::kLoaded, 0);
    QVERIFY(!facts->provider.empty());
    QVERIFY(facts->provider[0].empty() && facts->step[0] == -1 && facts->timeNs[0] == -1);
    QVERIFY(makeNodeFacts(*test::failedWalk(), GraphVersion::kPartitioned, 0)->provider.empty());
    QVERIFY(makeNodeFacts(*test::sampleWalk(), GraphVersion::kLoaded, 99)->provider.empty());
  }

  void errorsComeByTheNamesOfValues() {
    AccuracyReport accuracy;
    accuracy.values.push_back({.value = "logits", .maxRelative = 0.25});
    accuracy.values.push_back({.value = "pooled", .maxRelative = 9, .problem = "types differ"});
    const auto facts = makeNodeFacts(*test::sampleWalk(), GraphVersion::kLoaded, 0, &accuracy);
    QCOMPARE(facts->error[8], 0.25);
    QCOMPARE(facts->error[6], -1.0);
  }

  void changesAreReadBackwards() {
    const auto walk = test::sampleWalk();
    const NodeChanges loaded = changesOf(*walk, GraphVersion::kLoaded, 0);
    QVERIFY(loaded.change[0] == NodeChange::kFused && loaded.change[1] == NodeChange::kFused &&
            loaded.change[2] == NodeChange::kKept);
    const NodeChanges partitioned = changesOf(*walk, GraphVersion::kPartitioned, 0);
    QVERIFY(partitioned.change[0] == NodeChange::kFused);  // of Conv and BatchNormalization, not because it is a group
    QVERIFY(partitioned.change[1] == NodeChange::kAdded);  // a copy
    QVERIFY(partitioned.change[2] == NodeChange::kKept);
    auto folded = std::make_shared<WalkReport>(*walk);
    auto graphs = std::make_shared<ModelGraphs>(*walk->optimizedGraphs);
    graphs->graphs[0].nodes[5].origins.clear();  // what was GlobalAveragePool is gone
    folded->optimizedGraphs = graphs;
    auto report = std::make_shared<OptimizeReport>(*walk->optimize);
    report->rewrites.push_back({"ConstantFolding", "", 0, {6}, {"GlobalAveragePool"}, {}});
    folded->optimize = report;
    QVERIFY(changesOf(*folded, GraphVersion::kLoaded, 0).change[6] == NodeChange::kFolded);
    QCOMPARE(changesOf(*folded, GraphVersion::kLoaded, 0).pass[6], std::string("ConstantFolding"));
  }

  void columnsAreQuickOnManyNodes() {
    const auto walk = test::flatWalk(50'000);
    QBENCHMARK {
      QCOMPARE(makeNodeFacts(*walk, GraphVersion::kLoaded, 0)->provider.size(), size_t{50'000});
    }
  }
};

QTEST_APPLESS_MAIN(TestNodeFacts)
#include "tst_node_facts.moc"
