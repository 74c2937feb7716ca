// Many threads run one session at once, sequential and dataflow: every result has the bits of a run alone. Meant for
// the thread sanitizer as well.

#include <atomic>
#include <cstring>
#include <thread>

#include <QTest>

#include "tests/unit/engine/session/branching_text.h"
#include "tests/unit/engine/session/plain_cpu.h"

using namespace cutaway;

namespace {

constexpr int kThreads = 8;
constexpr int kRuns = 200;
constexpr int kInputs = 4;

std::vector<execute::Feed> feedsFor(int which, int64_t batch) {
  Tensor x = *Tensor::create(ElementType::kFloat, {batch, 16});
  float value = 0.1f * static_cast<float>(which + 1);
  for (float& each : x.span<float>())
    each = value = 1.0f - 1.9f * value * value;
  return {{"x", RuntimeValue(std::move(x))}, {"flag", RuntimeValue(Tensor::scalar<bool>(which % 2 == 0))}};
}

template <typename T>
const char* why(const Result<T>& result) {
  return result ? "" : result.error().message.c_str();
}

std::vector<float> floatsOf(const RuntimeValue& value) {
  const auto span = value.tensor().span<float>();
  return {span.begin(), span.end()};
}

bool sameBits(const std::vector<execute::Feed>& a, const std::vector<execute::Feed>& b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i) {
    const auto x = floatsOf(a[i].value), y = floatsOf(b[i].value);
    if (x.size() != y.size() || (!x.empty() && std::memcmp(x.data(), y.data(), x.size() * sizeof(float)) != 0))
      return false;
  }
  return true;
}

}  // namespace

class TestConcurrentRun : public QObject {
  Q_OBJECT
 private slots:
  void everyThreadGetsItsOwnBits_data() {
    QTest::addColumn<QString>("executor");
    QTest::addColumn<bool>("open");
    QTest::newRow("sequential") << "sequential" << false;
    QTest::newRow("sequential, open batch") << "sequential" << true;
    QTest::newRow("dataflow") << "dataflow" << false;
    QTest::newRow("dataflow, open batch") << "dataflow" << true;
  }
  void everyThreadGetsItsOwnBits() {
    QFETCH(QString, executor);
    QFETCH(bool, open);
    session::SessionOptions options;
    options.executor = executor.toStdString();
    options.threads = 2;
    options.interThreads = 2;
    const auto session = plainSession(branchingText(11, {.nodes = 24, .openBatch = open}), options);
    QVERIFY2(session.has_value(), why(session));
    QCOMPARE((*session)->workers(), executor == "dataflow" ? 2 : 1);
    std::vector<std::vector<execute::Feed>> feeds, expected;
    for (int which = 0; which < kInputs; ++which) {
      feeds.push_back(feedsFor(which, open ? 2 + which : 8));
      auto alone = (*session)->run(feeds.back(), {});
      QVERIFY2(alone.has_value(), why(alone));
      expected.push_back(std::move(alone->outputs));
    }
    std::atomic<int> failed = 0, different = 0;
    {
      std::vector<std::jthread> threads;
      for (int thread = 0; thread < kThreads; ++thread) {
        threads.emplace_back([&, thread] {
          for (int run = 0; run < kRuns; ++run) {
            const auto which = static_cast<size_t>((thread + run) % kInputs);
            const auto result = (*session)->run(feeds[which], {});
            if (!result)
              ++failed;
            else if (!sameBits(result->outputs, expected[which]))
              ++different;
          }
        });
      }
    }
    QCOMPARE(failed.load(), 0);
    QCOMPARE(different.load(), 0);
  }

  void cancellingSomeLeavesTheOthersAlone_data() {
    QTest::addColumn<QString>("executor");
    QTest::newRow("sequential") << "sequential";
    QTest::newRow("dataflow") << "dataflow";
  }
  void cancellingSomeLeavesTheOthersAlone() {
    QFETCH(QString, executor);
    session::SessionOptions options;
    options.executor = executor.toStdString();
    options.threads = 2;
    options.interThreads = 2;
    const auto session = plainSession(branchingText(12, {.nodes = 24}), options);
    QVERIFY2(session.has_value(), why(session));
    const std::vector<execute::Feed> feeds = feedsFor(0, 8);
    const auto expected = (*session)->run(feeds, {});
    QVERIFY2(expected.has_value(), why(expected));
    std::atomic<int> wrong = 0;
    {
      std::vector<std::jthread> threads;
      for (int thread = 0; thread < kThreads; ++thread) {
        threads.emplace_back([&, thread] {
          for (int run = 0; run < 50; ++run) {
            execute::RunOptions each;
            std::jthread canceller;
            if (thread % 2 == 0) canceller = std::jthread([token = each.cancel] { token.cancel(); });
            const auto result = (*session)->run(feeds, each);
            if (result ? !sameBits(result->outputs, expected->outputs)
                       : thread % 2 != 0 || result.error().message != "the run was cancelled")
              ++wrong;
          }
        });
      }
    }
    QCOMPARE(wrong.load(), 0);
  }
};

QTEST_GUILESS_MAIN(TestConcurrentRun)
#include "tst_concurrent_run.moc"
