// Words, figures and JSON of the reports.
#include <QtTest/QtTest>

#include "engine/report/json.h"

using namespace cutaway;

class TestReport : public QObject {
  Q_OBJECT
 private slots:
  void bytes_data() {
    QTest::addColumn<qint64>("size");
    QTest::addColumn<QString>("text");
    QTest::newRow("unknown") << qint64{-1} << "unknown";
    QTest::newRow("none") << qint64{0} << "0 B";
    QTest::newRow("few") << qint64{640} << "640 B";
    QTest::newRow("kilo") << qint64{12'000} << "12 KB";
    QTest::newRow("mega") << qint64{3'100'000} << "3.1 MB";
    QTest::newRow("digits") << qint64{1'234'567} << "1.23 MB";
    QTest::newRow("almost the next unit") << qint64{999'900} << "1 MB";
    QTest::newRow("giga") << qint64{2'500'000'000} << "2.5 GB";
  }
  void bytes() {
    QFETCH(qint64, size);
    QTEST(QString::fromStdString(formatBytes(size)), "text");
  }

  void times_data() {
    QTest::addColumn<qint64>("ns");
    QTest::addColumn<QString>("text");
    QTest::newRow("ns") << qint64{12} << "12 ns";
    QTest::newRow("us") << qint64{830'000} << "830 us";
    QTest::newRow("ms") << qint64{1'250'000} << "1.25 ms";
    QTest::newRow("s") << qint64{12'000'000'000} << "12 s";
  }
  void times() {
    QFETCH(qint64, ns);
    QTEST(QString::fromStdString(formatTime(ns)), "text");
  }

  void counts() {
    QCOMPARE(formatCount(0), std::string("0"));
    QCOMPARE(formatCount(999), std::string("999"));
    QCOMPARE(formatCount(12'345), std::string("12,345"));
    QCOMPARE(formatCount(-1'234'567), std::string("-1,234,567"));
  }

  void everyEnumerationHasItsWords() {
    QCOMPARE(allocKindName(AllocKind::kNotSet), "NotSet");
    QCOMPARE(allocKindName(AllocKind::kAllocatedExternally), "AllocatedExternally");
    QCOMPARE(refusalCauseName(RefusalCause::kOther), "other");
    QCOMPARE(verdictName(Verdict::kCompileFailed), "compile failed");
    QCOMPARE(valueRoleName(ValueRole::kUnused), "unused");
    QCOMPARE(stageId(Stage::kContext), "context");
    QCOMPARE(stageTitle(Stage::kResolve), "Inputs & outputs");
  }

  void headlinesOfUnfinishedStagesAreEmpty() {
    const WalkReport walk;
    for (int i = 0; i < kStageCount; ++i) QVERIFY(stageHeadline(walk, static_cast<Stage>(i)).empty());
  }

  void jsonHasWhatIsThereAndNothingElse() {
    WalkReport walk;
    auto pattern = std::make_shared<PatternReport>();
    pattern->peakBytes = 768;
    pattern->lowerBoundBytes = 512;
    walk.pattern = pattern;
    walk.error = Error{ErrorCode::kInvalidGraph, "broken", {"m.onnx", "n", "v"}};
    const nlohmann::json json = walkToJson(walk, {});
    QCOMPARE(json["schema_version"].get<int>(), kReportSchemaVersion);
    QCOMPARE(json["pattern"]["peak_bytes"].get<int64_t>(), int64_t{768});
    QVERIFY(!json.contains("load"));
    QCOMPARE(json["error"]["code"].get<std::string>(), std::string("INVALID_GRAPH"));
    QCOMPARE(json["stages"].size(), size_t{kStageCount});
    QVERIFY(!walkToJson(walk, {.lastStage = Stage::kLoad}).contains("pattern"));
  }

  void namesThatAreNotUtf8StillGiveValidJson() {
    WalkReport walk;
    auto load = std::make_shared<LoadReport>();
    load->path = "bad\xff\xfename";
    walk.load = load;
    const std::string text = dumpJson(walkToJson(walk, {}), 0);
    QVERIFY(nlohmann::json::accept(text));
  }
};

QTEST_GUILESS_MAIN(TestReport)
#include "tst_report.moc"
