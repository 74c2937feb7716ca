// Layer times that tools of devices wrote, laid on a graph: QNN's CSV, trtexec's JSON, OpenVINO's counters.
#include <QFile>
#include <QTest>

#include "engine/profile/device_figures.h"
#include "engine/profile/profiles.h"
#include "engine/report/truth.h"
#include "tests/unit/engine/session/text_session.h"

using namespace cutaway;

namespace {

constexpr const char* kModel = R"(<ir_version: 8, opset_import: ["" : 17]>
main (float[4,8] x, float[8,8] w) => (float[4,8] y) {
  [conv0] a = MatMul (x, w)
  [relu0] b = Sigmoid (a)
  [tail] y = Neg (b)
})";
constexpr const char* kQnnHead =
    "Msg Timestamp,Message,Time,Unit of Measurement,Timing Source,Event Level,Event Identifier,ONNX Source Ops\n";

std::shared_ptr<const WalkReport> walked() {
  session::SessionOptions options;
  options.optimizationLevel = 0;
  auto session = textSession(kModel, options);
  if (!session) qFatal("%s", describe(session.error()).c_str());
  return (*session)->report();
}

std::map<std::string, int64_t> timesOf(const RunReport& run, const WalkReport& walk) {
  std::map<std::string, int64_t> times;
  for (const NodeTiming& timing : run.nodes)
    times[walk.partitionedGraphs->graphs[0].nodes[static_cast<size_t>(timing.node)].name] = timing.totalNs;
  return times;
}

}  // namespace

class TestDeviceFigures : public QObject {
  Q_OBJECT

 private slots:
  void qnn() {
    const auto walk = walked();
    // 10 cycles are 1 us in the first run, 2 us in the second.
    const std::string text = std::string(kQnnHead) +
                             "0,FINALIZE,300,US,BACKEND,ROOT,QNN (finalize) time,\n"
                             "0,BACKEND,1000,CYCLES,BACKEND,ROOT,Accelerator (execute) time (cycles),\n"
                             "0,NODE,100,CYCLES,BACKEND,SUB-EVENT,Input OpId_2 (cycles),\n"
                             "0,NODE,300,CYCLES,BACKEND,SUB-EVENT,conv0_token_1:OpId_22 (cycles),conv0\n"
                             "0,NODE,200,CYCLES,BACKEND,SUB-EVENT,conv0:OpId_23 (cycles),conv0\n"
                             "0,NODE,400,CYCLES,BACKEND,SUB-EVENT,relu0:OpId_26 (cycles),relu0\n"
                             "0,BACKEND,100,US,BACKEND,ROOT,Accelerator (execute) time,\n"
                             "0,EXECUTE,120,US,BACKEND,ROOT,QNN (execute) time,\n"
                             "0,BACKEND,1000,CYCLES,BACKEND,ROOT,Accelerator (execute) time (cycles),\n"
                             "0,NODE,500,CYCLES,BACKEND,SUB-EVENT,conv0:OpId_23 (cycles),conv0\n"
                             "0,NODE,500,CYCLES,BACKEND,SUB-EVENT,relu0:OpId_26 (cycles),relu0\n"
                             "0,BACKEND,200,US,BACKEND,ROOT,Accelerator (execute) time,\n"
                             "0,EXECUTE,220,US,BACKEND,ROOT,QNN (execute) time,\n";
    const auto run = profile::readTrace(text, "profile.csv", *walk);
    QVERIFY2(run, why(run).c_str());
    QCOMPARE(run->runs, int64_t{2});
    QCOMPARE(run->executor, std::string("onnxruntime-qnn"));
    QCOMPARE(timesOf(*run, *walk), (std::map<std::string, int64_t>{{"conv0", 75'000}, {"relu0", 70'000}}));
    QVERIFY2(run->executorReason.find("Input OpId_2") != std::string::npos, run->executorReason.c_str());
  }

  // Measured there: hardware that this walk has to simulate was in place when the file was written.
  void saidToBeMeasuredElsewhere() {
    const auto walk = walked();
    const auto run =
        profile::readTrace(R"([{"count": 3}, {"name": "conv0", "averageMs": 1, "medianMs": 2}])", "layers.json", *walk);
    QVERIFY2(run, why(run).c_str());
    WalkReport shown = *walk;
    auto partition = std::make_shared<PartitionReport>(*walk->partition);
    for (ProviderSummary& provider : partition->providers)
      provider.simulated = true;
    shown.partition = partition;
    shown.run = std::make_shared<const RunReport>(*run);
    const Truth truth = stageTruth(shown, Stage::kRun);
    QVERIFY(truth.kind == TruthKind::kMeasured);
    QCOMPARE(truthText(truth), std::string("measured elsewhere: layers.json: 3 runs"));
  }

