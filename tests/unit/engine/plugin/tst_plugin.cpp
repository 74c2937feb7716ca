// Plug-ins of a folder: their operator runs, their pass rewrites, and what is no plug-in is refused with a reason.
#include <filesystem>

#include <QTemporaryDir>
#include <QtTest/QtTest>

#include "engine/graph/text.h"
#include "engine/plugin/plugin_folder.h"
#include "engine/schema/schema.h"
#include "engine/session/session.h"
#include "engine/stages/load/save.h"
#include "providers/cpu/provider.h"
#include "providers/plugged/provider.h"

using namespace cutaway;

namespace {

constexpr const char* kModel = R"(<ir_version: 8, opset_import: ["" : 17, "com.example" : 1]>
main (float[batch,4] x) => (float[batch,4] y) {
  [a] p = com.example.Scale <factor = 2.0> (x) [b] q = com.example.Scale <factor = 3.0> (p) [c] y = Neg (q) })";

std::filesystem::path folderOf(const char* name) {
  return std::filesystem::path(CUTAWAY_PLUGINS) / name;
}

Result<std::unique_ptr<session::Session>> open(int level, const QTemporaryDir& folder) {
  Progress progress;
  CUTAWAY_TRY(const Model model, parseModelText(kModel));
  const std::string file = folder.filePath(QStringLiteral("model.onnx")).toStdString();
  CUTAWAY_CHECK(load::save(model, file, {}));
  return session::Session::create(load::ModelSource::file(file),
                                  {.providers = {"plugged", "cpu"}, .optimizationLevel = level},
                                  {pluggedProvider(), cpuProvider()}, progress);
}

}  // namespace

class TestPlugin : public QObject {
  Q_OBJECT

 private slots:
  void whatIsNoPluginIsRefused_data() {
    QTest::addColumn<QString>("folder");
    QTest::addColumn<QString>("said");
    QTest::newRow("no folder") << "nowhere" << "No such file";
    QTest::newRow("no library") << "." << "no file there ends in .so";
    QTest::newRow("another version") << "plugin_of_tomorrow" << "does not serve version 1";
    QTest::newRow("an operator without a kernel") << "plugin_without_kernel" << "operator 0 has no name";
    QTest::newRow("another library") << "plugin_without_entry" << "it does not export cutaway_plugin";
  }
  void whatIsNoPluginIsRefused() {
    QFETCH(QString, folder);
    QFETCH(QString, said);
    const Result<void> opened = openPluginFolder(folderOf(folder.toLatin1()));
    QVERIFY(!opened);
    QVERIFY2(opened.error().message.find(said.toStdString()) != std::string::npos, opened.error().message.c_str());
    QVERIFY(openedPlugins().empty());
    QVERIFY(findSchema("Empty", "com.example", 1) == nullptr);
  }

  void theExampleRuns() {
    QVERIFY(findSchema("Scale", "com.example", 1) == nullptr);
    for (int i = 0; i < 2; ++i) {
      const Result<void> opened = openPluginFolder(folderOf("plugin_example"));
      QVERIFY2(opened, opened ? "" : opened.error().message.c_str());
    }
    QCOMPARE(openedPlugins().size(), size_t{1});
    QVERIFY(findSchema("Scale", "com.example", 1) != nullptr);
    QTemporaryDir folder;
    for (const int level : {0, 3}) {
      auto session = open(level, folder);
      QVERIFY2(session, session ? "" : describe(session.error()).c_str());
      const auto walk = (*session)->report();
      const GraphReport& graph = walk->partitionedGraphs->graphs[0];
      // At level 0 nobody rewrites; above, the plug-in's pass makes one node of two.
      QCOMPARE(graph.nodes.size(), level == 0 ? size_t{3} : size_t{2});
      for (const NodeReport& node : graph.nodes)
        QCOMPARE(node.provider, std::string(node.opType == "Scale" ? "plugged" : "cpu"));
      // Types of its outputs are known before a run, open dimensions with their names.
      for (const ValueReport& value : graph.values)
        QCOMPARE(value.type, std::string("float[batch,4]"));
      const std::vector<float> x = {1, -2, 3, 0.5f};
      const Tensor feed = Tensor::of(std::span<const float>(x)).reshaped(std::vector<int64_t>{1, 4});
      auto made = (*session)->run({{"x", RuntimeValue(feed)}}, execute::RunOptions());
      QVERIFY2(made, made ? "" : describe(made.error()).c_str());
      const auto y = made->outputs[0].value.tensor().span<float>();
      for (size_t i = 0; i < x.size(); ++i)
        QCOMPARE(y[i], -6 * x[i]);
    }
  }
};

QTEST_GUILESS_MAIN(TestPlugin)
#include "tst_plugin.moc"
