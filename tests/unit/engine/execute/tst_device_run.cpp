// Runs over a device that does its copies as late as it may: every cut of a model into host and device gives what the
// host alone gives.

#include <QTest>

#include "engine/session/io_binding.h"
#include "providers/cpu/provider.h"
#include "tests/provider/late_device.h"
#include "tests/unit/engine/session/text_session.h"

using namespace cutaway;

namespace {

// Values that are written over their input, views, joins and splits, a weight that both sides read, values read on both
// sides several times.
constexpr const char* kStraight = R"(<ir_version: 8, opset_import: ["" : 17]>
main (float[4,6] x, float[4,6] b) => (float[4,6] y, float[24] z, float[8,6] j) <float[6] w = {1,2,3,4,5,6}, int64[1] flat = {24}, int64[2] halves = {2,2}> {
  a = Mul (x, w)
  c = Tanh (a)
  d = Add (c, b)
  e = Mul (d, w)
  f = Sigmoid (e)
  g = Add (a, f)
  h = Abs (g)
  t = Reshape (h, flat)
  z = Exp (t)
  s1, s2 = Split <axis = 0> (g, halves)
  u = Sub (s1, s2)
  v = Concat <axis = 0> (u, s2)
  k = Neg (v)
  j = Concat <axis = 0> (k, h)
  m = Add (k, c)
  n = Abs (m)
  y = Sub (n, d)
})";

// Buffers that two values have one after the other leave gaps, into which the pattern puts buffers of another size.
constexpr const char* kGaps = R"(<ir_version: 8, opset_import: ["" : 17]>
main (float[8] x) => (float[8] a, float[8] b, float[16] c, float[8] d, float[16] e, float[8] f) {
  a = Neg (x)
  b = Exp (x)
  c = Concat <axis = 0> (x, x)
  d = Abs (x)
  e = Concat <axis = 0> (x, x)
  f = Sigmoid (x)
})";

// Bodies on both sides, with captured values of both.
constexpr const char* kBodies = R"(<ir_version: 8, opset_import: ["" : 17]>
main (float[3] x, bool[] c) => (float[3] y, float[3] last, float[4,3] all) <float[3] w = {1,2,3}, int64 trips = {4}, bool yes = {1}> {
  a = Tanh (x)
  p = Mul (a, w)
  q = If <then_branch = then () => (float[3] r) { t0 = Add (p, w)
    r = Abs (t0) }, else_branch = otherwise () => (float[3] r2) { t1 = Sub (a, p)
    r2 = Neg (t1) }> (c)
  last, all = Loop <body = step (int64[] i, bool[] go, float[3] state) => (bool[] on, float[3] next, float[3] out) {
    on = Identity (go)
    s0 = Mul (state, w)
    s1 = Tanh (s0)
    next = Add (s1, a)
    out = Abs (s1)
  }> (trips, yes, q)
  y = Add (last, p)
})";

struct LateSetUp {
  std::unique_ptr<ExecutionProvider> cpu = *cpuProvider().create({});
  std::shared_ptr<LateDeviceSettings> settings = std::make_shared<LateDeviceSettings>();
  std::shared_ptr<LateDeviceCounts> counts = std::make_shared<LateDeviceCounts>();
};
LateSetUp* current = nullptr;

// Tables hold plain functions.
ProviderTable table() {
  ProviderEntry late;
  late.name = "late";
  late.create = [](const ProviderRequest&) -> Result<std::unique_ptr<ExecutionProvider>> {
    return makeLateDevice(current->settings, current->counts);
  };
  late.probe = []() -> ProviderStatus { return {}; };
  return {late, cpuProvider()};
}

std::unique_ptr<session::Session> sessionOf(LateSetUp& device, const char* text, std::function<bool(const Node&)> takes,
                                            session::SessionOptions options = {}) {
  device.settings->kernels = device.cpu->kernels();
  device.settings->takes = [takes = std::move(takes)](const Node& node) { return !node.hasBodies() && takes(node); };
  current = &device;
  const ProviderTable providers = table();
  options.threads = 1;
  options.optimizationLevel = 0;
  options.providers = {"late", "cpu"};
  auto made = textSession(text, options, {}, &providers);
  if (!made) qFatal("%s", describe(made.error()).c_str());
  return *std::move(made);
}

