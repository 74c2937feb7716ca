// The walk of context models: session keys, the export behind the partition stage, compatibility strings, and the
// original in the place of a context model that cannot be used.

#include <QFile>
#include <QTemporaryDir>
#include <QtTest/QtTest>

#include "engine/graph/text.h"
#include "engine/session/configuration/session_config.h"
#include "engine/stages/load/save.h"
#include "providers/cpu/provider.h"
#include "tests/provider/test_provider.h"
#include "tests/unit/engine/session/text_session.h"

using namespace cutaway;

namespace fs = std::filesystem;

Q_DECLARE_METATYPE(cutaway::ContextCompatibility)

namespace {

constexpr const char* kChain = R"(<ir_version: 10, opset_import: ["" : 17]>
  g (float[n,4] x) => (float[n,4] y) { [r] a = Relu (x) [e] b = Exp (a) [n] c = Neg (b) [s] y = Sigmoid (c) })";

const KernelRegistry* kernelsOfCpu() {
  static const auto cpu = cpuProvider().create({});
  return (*cpu)->kernels();
}

// What the next provider does; tests change it before they open a session.
TestProviderPlan plan;
std::shared_ptr<TestProviderCounts> counts;
Result<std::unique_ptr<ExecutionProvider>> makeTest(const ProviderRequest&) {
  return makeTestProvider(plan);
}
const ProviderTable& table() {
  static const ProviderTable kTable{{.name = "test", .displayName = "Test", .description = "", .create = makeTest},
                                    cpuProvider()};
  return kTable;
}

struct Folder {
  QTemporaryDir folder;
  fs::path path(const char* name) const { return fs::path(folder.path().toStdString()) / name; }
  fs::path original() const { return path("model.onnx"); }
  fs::path context() const { return path("model_ctx.onnx"); }
  Folder() {
    const auto model = parseModelText(kChain);
    if (!model || !load::save(*model, original(), {})) qFatal("the model cannot be written");
  }
  std::vector<fs::path> binaries() const {
    std::vector<fs::path> found;
    for (const auto& entry : fs::directory_iterator(folder.path().toStdString())) {
      if (entry.path().extension() == ".bin") found.push_back(entry.path());
    }
    return found;
  }
};

session::SessionOptions withKeys(std::map<std::string, std::string> keys) {
  session::SessionOptions options;
  options.providers = {"test"};
  options.config = std::move(keys);
  return options;
}

struct Opened {
  Result<std::unique_ptr<session::Session>> session;
  std::shared_ptr<const WalkReport> last;
  int failures = 0;  // snapshots with an error
};
Opened open(const load::ModelSource& source, const session::SessionOptions& options) {
  Opened opened{.session = fail(ErrorCode::kFail, "not opened"), .last = nullptr};
  Progress progress;
  opened.session =
      session::Session::create(source, options, table(), progress, [&](std::shared_ptr<const WalkReport> walk) {
        opened.last = std::move(walk);
        opened.failures += opened.last->error ? 1 : 0;
      });
  return opened;
}
Opened open(const fs::path& path, std::map<std::string, std::string> keys = {}) {
  return open(load::ModelSource::file(path), withKeys(std::move(keys)));
}

std::vector<float> outputOf(session::Session& session) {
  const auto result = session.run({floatFeed("x", {2, 4}, {-1, 2, -3, 4, 0.5f, -0.25f, 7, 1e-3f})}, {});
  if (!result) qFatal("%s", describe(result.error()).c_str());
  return floatsOf(result->outputs.front().value);
}

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}
StageState contextState(const WalkReport& walk) {
  return walk.stages[static_cast<size_t>(Stage::kContext)].state;
}

}  // namespace

class TestContextWalk : public QObject {
  Q_OBJECT

 private slots:
  void init() {
    counts = std::make_shared<TestProviderCounts>();
    plan = {};
    plan.groupOperators = {"Relu", "Neg"};
    plan.innerKernels = kernelsOfCpu();
    plan.contexts.kind = ContextKind::kCompiled;
    plan.counts = counts;
  }

