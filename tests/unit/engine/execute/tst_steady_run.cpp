// Counts heap allocations of steady runs: none through a binding; otherwise the outputs and nothing else. Memory that
// runs out at any one allocation ends the run with an error, and the session works again. The operators here run on
// kernels of the CPU provider's own (no library behind them).

#include <cerrno>

#include <malloc.h>

#include <QTest>

#include "engine/session/io_binding.h"
#include "tests/program/counted_heap.h"
#include "tests/unit/engine/session/text_session.h"

// What heapAllocator() calls.
extern "C" int posix_memalign(void** block, size_t alignment, size_t sizeBytes) noexcept {
  *block = cutaway::counted_heap::mayAllocate() ? memalign(alignment, sizeBytes) : nullptr;
  return *block == nullptr ? ENOMEM : 0;
}

using namespace cutaway;
using counted_heap::allocations;
using counted_heap::failAt;

namespace {

// x -> (Relu, Add with x) repeated; nothing to fold or fuse.
std::string chain(int pairs, const std::string& batch) {
  std::string text =
      "<ir_version: 8, opset_import: [\"\" : 17]>\nmain (float[" + batch + ",16] x) => (float[" + batch + ",16] y) {\n";
  std::string at = "x";
  for (int i = 0; i < pairs; ++i) {
    text += fmt::format("  r{} = Relu ({})\n  a{} = Add (r{}, x)\n", i, at, i, i);
    at = fmt::format("a{}", i);
  }
  return text + fmt::format("  y = Sigmoid ({})\n}}", at);
}

// Branches that are split, joined and viewed; two outputs, one of them a view.
std::string branches(const std::string& batch) {
  return "<ir_version: 8, opset_import: [\"\" : 17]>\nmain (float[1," + batch +
         ",16] x) => (float[1,m,16] y, float[k] flat) <int64[1] all = {-1}> {\n"
         "  a = Relu (x)\n  b = Sigmoid (x)\n  j = Concat <axis = 1> (a, b)\n  t = Tanh (j)\n  s, u = Split <axis = 1> "
         "(t)\n  p = Add (s, u)\n  q = Mul (p, a)\n"
         "  y = Concat <axis = 1> (p, q)\n  f = Sqrt (q)\n  flat = Reshape (f, all)\n}";
}

constexpr const char* kLoop = R"(<ir_version: 8, opset_import: ["" : 17]>
main (int64 trips, bool cond, float[n,16] x) => (float[n,16] y) {
  last = Loop <body = body (int64 i, bool go, float[n,16] state) => (bool again, float[n,16] next) {
      again = Identity (go)
      t = Relu (state)
      next = Add (t, x)
    }> (trips, cond, x)
  y = Sigmoid (last)
})";

constexpr const char* kIf = R"(<ir_version: 8, opset_import: ["" : 17]>
main (bool cond, float[n,16] x) => (float[n,16] y) {
  r = If <then_branch = yes () => (float[n,16] a) {
      t = Relu (x)
      a = Add (t, x)
    }, else_branch = no () => (float[n,16] b) {
      b = Sigmoid (x)
    }> (cond)
  y = Relu (r)
})";

std::string withRows(std::string text, const std::string& rows) {
  if (rows == "n") return text;
  for (size_t at = text.find("[n,16]"); at != std::string::npos; at = text.find("[n,16]"))
    text.replace(at, 6, "[" + rows + ",16]");
  return text;
}

Tensor floatsOf(std::initializer_list<int64_t> dims) {
  Tensor tensor = *Tensor::create(ElementType::kFloat, dims);
  std::ranges::fill(tensor.span<float>(), 0.25f);
  return tensor;
}

std::vector<execute::Feed> feedsFor(session::Session& session) {
  std::vector<execute::Feed> feeds;
  for (const execute::NamedType& input : session.inputs()) {
    if (input.name == "trips")
      feeds.push_back({"trips", RuntimeValue(Tensor::scalar<int64_t>(5))});
    else if (input.name == "cond")
      feeds.push_back({"cond", RuntimeValue(Tensor::scalar<bool>(true))});
    else
      feeds.push_back({"x", RuntimeValue(input.type.shape->rank() == 3 ? floatsOf({1, 4, 16}) : floatsOf({4, 16}))});
  }
  return feeds;
}

std::unique_ptr<session::Session> sessionOf(const std::string& text, const char* executor = "sequential") {
  session::SessionOptions options;
  options.threads = 1;
  options.executor = executor;
  auto made = textSession(text, options);
  if (!made) qFatal("%s", describe(made.error()).c_str());
  return *std::move(made);
}

// -1: a run failed.
template <typename Run>
int64_t allocationsOf(Run&& run) {
  for (int i = 0; i < 4; ++i) {
    if (!run()) return -1;
  }
  const int64_t before = allocations.load();
  const bool done = run();
  return done ? allocations.load() - before : -1;
}

void models() {
  QTest::addColumn<QString>("text");
  for (const std::string rows : {"4", "n"}) {
    const auto add = [&](const char* name, const std::string& text) {
      QTest::addRow("%s, %s", name, rows == "4" ? "static" : "open") << QString::fromStdString(text);
    };
    add("chain", chain(3, rows));
    add("long chain", chain(100, rows));
    add("branches", branches(rows));
    add("loop", withRows(kLoop, rows));
    add("if", withRows(kIf, rows));
  }
}

}  // namespace

