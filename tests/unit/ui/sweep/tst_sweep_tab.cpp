// A sweep as a document: what cells say in each view, what is compared, what opens a model, and what a broken file
// says.
#include <QApplication>
#include <QComboBox>
#include <QLabel>
#include <QMouseEvent>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QTextBrowser>

#include "engine/base/write_file.h"
#include "tests/unit/ui/sweep/sweep_fixture.h"
#include "ui/base/theme_store.h"
#include "ui/base/view_state.h"
#include "ui/panels/empty_state.h"
#include "ui/sweep/sweep_grid.h"
#include "ui/sweep/sweep_tab.h"

using namespace cutaway;
using namespace cutaway::ui;
using test::writeSweep;

namespace {

struct Bench {
  QTemporaryDir folder;
  ViewState viewState{folder.filePath("settings.ini")};
  ThemeStore themes;
  SweepTab page{&themes, &viewState};

  std::filesystem::path file(const char* name = "results.sqlite") const {
    return std::filesystem::path(folder.path().toStdString()) / name;
  }
  bool open() {
    const QSignalSpy shown(&page, &SweepTab::shown);
    page.resize(1000, 600);
    page.show();
    page.open(QString::fromStdString(file().string()));
    return QTest::qWaitFor([&] { return !shown.isEmpty(); }, 30'000) && page.sweep();
  }
  bool compareWith(const char* name) {
    const QSignalSpy shown(&page, &SweepTab::shown);
    page.compareWith(QString::fromStdString(file(name).string()));
    return QTest::qWaitFor([&] { return !shown.isEmpty(); }, 30'000) && page.sweep() && page.sweep()->comparison;
  }
  QString details() { return page.findChild<QTextBrowser*>()->toPlainText(); }
};

}  // namespace

class TestSweepTab : public QObject {
  Q_OBJECT

 private slots:
  void viewsSayWhatTheyShow() {
    Bench bench;
    QVERIFY(writeSweep(bench.file(), {}));
    QVERIFY(bench.open());
    bench.page.setView(SweepView::kTime);
    QCOMPARE(bench.page.grid()->wordsAt(1, 2), QStringLiteral("6 ms"));
    bench.page.setView(SweepView::kProviders);
    QCOMPARE(bench.page.grid()->wordsAt(1, 1), QStringLiteral("8 npu, 2 cpu"));
    bench.page.setView(SweepView::kMemory);
    QCOMPARE(bench.page.grid()->wordsAt(2, 0), QStringLiteral("3 MB"));
    // An outcome that is not ok goes before every figure.
    for (const SweepView view : {SweepView::kSummary, SweepView::kTime, SweepView::kMemory}) {
      bench.page.setView(view);
      QCOMPARE(bench.page.grid()->wordsAt(3, 2), QStringLiteral("crashed"));
    }
  }

  void strongerColoursAreMoreOfTheRow() {
    Bench bench;
    QVERIFY(writeSweep(bench.file(), {}));
    QVERIFY(bench.open());
    const Theme& theme = bench.themes.current();
    const std::vector<SweepFace> faces = sweepFaces(*bench.page.sweep(), SweepView::kTime, theme);
    QCOMPARE(faces[0].fill, mix(theme.surface, theme.ramp(0.65), 0));
    QVERIFY(faces[1].fill != faces[0].fill && faces[2].fill != faces[1].fill);
    QCOMPARE(faces[3].fill, faces[0].fill);  // the least of the next row
    for (const SweepFace& face : faces)
      QVERIFY(contrast(theme.textOn(face.fill), face.fill) >= 4.5);
  }

  void aCellTellsItsFiguresProvidersAndRefusals() {
    Bench bench;
    QVERIFY(writeSweep(bench.file(), {}));
    QVERIFY(bench.open());
    bench.page.grid()->choose(2, 1);
    for (const char* words : {"models/0002.onnx", "configuration 1", "median_ms", "6 ms", "5.94 ms", "measured", "npu",
                              "its type is double"})
      QVERIFY2(bench.details().contains(QLatin1String(words)), qPrintable(bench.details()));
    bench.page.grid()->choose(3, 2);
    QVERIFY2(bench.details().contains("signal 11"), qPrintable(bench.details()));
  }

  void theModelOfACellOpensInItsConfiguration() {
    Bench bench;
    QVERIFY(writeSweep(bench.file(), {.firstModelFile = "/some/model.onnx"}));
    QVERIFY(bench.open());
    QSignalSpy asked(&bench.page, &SweepTab::modelRequested);
    bench.page.grid()->setFocus();
    bench.page.grid()->choose(0, 0);
    QTest::keyClick(bench.page.grid(), Qt::Key_Right);
    QTest::keyClick(bench.page.grid(), Qt::Key_Return);
    QCOMPARE(asked.size(), 1);
    QCOMPARE(asked[0][0].toString(), QStringLiteral("/some/model.onnx"));
    QVERIFY(asked[0][1].toString().contains("\"opt_level\": 1"));
    QVERIFY(asked[0][1].toString().contains("cutaway.configuration/1"));
  }

