// A style may keep what it paints among Qt's pictures, under a key with the palette. Under a style sheet every widget
// has a palette of its own: such pictures are never used again, and push out the ones that are.
#include <functional>

#include <QApplication>
#include <QComboBox>
#include <QMenu>
#include <QPixmapCache>
#include <QPushButton>
#include <QSpinBox>
#include <QTabBar>
#include <QTest>
#include <QToolButton>

#include "ui/base/theme.h"
#include "ui/shell/sheet_change.h"

using namespace cutaway::ui;

namespace {

using Make = std::function<std::unique_ptr<QWidget>()>;

template <typename Button>
std::unique_ptr<QWidget> withMenu() {
  auto button = std::make_unique<Button>();
  button->setText(QStringLiteral("more"));
  button->setMenu(new QMenu(button.get()));
  if (auto* tool = qobject_cast<QToolButton*>(button.get())) tool->setPopupMode(QToolButton::InstantPopup);
  return button;
}

std::unique_ptr<QWidget> scrolledTabs() {
  auto tabs = std::make_unique<QTabBar>();
  for (int tab = 0; tab < 9; ++tab)
    tabs->addTab(QStringLiteral("a model with a long name"));
  tabs->resize(200, 30);
  return tabs;
}

}  // namespace

class TestKeptPictures : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    qApp->setPalette(Theme::light().palette());
    changeSheet(Theme::light().styleSheet());
  }

  void widgetsLeaveNoPicturesBehind_data() {
    QTest::addColumn<Make>("make");
    QTest::newRow("tool button with a menu") << Make(withMenu<QToolButton>);
    QTest::newRow("button with a menu") << Make(withMenu<QPushButton>);
    QTest::newRow("choice") << Make([] { return std::make_unique<QComboBox>(); });
    QTest::newRow("number") << Make([] { return std::make_unique<QSpinBox>(); });
    QTest::newRow("more tabs than there is room for") << Make(scrolledTabs);
  }
  void widgetsLeaveNoPicturesBehind() {
    QFETCH(Make, make);
    constexpr int kWidgets = 400;
    constexpr int kCacheKilobytes = 64;
    make()->grab();  // what all of them share
    QPixmapCache::setCacheLimit(kCacheKilobytes);
    QPixmap icon(16, 16);
    icon.fill(Qt::red);
    QPixmapCache::insert(QStringLiteral("icon"), icon);
    for (int i = 0; i < kWidgets; ++i)
      make()->grab();
    QVERIFY(QPixmapCache::find(QStringLiteral("icon"), &icon));
  }

  // Each sheet, even of the same words, has its pictures under keys of its own.
  void sheetsLeaveNoPicturesBehind() {
    QPixmap picture(16, 16);
    for (const Theme& theme : {Theme::darkTheme(), Theme::light()}) {
      QPixmapCache::insert(QStringLiteral("of the sheet before"), picture);
      changeSheet(theme.styleSheet());
      QVERIFY(!QPixmapCache::find(QStringLiteral("of the sheet before"), &picture));
    }
  }
};

QTEST_MAIN(TestKeptPictures)
#include "tst_kept_pictures.moc"
