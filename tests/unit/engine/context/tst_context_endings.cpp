// Exports that end early, at every step: cancelled, killed, disk full. What was there before stays whole, what comes is
// whole, and nothing else is left.
#include <csignal>
#include <fstream>
#include <thread>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <QTemporaryDir>
#include <QtTest/QtTest>

#include "engine/base/new_file.h"
#include "tests/unit/engine/context/context_case.h"

using namespace cutaway;
namespace fs = std::filesystem;
using Names = std::vector<std::string>;

namespace {

// The old model and the new one differ in weights, so that a mixture of the two cannot pass.
std::string twoGroups(int weight) {
  return fmt::format(R"(main (float[n,2] x) => (float[n,2] y) <float[2,2] w = {{{},2,3,4}}, float[2] s = {{{},8}}> {{
  [mm1] a = MatMul (x, w)
  [soft] p = Softmax (a)
  [mul] q = Mul (p, s)
  [mm2] y = MatMul (q, w)
}})",
                     weight, weight);
}

std::unique_ptr<ContextCase> caseOf(int weight) {
  return std::make_unique<ContextCase>(
      twoGroups(weight), std::vector<TestProviderPlan>{keeping("npu", {"MatMul"}), keeping("gpu", {"Softmax"})});
}

context::ContextOptions replacing(const fs::path& target) {
  context::ContextOptions options = exportTo(target);
  options.overwrite = true;
  return options;
}

// Does something at one of its calls.
class AtStep final : public Progress {
 public:
  AtStep(CancelToken token, int step, std::function<void()> act)
      : Progress(std::move(token)), m_step(step), m_act(std::move(act)) {}
  void begin(std::string_view /*stage*/, std::string_view detail) override {
    seen.emplace_back(detail);
    if (static_cast<int>(seen.size()) == m_step) m_act();
  }
  Names seen;

 private:
  int m_step;
  std::function<void()> m_act;
};

Names rawFiles(const fs::path& folder) {
  Names names;
  for (const auto& each : fs::directory_iterator(folder))
    names.push_back(each.path().filename().string());
  std::ranges::sort(names);
  return names;
}

Names stepsOf(const ContextCase& made, const context::ContextOptions& options) {
  AtStep progress({}, -1, [] {});
  const Result<ContextWritten> written = made.write(options, progress);
  return written ? progress.seen : Names{describe(written.error())};
}

}  // namespace

class ContextEndingsTest : public QObject {
  Q_OBJECT

  QTemporaryDir m_temporary;
  int m_folders = 0;
  std::unique_ptr<ContextCase> m_old, m_new;
  Names m_oldFiles, m_newFiles;  // of whole exports

  fs::path freshFolder() {
    const fs::path folder = fs::path(m_temporary.path().toStdString()) / std::to_string(m_folders++);
    fs::create_directories(folder);
    return folder;
  }
  fs::path withOldModel() {
    const fs::path folder = freshFolder();
    if (!m_old->write(replacing(folder / "net_ctx.onnx"))) qFatal("the old model is not written");
    return folder;
  }
  // One model or the other, whole, each node with a partition of its own in the binary that it names.
  bool isOldOrNew(const fs::path& folder) const {
    if (!unloadable(folder / "net_ctx.onnx").empty()) return false;
    const Model model = *loadedModel(folder / "net_ctx.onnx");
    std::set<std::string> caches;
    for (const NodeId id : model.graph.nodeIds()) {
      if (const std::string cache = model.graph.node(id).attributeOr<std::string>("ep_cache_context", "");
          !cache.empty())
        caches.insert(cache);
    }
    return caches.size() == 2;
  }

 private slots:
  void initTestCase() {
    m_old = caseOf(1);
    m_new = caseOf(100);
    QVERIFY2(m_old->problem().empty(), m_old->problem().c_str());
    m_oldFiles = rawFiles(withOldModel());
    const fs::path folder = freshFolder();
    QVERIFY(m_new->write(replacing(folder / "net_ctx.onnx")));
    m_newFiles = rawFiles(folder);
    QCOMPARE(m_oldFiles.size(), size_t{3});
    QCOMPARE(m_oldFiles, (Names{"net_ctx.onnx", "net_gpu.bin", "net_npu.bin"}));
    QCOMPARE(m_newFiles, m_oldFiles);
  }

