// The dataflow executor against the sequential one: the same bits on random graphs, bodies, open shapes, partial
// fetches; errors, cancellation, and when it is not used at all.

#include <cstring>
#include <thread>

#include <QTest>

#include "engine/base/clock.h"
#include "tests/unit/engine/session/branching_text.h"
#include "tests/unit/engine/session/text_session.h"

using namespace cutaway;

namespace {

session::SessionOptions withWorkers(int workers, int level = 0) {
  session::SessionOptions options;
  options.executor = "dataflow";
  options.interThreads = workers;
  options.threads = workers;  // one thread a worker, as the sequential session that is compared with
  options.optimizationLevel = level;
  return options;
}

session::SessionOptions sequential(int level = 0) {
  session::SessionOptions options;
  options.threads = 1;
  options.optimizationLevel = level;
  return options;
}

std::vector<execute::Feed> feedsFor(bool flag, int64_t batch = 8) {
  Tensor x = *Tensor::create(ElementType::kFloat, {batch, 16});
  float value = 0.1f;
  for (float& each : x.span<float>())
    each = value = 1.0f - 1.9f * value * value;
  return {{"x", RuntimeValue(std::move(x))}, {"flag", RuntimeValue(Tensor::scalar<bool>(flag))}};
}

bool sameBits(const RuntimeValue& a, const RuntimeValue& b) {
  if (!a.isTensor() || !b.isTensor() || !(a.tensor().dims() == b.tensor().dims())) return false;
  return a.tensor().sizeBytes() == 0 ||
         std::memcmp(a.tensor().data(), b.tensor().data(), static_cast<size_t>(a.tensor().sizeBytes())) == 0;
}

// Names of outputs that differ; empty when all are the same.
std::string differences(const std::vector<execute::Feed>& a, const std::vector<execute::Feed>& b) {
  if (a.size() != b.size()) return "another number of outputs";
  std::string names;
  for (size_t i = 0; i < a.size(); ++i)
    if (a[i].name != b[i].name || !sameBits(a[i].value, b[i].value)) names += a[i].name + " ";
  return names;
}

constexpr const char* kTwoBranches = R"(<ir_version: 8, opset_import: ["" : 17]>
main (float[4,4] x) => (float[4,4] y) {
  [a] a = Relu (x)
  [b] b = Tanh (a)
  [c] c = Sigmoid (x)
  [d] d = Neg (c)
  [y] y = Add (b, d)
})";

constexpr const char* kChain = R"(<ir_version: 8, opset_import: ["" : 17]>
main (float[4,4] x) => (float[4,4] y) {
  a = Relu (x)
  b = Tanh (a)
  y = Neg (b)
})";

constexpr const char* kLoops = R"(<ir_version: 8, opset_import: ["" : 17]>
main (int64 trips, bool cond, float[64] x) => (float[64] y) {
  [one] p = Loop <body = first (int64 i, bool go, float[64] s) => (bool again, float[64] t) {
      again = Identity (go)
      t = Tanh (s)
    }> (trips, cond, x)
  n = Neg (x)
  [two] q = Loop <body = second (int64 j, bool go2, float[64] u) => (bool again2, float[64] w) {
      again2 = Identity (go2)
      w = Sub (u, x)
    }> (trips, cond, n)
  y = Add (p, q)
})";

std::vector<execute::Feed> loopFeeds(int64_t trips) {
  std::vector<float> values(64, 0.25f);
  return {{"trips", RuntimeValue(Tensor::scalar<int64_t>(trips))},
          {"cond", RuntimeValue(Tensor::scalar<bool>(true))},
          floatFeed("x", {64}, values)};
}

}  // namespace

