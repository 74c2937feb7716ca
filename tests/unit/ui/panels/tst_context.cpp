// Context models in the window's models: tables, words, pages, the command line, colours, and nodes inside of context
// nodes.
#include <QAbstractItemModelTester>
#include <QApplication>
#include <QTest>

#include "tests/unit/ui/context_fixture.h"
#include "tests/unit/ui/walk_fixture.h"
#include "ui/base/context_words.h"
#include "ui/base/provider_marks.h"
#include "ui/base/shell_word.h"
#include "ui/base/theme.h"
#include "ui/canvas/find_index.h"
#include "ui/canvas/overlay.h"
#include "ui/document/document.h"
#include "ui/panels/context/context_command.h"
#include "ui/panels/context/context_tables.h"
#include "ui/panels/context/export_result.h"
#include "ui/panels/context_page.h"
#include "ui/panels/inspector/inspector_page.h"
#include "ui/panels/page_writer.h"

using namespace cutaway;
using namespace cutaway::ui;

namespace {

std::shared_ptr<const EngineHost> emptyHost() {
  return std::make_shared<EngineHost>();
}

void checkRows(ReportRows rows, int wanted) {
  ReportModel model;
  QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
  model.present(std::move(rows));
  QCOMPARE(model.rowCount(), wanted);
  for (int row = 0; row < model.rowCount(); ++row)
    for (int column = 0; column < model.columnCount(); ++column)
      for (const int role : {int(Qt::DisplayRole), int(Qt::ToolTipRole), int(kSortRole), int(kTargetRole)})
        model.index(row, column).data(role);
}

}  // namespace

class TestContext : public QObject {
  Q_OBJECT

 private slots:
  void tablesHoldTheirContract() {
    checkRows(groupRows(test::previewWalk()), 3);
    checkRows(contextRows(test::compiledWalk()), 1);
    checkRows(contextRows(test::compiledWalk(test::Maker::kForeign)), 1);
    checkRows(groupRows(std::make_shared<WalkReport>()), 0);
  }

  void groupsSayWhatIsKeptAndWhyNot() {
    const auto walk = test::previewWalk();
    const ReportRows rows = groupRows(walk);
    QCOMPARE(rows.cell(0, kGroupName), QStringLiteral("skeleton_0"));
    QCOMPARE(rows.cell(0, kGroupAnswer), QStringLiteral("yes"));
    QVERIFY(rows.cell(1, kGroupAnswer).startsWith("as a placeholder: the hardware is described"));
    QVERIFY(rows.cell(2, kGroupAnswer).startsWith("no: run by kernels"));
    QCOMPARE(rows.cell(0, kGroupNodes), QStringLiteral("5"));
    QCOMPARE(groupNodes(*walk, 1),
             (std::vector<NodeTarget>{{GraphVersion::kOptimized, 0, 5}, {GraphVersion::kOptimized, 0, 6}}));
    QVERIFY(groupNodes(*walk, 9).empty());
    const KeptSum sum = keptOf(*walk->context);
    QCOMPARE(sum.groups, int64_t{2});
    QCOMPARE(sum.keptGroups, int64_t{2});
    QCOMPARE(sum.simulatedGroups, int64_t{1});
    QCOMPARE(sum.keptNodes, int64_t{7});
    QCOMPARE(sum.nodes, int64_t{10});
    QVERIFY(previewSentence(*walk->context).contains("other 3 nodes"));
  }

  void previewSentenceFits_data() {
    QTest::addColumn<bool>("compiled");
    QTest::addColumn<bool>("canSave");
    QTest::addColumn<bool>("placeholder");
    QTest::addColumn<QString>("words");
    QTest::newRow("nothing compiled") << false << false << false << "nothing is compiled";
    QTest::newRow("nothing kept") << true << false << false << "none of them can be kept";
    QTest::newRow("placeholders") << true << true << true << "only placeholders";
    QTest::newRow("kept") << true << true << false << "compiles nothing";
  }
  void previewSentenceFits() {
    QFETCH(bool, compiled);
    QFETCH(bool, canSave);
    QFETCH(bool, placeholder);
    QFETCH(QString, words);
    ContextReport report;
    report.groups = {{.provider = "p",
                      .name = compiled ? "g" : "",
                      .nodes = {0, 1},
                      .canSave = canSave,
                      .isPlaceholder = placeholder}};
    QVERIFY2(previewSentence(report).contains(words), qPrintable(previewSentence(report)));
  }

