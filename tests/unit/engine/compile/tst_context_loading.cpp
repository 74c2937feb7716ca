// Loading context models: who restores which node, what is checked on the way, and what is said when it cannot be.
//
// Scenarios of onnxruntime's tests, in spirit -> test here:
//   PluginEp_GenEpContextModel, assignment info                    -> restoredByItsProvider
//   embed / non-embed, MultiPartitionSupport (#31977)              -> restoredByItsProvider
//   MultiContext embedded / external                               -> severalBinaries
//   several providers in one model                                 -> twoProviders
//   main and dependent nodes in any order                          -> mainNodeMayComeLast
//   bin deleted, missing, empty string, ../, absolute, symlink escape, non-regular file, LoadFromArray path checks ->
//   paths LoadFromArray without a folder                                -> fromBytesInTheWorkingFolder load without the
//   required provider, foreign source skipped (tensorrt_basic_test)                                -> foreignSource
//   missing source accepted                                        -> missingSource
//   load a compiled model with enable=1                            -> enableOnCompiled
//   2InputsOrder                                                   -> inputOrder
//   SingleNodeNameNotMatch                                         -> nodeNameDoesNotMatter
//   duplicate MetaDef ids over subgraphs                           -> sameGroupsInBothBranches
//   zero-input model                                               -> withoutInputs
//   CpuNodeWithExternalWeights                                     -> tst_compile_interface: externalInitializers
//   ShareAcrossSessions, GenWeightSharing                          -> tst_loading_shared_contexts
//   other SDK version, other hardware, damaged binary              -> rejected
//   recompilation where the key allows it                          -> recompiled
//   session.disable_model_compile                                  -> nothingIsCompiled
#include <sys/stat.h>

#include <QTest>

#include "engine/context_binary/context_node.h"
#include "engine/graph/text.h"
#include "tests/unit/engine/compile/context_bench.h"

using namespace cutaway;

namespace {

const ContextNodeReport& nodeReport(const session::Session& session, size_t index = 0) {
  return session.report()->context->nodes.at(index);
}

bool says(const Error& error, std::string_view word) {
  return describe(error).find(word) != std::string::npos;
}

// Moves the embedded contexts of a model into files of their own.
void putBeside(const ContextBench& bench, const std::string& name) {
  bench.edit(name, [&](Model& model) {
    int number = 0;
    for (const NodeId id : contextNodes(model)) {
      Node& node = model.graph.mutableNode(id);
      const std::string file = fmt::format("part{}.bin", number++);
      bench.writeBytes(file, textAttribute(node, "ep_cache_context"));
      setText(node, "ep_cache_context", file);
      setNumber(node, "embed_mode", 0);
    }
  });
}

}  // namespace

class TestContextLoading : public QObject {
  Q_OBJECT
 private slots:
  void restoredByItsProvider_data() {
    QTest::addColumn<bool>("embed");
    QTest::newRow("embedded") << true;
    QTest::newRow("beside") << false;
  }
  void restoredByItsProvider() {
    QFETCH(bool, embed);
    const ContextBench bench;
    bench.write("m.onnx", kTwoGroups);
    const auto expected = bench.run("m.onnx");
    compile::CompileRequest request = bench.request("m.onnx", "c.onnx");
    request.embed = embed;
    const auto done = bench.compile(request);
    QVERIFY2(done, whyNot(done).c_str());
    QCOMPARE(done->walk->context->written.front().contextNodes, int64_t{2});
    QCOMPARE(bench.onlyBinary().empty(), embed);
    const Model model = bench.model("c.onnx");
    QCOMPARE(contextNodes(model).size(), size_t{2});
    int64_t mains = 0;
    for (const NodeId id : contextNodes(model)) {
      const auto context = context_binary::readContextNode(model.graph.node(id));
      QVERIFY2(context, whyNot(context).c_str());
      mains += context->isMain ? 1 : 0;
      QCOMPARE(context->isEmbedded, embed);
      QCOMPARE(context->source, std::string("keeper"));
      QCOMPARE(context->modelFile, std::string("m.onnx"));
      QCOMPARE(context->partitionName, model.graph.node(id).name);
      QCOMPARE(context->sdkVersion, std::string("1.0"));
      QCOMPARE(context->hardware, std::string("bench"));
    }
    QCOMPARE(mains, embed ? 2 : 1);
    keeperPlan().compiled = 0;
    const auto session = bench.load("c.onnx");
    QVERIFY2(session, whyNot(session).c_str());
    QCOMPARE(keeperPlan().compiled, 0);
    QCOMPARE(keeperPlan().restored, 2);
    QCOMPARE(nodeReport(**session).provider, std::string("keeper"));
    for (const ContextCheck& check : nodeReport(**session).checks)
      QVERIFY2(check.state == CheckState::kPassed || check.state == CheckState::kSkipped,
               (check.name + ": " + check.detail).c_str());
    QCOMPARE(nodeReport(**session).insideNodes, int64_t{2});
    QCOMPARE(nodeReport(**session, 1).insideNodes, int64_t{1});
    const auto outputs = bench.outputsOf(**session);
    QVERIFY2(outputs, whyNot(outputs).c_str());
    QVERIFY(*outputs == *expected);
  }

