// Constant weights of recurrent operators are packed by the first run: a session holds none before it, the results are
// those of weights that come with the run, and a first run that is cancelled leaves nothing half packed.

#include <atomic>
#include <thread>

#include <QTest>

#include "engine/base/cancel_scope.h"
#include "providers/cpu/kernels/floats_on_use.h"
#include "tests/unit/engine/session/text_session.h"

using namespace cutaway;

namespace {

constexpr int64_t kHidden = 40, kInput = 24, kSteps = 5;

int64_t gatesOf(const QString& opType) {
  return opType == "LSTM" ? 4 : opType == "GRU" ? 3 : 1;
}

std::string numbers(int64_t count) {
  std::string list;
  for (int64_t i = 0; i < count; ++i)
    list += fmt::format("{}{}", i == 0 ? "" : ",", static_cast<double>(i * 37 % 101 - 50) / 400.0);
  return list;
}

// The node with weights that are initializers, or inputs with these as their defaults, which a run may replace.
std::string nodeText(const QString& opType, bool constant) {
  const int64_t rows = gatesOf(opType) * kHidden;
  return fmt::format(R"(<ir_version: 8, opset_import: ["" : 14]>
main (float[{steps},3,{input}] x{inputs}) => (float[{steps},2,3,{hidden}] y)
    <float[2,{rows},{input}] w = {{{w}}}, float[2,{rows},{hidden}] r = {{{r}}}, float[2,{biases}] b = {{{b}}}> {{
  y = {op} <hidden_size = {hidden}, direction = "bidirectional"> (x, w, r, b)
}})",
                     fmt::arg("steps", kSteps), fmt::arg("input", kInput), fmt::arg("hidden", kHidden),
                     fmt::arg("rows", rows), fmt::arg("biases", 2 * rows), fmt::arg("op", opType.toStdString()),
                     fmt::arg("inputs", constant ? std::string()
                                                 : fmt::format(", float[2,{0},{1}] w, float[2,{0},{2}] r, "
                                                               "float[2,{3}] b",
                                                               rows, kInput, kHidden, 2 * rows)),
                     fmt::arg("w", numbers(2 * rows * kInput)), fmt::arg("r", numbers(2 * rows * kHidden)),
                     fmt::arg("b", numbers(4 * rows)));
}

void addOperators() {
  QTest::addColumn<QString>("opType");
  for (const char* opType : {"RNN", "GRU", "LSTM"})
    QTest::newRow(opType) << opType;
}

}  // namespace

class TestConstantWeights : public QObject {
  Q_OBJECT
 private slots:
  void firstRunPacks_data() { addOperators(); }
  void firstRunPacks() {
    QFETCH(QString, opType);
    const auto constant = textSession(nodeText(opType, true)), given = textSession(nodeText(opType, false));
    QVERIFY2(constant, why(constant).c_str());
    QVERIFY2(given, why(given).c_str());
    const int64_t before = (*constant)->memory().packedBytes;
    const auto feeds = session::randomFeeds(**constant, 1, {}, {});
    QVERIFY2(feeds, why(feeds).c_str());
    const auto wanted = (*given)->run(*feeds, {});
    QVERIFY2(wanted, why(wanted).c_str());
    for (int run = 0; run < 2; ++run) {
      const auto seen = (*constant)->run(*feeds, {});
      QVERIFY2(seen, why(seen).c_str());
      QVERIFY(floatsOf(seen->outputs[0].value) == floatsOf(wanted->outputs[0].value));
    }
    const int64_t rows = gatesOf(opType) * kHidden;
    QCOMPARE(before, int64_t{0});
    QVERIFY((*constant)->memory().packedBytes >= 2 * rows * (kInput + kHidden) * int64_t{sizeof(float)});
  }

  void aStopDoesNotStopTheMaking() {
    const CancelToken token;
    token.cancel();
    const StopSignal signal(token);
    const CancelScope scope(signal);
    const cpu::FloatsOnUse floats([]() -> Result<Tensor> {
      if (stopRequested()) return fail(ErrorCode::kFail, "stopped");
      return Tensor::create(ElementType::kFloat, {4});
    });
    QVERIFY(floats.get());
    QVERIFY(stopRequested());
  }

  void aFailureIsNotKept() {
    int calls = 0;
    const cpu::FloatsOnUse floats([&]() -> Result<Tensor> {
      if (++calls == 1) return fail(ErrorCode::kFail, "no memory");
      return Tensor::create(ElementType::kFloat, {4});
    });
    QVERIFY(!floats.get());
    const auto first = floats.get();
    QVERIFY(first);
    QCOMPARE(*floats.get(), *first);
    QCOMPARE(calls, 2);
  }

  void oneThreadMakesForAll() {
    std::atomic<int> calls = 0, different = 0;
    const cpu::FloatsOnUse floats([&]() -> Result<Tensor> {
      ++calls;
      return Tensor::create(ElementType::kFloat, {1000});
    });
    std::atomic<const float*> known = nullptr;
    {
      std::vector<std::jthread> threads;
      for (int thread = 0; thread < 8; ++thread) {
        threads.emplace_back([&] {
          const auto made = floats.get();
          const float* expected = nullptr;
          if (!made || (!known.compare_exchange_strong(expected, *made) && expected != *made)) ++different;
        });
      }
    }
    QCOMPARE(calls.load(), 1);
    QCOMPARE(different.load(), 0);
  }
};

QTEST_GUILESS_MAIN(TestConstantWeights)
#include "tst_constant_weights.moc"
