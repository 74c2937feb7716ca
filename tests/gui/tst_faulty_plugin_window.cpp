// A plug-in provider that dies or hangs in any of its functions, as a person meets it: the window stays, says what it
// was, gives the nodes to the next provider, and leaves whole files or none.
#include <QApplication>
#include <QDir>
#include <QFile>

#include "engine/stages/load/load.h"
#include "tests/gui/window_driver.h"
#include "ui/shell/error_banner.h"

using namespace cutaway;
using namespace cutaway::ui;
using test::engineHost;
using test::kPatienceMs;
using test::sample;
using test::WindowDriver;

namespace {

constexpr const char* kProvider = "CutawayTestProvider";

// What is to be seen of it.
enum Outcome {
  kNoProvider,    // there is none: the document says so
  kNextProvider,  // it gets nothing
  kRunFails,      // it gets its nodes, and does not run them
  kUnnoticed      // nobody needs it any more, or not this time
};

QByteArray bytesOf(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

session::SessionOptions optionsWith(const std::string& provider) {
  session::SessionOptions options;
  options.providers = {provider, "cpu"};
  options.optimizationLevel = 0;  // so that the sample's activations are nodes of their own
  options.threads = 1;
  options.dims["batch"] = 1;
  return options;
}

int taken(const Document& document) {
  int count = 0;
  for (const NodePlacement& node : document.walk()->partition->nodes)
    count += node.provider == kProvider ? 1 : 0;
  return count;
}

// What it died of, as the report has it.
QString reasons(const Document& document) {
  QString words;
  for (const RefusalSummary& refusal : document.walk()->partition->refusals)
    words += QString::fromStdString(refusal.reason) + '\n';
  return words;
}

void run(WindowDriver& driver) {
  driver.document().run();
  QVERIFY(driver.idle());
}

}  // namespace

class TestFaultyPluginWindow : public QObject {
  Q_OBJECT

 private slots:
  void cleanupTestCase() { EngineService::waitForThreads(); }

  void misbehaves_data() {
    QTest::addColumn<QByteArray>("how");
    QTest::addColumn<int>("outcome");
    const auto rows = [](const char* what, Outcome outcome, std::initializer_list<const char*> functions) {
      for (const char* const function : functions) {
        const QByteArray how = QByteArray(what) + ':' + function;
        QTest::newRow(how.constData()) << how << int(outcome);
      }
    };
    rows("crash", kNoProvider,
         {"CreateEpFactories", "GetSupportedDevices", "FactoryGetName", "GetVendor", "GetVersion",
          "CreateDataTransfer"});
    rows("crash", kNextProvider,
         {"CreateEp", "GetName", "GetPreferredDataLayout", "GetCapability", "GetCapability2", "Compile", "CreateState",
          "ReleaseEp", "IsStreamAware"});
    // Sessions that a crash over another group took with it are created again in a process that dies of that, too.
    rows("crash", kRunFails, {"Compute", "Compile2"});
    rows("crash", kUnnoticed, {"ReleaseState", "ReleaseNodeComputeInfos", "GetVendorId"});
    rows("hang", kNoProvider, {"CreateEpFactories", "GetSupportedDevices"});
    rows("hang", kNextProvider, {"GetCapability", "Compile", "ReleaseEp"});
    rows("hang", kRunFails, {"Compute"});
    rows("hang", kUnnoticed, {"ReleaseState"});
  }
  void misbehaves() {
    QFETCH(QByteArray, how);
    QFETCH(int, outcome);
    const bool hangs = how.startsWith("hang");
    WindowDriver driver(engineHost(), optionsWith("cpu"));
    const int width = driver.window.width();
    const QString model = driver.target("model.onnx");
    QVERIFY(QFile::copy(sample("digits_cnn"), model));
    const QByteArray before = bytesOf(model);
    const session::SessionOptions faulty = optionsWith(
        fmt::format("{}{{timeout={},env.CUTAWAY_TEST_PLUGIN={}}}", kProvider, hangs ? 2 : 20, how.toStdString()));
    driver.page = driver.window.openModel(model, &faulty);
    QTRY_VERIFY_WITH_TIMEOUT(driver.document().error() || driver.document().walk()->pattern, kPatienceMs);
    QVERIFY(driver.idle());
    if (outcome == kNoProvider) {
      QVERIFY(driver.document().error());
      QVERIFY(driver.page->banner()->isVisible());
      QVERIFY2(driver.page->banner()->plainText().contains(kProvider), qPrintable(driver.page->banner()->plainText()));
    } else {
      QVERIFY2(!driver.document().error(), qPrintable(driver.page->banner()->plainText()));
      QCOMPARE(taken(driver.document()) > 0, outcome != kNextProvider);
      if (outcome == kNextProvider)
        QVERIFY2(reasons(driver.document()).contains(hangs ? "gave no answer in 2 s" : "signal 11"),
                 qPrintable(reasons(driver.document())));
      run(driver);
      QCOMPARE(driver.document().walk()->run != nullptr, outcome != kRunFails);
      QCOMPARE(driver.document().error().has_value(), outcome == kRunFails);
      exportsWholeFilesOrNone(driver);
    }
    QCOMPARE(driver.window.width(), width);
    driver.keepPicture(QByteArray("faulty-" + how).replace(':', '-').constData());
    QCOMPARE(bytesOf(model), before);
    goesOn(driver);
  }

 private:
  static void exportsWholeFilesOrNone(WindowDriver& driver) {
    const QString folder = driver.target("contexts");
    QVERIFY(QDir().mkpath(folder));
    driver.document().contexts().exportModel({.file = folder + "/model_ctx.onnx", .verify = false});
    QTRY_VERIFY_WITH_TIMEOUT(!driver.document().contexts().busy(), kPatienceMs);
    QVERIFY(driver.idle());
    const QStringList files = QDir(folder).entryList(QDir::Files | QDir::Hidden);
    const bool isWritten = driver.document().contexts().written() != nullptr;
    QCOMPARE(files.contains("model_ctx.onnx"), isWritten);
    QVERIFY2(isWritten || files.isEmpty(), qPrintable(files.join(' ')));
    QCOMPARE(files.filter("model_").size(), files.size());
    Progress progress;
    if (isWritten)
      QVERIFY(load::load(load::ModelSource::file((folder + "/model_ctx.onnx").toStdString()), {}, progress));
  }

  // The same window opens and runs another model, and the first one with another provider.
  static void goesOn(WindowDriver& driver) {
    DocumentPage* const first = driver.page;
    QVERIFY(driver.open(sample("digits_mlp")));
    QVERIFY2(!driver.document().error(), qPrintable(driver.page->banner()->plainText()));
    run(driver);
    QVERIFY(driver.document().walk()->run);
    driver.page = first;
    driver.document().setOptions(optionsWith("cpu"));
    QTRY_VERIFY_WITH_TIMEOUT(driver.document().error() || driver.document().walk()->pattern, kPatienceMs);
    QVERIFY(driver.idle());
    QVERIFY2(!driver.document().error(), qPrintable(driver.page->banner()->plainText()));
    run(driver);
    QVERIFY(driver.document().walk()->run);
    QCOMPARE(driver.window.pageCount(), 2);
  }
};

// Libraries are looked for once, when the list of providers is made.
int main(int argc, char** argv) {
  qputenv("CUTAWAY_EP_LIBRARIES", QByteArray(kProvider) + "=" CUTAWAY_TEST_PLUGIN_LIBRARY);
  QApplication app(argc, argv);
  TestFaultyPluginWindow test;
  return QTest::qExec(&test, argc, argv);
}

#include "tst_faulty_plugin_window.moc"
