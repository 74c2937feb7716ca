// Traces written and read back, foreign traces laid on a graph, and what is no trace.
#include <random>
#include <set>
#include <sstream>

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include "engine/profile/profiles.h"
#include "tests/unit/engine/session/text_session.h"

using namespace cutaway;

namespace {

constexpr const char* kModel = R"(<ir_version: 8, opset_import: ["" : 17]>
main (float[4,8] x, float[8,8] w) => (float[4,8] y) {
  [first] a = MatMul (x, w)
  [second] b = Sigmoid (a)
  c = Neg (b)
  [last] y = Add (c, a)
})";

constexpr const char* kLoop = R"(<ir_version: 8, opset_import: ["" : 17]>
main (int64 trips, bool cond, float[8] x) => (float[8] y) {
  base = Neg (x)
  [again] z = Loop <body = step (int64 i, bool go, float[8] s) => (bool on, float[8] out) {
      on = Identity (go)
      [inner] m = Mul (s, base)
      out = Add (m, x)
    }> (trips, cond, x)
  y = Sigmoid (z)
})";

std::string node(const std::string& name, double ts, double dur, const std::string& op, int index,
                 const std::string& more = "") {
  return fmt::format(
      R"({{"cat":"Node","pid":1,"tid":7,"dur":{},"ts":{},"ph":"X","name":"{}","args":{{"op_name":"{}","provider":"CPUExecutionProvider","node_index":"{}"{}}}}})",
      dur, ts, name, op, index, more);
}
std::string run(double ts, double dur) {
  return fmt::format(R"({{"cat":"Session","pid":1,"tid":7,"dur":{},"ts":{},"ph":"X","name":"model_run","args":{{}}}})",
                     dur, ts);
}
std::string list(const std::vector<std::string>& events) {
  return fmt::format("[\n{}\n]\n", fmt::join(events, ",\n"));
}

const NodeTiming* timingOf(const RunReport& report, const WalkReport& walk, std::string_view opType) {
  for (const NodeTiming& timing : report.nodes) {
    if (walk.partitionedGraphs->graphs[static_cast<size_t>(timing.graph)]
            .nodes[static_cast<size_t>(timing.node)]
            .opType == opType)
      return &timing;
  }
  return nullptr;
}

}  // namespace

class TestTraceReader : public QObject {
  Q_OBJECT
  std::unique_ptr<session::Session> m_session;
  std::shared_ptr<const WalkReport> m_walk;

 private slots:
  void initTestCase() {
    auto session = textSession(kModel, {.optimizationLevel = 0});
    QVERIFY2(session.has_value(), why(session).c_str());
    m_session = *std::move(session);
    m_walk = m_session->report();
  }