  // Each context node knows the nodes inside it.
  void insideIsShown() {
    const ContextBench bench;
    bench.write("m.onnx", kTwoGroups);
    QVERIFY(bench.compile("m.onnx", "c.onnx"));
    const auto session = bench.load("c.onnx");
    QVERIFY2(session, whyNot(session).c_str());
    const ModelGraphs& graphs = *(*session)->report()->loadedGraphs;
    const ContextNodeReport& first = nodeReport(**session);
    const int32_t inside = graphs.graphs[0].nodes[static_cast<size_t>(first.node)].inside;
    QVERIFY(inside != kNone);
    const GraphReport& graph = graphs.graphs[static_cast<size_t>(inside)];
    QVERIFY(graph.isInside);
    QCOMPARE(graph.nodes.size(), size_t{2});
    QCOMPARE(graph.nodes[0].name, std::string("a"));
    QCOMPARE(graph.nodes[0].opType, std::string("Relu"));
    QCOMPARE(graph.nodes[1].name, std::string("b"));
  }

  void severalBinaries_data() {
    QTest::addColumn<bool>("external");
    QTest::newRow("embedded") << false;
    QTest::newRow("external") << true;
  }
  void severalBinaries() {
    QFETCH(bool, external);
    const ContextBench bench;
    bench.write("m.onnx", kTwoGroups);
    compile::CompileRequest request = bench.request("m.onnx", "c.onnx");
    request.embed = true;
    QVERIFY(bench.compile(request));
    if (external) putBeside(bench, "c.onnx");
    const auto outputs = bench.run("c.onnx");
    QVERIFY2(outputs, whyNot(outputs).c_str());
    QVERIFY(*outputs == *bench.run("m.onnx"));
    QCOMPARE(keeperPlan().restored, 2);
  }

  void twoProviders() {
    const ContextBench bench;
    bench.write("m.onnx", kTwoGroups);
    keeperPlan().test.groups = {{"a", "b"}};
    otherPlan().test.groups = {{"d"}};
    compile::CompileRequest request = bench.request("m.onnx", "c.onnx");
    request.session.providers = {"keeper", "other"};
    const auto done = bench.compile(request);
    QVERIFY2(done, whyNot(done).c_str());
    QCOMPARE(std::ranges::count_if(bench.files(), [](const std::string& name) { return name.ends_with(".bin"); }), 2);
    otherPlan().compiled = keeperPlan().compiled = 0;
    session::SessionOptions options = bench.options();
    options.providers = {"other", "keeper"};  // any order: nodes say whose they are
    const auto outputs = bench.run("c.onnx", options);
    QVERIFY2(outputs, whyNot(outputs).c_str());
    QVERIFY(*outputs == *bench.run("m.onnx"));
    QCOMPARE(keeperPlan().restored, 1);
    QCOMPARE(otherPlan().restored, 1);
    // One of them alone: the other's node has nobody.
    const auto alone = bench.load("c.onnx");
    QVERIFY(!alone);
    QCOMPARE(static_cast<int>(alone.error().code), static_cast<int>(ErrorCode::kNotImplemented));
    QVERIFY2(says(alone.error(), "other") && says(alone.error(), "keeper"), describe(alone.error()).c_str());
  }

