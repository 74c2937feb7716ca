// Advice: what is suggested, that each was walked and gains what it says, and the support matrix.

#include <filesystem>
#include <fstream>

#include <QtTest/QtTest>

#include "engine/graph/text.h"
#include "engine/session/configuration/configuration.h"
#include "engine/study/advise/advise.h"
#include "engine/study/advise/figures.h"
#include "engine/study/support/support_matrix.h"
#include "providers/cpu/provider.h"
#include "providers/declared/provider.h"
#include "tests/unit/engine/session/text_session.h"
#include "tests/unit/providers/declared/declared_fixture.h"

using namespace cutaway;

namespace {

ProviderTable table() {
  return {declaredProvider(), cpuProvider()};
}

std::shared_ptr<const Model> modelOf(const char* text) {
  Result<Model> model = parseModelText(std::string("<ir_version: 8, opset_import: [\"\" : 17]>\n") + text);
  if (!model) qFatal("%s", describe(model.error()).c_str());
  return std::make_shared<const Model>(*std::move(model));
}

// Two branches that end small: finishing one before the other begins keeps half of it alive.
constexpr const char* kBranches =
    R"(main (float[1,4096] x) => (float[1,1] y) <int64[1] axes = {1}> {
      [a1] a = Relu (x)  [b1] b = Tanh (x)  [c1] c = Sigmoid (x)  [d1] d = Neg (x)
      [a2] p = ReduceSum (a, axes)  [b2] q = ReduceSum (b, axes)  [c2] r = ReduceSum (c, axes)  [d2] s = ReduceSum (d, axes)
      [s1] t = Add (p, q)  [s2] u = Add (r, s)  [s3] y = Add (t, u) })";

// An island of one node between nodes that the profile refuses.
constexpr const char* kIsland =
    R"(main (float[1,64] x) => (float[1,64] y) { [a] p = Cosh (x)  [b] q = Relu (p)  [c] y = Sinh (q) })";

const Advice* adviceOf(const AdviceReport& report, const char* advisor) {
  const auto found = std::ranges::find(report.advice, advisor, &Advice::advisor);
  return found == report.advice.end() ? nullptr : &*found;
}

const AdviceFigure* gainOf(const Advice& advice, AdviceMeasure measure) {
  const auto found = std::ranges::find(advice.gains, measure, &AdviceFigure::measure);
  return found == advice.gains.end() ? nullptr : &*found;
}

std::string attemptsOf(const AdviceReport& report) {
  std::string text;
  for (const AdviceAttempt& each : report.attempts)
    text += each.advisor + ": " + each.title + ": " + each.outcome + "\n";
  return text;
}

}  // namespace

class TestAdvise : public QObject {
  Q_OBJECT

  Result<study::Advised> advise(const char* text, session::SessionOptions options = {}) {
    Progress progress;
    return study::advise({.source = load::ModelSource::loaded(modelOf(text)), .options = std::move(options)}, table(),
                         progress);
  }

  session::SessionOptions toy(const std::string& operators, const std::string& extra = {}) {
    const std::filesystem::path folder = m_folder.path().toStdString();
    std::ofstream(folder / "toy.json") << testing::toyProfile(operators, extra);
    session::SessionOptions options;
    options.providers = {"declared(Toy)", "cpu"};
    options.profileFolders = {folder};
    return options;
  }

  // The figures of the model with the advice's settings, walked here once more.
  std::vector<AdviceFigure> walked(const char* text, session::SessionOptions options, const std::string& settings) {
    const auto change = session::readConfiguration(settings);
    if (!change || !change->applyTo(options, table())) qFatal("%s is no configuration", settings.c_str());
    options.prepareRun = false;
    Progress progress;
    const auto session = session::Session::create(load::ModelSource::loaded(modelOf(text)), options, table(), progress);
    if (!session) qFatal("%s", describe(session.error()).c_str());
    return study::adviceFigures(*(*session)->report(), "cpu");
  }

  // Every advice of settings holds what it says.
  void check(const char* text, const session::SessionOptions& options, const AdviceReport& report) {
    for (const Advice& advice : report.advice) {
      QVERIFY2(!advice.gains.empty() && advice.share > 0, advice.title.c_str());
      for (const AdviceFigure& gain : advice.gains)
        QVERIFY2(gain.after < gain.before, advice.title.c_str());
      if (advice.settings.empty()) continue;
      const std::vector<AdviceFigure> figures = walked(text, options, advice.settings);
      for (const AdviceFigure& gain : advice.gains)
        QCOMPARE(std::ranges::find(figures, gain.measure, &AdviceFigure::measure)->before, gain.after);
    }
    for (size_t i = 1; i < report.advice.size(); ++i)
      QVERIFY(report.advice[i - 1].share >= report.advice[i].share);
  }

  QTemporaryDir m_folder;

 private slots:
  void anOrderThatKeepsLessAlive() {
    session::SessionOptions options;
    options.order = "fifo";
    const auto advised = advise(kBranches, options);
    QVERIFY2(advised, why(advised).c_str());
    const Advice* advice = adviceOf(advised->report, "execution order");
    QVERIFY2(advice, attemptsOf(advised->report).c_str());
    QVERIFY(gainOf(*advice, AdviceMeasure::kPeakBytes));
    check(kBranches, options, advised->report);
  }

