// Context models that share one binary: made one after the other, and loaded by sessions of one process.
#include <QTest>

#include "engine/compile/share.h"
#include "engine/context/share_export.h"
#include "engine/context_binary/context_node.h"
#include "engine/context_binary/shared_contexts.h"
#include "tests/unit/engine/compile/context_bench.h"

using namespace cutaway;

class TestLoadingSharedContexts : public QObject {
  Q_OBJECT
 private slots:
  // Two models with the same weights, compiled one after the other: one binary, each piece once.
  void sharedBinary() {
    const ContextBench bench;
    bench.write("m.onnx", kBig);
    bench.write("n.onnx", kBig);
    const auto first = sharedCompile(bench, "m", false), last = sharedCompile(bench, "n", true);
    QVERIFY2(first, whyNot(first).c_str());
    QVERIFY2(last, whyNot(last).c_str());
    QVERIFY2(!bench.onlyBinary().empty(), "one binary for both");
    QVERIFY(last->walk->context->written.front().sharedBytes >= 64 * 64 * 4);
    const auto size = static_cast<int64_t>(std::filesystem::file_size(bench.path(bench.onlyBinary())));
    for (const char* name : {"m_ctx.onnx", "n_ctx.onnx"}) {
      const Model model = bench.model(name);
      bool anyMain = false;
      for (const NodeId id : contextNodes(model)) {
        const auto context = context_binary::readContextNode(model.graph.node(id));
        QVERIFY2(context, whyNot(context).c_str());
        if (!context->isMain) continue;
        anyMain = true;
        QCOMPARE(context->maxSizeBytes, size);
        QCOMPARE(std::string(context->cache), bench.onlyBinary());
      }
      QVERIFY(anyMain);
      const auto outputs = bench.run(name);
      QVERIFY2(outputs, whyNot(outputs).c_str());
      QVERIFY(*outputs == *bench.run("m.onnx"));
    }
  }

  // The same in one call: into a folder, named after the first model.
  void modelsInOneCall() {
    const ContextBench bench;
    keeperPlan().test.groups = {{"a", "b"}};
    const std::vector<std::filesystem::path> models{bench.write("m.onnx", kBig), bench.write("n.onnx", kBig)};
    std::filesystem::create_directories(bench.path("out"));
    const auto jobs = compile::shareJobs(models, bench.path("out"), "p_");
    QVERIFY2(jobs, whyNot(jobs).c_str());
    QCOMPARE((*jobs)[1].prefix, std::string("p_n_"));
    std::vector<std::string> compiled;
    const compile::ShareRequest request{.jobs = *jobs,
                                        .session = bench.options(),
                                        .group = "call",
                                        .compiled = [&](const compile::ShareJob& job, const WalkReport& walk) {
                                          compiled.push_back(job.model.stem().string());
                                          QVERIFY(walk.context != nullptr);
                                        }};
    Progress progress;
    const auto written = compile::compileShared(request, keeperTable(), progress);
    QVERIFY2(written, whyNot(written).c_str());
    QCOMPARE(compiled, (std::vector<std::string>{"m", "n"}));
    QVERIFY(written->sharedBytes >= 64 * 64 * 4);
    std::vector<std::string> names;
    for (const ContextFile& file : written->files)
      names.push_back(std::filesystem::path(file.path).filename().string());
    QCOMPARE(names, (std::vector<std::string>{"m_keeper.bin", "m_ctx.onnx", "n_ctx.onnx"}));
    for (const char* name : {"out/m_ctx.onnx", "out/n_ctx.onnx"})
      VERIFY_SAME(bench, name, "m.onnx");
    // What is there already stays, and nothing waits in the group.
    const auto again = compile::compileShared(request, keeperTable(), progress);
    QVERIFY(!again && again.error().where.file == models[0].string());
    QCOMPARE(context::pendingSharedExports("call"), size_t{0});
  }

  void modelThatFailsTakesTheOthersBack() {
    const ContextBench bench;
    keeperPlan().test.groups = {{"a", "b"}};
    const std::vector<std::filesystem::path> models{bench.write("m.onnx", kBig), bench.path("missing.onnx")};
    const auto jobs = compile::shareJobs(models, {}, {});
    QVERIFY2(jobs, whyNot(jobs).c_str());
    Progress progress;
    const auto written =
        compile::compileShared({.jobs = *jobs, .session = bench.options(), .group = "fails"}, keeperTable(), progress);
    QVERIFY(!written);
    QCOMPARE(bench.files(), std::vector<std::string>{"m.onnx"});
    QCOMPARE(context::pendingSharedExports("fails"), size_t{0});
    QVERIFY(!compile::shareJobs(std::vector{models[0], models[0]}, {}, {}));
    QVERIFY(!compile::shareJobs({}, {}, {}));
  }

