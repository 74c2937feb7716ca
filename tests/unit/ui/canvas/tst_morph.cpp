// From one scene to the next: nothing jumps, what unfolds grows out of its card, stages are matched by origins.
#include <algorithm>

#include <QTest>

#include "tests/unit/ui/walk_fixture.h"
#include "ui/canvas/scene_anchor.h"
#include "ui/canvas/scene_morph.h"

using namespace cutaway;
using namespace cutaway::ui;

namespace {

std::shared_ptr<const Scene> scene(const std::shared_ptr<const ModelGraphs>& graphs, const QSet<QString>& unfolded,
                                   FlowDirection direction = FlowDirection::kDown) {
  SceneRequest request{.graphs = graphs, .unfolded = unfolded};
  request.grouping = Grouping::kNames;
  request.direction = direction;
  return buildScene(request, CancelToken());
}

}  // namespace

class TestMorph : public QObject {
  Q_OBJECT

 private slots:
  void theSameSceneStandsStill() {
    const auto graphs = test::sampleWalk()->loadedGraphs;
    const auto before = scene(graphs, {QStringLiteral("stem")}), after = scene(graphs, {QStringLiteral("stem")});
    const SceneMorph morph(before, after, {});
    QVERIFY(morph.gone().empty());
    for (int i = 0; i < static_cast<int>(after->items.size()); ++i) {
      QCOMPARE(morph.counterpart(i), i);
      for (const double share : {0.0, 0.3, 1.0}) {
        QCOMPARE(morph.rect(i, share), after->items[i].rect);
        QCOMPARE(morph.opacity(i, share), 1.0);
      }
    }
    for (size_t n = 0; n < after->nets.size(); ++n)
      QVERIFY(!morph.netIsNew(static_cast<int>(n)));
  }

  void unfoldingGrowsOutOfTheCard() {
    const auto graphs = test::sampleWalk()->loadedGraphs;
    const auto before = scene(graphs, {}), after = scene(graphs, {QStringLiteral("stem")});
    const QRectF card = placeOfScope(*before, QStringLiteral("stem"));
    QVERIFY(!card.isNull());
    const auto anchor = anchorBetween(*before, *after, before->bounds, QStringLiteral("stem"));
    QVERIFY(anchor.has_value());
    const SceneMorph morph(before, after, anchor->shift());
    int grown = 0;
    for (int i = 0; i < static_cast<int>(after->items.size()); ++i) {
      if (after->items[i].kind != ItemKind::kNode) continue;
      ++grown;
      QCOMPARE(morph.counterpart(i), -1);
      QVERIFY(card.translated(anchor->shift()).contains(morph.rect(i, 0)));
      QCOMPARE(morph.rect(i, 1), after->items[i].rect);
      QCOMPARE(morph.opacity(i, 0), 0.0);
    }
    QCOMPARE(grown, 3);
    QCOMPARE(morph.gone().size(), size_t{1});  // the card itself
    // The box grows from where the card was.
    const auto box = std::find_if(after->boxes.begin(), after->boxes.end(), [&](const SceneBox& b) {
      return after->scopes->scopes[b.scope].path == QLatin1String("stem");
    });
    const int index = static_cast<int>(box - after->boxes.begin());
    QCOMPARE(morph.boxRect(index, 0), card.translated(anchor->shift()));
    QCOMPARE(morph.boxRect(index, 1), box->rect);
  }

  void foldingShrinksIntoTheCard() {
    const auto graphs = test::sampleWalk()->loadedGraphs;
    const auto before = scene(graphs, {QStringLiteral("stem")}), after = scene(graphs, {});
    const auto anchor = anchorBetween(*before, *after, before->bounds, QStringLiteral("stem"));
    QVERIFY(anchor.has_value());
    const SceneMorph morph(before, after, anchor->shift());
    QCOMPARE(morph.gone().size(), size_t{3});
    const QRectF card = placeOfScope(*after, QStringLiteral("stem"));
    for (const SceneMorph::Gone& gone : morph.gone()) {
      QCOMPARE(gone.rect(0), before->items[gone.item].rect.translated(anchor->shift()));
      QVERIFY(card.contains(gone.rect(1)));
    }
  }

  void theAnchorStays() {
    const auto graphs = test::sampleWalk()->loadedGraphs;
    const auto before = scene(graphs, {}), after = scene(graphs, {QStringLiteral("stem")});
    // Not by path: the node nearest to the middle of the window.
    const QRectF window(before->items[0].rect.center() - QPointF(50, 50), QSizeF(100, 100));
    const auto anchor = anchorBetween(*before, *after, window, {});
    QVERIFY(anchor.has_value());
    const SceneMorph morph(before, after, anchor->shift());
    QCOMPARE(anchor->before + morph.shift(), anchor->after);
  }

  // A node that the other scene does not have holds nothing: the next one does.
  void theAnchorIsInBothScenes() {
    const auto graphs = test::sampleWalk()->loadedGraphs;
    const auto changed = std::make_shared<ModelGraphs>(*graphs);
    NodeReport& gone = changed->graphs[0].nodes[1];
    gone.name = std::string("other");
    gone.origins = {};
    const auto before = buildScene({.graphs = graphs, .unfoldAll = true}, CancelToken());
    const auto after = buildScene({.graphs = changed, .unfoldAll = true}, CancelToken());
    const QPointF middle = before->items[static_cast<size_t>(before->itemOfNode[1])].rect.center();
    const auto anchor = anchorBetween(*before, *after, QRectF(middle - QPointF(50, 50), QSizeF(100, 100)), {});
    QVERIFY(anchor.has_value());
    QVERIFY(anchor->before != middle);
  }

  void stagesAreMatchedByOrigins() {
    const auto walk = test::sampleWalk();
    const auto before = scene(walk->loadedGraphs, {}, FlowDirection::kDown), after = scene(walk->optimizedGraphs, {});
    SceneRequest all{.graphs = walk->loadedGraphs, .unfoldAll = true};
    const auto loaded = buildScene(all, CancelToken());
    all.graphs = walk->optimizedGraphs;
    const auto optimized = buildScene(all, CancelToken());
    const SceneMorph morph(loaded, optimized, {});
    int matched = 0;
    for (size_t n = 0; n < optimized->itemOfNode.size(); ++n) {
      const int counterpart = morph.counterpart(optimized->itemOfNode[n]);
      if (counterpart < 0) continue;
      ++matched;
      const auto& origins = optimized->report().nodes[n].origins;
      const auto& other = loaded->nodeOf(loaded->items[counterpart]).origins;
      QVERIFY(std::any_of(origins.begin(), origins.end(),
                          [&](int32_t o) { return std::find(other.begin(), other.end(), o) != other.end(); }));
    }
    QCOMPARE(matched, static_cast<int>(optimized->itemOfNode.size()));
    QVERIFY(!morph.gone().empty());  // what was folded away
    Q_UNUSED(before);
    Q_UNUSED(after);
  }

  void linesHoldOnToTheirCards() {
    const auto graphs = test::sampleWalk()->loadedGraphs;
    const auto before = scene(graphs, {}), after = scene(graphs, {}, FlowDirection::kRight);
    const SceneMorph morph(before, after, {});
    for (const SceneSegment& segment : after->segments) {
      if (segment.target < 0) continue;
      const QRectF place = morph.rect(segment.target, 0.4).adjusted(-0.5, -0.5, 0.5, 0.5);
      QVERIFY(place.contains(morph.moved(segment.end(), segment.target, 0.4)));
    }
  }
};

QTEST_MAIN(TestMorph)
#include "tst_morph.moc"
