// Software adapters of WebGPU's plug-in: where the driver is looked for, which variables it needs, and what is said
// where a plug-in has no device.
#include <cstdlib>
#include <fstream>

#include <QTemporaryDir>
#include <QtTest/QtTest>

#include "providers/onnxruntime/plugin/software_adapter.h"

using namespace cutaway::onnxruntime;
namespace fs = std::filesystem;

namespace {

PluginLibrary pluginNamed(const std::string& name) {
  for (PluginLibrary& plugin : pluginLibraries()) {
    if (plugin.name == name) return std::move(plugin);
  }
  return {};
}

void write(const fs::path& file) {
  fs::create_directories(file.parent_path());
  std::ofstream(file) << "{}";
}

}  // namespace

class TestSoftwareAdapter : public QObject {
  Q_OBJECT
 private slots:
  void init() {
    for (const char* const name : {"VK_ICD_FILENAMES", "VK_DRIVER_FILES", "ORT_WEBGPU_EP_ALLOW_SOFTWARE_ADAPTER"})
      ::unsetenv(name);
    ::setenv("XDG_RUNTIME_DIR", "/run/user/1", 1);
  }

  // A description without the library beside it is no driver.
  void theFirstWholeDriverIsTaken() {
    const QTemporaryDir folder;
    const fs::path root = folder.path().toStdString();
    write(root / "half/vk_swiftshader_icd.json");
    write(root / "whole/vk_swiftshader_icd.json");
    write(root / "whole/libvk_swiftshader.so");
    const std::vector<fs::path> folders{root / "nowhere", root / "half", root / "whole"};
    QVERIFY(softwareDriverIn(folders) == root / "whole/vk_swiftshader_icd.json");
    QVERIFY(softwareDriverIn(std::span(folders).first(2)).empty());
  }

  void onlyWebGpuTakesOne() {
    ::setenv("VK_ICD_FILENAMES", "/mine.json", 1);
    QVERIFY(softwareAdapter(pluginNamed("webgpu")).has_value());
    QVERIFY(!softwareAdapter(pluginNamed("qnn")));
    QVERIFY(!softwareAdapter(pluginNamed("openvino-plugin")));
  }

  // What the user's environment says of the driver is left as it is.
  void theUsersVariablesHold() {
    ::setenv("VK_DRIVER_FILES", "/mine.json", 1);
    const auto adapter = softwareAdapter(pluginNamed("webgpu"));
    QVERIFY(adapter && adapter->driver.empty());
    const TextPairs allowed{{"ORT_WEBGPU_EP_ALLOW_SOFTWARE_ADAPTER", "1"}};
    QVERIFY(adapter->environment == allowed);
    ::unsetenv("XDG_RUNTIME_DIR");
    ::setenv("ORT_WEBGPU_EP_ALLOW_SOFTWARE_ADAPTER", "0", 1);
    const auto without = softwareAdapter(pluginNamed("webgpu"));
    QVERIFY(without && without->environment.size() == 1);
    QCOMPARE(without->environment[0].first, std::string("XDG_RUNTIME_DIR"));
  }

  void whereThereIsNoDevice_data() {
    QTest::addColumn<QByteArray>("plugin");
    QTest::addColumn<bool>("tried");
    QTest::addColumn<QStringList>("words");
    QTest::newRow("Intel's") << QByteArray("openvino-plugin") << false
                             << QStringList{
                                    "it offers no device on this machine: it takes processors, GPUs and NPUs of "
                                    "Intel alone. On other processors OpenVINO runs without this plug-in"};
    QTest::newRow("no driver") << QByteArray("webgpu") << false
                               << QStringList{"it takes GPUs alone", "setup.sh --providers", "VK_ICD_FILENAMES"};
    QTest::newRow("a driver that is not taken")
        << QByteArray("webgpu") << true << QStringList{"it takes GPUs alone", "/driver.json", "libvulkan1"};
    QTest::newRow("others") << QByteArray("nv-tensorrt-rtx") << false
                            << QStringList{"the hardware that it is made for is not here"};
  }
  void whereThereIsNoDevice() {
    QFETCH(QByteArray, plugin);
    QFETCH(bool, tried);
    QFETCH(QStringList, words);
    std::optional<SoftwareAdapter> adapter;
    if (tried) adapter = SoftwareAdapter{.driver = "/driver.json", .environment = {}};
    const QString text = QString::fromStdString(noDevice(pluginNamed(plugin.toStdString()), adapter));
    for (const QString& word : words)
      QVERIFY2(text.contains(word), qPrintable(text));
  }

  void whatComputesOnTheCpuIsNoGpu() {
    const std::vector<DeviceFacts> cpu{{.provider = "P", .kind = "cpu"}};
    const std::vector<DeviceFacts> both{{.provider = "P", .kind = "cpu"}, {.provider = "P", .kind = "gpu"}};
    QVERIFY(isOnSoftware(pluginNamed("webgpu"), cpu));
    QVERIFY(!isOnSoftware(pluginNamed("webgpu"), both));
    QVERIFY(!isOnSoftware(pluginNamed("webgpu"), {}));
    // OpenVINO's plug-in computes on processors: that is what it is for.
    QVERIFY(!isOnSoftware(pluginNamed("openvino-plugin"), cpu));
  }
};

QTEST_GUILESS_MAIN(TestSoftwareAdapter)
#include "tst_software_adapter.moc"
