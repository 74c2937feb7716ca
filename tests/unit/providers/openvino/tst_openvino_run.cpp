// Groups that run: the same results as the cpu provider, over fixed and open shapes, scalars and empty tensors, from
// several threads.
#include <cmath>
#include <csignal>
#include <limits>
#include <thread>

#include <QtTest/QtTest>

#include "engine/base/sanitized.h"
#include "engine/graph/text.h"
#include "engine/session/session.h"
#include "providers/cpu/provider.h"
#include "providers/openvino/asking/asker.h"
#include "providers/openvino/library.h"
#include "providers/openvino/provider.h"

using namespace cutaway;

namespace {

Result<std::unique_ptr<session::Session>> open(const char* text, const std::string& providers) {
  CUTAWAY_TRY(Model model, parseModelText(text));
  session::SessionOptions options;
  options.providers = {providers};
  options.threads = 2;
  Progress progress;
  return session::Session::create(load::ModelSource::loaded(std::make_shared<const Model>(std::move(model))), options,
                                  {openvinoProvider(), cpuProvider()}, progress);
}

int64_t compiledGroups(const session::Session& session) {
  int64_t count = 0;
  for (const GroupReport& group : session.report()->partition->groups)
    count += group.compiled && group.provider == "openvino";
  return count;
}

QString difference(const RuntimeValue& got, const RuntimeValue& wanted) {
  const Tensor& a = got.tensor();
  const Tensor& b = wanted.tensor();
  if (a.type() != b.type() || !(a.dims() == b.dims()))
    return QString::fromStdString(dimsToText(a.dims()) + " instead of " + dimsToText(b.dims()));
  if (a.type() != ElementType::kFloat)
    return std::equal(a.bytes().begin(), a.bytes().end(), b.bytes().begin()) ? "" : "other elements";
  for (size_t i = 0; i < a.span<float>().size(); ++i) {
    if (!(std::abs(a.span<float>()[i] - b.span<float>()[i]) <= 1e-5f))
      return QString("%1 instead of %2 at %3").arg(a.span<float>()[i]).arg(b.span<float>()[i]).arg(i);
  }
  return {};
}

}  // namespace

