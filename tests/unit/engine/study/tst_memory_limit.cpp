// Every study that feeds and runs models obeys the memory limit where inputs are made: which input, how large, and what
// the limit is; and they are made for all of them by one function that hears Cancel.
#include <QtTest/QtTest>

#include "engine/compile/verify.h"
#include "engine/graph/text.h"
#include "engine/study/accuracy/accuracy.h"
#include "engine/study/mixed/keep_float.h"
#include "engine/study/shapes/sweep_shapes.h"
#include "engine/study/tune/tune.h"
#include "engine/study/what_if/what_if.h"
#include "tests/unit/engine/session/text_session.h"

using namespace cutaway;

namespace {

constexpr int64_t kElements = 1'000'000, kLimitBytes = 1'000'000;
constexpr const char* kPlain = R"(<ir_version: 8, opset_import: ["" : 17]>
g (float[n] x) => (float[n] y) { y = Relu (x) })";
constexpr const char* kQuantised = R"(<ir_version: 8, opset_import: ["" : 17]>
g (float[n] x) => (float[n] y) <float s = {0.5}, uint8 z = {3}>
{ q = QuantizeLinear (x, s, z) d = DequantizeLinear (q, s, z) y = Relu (d) })";
constexpr const char* kTexts = R"(<ir_version: 8, opset_import: ["" : 17]>
g (string[n] x) => (string[n] y) { y = Identity (x) })";

load::ModelSource sourceOf(const char* text) {
  Result<Model> model = parseModelText(text);
  if (!model) qFatal("%s", describe(model.error()).c_str());
  return load::ModelSource::loaded(std::make_shared<const Model>(*std::move(model)));
}

session::SessionOptions limited(int64_t limitBytes = kLimitBytes) {
  session::SessionOptions options;
  options.dims = {{"n", kElements}};
  options.memoryLimitBytes = limitBytes;
  return options;
}

// What a study says of the limit, as an error or in its report.
std::string said(const char* study, Progress& progress) {
  const ProviderTable table = cpuTable();
  const auto is = [&](const char* name) { return std::string_view(study) == name; };
  if (is("tune"))
    return why(study::tune({.source = sourceOf(kPlain), .options = limited(), .title = "t"}, table, progress));
  if (is("compare"))
    return why(study::compareConfigurations({.source = sourceOf(kPlain), .a = limited(), .b = limited(), .feeds = {}},
                                            table, progress));
  if (is("keep float"))
    return why(study::keepFloat({.exact = sourceOf(kPlain), .quantised = sourceOf(kQuantised), .options = limited()},
                                table, progress));
  if (is("verify a context"))
    return why(compile::verifyContext({.original = sourceOf(kPlain),
                                       .context = sourceOf(kPlain),
                                       .session = limited(),
                                       .feeds = {},
                                       .dims = {{"n", kElements}}},
                                      table, progress));
  if (is("sweep of shapes")) {
    const auto swept = study::sweepShapes({.source = sourceOf(kPlain),
                                           .options = limited(),
                                           .sizes = {{"n", {kElements}}},
                                           .runs = {.runs = 1, .seconds = 0, .warmups = 0}},
                                          table, progress);
    return swept ? swept->rows.front().problem : why(swept);
  }
  session::SessionOptions options = limited();
  options.keepOptimized = true;
  options.prepareRun = false;
  const auto session = session::Session::create(sourceOf(kPlain), options, table, progress);
  if (!session) return why(session);
  study::WhatIf whatIf(table);
  const auto asked = whatIf.evaluate(*(*session)->optimizedModel(), options, {}, *(*session)->report(), progress, 1);
  return asked ? fmt::format("{}", fmt::join(asked->comparison->a.warnings, "\n")) : why(asked);
}

}  // namespace

class TestMemoryLimit : public QObject {
  Q_OBJECT

 private slots:
  void inputsOfStudies_data() {
    QTest::addColumn<QByteArray>("study");
    for (const char* study : {"tune", "compare", "keep float", "verify a context", "sweep of shapes", "what if"})
      QTest::newRow(study) << QByteArray(study);
  }
  void inputsOfStudies() {
    QFETCH(QByteArray, study);
    Progress progress;
    const std::string text = said(study.constData(), progress);
    for (const char* word : {"float[1000000]", "4000000 bytes", "memory limit is 1000000 bytes", "value 'x'"})
      QVERIFY2(text.find(word) != std::string::npos, (std::string(word) + " is not in: " + text).c_str());
  }

  void whoFeeds_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<qint64>("limit");
    QTest::addColumn<bool>("fits");
    const qint64 textBytes = kElements * static_cast<qint64>(sizeof(std::string));
    QTest::newRow("numbers above the limit") << QByteArray(kPlain) << qint64{3'999'999} << false;
    QTest::newRow("numbers within") << QByteArray(kPlain) << qint64{4'000'000} << true;
    QTest::newRow("texts above the limit") << QByteArray(kTexts) << textBytes << false;
    QTest::newRow("texts within") << QByteArray(kTexts) << textBytes + 5 * kElements << true;
  }
  void whoFeeds() {
    QFETCH(QByteArray, text);
    QFETCH(qint64, limit);
    QFETCH(bool, fits);
    const auto session = textSession(text.constData(), limited(limit));
    QVERIFY2(session, why(session).c_str());
    const auto budget = (*session)->memoryBudget();
    QVERIFY(budget != nullptr);
    const int64_t before = budget->heldBytes();
    {
      const auto feeds = session::randomFeeds(**session, 1, {{"n", kElements}}, {});
      QCOMPARE(feeds.has_value(), fits);
      QVERIFY(fits || (feeds.error().byPolicy && feeds.error().where.value == "x"));
      QVERIFY(!fits || budget->heldBytes() > before);
    }
    QCOMPARE(budget->heldBytes(), before);
  }

  // Given inputs take no room twice, and leave the others as they are.
  void givenInputsAreNotMade() {
    const auto session = textSession(R"(<ir_version: 8, opset_import: ["" : 17]>
g (float[1000] a, float[4] b) => (float[4] y) { s = ReduceSum (a) y = Add (s, b) })");
    QVERIFY2(session, why(session).c_str());
    const auto all = session::randomFeeds(**session, 5, {}, {});
    const auto rest = session::randomFeeds(**session, 5, {}, {}, std::span(all->data(), 1));
    QVERIFY(rest && rest->size() == 1 && rest->front().name == "b");
    QCOMPARE(floatsOf(rest->front().value), floatsOf(all->back().value));
  }

  void cancelIsHeard() {
    const CancelToken cancel;
    cancel.cancel();
    for (const char* text : {kPlain, kTexts}) {
      const auto session = textSession(text);
      QVERIFY2(session, why(session).c_str());
      const auto feeds = session::randomFeeds(**session, 1, {{"n", kElements}}, cancel);
      QVERIFY(!feeds && feeds.error().code == ErrorCode::kModelLoadCanceled);
    }
  }
};

QTEST_GUILESS_MAIN(TestMemoryLimit)
#include "tst_memory_limit.moc"
