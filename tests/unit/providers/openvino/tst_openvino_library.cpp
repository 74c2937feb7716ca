// Finding the module: what people read when it is not there, and the options that need no library.
#include <fstream>

#include <QTemporaryDir>
#include <QtTest/QtTest>

#include "providers/openvino/library.h"
#include "providers/openvino/options.h"
#include "providers/openvino/provider.h"
#include "providers/openvino/questions.h"

using namespace cutaway;
using namespace cutaway::openvino;

class TestOpenvinoLibrary : public QObject {
  Q_OBJECT
 private slots:
  void anEmptyFolderSaysHowToGetIt() {
    const QTemporaryDir folder;
    const std::filesystem::path path = folder.path().toStdString();
    const Library library = openLibrary({path});
    QVERIFY(library.bridge == nullptr);
    QVERIFY2(library.reason.find("pip install openvino==2026.4.1") != std::string::npos, library.reason.c_str());
    QVERIFY2(library.reason.find(path.string()) != std::string::npos, library.reason.c_str());
    QVERIFY2(library.reason.find("CUTAWAY_OPENVINO_DIR") != std::string::npos, library.reason.c_str());
  }

  void aFileThatIsNoModuleIsRefused() {
    const QTemporaryDir folder;
    const std::filesystem::path path = folder.path().toStdString();
    std::ofstream(path / "libcutaway_openvino.so") << "not a library";
    const Library library = openLibrary({path});
    QVERIFY(library.bridge == nullptr);
    QVERIFY2(library.reason.find("cannot be opened") != std::string::npos, library.reason.c_str());
  }

  void theVariableIsSearchedAfterTheExecutable() {
    qputenv(kFolderVariable, "/some/where");
    const std::vector<std::filesystem::path> folders = searchFolders();
    qunsetenv(kFolderVariable);
    const std::filesystem::path here = QCoreApplication::applicationDirPath().toStdString();
    QVERIFY(folders.size() >= 3);
    QCOMPARE(folders[0], here);
    QCOMPARE(folders[1], here.parent_path() / "lib" / "cutaway");  // where it is installed
    QCOMPARE(folders[2], std::filesystem::path("/some/where"));
  }

  void probeAgreesWithTheLibrary() {
    const ProviderStatus status = openvinoProvider().probe();
    QCOMPARE(status.usable, openvinoLibrary().bridge != nullptr);
    QVERIFY(status.usable ? !status.version.empty() : !status.reason.empty());
  }

  void optionsAreReadAndChecked_data() {
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("value");
    QTest::addColumn<QString>("words");  // empty: accepted
    QTest::newRow("device") << "device" << "CPU" << "";
    QTest::newRow("a device of a family") << "device" << "GPU.1" << "";
    QTest::newRow("composed") << "device" << "HETERO:GPU,CPU" << "";
    QTest::newRow("no such device") << "device" << "NPU" << "OpenVINO finds CPU, GPU.0, GPU.1 here";
    QTest::newRow("precision") << "precision" << "bf16" << "";
    QTest::newRow("no such precision") << "precision" << "f8" << "it takes f32, f16, bf16";
    QTest::newRow("threads") << "threads" << "2" << "";
    QTest::newRow("threads below zero") << "threads" << "-1" << "whole number from 0";
    QTest::newRow("threads in words") << "threads" << "two" << "whole number from 0";
    QTest::newRow("streams") << "streams" << "0" << "whole number from 1";
    QTest::newRow("hint") << "performance_hint" << "fast" << "latency, throughput";
    QTest::newRow("minimum") << "minimum_nodes" << "1x" << "whole number from 1";
    QTest::newRow("open shapes") << "dynamic_shapes" << "yes" << "it takes 0, 1";
    QTest::newRow("who asks") << "isolate" << "2" << "it takes 0, 1";
    QTest::newRow("misspelt") << "presicion" << "f32"
                              << "it has device, precision, threads, streams, cache_dir, performance_hint, "
                                 "minimum_nodes, maximum_nodes, dynamic_shapes, isolate";
  }
  void optionsAreReadAndChecked() {
    QFETCH(QString, key);
    QFETCH(QString, value);
    QFETCH(QString, words);
    const Result<OpenvinoOptions> options =
        readOptions({{key.toStdString(), value.toStdString()}}, {"CPU", "GPU.0", "GPU.1"});
    QCOMPARE(options.has_value(), words.isEmpty());
    if (options) return;
    QCOMPARE(options.error().code, ErrorCode::kInvalidArgument);
    QVERIFY2(QString::fromStdString(options.error().message).contains(words), options.error().message.c_str());
    QVERIFY2(QString::fromStdString(options.error().message).contains(key), options.error().message.c_str());
  }

  void settingsFollowOptionsAndTheSession() {
    const auto valueOf = [](const CompileSettings& settings, const std::string& key) {
      for (const auto& [name, value] : settings.properties) {
        if (name == key) return value;
      }
      return std::string();
    };
    OpenvinoOptions options;
    CompileSettings settings = compileSettings(options, 3);
    QCOMPARE(valueOf(settings, "INFERENCE_PRECISION_HINT"), std::string("f32"));
    QCOMPARE(valueOf(settings, "INFERENCE_NUM_THREADS"), std::string("3"));
    QCOMPARE(valueOf(settings, "NUM_STREAMS"), std::string());
    options.threads = 5;
    options.streams = 2;
    options.performanceHint = "throughput";
    options.precision = "bf16";
    settings = compileSettings(options, 3);
    QCOMPARE(valueOf(settings, "INFERENCE_NUM_THREADS"), std::string("5"));
    QCOMPARE(valueOf(settings, "NUM_STREAMS"), std::string("2"));
    QCOMPARE(valueOf(settings, "PERFORMANCE_HINT"), std::string("THROUGHPUT"));
    QCOMPARE(valueOf(settings, "EXECUTION_MODE_HINT"), std::string());
  }

  void messagesAreShortened() {
    QCOMPARE(shortened("Check 'false' failed at src/x.cpp:151:\nFrontEnd API failed with OpConversionFailure:\nModel "
                       "wasn't fully converted. Log:\n-- Foo-1 with a message:\nNo way\n\nSummary:\n-- more"),
             std::string("Foo-1 with a message: No way"));
    QCOMPARE(
        shortened("Exception from src/infer_request.cpp:224:\n[CPU] MaxPool node with name 'p' Check 'a <= b' failed "
                  "at src/x.hpp:149:\nWhile validating node 'opset1::MaxPool p' with friendly_name 'p':\nKernel is "
                  "larger than the data\n\n"),
        std::string("[CPU] MaxPool node with name 'p' Kernel is larger than the data"));
    QCOMPARE(shortened(""), std::string("no message"));
    QVERIFY(shortened(std::string(5000, 'x')).size() < 300);
  }
};

QTEST_GUILESS_MAIN(TestOpenvinoLibrary)
#include "tst_openvino_library.moc"
