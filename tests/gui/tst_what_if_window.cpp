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

#include "tests/gui/desk.h"
#include "tests/unit/ui/walk_fixture.h"
#include "ui/canvas/overlay.h"
#include "ui/panels/figures_view.h"
#include "ui/panels/linked_table.h"
#include "ui/panels/partition/asking_order.h"
#include "ui/panels/partition/draft_editor.h"
#include "ui/panels/partition/node_answers.h"
#include "ui/panels/partition/what_if_page.h"
#include "ui/panels/pin_menu.h"
#include "ui/shell/activity_bar.h"

using namespace cutaway;
using namespace cutaway::ui;

namespace {

// Gives the first node to somebody else, so that a test knows what must be seen.
Result<WhatIfResult> moveFirstNode(const WalkReport& present, const Configuration& change) {
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
  return WhatIfResult{.walk = walk, .comparison = comparison, .configuration = change};
}

std::shared_ptr<EngineHost> hostWith(EngineHost::EvaluateWhatIf evaluate) {
  auto host = test::engineHost();
  host->evaluateWhatIf = std::move(evaluate);
  return host;
}

std::shared_ptr<EngineHost> knowingHost() {
  return hostWith([](const Model&, const SessionOptions&, const Configuration& change, const WalkReport& present,
                     Progress&, int) { return moveFirstNode(present, change); });
}

SessionOptions skeletonFirst() {
  SessionOptions options;
  options.providers = {"skeleton", "declared(TensorRT)", "cpu"};
  options.threads = 1;
  return options;
}

struct Desk : test::Desk {
  explicit Desk(std::shared_ptr<EngineHost> host, const SessionOptions& options = skeletonFirst())
      : test::Desk(host, options) {}
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
    SessionOptions options = skeletonFirst();
    options.providers = {"declared(VitisAI)", "cpu"};
    Desk desk(knowingHost(), options);
    WhatIfPage* page = desk.openWhatIf();
    QVERIFY(page);
    auto* refusals = desk.window.findChild<LinkedTable*>("partition/table2");
    auto* nodes = desk.window.findChild<LinkedTable*>("partition/table1");
    QTabWidget* tabs = nullptr;
    for (QWidget* up = refusals; up && !tabs; up = up->parentWidget())
      tabs = qobject_cast<QTabWidget*>(up);
    QVERIFY(tabs && refusals->proxy()->rowCount() > 1);
    tabs->setCurrentWidget(refusals);
    QVERIFY(desk.window.findChild<AskingOrder*>()->isVisible());
    refusals->view()->setFocus();
    QTest::mouseClick(refusals->view()->viewport(), Qt::LeftButton, {},
                      refusals->view()->visualRect(refusals->proxy()->index(0, 5)).center());
    const auto refused = desk.document().walk()->partition->refusals.front().nodes.size();
    QTRY_VERIFY(!desk.page->canvas()->view()->look().selected.empty());
    QCOMPARE(nodes->proxy()->rowCount(), static_cast<int>(refused));
    desk.keepPicture("refusals");
    QTest::keyClick(refusals->view(), Qt::Key_Return);
    QCOMPARE(tabs->currentWidget(), nodes);
    desk.keepPicture("nodes-of-a-refusal");
    nodes->view()->setFocus();
    QTest::mouseClick(nodes->view()->viewport(), Qt::LeftButton, {},
                      nodes->view()->visualRect(nodes->proxy()->index(0, 0)).center());
    QTest::keyClick(nodes->view(), Qt::Key_Return);
    auto* answers = desk.window.findChild<NodeAnswers*>();
    QCOMPARE(tabs->currentWidget(), answers);
    QVERIFY(answers->html().contains(QString::fromUtf8("\u2715 refused")));
    desk.keepPicture("answers");
  }

  void orderIsChangedByKey() {
    Desk desk(knowingHost());
    WhatIfPage* page = desk.openWhatIf();
    QVERIFY(page && page->isVisible());
    QVERIFY(!desk.window.findChild<AskingOrder*>()->isVisible());  // its room belongs to the comparison now
    OrderList* list = page->editor()->providers();
    QCOMPARE(list->topLevelItemCount(), 3);
    QCOMPARE(list->topLevelItem(0)->text(0), QStringLiteral("skeleton"));
    QVERIFY(!page->applyButton()->isEnabled());
    list->setFocus();
    list->setCurrentItem(list->topLevelItem(1));
    QTest::keyClick(list, Qt::Key_Up, Qt::AltModifier);
    QCOMPARE(list->topLevelItem(0)->text(0), QStringLiteral("declared(TensorRT)"));
    QCOMPARE(desk.document().draft().providers().front().name, QStringLiteral("declared(TensorRT)"));
    QVERIFY(page->applyButton()->isEnabled());
    QTest::keyClick(list, Qt::Key_Down, Qt::AltModifier);
    QTest::keyClick(list, Qt::Key_Down, Qt::AltModifier);  // cpu stays last
    QCOMPARE(list->topLevelItem(2)->text(0), QStringLiteral("cpu"));
    QVERIFY(!page->applyButton()->isEnabled());
    // What a drag leaves behind.
    list->insertTopLevelItem(0, list->takeTopLevelItem(1));
    emit list->dropped();
    QTRY_COMPARE(desk.document().draft().providers().front().name, QStringLiteral("declared(TensorRT)"));
    desk.document().draft().revert();
    list->topLevelItem(1)->setCheckState(0, Qt::Unchecked);
    QTRY_VERIFY(!desk.document().draft().providers()[1].enabled);
    QCOMPARE(*desk.document().draft().configuration().providers, (std::vector<std::string>{"skeleton", "cpu"}));
    desk.keepPicture("what-if-change");
  }

