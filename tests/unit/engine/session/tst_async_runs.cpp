// Runs that come back later: the same results, in order, and nothing that is asked for is left without an answer.

#include <condition_variable>
#include <mutex>
#include <stdexcept>

#include <QtTest/QtTest>

#include "engine/session/async_runs.h"
#include "tests/unit/engine/session/text_session.h"

using namespace cutaway;

namespace {

constexpr const char* kNegated = R"(<ir_version: 8, opset_import: ["" : 17]>
  g (float[2] x) => (float[2] y) { y = Neg (x) })";

// Runs until somebody cancels, which is bounded all the same: 2^40 rounds would take hours.
constexpr const char* kEndless = R"(<ir_version: 8, opset_import: ["" : 17]>
  g (float[2] x) => (float[2] y) <int64 rounds = {1099511627776}, bool go = {1}> {
    y = Loop (rounds, go, x) <body = b (int64 i, bool c, float[2] a) => (bool d, float[2] e) {
      d = Identity (c) e = Neg (a) }>
  })";

// Answers in the order of coming.
class Answers {
 public:
  session::AsyncRuns::Done next() {
    return [this](Result<execute::RunResult> result) {
      const std::lock_guard lock(m_mutex);
      m_all.push_back(std::move(result));
      m_changed.notify_all();
    };
  }
  void waitFor(size_t count) {
    std::unique_lock lock(m_mutex);
    m_changed.wait(lock, [&] { return m_all.size() >= count; });
  }
  const std::vector<Result<execute::RunResult>>& all() const { return m_all; }

 private:
  std::mutex m_mutex;
  std::condition_variable m_changed;
  std::vector<Result<execute::RunResult>> m_all;
};

std::vector<execute::Feed> feed(float first) {
  return {floatFeed("x", {2}, {first, 1})};
}

}  // namespace

class TestAsyncRuns : public QObject {
  Q_OBJECT
 private slots:
  void answersComeInTheOrderOfAsking() {
    const auto session = textSession(kNegated);
    QVERIFY2(session, why(session).c_str());
    Answers answers;
    session::AsyncRuns runs(**session);
    for (int i = 0; i < 50; ++i)
      QVERIFY(runs.start(feed(static_cast<float>(i)), {}, answers.next()));
    answers.waitFor(50);
    for (size_t i = 0; i < 50; ++i) {
      QVERIFY2(answers.all()[i], why(answers.all()[i]).c_str());
      QCOMPARE(floatsOf(answers.all()[i]->outputs[0].value), (std::vector<float>{-static_cast<float>(i), -1}));
    }
  }

  void errorsAreAnswers() {
    const auto session = textSession(kNegated);
    QVERIFY2(session, why(session).c_str());
    Answers answers;
    session::AsyncRuns runs(**session);
    QVERIFY(runs.start({}, {}, answers.next()));
    QVERIFY(runs.start(feed(3), {}, answers.next()));
    answers.waitFor(2);
    QCOMPARE(answers.all()[0].error().code, ErrorCode::kInvalidArgument);
    QVERIFY(answers.all()[1]);
  }

  // A run that would take hours, and others behind it: all are answered, and the destructor comes back.
  void whoGoesAwayCancels() {
    const auto session = textSession(kEndless);
    QVERIFY2(session, why(session).c_str());
    Answers answers;
    {
      session::AsyncRuns runs(**session);
      for (int i = 0; i < 3; ++i)
        QVERIFY(runs.start(feed(1), {}, answers.next()));
    }
    QCOMPARE(answers.all().size(), size_t{3});
    for (const auto& answer : answers.all())
      QCOMPARE(answer.error().code, ErrorCode::kFail);
  }

  void oneRunIsCancelledAlone() {
    const auto session = textSession(kEndless);
    QVERIFY2(session, why(session).c_str());
    Answers answers;
    session::AsyncRuns runs(**session);
    const execute::RunOptions options;
    QVERIFY(runs.start(feed(1), options, answers.next()));
    options.cancel.cancel();
    answers.waitFor(1);
    QCOMPARE(answers.all()[0].error().code, ErrorCode::kFail);
  }

  void anAnswerMayAskAgain() {
    const auto session = textSession(kNegated);
    QVERIFY2(session, why(session).c_str());
    Answers answers;
    session::AsyncRuns runs(**session);
    QVERIFY(runs.start(feed(1), {}, [&](Result<execute::RunResult> first) {
      (void)runs.start({{"x", first->outputs[0].value}}, {}, answers.next());
    }));
    answers.waitFor(1);
    QCOMPARE(floatsOf(answers.all()[0]->outputs[0].value), (std::vector<float>{1, 1}));
  }

  void anAnswerThatThrowsEndsNothing() {
    const auto session = textSession(kNegated);
    QVERIFY2(session, why(session).c_str());
    Answers answers;
    session::AsyncRuns runs(**session);
    QVERIFY(runs.start(feed(1), {}, [](Result<execute::RunResult>) { throw std::runtime_error("no"); }));
    QVERIFY(runs.start(feed(2), {}, [](Result<execute::RunResult>) { throw 7; }));
    QVERIFY(runs.start(feed(3), {}, answers.next()));
    answers.waitFor(1);
    QVERIFY(answers.all()[0]);
  }
};

QTEST_GUILESS_MAIN(TestAsyncRuns)
#include "tst_async_runs.moc"
