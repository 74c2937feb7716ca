// Steps and bytes to pixels and back.
#include <QTest>

#include "ui/panels/chart_geometry.h"

using namespace cutaway::ui;

class TestChartGeometry : public QObject {
  Q_OBJECT

 private slots:
  void thereAndBack_data() {
    QTest::addColumn<double>("step");
    QTest::addColumn<double>("amount");
    for (const double step : {0.0, 3.5, 10.0})
      for (const double amount : {0.0, 1024.0, 4096.0}) QTest::addRow("%g %g", step, amount) << step << amount;
  }
  void thereAndBack() {
    QFETCH(double, step);
    QFETCH(double, amount);
    const ChartGeometry g{QRectF(60, 8, 400, 200), 0, 10, 0, 4096};
    QCOMPARE(g.stepAt(g.x(step)) + 1, step + 1);
    QCOMPARE(g.amountAt(g.y(amount)) + 1, amount + 1);
  }

  void blockSpansItsClosedInterval() {
    const ChartGeometry g{QRectF(0, 0, 100, 100), 0, 10, 0, 10};
    QCOMPARE(g.rectOf(2, 3, 0, 5), QRectF(20, 50, 20, 50));
    QCOMPARE(g.rectOf(9, 9, 5, 10), QRectF(90, 0, 10, 50));
  }

  void zoomStaysInside() {
    ChartGeometry g{QRectF(0, 0, 100, 100), 0, 1000, 0, 10};
    const double before = g.stepAt(30);
    g.zoomAt(30, 4, 1000);
    QCOMPARE(g.stepAt(30), before);
    QCOMPARE(g.endStep - g.firstStep, 250.0);
    g.pan(1e6, 1000);
    QCOMPARE(g.firstStep, 0.0);
    g.pan(-1e6, 1000);
    QCOMPARE(g.endStep, 1000.0);
    g.zoomAt(30, 1e-6, 1000);
    QCOMPARE(g.endStep - g.firstStep, 1000.0);
    ChartGeometry tiny{QRectF(0, 0, 100, 100), 0, 1, 0, 1};
    tiny.zoomAt(50, 8, 1);
    QCOMPARE(tiny.endStep - tiny.firstStep, 1.0);
  }

  void ticksAreRoundAndFew() {
    QCOMPARE(axisTicks(0, 100, 5, false), (std::vector<double>{0, 20, 40, 60, 80, 100}));
    const std::vector<double> bytes = axisTicks(0, 3.3 * 1024 * 1024, 6, true);
    QVERIFY(bytes.size() >= 3 && bytes.size() <= 8);
    for (const double tick : bytes) QCOMPARE(std::fmod(tick, 512 * 1024), 0.0);
    QVERIFY(axisTicks(5, 5, 4, false).empty());
  }
};

QTEST_GUILESS_MAIN(TestChartGeometry)
#include "tst_chart_geometry.moc"