  void comparisonStandsSideBySide() {
    Desk desk(knowingHost());
    WhatIfPage* page = desk.openWhatIf();
    QVERIFY(page);
    QVERIFY(desk.tool("What if") == nullptr);
    QTest::mouseClick(page->compareButton(), Qt::LeftButton);
    QTRY_VERIFY(desk.document().whatIf());
    const auto& rows = page->figures()->rows();
    const auto copies = std::find_if(rows.begin(), rows.end(),
                                     [](const FigureRow& row) { return row.label == QLatin1String("copies"); });
    QCOMPARE(int(copies->kind), int(FigureRow::kWorse));
    QVERIFY(page->figures()->isVisible());
    QCOMPARE(page->findChild<LinkedTable*>("partition/moved")->proxy()->rowCount(), 1);
    QCOMPARE(page->findChild<LinkedTable*>("partition/movedCopies")->proxy()->index(0, 0).data().toString(),
             QStringLiteral("+ comes"));

    // The graph shows the nodes that providers were asked about, in the colours of either side.
    CanvasPane* canvas = desk.page->canvas();
    QTRY_VERIFY(!canvas->loading() && canvas->loaded().scene->graphs == desk.document().walk()->optimizedGraphs);
    const auto skeletons = [canvas] { return canvas->view()->look().overlay->legend[0].count; };
    QCOMPARE(canvas->view()->look().overlay->legend[0].label, QStringLiteral("skeleton"));
    QTRY_COMPARE(skeletons(), 1);
    desk.keepPicture("what-if-figures");
    QCOMPARE(desk.window.findChild<AskingOrder*>()->model()->index(0, 2).data().toString(),
             QStringLiteral("1"));  // the panel follows the side
    QTest::mouseClick(desk.tool("Now"), Qt::LeftButton);
    QCOMPARE(desk.window.findChild<AskingOrder*>()->model()->index(0, 2).data().toString(), QStringLiteral("0"));
    QCOMPARE(skeletons(), 0);
    QCOMPARE(desk.document().side(), Side::kNow);
    QTest::mouseClick(desk.tool("What if"), Qt::LeftButton);
    QCOMPARE(skeletons(), 1);
    desk.document().dropComparison();
    QVERIFY(desk.tool("Now") == nullptr);
    QTRY_VERIFY(canvas->loaded().scene->graphs == desk.document().walk()->partitionedGraphs);
  }

