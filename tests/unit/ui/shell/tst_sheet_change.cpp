// A new style sheet reaches what is shown at once, and what is hidden when it is shown or after a while.
#include <QApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QStackedWidget>
#include <QTest>
#include <QVBoxLayout>

#include "ui/base/theme.h"
#include "ui/base/theme_follower.h"
#include "ui/base/theme_store.h"
#include "ui/shell/sheet_change.h"

using namespace cutaway::ui;

namespace {

// Two pages of the same look, the second one seen once and hidden again.
struct Pages {
  Pages() {
    for (int page = 0; page < 2; ++page) {
      auto* button = new QPushButton(QStringLiteral("go"));
      auto* label = new QLabel(QStringLiteral("words"));
      label->setProperty("role", "error");
      auto* content = new QWidget;
      auto* row = new QHBoxLayout(content);
      row->addWidget(button);
      row->addWidget(label);
      stack.addWidget(content);
    }
    stack.resize(240, 80);
    stack.show();
    for (const int page : {1, 0}) {
      stack.setCurrentIndex(page);
      QTest::qWait(20);
    }
  }
  // A slow machine dresses even a few widgets in portions; nobody sees them before the last.
  QImage picture() {
    return QTest::qWaitFor([this] { return stack.updatesEnabled(); }) ? stack.grab().toImage() : QImage();
  }
  QStackedWidget stack;
};

void apply(const Theme& theme) {
  qApp->setPalette(theme.palette());
  changeSheet(theme.styleSheet());
}

}  // namespace

class TestSheetChange : public QObject {
  Q_OBJECT
 private slots:
  void init() { apply(Theme::light()); }

  void whatIsShownChangesAtOnce() {
    Pages pages;
    const QImage light = pages.picture();
    apply(Theme::darkTheme());
    QVERIFY(pages.picture() != light);
    const QImage dark = pages.picture();
    apply(Theme::light());
    QCOMPARE(pages.picture(), light);
    apply(Theme::darkTheme());
    Pages fresh;
    QCOMPARE(dark, fresh.picture());
  }

  // Laying out is most of what a change costs, and a theme has other colours alone.
  void colorsAloneLayNothingOut() {
    class Counter : public QObject {
     public:
      int count = 0;

     protected:
      bool eventFilter(QObject*, QEvent* event) override {
        count += event->type() == QEvent::LayoutRequest || event->type() == QEvent::StyleChange;
        return false;
      }
    };
    Pages pages;
    pages.picture();
    Counter counter;
    apply(Theme::darkTheme());  // the style's own answer to the sheet is not counted
    QTRY_COMPARE(waitingForSheet(), 0);
    qApp->installEventFilter(&counter);
    changeSheet(Theme::light().styleSheet());
    QTRY_COMPARE(waitingForSheet(), 0);
    QCOMPARE(counter.count, 0);
    changeSheet(Theme::light().styleSheet() + QStringLiteral("QLabel { padding: 7px; }"));
    QTRY_COMPARE(waitingForSheet(), 0);
    QVERIFY(counter.count > 0);
  }

  // Thousands of widgets take longer than a frame: they are dressed in portions, and painted when all of them are.
  void manyAreDressedInPortions() {
    QWidget window;
    auto* column = new QVBoxLayout(&window);
    for (int i = 0; i < 3000; ++i) {
      auto* label = new QLabel(QStringLiteral("words"));
      label->setProperty("role", "error");
      column->addWidget(label);
    }
    window.show();
    QTest::qWait(20);
    apply(Theme::darkTheme());
    QVERIFY(!window.updatesEnabled());
    QTRY_VERIFY(window.updatesEnabled());
    const QColor dressed = window.findChildren<QLabel*>().last()->palette().color(QPalette::WindowText);
    QWidget fresh;
    auto* label = new QLabel(QStringLiteral("words"), &fresh);
    label->setProperty("role", "error");
    fresh.show();
    QCOMPARE(dressed, label->palette().color(QPalette::WindowText));
    QTRY_COMPARE(waitingForSheet(), 0);
  }

  // A second change while the first is under way: the window is painted in the end, in the last theme.
  void changesOnTopOfEachOther() {
    QWidget window;
    auto* column = new QVBoxLayout(&window);
    for (int i = 0; i < 2000; ++i)
      column->addWidget(new QPushButton(QStringLiteral("go")));
    window.show();
    QTest::qWait(20);
    apply(Theme::darkTheme());
    apply(Theme::light());
    QTRY_VERIFY(window.updatesEnabled());
    QTRY_COMPARE(waitingForSheet(), 0);
    QCOMPARE(window.findChildren<QPushButton*>().last()->palette().color(QPalette::ButtonText),
             window.findChildren<QPushButton*>().first()->palette().color(QPalette::ButtonText));
  }

  void whatIsHiddenChangesWhenItIsShown() {
    Pages pages;
    apply(Theme::darkTheme());
    QVERIFY(waitingForSheet() > 0);
    const QImage first = pages.picture();
    pages.stack.setCurrentIndex(1);
    QCOMPARE(pages.picture(), first);
  }

  void whatIsHiddenChangesByItself() {
    Pages pages;
    apply(Theme::darkTheme());
    QVERIFY(waitingForSheet() > 0);
    QTRY_COMPARE(waitingForSheet(), 0);
    const QImage first = pages.picture();
    pages.stack.setCurrentIndex(1);
    QCOMPARE(pages.picture(), first);
  }

  // What a widget does itself for a theme waits until somebody sees it, and is done once.
  void widgetsDressWhenTheyAreSeen() {
    ThemeStore themes;
    QWidget widget;
    int dressed = 0;
    new ThemeFollower(&widget, &themes, [&dressed] { ++dressed; });
    widget.show();
    QCOMPARE(dressed, 0);
    themes.setMode(ThemeMode::kDark);
    QCOMPARE(dressed, 1);
    widget.hide();
    themes.setMode(ThemeMode::kLight);
    themes.setMode(ThemeMode::kDark);
    QCOMPARE(dressed, 1);
    widget.show();
    QCOMPARE(dressed, 2);
    widget.hide();
    widget.show();
    QCOMPARE(dressed, 2);
  }

  void whatGoesMeanwhileIsForgotten() {
    {
      Pages pages;
      apply(Theme::darkTheme());
      QVERIFY(waitingForSheet() > 0);
    }
    QTRY_COMPARE(waitingForSheet(), 0);
  }
};

QTEST_MAIN(TestSheetChange)
#include "tst_sheet_change.moc"
