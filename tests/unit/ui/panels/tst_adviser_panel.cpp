// The adviser's panel: a real search, settings applied to the session, a changed copy, and how advice reads.
#include <filesystem>
#include <fstream>

#include <QLabel>
#include <QPushButton>
#include <QTableView>
#include <QTest>

#include "engine/graph/text.h"
#include "engine/stages/load/save.h"
#include "engine/study/advise/advise.h"
#include "providers/cpu/provider.h"
#include "providers/declared/provider.h"
#include "tests/unit/providers/declared/declared_fixture.h"
#include "tests/unit/ui/panels/tool_bench.h"
#include "ui/document/study_job.h"
#include "ui/panels/adviser/advice_tables.h"
#include "ui/panels/empty_state.h"

using namespace cutaway;
using namespace cutaway::ui;

namespace {

constexpr const char* kModel = R"(<ir_version: 8, opset_import: ["" : 17]>
main (float[batch,4] x) => (float[batch,4] y) { [a] p = Relu (x)  [b] y = HardSwish (p) })";
constexpr const char* kOperators = R"([{"op": "Relu"}, {"op": "Mul"}, {"op": "HardSigmoid"}])";

AdviceReport report() {
  AdviceReport made;
  made.advice = {{.advisor = "execution order",
                  .title = "order = memory",
                  .reason = "less lives at the same time",
                  .settings = "order=memory",
                  .gains = {{AdviceMeasure::kPeakBytes, 3'000'000, 1'500'000}},
                  .costs = {{AdviceMeasure::kCopies, 2, 3}},
                  .share = 0.5,
                  .proof = "walked"}};
  made.attempts.resize(2);
  return made;
}

std::shared_ptr<const EngineHost> realHost() {
  auto host = std::make_shared<EngineHost>();
  host->providers = {declaredProvider(), cpuProvider()};
  host->createSession = session::Session::create;
  return host;
}

}  // namespace

class TestAdviserPanel : public QObject {
  Q_OBJECT

  session::SessionOptions prepared() {
    const std::filesystem::path folder = m_folder.path().toStdString();
    std::ofstream(folder / "toy.json") << cutaway::testing::toyProfile(kOperators, R"("static_shapes": true,)");
    const auto saved = load::save(*parseModelText(kModel), modelFile().toStdString(), {});
    if (!saved) qFatal("%s", describe(saved.error()).c_str());
    session::SessionOptions options;
    options.providers = {"declared(Toy)", "cpu"};
    options.profileFolders = {folder};
    return options;
  }
  QString modelFile() const { return m_folder.filePath(QStringLiteral("model.onnx")); }

  QTemporaryDir m_folder;

 private slots:
  void adviceIsSaidInASentence() {
    QCOMPARE(adviceSentence(report()), QStringLiteral("order = memory: planned peak 3 MB \u2192 1.5 MB (\u221250 %)."));
    AdviceReport two = report();
    two.advice.push_back(two.advice.front());
    QVERIFY(adviceSentence(two).contains("Changes that help: 2; tried in vain: 2."));
    AdviceReport none = report();
    none.advice.clear();
    QVERIFY(adviceSentence(none).contains("Nothing that was tried makes a figure smaller: 2 changes."));
    QCOMPARE(figuresText(report().advice[0].costs), QStringLiteral("copies 2 \u2192 3"));
  }

  void nothingToAskWithoutAModel() {
    test::ToolBench bench("adviser");
    auto* empty = bench.find<EmptyState>();
    QVERIFY(empty);
    QVERIFY(!empty->button()->isEnabled());
  }

  void appliesSettings() {
    const session::SessionOptions options = prepared();
    test::ToolBench bench("adviser", realHost());
    bench.document.setOptions(options);
    bench.document.open(modelFile());
    QTRY_VERIFY_WITH_TIMEOUT(!bench.document.service().busy(), 60000);
    auto* empty = bench.find<EmptyState>();
    QTRY_VERIFY(empty->button()->isEnabled());
    bench.picture(QStringLiteral("adviser-before"));
    empty->button()->click();
    auto* job = bench.find<StudyJob>();
    QVERIFY(job->busy());
    QTRY_VERIFY_WITH_TIMEOUT(!job->busy(), 60000);
    const auto advised = job->result<study::Advised>();
    QVERIFY2(advised, job->error() ? describe(*job->error()).c_str() : "cancelled");
    const auto& list = advised->report.advice;
    auto* table = bench.find<QTableView>();
    QCOMPARE(table->model()->rowCount(), static_cast<int>(list.size()));
    const auto dims = std::ranges::find(list, "open dimensions", &Advice::advisor);
    QVERIFY(dims != list.end());
    QVERIFY(std::ranges::find(list, "refused nodes", &Advice::advisor) != list.end());
    bench.picture(QStringLiteral("adviser-found"));
    for (int row = 0; row < table->model()->rowCount(); ++row) {
      if (!table->model()->index(row, 0).data().toString().startsWith(QString::fromStdString(dims->title))) continue;
      table->setCurrentIndex(table->model()->index(row, 0));
      break;
    }
    QPushButton* apply = nullptr;
    for (auto* button : bench.panel->findChildren<QPushButton*>())
      if (button->text() == QStringLiteral("Apply")) apply = button;
    QVERIFY(apply && apply->isEnabled());
    apply->click();
    QCOMPARE(bench.document.options().dims.at("batch"), int64_t{1});
    QTRY_VERIFY_WITH_TIMEOUT(!bench.document.service().busy(), 60000);
    QVERIFY(job->stale());
    QVERIFY(!apply->isEnabled());
  }
};

QTEST_MAIN(TestAdviserPanel)
#include "tst_adviser_panel.moc"
