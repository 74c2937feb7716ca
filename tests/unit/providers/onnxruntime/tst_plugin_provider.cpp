// Plug-in providers that do what they are told, well or not: who takes what, with which words, and what is left when
// one dies, hangs or fails in any of its functions.
#include <fstream>
#include <map>

#include <unistd.h>

#include <QDir>
#include <QTemporaryDir>
#include <QtTest/QtTest>

#include "engine/graph/text.h"
#include "engine/session/session.h"
#include "engine/stages/load/load.h"
#include "providers/cpu/provider.h"
#include "providers/onnxruntime/plugin/plugin_library.h"
#include "providers/onnxruntime/plugin/plugin_rows.h"

using namespace cutaway;

namespace {

constexpr const char* kModel = R"(main (float[1,2,4,4] x) => (float[1,2,4,4] y) <float[2,2,1,1] w = {1,-2,3,-4}> {
  a = Relu (x)
  b = Conv (a, w)
  c = Neg (b)
  y = Relu (c)
})";

constexpr int kLong = 320;  // nodes of a model that counts as one of many

// Of kModel, by the number of the node.
const QStringList kOperators{"Relu", "Conv", "Neg", "Relu"};

Result<std::unique_ptr<session::Session>> openSource(const load::ModelSource& source, const std::string& provider,
                                                     std::map<std::string, std::string> config) {
  session::SessionOptions options;
  options.providers = {provider};
  options.optimizationLevel = 0;
  options.threads = 1;
  options.config = std::move(config);
  ProviderTable table = pluginProviders();
  table.push_back(cpuProvider());
  Progress progress;
  return session::Session::create(source, options, table, progress);
}

Result<std::unique_ptr<session::Session>> open(const std::string& provider,
                                               std::map<std::string, std::string> config = {}) {
  CUTAWAY_TRY(Model model, parseModelText(kModel));
  return openSource(load::ModelSource::loaded(std::make_shared<const Model>(std::move(model))), provider,
                    std::move(config));
}

// One that hangs is waited for as long as options allow, a second.
std::string told(const std::string& what) {
  return fmt::format("test{{timeout={},env.CUTAWAY_TEST_PLUGIN={}}}", what.starts_with("hang") ? 1 : 20, what);
}