  void twoSweepsAreComparedBeyondNoise() {
    Bench bench;
    QVERIFY(writeSweep(bench.file(), {.timeFactor = 1.5}));
    QVERIFY(writeSweep(bench.file("base.sqlite"), {.program = "before"}));
    QVERIFY(bench.open());
    QVERIFY(bench.compareWith("base.sqlite"));
    const auto& comparison = *bench.page.sweep()->comparison;
    QCOMPARE(comparison.worse, int64_t{4});
    QCOMPARE(comparison.better, int64_t{0});
    QVERIFY(bench.page.grid()->wordsAt(0, 1).contains("slower"));
    QCOMPARE(bench.page.grid()->wordsAt(0, 0), QStringLiteral("the same"));
    bench.page.grid()->choose(0, 1);
    QVERIFY2(bench.details().contains("3 ms instead of 2 ms"), qPrintable(bench.details()));
  }

  void whatIsBetterSaysWhatItWas() {
    Bench bench;
    QVERIFY(writeSweep(bench.file(), {}));
    QVERIFY(writeSweep(bench.file("base.sqlite"), {.program = "before", .timeFactor = 2}));
    QVERIFY(bench.open());
    QVERIFY(bench.compareWith("base.sqlite"));
    QCOMPARE(bench.page.sweep()->comparison->better, int64_t{4});
    bench.page.grid()->choose(1, 1);
    QVERIFY2(bench.details().contains("It was: median time: 8 ms instead of 4 ms"), qPrintable(bench.details()));
  }

  void versionsOfOneFileFollowEachOther() {
    Bench bench;
    QVERIFY(writeSweep(bench.file(), {.program = "old", .timeFactor = 2}));
    QTest::qWait(5);  // cells are ordered by the time they were set, in ms
    QVERIFY(writeSweep(bench.file(), {.program = "new"}));
    QVERIFY(bench.open());
    QCOMPARE(bench.page.sweep()->programs, (std::vector<std::string>{"old", "new"}));
    QCOMPARE(bench.page.sweep()->request.program, std::string("new"));
    bench.page.grid()->choose(1, 1);
    QTRY_VERIFY(bench.details().contains("version by version"));
    const QString said = bench.details();
    QVERIFY2(said.indexOf("8 ms") < said.lastIndexOf("4 ms") && said.contains("old"), qPrintable(said));
  }

  void onlyWhatIsInSightIsScrolledTo() {
    Bench bench;
    QVERIFY(writeSweep(bench.file(), {.models = 60, .configurations = 20, .repeats = 1}));
    QVERIFY(bench.open());
    SweepGrid* grid = bench.page.grid();
    grid->setFocus();
    grid->choose(0, 0);
    QTest::keyClick(grid, Qt::Key_End, Qt::ControlModifier);
    QCOMPARE(grid->row(), 59);
    QCOMPARE(grid->column(), 19);
    QVERIFY(grid->viewport()->rect().contains(grid->cellRect(59, 19)));
    QVERIFY(!grid->viewport()->rect().intersects(grid->cellRect(0, 0)));
    const QRect before = grid->cellRect(59, 19);
    QTest::keyClick(grid, Qt::Key_Minus);
    QVERIFY(grid->cellRect(59, 19).width() < before.width());
    QTest::mousePress(grid->viewport(), Qt::LeftButton, {}, {500, 300});
    QMouseEvent move(QEvent::MouseMove, QPointF(560, 340), QPointF(560, 340), Qt::NoButton, Qt::LeftButton, {});
    const int scrolled = grid->verticalScrollBar()->value();
    QApplication::sendEvent(grid->viewport(), &move);
    QCOMPARE(grid->verticalScrollBar()->value(), scrolled - 40);
    QTest::mouseRelease(grid->viewport(), Qt::LeftButton, {}, {560, 340});
    QCOMPARE(grid->row(), 59);  // a drag chooses nothing
  }

  void whatCannotBeReadSaysWhy_data() {
    QTest::addColumn<bool>("isThere");
    QTest::addColumn<QString>("words");
    QTest::newRow("no file") << false << "results.sqlite";
    QTest::newRow("rubbish") << true << "results.sqlite";
  }
  void whatCannotBeReadSaysWhy() {
    QFETCH(bool, isThere);
    QFETCH(QString, words);
    Bench bench;
    if (isThere) QVERIFY(writeFile(bench.file(), std::string(5000, 'x')));
    QVERIFY(!bench.open());
    auto* empty = bench.page.findChild<EmptyState*>();
    QVERIFY(empty->isVisible());
    QStringList said;
    for (const QLabel* label : empty->findChildren<QLabel*>())
      said << label->text();
    QVERIFY2(said.join(' ').contains(words), qPrintable(said.join(' ')));
    QVERIFY(writeSweep(bench.file("results.sqlite.new"), {}));
    std::filesystem::rename(bench.file("results.sqlite.new"), bench.file());
    empty->button()->click();
    QTRY_VERIFY(bench.page.sweep());
  }
};

QTEST_MAIN(TestSweepTab)
#include "tst_sweep_tab.moc"