  void writtenTracesAreReadBack_data() {
    QTest::addColumn<QString>("model");
    QTest::newRow("chain") << kModel;
    QTest::newRow("loop") << kLoop;
  }
  void writtenTracesAreReadBack() {
    QFETCH(QString, model);
    const auto session = textSession(model.toStdString(), {.optimizationLevel = 0});
    QVERIFY2(session.has_value(), why(session).c_str());
    std::vector<execute::Feed> feeds;
    if (model == kLoop) {
      feeds = {{"trips", RuntimeValue(Tensor::scalar<int64_t>(3))},
               {"cond", RuntimeValue(Tensor::scalar<bool>(true))},
               floatFeed("x", {8}, std::vector<float>(8, 0.5f))};
    } else {
      feeds = {floatFeed("x", {4, 8}, std::vector<float>(32, 0.5f)),
               floatFeed("w", {8, 8}, std::vector<float>(64, 0.1f))};
    }
    auto measured = session::measure(**session, feeds, {.runs = 3, .warmups = 1, .profile = true}, {});
    QVERIFY2(measured.has_value(), why(measured).c_str());
    measured->tag = "a \"tag\"";
    const auto walk = session::withRun(*(*session)->report(), *measured);
    const std::string text = profile::chromeTrace(*walk);
    const QJsonDocument document = QJsonDocument::fromJson(QByteArray::fromStdString(text));
    QVERIFY(document.isArray());
    std::set<QString> phases, names;
    for (const QJsonValue& value : document.array()) {
      const QJsonObject event = value.toObject();
      for (const char* key : {"cat", "pid", "tid", "dur", "ts", "ph", "name", "args"})
        QVERIFY2(event.contains(key), key);
      phases.insert(event["ph"].toString());
      names.insert(event["name"].toString());
    }
    QCOMPARE(phases, (std::set<QString>{"X", "M", "C"}));
    for (const char* name : {"model_loading_uri", "session_initialization", "model_run", "SequentialExecutor::Execute",
                             "memory bytes", "thread_name", "make kernels"})
      QVERIFY2(names.contains(name), name);

    const auto read = profile::readTrace(text, "own.json", *walk);
    QVERIFY2(read.has_value(), why(read).c_str());
    QCOMPARE(read->runs, int64_t{1});
    QCOMPARE(read->source, std::string("own.json"));
    QCOMPARE(read->tag, std::string("a \"tag\""));
    QVERIFY2(read->executorReason.find("found no node") == std::string::npos, read->executorReason.c_str());
    QCOMPARE(read->nodes.size(), measured->nodes.size());
    for (size_t i = 0; i < read->nodes.size(); ++i) {
      const NodeTiming& from = measured->nodes[i];
      const NodeTiming& to = read->nodes[i];
      QCOMPARE(to.graph, from.graph);
      QCOMPARE(to.node, from.node);
      QCOMPARE(to.step, from.step);
      QCOMPARE(to.calls, from.calls);
      QCOMPARE(to.inputShapes, from.inputShapes);
      QCOMPARE(to.outputShapes, from.outputShapes);
      QCOMPARE(to.outputBytes, from.outputBytes);
      QCOMPARE(to.variant, from.variant);
      QVERIFY(to.totalNs >= from.minNs);
    }
    QCOMPARE(read->memory.size(), measured->memory.size());
  }

  void severalRunsGiveMedians() {
    const std::string trace = list(
        {run(0, 100), node("first_kernel_time", 10, 20, "MatMul", 0), node("last_kernel_time", 40, 5, "Add", 3),
         run(200, 120), node("first_kernel_time", 210, 40.5, "MatMul", 0), node("last_kernel_time", 260, 7, "Add", 3),
         node("other_kernel_time", 270, 7, "Conv", 9), run(400, 110), node("first_kernel_time", 410, 30, "MatMul", 0),
         node("ReorderInput_kernel_time", 450, 1, "ReorderInput", 12), node("last_kernel_time", 900, 6, "Add", 3)});
    const auto read = profile::readTrace(trace, "three.json", *m_walk);
    QVERIFY2(read.has_value(), why(read).c_str());
    QCOMPARE(read->runs, int64_t{3});
    QCOMPARE(read->runMs, (std::vector<double>{0.1, 0.12, 0.11}));
    QVERIFY(qFuzzyCompare(read->medianMs, 0.11));
    const NodeTiming* product = timingOf(*read, *m_walk, "MatMul");
    QVERIFY(product != nullptr);
    QCOMPARE(product->totalNs, int64_t{30000});
    QCOMPARE(product->maxNs, int64_t{40500});
    QCOMPARE(product->provider, std::string("CPUExecutionProvider"));
    const NodeTiming* add = timingOf(*read, *m_walk, "Add");
    QVERIFY(add != nullptr);
    QCOMPARE(add->totalNs, int64_t{5000});  // 5, 7, and none in the third
    QVERIFY2(read->executorReason.find("2 found no node of this model: ReorderInput (ReorderInput), other (Conv)") !=
                 std::string::npos,
             read->executorReason.c_str());
    QVERIFY2(read->executorReason.find("1 outside of any run") != std::string::npos, read->executorReason.c_str());
    QCOMPARE(read->spans.size(), size_t{3});
    QCOMPARE(read->spans[0].name, std::string("model_run"));
    QCOMPARE(read->spans[1].depth, 1);
    QVERIFY(read->spans[1].node != kNone);
    QCOMPARE(read->spans[2].node, kNone);
    const auto painted = session::withRun(*m_walk, *read);
    QVERIFY(!stageHeadline(*painted, Stage::kRun).empty());
  }

