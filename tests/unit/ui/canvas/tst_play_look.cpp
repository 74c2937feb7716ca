// Execution on the graph: what is done, current, to come and outside, per item, and that it can be seen.
#include <QPainter>
#include <QTest>

#include "tests/unit/ui/walk_fixture.h"
#include "ui/canvas/scene.h"
#include "ui/canvas/scene_look.h"
#include "ui/canvas/scene_painter.h"

using namespace cutaway;
using namespace cutaway::ui;

namespace {

std::shared_ptr<const Scene> sceneOf(int nodes, bool scoped, bool unfolded) {
  SceneRequest request;
  request.graphs = test::flatWalk(nodes, scoped)->loadedGraphs;
  request.unfoldAll = unfolded;
  return buildScene(request, {});
}

std::vector<int32_t> inOrder(size_t count) {
  std::vector<int32_t> steps(count);
  for (size_t n = 0; n < count; ++n)
    steps[n] = static_cast<int32_t>(n);
  return steps;
}

}  // namespace

class TestPlayLook : public QObject {
  Q_OBJECT

 private slots:
  void itemsKnowWhereTheyStand() {
    const auto scene = sceneOf(10, false, true);
    std::vector<int32_t> steps = inOrder(scene->itemOfNode.size());
    steps[9] = -1;  // takes no part
    const StepsOfGraph stepsOf = [&](int) -> const std::vector<int32_t>& { return steps; };
    const std::vector<Played> played = playedItems(*scene, stepsOf, 4, {});
    const auto of = [&](int node) { return played[static_cast<size_t>(scene->itemOfNode[static_cast<size_t>(node)])]; };
    QCOMPARE(of(3), Played::kDone);
    QCOMPARE(of(4), Played::kCurrent);
    QCOMPARE(of(5), Played::kToCome);
    QCOMPARE(of(9), Played::kNone);
    QVERIFY(playedItems(*scene, stepsOf, -1, {}).empty());
    const std::vector<Played> ranged = playedItems(*scene, stepsOf, -1, std::pair(2, 3));
    QCOMPARE(ranged[static_cast<size_t>(scene->itemOfNode[2])], Played::kNone);  // inside: as always
    QCOMPARE(ranged[static_cast<size_t>(scene->itemOfNode[8])], Played::kOutside);
    steps.pop_back();  // of another graph
    QVERIFY(playedItems(*scene, stepsOf, 4, {}).empty());
  }

  void foldedScopesGather() {
    const auto scene = sceneOf(200, true, false);
    const std::vector<int32_t> steps = inOrder(scene->itemOfNode.size());
    const std::vector<Played> played =
        playedItems(*scene, [&](int) -> const std::vector<int32_t>& { return steps; }, 60, {});
    QCOMPARE(std::count(played.begin(), played.end(), Played::kCurrent), 1);
    QCOMPARE(played[static_cast<size_t>(scene->itemOfNode[0])], Played::kDone);
    QCOMPARE(played[static_cast<size_t>(scene->itemOfNode[199])], Played::kToCome);
  }

  // What is to come fades towards the canvas; what is done keeps its colour.
  void fadingCanBeSeen() {
    const auto scene = sceneOf(10, false, true);
    const std::vector<int32_t> steps = inOrder(scene->itemOfNode.size());
    for (const Theme* theme : {&Theme::light(), &Theme::darkTheme()}) {
      const Overlay overlay = makeOverlay("operator", *test::flatWalk(10), GraphVersion::kLoaded, 0);
      SceneLook look = lookOf(*scene, overlay, *theme);
      const auto pixelOf = [&](int node) {
        QImage image(800, 1600, QImage::Format_RGB32);
        image.fill(theme->canvas);
        QPainter painter(&image);
        const QRectF rect = scene->items[static_cast<size_t>(scene->itemOfNode[static_cast<size_t>(node)])].rect;
        painter.translate(QPointF(400, 800) - rect.center());
        paintScene(painter, *scene, look, rect.adjusted(-400, -400, 400, 400), 1.0);
        paintHighlights(painter, *scene, look, rect.adjusted(-400, -400, 400, 400), 1.0);
        painter.end();
        return image.pixelColor(QPointF(400 - rect.width() / 2 + 2, 800).toPoint());  // the bar at the left
      };
      const QColor before = pixelOf(8);
      look.played = playedItems(*scene, [&](int) -> const std::vector<int32_t>& { return steps; }, 4, {});
      const QColor faded = pixelOf(8);
      QVERIFY(contrast(faded, theme->canvas) < contrast(before, theme->canvas));
      const QColor done = pixelOf(1);
      look.played.clear();
      QCOMPARE(done, pixelOf(1));
    }
  }

  void fiftyThousandAtOnce() {
    const auto scene = sceneOf(50'000, false, true);
    const std::vector<int32_t> steps = inOrder(scene->itemOfNode.size());
    QBENCHMARK {
      QCOMPARE(playedItems(*scene, [&](int) -> const std::vector<int32_t>& { return steps; }, 25'000, {}).size(),
               scene->items.size());
    }
  }
};

QTEST_MAIN(TestPlayLook)
#include "tst_play_look.moc"
