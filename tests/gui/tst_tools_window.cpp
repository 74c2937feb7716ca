// The workbench in the window, on real models: documentation, tensors, model properties, edits, accuracy, problems.
#include <QComboBox>
#include <QDockWidget>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTabWidget>
#include <QTableView>
#include <QTest>
#include <QTextBrowser>
#include <QTimer>

#include "tests/gui/desk.h"
#include "ui/panels/edit/edit_field.h"
#include "ui/panels/edit/edit_list.h"
#include "ui/panels/linked_table.h"
#include "ui/panels/tensor/picture_view.h"
#include "ui/panels/tensor/slice_page.h"
#include "ui/shell/tool_docks.h"

using namespace cutaway;
using namespace cutaway::ui;
using test::Desk;
using test::kPatienceMs;

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

QWidget* tool(Desk& desk, const char* id) {
  desk.window.tools()->raise(QString::fromLatin1(id));
  QWidget* dock = desk.window.tools()->dock(QString::fromLatin1(id));
  QCoreApplication::processEvents();
  return dock;
}

}  // namespace

class TestToolsWindow : public QObject {
  Q_OBJECT

 private slots:
  void documentationStandsBesideTheNode() {
    Desk desk;
    QVERIFY(desk.open(model()));
    desk.document().selection().selectNode(nodeOf(desk.document(), "Conv"));
    auto* page = tool(desk, "operator")->findChild<QTextBrowser*>();
    QVERIFY(page->isVisible());
    const QString words = page->toPlainText();
    QVERIFY2(words.startsWith("Conv"), qPrintable(words.left(200)));
    QVERIFY(words.contains("kernel_shape"));
    QVERIFY(words.contains("Y = Conv(X, W, B?)"));
    const NodeReport& node = *desk.document().node(nodeOf(desk.document(), "Conv"));
    QVERIFY(words.contains(
        QString::fromStdString(desk.document().walk()->loadedGraphs->graphs[0].values[node.inputs[1]].name)));
    desk.keepPicture("tool-operator");
  }

  void weightsComeByThemselvesAndValuesFromARun() {
    Desk desk;
    QVERIFY(desk.open(model()));
    const NodeReport& node = *desk.document().node(nodeOf(desk.document(), "Conv"));
    desk.document().selection().selectNode(nodeOf(desk.document(), "Conv"));
    QWidget* panel = tool(desk, "tensor");
    QTRY_COMPARE_WITH_TIMEOUT(desk.document().tensors().state(), TensorDesk::State::kReady, kPatienceMs);
    QCOMPARE(desk.document().tensors().value().name,
             QString::fromStdString(desk.document().walk()->loadedGraphs->graphs[0].values[node.inputs[1]].name));
    auto* tabs = panel->findChild<QTabWidget*>();
    QVERIFY(tabs->isVisible());
    for (int tab = 0; tab < tabs->count(); ++tab) {
      if (!tabs->isTabVisible(tab)) continue;
      tabs->setCurrentIndex(tab);
      if (auto* view = tabs->widget(tab)->findChild<PictureView*>())
        QTRY_VERIFY_WITH_TIMEOUT(view->picture().valid(), kPatienceMs);
      desk.keepPicture(qPrintable("tool-tensor-" + tabs->tabText(tab).toLower().replace(' ', '-')));
    }
    // What the model computes comes of a run.
    const GraphReport& graph = desk.document().walk()->loadedGraphs->graphs[0];
    desk.document().selection().selectValue({0, QString::fromStdString(graph.values[graph.outputs[0]].name)});
    QAbstractButton* run = desk.button("Run and keep it", panel);
    QVERIFY(run);
    run->click();
    QTRY_COMPARE_WITH_TIMEOUT(desk.document().tensors().state(), TensorDesk::State::kReady, kPatienceMs);
    QCOMPARE(desk.document().tensors().value().name, QString::fromStdString(graph.values[graph.outputs[0]].name));
    QTRY_VERIFY(tabs->isVisible());
    tabs->setCurrentIndex(0);
    desk.keepPicture("tool-tensor-run-value");
  }