  // What RunOptionsEnableProfiling writes (onnxruntime 1.25): events of one run and nothing of the session; since 1.31
  // with the arena's figures, in quotes.
  void profilesOfOneRunTellMemory() {
    const auto memory = [](int inUse, int delta, int peak) {
      return fmt::format(
          R"(,"mem_bytes_in_use":"{}","mem_in_use_delta":"{}","mem_in_use_peak":"{}","mem_bytes_requested_in_use":"{}",)"
          R"("mem_requested_in_use_delta":"{}","mem_arena_held":"1048576","mem_arena_held_delta":"0",)"
          R"("thread_scheduling_stats":{{"main_thread":{{"thread_pool_name":"session-1-intra-op","core":1}},"sub_threads":{{}}}})",
          inUse, delta, peak, inUse, delta);
    };
    const std::string trace = list(
        {node("first_kernel_time", 43, 20, "MatMul", 0, memory(4096, 256, 9000)),
         node("second_kernel_time", 70, 10, "Sigmoid", 1, memory(4352, 256, 12000)),
         node("Neg_2_kernel_time", 85, 5, "Neg", 2, memory(4352, -128, 12000)),
         node("last_kernel_time", 95, 5, "Add", 3, memory(4608, 256, 12000)),
         R"({"cat":"Session","pid":1,"tid":7,"dur":70,"ts":37,"ph":"X","name":"SequentialExecutor::Execute","args":{}})",
         run(2, 110)});
    const auto read = profile::readTrace(trace, "run.json", *m_walk);
    QVERIFY2(read.has_value(), why(read).c_str());
    QCOMPARE(read->runs, int64_t{1});
    QCOMPARE(read->nodes.size(), size_t{4});
    QCOMPARE(read->memory.size(), size_t{4});
    QCOMPARE(read->memory.front().measuredBytes, int64_t{4096});
    QCOMPARE(read->memory.back().measuredBytes, int64_t{4608});
    QCOMPARE(read->memory.back().heldBytes, int64_t{1048576});
    QCOMPARE(read->measuredPeakBytes, int64_t{12000});                       // inside the second node
    QCOMPARE(timingOf(*read, *m_walk, "MatMul")->scratchBytes, int64_t{0});  // its peak may be older than the run
    QCOMPARE(timingOf(*read, *m_walk, "Sigmoid")->scratchBytes, int64_t{12000 - 4352});
    QCOMPARE(timingOf(*read, *m_walk, "Sigmoid")->allocatedBytes, int64_t{256});
    QCOMPARE(timingOf(*read, *m_walk, "Neg")->allocatedBytes, int64_t{0});
  }

  void manyForms_data() {
    QTest::addColumn<QString>("trace");
    QTest::addColumn<int>("nodes");
    const auto row = [](const char* title, const std::string& trace, int nodes) {
      QTest::newRow(title) << QString::fromStdString(trace) << nodes;
    };
    row("fences of old versions",
        list({run(0, 9), node("first_fence_before", 1, 0, "MatMul", 0), node("first_kernel_time", 1, 2, "MatMul", 0),
              node("first_fence_after", 3, 0, "MatMul", 0)}),
        1);
    row("no args", R"([{"cat":"Node","pid":1,"tid":1,"dur":5,"ts":1,"ph":"X","name":"first_kernel_time"}])", 1);
    row("no runs", list({node("first_kernel_time", 1, 2, "MatMul", 0), node("last_kernel_time", 4, 2, "Add", 3)}), 2);
    row("unnamed node by operator and index", list({node("Neg_2_kernel_time", 1, 2, "Neg", 2)}), 1);
    row("index of another operator",
        list({node("Neg_1_kernel_time", 1, 2, "Neg", 1), node("first_kernel_time", 1, 2, "MatMul", 0)}), 1);
    row("laid out anew, after its value", list({node("a_nchwc_kernel_time", 1, 2, "MatMul", 77)}), 1);
    row("object form",
        R"({"displayTimeUnit":"ms","other":[[1],{"a":[2]}],"traceEvents":)" +
            list({node("first_kernel_time", 1, 2, "MatMul", 0)}) + R"(,"metadata":{"x":1}})",
        1);
    row("other phases",
        "[{\"ph\":\"M\",\"name\":\"process_name\"}," + list({node("first_kernel_time", 1, 2, "MatMul", 0)}).substr(1),
        1);
    row("numbers instead of texts",
        list({node(
            "first_kernel_time", 1, 2, "MatMul", 0,
            R"(,"output_size":128,"activation_size":"x","input_type_shape":[{"float":[4,8]},{"float":"no"},7])")}),
        1);
    row("cut off",
        list({run(0, 50), node("first_kernel_time", 1, 2, "MatMul", 0), node("last_kernel_time", 4, 2, "Add", 3)})
            .substr(0, 330),
        1);
    row("list not closed", "[\n" + node("first_kernel_time", 1, 2, "MatMul", 0) + ",\n", 1);
    row("deep args",
        list({node("first_kernel_time", 1, 2, "MatMul", 0,
                   ",\"deep\":" + std::string(5000, '[') + std::string(5000, ']'))}),
        1);
  }
  void manyForms() {
    QFETCH(QString, trace);
    QFETCH(int, nodes);
    const auto read = profile::readTrace(trace.toStdString(), "form.json", *m_walk);
    QVERIFY2(read.has_value(), why(read).c_str());
    QCOMPARE(static_cast<int>(read->nodes.size()), nodes);
    for (const NodeTiming& timing : read->nodes)
      QVERIFY(timing.node >= 0 && timing.graph >= 0 && timing.totalNs > 0);
  }