  void keys_data() {
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("value");
    QTest::addColumn<int>("code");  // 0: taken
    const auto switches = {"ep.context_enable",
                           "ep.context_embed_mode",
                           "ep.share_ep_contexts",
                           "ep.stop_share_ep_contexts",
                           "ep.context_recompile",
                           "ep.enable_weightless",
                           "session.disable_model_compile",
                           "session.fail_on_suboptimal_compiled_model",
                           "session.compile_only"};
    for (const char* key : switches) {
      for (const char* good : {"0", "1"})
        QTest::addRow("%s=%s", key, good) << key << good << 0;
      QTest::addRow("%s=2", key) << key << "2" << static_cast<int>(ErrorCode::kInvalidArgument);
    }
    for (const char* key :
         {"ep.context_node_name_prefix", "ep.context_share_group", "ep.context_source_model_path",
          "session.model_external_initializers_file_folder_path", "ep.context_model_external_initializers_file_name"}) {
      QTest::addRow("%s", key) << key << "some" << 0;
      QTest::addRow("%s at the limit", key) << key << QString(8192, 'v') << 0;
      QTest::addRow("%s above the limit", key)
          << key << QString(8193, 'v') << static_cast<int>(ErrorCode::kInvalidArgument);
    }
    QTest::newRow("file") << "ep.context_file_path" << "a/b_ctx.onnx" << 0;
    QTest::newRow("file without extension")
        << "ep.context_file_path" << "a/b" << static_cast<int>(ErrorCode::kInvalidArgument);
    QTest::newRow("folder") << "ep.context_file_path" << "folder/" << static_cast<int>(ErrorCode::kInvalidArgument);
    QTest::newRow("any key at the limit") << QString(1024, 'k') << "1" << 0;
    QTest::newRow("any key above the limit")
        << QString(1025, 'k') << "1" << static_cast<int>(ErrorCode::kInvalidArgument);
    QTest::newRow("any value above the limit")
        << "ep.test.option" << QString(8193, 'v') << static_cast<int>(ErrorCode::kInvalidArgument);
  }
  void keys() {
    QFETCH(QString, key);
    QFETCH(QString, value);
    QFETCH(int, code);
    const auto config = session::readSessionConfig(withKeys({{key.toStdString(), value.toStdString()}}), {});
    QCOMPARE(config ? 0 : static_cast<int>(config.error().code), code);
    if (config && key.size() < 1024)
      QVERIFY2(config->warnings.empty(), config->warnings.empty() ? "" : config->warnings.front().c_str());
    if (!config)
      QVERIFY2(has(config.error().message, key.left(20).toStdString()) ||
                   has(config.error().message, value.left(5).toStdString()),
               config.error().message.c_str());
  }

  void defaults() {
    const auto config = session::readSessionConfig({}, {});
    QVERIFY(config.has_value());
    const context::ContextOptions& context = config->context;
    QVERIFY(!context.enable && !context.embed && !context.share && !context.stopShare && !context.disableCompile &&
            !context.failOnSuboptimal && !context.recompile && !context.weightless && !context.compileOnly);
    QVERIFY(context.file.empty() && context.prefix.empty() && context.shareGroup.empty() &&
            context.initializersFile.empty() && context.sourceModel.empty() && context.externalFolder.empty());
  }

  void unknownKeysOfSessionsWarn_data() {
    QTest::addColumn<QString>("key");
    QTest::addColumn<bool>("warns");
    for (const char* key :
         {"ep.context_enabled", "ep.context_file", "ep.share_contexts", "ep.stop_share_contexts", "session.compile"})
      QTest::newRow(key) << key << true;
    for (const char* key : {"ep.test.option", "ep.other.option", "ep.context_enable"})
      QTest::newRow(key) << key << false;
  }
  void unknownKeysOfSessionsWarn() {
    QFETCH(QString, key);
    QFETCH(bool, warns);
    const auto config = session::readSessionConfig(withKeys({{key.toStdString(), "1"}}), {});
    QVERIFY(config.has_value());
    QCOMPARE(!config->warnings.empty(), warns);
    if (warns) QVERIFY(has(config->warnings.front(), key.toStdString()));
  }

  void previewComesWithThePartition() {
    const Folder folder;
    const Opened opened = open(folder.original());
    QVERIFY2(opened.session, why(opened.session).c_str());
    QVERIFY(opened.last->context != nullptr);
    QCOMPARE(contextState(*opened.last), StageState::kDone);
    QCOMPARE(stageHeadline(*opened.last, Stage::kContext), std::string("2 groups can be kept"));
    QVERIFY(opened.last->context->written.empty());
    QVERIFY(!fs::exists(folder.context()));
  }

