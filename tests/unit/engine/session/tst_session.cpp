// Creating sessions: snapshots of the walk, errors with their place, session keys, feed checks, random feeds,
// measuring, traces.

#include <set>

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include "engine/profile/profiles.h"
#include "tests/unit/engine/session/text_session.h"

using namespace cutaway;

namespace {

constexpr const char* kTwoInputs = R"(<ir_version: 8, opset_import: ["" : 17]>
main (float[n,4] x, float[n,4] z) => (float[n,2] y) <float[4,2] w = {1,0,0,1,1,0,0,1}> {
  [relu] h = Relu (x)
  [add] s = Add (h, z)
  [product] y = MatMul (s, w)
})";

Tensor intTensor(std::initializer_list<int64_t> dims) {
  return *Tensor::create(ElementType::kInt64, dims);
}

}  // namespace

class TestSession : public QObject {
  Q_OBJECT
 private slots:
  void everyStagePublishesASnapshot() {
    std::vector<std::shared_ptr<const WalkReport>> snapshots;
    const auto session = textSession(
        kTwoInputs, {}, [&](std::shared_ptr<const WalkReport> walk) { snapshots.push_back(std::move(walk)); });
    QVERIFY2(session.has_value(), why(session).c_str());
    // One for each stage, and a last one with what making the session was made of.
    QCOMPARE(snapshots.size(), size_t{8});
    for (size_t i = 0; i < 7; ++i) {
      QCOMPARE(snapshots[i]->stages[i].state, StageState::kDone);
      QVERIFY(!snapshots[i]->error && !snapshots[i]->creation);
      if (i + 1 < 7) QCOMPARE(snapshots[i]->stages[i + 1].state, StageState::kRunning);
    }
    QVERIFY(snapshots[0]->load && snapshots[0]->loadedGraphs && !snapshots[0]->resolve);
    const WalkReport& last = *snapshots.back();
    QVERIFY(last.load && last.resolve && last.optimize && last.partition && last.schedule && last.allocate &&
            last.pattern);
    QVERIFY(last.optimizedGraphs && last.partitionedGraphs);
    QCOMPARE(last.load, snapshots[0]->load);
    QVERIFY(last.creation);
    std::set<std::string> names;
    for (const TraceSpan& span : *last.creation) {
      names.insert(span.name);
      QVERIFY(span.startNs >= 0 && span.durationNs >= 0 && span.depth >= 0);
    }
    for (const char* name : {"load", "parse", "resolve", "types and shapes", "optimize", "partition", "ask cpu",
                             "schedule", "allocate", "pattern", "make kernels"})
      QVERIFY2(names.contains(name), name);
    QVERIFY((*session)->report() == snapshots.back());
    QVERIFY2(planViolations(kTwoInputs).empty(), planViolations(kTwoInputs).c_str());
  }

  void walkStopsAfterTheLastStageAsked() {
    session::SessionOptions options;
    options.lastStage = Stage::kResolve;
    const auto session = textSession(kTwoInputs, options);
    QVERIFY2(session.has_value(), why(session).c_str());
    QVERIFY((*session)->report()->resolve && !(*session)->report()->optimize);
    const auto result = (*session)->run({}, {});
    QCOMPARE(result.error().code, ErrorCode::kFail);
  }

  void failuresEndInASnapshot() {
    std::shared_ptr<const WalkReport> last;
    Progress progress;
    const auto session =
        session::Session::create(load::ModelSource::file("/nowhere/model.onnx"), {}, cpuTable(), progress,
                                 [&](std::shared_ptr<const WalkReport> walk) { last = std::move(walk); });
    QVERIFY(!session.has_value());
    QCOMPARE(session.error().code, ErrorCode::kNoSuchFile);
    QCOMPARE(session.error().where.file, std::string("/nowhere/model.onnx"));
    QVERIFY(last && last->error);
    QCOMPARE(last->stages[0].state, StageState::kFailed);
  }

  void badOptions_data() {
    QTest::addColumn<QString>("what");
    QTest::addColumn<QString>("words");
    QTest::newRow("provider") << "provider" << "no provider 'npu'";
    QTest::newRow("order") << "order" << "unknown order 'best'";
    QTest::newRow("key") << "key" << "is 0 or 1";
  }
  void badOptions() {
    QFETCH(QString, what);
    QFETCH(QString, words);
    session::SessionOptions options;
    if (what == "provider") options.providers = {"npu"};
    if (what == "order") options.order = "best";
    if (what == "key") options.config["session.strict_shape_type_inference"] = "maybe";
    const auto session = textSession(kTwoInputs, options);
    QVERIFY(!session.has_value());
    QVERIFY2(session.error().message.find(words.toStdString()) != std::string::npos, session.error().message.c_str());
  }