std::vector<execute::Feed> straightFeeds() {
  std::vector<float> x(24), b(24);
  for (size_t i = 0; i < 24; ++i)
    x[i] = 0.1f * static_cast<float>(i) - 1, b[i] = 0.5f - 0.07f * static_cast<float>(i);
  return {floatFeed("x", {4, 6}, x), floatFeed("b", {4, 6}, b)};
}

std::vector<execute::Feed> bodyFeeds(bool condition) {
  Tensor c = *Tensor::create(ElementType::kBool, {});
  *static_cast<bool*>(c.mutableData()) = condition;
  return {floatFeed("x", {3}, {0.5f, -1, 2}), {"c", RuntimeValue(std::move(c))}};
}

using Values = std::vector<std::vector<float>>;
Values valuesOf(const std::vector<execute::Feed>& feeds) {
  Values values;
  for (const execute::Feed& each : feeds)
    values.push_back(floatsOf(each.value));
  return values;
}

// A different cut for every seed.
std::function<bool(const Node&)> cut(uint64_t seed) {
  return [seed](const Node& node) {
    return ((node.outputs.empty() ? 0 : node.outputs[0].index() * 131 + node.opType.size()) * 0x9e3779b97f4a7c15ULL ^
            seed * 0xbf58476d1ce4e5b9ULL) >>
               13 &
           1;
  };
}

std::function<bool(const Node&)> all() {
  return [](const Node&) { return true; };
}
std::function<bool(const Node&)> none() {
  return [](const Node&) { return false; };
}

}  // namespace

class TestDeviceRun : public QObject {
  Q_OBJECT
 private slots:
  void gapsOfBuffersWaitForCopies() {
    LateSetUp host, device;
    const std::vector<execute::Feed> feeds{floatFeed("x", {8}, {1, -2, 3, -4, 5, -6, 7, -8})};
    const Values wanted = valuesOf(sessionOf(host, kGaps, none())->run(feeds, {})->outputs);
    const auto session = sessionOf(device, kGaps, all());
    for (int run = 0; run < 3; ++run) {
      const auto result = session->run(feeds, {});
      QVERIFY2(result, why(result).c_str());
      QCOMPARE(valuesOf(result->outputs), wanted);
    }
  }

  void everyCutGivesTheSame() {
    LateSetUp host;
    const auto reference = sessionOf(host, kStraight, none());
    const Values wanted = valuesOf(reference->run(straightFeeds(), {})->outputs);
    for (uint64_t seed = 0; seed < 40; ++seed) {
      LateSetUp device;
      const auto session = sessionOf(device, kStraight, seed == 0 ? all() : cut(seed));
      for (int run = 0; run < 3; ++run) {
        const auto result = session->run(straightFeeds(), {});
        QVERIFY2(result, why(result).c_str());
        QVERIFY2(valuesOf(result->outputs) == wanted, qPrintable(QString("cut %1, run %2").arg(seed).arg(run)));
      }
      QVERIFY(device.counts->copiesToDevice > 0 && device.counts->copiesToHost > 0);
    }
  }

  void everyCutOfBodiesGivesTheSame() {
    for (const bool condition : {true, false}) {
      LateSetUp host;
      const auto reference = sessionOf(host, kBodies, none());
      const Values wanted = valuesOf(reference->run(bodyFeeds(condition), {})->outputs);
      for (uint64_t seed = 0; seed < 24; ++seed) {
        LateSetUp device;
        const auto session = sessionOf(device, kBodies, seed == 0 ? all() : cut(seed));
        for (int run = 0; run < 2; ++run) {
          const auto result = session->run(bodyFeeds(condition), {});
          QVERIFY2(result, why(result).c_str());
          QVERIFY2(valuesOf(result->outputs) == wanted, qPrintable(QString("cut %1, run %2").arg(seed).arg(run)));
        }
      }
    }
  }

