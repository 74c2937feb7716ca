// Offsets of random and adversarial sets of blocks: sound, never below the bound, never above best fit by time, the
// same every time.

#include <limits>

#include <QTest>

#include "engine/stages/pattern/block_life.h"
#include "engine/stages/pattern/conflicts.h"
#include "engine/stages/pattern/dense_placement.h"
#include "engine/stages/pattern/offset_plan.h"
#include "tests/unit/engine/stages/pattern/block_sets.h"

using namespace cutaway;

namespace {

// Best fit by time, written plainly (onnxruntime/core/framework/mem_pattern_planner.h, the variant over program
// counters).
int64_t plainBestFitByTime(const std::vector<pattern::TimedBlock>& blocks) {
  std::vector<int64_t> offsets;
  int64_t peak = 0;
  for (size_t i = 0; i < blocks.size(); ++i) {
    std::vector<std::pair<int64_t, int64_t>> taken;
    for (size_t k = 0; k < i; ++k) {
      if (pattern::collide(blocks[i].life, blocks[k].life))
        taken.emplace_back(offsets[k], offsets[k] + blocks[k].sizeBytes);
    }
    std::sort(taken.begin(), taken.end());
    taken.emplace_back(peak, peak);
    int64_t cursor = 0, best = -1, bestGap = std::numeric_limits<int64_t>::max();
    for (const auto& [from, end] : taken) {
      if (from - cursor >= blocks[i].sizeBytes && from - cursor < bestGap) {
        best = cursor;
        bestGap = from - cursor;
      }
      if (from != peak || end != peak) cursor = std::max(cursor, end);
    }
    offsets.push_back(best < 0 ? cursor : best);
    peak = std::max(peak, offsets.back() + blocks[i].sizeBytes);
  }
  return peak;
}

const StrategyResult& chosen(const pattern::OffsetPlan& plan) {
  return *std::find_if(plan.strategies.begin(), plan.strategies.end(),
                       [](const StrategyResult& each) { return each.chosen; });
}

}  // namespace

class TestOffsetPlan : public QObject {
  Q_OBJECT
 private slots:
  void randomSets_data() {
    QTest::addColumn<bool>("pauses");
    QTest::addColumn<bool>("fewSizes");
    QTest::addColumn<int>("longestLife");
    for (const bool pauses : {false, true}) {
      for (const bool fewSizes : {false, true}) {
        for (const int life : {2, 12, 80})
          QTest::addRow("%s, %s sizes, lives up to %d", pauses ? "pauses" : "no pauses", fewSizes ? "few" : "many",
                        life)
              << pauses << fewSizes << life;
      }
    }
  }
  void randomSets() {
    QFETCH(bool, pauses);
    QFETCH(bool, fewSizes);
    QFETCH(int, longestLife);
    for (uint64_t seed = 1; seed <= 25; ++seed) {
      const auto blocks = randomBlocks({seed, static_cast<int>(1 + seed * 6), 80, longestLife, pauses, fewSizes});
      const auto profile = pattern::liveProfile(blocks);
      const auto plan = pattern::planOffsets(blocks, {.effort = 4000});
      QVERIFY(plan.has_value());
      QVERIFY2(faultOf(blocks, plan->placement).empty(), faultOf(blocks, plan->placement).c_str());
      QCOMPARE(plan->lowerBoundBytes, profile->lowerBoundBytes);
      QVERIFY(plan->placement.peakBytes >= plan->lowerBoundBytes);
      QCOMPARE(plan->strategies[0].peakBytes, plainBestFitByTime(blocks));
      QVERIFY(plan->placement.peakBytes <= plan->strategies[0].peakBytes);
      QCOMPARE(chosen(*plan).peakBytes, plan->placement.peakBytes);
      const auto again = pattern::planOffsets(blocks, {.effort = 4000});
      QCOMPARE(again->placement.offsets, plan->placement.offsets);
      const auto constructive = pattern::planOffsets(blocks, {.effort = 0});
      QVERIFY(plan->placement.peakBytes <= constructive->placement.peakBytes);
      QVERIFY(std::none_of(constructive->strategies.begin(), constructive->strategies.end(),
                           [](const StrategyResult& each) { return each.name == "local search"; }));
    }
  }

  void referenceIsBestFitByTimeAlone() {
    const auto blocks = randomBlocks({.seed = 7, .blocks = 120});
    const auto plan = pattern::planOffsets(blocks, {.onlyByTime = true});
    QCOMPARE(plan->strategies.size(), size_t{1});
    QCOMPARE(plan->strategies[0].name, std::string("best fit by time"));
    QCOMPARE(plan->placement.peakBytes, plainBestFitByTime(blocks));
  }