  void fateFollowsTheChecks_data() {
    QTest::addColumn<QString>("provider");
    QTest::addColumn<bool>("placeholder");
    QTest::addColumn<QString>("failed");
    QTest::addColumn<int>("fate");
    QTest::newRow("restored") << "onednn" << false << "" << int(ContextFate::kRestored);
    QTest::newRow("placeholder") << "declared(X)" << true << "" << int(ContextFate::kSimulated);
    QTest::newRow("damaged") << "" << false << "checksum" << int(ContextFate::kRefused);
    QTest::newRow("foreign") << "" << false << "provider" << int(ContextFate::kForeign);
  }
  void fateFollowsTheChecks() {
    QFETCH(QString, provider);
    QFETCH(bool, placeholder);
    QFETCH(QString, failed);
    QFETCH(int, fate);
    ContextNodeReport node{.source = "S", .provider = provider.toStdString(), .isPlaceholder = placeholder};
    node.checks = {{"attributes", CheckState::kPassed, ""}};
    if (!failed.isEmpty())
      node.checks.push_back({failed.toStdString(), CheckState::kFailed, "It is not as it should be."});
    QCOMPARE(int(contextFate(node)), fate);
    QVERIFY(!contextFateText(contextFate(node)).isEmpty());
    const QString words = contextExplanation(node, {"cpu"});
    QVERIFY2(words.startsWith("Compiled by S"), qPrintable(words));
    if (fate == int(ContextFate::kRefused)) QVERIFY(words.contains("It is not as it should be."));
    if (fate == int(ContextFate::kForeign)) QVERIFY(words.contains("(cpu)"));
  }

  void foreignFileIsExplainedOnItsPage() {
    const auto walk = test::compiledWalk(test::Maker::kForeign);
    PageWriter page(Theme::light());
    writeContext(page, walk->context->nodes.front(), providerNames(*walk));
    const QString html = page.finish();
    for (const char* words : {"Compiled by Qualcomm QNN for HTP v73 with SDK 2.16", "None of the providers",
                              "compiled_qnn.bin", "QNN context binary", "passed", "failed", "the file does not say"})
      QVERIFY2(html.contains(QLatin1String(words)), words);
  }

  void checksHaveMarksAndWords() {
    QStringList marks, words;
    for (const CheckState state :
         {CheckState::kPassed, CheckState::kWarning, CheckState::kFailed, CheckState::kSkipped})
      marks << checkLook(state).mark, words << checkLook(state).word;
    QCOMPARE(marks.removeDuplicates(), 0);
    QCOMPARE(words.removeDuplicates(), 0);
  }

  void resultSaysFiguresInWords() {
    const ContextWritten written = test::writtenReport("/out");
    ContextVerification seen = test::verificationReport();
    QString html = exportResultPage(written, &seen, Theme::darkTheme());
    for (const char* words :
         {"sample_ctx.onnx", "context binary of skeleton", "bit-identical", "34\u00d7 faster", "placeholder"}) {
      const QString wanted = QString::fromUtf8(words).replace("&nbsp;", QChar(0x00a0));
      QVERIFY2(html.contains(wanted), qPrintable(wanted));
    }
    QVERIFY(verificationSentence(seen).contains("bit-identical"));
    seen.sameOutputs = false;
    seen.outputs.push_back({"logits", false, 0.001, ""});
    html = exportResultPage(written, &seen, Theme::light());
    QVERIFY(html.contains("1 of 2 outputs") && html.contains("differs by up to 0.001"));
    QVERIFY(verificationSentence(seen).contains("differ"));
    seen.loads = false;
    seen.problem = "the checksum of chunk 3 is wrong";
    QVERIFY(exportResultPage(written, &seen, Theme::light()).contains("chunk 3"));
    QVERIFY(verificationSentence(seen).contains("does not load"));
    QVERIFY(!exportResultPage(written, nullptr, Theme::light()).contains("Loaded again"));
  }

  // Once measured and over at once: figures, but no ratio; and none of later runs, which are by the same groups, so
  // that what sets them apart is noise.
  void shortTimesAreNotCompared() {
    const Theme theme = Theme::light();
    ContextVerification seen = test::verificationReport();
    seen.compileNs = 5'000'000;
    seen.loadNs = 15'000'000;
    seen.firstRunContextNs = 67'000'000;
    seen.runOriginalNs = 1'920'000;
    const QString page = exportResultPage({}, &seen, theme);
    QVERIFY2(!page.contains("slower") && !page.contains("faster"), qPrintable(page));
    QVERIFY(!page.contains("as fast") && page.contains("by the same groups"));
    QCOMPARE(verificationSentence(seen),
             QStringLiteral("It reloads and is bit-identical; both are ready within 100 ms."));
    seen.loadNs = 100'000'000;
    QCOMPARE(verificationSentence(seen),
             QStringLiteral("It reloads and is bit-identical, ready to run 20\u00d7 slower."));
  }

