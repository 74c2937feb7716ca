// The graph as a person works with it: bodies unfold where they stand, groups fold, keys turn the flow and fill the
// cards, lines answer to the pointer, and the picture goes over without a jump.
#include <algorithm>

#include <QLineEdit>
#include <QMouseEvent>

#include "tests/gui/window_driver.h"
#include "tests/unit/ui/walk_fixture.h"
#include "ui/canvas/card_painter.h"
#include "ui/canvas/scene_anchor.h"
#include "ui/canvas/scene_graph.h"
#include "ui/canvas/scene_tips.h"
#include "ui/canvas/view/canvas_settings.h"
#include "ui/canvas/view/find_bar.h"
#include "ui/canvas/view/minimap.h"
#include "ui/shell/command_menus.h"

using namespace cutaway;
using namespace cutaway::ui;
using namespace cutaway::ui::test;

namespace {

int callNode(const Scene& scene) {
  const auto& nodes = scene.report().nodes;
  const auto call = std::find_if(nodes.begin(), nodes.end(), hasBody);
  return call == nodes.end() ? -1 : static_cast<int>(call - nodes.begin());
}

void clickAt(GraphView& view, const QPointF& scenePoint) {
  QTest::mouseClick(&view, Qt::LeftButton, {}, view.transform().toScreen(scenePoint).toPoint());
}

void comeNear(GraphView& view, const QPointF& point, double scale = 1) {
  ViewTransform t = view.transform();
  t.scale = scale;
  t.centreOn(point, view.size());
  view.setTransform(t);
}

void settle(WindowDriver& driver) {
  QTRY_VERIFY_WITH_TIMEOUT(driver.idle() && driver.view().complete() && !driver.view().morphing(), kPatienceMs);
  QCoreApplication::processEvents();
}

}  // namespace

class TestCanvasWindow : public QObject {
  Q_OBJECT

 private slots:
  // A theme changes colours; what the cards say of a large graph's nodes is not gathered again for it.
  void aThemeChangesColoursAlone() {
    WindowDriver driver;
    QVERIFY(driver.open(sample("digits_cnn"), Stage::kAllocate));
    settle(driver);
    const Theme* before = driver.view().look().theme;
    const double* amounts = driver.view().look().amount.data();
    const QImage was = driver.view().grab().toImage();
    driver.themes.setMode(before == &Theme::light() ? ThemeMode::kDark : ThemeMode::kLight);
    QVERIFY(driver.view().look().theme != before);
    QCOMPARE(driver.view().look().amount.data(), amounts);
    settle(driver);
    QVERIFY(driver.view().grab().toImage() != was);
  }

  void bodiesUnfoldWhereTheyStand_data() {
    QTest::addColumn<QString>("name");
    QTest::newRow("functions") << QStringLiteral("digits_functions");
    QTest::newRow("branches") << QStringLiteral("digits_early_exit");
  }
  void bodiesUnfoldWhereTheyStand() {
    QFETCH(QString, name);
    WindowDriver driver;
    QVERIFY(driver.open(sample(qPrintable(name)), Stage::kLoad));
    settle(driver);
    const Scene* scene = driver.canvas().loaded().scene.get();
    const int node = callNode(*scene);
    QVERIFY(node >= 0);
    const QRectF card = scene->items[static_cast<size_t>(scene->itemOfNode[static_cast<size_t>(node)])].rect;
    QVERIFY(figureEnd(card, true) < bodySign(card).left());  // times do not lie under the sign
    QVERIFY(figureEnd(card, false) > bodySign(card).right());
    comeNear(driver.view(), card.center());
    driver.keepPicture(qPrintable(QStringLiteral("canvas_") + name + QStringLiteral("_folded")));
    clickAt(driver.view(), bodySign(card).center());
    QTRY_VERIFY(driver.canvas().loaded().scene.get() != scene && driver.idle());
    settle(driver);
    scene = driver.canvas().loaded().scene.get();
    const SceneItem header = scene->items[static_cast<size_t>(scene->itemOfNode[static_cast<size_t>(node)])];
    QCOMPARE(header.kind, ItemKind::kHeader);
    QVERIFY(!scene->bodyNodes.empty());
    driver.keepPicture(qPrintable(QStringLiteral("canvas_") + name + QStringLiteral("_unfolded")));
    // A node inside is selected as what it is.
    const Scene::BodyNode inner = scene->bodyNodes.front();
    comeNear(driver.view(), scene->items[static_cast<size_t>(inner.item)].rect.center());
    clickAt(driver.view(), scene->items[static_cast<size_t>(inner.item)].rect.center() + QPointF(-20, 0));
    const NodeTarget focus = driver.document().selection().focusIn(driver.document().shownVersion());
    QCOMPARE(focus.graph, inner.graph);
    QCOMPARE(focus.node, inner.node);
    QCOMPARE(driver.canvas().graph(), 0);
    QVERIFY(std::find(driver.view().look().selected.begin(), driver.view().look().selected.end(), inner.item) !=
            driver.view().look().selected.end());
    // The sign of the title bar folds it again.
    comeNear(driver.view(), header.rect.center());
    clickAt(driver.view(), header.rect.topLeft() + QPointF(10, 12));
    QTRY_VERIFY(driver.canvas().loaded().scene.get() != scene && driver.idle());
    settle(driver);
    scene = driver.canvas().loaded().scene.get();
    QCOMPARE(scene->items[static_cast<size_t>(scene->itemOfNode[static_cast<size_t>(node)])].kind, ItemKind::kNode);
  }

