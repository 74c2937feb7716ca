// A provider's record, made and replayed: the same placements for the same reasons without the plug-in, and a word
// about what is wrong for any other model.
#include <fstream>

#include <QTemporaryDir>
#include <QtTest/QtTest>

#include "engine/graph/text.h"
#include "engine/session/session.h"
#include "providers/cpu/provider.h"
#include "providers/onnxruntime/plugin/plugin_library.h"
#include "providers/onnxruntime/plugin/plugin_rows.h"
#include "providers/onnxruntime/record/recorded_provider.h"
#include "providers/onnxruntime/record/recording.h"

using namespace cutaway;

namespace {

constexpr const char* kModel = R"(main (float[1,2,4,4] x) => (float[1,2,4,4] y) <float[2,2,1,1] w = {1,-2,3,-4}> {
  a = Relu (x)
  b = Conv (a, w)
  c = Neg (b)
  y = Relu (c)
})";

Result<std::unique_ptr<session::Session>> open(const QString& model, const std::string& provider) {
  CUTAWAY_TRY(Model read, parseModelText(model.toStdString()));
  session::SessionOptions options;
  options.providers = {provider};
  options.optimizationLevel = 0;
  options.threads = 1;
  ProviderTable table = pluginProviders();
  table.push_back(cpuProvider());
  Progress progress;
  return session::Session::create(load::ModelSource::loaded(std::make_shared<const Model>(std::move(read))), options,
                                  table, progress);
}

// Who has each node, and what the first provider said of it.
QStringList placements(const session::Session& session) {
  QStringList all;
  for (const NodePlacement& node : session.report()->partition->nodes) {
    QString reason;
    for (const ProviderAnswer& answer : node.answers) {
      if (answer.provider != "cpu") reason = QString::fromStdString(answer.reason);
    }
    all += QString("%1 %2: %3").arg(node.node).arg(node.provider == "cpu" ? "cpu" : "provider", reason);
  }
  return all;
}

Result<std::vector<float>> run(session::Session& session) {
  CUTAWAY_TRY(Tensor input, Tensor::create(ElementType::kFloat, {1, 2, 4, 4}));
  for (size_t i = 0; i < 32; ++i)
    input.span<float>()[i] = static_cast<float>(i) - 16;
  CUTAWAY_TRY(const auto ran, session.run({{"x", RuntimeValue(input)}}, {}));
  const auto values = ran.outputs[0].value.tensor().span<float>();
  return std::vector<float>(values.begin(), values.end());
}

}  // namespace