  void exportAndLoad_data() {
    QTest::addColumn<QString>("embed");
    QTest::newRow("beside the model") << "0";
    QTest::newRow("inside the model") << "1";
  }
  void exportAndLoad() {
    QFETCH(QString, embed);
    const Folder folder;
    const Opened made =
        open(folder.original(), {{"ep.context_enable", "1"}, {"ep.context_embed_mode", embed.toStdString()}});
    QVERIFY2(made.session, why(made.session).c_str());
    QCOMPARE(contextState(*made.last), StageState::kDone);
    QVERIFY(has(stageHeadline(*made.last, Stage::kContext), "written: "));
    QVERIFY(fs::exists(folder.context()));
    QCOMPARE(folder.binaries().size(), size_t{embed == "1" ? 0u : 1u});
    QVERIFY(std::ranges::any_of(*made.last->creation,
                                [](const TraceSpan& span) { return span.name == "write context model"; }));
    const std::vector<float> expected = outputOf(**made.session);

    const int64_t compiled = counts->compiled;
    session::SessionOptions options = withKeys({});
    options.keepOptimized = true;
    const Opened loaded = open(load::ModelSource::file(folder.context()), options);
    QVERIFY2(loaded.session, why(loaded.session).c_str());
    QCOMPARE(counts->compiled.load(), compiled);
    QCOMPARE(counts->restored.load(), int64_t{2});
    QCOMPARE(outputOf(**loaded.session), expected);
    QCOMPARE(stageHeadline(*loaded.last, Stage::kContext), std::string("2 context nodes"));
    QCOMPARE(loaded.last->context->nodes.size(), size_t{2});
    for (const ContextNodeReport& node : loaded.last->context->nodes) {
      const GraphReport& graph = loaded.last->loadedGraphs->graphs[static_cast<size_t>(node.graph)];
      QCOMPARE(graph.nodes[static_cast<size_t>(node.node)].name, node.name);
      QCOMPARE(node.insideNodes, int64_t{1});
    }
    QVERIFY(std::ranges::any_of(*loaded.last->creation,
                                [](const TraceSpan& span) { return span.name == "restore contexts"; }));
    // Original nodes are shown, and counted nowhere.
    QCOMPARE(loaded.last->load->nodeCount, int64_t{4});
    QCOMPARE(loaded.last->partition->nodes.size(), size_t{4});
    QCOMPARE(loaded.last->schedule->graphs.size(), size_t{1});
    for (const auto& graphs :
         {loaded.last->loadedGraphs, loaded.last->optimizedGraphs, loaded.last->partitionedGraphs}) {
      QCOMPARE(std::ranges::count_if(graphs->graphs, &GraphReport::isInside), std::ptrdiff_t{2});
    }
    // An embedded binary is not kept a second time for what-if.
    const auto optimized = (*loaded.session)->optimizedModel();
    for (const NodeId id : optimized->graph.nodeIds()) {
      const Node& node = optimized->graph.node(id);
      if (node.opType == "EPContext") QVERIFY(node.attributeOr<std::string>("ep_cache_context", {}).size() < 100);
    }
  }

  void compileOnlyStopsBehindTheExport_data() {
    QTest::addColumn<bool>("byKey");
    QTest::newRow("key") << true;
    QTest::newRow("option") << false;
  }
  void compileOnlyStopsBehindTheExport() {
    QFETCH(bool, byKey);
    const Folder folder;
    session::SessionOptions options = withKeys({{"ep.context_enable", "1"}});
    if (byKey)
      options.config["session.compile_only"] = "1";
    else
      options.contextOnly = true;
    const Opened made = open(load::ModelSource::file(folder.original()), options);
    QVERIFY2(made.session, why(made.session).c_str());
    QVERIFY(fs::exists(folder.context()));
    QVERIFY(made.last->partition && !made.last->schedule && !made.last->pattern);
    QCOMPARE(made.last->stages[static_cast<size_t>(Stage::kSchedule)].state, StageState::kWaiting);
    QVERIFY(!(*made.session)->run({}, {}));
  }

  void whoOnlyLooksWritesNothing() {
    const Folder folder;
    session::SessionOptions options = withKeys({{"ep.context_enable", "1"}});
    options.prepareRun = false;
    const Opened looked = open(load::ModelSource::file(folder.original()), options);
    QVERIFY2(looked.session, why(looked.session).c_str());
    QVERIFY(!fs::exists(folder.context()));
  }

