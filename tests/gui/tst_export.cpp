// Exports from the window as a person makes them: picture with a dialog that tells its size, reports, tables, and what
// happens when the disk says no.
#include <QBuffer>
#include <QComboBox>
#include <QDir>
#include <QDoubleSpinBox>
#include <QImageReader>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QTimer>
#include <QtMath>

#include "tests/gui/window_driver.h"
#include "ui/shell/command_menus.h"
#include "ui/shell/export/export_job.h"
#include "ui/shell/export/panel_picture.h"
#include "ui/shell/export/picture_dialog.h"

using namespace cutaway;
using namespace cutaway::ui;
using namespace cutaway::ui::test;

class TestExport : public QObject {
  Q_OBJECT
 private slots:
  void pictureThroughItsDialog();
  void largePicturesAreAnnounced();
  void partInSight();
  void failureKeepsWhatWasThere();
  void retryAfterTheCauseIsGone();
  void folderOfTables();
  void panelPictures();
  void cancelLeavesNothing();
};

void TestExport::pictureThroughItsDialog() {
  WindowDriver driver;
  QVERIFY(driver.open(sample("digits_cnn")));
  const QString path = driver.target("graph.png");
  QString measure;
  QTimer::singleShot(0, &driver.window, [&] {
    auto* dialog = driver.window.findChild<PictureDialog*>();
    QVERIFY(dialog);
    dialog->findChild<QDoubleSpinBox*>(QStringLiteral("scale"))->setValue(1.5);
    dialog->findChild<QLineEdit*>(QStringLiteral("path"))->setText(path);
    measure = dialog->findChild<QLabel*>(QStringLiteral("measure"))->text();
    if (qEnvironmentVariableIsSet("CUTAWAY_PICTURES"))
      dialog->grab().save(qEnvironmentVariable("CUTAWAY_PICTURES") + QStringLiteral("/picture-dialog.png"));
    QTest::keyClick(dialog, Qt::Key_Return);
  });
  QVERIFY(driver.window.commands()->run(QStringLiteral("file.export.picture")));
  QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(path), kPatienceMs);
  const QSize size = QImageReader(path).size();
  QLocale words;
  QVERIFY2(
      measure.startsWith(words.toString(size.width()) + QStringLiteral(" \u00d7 ") + words.toString(size.height())),
      qPrintable(measure));
  QVERIFY(colorCount(QImage(path)) > 8);
}

void TestExport::largePicturesAreAnnounced() {
  WindowDriver driver;
  QVERIFY(driver.open(sample("digits_cnn")));
  PictureDialog dialog(driver.page, &driver.themes, &driver.viewState, &driver.window);
  auto* measure = dialog.findChild<QLabel*>(QStringLiteral("measure"));
  dialog.findChild<QDoubleSpinBox*>(QStringLiteral("scale"))->setValue(64);
  QVERIFY2(measure->text().contains(QStringLiteral("megapixels")), qPrintable(measure->text()));
  const QSizeF size = Picture(dialog.request()).size() * 64;
  QCOMPARE(Picture(dialog.request()).pixels(), QSize(qCeil(size.width()), qCeil(size.height())));
  dialog.findChild<QComboBox*>(QStringLiteral("format"))->setCurrentIndex(1);
  QVERIFY(dialog.path().endsWith(QStringLiteral(".svg")));
  QVERIFY(!measure->text().contains(QStringLiteral("pixel")));
}

void TestExport::partInSight() {
  WindowDriver driver;
  QVERIFY(driver.open(sample("digits_cnn")));
  PictureDialog dialog(driver.page, &driver.themes, &driver.viewState, &driver.window);
  driver.view().zoomTo(4);
  dialog.findChild<QComboBox*>(QStringLiteral("part"))->setCurrentIndex(1);
  const PictureRequest request = dialog.request();
  QVERIFY(!request.part.isEmpty());
  QVERIFY(request.part.width() * request.part.height() <
          request.scene->bounds.width() * request.scene->bounds.height());
}

