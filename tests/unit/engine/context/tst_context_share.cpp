// Several models into one binary per provider: collected by sessions, written by the last; names that clash, folders,
// failures, the saving in bytes. Previews of what an export would keep.
#include <fstream>

#include <QTemporaryDir>
#include <QtTest/QtTest>

#include "engine/context/preview.h"
#include "engine/context/share_export.h"
#include "tests/unit/engine/context/context_case.h"

using namespace cutaway;
namespace fs = std::filesystem;
using Names = std::vector<std::string>;

namespace {

// 64 x 64 floats that both models have, and an addend of their own.
std::string modelWith(int addend) {
  std::string values;
  for (int i = 0; i < 64 * 64; ++i)
    values += fmt::format("{}{}", i == 0 ? "" : ",", i);
  return fmt::format(
      "main (float[n,64] x) => (float[n,64] y) <float[64,64] w = {{{}}}, float[1] b = {{{}}}> {{\n [mm] a = MatMul (x, "
      "w)\n [soft] p = Softmax (a)\n [add] y = Add (p, b)\n}}",
      values, addend);
}

ContextCase caseOf(int addend, const std::string& prefix) {
  return ContextCase(modelWith(addend), {keeping("npu", {"MatMul", "Add"})}, prefix);
}

context::ContextOptions sharing(const fs::path& target, const std::string& group, bool stop) {
  context::ContextOptions options = exportTo(target);
  options.share = true;
  options.stopShare = stop;
  options.shareGroup = group;
  return options;
}

int codeOf(const Result<ContextWritten>& written) {
  return written ? 0 : static_cast<int>(written.error().code);
}

std::vector<Node> contextNodes(const fs::path& file) {
  std::vector<Node> nodes;
  const Model model = *loadedModel(file);
  for (const NodeId id : model.graph.nodeIds()) {
    if (model.graph.node(id).opType == "EPContext") nodes.push_back(model.graph.node(id));
  }
  return nodes;
}

}  // namespace

class ContextShareTest : public QObject {
  Q_OBJECT

  QTemporaryDir m_temporary;
  fs::path m_folder;

 private slots:
  void init() {
    m_folder = fs::path(m_temporary.path().toStdString()) / QTest::currentTestFunction();
    fs::create_directories(m_folder);
  }

  void threeModelsOneBinary() {
    int64_t shared = 0;
    {
      const Result<ContextWritten> first = caseOf(1, "a_").write(sharing(m_folder / "a_ctx.onnx", "three", false));
      QVERIFY2(first, why(first).c_str());
      QVERIFY(first->files.empty() && first->warnings.size() == 1);
      QVERIFY2(first->warnings[0].find("a_ctx.onnx waits in") != std::string::npos &&
                   first->warnings[0].find("it is written by the session with ep.stop_share_ep_contexts=1") !=
                       std::string::npos,
               first->warnings[0].c_str());
      QCOMPARE(first->contextNodes, int64_t{2});
      QVERIFY(caseOf(2, "b_").write(sharing(m_folder / "b_ctx.onnx", "three", false)));
      QCOMPARE(filesIn(m_folder), Names{});
      QCOMPARE(context::pendingSharedExports("three"), size_t{2});
      // Sessions, providers and models of the first two are gone by now.
      const Result<ContextWritten> all = caseOf(3, "c_").write(sharing(m_folder / "c_ctx.onnx", "three", true));
      QVERIFY2(all, why(all).c_str());
      QCOMPARE(all->contextNodes, int64_t{6});
      QCOMPARE(all->files.size(), size_t{4});
      shared = all->sharedBytes;
    }
    QCOMPARE(context::pendingSharedExports("three"), size_t{0});
    QCOMPARE(filesIn(m_folder), (Names{"a_ctx.onnx", "a_npu.bin", "b_ctx.onnx", "c_ctx.onnx"}));
    QVERIFY(shared >= 2 * 64 * 64 * 4);  // the weights are there once instead of three times
    std::set<std::string> binaries;
    std::set<int64_t> sizes;
    for (const char* name : {"a_ctx.onnx", "b_ctx.onnx", "c_ctx.onnx"}) {
      QCOMPARE(unloadable(m_folder / name), std::string());
      int mains = 0;
      for (const Node& node : contextNodes(m_folder / name)) {
        if (node.attributeOr<int64_t>("main_context", 1) == 0) continue;
        ++mains;
        binaries.insert(node.attributeOr<std::string>("ep_cache_context", ""));
        sizes.insert(node.attributeOr<int64_t>("max_size", -1));
      }
      QCOMPARE(mains, 1);
    }
    QCOMPARE(binaries.size(), size_t{1});
    QCOMPARE(sizes, std::set<int64_t>{static_cast<int64_t>(fs::file_size(m_folder / *binaries.begin()))});
  }

