// Whole runs on the emulator in its strict form: copies beside the work, captured segments recorded and replayed,
// device lanes in profiles, groups as one kernel and through contexts.

#include <QTemporaryDir>
#include <QTest>

#include "engine/graph/text.h"
#include "engine/session/session.h"
#include "engine/stages/load/save.h"
#include "providers/cpu/provider.h"
#include "providers/cuda/group_plan.h"
#include "providers/cuda/provider.h"

using namespace cutaway;

namespace {

// Two captured segments with a step between them that stays on the host.
constexpr const char* kModel = R"(<ir_version: 8, opset_import: ["" : 17]>
main (float[4,8] x) => (float[4,8] y, float[4,8] z) <float[8,8] w = {1,0,0,0,0,0,0,0,0,2,0,0,0,0,0,0,0,0,3,0,0,0,0,0,0,0,0,4,0,0,0,0,0,0,0,0,5,0,0,0,0,0,0,0,0,6,0,0,0,0,0,0,0,0,7,0,0,0,0,0,0,0,0,8}, float[8] b = {1,2,3,4,5,6,7,8}> {
  a = MatMul (x, w)
  c = Add (a, b)
  d = Tanh (c)
  e = Mul (d, c)
  f = Sigmoid (e)
  g = Neg (f)
  h = Add (g, b)
  i = Tanh (h)
  j = Mul (i, h)
  k = Sub (j, d)
  y = Sigmoid (k)
  z = Add (k, e)
})";

constexpr const char* kStrict = "cuda{backend=emulator,strict=1,fuse=0}";

std::string folderOf(const QTemporaryDir& folder) {
  return folder.path().toStdString();
}

std::unique_ptr<session::Session> sessionOf(const char* text, std::vector<std::string> providers,
                                            std::map<std::string, std::string> config = {},
                                            const std::filesystem::path& file = {}) {
  static const ProviderTable table{cudaProvider(), cpuProvider()};
  const QTemporaryDir folder;
  std::filesystem::path path = file.empty() ? std::filesystem::path(folderOf(folder)) / "model.onnx" : file;
  if (text != nullptr) {
    const auto model = parseModelText(text);
    if (!model || !load::save(*model, path, {})) qFatal("the model cannot be written");
  }
  session::SessionOptions options;
  options.providers = std::move(providers);
  options.optimizationLevel = 0;
  options.threads = 1;
  options.config = std::move(config);
  options.pins = {{.kind = NodePin::Kind::kOperator, .pattern = "Neg", .provider = "cpu"}};
  Progress progress;
  auto made = session::Session::create(load::ModelSource::file(path), options, table, progress);
  if (!made) qFatal("%s", describe(made.error()).c_str());
  return *std::move(made);
}

std::vector<execute::Feed> feeds(float scale) {
  Tensor x = *Tensor::create(ElementType::kFloat, {4, 8});
  for (size_t i = 0; i < 32; ++i)
    x.span<float>()[i] = scale * (0.05f * static_cast<float>(i) - 0.7f);
  return {{"x", RuntimeValue(std::move(x))}};
}

std::string difference(const execute::RunResult& a, const execute::RunResult& b) {
  for (size_t i = 0; i < a.outputs.size(); ++i) {
    const auto x = a.outputs[i].value.tensor().span<float>(), y = b.outputs[i].value.tensor().span<float>();
    for (size_t at = 0; at < x.size(); ++at) {
      if (std::abs(x[at] - y[at]) > 1e-5f * (1 + std::abs(y[at])))
        return fmt::format("{}[{}] is {} and should be {}", a.outputs[i].name, at, x[at], y[at]);
    }
  }
  return {};
}

}  // namespace

class TestCudaRun : public QObject {
  Q_OBJECT
 private slots:
  void replaysGiveWhatStepsGive() {
    const auto cpu = sessionOf(kModel, {"cpu"});
    const auto cuda = sessionOf(kModel, {kStrict, "cpu"});
    for (int run = 0; run < 6; ++run) {
      const auto in = feeds(0.5f + 0.3f * static_cast<float>(run));
      const auto wanted = cpu->run(in, {});
      const auto got = cuda->run(in, {});
      QVERIFY2(got, got ? "" : describe(got.error()).c_str());
      QVERIFY2(difference(*got, *wanted).empty(), fmt::format("run {}: {}", run, difference(*got, *wanted)).c_str());
    }
    const execute::DeviceFigures figures = cuda->devices();
    QCOMPARE(figures.capturedSegments.size(), size_t{2});
    for (const CapturedSegmentReport& each : figures.capturedSegments) {
      QVERIFY2(each.problem.empty(), each.problem.c_str());
      QCOMPARE(each.recordings, int64_t{1});
      QCOMPARE(each.replays, int64_t{4});
    }
    QVERIFY(std::ranges::any_of(figures.segmentBreaks,
                                [](const SegmentBreak& each) { return each.reason == "it runs on cpu"; }));
  }

