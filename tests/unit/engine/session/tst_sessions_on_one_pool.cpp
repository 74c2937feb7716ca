// Sessions of eight threads each on the one pool: all of them run at the same time, some runs are cancelled in the
// middle, others come and go meanwhile. Every run that is not cancelled has the bits of a session with one thread.
// Meant for the thread sanitizer as much as for its own checks.

#include <atomic>
#include <cstring>
#include <thread>

#include <QTest>

#include "engine/base/thread_pool.h"
#include "engine/graph/text.h"
#include "tests/unit/engine/session/branching_text.h"
#include "tests/unit/engine/session/plain_cpu.h"
#include "tests/unit/engine/session/text_session.h"

using namespace cutaway;

namespace {

constexpr int kThreads = 8;
constexpr int kSessions = 2;
constexpr int kRunnersEach = 3;  // threads that run one session
constexpr int kRuns = 30;        // of each runner
constexpr int kInputs = 3;

// Count numbers that are not round, small enough that nothing overflows behind many layers.
std::string numbers(int count) {
  std::string list;
  for (int i = 0; i < count; ++i)
    list += fmt::format("{}{}", i == 0 ? "" : ",", static_cast<double>(i * 37 % 101 - 50) / 997.0);
  return "{" + list + "}";
}

// What packs its constants in the first run, whichever thread that is on, and splits its work in ways of its own:
// convolutions by Winograd, of one cell, by channel and over strides, pooling, a product, a recurrence, softmax.
std::string layersText(bool open) {
  return fmt::format(R"(<ir_version: 8, opset_import: ["" : 17]>
main (float[{batch},16,24,24] x) => (float[{batch},48] y, float[{batch},1,1,32] h)
    <float[16,16,3,3] w3 = {w3}, float[32,16,1,1] w1 = {w1}, float[32,1,3,3] wd = {wd}, float[32,32,3,3] ws = {ws},
     int64[2] flat = {{-1, 288}}, float[288,48] f = {f}, int64[1] one = {{1}},
     float[1,128,48] lw = {lw}, float[1,128,32] lr = {lr}> {{
  a = Conv <pads = [1, 1, 1, 1]> (x, w3)
  b = Relu (a)
  c = Add (b, x)
  d = Conv (c, w1)
  e = HardSwish (d)
  g = Conv <pads = [1, 1, 1, 1], group = 32> (e, wd)
  i = MaxPool <kernel_shape = [3, 3], strides = [2, 2]> (g)
  j = Conv <strides = [3, 3]> (i, ws)
  k = Reshape (j, flat)
  l = MatMul (k, f)
  y = Softmax (l)
  s = Unsqueeze (y, one)
  h = LSTM <hidden_size = 32, layout = 1> (s, lw, lr)
}})",
                     fmt::arg("batch", open ? "n" : "2"), fmt::arg("w3", numbers(16 * 16 * 9)),
                     fmt::arg("w1", numbers(32 * 16)), fmt::arg("wd", numbers(32 * 9)),
                     fmt::arg("ws", numbers(32 * 32 * 9)), fmt::arg("f", numbers(288 * 48)),
                     fmt::arg("lw", numbers(128 * 48)), fmt::arg("lr", numbers(128 * 32)));
}

// Runs until somebody cancels, which is bounded all the same: 2^40 rounds would take days. Every round has loops for
// all threads.
std::string endlessText() {
  return fmt::format(R"(<ir_version: 8, opset_import: ["" : 17]>
main (float[96,128] x) => (float[96,128] y) <int64 rounds = {{1099511627776}}, bool go = {{1}}> {{
  y = Loop (rounds, go, x) <body = round (int64 i, bool c, float[96,128] a) => (bool d, float[96,128] e)
      <float[128,128] f = {}> {{
    d = Identity (c)
    p = MatMul (a, f)
    e = Tanh (p)
  }}>
}})",
                     numbers(128 * 128));
}

struct Subject {
  load::ModelSource model;
  ProviderTable table;
  std::vector<int64_t> dims;  // of x
  bool hasFlag = false;

  Result<std::unique_ptr<session::Session>> open(int threads, const std::string& executor) const {
    session::SessionOptions options;
    options.threads = threads;
    options.executor = executor;
    options.interThreads = 2;
    Progress progress;
    return session::Session::create(model, options, table, progress);
  }
};

Subject subjectOf(const QString& name, bool open) {
  const bool plain = name == "branches";
  auto model = parseModelText(plain ? branchingText(21, {.nodes = 24, .openBatch = open}) : layersText(open));
  if (!model) qFatal("%s", why(model).c_str());
  const auto source = load::ModelSource::loaded(std::make_shared<const Model>(std::move(*model)));
  if (plain) return {source, plainTable(), {8, 16}, true};
  return {source, cpuTable(), {2, 16, 24, 24}};
}

