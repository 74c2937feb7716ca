// What a profiled run writes down: times, lanes, shapes, bytes, parts, nested spans, memory; and that writing it down
// allocates nothing.

#include <QTest>

#include "tests/program/counted_heap.h"
#include "tests/provider/test_provider.h"
#include "tests/unit/engine/session/text_session.h"

using namespace cutaway;

namespace {

std::vector<int64_t> probed;  // allocations so far, at each call of a probe

// A copy of its input that says that it works in two parts.
class Probe final : public Kernel {
 public:
  Result<void> run(KernelContext& context) const override {
    probed.push_back(counted_heap::allocations.load());
    context.subStep("take");
    const Tensor& input = *context.input(0);
    CUTAWAY_TRY(Tensor * output, context.output(0, input.dims()));
    CUTAWAY_CHECK(context.scratch(1000).map([](std::span<std::byte>) {}));
    for (int i = 0; i < 2; ++i) {
      context.subStep("copy");
      std::ranges::copy(input.bytes(), output->mutableBytes().begin());
    }
    return {};
  }
};

// Its provider; nodes "first" and "last" are probes.
Result<std::unique_ptr<ExecutionProvider>> probingProvider(const ProviderRequest&) {
  TestProviderPlan plan;
  plan.groups = {{"first"}, {"last"}};
  plan.onCompile = [](std::span<const FusedSubGraph> groups, const Progress&) -> Result<std::vector<CompiledNode>> {
    std::vector<CompiledNode> compiled;
    for (size_t i = 0; i < groups.size(); ++i)
      compiled.push_back({std::make_shared<const Probe>(), {}});
    return compiled;
  };
  return makeTestProvider(std::move(plan));
}

ProviderTable probing() {
  ProviderTable table = cpuTable();
  ProviderEntry entry = table.front();
  entry.name = "test";
  entry.takesTheRest = false;
  entry.create = probingProvider;
  table.insert(table.begin(), entry);
  return table;
}

std::string chain(int pairs) {
  std::string text =
      "<ir_version: 8, opset_import: [\"\" : 17]>\nmain (float[4,16] x) => (float[4,16] y) {\n  [first] f = Relu (x)\n";
  std::string at = "f";
  for (int i = 0; i < pairs; ++i) {
    text += fmt::format("  r{} = Sigmoid ({})\n  a{} = Add (r{}, f)\n", i, at, i, i);
    at = fmt::format("a{}", i);
  }
  return text + fmt::format("  [last] l = Relu ({})\n  y = Sigmoid (l)\n}}", at);
}

constexpr const char* kLoop = R"(<ir_version: 8, opset_import: ["" : 17]>
main (int64 trips, bool cond, float[8] x) => (float[8] y) {
  base = Neg (x)
  [again] z = Loop <body = step (int64 i, bool go, float[8] s) => (bool on, float[8] out) {
      on = Identity (go)
      m = Mul (s, base)
      out = Add (m, x)
    }> (trips, cond, x)
  y = Sigmoid (z)
})";

template <typename T>
execute::Feed scalar(std::string name, T value) {
  return {std::move(name), RuntimeValue(Tensor::scalar(value))};
}

const NodeTiming* timingOf(const session::Session& session, const execute::RunResult& result, std::string_view opType) {
  for (const NodeTiming& timing : result.timings) {
    if (session.report()
            ->partitionedGraphs->graphs[static_cast<size_t>(timing.graph)]
            .nodes[static_cast<size_t>(timing.node)]
            .opType == opType)
      return &timing;
  }
  return nullptr;
}

}  // namespace

class TestRecorder : public QObject {
  Q_OBJECT
 private slots:
  void recordingAllocatesNothing() {
    probed.reserve(64);
    const ProviderTable table = probing();
    session::SessionOptions options;
    options.providers = {"test"};
    options.threads = 1;
    const auto session = textSession(chain(100), options, {}, &table);
    QVERIFY2(session.has_value(), why(session).c_str());
    const auto feeds = session::randomFeeds(**session, 1, {}, {});
    for (int i = 0; i < 3; ++i) {
      probed.clear();
      const auto result = (*session)->run(*feeds, {.profile = true});
      QVERIFY2(result.has_value(), why(result).c_str());
      QCOMPARE(result->timings.size(), size_t{203});
    }
    // Between the first and the last node of a steady run.
    QCOMPARE(probed.size(), size_t{2});
    QCOMPARE(probed[1] - probed[0], int64_t{0});
  }

