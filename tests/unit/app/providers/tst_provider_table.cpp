// The table of built providers: every folder of providers/ has its row, and rows say what the engine asks them.
#include <algorithm>
#include <filesystem>
#include <set>

#include <QtTest/QtTest>

#include "app/providers/provider_table.h"
#include "providers/onnxruntime/plugin/plugin_rows.h"

using namespace cutaway;

class TestProviderTable : public QObject {
  Q_OBJECT
 private slots:
  void everyFolderHasItsRow() {
    std::set<std::string> folders, rows;
    for (const auto& entry : std::filesystem::directory_iterator(CUTAWAY_SOURCE_DIR "/providers")) {
      if (std::filesystem::exists(entry.path() / "CMakeLists.txt")) folders.insert(entry.path().filename().string());
    }
    folders.erase("plugged");  // its row is there once a plug-in brought operators
    for (const ProviderEntry& entry : builtProviders()) {
      QVERIFY2(rows.insert(entry.name).second, entry.name.c_str());
      QVERIFY2(entry.create != nullptr && entry.probe != nullptr, entry.name.c_str());
      QVERIFY2(!entry.displayName.empty() && !entry.description.empty(), entry.name.c_str());
    }
    // Plug-ins that this machine has stand in the table, too; they come without a folder of ours.
    for (const ProviderEntry& plugin : pluginProviders())
      QVERIFY2(folders.insert(plugin.name).second, plugin.name.c_str());
    QCOMPARE(rows, folders);
  }

  void theLastRowTakesTheRest() {
    const ProviderTable table = builtProviders();
    QCOMPARE(std::ranges::count(table, true, &ProviderEntry::takesTheRest), 1);
    QVERIFY(table.back().takesTheRest);
    QCOMPARE(lastResort(table), table.back().name);
    QVERIFY(findEntry(table, table.back().name) != nullptr && findEntry(table, "no such provider") == nullptr);
  }

  // What a configuration says in onnxruntime's words is found by name: no two rows may claim one.
  void namesOfOnnxruntimeAreClear() {
    std::set<std::string> here;
    for (const ProviderEntry& entry : builtProviders()) {
      for (const OnnxruntimeProvider& there : entry.onnxruntime) {
        QVERIFY2(there.argument.empty() != entry.takesArgument, there.name.c_str());
        QVERIFY2(QByteArray(there.name.c_str()).endsWith("ExecutionProvider"), there.name.c_str());
        QVERIFY2((std::set<std::string>{"cpu", "gpu", "npu", "fpga"}).contains(there.device), there.device.c_str());
        QVERIFY2(here.insert(entry.name + "(" + there.argument + ")").second, there.argument.c_str());
      }
    }
    std::set<std::string> sources;
    for (const context_binary::ContextSource& source : contextSources(builtProviders()))
      QVERIFY2(sources.insert(source.name).second && !source.title.empty(), source.name.c_str());
  }
};

QTEST_GUILESS_MAIN(TestProviderTable)
#include "tst_provider_table.moc"
