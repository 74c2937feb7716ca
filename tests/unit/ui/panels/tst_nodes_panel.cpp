// The table of nodes: rows, figures, groups with sums, sorting of many rows.
#include <QAbstractItemModelTester>
#include <QTest>

#include "tests/unit/ui/walk_fixture.h"
#include "ui/panels/nodes/node_columns.h"
#include "ui/panels/nodes/nodes_model.h"

using namespace cutaway;
using namespace cutaway::ui;

namespace {

struct Prepared {
  std::shared_ptr<const FindIndex> index;
  FindFacts facts;
};

Prepared prepare(const WalkReport& walk, GraphVersion version) {
  const auto& graphs = version == GraphVersion::kPartitioned ? walk.partitionedGraphs : walk.loadedGraphs;
  Prepared all{std::make_shared<const FindIndex>(graphs), {}};
  for (size_t g = 0; g < graphs->graphs.size(); ++g)
    all.facts.push_back(makeNodeFacts(walk, version, static_cast<int>(g)));
  return all;
}

QString cell(const NodesModel& model, int row, int column) {
  return model.index(row, column).data().toString();
}

}  // namespace

class TestNodesPanel : public QObject {
  Q_OBJECT

 private slots:
  void rowsTellWhatStagesKnow() {
    NodesModel model;
    QAbstractItemModelTester tester(&model);
    const Prepared all = prepare(*test::sampleWalk(), GraphVersion::kPartitioned);
    model.present(all.index, all.facts, GraphVersion::kPartitioned);
    QCOMPARE(model.rowCount(), 9);  // 7 and two bodies
    QCOMPARE(cell(model, 4, NodesModel::kName), QString("head/gemm"));
    QCOMPARE(cell(model, 4, NodesModel::kProvider), QString("cpu"));
    QCOMPARE(cell(model, 4, NodesModel::kStep), QString("4"));
    QVERIFY(!cell(model, 0, NodesModel::kTime).isEmpty());
    QCOMPARE(cell(model, 7, NodesModel::kGraph), QString("then_branch of If 'gate/if'"));
    QCOMPARE(model.targets(4), (std::vector<NodeTarget>{{GraphVersion::kPartitioned, 0, 4}}));
    QCOMPARE(model.totals().timeNs, int64_t{1'037'000});
  }

  void figuresSortAsFigures() {
    NodesModel model;
    const Prepared all = prepare(*test::sampleWalk(), GraphVersion::kPartitioned);
    model.present(all.index, all.facts, GraphVersion::kPartitioned);
    model.sort(NodesModel::kTime, Qt::DescendingOrder);
    QCOMPARE(cell(model, 0, NodesModel::kName), QString("skeleton_0"));
    QCOMPARE(model.rowOf(0), 0);
    model.sort(NodesModel::kOperator, Qt::AscendingOrder);
    QCOMPARE(cell(model, 0, NodesModel::kOperator), QString("Flatten"));
  }

  void hitsFilterAndSumsFollow() {
    NodesModel model;
    const Prepared all = prepare(*test::sampleWalk(), GraphVersion::kPartitioned);
    model.present(all.index, all.facts, GraphVersion::kPartitioned);
    model.setHits(all.index->search(FindQuery::parse("provider:cpu time>30us"), all.facts));
    QCOMPARE(model.rowCount(), 3);  // copy, pool, gemm
    QCOMPARE(model.totals().timeNs, int64_t{90'000 + 60'000 + 33'000});
    QCOMPARE(model.rowOf(0), -1);
    QCOMPARE(model.toCsv().count('\n'), 4);
    model.setHits(std::nullopt);
    QCOMPARE(model.rowCount(), 9);
  }

  // The file counts an initializer once, and so does the line below the table of all nodes.
  void sharedWeightsCountOnce() {
    WalkReport walk = *test::sampleWalk();
    auto costs = std::make_shared<CostReport>();
    for (const GraphReport& graph : walk.loadedGraphs->graphs)
      costs->graphs.emplace_back().nodes.resize(graph.nodes.size());
    for (const size_t reader : {0, 1})  // the same four
      costs->graphs[0].nodes[reader] = {.weightBytes = 16, .parameters = 4};
    costs->graphs[0].total = {.weightBytes = 16, .parameters = 4};
    walk.loadedCosts = costs;
    NodesModel model;
    const Prepared all = prepare(walk, GraphVersion::kLoaded);
    model.present(all.index, all.facts, GraphVersion::kLoaded);
    QCOMPARE(model.totals().parameters, int64_t{8});
    const NodeTotals once = weightsCountedOnce(model.totals(), walk, GraphVersion::kLoaded);
    QCOMPARE(once.parameters, int64_t{4});
    QCOMPARE(once.weights, int64_t{16});
    QCOMPARE(once.nodes, model.totals().nodes);
    auto asked = std::make_shared<CostReport>();
    asked->graphs.resize(walk.optimizedGraphs->graphs.size());
    asked->graphs[0].total = {.weightBytes = 12, .parameters = 3};
    walk.optimizedCosts = asked;
    walk.partitionedCosts = costs;
    QCOMPARE(weightsCountedOnce(model.totals(), walk, GraphVersion::kPartitioned).parameters, int64_t{3});
    walk.loadedCosts.reset();
    QCOMPARE(weightsCountedOnce(model.totals(), walk, GraphVersion::kLoaded).parameters, int64_t{8});
  }

  void groupsAddUp() {
    NodesModel model;
    QAbstractItemModelTester tester(&model);
    const Prepared all = prepare(*test::sampleWalk(), GraphVersion::kPartitioned);
    model.present(all.index, all.facts, GraphVersion::kPartitioned);
    for (const NodesGrouping grouping :
         {NodesGrouping::kOperator, NodesGrouping::kProvider, NodesGrouping::kScope, NodesGrouping::kType,
          NodesGrouping::kPass, NodesGrouping::kGroup, NodesGrouping::kGraph}) {
      model.setGrouping(grouping);
      size_t nodes = 0;
      for (int row = 0; row < model.rowCount(); ++row)
        nodes += model.targets(row).size();
      QCOMPARE(nodes, size_t{9});
    }
    model.setGrouping(NodesGrouping::kProvider);
    QCOMPARE(model.rowCount(), 2);
    QCOMPARE(cell(model, 0, NodesModel::kName), QString("skeleton"));  // the most time first
    QCOMPARE(cell(model, 1, NodesModel::kNodes), QString("8"));
    model.setGrouping(NodesGrouping::kNone);
    QCOMPARE(model.rowCount(), 9);
  }

  void manyRowsDoNotStall_data() {
    QTest::addColumn<int>("column");
    QTest::newRow("name") << static_cast<int>(NodesModel::kName);
    QTest::newRow("operator") << static_cast<int>(NodesModel::kOperator);
    QTest::newRow("output") << static_cast<int>(NodesModel::kMemory);
  }
  void manyRowsDoNotStall() {
    QFETCH(int, column);
    static const auto walk = test::flatWalk(50'000);
    static const Prepared all = prepare(*walk, GraphVersion::kLoaded);
    NodesModel model;
    model.present(all.index, all.facts, GraphVersion::kLoaded);
    QCOMPARE(model.rowCount(), 50'000);
    QBENCHMARK {
      model.sort(column, Qt::DescendingOrder);
    }
  }
};

QTEST_APPLESS_MAIN(TestNodesPanel)
#include "tst_nodes_panel.moc"
