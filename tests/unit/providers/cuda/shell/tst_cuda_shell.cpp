// The provider around its kernels: options, the module and what is said where it is missing, artifacts on disk, and
// what happens where no GPU is.
#include <fstream>

#include <QTemporaryDir>
#include <QtTest/QtTest>

#include "engine/graph/text.h"
#include "engine/stages/load/save.h"
#include "providers/cpu/provider.h"
#include "providers/cuda/artifact_file.h"
#include "providers/cuda/artifact_memory.h"
#include "providers/cuda/context.h"
#include "providers/cuda/library.h"
#include "providers/cuda/options.h"
#include "providers/cuda/provider.h"
#include "tests/unit/providers/cuda/cuda_case.h"

using namespace cutaway;
using namespace cutaway::cuda;

namespace {

std::filesystem::path pathOf(const QTemporaryDir& folder) {
  return folder.path().toStdString();
}
std::vector<std::byte> bytesOf(std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text.data(), text.size()));
  return {bytes.begin(), bytes.end()};
}

Result<std::unique_ptr<session::Session>> reluSession(bool running) {
  const QTemporaryDir folder;
  CUTAWAY_TRY(const Model model, parseModelText("main (float[4] x) => (float[4] y) {\ny = Relu (x)\n}"));
  CUTAWAY_CHECK(load::save(model, pathOf(folder) / "model.onnx", {}));
  session::SessionOptions options;
  options.providers = {"cuda"};
  options.optimizationLevel = 0;
  options.prepareRun = running;
  Progress progress;
  return session::Session::create(load::ModelSource::file(pathOf(folder) / "model.onnx"), options,
                                  {cudaProvider(), cpuProvider()}, progress);
}

std::string placeOf(const session::Session& session) {
  for (const NodePlacement& node : session.report()->partition->nodes)
    return node.provider;
  return "nowhere";
}

}  // namespace

class TestCudaShell : public QObject {
  Q_OBJECT
 private slots:
  // What a context was compiled with, against what is here.
  void compatibility_data() {
    QTest::addColumn<QString>("from");
    QTest::addColumn<QString>("to");
    QTest::addColumn<int>("verdict");
    const auto row = [](const char* name, const char* from, const char* to, ContextCompatibility verdict) {
      QTest::newRow(name) << from << to << static_cast<int>(verdict);
    };
    row("same", "", "", ContextCompatibility::kOptimal);
    row("another driver", "driver=580.65", "driver=570.10", ContextCompatibility::kPreferRecompilation);
    row("from before drivers were told", "driver=580.65 (CUDA 13.0);", "", ContextCompatibility::kOptimal);
    row("another cuDNN", "cudnn=9.19", "cudnn=9.1", ContextCompatibility::kPreferRecompilation);
    row("another GPU", "architecture=sm_90", "architecture=sm_80", ContextCompatibility::kUnsupported);
    row("another program", "revision=1", "revision=2", ContextCompatibility::kUnsupported);
  }
  void compatibility() {
    QFETCH(QString, from);
    QFETCH(QString, to);
    QFETCH(int, verdict);
    DeviceFacts facts;
    facts.architecture = "sm_90";
    facts.driverVersion = "580.65 (CUDA 13.0)";
    facts.cublasVersion = "13.0";
    facts.cudnnVersion = "9.19";
    QString info = QString::fromStdString(compatibilityInfo(facts));
    if (!from.isEmpty()) {
      QVERIFY2(info.contains(from), qPrintable(info));
      info.replace(from, to);
    }
    const CompatibilityVerdict judged = checkCompatibility(info.toStdString(), facts);
    QVERIFY2(static_cast<int>(judged.verdict) == verdict, judged.reason.c_str());
    QCOMPARE(judged.reason.empty(), judged.verdict == ContextCompatibility::kOptimal);
  }

  void options_data() {
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("value");
    QTest::addColumn<QString>("said");  // empty: taken
    QTest::newRow("device") << "device" << "3" << "";
    QTest::newRow("device too high") << "device" << "64" << "no more than 64";
    QTest::newRow("device of words") << "device" << "first" << "a whole number is wanted";
    QTest::newRow("backend") << "backend" << "emulator" << "";
    QTest::newRow("backend unknown") << "backend" << "moon" << "cuda or emulator is wanted";
    QTest::newRow("switch") << "tf32" << "0" << "";
    QTest::newRow("switch of words") << "tf32" << "no" << "0 or 1 is wanted";
    QTest::newRow("limit") << "memory_limit" << "1000000" << "";
    QTest::newRow("limit below zero") << "memory_limit" << "-1" << "a whole number is wanted";
    QTest::newRow("cache") << "cache" << "off" << "";
    QTest::newRow("purpose is asked for, not written") << "(purpose)" << "look" << "has no option '(purpose)'";
    QTest::newRow("unknown") << "speed" << "11" << "has no option 'speed'; it has device";
  }
  void options() {
    QFETCH(QString, key);
    QFETCH(QString, value);
    QFETCH(QString, said);
    const auto read = readOptions({{key.toStdString(), value.toStdString()}});
    QCOMPARE(read.has_value(), said.isEmpty());
    if (!read) QVERIFY2(QString::fromStdString(read.error().message).contains(said), read.error().message.c_str());
  }
  void optionValues() {
    const auto read =
        readOptions({{"device", "2"}, {"tf32", "0"}, {"graphs", "0"}, {"memory_limit", "77"}, {"cache", "/x"}});
    QVERIFY(read);
    QCOMPARE(read->device, 2);
    QVERIFY(!read->tf32 && !read->recordSegments && read->fuse);
    QCOMPARE(read->memoryLimitBytes, int64_t{77});
    QCOMPARE(read->cacheFolder, std::string("/x"));
  }