class TestOpenvinoRun : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    qputenv("XDG_CACHE_HOME", m_cache.path().toUtf8());  // where trials are remembered
    const ProviderStatus status = openvinoProvider().probe();
    QVERIFY2(status.usable, status.reason.c_str());
  }

  void sameAsCpu_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<qint64>("n");  // bound to the symbol n in feeds
    QTest::newRow("chain") << QByteArray(
                                  "main (float[2,3] x) => (float[2,3] y) { a = Relu (x)\n b = Exp (a)\n y = Sqrt (b) }")
                           << qint64(0);
    QTest::newRow("two results")
        << QByteArray(
               "main (float[2,3] x) => (float[2,3] y, float[3,2] z) { a = Relu (x)\n y = Exp (a)\n z = Transpose (a) }")
        << qint64(0);
    QTest::newRow("weights") << QByteArray(
                                    "main (float[2,3] x) => (float[2,2] y) <float[3,2] w = {1,2,3,4,5,6}, float[2] b = "
                                    "{7,8}> { a = MatMul (x, w)\n y = Add (a, b) }")
                             << qint64(0);
    QTest::newRow("scalar")
        << QByteArray(
               "main (float[2,3] x) => (float y, float[2,3] z) { y = ReduceSum <keepdims = 0> (x)\n z = Mul (x, y) }")
        << qint64(0);
    QTest::newRow("open shapes")
        << QByteArray(
               "main (float[n,3] x) => (float[3,n] y, int64[2] s) { a = Relu (x)\n y = Transpose (a)\n s = Shape (y) }")
        << qint64(5);
    QTest::newRow("empty tensor") << QByteArray("main (float[n,3] x) => (float[n,3] y) { a = Relu (x)\n y = Neg (a) }")
                                  << qint64(0);
    QTest::newRow("shape known after the run")
        << QByteArray("main (float[4] x) => (int64[1,k] y) { a = Relu (x)\n y = NonZero (a) }") << qint64(0);
    QTest::newRow("booleans") << QByteArray(
                                     "main (float[4] x, float[4] z) => (bool[4] y) { a = Less (x, z)\n y = Not (a) }")
                              << qint64(0);
    // Sums of multiples of 1/64 are exact in both types: inside a group OpenVINO keeps float16 values as floats.
    QTest::newRow("half") << QByteArray(
                                 "main (int64[4] i) => (float[4] y) <float[] s = {0.015625}> { f = Cast <to = 1> (i)\n "
                                 "x = Mul (f, s)\n a = Cast <to = 10> (x)\n b = Add (a, a)\n y = Cast <to = 1> (b) }")
                          << qint64(0);
    QTest::newRow("nearest elements by sizes")
        << QByteArray(
               "main (float[1,1,7] x) => (float[1,1,10] y) <int64[3] s = {1,1,10}> { a = Relu (x)\n y = Resize <mode = "
               "\"nearest\", coordinate_transformation_mode = \"asymmetric\", nearest_mode = \"floor\"> (a, \"\", "
               "\"\", s) }")
        << qint64(0);
    QTest::newRow("passed through")
        << QByteArray("main (float[4] x) => (float[4] y, float[4] z) { y = Max (x)\n z = Neg (x) }") << qint64(0);
    QTest::newRow("an input that nothing needs")
        << QByteArray("main (float[4] x, float[] r) => (float[4] y) { a = Relu (x)\n y = Dropout (a, r) }")
        << qint64(0);
    QTest::newRow("two results that are one value")
        << QByteArray("main (float[4] x) => (float[4] y, float[4] z) { y = Relu (x)\n z = Dropout (y) }") << qint64(0);
    QTest::newRow("between kernels of cpu")
        << QByteArray("main (float[1,3,3] x) => (float[1] y) { a = Relu (x)\n b = Det (a)\n y = Exp (b) }")
        << qint64(0);
    QTest::newRow("in a body")
        << QByteArray(
               "main (bool[] c, float[2] x) => (float[2] y) { y = If <then_branch = t () => (float[2] a) { h = Relu "
               "(x)\n a = Exp (h) }, else_branch = e () => (float[2] b) { k = Neg (x)\n b = Exp (k) }> (c) }")
        << qint64(0);
  }
  void sameAsCpu() {
    QFETCH(QByteArray, text);
    QFETCH(qint64, n);
    const auto openvino = open(text.constData(), "openvino{minimum_nodes=1}");
    const auto cpu = open(text.constData(), "cpu");
    QVERIFY2(openvino, openvino ? "" : describe(openvino.error()).c_str());
    QVERIFY(cpu);
    QVERIFY(compiledGroups(**openvino) > 0);
    for (uint64_t seed = 1; seed <= 3; ++seed) {
      const auto feeds = session::randomFeeds(**cpu, seed, {{"n", n + static_cast<int64_t>(n > 0 ? seed : 0)}}, {});
      QVERIFY(feeds);
      const auto got = (*openvino)->run(*feeds, {});
      const auto wanted = (*cpu)->run(*feeds, {});
      QVERIFY2(got, got ? "" : describe(got.error()).c_str());
      QVERIFY(wanted);
      for (size_t i = 0; i < wanted->outputs.size(); ++i) {
        const QString problem = difference(got->outputs[i].value, wanted->outputs[i].value);
        QVERIFY2(problem.isEmpty(), qPrintable(QString::fromStdString(wanted->outputs[i].name) + ": " + problem));
      }
    }
  }

  void framesRunSideBySide() {
    const auto session =
        open("main (float[n,16] x) => (float[n,16] y) { a = Relu (x)\n b = Exp (a)\n y = Softmax (b) }", "openvino");
    QVERIFY(session);
    QCOMPARE(compiledGroups(**session), int64_t{1});
    std::atomic<int> wrong{0};
    std::vector<std::thread> threads;
    for (int64_t t = 1; t <= 4; ++t) {
      threads.emplace_back([&, t] {
        const auto feeds = session::randomFeeds(**session, static_cast<uint64_t>(t), {{"n", t}}, {});
        const auto first = (*session)->run(*feeds, {});
        for (int i = 0; i < 20; ++i) {
          const auto again = (*session)->run(*feeds, {});
          if (!first || !again || !difference(again->outputs[0].value, first->outputs[0].value).isEmpty()) ++wrong;
        }
      });
    }
    for (std::thread& thread : threads)
      thread.join();
    QCOMPARE(wrong.load(), 0);
  }

  // Its devices would go on with 705,032,704 where 5,000,000,000 came in.
  void numbersBeyond32BitsAreRefused_data() {
    QTest::addColumn<qint64>("number");
    QTest::addColumn<bool>("isTaken");
    QTest::newRow("above") << qint64(5'000'000'000) << false;
    QTest::newRow("below") << qint64(-5'000'000'000) << false;
    QTest::newRow("largest") << qint64(2'147'483'647) << true;
    QTest::newRow("least") << qint64(-2'147'483'648) << true;
    QTest::newRow("as far as it goes") << std::numeric_limits<qint64>::max() << true;
  }
  void numbersBeyond32BitsAreRefused() {
    QFETCH(qint64, number);
    QFETCH(bool, isTaken);
    const auto session =
        open("main (int64[2,1] i) => (int64[1,2] y) { y = Transpose (i) }", "openvino{minimum_nodes=1}");
    QVERIFY2(session, session ? "" : describe(session.error()).c_str());
    QCOMPARE(compiledGroups(**session), int64_t{1});
    Tensor input = *Tensor::create(ElementType::kInt64, {2, 1});
    input.span<int64_t>()[0] = 1;
    input.span<int64_t>()[1] = number;
    const auto result = (*session)->run({{"i", RuntimeValue(input)}}, {});
    if (isTaken) {
      QVERIFY2(result, result ? "" : describe(result.error()).c_str());
    } else {
      QVERIFY(!result);
      const QString said = QString::fromStdString(result.error().message);
      QVERIFY2(said.contains("'i' holds " + QString::number(number)), qPrintable(said));
    }
  }

  // 4,000,000,000 would be -294,967,296 in 32 bits. What comes in may be as large as the results allow.
  void whatComesInLeavesRoomForResults_data() {
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<qint64>("most");
    QTest::newRow("moved") << QByteArray("y = Neg (i)") << qint64(2'147'483'647);
    QTest::newRow("doubled") << QByteArray("y = Add (i, i)") << qint64(1'073'741'823);
    QTest::newRow("added four times") << QByteArray("d = Add (i, i)\n y = Add (d, d)") << qint64(536'870'911);
    QTest::newRow("multiplied") << QByteArray("m = Mul (i, k)\n y = Neg (m)") << qint64(2'097'151);
    QTest::newRow("far away") << QByteArray("y = Sub (i, f)") << qint64(134'217'727);
  }
  void whatComesInLeavesRoomForResults() {
    QFETCH(QByteArray, body);
    QFETCH(qint64, most);
    const QByteArray text =
        "main (int64[2] i) => (int64[2] y) <int64 k = {1000}, int64 f = {2000000000}> { " + body + " }";
    const auto session = open(text.constData(), "openvino{minimum_nodes=1}");
    const auto wanted = open(text.constData(), "cpu");
    QVERIFY2(session && wanted, session ? "" : describe(session.error()).c_str());
    QCOMPARE(compiledGroups(**session), int64_t{1});
    Tensor input = *Tensor::create(ElementType::kInt64, {2});
    input.span<int64_t>()[0] = -most;
    input.span<int64_t>()[1] = most;
    const auto result = (*session)->run({{"i", RuntimeValue(input)}}, {});
    QVERIFY2(result, result ? "" : describe(result.error()).c_str());
    const auto right = (*wanted)->run({{"i", RuntimeValue(input)}}, {});
    QVERIFY(right);
    QCOMPARE(difference(result->outputs[0].value, right->outputs[0].value), QString());
    input.span<int64_t>()[1] = most + 1;
    const auto beyond = (*session)->run({{"i", RuntimeValue(input)}}, {});
    QVERIFY(!beyond);
    const QString said = QString::fromStdString(beyond.error().message);
    QVERIFY2(said.contains("'i' holds " + QString::number(most + 1)), qPrintable(said));
    QCOMPARE(said.contains("which sums or products in this group may leave"), most < 2'147'483'647);
  }

  // The process that tries groups dies of a fault while the second model's only group is compiled there.
  void whatOpenvinoDiesOfGoesToTheNextProvider() {
    if (kSanitized) return;  // a sanitizer answers to faults with a code
    const auto first =
        open("main (float[5] x) => (float[5] y) { a = Relu (x)\n b = Exp (a)\n y = Sqrt (b) }", "openvino");
    QVERIFY(first && compiledGroups(**first) == 1);
    const pid_t process = openvino::separateAsker(*openvino::openvinoLibrary().bridge).process();
    QVERIFY(process > 0);
    kill(process, SIGSTOP);
    std::thread killer([process] {
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      kill(process, SIGSEGV);
      kill(process, SIGCONT);
    });
    // The same forms of nodes, so that nothing is asked before.
    const char* const text = "main (float[5] x) => (float[5] y) { a = Exp (x)\n b = Relu (a)\n y = Sqrt (b) }";
    const auto second = open(text, "openvino");
    killer.join();
    QVERIFY2(second, second ? "" : describe(second.error()).c_str());
    QCOMPARE(compiledGroups(**second), int64_t{0});
    const PartitionReport& report = *(*second)->report()->partition;
    QVERIFY(!report.warnings.empty());
    const QString warning = QString::fromStdString(report.warnings.front());
    QVERIFY2(
        warning.contains("of 3 nodes failed to compile and went to the next provider: OpenVINO ended with signal 11"),
        qPrintable(warning));
    const auto feeds = session::randomFeeds(**second, 1, {}, {});
    QVERIFY(feeds && (*second)->run(*feeds, {}));
  }

  void aSessionOutlivesItsModelFile() {
    // Weights above the limit for addresses: they must live as long as the compiled group.
    auto model = std::make_shared<Model>(*parseModelText(
        "main (float[1,64] x) => (float[1,64] y) <float[64,64] w> { a = Relu (x)\n b = MatMul (a, w)\n y = Neg (b) }"));
    Tensor weights = *Tensor::create(ElementType::kFloat, {64, 64});
    for (float& each : weights.span<float>())
      each = 0.5f;
    model->graph.addInitializer("w", weights);
    weights = {};
    session::SessionOptions options;
    options.providers = {"openvino"};
    Progress progress;
    const auto session = session::Session::create(load::ModelSource::loaded(model), options,
                                                  {openvinoProvider(), cpuProvider()}, progress);
    QVERIFY(session);
    model.reset();
    Tensor ones = *Tensor::create(ElementType::kFloat, {1, 64});
    for (float& each : ones.span<float>())
      each = 1.0f;
    const auto result = (*session)->run({{"x", RuntimeValue(ones)}}, {});
    QVERIFY(result);
    QCOMPARE(result->outputs[0].value.tensor().span<float>()[63], -32.0f);
  }

 private:
  const QTemporaryDir m_cache;
};

QTEST_GUILESS_MAIN(TestOpenvinoRun)
#include "tst_openvino_run.moc"
