// Costs over open dimensions in the window: made after a walk that left figures open, told by Model properties.
#include <QFile>
#include <QLabel>
#include <QTest>

#include "engine/graph/text.h"
#include "engine/stages/load/save.h"
#include "providers/cpu/provider.h"
#include "tests/unit/ui/panels/tool_bench.h"
#include "ui/base/format.h"
#include "ui/base/formula_words.h"
#include "ui/document/formulas_controller.h"
#include "ui/shell/stage_ribbon.h"

using namespace cutaway;
using namespace cutaway::ui;

namespace {

std::shared_ptr<const EngineHost> engineHost() {
  auto host = std::make_shared<EngineHost>();
  host->providers = {cpuProvider()};
  host->createSession = session::Session::create;
  return host;
}

const std::string kFused = R"(<ir_version: 8, opset_import: ["" : 17]>
main (float[batch,4] x) => (float[batch,3] y) <float[4,3] w = {1,0,0,1,1,0,0,1,1,1,1,1}> {
  a = MatMul (x, w)  y = Relu (a) })";
const std::string kBuffers = R"(<ir_version: 8, opset_import: ["" : 17]>
main (float[batch,8] x, float[8,16] u, float[16,2] v) => (float[batch,2] y) {
  a = Sin (x)  b = MatMul (a, u)  c = Sin (b)  d = MatMul (c, v)  y = Sin (d) })";

void openModel(test::ToolBench& bench, const std::string& model = kFused) {
  const QString file = bench.folder.filePath(QStringLiteral("open.onnx"));
  QVERIFY(load::save(*parseModelText(model), file.toStdString(), {}));
  bench.document.open(file);
}

QString wordsOf(const test::ToolBench& bench) {
  QStringList words;
  for (const QLabel* label : bench.panel->findChildren<QLabel*>())
    words << label->text();
  return words.join(QLatin1Char('\n'));
}

}  // namespace

class TestFormulasWindow : public QObject {
  Q_OBJECT

 private slots:
  // Names of dimensions may be longer than what has room for them.
  void longNamesAreCounted() {
    CostFormula formula;
    formula.terms[{"batch", "width"}] = 52;
    QVERIFY2(formulaHeadWords(formula, sizeText).endsWith(QStringLiteral(" \u00d7 batch \u00d7 width")),
             qPrintable(formulaHeadWords(formula, sizeText)));
    formula.terms = {{{"p2o.DynamicDimension.0", "p2o.DynamicDimension.1"}, 52}, {{"p2o.DynamicDimension.0"}, 384}};
    QVERIFY2(formulaHeadWords(formula, sizeText).endsWith(QStringLiteral(" \u00d7 2 dims + ...")),
             qPrintable(formulaHeadWords(formula, sizeText)));
    formula.terms = {{{"p2o.DynamicDimension.0.of_a_long_name"}, 384}};
    QVERIFY2(formulaHeadWords(formula, sizeText).size() < 32 && !formulaHeadWords(formula, sizeText).contains("dims"),
             qPrintable(formulaHeadWords(formula, sizeText)));
  }

  // Allocation, Memory plan and the ribbon, where a peak without sizes would read as nothing.
  void openBuffersAreTold() {
    for (const char* panel : {"allocate", "pattern"}) {
      test::ToolBench bench(panel, engineHost());
      FormulasController& formulas = FormulasController::of(&bench.document);
      StageRibbon ribbon(&bench.themes);
      openModel(bench, kBuffers);
      connect(&bench.document, &Document::walkChanged, &ribbon, [&] { ribbon.present(&bench.document); });
      QTRY_VERIFY_WITH_TIMEOUT(formulas.formulas(), 60000);
      QCOMPARE(formulas.plans().size(), size_t{1});
      const CostFormula& bound = formulas.plans()[0].bounds.front();
      QVERIFY(bound.isOpen());
      QCOMPARE(ribbon.button(Stage::kPattern)->headline(),
               QStringLiteral("\u2265 ") + formulaHeadWords(bound, sizeText));
      QTRY_VERIFY2(wordsOf(bench).contains(QStringLiteral(" B \u00d7 batch")), qPrintable(wordsOf(bench)));
      QVERIFY2(!wordsOf(bench).contains(QStringLiteral("unknown")), qPrintable(wordsOf(bench)));
      bench.picture(QStringLiteral("formulas-") + QLatin1String(panel));
    }
  }

  // The session's own model is what they are made of: the file may be gone.
  void theFileIsNotReadAgain() {
    test::ToolBench bench("model", engineHost());
    openModel(bench);
    QTRY_VERIFY_WITH_TIMEOUT(!bench.document.service().busy() && bench.document.walk()->loadedModel.lock(), 60000);
    QVERIFY(QFile::remove(bench.document.path()));
    FormulasController& formulas = FormulasController::of(&bench.document);
    QTRY_VERIFY_WITH_TIMEOUT(formulas.formulas() || formulas.error(), 60000);
    QVERIFY2(formulas.formulas(), formulas.error() ? describe(*formulas.error()).c_str() : "");
  }

  void openDimensionsAreTold() {
    test::ToolBench bench("model", engineHost());
    FormulasController& formulas = FormulasController::of(&bench.document);
    QCOMPARE(FormulasController::ifAny(bench.document), &formulas);
    openModel(bench);
    QTRY_VERIFY_WITH_TIMEOUT(formulas.formulas(), 60000);
    QCOMPARE(formulas.formulas()->nodesWithoutFlops, int64_t{0});
    QCOMPARE(formulas.formulas()->flops.toText(), std::string("27*batch"));
    const auto told = [&] { return wordsOf(bench); };
    QTRY_VERIFY_WITH_TIMEOUT(told().contains(QStringLiteral("FLOP \u00d7 batch")), 60000);
    // A node of every version: of what it was as loaded.
    const auto whole = bench.document.graphs(GraphVersion::kPartitioned);
    QVERIFY(whole && !whole->graphs[0].nodes.empty());
    const auto flops = formulas.flopsOf({GraphVersion::kPartitioned, 0, 0});
    QVERIFY(flops && flops->isOpen());
    QVERIFY(!formulas.flopsOf({GraphVersion::kPartitioned, 0, 9999}));
    QVERIFY(formulas.movedBytesOf({GraphVersion::kLoaded, 0, 0}));
    // The facts say them too: nothing of unknown cost is left.
    QVERIFY2(!told().contains(QStringLiteral("Nodes of unknown cost")), qPrintable(told()));
    QVERIFY(!formulas.boundedPlan("npu"));
    // A size that is given leaves nothing to tell.
    session::SessionOptions options = bench.document.options();
    options.dims["batch"] = 1;
    bench.document.setOptions(options);
    QTRY_VERIFY_WITH_TIMEOUT(!bench.document.service().busy(), 60000);
    QVERIFY(!formulas.formulas());
    QTRY_VERIFY_WITH_TIMEOUT(!told().contains(QStringLiteral("\u00d7 batch")), 60000);
  }
};

QTEST_MAIN(TestFormulasWindow)
#include "tst_formulas_window.moc"