  void replacedModelTakesItsBinariesAlong() {
    const fs::path folder = withOldModel();
    std::ofstream(folder / "net_ctx_npu_0123456789abcdef.bin") << "named like ours, but the old model does not name it";
    std::ofstream(folder / "net_ctx_other.bin") << "a file of the user's";
    QVERIFY(m_new->write(replacing(folder / "net_ctx.onnx")));
    // The old one of npu stood under the plain name until the new model was there; that of gpu is the same.
    QCOMPARE(filesIn(folder),
             (Names{"net_ctx.onnx", "net_ctx_npu_#.bin", "net_ctx_other.bin", "net_gpu.bin", "net_npu_#.bin"}));
    QCOMPARE(unloadable(folder / "net_ctx.onnx"), std::string());
  }

  void sameModelAgainKeepsItsBinaries() {
    const fs::path folder = withOldModel();
    QVERIFY(m_old->write(replacing(folder / "net_ctx.onnx")));
    QCOMPARE(rawFiles(folder), m_oldFiles);
  }

  void embeddedReplacesBinaries() {
    const fs::path folder = withOldModel();
    context::ContextOptions options = replacing(folder / "net_ctx.onnx");
    options.embed = true;
    QVERIFY(m_new->write(options));
    QCOMPARE(rawFiles(folder), Names{"net_ctx.onnx"});
  }

  void refusedToOverwrite() {
    const fs::path folder = withOldModel();
    const Result<ContextWritten> written = m_new->write(exportTo(folder / "net_ctx.onnx"));
    QVERIFY(!written && written.error().code == ErrorCode::kFail);
    QCOMPARE(rawFiles(folder), m_oldFiles);
  }

  void stepsHaveNames() {
    const Names steps = stepsOf(*m_new, replacing(freshFolder() / "net_ctx.onnx"));
    QVERIFY2(std::ranges::find(steps, "exporting group 2 of 3 (npu_g_1)") != steps.end() ||
                 std::ranges::find(steps, "exporting group 2 of 3 (gpu_g_2)") != steps.end(),
             fmt::format("{}", fmt::join(steps, "\n")).c_str());
    QVERIFY(std::ranges::find(steps, "writing net_ctx.onnx") != steps.end());
    QCOMPARE(steps[steps.size() - 2], std::string("publishing net_ctx.onnx"));  // the model last
  }

  void cancelledAtEveryStep_data() {
    QTest::addColumn<bool>("embed");
    QTest::addColumn<bool>("overOld");
    for (const bool embed : {false, true}) {
      for (const bool old : {false, true})
        QTest::addRow("%s, %s", embed ? "embedded" : "beside", old ? "over an old model" : "new") << embed << old;
    }
  }
  void cancelledAtEveryStep() {
    QFETCH(bool, embed);
    QFETCH(bool, overOld);
    int cancelled = 0, finished = 0;
    for (int step = 1;; ++step) {
      const fs::path folder = overOld ? withOldModel() : freshFolder();
      context::ContextOptions options = replacing(folder / "net_ctx.onnx");
      options.embed = embed;
      options.initializersFile = "w.bin";
      const CancelToken token;
      AtStep progress(token, step, [&] { token.cancel(); });
      const Result<ContextWritten> written = m_new->write(options, progress);
      if (static_cast<int>(progress.seen.size()) < step) break;
      if (written) {
        ++finished;
        QCOMPARE(unloadable(folder / "net_ctx.onnx"), std::string());
        continue;
      }
      ++cancelled;
      QCOMPARE(static_cast<int>(written.error().code), static_cast<int>(ErrorCode::kModelLoadCanceled));
      QCOMPARE(rawFiles(folder), overOld ? m_oldFiles : Names{});
    }
    QVERIFY(cancelled >= 6);
    QVERIFY(finished <= 5);  // names change hands: what began is finished
  }

