// What is reached from nodes of a graph, and what completion proposes.
#include <QTest>

#include "tests/unit/ui/walk_fixture.h"
#include "ui/canvas/find_completion.h"
#include "ui/canvas/reach.h"

using namespace cutaway;
using namespace cutaway::ui;

class TestReach : public QObject {
  Q_OBJECT

 private slots:
  void neighboursReadOrMake() {
    const auto walk = test::sampleWalk();
    const GraphReport& graph = walk->loadedGraphs->graphs[0];
    QCOMPARE(neighboursOf(graph, {2}), (std::vector<int>{1, 2, 3, 5}));  // Relu: BatchNormalization, Conv and Add
  }

  void upAndDownFollowTheFlow() {
    const auto walk = test::sampleWalk();
    const GraphReport& graph = walk->loadedGraphs->graphs[0];
    QCOMPARE(upstreamOf(graph, {3}), (std::vector<int>{0, 1, 2, 3}));
    QCOMPARE(downstreamOf(graph, {8}), (std::vector<int>{8, 9, 10}));
    QCOMPARE(downstreamOf(graph, {0}).size(), graph.nodes.size());
    QVERIFY(upstreamOf(graph, {}).empty());
    QVERIFY(downstreamOf(graph, {-1, 999}).empty());
  }

  void whatBodiesReadIsUpstreamToo() {
    const auto walk = test::sampleWalk();
    const std::vector<int> up = upstreamOf(walk->loadedGraphs->graphs[0], {10});  // If reads 'logits' in its bodies
    QVERIFY(std::find(up.begin(), up.end(), 8) != up.end());
  }

  void pathsRunEitherWay() {
    const auto walk = test::sampleWalk();
    const GraphReport& graph = walk->loadedGraphs->graphs[0];
    QCOMPARE(shortestPath(graph, 2, 5), (std::vector<int>{2, 5}));        // by the skip
    QCOMPARE(shortestPath(graph, 5, 2), (std::vector<int>{2, 5}));        // whichever was chosen first
    QCOMPARE(nodesBetween(graph, 2, 5), (std::vector<int>{2, 3, 4, 5}));  // and through the block
    QCOMPARE(nodesBetween(graph, 5, 2), (std::vector<int>{2, 3, 4, 5}));
    QVERIFY(shortestPath(graph, 0, 99).empty());
    QCOMPARE(shortestPath(graph, 4, 4), std::vector<int>{4});
  }

  void longChainsNeedNoStack() {
    const auto walk = test::flatWalk(50'000);
    const GraphReport& graph = walk->loadedGraphs->graphs[0];
    QBENCHMARK_ONCE {
      QVERIFY(downstreamOf(graph, {0}).size() > 40'000);
    }
    QVERIFY(shortestPath(graph, 0, 49'000).size() > 1'000);
  }

  void completionKnowsFieldsAndWords() {
    const FindIndex index(test::sampleWalk()->loadedGraphs);
    const auto options = [&](const QString& line) {
      return completionsAt(line, static_cast<int>(line.size()), index.vocabulary(), {"cpu", "cuda"}).options;
    };
    QCOMPARE(options("op:co"), QStringList{"op:Conv"});
    QCOMPARE(options("conv prov"), QStringList{"provider:"});
    QCOMPARE(options("provider:c"), (QStringList{"provider:cpu", "provider:cuda"}));
    QVERIFY(options("sof").contains("op:Softmax"));
    QVERIFY(options("tim").contains("time>"));
    QVERIFY(options("attr:pa").contains("attr:pads"));
    QVERIFY(options("").isEmpty() && options("\"op:c").isEmpty() && options("/op").isEmpty());
    const FindCompletions inside = completionsAt("op:co relu", 5, index.vocabulary(), {});
    QCOMPARE(inside.from, 0);
    QCOMPARE(inside.to, 5);
  }
};

QTEST_APPLESS_MAIN(TestReach)
#include "tst_reach.moc"