  void mainNodeMayComeLast() {
    const ContextBench bench;
    bench.write("m.onnx", kTwoGroups);
    QVERIFY(bench.compile("m.onnx", "c.onnx"));
    bench.edit("c.onnx", [](Model& model) {
      const auto nodes = contextNodes(model);
      Node &first = model.graph.mutableNode(nodes[0]), &last = model.graph.mutableNode(nodes[1]);
      setText(last, "ep_cache_context", textAttribute(first, "ep_cache_context"));
      setNumber(last, "main_context", 1);
      std::erase_if(first.attributes, [](const Attribute& attribute) { return attribute.name == "ep_cache_context"; });
      setNumber(first, "main_context", 0);
    });
    const auto outputs = bench.run("c.onnx");
    QVERIFY2(outputs, whyNot(outputs).c_str());
    QVERIFY(*outputs == *bench.run("m.onnx"));
  }

  void paths_data() {
    QTest::addColumn<QString>("cache");
    QTest::addColumn<QString>("make");
    QTest::newRow("deleted") << "nothing.bin"
                             << "";
    QTest::newRow("empty string") << ""
                                  << "";
    QTest::newRow("parent folder") << "../outside.bin"
                                   << "";
    QTest::newRow("parent folder behind a folder") << "sub/../../outside.bin"
                                                   << "folder";
    QTest::newRow("absolute") << "(absolute)"
                              << "";
    QTest::newRow("the folder itself") << "."
                                       << "";
    QTest::newRow("a folder") << "sub"
                              << "folder";
    QTest::newRow("link that leaves") << "link.bin"
                                      << "link";
    QTest::newRow("folder link that leaves") << "away/outside.bin"
                                             << "folder link";
    QTest::newRow("pipe") << "pipe.bin"
                          << "pipe";
    QTest::newRow("empty file") << "empty.bin"
                                << "empty";
    QTest::newRow("too long") << QString(5000, 'x') << "";
  }
  void paths() {
    QFETCH(QString, cache);
    QFETCH(QString, make);
    const ContextBench bench;
    std::filesystem::create_directory(bench.path("models"));
    bench.write("models/m.onnx", kTwoGroups);
    QVERIFY(bench.compile("models/m.onnx", "models/c.onnx"));
    std::string binary;
    for (const auto& entry : std::filesystem::directory_iterator(bench.path("models"))) {
      if (entry.path().extension() == ".bin") binary = entry.path().filename().string();
    }
    QVERIFY(!binary.empty());
    std::filesystem::copy_file(bench.path("models/" + binary), bench.path("outside.bin"));
    if (make == "folder") std::filesystem::create_directory(bench.path("models/sub"));
    if (make == "link") std::filesystem::create_symlink(bench.path("outside.bin"), bench.path("models/link.bin"));
    if (make == "folder link") std::filesystem::create_directory_symlink(bench.path(""), bench.path("models/away"));
    if (make == "pipe") QCOMPARE(mkfifo(bench.path("models/pipe.bin").c_str(), 0600), 0);
    if (make == "empty") bench.writeBytes("models/empty.bin", "");
    const std::string name = cache == "(absolute)" ? bench.path("models/" + binary).string() : cache.toStdString();
    bench.edit("models/c.onnx", [&](Model& model) {
      setText(model.graph.mutableNode(contextNodes(model).front()), "ep_cache_context", name);
    });
    const auto session = bench.load("models/c.onnx");
    QVERIFY(!session);
    QVERIFY2(session.error().code == ErrorCode::kInvalidGraph, describe(session.error()).c_str());
    QCOMPARE(keeperPlan().restored, 0);
    // From memory, with the folder told: the same rules.
    const std::string bytes = bench.readBytes("models/c.onnx");
    session::SessionOptions options = bench.options();
    options.config["session.model_external_initializers_file_folder_path"] = bench.path("models").string();
    const auto fromMemory = bench.load(load::ModelSource::memory(std::as_bytes(std::span(bytes)), nullptr), options);
    QVERIFY(!fromMemory);
    QVERIFY2(fromMemory.error().code == ErrorCode::kInvalidGraph, describe(fromMemory.error()).c_str());
    // Looking only is never an error, and says what is wrong.
    session::SessionOptions look = bench.options();
    look.prepareRun = false;
    look.lastStage = Stage::kPartition;
    const auto looked = bench.load(load::ModelSource::file(bench.path("models/c.onnx")), look);
    QVERIFY2(looked, whyNot(looked).c_str());
    QVERIFY(std::ranges::any_of(nodeReport(**looked).checks, [](const ContextCheck& check) {
      return check.state == CheckState::kFailed && !check.detail.empty();
    }));
  }

