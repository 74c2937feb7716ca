// The window without eyes and without a mouse: names of every control in every stage and tool, the way by Tab, the
// graph through Qt's accessibility, areas by F6, text at 200 %.
#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QAccessible>
#include <QApplication>
#include <QDockWidget>
#include <QHash>
#include <QLabel>
#include <QMap>
#include <QMenuBar>
#include <QSet>
#include <QTranslator>

#include "tests/gui/window_driver.h"
#include "ui/base/comfort.h"
#include "ui/base/theme.h"
#include "ui/panels/panel_table.h"
#include "ui/shell/text_size.h"
#include "ui/shell/tool_docks.h"

using namespace cutaway;
using namespace cutaway::ui;
using test::sample;
using test::WindowDriver;

namespace {

bool takesTab(const QWidget* widget) {
  return widget->isVisible() && widget->isEnabled() && (widget->focusPolicy() & Qt::TabFocus) && !widget->focusProxy();
}
// Parts of a control, such as the line of a spin box, are spoken of with it.
bool isPart(const QWidget* widget) {
  return qobject_cast<QAbstractSpinBox*>(widget->parentWidget()) ||
         widget->objectName().startsWith(QLatin1String("qt_"));
}

QString pathOf(const QWidget* widget) {
  QString path;
  for (const QWidget* up = widget; up && !up->isWindow(); up = up->parentWidget())
    if (up == widget || !up->objectName().isEmpty() ||
        QByteArrayView(up->metaObject()->className()).startsWith("cutaway"))
      path.prepend(QStringLiteral(" / %1 %2").arg(QLatin1String(up->metaObject()->className()), up->objectName()));
  return path;
}

QString nameOf(QWidget* widget) {
  QAccessibleInterface* face = QAccessible::queryAccessibleInterface(widget);
  return face ? face->text(QAccessible::Name) : QString();
}

QSet<QString> nameless(QWidget* window) {
  QSet<QString> found;
  for (QWidget* widget : window->findChildren<QWidget*>())
    if (takesTab(widget) && !isPart(widget) && nameOf(widget).trimmed().isEmpty()) found << pathOf(widget);
  return found;
}

QString lines(const QSet<QString>& all) {
  QStringList sorted(all.begin(), all.end());
  sorted.sort();
  return QString::number(sorted.size()) + QLatin1Char('\n') + sorted.join(QLatin1Char('\n'));
}

// Everything that Tab comes to, beginning at the graph, until it comes round.
QSet<QWidget*> reachedByTab(WindowDriver& driver) {
  QSet<QWidget*> reached;
  driver.view().setFocus();
  for (int i = 0; i < 400; ++i) {
    QWidget* focus = QApplication::focusWidget();
    if (!focus) break;
    if (reached.contains(focus) && focus == &driver.view()) break;
    reached << focus;
    QTest::keyClick(focus, Qt::Key_Tab);
  }
  return reached;
}

QSet<QString> unreached(WindowDriver& driver) {
  QSet<QString> missing;
  const QSet<QWidget*> reached = reachedByTab(driver);
  for (QWidget* widget : driver.window.findChildren<QWidget*>()) {
    if (!takesTab(widget) || isPart(widget) || widget->window() != &driver.window || reached.contains(widget)) continue;
    // Of radio buttons and tabs that exclude each other one is reached, arrows reach the rest.
    if (auto* button = qobject_cast<QAbstractButton*>(widget); button && (button->group() || button->autoExclusive()))
      continue;
    missing << pathOf(widget) + QLatin1Char(' ') + nameOf(widget);
  }
  return missing;
}

// Translates nothing, and keeps the context in which each text was asked for.
class ContextsAsked : public QTranslator {
 public:
  QString translate(const char* context, const char* source, const char*, int) const override {
    contexts.insert(QByteArray(source), QByteArray(context));
    return {};
  }
  bool isEmpty() const override { return false; }
  mutable QHash<QByteArray, QByteArray> contexts;
};

}  // namespace

class TestAccessibility : public QObject {
  Q_OBJECT

 private slots:
  void cleanupTestCase() { EngineService::waitForThreads(); }

  void everyControlHasAName() {
    WindowDriver driver;
    QVERIFY(driver.open(sample("digits_cnn")));
    QSet<QString> missing = nameless(&driver.window);
    for (int stage = 0; stage < kStageCount; ++stage) {
      driver.go(static_cast<Stage>(stage));
      QVERIFY(driver.idle());
      for (auto* tabs : driver.window.stageDock()->findChildren<QTabWidget*>())
        for (int tab = 0; tab < tabs->count(); ++tab) {
          if (!tabs->isVisible()) continue;
          tabs->setCurrentIndex(tab);
          missing |= nameless(&driver.window);
        }
      missing |= nameless(&driver.window);
    }
    driver.clickNode(1);
    for (const PanelDescriptor* panel : panelTable()) {
      if (panel->area != PanelArea::kTool) continue;
      driver.window.tools()->raise(QLatin1String(panel->id));
      QVERIFY(driver.idle());
      missing |= nameless(&driver.window);
    }
    QVERIFY2(missing.isEmpty(), qPrintable(lines(missing)));
  }