  void refusedBeforeAnythingIsCompiled() {
    const Folder folder;
    QVERIFY(open(folder.original(), {{"ep.context_enable", "1"}}).session);
    const int64_t compiled = counts->compiled;
    const Opened again = open(folder.original(), {{"ep.context_enable", "1"}});
    QVERIFY(!again.session);
    QCOMPARE(again.session.error().code, ErrorCode::kFail);
    QVERIFY2(has(again.session.error().message, "exists"), again.session.error().message.c_str());
    const Opened twice = open(
        folder.context(), {{"ep.context_enable", "1"}, {"ep.context_file_path", folder.path("other.onnx").string()}});
    QVERIFY(!twice.session);
    QCOMPARE(twice.session.error().code, ErrorCode::kInvalidGraph);
    QVERIFY2(has(twice.session.error().message, "compiled already"), twice.session.error().message.c_str());
    const Opened weightless = open(folder.original(), {{"ep.context_enable", "1"},
                                                       {"ep.enable_weightless", "1"},
                                                       {"ep.context_file_path", folder.path("w.onnx").string()}});
    QVERIFY(!weightless.session);
    QCOMPARE(weightless.session.error().code, ErrorCode::kNotImplemented);
    QCOMPARE(counts->compiled.load(), compiled);
  }

  void nothingCompiledWritesNothing() {
    plan.groupOperators.clear();
    const Folder folder;
    const Opened made = open(folder.original(), {{"ep.context_enable", "1"}});
    QVERIFY2(made.session, why(made.session).c_str());
    QVERIFY(!fs::exists(folder.context()));
    QCOMPARE(stageHeadline(*made.last, Stage::kContext), std::string("nothing written"));
    QCOMPARE(made.last->context->written.size(), size_t{1});
    QVERIFY(!made.last->context->written.front().warnings.empty());
  }

  void bytesNeedAPathAndAFolder() {
    const Folder folder;
    const auto bytesOf = [](const fs::path& path) {
      QFile file(QString::fromStdString(path.string()));
      if (!file.open(QIODevice::ReadOnly)) qFatal("cannot read");
      auto held = std::make_shared<const QByteArray>(file.readAll());
      return load::ModelSource::memory(std::as_bytes(std::span(held->constData(), static_cast<size_t>(held->size()))),
                                       held);
    };
    const Opened nameless = open(bytesOf(folder.original()), withKeys({{"ep.context_enable", "1"}}));
    QVERIFY(!nameless.session);
    QCOMPARE(nameless.session.error().code, ErrorCode::kInvalidArgument);
    const Opened made =
        open(bytesOf(folder.original()),
             withKeys({{"ep.context_enable", "1"}, {"ep.context_file_path", folder.context().string()}}));
    QVERIFY2(made.session, why(made.session).c_str());
    const Opened lost = open(bytesOf(folder.context()), withKeys({}));
    QVERIFY(!lost.session);
    QCOMPARE(lost.session.error().code, ErrorCode::kInvalidGraph);
    const Opened found =
        open(bytesOf(folder.context()),
             withKeys({{"session.model_external_initializers_file_folder_path", folder.folder.path().toStdString()}}));
    QVERIFY2(found.session, why(found.session).c_str());
    QCOMPARE(outputOf(**found.session), outputOf(**made.session));
  }

  // The binary is gone: an error that names the way out, or the way out.
  void originalInItsPlace() {
    const Folder folder;
    const Opened made = open(folder.original(), {{"ep.context_enable", "1"}});
    QVERIFY2(made.session, why(made.session).c_str());
    for (const fs::path& each : folder.binaries())
      fs::remove(each);
    const Opened refused = open(folder.context());
    QVERIFY(!refused.session);
    QCOMPARE(refused.session.error().code, ErrorCode::kInvalidGraph);
    QVERIFY2(has(refused.session.error().message, "ep.context_recompile=1") &&
                 has(refused.session.error().message, folder.original().string()),
             refused.session.error().message.c_str());
    const Opened opened = open(folder.context(), {{"ep.context_recompile", "1"}});
    QVERIFY2(opened.session, why(opened.session).c_str());
    QCOMPARE(opened.failures, 0);
    QCOMPARE(opened.last->context->recompiledFrom, folder.original().string());
    QCOMPARE(opened.last->context->warnings.size(), size_t{1});
    QCOMPARE(opened.last->load->path, folder.original().string());
    QCOMPARE(outputOf(**opened.session), outputOf(**made.session));

    const Opened absent = open(folder.context(), {{"ep.context_recompile", "1"},
                                                  {"ep.context_source_model_path", folder.path("none.onnx").string()}});
    QVERIFY(!absent.session);
    QCOMPARE(absent.session.error().code, ErrorCode::kNoSuchFile);
    const Opened forbidden =
        open(folder.context(), {{"ep.context_recompile", "1"}, {"session.disable_model_compile", "1"}});
    QVERIFY(!forbidden.session);
    QCOMPARE(forbidden.session.error().code, ErrorCode::kInvalidGraph);

    fs::rename(folder.original(), folder.path("elsewhere.onnx"));
    const Opened lost = open(folder.context(), {{"ep.context_recompile", "1"}});
    QVERIFY(!lost.session);
    QVERIFY2(has(lost.session.error().message, "ep.context_source_model_path"), lost.session.error().message.c_str());
    const Opened named =
        open(folder.context(),
             {{"ep.context_recompile", "1"}, {"ep.context_source_model_path", folder.path("elsewhere.onnx").string()}});
    QVERIFY2(named.session, why(named.session).c_str());
    QCOMPARE(named.last->context->recompiledFrom, folder.path("elsewhere.onnx").string());
  }

