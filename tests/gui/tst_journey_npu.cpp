// A person asks an NPU's compiler about a model: refused, cured, taken, its context exported, opened again and
// compared. Needs Qualcomm's plug-in of ONNX Runtime; CUTAWAY_MODEL=FILE takes another model that one cure frees.
#include <QApplication>
#include <QDockWidget>
#include <QFileDialog>
#include <QLineEdit>
#include <QPushButton>
#include <QTimer>

#include "engine/session/session.h"
#include "tests/gui/window_driver.h"
#include "ui/base/context_words.h"
#include "ui/panels/context/export_form.h"
#include "ui/panels/context/export_page.h"
#include "ui/shell/error_banner.h"
#include "ui/shell/tool_docks.h"

using namespace cutaway;
using namespace cutaway::ui;
using test::WindowDriver;

namespace {

// The compiler takes minutes for a large model.
int patience() {
  return test::kPatienceMs * (qEnvironmentVariableIsSet("CUTAWAY_MODEL") ? 5 : 1);
}

// Nodes of the partitioned model, and those that the NPU has.
std::pair<int64_t, int64_t> taken(const Document& document, const QString& name) {
  int64_t nodes = 0;
  int64_t its = 0;
  for (const NodePlacement& node : document.walk()->partition->nodes) {
    ++nodes;
    its += node.provider == name.toStdString() ? 1 : 0;
  }
  return {its, nodes};
}

// Answers the file dialog that is to come.
void answerWith(const QString& file) {
  auto* timer = new QTimer(qApp);
  QObject::connect(timer, &QTimer::timeout, timer, [timer, file] {
    auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
    if (dialog == nullptr) return;
    timer->stop();
    timer->deleteLater();
    auto* line = dialog->findChild<QLineEdit*>();
    line->setText(file);
    static_cast<QDialog*>(dialog)->accept();
  });
  timer->start(50);
}

QWidget* tool(WindowDriver& driver, const char* id) {
  driver.window.tools()->raise(QString::fromLatin1(id));
  QCoreApplication::processEvents();
  return driver.window.tools()->dock(QString::fromLatin1(id));
}

}  // namespace

