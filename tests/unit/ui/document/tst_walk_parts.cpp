// What a document says has changed, and who hears of it.
#include <QSignalSpy>
#include <QTest>

#include "tests/unit/ui/walk_fixture.h"
#include "ui/document/document.h"

using namespace cutaway;
using namespace cutaway::ui;

namespace {

template <typename Change>
std::shared_ptr<const WalkReport> changed(const std::shared_ptr<const WalkReport>& walk, Change change) {
  auto copy = std::make_shared<WalkReport>(*walk);
  change(*copy);
  return copy;
}

std::shared_ptr<const EngineHost> failingHost() {
  auto host = std::make_shared<EngineHost>();
  host->createSession = [](const auto&...) { return fail(ErrorCode::kNoSuchFile, "there is no such file"); };
  return host;
}

// How often each kind of listener is called.
struct Listeners {
  int graphs = 0, plans = 0, run = 0, states = 0;
  explicit Listeners(Document& document) {
    document.onWalkChange(kGraphs, &document, [this] { ++graphs; });
    document.onWalkChange(kPlans, &document, [this] { ++plans; });
    document.onWalkChange(WalkPart::kRun, &document, [this] { ++run; });
    document.onWalkChange(WalkPart::kStates, &document, [this] { ++states; });
  }
  std::vector<int> taken() {
    const std::vector<int> counts{graphs, plans, run, states};
    graphs = plans = run = states = 0;
    return counts;
  }
};

}  // namespace

class TestWalkParts : public QObject {
  Q_OBJECT

 private slots:
  void everyReportIsAPart() {
    const WalkReport empty;
    QVERIFY(!changedParts(empty, empty));
    WalkReport walk;
    walk.load = std::make_shared<LoadReport>();
    walk.loadedGraphs = std::make_shared<ModelGraphs>();
    QCOMPARE(changedParts(empty, walk), WalkParts(WalkPart::kLoad));
    WalkReport resolved = walk;
    resolved.resolve = std::make_shared<ResolveReport>();
    resolved.loadedGraphs = std::make_shared<ModelGraphs>();  // the same nodes, with types
    QCOMPARE(changedParts(walk, resolved), WalkParts(WalkPart::kResolve));
    WalkReport optimized = resolved;
    optimized.optimizedGraphs = std::make_shared<ModelGraphs>();
    optimized.optimizedCosts = std::make_shared<CostReport>();
    QCOMPARE(changedParts(resolved, optimized), WalkParts(WalkPart::kOptimize));
    WalkReport partitioned = optimized;
    partitioned.partition = std::make_shared<PartitionReport>();
    partitioned.context = std::make_shared<ContextReport>();
    partitioned.stages[static_cast<size_t>(Stage::kPartition)].state = StageState::kDone;
    QCOMPARE(changedParts(optimized, partitioned), WalkPart::kPartition | WalkPart::kContext | WalkPart::kStates);
    WalkReport planned = partitioned;
    planned.schedule = std::make_shared<ScheduleReport>();
    planned.allocate = std::make_shared<AllocateReport>();
    planned.pattern = std::make_shared<PatternReport>();
    QCOMPARE(changedParts(partitioned, planned), kPlans);
    WalkReport ran = planned;
    ran.run = std::make_shared<RunReport>();
    QCOMPARE(changedParts(planned, ran), WalkParts(WalkPart::kRun));
    WalkReport failed = planned;
    failed.error = Error{ErrorCode::kFail, "no", {}};
    QCOMPARE(changedParts(planned, failed), WalkParts(WalkPart::kStates));
    QCOMPARE(changedParts(ran, empty), kReports | WalkPart::kStates);
  }

  void listenersHearOfWhatTheyShow() {
    Document document(failingHost(), {});
    Listeners listeners(document);
    QSignalSpy any(&document, &Document::walkChanged);
    const auto walk = test::sampleWalk();
    document.setWalk(walk);
    QCOMPARE(any.count(), 1);
    listeners.taken();
    // The same reports in another snapshot: nobody is called.
    document.setWalk(changed(walk, [](WalkReport&) {}));
    QCOMPARE(any.count(), 1);
    QCOMPARE(listeners.taken(), (std::vector<int>{0, 0, 0, 0}));
    document.setWalk(changed(walk, [](WalkReport& next) { next.run = std::make_shared<RunReport>(); }));
    QCOMPARE(listeners.taken(), (std::vector<int>{0, 0, 1, 0}));
    document.setWalk(walk);
    QCOMPARE(listeners.taken(), (std::vector<int>{0, 0, 1, 0}));
    document.setWalk(changed(walk, [](WalkReport& next) { next.schedule = std::make_shared<ScheduleReport>(); }));
    QCOMPARE(listeners.taken(), (std::vector<int>{0, 1, 0, 0}));
    document.setWalk(walk);
    listeners.taken();
    document.contexts().drop();  // what it had to say is gone
    QCOMPARE(listeners.taken(), (std::vector<int>{0, 0, 0, 1}));
    // Another walk is another everything.
    document.open(QStringLiteral("missing.onnx"));
    const std::vector<int> all = listeners.taken();
    for (const int count : all)
      QVERIFY(count >= 1);
  }

  void listenersGoWithTheirOwner() {
    Document document(std::make_shared<EngineHost>(), {});
    int calls = 0;
    auto owner = std::make_unique<QObject>();
    document.onWalkChange(kWholeWalk, owner.get(), [&calls] { ++calls; });
    document.setWalk(test::sampleWalk());
    QCOMPARE(calls, 1);
    owner.reset();
    document.setWalk(std::make_shared<const WalkReport>());
    QCOMPARE(calls, 1);
  }

  void cleanupTestCase() { EngineService::waitForThreads(); }
};

QTEST_GUILESS_MAIN(TestWalkParts)
#include "tst_walk_parts.moc"