  // Nothing but the model is at fault: a lost device is not mended by compiling.
  void lostDevicesAreNotRecompiled() {
    const Folder folder;
    QVERIFY(open(folder.original(), {{"ep.context_enable", "1"}}).session);
    plan.contexts.onRestore = [](const ContextRestore&, const Progress&) {
      return Error{ErrorCode::kDeviceReset, "the device went away", {}};
    };
    const Opened lost = open(folder.context(), {{"ep.context_recompile", "1"}});
    QVERIFY(!lost.session);
    QCOMPARE(lost.session.error().code, ErrorCode::kDeviceReset);
  }

  void compatibility_data() {
    QTest::addColumn<ContextCompatibility>("verdict");
    QTest::addColumn<QString>("key");
    QTest::addColumn<int>("code");
    QTest::addColumn<int>("warnings");
    QTest::addColumn<bool>("recompiled");
    constexpr int kFail = static_cast<int>(ErrorCode::kFail);
    QTest::newRow("not applicable") << ContextCompatibility::kNotApplicable << "" << 0 << 0 << false;
    QTest::newRow("optimal") << ContextCompatibility::kOptimal << "" << 0 << 0 << false;
    QTest::newRow("prefers recompilation") << ContextCompatibility::kPreferRecompilation << "" << 0 << 1 << false;
    QTest::newRow("prefers recompilation, an error")
        << ContextCompatibility::kPreferRecompilation << "session.fail_on_suboptimal_compiled_model" << kFail << 0
        << false;
    QTest::newRow("prefers recompilation, not asked for")
        << ContextCompatibility::kPreferRecompilation << "ep.context_recompile" << 0 << 1 << false;
    QTest::newRow("unsupported") << ContextCompatibility::kUnsupported << "" << kFail << 0 << false;
    QTest::newRow("unsupported, recompiled")
        << ContextCompatibility::kUnsupported << "ep.context_recompile" << 0 << 1 << true;
  }
  void compatibility() {
    QFETCH(ContextCompatibility, verdict);
    QFETCH(QString, key);
    QFETCH(int, code);
    QFETCH(int, warnings);
    QFETCH(bool, recompiled);
    plan.contexts.compatibility = "revision 7";
    const Folder folder;
    QVERIFY(open(folder.original(), {{"ep.context_enable", "1"}}).session);
    std::string seen;
    plan.contexts.onCompatibility = [&](std::string_view info) {
      seen = info;
      return CompatibilityVerdict{verdict, "revision 8 is here"};
    };
    std::map<std::string, std::string> keys;
    if (!key.isEmpty()) keys[key.toStdString()] = "1";
    const Opened opened = open(folder.context(), keys);
    QCOMPARE(opened.session ? 0 : static_cast<int>(opened.session.error().code), code);
    QCOMPARE(seen, std::string("revision 7"));
    if (!opened.session) {
      QVERIFY2(has(opened.session.error().message, "revision 8 is here"), opened.session.error().message.c_str());
      QVERIFY(!opened.last->resolve);
      return;
    }
    QCOMPARE(opened.last->context->warnings.size(), static_cast<size_t>(warnings));
    QCOMPARE(!opened.last->context->recompiledFrom.empty(), recompiled);
    // A look is never refused.
    session::SessionOptions look = withKeys(keys);
    look.prepareRun = false;
    QVERIFY(open(load::ModelSource::file(folder.context()), look).session);
  }
};

QTEST_GUILESS_MAIN(TestContextWalk)
#include "tst_context_walk.moc"
