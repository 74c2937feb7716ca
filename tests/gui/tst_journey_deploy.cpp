// A person takes a model to a device: tries another assignment, runs, profiles, keeps a baseline and compares, exports
// a context model, opens what was written.
#include <QComboBox>
#include <QLineEdit>
#include <QPushButton>

#include "tests/gui/window_driver.h"
#include "ui/panels/context/export_form.h"
#include "ui/panels/context/export_page.h"
#include "ui/panels/partition/draft_editor.h"
#include "ui/panels/partition/what_if_page.h"
#include "ui/panels/run/profile_page.h"
#include "ui/panels/run/run_controls.h"
#include "ui/shell/error_banner.h"

using namespace cutaway;
using namespace cutaway::ui;
using test::sample;
using test::WindowDriver;

class TestJourneyDeploy : public QObject {
  Q_OBJECT

 private slots:
  void cleanupTestCase() { EngineService::waitForThreads(); }

  void fromWhatIfToContext() {
    session::SessionOptions options;
    options.providers = {"onednn", "cpu"};
    options.threads = 1;
    options.dims["batch"] = 4;  // as many pictures as the file has
    WindowDriver driver(test::engineHost(), options);
    QVERIFY(driver.open(sample("digits_cnn")));

    // What if everything ran on cpu? The graph takes the colours of the other side.
    driver.go(Stage::kPartition);
    QVERIFY(driver.idle());
    auto* whatIf = driver.bring<WhatIfPage>();
    QVERIFY(whatIf && whatIf->isVisible());
    const QImage now = test::picture(&driver.view());
    whatIf->editor()->providers()->topLevelItem(0)->setCheckState(0, Qt::Unchecked);
    QTRY_VERIFY(whatIf->applyButton()->isEnabled());
    QTest::mouseClick(whatIf->compareButton(), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(driver.document().whatIf() || driver.document().whatIfError(), test::kPatienceMs);
    QVERIFY2(driver.document().whatIf(), qPrintable(driver.page->banner()->plainText()));
    QVERIFY(driver.idle());
    QTRY_VERIFY(test::differenceOf(now, test::picture(&driver.view())) > 0.01);
    driver.keepPicture("deploy-what-if");
    driver.document().dropComparison();
    driver.document().draft().revert();
    QVERIFY(driver.idle());

    // Run with a file, then keep the profile, run once more and compare.
    driver.go(Stage::kRun);
    QVERIFY(driver.idle());
    auto* controls = driver.window.findChild<RunControls*>();
    QVERIFY(controls && controls->runButton()->isEnabled());
    controls->setFile(QStringLiteral("image"), test::sampleInput("digits_cnn"));
    QTest::mouseClick(controls->runButton(), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(
        (driver.document().walk()->run || driver.document().error()) && !driver.document().service().busy(),
        test::kPatienceMs);
    QVERIFY2(!driver.document().error(), qPrintable(driver.page->banner()->plainText()));
    QTRY_VERIFY(test::colorCount(test::picture(&driver.view())) > 8);
    driver.keepPicture("deploy-run");
    auto* profile = driver.bring<ProfilePage>();
    QVERIFY(profile && profile->isVisible());
    QTest::mouseClick(profile->keepButton(), Qt::LeftButton);
    QVERIFY(driver.document().profiles().baseline());
    const auto first = driver.document().walk()->run;
    QTest::mouseClick(controls->runButton(), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(driver.document().walk()->run != first && !driver.document().service().busy(),
                             test::kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(driver.document().profiles().comparison(), test::kPatienceMs);
    driver.keepPicture("deploy-compare");

    // Exported, verified, opened.
    driver.go(Stage::kContext);
    QVERIFY(driver.idle());
    auto* page = driver.bring<ExportPage>(QStringLiteral("context/export"));
    QVERIFY(page && page->isVisible());
    page->form()->fileLine()->setFocus();
    page->form()->fileLine()->selectAll();
    driver.type(driver.target("digits_ctx.onnx"));
    QTest::mouseClick(page->exportButton(), Qt::LeftButton);
    QTRY_VERIFY2_WITH_TIMEOUT(driver.document().contexts().verification(), qPrintable(page->words()),
                              test::kPatienceMs);
    QVERIFY2(driver.document().contexts().verification()->sameOutputs, qPrintable(page->words()));
    QVERIFY(QFile::exists(driver.target("digits_ctx.onnx")));
    driver.keepPicture("deploy-export");
    QTest::mouseClick(page->openButton(), Qt::LeftButton);
    driver.page = driver.window.currentPage();
    QVERIFY(driver.idle());
    QCOMPARE(driver.document().path(), driver.target("digits_ctx.onnx"));
    QVERIFY2(!driver.document().error(), qPrintable(driver.page->banner()->plainText()));
    QCOMPARE(driver.window.pageCount(), 2);
  }
};

QTEST_MAIN(TestJourneyDeploy)
#include "tst_journey_deploy.moc"
