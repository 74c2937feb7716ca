// Every session key of EPContext models: default, good values, bad values with their codes and messages; the default
// file name; targets.
#include <fstream>

#include <QTemporaryDir>
#include <QtTest/QtTest>

#include "engine/base/new_file.h"
#include "engine/context/context_options.h"

using namespace cutaway;
namespace fs = std::filesystem;

namespace {

using Config = std::map<std::string, std::string>;
using Is = bool (*)(const context::ContextOptions&);

struct GoodKey {
  const char* key;
  const char* value;
  Is byDefault;
  Is asSet;
};
#define SWITCH(member)                                                    \
  [](const context::ContextOptions& options) { return !options.member; }, \
      [](const context::ContextOptions& options) { return options.member; }
#define TEXT(member, text)                                                       \
  [](const context::ContextOptions& options) { return options.member.empty(); }, \
      [](const context::ContextOptions& options) { return options.member == text; }
const GoodKey kGood[] = {
    {"ep.context_enable", "1", SWITCH(enable)},
    {"ep.context_embed_mode", "1", SWITCH(embed)},
    {"ep.share_ep_contexts", "1", SWITCH(share)},
    {"ep.stop_share_ep_contexts", "1", SWITCH(stopShare)},
    {"session.disable_model_compile", "1", SWITCH(disableCompile)},
    {"session.fail_on_suboptimal_compiled_model", "1", SWITCH(failOnSuboptimal)},
    {"ep.context_recompile", "1", SWITCH(recompile)},
    {"ep.enable_weightless", "1", SWITCH(weightless)},
    {"ep.enable_weightless_ep_context_nodes", "1", SWITCH(weightless)},
    {"session.compile_only", "1", SWITCH(compileOnly)},
    {"ep.context_node_name_prefix", "a_", TEXT(prefix, "a_")},
    {"ep.context_share_group", "llm", TEXT(shareGroup, "llm")},
    {"ep.context_binary_name", "m-{hash}", TEXT(binaryStem, "m-{hash}")},
    {"ep.context_model_external_initializers_file_name", "weights.bin", TEXT(initializersFile, "weights.bin")},
    {"ep.context_file_path", "out/m_ctx.onnx", TEXT(file, "out/m_ctx.onnx")},
    {"ep.context_source_model_path", "m.onnx", TEXT(sourceModel, "m.onnx")},
    {"session.model_external_initializers_file_folder_path", "weights", TEXT(externalFolder, "weights")},
};
#undef SWITCH
#undef TEXT

}  // namespace

class ContextOptionsTest : public QObject {
  Q_OBJECT

 private slots:
  void everyKey() {
    for (const GoodKey& each : kGood) {
      QVERIFY2(context::isContextKey(each.key), each.key);
      const Result<context::ContextOptions> without = context::readContextOptions({});
      QVERIFY(without && each.byDefault(*without));
      const Result<context::ContextOptions> with = context::readContextOptions({{each.key, each.value}});
      QVERIFY2(with, each.key);
      QVERIFY2(each.asSet(*with), each.key);
    }
    QVERIFY(!context::isContextKey("session.intra_op_num_threads"));
  }

  void otherDefaults() {
    const context::ContextOptions options = *context::readContextOptions({{"some.other.key", "nonsense"}});
    QVERIFY(!options.overwrite && !options.failWhenNothingCompiled && !options.writeUncompiled && !options.modelSink &&
            !options.initializerHandler);
    QCOMPARE(options.initializersThresholdBytes, int64_t{0});
  }

  void badValues_data() {
    QTest::addColumn<QString>("keys");
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("says");
    const int invalid = static_cast<int>(ErrorCode::kInvalidArgument);
    QTest::newRow("no switch") << "ep.context_enable=yes" << invalid << "ep.context_enable is 0 or 1, not \"yes\"";
    QTest::newRow("embed two") << "ep.context_embed_mode=2" << invalid << "ep.context_embed_mode is 0 or 1, not \"2\"";
    QTest::newRow("folder") << "ep.context_file_path=out/" << invalid << "names a folder";
    QTest::newRow("dots") << "ep.context_file_path=.." << invalid << "names a folder";
    QTest::newRow("no extension") << "ep.context_file_path=out/model" << invalid
                                  << "has no extension: call the file model.onnx";
    QTest::newRow("only a dot") << "ep.context_file_path=model." << invalid << "has no extension";
    QTest::newRow("embed and share") << "ep.context_enable=1;ep.context_embed_mode=1;ep.share_ep_contexts=1" << invalid
                                     << "exclude each other";
    QTest::newRow("embed and stop") << "ep.context_enable=1;ep.context_embed_mode=1;ep.stop_share_ep_contexts=1"
                                    << invalid << "exclude each other";
    QTest::newRow("weightless") << "ep.context_enable=1;ep.enable_weightless=1"
                                << static_cast<int>(ErrorCode::kNotImplemented)
                                << "no provider here can keep a compiled group without its weights";
    QTest::newRow("weightless, old key") << "ep.context_enable=1;ep.enable_weightless_ep_context_nodes=1"
                                         << static_cast<int>(ErrorCode::kNotImplemented) << "weights";
    QTest::newRow("initializers elsewhere")
        << "ep.context_enable=1;ep.context_model_external_initializers_file_name=../w.bin" << invalid
        << "without folders, not \"../w.bin\"";
    QTest::newRow("binary elsewhere") << "ep.context_binary_name=../m" << invalid << "without folders, such as model";
    QTest::newRow("initializers absolute")
        << "ep.context_enable=1;ep.context_model_external_initializers_file_name=/w.bin" << invalid
        << "without folders";
    QTest::newRow("initializers dots") << "ep.context_enable=1;ep.context_model_external_initializers_file_name=.."
                                       << invalid << "without folders";
  }
  void badValues() {
    QFETCH(QString, keys);
    QFETCH(int, code);
    QFETCH(QString, says);
    Config config;
    for (const QString& each : keys.split(';'))
      config[each.section('=', 0, 0).toStdString()] = each.section('=', 1).toStdString();
    const Result<context::ContextOptions> read = context::readContextOptions(config);
    QVERIFY(!read);
    QCOMPARE(static_cast<int>(read.error().code), code);
    QVERIFY2(QString::fromStdString(read.error().message).contains(says), read.error().message.c_str());
  }

