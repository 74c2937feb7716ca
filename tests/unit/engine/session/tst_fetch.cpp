// Partial fetches: what runs, what is released, what is refused; memory limits; memory as sessions show it.

#include <array>
#include <cmath>

#include <QTest>

#include "engine/base/format.h"
#include "engine/session/io_binding.h"
#include "engine/tensor/heap_limit.h"
#include "tests/unit/engine/session/text_session.h"

using namespace cutaway;

namespace {

// Two branches that meet nowhere, and one behind the first.
constexpr const char* kBranches = R"(<ir_version: 8, opset_import: ["" : 17]>
main (float[n,8] x) => (float[n,8] left, float[n,8] right, float[n,8] behind) {
  [l1] l1 = Relu (x)
  [l2] left = Sigmoid (l1)
  [r1] r1 = Neg (x)
  [r2] r2 = Tanh (r1)
  [r3] right = Mul (r2, r1)
  [b1] b1 = Exp (l1)
  [b2] behind = Add (b1, l1)
})";

std::vector<int32_t> stepsRun(const execute::RunResult& result) {
  std::vector<int32_t> steps;
  for (const NodeTiming& timing : result.timings)
    steps.push_back(timing.node);
  return steps;
}

session::SessionOptions plain(int64_t memoryLimitBytes = 0) {
  session::SessionOptions options;
  options.threads = 1;
  options.optimizationLevel = 0;
  options.memoryLimitBytes = memoryLimitBytes;
  return options;
}

execute::Feed wide(int64_t rows, float value = 0.5f) {
  return floatFeed("x", {rows, 8}, std::vector<float>(static_cast<size_t>(rows * 8), value));
}

}  // namespace

class TestFetch : public QObject {
  Q_OBJECT
 private slots:
  void onlyWhatIsNeededRuns_data() {
    QTest::addColumn<QStringList>("outputs");
    QTest::addColumn<int>("nodes");
    QTest::newRow("left") << QStringList{"left"} << 2;
    QTest::newRow("right") << QStringList{"right"} << 3;
    QTest::newRow("behind") << QStringList{"behind"} << 3;
    QTest::newRow("two of them") << QStringList{"behind", "left"} << 4;
    QTest::newRow("all, in another order") << QStringList{"behind", "right", "left"} << 7;
    QTest::newRow("all") << QStringList{} << 7;
  }
  void onlyWhatIsNeededRuns() {
    QFETCH(QStringList, outputs);
    QFETCH(int, nodes);
    const auto session = textSession(kBranches, plain());
    QVERIFY2(session.has_value(), why(session).c_str());
    const auto all = (*session)->run({wide(3)}, {});
    QVERIFY2(all.has_value(), why(all).c_str());
    execute::RunOptions options;
    options.profile = true;
    for (const QString& name : outputs)
      options.outputs.push_back(name.toStdString());
    for (int repeat = 0; repeat < 3; ++repeat) {
      const auto result = (*session)->run({wide(3)}, options);
      QVERIFY2(result.has_value(), why(result).c_str());
      QCOMPARE(stepsRun(*result).size(), static_cast<size_t>(nodes));
      QCOMPARE(result->outputs.size(), outputs.isEmpty() ? size_t{3} : static_cast<size_t>(outputs.size()));
      for (size_t i = 0; i < result->outputs.size(); ++i) {
        const execute::Feed& output = result->outputs[i];
        if (!outputs.isEmpty()) QCOMPARE(output.name, outputs[static_cast<int>(i)].toStdString());
        for (const execute::Feed& expected : all->outputs) {
          if (expected.name == output.name) QCOMPARE(floatsOf(output.value), floatsOf(expected.value));
        }
      }
    }
  }

