// Reading a graph in the window, as a person does: finding, highlighting, going back, bookmarks, rules and the table of
// nodes.
#include <algorithm>

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QTableView>
#include <QTableWidget>

#include "tests/gui/window_driver.h"
#include "ui/canvas/view/canvas_places.h"
#include "ui/canvas/view/find_bar.h"
#include "ui/canvas/view/reading_controller.h"
#include "ui/panels/nodes/node_table_page.h"
#include "ui/panels/nodes/nodes_model.h"
#include "ui/panels/rules/rules_page.h"

using namespace cutaway;
using namespace cutaway::ui;
using namespace cutaway::ui::test;

class TestReadingWindow : public QObject {
  Q_OBJECT

 private slots:
  void queriesAreAnsweredWhileTyping() {
    WindowDriver driver;
    QVERIFY(driver.open(sample("digits_cnn")));
    driver.view().setFocus();
    driver.keys(Qt::Key_F, Qt::ControlModifier);
    FindBar* bar = driver.canvas().findBar();
    QTRY_VERIFY(bar->line()->hasFocus());
    QTRY_VERIFY(ReadingController::of(&driver.document()).index());
    QTest::keyClicks(bar->line(), "op:Conv");
    QTRY_VERIFY(!driver.view().look().hits.empty());
    const size_t convs = driver.view().look().hits.size();
    driver.keepPicture("find");
    QTest::keyClicks(bar->line(), " OR op:Relu");
    QTRY_VERIFY(driver.view().look().hits.size() > convs);
    QTest::keyClick(bar->line(), Qt::Key_Return);
    QTRY_VERIFY(driver.view().look().currentHit >= 0);
    const NodeTarget first = driver.document().selection().focus();
    QTest::keyClick(bar->line(), Qt::Key_Return);
    QTRY_VERIFY(!(driver.document().selection().focus() == first));
    QTest::keyClick(bar->line(), Qt::Key_Return, Qt::ShiftModifier);
    QTRY_COMPARE(driver.document().selection().focus(), first);
    bar->line()->clear();
    QTest::keyClicks(bar->line(), "conv /a(b/");
    QTRY_VERIFY(bar->problem()->isVisible());
    QVERIFY(bar->problem()->text().contains("/a(b/"));
    driver.keepPicture("find_problem");
    QTest::keyClick(bar->line(), Qt::Key_Escape);
    QVERIFY(!bar->isVisible() && bar->line()->text().isEmpty());
    QTRY_COMPARE(driver.focus(), static_cast<QWidget*>(&driver.view()));
    QVERIFY(driver.view().hasFocus());
    QTRY_VERIFY(driver.view().look().hits.empty());
  }

  // What is found inside a folded group is seen itself afterwards, and the bar says through which groups one comes
  // there.
  void findingOpensFoldedGroups() {
    WindowDriver driver;
    QVERIFY(driver.open(sample("digits_cnn")));
    const size_t all = driver.view().scene()->items.size();
    driver.canvas().foldAll();
    QTRY_VERIFY(driver.view().scene()->items.size() < all);
    driver.view().setFocus();
    driver.keys(Qt::Key_F, Qt::ControlModifier);
    FindBar* bar = driver.canvas().findBar();
    QTRY_VERIFY(ReadingController::of(&driver.document()).index());
    QTest::keyClicks(bar->line(), "op:Conv");
    QTRY_VERIFY(!driver.view().look().hits.empty());
    QTest::keyClick(bar->line(), Qt::Key_Return);
    QTRY_VERIFY(driver.idle() && driver.view().look().currentHit >= 0 &&
                driver.view().scene()->items[static_cast<size_t>(driver.view().look().currentHit)].kind ==
                    ItemKind::kNode);
    const SceneItem& found = driver.view().scene()->items[static_cast<size_t>(driver.view().look().currentHit)];
    QCOMPARE(driver.view().scene()->nodeOf(found).opType, std::string("Conv"));
    const QString group = driver.view().scene()->scopes->scopes[static_cast<size_t>(found.scope)].title;
    QVERIFY(!group.isEmpty());
    const QList<QLabel*> words = bar->findChildren<QLabel*>();
    QVERIFY(std::ranges::any_of(words, [&](const QLabel* label) { return label->text().contains(group); }));
    driver.keepPicture("find_folded");
    // A long way gives way at its beginning: nothing of the bar lies beside the canvas.
    driver.window.resize(1024, 700);
    bar->setCount(0, 96, QStringLiteral("encoder \u203a ").repeated(30) + group);
    QTRY_VERIFY(bar->x() >= 0 && bar->geometry().right() < driver.view().width());
    QVERIFY(std::ranges::any_of(words, [&](const QLabel* label) { return label->text().endsWith(group); }));
    QVERIFY(bar->line()->width() >= 120);
  }