  // A layer that was fused from several nodes counts for the first of them; what a tool made up has no node.
  void trtexec() {
    const auto walk = walked();
    const auto run = profile::readTrace(
        R"([{"count": 200}
            , {"name": "reformat of x", "timeMs": 20, "averageMs": 0.1, "percentage": 10}
            , {"name": "conv0 + relu0", "timeMs": 100, "averageMs": 0.5, "medianMs": 0.4, "percentage": 50}
            , {"name": "tail", "timeMs": 80, "averageMs": 0.4, "percentage": 40}])",
        "layers.json", *walk);
    QVERIFY2(run, why(run).c_str());
    QCOMPARE(run->runs, int64_t{200});
    QCOMPARE(timesOf(*run, *walk), (std::map<std::string, int64_t>{{"conv0", 400'000}, {"tail", 400'000}}));
    QVERIFY2(run->executorReason.find("reformat of x") != std::string::npos, run->executorReason.c_str());
  }

  // OpenVINO calls a layer after its node, or after the value that an unnamed node makes.
  void openvino() {
    const auto walk = walked();
    const auto run = profile::readTrace(
        "layerName;execStatus;layerType;execType;realTime (ms);cpuTime (ms);\n"
        "x;Status::NOT_RUN;Parameter;unknown;0;0;\n"
        "conv0;Status::EXECUTED;MatMul;jit_gemm;0.25;0.2;\r\n"
        "b;Status::EXECUTED;Sigmoid;jit;0.05;0.05;\n"
        "Total;;;;0.3;0.25;\n",
        "counters.csv", *walk);
    QVERIFY2(run, why(run).c_str());
    QCOMPARE(timesOf(*run, *walk), (std::map<std::string, int64_t>{{"conv0", 250'000}, {"relu0", 50'000}}));
  }

  void filesWithoutLayers_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("QNN, compiled only") << QByteArray(kQnnHead) +
                                               "0,FINALIZE,300,US,BACKEND,ROOT,QNN (finalize) time,\n";
    QTest::newRow("QNN, cycles without a time")
        << QByteArray(kQnnHead) +
               "0,NODE,300,CYCLES,BACKEND,SUB-EVENT,conv0 (cycles),\n0,EXECUTE,9,US,BACKEND,ROOT,QNN (execute) time,\n";
    QTest::newRow("OpenVINO") << QByteArray(
        "layerName;execStatus;layerType;execType;realTime (ms);cpuTime (ms);\nTotal;;;;0;0;\n");
    QTest::newRow("trtexec") << QByteArray(R"([{"count": 2}, {"name": 3, "averageMs": "fast"}])");
    QTest::newRow("trtexec, cut off") << QByteArray(R"([{"count": 2}, {"name": "conv0", "averageMs")");
  }
  void filesWithoutLayers() {
    QFETCH(QByteArray, text);
    const auto run = profile::readTrace(text.toStdString(), "figures", *walked());
    QVERIFY(!run);
    QCOMPARE(run.error().code, ErrorCode::kInvalidArgument);
    QCOMPARE(run.error().where.file, std::string("figures"));
  }

  void othersAreNone() {
    for (const char* text : {"", "[]", R"([{"ph": "X", "name": "a", "averageMs": 1}])", "a,b,c\n"}) {
      const auto figures = profile::readDeviceFigures(text, "other");
      QVERIFY(figures && !*figures);
    }
  }

  // What onnxruntime-qnn 2.7.0 wrote: four groups' runs, each node's time in microseconds of the accelerator.
  void recorded() {
    QFile file(QStringLiteral(CUTAWAY_SOURCE_DIR "/tests/unit/providers/onnxruntime/profiles/qnn_detailed.csv"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const auto figures = profile::readDeviceFigures(file.readAll().toStdString(), "qnn_detailed.csv");
    QVERIFY2(figures, why(figures).c_str());
    QVERIFY(figures->has_value());
    const auto runs = std::ranges::count((*figures)->events, std::string("model_run"), &profile::TraceEvent::name);
    QCOMPARE(runs, 2);
    double firstGroupUs = 0;
    for (const profile::TraceEvent& event : (*figures)->events) {
      if (event.category != "Node") continue;
      firstGroupUs += event.durationUs;
      if (event.name.starts_with("Output")) break;
    }
    QVERIFY2(std::abs(firstGroupUs - 44'702) < 1, qPrintable(QString::number(firstGroupUs)));
  }
};

QTEST_GUILESS_MAIN(TestDeviceFigures)
#include "tst_device_figures.moc"