  void cancelInsideAProvider() {
    const CancelToken token;
    TestProviderPlan plan = keeping("npu", {"MatMul"});
    plan.contexts.onExport = [token](const ContextExport&, const Progress& progress) -> std::optional<Error> {
      token.cancel();
      if (!progress.cancelled()) return Error{ErrorCode::kFail, "the provider cannot hear it", {}};
      return cancelledError();
    };
    const ContextCase made(twoGroups(1), {std::move(plan)});
    const fs::path folder = freshFolder();
    Progress progress(token);
    const Result<ContextWritten> written = made.write(exportTo(folder / "net_ctx.onnx"), progress);
    QVERIFY(!written);
    QCOMPARE(static_cast<int>(written.error().code), static_cast<int>(ErrorCode::kModelLoadCanceled));
    QCOMPARE(rawFiles(folder), Names{});
  }

  void killedAtEveryStep() {
    int olds = 0, news = 0;
    for (int step = 1;; ++step) {
      const fs::path folder = withOldModel();
      const pid_t child = fork();
      if (child == 0) {
        AtStep progress({}, step, [] { ::raise(SIGKILL); });
        const Result<ContextWritten> written = m_new->write(replacing(folder / "net_ctx.onnx"), progress);
        ::_exit(written ? 0 : 1);
      }
      int status = 0;
      QCOMPARE(::waitpid(child, &status, 0), child);
      const bool killed = WIFSIGNALED(status) != 0;
      if (!killed) QCOMPARE(WEXITSTATUS(status), 0);
      QVERIFY2(isOldOrNew(folder), fmt::format("step {}: {}", step, unloadable(folder / "net_ctx.onnx")).c_str());
      (modelText(*loadedModel(folder / "net_ctx.onnx")).find("s = {1,8}") != std::string::npos ? olds : news) += 1;
      // The next export sweeps what the dead one left, and stands.
      QVERIFY(m_new->write(replacing(folder / "net_ctx.onnx")));
      for (const std::string& name : rawFiles(folder))
        QVERIFY2(name.find(".tmp") == std::string::npos, name.c_str());
      QCOMPARE(unloadable(folder / "net_ctx.onnx"), std::string());
      if (!killed) break;
    }
    QVERIFY(olds >= 6);
    QVERIFY(news >= 1);
  }

  void killedAtRandomMoments() {
    for (int round = 0; round < 25; ++round) {
      const fs::path folder = withOldModel();
      const pid_t child = fork();
      if (child == 0) {
        for (;;) {
          for (const ContextCase* each : {m_new.get(), m_old.get()}) {
            if (!each->write(replacing(folder / "net_ctx.onnx"))) ::_exit(1);
          }
        }
      }
      std::this_thread::sleep_for(std::chrono::microseconds(1000 + 1733 * round % 20000));
      ::kill(child, SIGKILL);
      int status = 0;
      ::waitpid(child, &status, 0);
      QVERIFY(WIFSIGNALED(status));
      QVERIFY2(isOldOrNew(folder), fmt::format("round {}: {}", round, unloadable(folder / "net_ctx.onnx")).c_str());
    }
  }

  void diskFull() {
    // Files may grow to so many bytes and no further; every limit from nothing to enough.
    int failed = 0;
    for (const rlim_t limit : {1, 64, 300, 700, 1500, 3000, 5000}) {
      const fs::path folder = withOldModel();
      const pid_t child = fork();
      if (child == 0) {
        ::signal(SIGXFSZ, SIG_IGN);
        const rlimit rule{limit, limit};
        ::setrlimit(RLIMIT_FSIZE, &rule);
        const Result<ContextWritten> written = m_new->write(replacing(folder / "net_ctx.onnx"));
        if (written) ::_exit(0);
        ::_exit(isWriteFailure(written.error()) && rawFiles(folder) == m_oldFiles ? 2 : 3);
      }
      int status = 0;
      ::waitpid(child, &status, 0);
      QVERIFY(WIFEXITED(status));
      QVERIFY2(WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == 2,
               fmt::format("limit {}: {}", limit, WEXITSTATUS(status)).c_str());
      failed += WEXITSTATUS(status) == 2 ? 1 : 0;
      QVERIFY(isOldOrNew(folder));
    }
    QVERIFY(failed >= 4);
  }
};

QTEST_APPLESS_MAIN(ContextEndingsTest)
#include "tst_context_endings.moc"