  // A node inside a compiled group is found in the graph that runs: the group opens in its place and the node is seen.
  void findingOpensCompiledGroups() {
    session::SessionOptions options;
    options.providers = {"onednn", "cpu"};
    WindowDriver driver(engineHost(), options);
    QVERIFY(driver.open(sample("digits_cnn"), Stage::kPartition));
    QTRY_VERIFY(driver.idle() && driver.view().scene());
    QVERIFY(driver.view().scene()->bodyNodes.empty());
    driver.view().setFocus();
    driver.keys(Qt::Key_F, Qt::ControlModifier);
    FindBar* bar = driver.canvas().findBar();
    QTRY_VERIFY(ReadingController::of(&driver.document()).index());
    QTest::keyClicks(bar->line(), "op:Conv");
    QTRY_VERIFY(!driver.view().look().hits.empty());  // the closed group
    driver.keepPicture("find_compiled_closed");
    QTest::keyClick(bar->line(), Qt::Key_Return);
    QTRY_VERIFY(driver.idle() && !driver.view().scene()->bodyNodes.empty() && driver.view().look().currentHit >= 0);
    const Scene& scene = *driver.view().scene();
    const SceneItem& found = scene.items[static_cast<size_t>(driver.view().look().currentHit)];
    QCOMPARE(found.kind, ItemKind::kNode);
    QCOMPARE(scene.nodeOf(found).opType, std::string("Conv"));
    QVERIFY(found.graph != 0);
    const NodeTarget focus = driver.document().selection().focus();
    QCOMPARE(focus.version, GraphVersion::kOptimized);
    QCOMPARE(driver.document().node(focus)->opType, std::string("Conv"));
    QVERIFY(driver.view().transform().toScene(QRectF(driver.view().rect())).contains(found.rect.center()));
    driver.keepPicture("find_compiled");
  }

  void partsAreHighlighted() {
    WindowDriver driver;
    QVERIFY(driver.open(sample("digits_cnn")));
    driver.clickNode(2);
    driver.keys(Qt::Key_Up, Qt::AltModifier | Qt::ShiftModifier);
    const ReadingController& reading = ReadingController::of(&driver.document());
    QTRY_VERIFY(!reading.reach().empty());
    const size_t up = reading.reach().nodes.size();
    driver.keys(Qt::Key_Down, Qt::AltModifier | Qt::ShiftModifier);
    QTRY_VERIFY(reading.reach().nodes.size() != up);
    QVERIFY(std::count(driver.view().look().played.begin(), driver.view().look().played.end(), Played::kOutside) >
            0);  // the rest fades
    driver.keepPicture("highlight");
    driver.keys(Qt::Key_S, Qt::AltModifier);
    QTRY_COMPARE(driver.document().selection().nodesIn(reading.version(), 0).size(), reading.reach().nodes.size());
    driver.view().setFocus();
    driver.keys(Qt::Key_Escape);
    QTRY_VERIFY(reading.reach().empty());
  }

  void historyGoesBackAndForward() {
    WindowDriver driver;
    QVERIFY(driver.open(sample("digits_early_exit")));
    CanvasPlaces* places = driver.canvas().places();
    QTRY_COMPARE(places->entries(), 1);
    driver.clickNode(0);
    QTRY_COMPARE(places->entries(), 2);
    const auto& nodes = driver.canvas().loaded().scene->report().nodes;
    const auto branch =
        std::find_if(nodes.begin(), nodes.end(), [](const NodeReport& node) { return !node.bodies.empty(); });
    QVERIFY(branch != nodes.end());
    driver.canvas().enterGraph(branch->bodies.front());
    QTRY_COMPARE(places->entries(), 3);
    driver.view().setFocus();
    driver.keys(Qt::Key_Left, Qt::AltModifier);
    QTRY_COMPARE(driver.canvas().graph(), 0);
    QTRY_COMPARE(driver.document().selection().focus().node, 0);
    driver.keys(Qt::Key_Left, Qt::AltModifier);
    QTRY_VERIFY(driver.document().selection().empty());
    driver.keys(Qt::Key_Right, Qt::AltModifier);
    driver.keys(Qt::Key_Right, Qt::AltModifier);
    QTRY_VERIFY(driver.canvas().graph() != 0);
  }