  // A simulator's times stand there as they are, and none is called faster than another.
  void simulatedTimesAreNotCompared() {
    ContextVerification seen = test::verificationReport();
    seen.compileNs = 900'000'000;
    seen.loadNs = 300'000'000;
    const QString page = exportResultPage({}, &seen, Theme::light(), {"qnn"});
    for (const char* const word : {"slower", "faster", "as fast"})
      QVERIFY2(!page.contains(word), qPrintable(page));
    const qsizetype simulated = page.indexOf("qnn: these times say nothing about its hardware");
    QVERIFY2(simulated >= 0 && simulated < page.indexOf("First run"), qPrintable(page));
    QVERIFY(exportResultPage({}, &seen, Theme::light()).contains("faster"));
    QCOMPARE(verificationSentence(seen, true), QStringLiteral("It reloads and is bit-identical."));
  }

  void commandDoesTheSame() {
    session::SessionOptions options;
    options.providers = {"onednn", "declared(CoreML)"};
    options.dims["batch"] = 4;
    options.pins = {{NodePin::Kind::kOperator, "Conv", "cpu"}};
    const ContextExportOptions exportOptions{.file = "/out dir/m_ctx.onnx",
                                             .embed = true,
                                             .prefix = "a_",
                                             .initializersFile = "rest.bin",
                                             .thresholdBytes = 4096,
                                             .overwrite = true};
    const QString line = contextCommand("/in/m.onnx", options, exportOptions);
    QCOMPARE(line, QStringLiteral("cutaway-cli context /in/m.onnx -o '/out dir/m_ctx.onnx' --providers "
                                  "'onednn,declared(CoreML)' --opt-level 3 --pin op:Conv=cpu --dim batch=4 --embed "
                                  "--prefix a_ --external-initializers rest.bin --threshold 4096 --force --verify"));
  }

  void shellWordsAreSafe_data() {
    QTest::addColumn<QString>("word");
    QTest::addColumn<QString>("quoted");
    QTest::newRow("plain") << "a/b-c.onnx" << "a/b-c.onnx";
    QTest::newRow("space") << "a b" << "'a b'";
    QTest::newRow("quote") << "it's" << "'it'\\''s'";
    QTest::newRow("dollar") << "$(rm)" << "'$(rm)'";
    QTest::newRow("empty") << "" << "''";
  }
  void shellWordsAreSafe() {
    QFETCH(QString, word);
    QTEST(shellWord(word), "quoted");
  }

  void defaultNameStopsAtTheLastDot() {
    QCOMPARE(defaultContextFile("/a/b.c.onnx"), QStringLiteral("/a/b.c_ctx.onnx"));
    QCOMPARE(defaultContextFile("/a/b"), QStringLiteral("/a/b_ctx.onnx"));
  }

  void coloursShowWhatIsKept() {
    const Overlay overlay = makeOverlay("context", *test::previewWalk(), GraphVersion::kOptimized, 0);
    QVERIFY(overlay.available);
    QCOMPARE(overlay.category, (std::vector<signed char>{0, 0, 0, 0, 0, 1, 1, -1, -1, -1}));
    QCOMPARE(overlay.letterOf(0), QChar('K'));
    QCOMPARE(overlay.legend.back().label, QStringLiteral("not compiled"));
    QCOMPARE(overlay.legend.back().count, 3);
    const Overlay fused = makeOverlay("context", *test::previewWalk(), GraphVersion::kPartitioned, 0);
    QCOMPARE(int(fused.category[0]), 0);  // through the originals
    QVERIFY(!makeOverlay("context", *test::sampleWalk(), GraphVersion::kOptimized, 0).available);
  }

  void insideHasTheColoursOfItsContextNode() {
    const auto walk = test::compiledWalk();
    const Overlay context = makeOverlay("context", *walk, GraphVersion::kPartitioned, 1);
    QCOMPARE(context.category, std::vector<signed char>(5, 2));
    const Overlay provider = makeOverlay("provider", *walk, GraphVersion::kPartitioned, 1);
    const int place = providerMarks(*walk).indexOf(walk->partition->providers[0].name);
    QCOMPARE(provider.category, std::vector<signed char>(5, static_cast<signed char>(place)));
    QCOMPARE(provider.legend[0].count, 5);
    QCOMPARE(provider.legend[1].count, 0);
    const Overlay order = makeOverlay("order", *walk, GraphVersion::kPartitioned, 1);
    QVERIFY(!order.available && order.missing.contains("one step"));
    QCOMPARE(order.amount.size(), size_t{5});
    QVERIFY(makeOverlay("operator", *walk, GraphVersion::kPartitioned, 1).available);
    const Overlay foreign =
        makeOverlay("context", *test::compiledWalk(test::Maker::kForeign), GraphVersion::kPartitioned, 0);
    QCOMPARE(foreign.category, (std::vector<signed char>{-1, 3, -1}));
  }

