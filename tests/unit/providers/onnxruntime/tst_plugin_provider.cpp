// Plug-in providers that do what they are told, well or not: who takes what, with which words, and what is left when
// one dies, hangs or fails in any of its functions.
#include <fstream>

#include <QTemporaryDir>
#include <QtTest/QtTest>

#include "engine/graph/text.h"
#include "engine/session/session.h"
#include "providers/cpu/provider.h"
#include "providers/onnxruntime/plugin/plugin_library.h"
#include "providers/onnxruntime/plugin/plugin_provider.h"

using namespace cutaway;

namespace {

constexpr const char* kModel = R"(main (float[1,2,4,4] x) => (float[1,2,4,4] y) <float[2,2,1,1] w = {1,-2,3,-4}> {
  a = Relu (x)
  b = Conv (a, w)
  c = Neg (b)
  y = Relu (c)
})";

// Of kModel, by the number of the node.
const QStringList kOperators{"Relu", "Conv", "Neg", "Relu"};

Result<std::unique_ptr<session::Session>> open(const std::string& provider) {
  CUTAWAY_TRY(Model model, parseModelText(kModel));
  session::SessionOptions options;
  options.providers = {provider};
  options.optimizationLevel = 0;
  options.threads = 1;
  ProviderTable table = pluginProviders();
  table.push_back(cpuProvider());
  Progress progress;
  return session::Session::create(load::ModelSource::loaded(std::make_shared<const Model>(std::move(model))), options,
                                  table, progress);
}

std::string told(const char* what, const char* more = "") {
  return std::string("test{timeout=20,env.CUTAWAY_TEST_PLUGIN=") + what + more + "}";
}

// Operators of the nodes that the provider was given, in the order of the report.
QStringList takenBy(const session::Session& session, const std::string& provider) {
  QStringList taken;
  for (const NodePlacement& node : session.report()->partition->nodes) {
    if (node.provider == provider) taken += kOperators.at(node.node);
  }
  return taken;
}

