// The panel of cures: a real search over a declared profile, from the button to the copy's rows, and how results read.
#include <filesystem>
#include <fstream>

#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QTableView>
#include <QTest>

#include "engine/graph/text.h"
#include "engine/stages/load/save.h"
#include "providers/cpu/provider.h"
#include "providers/declared/provider.h"
#include "tests/unit/providers/declared/declared_fixture.h"
#include "tests/unit/ui/panels/tool_bench.h"
#include "ui/document/study_job.h"
#include "ui/panels/cure/cure_tables.h"
#include "ui/panels/empty_state.h"

using namespace cutaway;
using namespace cutaway::ui;

namespace {

constexpr const char* kModel = R"(<ir_version: 8, opset_import: ["" : 17]>
main (float[batch,4] x) => (float[batch,4] y) { [a] p = Relu (x)  [b] y = HardSwish (p) })";
constexpr const char* kOperators = R"([{"op": "Relu"}, {"op": "Mul"}, {"op": "HardSigmoid"}])";

CureReport report() {
  CureReport made;
  made.provider = "npu";
  made.before = {.nodes = 9, .taken = 2, .groups = 4};
  made.after = {.nodes = 9, .taken = 9, .groups = 1};
  made.proposals = {{.variant = "v", .title = "batch = 1", .before = made.before, .after = made.after}};
  made.steps = made.proposals;
  return made;
}

std::shared_ptr<const EngineHost> realHost() {
  auto host = std::make_shared<EngineHost>();
  host->providers = {declaredProvider(), cpuProvider()};
  host->createSession = session::Session::create;
  return host;
}

}  // namespace

class TestCurePanel : public QObject {
  Q_OBJECT

  // A model with an open batch and an operator too many, and a profile that wants sizes.
  session::SessionOptions prepared(const QString& model) {
    const std::filesystem::path folder = m_folder.path().toStdString();
    std::ofstream(folder / "toy.json") << cutaway::testing::toyProfile(kOperators, R"("static_shapes": true,)");
    const auto saved = load::save(*parseModelText(kModel), model.toStdString(), {});
    if (!saved) qFatal("%s", describe(saved.error()).c_str());
    session::SessionOptions options;
    options.providers = {"declared(Toy)", "cpu"};
    options.profileFolders = {folder};
    return options;
  }
  QString modelFile() const { return m_folder.filePath(QStringLiteral("model.onnx")); }

  QTemporaryDir m_folder;

 private slots:
  void resultIsSaidInASentence() {
    QCOMPARE(cureSentence(report()),
             QStringLiteral("npu claims 2 of 9 nodes. With batch = 1: 9 of 9 nodes, groups 4 \u2192 1."));
    CureReport two = report();
    two.steps.push_back(two.steps.front());
    QVERIFY(cureSentence(two).contains("With 2 changes on top of each other: 9 of 9"));
    two.compiled = true;
    two.afterCompile = {.nodes = 9, .taken = 7};
    QVERIFY(cureSentence(two).contains("Compiled are 7 of 9"));
    CureReport differs = report();
    differs.steps.clear();
    QVERIFY(cureSentence(differs).contains("No proposal keeps the results"));
    differs.proposals.clear();
    differs.attempts.resize(3);
    QVERIFY(cureSentence(differs).contains("asked about: 3"));
    CureReport whole = report();
    whole.before.taken = 9;
    QVERIFY(cureSentence(whole).contains("nothing to cure"));
  }

  void proofsAreTold() {
    QCOMPARE(proofWords({.ran = true, .agrees = true}), QStringLiteral("the same"));
    QVERIFY(proofWords({.ran = true, .agrees = true, .maxAbsolute = 3e-7}).contains("at most 3e-07 apart"));
    QVERIFY(proofWords({.ran = true, .agrees = false, .note = "2 of 4"}).startsWith("differ: 2 of 4"));
    QVERIFY(proofWords({.note = "no inputs"}).startsWith("not compared: no inputs"));
  }

  void nothingToAskWithoutAModel() {
    test::ToolBench bench("cure");
    auto* empty = bench.find<EmptyState>();
    QVERIFY(empty);
    QVERIFY(!empty->button()->isEnabled());
  }

  void searchesAndShowsProposals() {
    const session::SessionOptions options = prepared(modelFile());
    test::ToolBench bench("cure", realHost());
    bench.document.setOptions(options);
    bench.document.open(modelFile());
    QTRY_VERIFY_WITH_TIMEOUT(!bench.document.service().busy(), 60000);
    auto* empty = bench.find<EmptyState>();
    QTRY_VERIFY(empty->button()->isEnabled());
    bench.picture(QStringLiteral("cure-before"));
    empty->button()->click();
    auto* search = bench.find<StudyJob>();
    QVERIFY(search->busy());
    QTRY_VERIFY_WITH_TIMEOUT(!search->busy(), 60000);
    QVERIFY2(search->result<study::Cure>(), search->error() ? describe(*search->error()).c_str() : "cancelled");
    const CureReport& found = search->result<study::Cure>()->report;
    QCOMPARE(found.steps.size(), size_t{2});
    QCOMPARE(found.after.left(), int64_t{0});
    auto* table = bench.find<QTableView>();
    QCOMPARE(table->model()->rowCount(), static_cast<int>(found.proposals.size()));
    // A row selects what it frees.
    table->setCurrentIndex(table->model()->index(0, 0));
    QTRY_VERIFY(!bench.document.selection().origins().empty());
    bench.picture(QStringLiteral("cure-found"));
    // The copy is another file that the provider takes whole.
    const auto path = std::filesystem::path(m_folder.path().toStdString()) / "cured.onnx";
    const auto saved = study::saveCured(*search->result<study::Cure>(), study::kAllSteps, path, false);
    QVERIFY2(saved, describe(saved.error()).c_str());
    // Other settings: the answer is about what was.
    QVERIFY(!search->stale());
    session::SessionOptions other = options;
    other.optimizationLevel = 0;
    bench.document.setOptions(other);
    QVERIFY(search->stale());
    QTRY_VERIFY_WITH_TIMEOUT(!bench.document.service().busy(), 60000);
  }

  void cancelIsHeardAtOnce() {
    const session::SessionOptions options = prepared(modelFile());
    test::ToolBench bench("cure", realHost());
    bench.document.setOptions(options);
    bench.document.open(modelFile());
    QTRY_VERIFY_WITH_TIMEOUT(!bench.document.service().busy(), 60000);
    auto* search = bench.find<StudyJob>();
    search->start();
    QVERIFY(search->busy());
    search->cancel();
    QVERIFY(!search->busy() && !search->result<study::Cure>() && !search->error());
    search->start();
    QTRY_VERIFY_WITH_TIMEOUT(!search->busy(), 60000);
    QVERIFY(search->result<study::Cure>() != nullptr);
  }

  void sayWhyThereIsNoAnswer() {
    session::SessionOptions options = prepared(modelFile());
    options.providers = {"cpu"};
    test::ToolBench bench("cure", realHost());
    bench.document.setOptions(options);
    bench.document.open(modelFile());
    QTRY_VERIFY_WITH_TIMEOUT(!bench.document.service().busy(), 60000);
    auto* search = bench.find<StudyJob>();
    search->start();
    QTRY_VERIFY_WITH_TIMEOUT(!search->busy(), 60000);
    QVERIFY(search->error().has_value());
    QVERIFY2(bench.find<EmptyState>()->title().contains("no answer"), qPrintable(bench.find<EmptyState>()->title()));
  }
};

QTEST_MAIN(TestCurePanel)
#include "tst_cure_panel.moc"
