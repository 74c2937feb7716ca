// Lists of providers that say auto: what a measurement holds for, its file under every damage, and what is chosen.

#include <fstream>

#include <QTemporaryDir>
#include <QTest>

#include "engine/graph/text.h"
#include "engine/session/choice/auto_choice.h"
#include "engine/session/choice/list_notes.h"
#include "engine/session/choice/model_key.h"
#include "engine/session/choice/tuned_plans.h"
#include "providers/cpu/provider.h"
#include "tests/provider/test_provider.h"
#include "tests/unit/engine/session/text_session.h"

using namespace cutaway;
namespace fs = std::filesystem;

namespace {

constexpr const char* kChain = R"(<ir_version: 8, opset_import: ["" : 17]>
  g (float[1,4] x) => (float[1,4] y) { [a] p = Relu (x) [b] y = Neg (p) })";

const KernelRegistry* kernelsOfCpu() {
  static const auto cpu = cpuProvider().create({});
  return (*cpu)->kernels();
}

std::atomic<int> g_made{0};

Result<std::unique_ptr<ExecutionProvider>> makeFast(const ProviderRequest&) {
  ++g_made;
  TestProviderPlan plan;
  plan.name = "fast";
  plan.groupOperators = {"Relu"};
  plan.innerKernels = kernelsOfCpu();
  return makeTestProvider(std::move(plan));
}
Result<std::unique_ptr<ExecutionProvider>> makeBroken(const ProviderRequest&) {
  return fail(ErrorCode::kEpFail, "its library went away");
}

ProviderEntry entry(std::string name, std::string device, decltype(ProviderEntry::create) create = makeFast) {
  ProviderEntry made{.name = std::move(name), .displayName = {}, .description = {}, .create = create};
  if (!device.empty()) made.onnxruntime = {{.name = "Counterpart", .device = std::move(device)}};
  return made;
}

// On the host's cores, in another program, declared, and the last one.
ProviderTable table() {
  ProviderEntry declared = entry("declared", "npu");
  declared.takesArgument = true;
  return {entry("fast", "cpu"), entry("hosted", ""), declared, cpuProvider()};
}

Model parsed(const char* text) {
  Result<Model> model = parseModelText(text);
  if (!model) qFatal("%s", describe(model.error()).c_str());
  return *std::move(model);
}

session::SessionOptions autoOptions(const fs::path& folder) {
  session::SessionOptions options;
  options.providers = {"auto"};
  options.tuned = {.folder = folder, .version = "1.2.3"};
  return options;
}

session::TunedPlan planOf(const session::SessionOptions& options, std::vector<std::string> providers) {
  session::TunedPlan plan;
  plan.key = session::tunedKey(options, session::modelKey(parsed(kChain)));
  plan.title = "chain.onnx";
  plan.measuredAt = "2026-11-24T03:40:00Z";
  plan.measured = {{.providers = {"cpu"}, .medianMs = 4, .lowMs = 3.9, .highMs = 4.1, .runs = 20},
                   {.providers = providers, .medianMs = 3, .lowMs = 2.9, .highMs = 3.1, .runs = 20, .pValue = 1e-6}};
  plan.providers = std::move(providers);
  return plan;
}

std::string contentOf(const fs::path& path) {
  const std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

void write(const fs::path& path, const std::string& text) {
  std::ofstream(path) << text;
}

fs::path pathOf(const QTemporaryDir& folder) {
  return folder.path().toStdString();
}

QString listOf(const std::vector<std::string>& texts) {
  QStringList parts;
  for (const std::string& text : texts)
    parts << QString::fromStdString(text);
  return parts.join(',');
}

}  // namespace