  void everyControlIsReachedByTab() {
    WindowDriver driver;
    QVERIFY(driver.open(sample("digits_cnn")));
    QVERIFY(QTest::qWaitForWindowActive(&driver.window));
    QSet<QString> missing;
    for (int stage = 0; stage < kStageCount; ++stage) {
      driver.go(static_cast<Stage>(stage));
      QVERIFY(driver.idle());
      missing |= unreached(driver);
    }
    QVERIFY2(missing.isEmpty(), qPrintable(lines(missing)));
  }

  void graphIsRead() {
    WindowDriver driver;
    QVERIFY(driver.open(sample("digits_cnn")));
    QAccessibleInterface* graph = QAccessible::queryAccessibleInterface(&driver.view());
    QVERIFY(graph && graph->isValid());
    QCOMPARE(graph->childCount(), static_cast<int>(driver.canvas().loaded().scene->items.size()));
    QVERIFY(graph->text(QAccessible::Name).contains("Graph"));
    QVERIFY(graph->text(QAccessible::Description).contains("Arrow keys"));
    const int item = driver.itemOf(1);
    QAccessibleInterface* node = graph->child(item);
    QVERIFY(node && node->isValid());
    QCOMPARE(graph->child(item), node);
    QCOMPARE(graph->indexOfChild(node), item);
    QCOMPARE(node->parent(), graph);
    QVERIFY(node->text(QAccessible::Name)
                .contains(QString::fromStdString(driver.canvas().loaded().scene->report().nodes[1].opType)));
    QVERIFY(!node->text(QAccessible::Description).isEmpty());
    QVERIFY((node->rect().center() - driver.view().mapToGlobal(driver.pointOf(item))).manhattanLength() <= 4);
    QVERIFY(!node->state().selected && node->state().selectable);
    QCOMPARE(graph->childAt(node->rect().center().x(), node->rect().center().y()), node);
    // It is pressed, and the selection is told.
    node->actionInterface()->doAction(QAccessibleActionInterface::pressAction());
    QCOMPARE(driver.document().selection().focus(), (NodeTarget{GraphVersion::kLoaded, 0, 1}));
    QVERIFY(node->state().selected);
    QCOMPARE(graph->focusChild(), node);
    // By arrows, the focus follows.
    QTest::keyClick(&driver.view(), Qt::Key_Down);
    QVERIFY(!(driver.document().selection().focus() == NodeTarget{GraphVersion::kLoaded, 0, 1}));
    QVERIFY(graph->focusChild() && graph->focusChild() != node);
    // Another scene: what was handed out is no longer valid, and nothing breaks.
    driver.go(Stage::kOptimize);
    QVERIFY(driver.idle());
    QVERIFY(graph->child(0)->isValid());
    QCOMPARE(graph->childCount(), static_cast<int>(driver.canvas().loaded().scene->items.size()));
    QVERIFY(graph->child(-1) == nullptr && graph->child(graph->childCount()) == nullptr);
  }

  // What a screen reader says is looked up where its translation stands, not among Qt's own texts.
  void graphIsReadInTheWindowsLanguage() {
    WindowDriver driver;
    QVERIFY(driver.open(sample("digits_cnn")));
    QAccessibleInterface* graph = QAccessible::queryAccessibleInterface(&driver.view());
    QVERIFY(graph && graph->child(0));
    ContextsAsked asked;
    QVERIFY(QCoreApplication::installTranslator(&asked));
    graph->text(QAccessible::Name);
    graph->child(0)->actionInterface()->localizedActionDescription(QAccessibleActionInterface::pressAction());
    QCoreApplication::removeTranslator(&asked);
    QCOMPARE(asked.contexts.value("Graph %1"), QByteArray("cutaway::ui::GraphAccessible"));
    QCOMPARE(asked.contexts.value("Selects it"), QByteArray("cutaway::ui::ItemAccessible"));
  }

  void areasAreReachedByKey() {
    WindowDriver driver;
    QVERIFY(driver.open(sample("digits_cnn")));
    QVERIFY(QTest::qWaitForWindowActive(&driver.window));
    driver.view().setFocus();
    QSet<QWidget*> seen;
    for (int i = 0; i < 4; ++i) {
      seen << QApplication::focusWidget();
      QTest::keyClick(&driver.window, Qt::Key_F6);
    }
    QVERIFY2(seen.size() >= 3, qPrintable(QString::number(seen.size())));
    for (int i = 0; i < 4; ++i)
      QTest::keyClick(&driver.window, Qt::Key_F6, Qt::ShiftModifier);
    QCOMPARE(QApplication::focusWidget(), static_cast<QWidget*>(&driver.view()));
  }

