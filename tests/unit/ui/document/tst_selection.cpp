// One selection through every version of the graph.
#include <functional>
#include <set>

#include <QSignalSpy>
#include <QTest>

#include "tests/unit/ui/walk_fixture.h"
#include "ui/document/document.h"

using namespace cutaway;
using namespace cutaway::ui;

namespace {
std::shared_ptr<const EngineHost> emptyHost() {
  return std::make_shared<EngineHost>();
}

const ModelGraphs& graphsOf(const WalkReport& walk, GraphVersion version) {
  return version == GraphVersion::kLoaded ? *walk.loadedGraphs : *walk.partitionedGraphs;
}
}  // namespace

class TestSelection : public QObject {
  Q_OBJECT

 private slots:
  void originalNodeIsFoundInEveryVersion() {
    Document document(emptyHost(), {});
    document.setWalk(test::sampleWalk());
    Selection& selection = document.selection();
    QSignalSpy changed(&selection, &Selection::changed);
    selection.selectNode({GraphVersion::kLoaded, 0, 1});  // BatchNormalization
    QCOMPARE(changed.count(), 1);
    QCOMPARE(selection.nodesIn(GraphVersion::kLoaded, 0), std::vector<int>{1});
    QCOMPARE(selection.nodesIn(GraphVersion::kOptimized, 0), std::vector<int>{0});    // folded into Conv
    QCOMPARE(selection.nodesIn(GraphVersion::kPartitioned, 0), std::vector<int>{0});  // inside the fused node
  }

  void fusedNodeStandsForAllItsOriginals() {
    Document document(emptyHost(), {});
    document.setWalk(test::sampleWalk());
    document.selection().selectNode({GraphVersion::kPartitioned, 0, 0});
    QCOMPARE(document.selection().nodesIn(GraphVersion::kLoaded, 0), (std::vector<int>{0, 1, 2, 3, 4, 5}));
    QCOMPARE(document.selection().focusIn(GraphVersion::kLoaded), (NodeTarget{GraphVersion::kLoaded, 0, 0}));
  }

  void copyWithoutOriginalsIsMarkedOnlyWhereItExists() {
    Document document(emptyHost(), {});
    document.setWalk(test::sampleWalk());
    document.selection().selectNode({GraphVersion::kPartitioned, 0, 1});
    QCOMPARE(document.selection().nodesIn(GraphVersion::kPartitioned, 0), std::vector<int>{1});
    QVERIFY(document.selection().nodesIn(GraphVersion::kLoaded, 0).empty());
  }

  void valueMarksItsProducer() {
    Document document(emptyHost(), {});
    document.setWalk(test::sampleWalk());
    document.selection().selectValue({0, QStringLiteral("logits")});
    QCOMPARE(document.selection().origins(), std::vector<int>{8});
    QCOMPARE(document.selection().value().name, QStringLiteral("logits"));
  }

  // Tables of values mark what belongs to the selection, by names: those of the version that is shown, and of what
  // runs.
  void valuesOfTheSelectionAreMarked_data() {
    using Chosen = std::function<void(Selection&)>;
    using Values = std::set<std::pair<int, QString>>;
    QTest::addColumn<Chosen>("choose");
    QTest::addColumn<Values>("marked");
    const auto made = [walk = test::sampleWalk()](GraphVersion version, int graph, int node) {
      const GraphReport& in = graphsOf(*walk, version).graphs[static_cast<size_t>(graph)];
      Values values;
      for (const int32_t output : in.nodes[static_cast<size_t>(node)].outputs)
        values.emplace(graph, QString::fromStdString(in.values[static_cast<size_t>(output)].name));
      return values;
    };
    const auto node = [](NodeTarget target) {
      return Chosen([target](Selection& selection) { selection.selectNode(target); });
    };
    QTest::newRow("nothing") << Chosen([](Selection&) {}) << Values();
    QTest::newRow("a value alone") << Chosen([](Selection& selection) {
      selection.selectValue({0, QStringLiteral("logits")});
    }) << Values{{0, QStringLiteral("logits")}};
    Values both = made(GraphVersion::kLoaded, 0, 1);
    both.merge(made(GraphVersion::kPartitioned, 0, 0));
    QTest::newRow("a node, and the fused one it is in") << node({GraphVersion::kLoaded, 0, 1}) << both;
    QTest::newRow("a copy") << node({GraphVersion::kPartitioned, 0, 1}) << made(GraphVersion::kPartitioned, 0, 1);
  }
  void valuesOfTheSelectionAreMarked() {
    QFETCH(std::function<void(Selection&)>, choose);
    using Values = std::set<std::pair<int, QString>>;
    QFETCH(Values, marked);
    Document document(emptyHost(), {});
    document.setWalk(test::sampleWalk());
    choose(document.selection());
    QCOMPARE(document.selection().markedValues(), marked);
  }

  void nodesInsideBodiesKeepTheirGraph() {
    Document document(emptyHost(), {});
    document.setWalk(test::sampleWalk());
    document.selection().selectNode({GraphVersion::kOptimized, 2, 0});
    QVERIFY(document.selection().nodesIn(GraphVersion::kLoaded, 0).empty());
    QCOMPARE(document.selection().nodesIn(GraphVersion::kLoaded, 2), std::vector<int>{0});
  }

  void nonsenseClears() {
    Document document(emptyHost(), {});
    document.setWalk(test::sampleWalk());
    document.selection().selectNode({GraphVersion::kLoaded, 0, 3});
    document.selection().selectNode({GraphVersion::kLoaded, 7, 3});
    QVERIFY(document.selection().empty());
  }

  void stagesShowTheirVersion() {
    Document document(emptyHost(), {});
    QCOMPARE(document.versionFor(Stage::kPattern), GraphVersion::kLoaded);
    document.setWalk(test::sampleWalk());
    QCOMPARE(document.versionFor(Stage::kResolve), GraphVersion::kLoaded);
    QCOMPARE(document.versionFor(Stage::kOptimize), GraphVersion::kOptimized);
    QCOMPARE(document.versionFor(Stage::kRun), GraphVersion::kPartitioned);
  }
};

QTEST_GUILESS_MAIN(TestSelection)
#include "tst_selection.moc"