  void whatConcernsExportsOnlyIsNoErrorWhenLoading() {
    QVERIFY(context::readContextOptions({{"ep.enable_weightless", "1"}}));
    QVERIFY(context::readContextOptions({{"ep.context_embed_mode", "1"}, {"ep.share_ep_contexts", "1"}}));
  }

  void eitherWeightlessKeyCounts() {
    QVERIFY(context::readContextOptions({{"ep.enable_weightless", "0"}, {"ep.enable_weightless_ep_context_nodes", "1"}})
                ->weightless);
    QVERIFY(context::readContextOptions({{"ep.enable_weightless", "1"}, {"ep.enable_weightless_ep_context_nodes", "0"}})
                ->weightless);
  }

  void lengths() {
    QVERIFY(context::readContextOptions({{std::string(1024, 'k'), std::string(8192, 'v')}}));
    const Result<context::ContextOptions> key = context::readContextOptions({{std::string(1025, 'k'), ""}});
    QVERIFY(!key && key.error().code == ErrorCode::kInvalidArgument &&
            key.error().message.find("1025 characters") != std::string::npos);
    const Result<context::ContextOptions> value =
        context::readContextOptions({{"ep.context_node_name_prefix", std::string(8193, 'v')}});
    QVERIFY(!value && value.error().code == ErrorCode::kInvalidArgument &&
            value.error().message.find("8193 characters") != std::string::npos);
  }

  void defaultFile() {
    QCOMPARE(context::contextFileFor("models/net.onnx", {})->generic_string(), std::string("models/net_ctx.onnx"));
    QCOMPARE(context::contextFileFor("net.v2.onnx", {})->generic_string(), std::string("net.v2_ctx.onnx"));
    QCOMPARE(context::contextFileFor("net", {})->generic_string(), std::string("net_ctx.onnx"));
    QCOMPARE(context::contextFileFor("m\xc3\xbcnze/n\xc3\xa9t.onnx", {})->generic_string(),
             std::string("m\xc3\xbcnze/n\xc3\xa9t_ctx.onnx"));
    context::ContextOptions options;
    options.file = "there/x.onnx";
    QCOMPARE(context::contextFileFor("models/net.onnx", options)->generic_string(), std::string("there/x.onnx"));
    QCOMPARE(context::contextFileFor("", options)->generic_string(), std::string("there/x.onnx"));
    const Result<fs::path> neither = context::contextFileFor("", {});
    QVERIFY(!neither && neither.error().code == ErrorCode::kInvalidArgument &&
            neither.error().message.find("ep.context_file_path") != std::string::npos);
  }

  void targets() {
    QTemporaryDir temporary;
    const fs::path folder = temporary.path().toStdString();
    context::ContextOptions options;
    options.enable = true;
    const auto codeOf = [&](const fs::path& target) {
      const Result<void> checked = context::checkContextTarget(target, options);
      return checked ? 0 : static_cast<int>(checked.error().code);
    };
    QCOMPARE(codeOf(folder / "new_ctx.onnx"), 0);
    QCOMPARE(codeOf("new_ctx.onnx"), 0);  // in the working directory
    QCOMPARE(codeOf(folder), static_cast<int>(ErrorCode::kInvalidArgument));
    QCOMPARE(codeOf(folder / "missing" / "m_ctx.onnx"), static_cast<int>(kNoFolder));
    fs::create_directory(folder / "folder.onnx");
    QCOMPARE(codeOf(folder / "folder.onnx"), static_cast<int>(ErrorCode::kInvalidArgument));
    std::ofstream(folder / "old_ctx.onnx") << "old";
    QCOMPARE(codeOf(folder / "old_ctx.onnx"), static_cast<int>(ErrorCode::kFail));
    options.overwrite = true;
    QCOMPARE(codeOf(folder / "old_ctx.onnx"), 0);
    QCOMPARE(codeOf("/dev/null.x/y.onnx"), static_cast<int>(kNoFolder));
  }
};

QTEST_APPLESS_MAIN(ContextOptionsTest)
#include "tst_context_options.moc"