  // A model of the group that is replaced alone leaves the binary to the others.
  void oneOfThemAlone() {
    QVERIFY(caseOf(1, "a_").write(sharing(m_folder / "a_ctx.onnx", "alone", false)));
    QVERIFY(caseOf(2, "b_").write(sharing(m_folder / "b_ctx.onnx", "alone", true)));
    QCOMPARE(filesIn(m_folder), (Names{"a_ctx.onnx", "a_npu.bin", "b_ctx.onnx"}));
    context::ContextOptions alone{.enable = true, .file = m_folder / "a_ctx.onnx", .overwrite = true};
    const Result<ContextWritten> written = caseOf(9, "a_").write(alone);
    QVERIFY2(written, why(written).c_str());
    QCOMPARE(filesIn(m_folder), (Names{"a_ctx.onnx", "a_npu.bin", "a_npu_#.bin", "b_ctx.onnx"}));
    QCOMPARE(written->warnings.size(), size_t{1});
    QVERIFY2(written->warnings[0].starts_with("a_npu.bin holds something else"), written->warnings[0].c_str());
    for (const char* name : {"a_ctx.onnx", "b_ctx.onnx"})
      QCOMPARE(unloadable(m_folder / name), std::string());
  }

  // Both again, and again: each time what nobody needs any more goes.
  void allOfThemAgain() {
    for (const int addend : {1, 3, 5}) {
      for (const bool last : {false, true}) {
        context::ContextOptions options = sharing(m_folder / (last ? "b_ctx.onnx" : "a_ctx.onnx"), "again", last);
        options.overwrite = true;
        const Result<ContextWritten> written = caseOf(addend + (last ? 1 : 0), last ? "b_" : "a_").write(options);
        QVERIFY2(written, why(written).c_str());
      }
      const char* const binary = addend == 3 ? "a_npu_#.bin" : "a_npu.bin";
      QCOMPARE(filesIn(m_folder), (Names{"a_ctx.onnx", binary, "b_ctx.onnx"}));
      for (const char* name : {"a_ctx.onnx", "b_ctx.onnx"})
        QCOMPARE(unloadable(m_folder / name), std::string());
    }
  }

  void clashingNames() {
    QVERIFY(caseOf(1, "").write(sharing(m_folder / "a_ctx.onnx", "clash", false)));
    const Result<ContextWritten> second = caseOf(2, "").write(sharing(m_folder / "b_ctx.onnx", "clash", true));
    QCOMPARE(codeOf(second), static_cast<int>(ErrorCode::kModelLoaded));
    QVERIFY2(second.error().message.find("ep.context_node_name_prefix") != std::string::npos,
             second.error().message.c_str());
    QCOMPARE(filesIn(m_folder), Names{});
    // The group is as it was: the model comes again under other names.
    QCOMPARE(context::pendingSharedExports("clash"), size_t{1});
    QVERIFY(caseOf(2, "b_").write(sharing(m_folder / "b_ctx.onnx", "clash", true)));
    QCOMPARE(unloadable(m_folder / "a_ctx.onnx"), std::string());
    QCOMPARE(unloadable(m_folder / "b_ctx.onnx"), std::string());
  }

  void oneFolderOneFileEach() {
    fs::create_directories(m_folder / "elsewhere");
    QVERIFY(caseOf(1, "a_").write(sharing(m_folder / "a_ctx.onnx", "folders", false)));
    QCOMPARE(codeOf(caseOf(2, "b_").write(sharing(m_folder / "elsewhere" / "b_ctx.onnx", "folders", false))),
             static_cast<int>(ErrorCode::kInvalidArgument));
    QCOMPARE(codeOf(caseOf(2, "b_").write(sharing(m_folder / "a_ctx.onnx", "folders", false))),
             static_cast<int>(ErrorCode::kFail));
    QCOMPARE(context::dropSharedExports("folders"), size_t{1});
    QCOMPARE(context::pendingSharedExports("folders"), size_t{0});
  }

  void groupsDoNotSeeEachOther() {
    QVERIFY(caseOf(1, "").write(sharing(m_folder / "a_ctx.onnx", "one", false)));
    QVERIFY(caseOf(2, "").write(sharing(m_folder / "b_ctx.onnx", "other", true)));
    QCOMPARE(filesIn(m_folder), (Names{"b_ctx.onnx", "b_npu.bin"}));
    QCOMPARE(context::dropSharedExports("one"), size_t{1});
  }