void TestExport::failureKeepsWhatWasThere() {
  QTemporaryDir folder;
  const QString path = folder.filePath(QStringLiteral("there.json"));
  QVERIFY(writeFile(path, "before"));
  const ExportWork work{.title = {}, .path = path, .write = [](QIODevice& file, const ExportControl&) -> Result<void> {
                          file.write("half");
                          return fail(ErrorCode::kFail, "no space left");
                        }};
  const auto written = writeExport(work, {});
  QVERIFY(!written.has_value());
  QFile file(path);
  QVERIFY(file.open(QIODevice::ReadOnly));
  QCOMPARE(file.readAll(), QByteArray("before"));
  QCOMPARE(QDir(folder.path()).entryList(QDir::Files).size(), 1);
}

void TestExport::retryAfterTheCauseIsGone() {
  QTemporaryDir folder;
  QWidget window;
  const QString inside = folder.filePath(QStringLiteral("later/out.txt"));
  QString done;
  startExport(&window,
              {.title = QStringLiteral("Export"),
               .path = inside,
               .write = [](QIODevice& file, const ExportControl&) -> Result<void> {
                 file.write("whole");
                 return {};
               }},
              [&done](const QString& path) { done = path; });
  QTRY_VERIFY_WITH_TIMEOUT(window.findChild<QMessageBox*>(QStringLiteral("exportFailed")), kPatienceMs);
  auto* box = window.findChild<QMessageBox*>(QStringLiteral("exportFailed"));
  QVERIFY2(box->informativeText().contains(QStringLiteral("out.txt")), qPrintable(box->informativeText()));
  QVERIFY(QDir(folder.path()).mkpath(QStringLiteral("later")));
  box->buttons().first()->click();
  for (QAbstractButton* button : box->buttons())
    if (button->text().contains(QStringLiteral("again")) && box->isVisible()) button->click();
  QTRY_COMPARE_WITH_TIMEOUT(done, inside, kPatienceMs);
  QVERIFY(QFile::exists(inside));
}

void TestExport::folderOfTables() {
  QTemporaryDir folder;
  ExportWork work{.title = {}, .path = folder.filePath(QStringLiteral("tables")), .write = {}};
  for (const char* name : {"a.csv", "b.csv"})
    work.files.emplace_back(QLatin1String(name), [name] { return std::string(name); });
  QVERIFY(writeExport(work, {}).has_value());
  QCOMPARE(QDir(work.path).entryList(QDir::Files), QStringList({QStringLiteral("a.csv"), QStringLiteral("b.csv")}));
  work.path = QStringLiteral("/proc/no/tables");
  QVERIFY(!writeExport(work, {}).has_value());
}

void TestExport::panelPictures() {
  QLabel chart(QStringLiteral("chart"));
  chart.resize(120, 40);
  QByteArray bytes;
  QBuffer png(&bytes);
  png.open(QIODevice::WriteOnly);
  QVERIFY(writePanelPicture(chart, png, false, 3).has_value());
  QCOMPARE(QImage::fromData(bytes).size(), QSize(360, 120));
  bytes.clear();
  png.seek(0);
  QVERIFY(writePanelPicture(chart, png, true, 1).has_value());
  QVERIFY(bytes.contains("<svg"));
}

void TestExport::cancelLeavesNothing() {
  QTemporaryDir folder;
  const ExportControl control;
  control.cancel.cancel();
  const ExportWork work{.title = {},
                        .path = folder.filePath(QStringLiteral("x")),
                        .write = [](QIODevice& file, const ExportControl& asked) -> Result<void> {
                          file.write("part");
                          if (asked.cancel.cancelled()) return fail(cancelledError());
                          return {};
                        }};
  QCOMPARE(writeExport(work, control).error().code, ErrorCode::kModelLoadCanceled);
  QVERIFY(QDir(folder.path()).isEmpty());
}

QTEST_MAIN(TestExport)
#include "tst_export.moc"
