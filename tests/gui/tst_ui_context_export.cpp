// Context models of the engine itself in the window: what was previewed is written, loads, and gives the same bits.
#include <QLineEdit>
#include <QPushButton>

#include "tests/gui/context_window.h"
#include "ui/base/context_words.h"
#include "ui/panels/context/context_tables.h"
#include "ui/panels/context/export_form.h"
#include "ui/shell/error_banner.h"

using namespace cutaway;
using namespace cutaway::ui;
using test::ContextWindow;
using test::kPatienceMs;
using test::sample;

class TestContextExport : public QObject {
  Q_OBJECT

 private slots:
  void cleanupTestCase() { EngineService::waitForThreads(); }

  void realModelsGoOutAndComeBack() {
    SessionOptions options;
    options.providers = {"onednn"};
    options.threads = 1;
    options.dims["batch"] = 1;
    ContextWindow desk(test::engineHost(), options);
    QVERIFY(desk.open(sample("digits_cnn")));
    QVERIFY(!desk.document().error());
    QTRY_VERIFY(desk.document().walk()->pattern);
    QVERIFY(desk.document().walk()->context);
    QVERIFY(keptOf(*desk.document().walk()->context).keptGroups > 0);
    desk.keepPicture("real-preview");
    ExportPage* page = desk.exportPage();
    page->form()->fileLine()->setText(desk.target("digits_ctx.onnx"));
    QTest::mouseClick(page->exportButton(), Qt::LeftButton);
    QVERIFY(desk.idle());
    QTRY_VERIFY2_WITH_TIMEOUT(desk.document().contexts().verification(), qPrintable(page->words()), kPatienceMs);
    QVERIFY2(desk.document().contexts().verification()->sameOutputs, qPrintable(page->words()));
    desk.keepPicture("real-result");
    QTest::mouseClick(page->openButton(), Qt::LeftButton);
    desk.page = desk.window.currentPage();
    desk.window.ribbon()->button(Stage::kContext)->click();
    QVERIFY(desk.idle());
    QVERIFY2(!desk.document().error(), qPrintable(desk.page->banner()->plainText()));
    QVERIFY(desk.document().walk()->context && !desk.document().walk()->context->nodes.empty());
    QCOMPARE(int(contextFate(desk.document().walk()->context->nodes.front())), int(ContextFate::kRestored));
    desk.keepPicture("real-compiled");
  }
};

QTEST_MAIN(TestContextExport)
#include "tst_ui_context_export.moc"