  void moduleMissing() {
    const QTemporaryDir folder;
    const Library library = openLibrary({pathOf(folder)});
    QVERIFY(library.backends == nullptr && library.devices.empty());
    QVERIFY2(library.reason.find("libcutaway_cuda.so") != std::string::npos, library.reason.c_str());
  }
  void moduleIsNone() {
    const QTemporaryDir folder;
    std::ofstream(pathOf(folder) / "libcutaway_cuda.so") << "this is no library";
    const Library library = openLibrary({pathOf(folder)});
    QVERIFY(library.backends == nullptr);
    QVERIFY2(library.reason.find("cannot be opened") != std::string::npos, library.reason.c_str());
  }

  void artifacts() {
    const QTemporaryDir folder;
    const auto path = pathOf(folder) / "deep" / "er";
    std::vector<std::byte> got;
    QVERIFY(!readArtifact(path, "key", got));
    QVERIFY(writeArtifact(path, "key", bytesOf("chosen: 6")));
    QVERIFY(readArtifact(path, "key", got) && got == bytesOf("chosen: 6"));
    QVERIFY(writeArtifact(path, "key", bytesOf("")));
    QVERIFY(readArtifact(path, "key", got) && got.empty());
    QVERIFY(!readArtifact(path, "another", got));
  }
  // Every byte that is changed, and every byte that is missing, is noticed.
  void damagedArtifacts() {
    const QTemporaryDir folder;
    QVERIFY(writeArtifact(pathOf(folder), "key", bytesOf("payload")));
    const auto path = artifactPath(pathOf(folder), "key");
    std::string whole;
    {
      std::ifstream file(path, std::ios::binary);
      whole.assign(std::istreambuf_iterator<char>(file), {});
    }
    std::vector<std::byte> got;
    for (size_t i = 0; i < whole.size(); ++i) {
      std::string changed = whole;
      changed[i] = static_cast<char>(changed[i] ^ 0x40);
      std::ofstream(path, std::ios::binary | std::ios::trunc) << changed;
      QVERIFY(!readArtifact(pathOf(folder), "key", got));
      std::ofstream(path, std::ios::binary | std::ios::trunc) << whole.substr(0, i);
      QVERIFY(!readArtifact(pathOf(folder), "key", got));
    }
    std::ofstream(path, std::ios::binary | std::ios::trunc) << whole;
    QVERIFY(readArtifact(pathOf(folder), "key", got));
  }
  void artifactsOutliveTheProcess() {
    const QTemporaryDir folder;
    ArtifactMemory(pathOf(folder)).keep("a", bytesOf("1"));
    const ArtifactMemory later(pathOf(folder));
    std::vector<std::byte> got;
    QVERIFY(later.find("a", got) && got == bytesOf("1"));
    QVERIFY(!later.find("b", got));
    QCOMPARE(later.all().size(), size_t{1});
    QVERIFY(!ArtifactMemory().find("a", got));
  }
  void userFolder() {
    const QByteArray before = qgetenv("XDG_CACHE_HOME");
    qputenv("XDG_CACHE_HOME", "/somewhere");
    QCOMPARE(userArtifactFolder().string(), std::string("/somewhere/cutaway/cuda"));
    qunsetenv("XDG_CACHE_HOME");
    if (!qgetenv("HOME").isEmpty()) QVERIFY(userArtifactFolder().string().ends_with(".cache/cutaway/cuda"));
    if (!before.isEmpty()) qputenv("XDG_CACHE_HOME", before);
  }

  // Looking plans as if there were a GPU; running leaves the nodes to cpu and says why.
  void withoutGpu() {
    const auto looked = reluSession(false);
    QVERIFY2(looked, looked ? "" : describe(looked.error()).c_str());
    QCOMPARE(placeOf(**looked), std::string("cuda"));
    const auto running = reluSession(true);
    QVERIFY2(running, running ? "" : describe(running.error()).c_str());
    const bool hasGpu = !cudaLibrary().devices.empty();
    QCOMPARE(placeOf(**running), std::string(hasGpu ? "cuda" : "cpu"));
    QCOMPARE(cudaLibrary().reason.empty(), hasGpu);
    if (hasGpu) return;
    std::string said;
    for (const ProviderAnswer& answer : (*running)->report()->partition->nodes.front().answers)
      said += answer.provider == "cuda" ? answer.reason : "";
    for (const ProviderSummary& provider : (*running)->report()->partition->providers)
      said += provider.name == "cuda" ? provider.reason : "";
    QVERIFY2(said.find(cudaLibrary().reason) != std::string::npos, said.c_str());
  }
};

QTEST_GUILESS_MAIN(TestCudaShell)
#include "tst_cuda_shell.moc"
