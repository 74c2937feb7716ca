// A person takes a model to a device: tries another assignment, runs, profiles, keeps a baseline and compares, exports
// a context model, opens what was written.
#include <QComboBox>
#include <QLineEdit>
#include <QPushButton>

#include "tests/gui/desk.h"
#include "ui/panels/context/export_form.h"
#include "ui/panels/context/export_page.h"
#include "ui/panels/partition/draft_editor.h"
#include "ui/panels/partition/what_if_page.h"
#include "ui/panels/run/profile_page.h"
#include "ui/panels/run/run_controls.h"
#include "ui/shell/error_banner.h"

using namespace cutaway;
using namespace cutaway::ui;
using test::Desk;
using test::sample;

class TestJourneyDeploy : public QObject {
  Q_OBJECT

 private slots:
  void cleanupTestCase() { EngineService::waitForThreads(); }

  void fromWhatIfToContext() {
    SessionOptions options;
    options.providers = {"onednn", "cpu"};
    options.threads = 1;
    options.dims["batch"] = 4;  // as many pictures as the file has
    Desk desk(test::engineHost(), options);
    QVERIFY(desk.open(sample("digits_cnn")));

    // What if everything ran on cpu? The graph takes the colours of the other side.
    desk.go(Stage::kPartition);
    QVERIFY(desk.idle());
    auto* whatIf = desk.bring<WhatIfPage>();
    QVERIFY(whatIf && whatIf->isVisible());
    const QImage now = test::picture(&desk.view());
    whatIf->editor()->providers()->topLevelItem(0)->setCheckState(0, Qt::Unchecked);
    QTRY_VERIFY(whatIf->applyButton()->isEnabled());
    QTest::mouseClick(whatIf->compareButton(), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(desk.document().whatIf() || desk.document().whatIfError(), test::kPatienceMs);
    QVERIFY2(desk.document().whatIf(), qPrintable(desk.page->banner()->plainText()));
    QVERIFY(desk.idle());
    QTRY_VERIFY(test::differenceOf(now, test::picture(&desk.view())) > 0.01);
    desk.keepPicture("deploy-what-if");
    desk.document().dropComparison();
    desk.document().draft().revert();
    QVERIFY(desk.idle());

    // Run with a file, then keep the profile, run once more and compare.
    desk.go(Stage::kRun);
    QVERIFY(desk.idle());
    auto* controls = desk.window.findChild<RunControls*>();
    QVERIFY(controls && controls->runButton()->isEnabled());
    controls->setFile(QStringLiteral("image"), test::sampleInput("digits_cnn"));
    QTest::mouseClick(controls->runButton(), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(
        (desk.document().walk()->run || desk.document().error()) && !desk.document().service().busy(),
        test::kPatienceMs);
    QVERIFY2(!desk.document().error(), qPrintable(desk.page->banner()->plainText()));
    QTRY_VERIFY(test::colorCount(test::picture(&desk.view())) > 8);
    desk.keepPicture("deploy-run");
    auto* profile = desk.bring<ProfilePage>();
    QVERIFY(profile && profile->isVisible());
    QTest::mouseClick(profile->keepButton(), Qt::LeftButton);
    QVERIFY(desk.document().profiles().baseline());
    const auto first = desk.document().walk()->run;
    QTest::mouseClick(controls->runButton(), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(desk.document().walk()->run != first && !desk.document().service().busy(),
                             test::kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(desk.document().profiles().comparison(), test::kPatienceMs);
    desk.keepPicture("deploy-compare");

    // Exported, verified, opened.
    desk.go(Stage::kContext);
    QVERIFY(desk.idle());
    auto* page = desk.bring<ExportPage>(QStringLiteral("context/export"));
    QVERIFY(page && page->isVisible());
    page->form()->fileLine()->setFocus();
    page->form()->fileLine()->selectAll();
    desk.type(desk.target("digits_ctx.onnx"));
    QTest::mouseClick(page->exportButton(), Qt::LeftButton);
    QTRY_VERIFY2_WITH_TIMEOUT(desk.document().contexts().verification(), qPrintable(page->words()), test::kPatienceMs);
    QVERIFY2(desk.document().contexts().verification()->sameOutputs, qPrintable(page->words()));
    QVERIFY(QFile::exists(desk.target("digits_ctx.onnx")));
    desk.keepPicture("deploy-export");
    QTest::mouseClick(page->openButton(), Qt::LeftButton);
    desk.page = desk.window.currentPage();
    QVERIFY(desk.idle());
    QCOMPARE(desk.document().path(), desk.target("digits_ctx.onnx"));
    QVERIFY2(!desk.document().error(), qPrintable(desk.page->banner()->plainText()));
    QCOMPARE(desk.window.pageCount(), 2);
  }
};

QTEST_MAIN(TestJourneyDeploy)
#include "tst_journey_deploy.moc"
