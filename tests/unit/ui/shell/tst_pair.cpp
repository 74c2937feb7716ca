// Two models side by side: partners in the shown versions, what differs, and the colours of it.
#include <QTest>

#include "engine/report/model_diff.h"
#include "tests/unit/ui/walk_fixture.h"
#include "ui/canvas/overlay.h"
#include "ui/document/document.h"
#include "ui/shell/pair/pair_index.h"

using namespace cutaway;
using namespace cutaway::ui;

namespace {

NodeDiff same(int a, int b) {
  return {DiffKind::kSame, 0, a, 0, b, "name", {}};
}

// Node 0 is the same, 1 became 2, 2 is only in A, 1 of B only in B.
std::shared_ptr<const ModelDiff> smallDiff() {
  auto diff = std::make_shared<ModelDiff>();
  diff->nodes = {same(0, 0),
                 {DiffKind::kChanged, 0, 1, 0, 2, "structure", {"attribute pads [0,0] -> [1,1]"}},
                 {DiffKind::kOnlyA, 0, 2, kNone, kNone, "", {}},
                 {DiffKind::kOnlyB, kNone, kNone, 0, 1, "", {}}};
  diff->same = diff->changed = diff->onlyA = diff->onlyB = 1;
  return diff;
}

}  // namespace

class TestPair : public QObject {
  Q_OBJECT

 private slots:
  void partnersBothWays() {
    const PairIndex pairs(smallDiff());
    QCOMPARE(pairs.partner({GraphVersion::kLoaded, 0, 1}, true), (NodeTarget{GraphVersion::kLoaded, 0, 2}));
    QCOMPARE(pairs.partner({GraphVersion::kLoaded, 0, 2}, false), (NodeTarget{GraphVersion::kLoaded, 0, 1}));
    QVERIFY(!pairs.partner({GraphVersion::kLoaded, 0, 2}, true).valid());
    QVERIFY(!pairs.partner({GraphVersion::kLoaded, 7, 2}, true).valid());
    QCOMPARE(pairs.differences(), (std::vector<int>{1, 2, 3}));
    QCOMPARE(pairs.differenceOf({GraphVersion::kLoaded, 0, 1}, true), 0);
    QCOMPARE(pairs.differenceOf({GraphVersion::kLoaded, 0, 0}, true), kNone);
    QCOMPARE(pairs.differenceOf({GraphVersion::kLoaded, 0, 1}, false), 2);
    QCOMPARE(pairs.partnerGraph(0, true), 0);
    QCOMPARE(pairs.partnerGraph(3, true), kNone);
  }

  void hostileDifferencesAreIgnored() {
    auto diff = std::make_shared<ModelDiff>();
    diff->nodes = {{DiffKind::kChanged, -1, 5, 0, -7, "", {}}, {DiffKind::kOnlyA, 0, 99'999, kNone, kNone, "", {}}};
    const PairIndex pairs(diff);
    QCOMPARE(pairs.differences().size(), size_t{2});
    QVERIFY(!pairs.partner({GraphVersion::kLoaded, 0, -1}, true).valid());
    const Overlay overlay = makeOverlay("diff", *test::sampleWalk(), GraphVersion::kLoaded, 0, nullptr,
                                        OverlayExtras{.diff = diff.get(), .diffSideA = true});
    QVERIFY(overlay.available);
  }

  // The same model on both sides, one optimised, the other as loaded: partners go through the originals.
  void partnersInShownVersions() {
    Document a(std::make_shared<EngineHost>(), {}), b(std::make_shared<EngineHost>(), {});
    a.setWalk(test::sampleWalk());
    b.setWalk(test::sampleWalk());
    auto diff = std::make_shared<ModelDiff>();
    const int count = static_cast<int>(a.walk()->loadedGraphs->graphs[0].nodes.size());
    for (int n = 0; n < count; ++n)
      diff->nodes.push_back(same(n, n));
    const PairIndex pairs(diff);
    a.setStage(Stage::kSchedule);
    const std::vector<int> partners = shownPartners(a, 0, b, 0, pairs, true);
    QCOMPARE(partners.size(), a.walk()->partitionedGraphs->graphs[0].nodes.size());
    QCOMPARE(partners[0], 0);
    b.setStage(Stage::kSchedule);
    const std::vector<int> back = shownPartners(b, 0, a, 0, pairs, false);
    for (size_t n = 0; n < back.size(); ++n)
      if (!a.walk()->partitionedGraphs->graphs[0].nodes[n].origins.empty()) QCOMPARE(back[n], static_cast<int>(n));
  }

  void whatIfDiffersByProvider() {
    const auto now = test::sampleWalk();
    QVERIFY(diffWalks(*now, *now).identical());
    auto other = std::make_shared<WalkReport>(*now);
    auto graphs = std::make_shared<ModelGraphs>(*now->partitionedGraphs);
    graphs->graphs[0].nodes[0].provider = "elsewhere";
    other->partitionedGraphs = graphs;
    const ModelDiff diff = diffWalks(*now, *other);
    QCOMPARE(diff.changed, static_cast<int64_t>(now->partitionedGraphs->graphs[0].nodes[0].origins.size()));
    QVERIFY(diff.nodes[0].changes.at(0).find("elsewhere") != std::string::npos);
    QCOMPARE(diff.nodes.size(), static_cast<size_t>(diff.same + diff.changed));
  }

  void coloursSayWhatDiffers() {
    const auto diff = smallDiff();
    const auto walk = test::sampleWalk();
    const auto countOf = [](const Overlay& overlay, const char16_t letter) {
      for (const LegendEntry& entry : overlay.legend)
        if (entry.letter == QChar(letter)) return entry.count;
      return -1;
    };
    const Overlay a = makeOverlay("diff", *walk, GraphVersion::kLoaded, 0, nullptr,
                                  OverlayExtras{.diff = diff.get(), .diffSideA = true});
    QCOMPARE(countOf(a, u'\u2260'), 1);
    QCOMPARE(countOf(a, u'+'), 1);
    QCOMPARE(a.category[0], static_cast<signed char>(-1));
    QVERIFY(a.category[1] != a.category[2]);
    const Overlay later = makeOverlay("diff", *walk, GraphVersion::kPartitioned, 0, nullptr,
                                      OverlayExtras{.diff = diff.get(), .diffSideA = true});
    QCOMPARE(later.category[0], a.category[2]);  // the fused node has all of them inside: it shows the most
    const Overlay none = makeOverlay("diff", *walk, GraphVersion::kLoaded, 0);
    QVERIFY(!none.available && !none.missing.isEmpty());
  }
};

QTEST_GUILESS_MAIN(TestPair)
#include "tst_pair.moc"