  void sharedByProcess() {
    const ContextBench bench;
    bench.write("m.onnx", kBig);
    bench.write("n.onnx", kBig);
    QVERIFY(sharedCompile(bench, "m", false));
    QVERIFY(sharedCompile(bench, "n", true));
    // The second one keeps no main node: its partitions are found among what the first session opened.
    bench.edit("n_ctx.onnx", [](Model& model) {
      for (const NodeId id : contextNodes(model)) {
        Node& node = model.graph.mutableNode(id);
        setNumber(node, "main_context", 0);
        std::erase_if(node.attributes, [](const Attribute& attribute) { return attribute.name == "ep_cache_context"; });
      }
    });
    const auto alone = bench.load("n_ctx.onnx");
    QVERIFY(!alone);
    QVERIFY2(alone.error().code == ErrorCode::kInvalidGraph, describe(alone.error()).c_str());
    session::SessionOptions options = bench.options();
    options.config = {{"ep.share_ep_contexts", "1"}, {"ep.context_share_group", "loading"}};
    const auto a = bench.load(load::ModelSource::file(bench.path("m_ctx.onnx")), options);
    QVERIFY2(a, whyNot(a).c_str());
    QVERIFY(context_binary::SharedContexts::group("loading").heldBytes() > 0);
    session::SessionOptions stop = options;
    stop.config["ep.stop_share_ep_contexts"] = "1";
    const auto b = bench.load(load::ModelSource::file(bench.path("n_ctx.onnx")), stop);
    QVERIFY2(b, whyNot(b).c_str());
    QVERIFY((*b)->report()->context->nodes.front().sharedBytes > 0);
    QVERIFY(*bench.outputsOf(**a) == *bench.outputsOf(**b));
    // The group was emptied; what sessions have, they keep.
    const auto late = bench.load(load::ModelSource::file(bench.path("n_ctx.onnx")), options);
    QVERIFY(!late);
    QVERIFY(bench.outputsOf(**b));
  }

  // The last partition of a binary lets it go, without anybody saying stop.
  void letGoWithTheLastPartition() {
    const ContextBench bench;
    bench.write("m.onnx", kBig);
    bench.write("n.onnx", kBig);
    QVERIFY(sharedCompile(bench, "m", false));
    QVERIFY(sharedCompile(bench, "n", true));
    session::SessionOptions options = bench.options();
    options.config = {{"ep.share_ep_contexts", "1"}, {"ep.context_share_group", "taking"}};
    const auto held = [] { return context_binary::SharedContexts::group("taking").heldBytes(); };
    for (int repeat = 0; repeat < 2; ++repeat) {
      const auto first = bench.load(load::ModelSource::file(bench.path("m_ctx.onnx")), options);
      QVERIFY2(first, whyNot(first).c_str());
      QVERIFY(held() > 0);  // n's partition has not been taken
    }
    const auto last = bench.load(load::ModelSource::file(bench.path("n_ctx.onnx")), options);
    QVERIFY2(last, whyNot(last).c_str());
    QVERIFY((*last)->report()->context->nodes.front().sharedBytes > 0);
    QCOMPARE(held(), int64_t{0});
    QVERIFY(*bench.outputsOf(**last) == *bench.run("n.onnx"));
  }

 private:
  // One weight of 16 KB, so that sharing it is worth it.
  inline static const std::string kBig = [] {
    std::string values;
    for (int i = 0; i < 64 * 64; ++i)
      values += fmt::format("{}{}", i == 0 ? "" : ",", (i * 37 % 101) - 50);
    return "<ir_version: 8, opset_import: [\"\" : 17]>\nmain (float[64,64] x) => (float[64,64] y) <float[64,64] w = {" +
           values + "}> {\n [a] h = Mul (x, w)\n [b] y = Relu (h)\n}";
  }();

  static Result<compile::Compiled> sharedCompile(const ContextBench& bench, const std::string& stem, bool last) {
    keeperPlan().test.groups = {{"a", "b"}};
    compile::CompileRequest request = bench.request(stem + ".onnx", stem + "_ctx.onnx");
    request.session.config = {
        {"ep.share_ep_contexts", "1"}, {"ep.context_share_group", "test"}, {"ep.context_node_name_prefix", stem + "_"}};
    if (last) request.session.config["ep.stop_share_ep_contexts"] = "1";
    return bench.compile(request);
  }
};

QTEST_APPLESS_MAIN(TestLoadingSharedContexts)
#include "tst_loading_shared_contexts.moc"
