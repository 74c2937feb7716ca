// Costs over open dimensions in the window: made after a walk that left figures open, told by Model properties.
#include <QLabel>
#include <QTest>

#include "engine/graph/text.h"
#include "engine/stages/load/save.h"
#include "providers/cpu/provider.h"
#include "tests/unit/ui/panels/tool_bench.h"
#include "ui/document/formulas_controller.h"

using namespace cutaway;
using namespace cutaway::ui;

class TestFormulasWindow : public QObject {
  Q_OBJECT

 private slots:
  void openDimensionsAreTold() {
    auto host = std::make_shared<EngineHost>();
    host->providers = {cpuProvider()};
    host->createSession = session::Session::create;
    test::ToolBench bench("model", host);
    FormulasController& formulas = FormulasController::of(&bench.document);
    QCOMPARE(FormulasController::ifAny(bench.document), &formulas);
    const QString file = bench.folder.filePath(QStringLiteral("open.onnx"));
    QVERIFY(load::save(*parseModelText(R"(<ir_version: 8, opset_import: ["" : 17]>
main (float[batch,4] x) => (float[batch,3] y) <float[4,3] w = {1,0,0,1,1,0,0,1,1,1,1,1}> {
  a = MatMul (x, w)  y = Relu (a) })"),
                       file.toStdString(), {}));
    bench.document.open(file);
    QTRY_VERIFY_WITH_TIMEOUT(formulas.formulas(), 60000);
    QCOMPARE(formulas.formulas()->nodesWithoutFlops, int64_t{0});
    QCOMPARE(formulas.formulas()->flops.toText(), std::string("27*batch"));
    const auto told = [&] {
      QStringList words;
      for (const QLabel* label : bench.panel->findChildren<QLabel*>())
        words << label->text();
      return words.join(QLatin1Char('\n'));
    };
    QTRY_VERIFY_WITH_TIMEOUT(told().contains(QStringLiteral("FLOP \u00d7 batch")), 60000);
    // A node of every version: of what it was as loaded.
    const auto whole = bench.document.graphs(GraphVersion::kPartitioned);
    QVERIFY(whole && !whole->graphs[0].nodes.empty());
    const auto flops = formulas.flopsOf({GraphVersion::kPartitioned, 0, 0});
    QVERIFY(flops && flops->isOpen());
    QVERIFY(!formulas.flopsOf({GraphVersion::kPartitioned, 0, 9999}));
    QVERIFY(formulas.movedBytesOf({GraphVersion::kLoaded, 0, 0}));
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