  void manySetsShareOneSession() {
    const auto session = textSession(kBranches, plain());
    QVERIFY2(session.has_value(), why(session).c_str());
    const char* names[] = {"left", "right", "behind"};
    for (int i = 0; i < 60; ++i) {
      execute::RunOptions options;
      for (int bit = 0; bit < 3; ++bit) {
        if (((i % 7 + 1) >> bit & 1) != 0) options.outputs.emplace_back(names[bit]);
      }
      if (i % 2 == 1) std::ranges::reverse(options.outputs);
      const auto result = (*session)->run({wide(1 + i % 3, 1.0f)}, options);
      QVERIFY2(result.has_value(), why(result).c_str());
      QCOMPARE(result->outputs.size(), options.outputs.size());
      for (const execute::Feed& output : result->outputs) {
        const float expected = output.name == "left"    ? 1 / (1 + std::exp(-1.0f))
                               : output.name == "right" ? std::tanh(-1.0f) * -1
                                                        : std::exp(1.0f) + 1;
        QVERIFY(std::abs(floatsOf(output.value)[0] - expected) < 1e-4f);
      }
    }
  }

  void keptValuesRunToo() {
    const auto session = textSession(kBranches, plain());
    QVERIFY2(session.has_value(), why(session).c_str());
    const auto result = (*session)->run({wide(2)}, {.profile = true, .keepValues = {"r2"}, .outputs = {"left"}});
    QVERIFY2(result.has_value(), why(result).c_str());
    QCOMPARE(stepsRun(*result).size(), size_t{4});
    QCOMPARE(result->kept.size(), size_t{1});
    QCOMPARE(result->kept[0].name, std::string("r2"));
    QCOMPARE(result->outputs.size(), size_t{1});
    // "all" is all that runs.
    QCOMPARE((*session)->run({wide(2)}, {.keepValues = {"all"}, .outputs = {"left"}})->kept.size(), size_t{2});
  }

  void wrongNamesAreTold() {
    const auto session = textSession(kBranches, plain());
    QVERIFY2(session.has_value(), why(session).c_str());
    const auto unknown = (*session)->run({wide(1)}, {.tag = "t7", .outputs = {"lefd"}});
    QCOMPARE(unknown.error().code, ErrorCode::kInvalidArgument);
    QCOMPARE(unknown.error().message, std::string("run 't7': the model has no output 'lefd'; did you mean 'left'?"));
    const auto twice = (*session)->run({wide(1)}, {.outputs = {"left", "left"}});
    QCOMPARE(twice.error().message, std::string("output 'left' is asked for twice"));
    const auto fed = (*session)->run({wide(1), wide(1)}, {});
    QCOMPARE(fed.error().message, std::string("input 'x' is fed twice"));
    const auto other = (*session)->run({floatFeed("imputs", {1, 8}, std::vector<float>(8))}, {});
    QCOMPARE(other.error().message, std::string("the model has no input 'imputs'; its inputs are 'x'"));
    QCOMPARE((*session)->run({}, {}).error().code, ErrorCode::kInvalidArgument);
    QVERIFY((*session)->run({wide(1)}, {}).has_value());
  }