  void settingsThatAreSwitchedOff() {
    session::SessionOptions options;
    options.inPlace = false;
    options.optimizationLevel = 0;
    const char* text =
        R"(main (float[1,64] x) => (float[1,64] y) { [i] h = Identity (x)  [a] p = Relu (h)  [b] q = Tanh (p)  [c] r = Neg (q)  [d] y = Abs (r) })";
    const auto advised = advise(text, options);
    QVERIFY2(advised, why(advised).c_str());
    std::vector<std::string> titles;
    for (const Advice& each : advised->report.advice)
      titles.push_back(each.title);
    for (const char* title : {"opt-level = 3", "write in place"})
      QVERIFY2(std::ranges::find(titles, title) != titles.end(), attemptsOf(advised->report).c_str());
    check(text, options, advised->report);
  }

  void sizesThatAreOpen() {
    const char* text =
        R"(main (float[batch,seq] x) => (float[batch,seq] y) { [a] p = Relu (x)  [b] q = Tanh (p)  [c] y = Neg (q) })";
    const auto advised = advise(text);
    QVERIFY2(advised, why(advised).c_str());
    const Advice* advice = adviceOf(advised->report, "open dimensions");
    QVERIFY2(advice, attemptsOf(advised->report).c_str());
    QCOMPARE(advice->title, std::string("batch = 1, seq = 128"));
    QVERIFY(advice->assumed);
    const AdviceFigure* gain = gainOf(*advice, AdviceMeasure::kUnplannedBuffers);
    QVERIFY(gain && gain->after == 0);
    check(text, {}, advised->report);
  }

  void anIslandThatCostsCopies() {
    const session::SessionOptions options = toy(R"([{"op": "Relu"}])");
    const auto advised = advise(kIsland, options);
    QVERIFY2(advised, why(advised).c_str());
    const Advice* advice = adviceOf(advised->report, "small groups");
    QVERIFY2(advice, attemptsOf(advised->report).c_str());
    const AdviceFigure* gain = gainOf(*advice, AdviceMeasure::kCopies);
    QVERIFY(gain && gain->before == 2 && gain->after == 0);
    QVERIFY(!advice->costs.empty());  // its node is left to cpu
    QCOMPARE(advice->costs.front().measure, AdviceMeasure::kLeftNodes);
    check(kIsland, options, advised->report);
  }

  void aChangeOfTheModel() {
    const session::SessionOptions options = toy(R"([{"op": "Relu"}, {"op": "Mul"}, {"op": "HardSigmoid"}])");
    const char* text = R"(main (float[2,3] x) => (float[2,3] y) { [r] p = Relu (x)  [h] y = HardSwish (p) })";
    const auto advised = advise(text, options);
    QVERIFY2(advised, why(advised).c_str());
    const Advice* advice = adviceOf(advised->report, "refused nodes");
    QVERIFY2(advice, attemptsOf(advised->report).c_str());
    QVERIFY(advice->settings.empty() && advice->proposal == 0 && advised->cure);
    QVERIFY(advice->simulated);
    const std::filesystem::path copy = std::filesystem::path(m_folder.path().toStdString()) / "copy.onnx";
    const auto saved = study::saveCured(*advised->cure, advice->proposal, copy, true);
    QVERIFY2(saved, why(saved).c_str());
    session::SessionOptions planOnly = options;
    planOnly.prepareRun = false;
    Progress progress;
    const auto session = session::Session::create(load::ModelSource::file(copy), planOnly, table(), progress);
    QVERIFY2(session, why(session).c_str());
    QCOMPARE(study::adviceFigures(*(*session)->report(), "cpu").front().before, int64_t{0});
  }

  void noAdviceWhereNothingHelps() {
    const auto advised = advise(R"(main (float[4] x) => (float[4] y) { [a] y = Relu (x) })");
    QVERIFY2(advised, why(advised).c_str());
    QVERIFY(advised->report.advice.empty());
    QVERIFY(!advised->report.attempts.empty());
  }

  void cancelIsHeard() {
    Progress progress;
    progress.token().cancel();
    const auto advised =
        study::advise({.source = load::ModelSource::loaded(modelOf(kBranches)), .options = {}}, table(), progress);
    QVERIFY(!advised);
    QCOMPARE(advised.error().code, ErrorCode::kModelLoadCanceled);
  }

  void theMatrixAsksEachAlone() {
    session::SessionOptions options = toy(R"([{"op": "Relu"}])");
    Progress progress;
    const auto report = study::supportMatrix({.source = load::ModelSource::loaded(modelOf(kIsland)),
                                              .options = options,
                                              .providers = {"declared(Toy)", "declared(NoSuch)"}},
                                             table(), progress);
    QVERIFY2(report, why(report).c_str());
    QCOMPARE(report->rows.size(), size_t{2});
    const SupportRow& toyRow = report->rows[0];
    QVERIFY(toyRow.usable && toyRow.simulated);
    QCOMPARE(toyRow.figures.taken, int64_t{1});
    QCOMPARE(toyRow.figures.left(), int64_t{2});
    QVERIFY(!toyRow.refusals.empty());
    QVERIFY(!report->rows[1].usable);
    QVERIFY2(report->rows[1].problem.find("NoSuch") != std::string::npos, report->rows[1].problem.c_str());
  }

  void everyProviderButTheLast() {
    const std::vector<std::string> names = study::everyProvider(table());
    QVERIFY(std::ranges::find(names, "cpu") == names.end());
    QVERIFY(std::ranges::find(names, "declared(TensorRT)") != names.end());
  }
};

QTEST_GUILESS_MAIN(TestAdvise)
#include "tst_advise.moc"
