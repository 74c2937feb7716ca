// A person meets bad input: models that are none, cut off, of unknown operators; each says what it was where one looks,
// can be copied, and the window opens the next. Exports that cannot be written and damaged settings lose nothing.
#include <QClipboard>
#include <QFile>
#include <QGuiApplication>
#include <QLineEdit>
#include <QPushButton>

#include "tests/gui/window_driver.h"
#include "ui/panels/context/export_form.h"
#include "ui/panels/context/export_page.h"
#include "ui/shell/error_banner.h"

using namespace cutaway;
using namespace cutaway::ui;
using test::sample;
using test::WindowDriver;

namespace {

QByteArray bytesOf(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

}  // namespace

class TestJourneyBadInput : public QObject {
  Q_OBJECT

 private slots:
  void cleanupTestCase() { EngineService::waitForThreads(); }

  void badModelsSayWhatTheyAre_data() {
    QTest::addColumn<QByteArray>("bytes");
    const QByteArray good = bytesOf(sample("digits_cnn"));
    QVERIFY(good.size() > 1000);
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("text") << QByteArray("this is no model\n");
    QTest::newRow("web page") << QByteArray("<!DOCTYPE html><html><body>404</body></html>");
    QTest::newRow("lfs pointer") << QByteArray("version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12\n");
    QTest::newRow("cut off") << good.left(good.size() / 3);
    QTest::newRow("zeros") << QByteArray(4096, '\0');
    QByteArray renamed = good;
    renamed.replace("Relu", "Xelu");
    QTest::newRow("unknown operator") << renamed;
  }
  void badModelsSayWhatTheyAre() {
    QFETCH(QByteArray, bytes);
    WindowDriver driver;
    const QString path = driver.target("bad.onnx");
    QVERIFY(test::writeFile(path, bytes));
    QVERIFY(test::dropFiles(&driver.window, {path}));
    driver.page = driver.window.currentPage();
    QTRY_VERIFY_WITH_TIMEOUT(driver.document().error(), test::kPatienceMs);
    ErrorBanner* banner = driver.page->banner();
    QTRY_VERIFY(banner->isVisible());
    QVERIFY2(banner->plainText().contains("bad.onnx") || banner->plainText().contains("Xelu"),
             qPrintable(banner->plainText()));
    QVERIFY(test::shareOf(test::picture(banner), driver.themes.current().errorSoft) > 0.2);
    driver.keepPicture(qPrintable(QStringLiteral("bad-%1")
                                      .arg(QLatin1String(QTest::currentDataTag()))
                                      .replace(QLatin1Char(' '), QLatin1Char('-'))));
    QAbstractButton* copy = driver.button(QStringLiteral("Copy"), banner);
    QVERIFY(copy);
    QTest::mouseClick(copy, Qt::LeftButton);
    QCOMPARE(QGuiApplication::clipboard()->text(), banner->plainText());
    // The file is mended: Try again is all it takes.
    QVERIFY(test::writeFile(path, bytesOf(sample("digits_mlp"))));
    QAbstractButton* again = driver.button(QStringLiteral("Try again"), banner);
    QVERIFY(again);
    QTest::mouseClick(again, Qt::LeftButton);
    QVERIFY(driver.idle());
    QTRY_VERIFY(driver.document().walk()->pattern && !driver.document().error());
    QVERIFY(!banner->isVisible());
  }

  // Vendors' compilers write pages: two lines of them are shown, the rest on demand, and all of it is copied.
  void longMessagesAreFolded() {
    auto host = test::engineHost();
    std::string log = "QNN graph finalize failed: error 6021\n";
    for (int line = 0; line < 200; ++line)
      log += "  [" + std::to_string(line) + "] validation of a node of the backend did not succeed\n";
    host->createSession = [log](const load::ModelSource&, const session::SessionOptions&, const ProviderTable&,
                                Progress&, const session::WalkListener&) -> Result<std::unique_ptr<session::Session>> {
      return fail(Error{ErrorCode::kEpFail, log, {"model.onnx", "conv1", ""}});
    };
    WindowDriver driver(host);
    driver.page = driver.window.openFile(sample("digits_mlp"));
    QTRY_VERIFY(driver.document().error() && driver.page->banner()->isVisible());
    ErrorBanner* banner = driver.page->banner();
    driver.keepPicture("bad-long-folded");
    const int folded = banner->height();
    QVERIFY2(folded < 160, qPrintable(QString::number(folded)));
    QAbstractButton* details = driver.button(QStringLiteral("Details"), banner);
    QVERIFY(details);
    details->setFocus();
    QTest::keyClick(details, Qt::Key_Space);
    QVERIFY(banner->unfolded());
    driver.keepPicture("bad-long-unfolded");
    QTest::mouseClick(driver.button(QStringLiteral("Copy"), banner), Qt::LeftButton);
    QVERIFY(QGuiApplication::clipboard()->text().contains("[199]"));
    QTest::keyClick(details, Qt::Key_Space);
    QTRY_VERIFY(banner->height() <= folded + 2);
    QVERIFY(driver.window.height() <= 1000);
  }

  void exportsThatCannotBeWrittenLoseNothing() {
    session::SessionOptions options;
    options.providers = {"onednn"};
    options.dims["batch"] = 1;
    WindowDriver driver(test::engineHost(), options);
    QVERIFY(driver.open(sample("digits_cnn"), Stage::kContext));
    auto* page = driver.bring<ExportPage>(QStringLiteral("context/export"));
    QVERIFY(page && page->isVisible());
    page->form()->fileLine()->setText(QStringLiteral(
        "/proc/self/model_ctx.onnx"));  // a folder that nobody may write to, not even the owner of the machine
    if (page->exportButton()->isEnabled()) {
      QTest::mouseClick(page->exportButton(), Qt::LeftButton);
      QVERIFY(driver.idle());
    }
    QVERIFY2(!page->words().isEmpty(), "nothing was said");
    driver.keepPicture("bad-export");
    page->form()->fileLine()->setText(driver.target("fine_ctx.onnx"));
    QVERIFY(page->exportButton()->isEnabled());
    QTest::mouseClick(page->exportButton(), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(driver.target("fine_ctx.onnx")), test::kPatienceMs);
    QVERIFY(driver.idle());
  }

  void damagedSettingsDoNotMatter() {
    QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("settings.ini"));
    QVERIFY(test::writeFile(
        file, QByteArray("\0\xff[[[window\nstate=@Variant(\x01", 24) +
                  QByteArray("\n[window]\ntheme=purple\nfontScale=banana\nstate=@ByteArray(xyz)\ngeometry=7\n")));
    ViewState state(file);
    ThemeStore themes;
    MainWindow window(test::engineHost(), {}, &state, &themes);
    window.show();
    DocumentPage* page = window.openFile(sample("digits_mlp"));
    QTRY_VERIFY_WITH_TIMEOUT(!page->document()->service().busy() && page->document()->walk()->pattern,
                             test::kPatienceMs);
    QVERIFY(window.font().pixelSize() >= 10);
  }
};

QTEST_MAIN(TestJourneyBadInput)
#include "tst_journey_bad_input.moc"