// Numbers and, where the batch is open, its size differ from one to the next.
std::vector<execute::Feed> feedsFor(const Subject& subject, int which, bool open) {
  std::vector<int64_t> dims = subject.dims;
  if (open) dims[0] = 1 + 2 * which;
  Tensor x = *Tensor::create(ElementType::kFloat, dims);
  float value = 0.1f * static_cast<float>(which + 1);
  for (float& each : x.span<float>())
    each = value = 1.0f - 1.9f * value * value;
  std::vector<execute::Feed> feeds{{"x", RuntimeValue(std::move(x))}};
  if (subject.hasFlag) feeds.push_back({"flag", RuntimeValue(Tensor::scalar<bool>(which % 2 == 0))});
  return feeds;
}

bool hasBits(const Result<execute::RunResult>& result, const std::vector<execute::Feed>& expected) {
  if (!result || result->outputs.size() != expected.size()) return false;
  for (size_t i = 0; i < expected.size(); ++i) {
    const auto is = result->outputs[i].value.tensor().bytes(), wanted = expected[i].value.tensor().bytes();
    if (is.size() != wanted.size() || is.empty() || std::memcmp(is.data(), wanted.data(), is.size()) != 0) return false;
  }
  return true;
}

bool isCancelled(const Result<execute::RunResult>& result) {
  return !result && result.error().message == "the run was cancelled";
}

}  // namespace

class TestSessionsOnOnePool : public QObject {
  Q_OBJECT
 private slots:
  void othersAreNotDisturbed_data() {
    QTest::addColumn<QString>("subject");
    QTest::addColumn<QString>("executor");
    QTest::addColumn<bool>("open");
    for (const char* subject : {"branches", "layers"}) {
      for (const char* executor : {"sequential", "dataflow"}) {
        for (const bool open : {false, true})
          QTest::addRow("%s, %s%s", subject, executor, open ? ", open batch" : "") << subject << executor << open;
      }
    }
  }
  void othersAreNotDisturbed() {
    QFETCH(QString, subject);
    QFETCH(QString, executor);
    QFETCH(bool, open);
    const Subject model = subjectOf(subject, open);
    const auto alone = model.open(1, "sequential");
    QVERIFY2(alone, why(alone).c_str());
    std::vector<std::vector<execute::Feed>> feeds, expected;
    for (int which = 0; which < kInputs; ++which) {
      feeds.push_back(feedsFor(model, which, open));
      auto result = (*alone)->run(feeds.back(), {});
      QVERIFY2(result, why(result).c_str());
      expected.push_back(std::move(result->outputs));
    }
    std::vector<std::unique_ptr<session::Session>> sessions;
    for (int each = 0; each < kSessions; ++each) {
      auto made = model.open(kThreads, executor.toStdString());
      QVERIFY2(made, why(made).c_str());
      sessions.push_back(std::move(*made));
    }
    const auto parsed = parseModelText(endlessText());
    QVERIFY2(parsed, why(parsed).c_str());
    const Subject unending{load::ModelSource::loaded(std::make_shared<const Model>(*parsed)), cpuTable(), {96, 128}};
    const auto endless = unending.open(kThreads, "sequential");
    QVERIFY2(endless, why(endless).c_str());
    const std::vector<execute::Feed> endlessFeeds = feedsFor(unending, 0, false);

    std::atomic<int> running = kSessions * kRunnersEach;
    std::atomic<int> different = 0, notCancelled = 0, strangers = 0;
    {
      std::vector<std::jthread> threads;
      for (int runner = 0; runner < kSessions * kRunnersEach; ++runner) {
        threads.emplace_back([&, runner] {
          session::Session& session = *sessions[static_cast<size_t>(runner % kSessions)];
          for (int run = 0; run < kRuns; ++run) {
            const auto which = static_cast<size_t>((runner + run) % kInputs);
            execute::RunOptions options;
            std::jthread canceller;  // comes early, late or in the middle
            const bool mayEnd = run % 3 == 2;
            if (mayEnd) canceller = std::jthread([token = options.cancel] { token.cancel(); });
            const auto result = session.run(feeds[which], options);
            if (!(mayEnd && isCancelled(result)) && !hasBits(result, expected[which])) ++different;
          }
          --running;
        });
      }
      // Sessions come, make what they need in their first run, and go.
      threads.emplace_back([&] {
        do {
          const auto made = model.open(kThreads, executor.toStdString());
          if (!made || !hasBits((*made)->run(feeds[0], {}), expected[0])) ++strangers;
        } while (running > 0);
      });
      // Runs that only a cancellation ends, while others have come through with theirs.
      threads.emplace_back([&] {
        do {
          execute::RunOptions options;
          const std::jthread canceller([&, token = options.cancel] {
            if (!hasBits(sessions[0]->run(feeds[0], {}), expected[0])) ++different;
            token.cancel();
          });
          if (!isCancelled((*endless)->run(endlessFeeds, options))) ++notCancelled;
        } while (running > 0);
      });
    }
    QCOMPARE(different.load(), 0);
    QCOMPARE(strangers.load(), 0);
    QCOMPARE(notCancelled.load(), 0);
    QVERIFY(ThreadPool::shared().threads() >= kThreads - 1);
  }
};

QTEST_GUILESS_MAIN(TestSessionsOnOnePool)
#include "tst_sessions_on_one_pool.moc"
