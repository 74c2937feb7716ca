// What-if in the window, as a person does it: change the order, compare, look at both sides, apply, cancel, save and
// load.
#include <atomic>

#include <QAbstractButton>
#include <QClipboard>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTest>

#include "tests/gui/window_driver.h"
#include "tests/unit/ui/walk_fixture.h"
#include "ui/canvas/overlay.h"
#include "ui/panels/figures_view.h"
#include "ui/panels/linked_table.h"
#include "ui/panels/partition/draft_editor.h"
#include "ui/panels/partition/node_answers.h"
#include "ui/panels/partition/provider_priorities.h"
#include "ui/panels/partition/what_if_page.h"
#include "ui/panels/pin_menu.h"
#include "ui/shell/activity_bar.h"

using namespace cutaway;
using namespace cutaway::ui;

namespace {

// Gives the first node to somebody else, so that a test knows what must be seen.
Result<study::WhatIfResult> moveFirstNode(const WalkReport& present, const session::Configuration& change) {
  auto walk = std::make_shared<WalkReport>(present);
  auto partition = std::make_shared<PartitionReport>(*present.partition);
  const std::string before = partition->nodes.front().provider;
  partition->nodes.front().provider = "skeleton";
  walk->partition = partition;
  auto comparison = std::make_shared<PartitionComparison>();
  comparison->a.title = "now";
  comparison->b.title = "what if";
  const auto count = static_cast<int64_t>(partition->nodes.size());
  comparison->a.providers = {{"skeleton", false, 0, 0}, {"cpu", false, count, 1}};  // whatever was asked in truth
  comparison->b.providers = {{"skeleton", false, 1, 1}, {"cpu", false, count - 1, 1}};
  comparison->b.copies = 1;
  comparison->b.copiedBytes = 2'048;
  comparison->moved = {
      {0, partition->nodes.front().node, "first", "Conv", before, "skeleton", "skeleton is asked first now", 1'000}};
  comparison->copiesOnlyInB = {{0, "x", "cpu", "accelerator:0", 2'048, "copy", "made for the test"}};
  return study::WhatIfResult{.walk = walk, .comparison = comparison, .configuration = change};
}

std::shared_ptr<EngineHost> hostWith(EngineHost::EvaluateWhatIf evaluate) {
  auto host = test::engineHost();
  host->evaluateWhatIf = std::move(evaluate);
  return host;
}

std::shared_ptr<EngineHost> knowingHost() {
  return hostWith([](const Model&, const session::SessionOptions&, const session::Configuration& change,
                     const WalkReport& present, Progress&, int) { return moveFirstNode(present, change); });
}

session::SessionOptions skeletonFirst() {
  session::SessionOptions options;
  options.providers = {"skeleton", "declared(TensorRT)", "cpu"};
  options.threads = 1;
  return options;
}

struct WindowDriver : test::WindowDriver {
  explicit WindowDriver(std::shared_ptr<EngineHost> host, const session::SessionOptions& options = skeletonFirst())
      : test::WindowDriver(host, options) {}
  // The sample at its partition stage, with the what-if page in front.
  WhatIfPage* openWhatIf() {
    return open(test::sample("digits_cnn"), Stage::kPartition) ? bring<WhatIfPage>() : nullptr;
  }
  QAbstractButton* tool(const char* words) { return button(QLatin1String(words)); }
};

}  // namespace

class TestWhatIfWindow : public QObject {
  Q_OBJECT

 private slots:
  void cleanupTestCase() { EngineService::waitForThreads(); }

  // From a refusal to the nodes it is about, and to what one of them was told.
  void refusalsLeadToTheirNodes() {
    session::SessionOptions options = skeletonFirst();
    options.providers = {"declared(VitisAI)", "cpu"};
    WindowDriver driver(knowingHost(), options);
    WhatIfPage* page = driver.openWhatIf();
    QVERIFY(page);
    auto* refusals = driver.window.findChild<LinkedTable*>("partition/table2");
    auto* nodes = driver.window.findChild<LinkedTable*>("partition/table1");
    QTabWidget* tabs = nullptr;
    for (QWidget* up = refusals; up && !tabs; up = up->parentWidget())
      tabs = qobject_cast<QTabWidget*>(up);
    QVERIFY(tabs && refusals->proxy()->rowCount() > 1);
    tabs->setCurrentWidget(refusals);
    QVERIFY(driver.window.findChild<ProviderPriorities*>()->isVisible());
    refusals->view()->setFocus();
    QTest::mouseClick(refusals->view()->viewport(), Qt::LeftButton, {},
                      refusals->view()->visualRect(refusals->proxy()->index(0, 5)).center());
    const auto refused = driver.document().walk()->partition->refusals.front().nodes.size();
    QTRY_VERIFY(!driver.page->canvas()->view()->look().selected.empty());
    QCOMPARE(nodes->proxy()->rowCount(), static_cast<int>(refused));
    driver.keepPicture("refusals");
    QTest::keyClick(refusals->view(), Qt::Key_Return);
    QCOMPARE(tabs->currentWidget(), nodes);
    driver.keepPicture("nodes-of-a-refusal");
    nodes->view()->setFocus();
    QTest::mouseClick(nodes->view()->viewport(), Qt::LeftButton, {},
                      nodes->view()->visualRect(nodes->proxy()->index(0, 0)).center());
    QTest::keyClick(nodes->view(), Qt::Key_Return);
    auto* answers = driver.window.findChild<NodeAnswers*>();
    QCOMPARE(tabs->currentWidget(), answers);
    QVERIFY(answers->html().contains(QString::fromUtf8("\u2715 refused")));
    driver.keepPicture("answers");
  }

  void orderIsChangedByKey() {
    WindowDriver driver(knowingHost());
    WhatIfPage* page = driver.openWhatIf();
    QVERIFY(page && page->isVisible());
    QVERIFY(!driver.window.findChild<ProviderPriorities*>()->isVisible());  // its room belongs to the comparison now
    OrderList* list = page->editor()->providers();
    QCOMPARE(list->topLevelItemCount(), 3);
    QCOMPARE(list->topLevelItem(0)->text(0), QStringLiteral("skeleton"));
    QVERIFY(!page->applyButton()->isEnabled());
    list->setFocus();
    list->setCurrentItem(list->topLevelItem(1));
    QTest::keyClick(list, Qt::Key_Up, Qt::AltModifier);
    QCOMPARE(list->topLevelItem(0)->text(0), QStringLiteral("declared(TensorRT)"));
    QCOMPARE(driver.document().draft().providers().front().name, QStringLiteral("declared(TensorRT)"));
    QVERIFY(page->applyButton()->isEnabled());
    QTest::keyClick(list, Qt::Key_Down, Qt::AltModifier);
    QTest::keyClick(list, Qt::Key_Down, Qt::AltModifier);  // cpu stays last
    QCOMPARE(list->topLevelItem(2)->text(0), QStringLiteral("cpu"));
    QVERIFY(!page->applyButton()->isEnabled());
    // What a drag leaves behind.
    list->insertTopLevelItem(0, list->takeTopLevelItem(1));
    emit list->dropped();
    QTRY_COMPARE(driver.document().draft().providers().front().name, QStringLiteral("declared(TensorRT)"));
    driver.document().draft().revert();
    list->topLevelItem(1)->setCheckState(0, Qt::Unchecked);
    QTRY_VERIFY(!driver.document().draft().providers()[1].enabled);
    QCOMPARE(*driver.document().draft().configuration().providers, (std::vector<std::string>{"skeleton", "cpu"}));
    driver.keepPicture("what-if-change");
  }

  void comparisonStandsSideBySide() {
    WindowDriver driver(knowingHost());
    WhatIfPage* page = driver.openWhatIf();
    QVERIFY(page);
    QVERIFY(driver.tool("What if") == nullptr);
    QTest::mouseClick(page->compareButton(), Qt::LeftButton);
    QTRY_VERIFY(driver.document().whatIf());
    const auto& rows = page->figures()->rows();
    const auto copies = std::find_if(rows.begin(), rows.end(),
                                     [](const FigureRow& row) { return row.label == QLatin1String("copies"); });
    QCOMPARE(int(copies->kind), int(FigureRow::kWorse));
    QVERIFY(page->figures()->isVisible());
    QCOMPARE(page->findChild<LinkedTable*>("partition/moved")->proxy()->rowCount(), 1);
    QCOMPARE(page->findChild<LinkedTable*>("partition/movedCopies")->proxy()->index(0, 0).data().toString(),
             QStringLiteral("+ added"));

    // The graph shows the nodes that providers were asked about, in the colours of either side.
    CanvasPane* canvas = driver.page->canvas();
    QTRY_VERIFY(!canvas->loading() && canvas->loaded().scene->graphs == driver.document().walk()->optimizedGraphs);
    const auto skeletons = [canvas] { return canvas->view()->look().overlay->legend[0].count; };
    QCOMPARE(canvas->view()->look().overlay->legend[0].label, QStringLiteral("skeleton"));
    QTRY_COMPARE(skeletons(), 1);
    driver.keepPicture("what-if-figures");
    QCOMPARE(driver.window.findChild<ProviderPriorities*>()->model()->index(0, 2).data().toString(),
             QStringLiteral("1"));  // the panel follows the side
    QTest::mouseClick(driver.tool("Now"), Qt::LeftButton);
    QCOMPARE(driver.window.findChild<ProviderPriorities*>()->model()->index(0, 2).data().toString(),
             QStringLiteral("0"));
    QCOMPARE(skeletons(), 0);
    QCOMPARE(driver.document().side(), Side::kNow);
    QTest::mouseClick(driver.tool("What if"), Qt::LeftButton);
    QCOMPARE(skeletons(), 1);
    driver.document().dropComparison();
    QVERIFY(driver.tool("Now") == nullptr);
    // The partitioned graph again, with the insides of its compiled groups behind it.
    const auto nodes = [](const std::shared_ptr<const ModelGraphs>& graphs) { return graphs->graphs[0].nodes.size(); };
    QVERIFY(nodes(driver.document().walk()->partitionedGraphs) != nodes(driver.document().walk()->optimizedGraphs));
    QTRY_COMPARE(nodes(canvas->loaded().scene->graphs), nodes(driver.document().walk()->partitionedGraphs));
  }

  // The engine itself: without the provider that took nodes they go to others, and applied it is so.
  void theEngineAnswers() {
    WindowDriver driver(test::engineHost());
    WhatIfPage* page = driver.openWhatIf();
    QVERIFY(page);
    page->editor()->providers()->topLevelItem(1)->setCheckState(0, Qt::Unchecked);
    QTRY_VERIFY(page->applyButton()->isEnabled());
    QTest::mouseClick(page->compareButton(), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(!driver.document().comparing(), 60'000);
    QVERIFY2(driver.document().whatIf(),
             driver.document().whatIfError() ? driver.document().whatIfError()->message.c_str() : "");
    const PartitionComparison& comparison = *driver.document().whatIf()->comparison;
    QVERIFY(!comparison.moved.empty());
    QCOMPARE(comparison.moved.front().from, std::string("declared(TensorRT)"));
    QCOMPARE(page->findChild<LinkedTable*>("partition/moved")->proxy()->rowCount(),
             static_cast<int>(comparison.moved.size()));
    const size_t moved = comparison.moved.size();
    QTest::mouseClick(page->applyButton(), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(!driver.document().service().busy() && driver.document().walk()->partition, 30'000);
    QVERIFY(!driver.document().error());
    const auto& nodes = driver.document().walk()->partition->nodes;
    QVERIFY(std::count_if(nodes.begin(), nodes.end(), [](const NodePlacement& node) {
              return node.provider == "cpu";
            }) >= static_cast<std::ptrdiff_t>(moved));
  }

  void appliedDraftBecomesTheSession() {
    WindowDriver driver(knowingHost());
    WhatIfPage* page = driver.openWhatIf();
    QVERIFY(page);
    driver.document().draft().setMinimumGroupNodes(3);
    driver.document().draft().move(0, 1);
    QTest::mouseClick(page->applyButton(), Qt::LeftButton);
    QVERIFY(!driver.document().whatIf());
    QTRY_VERIFY_WITH_TIMEOUT(!driver.document().service().busy() && driver.document().walk()->partition, 30'000);
    QCOMPARE(driver.document().options().minimumGroupNodes, int64_t{3});
    QCOMPARE(driver.document().options().providers.front(), std::string("declared(TensorRT)"));
    QCOMPARE(driver.document().walk()->partition->providers.front().name, std::string("declared(TensorRT)"));
    QVERIFY(!driver.document().draft().isChanged());
  }

  void pinsComeFromTheMenu() {
    WindowDriver driver(knowingHost());
    WhatIfPage* page = driver.openWhatIf();
    QVERIFY(page);
    QMenu menu;
    addPinEntries(&menu, &driver.document(), {GraphVersion::kLoaded, 0, 0}, Theme::light(), nullptr);
    QVERIFY(menu.actions().size() >= 3);  // the node, its operator, at least one scope
    QMenu* operators = menu.actions()[1]->menu();
    QVERIFY(operators && operators->actions().size() == 3);
    operators->actions()[0]->trigger();
    QCOMPARE(driver.document().draft().pins().size(), size_t{1});
    QCOMPARE(int(driver.document().draft().pins()[0].kind), int(NodePin::Kind::kOperator));
    QCOMPARE(driver.document().draft().pins()[0].provider, std::string("skeleton"));
    QTreeWidget* pins = page->editor()->pins();
    QVERIFY(pins->isVisible());
    pins->setFocus();
    pins->setCurrentItem(pins->topLevelItem(0));
    QTest::keyClick(pins, Qt::Key_Delete);
    QVERIFY(driver.document().draft().pins().empty());
  }

  // Cancel frees the page at once, and what comes late is not shown.
  void cancelAnswersAtOnce() {
    auto finished = std::make_shared<std::atomic<bool>>(false);
    WindowDriver driver(
        hostWith([finished](const Model&, const session::SessionOptions&, const session::Configuration& change,
                            const WalkReport& present, Progress& progress, int) -> Result<study::WhatIfResult> {
          while (!progress.cancelled())
            QThread::msleep(5);
          QThread::msleep(100);
          *finished = true;
          return moveFirstNode(present, change);
        }));
    WhatIfPage* page = driver.openWhatIf();
    QVERIFY(page);
    QTest::mouseClick(page->compareButton(), Qt::LeftButton);
    QCOMPARE(page->compareButton()->text(), QStringLiteral("Cancel"));
    QVERIFY(driver.document().comparing());
    QVERIFY(driver.document().stageState(Stage::kRun) != StageState::kRunning);
    QTest::mouseClick(page->compareButton(), Qt::LeftButton);
    QVERIFY(!driver.document().comparing());
    QCOMPARE(page->compareButton()->text(), QStringLiteral("Compare"));
    QTRY_VERIFY(finished->load());
    QTest::qWait(50);
    QVERIFY(!driver.document().whatIf());
    QVERIFY(!driver.document().cancelled());  // the walk itself was not
  }

  void refusalsOfTheChangeAreShownBeside() {
    WindowDriver driver(hostWith([](const Model&, const session::SessionOptions&, const session::Configuration&,
                                    const WalkReport&, Progress&, int) -> Result<study::WhatIfResult> {
      return fail(ErrorCode::kInvalidArgument, "unknown provider 'warp'");
    }));
    WhatIfPage* page = driver.openWhatIf();
    QVERIFY(page);
    QTest::mouseClick(page->compareButton(), Qt::LeftButton);
    QTRY_VERIFY(driver.document().whatIfError());
    const auto labels = page->findChildren<QLabel*>();
    QVERIFY(std::any_of(labels.begin(), labels.end(), [](const QLabel* label) {
      return label->isVisible() && label->text().contains("unknown provider 'warp'");
    }));
    QVERIFY(!driver.document().error());  // the walk stands
  }

  void configurationIsSavedLoadedAndCopied() {
    WindowDriver driver(knowingHost());
    WhatIfPage* page = driver.openWhatIf();
    QVERIFY(page);
    driver.document().draft().move(0, 1);
    driver.document().draft().addPin({NodePin::Kind::kOperator, "MaxPool", "cpu"});
    const QString path = driver.folder.filePath("configuration.json");
    QVERIFY(page->saveTo(path));
    driver.document().draft().revert();
    QVERIFY(page->loadFrom(path));
    QCOMPARE(driver.document().draft().providers().front().name, QStringLiteral("declared(TensorRT)"));
    QCOMPARE(driver.document().draft().pins().size(), size_t{1});
    page->copyReferenceKeys();
    QVERIFY(!QGuiApplication::clipboard()->text().trimmed().isEmpty());
    QFile broken(driver.folder.filePath("broken.json"));
    QVERIFY(broken.open(QIODevice::WriteOnly) && broken.write("{\"providers\": 7}") > 0);
    broken.close();
    QVERIFY(!page->loadFrom(broken.fileName()));
    QCOMPARE(driver.document().draft().pins().size(), size_t{1});
  }
};

QTEST_MAIN(TestWhatIfWindow)
#include "tst_what_if_window.moc"
