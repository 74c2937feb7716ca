// Sizes as people write them, and one model over many shapes: planned, run, refused.
#include <QtTest/QtTest>

#include "engine/graph/text.h"
#include "engine/study/shapes/size_list.h"
#include "engine/study/shapes/sweep_shapes.h"
#include "providers/cpu/provider.h"
#include "tests/unit/engine/session/text_session.h"

using namespace cutaway;

namespace {

constexpr const char* kOpen = R"(<ir_version: 8, opset_import: ["" : 17]>
  g (float[batch,seq] x) => (float[batch,seq] y) { [r] a = Sin (x) [t] b = Tanh (a) [s] y = Add (b, a) })";
// The sizes of both inputs must agree: with rows = 3 they do not.
constexpr const char* kPicky = R"(<ir_version: 8, opset_import: ["" : 17]>
  g (float[rows,4] x, float[2,4] w) => (float[rows,4] y) { y = Add (x, w) })";

load::ModelSource sourceOf(const char* text) {
  Result<Model> model = parseModelText(text);
  if (!model) qFatal("%s", describe(model.error()).c_str());
  return load::ModelSource::loaded(std::make_shared<const Model>(*std::move(model)));
}

Result<ShapeSweep> sweep(const char* text, study::SizeLists sizes, int runs = 0, session::SessionOptions options = {}) {
  Progress progress;
  return study::sweepShapes({.source = sourceOf(text),
                             .options = std::move(options),
                             .sizes = std::move(sizes),
                             .runs = {.runs = runs, .seconds = 0, .warmups = 0}},
                            cpuTable(), progress);
}

}  // namespace

class TestShapes : public QObject {
  Q_OBJECT

 private slots:
  void sizesAreRead_data() {
    QTest::addColumn<QString>("words");
    QTest::addColumn<QString>("sizes");  // empty: refused
    QTest::newRow("one") << "8" << "8";
    QTest::newRow("several, once each, in order") << "32, 1 ,8,1" << "1, 8, 32";
    QTest::newRow("doubled") << "1..32" << "1, 2, 4, 8, 16, 32";
    QTest::newRow("doubled, with its end") << "3..20" << "3, 6, 12, 20";
    QTest::newRow("in steps") << "16..64:16" << "16, 32, 48, 64";
    QTest::newRow("mixed") << "1, 8..32" << "1, 8, 16, 32";
    QTest::newRow("nothing") << "" << "";
    QTest::newRow("zero") << "0, 1" << "";
    QTest::newRow("word") << "1, two" << "";
    QTest::newRow("backwards") << "8..1" << "";
    QTest::newRow("no step") << "1..8:0" << "";
    QTest::newRow("too many") << "1..1000:1" << "";
    QTest::newRow("larger than any") << "99999999999999999999" << "";
    QTest::newRow("comma at the end") << "1," << "";
  }
  void sizesAreRead() {
    QFETCH(QString, words);
    QFETCH(QString, sizes);
    const auto read = study::readSizes(words.toStdString());
    QCOMPARE(read.has_value(), !sizes.isEmpty());
    if (!read) {
      QCOMPARE(read.error().code, ErrorCode::kInvalidArgument);
      return;
    }
    QCOMPARE(QString::fromStdString(study::printSizes(*read)), sizes);
    QCOMPARE(study::readSizes(study::printSizes(*read)).value(), *read);
  }

  void everyCombination() {
    const auto found = sweep(kOpen, {{"batch", {1, 4}}, {"seq", {64, 128}}});
    QVERIFY2(found, why(found).c_str());
    QCOMPARE(found->dims, (std::vector<std::string>{"batch", "seq"}));
    QCOMPARE(found->rows.size(), size_t{4});
    std::vector<int64_t> peaks;
    for (const ShapeRow& row : found->rows) {
      QVERIFY2(row.problem.empty(), row.problem.c_str());
      QCOMPARE(row.runs, int64_t{0});
      QCOMPARE(row.unplannedBuffers, int64_t{0});
      peaks.push_back(row.peakBytes);
    }
    QCOMPARE(found->rows[1].dims, (ShapeBinding{{"batch", 1}, {"seq", 128}}));
    // The peak is of values as large as the input; blocks are multiples of 256 bytes, which these sizes fill.
    QVERIFY(peaks[0] > 0 && peaks[1] == 2 * peaks[0] && peaks[2] == 4 * peaks[0] && peaks[3] == 8 * peaks[0]);
  }

  // What is not swept stays open, and the run says what it took.
  void openOnesAreToldOf() {
    const auto found = sweep(kOpen, {{"batch", {1, 2}}}, 2);
    QVERIFY2(found, why(found).c_str());
    for (const ShapeRow& row : found->rows) {
      QCOMPARE(row.runs, int64_t{2});
      QVERIFY(row.medianMs > 0 && row.lowMs <= row.medianMs && row.medianMs <= row.highMs);
      QVERIFY(row.unplannedBuffers > 0);
      QCOMPARE(row.assumed, (std::vector<std::pair<std::string, int64_t>>{{"seq", 1}}));
    }
  }

  // A dimension that the session has bound can be swept all the same; others keep their size.
  void boundOnesAreSwept() {
    session::SessionOptions options;
    options.dims = {{"batch", 2}, {"seq", 64}};
    const auto found = sweep(kOpen, {{"batch", {1, 4}}}, 0, options);
    QVERIFY2(found, why(found).c_str());
    QCOMPARE(found->rows.size(), size_t{2});
    QCOMPARE(found->rows[0].unplannedBuffers, int64_t{0});
    QCOMPARE(found->rows[1].peakBytes, 4 * found->rows[0].peakBytes);
  }

  void oneThatFailsIsARow() {
    const auto found = sweep(kPicky, {{"rows", {2, 3}}}, 1);
    QVERIFY2(found, why(found).c_str());
    QVERIFY2(found->rows[0].problem.empty(), found->rows[0].problem.c_str());
    QVERIFY(!found->rows[1].problem.empty());
    QCOMPARE(found->rows[1].runs, int64_t{0});
  }

  void refused() {
    const auto unknown = sweep(kOpen, {{"rows", {1, 2}}});
    QVERIFY(!unknown);
    QCOMPARE(unknown.error().code, ErrorCode::kInvalidArgument);
    QVERIFY2(unknown.error().message.find("batch, seq") != std::string::npos, unknown.error().message.c_str());
    QVERIFY(!sweep(kOpen, {}));
    const std::vector<int64_t> many = study::readSizes("1..9:1").value();
    QVERIFY(!sweep(kOpen, {{"batch", many}, {"seq", many}}));
  }

  void cancelIsHeard() {
    Progress progress;
    progress.token().cancel();
    const auto found = study::sweepShapes({.source = sourceOf(kOpen), .options = {}, .sizes = {{"batch", {1, 2}}}},
                                          cpuTable(), progress);
    QVERIFY(!found);
    QCOMPARE(found.error().code, ErrorCode::kModelLoadCanceled);
  }
};

QTEST_GUILESS_MAIN(TestShapes)
#include "tst_shapes.moc"