  void everyFigureOfANode() {
    const ProviderTable table = probing();
    const auto session = textSession(chain(1), {.providers = {"test"}}, {}, &table);
    QVERIFY2(session.has_value(), why(session).c_str());
    const auto feeds = session::randomFeeds(**session, 1, {}, {});
    const auto result = (*session)->run(*feeds, {.profile = true});
    QVERIFY2(result.has_value(), why(result).c_str());
    const NodeTiming* add = timingOf(**session, *result, "Add");
    QVERIFY(add != nullptr);
    QCOMPARE(add->provider, std::string("cpu"));
    QCOMPARE(add->calls, int64_t{1});
    QCOMPARE(add->thread, 0);
    QCOMPARE(add->inputShapes, (std::vector<std::string>{"float[4,16]", "float[4,16]"}));
    QCOMPARE(add->outputShapes, (std::vector<std::string>{"float[4,16]"}));
    QCOMPARE(add->inputBytes, int64_t{2 * 4 * 16 * 4});
    QCOMPARE(add->outputBytes, int64_t{4 * 16 * 4});
    QCOMPARE(add->flops, int64_t{4 * 16});
    QVERIFY(add->startNs >= 0 && add->minNs == add->maxNs && add->maxNs == add->totalNs);
    QVERIFY(add->subSteps.empty());
    int probes = 0;
    for (const NodeTiming& timing : result->timings) {
      if (timing.provider != "test") continue;
      ++probes;
      QCOMPARE(timing.scratchBytes, int64_t{1000});
      QCOMPARE(timing.subSteps.size(), size_t{2});
      QCOMPARE(timing.subSteps[0].name, std::string("take"));
      QCOMPARE(timing.subSteps[1].name, std::string("copy"));
      QCOMPARE(timing.subSteps[1].calls, int64_t{2});
      QVERIFY(timing.subSteps[0].totalNs + timing.subSteps[1].totalNs <= timing.totalNs);
    }
    QCOMPARE(probes, 2);
    QVERIFY(result->engineNsPerNode >= 0);
    QCOMPARE(result->droppedSpans, int64_t{0});
  }

  // Every span lies inside one of the next smaller depth on its lane.
  void spansNest() {
    const auto session = textSession(kLoop);
    QVERIFY2(session.has_value(), why(session).c_str());
    const std::vector<execute::Feed> feeds{scalar<int64_t>("trips", 3), scalar<bool>("cond", true),
                                           floatFeed("x", {8}, std::vector<float>(8, 1.0f))};
    const auto result = (*session)->run(feeds, {.profile = true});
    QVERIFY2(result.has_value(), why(result).c_str());
    int inBody = 0;
    for (size_t i = 0; i < result->spans.size(); ++i) {
      const TraceSpan& span = result->spans[i];
      QVERIFY(i == 0 || result->spans[i - 1].startNs <= span.startNs);
      QVERIFY(span.durationNs >= 0);
      if (span.graph > 0) ++inBody;
      if (span.depth == 0) {
        QCOMPARE(span.name, std::string("model_run"));
        continue;
      }
      bool inside = false;
      for (size_t j = 0; j < i && !inside; ++j) {
        const TraceSpan& outer = result->spans[j];
        inside = outer.depth == span.depth - 1 && outer.thread == span.thread && outer.startNs <= span.startNs &&
                 span.startNs + span.durationNs <= outer.startNs + outer.durationNs;
      }
      QVERIFY(inside);
    }
    QVERIFY(inBody >= 6);  // at least Mul and Add in each of three trips
    const NodeTiming* mul = timingOf(**session, *result, "Mul");
    QVERIFY(mul != nullptr);
    QCOMPARE(mul->calls, int64_t{3});
    QVERIFY(mul->minNs * 3 <= mul->totalNs && mul->totalNs <= mul->maxNs * 3);
  }