class TestSteadyRun : public QObject {
  Q_OBJECT
 private slots:
  void boundRunsAllocateNothing_data() { models(); }
  void boundRunsAllocateNothing() {
    QFETCH(QString, text);
    const auto session = sessionOf(text.toStdString());
    const std::vector<execute::Feed> feeds = feedsFor(*session);
    const auto expected = session->run(feeds, {});
    QVERIFY2(expected.has_value(), why(expected).c_str());
    const execute::RunOptions options;
    session::IoBinding onDevice(*session);
    session::IoBinding inBuffers(*session);
    for (const execute::Feed& feed : feeds)
      QVERIFY(onDevice.bindInput(feed.name, feed.value).has_value() &&
              inBuffers.bindInput(feed.name, feed.value).has_value());
    for (const execute::Feed& output : expected->outputs)
      QVERIFY(inBuffers.bindOutput(output.name, *output.value.tensor().clone()).has_value());
    QCOMPARE(allocationsOf([&] { return session->run(onDevice, options).has_value(); }), int64_t{0});
    QCOMPARE(allocationsOf([&] { return session->run(inBuffers, options).has_value(); }), int64_t{0});
    for (size_t i = 0; i < expected->outputs.size(); ++i) {
      QCOMPARE(cutaway::floatsOf(inBuffers.outputs()[i].value), cutaway::floatsOf(expected->outputs[i].value));
      QCOMPARE(cutaway::floatsOf(onDevice.outputs()[i].value), cutaway::floatsOf(expected->outputs[i].value));
    }
    // Plain runs: the list of outputs, and for each its memory and who owns it (short names need none).
    QCOMPARE(allocationsOf([&] { return session->run(feeds, options).has_value(); }),
             static_cast<int64_t>(1 + 2 * expected->outputs.size()));
  }

  void partialAndChangingRunsAllocateNothing() {
    const auto session = sessionOf(branches("n"));
    const execute::RunOptions options;
    session::IoBinding part(*session);
    QVERIFY(part.bindOutput("flat").has_value());
    session::IoBinding large(*session);
    QVERIFY(part.bindInput("x", floatsOf({1, 4, 16})).has_value());
    QVERIFY(large.bindInput("x", floatsOf({1, 9, 16})).has_value());
    // Shapes and outputs change from run to run; each was seen before.
    QCOMPARE(allocationsOf(
                 [&] { return session->run(part, options).has_value() && session->run(large, options).has_value(); }),
             int64_t{0});
  }

  // Any one allocation of a run fails: the first run, which makes its frame, and a run after others.
  void memoryMayRunOutAnywhere_data() { models(); }
  void memoryMayRunOutAnywhere() {
    QFETCH(QString, text);
    for (const bool warm : {false, true}) {
      const auto session = sessionOf(text.toStdString());
      const std::vector<execute::Feed> feeds = feedsFor(*session);
      const execute::RunOptions options;
      std::vector<float> expected;
      if (warm) expected = cutaway::floatsOf(session->run(feeds, options)->outputs[0].value);
      int refused = 0;
      const int step = text.size() > 1000 ? 17 : 1;
      for (int64_t at = 0;; at += step) {
        failAt = at;
        auto result = session->run(feeds, options);
        const bool reached = failAt.exchange(-1) < 0;
        if (!result) {
          ++refused;
          QVERIFY2(result.error().message.find("memory") != std::string::npos, describe(result.error()).c_str());
        }
        const auto again = session->run(feeds, options);
        QVERIFY2(again.has_value(), why(again).c_str());
        if (expected.empty()) expected = cutaway::floatsOf(again->outputs[0].value);
        QCOMPARE(cutaway::floatsOf(again->outputs[0].value), expected);
        QCOMPARE(session->arena().inUseBytes, int64_t{0});
        if (!reached || at > 5000) break;
        if (!warm) (void)session->run(feeds, execute::RunOptions{.shrinkMemory = true});
      }
      QVERIFY(refused > 0);
    }
  }

  void memoryStaysWhereItIs() {
    const auto session = textSession(chain(10, "n"));
    QVERIFY2(session.has_value(), why(session).c_str());
    const auto feeds = session::randomFeeds(**session, 1, {{"n", 1000}}, {});
    for (int i = 0; i < 3; ++i)
      QVERIFY((*session)->run(*feeds, {}).has_value());
    const int64_t peak = (*session)->measuredPeakBytes();
    for (int i = 0; i < 50; ++i)
      QVERIFY((*session)->run(*feeds, {}).has_value());
    QCOMPARE((*session)->measuredPeakBytes(), peak);
    QVERIFY(peak > 0);
    // The types do not tell the sizes; the pattern made for the feeds does.
    QCOMPARE((*session)->report()->pattern->peakBytes, int64_t{0});
    QVERIFY((*session)->plannedPeakBytes() >= 1000 * 16 * 4);
    QVERIFY((*session)->lowerBoundBytes() <= (*session)->plannedPeakBytes());
  }

  void costOfABoundRun() {
    const auto session = sessionOf(chain(3, "4"));
    session::IoBinding binding(*session);
    for (const execute::Feed& feed : feedsFor(*session))
      QVERIFY(binding.bindInput(feed.name, feed.value).has_value());
    const execute::RunOptions options;
    QBENCHMARK {
      (void)session->run(binding, options);
    }
  }
};

QTEST_GUILESS_MAIN(TestSteadyRun)
#include "tst_steady_run.moc"
