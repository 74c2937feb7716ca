// Steps and bytes to pixels and back.
#include <QTest>

#include "ui/panels/chart_geometry.h"
#include "ui/panels/life_raster.h"

using namespace cutaway::ui;

class TestChartGeometry : public QObject {
  Q_OBJECT

 private slots:
  void thereAndBack_data() {
    QTest::addColumn<double>("step");
    QTest::addColumn<double>("amount");
    for (const double step : {0.0, 3.5, 10.0})
      for (const double amount : {0.0, 1024.0, 4096.0})
        QTest::addRow("%g %g", step, amount) << step << amount;
  }
  void thereAndBack() {
    QFETCH(double, step);
    QFETCH(double, amount);
    const ChartGeometry g{QRectF(60, 8, 400, 200), 0, 10, 0, 4096};
    QCOMPARE(g.stepAt(g.x(step)) + 1, step + 1);
    QCOMPARE(g.amountAt(g.y(amount)) + 1, amount + 1);
  }

  void blockSpansItsSteps() {
    const ChartGeometry g{QRectF(0, 0, 100, 100), 0, 10, 0, 10};
    QCOMPARE(g.rectOf(2, 4, 0, 5), QRectF(20, 50, 20, 50));
    QCOMPARE(g.rectOf(9, 10, 5, 10), QRectF(90, 0, 10, 50));
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

  // A gigabyte on the axis, down to a few bytes under the pointer.
  void amountsZoomDownToBytes() {
    const double full = 1 << 30;
    ChartGeometry g{QRectF(0, 0, 100, 400), 0, 10, 0, full};
    const double before = g.amountAt(100);
    for (int i = 0; i < 400; ++i)
      g.zoomAmountAt(100, 1.2, full, 16);
    QCOMPARE(g.high - g.low, 16.0);
    QVERIFY(std::abs(g.amountAt(100) - before) < 1e-3);
    g.panAmount(-1e15, full);
    QCOMPARE(g.low, 0.0);
    g.panAmount(1e15, full);
    QCOMPARE(g.high, full);
    g.zoomAmountAt(3, 1e-9, full, 16);
    QCOMPARE(g.low, 0.0);
    QCOMPARE(g.high, full);
  }

  void ticksAreRoundAndFew() {
    QCOMPARE(axisTicks(0, 100, 5), (std::vector<double>{0, 20, 40, 60, 80, 100}));
    QCOMPARE(axisTicks(31, 52, 5), (std::vector<double>{35, 40, 45, 50}));
    const std::vector<double> bytes = axisTicks(0, 3'300'000, 6);
    QVERIFY(bytes.size() >= 3 && bytes.size() <= 8);
    for (const double tick : bytes)
      QCOMPARE(std::fmod(tick, 500'000), 0.0);
    QVERIFY(axisTicks(5, 5, 4).empty());
    QCOMPARE(axisTicks(1e9 + 1, 1e9 + 17, 8).front(), 1e9 + 2);
  }

  // What is painted: whole blocks with an edge, specks as one pixel, nothing of what is out of sight.
  void rasterPaintsWhatIsInSight() {
    const ChartGeometry g{QRectF(10, 20, 100, 50), 0, 100, 0, 50};
    QImage image(200, 100, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    const std::vector<BlockLook> looks = {{1, 2}, {3, 4}, {0xff000005, 0xff000006}, {0xff000007, 0xff000008}};
    std::vector<LifeBlock> blocks = {{.begin = 10, .end = 20, .from = 0, .to = 10},
                                     {.begin = 60.1, .end = 60.2, .from = 30, .to = 30.1, .emphasised = true},
                                     {.begin = 200, .end = 300, .from = 0, .to = 50}};
    rasterBlocks(image, g, 2.0, false, blocks, looks);
    QCOMPARE(image.pixel(30, 90), looks[2].fill);
    QCOMPARE(image.pixel(20, 90), looks[2].edge);
    QCOMPARE(image.pixel(39, 90), looks[2].edge);
    QCOMPARE(qAlpha(image.pixel(40, 90)), 0);
    QCOMPARE(image.pixel(30, 80), looks[2].edge);
    QCOMPARE(qAlpha(image.pixel(30, 79)), 0);
    int specks = 0;
    for (int y = 0; y < image.height(); ++y)
      for (int x = 0; x < image.width(); ++x)
        specks += image.pixel(x, y) == looks[3].fill;
    QCOMPARE(specks, 1);
    QVERIFY(pixelsOf(blocks[2], g, 2.0, false).isEmpty());
    QCOMPARE(pixelsOf(blocks[0], g, 2.0, true), QRect(20, 81, 20, 18));
  }
};

QTEST_GUILESS_MAIN(TestChartGeometry)
#include "tst_chart_geometry.moc"
