// The workbench in the window, on real models: documentation, tensors, model properties, edits, accuracy, problems.
#include <algorithm>

#include <QComboBox>
#include <QDockWidget>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QTabWidget>
#include <QTableView>
#include <QTest>
#include <QTextBrowser>
#include <QTimer>

#include "tests/gui/window_driver.h"
#include "ui/panels/edit/edit_field.h"
#include "ui/panels/edit/edit_list.h"
#include "ui/panels/linked_table.h"
#include "ui/panels/tensor/picture_view.h"
#include "ui/panels/tensor/slice_page.h"
#include "ui/shell/tool_docks.h"

using namespace cutaway;
using namespace cutaway::ui;
using test::kPatienceMs;
using test::WindowDriver;

namespace {

QString model() {
  return qEnvironmentVariable("CUTAWAY_MODEL", test::sample("digits_cnn"));
}

// The first node of the loaded graph with this operator.
NodeTarget nodeOf(const Document& document, const char* opType) {
  const auto graphs = document.walk()->loadedGraphs;
  for (size_t n = 0; n < graphs->graphs[0].nodes.size(); ++n)
    if (graphs->graphs[0].nodes[n].opType == opType) return {GraphVersion::kLoaded, 0, static_cast<int>(n)};
  return {};
}

QWidget* tool(WindowDriver& driver, const char* id) {
  driver.window.tools()->raise(QString::fromLatin1(id));
  QWidget* dock = driver.window.tools()->dock(QString::fromLatin1(id));
  QCoreApplication::processEvents();
  return dock;
}

// All that widgets say: labels, pages, cells with their tool tips.
QStringList wordsIn(QWidget* widget) {
  QStringList words;
  for (const QLabel* label : widget->findChildren<QLabel*>())
    words << label->text() << label->toolTip();
  for (const QTextBrowser* page : widget->findChildren<QTextBrowser*>())
    words << page->toPlainText();
  for (const QTableView* table : widget->findChildren<QTableView*>())
    for (int row = 0; table->model() && row < table->model()->rowCount(); ++row)
      for (int column = 0; column < table->model()->columnCount(); ++column)
        for (const int role : {Qt::DisplayRole, Qt::ToolTipRole})
          words << table->model()->index(row, column).data(role).toString();
  return words;
}

}  // namespace

class TestToolsWindow : public QObject {
  Q_OBJECT

 private slots:
  // Hardware that asks for sizes: what would help is the bar Shapes here, an option only of the command line.
  void nobodyIsSentToTheCommandLine() {
    session::SessionOptions options;
    options.providers = {"declared(QNN-HTP)", "cpu"};
    WindowDriver driver(test::engineHost(), options);
    QVERIFY(driver.open(test::sample("digits_mlp"), Stage::kPartition));
    driver.document().selection().selectNode({GraphVersion::kLoaded, 0, 0});
    QStringList words;
    const auto read = [&](QWidget* widget) {
      QVERIFY(widget);
      QVERIFY(driver.idle());
      for (QTabWidget* tabs : widget->findChildren<QTabWidget*>())
        for (int tab = 0; tab < tabs->count(); ++tab) {
          tabs->setCurrentIndex(tab);
          words += wordsIn(tabs->widget(tab));
        }
      words += wordsIn(widget);
    };
    for (int stage = 0; stage < kStageCount; ++stage) {
      driver.go(static_cast<Stage>(stage));
      read(driver.window.stageDock());
    }
    read(driver.window.inspectorDock());
    for (const char* id : {"problems", "support", "story", "nodes"})
      read(tool(driver, id));
    static const QRegularExpression option(QStringLiteral("(^|[\\s('\"`])--[a-z]"));
    int places = 0;
    for (const QString& each : std::as_const(words)) {
      QVERIFY2(!each.contains(option), qPrintable(each));
      places += each.contains(QLatin1String("(the bar Shapes)"));
    }
    QVERIFY2(places >= 4, qPrintable(QString::number(places)));
  }

  void documentationStandsBesideTheNode() {
    WindowDriver driver;
    QVERIFY(driver.open(model()));
    driver.document().selection().selectNode(nodeOf(driver.document(), "Conv"));
    auto* page = tool(driver, "operator")->findChild<QTextBrowser*>();
    QVERIFY(page->isVisible());
    const QString words = page->toPlainText();
    QVERIFY2(words.startsWith("Conv"), qPrintable(words.left(200)));
    QVERIFY(words.contains("kernel_shape"));
    QVERIFY(words.contains("Y = Conv(X, W, B?)"));
    const NodeReport& node = *driver.document().node(nodeOf(driver.document(), "Conv"));
    QVERIFY(words.contains(
        QString::fromStdString(driver.document().walk()->loadedGraphs->graphs[0].values[node.inputs[1]].name)));
    driver.keepPicture("tool-operator");
  }