  // A model from bytes, and where its file would be: names start in that folder.
  void fromBytesBesideTheContextPath() {
    const ContextBench bench;
    bench.write("m.onnx", kTwoGroups);
    QVERIFY(bench.compile("m.onnx", "c.onnx"));
    const std::string bytes = bench.readBytes("c.onnx");
    const auto source = load::ModelSource::memory(std::as_bytes(std::span(bytes)), nullptr);
    session::SessionOptions options = bench.options();
    options.config["ep.context_file_path"] = bench.path("anything_ctx.onnx").string();
    // It goes before the folder of the weights.
    options.config["session.model_external_initializers_file_folder_path"] = bench.path("elsewhere").string();
    const auto session = bench.load(source, options);
    QVERIFY2(session, whyNot(session).c_str());
    QVERIFY(*bench.outputsOf(**session) == *bench.run("m.onnx"));
  }

  // A model from bytes, without a folder: names start in the working directory.
  void fromBytesInTheWorkingFolder() {
    const ContextBench bench;
    bench.write("m.onnx", kTwoGroups);
    QVERIFY(bench.compile("m.onnx", "c.onnx"));
    const std::string bytes = bench.readBytes("c.onnx");
    const auto source = load::ModelSource::memory(std::as_bytes(std::span(bytes)), nullptr);
    const auto elsewhere = bench.load(source);
    QVERIFY(!elsewhere);
    QVERIFY2(elsewhere.error().code == ErrorCode::kInvalidGraph, describe(elsewhere.error()).c_str());
    const std::filesystem::path before = std::filesystem::current_path();
    std::filesystem::current_path(bench.path(""));
    const auto session = bench.load(source);
    std::filesystem::current_path(before);
    QVERIFY2(session, whyNot(session).c_str());
    QVERIFY(*bench.outputsOf(**session) == *bench.run("m.onnx"));
  }

  void linkInsideTheFolder() {
    const ContextBench bench;
    bench.write("m.onnx", kTwoGroups);
    QVERIFY(bench.compile("m.onnx", "c.onnx"));
    std::filesystem::create_symlink(bench.onlyBinary(), bench.path("link.dat"));
    bench.edit("c.onnx", [](Model& model) {
      setText(model.graph.mutableNode(contextNodes(model).front()), "ep_cache_context", "link.dat");
    });
    const auto outputs = bench.run("c.onnx");
    QVERIFY2(outputs, whyNot(outputs).c_str());
  }

  void foreignSource_data() {
    QTest::addColumn<QString>("source");
    QTest::newRow("another provider") << "QNNExecutionProvider";
    QTest::newRow("a name like ours") << "keeper2";
    QTest::newRow("control characters") << "\x1b[31m";
  }
  void foreignSource() {
    QFETCH(QString, source);
    const ContextBench bench;
    bench.write("m.onnx", kTwoGroups);
    QVERIFY(bench.compile("m.onnx", "c.onnx"));
    bench.edit("c.onnx", [&](Model& model) {
      for (const NodeId id : contextNodes(model))
        setText(model.graph.mutableNode(id), "source", source.toStdString());
    });
    const auto session = bench.load("c.onnx");
    QVERIFY(!session);
    QVERIFY2(session.error().code == ErrorCode::kNotImplemented, describe(session.error()).c_str());
    QVERIFY2(says(session.error(), "keeper"), describe(session.error()).c_str());
    QVERIFY(!says(session.error(), "\x1b"));
    QCOMPARE(keeperPlan().restored, 0);
    session::SessionOptions look = bench.options();
    look.prepareRun = false;
    const auto looked = bench.load(load::ModelSource::file(bench.path("c.onnx")), look);
    QVERIFY2(looked, whyNot(looked).c_str());
    QVERIFY(nodeReport(**looked).provider.empty());
  }

