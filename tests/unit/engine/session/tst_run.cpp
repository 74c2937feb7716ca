// Running: numbers, bodies, reuse that must not be seen, devices, errors, cancellation, many threads.

#include <chrono>
#include <cmath>
#include <numeric>
#include <thread>

#include <QTest>

#include "providers/cpu/provider.h"
#include "tests/provider/test_provider.h"
#include "tests/unit/engine/session/text_session.h"

using namespace cutaway;

namespace {

constexpr const char* kChain = R"(<ir_version: 8, opset_import: ["" : 17]>
main (float[n,2] x) => (float[n,2] y, float[n,2] h) <float[2,2] w = {1,2,3,4}> {
  [a] a = Relu (x)
  [b] b = MatMul (a, w)
  [c] c = Relu (b)
  [h] h = Add (c, b)
  [d] d = Mul (h, c)
  [y] y = Sub (d, x)
})";

constexpr const char* kLoop = R"(<ir_version: 8, opset_import: ["" : 17]>
main (int64 trips, bool cond, float[2] start, float[2] step) => (float[2] y, float[2] last, float[k,2] all) {
  [loop] last, all = Loop <body = body (int64 i, bool go, float[2] state) => (bool again, float[2] next, float[2] seen) {
      again = Identity (go)
      next = Add (state, step)
      seen = Mul (next, step)
    }> (trips, cond, start)
  [after] y = Relu (last)
})";

constexpr const char* kIf = R"(<ir_version: 8, opset_import: ["" : 17]>
main (bool c, float[2] x) => (float[2] y) {
  t = Neg (x)
  r = If <then_branch = yes () => (float[2] a) {
      a = Add (t, x)
    }, else_branch = no () => (float[2] b) {
      b = Identity (t)
    }> (c)
  y = Relu (r)
})";

template <typename T>
execute::Feed scalarFeed(std::string name, T value) {
  return {std::move(name), RuntimeValue(Tensor::scalar<T>(value))};
}

TestProviderPlan testPlan;
Result<std::unique_ptr<ExecutionProvider>> makePlanned(const ProviderRequest&) {
  return makeTestProvider(testPlan);
}
ProviderTable tableWithTestProvider() {
  return {{.name = testPlan.name, .displayName = "Test", .description = "", .create = makePlanned}, cpuProvider()};
}

std::vector<float> outputOf(const Result<execute::RunResult>& result, size_t index = 0) {
  return result ? floatsOf(result->outputs[index].value) : std::vector<float>{};
}

}  // namespace

class TestRun : public QObject {
  Q_OBJECT
 private slots:
  void numbersAreRight_data() {
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("value");
    QTest::addColumn<QString>("order");
    QTest::addColumn<int>("level");
    QTest::newRow("as it comes") << "" << "" << "default" << 3;
    QTest::newRow("unoptimized") << "" << "" << "default" << 0;
    QTest::newRow("fifo") << "" << "" << "fifo" << 3;
    QTest::newRow("priority") << "" << "" << "priority" << 3;
    QTest::newRow("no reuse") << "session.enable_mem_reuse" << "0" << "default" << 3;
    QTest::newRow("no pattern") << "session.enable_mem_pattern" << "0" << "default" << 3;
  }
  void numbersAreRight() {
    QFETCH(QString, key);
    QFETCH(QString, value);
    QFETCH(QString, order);
    QFETCH(int, level);
    session::SessionOptions options;
    if (!key.isEmpty()) options.config[key.toStdString()] = value.toStdString();
    options.order = order.toStdString();
    options.optimizationLevel = level;
    QVERIFY2(planViolations(kChain, options).empty(), planViolations(kChain, options).c_str());
    const auto session = textSession(kChain, options);
    QVERIFY2(session.has_value(), why(session).c_str());
    // Shapes change from run to run and come back: traced once, planned from then on.
    for (const int64_t rows : {1, 3, 1, 3, 2, 3}) {
      std::vector<float> x;
      std::vector<float> expectedY;
      std::vector<float> expectedH;
      for (int64_t i = 0; i < rows; ++i) {
        const float p = static_cast<float>(i) - 1.0f;
        const float q = 2.0f - static_cast<float>(i) * 0.5f;
        x.insert(x.end(), {p, q});
        const float a[2] = {std::max(p, 0.0f), std::max(q, 0.0f)};
        const float b[2] = {a[0] * 1 + a[1] * 3, a[0] * 2 + a[1] * 4};
        for (int j = 0; j < 2; ++j) {
          const float c = std::max(b[j], 0.0f);
          expectedH.push_back(c + b[j]);
          expectedY.push_back((c + b[j]) * c - (j == 0 ? p : q));
        }
      }
      const std::vector<execute::Feed> feeds{floatFeed("x", {rows, 2}, x)};
      const auto result = (*session)->run(feeds, {});
      QVERIFY2(result.has_value(), why(result).c_str());
      QCOMPARE(result->outputs[0].name, std::string("y"));
      QCOMPARE(outputOf(result, 0), expectedY);
      QCOMPARE(outputOf(result, 1), expectedH);
      QCOMPARE(floatsOf(feeds[0].value), x);
    }
  }