  void weightsComeByThemselvesAndValuesFromARun() {
    WindowDriver driver;
    QVERIFY(driver.open(model()));
    const NodeReport& node = *driver.document().node(nodeOf(driver.document(), "Conv"));
    driver.document().selection().selectNode(nodeOf(driver.document(), "Conv"));
    QWidget* panel = tool(driver, "tensor");
    QTRY_COMPARE_WITH_TIMEOUT(driver.document().tensors().state(), TensorController::State::kReady, kPatienceMs);
    QCOMPARE(driver.document().tensors().value().name,
             QString::fromStdString(driver.document().walk()->loadedGraphs->graphs[0].values[node.inputs[1]].name));
    auto* tabs = panel->findChild<QTabWidget*>();
    QVERIFY(tabs->isVisible());
    for (int tab = 0; tab < tabs->count(); ++tab) {
      if (!tabs->isTabVisible(tab)) continue;
      tabs->setCurrentIndex(tab);
      if (auto* view = tabs->widget(tab)->findChild<PictureView*>())
        QTRY_VERIFY_WITH_TIMEOUT(view->picture().valid(), kPatienceMs);
      driver.keepPicture(qPrintable("tool-tensor-" + tabs->tabText(tab).toLower().replace(' ', '-')));
    }
    // What the model computes comes of a run.
    const GraphReport& graph = driver.document().walk()->loadedGraphs->graphs[0];
    driver.document().selection().selectValue({0, QString::fromStdString(graph.values[graph.outputs[0]].name)});
    QAbstractButton* run = driver.button("Run and keep it", panel);
    QVERIFY(run);
    run->click();
    QTRY_COMPARE_WITH_TIMEOUT(driver.document().tensors().state(), TensorController::State::kReady, kPatienceMs);
    QCOMPARE(driver.document().tensors().value().name, QString::fromStdString(graph.values[graph.outputs[0]].name));
    QTRY_VERIFY(tabs->isVisible());
    tabs->setCurrentIndex(0);
    driver.keepPicture("tool-tensor-run-value");
  }

  // Before anything has run: the panel asks for the kernels, and tells them of every node from then on.
  void kernelsAreFoundBeforeARun() {
    session::SessionOptions options;
    options.providers = {"cpu"};
    options.dims["batch"] = 1;
    WindowDriver driver(test::engineHost(), options);
    QVERIFY(driver.open(test::sample("digits_cnn"), Stage::kSchedule));
    const auto graphs = driver.document().walk()->partitionedGraphs;
    const auto select = [&](const char* opType) {
      for (size_t n = 0; n < graphs->graphs[0].nodes.size(); ++n)
        if (graphs->graphs[0].nodes[n].opType == opType)
          driver.document().selection().selectNode({GraphVersion::kPartitioned, 0, static_cast<int>(n)});
    };
    select("Gemm");
    const auto pages = driver.window.findChildren<QTextBrowser*>();
    const auto found = std::ranges::find_if(
        pages, [](const QTextBrowser* page) { return page->accessibleName() == "Details of the selection"; });
    QVERIFY(found != pages.end());
    QTextBrowser* page = *found;
    QVERIFY2(page->toPlainText().contains("which one, and what refused before it?"), qPrintable(page->toPlainText()));
    emit page->anchorClicked(QUrl("kernels:find"));
    QVERIFY(page->toPlainText().contains("kernels are being made"));
    QTRY_VERIFY_WITH_TIMEOUT(!page->toPlainText().contains("kernels are being made"), kPatienceMs);
    QVERIFY2(page->toPlainText().contains("highway"), qPrintable(page->toPlainText()));
    QVERIFY(!driver.document().walk()->run);
    driver.keepPicture("tool-kernels");
    // Another node needs no second search.
    select("Softmax");
    QVERIFY(page->toPlainText().startsWith("Softmax"));
    QVERIFY(!page->toPlainText().contains("which one, and what refused before it?"));
  }

  void modelPropertiesLeadToTheGraph() {
    WindowDriver driver;
    QVERIFY(driver.open(model()));
    driver.view().setFocus();
    driver.keys(Qt::Key_Return, Qt::ControlModifier);
    QVERIFY(driver.window.tools()->shown("model"));
    QWidget* panel = tool(driver, "model");
    auto* operators = panel->findChild<LinkedTable*>("model/table2");
    driver.front(operators);
    QTRY_VERIFY_WITH_TIMEOUT(operators->view()->model()->rowCount() > 0, kPatienceMs);
    operators->view()->selectRow(0);
    QVERIFY(!driver.document().selection().origins().empty());
    driver.keepPicture("tool-model");
  }

