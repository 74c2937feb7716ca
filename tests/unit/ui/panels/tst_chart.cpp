// What a chart is told of pointer, wheel and keys: the same for every chart.
#include <QMouseEvent>
#include <QTest>
#include <QWheelEvent>

#include "ui/base/theme_store.h"
#include "ui/panels/chart.h"

using namespace cutaway::ui;

namespace {

// Writes down what it is told.
class Told : public Chart {
 public:
  Told(const ThemeStore* themes, bool moving) : Chart(themes, QStringLiteral("told"), nullptr), m_moving(moving) {
    takeKeys();
    resize(200, 100);
  }
  QStringList taken() { return std::exchange(m_words, {}); }
  Press next{.drag = Drag::kRange};
  using Chart::Drag;
  using Chart::pointer;
  using Chart::Press;

 protected:
  bool moves() const override { return m_moving; }
  Strides strides() const override { return {80, 60, 40, 30, 2}; }
  bool wheelGoesDown(const QPoint&, bool shift) const override { return !shift; }
  void pan(const QPointF& by) override { say("pan", by.x(), by.y()); }
  void zoom(const QPointF&, double factor, bool amounts) override { say(amounts ? "amounts" : "zoom", factor); }
  void fit() override { say("fit"); }
  Press press(const QMouseEvent&) override { return next; }
  void click(const QPointF& at, Qt::MouseButton) override { say("click", at.x(), at.y()); }
  void dragRange(const QPointF& from, const QPointF& to) override { say("range", from.x(), to.x()); }
  void rangeEnds() override { say("range ends"); }
  void hover(const QPointF& at, const QPoint&) override { say("hover", at.x(), at.y()); }
  void hoverEnds() override { say("hover ends"); }
  bool step(int by) override {
    say("step", by);
    return true;
  }
  bool stepToEnd(bool last) override {
    say(last ? "last" : "first");
    return true;
  }
  void closer() override { say("closer"); }
  void rangeOfCurrent() override { say("range of current"); }

 private:
  template <typename... Numbers>
  void say(const char* what, Numbers... numbers) {
    QString words = QString::fromLatin1(what);
    ((words += QStringLiteral(" %1").arg(numbers)), ...);
    m_words << words;
  }
  bool m_moving;
  QStringList m_words;
};

void move(QWidget& chart, const QPoint& to) {
  QMouseEvent event(QEvent::MouseMove, to, chart.mapToGlobal(to), Qt::NoButton, Qt::NoButton, Qt::NoModifier);
  QCoreApplication::sendEvent(&chart, &event);
}

bool wheel(QWidget& chart, const QPoint& turned, Qt::KeyboardModifiers modifiers = {}) {
  QWheelEvent event(QPointF(50, 50), chart.mapToGlobal(QPointF(50, 50)), {}, turned, Qt::NoButton, modifiers,
                    Qt::NoScrollPhase, false);
  QCoreApplication::sendEvent(&chart, &event);
  return event.isAccepted();
}

}  // namespace

class TestChart : public QObject {
  Q_OBJECT
  ThemeStore m_themes;

 private slots:
  void clicksAreNotDrags() {
    Told chart(&m_themes, true);
    QTest::mouseClick(&chart, Qt::LeftButton, {}, QPoint(10, 20));
    QCOMPARE(chart.taken(), QStringList{"click 10 20"});
    QTest::mousePress(&chart, Qt::LeftButton, {}, QPoint(10, 20));
    move(chart, {12, 21});  // within the slack
    QTest::mouseRelease(&chart, Qt::LeftButton, {}, QPoint(12, 21));
    QCOMPARE(chart.taken(), QStringList{"click 12 21"});
  }

  void dragsMakeRanges() {
    Told chart(&m_themes, true);
    QTest::mousePress(&chart, Qt::LeftButton, {}, QPoint(10, 20));
    move(chart, {40, 20});
    move(chart, {60, 20});
    QTest::mouseRelease(&chart, Qt::LeftButton, {}, QPoint(60, 20));
    QCOMPARE(chart.taken(), (QStringList{"range 10 40", "range 10 60", "range ends"}));
  }

