// Menus, keys, palette and the sheet of keys: all made of one list.
#include <QAction>
#include <QDockWidget>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QMenuBar>
#include <QTreeWidget>

#include "tests/gui/desk.h"
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
    Desk desk;
    QStringList ids;
    QHash<QString, QString> keys;
    for (const Command& command : desk.window.commands()->commands()) {
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
    Desk desk;
    CommandMenus* commands = desk.window.commands();
    QVERIFY(!commands->run("edit.undo"));
    QVERIFY(!commands->action("file.reload")->isEnabled());
    QVERIFY(commands->action("file.open")->isEnabled());
    QVERIFY(desk.open(sample("digits_mlp")));
    QVERIFY(commands->action("file.reload")->isEnabled());
    auto* bar = desk.window.menuWidget()->findChild<QMenuBar*>();
    QMenu* edit = bar->actions()[1]->menu();
    emit edit->aboutToShow();
    QVERIFY(!commands->action("edit.undo")->isEnabled());
    emit edit->aboutToHide();
    QVERIFY(commands->action("edit.undo")->isEnabled());  // its key is judged when it is pressed
  }

  void paletteRunsWhatIsTyped() {
    Desk desk;
    QVERIFY(desk.open(sample("digits_mlp")));
    desk.view().setFocus();
    QTest::keyClick(&desk.window, Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
    auto* palette = desk.window.findChild<CommandPalette*>();
    QTRY_VERIFY(palette->isVisible());
    QVERIFY(palette->list()->count() > 20);
    desk.keepPicture("palette");
    QTest::keyClicks(palette->line(), "allocat");
    QCOMPARE(palette->list()->currentItem()->text(), QStringLiteral("Allocation"));
    desk.keepPicture("palette-typed");
    QTest::keyClick(palette->line(), Qt::Key_Return);
    QVERIFY(!palette->isVisible());
    QCOMPARE(desk.document().stage(), Stage::kAllocate);
    // What was used stands first the next time; Esc leaves everything as it was.
    palette->open();
    QCOMPARE(palette->list()->item(0)->text(), QStringLiteral("Allocation"));
    QTest::keyClick(palette->line(), Qt::Key_Down);
    QCOMPARE(palette->list()->currentRow(), 1);
    QTest::keyClicks(palette->line(), "qqqqzz");
    QCOMPARE(palette->list()->count(), 0);
    desk.keepPicture("palette-empty");
    QTest::keyClick(palette->line(), Qt::Key_Escape);
    QVERIFY(!palette->isVisible());
    QCOMPARE(desk.document().stage(), Stage::kAllocate);
  }

  void recentFilesAreInThePalette() {
    Desk desk;
    QVERIFY(desk.open(sample("digits_mlp")));
    auto* palette = desk.window.findChild<CommandPalette*>();
    palette->open();
    QTest::keyClicks(palette->line(), "digits_mlp");
    QVERIFY(palette->list()->count() >= 1);
    QVERIFY(palette->list()->item(0)->text().contains("digits_mlp"));
  }

  void sheetTellsEveryKey() {
    Desk desk;
    ShortcutSheet sheet(&desk.window);
    int told = 0;
    for (int i = 0; i < sheet.list()->topLevelItemCount(); ++i)
      told += sheet.list()->topLevelItem(i)->childCount();
    int wanted = 0;
    for (const Command& command : desk.window.commands()->commands())
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
    Desk desk;
    QVERIFY(desk.open(sample("digits_mlp")));
    for (const Command& command : desk.window.commands()->commands()) {
      if (!command.id.startsWith("tool.")) continue;
      const QString id = command.id.mid(5);
      QVERIFY2(!desk.window.tools()->shown(id), qPrintable(id));
      emit desk.window.actions()->toolRequested(id);
      QVERIFY2(desk.window.tools()->shown(id), qPrintable(id));
      QTRY_VERIFY(desk.window.tools()->dock(id)->isVisible());
      desk.keepPicture(qPrintable("tool-" + id));
      QVERIFY(desk.window.commands()->run(command.id));
      QVERIFY2(!desk.window.tools()->shown(id), qPrintable(id));
    }
  }

  void tabsAreLedByKeysAndMouse() {
    Desk desk;
    DocumentPage* first = desk.open(sample("digits_mlp"));
    DocumentPage* second = desk.open(sample("digits_cnn"));
    QVERIFY(first && second);
    QCOMPARE(desk.window.currentPage(), second);
    QTest::keyClick(&desk.window, Qt::Key_Tab, Qt::ControlModifier);
    QCOMPARE(desk.window.currentPage(), first);
    desk.window.tabs()->moveTab(0, 1);
    QCOMPARE(desk.window.currentPage(), first);
    QCOMPARE(desk.window.tabs()->tabOf(first), 1);
    desk.keepPicture("tabs");
    QTest::mouseClick(desk.window.tabs(), Qt::MiddleButton, {}, desk.window.tabs()->tabRect(1).center());
    QCOMPARE(desk.window.pageCount(), 1);
    QCOMPARE(desk.window.currentPage(), second);
    QTest::keyClick(&desk.window, Qt::Key_T, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(desk.window.pageCount(), 2);
    QVERIFY(desk.window.currentPage()->document()->path().contains("digits_mlp"));
  }
};

QTEST_MAIN(TestCommands)
#include "tst_commands.moc"