  void compiledGroupsOpenWhereTheyStand() {
    session::SessionOptions options;
    options.providers = {"onednn", "cpu"};
    WindowDriver driver(engineHost(), options);
    QVERIFY(driver.open(sample("digits_cnn"), Stage::kPartition));
    settle(driver);
    const auto shown = [&]() -> const Scene& { return *driver.canvas().loaded().scene; };
    const size_t closed = shown().items.size();
    QVERIFY(shown().bodyNodes.empty());
    const auto toggle = [&] {
      const Scene* before = &shown();
      QVERIFY(driver.window.commands()->run("view.openGroups"));
      QTRY_VERIFY(&shown() != before && driver.idle());
      settle(driver);
    };
    toggle();
    QVERIFY(shown().items.size() > closed && !shown().bodyNodes.empty());
    QCOMPARE(driver.view().look().hulls.size(), size_t{1});
    driver.view().fit();
    settle(driver);
    driver.keepPicture("canvas_hull");
    // A node inside is selected as the node that its provider was asked about; the group around it is not.
    const Scene::BodyNode inner = shown().bodyNodes.back();
    emit driver.view().itemClicked(inner.item, {});
    const NodeTarget focus = driver.document().selection().focus();
    QCOMPARE(focus.version, GraphVersion::kOptimized);
    QCOMPARE(driver.document().node(focus)->opType,
             shown().graphs->graphs[static_cast<size_t>(inner.graph)].nodes[static_cast<size_t>(inner.node)].opType);
    QCOMPARE(driver.view().look().selected, std::vector<int>{inner.item});
    // The whole group is its title bar, and another stage keeps it open.
    const int group = shown().scopes->scopes[static_cast<size_t>(driver.view().look().hulls.begin()->first)].callNode;
    emit driver.view().itemClicked(shown().itemOfNode[static_cast<size_t>(group)], {});
    QCOMPARE(driver.view().look().selected, std::vector<int>{shown().itemOfNode[static_cast<size_t>(group)]});
    driver.go(Stage::kSchedule);
    settle(driver);
    QVERIFY(!shown().bodyNodes.empty());
    toggle();
    QVERIFY(shown().bodyNodes.empty());
    QCOMPARE(shown().items.size(), closed);
  }

  // Columns are made for the window as it is: of a low, wide one others than of a high one.
  void columnsFollowTheWindow() {
    WindowDriver driver;
    driver.window.resize(1440, 900);
    QVERIFY(driver.open(sample("digits_cnn"), Stage::kLoad));
    driver.document().setWalk(flatWalk(160));
    settle(driver);
    driver.view().fit();
    QTest::qWait(400);
    settle(driver);
    const auto window = [&] { return driver.canvas().loaded().scene->window; };
    QCOMPARE(window(), QSizeF(driver.view().size()));
    const double before = driver.view().transform().scale;
    QCOMPARE(driver.view().placed(), GraphView::Placed::kWhole);
    driver.window.resize(1440, 1500);
    QTRY_COMPARE(window(), QSizeF(driver.view().size()));
    settle(driver);
    QVERIFY(driver.view().transform().scale > before);
    QCOMPARE(driver.view().placed(), GraphView::Placed::kWhole);
    // Where somebody reads, nothing moves.
    driver.view().zoom(1.25);
    const Scene* scene = driver.canvas().loaded().scene.get();
    driver.window.resize(1440, 900);
    QTest::qWait(400);
    settle(driver);
    QCOMPARE(driver.canvas().loaded().scene.get(), scene);
  }