// Programs that this process has started and that are still there, ended or not.
QStringList leftOver() {
  QStringList found;
  for (const QString& number : QDir("/proc").entryList(QDir::Dirs)) {
    QFile file(QString("/proc/%1/stat").arg(number));
    if (!number[0].isDigit() || !file.open(QIODevice::ReadOnly)) continue;
    const QByteArray text = file.readAll();
    // "12 (name) S 11 ...": the name may hold anything.
    const QList<QByteArray> fields = text.mid(text.lastIndexOf(')') + 2).split(' ');
    if (fields.size() > 1 && fields[1].toLongLong() == getpid()) found += QString::fromUtf8(text);
  }
  return found;
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
    const Result<void> named = onnxruntime::addPluginLibrary("CutawayTestProvider", CUTAWAY_TEST_PLUGIN_LIBRARY);
    QVERIFY2(named, named ? "" : named.error().message.c_str());
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

  // What ONNX Runtime changes for it is told of the nodes that it is about.
  void layoutChangesAreTold() {
    const auto session = open(told("channels"));
    QVERIFY2(session, session ? "" : session.error().message.c_str());
    QCOMPARE(takenBy(**session, "test"), QStringList({"Relu", "Conv", "Relu"}));
    QStringList rewrites;
    for (const std::string& line : (*session)->report()->partition->providerRewrites)
      rewrites += QString::fromStdString(line);
    QCOMPARE(rewrites.filter("test: layout change of ONNX Runtime: Transpose inserted").size(), 2);
    const auto quiet = open(told("well"));
    QVERIFY(quiet);
    QVERIFY((*quiet)->report()->partition->providerRewrites.empty());
  }

  // What goes wrong while it is asked or compiles: the nodes go to the next provider.
  void misbehaves_data() {
    QTest::addColumn<QByteArray>("how");
    QTest::addColumn<QString>("words");
    const auto row = [](const char* how, const char* function, const QString& words) {
      const QByteArray told = QByteArray(how) + ":" + function;
      QTest::newRow(told.constData()) << told << words;
    };
    for (const char* const function : {"CreateEp", "GetCapability", "Compile"}) {
      const QString inside = QString("it was in %1 of CutawayTestProvider").arg(function);
      row("crash", function, inside);
      row("abort", function, inside);
      row("fail", function, "the test plug-in was told to fail");
      row("exit", function, "ended with code 3");
      row("hang", function, "gave no answer in 1 s");
    }
    row("crash", "GetName", "signal 11");
    row("crash", "GetPreferredDataLayout", "signal 11");
    row("hang", "GetPreferredDataLayout", "gave no answer in 1 s");
    row("crash", "GetCapability2", "it was in GetCapability of CutawayTestProvider");
    row("fail", "GetCapability2", "was told to fail");
    row("crash", "CreateState", "signal 11");
    row("fail", "CreateState", "Create state function failed");
    row("crash", "ReleaseEp", "it was in ReleaseEp of a provider");
    row("hang", "ReleaseEp", "gave no answer in 1 s");
  }
  void misbehaves() {
    QFETCH(QByteArray, how);
    QFETCH(QString, words);
    {
      const auto session = open(told(how.toStdString()));
      QVERIFY2(session, session ? "" : session.error().message.c_str());
      QCOMPARE(takenBy(**session, "test"), QStringList());
      QVERIFY2(reasonFor(**session, "Relu").contains(words), qPrintable(reasonFor(**session, "Relu")));
      const auto got = run(**session);
      QVERIFY2(got, got ? "" : got.error().message.c_str());
      QCOMPARE(*got, m_wanted);
    }
    QCOMPARE(leftOver(), QStringList());
  }

  // A model of many nodes is asked about without a log first; what is taken, computed and told is the same.
  void manyNodes_data() {
    QTest::addColumn<QByteArray>("how");
    QTest::addColumn<int>("taken");
    QTest::addColumn<QString>("ofNeg");
    QTest::newRow("all of them") << QByteArray("whole") << kLong << QString();
    QTest::newRow("one of them") << QByteArray("well") << 1 << "did not ask for it";
    QTest::newRow("crashes over the question") << QByteArray("crash:GetCapability") << 0 << "it was in GetCapability";
    QTest::newRow("crashes as it compiles") << QByteArray("crash:Compile") << 0 << "";
    QTest::newRow("fails as it compiles") << QByteArray("fail:Compile") << 0 << "";
  }
  void manyNodes() {
    QFETCH(QByteArray, how);
    std::string text = "main (float[1,2,4,4] x) => (float[1,2,4,4] y) {\n";
    for (int i = 0; i < kLong; ++i)
      text += fmt::format("  {} = {} ({})\n", i + 1 < kLong ? fmt::format("v{}", i) : "y",
                          i == kLong / 2 ? "Relu" : "Neg", i > 0 ? fmt::format("v{}", i - 1) : "x");
    const Result<Model> model = parseModelText((text + "}").c_str());
    QVERIFY2(model, model ? "" : model.error().message.c_str());
    const auto source = load::ModelSource::loaded(std::make_shared<const Model>(*model));
    const auto cpu = openSource(source, "cpu", {});
    const auto session = openSource(source, told(how.toStdString()), {});
    QVERIFY2(session, session ? "" : session.error().message.c_str());
    int taken = 0;
    QString reason;
    for (const NodePlacement& node : (*session)->report()->partition->nodes) {
      taken += node.provider == "test" ? 1 : 0;
      if (node.node == 0) reason = QString::fromStdString(node.answers.front().reason);
    }
    QTEST(taken, "taken");
    QFETCH(QString, ofNeg);
    QVERIFY2(reason.contains(ofNeg), qPrintable(reason));
    const auto got = run(**session);
    QVERIFY2(got, got ? "" : got.error().message.c_str());
    QCOMPARE(*got, *run(**cpu));
  }

  // A provider that hung over one group is not waited for over the others.
  void hangsOnce() {
    const auto session = open(told("hang:Compile"));
    QVERIFY2(session, session ? "" : session.error().message.c_str());
    QStringList reasons;
    for (const NodePlacement& node : (*session)->report()->partition->nodes) {
      for (const ProviderAnswer& answer : node.answers) {
        if (answer.provider == "test" && kOperators.at(node.node) == "Relu")
          reasons += QString::fromStdString(answer.reason);
      }
    }
    QCOMPARE(reasons.size(), 2);
    QVERIFY2(reasons[0].contains("gave no answer in 1 s, and was ended"), qPrintable(reasons[0]));
    QVERIFY2(reasons[1].contains("is not asked again in this session"), qPrintable(reasons[1]));
  }

  // What goes wrong before there is a provider: the session says so.
  void cannotBeMade_data() {
    QTest::addColumn<QByteArray>("how");
    QTest::addColumn<QString>("words");
    QTest::newRow("crashes as it is opened") << QByteArray("crash:CreateEpFactories") << "it was in CreateEpFactories";
    QTest::newRow("refuses to be opened") << QByteArray("fail:CreateEpFactories") << "was told to fail";
    QTest::newRow("hangs as it is opened") << QByteArray("hang:CreateEpFactories") << "gave no answer in 1 s";
    QTest::newRow("crashes over devices") << QByteArray("crash:GetSupportedDevices") << "signal 11";
    QTest::newRow("fails over devices") << QByteArray("fail:GetSupportedDevices") << "was told to fail";
    QTest::newRow("hangs over devices") << QByteArray("hang:GetSupportedDevices") << "gave no answer in 1 s";
    QTest::newRow("no devices") << QByteArray("nothing") << "offers no device on this machine";
    QTest::newRow("crashes over its name") << QByteArray("crash:FactoryGetName") << "signal 11";
    QTest::newRow("crashes over its vendor") << QByteArray("crash:GetVendor") << "signal 11";
    QTest::newRow("crashes over its version") << QByteArray("crash:GetVersion") << "signal 11";
    QTest::newRow("crashes over data transfer") << QByteArray("crash:CreateDataTransfer") << "signal 11";
    QTest::newRow("fails over data transfer") << QByteArray("fail:CreateDataTransfer") << "was told to fail";
    QTest::newRow("wants a newer library") << QByteArray("fail:version") << "it asked for version 999";
    QTest::newRow("crashes for want of a newer library")
        << QByteArray("crash:version") << "version [999] is not available";
  }
  void cannotBeMade() {
    QFETCH(QByteArray, how);
    QFETCH(QString, words);
    const auto session = open(told(how.toStdString()));
    QVERIFY(!session);
    QVERIFY2(QString::fromStdString(session.error().message).contains(words), session.error().message.c_str());
    QCOMPARE(leftOver(), QStringList());
  }

  // A run that dies is an error of the run; the session lives, and the next run says the same.
  void diesInARun_data() {
    QTest::addColumn<QByteArray>("how");
    QTest::addColumn<QString>("words");
    QTest::newRow("crash") << QByteArray("crash:Compute") << "signal 11";
    QTest::newRow("abort") << QByteArray("abort:Compute") << "signal 6";
    QTest::newRow("exit") << QByteArray("exit:Compute") << "ended with code 3";
    QTest::newRow("fail") << QByteArray("fail:Compute") << "was told to fail";
    QTest::newRow("hang") << QByteArray("hang:Compute") << "gave no answer in 1 s";
  }
  void diesInARun() {
    QFETCH(QByteArray, how);
    QFETCH(QString, words);
    {
      const auto session = open(told(how.toStdString()));
      QVERIFY2(session, session ? "" : session.error().message.c_str());
      for (int times = 0; times < 2; ++times) {
        const auto got = run(**session);
        QVERIFY(!got);
        QVERIFY2(QString::fromStdString(got.error().message).contains(words), got.error().message.c_str());
      }
    }
    QCOMPARE(leftOver(), QStringList());
  }

  // What goes wrong when a session ends is nobody's business any more, and nothing of it stays.
  void diesAtTheEnd_data() {
    QTest::addColumn<QByteArray>("how");
    for (const char* const how : {"crash:ReleaseState", "hang:ReleaseState", "crash:ReleaseNodeComputeInfos"})
      QTest::newRow(how) << QByteArray(how);
  }
  void diesAtTheEnd() {
    QFETCH(QByteArray, how);
    {
      const auto session = open(told(how.toStdString()));
      QVERIFY2(session, session ? "" : session.error().message.c_str());
      QCOMPARE(takenBy(**session, "test"), QStringList({"Relu", "Relu"}));
      const auto got = run(**session);
      QVERIFY2(got, got ? "" : got.error().message.c_str());
      QCOMPARE(*got, m_wanted);
    }
    QCOMPARE(leftOver(), QStringList());
  }

  // What is compiled to be kept is loaded from that, and again from the file. Groups of which the compiler makes
  // several nodes stay in a container of ours.
  void keepsContexts_data() {
    QTest::addColumn<QByteArray>("how");
    QTest::addColumn<QStringList>("taken");
    QTest::addColumn<bool>("isVendors");
    QTest::newRow("a node of each group") << QByteArray("well") << QStringList({"Relu", "Relu"}) << true;
    QTest::newRow("several nodes of a group") << QByteArray("parts") << QStringList({"Relu", "Neg", "Relu"}) << false;
  }
  void keepsContexts() {
    QFETCH(QByteArray, how);
    QFETCH(QStringList, taken);
    QFETCH(bool, isVendors);
    const QTemporaryDir folder;
    const std::string file = folder.filePath("m_ctx.onnx").toStdString();
    const std::string provider = "CutawayTestProvider{timeout=20,env.CUTAWAY_TEST_PLUGIN=" + how.toStdString() + "}";
    {
      const auto session =
          open(provider, {{"ep.context_enable", "1"}, {"ep.context_file_path", file}, {"ep.context_embed_mode", "1"}});
      QVERIFY2(session, session ? "" : session.error().message.c_str());
      QCOMPARE(takenBy(**session, "CutawayTestProvider"), taken);
      const auto got = run(**session);
      QVERIFY2(got, got ? "" : got.error().message.c_str());
      QCOMPARE(*got, m_wanted);
      const ContextWritten& written = (*session)->report()->context->written.front();
      QCOMPARE(written.contextNodes, int64_t{2});
      QStringList warnings;
      for (const std::string& warning : written.warnings)
        warnings += QString::fromStdString(warning);
      QCOMPARE(warnings.filter("the provider made 2 nodes of it, and not one EPContext node alone").isEmpty(),
               isVendors);
    }
    const auto session = openSource(load::ModelSource::file(file), provider, {});
    QVERIFY2(session, session ? "" : session.error().message.c_str());
    const auto got = run(**session);
    QVERIFY2(got, got ? "" : got.error().message.c_str());
    QCOMPARE(*got, m_wanted);
  }

  // An export that a provider does not survive leaves whole files, or none.
  void diesInAnExport_data() {
    QTest::addColumn<QByteArray>("how");
    for (const char* const how : {"crash:Compile", "hang:Compile", "fail:Compile", "crash:Compile2", "crash:ReleaseEp"})
      QTest::newRow(how) << QByteArray(how);
  }
  void diesInAnExport() {
    QFETCH(QByteArray, how);
    const QTemporaryDir folder;
    {
      const std::string file = folder.filePath("m_ctx.onnx").toStdString();
      const auto session = open(told(how.toStdString()), {{"ep.context_enable", "1"}, {"ep.context_file_path", file}});
      if (session) {
        const auto got = run(**session);
        // A session that died with its process is made again, which may fail as well.
        if (got)
          QCOMPARE(*got, m_wanted);
        else
          QVERIFY2(how == "crash:Compile2" && got.error().message.find("signal 11") != std::string::npos,
                   got.error().message.c_str());
      }
    }
    const QStringList files = QDir(folder.path()).entryList(QDir::Files);
    if (!files.isEmpty()) {
      QVERIFY2(QStringList(files.mid(1)).filter("m_test").size() == files.size() - 1, qPrintable(files.join(' ')));
      QCOMPARE(files.front(), QString("m_ctx.onnx"));
      Progress progress;
      QVERIFY(load::load(load::ModelSource::file(folder.filePath(files.front()).toStdString()), {}, progress));
    }
    QCOMPARE(leftOver(), QStringList());
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
    QVERIFY(refused(onnxruntime::addPluginLibrary(folder.path().toStdString()), "holds no library of plug-in"));
    // A library, and not of plug-ins.
    QVERIFY(refused(onnxruntime::addPluginLibrary("a", "/usr/lib/x86_64-linux-gnu/libc.so.6"), "does not export") ||
            refused(onnxruntime::addPluginLibrary("a", "/usr/lib/x86_64-linux-gnu/libc.so.6"), "is not there"));
  }

  // A folder is searched, and the folders of packages below it; libraries are called as their files are.
  void foldersOfLibraries() {
    const QTemporaryDir folder;
    QVERIFY(QDir(folder.path()).mkpath("onnxruntime_other") && QDir(folder.path()).mkpath("elsewhere"));
    for (const char* place :
         {"libonnxruntime_providers_in_a_folder.so", "onnxruntime_other/libonnxruntime_providers_of_a_package.so",
          "elsewhere/libonnxruntime_providers_not_this.so", "libother.so"})
      QVERIFY(QFile::copy(CUTAWAY_TEST_PLUGIN_LIBRARY, folder.filePath(place)));
    const Result<void> added = onnxruntime::addPluginLibrary(folder.path().toStdString());
    QVERIFY2(added, added ? "" : added.error().message.c_str());
    QStringList found;
    for (const onnxruntime::PluginLibrary& each : onnxruntime::pluginLibraries()) {
      if (QString::fromStdString(each.path.string()).startsWith(folder.path()))
        found << QString::fromStdString(each.name);
    }
    found.sort();
    QCOMPARE(found, QStringList({"in-a-folder", "of-a-package"}));
  }

  // A plug-in that was made for another system: what it lacks is named, and what is here.
  void otherSystems_data() {
    QTest::addColumn<QByteArray>("there");
    QTest::addColumn<QByteArray>("instead");
    QTest::addColumn<QStringList>("words");
    QTest::newRow("its own library is missing") << QByteArray("libstdc++.so.6") << QByteArray("libQnnHtp.so.6")
                                                << QStringList({"libQnnHtp.so.6", "No such file"});
    QTest::newRow("it wants a newer glibc") << QByteArray("GLIBC_2.") << QByteArray("GLIBC_9.")
                                            << QStringList({"GLIBC_9.", "not found", "this system has glibc 2."});
  }
  void otherSystems() {
    QFETCH(QByteArray, there);
    QFETCH(QByteArray, instead);
    QFETCH(QStringList, words);
    const QTemporaryDir folder;
    QFile original(CUTAWAY_TEST_PLUGIN_LIBRARY);
    QVERIFY(original.open(QIODevice::ReadOnly));
    const QByteArray bytes = original.readAll();
    QVERIFY(bytes.contains(there) && there.size() == instead.size());
    const QString path = folder.filePath("other.so");
    QFile changed(path);
    QVERIFY(changed.open(QIODevice::WriteOnly));
    changed.write(QByteArray(bytes).replace(there, instead));
    changed.close();
    const auto session = open("test{library=" + path.toStdString() + "}");
    QVERIFY(!session);
    for (const QString& word : words)
      QVERIFY2(QString::fromStdString(session.error().message).contains(word), session.error().message.c_str());
  }

 private:
  static Result<void> addLibrary(const char* path) { return onnxruntime::addPluginLibrary("test", path); }

  std::vector<float> m_wanted;
};

QTEST_GUILESS_MAIN(TestPluginProvider)
#include "tst_plugin_provider.moc"