class TestAutoChoice : public QObject {
  Q_OBJECT
 private slots:
  void modelKey_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("same");
    const QString text = kChain;
    QTest::newRow("itself") << text << true;
    QTest::newRow("names of values") << QString(text).replace(" p ", " other ").replace("(p)", "(other)") << true;
    QTest::newRow("another operator") << QString(text).replace("Neg", "Abs") << false;
    QTest::newRow("another size") << QString(text).replace("float[1,4] x", "float[2,4] x") << false;
    QTest::newRow("another type") << QString(text).replace("float[1,4]", "double[1,4]") << false;
    QTest::newRow("another edge") << QString(text).replace("Neg (p)", "Neg (x)") << false;
    QTest::newRow("another operator set") << QString(text).replace("17]", "16]") << false;
    QTest::newRow("a node's name, which pins use") << QString(text).replace("[a]", "[other]") << false;
  }
  void modelKey() {
    QFETCH(QString, text);
    const std::string key = session::modelKey(parsed(text.toUtf8().constData()));
    QCOMPARE(key.size(), size_t{16});
    QTEST(key == session::modelKey(parsed(kChain)), "same");
  }

  void weightsCountByTheirShapeAndSmallOnesByTheirContent() {
    const auto key = [](const char* weights) {
      const std::string text = fmt::format(
          "<ir_version: 8, opset_import: [\"\" : 17]> g (float[1,4] x) => (float[1,4] y) <{}> {{ y = Add (x, w) }}",
          weights);
      return session::modelKey(parsed(text.c_str()));
    };
    const auto large = [&](float value) {
      std::string numbers;
      for (int i = 0; i < 40; ++i)
        numbers += fmt::format("{}{}", i == 0 ? "" : ",", value);
      return key(fmt::format("float[10,4] w = {{{}}}", numbers).c_str());
    };
    QVERIFY(key("float[1,4] w = {1,2,3,4}") != key("float[1,4] w = {1,2,3,5}"));
    QVERIFY(key("float[1,4] w = {1,2,3,4}") != key("float[4] w = {1,2,3,4}"));
    QCOMPARE(large(1), large(2));
  }

  void aPlanComesBackAsItWasWritten() {
    const QTemporaryDir folder;
    const session::SessionOptions options = autoOptions(pathOf(folder) / "deep" / "tuned");
    const session::TunedPlan plan = planOf(options, {"fast", "cpu"});
    const auto file = session::saveTuned(options.tuned.folder, plan);
    QVERIFY2(file, why(file).c_str());
    const session::TunedLookup found = session::findTuned(options.tuned.folder, plan.key);
    QVERIFY2(found.plan, found.problem.c_str());
    QCOMPARE(session::tunedPlanText(*found.plan), session::tunedPlanText(plan));
    // Another setting is another file.
    session::SessionOptions other = options;
    other.threads = 7;
    QVERIFY(!session::findTuned(options.tuned.folder, session::tunedKey(other, plan.key.model)).plan);
    other = options;
    other.dims["n"] = 3;
    QVERIFY(session::tunedPlanFile("f", session::tunedKey(other, plan.key.model)) !=
            session::tunedPlanFile("f", plan.key));
  }

  void damageIsToldAndNotUsed_data() {
    QTest::addColumn<QString>("from");
    QTest::addColumn<QString>("to");
    QTest::addColumn<QString>("told");
    QTest::newRow("cut off") << "\"measured\"" << "" << "is no JSON";
    QTest::newRow("another schema") << "cutaway.tuned/1" << "cutaway.tuned/9" << "its schema is 'cutaway.tuned/9'";
    QTest::newRow("a member missing") << "\"machine\"" << "\"mashine\"" << "'machine' is missing";
    QTest::newRow("a text for a number") << "\"median_ms\": 4.0" << "\"median_ms\": \"4\""
                                         << "'median_ms' is no number";
    QTest::newRow("a negative count") << "\"runs\": 20" << "\"runs\": -20" << "'runs' is no whole number";
    QTest::newRow("a huge count") << "\"cores\": " << "\"cores\": 99999999999" << "'cores' is no whole number";
    QTest::newRow("a list that was not measured")
        << "\"providers\": [" << "\"providers\": [\"x\"," << "none of the lists";
    QTest::newRow("no provider") << "\"fast\"" << "\"}{\"" << "'}{'";
    QTest::newRow("another model") << "\"model_key\": \"" << "\"model_key\": \"f" << "another model";
    QTest::newRow("another version") << "1.2.3" << "1.2.4" << "version 1.2.4 of the program";
    QTest::newRow("another machine") << "\"features\": \"" << "\"features\": \"0" << "another machine";
    QTest::newRow("another setting") << "threads=0" << "threads=1" << "other settings";
    QTest::newRow("a provider that auto does not take") << "\"fast\"" << "\"hosted\"" << "auto does not take";
    QTest::newRow("options") << "\"fast\"" << "\"fast{file=/etc/passwd}\"" << "auto does not take";
    QTest::newRow("an unknown provider") << "\"fast\"" << "\"nobody\"" << "auto does not take";
  }
  void damageIsToldAndNotUsed() {
    QFETCH(QString, from);
    QFETCH(QString, to);
    QFETCH(QString, told);
    const QTemporaryDir folder;
    const session::SessionOptions options = autoOptions(pathOf(folder));
    const session::TunedPlan plan = planOf(options, {"fast", "cpu"});
    const auto file = session::saveTuned(options.tuned.folder, plan);
    QVERIFY2(file, why(file).c_str());
    QString text = QString::fromStdString(contentOf(*file));
    QVERIFY(text.contains(from));
    if (to.isEmpty()) {
      text.truncate(text.indexOf(from));
    } else if (from == "\"providers\": [") {
      text.replace(text.indexOf(from), from.size(), to);
    } else {
      text.replace(from, to);
    }
    write(*file, text.toStdString());
    const session::AutoChoice chosen = session::chooseProviders("auto", options, table(), plan.key.model);
    QCOMPARE(listOf(chosen.choice.providers), QString("cpu"));
    QVERIFY2(QString::fromStdString(chosen.warning).contains(told), chosen.warning.c_str());
  }

  void filesAreListedAndCleared() {
    const QTemporaryDir folder;
    const session::SessionOptions options = autoOptions(pathOf(folder));
    const session::TunedPlan plan = planOf(options, {"fast", "cpu"});
    QVERIFY(session::saveTuned(options.tuned.folder, plan));
    session::TunedPlan second = plan;
    second.key.model = "0123456789abcdef";
    QVERIFY(session::saveTuned(options.tuned.folder, second));
    write(options.tuned.folder / "fedcba9876543210-fedcba9876543210.json", "{");
    write(options.tuned.folder / "mine.json", "kept");
    QCOMPARE(session::listTuned(options.tuned.folder).size(), size_t{3});
    QVERIFY(session::listTuned(options.tuned.folder).back().problem.find("damaged") != std::string::npos);
    QCOMPARE(session::listTuned(options.tuned.folder, second.key.model).size(), size_t{1});
    QCOMPARE(session::clearTuned(options.tuned.folder, second.key.model).value_or(-1), int64_t{1});
    QCOMPARE(session::clearTuned(options.tuned.folder).value_or(-1), int64_t{2});
    QVERIFY(fs::exists(options.tuned.folder / "mine.json"));
    QVERIFY(session::listTuned("/nowhere/at/all").empty());
  }

  void autoStandsAlone_data() {
    QTest::addColumn<QStringList>("list");
    QTest::addColumn<QString>("error");
    QTest::newRow("alone") << QStringList{"auto"} << "";
    QTest::newRow("with the last one") << QStringList{"auto", "cpu"} << "";
    QTest::newRow("beside another") << QStringList{"auto", "fast"} << "cannot have fast beside it";
    QTest::newRow("with options") << QStringList{"auto{a=b}"} << "'auto' has no options";
    QTest::newRow("with an argument") << QStringList{"auto(gpu)"} << "'auto' has no options";
    QTest::newRow("all alone") << QStringList{"all", "cpu"} << "";
    QTest::newRow("all beside another") << QStringList{"all", "fast"} << "'all' chooses the list of providers";
    QTest::newRow("both words") << QStringList{"auto", "all"} << "'auto' chooses the list of providers";
  }
  void autoStandsAlone() {
    QFETCH(QStringList, list);
    QFETCH(QString, error);
    session::SessionOptions options;
    for (const QString& each : list)
      options.providers.push_back(each.toStdString());
    const ProviderTable all = table();
    const auto session = textSession(kChain, options, {}, &all);
    QCOMPARE(session.has_value(), error.isEmpty());
    if (!session)
      QVERIFY2(session.error().message.find(error.toStdString()) != std::string::npos, why(session).c_str());
  }

  void whatIsChosen_data() {
    QTest::addColumn<QString>("devices");
    QTest::addColumn<QString>("chosen");
    QTest::addColumn<int>("basis");
    QTest::addColumn<QString>("skipped");
    const auto basis = [](ChoiceBasis each) { return static_cast<int>(each); };
    QTest::newRow("nothing but cpu") << "" << "cpu" << basis(ChoiceBasis::kDefault) << "";
    QTest::newRow("a library on the same cores") << "cpu" << "cpu" << basis(ChoiceBasis::kDefault) << "p0";
    QTest::newRow("a device") << "gpu" << "p0,cpu" << basis(ChoiceBasis::kModelled) << "";
    QTest::newRow("two devices, in the table's order")
        << "npu gpu" << "p0,p1,cpu" << basis(ChoiceBasis::kModelled) << "";
    QTest::newRow("both kinds") << "cpu gpu" << "p1,cpu" << basis(ChoiceBasis::kModelled) << "p0";
    QTest::newRow("a device that is not here") << "missing" << "cpu" << basis(ChoiceBasis::kDefault) << "";
  }
  void whatIsChosen() {
    QFETCH(QString, devices);
    ProviderTable all;
    for (const QString& device : devices.split(' ', Qt::SkipEmptyParts)) {
      all.push_back(entry(fmt::format("p{}", all.size()), device == "missing" ? "gpu" : device.toStdString()));
      if (device == "missing") all.back().probe = [] { return ProviderStatus{false, "", "no device"}; };
    }
    all.push_back(cpuProvider());
    const ProviderChoice choice = session::chooseProviders("auto", autoOptions({}), all, {}).choice;
    QTEST(listOf(choice.providers), "chosen");
    QTEST(static_cast<int>(choice.basis), "basis");
    QStringList skipped;
    for (const SkippedProvider& each : choice.skipped)
      skipped << QString::fromStdString(each.name);
    QTEST(skipped.join(' '), "skipped");
    QVERIFY(!choice.reason.empty());
  }

  // The list that onnxruntime would take: everything real that is here, as the table has it, whatever it is good for.
  void allAreAskedInTheTablesOrder() {
    ProviderTable all{entry("npu", "npu"), entry("fast", "cpu"), entry("hosted", ""), cpuProvider()};
    all[0].probe = [] { return ProviderStatus{false, "", "no driver"}; };
    const ProviderChoice choice = session::chooseProviders("all", {}, all, {}).choice;
    QCOMPARE(listOf(choice.providers), QString("fast,cpu"));
    QCOMPARE(choice.basis, ChoiceBasis::kAll);
    QCOMPARE(choice.skipped.size(), size_t{1});
    QCOMPARE(choice.reason, std::string("all took fast,cpu: every real provider that can be used here, in the order of "
                                        "the table; npu cannot be used: no driver"));
    session::SessionOptions options;
    options.providers = {"all"};
    const auto session = textSession(kChain, options, {}, &all);
    QVERIFY2(session, why(session).c_str());
    const WalkReport& walk = *(*session)->report();
    QCOMPARE(walk.partition->nodes.front().provider, std::string("fast"));
    QCOMPARE(walk.choice->notes.front(), choice.reason);
    QCOMPARE(listOf(session::settled(options, walk).providers), QString("fast,cpu"));
  }

  void unmeasuredModelsAreOpenedOnTheLastProviderAlone() {
    const ProviderTable all = table();
    g_made = 0;
    const auto session = textSession(kChain, autoOptions({}), {}, &all);
    QVERIFY2(session, why(session).c_str());
    QCOMPARE(g_made.load(), 0);  // nobody else was even made
    const WalkReport& walk = *(*session)->report();
    QCOMPARE(walk.partition->providers.size(), size_t{1});
    QCOMPARE(walk.choice->basis, ChoiceBasis::kDefault);
    QVERIFY2(
        walk.choice->notes.front().find("fast was not asked: this model was not measured here") != std::string::npos,
        walk.choice->notes.front().c_str());
  }

  void measuredModelsGetTheirList() {
    const QTemporaryDir folder;
    const session::SessionOptions options = autoOptions(pathOf(folder));
    QVERIFY(session::saveTuned(options.tuned.folder, planOf(options, {"fast", "cpu"})));
    const ProviderTable all = table();
    for (const bool run : {true, false}) {
      session::SessionOptions asked = options;
      asked.prepareRun = run;
      const auto session = textSession(kChain, asked, {}, &all);
      QVERIFY2(session, why(session).c_str());
      const WalkReport& walk = *(*session)->report();
      QCOMPARE(walk.choice->basis, ChoiceBasis::kMeasured);
      QCOMPARE(listOf(walk.choice->providers), QString("fast,cpu"));
      QCOMPARE(walk.partition->nodes.front().provider, std::string("fast"));
      QCOMPARE(
          walk.choice->notes.front(),
          std::string(
              "auto took fast,cpu: measured on 2026-11-24 on this machine, 3 ms (20 runs, median between 2.9 ms and "
              "3.1 ms), where cpu alone took 4 ms (20 runs, median between 3.9 ms and 4.1 ms)"));
      QCOMPARE(listOf(session::settled(asked, walk).providers), QString("fast,cpu"));
      if (!run) continue;
      // The same numbers as with the list named.
      session::SessionOptions named = asked;
      named.providers = {"fast", "cpu"};
      const auto other = textSession(kChain, named, {}, &all);
      QVERIFY2(other, why(other).c_str());
      const std::vector<execute::Feed> feeds{floatFeed("x", {1, 4}, {-1, 2, -3, 4})};
      const auto mine = (*session)->run(feeds, {}), theirs = (*other)->run(feeds, {});
      QVERIFY2(mine && theirs, why(mine).c_str());
      QVERIFY(floatsOf(mine->outputs[0].value) == floatsOf(theirs->outputs[0].value));
    }
  }

  void lookingCompilesNothing() {
    static std::shared_ptr<TestProviderCounts> counts;
    counts = std::make_shared<TestProviderCounts>();
    const auto make = [](const ProviderRequest&) -> Result<std::unique_ptr<ExecutionProvider>> {
      TestProviderPlan plan;
      plan.name = "fast";
      plan.groupOperators = {"Relu"};
      plan.innerKernels = kernelsOfCpu();
      plan.counts = counts;
      return makeTestProvider(std::move(plan));
    };
    const ProviderTable all{entry("fast", "cpu", make), cpuProvider()};
    const QTemporaryDir folder;
    session::SessionOptions options = autoOptions(pathOf(folder));
    QVERIFY(session::saveTuned(options.tuned.folder, planOf(options, {"fast", "cpu"})));
    options.prepareRun = false;
    const auto looked = textSession(kChain, options, {}, &all);
    QVERIFY2(looked, why(looked).c_str());
    QCOMPARE((*looked)->report()->partition->nodes.front().provider, std::string("fast"));
    QCOMPARE(counts->compiled.load(), int64_t{0});
    options.prepareRun = true;
    const auto prepared = textSession(kChain, options, {}, &all);
    QVERIFY2(prepared, why(prepared).c_str());
    QCOMPARE(counts->compiled.load(), int64_t{1});
  }

  void aChoiceThatCannotBeMadeFallsBack() {
    const QTemporaryDir folder;
    const session::SessionOptions options = autoOptions(pathOf(folder));
    QVERIFY(session::saveTuned(options.tuned.folder, planOf(options, {"fast", "cpu"})));
    const ProviderTable all{entry("fast", "cpu", makeBroken), cpuProvider()};
    const auto session = textSession(kChain, options, {}, &all);
    QVERIFY2(session, why(session).c_str());
    const WalkReport& walk = *(*session)->report();
    QCOMPARE(listOf(walk.choice->providers), QString("cpu"));
    QVERIFY2(walk.choice->reason.find("its library went away") != std::string::npos, walk.choice->reason.c_str());
  }

  void listsSayWhereTheLastOneStands_data() {
    QTest::addColumn<QStringList>("list");
    QTest::addColumn<int>("behind");
    QTest::addColumn<QString>("note");
    QTest::newRow("nothing named") << QStringList{} << 0 << "";
    QTest::newRow("named last") << QStringList{"a", "cpu"} << 0 << "";
    QTest::newRow("added") << QStringList{"a"} << 0 << "cpu was added at the end of the list: it takes what a leaves";
    QTest::newRow("added to two") << QStringList{"a", "b"} << 0
                                  << "cpu was added at the end of the list: it takes what a, b leave";
    QTest::newRow("first")
        << QStringList{"cpu{precision=exact}", "a"} << 1
        << "cpu stands before a in the list and takes every node that no pin gives away; put it last "
           "to have a asked first";
  }
  void listsSayWhereTheLastOneStands() {
    QFETCH(QStringList, list);
    QFETCH(QString, note);
    std::vector<std::string> providers;
    for (const QString& each : list)
      providers.push_back(each.toStdString());
    QTEST(static_cast<int>(session::namedBehind(providers, "cpu")), "behind");
    QCOMPARE(listOf(session::listNotes(providers, "cpu", nullptr)), note);
  }

  void cpuFirstIsAskedFirst() {
    const ProviderTable all = table();
    session::SessionOptions options;
    options.providers = {"cpu", "fast"};
    options.prepareRun = false;
    const auto session = textSession(kChain, options, {}, &all);
    QVERIFY2(session, why(session).c_str());
    const WalkReport& walk = *(*session)->report();
    QCOMPARE(walk.partition->providers.front().name, std::string("cpu"));
    QCOMPARE(walk.partition->nodes.front().provider, std::string("cpu"));
    QCOMPARE(walk.partition->nodes.front().answers.back().reason,
             std::string("already taken by cpu; fast would have taken it"));
    QCOMPARE(walk.choice->notes.size(), size_t{1});
  }
};

QTEST_GUILESS_MAIN(TestAutoChoice)
#include "tst_auto_choice.moc"