  void editsAreUndoneRedoneAndSaved() {
    WindowDriver driver;
    QVERIFY(driver.open(model()));
    const size_t before = driver.document().walk()->loadedGraphs->graphs[0].nodes.size();
    driver.document().selection().selectNode(nodeOf(driver.document(), "Relu"));
    QWidget* panel = tool(driver, "edit");
    QAbstractButton* bypass = nullptr;
    QTRY_VERIFY((bypass = driver.button("Bypass", panel)));
    bypass->click();
    QTRY_COMPARE_WITH_TIMEOUT(driver.document().edits().edits().size(), size_t{1}, kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(driver.idle() && driver.document().walk()->loadedGraphs &&
                                 driver.document().walk()->loadedGraphs->graphs[0].nodes.size() == before - 1,
                             kPatienceMs);
    QVERIFY(driver.document().title().contains("edited"));
    QVERIFY(driver.window.windowTitle().contains("edited"));
    driver.keepPicture("tool-edit");
    driver.view().setFocus();
    driver.keys(Qt::Key_Z, Qt::ControlModifier);
    QTRY_VERIFY_WITH_TIMEOUT(driver.idle() && driver.document().walk()->loadedGraphs->graphs[0].nodes.size() == before,
                             kPatienceMs);
    driver.keys(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_VERIFY_WITH_TIMEOUT(
        driver.idle() && driver.document().walk()->loadedGraphs->graphs[0].nodes.size() == before - 1, kPatienceMs);
    // Saved under a new name at once; a file that is there is only replaced after a question.
    auto* list = panel->findChild<EditList*>();
    const QString file = driver.target("edited.onnx");
    list->saveTo(file);
    QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(file) && !driver.document().edits().unsaved(), kPatienceMs);
    QVERIFY(!driver.document().title().contains("edited,"));
    QVERIFY(test::writeFile(file, "precious"));
    QTimer::singleShot(0, this, [] {
      for (QWidget* each : QApplication::topLevelWidgets())
        if (auto* box = qobject_cast<QMessageBox*>(each)) box->reject();
    });
    list->saveTo(file);
    QFile kept(file);
    QVERIFY(kept.open(QIODevice::ReadOnly));
    QCOMPARE(kept.readAll(), QByteArray("precious"));
  }

  void refusedEditSaysWhy() {
    WindowDriver driver;
    QVERIFY(driver.open(model()));
    const std::string input = driver.document()
                                  .walk()
                                  ->loadedGraphs->graphs[0]
                                  .values[driver.document().walk()->loadedGraphs->graphs[0].inputs[0]]
                                  .name;
    QWidget* panel = tool(driver, "edit");
    driver.document().selection().selectValue({0, QString::fromStdString(input)});
    EditField* shape = nullptr;
    QTRY_VERIFY([&] {
      for (auto* field : panel->findChildren<EditField*>())
        if (field->isVisible() && field->line() && field->line()->accessibleName() == "Shape") shape = field;
      return shape != nullptr;
    }());
    shape->line()->setFocus();
    shape->line()->selectAll();
    QTest::keyClicks(shape->line(), "1,-5");
    bool said = false;
    for (auto* label : shape->findChildren<QLabel*>())
      said = said || (label->isVisible() && label->text().contains("not a dimension"));
    QVERIFY(said);
    driver.keepPicture("tool-edit-refused");
    QVERIFY(driver.document().edits().edits().empty());
  }

  void configurationsAreCompared() {
    WindowDriver driver;
    QVERIFY(driver.open(model()));
    QWidget* panel = tool(driver, "accuracy");
    QAbstractButton* compare = driver.button("Compare", panel);
    QVERIFY(compare && compare->isEnabled());
    compare->click();
    QTRY_VERIFY_WITH_TIMEOUT(driver.document().accuracy().report() || driver.document().accuracy().error(),
                             kPatienceMs);
    QVERIFY(driver.document().accuracy().report());
    auto* table = panel->findChild<LinkedTable*>();
    QTRY_VERIFY(table->view()->model()->rowCount() > 0);
    table->view()->selectRow(0);
    QVERIFY(driver.document().selection().value().valid());
    driver.keepPicture("tool-accuracy");
  }

  void problemsAreListedAndLeadThere() {
    WindowDriver driver;
    const QString broken = driver.target("broken.onnx");
    QVERIFY(test::writeFile(broken, "this is no model"));
    driver.open(broken);
    QWidget* panel = tool(driver, "problems");
    auto* view = panel->findChild<QTableView*>();
    QTRY_VERIFY_WITH_TIMEOUT(view->model()->rowCount() > 0, kPatienceMs);
    QVERIFY(!view->model()->index(0, 4).data().toString().isEmpty());
    driver.keepPicture("tool-problems");
  }
};

QTEST_MAIN(TestToolsWindow)
#include "tst_tools_window.moc"