  // A launch that fails while steps run by themselves, or when a recording is replayed, is an error of that run; one
  // that fails while work is recorded only ends the recording: the steps run as usual.
  void refusedRecordingsAreNoErrors() {
    const auto cpu = sessionOf(kModel, {"cpu"});
    int refused = 0;
    // 11 launches in the first run, 11 while the second records; those after them are real work, whose failure is the
    // run's.
    for (int launch = 1; launch <= 22; ++launch) {
      const auto cuda = sessionOf(
          kModel, {fmt::format("{},fail=launch:{}}}",
                               std::string_view(kStrict).substr(0, std::string_view(kStrict).size() - 1), launch),
                   "cpu"});
      int failed = 0;
      for (int run = 0; run < 4; ++run) {
        const auto in = feeds(0.5f + 0.3f * static_cast<float>(run));
        const auto got = cuda->run(in, {});
        failed += got ? 0 : 1;
        QVERIFY2(got || run != 1, fmt::format("launch {}: {}", launch, got ? "" : describe(got.error())).c_str());
        if (!got) continue;
        const std::string wrong = difference(*got, *cpu->run(in, {}));
        QVERIFY2(wrong.empty(), fmt::format("launch {}, run {}: {}", launch, run, wrong).c_str());
      }
      QVERIFY(failed <= 1);
      const execute::DeviceFigures figures = cuda->devices();
      const bool said = std::ranges::any_of(figures.capturedSegments,
                                            [](const CapturedSegmentReport& each) { return !each.problem.empty(); });
      QVERIFY(!(said && failed > 0));
      refused += said ? 1 : 0;
    }
    QVERIFY2(refused >= 11, std::to_string(refused).c_str());
  }

  void recordingCanBeTurnedOff() {
    const auto cuda = sessionOf(kModel, {"cuda{backend=emulator,graphs=0,fuse=0}", "cpu"});
    for (int run = 0; run < 4; ++run)
      QVERIFY(cuda->run(feeds(1), {}));
    for (const CapturedSegmentReport& each : cuda->devices().capturedSegments)
      QCOMPARE(each.problem, std::string("graphs=0 was set"));
  }

  void profilesHaveDeviceLanes() {
    const auto cuda = sessionOf(kModel, {kStrict, "cpu"});
    execute::RunOptions options;
    options.profile = true;
    QVERIFY(cuda->run(feeds(1), {}));
    const auto result = cuda->run(feeds(1), options);
    QVERIFY2(result, result ? "" : describe(result.error()).c_str());
    QCOMPARE(result->deviceLanes.size(), size_t{3});
    QCOMPARE(result->deviceLanes[0].name, std::string("cuda:0 compute"));
    int64_t kernels = 0, up = 0, down = 0;
    for (const TraceSpan& span : result->spans) {
      kernels += span.category == "Device" ? 1 : 0;
      up += span.category == "Copy" && span.thread == result->deviceLanes[1].thread ? span.bytes : 0;
      down += span.category == "Copy" && span.thread == result->deviceLanes[2].thread ? span.bytes : 0;
    }
    QCOMPARE(kernels, int64_t{11});
    QCOMPARE(up, int64_t{2 * 32 * 4});
    QCOMPARE(down, int64_t{3 * 32 * 4});
    QCOMPARE(result->deviceMemory.size(), size_t{1});
    QVERIFY(result->deviceMemory[0].measuredPeakBytes > 0);
    for (const NodeTiming& timing : result->timings)
      QVERIFY(timing.provider != "cuda" || timing.hostNs >= 0);
  }

  void groupsAreOneKernel() {
    const auto cpu = sessionOf(kModel, {"cpu"});
    const auto cuda = sessionOf(kModel, {"cuda{backend=emulator,strict=1,groups=1,fuse=0}", "cpu"});
    int groups = 0;
    for (const NodeId id : cuda->model().graph.nodeIds())
      groups +=
          cuda->model().graph.node(id).provider == "cuda" && cuda->model().graph.node(id).opType != "Memcpy" ? 1 : 0;
    QVERIFY(groups >= 1 && groups <= 3);
    for (int run = 0; run < 3; ++run) {
      const auto in = feeds(0.4f + 0.2f * static_cast<float>(run));
      const auto wanted = cpu->run(in, {});
      const auto got = cuda->run(in, {});
      QVERIFY2(got, got ? "" : describe(got.error()).c_str());
      QVERIFY2(difference(*got, *wanted).empty(), difference(*got, *wanted).c_str());
    }
  }

  void contextsComeBack() {
    const QTemporaryDir folder;
    const std::filesystem::path kept = std::filesystem::path(folderOf(folder)) / "kept_ctx.onnx";
    const auto cpu = sessionOf(kModel, {"cpu"});
    const auto wanted = cpu->run(feeds(1), {});
    sessionOf(kModel, {"cuda{backend=emulator,fuse=0}", "cpu"},
              {{"ep.context_enable", "1"}, {"ep.context_file_path", kept.string()}});
    QVERIFY(std::filesystem::exists(kept));
    const auto restored = sessionOf(nullptr, {"cuda{backend=emulator,fuse=0}", "cpu"}, {}, kept);
    for (int run = 0; run < 2; ++run) {
      const auto got = restored->run(feeds(1), {});
      QVERIFY2(got, got ? "" : describe(got.error()).c_str());
      QVERIFY2(difference(*got, *wanted).empty(), difference(*got, *wanted).c_str());
    }
  }

  void plansOfGroupsShareMemory() {
    using cuda::ValueLife;
    const cuda::GroupPlan plan = cuda::planGroup({{1000, 0, 1}, {1000, 1, 2}, {1000, 2, 3}, {-1, 0, 3}, {8, -1, 3}});
    QCOMPARE(plan.sizeBytes, int64_t{2048});
    QCOMPARE(plan.offsets[0], plan.offsets[2]);
    QVERIFY(plan.offsets[1] != plan.offsets[0]);
    QCOMPARE(plan.offsets[3], int64_t{-1});
    QCOMPARE(plan.offsets[4], int64_t{-1});
  }
};

QTEST_APPLESS_MAIN(TestCudaRun)
#include "tst_cuda_run.moc"