  void someOutputsAndKeptValues() {
    LateSetUp host;
    const auto reference = sessionOf(host, kStraight, none());
    for (uint64_t seed = 0; seed < 16; ++seed) {
      LateSetUp device;
      const auto session = sessionOf(device, kStraight, seed == 0 ? all() : cut(seed));
      execute::RunOptions options;
      options.outputs = {seed % 2 == 0 ? "z" : "j"};
      options.keepValues = {"c", "g"};
      const auto wanted = reference->run(straightFeeds(), options);
      const auto result = session->run(straightFeeds(), options);
      QVERIFY2(wanted && result, (why(wanted) + why(result)).c_str());
      QVERIFY(valuesOf(result->outputs) == valuesOf(wanted->outputs));
      for (const execute::Feed& kept : wanted->kept) {
        // A value that lives on the device only has its device behind its name.
        const auto same =
            std::ranges::find_if(result->kept, [&](const execute::Feed& each) { return each.name == kept.name; });
        if (same != result->kept.end()) QVERIFY(floatsOf(same->value) == floatsOf(kept.value));
      }
    }
  }

  void boundOutputs() {
    LateSetUp host;
    const auto reference = sessionOf(host, kStraight, none());
    const Values wanted = valuesOf(reference->run(straightFeeds(), {})->outputs);
    LateSetUp device;
    const auto session = sessionOf(device, kStraight, cut(5));
    session::IoBinding binding(*session);
    for (execute::Feed& feed : straightFeeds())
      QVERIFY(binding.bindInput(feed.name, feed.value));
    Tensor y = *Tensor::create(ElementType::kFloat, {4, 6});
    QVERIFY(binding.bindOutput("y", y));
    QVERIFY(binding.bindOutput("z", heapAllocator().device()));
    for (int run = 0; run < 3; ++run) {
      const auto done = session->run(binding, {});
      QVERIFY2(done, why(done).c_str());
      QVERIFY(floatsOf(RuntimeValue(y)) == wanted[0]);
      QVERIFY(floatsOf(binding.outputs()[1].value) == wanted[1]);
    }
  }

  // Fed from the device's memory: copies of the device read it there, the host gets a copy.
  void inputsOnTheDevice() {
    LateSetUp host;
    const auto reference = sessionOf(host, kStraight, none());
    const Values wanted = valuesOf(reference->run(straightFeeds(), {})->outputs);
    for (uint64_t seed = 0; seed < 6; ++seed) {
      LateSetUp device;
      const auto session = sessionOf(device, kStraight, seed == 0 ? all() : cut(seed));
      std::vector<execute::Feed> feeds = straightFeeds();
      std::vector<Tensor> kept;
      for (execute::Feed& feed : feeds) {
        kept.push_back(feed.value.tensor());
        feed.value = Tensor::wrap(kept.back().type(), kept.back().dims(), kept.back().mutableData(), {},
                                  {.type = DeviceType::kGpu, .index = 0, .name = "late:0"});
      }
      const auto result = session->run(feeds, {});
      QVERIFY2(result, why(result).c_str());
      QVERIFY(valuesOf(result->outputs) == wanted);
    }
  }

  void theHostWaitsOnlyForWhatItReads() {
    LateSetUp device;
    const auto session = sessionOf(device, kStraight, all());
    QVERIFY(session->run(straightFeeds(), {}));
    // Three outputs come back; nobody on the host reads them before the end.
    QCOMPARE(device.counts->copiesToHost, int64_t{3});
    QCOMPARE(device.counts->hostWaits, int64_t{0});
  }

