// The manual against the window: the keys that it tells are those that work. CUTAWAY_WRITE_KEYS=1 writes the page anew.
#include <QFile>
#include <QRegularExpression>

#include "tests/gui/window_driver.h"
#include "ui/shell/command_menus.h"

using namespace cutaway;
using namespace cutaway::ui;
using namespace cutaway::ui::test;

namespace {

const QString kPage = QStringLiteral(CUTAWAY_SOURCE_DIR "/resources/manual/keys.md");

QString keysOf(const Command& command) {
  QStringList keys;
  for (const QString& key : (command.keys + QStringLiteral("; ") + command.canvasKeys).split(QStringLiteral("; ")))
    if (!key.trimmed().isEmpty())
      keys << QStringLiteral("`%1`").arg(key.trimmed().replace(QLatin1Char('|'), QLatin1String("\\|")));
  return keys.join(QStringLiteral(", "));
}

QString rowOf(const Command& command) {
  const QString title = CommandMenus::plain(command.title).remove(QStringLiteral(" \u2026"));
  return QStringLiteral("| %1 | %2 | %3 |").arg(keysOf(command), title, command.help);
}

QString page(const std::vector<Command>& commands) {
  static const char* const kMenus[] = {"File", "Edit", "View", "Go", "Model", "Help"};
  QString words = QStringLiteral(
      "# Keys\n\nWritten from the window's own list of commands. Ctrl+Shift+P finds all of them by name, `?` shows "
      "them in the window.\n");
  for (int menu = 0; menu < kMenuCount; ++menu) {
    QString rows;
    for (const Command& command : commands)
      if (static_cast<int>(command.menu) == menu && !keysOf(command).isEmpty())
        rows += rowOf(command) + QLatin1Char('\n');
    if (!rows.isEmpty())
      words += QStringLiteral("\n## %1\n| keys | does | |\n|---|---|---|\n").arg(QLatin1String(kMenus[menu])) + rows;
  }
  return words + QStringLiteral(
                     "\n## In charts and timelines\n| keys | does | |\n|---|---|---|\n| `W`, `S` | zoom | |\n| `A`, "
                     "`D` | pan | |\n| `F` | centre, then fit | |\n| `.`, `,` | next, previous | |\n| `M`, `R` | mark, "
                     "range | |\n| drag, Shift+drag | select a range, pan | |\n");
}

}  // namespace

class TestManual : public QObject {
  Q_OBJECT
 private slots:
  void keysAreTrue() {
    WindowDriver driver;
    const std::vector<Command>& commands = driver.window.commands()->commands();
    if (qEnvironmentVariableIsSet("CUTAWAY_WRITE_KEYS")) QVERIFY(writeFile(kPage, page(commands).toUtf8()));
    QFile file(kPage);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QString told = QString::fromUtf8(file.readAll());
    QStringList known;
    for (const Command& command : commands)
      if (!keysOf(command).isEmpty())
        known << QStringLiteral("| %1 | %2 |")
                     .arg(keysOf(command), CommandMenus::plain(command.title).remove(QStringLiteral(" \u2026")));
    const QString menus = told.section(QStringLiteral("## In charts"), 0, 0);
    static const QRegularExpression row(QStringLiteral("^(\\| `.*?` \\| [^|]+ \\|) .*\\|$"),
                                        QRegularExpression::MultilineOption);
    int rows = 0;
    for (auto match = row.globalMatch(menus); match.hasNext(); ++rows) {
      const QString told_row = match.next().captured(1);
      QVERIFY2(
          known.contains(told_row),
          qPrintable(QStringLiteral("the manual tells '%1', which no command does: CUTAWAY_WRITE_KEYS=1 writes it anew")
                         .arg(told_row)));
    }
    QVERIFY(rows > 20);
  }
};

QTEST_MAIN(TestManual)
#include "tst_manual.moc"
