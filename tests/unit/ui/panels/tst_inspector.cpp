// The inspector's page: long nodes are cut short until asked for, and lead to documentation, tensors and neighbours.
#include <QClipboard>
#include <QGuiApplication>
#include <QSignalSpy>
#include <QTest>
#include <QTextBrowser>

#include "tests/unit/ui/panels/tool_bench.h"
#include "ui/base/format.h"
#include "ui/panels/inspector/inspector_page.h"

using namespace cutaway;
using namespace cutaway::ui;

namespace {

// The first node has forty attributes, the last one long.
std::shared_ptr<const WalkReport> longWalk() {
  auto walk = std::make_shared<WalkReport>(*test::sampleWalk());
  auto graphs = std::make_shared<ModelGraphs>(*walk->loadedGraphs);
  NodeReport& node = graphs->graphs[0].nodes[0];
  node.attributes.clear();
  for (int i = 0; i < 40; ++i)
    node.attributes.push_back({"a" + std::to_string(i), "INT", std::to_string(i)});
  node.attributes[0].text = std::string(150, 'x') + "END";
  walk->loadedGraphs = graphs;
  auto costs = std::make_shared<CostReport>();
  for (const GraphReport& graph : graphs->graphs) {
    GraphCosts each;
    each.nodes.resize(graph.nodes.size());
    each.total.flops = 4000;
    costs->graphs.push_back(each);
  }
  costs->graphs[0].nodes[0] = {.flops = 1000, .movedBytes = 2048, .weightBytes = 512, .parameters = 128};
  walk->loadedCosts = costs;
  return walk;
}

}  // namespace

class TestInspector : public QObject {
  Q_OBJECT

 private slots:
  void longNodesAreCutShort() {
    test::ToolBench bench("inspector");
    bench.document.setWalk(longWalk());
    bench.document.selection().selectNode({GraphVersion::kLoaded, 0, 0});
    const QString cut = inspectorPage(bench.document, Theme::light());
    QVERIFY(!cut.contains(QString(100, 'x')));
    QVERIFY(cut.contains("more:attribute%20a0"));
    QVERIFY(!cut.contains(">a39<"));
    const QString whole = inspectorPage(bench.document, Theme::light(), {"attributes", "attribute a0"});
    QVERIFY(whole.contains(QString(150, 'x') + "END"));
    QVERIFY(whole.contains(">a39<"));
  }

  void costsAndLinksAreThere() {
    test::ToolBench bench("inspector");
    bench.document.setWalk(longWalk());
    bench.document.selection().selectNode({GraphVersion::kLoaded, 0, 0});
    const QString page = inspectorPage(bench.document, Theme::light());
    QVERIFY(page.contains("25 % of the graph"));
    QVERIFY(page.contains("128 parameters"));
    QVERIFY(page.contains("tool:operator"));
    QVERIFY(page.contains("look:0:"));
    bench.picture("inspector");
  }

  // Its card, the table of providers and the legend count what the provider was asked about.
  void groupsCountWhatTheirProviderWasAsked() {
    test::ToolBench bench("inspector");
    bench.document.setWalk(test::sampleWalk());
    bench.document.setStage(Stage::kPartition);
    bench.document.selection().selectNode({GraphVersion::kPartitioned, 0, 0});
    const QString page = inspectorPage(bench.document, Theme::light());
    const NodeReport& node = *bench.document.node({GraphVersion::kPartitioned, 0, 0});
    QVERIFY2(page.contains("Group of 5 nodes"), qPrintable(page));
    QVERIFY(node.origins.size() != 5);
    QVERIFY(page.contains("nodes of the model") && page.contains(countText(std::ssize(node.origins))));
  }