  void withoutItsProvider() {
    const ContextBench bench;
    bench.write("m.onnx", kTwoGroups);
    QVERIFY(bench.compile("m.onnx", "c.onnx"));
    const auto session = bench.load(load::ModelSource::file(bench.path("c.onnx")), {});
    QVERIFY(!session);
    QVERIFY2(session.error().code == ErrorCode::kNotImplemented && says(session.error(), "keeper") &&
                 says(session.error(), "cpu"),
             describe(session.error()).c_str());
  }

  void missingSource() {
    const ContextBench bench;
    bench.write("m.onnx", kTwoGroups);
    compile::CompileRequest request = bench.request("m.onnx", "c.onnx");
    request.embed = true;
    QVERIFY(bench.compile(request));
    bench.edit("c.onnx", [](Model& model) {
      for (const NodeId id : contextNodes(model))
        std::erase_if(model.graph.mutableNode(id).attributes,
                      [](const Attribute& attribute) { return attribute.name == "source"; });
    });
    const auto outputs = bench.run("c.onnx");
    QVERIFY2(outputs, whyNot(outputs).c_str());
    QVERIFY(*outputs == *bench.run("m.onnx"));
  }

  void enableOnCompiled() {
    const ContextBench bench;
    bench.write("m.onnx", kTwoGroups);
    QVERIFY(bench.compile("m.onnx", "c.onnx"));
    const auto files = bench.files();
    session::SessionOptions options = bench.options();
    options.config["ep.context_enable"] = "1";
    const auto session = bench.load(load::ModelSource::file(bench.path("c.onnx")), options);
    QVERIFY(!session);
    QVERIFY2(session.error().code == ErrorCode::kInvalidGraph, describe(session.error()).c_str());
    QVERIFY(bench.files() == files);
  }

  void inputOrder_data() {
    QTest::addColumn<QString>("change");
    QTest::newRow("as written") << "";
    QTest::newRow("the node names them the other way round") << "swap";
    QTest::newRow("other names, same places") << "rename";
  }
  void inputOrder() {
    QFETCH(QString, change);
    const ContextBench bench;
    bench.write("m.onnx",
                "<ir_version: 8, opset_import: [\"\" : 17]>\nmain (float[3] p, float[3] q) => (float[3] d, float[3] s) "
                "{\n [a] d = Sub (q, p)\n [b] s = Max (q, p)\n}");
    keeperPlan().test.groups = {{"a", "b"}};
    QVERIFY(bench.compile("m.onnx", "c.onnx"));
    bench.edit("c.onnx", [&](Model& model) {
      const NodeId id = contextNodes(model).front();
      if (change == "swap") {
        const std::vector<ValueId> inputs = model.graph.node(id).inputs;
        model.graph.setNodeInput(id, 0, inputs[1]);
        model.graph.setNodeInput(id, 1, inputs[0]);
      }
      if (change == "rename") {
        for (const ValueId value : model.graph.inputs())
          model.graph.renameValue(value, "new_" + model.graph.value(value).name);
      }
    });
    const auto outputs = bench.run("c.onnx");
    QVERIFY2(outputs, whyNot(outputs).c_str());
    QVERIFY(*outputs == *bench.run("m.onnx"));
  }

  void nodeNameDoesNotMatter_data() {
    QTest::addColumn<bool>("keepPartition");
    QTest::newRow("partition_name says which") << true;
    QTest::newRow("only the name does") << false;
  }
  void nodeNameDoesNotMatter() {
    QFETCH(bool, keepPartition);
    const ContextBench bench;
    bench.write("m.onnx", kTwoGroups);
    QVERIFY(bench.compile("m.onnx", "c.onnx"));
    bench.edit("c.onnx", [&](Model& model) {
      Node& node = model.graph.mutableNode(contextNodes(model).front());
      if (keepPartition) {
        node.name = "renamed";
      } else {
        std::erase_if(node.attributes, [](const Attribute& attribute) { return attribute.name == "partition_name"; });
      }
    });
    const auto outputs = bench.run("c.onnx");
    QVERIFY2(outputs, whyNot(outputs).c_str());
    QVERIFY(*outputs == *bench.run("m.onnx"));
  }