  void unknownKeysAreWarnedAbout() {
    session::SessionOptions options;
    options.config["session.no_such_key"] = "1";
    const auto session = textSession(kTwoInputs, options);
    QVERIFY2(session.has_value(), why(session).c_str());
    const auto& warnings = (*session)->report()->load->warnings;
    QVERIFY(std::any_of(warnings.begin(), warnings.end(), [](const std::string& warning) {
      return warning.find("session.no_such_key") != std::string::npos;
    }));
  }

  void cancelledBeforeItBegins() {
    CancelToken cancel;
    cancel.cancel();
    std::shared_ptr<const WalkReport> last;
    const auto session = textSession(
        kTwoInputs, {}, [&](std::shared_ptr<const WalkReport> walk) { last = std::move(walk); }, nullptr,
        Progress(cancel));
    QCOMPARE(session.error().code, ErrorCode::kModelLoadCanceled);
    QCOMPARE(last->stages[0].state, StageState::kCancelled);
  }

  void feedsAreCheckedFirst_data() {
    QTest::addColumn<QString>("kind");
    QTest::addColumn<QStringList>("words");
    QTest::newRow("unknown name") << "unknown" << QStringList{"no input 'nope'", "'x', 'z'"};
    QTest::newRow("missing") << "missing" << QStringList{"'z'", "required"};
    QTest::newRow("twice") << "twice" << QStringList{"'x' is fed twice"};
    QTest::newRow("element type") << "type" << QStringList{"int64", "expects float"};
    QTest::newRow("rank") << "rank" << QStringList{"rank 1", "expects rank 2"};
    QTest::newRow("fixed dimension") << "dim" << QStringList{"has 5 at dimension 1", "expects 4"};
    QTest::newRow("symbols disagree") << "symbol"
                                      << QStringList{"'x' and 'z' disagree about 'n'", "2 in the first",
                                                     "3 in the second"};
    QTest::newRow("nothing") << "empty" << QStringList{"fed nothing"};
    QTest::newRow("sequence for a tensor") << "sequence" << QStringList{"must be a tensor"};
  }
  void feedsAreCheckedFirst() {
    QFETCH(QString, kind);
    QFETCH(QStringList, words);
    const auto session = textSession(kTwoInputs);
    QVERIFY2(session.has_value(), why(session).c_str());
    std::vector<execute::Feed> feeds{floatFeed("x", {2, 4}, std::vector<float>(8)),
                                     floatFeed("z", {2, 4}, std::vector<float>(8))};
    if (kind == "unknown") feeds.push_back(floatFeed("nope", {1}, {1}));
    if (kind == "missing") feeds.pop_back();
    if (kind == "twice") feeds.push_back(feeds[0]);
    if (kind == "type") feeds[0].value = intTensor({2, 4});
    if (kind == "rank") feeds[0] = floatFeed("x", {8}, std::vector<float>(8));
    if (kind == "dim") feeds[0] = floatFeed("x", {2, 5}, std::vector<float>(10));
    if (kind == "symbol") feeds[1] = floatFeed("z", {3, 4}, std::vector<float>(12));
    if (kind == "empty") feeds[0].value = RuntimeValue();
    if (kind == "sequence") feeds[0].value = SequenceValue{};
    const auto result = (*session)->run(feeds, {});
    QVERIFY(!result.has_value());
    QCOMPARE(result.error().code, ErrorCode::kInvalidArgument);
    for (const QString& each : words)
      QVERIFY2(result.error().message.find(each.toStdString()) != std::string::npos, result.error().message.c_str());
    QVERIFY(!result.error().where.value.empty());
  }

  void randomFeedsAreSeededAndFit() {
    const auto session = textSession(R"(<ir_version: 8, opset_import: ["" : 17]>
main (int64[n] ids, float[n,2] x, bool[1] flag) => (float[n,2] y, bool[1] other) <float[3,2] table = {1,2,3,4,5,6}> {
  rows = Gather (table, ids)
  y = Add (rows, x)
  other = Not (flag)
})");
    QVERIFY2(session.has_value(), why(session).c_str());
    const auto first = session::randomFeeds(**session, 7, {{"n", 50}}, {});
    const auto second = session::randomFeeds(**session, 7, {{"n", 50}}, {});
    const auto other = session::randomFeeds(**session, 8, {{"n", 50}}, {});
    QVERIFY2(first.has_value(), why(first).c_str());
    QCOMPARE(floatsOf((*first)[1].value), floatsOf((*second)[1].value));
    QVERIFY(floatsOf((*first)[1].value) != floatsOf((*other)[1].value));
    bool sawLast = false;
    for (int64_t id : (*first)[0].value.tensor().span<int64_t>()) {
      QVERIFY(id >= 0 && id < 3);
      sawLast = sawLast || id == 2;
    }
    QVERIFY(sawLast);
    for (float number : floatsOf((*first)[1].value))
      QVERIFY(number >= -1.0f && number < 1.0f);
    const auto result = (*session)->run(*first, {});
    QVERIFY2(result.has_value(), why(result).c_str());
  }