class TestDataflow : public QObject {
  Q_OBJECT
 private slots:
  void sameBitsAsSequential_data() {
    QTest::addColumn<int>("seed");
    QTest::addColumn<int>("workers");
    QTest::addColumn<bool>("open");
    for (int seed = 0; seed < 24; ++seed)
      for (const int workers : {2, 4})
        QTest::addRow("seed %d, %d workers%s", seed, workers, seed % 3 == 2 ? ", open batch" : "")
            << seed << workers << (seed % 3 == 2);
  }
  void sameBitsAsSequential() {
    QFETCH(int, seed);
    QFETCH(int, workers);
    QFETCH(bool, open);
    const std::string text = branchingText(static_cast<uint32_t>(seed), {.nodes = 20 + seed * 4, .openBatch = open});
    const int level = seed % 2 == 0 ? 0 : 3;
    const auto one = textSession(text, sequential(level)), many = textSession(text, withWorkers(workers, level));
    QVERIFY2(one.has_value(), why(one).c_str());
    QVERIFY2(many.has_value(), why(many).c_str());
    QVERIFY2((*many)->workers() == workers, (*many)->executorReason().c_str());
    for (const int64_t batch : {8, 3, 8}) {
      if (!open && batch != 8) continue;
      for (const bool flag : {true, false}) {
        const std::vector<execute::Feed> feeds = feedsFor(flag, batch);
        const auto expected = (*one)->run(feeds, {});
        QVERIFY2(expected.has_value(), why(expected).c_str());
        for (int round = 0; round < 6; ++round) {
          const auto got = (*many)->run(feeds, {});
          QVERIFY2(got.has_value(), why(got).c_str());
          QVERIFY2(differences(expected->outputs, got->outputs).empty(),
                   differences(expected->outputs, got->outputs).c_str());
        }
      }
    }
  }

  void loopsRunSideBySide() {
    const auto one = textSession(kLoops, sequential()), many = textSession(kLoops, withWorkers(2));
    QVERIFY2(many.has_value(), why(many).c_str());
    const auto expected = (*one)->run(loopFeeds(50), {}), got = (*many)->run(loopFeeds(50), {});
    QVERIFY2(got.has_value(), why(got).c_str());
    QVERIFY(differences(expected->outputs, got->outputs).empty());
  }

  void keptValuesAndPartialFetches() {
    const std::string text = branchingText(5, {.nodes = 40, .bodies = false});
    const auto one = textSession(text, sequential()), many = textSession(text, withWorkers(2));
    QVERIFY2(many.has_value(), why(many).c_str());
    const std::vector<execute::Feed> feeds = feedsFor(true);
    execute::RunOptions options;
    options.keepValues = {"all"};
    const auto expected = (*one)->run(feeds, options);
    QVERIFY2(expected.has_value(), why(expected).c_str());
    std::map<std::string, RuntimeValue> byName;
    for (const execute::Feed& kept : expected->kept)
      byName[kept.name] = kept.value;
    for (int round = 0; round < 5; ++round) {
      const auto got = (*many)->run(feeds, options);
      QVERIFY2(got.has_value(), why(got).c_str());
      QCOMPARE(got->kept.size(), expected->kept.size());
      for (const execute::Feed& kept : got->kept)
        QVERIFY2(sameBits(kept.value, byName[kept.name]), kept.name.c_str());
    }
    for (const execute::Feed& output : expected->outputs) {
      execute::RunOptions partial;
      partial.outputs = {output.name};
      const auto got = (*many)->run(feeds, partial);
      QVERIFY2(got.has_value(), why(got).c_str());
      QCOMPARE(got->outputs.size(), size_t{1});
      QVERIFY2(sameBits(got->outputs[0].value, output.value), output.name.c_str());
    }
    const auto all = (*many)->run(feeds, {});
    QVERIFY(all && differences(expected->outputs, all->outputs).empty());
  }

  void profileHasEveryStep() {
    const auto session = textSession(kTwoBranches, withWorkers(2));
    QVERIFY2(session.has_value(), why(session).c_str());
    execute::RunOptions options;
    options.profile = true;
    const auto result = (*session)->run(*session::randomFeeds(**session, 1, {}, {}), options);
    QVERIFY2(result.has_value(), why(result).c_str());
    QCOMPARE(result->timings.size(), size_t{5});
  }