  void anErrorOfTheDeviceComesOutAndTheNextRunIsWell() {
    LateSetUp device;
    const auto session = sessionOf(device, kStraight, cut(3));
    const Values wanted = valuesOf(session->run(straightFeeds(), {})->outputs);
    device.settings->onStep = [](int32_t) -> Result<void> {
      return fail(ErrorCode::kEpFail, "the test broke a kernel");
    };
    const auto broken = session->run(straightFeeds(), {});
    QVERIFY(!broken);
    QVERIFY(broken.error().message.find("the test broke a kernel") != std::string::npos);
    device.settings->onStep = {};
    const auto again = session->run(straightFeeds(), {});
    QVERIFY2(again, why(again).c_str());
    QVERIFY(valuesOf(again->outputs) == wanted);
  }

  void aLostDeviceIsSaidAndNothingRuns() {
    LateSetUp device;
    const auto session = sessionOf(device, kStraight, all());
    device.settings->lost = true;
    const auto result = session->run(straightFeeds(), {});
    QVERIFY(!result);
    QCOMPARE(result.error().code, ErrorCode::kDeviceReset);
  }

  void dataflowSaysWhyItIsNotUsed() {
    LateSetUp device;
    session::SessionOptions options;
    options.executor = "dataflow";
    const auto session = sessionOf(device, kStraight, all(), options);
    QCOMPARE(session->workers(), 1);
  }

  // A weight that both sides read is two values: the host must not see the device's memory.
  void weightsOfBothSidesAreSplit() {
    LateSetUp device;
    const auto session = sessionOf(device, kStraight, [](const Node& node) { return node.opType == "Mul"; });
    for (const ValueId id : session->model().graph.valueIds()) {
      const Value& value = session->model().graph.value(id);
      if (!value.initializer) continue;
      bool onHost = false, onDevice = false;
      for (const Use& use : value.uses)
        (session->model().graph.node(use.node).provider == "late" ? onDevice : onHost) = true;
      QVERIFY2(!(onHost && onDevice), value.name.c_str());
    }
  }

  // Whether a device is there is asked, not tried out: the walk makes no run of it.
  void walkMakesNoRun() {
    for (const bool missing : {false, true}) {
      LateSetUp device;
      device.settings->kernels = device.cpu->kernels();
      device.settings->takes = [](const Node&) { return true; };
      device.settings->missing = missing;
      current = &device;
      ProviderTable providers = table();
      providers.front().plansWithout = true;
      providers.front().probe = []() -> ProviderStatus {
        return {.usable = !current->settings->missing, .version = {}, .reason = "there is no such device"};
      };
      session::SessionOptions options;
      options.providers = {"late", "cpu"};
      options.prepareRun = false;
      const auto session = textSession(kStraight, options, {}, &providers);
      QVERIFY2(session, why(session).c_str());
      QCOMPARE(device.counts->runsMade, int64_t{0});
      const ProviderSummary& late = (*session)->report()->partition->providers.front();
      QCOMPARE(late.name, std::string("late"));
      QCOMPARE(late.usable, !missing);
      QCOMPARE(late.reason, missing ? std::string("cannot run here: there is no such device") : std::string());
    }
  }

  void capturedSegmentsAreFoundAndTheirEndsNamed() {
    LateSetUp device;
    const auto session = sessionOf(device, kStraight, all());
    QVERIFY(session->run(straightFeeds(), {}));
    const execute::DeviceFigures figures = session->devices();
    QCOMPARE(figures.memory.size(), size_t{1});
    QCOMPARE(figures.memory[0].device, std::string("late:0"));
    QVERIFY(figures.memory[0].plannedPeakBytes > 0);
    QVERIFY(figures.memory[0].weightsBytes > 0);
    // The host's kernels cannot be recorded, and say so.
    QVERIFY(figures.capturedSegments.empty());
    QVERIFY(!figures.segmentBreaks.empty());
    QVERIFY(std::ranges::any_of(figures.segmentBreaks,
                                [](const SegmentBreak& each) { return each.reason == "it works on the host"; }));
  }
};

QTEST_APPLESS_MAIN(TestDeviceRun)
#include "tst_device_run.moc"