  // The engine itself: without the provider that took nodes they go to others, and applied it is so.
  void theEngineAnswers() {
    Desk desk(test::engineHost());
    WhatIfPage* page = desk.openWhatIf();
    QVERIFY(page);
    page->editor()->providers()->topLevelItem(1)->setCheckState(0, Qt::Unchecked);
    QTRY_VERIFY(page->applyButton()->isEnabled());
    QTest::mouseClick(page->compareButton(), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(!desk.document().comparing(), 60'000);
    QVERIFY2(desk.document().whatIf(),
             desk.document().whatIfError() ? desk.document().whatIfError()->message.c_str() : "");
    const PartitionComparison& comparison = *desk.document().whatIf()->comparison;
    QVERIFY(!comparison.moved.empty());
    QCOMPARE(comparison.moved.front().from, std::string("declared(TensorRT)"));
    QCOMPARE(page->findChild<LinkedTable*>("partition/moved")->proxy()->rowCount(),
             static_cast<int>(comparison.moved.size()));
    const size_t moved = comparison.moved.size();
    QTest::mouseClick(page->applyButton(), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(!desk.document().service().busy() && desk.document().walk()->partition, 30'000);
    QVERIFY(!desk.document().error());
    const auto& nodes = desk.document().walk()->partition->nodes;
    QVERIFY(std::count_if(nodes.begin(), nodes.end(), [](const NodePlacement& node) {
              return node.provider == "cpu";
            }) >= static_cast<std::ptrdiff_t>(moved));
  }

  void appliedDraftBecomesTheSession() {
    Desk desk(knowingHost());
    WhatIfPage* page = desk.openWhatIf();
    QVERIFY(page);
    desk.document().draft().setMinimumGroupNodes(3);
    desk.document().draft().move(0, 1);
    QTest::mouseClick(page->applyButton(), Qt::LeftButton);
    QVERIFY(!desk.document().whatIf());
    QTRY_VERIFY_WITH_TIMEOUT(!desk.document().service().busy() && desk.document().walk()->partition, 30'000);
    QCOMPARE(desk.document().options().minimumGroupNodes, int64_t{3});
    QCOMPARE(desk.document().options().providers.front(), std::string("declared(TensorRT)"));
    QCOMPARE(desk.document().walk()->partition->providers.front().name, std::string("declared(TensorRT)"));
    QVERIFY(!desk.document().draft().isChanged());
  }

  void pinsComeFromTheMenu() {
    Desk desk(knowingHost());
    WhatIfPage* page = desk.openWhatIf();
    QVERIFY(page);
    QMenu menu;
    addPinEntries(&menu, &desk.document(), {GraphVersion::kLoaded, 0, 0}, Theme::light(), nullptr);
    QVERIFY(menu.actions().size() >= 3);  // the node, its operator, at least one scope
    QMenu* operators = menu.actions()[1]->menu();
    QVERIFY(operators && operators->actions().size() == 3);
    operators->actions()[0]->trigger();
    QCOMPARE(desk.document().draft().pins().size(), size_t{1});
    QCOMPARE(int(desk.document().draft().pins()[0].kind), int(NodePin::Kind::kOperator));
    QCOMPARE(desk.document().draft().pins()[0].provider, std::string("skeleton"));
    QTreeWidget* pins = page->editor()->pins();
    QVERIFY(pins->isVisible());
    pins->setFocus();
    pins->setCurrentItem(pins->topLevelItem(0));
    QTest::keyClick(pins, Qt::Key_Delete);
    QVERIFY(desk.document().draft().pins().empty());
  }

  // Cancel frees the page at once, and what comes late is not shown.
  void cancelAnswersAtOnce() {
    auto finished = std::make_shared<std::atomic<bool>>(false);
    Desk desk(hostWith([finished](const Model&, const SessionOptions&, const Configuration& change,
                                  const WalkReport& present, Progress& progress, int) -> Result<WhatIfResult> {
      while (!progress.cancelled())
        QThread::msleep(5);
      QThread::msleep(100);
      *finished = true;
      return moveFirstNode(present, change);
    }));
    WhatIfPage* page = desk.openWhatIf();
    QVERIFY(page);
    QTest::mouseClick(page->compareButton(), Qt::LeftButton);
    QCOMPARE(page->compareButton()->text(), QStringLiteral("Cancel"));
    QVERIFY(desk.document().comparing());
    QVERIFY(desk.document().stageState(Stage::kRun) != StageState::kRunning);
    QTest::mouseClick(page->compareButton(), Qt::LeftButton);
    QVERIFY(!desk.document().comparing());
    QCOMPARE(page->compareButton()->text(), QStringLiteral("Compare"));
    QTRY_VERIFY(finished->load());
    QTest::qWait(50);
    QVERIFY(!desk.document().whatIf());
    QVERIFY(!desk.document().cancelled());  // the walk itself was not
  }

  void refusalsOfTheChangeAreShownBeside() {
    Desk desk(hostWith(
        [](const Model&, const SessionOptions&, const Configuration&, const WalkReport&, Progress&,
           int) -> Result<WhatIfResult> { return fail(ErrorCode::kInvalidArgument, "unknown provider 'warp'"); }));
    WhatIfPage* page = desk.openWhatIf();
    QVERIFY(page);
    QTest::mouseClick(page->compareButton(), Qt::LeftButton);
    QTRY_VERIFY(desk.document().whatIfError());
    const auto labels = page->findChildren<QLabel*>();
    QVERIFY(std::any_of(labels.begin(), labels.end(), [](const QLabel* label) {
      return label->isVisible() && label->text().contains("unknown provider 'warp'");
    }));
    QVERIFY(!desk.document().error());  // the walk stands
  }

  void configurationIsSavedLoadedAndCopied() {
    Desk desk(knowingHost());
    WhatIfPage* page = desk.openWhatIf();
    QVERIFY(page);
    desk.document().draft().move(0, 1);
    desk.document().draft().addPin({NodePin::Kind::kOperator, "MaxPool", "cpu"});
    const QString path = desk.folder.filePath("configuration.json");
    QVERIFY(page->saveTo(path));
    desk.document().draft().revert();
    QVERIFY(page->loadFrom(path));
    QCOMPARE(desk.document().draft().providers().front().name, QStringLiteral("declared(TensorRT)"));
    QCOMPARE(desk.document().draft().pins().size(), size_t{1});
    page->copyReferenceKeys();
    QVERIFY(!QGuiApplication::clipboard()->text().trimmed().isEmpty());
    QFile broken(desk.folder.filePath("broken.json"));
    QVERIFY(broken.open(QIODevice::WriteOnly) && broken.write("{\"providers\": 7}") > 0);
    broken.close();
    QVERIFY(!page->loadFrom(broken.fileName()));
    QCOMPARE(desk.document().draft().pins().size(), size_t{1});
  }
};

QTEST_MAIN(TestWhatIfWindow)
#include "tst_what_if_window.moc"
