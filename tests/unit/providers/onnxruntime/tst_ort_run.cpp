// Groups that run in the host: the same results as the cpu provider, over fixed and open shapes, texts and empty
// tensors, from several threads, and when the host is lost.
#include <atomic>
#include <cmath>
#include <csignal>
#include <fstream>
#include <thread>

#include <QtTest/QtTest>

#include "engine/graph/text.h"
#include "engine/session/session.h"
#include "providers/cpu/provider.h"
#include "providers/onnxruntime/provider.h"
#include "providers/onnxruntime/shared_blocks.h"

using namespace cutaway;

namespace {

Result<std::unique_ptr<session::Session>> open(std::shared_ptr<const Model> model, const std::string& providers) {
  session::SessionOptions options;
  options.providers = {providers};
  options.threads = 2;
  Progress progress;
  return session::Session::create(load::ModelSource::loaded(std::move(model)), options,
                                  {onnxruntimeProvider(), cpuProvider()}, progress);
}

Result<std::unique_ptr<session::Session>> open(const char* text, const std::string& providers) {
  CUTAWAY_TRY(Model model, parseModelText(text));
  return open(std::make_shared<const Model>(std::move(model)), providers);
}

// Of the graph itself: bodies that a group took with it are listed beside it.
int64_t compiledGroups(const session::Session& session) {
  int64_t count = 0;
  for (const GroupReport& group : session.report()->partition->groups)
    count += group.graph == 0 && group.compiled && group.provider == "onnxruntime";
  return count;
}

QString differenceOf(const RuntimeValue& got, const RuntimeValue& wanted) {
  const Tensor& a = got.tensor();
  const Tensor& b = wanted.tensor();
  if (a.type() != b.type() || !(a.dims() == b.dims()))
    return QString::fromStdString(dimsToText(a.dims()) + " instead of " + dimsToText(b.dims()));
  if (a.type() == ElementType::kString)
    return std::ranges::equal(a.span<std::string>(), b.span<std::string>()) ? "" : "other texts";
  if (a.type() != ElementType::kFloat) return std::ranges::equal(a.bytes(), b.bytes()) ? "" : "other elements";
  for (size_t i = 0; i < a.span<float>().size(); ++i) {
    if (!(std::abs(a.span<float>()[i] - b.span<float>()[i]) <= 1e-5f))
      return QString("%1 instead of %2 at %3").arg(a.span<float>()[i]).arg(b.span<float>()[i]).arg(i);
  }
  return {};
}

void killChildren() {
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
    std::ifstream list(task.path() / "children");
    for (pid_t child = 0; list >> child;)
      kill(child, SIGKILL);
  }
}

}  // namespace