  // What a study makes of an open model has sizes where that had names: no slip of who gave them.
  void sizesThatBindNothing() {
    session::SessionOptions options;
    options.dims = {{"n", 3}, {"nosuch", 5}};
    const auto session = textSession(kTwoInputs, options);
    QVERIFY2(session.has_value(), why(session).c_str());
    QCOMPARE((*session)->report()->resolve->warnings.size(), size_t{1});
    Progress progress;
    const auto again = session::Session::create(
        load::ModelSource::loaded(std::make_shared<const Model>((*session)->model())), options, cpuTable(), progress);
    QVERIFY2(again.has_value(), why(again).c_str());
    QVERIFY((*again)->report()->resolve->warnings.empty());
  }

  void measuringFillsTheReportAndTheTrace() {
    const auto session = textSession(kTwoInputs);
    QVERIFY2(session.has_value(), why(session).c_str());
    const auto feeds = session::randomFeeds(**session, 1, {{"n", 3}}, {});
    const auto report = session::measure(**session, *feeds, {.runs = 5, .warmups = 2, .profile = true}, {});
    QVERIFY2(report.has_value(), why(report).c_str());
    QCOMPARE(report->runs, int64_t{5});
    QCOMPARE(report->runMs.size(), size_t{5});
    QVERIFY(report->minMs <= report->medianMs && report->medianMs <= report->p90Ms && report->p90Ms <= report->p99Ms &&
            report->p99Ms <= report->maxMs);
    QVERIFY(report->firstRunMs > 0);
    QCOMPARE(report->outputs.size(), size_t{1});
    QCOMPARE(report->outputs[0].type, std::string("float[3,2]"));
    QVERIFY(!report->nodes.empty());
    for (const NodeTiming& node : report->nodes) {
      QCOMPARE(node.calls, int64_t{1});
      QVERIFY(node.minNs <= node.totalNs && node.totalNs <= node.maxNs);
      QVERIFY(!node.variant.empty());
      QVERIFY(!node.outputShapes.empty());
    }
    const auto walk = session::withRun(*(*session)->report(), *report);
    QCOMPARE(walk->stages[static_cast<size_t>(Stage::kRun)].state, StageState::kDone);
    const QJsonDocument trace = QJsonDocument::fromJson(QByteArray::fromStdString(profile::chromeTrace(*walk)));
    QVERIFY(trace.isArray());
    int nodeEvents = 0;
    for (const QJsonValue& event : trace.array()) {
      const QJsonObject object = event.toObject();
      for (const char* key : {"cat", "pid", "tid", "dur", "ts", "ph", "name", "args"})
        QVERIFY2(object.contains(key), key);
      if (object["cat"].toString() != "Node") continue;
      ++nodeEvents;
      QVERIFY(object["name"].toString().endsWith("_kernel_time"));
      QVERIFY(object["args"].toObject()["output_type_shape"].toArray()[0].toObject().contains("float"));
    }
    QCOMPARE(nodeEvents, static_cast<int>(report->nodes.size()));
  }

  void namesInTracesAreEscaped() {
    WalkReport walk;
    ModelGraphs graphs;
    graphs.graphs.emplace_back().nodes.emplace_back().name = "a \"quoted\"\\name\n\xff";
    walk.partitionedGraphs = std::make_shared<const ModelGraphs>(graphs);
    RunReport run;
    run.nodes.emplace_back();
    const auto with = session::withRun(walk, run);
    QJsonParseError error;
    QJsonDocument::fromJson(QByteArray::fromStdString(profile::chromeTrace(*with)), &error);
    QCOMPARE(error.error, QJsonParseError::NoError);
  }

  void measuringStopsWhenCancelled() {
    const auto session = textSession(kTwoInputs);
    CancelToken cancel;
    cancel.cancel();
    const auto report = session::measure(**session, *session::randomFeeds(**session, 1, {}, {}), {}, cancel);
    QCOMPARE(report.error().code, ErrorCode::kFail);
  }
};

QTEST_GUILESS_MAIN(TestSession)
#include "tst_session.moc"
