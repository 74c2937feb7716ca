// What floats over the graph stands in the corner where it hides the least of the cards, and folds in a low canvas.
#include <QTest>

#include "tests/unit/ui/walk_fixture.h"
#include "ui/base/theme.h"
#include "ui/canvas/overlay.h"
#include "ui/canvas/view/legend.h"

using namespace cutaway;
using namespace cutaway::ui;

class TestLegend : public QObject {
  Q_OBJECT

 private slots:
  void leavesCardsAlone() {
    QWidget canvas;
    canvas.resize(600, 400);
    const Overlay overlay = makeOverlay("operator", *test::sampleWalk(), GraphVersion::kLoaded, 0);
    const Theme theme = Theme::light();
    Legend legend(&canvas);
    std::vector<QRect> cards;
    legend.setCovered([&](const QRect& place) {
      double covered = 0;
      for (const QRect& card : cards) {
        const QRect shared = card.intersected(place);
        covered += shared.width() * shared.height();
      }
      return covered;
    });
    legend.present(&overlay, &theme);
    const QSize whole = legend.size();
    QVERIFY(!legend.marksAlone() && legend.geometry().bottom() > 300 && legend.x() < 20);
    cards = {QRect(0, 200, 300, 200)};
    legend.place();
    QVERIFY(legend.size() == whole && legend.y() < 20 && legend.x() < 20);
    cards.emplace_back(0, 0, 300, 200);
    legend.place();
    QVERIFY(legend.size() == whole && legend.y() < 20 && legend.geometry().right() > 580);
    // Where something is hidden anyway, as little as can be.
    cards = {QRect(0, 0, 600, 400), QRect(0, 0, 600, 200)};
    legend.place();
    QVERIFY(legend.size() == whole && legend.geometry().bottom() > 300 && legend.x() < 20);
  }

  // Where a corner hides something, it gives way only to one that hides less than half of it.
  void corners_data() {
    QTest::addColumn<QList<int>>("hidden");  // in the lower left, upper left, upper right and lower right corner
    QTest::addColumn<QPoint>("place");
    const QPoint lowerLeft(12, 268), upperLeft(12, 12), upperRight(488, 12), lowerRight(488, 268);
    QTest::newRow("nothing anywhere") << QList<int>{0, 0, 0, 0} << lowerLeft;
    QTest::newRow("the first is taken") << QList<int>{100, 0, 0, 0} << upperLeft;
    QTest::newRow("only the last is free") << QList<int>{100, 100, 100, 0} << lowerRight;
    QTest::newRow("not much less") << QList<int>{100, 60, 60, 60} << lowerLeft;
    QTest::newRow("much less") << QList<int>{100, 60, 40, 60} << upperRight;
    QTest::newRow("less and less") << QList<int>{100, 40, 10, 2} << lowerRight;
  }
  void corners() {
    QFETCH(QList<int>, hidden);
    QFETCH(QPoint, place);
    const QSize size(100, 120), canvas(600, 400);
    const auto covered = [&](const QRect& at) {
      const bool right = at.x() > 200, lower = at.y() > 200;
      return static_cast<double>(hidden[lower ? (right ? 3 : 0) : (right ? 2 : 1)]);
    };
    QCOMPARE(leastCovered(size, canvas, kLegendCorners, covered), QRect(place, size));
  }

  void lowCanvasShowsMarksAlone() {
    QWidget canvas;
    canvas.resize(600, 200);
    const Overlay overlay = makeOverlay("operator", *test::sampleWalk(), GraphVersion::kLoaded, 0);
    const Theme theme = Theme::light();
    Legend legend(&canvas);
    legend.present(&overlay, &theme);
    QVERIFY(legend.marksAlone() && legend.height() < 60);
    QVERIFY(!overlay.legend.empty());
    for (const LegendEntry& entry : overlay.legend)
      if (entry.count > 0) QVERIFY2(legend.toolTip().contains(entry.label), qPrintable(legend.toolTip()));
    canvas.resize(600, 400);
    legend.place();
    QVERIFY(!legend.marksAlone() && legend.toolTip().isEmpty());
  }

  // A sentence takes several lines instead of running out of the canvas.
  void sentencesWrap() {
    QWidget canvas;
    canvas.resize(500, 400);
    Overlay overlay = makeOverlay("operator", *test::sampleWalk(), GraphVersion::kLoaded, 0);
    overlay.available = false;
    overlay.missing = QStringLiteral("Nothing");
    const Theme theme = Theme::light();
    Legend legend(&canvas);
    legend.present(&overlay, &theme);
    const int oneLine = legend.height();
    overlay.missing = QStringLiteral("Nothing is known of this before the model has run once. ").repeated(4);
    legend.present(&overlay, &theme);
    QVERIFY2(legend.height() > 2 * oneLine && canvas.rect().contains(legend.geometry()),
             qPrintable(QStringLiteral("%1 x %2").arg(legend.width()).arg(legend.height())));
  }
};

QTEST_MAIN(TestLegend)
#include "tst_legend.moc"
