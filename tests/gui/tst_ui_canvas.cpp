// The graph as a person works with it: bodies unfold where they stand, groups fold, keys turn the flow and fill the
// cards, lines answer to the pointer, and the picture goes over without a jump.
#include <algorithm>

#include <QMouseEvent>

#include "tests/gui/desk.h"
#include "ui/canvas/card_painter.h"
#include "ui/canvas/scene_anchor.h"
#include "ui/canvas/scene_graph.h"
#include "ui/canvas/scene_tips.h"

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

void settle(Desk& desk) {
  QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && desk.view().complete() && !desk.view().morphing(), kPatienceMs);
  QCoreApplication::processEvents();
}

}  // namespace

class TestCanvasWindow : public QObject {
  Q_OBJECT

 private slots:
  void bodiesUnfoldWhereTheyStand_data() {
    QTest::addColumn<QString>("name");
    QTest::newRow("functions") << QStringLiteral("digits_functions");
    QTest::newRow("branches") << QStringLiteral("digits_early_exit");
  }
  void bodiesUnfoldWhereTheyStand() {
    QFETCH(QString, name);
    Desk desk;
    QVERIFY(desk.open(sample(qPrintable(name)), Stage::kLoad));
    settle(desk);
    const Scene* scene = desk.canvas().loaded().scene.get();
    const int node = callNode(*scene);
    QVERIFY(node >= 0);
    const QRectF card = scene->items[static_cast<size_t>(scene->itemOfNode[static_cast<size_t>(node)])].rect;
    comeNear(desk.view(), card.center());
    desk.keepPicture(qPrintable(QStringLiteral("canvas_") + name + QStringLiteral("_folded")));
    clickAt(desk.view(), bodySign(card).center());
    QTRY_VERIFY(desk.canvas().loaded().scene.get() != scene && desk.idle());
    settle(desk);
    scene = desk.canvas().loaded().scene.get();
    const SceneItem header = scene->items[static_cast<size_t>(scene->itemOfNode[static_cast<size_t>(node)])];
    QCOMPARE(header.kind, ItemKind::kHeader);
    QVERIFY(!scene->bodyNodes.empty());
    desk.keepPicture(qPrintable(QStringLiteral("canvas_") + name + QStringLiteral("_unfolded")));
    // A node inside is selected as what it is.
    const Scene::BodyNode inner = scene->bodyNodes.front();
    comeNear(desk.view(), scene->items[static_cast<size_t>(inner.item)].rect.center());
    clickAt(desk.view(), scene->items[static_cast<size_t>(inner.item)].rect.center() + QPointF(-20, 0));
    const NodeTarget focus = desk.document().selection().focusIn(desk.document().shownVersion());
    QCOMPARE(focus.graph, inner.graph);
    QCOMPARE(focus.node, inner.node);
    QCOMPARE(desk.canvas().graph(), 0);
    QVERIFY(std::find(desk.view().look().selected.begin(), desk.view().look().selected.end(), inner.item) !=
            desk.view().look().selected.end());
    // The sign of the title bar folds it again.
    comeNear(desk.view(), header.rect.center());
    clickAt(desk.view(), header.rect.topLeft() + QPointF(10, 12));
    QTRY_VERIFY(desk.canvas().loaded().scene.get() != scene && desk.idle());
    settle(desk);
    scene = desk.canvas().loaded().scene.get();
    QCOMPARE(scene->items[static_cast<size_t>(scene->itemOfNode[static_cast<size_t>(node)])].kind, ItemKind::kNode);
  }

  void keysTurnTheFlowAndFillTheCards() {
    Desk desk;
    QVERIFY(desk.open(sample("digits_cnn"), Stage::kLoad));
    settle(desk);
    desk.view().setFocus();
    const double before = desk.canvas().loaded().scene->bounds.height();
    const auto press = [&](Qt::Key key) {
      const Scene* scene = desk.canvas().loaded().scene.get();
      desk.keys(key, Qt::ControlModifier);
      QTRY_VERIFY(desk.canvas().loaded().scene.get() != scene && desk.idle());
      settle(desk);
    };
    press(Qt::Key_K);
    QCOMPARE(desk.canvas().loaded().scene->direction, FlowDirection::kRight);
    QVERIFY(desk.canvas().loaded().scene->bounds.height() < before);
    desk.keepPicture("canvas_right");
    press(Qt::Key_D);
    press(Qt::Key_I);
    QVERIFY(desk.canvas().loaded().scene->contents.attributes && desk.canvas().loaded().scene->contents.weights);
    desk.keepPicture("canvas_right_full");
    press(Qt::Key_K);
    desk.keepPicture("canvas_down_full");
    press(Qt::Key_U);
    QVERIFY(!desk.canvas().loaded().scene->contents.names);
    // Remembered.
    const CanvasSettings settings = CanvasSettings::read(desk.viewState);
    QVERIFY(settings.contents.attributes && settings.contents.weights && !settings.contents.names);
    QCOMPARE(settings.direction, FlowDirection::kDown);
  }