  void dragsMove() {
    Told chart(&m_themes, true);
    chart.next = {.drag = Told::Drag::kPan, .slack = 0};
    QTest::mousePress(&chart, Qt::LeftButton, {}, QPoint(10, 20));
    move(chart, {11, 20});
    move(chart, {30, 25});
    QCOMPARE(chart.cursor().shape(), Qt::ClosedHandCursor);
    QTest::mouseRelease(&chart, Qt::LeftButton, {}, QPoint(30, 25));
    QCOMPARE(chart.cursor().shape(), Qt::ArrowCursor);
    QCOMPARE(chart.taken(), (QStringList{"pan 1 0", "pan 19 5"}));
    chart.next.clicks = false;
    QTest::mouseClick(&chart, Qt::LeftButton, {}, QPoint(10, 20));
    QCOMPARE(chart.taken(), QStringList());
  }

  void doubleClicksShowAll() {
    Told chart(&m_themes, true);
    QTest::mouseDClick(&chart, Qt::LeftButton, {}, QPoint(10, 20));
    const QStringList told = chart.taken();
    QCOMPARE(told.count("fit"), 1);
    QVERIFY(told.indexOf("fit") == told.size() - 1);  // its second button up is no click
  }

  void pointersComeAndGo() {
    Told chart(&m_themes, false);
    QVERIFY(!chart.pointer());
    move(chart, {30, 40});
    QCOMPARE(*chart.pointer(), QPointF(30, 40));
    QEvent leave(QEvent::Leave);
    QCoreApplication::sendEvent(&chart, &leave);
    QVERIFY(!chart.pointer());
    QCOMPARE(chart.taken(), (QStringList{"hover 30 40", "hover ends"}));
  }

  void wheelsZoomAndMove() {
    Told chart(&m_themes, true);
    QVERIFY(wheel(chart, {0, 120}, Qt::ControlModifier));
    QVERIFY(wheel(chart, {0, -120}, Qt::ControlModifier | Qt::ShiftModifier));
    QVERIFY(wheel(chart, {0, 120}));
    QVERIFY(wheel(chart, {0, 240}, Qt::ShiftModifier));
    QCOMPARE(chart.taken(), (QStringList{"zoom 1.25", "amounts 0.8", "pan 0 60", "pan 160 0"}));
    Told still(&m_themes, false);
    QVERIFY(!wheel(still, {0, 120}));  // what is around scrolls
    QCOMPARE(still.taken(), QStringList());
  }

  void keysOfChartsThatMove() {
    Told chart(&m_themes, true);
    for (const int key : {Qt::Key_W, Qt::Key_S, Qt::Key_A, Qt::Key_Right, Qt::Key_Up, Qt::Key_Down, Qt::Key_0,
                          Qt::Key_F, Qt::Key_R, Qt::Key_Period, Qt::Key_Comma})
      QTest::keyClick(&chart, static_cast<Qt::Key>(key));
    QCOMPARE(chart.taken(), (QStringList{"zoom 2", "zoom 0.5", "pan 40 0", "pan -40 0", "pan 0 30", "pan 0 -30", "fit",
                                         "closer", "range of current", "step 1", "step -1"}));
    QTest::keyClick(&chart, Qt::Key_Plus, Qt::AltModifier);
    QTest::keyClick(&chart, Qt::Key_W, Qt::ShiftModifier);
    QCOMPARE(chart.taken(), (QStringList{"amounts 2", "amounts 2"}));
  }

  void keysOfChartsThatStay() {
    Told chart(&m_themes, false);
    for (const int key : {Qt::Key_Left, Qt::Key_Right, Qt::Key_Home, Qt::Key_End, Qt::Key_W, Qt::Key_0})
      QTest::keyClick(&chart, static_cast<Qt::Key>(key));
    QCOMPARE(chart.taken(), (QStringList{"step -1", "step 1", "first", "last"}));
  }

  void chartsHaveNames() {
    Told chart(&m_themes, false);
    QCOMPARE(chart.accessibleName(), QStringLiteral("told"));
    QCOMPARE(chart.focusPolicy(), Qt::StrongFocus);
  }
};

QTEST_MAIN(TestChart)
#include "tst_chart.moc"