class TestJourneyNpu : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { QApplication::setAttribute(Qt::AA_DontUseNativeDialogs); }
  void cleanupTestCase() { EngineService::waitForThreads(); }

  // The plug-in where it is installed; its declared profile everywhere, which refuses the same and keeps no contexts.
  void fromRefusalToAccuracy_data() {
    QTest::addColumn<QByteArray>("provider");
    QTest::addColumn<QString>("name");
    QTest::newRow("declared") << QByteArray("declared(QNN-HTP)") << "declared(QNN-HTP)";
    const auto host = test::engineHost();
    const ProviderEntry* const plugin = findEntry(host->providers, "qnn");
    if (plugin != nullptr && plugin->probe().usable)
      QTest::newRow("plug-in") << QByteArray("qnn{backend_type=htp,soc_model=69}") << "qnn";
  }
  void fromRefusalToAccuracy() {
    QFETCH(QByteArray, provider);
    QFETCH(QString, name);
    session::SessionOptions options;
    options.providers = {provider.toStdString(), "cpu"};
    WindowDriver driver(test::engineHost(), options);
    QVERIFY(driver.open(qEnvironmentVariable("CUTAWAY_MODEL", test::sample("digits_cnn"))));
    QVERIFY2(!driver.document().error(), qPrintable(driver.page->banner()->plainText()));

    // The compiler leaves nodes; the panel says why.
    driver.go(Stage::kPartition);
    QVERIFY(driver.idle());
    const auto [before, nodes] = taken(driver.document(), name);
    QVERIFY2(before < nodes, qPrintable(QString("%1 of %2").arg(before).arg(nodes)));
    driver.keepPicture("npu-1-refused");

    // A cure is found, proved, and applied to a copy, which opens.
    QWidget* panel = tool(driver, "cure");
    QAbstractButton* find = driver.button("Find a cure", panel);
    QVERIFY(find && find->isEnabled());
    find->click();
    QAbstractButton* apply = nullptr;
    QTRY_VERIFY_WITH_TIMEOUT(
        ((apply = driver.button(QString::fromUtf8("Apply all to a copy \u2026"), panel)) != nullptr ||
         (apply = driver.button(QString::fromUtf8("Apply to a copy \u2026"), panel)) != nullptr) &&
            apply->isEnabled(),
        patience());
    driver.keepPicture("npu-2-cure");
    const QString cured = driver.target("cured.onnx");
    answerWith(cured);
    apply->click();
    QTRY_COMPARE_WITH_TIMEOUT(driver.window.pageCount(), 2, patience());
    driver.page = driver.window.currentPage();
    driver.window.activateWindow();  // the dialog does not hand it back
    QVERIFY(driver.idle());
    QCOMPARE(driver.document().path(), cured);
    QVERIFY2(!driver.document().error(), qPrintable(driver.page->banner()->plainText()));
    driver.go(Stage::kPartition);
    QVERIFY(driver.idle());
    const auto [after, all] = taken(driver.document(), name);
    QVERIFY2(all - after < nodes - before, qPrintable(QString("%1 of %2").arg(after).arg(all)));
    driver.keepPicture("npu-3-cured");

    // Where its arithmetic differs from the CPU's.
    QWidget* accuracy = tool(driver, "accuracy");
    QAbstractButton* compare = driver.button("Compare", accuracy);
    QVERIFY(compare && compare->isEnabled());
    compare->click();
    QTRY_VERIFY_WITH_TIMEOUT(driver.document().accuracy().report() || driver.document().accuracy().error(), patience());
    QVERIFY(driver.document().accuracy().report());
    driver.keepPicture("npu-4-accuracy");
    if (name == "qnn") contextOutAndBack(driver);
  }

 private:
  // What the compiler made is written, compared with the session in the simulator, opened, and run.
  static void contextOutAndBack(WindowDriver& driver) {
    driver.go(Stage::kContext);
    QVERIFY(driver.idle());
    // Each of the two documents has a page of its own.
    ExportPage* page = nullptr;
    for (ExportPage* const each : driver.window.findChildren<ExportPage*>()) {
      driver.front(each);
      if (each->isVisible()) page = each;
    }
    QVERIFY(page != nullptr);
    page->form()->fileLine()->setText(driver.target("cured_ctx.onnx"));
    QTRY_VERIFY_WITH_TIMEOUT(page->exportButton()->isEnabled(), patience());
    QTest::mouseClick(page->exportButton(), Qt::LeftButton);
    QTRY_VERIFY2_WITH_TIMEOUT(driver.document().contexts().verification() || driver.document().contexts().error(),
                              qPrintable(page->words()), patience());
    QVERIFY2(driver.document().contexts().verification(), qPrintable(page->words()));
    QVERIFY2(driver.document().contexts().verification()->sameOutputs, qPrintable(page->words()));
    QVERIFY(driver.idle());
    driver.keepPicture("npu-5-exported");
    QTest::mouseClick(page->openButton(), Qt::LeftButton);
    QTRY_COMPARE_WITH_TIMEOUT(driver.window.pageCount(), 3, patience());
    driver.page = driver.window.currentPage();
    QVERIFY(driver.idle());
    QCOMPARE(driver.document().path(), driver.target("cured_ctx.onnx"));
    QVERIFY2(!driver.document().error(), qPrintable(driver.page->banner()->plainText()));
    driver.go(Stage::kContext);
    QVERIFY(driver.idle());
    QTRY_VERIFY_WITH_TIMEOUT(driver.document().walk()->context, patience());
    QVERIFY(!driver.document().walk()->context->nodes.empty());
    for (const ContextNodeReport& node : driver.document().walk()->context->nodes)
      QCOMPARE(int(contextFate(node)), int(ContextFate::kRestored));
    driver.keepPicture("npu-6-context");
    driver.document().run();
    QVERIFY(driver.idle());
    QVERIFY(driver.document().walk()->run);
    driver.go(Stage::kRun);
    QVERIFY(driver.idle());
    driver.keepPicture("npu-7-run");
  }
};

QTEST_MAIN(TestJourneyNpu)
#include "tst_journey_npu.moc"
