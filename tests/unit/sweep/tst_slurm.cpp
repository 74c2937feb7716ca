// What is said to Slurm, and how its answers are read. That a cluster does it is shown by tests/sweep/check_slurm.py.
#include "sweep/runners/slurm_accounting.h"
#include "sweep/runners/workflow.h"

#include <QtTest/QtTest>

using namespace cutaway;
using namespace cutaway::sweep;

namespace {

std::vector<Job> jobsOf(int count) {
  std::vector<Job> jobs(static_cast<size_t>(count));
  for (size_t i = 0; i < jobs.size(); ++i) {
    jobs[i].key = fmt::format("{:032x}", i);
    jobs[i].limits.memoryBytes = 1;
  }
  return jobs;
}

size_t countOf(const std::vector<TaskList>& lists) {
  size_t count = 0;
  for (const TaskList& list : lists) {
    for (const auto& task : list.tasks)
      count += task.size();
  }
  return count;
}

}  // namespace

class TestSlurm : public QObject {
  Q_OBJECT

 private slots:
  void packs_data() {
    QTest::addColumn<int>("jobs");
    QTest::addColumn<double>("seconds");
    QTest::addColumn<double>("pack");
    QTest::addColumn<int>("most");
    QTest::addColumn<int>("lists");
    QTest::addColumn<int>("tasks");  // of the first list
    QTest::newRow("short jobs") << 100 << 1.0 << 30.0 << 1000 << 1 << 4;
    QTest::newRow("long jobs") << 10 << 60.0 << 30.0 << 1000 << 1 << 10;
    QTest::newRow("not packed") << 10 << 1.0 << 0.0 << 1000 << 1 << 10;
    QTest::newRow("two arrays") << 10 << 60.0 << 30.0 << 6 << 2 << 6;
    QTest::newRow("one") << 1 << 1.0 << 30.0 << 1000 << 1 << 1;
  }
  void packs() {
    QFETCH(int, jobs);
    QFETCH(double, seconds);
    QFETCH(double, pack);
    QFETCH(int, most);
    QFETCH(int, lists);
    QFETCH(int, tasks);
    const auto packed = packTasks(jobsOf(jobs), pack, static_cast<size_t>(most), [&](const Job&) { return seconds; });
    QCOMPARE(packed.size(), static_cast<size_t>(lists));
    QCOMPARE(packed.front().tasks.size(), static_cast<size_t>(tasks));
    QCOMPARE(countOf(packed), static_cast<size_t>(jobs));
  }
  void differentLimitsAreDifferentArrays() {
    std::vector<Job> jobs = jobsOf(4);
    jobs[1].limits.exclusive = true;
    jobs[2].limits.features = "a100";
    const auto packed = packTasks(jobs, 30, 1000, [](const Job&) { return 1.0; });
    QCOMPARE(packed.size(), size_t{3});
    QVERIFY(packed[0].name != packed[1].name);
  }
  void arguments() {
    TaskList list{.name = "abc", .limits = {}, .tasks = {{"k"}, {"l"}}};
    list.limits.memoryBytes = 1'048'577;
    list.limits.gpus = 2;
    list.limits.features = "a100";
    list.limits.exclusive = true;
    list.limits.timeoutSeconds = 90;
    const auto arguments = sbatchArguments(list, {.partition = "p", .account = "", .options = {"--qos=x"}, .atOnce = 5},
                                           {workCommand("/bin/it's", "/bin/c", "/a b.toml"), "/f/100%/abc.json"});
    const QStringList words = [&] {
      QStringList all;
      for (const std::string& each : arguments)
        all << QString::fromStdString(each);
      return all;
    }();
    for (const char* expected :
         {"--parsable", "--job-name=cutaway-abc", "--array=0-1%5", "--mem=2M", "--time=3", "--requeue", "--gres=gpu:2",
          "--constraint=a100", "--exclusive", "--partition=p", "--qos=x", "--output=/f/100%%/abc_%a.txt",
          "--wrap=exec '/bin/it'\\''s' sweep work '/a b.toml' --program '/bin/c' --task '/f/100%/abc.json'"})
      QVERIFY2(words.contains(QString::fromLatin1(expected)), expected);
  }
  void queue() {
    const auto tasks =
        parseQueue("3|cutaway-abc|RUNNING|None\n0|cutaway-abc|PENDING|Resources\n7|other|RUNNING|None\n");
    QVERIFY(tasks);
    QCOMPARE(tasks->size(), size_t{2});
    QCOMPARE(tasks->front().index, size_t{3});
    QCOMPARE(tasks->back().reason, std::string("Resources"));
    QVERIFY(!parseQueue("N/A|cutaway-abc|RUNNING|None\n"));
  }
  void accountingHasTwoShapes_data() {
    QTest::addColumn<QByteArray>("json");
    QTest::newRow("before 23.11") << QByteArray(R"({"jobs": [
      {"name": "cutaway-abc", "array": {"task_id": 3}, "state": {"current": "OUT_OF_MEMORY", "reason": "None"}},
      {"name": "cutaway-abc", "array": {"task_id": null}, "state": {"current": "PENDING", "reason": "None"}},
      {"name": "other", "array": {"task_id": 3}, "state": {"current": "FAILED", "reason": "None"}}, 7]})");
    QTest::newRow("since") << QByteArray(R"({"jobs": [
      {"name": "cutaway-abc", "array": {"task_id": {"set": true, "infinite": false, "number": 3}},
       "state": {"current": ["OUT_OF_MEMORY"], "reason": "None"}},
      {"name": "cutaway-abc", "array": {"task_id": {"set": false, "infinite": false, "number": 0}},
       "state": {"current": ["PENDING"], "reason": "None"}},
      {"name": "other", "array": {"task_id": {"set": true, "infinite": false, "number": 3}},
       "state": {"current": ["FAILED"], "reason": "None"}}, {"name": [], "array": [], "state": 1}]})");
  }
  void accountingHasTwoShapes() {
    QFETCH(QByteArray, json);
    const auto tasks = parseAccounting(json.toStdString());
    QVERIFY(tasks);
    QCOMPARE(tasks->size(), size_t{1});
    QCOMPARE(tasks->front().list, std::string("abc"));
    QCOMPARE(tasks->front().index, size_t{3});
    QCOMPARE(tasks->front().state, std::string("OUT_OF_MEMORY"));
    for (const char* rubbish : {"", "[]", "{", R"({"jobs": 3})", "sacct: error: no accounting"})
      QVERIFY(!parseAccounting(rubbish));
  }
  void workflowsNameEveryJobOnce() {
    std::vector<Job> jobs = jobsOf(3);
    jobs.push_back(jobs.front());
    jobs.front().cell.model = "a\nall:\n\trm -rf x";
    const QString make =
        QString::fromStdString(makefileOf(jobs, SweepFolder("/f"), workCommand("/w", "/c", "/p$x.toml")));
    QCOMPARE(make.count(".json:\n"), 3);
    QCOMPARE(make.count("\n\t"), 3);
    QVERIFY(make.contains("'/p$$x.toml'"));
    const QString snake =
        QString::fromStdString(snakefileOf(jobs, SweepFolder("/f"), workCommand("/w", "/c", "/p{x}.toml")));
    QVERIFY(snake.contains("/p{{x}}.toml"));
  }
};

QTEST_MAIN(TestSlurm)
#include "tst_slurm.moc"
