// A plan's text becomes jobs, and everything wrong in it is told with its place.
#include <set>

#include "sweep/plan/expand.h"
#include "sweep/plan/glob.h"
#include "sweep/plan/located_value.h"
#include "sweep/plan/model_hash.h"
#include "sweep/runners/model_pack.h"

#include <QProcess>
#include <QTemporaryDir>
#include <QtTest/QtTest>

#include "engine/base/write_file.h"

using namespace cutaway;
using namespace cutaway::sweep;

namespace {

std::filesystem::path pathIn(const QTemporaryDir& folder, const char* name) {
  return std::filesystem::path(folder.path().toStdString()) / name;
}

void write(const std::filesystem::path& file, const std::string& text) {
  std::filesystem::create_directories(file.parent_path());
  QVERIFY(writeFile(file, text));
}

Result<Expansion> expanded(const QTemporaryDir& folder, const std::string& text, const std::string& version = "1") {
  write(pathIn(folder, "sweep.toml"), text);
  CUTAWAY_TRY(const Plan plan, readPlan(pathIn(folder, "sweep.toml"), {}));
  Progress progress;
  const auto openPack = [&](const std::filesystem::path& pack) {
    return unpackModels(pack, SweepFolder::of(pathIn(folder, "sweep.toml")));
  };
  return expand(plan, version, openPack, progress);
}

// A pack of what lies in `source`, a folder in `folder`.
void pack(const QTemporaryDir& folder, const char* name, const char* source) {
  QCOMPARE(QProcess::execute("tar", {"-caf", folder.filePath(name), "-C", folder.filePath(source), "."}), 0);
}

const std::string kTwoModels = "[[models]]\nfiles = [\"*.onnx\"]\n";

}  // namespace

class TestPlan : public QObject {
  Q_OBJECT