  // Twice as large, words still fit: no label that does not wrap is narrower than what it says, unless it shortens by
  // itself. All of them grow, those with a size of their own too. The stages' names are whole, in a small window too.
  void textGrowsToTwiceItsSize() {
    WindowDriver driver;
    QVERIFY(driver.open(sample("digits_cnn"), Stage::kPartition));
    const int before = driver.window.font().pixelSize();
    QHash<const QLabel*, int> sizes;
    for (const QLabel* label : driver.window.findChildren<QLabel*>())
      if (label->isVisible() && !label->text().isEmpty()) sizes.insert(label, label->font().pixelSize());
    driver.window.setTextSize(200);
    QVERIFY(QTest::qWaitFor([&] { return driver.window.font().pixelSize() == 2 * before; }, 5000));
    QTest::qWait(20);
    driver.keepPicture("text-200");
    for (const QLabel* label : driver.window.findChildren<QLabel*>())
      if (label->isVisible() && sizes.contains(label))
        QVERIFY2(std::abs(label->font().pixelSize() - 2 * sizes.value(label)) <= 1,
                 qPrintable(QStringLiteral("%1 '%2': %3, before %4")
                                .arg(pathOf(label), label->text().left(40))
                                .arg(label->font().pixelSize())
                                .arg(sizes.value(label))));
    const auto* legend = driver.view().findChild<QWidget*>(QStringLiteral("canvas/legend"));
    QVERIFY(legend && legend->isVisible() && driver.view().rect().contains(legend->geometry()));
    int scales = 0;
    for (const QToolButton* button : driver.canvas().findChildren<QToolButton*>()) {
      if (!button->isVisible() || !button->text().endsWith(QLatin1String(" %"))) continue;
      ++scales;
      QVERIFY(button->contentsRect().width() >= button->fontMetrics().horizontalAdvance(button->text()) + 10);
    }
    QCOMPARE(scales, 1);
    for (int stage = 0; stage < kStageCount; ++stage) {
      driver.go(static_cast<Stage>(stage));
      QVERIFY(driver.idle());
      QTest::qWait(20);
      for (const QLabel* label : driver.window.findChildren<QLabel*>()) {
        if (!label->isVisible() || label->text().isEmpty() || !label->pixmap(Qt::ReturnByValue).isNull()) continue;
        const int needed = label->fontMetrics().height() - 2;
        QVERIFY2(label->height() >= needed, qPrintable(QStringLiteral("%1 '%2': %3 of %4")
                                                           .arg(pathOf(label), label->text().left(40))
                                                           .arg(label->height())
                                                           .arg(needed)));
      }
    }
    for (const QSize size : {QSize(1440, 900), QSize(1024, 700)}) {
      driver.window.resize(size);
      QTest::qWait(20);
      driver.keepPicture(qPrintable(QStringLiteral("text-200-%1").arg(size.width())));
      for (int stage = 0; stage < kStageCount; ++stage) {
        const StageButton* button = driver.window.ribbon()->button(static_cast<Stage>(stage));
        QVERIFY2(button->shortestWidth() <= button->width(), qPrintable(button->text()));
      }
    }
    driver.window.setTextSize(100);
    QTRY_COMPARE(driver.window.font().pixelSize(), before);
  }

  // Set before the program starts, text is twice as large in every part of the window, menu bar and status line
  // included.
  void textSetBeforeTheStartIsEverywhere() {
    const auto sizes = [](const WindowDriver& driver) {
      QMap<QString, int> all;
      for (const QWidget* widget : driver.window.findChildren<QWidget*>())
        if (widget->isVisible() && widget->font().pixelSize() > 0)
          all.insert(pathOf(widget), widget->font().pixelSize());
      return all;
    };
    QMap<QString, int> plain;
    {
      WindowDriver driver;
      QVERIFY(driver.open(sample("digits_cnn")));
      plain = sizes(driver);
    }
    qApp->setStyleSheet({});  // as in a new process
    qputenv("CUTAWAY_FONT_SCALE", "200");
    WindowDriver driver;
    qunsetenv("CUTAWAY_FONT_SCALE");
    QVERIFY(driver.open(sample("digits_cnn")));
    driver.keepPicture("text-200-from-the-start");
    const QMap<QString, int> found = sizes(driver);
    int compared = 0;
    for (auto widget = found.cbegin(); widget != found.cend(); ++widget) {
      if (!plain.contains(widget.key())) continue;
      ++compared;
      const int wanted = 2 * plain.value(widget.key());
      QVERIFY2(std::abs(widget.value() - wanted) <= 1,
               qPrintable(QStringLiteral("%1: %2, not %3").arg(widget.key()).arg(widget.value()).arg(wanted)));
    }
    QVERIFY2(compared > 20, qPrintable(QString::number(compared)));
    driver.window.setTextSize(100);
    QTRY_COMPARE(driver.window.font().pixelSize(), interfaceFont().pixelSize());
  }
};

QTEST_MAIN(TestAccessibility)
#include "tst_accessibility.moc"