  // Legend and map never lie on each other, and where there is little height, cards have it.
  void aLowCanvasIsLeftToItsCards() {
    WindowDriver driver;
    QVERIFY(driver.open(sample("digits_cnn")));
    driver.document().setWalk(flatWalk(400));
    auto* map = driver.window.findChild<Minimap*>();
    auto* legend = driver.view().findChild<QWidget*>(QStringLiteral("canvas/legend"));
    driver.window.resize(1400, 1200);
    settle(driver);
    comeNear(driver.view(), driver.view().scene()->bounds.center(), ViewTransform::kLargest);
    driver.canvas().toggleMinimap();
    driver.canvas().toggleMinimap();
    driver.keepPicture("high-canvas");
    QVERIFY2(map->isVisible() && legend->isVisible(),
             qPrintable(QStringLiteral("%1 x %2").arg(driver.view().width()).arg(driver.view().height())));
    QVERIFY(!map->geometry().intersects(legend->geometry()));
    driver.window.resize(1024, 620);
    settle(driver);
    driver.canvas().toggleMinimap();
    driver.canvas().toggleMinimap();
    driver.keepPicture("low-canvas");
    QVERIFY2(driver.view().height() < 240, qPrintable(QString::number(driver.view().height())));
    QVERIFY(!map->isVisible() && legend->isVisible() && legend->height() < 60);
    QVERIFY(!legend->toolTip().isEmpty());
  }

  // Map and legend go to another corner when they would hide what is selected.
  void whatIsSelectedStaysInSight() {
    WindowDriver driver;
    QVERIFY(driver.open(sample("digits_cnn")));
    driver.document().setWalk(flatWalk(400));
    const auto* map = driver.window.findChild<Minimap*>();
    driver.window.resize(1400, 1200);
    settle(driver);
    CanvasSettings flat = driver.canvas().settings();
    flat.grouping = Grouping::kFlat;
    driver.canvas().setSettings(flat);
    settle(driver);
    comeNear(driver.view(), driver.view().scene()->bounds.center(), 0.6);
    driver.canvas().toggleMinimap();
    driver.canvas().toggleMinimap();
    driver.keepPicture("map-over-cards");
    QVERIFY(map->isVisible());
    const Scene& scene = *driver.canvas().loaded().scene;
    const auto shownAt = [&](const SceneItem& item) { return driver.view().transform().toScreen(item.rect).toRect(); };
    const auto hidden = std::ranges::find_if(scene.items, [&](const SceneItem& item) {
      return item.kind == ItemKind::kNode && map->geometry().intersects(shownAt(item));
    });
    QVERIFY(hidden != scene.items.end());
    driver.document().selection().selectNode({driver.document().shownVersion(), hidden->graph, hidden->index});
    settle(driver);
    driver.keepPicture("selected-under-the-map");
    QVERIFY(map->isVisible());
    QVERIFY(!map->geometry().intersects(shownAt(*hidden)));
  }

  // Why there are no colours is a sentence, and gets the width that there is.
  void aLowCanvasSaysWhyItHasNoColours() {
    WindowDriver driver;
    driver.window.resize(1024, 620);
    QVERIFY(driver.open(sample("digits_cnn"), Stage::kRun));
    settle(driver);
    driver.keepPicture("low-canvas-without-colours");
    const auto* legend = driver.view().findChild<QWidget*>(QStringLiteral("canvas/legend"));
    QVERIFY(legend && legend->isVisible() && legend->height() < 60);
    const QString why = legend->toolTip();
    QVERIFY(!why.isEmpty());
    QVERIFY2(legend->width() > QFontMetrics(interfaceFont(-1)).horizontalAdvance(why), qPrintable(why));
    QVERIFY(driver.view().rect().contains(legend->geometry()));
  }

