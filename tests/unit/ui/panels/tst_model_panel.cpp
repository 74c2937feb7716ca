// Model properties: sums by operator and scope, tables that lead to the graph, metadata as it is.
#include <QAbstractItemModelTester>
#include <QPlainTextEdit>
#include <QTabWidget>
#include <QTableView>
#include <QTest>

#include "tests/unit/ui/panels/tool_bench.h"
#include "ui/panels/linked_table.h"
#include "ui/panels/model/metadata_page.h"
#include "ui/panels/model/model_rollup.h"
#include "ui/panels/model/model_tables.h"
#include "ui/panels/report_model.h"

using namespace cutaway;
using namespace cutaway::ui;

namespace {

std::shared_ptr<const WalkReport> richWalk() {
  auto walk = std::make_shared<WalkReport>(*test::sampleWalk());
  auto load = std::make_shared<LoadReport>(*walk->load);
  load->metadata = {
      {"author", "somebody"}, {"config", R"({"labels":["cat","dog"],"size":224})"}, {"notes", "{not json"}};
  load->warnings = {"an opset is newer than what is known"};
  walk->load = load;
  auto costs = std::make_shared<CostReport>();
  for (const GraphReport& graph : walk->loadedGraphs->graphs) {
    GraphCosts each;
    for (size_t n = 0; n < graph.nodes.size(); ++n)
      each.nodes.push_back(
          {.flops = n == 0 ? -1 : static_cast<int64_t>(1000 * n), .movedBytes = 10, .weightBytes = 4, .parameters = 1});
    each.total = {.flops = 123'000, .movedBytes = 5000, .weightBytes = 4, .parameters = 1};
    each.unknownNodes = 1;
    costs->graphs.push_back(each);
  }
  walk->loadedCosts = costs;
  return walk;
}

}  // namespace

class TestModelPanel : public QObject {
  Q_OBJECT

 private slots:
  void sumsAreThoseOfTheNodes() {
    const auto walk = richWalk();
    const ModelRollup sums = rollUp(*walk->loadedGraphs, walk->loadedCosts.get());
    int64_t nodes = 0, all = 0, unknown = 0, flops = 0, expected = 0;
    for (const RollupRow& row : sums.operators) {
      nodes += row.nodes;
      unknown += row.unknown;
      flops += row.sum.flops;
      QCOMPARE(row.members.size(), static_cast<size_t>(row.nodes));
    }
    int64_t graphs = 0;
    for (const GraphReport& graph : walk->loadedGraphs->graphs) {
      all += static_cast<int64_t>(graph.nodes.size());
      graphs += !graph.nodes.empty();
      for (size_t n = 1; n < graph.nodes.size(); ++n)
        expected += static_cast<int64_t>(1000 * n);
    }
    QCOMPARE(nodes, all);
    QCOMPARE(unknown, graphs);
    QCOMPARE(flops, expected);
    for (size_t i = 1; i < sums.operators.size(); ++i)
      QVERIFY(sums.operators[i - 1].nodes >= sums.operators[i].nodes);
  }

  void scopesHoldWhatIsInsideThem() {
    const auto walk = test::flatWalk(300, true);
    const ModelRollup sums = rollUp(*walk->loadedGraphs, nullptr);
    QVERIFY(!sums.scopes.empty());
    int64_t top = 0;
    for (const RollupRow& row : sums.scopes) {
      QCOMPARE(row.members.size(), static_cast<size_t>(row.nodes));
      QCOMPARE(row.unknown, row.nodes);
      if (row.depth == 1) top += row.nodes;
    }
    QVERIFY(top <= 300 && top > 0);
  }

  void jsonIsSetOutInLines() {
    QVERIFY(setOut(R"({"a":[1,2]})").contains("\n"));
    QCOMPARE(setOut("{not json"), "{not json");
    QCOMPARE(setOut("plain"), "plain");
  }

  void rowsLeadToTheGraph() {
    test::ToolBench bench("model");
    bench.document.setWalk(richWalk());
    for (ReportModel* model : bench.panel->findChildren<ReportModel*>())
      new QAbstractItemModelTester(model, QAbstractItemModelTester::FailureReportingMode::QtTest, model);
    auto* tabs = bench.find<QTabWidget>();
    auto* signature = bench.find<LinkedTable>("model/table0");
    signature->view()->selectRow(0);
    QVERIFY(bench.document.selection().value().valid());
    auto* operators = bench.find<LinkedTable>("model/table2");
    tabs->setCurrentWidget(operators);
    QTRY_VERIFY(operators->view()->model()->rowCount() > 0);
    operators->view()->selectRow(0);
    QVERIFY(!bench.document.selection().value().valid());
    QVERIFY(!bench.document.selection().origins().empty());
    bench.picture("model-operators");
    for (int tab = 0; tab < tabs->count(); ++tab) {
      tabs->setCurrentIndex(tab);
      bench.picture(QStringLiteral("model-%1").arg(tab));
    }
  }

  void metadataIsReadable() {
    test::ToolBench bench("model");
    bench.document.setWalk(richWalk());
    auto* page = bench.panel->findChild<MetadataPage*>();
    bench.find<QTabWidget>()->setCurrentWidget(page);
    page->findChild<QTableView*>()->selectRow(1);
    QVERIFY(page->findChild<QPlainTextEdit*>()->toPlainText().contains("\"labels\": [\n"));
  }

  void namesFindTheirPlace() {
    const auto walk = test::sampleWalk();
    const NodeReport& node = walk->loadedGraphs->graphs[0].nodes[1];
    QCOMPARE(targetNamed(*walk->loadedGraphs, node.name, {}).node, (NodeTarget{GraphVersion::kLoaded, 0, 1}));
    QVERIFY(!targetNamed(*walk->loadedGraphs, "nobody", "nothing").node.valid());
  }
};

QTEST_MAIN(TestModelPanel)
#include "tst_model_panel.moc"