  void innerNodeStandsForItsContextNode() {
    Document document(emptyHost(), {});
    document.setWalk(test::compiledWalk());
    Selection& selection = document.selection();
    selection.selectNode({GraphVersion::kLoaded, 1, 2});
    QCOMPARE(selection.origins(), std::vector<int>{0});
    QCOMPARE(selection.nodesIn(GraphVersion::kLoaded, 1), std::vector<int>{2});
    QCOMPARE(selection.nodesIn(GraphVersion::kLoaded, 0), std::vector<int>{0});
    QCOMPARE(selection.nodesIn(GraphVersion::kPartitioned, 0),
             std::vector<int>{1});  // a copy stands in front of it there
    QCOMPARE(selection.focusIn(GraphVersion::kPartitioned), (NodeTarget{GraphVersion::kPartitioned, 1, 2}));
    QCOMPARE(selection.stepIn(GraphVersion::kPartitioned), (NodeTarget{GraphVersion::kPartitioned, 0, 1}));
    selection.selectValue({1, QStringLiteral("c2")});
    QCOMPARE(selection.origins(), std::vector<int>{0});
  }

  void whatIsInsideIsNotCounted() {
    auto walk = std::make_shared<WalkReport>(*test::compiledWalk());
    auto graphs = std::make_shared<ModelGraphs>(*walk->loadedGraphs);
    graphs->graphs[1].nodes[0].origins = {0};  // even if the nodes inside name the originals of the context node
    const GraphIndex index(graphs);
    QCOMPARE(index.nodesOf(0).size(), size_t{1});
    QCOMPARE(index.nodesOf(0).front(), (NodePlace{0, 0}));
    QVERIFY(index.valueIndex(1, "c2") >= 0);
  }

  void hostileParentsEnd() {
    auto walk = std::make_shared<WalkReport>(*test::compiledWalk());
    auto graphs = std::make_shared<ModelGraphs>(*walk->loadedGraphs);
    graphs->graphs[1].parentGraph = 1;  // inside of itself
    walk->loadedGraphs = walk->optimizedGraphs = walk->partitionedGraphs = graphs;
    Document document(emptyHost(), {});
    document.setWalk(walk);
    document.selection().selectNode({GraphVersion::kLoaded, 1, 0});
    document.holderOf({GraphVersion::kLoaded, 1, 0});
    makeOverlay("context", *walk, GraphVersion::kLoaded, 1);
    QVERIFY(inspectorPage(document, Theme::light()).contains("Conv"));
  }

  void findingLooksInside() {
    const FindIndex index(test::compiledWalk()->loadedGraphs);
    QCOMPARE(index.search(FindQuery::parse("inner/relu2")), (std::vector<FindHit>{{1, 3}}));
  }

  void inspectorExplainsContextNodes() {
    Document document(emptyHost(), {});
    document.setWalk(test::compiledWalk());
    document.selection().selectNode({GraphVersion::kLoaded, 0, 0});
    QString html = inspectorPage(document, Theme::light());
    QVERIFY(html.contains("graph:1") && html.contains("5 original nodes") &&
            html.contains("nothing was compiled again") && html.contains("Checks"));
    document.selection().selectNode({GraphVersion::kLoaded, 1, 2});
    html = inspectorPage(document, Theme::light());
    QVERIFY(html.contains("compiled into") && html.contains("inner/conv2"));
  }

  void stageShowsTheNodesThatAreKept() {
    Document document(emptyHost(), {});
    document.setWalk(test::previewWalk());
    QCOMPARE(document.versionFor(Stage::kContext), GraphVersion::kOptimized);
    document.setWalk(test::compiledWalk());
    QCOMPARE(document.versionFor(Stage::kContext), GraphVersion::kPartitioned);
    QCOMPARE(document.contextNode({GraphVersion::kPartitioned, 0, 1}), &document.walk()->context->nodes.front());
    QCOMPARE(document.contextNode({GraphVersion::kPartitioned, 1, 4}), &document.walk()->context->nodes.front());
    QVERIFY(!document.contextNode({GraphVersion::kPartitioned, 0, 2}));
    QCOMPARE(document.targetOf(document.walk()->context->nodes.front(), GraphVersion::kPartitioned),
             (NodeTarget{GraphVersion::kPartitioned, 0, 1}));
  }
};

QTEST_MAIN(TestContext)
#include "tst_context.moc"
