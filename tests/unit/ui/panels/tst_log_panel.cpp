// The log in the window: the latest messages, filtered, followed, copied and saved, and where the level is chosen.
#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QFileDialog>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QTableView>
#include <QTest>
#include <QTimer>

#include "tests/unit/ui/panels/tool_bench.h"
#include "ui/panels/linked_table.h"
#include "ui/panels/log/log_rows.h"

using namespace cutaway;
using namespace cutaway::ui;

namespace {

QPushButton* buttonOf(const test::ToolBench& bench, const QString& words) {
  for (QPushButton* each : bench.panel->findChildren<QPushButton*>())
    if (each->text().startsWith(words)) return each;
  return nullptr;
}

QComboBox* boxOf(const test::ToolBench& bench, const QString& name) {
  for (QComboBox* each : bench.panel->findChildren<QComboBox*>())
    if (each->accessibleName() == name) return each;
  return nullptr;
}

QString cell(const QTableView& table, int row, int column) {
  return table.model()->index(row, column).data().toString();
}

// Answers the file dialog that is to come.
void answerWith(const QString& file) {
  auto* timer = new QTimer(qApp);
  QObject::connect(timer, &QTimer::timeout, timer, [timer, file] {
    auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
    if (dialog == nullptr) return;
    timer->deleteLater();
    dialog->findChild<QLineEdit*>()->setText(file);
    static_cast<QDialog*>(dialog)->accept();
  });
  timer->start(50);
}

}  // namespace

class TestLogPanel : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { log::Recent::keep(); }
  void init() {
    log::info(log::Category::kStages, "load is done");
    log::warn(log::Category::kProviders, "provider {} is slow", "onednn");
  }

  void messagesComeInAndAreFiltered() {
    test::ToolBench bench("log");
    auto* table = bench.find<QTableView>();
    const int before = table->model()->rowCount();
    QVERIFY(before >= 2);
    QCOMPARE(cell(*table, before - 1, 1), QStringLiteral("warning"));
    QCOMPARE(cell(*table, before - 1, 2), QStringLiteral("providers"));
    QCOMPARE(cell(*table, before - 1, 3), QStringLiteral("provider onednn is slow"));
    log::event(log::kInfo, log::Category::kHosts, "started", {{"process", 12}});
    QTRY_COMPARE(table->model()->rowCount(), before + 1);
    QCOMPARE(cell(*table, before, 3), QStringLiteral("started process=12"));
    auto* category = boxOf(bench, QStringLiteral("Category that is shown"));
    QVERIFY(category);
    category->setCurrentText(QStringLiteral("hosts"));
    QCOMPARE(table->model()->rowCount(), 1);
    category->setCurrentIndex(0);
    bench.find<LinkedTable>()->setFilterText(QStringLiteral("slow"));
    QVERIFY(table->model()->rowCount() >= 1 && table->model()->rowCount() < before + 1);
    bench.find<LinkedTable>()->setFilterText({});
    bench.picture(QStringLiteral("log"));
  }

  void theLevelIsThatOfTheProgram() {
    test::ToolBench bench("log");
    auto* level = boxOf(bench, QStringLiteral("What is written"));
    QVERIFY(level);
    QCOMPARE(level->currentIndex(), 1);
    level->setCurrentIndex(2);
    QVERIFY(log::wanted(log::kDebug));
    level->setCurrentIndex(0);
    QVERIFY(!log::wanted(log::kInfo));
    level->setCurrentIndex(1);
    QVERIFY(log::wanted(log::kInfo) && !log::wanted(log::kDebug));
  }

  void theLatestStaysInSightWhileItIsFollowed() {
    test::ToolBench bench("log");
    auto* table = bench.find<QTableView>();
    for (int i = 0; i < 100; ++i)
      log::info(log::Category::kFiles, "read {}", i);
    QTRY_VERIFY(table->model()->rowCount() >= 100);
    QScrollBar* place = table->verticalScrollBar();
    QTRY_VERIFY(place->maximum() > 0);
    QTRY_COMPARE(place->value(), place->maximum());
    bench.find<QCheckBox>()->setChecked(false);
    place->setValue(3);
    const int rows = table->model()->rowCount();
    log::info(log::Category::kFiles, "one more");
    QTRY_COMPARE(table->model()->rowCount(), rows + 1);
    QCOMPARE(place->value(), 3);
    QCOMPARE(bench.viewState.get(QStringLiteral("log/follow")).toBool(), false);
  }

  void whatIsShownIsCopiedAndSaved() {
    test::ToolBench bench("log");
    boxOf(bench, QStringLiteral("Category that is shown"))->setCurrentText(QStringLiteral("providers"));
    buttonOf(bench, QStringLiteral("Copy"))->click();
    const QString copied = QGuiApplication::clipboard()->text();
    QVERIFY2(copied.endsWith(" warning providers provider onednn is slow\n"), qPrintable(copied));
    QVERIFY(!copied.contains("load is done"));
    const QString file = bench.folder.filePath(QStringLiteral("saved.log"));
    answerWith(file);
    buttonOf(bench, QStringLiteral("Save"))->click();
    QFile saved(file);
    QVERIFY(saved.open(QIODevice::ReadOnly));
    QCOMPARE(QString::fromUtf8(saved.readAll()), copied);
  }
};

QTEST_MAIN(TestLogPanel)
#include "tst_log_panel.moc"