 private slots:
  void errorsAreLocated_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("says");
    QTest::newRow("no TOML") << "[[models]\n" << "sweep.toml:1:";
    QTest::newRow("no models") << "name = \"x\"\n" << "it needs a table [[models]]";
    QTest::newRow("no match") << "\n[[models]]\nfiles = [\"*.none\"]\n"
                              << "sweep.toml:2: models: no file matches '*.none'";
    QTest::newRow("unknown member") << "[[models]]\nfils = [\"a.onnx\"]\n"
                                    << "sweep.toml:2:8: models: there is no member 'fils': did you mean 'files'?";
    QTest::newRow("wrong type") << "name = 3\n[[models]]\nfiles = [\"a.onnx\"]\n"
                                << "sweep.toml:1:8: the plan: 'name' is a text, not a whole number";
    QTest::newRow("unknown measure") << "[[models]]\nfiles = \"a.onnx\"\n[[measures]]\nkind = \"bensh\"\n"
                                     << "'bensh' is nothing to measure";
    QTest::newRow("no reference") << "[[models]]\nfiles = \"a.onnx\"\n[[measures]]\nkind = \"compare\"\n"
                                  << "compare needs 'reference'";
    QTest::newRow("unknown reference")
        << "[[models]]\nfiles = \"a.onnx\"\n[[measures]]\nkind = \"compare\"\nreference = \"x\"\n"
        << "no configuration is called 'x'; there are 'default'";
    QTest::newRow("empty list") << "[[models]]\nfiles = \"a.onnx\"\n[[configurations]]\nopt_level = []\n"
                                << "sweep.toml:4:13: configurations: 'opt_level' is an empty list";
    QTest::newRow("same name")
        << "[[models]]\nfiles = \"a.onnx\"\n[[configurations]]\nname = \"x\"\n[[configurations]]\nname = \"x\"\n"
        << "two configurations are called 'x'";
    QTest::newRow("size") << "[[models]]\nfiles = \"a.onnx\"\n[limits]\nmemory = \"4 bananas\"\n"
                          << "sweep.toml:4:10: limits: 'memory': '4 bananas' is no size";
    QTest::newRow("too large") << "[[models]]\nfiles = \"a.onnx\"\n[[measures]]\nkind = \"bench\"\nrepeats = 5000\n"
                               << "it lies between 1 and 1000";
    QTest::newRow("time not a number") << "[[models]]\nfiles = \"a.onnx\"\n[limits]\ntimeout = nan\n"
                                       << "'timeout' is nan";
  }
  void errorsAreLocated() {
    QFETCH(QString, text);
    QFETCH(QString, says);
    const QTemporaryDir folder;
    write(pathIn(folder, "a.onnx"), "a");
    const Result<Expansion> jobs = expanded(folder, text.toStdString());
    QVERIFY(!jobs);
    QVERIFY2(QString::fromStdString(jobs.error().message).contains(says), jobs.error().message.c_str());
  }
  void allErrorsAreTold() {
    const QTemporaryDir folder;
    const Result<Expansion> jobs = expanded(folder, "name = 1\nx = 2\n[[models]]\nfiles = 3\n");
    QVERIFY(!jobs);
    QCOMPARE(QString::fromStdString(jobs.error().message).count(QLatin1Char(0x0a)) + 1, 4);
  }
  void listsMultiply() {
    const QTemporaryDir folder;
    for (const char* name : {"a.onnx", "b.onnx"})
      write(pathIn(folder, name), name);
    const auto jobs =
        expanded(folder,
                 "[[models]]\nfiles = [\"*.onnx\"]\ndims = { batch = [1, 8] }\n"
                 "[[configurations]]\nname = \"c\"\nopt_level = [0, 3]\nproviders = [[\"cpu\"], [\"x\", \"cpu\"]]\n"
                 "[[measures]]\nkind = \"bench\"\nrepeats = 3\n[[exclude]]\nmodel = \"b*\"\nconfiguration = "
                 "\"*opt_level=0*\"\n");
    QVERIFY2(jobs, jobs ? "" : jobs.error().message.c_str());
    QCOMPARE(jobs->jobs.size(), size_t{(4 * 4 - 2 * 2) * 3});
    QCOMPARE(jobs->excludedCells, int64_t{4});
    std::set<std::string> keys;
    for (const Job& job : jobs->jobs)
      keys.insert(job.key);
    QCOMPARE(keys.size(), jobs->jobs.size());
    const Job& first = jobs->jobs.front();
    QCOMPARE(first.cell.model, std::string("a.onnx batch=1"));
    QCOMPARE(first.cell.configuration, std::string("c opt_level=0 providers=cpu"));
    QCOMPARE(first.settings.dump(),
             std::string(R"({"dims":{"batch":1},"opt_level":0,"providers":["cpu"],"threads":1})"));
    QVERIFY(first.limits.exclusive);
  }
  void keysFollowContents() {
    const QTemporaryDir folder;
    write(pathIn(folder, "a.onnx"), "one");
    write(pathIn(folder, "b.onnx"), "one");
    const auto before = expanded(folder, kTwoModels);
    QVERIFY(before);
    QCOMPARE(before->jobs.at(0).key, before->jobs.at(1).key);  // the same bytes are the same work
    write(pathIn(folder, "b.onnx"), "two");
    const auto after = expanded(folder, kTwoModels);
    QVERIFY(after);
    QCOMPARE(after->jobs.at(0).key, before->jobs.at(0).key);
    QVERIFY(after->jobs.at(1).key != before->jobs.at(1).key);
    const auto newer = expanded(folder, kTwoModels, "2");
    QVERIFY(newer);
    QVERIFY(newer->jobs.at(0).key != before->jobs.at(0).key);
  }
  void filesBesideAModelCount() {
    using namespace std::string_literals;
    const QTemporaryDir folder;
    write(pathIn(folder, "model.onnx"), "x\x0a\x08location\x12\x05w.bin!"s);
    write(pathIn(folder, "w.bin"), "weights");
    const auto before = hashModel(pathIn(folder, "model.onnx"), false);
    write(pathIn(folder, "w.bin"), "other");
    const auto after = hashModel(pathIn(folder, "model.onnx"), false);
    QVERIFY(before && after);
    QVERIFY(before->hash != after->hash);
    write(pathIn(folder, "test_data_set_0/input_0.pb"), "data");
    QCOMPARE(hashModel(pathIn(folder, "model.onnx"), false)->hash, after->hash);
    QVERIFY(hashModel(pathIn(folder, "model.onnx"), true)->hash != after->hash);
    QVERIFY(hasTestData(pathIn(folder, "model.onnx")));
  }
  void packsAreFolders() {
    const QTemporaryDir folder;
    for (const char* name : {"in/a/m.onnx", "in/b/m.onnx", "in/b/left-out.onnx", "in/b/notes.txt"})
      write(pathIn(folder, name), name);
    pack(folder, "zoo.tar.xz", "in");
    const std::string text = "[[models]]\nfiles = [\"*.tar.xz\"]\nexclude = [\"**/left-out.onnx\"]\n";
    const auto before = expanded(folder, text);
    QVERIFY2(before, before ? "" : before.error().message.c_str());
    QCOMPARE(before->jobs.size(), size_t{2});
    QCOMPARE(before->jobs.at(0).cell.model, std::string("zoo.tar.xz/a/m.onnx"));
    QCOMPARE(before->jobs.at(1).cell.model, std::string("zoo.tar.xz/b/m.onnx"));
    QVERIFY(before->jobs.at(0).key != before->jobs.at(1).key);
    // It is unpacked once: what lies there is taken as it is.
    write(before->jobs.at(0).model, "changed");
    QVERIFY(expanded(folder, text)->jobs.at(0).key != before->jobs.at(0).key);
    // Another pack of that name is another folder.
    write(pathIn(folder, "in/a/m.onnx"), "newer");
    pack(folder, "zoo.tar.xz", "in");
    const auto after = expanded(folder, text);
    QVERIFY(after);
    QVERIFY(after->jobs.at(0).model != before->jobs.at(0).model);
    QCOMPARE(after->jobs.at(1).key, before->jobs.at(1).key);
    QCOMPARE(QDir(folder.filePath("sweep.sweep/packs")).entryList(QDir::Dirs | QDir::NoDotAndDotDot).size(), 2);
  }
  void badPacksAreLocated_data() {
    QTest::addColumn<bool>("isPack");
    QTest::addColumn<QString>("says");
    QTest::newRow("no archive") << false << "sweep.toml:1: models: the pack '%1' cannot be unpacked: tar: tar: ";
    QTest::newRow("no model in it") << true << "sweep.toml:1: models: no model is in the pack '%1'";
  }
  void badPacksAreLocated() {
    QFETCH(bool, isPack);
    QFETCH(QString, says);
    const QTemporaryDir folder;
    write(pathIn(folder, "in/notes.txt"), "x");
    write(pathIn(folder, "zoo.tar.gz"), "no archive");
    if (isPack) pack(folder, "zoo.tar.gz", "in");
    const auto jobs = expanded(folder, "[[models]]\nfiles = [\"zoo.tar.gz\"]\n");
    QVERIFY(!jobs);
    QVERIFY2(QString::fromStdString(jobs.error().message).contains(says.arg(folder.filePath("zoo.tar.gz"))),
             jobs.error().message.c_str());
    // Nothing half unpacked stays.
    QCOMPARE(QDir(folder.filePath("sweep.sweep/packs")).entryList(QDir::Dirs | QDir::NoDotAndDotDot).size(),
             isPack ? 1 : 0);
  }
  void globs_data() {
    QTest::addColumn<QString>("pattern");
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("matches");
    QTest::newRow("star") << "*.onnx" << "a.onnx" << true;
    QTest::newRow("star stays in its folder") << "*.onnx" << "x/a.onnx" << false;
    QTest::newRow("deep") << "x/**/a.onnx" << "x/y/z/a.onnx" << true;
    QTest::newRow("deep is nothing, too") << "x/**/a.onnx" << "x/a.onnx" << true;
    QTest::newRow("deep needs a folder's end") << "x/**/a.onnx" << "x/ya.onnx" << false;
    QTest::newRow("deep at the end") << "x/**" << "x/y/z" << true;
    QTest::newRow("one") << "a?c" << "abc" << true;
    QTest::newRow("not a slash") << "a?c" << "a/c" << false;
    QTest::newRow("many stars") << "*a*a*a*a*a*a*a*a*b" << "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" << false;
  }
  void globs() {
    QFETCH(QString, pattern);
    QFETCH(QString, text);
    QFETCH(bool, matches);
    QCOMPARE(globMatches(pattern.toStdString(), text.toStdString()), matches);
  }
  void jobsSurviveTheirFile() {
    const QTemporaryDir folder;
    write(pathIn(folder, "a.onnx"), "one");
    const auto jobs = expanded(folder, kTwoModels + "[[measures]]\nkind = \"bench\"\nseconds = 0.25\n");
    QVERIFY(jobs);
    const Result<Job> read = jobFromJson(Json::parse(jobToJson(jobs->jobs.front()).dump()));
    QVERIFY(read);
    QCOMPARE(keyOf(*read, "1"), jobs->jobs.front().key);
    QVERIFY(read->limits == jobs->jobs.front().limits);
    QVERIFY(!jobFromJson(Json::parse(R"({"key": "../../etc/passwd"})")));
  }
};

QTEST_MAIN(TestPlan)
#include "tst_plan.moc"