  void modelPropertiesLeadToTheGraph() {
    Desk desk;
    QVERIFY(desk.open(model()));
    desk.view().setFocus();
    desk.keys(Qt::Key_Return, Qt::ControlModifier);
    QVERIFY(desk.window.tools()->shown("model"));
    QWidget* panel = tool(desk, "model");
    auto* operators = panel->findChild<LinkedTable*>("model/table2");
    desk.front(operators);
    QTRY_VERIFY_WITH_TIMEOUT(operators->view()->model()->rowCount() > 0, kPatienceMs);
    operators->view()->selectRow(0);
    QVERIFY(!desk.document().selection().origins().empty());
    desk.keepPicture("tool-model");
  }

  void editsAreUndoneRedoneAndSaved() {
    Desk desk;
    QVERIFY(desk.open(model()));
    const size_t before = desk.document().walk()->loadedGraphs->graphs[0].nodes.size();
    desk.document().selection().selectNode(nodeOf(desk.document(), "Relu"));
    QWidget* panel = tool(desk, "edit");
    QAbstractButton* bypass = nullptr;
    QTRY_VERIFY((bypass = desk.button("Bypass", panel)));
    bypass->click();
    QTRY_COMPARE_WITH_TIMEOUT(desk.document().edits().edits().size(), size_t{1}, kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && desk.document().walk()->loadedGraphs &&
                                 desk.document().walk()->loadedGraphs->graphs[0].nodes.size() == before - 1,
                             kPatienceMs);
    QVERIFY(desk.document().title().contains("edited"));
    QVERIFY(desk.window.windowTitle().contains("edited"));
    desk.keepPicture("tool-edit");
    desk.view().setFocus();
    desk.keys(Qt::Key_Z, Qt::ControlModifier);
    QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && desk.document().walk()->loadedGraphs->graphs[0].nodes.size() == before,
                             kPatienceMs);
    desk.keys(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && desk.document().walk()->loadedGraphs->graphs[0].nodes.size() == before - 1,
                             kPatienceMs);
    // Saved under a new name at once; a file that is there is only replaced after a question.
    auto* list = panel->findChild<EditList*>();
    const QString file = desk.target("edited.onnx");
    list->saveTo(file);
    QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(file) && !desk.document().edits().unsaved(), kPatienceMs);
    QVERIFY(!desk.document().title().contains("edited,"));
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
    Desk desk;
    QVERIFY(desk.open(model()));
    const std::string input = desk.document()
                                  .walk()
                                  ->loadedGraphs->graphs[0]
                                  .values[desk.document().walk()->loadedGraphs->graphs[0].inputs[0]]
                                  .name;
    QWidget* panel = tool(desk, "edit");
    desk.document().selection().selectValue({0, QString::fromStdString(input)});
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
      said = said || (label->isVisible() && label->text().contains("no dimension"));
    QVERIFY(said);
    desk.keepPicture("tool-edit-refused");
    QVERIFY(desk.document().edits().edits().empty());
  }

  void configurationsAreCompared() {
    Desk desk;
    QVERIFY(desk.open(model()));
    QWidget* panel = tool(desk, "accuracy");
    QAbstractButton* compare = desk.button("Compare", panel);
    QVERIFY(compare && compare->isEnabled());
    compare->click();
    QTRY_VERIFY_WITH_TIMEOUT(desk.document().accuracy().report() || desk.document().accuracy().error(), kPatienceMs);
    QVERIFY(desk.document().accuracy().report());
    auto* table = panel->findChild<LinkedTable*>();
    QTRY_VERIFY(table->view()->model()->rowCount() > 0);
    table->view()->selectRow(0);
    QVERIFY(desk.document().selection().value().valid());
    desk.keepPicture("tool-accuracy");
  }

  void problemsAreListedAndLeadThere() {
    Desk desk;
    const QString broken = desk.target("broken.onnx");
    QVERIFY(test::writeFile(broken, "this is no model"));
    desk.open(broken);
    QWidget* panel = tool(desk, "problems");
    auto* view = panel->findChild<QTableView*>();
    QTRY_VERIFY_WITH_TIMEOUT(view->model()->rowCount() > 0, kPatienceMs);
    QVERIFY(!view->model()->index(0, 4).data().toString().isEmpty());
    desk.keepPicture("tool-problems");
  }
};

QTEST_MAIN(TestToolsWindow)
#include "tst_tools_window.moc"