  void bodiesRunInPart() {
    const auto session = textSession(R"(<ir_version: 8, opset_import: ["" : 17]>
main (bool c, float[2] x) => (float[2] y, float[2] other) {
  t = Neg (x)
  u = Exp (x)
  r = If <then_branch = yes () => (float[2] a) {
      a = Add (t, x)
    }, else_branch = no () => (float[2] b) {
      b = Mul (t, t)
    }> (c)
  y = Relu (r)
  other = Mul (u, t)
})",
                                     plain());
    QVERIFY2(session.has_value(), why(session).c_str());
    for (const bool condition : {false, true, false}) {
      const std::vector<execute::Feed> feeds{{"c", RuntimeValue(Tensor::scalar<bool>(condition))},
                                             floatFeed("x", {2}, {-3, 4})};
      const auto result = (*session)->run(feeds, {.profile = true, .outputs = {"y"}});
      QVERIFY2(result.has_value(), why(result).c_str());
      QCOMPARE(floatsOf(result->outputs[0].value),
               condition ? (std::vector<float>{0, 0}) : (std::vector<float>{9, 16}));
      for (const NodeTiming& timing : result->timings)
        QVERIFY(timing.graph != 0 ||
                (*session)->model().graph.node(NodeId{static_cast<size_t>(timing.node)}).opType != "Exp");
    }
  }

  // Every limit from nothing upwards: a refusal with its figures, or the right answer; never anything else, and the
  // session works again afterwards.
  void everyMemoryLimitIsKept() {
    const char* fixed = R"(<ir_version: 8, opset_import: ["" : 17]>
main (float[64,8] x) => (float[64,8] y) {
  a = Exp (x)
  b = Neg (x)
  c = Mul (a, b)
  y = Add (c, a)
})";
    int refused = 0;
    int run = 0;
    for (const bool open : {false, true}) {
      for (int64_t limit = 1; limit < 24'000; limit += 997) {
        std::string text = fixed;
        if (open) text.replace(text.find("64,8"), 2, "n"), text.replace(text.find("64,8"), 2, "m");
        const auto session = textSession(text, plain(limit));
        QVERIFY2(session.has_value(), why(session).c_str());
        for (int repeat = 0; repeat < 4; ++repeat) {
          const auto result = (*session)->run({wide(64, 1.0f)}, {});
          QVERIFY((*session)->memory().activationsBytes + (*session)->memory().arenaBytes +
                      (*session)->memory().workspaceBytes <=
                  limit);
          if (result) {
            ++run;
            QVERIFY(std::abs(floatsOf(result->outputs[0].value)[5]) < 1e-5f);
            continue;
          }
          ++refused;
          QCOMPARE(result.error().code, ErrorCode::kFail);
          QVERIFY2(result.error().message.find("limit") != std::string::npos, result.error().message.c_str());
          QVERIFY2(result.error().message.find(std::to_string(limit)) != std::string::npos,
                   result.error().message.c_str());
          // A run that needs less still runs.
          if (open && limit > 4000) QVERIFY((*session)->run({wide(1, 1.0f)}, {}).has_value());
        }
      }
    }
    QVERIFY(refused > 0);
    QVERIFY(run > 0);
  }

  void theLimitIsToldWithThePeak() {
    const auto session = textSession(R"(<ir_version: 8, opset_import: ["" : 17]>
main (float[256] x) => (float[256] y) {
  a = Exp (x)
  y = Mul (a, x)
})",
                                     plain(1500));
    QVERIFY2(session.has_value(), why(session).c_str());
    const execute::Feed x = floatFeed("x", {256}, std::vector<float>(256, 1.0f));
    const auto result = (*session)->run({x}, {});
    QCOMPARE(result.error().message,
             std::string("the run needs 2048 bytes at its peak (1024 planned, 0 in bodies, 1024 for outputs), which is "
                         "above the memory limit of 1500 bytes; raise it, or bind outputs to memory of your own"));
    QVERIFY(result.error().byPolicy);
    // In the caller's memory the output costs nothing.
    session::IoBinding binding(**session);
    QVERIFY(binding.bindInput("x", x.value).has_value());
    QVERIFY(binding.bindOutput("y", *Tensor::create(ElementType::kFloat, {256})).has_value());
    const auto bound = (*session)->run(binding, {});
    QVERIFY2(bound.has_value(), why(bound).c_str());
  }

  void theLimitBindsWhatGrows_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<bool>("isText");
    const char* const kHead = "<ir_version: 10, opset_import: [\"\" : 21]>\n";
    const auto row = [&](const char* name, bool isText, const char* text) {
      QTest::newRow(name) << QByteArray(kHead).append(text) << isText;
    };
    row("texts that double", true, R"(main (string[1] x) => (string[1] y) {
      a = StringConcat (x, x)
      b = StringConcat (a, a)
      c = StringConcat (b, b)
      y = StringConcat (c, c)
    })");
    row("texts beside each other", true, R"(main (string[1] x) => (string[1] y) {
      a = StringConcat (x, x)
      b = StringConcat (x, x)
      c = StringConcat (a, b)
      y = StringConcat (c, x)
    })");
    row("texts that are repeated", true, R"(main (string[1] x) => (string[16] y) <int64[1] count = {16}> {
      y = Expand (x, count)
    })");
    row("a sequence in a loop", false, R"(main (float[256] x) => (int64[] y) <int64[] trips = {16}, bool[] on = {1}> {
      none = SequenceEmpty ()
      all = Loop <body = b (int64[] i, bool[] goes, seq(float[n]) s) => (bool[] next, seq(float[n]) t) {
        next = Identity (goes)
        t = SequenceInsert (s, x)
      }> (trips, on, none)
      y = SequenceLength (all)
    })");
    row("pieces of a tensor", false, R"(main (float[256] x) => (int64[] y) {
      pieces = SplitToSequence (x)
      y = SequenceLength (pieces)
    })");
  }
  // What no plan knows of: it comes to be while the model runs.
  void theLimitBindsWhatGrows() {
    QFETCH(QByteArray, text);
    QFETCH(bool, isText);
    const std::array<std::string, 1> word{std::string(1024, 'a')};
    const execute::Feed feed = isText ? execute::Feed{"x", Tensor::of(std::span<const std::string>(word))}
                                      : floatFeed("x", {256}, std::vector<float>(256, 1.0f));
    for (const int workers : {1, 2}) {
      session::SessionOptions limited = plain(8'000), free = plain();
      limited.interThreads = free.interThreads = workers;
      const auto wide = textSession(text.toStdString(), free);
      QVERIFY2(wide, why(wide).c_str());
      const auto unlimited = (*wide)->run({feed}, {});
      QVERIFY2(unlimited, why(unlimited).c_str());
      const auto narrow = textSession(text.toStdString(), limited);
      QVERIFY2(narrow, why(narrow).c_str());
      const auto refused = (*narrow)->run({feed}, {});
      QVERIFY(!refused);
      QVERIFY2(refused.error().byPolicy, why(refused).c_str());
      QVERIFY2(refused.error().message.find("the memory limit is 8000 bytes") != std::string::npos,
               why(refused).c_str());
    }
  }

  // What was made under the limit before, and what another session holds, counts as well.
  void oneLimitForAll() {
    const HeapLimit limit(60'000);
    const auto first = textSession(kBranches, plain(60'000)), second = textSession(kBranches, plain(60'000));
    QVERIFY(first && second);
    const execute::Feed small = wide(100);
    QVERIFY((*first)->run({small}, {}));
    const auto left = HeapLimit::budget()->limitBytes() - HeapLimit::budget()->heldBytes();
    QVERIFY(left < 60'000);
    {
      const Tensor aside = Tensor::create(ElementType::kUint8, std::vector<int64_t>{left - 100}).value();
      const auto refused = (*second)->run({small}, {});
      QVERIFY(!refused && refused.error().byPolicy);
      QVERIFY2(refused.error().message.find("60000 bytes") != std::string::npos, why(refused).c_str());
      QVERIFY2(refused.error().message.find("are taken by inputs, constants and other sessions") != std::string::npos,
               why(refused).c_str());
    }
    QVERIFY((*second)->run({small}, {}));
  }

  void shrinkingGivesMemoryBack() {
    for (const bool always : {false, true}) {
      session::SessionOptions options = plain();
      options.config["session.enable_mem_pattern"] = "0";  // everything comes from the arena
      if (always) options.config["memory.enable_memory_arena_shrinkage"] = "cpu:0";
      const auto session = textSession(kBranches, options);
      QVERIFY2(session.has_value(), why(session).c_str());
      execute::RunOptions run;
      run.shrinkMemory = !always;
      for (int repeat = 0; repeat < 3; ++repeat) {
        QVERIFY((*session)->run({wide(100)}, run).has_value());
        const MemoryBreakdown memory = (*session)->memory();
        QCOMPARE(memory.activationsBytes + memory.arenaBytes + memory.workspaceBytes, int64_t{0});
        QVERIFY(memory.peakBytes > 0);
      }
      QVERIFY((*session)->arena().shrinkages > 0);
    }
  }

  // The arena that is only counted holds what the real one does.
  void arenasHoldWhatWasForecast_data() {
    QTest::addColumn<QString>("growth");
    QTest::newRow("next power of two") << "kNextPowerOfTwo";
    QTest::newRow("same as requested") << "kSameAsRequested";
  }
  void arenasHoldWhatWasForecast() {
    QFETCH(QString, growth);
    constexpr const char* kText = R"(<ir_version: 8, opset_import: ["" : 17]>
main (float[600,400] x) => (float[600,800] y, float[400,600] z) {
  a = Abs (x)
  b = Exp (a)
  c = Add (b, x)
  d = Concat <axis = 1> (b, c)
  e = Transpose <perm = [1, 0]> (c)
  f = Exp (e)
  z = Neg (f)
  y = Abs (d)
})";
    session::SessionOptions options = plain();
    options.config["session.enable_mem_pattern"] = "0";
    options.config["memory.arena_extend_strategy"] = growth.toStdString();
    const auto session = textSession(kText, options);
    QVERIFY2(session.has_value(), why(session).c_str());
    const PatternReport& report = *(*session)->report()->pattern;
    QVERIFY(!report.eligible);
    QVERIFY2(report.reason.find("session.enable_mem_pattern") != std::string::npos &&
                 report.reason.find("simulated") != std::string::npos,
             report.reason.c_str());
    QVERIFY(report.graphs.at(0).blocks.empty());
    QCOMPARE((*session)->plannedPeakBytes(), int64_t{0});
    for (int repeat = 0; repeat < 2; ++repeat) {
      QVERIFY((*session)->run({floatFeed("x", {600, 400}, std::vector<float>(240000))}, {}).has_value());
      QCOMPARE((*session)->arena().heldBytes, report.peakBytes);
    }
    QVERIFY(report.peakBytes >= report.lowerBoundBytes);
    const std::string inUse = formatBytes((*session)->arena().peakInUseBytes);
    QVERIFY2(report.reason.find("at most " + inUse) != std::string::npos, report.reason.c_str());
  }

  void withoutTheArenaNothingIsKept() {
    session::SessionOptions options = plain();
    options.config["session.enable_mem_pattern"] = "0";
    options.config["session.enable_cpu_mem_arena"] = "0";
    const auto session = textSession(kBranches, options);
    QVERIFY2(session.has_value(), why(session).c_str());
    QVERIFY((*session)->run({wide(100)}, {}).has_value());
    QCOMPARE((*session)->memory().arenaBytes, int64_t{0});
    QVERIFY((*session)->memory().peakBytes > 0);
    options.config["session.enable_cpu_mem_arena"] = "perhaps";
    QVERIFY(!textSession(kBranches, options));
  }

  void memoryIsShownByPurpose() {
    constexpr const char* kText = R"(<ir_version: 8, opset_import: ["" : 17]>
main (float[n,4] x) => (float[n,4] y) <float[4,4] w = {1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16}> {
  a = MatMul (x, w)
  b = Abs (a)
  y = MatMul (b, w)
})";
    session::SessionOptions unplanned = plain();
    unplanned.config["session.enable_mem_pattern"] = "0";
    const auto byArena = textSession(kText, unplanned);
    QVERIFY2(byArena.has_value(), why(byArena).c_str());
    QVERIFY((*byArena)->run({floatFeed("x", {2, 4}, std::vector<float>(8))}, {}).has_value());
    QVERIFY((*byArena)->arena().allocations > 0);
    QVERIFY((*byArena)->memory().arenaBytes > 0);
    const auto session = textSession(kText, plain());
    QVERIFY2(session.has_value(), why(session).c_str());
    QVERIFY((*session)->run({floatFeed("x", {2, 4}, std::vector<float>(8))}, {}).has_value());
    QCOMPARE((*session)->memory().weightsBytes, int64_t{64});
    QVERIFY((*session)->memory().residentWeightsBytes >= 0);
    // Shapes of feeds tell every size: planned before the first run, nothing comes from the arena.
    QVERIFY((*session)->memory().activationsBytes > 0);
    QCOMPARE((*session)->arena().allocations, int64_t{0});
    QCOMPARE((*session)->arena().inUseBytes, int64_t{0});
  }
};

QTEST_GUILESS_MAIN(TestFetch)
#include "tst_fetch.moc"
