// Records and the file of results: idempotent, versioned, and safe from rubbish.
#include <fstream>

#include "sweep/results/findings.h"
#include "sweep/results/sweep_folder.h"

#include <QTemporaryDir>
#include <QtTest/QtTest>

#include "engine/base/write_file.h"

using namespace cutaway;
using namespace cutaway::sweep;

namespace {

const std::string kKey(32, 'a');

Record record(const std::string& key) {
  Record record;
  record.key = key;
  record.program = "p";
  record.machine = thisMachine();
  record.findings.figures["median_ms"] = {1.5, 1, 2, 7, "ms", "measured"};
  record.findings.providers = {{"x", 3, 1}, {"cpu", 2, 0}};
  record.findings.refusals = {{"x", "no such operator", 2}};
  record.findings.placements = {{"n\"1", "x"}, {"n2", "cpu"}};
  return record;
}

Job job(const std::string& key) {
  Job job;
  job.key = key;
  job.cell = {"m.onnx", "c", MeasureKind::kBench, 0};
  job.settings = Json::object();
  return job;
}

std::filesystem::path pathOf(const QTemporaryDir& folder) {
  return folder.path().toStdString();
}

}  // namespace

class TestResults : public QObject {
  Q_OBJECT

 private slots:
  void collectingTwiceIsCollectingOnce() {
    const QTemporaryDir place;
    const SweepFolder folder(pathOf(place));
    QVERIFY(folder.make());
    QVERIFY(writeRecord(folder.record(kKey), record(kKey)));
    for (int i = 0; i < 2; ++i) {
      auto store = Store::open(folder.database(), Database::Mode::kWrite);
      QVERIFY(store);
      QVERIFY(store->setCells({job(kKey)}, "p"));
      const auto collected = collect(folder, *store);
      QVERIFY(collected);
      QCOMPARE(collected->added, int64_t{i == 0 ? 1 : 0});
      QVERIFY(store->addRecords({record(kKey)}));
      const auto cells = store->cells("p");
      QVERIFY(cells);
      QCOMPARE(cells->size(), size_t{1});
      QVERIFY(cells->front().isDone);
      QVERIFY(cells->front().record.findings.figures.at("median_ms") == record(kKey).findings.figures.at("median_ms"));
      QCOMPARE(cells->front().record.findings.providers.size(), size_t{2});
      QCOMPARE(store->placements(kKey)->front().node, std::string("n\"1"));
    }
  }
  void aRecordIsNeverReplaced() {
    const QTemporaryDir place;
    const std::filesystem::path file = pathOf(place) / (kKey + ".json");
    Record first = record(kKey), second = record(kKey);
    first.wallSeconds = 1;
    second.wallSeconds = 2;
    QVERIFY(writeRecord(file, first));
    QVERIFY(writeRecord(file, second));
    QCOMPARE(readRecord(file)->wallSeconds, 1.0);
  }
  void rubbishIsSetAside_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("cut") << QByteArray("{\"record_version\": 1, \"ke");
    QTest::newRow("other") << QByteArray("[1, 2]");
    QTest::newRow("newer") << QByteArray("{\"record_version\": 99}");
    QTest::newRow("wrong types") << QByteArray("{\"record_version\": 1, \"key\": 7}");
    QTest::newRow("deep") << QByteArray(100000, '[');
  }
  void rubbishIsSetAside() {
    QFETCH(QByteArray, text);
    const QTemporaryDir place;
    const SweepFolder folder(pathOf(place));
    QVERIFY(folder.make());
    std::ofstream(folder.record(kKey)) << text.toStdString();
    auto store = Store::open(folder.database(), Database::Mode::kWrite);
    QVERIFY(store);
    const auto collected = collect(folder, *store);
    QVERIFY(collected);
    QCOMPARE(collected->added, int64_t{0});
    QCOMPARE(collected->rejected.size(), size_t{1});
    QVERIFY(folder.recordedKeys().empty());  // its job is open again
  }
  void foreignFilesAreRefused() {
    const QTemporaryDir place;
    const std::filesystem::path file = pathOf(place) / "r.sqlite";
    QVERIFY(Store::open(file, Database::Mode::kWrite));
    {
      auto database = Database::open(file, Database::Mode::kWrite);
      QVERIFY(database->execute("PRAGMA user_version = 99"));
    }
    const auto newer = Store::open(file, Database::Mode::kRead);
    QVERIFY(!newer);
    QVERIFY(newer.error().message.find("written by a newer program") != std::string::npos);
    const std::filesystem::path other = pathOf(place) / "other.sqlite";
    QVERIFY(Database::open(other, Database::Mode::kWrite)->execute("CREATE TABLE t (a); PRAGMA user_version = 3"));
    QVERIFY(!Store::open(other, Database::Mode::kWrite));
    QVERIFY(writeFile(pathOf(place) / "text.sqlite", std::string(4096, 'x')));
    QVERIFY(!Store::open(pathOf(place) / "text.sqlite", Database::Mode::kRead));
    QVERIFY(!Store::open(pathOf(place) / "none.sqlite", Database::Mode::kRead));
  }
  void oneCollectorAtATime() {
    const QTemporaryDir place;
    const SweepFolder folder(pathOf(place));
    QVERIFY(folder.make());
    QVERIFY(folder.holder().empty());
    const auto lock = folder.lock(0);
    QVERIFY(lock);
    const auto second = folder.lock(0);
    QVERIFY(!second);
    QVERIFY(second.error().message.find(fmt::format("process {}", getpid())) != std::string::npos);
  }
  void reportsOfOthersAreRefused_data() {
    QTest::addColumn<QString>("command");
    QTest::addColumn<QByteArray>("report");
    for (const char* command : {"inspect", "partition", "bench", "compare", "check", "context", "verify"}) {
      QTest::addRow("%s empty", command) << command << QByteArray("{}");
      QTest::addRow("%s wrong types", command)
          << command
          << QByteArray("{\"partition\": 3, \"median_ms\": \"x\", \"values\": 1, \"passed\": [], \"context\": []}");
    }
  }
  void reportsOfOthersAreRefused() {
    QFETCH(QString, command);
    QFETCH(QByteArray, report);
    Findings findings;
    QVERIFY(!addFindings(command.toStdString(), Json::parse(report.toStdString()), findings));
    QVERIFY(findings.figures.empty());
  }
};

QTEST_MAIN(TestResults)
#include "tst_results.moc"
