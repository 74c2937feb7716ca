// The story of a selection: every station from the original node to its measured time, from whatever version it was
// chosen in.
#include <algorithm>

#include <QApplication>
#include <QLabel>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>

#include "tests/unit/ui/walk_fixture.h"
#include "ui/base/theme_store.h"
#include "ui/base/view_state.h"
#include "ui/document/document.h"
#include "ui/panels/panel_actions.h"
#include "ui/panels/panel_table.h"
#include "ui/panels/story/station_card.h"
#include "ui/panels/story/story_of.h"

using namespace cutaway;
using namespace cutaway::ui;

namespace {

const Station* stationOf(const Story& story, Stage stage) {
  const auto found = std::find_if(story.stations.begin(), story.stations.end(),
                                  [&](const Station& station) { return station.stage == stage; });
  return found == story.stations.end() ? nullptr : &*found;
}

QString wordsOf(const Station& station) {
  QStringList words = {station.title};
  for (const StoryLine& line : station.lines)
    words << line.words;
  return words.join(QLatin1Char('\n'));
}

}  // namespace

class TestStory : public QObject {
  Q_OBJECT

 private slots:
  void nothingSelectedHasNoStory() {
    Document document(std::make_shared<EngineHost>(), {});
    document.setWalk(test::sampleWalk());
    QVERIFY(storyOf(document).title.isEmpty());
  }

  // BatchNormalization, folded into Conv, run inside a compiled group: known in every stage.
  void originalNodeIsToldToItsTime() {
    Document document(std::make_shared<EngineHost>(), {});
    document.setWalk(test::sampleWalk());
    document.selection().selectNode({GraphVersion::kLoaded, 0, 1});
    const Story story = storyOf(document);
    QVERIFY(story.title.contains(QLatin1String("BatchNormalization")));
    for (const Stage stage :
         {Stage::kLoad, Stage::kOptimize, Stage::kPartition, Stage::kSchedule, Stage::kAllocate, Stage::kRun})
      QVERIFY2(stationOf(story, stage), stageId(stage));
    QVERIFY(wordsOf(*stationOf(story, Stage::kOptimize)).contains(QChar(0x2192)));  // names before and after
    QVERIFY(stationOf(story, Stage::kSchedule)->title.contains(QLatin1String("Step 0")));
    QVERIFY(stationOf(story, Stage::kRun)->title.contains(QLatin1String("of the time in nodes")));
    const auto order = [](const Station& a, const Station& b) { return a.stage < b.stage; };
    QVERIFY(std::is_sorted(story.stations.begin(), story.stations.end(), order));
  }

  void sameStoryFromTheOtherEnd() {
    Document document(std::make_shared<EngineHost>(), {});
    document.setWalk(test::sampleWalk());
    document.selection().selectNode({GraphVersion::kPartitioned, 0, 0});  // the fused node: six originals
    const Story story = storyOf(document);
    QVERIFY(stationOf(story, Stage::kLoad)->title.contains(QLatin1Char('6')));
    QVERIFY(stationOf(story, Stage::kLoad)->lines.front().target.node.valid());
    QVERIFY(stationOf(story, Stage::kSchedule));
  }

  void valueIsToldWithItsBuffer() {
    Document document(std::make_shared<EngineHost>(), {});
    document.setWalk(test::sampleWalk());
    document.selection().selectValue({0, QStringLiteral("pooled")});
    const Story story = storyOf(document);
    QCOMPARE(story.title, QStringLiteral("pooled"));
    const Station* buffer = stationOf(story, Stage::kAllocate);
    QVERIFY(buffer && buffer->title.contains(QLatin1String("pooled")));
    QVERIFY(stationOf(story, Stage::kPattern));
    QCOMPARE(stationOf(story, Stage::kPattern)->target.value.name, QStringLiteral("pooled"));
  }

  // Optimised away without a trace: the story says where it ends, and goes no further.
  void removedNodeEnds() {
    auto walk = std::make_shared<WalkReport>(*test::sampleWalk());
    auto optimized = std::make_shared<ModelGraphs>(*walk->optimizedGraphs);
    auto partitioned = std::make_shared<ModelGraphs>(*walk->partitionedGraphs);
    const int32_t origin = walk->loadedGraphs->graphs[0].nodes[1].origins.front();
    for (const auto& graphs : {optimized, partitioned})
      for (GraphReport& graph : graphs->graphs)
        for (NodeReport& node : graph.nodes)
          node.origins.erase(std::remove(node.origins.begin(), node.origins.end(), origin), node.origins.end());
    auto optimize = std::make_shared<OptimizeReport>();
    optimize->rewrites.push_back(
        {"fold-constants", "all inputs are constant", 0, {origin}, {"BatchNormalization 'bn'"}, {}});
    walk->optimizedGraphs = optimized;
    walk->partitionedGraphs = partitioned;
    walk->optimize = optimize;
    Document document(std::make_shared<EngineHost>(), {});
    document.setWalk(walk);
    document.selection().selectNode({GraphVersion::kLoaded, 0, 1});
    const Story story = storyOf(document);
    QVERIFY(!story.stations.empty());
    const Station& end = story.stations.back();
    QVERIFY(end.ended);
    QCOMPARE(end.stage, Stage::kOptimize);
    QVERIFY(wordsOf(end).contains(QLatin1String("fold-constants")));
  }

  // In the panel: a station goes to its stage and keeps the selection, a line selects what it names.
  void stationsAreDoors() {
    QTemporaryDir folder;
    ViewState viewState(folder.filePath("settings.ini"));
    ThemeStore themes;
    PanelActions actions;
    Document document(std::make_shared<EngineHost>(), {});
    const PanelContext context{&document, &viewState, &themes, &actions};
    std::unique_ptr<QWidget> panel;
    for (const PanelDescriptor* each : panelTable())
      if (QLatin1String(each->id) == QLatin1String("story")) panel.reset(each->create(context, nullptr));
    QVERIFY(panel);
    document.setWalk(test::sampleWalk());
    panel->resize(360, 900);
    panel->show();
    document.selection().selectNode({GraphVersion::kLoaded, 0, 1});
    QTRY_VERIFY(panel->findChildren<StationCard*>().size() >= 5);
    for (StationCard* card : panel->findChildren<StationCard*>())
      if (card->station().stage == Stage::kSchedule) {
        card->findChild<QPushButton*>()->click();
        break;
      }
    QCOMPARE(document.stage(), Stage::kSchedule);
    QCOMPARE(document.selection().focus(), (NodeTarget{GraphVersion::kLoaded, 0, 1}));
    QCoreApplication::processEvents();
    if (qEnvironmentVariableIsSet("CUTAWAY_PICTURES")) {
      for (const bool dark : {false, true}) {
        themes.setMode(dark ? ThemeMode::kDark : ThemeMode::kLight);
        qApp->setStyleSheet(themes.current().styleSheet());
        qApp->setPalette(themes.current().palette());
        QTest::qWait(50);
        QVERIFY(panel->grab().save(qEnvironmentVariable("CUTAWAY_PICTURES") +
                                   (dark ? "/story-dark.png" : "/story-light.png")));
      }
    }
  }
};

QTEST_MAIN(TestStory)
#include "tst_story.moc"