  // How often feeds with other shapes found a memory pattern, and how often one had to go.
  void patternsByShapesAreCounted() {
    for (const bool small : {false, true}) {
      session::SessionOptions options;
      if (small) options.config["memory.pattern_cache_capacity"] = "1";
      const auto session = textSession(kChain, options);
      QVERIFY2(session.has_value(), why(session).c_str());
      QCOMPARE((*session)->patternCache().hits + (*session)->patternCache().misses, int64_t{0});
      for (const int64_t rows : {2, 3, 2, 3})
        QVERIFY((*session)->run({floatFeed("x", {rows, 2}, std::vector<float>(static_cast<size_t>(rows) * 2))}, {}));
      const PatternCacheStatistics cache = (*session)->patternCache();
      QCOMPARE(cache.hits, int64_t{small ? 0 : 2});
      QCOMPARE(cache.misses, int64_t{small ? 4 : 2});
      QCOMPARE(cache.evictions, int64_t{small ? 3 : 0});
      QCOMPARE(cache.entries, int64_t{small ? 1 : 2});
      const auto report =
          session::measure(**session, {floatFeed("x", {3, 2}, std::vector<float>(6))}, {.runs = 1, .warmups = 0}, {});
      QVERIFY2(report, why(report).c_str());
      QCOMPARE(report->patternCache.misses, cache.misses);
    }
  }