  void noTraces_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("says");
    QTest::newRow("empty") << "" << "not JSON";
    QTest::newRow("binary") << QString("\x08\x01\x12") << "not JSON";
    QTest::newRow("text") << "hello" << "not JSON";
    QTest::newRow("number") << "17" << "this is no trace";
    QTest::newRow("object") << R"({"a":[1,2]})" << "this is no trace";
    QTest::newRow("empty list") << "[]" << "no event of a node";
    QTest::newRow("events without nodes")
        << R"([{"ph":"X","ts":1,"dur":1,"name":"n","cat":"Session"}])" << "no event of a node";
    QTest::newRow("list of numbers") << "[1,2]" << "event 0: an object is wanted";
    QTest::newRow("list of lists") << R"([{"ph":"M"},[]])" << "event 1: an object is wanted";
    QTest::newRow("no phase") << R"([{"ph":"M"},{"ph":"M"},{"name":"x"}])" << "event 2: it has no phase";
    QTest::newRow("no time") << R"([{"ph":"X","name":"x","dur":3}])"
                             << "event 0: \"ts\" must be a number of microseconds; there is none";
    QTest::newRow("time is text") << R"([{"ph":"X","name":"x","ts":"1","dur":3}])"
                                  << "event 0: \"ts\" must be a number";
    QTest::newRow("negative duration") << R"([{"ph":"X","name":"x","ts":1,"dur":-3}])" << "event 0: \"dur\" is -3";
    QTest::newRow("duration of months") << R"([{"ph":"X","name":"x","ts":1,"dur":9e15}])"
                                        << "event 0: \"dur\" is 9000000000000000; it is read from 0 to";
    QTest::newRow("time of centuries") << R"([{"ph":"X","name":"x","ts":5e15,"dur":3}])"
                                       << "event 0: \"ts\" is 5000000000000000; it is read from -4";
    QTest::newRow("time beyond everything") << R"([{"ph":"X","name":"x","ts":1e300,"dur":3}])" << "event 0: \"ts\" is";
    QTest::newRow("number too large") << R"([{"ph":"X","name":"x","ts":1e999,"dur":3}])"
                                      << "event 0: number overflow parsing '1e999'";
    QTest::newRow("damage in the middle") << "[{\"ph\":\"M\"},{\"ph\":,}]" << "in event 1";
    QTest::newRow("cut off before any event") << "[{\"ph\":\"X\",\"na" << "not JSON";
    QTest::newRow("deep") << QString(100'000, '[') << "event 0";
  }
  void noTraces() {
    QFETCH(QString, text);
    QFETCH(QString, says);
    const auto read = profile::readTrace(text.toStdString(), "bad.json", *m_walk);
    QVERIFY(!read.has_value());
    QCOMPARE(read.error().code, ErrorCode::kInvalidArgument);
    QCOMPARE(read.error().where.file, std::string("bad.json"));
    QVERIFY2(QString::fromStdString(read.error().message).contains(says), read.error().message.c_str());
  }

  // Whatever bytes: an answer or an error, no crash; indexes stay inside the graphs.
  void mutatedTraces() {
    const std::string good = list(
        {run(0, 100),
         node("first_kernel_time", 10, 20, "MatMul", 0,
              R"(,"input_type_shape":[{"float":[4,8]}],"output_size":"128","graph":"0","mem_bytes_in_use":"77")"),
         R"({"cat":"Kernel","pid":1,"tid":7,"dur":2,"ts":12,"ph":"X","name":"pack","args":{"op_name":"MatMul","node_index":"0","graph":"0","part_of":"first"}})",
         node("last_kernel_time", 40, 5, "Add", 3)});
    std::mt19937 random(5);
    const std::string alphabet = "\"{}[],:0123456789-e.Xabc\\\xff\n";
    int answers = 0;
    for (int i = 0; i < 4000; ++i) {
      std::string bytes = good;
      const int edits = 1 + static_cast<int>(random() % 4);
      for (int edit = 0; edit < edits; ++edit) {
        const size_t at = random() % bytes.size();
        switch (random() % 4) {
          case 0:
            bytes[at] = alphabet[random() % alphabet.size()];
            break;
          case 1:
            bytes.erase(at, 1 + random() % 30);
            break;
          case 2:
            bytes.insert(at, bytes.substr(random() % bytes.size(), random() % 60));
            break;
          default:
            bytes.resize(at + 1);
            break;
        }
        if (bytes.empty()) bytes = "[";
      }
      const auto read = profile::readTrace(bytes, "mutated.json", *m_walk);
      if (!read) {
        QCOMPARE(read.error().code, ErrorCode::kInvalidArgument);
        continue;
      }
      ++answers;
      for (const NodeTiming& timing : read->nodes)
        QVERIFY(timing.graph == 0 && timing.node >= 0 &&
                static_cast<size_t>(timing.node) < m_walk->partitionedGraphs->graphs[0].nodes.size());
      QVERIFY(isList(profile::chromeTrace(*session::withRun(*m_walk, *read))));
    }
    QVERIFY(answers > 100);
  }

  void savedProfilesComeBack() {
    auto measured = session::measure(*m_session, *session::randomFeeds(*m_session, 1, {}, {}),
                                     {.runs = 8, .warmups = 1, .profile = true}, {});
    QVERIFY2(measured.has_value(), why(measured).c_str());
    const auto walk = session::withRun(*m_walk, *measured);
    const std::string text = profile::saveProfile(*walk);
    const auto profile = profile::readProfile(text, "p.json");
    QVERIFY2(profile.has_value(), why(profile).c_str());
    QCOMPARE(profile->run.runMs, measured->runMs);
    QCOMPARE(profile->run.medianMs, measured->medianMs);
    QCOMPARE(profile->run.nodes.size(), measured->nodes.size());
    const RunComparison same = profile::compareRuns(*measured, *walk->partitionedGraphs, profile->run, profile->graphs);
    QCOMPARE(same.onlyA + same.onlyB, int64_t{0});
    QCOMPARE(same.nodes.size(), measured->nodes.size());
    for (const NodeTimeDifference& difference : same.nodes)
      QVERIFY(difference.aNs == difference.bNs && !difference.significant);
    for (const char* bad : {"", "[]", "{}", "{\"kind\":\"cutaway profile\"}",
                            "{\"kind\":\"cutaway profile\",\"run\":{\"nodes\":[{\"graph\":-1}]}}",
                            "{\"kind\":\"cutaway profile\",\"run\":{\"nodes\":[{\"graph\":3,\"node\":2000000000}]}}",
                            "{\"kind\":\"cutaway profile\",\"run\":{\"nodes\":[7]}}"}) {
      const auto refused = profile::readProfile(bad, "bad.json");
      QVERIFY2(!refused.has_value(), bad);
      QCOMPARE(refused.error().code, ErrorCode::kInvalidArgument);
      QCOMPARE(refused.error().where.file, std::string("bad.json"));
    }
    std::mt19937 random(9);
    for (int i = 0; i < 500; ++i) {
      std::string bytes = text;
      for (int edit = 0; edit < 3; ++edit)
        bytes[random() % bytes.size()] = static_cast<char>("\"{}[],:0123456789-e"[random() % 19]);
      const auto read = profile::readProfile(bytes, "mutated.json");
      if (!read) QCOMPARE(read.error().code, ErrorCode::kInvalidArgument);
    }
  }

 private:
  static bool isList(const std::string& text) {
    return QJsonDocument::fromJson(QByteArray::fromStdString(text)).isArray();
  }
};

QTEST_GUILESS_MAIN(TestTraceReader)
#include "tst_trace_reader.moc"
