// The ribbon's figures: every phrase that the engine makes is one that the window translates, and English is the same.
#include <set>

#include <QTest>

#include "engine/report/headline.h"
#include "tests/unit/ui/walk_fixture.h"
#include "ui/base/headline_words.h"

using namespace cutaway;
using namespace cutaway::ui;

namespace {

WalkReport withPattern(bool eligible, int64_t peak, int64_t bound, bool open) {
  PatternReport report;
  report.eligible = eligible;
  report.peakBytes = peak;
  report.lowerBoundBytes = bound;
  report.graphs.resize(1);
  if (open) report.graphs[0].unplanned = {1};
  WalkReport walk;
  walk.pattern = std::make_shared<const PatternReport>(report);
  return walk;
}

WalkReport withContext(size_t nodes, size_t groups, bool written) {
  ContextReport report;
  report.nodes.resize(nodes);
  report.groups.resize(groups);
  for (ContextGroup& group : report.groups)
    group.canSave = true;
  if (written) report.written.emplace_back();
  WalkReport walk;
  walk.context = std::make_shared<const ContextReport>(report);
  return walk;
}

std::vector<WalkReport> walks() {
  std::vector<WalkReport> all = {*test::sampleWalk()};
  for (const bool eligible : {true, false})
    for (const int64_t peak : {int64_t{0}, int64_t{2'000'000}})
      for (const bool open : {true, false})
        for (const int64_t bound : {int64_t{1000}, int64_t{2'000'000}})
          all.push_back(withPattern(eligible, peak, bound, open));
  for (const size_t nodes : {0, 1, 2})
    for (const size_t groups : {0, 1, 2})
      for (const bool written : {true, false})
        all.push_back(withContext(nodes, groups, written));
  WalkReport one;
  auto load = std::make_shared<LoadReport>();
  load->nodeCount = 1;
  one.load = load;
  auto partition = std::make_shared<PartitionReport>();
  partition->unassignedNodes = 2;
  partition->nodes.resize(1);
  partition->groups.resize(1);
  one.partition = partition;
  all.push_back(one);
  return all;
}

}  // namespace

class TestHeadlineWords : public QObject {
  Q_OBJECT

 private slots:
  void everyPhraseIsKnown() {
    std::set<std::string> made;
    for (const WalkReport& walk : walks())
      for (int stage = 0; stage < kStageCount; ++stage)
        for (const HeadlinePart& part : stageHeadlineParts(walk, static_cast<Stage>(stage))) {
          made.insert(part.phrase);
          QVERIFY2(isHeadlinePhrase(part.phrase), part.phrase);
        }
    QVERIFY2(made.size() >= 24,
             qPrintable(QString::number(made.size())));  // of 33; the walks above are not all there is
  }

  void englishIsTheReports() {
    for (const WalkReport& walk : walks())
      for (int stage = 0; stage < kStageCount; ++stage) {
        QString report = QString::fromStdString(stageHeadline(walk, static_cast<Stage>(stage)));
        report.replace(QLatin1String("->"), QStringLiteral("\u2192"))
            .replace(QLatin1String(">="), QStringLiteral("\u2265"));
        QCOMPARE(headlineWords(walk, static_cast<Stage>(stage)), report);
      }
  }

  void unknownPeakSaysWhy() {
    QCOMPARE(headlineWords(withPattern(true, 0, 0, true), Stage::kPattern), QStringLiteral("unknown (dynamic shapes)"));
    QCOMPARE(headlineWords(withPattern(true, 768, 0, true), Stage::kPattern),
             QStringLiteral("\u2265 768 B, dynamic shapes"));
  }
};

QTEST_GUILESS_MAIN(TestHeadlineWords)
#include "tst_headline_words.moc"
