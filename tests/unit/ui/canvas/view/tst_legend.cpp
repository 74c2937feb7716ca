// The legend stands in the corner where it hides the least of the cards.
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
};

QTEST_MAIN(TestLegend)
#include "tst_legend.moc"