  void digitsAreBookmarks() {
    WindowDriver driver;
    QVERIFY(driver.open(sample("digits_cnn")));
    QVERIFY(driver.idle());
    GraphView& view = driver.view();
    view.setFocus();
    view.zoomTo(1.5);
    const ViewTransform there = view.transform();
    driver.keys(Qt::Key_3, Qt::ControlModifier | Qt::AltModifier);
    QTRY_VERIFY(driver.document().bookmarks().at(3).has_value());
    driver.keepPicture("bookmark");
    view.fit();
    QVERIFY(view.transform().scale != there.scale);
    view.setFocus();
    driver.keys(Qt::Key_3);
    QTRY_VERIFY(std::abs(view.transform().scale - there.scale) < 1e-9);
    QVERIFY((view.transform().offset - there.offset).manhattanLength() < 2);
  }

  void rulesColourTheGraph() {
    WindowDriver driver;
    QVERIFY(driver.open(sample("digits_cnn")));
    ReadingController& reading = ReadingController::of(&driver.document());
    driver.view().setFocus();
    driver.keys(Qt::Key_R, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_VERIFY(driver.window.findChild<RulesPage*>());
    auto* rules = driver.window.findChild<RulesPage*>();
    QTRY_VERIFY(reading.index());
    reading.setSearch("op:Conv");
    QAbstractButton* add = driver.button("Add rule: op:Conv", rules);
    QVERIFY(add);
    QTest::mouseClick(add, Qt::LeftButton);
    QTRY_VERIFY(reading.matches() && !reading.matches()->counts.empty() && reading.matches()->counts.front() > 0);
    driver.canvas().setOverlay("rules");
    QTRY_VERIFY(std::any_of(driver.view().look().category.begin(), driver.view().look().category.end(),
                            [](signed char category) { return category >= 0; }));
    driver.keepPicture("rules");
    rules->table()->item(0, 0)->setCheckState(Qt::Unchecked);
    QTRY_VERIFY(!reading.rules().front().enabled);
    QTRY_VERIFY(std::none_of(driver.view().look().category.begin(), driver.view().look().category.end(),
                             [](signed char category) { return category >= 0; }));
    QVERIFY(driver.viewState.get("rules/list").toString().contains("op:Conv"));
  }

  void nodesStandInATable() {
    WindowDriver driver;
    QVERIFY(driver.open(sample("digits_cnn")));
    driver.view().setFocus();
    driver.keys(Qt::Key_N, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_VERIFY(driver.window.findChild<NodeTablePage*>());
    auto* page = driver.window.findChild<NodeTablePage*>();
    QTRY_VERIFY(page->model()->rowCount() > 5);
    const int all = page->model()->rowCount();
    QTest::mouseClick(page->view()->viewport(), Qt::LeftButton, {},
                      page->view()->visualRect(page->model()->index(2, NodesModel::kName)).center());
    QTRY_COMPARE(driver.document().selection().focus(), page->model()->targets(2).front());
    driver.clickNode(1);
    QTRY_COMPARE(page->view()->currentIndex().row(), page->model()->rowOf(1));
    driver.keepPicture("nodes");
    QTest::keyClicks(page->filterLine(), "op:Conv");
    QTRY_VERIFY(page->model()->rowCount() < all && page->model()->rowCount() > 0);
    page->filterLine()->clear();
    QTRY_COMPARE(page->model()->rowCount(), all);
    page->groupBox()->setFocus();
    page->groupBox()->setCurrentIndex(1);
    emit page->groupBox()->activated(1);
    QTRY_VERIFY(page->model()->rowCount() < all);
    QVERIFY(page->totals()->text().contains("parameters"));
    driver.keepPicture("nodes_grouped");
  }
};

QTEST_MAIN(TestReadingWindow)
#include "tst_reading_window.moc"