  void cancelledStopLeavesTheGroup() {
    QVERIFY(caseOf(1, "a_").write(sharing(m_folder / "a_ctx.onnx", "cancel", false)));
    class Cancelling final : public Progress {
     public:
      using Progress::Progress;
      void begin(std::string_view, std::string_view detail) override {
        if (detail == "writing b_ctx.onnx") token().cancel();
      }
    };
    Cancelling progress{CancelToken()};
    QCOMPARE(codeOf(caseOf(2, "b_").write(sharing(m_folder / "b_ctx.onnx", "cancel", true), progress)),
             static_cast<int>(ErrorCode::kModelLoadCanceled));
    QCOMPARE(filesIn(m_folder), Names{});
    QCOMPARE(context::pendingSharedExports("cancel"), size_t{1});
    QVERIFY(caseOf(2, "b_").write(sharing(m_folder / "b_ctx.onnx", "cancel", true)));
    QCOMPARE(unloadable(m_folder / "a_ctx.onnx"), std::string());
  }

  void lastModelHasNothing() {
    QVERIFY(caseOf(1, "a_").write(sharing(m_folder / "a_ctx.onnx", "last", false)));
    const ContextCase plain(modelWith(2), {keeping("npu", {})});
    const Result<ContextWritten> written = plain.write(sharing(m_folder / "b_ctx.onnx", "last", true));
    QVERIFY2(written, why(written).c_str());
    QCOMPARE(filesIn(m_folder), (Names{"a_ctx.onnx", "a_npu.bin"}));
  }

  void sharedInitializersFile() {
    // Softmax stays outside with no weights; an Add that stays brings its own, different in each model.
    for (const int addend : {1, 2, 1}) {
      const std::string name(1, static_cast<char>('a' + context::pendingSharedExports("files")));
      context::ContextOptions options = sharing(m_folder / (name + "_ctx.onnx"), "files", name == "c");
      options.initializersFile = "w.bin";
      QVERIFY(ContextCase(modelWith(addend), {keeping("npu", {"MatMul"})}, name + "_").write(options));
    }
    const Names files = filesIn(m_folder);
    QCOMPARE(files.size(), size_t{6});  // three models, the binary, and two different sets of weights
    for (const auto& [name, value] :
         std::map<std::string, float>{{"a_ctx.onnx", 1}, {"b_ctx.onnx", 2}, {"c_ctx.onnx", 1}}) {
      const Model model = *loadedModel(m_folder / name);
      QCOMPARE(model.graph.value(model.graph.findValue("b")).initializer->span<float>()[0], value);
    }
  }

  void notWithAStream() {
    context::ContextOptions options = sharing({}, "stream", false);
    options.modelSink = [](std::span<const std::byte>) -> Result<void> { return {}; };
    QCOMPARE(codeOf(caseOf(1, "").write(options)), static_cast<int>(ErrorCode::kInvalidArgument));
  }

  void preview() {
    TestProviderPlan forgetful = keeping("gpu", {"Add"});
    forgetful.contexts.kind = ContextKind::kNone;
    forgetful.contexts.reason = "gpu compiles when it runs";
    TestProviderPlan described = keepingEach("paper", {"Cast"});
    described.contexts.kind = ContextKind::kDescribed;
    described.contexts.reason = "paper is not here";
    const ContextCase made(
        R"(main (float[2,2] x) => (float[2,2] y, string[2,2] t, int32[2,2] i) <float[2,2] w = {1,2,3,4}, float[2] b = {5,6}> {
  [mm] a = MatMul (x, w)
  [add] h = Add (a, b)
  [soft] y = Softmax (h)
  [words] t = Cast <to = 8> (y)
  [whole] i = Cast <to = 6> (h)
})",
        {keeping("npu", {"MatMul"}), std::move(forgetful), std::move(described)});
    QVERIFY2(made.problem().empty(), made.problem().c_str());
    const std::vector<ContextGroup> groups =
        context::previewContexts(made.partition().report, made.partition().askedGraphs, made.providers());
    QCOMPARE(groups.size(), made.partition().report.groups.size());
    int seen = 0;
    for (const ContextGroup& each : groups) {
      if (each.provider == "npu") {
        ++seen;
        QVERIFY(each.canSave && each.reason.empty() && !each.isPlaceholder);
        QCOMPARE(each.weightBytes, int64_t{16});
        QVERIFY(!each.name.empty());
      } else if (each.provider == "gpu") {
        ++seen;
        QVERIFY(!each.canSave);
        QCOMPARE(each.reason, std::string("gpu compiles when it runs"));
      } else if (each.provider == "cpu") {
        ++seen;
        QVERIFY(!each.canSave && each.name.empty());
        QVERIFY2(each.reason.find("stay in the context model as they are") != std::string::npos, each.reason.c_str());
      } else {
        ++seen;
        QVERIFY(each.isPlaceholder);
        const bool words = each.reason.find("of type string") != std::string::npos;
        QCOMPARE(each.canSave, !words);
        if (!words) QCOMPARE(each.reason, std::string("paper is not here"));
      }
    }
    QVERIFY2(seen >= 5, std::to_string(seen).c_str());
  }
};

QTEST_APPLESS_MAIN(ContextShareTest)
#include "tst_context_share.moc"