QString reasonFor(const session::Session& session, const QString& op) {
  for (const NodePlacement& node : session.report()->partition->nodes) {
    if (kOperators.at(node.node) != op) continue;
    for (const ProviderAnswer& answer : node.answers) {
      if (answer.provider == "test") return QString::fromStdString(answer.reason);
    }
  }
  return {};
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

class TestPluginProvider : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    const Result<void> added = addLibrary(CUTAWAY_TEST_PLUGIN_LIBRARY);
    QVERIFY2(added, added ? "" : added.error().message.c_str());
    const auto cpu = open("cpu");
    QVERIFY2(cpu, cpu ? "" : cpu.error().message.c_str());
    m_wanted = *run(**cpu);
  }

  void whatItAsksForItGets() {
    const auto session = open(told("well"));
    QVERIFY2(session, session ? "" : session.error().message.c_str());
    QCOMPARE(takenBy(**session, "test"), QStringList({"Relu", "Relu"}));
    QVERIFY2(reasonFor(**session, "Conv").contains("did not ask for it"), qPrintable(reasonFor(**session, "Conv")));
    const auto got = run(**session);
    QVERIFY2(got, got ? "" : got.error().message.c_str());
    QCOMPARE(*got, m_wanted);
  }

  void wantedBeforeTheLayoutChangeAlone() {
    const auto session = open(told("first:Conv"));
    QVERIFY2(session, session ? "" : session.error().message.c_str());
    QCOMPARE(takenBy(**session, "test"), QStringList({"Relu", "Relu"}));
    QVERIFY2(reasonFor(**session, "Conv").contains("no more once ONNX Runtime has moved channels last"),
             qPrintable(reasonFor(**session, "Conv")));
    const auto got = run(**session);
    QVERIFY2(got, got ? "" : got.error().message.c_str());
    QCOMPARE(*got, m_wanted);
  }

  // What goes wrong while it is asked or compiles: the nodes go to the next provider.
  void misbehaves_data() {
    QTest::addColumn<QByteArray>("how");
    QTest::addColumn<QString>("words");
    for (const char* const function : {"CreateEp", "GetCapability", "Compile"}) {
      const QString inside = QString("it was in %1 of CutawayTestProvider").arg(function);
      for (const char* const how : {"crash", "abort"}) {
        const QByteArray told = QByteArray(how) + ":" + function;
        QTest::newRow(told.constData()) << told << inside;
      }
      const QByteArray fails = QByteArray("fail:") + function;
      QTest::newRow(fails.constData()) << fails << "the test plug-in was told to fail";
      const QByteArray ends = QByteArray("exit:") + function;
      QTest::newRow(ends.constData()) << ends << "ended with code 3";
    }
    QTest::newRow("hang") << QByteArray("hang:GetCapability,timeout=1") << "gave no answer in 1 s";
  }
  void misbehaves() {
    QFETCH(QByteArray, how);
    QFETCH(QString, words);
    const auto session = open("test{env.CUTAWAY_TEST_PLUGIN=" + how.toStdString() + "}");
    QVERIFY2(session, session ? "" : session.error().message.c_str());
    QCOMPARE(takenBy(**session, "test"), QStringList());
    QVERIFY2(reasonFor(**session, "Relu").contains(words), qPrintable(reasonFor(**session, "Relu")));
    const auto got = run(**session);
    QVERIFY2(got, got ? "" : got.error().message.c_str());
    QCOMPARE(*got, m_wanted);
  }

  // What goes wrong before there is a provider: the session says so.
  void cannotBeMade_data() {
    QTest::addColumn<QByteArray>("how");
    QTest::addColumn<QString>("words");
    QTest::newRow("crashes as it is opened") << QByteArray("crash:CreateEpFactories") << "it was in CreateEpFactories";
    QTest::newRow("refuses to be opened") << QByteArray("fail:CreateEpFactories") << "was told to fail";
    QTest::newRow("crashes over devices") << QByteArray("crash:GetSupportedDevices") << "signal";
    QTest::newRow("no devices") << QByteArray("nothing") << "offers no device on this machine";
  }
  void cannotBeMade() {
    QFETCH(QByteArray, how);
    QFETCH(QString, words);
    const auto session = open(told(how.constData()));
    QVERIFY(!session);
    QVERIFY2(QString::fromStdString(session.error().message).contains(words), session.error().message.c_str());
  }

  // A run that dies is an error of the run; the session lives, and the next run says the same.
  void diesInARun() {
    const auto session = open(told("crash:Compute"));
    QVERIFY2(session, session ? "" : session.error().message.c_str());
    for (int times = 0; times < 2; ++times) {
      const auto got = run(**session);
      QVERIFY(!got);
      QVERIFY2(QString::fromStdString(got.error().message).contains("signal 11"), got.error().message.c_str());
    }
  }

  void badOptions_data() {
    QTest::addColumn<QByteArray>("options");
    QTest::addColumn<QString>("words");
    QTest::newRow("level") << QByteArray("level=all") << "it takes none, or basic";
    QTest::newRow("timeout") << QByteArray("timeout=soon") << "a whole number";
    QTest::newRow("another provider of the library") << QByteArray("ep=Other") << "no execution provider 'Other'";
    QTest::newRow("a library that is none") << QByteArray("library=/etc/hostname") << "does not register";
  }
  void badOptions() {
    QFETCH(QByteArray, options);
    QFETCH(QString, words);
    const auto session = open("test{" + options.toStdString() + "}");
    QVERIFY(!session);
    QVERIFY2(QString::fromStdString(session.error().message).contains(words), session.error().message.c_str());
  }

  void badLibraries() {
    const QTemporaryDir folder;
    const std::string text = folder.filePath("text.so").toStdString();
    std::ofstream(text) << "not a library";
    const auto refused = [](const Result<void>& added, const char* words) {
      return !added && added.error().message.find(words) != std::string::npos;
    };
    QVERIFY(refused(onnxruntime::addPluginLibrary("a", text), "no ELF header"));
    QVERIFY(refused(onnxruntime::addPluginLibrary("a", "/nowhere.so"), "is not there"));
    QVERIFY(refused(onnxruntime::addPluginLibrary("a b", CUTAWAY_TEST_PLUGIN_LIBRARY), "cannot be called"));
    QVERIFY(refused(onnxruntime::addPluginLibrary("nothing"), "has no '='"));
    // A library, and not of plug-ins.
    QVERIFY(refused(onnxruntime::addPluginLibrary("a", "/usr/lib/x86_64-linux-gnu/libc.so.6"), "does not export") ||
            refused(onnxruntime::addPluginLibrary("a", "/usr/lib/x86_64-linux-gnu/libc.so.6"), "is not there"));
  }

 private:
  static Result<void> addLibrary(const char* path) { return onnxruntime::addPluginLibrary("test", path); }

  std::vector<float> m_wanted;
};

QTEST_GUILESS_MAIN(TestPluginProvider)
#include "tst_plugin_provider.moc"