  void errorsNameTheirNodeAndTheSessionGoesOn() {
    const auto session = textSession(R"(<ir_version: 8, opset_import: ["" : 17]>
main (float[n] x, int64[m] at) => (float[n] y, float[m] z) {
  a = Relu (x)
  y = Tanh (a)
  b = Sigmoid (x)
  [bad] z = Gather (b, at)
})",
                                     withWorkers(2));
    QVERIFY2(session.has_value(), why(session).c_str());
    const auto feeds = [](int64_t index) {
      const std::vector<int64_t> at{index};
      return std::vector<execute::Feed>{floatFeed("x", {3}, {1, 2, 3}), {"at", RuntimeValue(Tensor::of<int64_t>(at))}};
    };
    for (int round = 0; round < 20; ++round) {
      const auto failed = (*session)->run(feeds(99), {});
      QVERIFY(!failed.has_value());
      QCOMPARE(failed.error().where.node, std::string("bad"));
      QVERIFY2(failed.error().message.find("Gather 'bad'") != std::string::npos, failed.error().message.c_str());
      const auto good = (*session)->run(feeds(1), {});
      QVERIFY2(good.has_value(), why(good).c_str());
    }
  }

  void cancelAndDeadlineEndARun() {
    const auto session = textSession(kLoops, withWorkers(2));
    QVERIFY2(session.has_value(), why(session).c_str());
    execute::RunOptions options;
    std::jthread other([token = options.cancel] {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      token.cancel();
    });
    const auto cancelled = (*session)->run(loopFeeds(1'000'000'000'000), options);
    QVERIFY(!cancelled.has_value());
    QCOMPARE(cancelled.error().message, std::string("the run was cancelled"));
    execute::RunOptions late;
    late.deadlineNs = 20'000'000;
    const auto ended = (*session)->run(loopFeeds(1'000'000'000'000), late);
    QVERIFY(!ended.has_value());
    QCOMPARE(ended.error().message, std::string("the run took longer than its deadline"));
    QVERIFY((*session)->run(loopFeeds(3), {}).has_value());
  }

  void saysWhyItIsNotUsed_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("threads");
    QTest::addColumn<int>("workers");
    QTest::addColumn<QString>("reason");
    QTest::newRow("chain") << kChain << 2 << 2 << "sequential: every node waits for the one before it";
    QTest::newRow("one thread") << kTwoBranches << 1 << 0 << "sequential: there is one thread, and so one worker";
    QTest::newRow("one worker") << kTwoBranches << 2 << 1 << "sequential: one worker was requested";
    QTest::newRow("tiny nodes")
        << kTwoBranches << 2 << 0
        << "sequential: a node takes about 0.0 µs, and handing out nodes below 5 µs costs more than it saves";
  }
  void saysWhyItIsNotUsed() {
    QFETCH(QString, text);
    QFETCH(int, threads);
    QFETCH(int, workers);
    QFETCH(QString, reason);
    session::SessionOptions options = withWorkers(workers);
    options.threads = threads;
    const auto session = textSession(text.toStdString(), options);
    QVERIFY2(session.has_value(), why(session).c_str());
    QCOMPARE((*session)->executor(), std::string("sequential"));
    QCOMPARE(QString::fromStdString((*session)->executorReason()), reason);
    QCOMPARE((*session)->workers(), 1);
  }

  void takesAsManyWorkersAsPay() {
    std::string text = "<ir_version: 8, opset_import: [\"\" : 17]>\nmain (float[512,512] x) => (float[512,512] y) {\n";
    for (int branch = 0; branch < 2; ++branch)
      text += fmt::format("  a{0} = MatMul (x, x)\n  b{0} = {1} (a{0})\n  c{0} = MatMul (b{0}, b{0})\n", branch,
                          branch == 0 ? "Relu" : "Tanh");
    text += "  y = Add (c0, c1)\n}";
    session::SessionOptions options = withWorkers(0);
    options.threads = 8;
    const auto session = textSession(text, options);
    QVERIFY2(session.has_value(), why(session).c_str());
    QCOMPARE((*session)->workers(), 2);
    QCOMPARE((*session)->executor(), std::string("dataflow, 2 workers"));
    QVERIFY2((*session)->executorReason().starts_with("dataflow: all work is "), (*session)->executorReason().c_str());
  }
};

QTEST_GUILESS_MAIN(TestDataflow)
#include "tst_dataflow.moc"
