// Menus, keys, palette and the sheet of keys: all made of one list.
#include <QAction>
#include <QDockWidget>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QMenuBar>
#include <QTreeWidget>

#include "tests/gui/window_driver.h"
#include "ui/panels/panel_actions.h"
#include "ui/shell/command_menus.h"
#include "ui/shell/command_palette.h"
#include "ui/shell/fuzzy_match.h"
#include "ui/shell/page_tabs.h"
#include "ui/shell/shortcut_sheet.h"
#include "ui/shell/tool_docks.h"

using namespace cutaway;
using namespace cutaway::ui;
using namespace cutaway::ui::test;

class TestCommands : public QObject {
  Q_OBJECT

 private slots:
  void cleanupTestCase() { EngineService::waitForThreads(); }

  void lettersInOrderFit() {
    QVERIFY(fuzzyMatch("", "anything"));
    QVERIFY(!fuzzyMatch("gf", "Fit"));
    QCOMPARE(fuzzyMatch("ftg", "Fit the graph")->letters, (std::vector<int>{0, 4, 8}));
    QVERIFY(fuzzyMatch("fit", "Fit the graph")->score > fuzzyMatch("fit", "File it")->score);
    QVERIFY(fuzzyMatch("dark theme", "Theme: Dark"));
    QVERIFY(!fuzzyMatch("dark theme", "Theme: Light"));
  }

  void namesAndKeysAreUnique() {
    WindowDriver driver;
    QStringList ids;
    QHash<QString, QString> keys;
    for (const Command& command : driver.window.commands()->commands()) {
      QVERIFY2(!ids.contains(command.id), qPrintable(command.id));
      ids << command.id;
      QVERIFY2(!command.title.isEmpty() || command.liveTitle, qPrintable(command.id));
      if (!command.act) continue;
      for (const QString& each : command.keys.split("; ", Qt::SkipEmptyParts)) {
        QVERIFY2(!QKeySequence(each, QKeySequence::PortableText).isEmpty(), qPrintable(command.id + ": " + each));
        QVERIFY2(!keys.contains(each),
                 qPrintable(QStringLiteral("%1 is held by %2 and %3").arg(each, keys.value(each), command.id)));
        keys.insert(each, command.id);
      }
    }
    for (const char* wanted : {"file.open", "file.reload", "edit.undo", "edit.find", "view.stagePanel",
                               "view.inspector", "go.stage.partition", "model.run", "help.shortcuts", "help.palette"})
      QVERIFY2(ids.contains(wanted), wanted);
  }

  void entriesSayWhatCanBeDone() {
    WindowDriver driver;
    CommandMenus* commands = driver.window.commands();
    QVERIFY(!commands->run("edit.undo"));
    QVERIFY(!commands->action("file.reload")->isEnabled());
    QVERIFY(commands->action("file.open")->isEnabled());
    QVERIFY(driver.open(sample("digits_mlp")));
    QVERIFY(commands->action("file.reload")->isEnabled());
    auto* bar = driver.window.menuWidget()->findChild<QMenuBar*>();
    QMenu* edit = bar->actions()[1]->menu();
    emit edit->aboutToShow();
    QVERIFY(!commands->action("edit.undo")->isEnabled());
    emit edit->aboutToHide();
    QVERIFY(commands->action("edit.undo")->isEnabled());  // its key is judged when it is pressed
  }