  void foundNodesCanBeRead() {
    WindowDriver driver;
    QVERIFY(driver.open(sample("digits_cnn"), Stage::kLoad));
    driver.document().setWalk(flatWalk(400));
    settle(driver);
    CanvasSettings flat = driver.canvas().settings();
    flat.grouping = Grouping::kFlat;
    driver.canvas().setSettings(flat);
    settle(driver);
    driver.view().fit();
    QTest::qWait(400);
    settle(driver);
    driver.view().zoomTo(0.3);
    QVERIFY(driver.view().transform().scale < 0.6);
    driver.canvas().openFind();
    auto* line = driver.canvas().findBar()->findChild<QLineEdit*>();
    line->setText(QString::fromStdString(driver.canvas().loaded().scene->report().nodes[200].name));
    QTRY_VERIFY(!driver.view().look().hits.empty());
    QTest::keyClick(line, Qt::Key_Return);
    QTRY_VERIFY(driver.view().transform().scale >= 0.68);
    settle(driver);
    const int hit = driver.view().look().currentHit;
    QVERIFY(hit >= 0);
    QVERIFY(QRectF(driver.view().rect())
                .contains(driver.view().transform().toScreen(driver.canvas().loaded().scene->items[hit].rect)));
  }

  void graphvizPlacesTheNodes() {
    WindowDriver driver;
    QVERIFY(driver.open(sample("digits_cnn"), Stage::kLoad));
    settle(driver);
    const auto rects = [&] {
      std::vector<QRectF> all;
      for (const SceneItem& item : driver.canvas().loaded().scene->items)
        all.push_back(item.rect);
      return all;
    };
    const std::vector<QRectF> ours = rects();
    const auto choose = [&] {
      const Scene* scene = driver.canvas().loaded().scene.get();
      QVERIFY(driver.window.commands()->run("view.dotLayout"));
      QTRY_VERIFY(driver.canvas().loaded().scene.get() != scene && driver.idle());
      settle(driver);
    };
    choose();
    QVERIFY2(driver.canvas().loaded().scene->layoutNote.isEmpty(),
             qPrintable(driver.canvas().loaded().scene->layoutNote));
    QCOMPARE(rects().size(), ours.size());
    QVERIFY(rects() != ours);
    QVERIFY(CanvasSettings::read(driver.viewState).layout == LayoutEngine::kDot);
    driver.keepPicture("canvas_dot");
    choose();
    QVERIFY(rects() == ours);
    QVERIFY(CanvasSettings::read(driver.viewState).layout == LayoutEngine::kOwn);
  }

  void keysTurnTheFlowAndFillTheCards() {
    WindowDriver driver;
    QVERIFY(driver.open(sample("digits_cnn"), Stage::kLoad));
    settle(driver);
    driver.view().setFocus();
    const double before = driver.canvas().loaded().scene->bounds.height();
    const auto press = [&](Qt::Key key) {
      const Scene* scene = driver.canvas().loaded().scene.get();
      driver.keys(key, Qt::ControlModifier);
      QTRY_VERIFY(driver.canvas().loaded().scene.get() != scene && driver.idle());
      settle(driver);
    };
    press(Qt::Key_K);
    QCOMPARE(driver.canvas().loaded().scene->direction, FlowDirection::kRight);
    QVERIFY(driver.canvas().loaded().scene->bounds.height() < before);
    driver.keepPicture("canvas_right");
    press(Qt::Key_D);
    press(Qt::Key_I);
    QVERIFY(driver.canvas().loaded().scene->contents.attributes && driver.canvas().loaded().scene->contents.weights);
    driver.keepPicture("canvas_right_full");
    press(Qt::Key_K);
    driver.keepPicture("canvas_down_full");
    press(Qt::Key_U);
    QVERIFY(!driver.canvas().loaded().scene->contents.names);
    // Remembered.
    const CanvasSettings settings = CanvasSettings::read(driver.viewState);
    QVERIFY(settings.contents.attributes && settings.contents.weights && !settings.contents.names);
    QCOMPARE(settings.direction, FlowDirection::kDown);
  }