  void sameGroupsInBothBranches_data() {
    QTest::addColumn<bool>("embed");
    QTest::newRow("embedded") << true;
    QTest::newRow("beside") << false;
  }
  void sameGroupsInBothBranches() {
    QFETCH(bool, embed);
    const ContextBench bench;
    bench.write("m.onnx", R"(<ir_version: 8, opset_import: ["" : 17]>
main (bool[1] c, float[4] x) => (float[4] y) {
  [before] t = Neg (x)
  [if] r = If <then_branch = yes () => (float[4] u) { [same] u = Relu (t) }, else_branch = no () => (float[4] w) { [same] w = Relu (x) }> (c)
  [after] y = Relu (r)
})");
    keeperPlan().test.groups = {};
    keeperPlan().test.groupOperators = {"Relu"};
    compile::CompileRequest request = bench.request("m.onnx", "c.onnx");
    request.embed = embed;
    const auto done = bench.compile(request);
    QVERIFY2(done, whyNot(done).c_str());
    QCOMPARE(done->walk->context->written.front().contextNodes, int64_t{3});
    keeperPlan().restored = keeperPlan().compiled = 0;
    const auto session = bench.load("c.onnx"), plain = bench.load("m.onnx");
    QVERIFY2(session, whyNot(session).c_str());
    QCOMPARE(keeperPlan().restored, 3);
    for (const bool which : {false, true}) {
      auto feeds = *session::randomFeeds(**plain, 3, {}, {});
      for (execute::Feed& feed : feeds) {
        if (feed.name == "c") feed.value.tensor().span<bool>()[0] = which;
      }
      const auto a = (*plain)->run(feeds, {}), b = (*session)->run(feeds, {});
      QVERIFY2(a && b, whyNot(b).c_str());
      QVERIFY(std::ranges::equal(a->outputs[0].value.tensor().bytes(), b->outputs[0].value.tensor().bytes()));
    }
  }

  void withoutInputs() {
    const ContextBench bench;
    bench.write("m.onnx",
                "<ir_version: 8, opset_import: [\"\" : 17]>\nmain () => (float[3] y) <float[3] w = {-1,2,3}> {\n [a] y "
                "= Relu (w)\n}");
    keeperPlan().test.groups = {{"a"}};
    const auto done = bench.compile("m.onnx", "c.onnx");
    QVERIFY2(done, whyNot(done).c_str());
    QCOMPARE(done->walk->context->written.front().contextNodes, int64_t{1});
    const auto outputs = bench.run("c.onnx");
    QVERIFY2(outputs, whyNot(outputs).c_str());
    QVERIFY(*outputs == *bench.run("m.onnx"));
  }