  void paletteRunsWhatIsTyped() {
    WindowDriver driver;
    QVERIFY(driver.open(sample("digits_mlp")));
    driver.view().setFocus();
    QTest::keyClick(&driver.window, Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
    auto* palette = driver.window.findChild<CommandPalette*>();
    QTRY_VERIFY(palette->isVisible());
    QVERIFY(palette->list()->count() > 20);
    driver.keepPicture("palette");
    QTest::keyClicks(palette->line(), "allocat");
    QCOMPARE(palette->list()->currentItem()->text(), QStringLiteral("Allocation"));
    driver.keepPicture("palette-typed");
    QTest::keyClick(palette->line(), Qt::Key_Return);
    QVERIFY(!palette->isVisible());
    QCOMPARE(driver.document().stage(), Stage::kAllocate);
    // What was used stands first the next time; Esc leaves everything as it was.
    palette->open();
    QCOMPARE(palette->list()->item(0)->text(), QStringLiteral("Allocation"));
    QTest::keyClick(palette->line(), Qt::Key_Down);
    QCOMPARE(palette->list()->currentRow(), 1);
    QTest::keyClicks(palette->line(), "qqqqzz");
    QCOMPARE(palette->list()->count(), 0);
    driver.keepPicture("palette-empty");
    QTest::keyClick(palette->line(), Qt::Key_Escape);
    QVERIFY(!palette->isVisible());
    QCOMPARE(driver.document().stage(), Stage::kAllocate);
  }

  void recentFilesAreInThePalette() {
    WindowDriver driver;
    QVERIFY(driver.open(sample("digits_mlp")));
    auto* palette = driver.window.findChild<CommandPalette*>();
    palette->open();
    QTest::keyClicks(palette->line(), "digits_mlp");
    QVERIFY(palette->list()->count() >= 1);
    QVERIFY(palette->list()->item(0)->text().contains("digits_mlp"));
  }

  void sheetTellsEveryKey() {
    WindowDriver driver;
    ShortcutSheet sheet(&driver.window);
    int told = 0;
    for (int i = 0; i < sheet.list()->topLevelItemCount(); ++i)
      told += sheet.list()->topLevelItem(i)->childCount();
    int wanted = 0;
    for (const Command& command : driver.window.commands()->commands())
      wanted += !CommandMenus::keysOf(command).isEmpty();
    QCOMPARE(told, wanted);
    QVERIFY(sheet.html().contains("Ctrl+Shift+P"));
    QTest::keyClicks(sheet.line(), "full screen");
    QVERIFY(!sheet.html().contains("Ctrl+Shift+P"));
    QVERIFY(sheet.html().contains("F11"));
    sheet.line()->clear();
    if (const QString pictures = qEnvironmentVariable("CUTAWAY_PICTURES"); !pictures.isEmpty()) {
      sheet.show();
      sheet.grab().save(pictures + "/sheet.png");
    }
  }

  void toolsOpenInDocks() {
    WindowDriver driver;
    QVERIFY(driver.open(sample("digits_mlp")));
    for (const Command& command : driver.window.commands()->commands()) {
      if (!command.id.startsWith("tool.")) continue;
      const QString id = command.id.mid(5);
      QVERIFY2(!driver.window.tools()->shown(id), qPrintable(id));
      emit driver.window.actions()->toolRequested(id);
      QVERIFY2(driver.window.tools()->shown(id), qPrintable(id));
      QTRY_VERIFY(driver.window.tools()->dock(id)->isVisible());
      driver.keepPicture(qPrintable("tool-" + id));
      QVERIFY(driver.window.commands()->run(command.id));
      QVERIFY2(!driver.window.tools()->shown(id), qPrintable(id));
    }
  }

  void tabsAreLedByKeysAndMouse() {
    WindowDriver driver;
    DocumentPage* first = driver.open(sample("digits_mlp"));
    DocumentPage* second = driver.open(sample("digits_cnn"));
    QVERIFY(first && second);
    QCOMPARE(driver.window.currentPage(), second);
    QTest::keyClick(&driver.window, Qt::Key_Tab, Qt::ControlModifier);
    QCOMPARE(driver.window.currentPage(), first);
    driver.window.tabs()->moveTab(0, 1);
    QCOMPARE(driver.window.currentPage(), first);
    QCOMPARE(driver.window.tabs()->tabOf(first), 1);
    driver.keepPicture("tabs");
    QTest::mouseClick(driver.window.tabs(), Qt::MiddleButton, {}, driver.window.tabs()->tabRect(1).center());
    QCOMPARE(driver.window.pageCount(), 1);
    QCOMPARE(driver.window.currentPage(), second);
    QTest::keyClick(&driver.window, Qt::Key_T, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(driver.window.pageCount(), 2);
    QVERIFY(driver.window.currentPage()->document()->path().contains("digits_mlp"));
  }
};

QTEST_MAIN(TestCommands)
#include "tst_commands.moc"
