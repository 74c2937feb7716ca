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
    session::SessionOptions options;
    options.providers = {"onednn"};
    options.threads = 1;
    options.dims["batch"] = 1;
    ContextWindow driver(test::engineHost(), options);
    QVERIFY(driver.open(sample("digits_cnn")));
    QVERIFY(!driver.document().error());
    QTRY_VERIFY(driver.document().walk()->pattern);
    QVERIFY(driver.document().walk()->context);
    QVERIFY(keptOf(*driver.document().walk()->context).keptGroups > 0);
    driver.keepPicture("real-preview");
    ExportPage* page = driver.exportPage();
    page->form()->fileLine()->setText(driver.target("digits_ctx.onnx"));
    QTest::mouseClick(page->exportButton(), Qt::LeftButton);
    QVERIFY(driver.idle());
    QTRY_VERIFY2_WITH_TIMEOUT(driver.document().contexts().verification(), qPrintable(page->words()), kPatienceMs);
    QVERIFY2(driver.document().contexts().verification()->sameOutputs, qPrintable(page->words()));
    driver.keepPicture("real-result");
    QTest::mouseClick(page->openButton(), Qt::LeftButton);
    driver.page = driver.window.currentPage();
    driver.window.ribbon()->button(Stage::kContext)->click();
    QVERIFY(driver.idle());
    QVERIFY2(!driver.document().error(), qPrintable(driver.page->banner()->plainText()));
    QVERIFY(driver.document().walk()->context && !driver.document().walk()->context->nodes.empty());
    QCOMPARE(int(contextFate(driver.document().walk()->context->nodes.front())), int(ContextFate::kRestored));
    driver.keepPicture("real-compiled");
  }
};

QTEST_MAIN(TestContextExport)
#include "tst_ui_context_export.moc"