  void thePictureGoesOver() {
    WindowDriver driver;
    driver.viewState.put(QStringLiteral("window/reducedMotion"), false);
    QVERIFY(driver.open(sample("digits_functions"), Stage::kLoad));
    settle(driver);
    // The way takes a quarter of a second: a busy machine may be late for it, and it is gone once more. A picture was
    // taken on the way if that goes on afterwards.
    QImage first;
    QPointF top;
    for (int attempt = 0; attempt < 20 && first.isNull(); ++attempt) {
      if (attempt > 0) {
        const auto unfolded = driver.canvas().loaded().scene;
        driver.canvas().foldAll();
        QTRY_VERIFY(driver.canvas().loaded().scene != unfolded);
        QTRY_VERIFY(!driver.view().morphing());
        settle(driver);
      }
      const auto scene = driver.canvas().loaded().scene;
      const int item = scene->itemOfNode[static_cast<size_t>(callNode(*scene))];
      comeNear(driver.view(), scene->items[static_cast<size_t>(item)].rect.center());
      top = driver.view().transform().toScreen(scene->items[static_cast<size_t>(item)].rect).topLeft();
      driver.canvas().unfold(item);
      QTRY_VERIFY(driver.canvas().loaded().scene != scene);
      const QImage frame = picture(&driver.view());
      if (driver.view().morphing()) first = frame;
    }
    QVERIFY(!first.isNull());
    driver.keepPicture("canvas_morph_0");
    QTest::qWait(90);
    driver.keepPicture("canvas_morph_1");
    QTRY_VERIFY(!driver.view().morphing());
    settle(driver);
    driver.keepPicture("canvas_morph_2");
    QVERIFY(differenceOf(first, picture(&driver.view())) > 0.001);
    // What was unfolded begins where its card stood.
    const Scene& after = *driver.canvas().loaded().scene;
    QVERIFY(
        std::abs(
            driver.view()
                .transform()
                .toScreen(after.items[static_cast<size_t>(after.itemOfNode[static_cast<size_t>(callNode(after))])].rect)
                .top() -
            top.y()) < 2);
    // Reduced motion: at once.
    driver.viewState.put(QStringLiteral("window/reducedMotion"), true);
    emit driver.themes.changed();
    const Scene* open = driver.canvas().loaded().scene.get();
    driver.canvas().foldAll();
    QTRY_VERIFY(driver.canvas().loaded().scene.get() != open);
    QVERIFY(!driver.view().morphing());
  }

  void linesAnswerToThePointer() {
    WindowDriver driver;
    QVERIFY(driver.open(sample("digits_cnn"), Stage::kLoad));
    settle(driver);
    const Scene& scene = *driver.canvas().loaded().scene;
    const auto segment = std::find_if(scene.segments.begin(), scene.segments.end(),
                                      [](const SceneSegment& s) { return s.arrow() && std::abs(s.dy) > 20; });
    QVERIFY(segment != scene.segments.end());
    const QPointF middle = curveOf(*segment, scene.direction).at(0.5);
    comeNear(driver.view(), middle, 1.4);
    const QImage before = picture(&driver.view());
    QTest::mouseMove(&driver.view(), driver.view().transform().toScreen(middle).toPoint());
    QTRY_COMPARE(driver.view().look().hoveredNet, segment->net);
    const SceneNet& net = scene.nets[static_cast<size_t>(segment->net)];
    const QString tip = netTip(scene, segment->net);
    QVERIFY(tip.contains(QString::fromStdString(scene.valueOf(net).name)) &&
            tip.contains(QString::fromStdString(scene.valueOf(net).type)));
    QVERIFY(differenceOf(before, picture(&driver.view())) > 0.0002);
    // A click chooses the value; its line is drawn in the accent colour to the arrow at its reader.
    clickAt(driver.view(), middle);
    QTest::mouseMove(&driver.view(), QPoint(3, 3));
    QVERIFY(driver.document().selection().value().valid());
    comeNear(driver.view(), segment->end(), 1.4);
    const QPoint tipOfLine = driver.view().transform().toScreen(segment->end()).toPoint();
    QVERIFY(shareOf(picture(&driver.view()), driver.themes.current().accent,
                    QRect(tipOfLine - QPoint(6, 8), QSize(12, 8)), 40) > 0.2);
    driver.keepPicture("canvas_line");
  }
};

QTEST_MAIN(TestCanvasWindow)
#include "tst_ui_canvas.moc"