class TestOrtRun : public QObject {
  Q_OBJECT
 private slots:
  void sameAsCpu_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<qint64>("n");  // bound to the symbol n in feeds
    const auto row = [](const char* name, const char* text, qint64 n = 0) {
      QTest::newRow(name) << QByteArray(text) << n;
    };
    row("chain", "main (float[2,3] x) => (float[2,3] y) { a = Relu (x)\n b = Exp (a)\n y = Sqrt (b) }");
    row("two results",
        "main (float[2,3] x) => (float[2,3] y, float[3,2] z) { a = Relu (x)\n y = Exp (a)\n z = Transpose (a) }");
    row("weights",
        "main (float[2,3] x) => (float[2,2] y) <float[3,2] w = {1,2,3,4,5,6}, float[2] b = {7,8}> { a = MatMul (x, "
        "w)\n y = Add (a, b) }");
    row("scalar",
        "main (float[2,3] x) => (float y, float[2,3] z) { y = ReduceSum <keepdims = 0> (x)\n z = Mul (x, y) }");
    row("open shapes",
        "main (float[n,3] x) => (float[3,n] y, int64[2] s) { a = Relu (x)\n y = Transpose (a)\n s = Shape (y) }", 5);
    row("empty tensor", "main (float[n,3] x) => (float[n,3] y) { a = Relu (x)\n y = Neg (a) }");
    row("shape known after the run", "main (float[4] x) => (int64[1,k] y) { a = Relu (x)\n y = NonZero (a) }");
    row("booleans", "main (float[4] x, float[4] z) => (bool[4] y) { a = Less (x, z)\n y = Not (a) }");
    row("an input that nothing needs",
        "main (float[4] x, float[] r) => (float[4] y) { a = Relu (x)\n y = Dropout (a, r) }");
    row("a branch and its bodies",
        "main (bool[] c, float[2] x) => (float[2] y) { z = Abs (x)\n y = If <then_branch = t () => (float[2] a) { h = "
        "Relu (z)\n a = Exp (h) }, else_branch = e () => (float[2] b) { k = Neg (z)\n b = Exp (k) }> (c) }");
    row("texts",
        "main (string[3] x) => (string[3] y, string[2,3] z) <int64[1] k = {0}> { y = Identity (x)\n a = Unsqueeze (x, "
        "k)\n "
        "z = Concat <axis=0> (a, a) }");
  }
  void sameAsCpu() {
    QFETCH(QByteArray, text);
    QFETCH(qint64, n);
    const auto theirs = open(text.constData(), "onnxruntime");
    const auto cpu = open(text.constData(), "cpu");
    QVERIFY2(theirs, theirs ? "" : describe(theirs.error()).c_str());
    QVERIFY(cpu);
    QVERIFY(compiledGroups(**theirs) > 0);
    for (uint64_t seed = 1; seed <= 3; ++seed) {
      const auto feeds = session::randomFeeds(**cpu, seed, {{"n", n + static_cast<int64_t>(n > 0 ? seed : 0)}}, {});
      QVERIFY(feeds);
      const auto got = (*theirs)->run(*feeds, {});
      const auto wanted = (*cpu)->run(*feeds, {});
      QVERIFY2(got, got ? "" : describe(got.error()).c_str());
      QVERIFY(wanted);
      for (size_t i = 0; i < wanted->outputs.size(); ++i) {
        const QString problem = differenceOf(got->outputs[i].value, wanted->outputs[i].value);
        QVERIFY2(problem.isEmpty(), qPrintable(QString::fromStdString(wanted->outputs[i].name) + ": " + problem));
      }
    }
  }

  // Tensors above the limit lie in memory that the host sees: the outputs are right, and no copy of them is made.
  void largeTensorsAreShared() {
    const char* const text = "main (float[1024,1024] x) => (float[1024,1024] y) { a = Relu (x)\n y = Neg (a) }";
    const auto theirs = open(text, "onnxruntime");
    QVERIFY2(theirs, theirs ? "" : describe(theirs.error()).c_str());
    Tensor large = *Tensor::create(ElementType::kFloat, {1024, 1024});
    QVERIFY(onnxruntime::sharedBlocks().find(large.data(), static_cast<size_t>(large.sizeBytes())).memory != nullptr);
    for (int round = 0; round < 60; ++round) {  // more blocks than a host keeps without asking
      Tensor fresh = *Tensor::create(ElementType::kFloat, {1024, 1024});
      std::ranges::fill(fresh.span<float>(), static_cast<float>(round));
      const auto got = (*theirs)->run({{"x", RuntimeValue(fresh)}}, {});
      QVERIFY2(got, got ? "" : describe(got.error()).c_str());
      const Tensor& output = got->outputs[0].value.tensor();
      QCOMPARE(output.span<float>().front(), -static_cast<float>(round));
      QCOMPARE(output.span<float>().back(), -static_cast<float>(round));
    }
  }

  void framesRunSideBySide() {
    const auto session =
        open("main (float[n,16] x) => (float[n,16] y) { a = Relu (x)\n b = Exp (a)\n y = Softmax (b) }", "onnxruntime");
    QVERIFY2(session, session ? "" : describe(session.error()).c_str());
    QCOMPARE(compiledGroups(**session), int64_t{1});
    std::atomic<int> wrong{0};
    std::vector<std::thread> threads;
    for (int64_t t = 1; t <= 4; ++t) {
      threads.emplace_back([&, t] {
        const auto feeds = session::randomFeeds(**session, static_cast<uint64_t>(t), {{"n", t}}, {});
        const auto first = (*session)->run(*feeds, {});
        for (int i = 0; i < 20; ++i) {
          const auto again = (*session)->run(*feeds, {});
          if (!first || !again || !differenceOf(again->outputs[0].value, first->outputs[0].value).isEmpty()) ++wrong;
        }
      });
    }
    for (std::thread& thread : threads)
      thread.join();
    QCOMPARE(wrong.load(), 0);
  }

  // Large weights of a body: the library takes only those of the graph itself from beside the model.
  void weightsInABody() {
    Model model = *parseModelText(
        "main (bool[] c, float[1,64] x) => (float[1,64] y) { y = If <then_branch = t () => (float[1,64] a) "
        "<float[64,64] "
        "w> { a = MatMul (x, w) }, else_branch = e () => (float[1,64] b) { b = Neg (x) }> (c) }");
    Tensor weights = *Tensor::create(ElementType::kFloat, {64, 64});
    std::ranges::fill(weights.span<float>(), 0.25f);
    int found = 0;
    forEachGraph(model.graph, [&](Graph& graph) {
      if (graph.findValue("a").valid()) {  // the branch's output
        graph.addInitializer("w", weights);
        ++found;
      }
    });
    QCOMPARE(found, 1);
    const auto session = open(std::make_shared<const Model>(std::move(model)), "onnxruntime");
    QVERIFY2(session, session ? "" : describe(session.error()).c_str());
    QCOMPARE(compiledGroups(**session), int64_t{1});
    Tensor ones = *Tensor::create(ElementType::kFloat, {1, 64});
    std::ranges::fill(ones.span<float>(), 1.0f);
    Tensor yes = *Tensor::create(ElementType::kBool, std::initializer_list<int64_t>{});
    yes.span<bool>()[0] = true;
    const auto result = (*session)->run({{"c", RuntimeValue(yes)}, {"x", RuntimeValue(ones)}}, {});
    QVERIFY2(result, result ? "" : describe(result.error()).c_str());
    QCOMPARE(result->outputs[0].value.tensor().span<float>()[63], 16.0f);
  }

  // Weights large enough to lie beside the model; the host is killed between the runs and has them again afterwards.
  void weightsOutliveModelAndHost() {
    auto model = std::make_shared<Model>(*parseModelText(
        "main (float[1,64] x) => (float[1,64] y) <float[64,64] w> { a = Relu (x)\n b = MatMul (a, w)\n y = Neg (b) }"));
    Tensor weights = *Tensor::create(ElementType::kFloat, {64, 64});
    for (float& each : weights.span<float>())
      each = 0.5f;
    model->graph.addInitializer("w", weights);
    weights = {};
    const auto session = open(model, "onnxruntime");
    QVERIFY2(session, session ? "" : describe(session.error()).c_str());
    model.reset();
    Tensor ones = *Tensor::create(ElementType::kFloat, {1, 64});
    for (float& each : ones.span<float>())
      each = 1.0f;
    const auto result = (*session)->run({{"x", RuntimeValue(ones)}}, {});
    QVERIFY2(result, result ? "" : describe(result.error()).c_str());
    QCOMPARE(result->outputs[0].value.tensor().span<float>()[63], -32.0f);
    killChildren();
    const auto lost = (*session)->run({{"x", RuntimeValue(ones)}}, {});
    QVERIFY(!lost);
    QVERIFY2(lost.error().message.find("signal 9") != std::string::npos, describe(lost.error()).c_str());
    const auto again = (*session)->run({{"x", RuntimeValue(ones)}}, {});
    QVERIFY2(again, again ? "" : describe(again.error()).c_str());
    QCOMPARE(again->outputs[0].value.tensor().span<float>()[63], -32.0f);
  }
};

QTEST_GUILESS_MAIN(TestOrtRun)
#include "tst_ort_run.moc"