  // A node that stands for a group says what was compiled into it: nodes that the provider was asked about, not those
  // of the file.
  void groupsTellTheirOwnFacts() {
    test::ToolBench bench("inspector");
    auto walk = std::make_shared<WalkReport>(*test::sampleWalk());
    auto partition = std::make_shared<PartitionReport>(*walk->partition);
    GroupReport& group = partition->groups.front();
    group.inputs = {"image"};
    group.outputs = {"sum"};
    group.flops = 4000;
    group.simulated = true;
    walk->partition = partition;
    bench.document.setWalk(walk);
    bench.document.setStage(Stage::kSchedule);
    bench.document.selection().selectNode({GraphVersion::kPartitioned, 0, 0});
    const QString page = inspectorPage(bench.document, Theme::light());
    QVERIFY(page.contains("Group of 5 nodes") && !page.contains("Group of 6 nodes"));
    QVERIFY(page.contains("made of") && page.contains("Conv"));
    QVERIFY(page.contains("values in") && page.contains("together"));
    QVERIFY(page.contains("skeleton computes on this processor here"));
    bench.picture("inspector_group");
    bench.document.selection().selectNode({GraphVersion::kPartitioned, 0, 1});
    QVERIFY(!inspectorPage(bench.document, Theme::light()).contains("made of"));
  }

  void kernelsAreShownWithWhatRefused() {
    test::ToolBench bench("inspector");
    bench.document.setWalk(test::sampleWalk());
    bench.document.setStage(Stage::kSchedule);
    const auto graphs = bench.document.graphs(GraphVersion::kPartitioned);
    QVERIFY(graphs);
    bench.document.selection().selectNode({GraphVersion::kPartitioned, 0, 0});
    const auto pageOf = [&](const KernelFacts& facts) {
      return inspectorPage(bench.document, Theme::light(), {}, facts);
    };
    QVERIFY(!pageOf({}).contains("kernel"));
    QVERIFY(pageOf({.canFind = true}).contains("kernels:find"));
    const QString busy = pageOf({.busy = true});
    QVERIFY(busy.contains("kernels are being made") && !busy.contains("kernels:find"));
    const QString failed = pageOf({.canFind = true, .problem = "no room"});
    QVERIFY(failed.contains("no room") && failed.contains("kernels:find"));

    auto choices = std::make_shared<study::KernelChoices>();
    const NodeReport& node = graphs->graphs[0].nodes[0];
    choices->report.nodes.push_back({.graph = 0,
                                     .node = 0,
                                     .name = nodeTitle(graphs->graphs[0], 0).toStdString(),
                                     .opType = node.opType,
                                     .provider = "cpu",
                                     .variant = "highway:blocks",
                                     .fastPath = "highway",
                                     .refused = {{"onednn", "input 0 ('x') is float64"}},
                                     .packedBytes = 2048});
    const QString page = pageOf({.choices = choices});
    QVERIFY(page.contains("highway:blocks, 2.0 KB of constants packed") || page.contains("highway:blocks, 2.05 KB"));
    QVERIFY(page.contains("onednn: input 0"));
    QVERIFY(!page.contains("too, but not for"));
    auto slow = std::make_shared<study::KernelChoices>(*choices);
    slow->report.nodes[0].variant = "reference";
    QVERIFY(pageOf({.choices = slow}).contains("its row has highway too, but not for what this node is"));
    slow->report.nodes[0].graph = 1;  // another graph's node of the same name
    QVERIFY(!pageOf({.choices = slow}).contains("its row has"));
  }

  void linksDoWhatTheySay() {
    test::ToolBench bench("inspector");
    bench.document.setWalk(longWalk());
    bench.document.selection().selectNode({GraphVersion::kLoaded, 0, 0});
    auto* page = bench.find<QTextBrowser>("inspector/page");
    QSignalSpy tools(&bench.actions, &PanelActions::toolRequested);
    emit page->anchorClicked(QUrl("tool:operator"));
    QCOMPARE(tools.last().first().toString(), "operator");
    QVERIFY(!page->toPlainText().contains("a39"));
    emit page->anchorClicked(QUrl("more:attributes"));
    QVERIFY(page->toPlainText().contains("a39"));
    emit page->anchorClicked(QUrl("copy:some%20name"));
    QCOMPARE(QGuiApplication::clipboard()->text(), "some name");
    emit page->anchorClicked(QUrl("attribute:a0"));
    QVERIFY(QGuiApplication::clipboard()->text().endsWith("xEND"));
    const QString value = QString::fromStdString(bench.document.walk()->loadedGraphs->graphs[0].values[0].name);
    emit page->anchorClicked(QUrl("look:0:" + QString::fromLatin1(QUrl::toPercentEncoding(value))));
    QCOMPARE(tools.last().first().toString(), "tensor");
    QCOMPARE(bench.document.selection().value().name, value);
  }
};

QTEST_MAIN(TestInspector)
#include "tst_inspector.moc"