  void thePictureGoesOver() {
    Desk desk;
    desk.viewState.put(QStringLiteral("window/reducedMotion"), false);
    QVERIFY(desk.open(sample("digits_functions"), Stage::kLoad));
    settle(desk);
    const Scene* scene = desk.canvas().loaded().scene.get();
    const int item = scene->itemOfNode[static_cast<size_t>(callNode(*scene))];
    comeNear(desk.view(), scene->items[static_cast<size_t>(item)].rect.center());
    const QPointF top = desk.view().transform().toScreen(scene->items[static_cast<size_t>(item)].rect).topLeft();
    desk.canvas().unfold(item);
    QTRY_VERIFY(desk.canvas().loaded().scene.get() != scene);
    QVERIFY(desk.view().morphing());
    const QImage first = picture(&desk.view());
    desk.keepPicture("canvas_morph_0");
    QTest::qWait(90);
    desk.keepPicture("canvas_morph_1");
    QTRY_VERIFY(!desk.view().morphing());
    settle(desk);
    desk.keepPicture("canvas_morph_2");
    QVERIFY(differenceOf(first, picture(&desk.view())) > 0.001);
    // What was unfolded begins where its card stood.
    const Scene& after = *desk.canvas().loaded().scene;
    QVERIFY(
        std::abs(
            desk.view()
                .transform()
                .toScreen(after.items[static_cast<size_t>(after.itemOfNode[static_cast<size_t>(callNode(after))])].rect)
                .top() -
            top.y()) < 2);
    // Reduced motion: at once.
    desk.viewState.put(QStringLiteral("window/reducedMotion"), true);
    emit desk.themes.changed();
    const Scene* open = desk.canvas().loaded().scene.get();
    desk.canvas().foldAll();
    QTRY_VERIFY(desk.canvas().loaded().scene.get() != open);
    QVERIFY(!desk.view().morphing());
  }

  void linesAnswerToThePointer() {
    Desk desk;
    QVERIFY(desk.open(sample("digits_cnn"), Stage::kLoad));
    settle(desk);
    const Scene& scene = *desk.canvas().loaded().scene;
    const auto segment = std::find_if(scene.segments.begin(), scene.segments.end(),
                                      [](const SceneSegment& s) { return s.arrow() && std::abs(s.dy) > 20; });
    QVERIFY(segment != scene.segments.end());
    const QPointF middle = curveOf(*segment, scene.direction).at(0.5);
    comeNear(desk.view(), middle, 1.4);
    const QImage before = picture(&desk.view());
    QTest::mouseMove(&desk.view(), desk.view().transform().toScreen(middle).toPoint());
    QTRY_COMPARE(desk.view().look().hoveredNet, segment->net);
    const SceneNet& net = scene.nets[static_cast<size_t>(segment->net)];
    const QString tip = netTip(scene, segment->net);
    QVERIFY(tip.contains(QString::fromStdString(scene.valueOf(net).name)) &&
            tip.contains(QString::fromStdString(scene.valueOf(net).type)));
    QVERIFY(differenceOf(before, picture(&desk.view())) > 0.0002);
    // A click chooses the value; its line is drawn in the accent colour to the arrow at its reader.
    clickAt(desk.view(), middle);
    QTest::mouseMove(&desk.view(), QPoint(3, 3));
    QVERIFY(desk.document().selection().value().valid());
    const QPoint tipOfLine = desk.view().transform().toScreen(segment->end()).toPoint();
    QVERIFY(shareOf(picture(&desk.view()), desk.themes.current().accent, QRect(tipOfLine - QPoint(6, 8), QSize(12, 8)),
                    40) > 0.2);
    desk.keepPicture("canvas_line");
  }
};

QTEST_MAIN(TestCanvasWindow)
#include "tst_ui_canvas.moc"