  void outputsBelongToTheCaller() {
    const auto session = textSession(R"(<ir_version: 8, opset_import: ["" : 17]>
main (float[2] x) => (float[2] same, float[2] weight, float[1,2] view, float[2] y) <float[2] weight = {5,6}, int64[2] shape = {1,2}> {
  same = Identity (x)
  view = Reshape (x, shape)
  y = Add (x, weight)
})",
                                     {.optimizationLevel = 0});
    QVERIFY2(session.has_value(), why(session).c_str());
    const std::vector<execute::Feed> feeds{floatFeed("x", {2}, {1, 2})};
    auto first = (*session)->run(feeds, {});
    QVERIFY2(first.has_value(), why(first).c_str());
    QCOMPARE(outputOf(first, 1), (std::vector<float>{5, 6}));
    for (execute::Feed& output : first->outputs)
      std::fill_n(static_cast<float*>(output.value.tensor().mutableData()), 2, 99.0f);
    QCOMPARE(floatsOf(feeds[0].value), (std::vector<float>{1, 2}));
    const auto second = (*session)->run(feeds, {});
    QCOMPARE(outputOf(second, 0), (std::vector<float>{1, 2}));
    QCOMPARE(outputOf(second, 2), (std::vector<float>{1, 2}));
    QCOMPARE(outputOf(second, 3), (std::vector<float>{6, 8}));
  }

  // Of more than 32 MB; what the caller still holds stays as it is.
  void largeOutputsAreTakenAgain() {
    const auto session = textSession(R"(<ir_version: 8, opset_import: ["" : 17]>
main (float[1] x) => (float[10000000] y) <int64[1] shape = {10000000}> { y = Expand (x, shape) })");
    QVERIFY2(session.has_value(), why(session).c_str());
    const auto made = [&](float value) { return (*session)->run(std::vector{floatFeed("x", {1}, {value})}, {}); };
    const auto dataOf = [](const Result<execute::RunResult>& result) {
      return result->outputs[0].value.tensor().data();
    };
    const auto lastOf = [&](const Result<execute::RunResult>& result) {
      return static_cast<const float*>(dataOf(result))[9999999];
    };
    auto first = made(1);
    QVERIFY2(first.has_value(), why(first).c_str());
    const void* const place = dataOf(first);
    const auto second = made(2);
    QVERIFY(dataOf(second) != place);
    QCOMPARE(lastOf(first), 1.0f);
    QCOMPARE(lastOf(second), 2.0f);
    first = Result<execute::RunResult>(execute::RunResult());
    const auto third = made(3);
    QCOMPARE(dataOf(third), place);
    QCOMPARE(lastOf(third), 3.0f);
    QCOMPARE(lastOf(second), 2.0f);
  }

  void loopsRun_data() {
    QTest::addColumn<qint64>("trips");
    QTest::addColumn<bool>("condition");
    for (const qint64 trips : {0, 1, 2, 7})
      QTest::addRow("%lld trips", static_cast<long long>(trips)) << trips << true;
    QTest::newRow("condition false") << qint64{5} << false;
  }
  void loopsRun() {
    QFETCH(qint64, trips);
    QFETCH(bool, condition);
    QVERIFY2(planViolations(kLoop).empty(), planViolations(kLoop).c_str());
    const auto session = textSession(kLoop);
    QVERIFY2(session.has_value(), why(session).c_str());
    const std::vector<execute::Feed> feeds{scalarFeed<int64_t>("trips", trips), scalarFeed<bool>("cond", condition),
                                           floatFeed("start", {2}, {-1, 2}), floatFeed("step", {2}, {2, -3})};
    for (int repeat = 0; repeat < 3; ++repeat) {
      const auto result = (*session)->run(feeds, {});
      QVERIFY2(result.has_value(), why(result).c_str());
      const float times = condition ? static_cast<float>(trips) : 0.0f;
      const std::vector<float> last{-1 + 2 * times, 2 - 3 * times};
      QCOMPARE(outputOf(result, 1), last);
      QCOMPARE(outputOf(result, 0), (std::vector<float>{std::max(last[0], 0.0f), std::max(last[1], 0.0f)}));
      std::vector<float> all;
      for (float i = 1; i <= times; ++i)
        all.insert(all.end(), {(-1 + 2 * i) * 2, (2 - 3 * i) * -3});
      QCOMPARE(outputOf(result, 2), all);
      // No trips: the loop hands its feed on, and what follows must not write over it.
      QCOMPARE(floatsOf(feeds[2].value), (std::vector<float>{-1, 2}));
    }
  }

  void branchesRun() {
    QVERIFY2(planViolations(kIf).empty(), planViolations(kIf).c_str());
    const auto session = textSession(kIf);
    QVERIFY2(session.has_value(), why(session).c_str());
    for (const bool condition : {true, false, true, false}) {
      const std::vector<execute::Feed> feeds{scalarFeed<bool>("c", condition), floatFeed("x", {2}, {-3, 4})};
      const auto result = (*session)->run(feeds, {});
      QVERIFY2(result.has_value(), why(result).c_str());
      QCOMPARE(outputOf(result), condition ? (std::vector<float>{0, 0}) : (std::vector<float>{3, 0}));
    }
  }

  void nestedBodiesSeeOuterValues() {
    const char* text = R"(<ir_version: 8, opset_import: ["" : 17]>
main (int64 trips, bool cond, float[2] x) => (float[2] y) {
  base = Neg (x)
  y = Loop <body = outer (int64 i, bool go, float[2] s) => (bool again, float[2] out) {
      again = Identity (go)
      out = If <then_branch = yes () => (float[2] a) {
          inner = Mul (s, base)
          a = Add (inner, x)
        }, else_branch = no () => (float[2] b) {
          b = Identity (s)
        }> (go)
    }> (trips, cond, x)
})";
    QVERIFY2(planViolations(text).empty(), planViolations(text).c_str());
    const auto session = textSession(text);
    QVERIFY2(session.has_value(), why(session).c_str());
    const std::vector<execute::Feed> feeds{scalarFeed<int64_t>("trips", 2), scalarFeed<bool>("cond", true),
                                           floatFeed("x", {2}, {1, 2})};
    const auto result = (*session)->run(feeds, {.profile = true});
    QVERIFY2(result.has_value(), why(result).c_str());
    // s1 = x * -x + x; s2 = s1 * -x + x.
    QCOMPARE(outputOf(result), (std::vector<float>{1, 6}));
    bool sawTwoCalls = false;
    for (const NodeTiming& timing : result->timings)
      sawTwoCalls = sawTwoCalls || timing.calls == 2;
    QVERIFY(sawTwoCalls);
  }

  void symbolsThatLieAreFoundOut() {
    // Both inputs say "n" for dimensions that have nothing to do with each other: Concat makes the second "n" longer
    // than the first, behind the planner's back.
    const auto session = textSession(R"(<ir_version: 8, opset_import: ["" : 17]>
main (float[n] x) => (float[m] y) {
  a = Relu (x)
  b = Concat <axis = 0> (a, a)
  c = Sigmoid (b)
  d = Relu (c)
  y = Concat <axis = 0> (d, a)
})");
    QVERIFY2(session.has_value(), why(session).c_str());
    for (const int64_t n : {3, 5, 3}) {
      const auto result = (*session)->run({floatFeed("x", {n}, std::vector<float>(static_cast<size_t>(n), 1.0f))}, {});
      QVERIFY2(result.has_value(), why(result).c_str());
      QCOMPARE(outputOf(result).size(), static_cast<size_t>(3 * n));
      QCOMPARE(outputOf(result).back(), 1.0f);
    }
  }

  void valuesCanBeKept() {
    const auto session = textSession(kChain, {.optimizationLevel = 0});
    QVERIFY2(session.has_value(), why(session).c_str());
    const std::vector<execute::Feed> feeds{floatFeed("x", {1, 2}, {1, 1})};
    const auto some = (*session)->run(feeds, {.keepValues = {"b"}});
    QVERIFY2(some.has_value(), why(some).c_str());
    QCOMPARE(some->kept.size(), size_t{1});
    QCOMPARE(some->kept[0].name, std::string("b"));
    QCOMPARE(floatsOf(some->kept[0].value), (std::vector<float>{4, 6}));
    QCOMPARE((*session)->run(feeds, {.keepValues = {"all"}})->kept.size(), size_t{6});
    const auto unknown = (*session)->run(feeds, {.keepValues = {"nope"}});
    QCOMPARE(unknown.error().code, ErrorCode::kInvalidArgument);
    const auto chosen = (*session)->run(feeds, {.outputs = {"h"}});
    QCOMPARE(chosen->outputs.size(), size_t{1});
    QCOMPARE(chosen->outputs[0].name, std::string("h"));
    QCOMPARE((*session)->run(feeds, {.outputs = {"nope"}}).error().code, ErrorCode::kInvalidArgument);
  }

  // Between the two convolutions "a" lies channels last, cell after cell; who keeps it gets it as the model says.
  void keptValuesHaveTheModelsLayout() {
    QStringList weights;
    for (int i = 0; i < 64; ++i)
      weights << QString::number(0.1 * (i % 7) - 0.3, 'f', 1);
    const std::string text =
        "<ir_version: 8, opset_import: [\"\" : 17]>\nmain (float[1,8,2,1] x) => (float[1,8,2,1] y) <float[8,8,1,1] w = "
        "{" +
        weights.join(", ").toStdString() + "}> {\n  a = Conv (x, w)\n  y = Conv (a, w)\n}";
    std::vector<float> numbers(16);
    std::iota(numbers.begin(), numbers.end(), -5.0f);
    const std::vector<execute::Feed> feeds{floatFeed("x", {1, 8, 2, 1}, numbers)};
    std::vector<std::vector<float>> kept;
    for (const int level : {0, 3}) {
      const auto session = textSession(text, {.optimizationLevel = level});
      QVERIFY2(session.has_value(), why(session).c_str());
      const Graph& graph = (*session)->model().graph;
      QCOMPARE(graph.value(graph.findValue("a")).type.layout, level == 0 ? Layout::kPlain : Layout::kChannelsLast);
      const auto result = (*session)->run(feeds, {.keepValues = {"a"}});
      QVERIFY2(result.has_value(), why(result).c_str());
      kept.push_back(floatsOf(result->kept[0].value));
    }
    QCOMPARE(kept[0].size(), kept[1].size());
    for (size_t i = 0; i < kept[0].size(); ++i)
      QVERIFY(std::abs(kept[0][i] - kept[1][i]) < 1e-4f);
  }

  void defaultsOfInputsCanBeOverridden() {
    const auto session = textSession(R"(<ir_version: 8, opset_import: ["" : 17]>
main (float[2] x, float[2] w) => (float[2] y) <float[2] w = {10,20}> {
  y = Add (x, w)
})");
    QVERIFY2(session.has_value(), why(session).c_str());
    const execute::Feed x = floatFeed("x", {2}, {1, 2});
    QVERIFY(!(*session)->inputs()[1].required);
    QCOMPARE(outputOf((*session)->run({x}, {})), (std::vector<float>{11, 22}));
    QCOMPARE(outputOf((*session)->run({x, floatFeed("w", {2}, {1, 1})}, {})), (std::vector<float>{2, 3}));
    QCOMPARE(outputOf((*session)->run({x}, {})), (std::vector<float>{11, 22}));
  }

  void valuesCrossDevices() {
    testPlan = {.name = "npu", .ownDevice = true, .groups = {{"b", "c"}}};
    const auto cpu = cpuProvider().create({});
    testPlan.innerKernels = (*cpu)->kernels();
    const ProviderTable table = tableWithTestProvider();
    session::SessionOptions options;
    options.providers = {"npu"};
    options.optimizationLevel = 0;
    const std::string violations = planViolations(kChain, options, &table);
    QVERIFY2(violations.empty(), violations.c_str());
    const auto session = textSession(kChain, options, {}, &table);
    QVERIFY2(session.has_value(), why(session).c_str());
    QVERIFY(!(*session)->report()->partition->copies.empty());
    const auto plain = textSession(kChain, {.optimizationLevel = 0});
    for (const int64_t rows : {1, 4, 4}) {
      const auto feeds = session::randomFeeds(**session, static_cast<uint64_t>(rows), {{"n", rows}}, {});
      const auto result = (*session)->run(*feeds, {});
      QVERIFY2(result.has_value(), why(result).c_str());
      QCOMPARE(outputOf(result), outputOf((*plain)->run(*feeds, {})));
    }
  }

  void kernelErrorsNameTheirNode() {
    const auto session = textSession(R"(<ir_version: 8, opset_import: ["" : 17]>
main (float[n] x, int64[k] shape) => (float[m] y) {
  h = Relu (x)
  [my_reshape] y = Reshape (h, shape)
})");
    QVERIFY2(session.has_value(), why(session).c_str());
    Tensor shape = *Tensor::create(ElementType::kInt64, {1});
    shape.span<int64_t>()[0] = 7;
    const std::vector<execute::Feed> bad{floatFeed("x", {4}, {1, 2, 3, 4}), {"shape", RuntimeValue(shape)}};
    const auto result = (*session)->run(bad, {});
    QVERIFY(!result.has_value());
    QCOMPARE(result.error().where.node, std::string("my_reshape"));
    QVERIFY2(result.error().message.find("Reshape 'my_reshape'") != std::string::npos, result.error().message.c_str());
    // The frame is as good as new afterwards.
    Tensor good = *Tensor::create(ElementType::kInt64, {1});
    good.span<int64_t>()[0] = 4;
    QCOMPARE(outputOf((*session)->run({bad[0], {"shape", RuntimeValue(good)}}, {})), (std::vector<float>{1, 2, 3, 4}));
  }

  void cancelStopsARunningLoop() {
    const auto session = textSession(kLoop);
    QVERIFY2(session.has_value(), why(session).c_str());
    const std::vector<execute::Feed> feeds{scalarFeed<int64_t>("trips", int64_t{1} << 40),
                                           scalarFeed<bool>("cond", true), floatFeed("start", {2}, {0, 0}),
                                           floatFeed("step", {2}, {1, 1})};
    execute::RunOptions options;
    std::thread canceller([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      options.cancel.cancel();
    });
    // Its 2^40 iterations would take days: that it ends is the answer to the cancellation.
    const auto result = (*session)->run(feeds, options);
    canceller.join();
    QVERIFY(!result.has_value());
    QCOMPARE(result.error().code, ErrorCode::kFail);
  }

  void manyThreadsRunAtOnce() {
    const auto session = textSession(kChain, {.threads = 1});
    const auto loop = textSession(kLoop, {.threads = 1});
    QVERIFY2(session.has_value() && loop.has_value(), why(session).c_str());
    std::vector<std::thread> threads;
    std::atomic<int> wrong{0};
    for (int thread = 0; thread < 8; ++thread) {
      threads.emplace_back([&, thread] {
        for (int i = 0; i < 100; ++i) {
          const int64_t rows = 1 + (thread + i) % 5;
          const auto feeds = session::randomFeeds(**session, static_cast<uint64_t>(thread), {{"n", rows}}, {});
          const auto once = (*session)->run(*feeds, {});
          const auto again = (*session)->run(*feeds, {});
          if (!once || !again || outputOf(once) != outputOf(again)) ++wrong;
          const float start = static_cast<float>(thread);
          const auto looped = (*loop)->run({scalarFeed<int64_t>("trips", 3), scalarFeed<bool>("cond", true),
                                            floatFeed("start", {2}, {start, start}), floatFeed("step", {2}, {1, 2})},
                                           {});
          if (outputOf(looped, 1) != std::vector<float>{start + 3, start + 6}) ++wrong;
        }
      });
    }
    for (std::thread& thread : threads)
      thread.join();
    QCOMPARE(wrong.load(), 0);
  }
};

QTEST_GUILESS_MAIN(TestRun)
#include "tst_run.moc"