  void shapesFollowTheRun() {
    const auto session = textSession(
        "<ir_version: 8, opset_import: [\"\" : 17]>\nmain (float[n,4] x, float[4,3] w) => (float[n,3] y) {\n  h = "
        "MatMul (x, w)\n  y = Sigmoid (h)\n}");
    QVERIFY2(session.has_value(), why(session).c_str());
    for (const int64_t n : {2, 2, 5, 2}) {
      const std::vector<execute::Feed> feeds{
          floatFeed("x", {n, 4}, std::vector<float>(static_cast<size_t>(4 * n), 1.0f)),
          floatFeed("w", {4, 3}, std::vector<float>(12, 1.0f))};
      const auto result = (*session)->run(feeds, {.profile = true});
      QVERIFY2(result.has_value(), why(result).c_str());
      const NodeTiming* product = timingOf(**session, *result, "MatMul");
      QVERIFY(product != nullptr);
      QCOMPARE(product->inputShapes[0], fmt::format("float[{},4]", n));
      QCOMPARE(product->outputShapes[0], fmt::format("float[{},3]", n));
      QCOMPARE(product->flops, 2 * n * 4 * 3);
      QCOMPARE(product->inputBytes, n * 16 + 48);
    }
  }

  // Where every size is known, what lies in the blocks is what the plan says at each step.
  void memoryFollowsThePlan() {
    const auto session = textSession(chain(6));
    QVERIFY2(session.has_value(), why(session).c_str());
    const auto feeds = session::randomFeeds(**session, 1, {}, {});
    for (int run = 0; run < 2; ++run) {
      const auto result = (*session)->run(*feeds, {.profile = true});
      QVERIFY2(result.has_value(), why(result).c_str());
      QCOMPARE(result->memory.size(), result->timings.size());
      int64_t most = 0;
      for (size_t i = 0; i < result->memory.size(); ++i) {
        const MemorySample& sample = result->memory[i];
        QCOMPARE(sample.step, static_cast<int32_t>(i));
        QVERIFY(i == 0 || result->memory[i - 1].timeNs <= sample.timeNs);
        QVERIFY2(sample.measuredBytes <= sample.plannedBytes,
                 fmt::format("step {}: {} measured, {} planned", i, sample.measuredBytes, sample.plannedBytes).c_str());
        QVERIFY(sample.heldBytes >= sample.measuredBytes);
        most = std::max(most, sample.measuredBytes);
      }
      QVERIFY(most > 0);
      QVERIFY(most <= (*session)->plannedPeakBytes());
    }
  }

  // The buffer of a is taken again by u; between the two its room is free, and the pattern gives it to t.
  void aBufferCountsWhileAValueLiesInIt() {
    const auto session = textSession(
        "<ir_version: 8, opset_import: [\"\" : 17]>\nmain (float[1000] x, int64[1] small, int64[1] large) => (float y) "
        "<int64[1] kSmall = {1000}, int64[1] kLarge = {2000}> {\n  a = Sigmoid (x)\n  s = ReduceMean (a)\n  t = "
        "Expand (s, kLarge)\n  m = ReduceMax (t)\n  u = Expand (m, kSmall)\n  y = ReduceMin <keepdims = 0> (u)\n}");
    QVERIFY2(session.has_value(), why(session).c_str());
    const auto feeds = session::randomFeeds(**session, 1, {}, {});
    const auto result = (*session)->run(*feeds, {.profile = true});
    QVERIFY2(result.has_value(), why(result).c_str());
    int64_t planned = 0, measured = 0;
    for (const MemorySample& sample : result->memory) {
      planned = std::max(planned, sample.plannedBytes);
      measured = std::max(measured, sample.measuredBytes);
    }
    QCOMPARE(planned, (*session)->plannedPeakBytes());
    QCOMPARE(measured, planned);
  }

  void unplannedValuesComeFromTheArena() {
    const auto session = textSession(
        "<ir_version: 8, opset_import: [\"\" : 17]>\nmain (float[n] x) => (float[k] y) {\n  i = NonZero (x)\n  f = "
        "Cast <to = 1> (i)\n  g = Sigmoid (f)\n  h = Neg (g)\n  shape = Constant <value_ints = [-1]> ()\n  y = Reshape "
        "(h, shape)\n}");
    QVERIFY2(session.has_value(), why(session).c_str());
    const auto result = (*session)->run({floatFeed("x", {1000}, std::vector<float>(1000, 1.0f))}, {.profile = true});
    QVERIFY2(result.has_value(), why(result).c_str());
    int64_t taken = 0;
    for (const NodeTiming& timing : result->timings)
      taken += timing.allocatedBytes;
    QVERIFY(taken >= 8000);
    int64_t most = 0;
    for (const MemorySample& sample : result->memory)
      most = std::max(most, sample.measuredBytes);
    QVERIFY(most >= 8000);
  }
};

QTEST_GUILESS_MAIN(TestRecorder)
#include "tst_recorder.moc"