class TestRecordedProvider : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    const Result<void> added = onnxruntime::addPluginLibrary("test", CUTAWAY_TEST_PLUGIN_LIBRARY);
    QVERIFY2(added, added ? "" : added.error().message.c_str());
  }

  void answersAsRecorded_data() {
    QTest::addColumn<QByteArray>("how");
    QTest::newRow("well") << QByteArray("well");
    QTest::newRow("lost after the layout change") << QByteArray("first:Conv");
    QTest::newRow("fails when asked") << QByteArray("fail:GetCapability");
    QTest::newRow("dies when asked") << QByteArray("crash:GetCapability");
    QTest::newRow("fails to compile") << QByteArray("fail:Compile");
    QTest::newRow("dies compiling") << QByteArray("crash:Compile");
  }
  void answersAsRecorded() {
    QFETCH(QByteArray, how);
    const QTemporaryDir folder;
    const std::string path = folder.filePath("a.record").toStdString();
    QVERIFY(onnxruntime::startRecording(path));
    const auto real = open(kModel, "test{timeout=20,env.CUTAWAY_TEST_PLUGIN=" + how.toStdString() + "}");
    const auto ran = real ? run(**real) : Result<std::vector<float>>();
    QVERIFY(onnxruntime::finishRecording());
    QVERIFY2(real, real ? "" : real.error().message.c_str());

    const auto replayed = open(kModel, "recorded(" + path + ")");
    QVERIFY2(replayed, replayed ? "" : replayed.error().message.c_str());
    QCOMPARE(placements(**replayed), placements(**real));
    const auto again = run(**replayed);
    QVERIFY2(again, again ? "" : again.error().message.c_str());
    QCOMPARE(*again, *ran);
  }

  void keepsRunsAndSessions() {
    const QTemporaryDir folder;
    const std::string path = folder.filePath("a.record").toStdString();
    QVERIFY(onnxruntime::startRecording(path));
    const auto real = open(kModel, "test{timeout=20,env.CUTAWAY_TEST_PLUGIN=well}");
    QVERIFY2(real, real ? "" : real.error().message.c_str());
    for (int i = 0; i < 3; ++i)
      QVERIFY(run(**real));
    QVERIFY(onnxruntime::finishRecording());
    const auto record = onnxruntime::readRecord(path);
    QVERIFY2(record, record ? "" : record.error().message.c_str());
    QCOMPARE(record->providers.size(), size_t{1});
    QCOMPARE(record->providers[0].name, std::string("test"));
    QVERIFY(!record->library.empty());
    QVERIFY(!record->questions.empty());
    QCOMPARE(record->sessions.size(), size_t{2});  // of the two groups of one Relu
    for (const onnxruntime::RecordedSession& session : record->sessions) {
      QCOMPARE(session.provider, 0);
      QCOMPARE(session.runs, int64_t{3});
      QCOMPARE(session.runNs.size(), size_t{3});
    }
  }

  void otherModels_data() {
    QTest::addColumn<QString>("from");
    QTest::addColumn<QString>("to");
    QTest::addColumn<QString>("words");
    QTest::newRow("other weights") << "{1,-2,3,-4}" << "{1,-2,3,-5}" << "holds no answer about this graph";
    QTest::newRow("another operator") << "Neg" << "Abs" << "holds no answer about this graph, but about one of 4 nodes";
    QTest::newRow("other sizes") << "float[1,2,4,4]" << "float[1,2,6,6]" << "other dimensions";
  }
  void otherModels() {
    QFETCH(QString, from);
    QFETCH(QString, to);
    QFETCH(QString, words);
    const QTemporaryDir folder;
    const std::string path = folder.filePath("a.record").toStdString();
    QVERIFY(onnxruntime::startRecording(path));
    QVERIFY(open(kModel, "test{timeout=20,env.CUTAWAY_TEST_PLUGIN=well}"));
    QVERIFY(onnxruntime::finishRecording());
    QString model = kModel;
    model.replace(from, to);
    const auto replayed = open(model, "recorded(" + path + ")");
    QVERIFY2(replayed, replayed ? "" : replayed.error().message.c_str());
    for (const QString& line : placements(**replayed))
      QVERIFY2(line.contains(" cpu: ") && line.contains(words), qPrintable(line));
  }

  // Weights that lie beside the graph: their own hash tells that they are others.
  void otherLargeWeights() {
    const auto model = [](int last) {
      QString values;
      for (int i = 0; i < 1024; ++i)
        values += (i == 0 ? "" : ",") + QString::number(i == 1023 ? last : i % 7);
      return QString(
                 "main (float[1,32,4,4] x) => (float[1,32,4,4] y) <float[32,32,1,1] w = {%1}> {\n"
                 "  a = Relu (x)\n  y = Conv (a, w)\n}")
          .arg(values);
    };
    const QTemporaryDir folder;
    const std::string path = folder.filePath("a.record").toStdString();
    QVERIFY(onnxruntime::startRecording(path));
    QVERIFY(open(model(1), "test{timeout=20,env.CUTAWAY_TEST_PLUGIN=well}"));
    QVERIFY(onnxruntime::finishRecording());
    const auto replayed = open(model(2), "recorded(" + path + ")");
    QVERIFY2(replayed, replayed ? "" : replayed.error().message.c_str());
    for (const QString& line : placements(**replayed))
      QVERIFY2(line.contains("the same nodes and other weights"), qPrintable(line));
  }

  void cannotBeMade_data() {
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QString>("options");
    QTest::addColumn<QString>("words");
    const QByteArray head = "{\"schema\":\"cutaway.record/1\"}\n";
    const QByteArray a = "{\"provider\":{\"name\":\"a\",\"title\":\"A\"}}\n";
    const QByteArray b = "{\"provider\":{\"name\":\"b\",\"title\":\"B\"}}\n";
    QTest::newRow("no record") << QByteArray("hello") << "" << "line 1: it is no JSON object";
    QTest::newRow("nobody was asked") << head << "" << "in which no provider was asked";
    QTest::newRow("two to choose from") << head + a + b << "" << "holds a, b: choose with";
    QTest::newRow("not among them") << head + a + b << "{provider=c}" << "holds a, b: choose with";
    QTest::newRow("an option") << head + a << "{soc_model=69}" << "has no option 'soc_model'";
  }
  void cannotBeMade() {
    QFETCH(QByteArray, content);
    QFETCH(QString, options);
    QFETCH(QString, words);
    const QTemporaryDir folder;
    const std::string path = folder.filePath("a.record").toStdString();
    std::ofstream(path) << content.toStdString();
    const auto session = open(kModel, "recorded(" + path + ")" + options.toStdString());
    QVERIFY(!session);
    QVERIFY2(QString::fromStdString(session.error().message).contains(words), session.error().message.c_str());
  }
};

QTEST_GUILESS_MAIN(TestRecordedProvider)
#include "tst_recorded_provider.moc"
