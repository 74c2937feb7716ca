// Long work is cancelled from another thread while one kernel runs: the run ends with the right error, soon (the time
// is printed, not judged), and the session still works.

#include <atomic>
#include <thread>

#include <QTest>

#include "engine/base/clock.h"
#include "tests/unit/engine/session/text_session.h"

using namespace cutaway;

namespace {

constexpr const char* kProduct = R"(<ir_version: 8, opset_import: ["" : 17]>
main (float[n,4096] a, float[4096,4096] b) => (float[n,4096] y) {
  [product] y = MatMul (a, b)
})";

// A chain so long that no processor is through with it before it is cancelled: 67 million elements, 96 operators.
std::string elements() {
  std::string nodes;
  for (int i = 0; i < 96; ++i)
    nodes += fmt::format("  v{} = {} (v{})\n", i + 1, i % 3 == 0 ? "Sin" : i % 3 == 1 ? "Cos" : "Tanh", i);
  return fmt::format(
      "<ir_version: 8, opset_import: [\"\" : 17]>\nmain (float[n,4096] v0) => (float[n,4096] v96) {{\n{}}}", nodes);
}

constexpr const char* kRecurrence = R"(<ir_version: 8, opset_import: ["" : 14]>
main (float[n,8,512] x, float[1,2048,512] w, float[1,2048,512] r) => (float[n,1,8,512] y) {
  [recurrence] y = LSTM <hidden_size = 512> (x, w, r)
})";

constexpr const char* kLoop = R"(<ir_version: 8, opset_import: ["" : 17]>
main (int64 n, bool cond, float[4] x) => (float[4] y) {
  [loop] y = Loop <body = body (int64 i, bool go, float[4] s) => (bool again, float[4] t) {
      again = Identity (go)
      t = Tanh (s)
    }> (n, cond, x)
})";

std::vector<execute::Feed> feedsOf(session::Session& session, int64_t size) {
  if (session.inputs().size() == 3 && session.inputs()[1].name == "cond") {
    return {{"n", RuntimeValue(Tensor::scalar<int64_t>(size))},
            {"cond", RuntimeValue(Tensor::scalar<bool>(true))},
            floatFeed("x", {4}, {0.1f, 0.2f, 0.3f, 0.4f})};
  }
  return *session::randomFeeds(session, 1, {{"n", size}}, {});
}

}  // namespace

class TestCancel : public QObject {
  Q_OBJECT
 private slots:
  // Products that are long enough to be done in slices, with a packed constant factor and with one that the run brings.
  void slicesGiveTheSameProduct_data() {
    QTest::addColumn<bool>("constant");
    QTest::newRow("constant factor") << true;
    QTest::newRow("factor of the run") << false;
  }
  void slicesGiveTheSameProduct() {
    QFETCH(bool, constant);
    constexpr int64_t kDepth = 128, kRows = 100'003, kFew = 96;
    std::string values;
    std::vector<float> factor(kDepth * kDepth);
    for (size_t i = 0; i < factor.size(); ++i) {
      factor[i] = static_cast<float>(static_cast<int>(i * 37 % 19) - 9) / 8.0f;
      values += fmt::format("{}{}", i == 0 ? "" : ",", factor[i]);
    }
    const std::string text = fmt::format(
        "<ir_version: 8, opset_import: [\"\" : 17]>\nmain (float[n,{0}] a{1}) => (float[n,{0}] y) {2} {{\n  y = MatMul "
        "(a, b)\n}}",
        kDepth, constant ? "" : fmt::format(", float[{0},{0}] b", kDepth),
        constant ? fmt::format("<float[{0},{0}] b = {{{1}}}>", kDepth, values) : "");
    const auto session = textSession(text);
    QVERIFY2(session.has_value(), why(session).c_str());
    const auto product = [&](int64_t first, int64_t rows) {
      Tensor a = *Tensor::create(ElementType::kFloat, {rows, kDepth});
      for (int64_t i = 0; i < rows * kDepth; ++i)
        a.span<float>()[static_cast<size_t>(i)] = static_cast<float>((first * kDepth + i) * 29 % 23 - 11) / 16.0f;
      std::vector<execute::Feed> feeds{{"a", RuntimeValue(std::move(a))}};
      if (!constant) feeds.push_back(floatFeed("b", {kDepth, kDepth}, factor));
      const auto result = (*session)->run(feeds, {});
      return result ? floatsOf(result->outputs[0].value) : std::vector<float>{};
    };
    const std::vector<float> all = product(0, kRows);
    QCOMPARE(all.size(), static_cast<size_t>(kRows * kDepth));
    for (const int64_t first : {int64_t{0}, int64_t{32'700}, kRows / 2, kRows - kFew}) {
      const std::vector<float> few = product(first, kFew);
      QCOMPARE(few.size(), static_cast<size_t>(kFew * kDepth));
      // The factors are multiples of 1/128 and the sums small: exact in any order.
      for (size_t i = 0; i < few.size(); ++i)
        QCOMPARE(all[static_cast<size_t>(first * kDepth) + i], few[i]);
    }
  }

  void endsWithinAKernel_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<qint64>("small");
    QTest::addColumn<qint64>("large");
    QTest::addColumn<int>("threads");
    for (const int threads : {1, 2}) {
      QTest::addRow("matrix product, %d threads", threads) << kProduct << qint64{4} << qint64{16384} << threads;
      QTest::addRow("elementwise, %d threads", threads)
          << QString::fromStdString(elements()) << qint64{4} << qint64{16384} << threads;
      QTest::addRow("recurrence, %d threads", threads) << kRecurrence << qint64{2} << qint64{3000} << threads;
      QTest::addRow("loop, %d threads", threads) << kLoop << qint64{2} << qint64{1'000'000'000'000} << threads;
    }
  }
  void endsWithinAKernel() {
    QFETCH(QString, text);
    QFETCH(qint64, small);
    QFETCH(qint64, large);
    QFETCH(int, threads);
    session::SessionOptions options;
    options.threads = threads;
    const auto session = textSession(text.toStdString(), options);
    QVERIFY2(session.has_value(), why(session).c_str());
    const std::vector<execute::Feed> few = feedsOf(**session, small), many = feedsOf(**session, large);
    const auto warm = (*session)->run(few, {});
    QVERIFY2(warm.has_value(), why(warm).c_str());
    execute::RunOptions run;
    std::atomic<int64_t> cancelledNs = 0;
    std::jthread other([&, token = run.cancel] {
      std::this_thread::sleep_for(std::chrono::milliseconds(150));
      cancelledNs = nowNs();
      token.cancel();
    });
    const auto result = (*session)->run(many, run);
    const int64_t endNs = nowNs();
    QVERIFY(!result.has_value());
    QCOMPARE(result.error().message, std::string("the run was cancelled"));
    qInfo("returned %.1f ms after cancel()", static_cast<double>(endNs - cancelledNs) / 1e6);
    execute::RunOptions late;
    late.deadlineNs = 1;
    const auto ended = (*session)->run(few, late);
    QVERIFY(!ended.has_value());
    QCOMPARE(ended.error().message, std::string("the run took longer than its deadline"));
    const auto again = (*session)->run(few, {});
    QVERIFY2(again.has_value(), why(again).c_str());
    for (size_t i = 0; i < again->outputs.size(); ++i)
      QVERIFY(floatsOf(again->outputs[i].value) == floatsOf(warm->outputs[i].value));
  }
};

QTEST_GUILESS_MAIN(TestCancel)
#include "tst_cancel.moc"