  void rejected_data() {
    QTest::addColumn<QString>("what");
    QTest::addColumn<QString>("word");
    QTest::newRow("other SDK version") << "sdk"
                                       << "2.0";
    QTest::newRow("other hardware") << "hardware"
                                    << "elsewhere";
    QTest::newRow("a byte is changed") << "byte"
                                       << "";
    QTest::newRow("cut short") << "short"
                               << "";
    QTest::newRow("longer than it says") << "long"
                                         << "";
    QTest::newRow("not a context binary") << "foreign"
                                          << "";
    QTest::newRow("another format version") << "format"
                                            << "version";
    QTest::newRow("the backend refuses it") << "backend"
                                            << "too old for this driver";
  }
  void rejected() {
    QFETCH(QString, what);
    QFETCH(QString, word);
    const ContextBench bench;
    bench.write("m.onnx", kTwoGroups);
    QVERIFY(bench.compile("m.onnx", "c.onnx"));
    std::string bytes = bench.readBytes(bench.onlyBinary());
    if (what == "sdk") keeperPlan().sdkVersion = "2.0";
    if (what == "hardware") keeperPlan().hardware = "elsewhere";
    if (what == "byte") bytes[70] = static_cast<char>(bytes[70] ^ 1);
    if (what == "short") bytes.resize(bytes.size() / 2);
    if (what == "long") bytes += "more";
    if (what == "foreign") bytes = std::string(200, 'q');
    if (what == "format") bytes[8] = static_cast<char>(bytes[8] + 1);
    if (what == "backend")
      keeperPlan().onRestore = [](const ContextRestore&) -> Result<void> {
        return fail(ErrorCode::kEpFail, "too old for this driver");
      };
    bench.writeBytes(bench.onlyBinary(), bytes);
    const auto session = bench.load("c.onnx");
    QVERIFY(!session);
    QVERIFY2(session.error().code == ErrorCode::kEpFail, describe(session.error()).c_str());
    QVERIFY2(says(session.error(), word.toStdString()), describe(session.error()).c_str());
    QVERIFY2(says(session.error(), "ep.context_recompile"),
             describe(session.error()).c_str());  // the original is beside it
    // Without the original nobody promises that.
    std::filesystem::remove(bench.path("m.onnx"));
    const auto alone = bench.load("c.onnx");
    QVERIFY(!alone);
    QVERIFY2(alone.error().code == ErrorCode::kEpFail, describe(alone.error()).c_str());
  }

  void recompiled_data() {
    QTest::addColumn<QString>("what");
    QTest::newRow("binary is gone") << "gone";
    QTest::newRow("damaged") << "damaged";
    QTest::newRow("other SDK version") << "sdk";
    QTest::newRow("the original is elsewhere") << "elsewhere";
  }
  void recompiled() {
    QFETCH(QString, what);
    const ContextBench bench;
    bench.write("m.onnx", kTwoGroups);
    const auto expected = bench.run("m.onnx");
    QVERIFY(bench.compile("m.onnx", "c.onnx"));
    session::SessionOptions options = bench.options();
    options.config["ep.context_recompile"] = "1";
    const auto good = bench.load(load::ModelSource::file(bench.path("c.onnx")), options);
    QVERIFY2(good, whyNot(good).c_str());
    QVERIFY((*good)->report()->context->recompiledFrom.empty());
    if (what == "damaged") bench.writeBytes(bench.onlyBinary(), "nonsense");
    if (what == "sdk") keeperPlan().sdkVersion = "2.0";
    if (what == "gone" || what == "elsewhere") std::filesystem::remove(bench.path(bench.onlyBinary()));
    if (what == "elsewhere") {
      std::filesystem::create_directory(bench.path("originals"));
      std::filesystem::rename(bench.path("m.onnx"), bench.path("originals/m.onnx"));
      options.config["ep.context_source_model_path"] = bench.path("originals/m.onnx").string();
    }
    keeperPlan().compiled = 0;
    const auto session = bench.load(load::ModelSource::file(bench.path("c.onnx")), options);
    QVERIFY2(session, whyNot(session).c_str());
    QCOMPARE(keeperPlan().compiled, 2);
    QVERIFY2((*session)->report()->context->recompiledFrom.ends_with("m.onnx"),
             (*session)->report()->context->recompiledFrom.c_str());
    QVERIFY(!(*session)->report()->context->warnings.empty());
    QVERIFY(*bench.outputsOf(**session) == *expected);
  }

  void nothingIsCompiled() {
    const ContextBench bench;
    bench.write("m.onnx", kTwoGroups);
    QVERIFY(bench.compile("m.onnx", "c.onnx"));
    session::SessionOptions options = bench.options();
    options.config["session.disable_model_compile"] = "1";
    keeperPlan().compiled = 0;
    const auto outputs = bench.run("c.onnx", options);
    QVERIFY2(outputs, whyNot(outputs).c_str());
    const auto plain = bench.load(load::ModelSource::file(bench.path("m.onnx")), options);
    QVERIFY(!plain);
    QVERIFY2(plain.error().code == ErrorCode::kModelRequiresCompilation, describe(plain.error()).c_str());
    QCOMPARE(keeperPlan().compiled, 0);
  }
};

QTEST_APPLESS_MAIN(TestContextLoading)
#include "tst_context_loading.moc"