  void nothingMoreIsTriedAtTheBound() {
    // One after the other: any order reaches the bound.
    std::vector<pattern::TimedBlock> blocks;
    for (int32_t i = 0; i < 10; ++i)
      blocks.push_back({1024, {{i}, {i + 1}}});
    const auto plan = pattern::planOffsets(blocks, {});
    QCOMPARE(plan->strategies.size(), size_t{1});
    QCOMPARE(plan->placement.peakBytes, int64_t{2048});
  }

  // Placing by time traps a long-lived block in the middle; other orders find the bound.
  void longLifeAmongGrowingShortLives() {
    std::vector<pattern::TimedBlock> blocks;
    for (int32_t i = 0; i < 12; ++i) {
      blocks.push_back({(i + 1) * 4096, {{2 * i}, {2 * i + 1}}});
      blocks.push_back({256, {{2 * i + 1}, {40}}});
    }
    const auto byTime = pattern::planOffsets(blocks, {.onlyByTime = true});
    const auto plan = pattern::planOffsets(blocks, {});
    QVERIFY2(faultOf(blocks, plan->placement).empty(), faultOf(blocks, plan->placement).c_str());
    QVERIFY(byTime->placement.peakBytes > byTime->lowerBoundBytes);
    QCOMPARE(plan->placement.peakBytes, plan->lowerBoundBytes);
  }

  // Pieces of a full rectangle: the bound can be reached only without any gap.
  void cutRectangles() {
    double worst = 1, product = 1;
    for (uint64_t seed = 1; seed <= 20; ++seed) {
      const auto blocks = cutRectangle(seed, 40, 60, 64);
      const auto plan = pattern::planOffsets(blocks, {});
      QVERIFY2(faultOf(blocks, plan->placement).empty(), faultOf(blocks, plan->placement).c_str());
      QCOMPARE(plan->lowerBoundBytes, int64_t{64} * 256);
      const double ratio = static_cast<double>(plan->placement.peakBytes) / static_cast<double>(plan->lowerBoundBytes);
      worst = std::max(worst, ratio);
      product *= ratio;
    }
    qInfo("worst ratio %.3f, geometric mean %.3f", worst, std::pow(product, 1.0 / 20));
    QVERIFY(worst <= 1.05);
  }

  void denseSets() {
    for (const bool pauses : {false, true}) {
      const auto blocks = randomBlocks({3, 400, 300, 250, pauses, false});
      const auto profile = pattern::liveProfile(blocks);
      QVERIFY(!pattern::Conflicts::build(blocks, 1000).has_value());
      for (const pattern::Placement& placement :
           {pattern::placeByTimeWithGaps(blocks), pattern::placeOnSkyline(blocks, pattern::orderBySize(blocks)),
            pattern::placeOnSkyline(blocks, pattern::orderByLifetime(blocks))}) {
        QVERIFY2(faultOf(blocks, placement).empty(), faultOf(blocks, placement).c_str());
        QVERIFY(placement.peakBytes >= profile->lowerBoundBytes);
      }
      if (!pauses) QCOMPARE(pattern::placeByTimeWithGaps(blocks).peakBytes, plainBestFitByTime(blocks));
    }
  }

  void conflictsAreThoseThatCollide() {
    const auto blocks = randomBlocks({11, 90, 60, 10, true, false});
    const auto conflicts = pattern::Conflicts::build(blocks, 1'000'000);
    for (uint32_t a = 0; a < blocks.size(); ++a) {
      std::vector<uint32_t> expected;
      for (uint32_t b = 0; b < blocks.size(); ++b) {
        if (a != b && pattern::collide(blocks[a].life, blocks[b].life)) expected.push_back(b);
      }
      std::vector<uint32_t> others(conflicts->of(a).begin(), conflicts->of(a).end());
      std::sort(others.begin(), others.end());
      QCOMPARE(others, expected);
    }
  }

  void cancelledAndHuge() {
    Progress progress;
    progress.token().cancel();
    const auto blocks = randomBlocks({.seed = 5});
    QCOMPARE(pattern::planOffsets(blocks, {.progress = &progress}).error().code, ErrorCode::kModelLoadCanceled);
    const std::vector<pattern::TimedBlock> huge = {{std::numeric_limits<int64_t>::max() - 255, {{0}, {1}}},
                                                   {256, {{1}, {2}}}};
    QCOMPARE(pattern::planOffsets(huge, {}).error().code, ErrorCode::kInvalidArgument);
    QVERIFY(pattern::planOffsets({}, {}).has_value());
  }
};

QTEST_GUILESS_MAIN(TestOffsetPlan)
#include "tst_offset_plan.moc"
