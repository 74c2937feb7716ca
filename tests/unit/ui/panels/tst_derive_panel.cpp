// Lists derived from the nodes alone: sentence, rows and what they are about; the panel over a real model.
#include <QLineEdit>
#include <QPushButton>
#include <QTableView>
#include <QTest>

#include "engine/graph/text.h"
#include "engine/stages/load/save.h"
#include "engine/stages/resolve/derive.h"
#include "providers/cpu/provider.h"
#include "tests/unit/ui/panels/tool_bench.h"
#include "ui/document/study_job.h"
#include "ui/panels/derive/derive_rows.h"
#include "ui/panels/empty_state.h"

using namespace cutaway;
using namespace cutaway::ui;

namespace {

// The file lists z, which nobody reads, and does not list q, which nobody reads either.
constexpr const char* kModel = R"(<ir_version: 8, opset_import: ["" : 17]>
main (float[4] x, float[4] z) => (float[4] y) { [a] p = Relu (x) [b] y = Neg (p) [c] q = Abs (p) })";

std::shared_ptr<const DerivedInputsOutputs> derivedLists() {
  Model model = *parseModelText(kModel);
  auto derived = resolve::deriveInputsOutputs(model);
  return derived ? std::make_shared<const DerivedInputsOutputs>(*std::move(derived)) : nullptr;
}

int rowWith(const ReportRows& rows, const QString& list, const QString& value) {
  for (int row = 0; row < rows.rows; ++row)
    if (rows.cell(row, 0) == QLatin1String("entry") && rows.cell(row, 1) == list && rows.cell(row, 2) == value)
      return row;
  return -1;
}

}  // namespace

class TestDerivePanel : public QObject {
  Q_OBJECT

 private slots:
  void bothSidesStandInOneRow() {
    const auto derived = derivedLists();
    QVERIFY(derived);
    QVERIFY2(deriveSentence(*derived).startsWith(
                 "Inputs and outputs by the nodes alone: 1 and 2; as the file lists them: 2 and 1."),
             qPrintable(deriveSentence(*derived)));
    const ReportRows rows = deriveRows(derived);
    const QString inputs = QStringLiteral("inputs including initializers"), outputs = QStringLiteral("outputs");
    const int unread = rowWith(rows, inputs, "z"), unlisted = rowWith(rows, outputs, "q"),
              both = rowWith(rows, outputs, "y");
    QVERIFY(unread >= 0 && unlisted >= 0 && both >= 0);
    QCOMPARE(rows.cell(unread, 3), QStringLiteral("2"));
    QCOMPARE(rows.cell(unread, 4), QString());
    QCOMPARE(rows.cell(unlisted, 3), QString());
    QVERIFY(!rows.cell(unlisted, 4).isEmpty());
    QVERIFY(!rows.cell(both, 3).isEmpty() && !rows.cell(both, 4).isEmpty());
    // Differences come first, steps last; values can be selected, steps cannot.
    QCOMPARE(rows.cell(0, 0), QStringLiteral("difference"));
    QVERIFY(rows.cell(rows.rows - 1, 0).startsWith("step "));
    QCOMPARE(rows.target(unread).value.name, QStringLiteral("z"));
    QVERIFY(!rows.target(rows.rows - 1).value.valid());
  }

  void bodiesStandBehindTheMainGraph() {
    Model model = *parseModelText(R"(<ir_version: 8, opset_import: ["" : 17]>
      g (bool c, float[4] x) => (float[4] y) { y = If <
        then_branch = t () => (float[4] r) { q = Abs (x) r = Exp (q) s = Neg (q) },
        else_branch = e () => (float[4] n) { n = Neg (x) }> (c) [d] z = Relu (x) })");
    auto lists = resolve::deriveInputsOutputs(model);
    QVERIFY(lists && lists->bodies.size() == 2);
    const auto derived = std::make_shared<const DerivedInputsOutputs>(*std::move(lists));
    QVERIFY2(deriveSentence(*derived).contains("Bodies of control flow: 2. Differences: 2."),
             qPrintable(deriveSentence(*derived)));
    const ReportRows rows = deriveRows(derived);
    QCOMPARE(rows.cell(0, 6), text(derived->title));
    int inBody = 0;
    for (int row = 0; row < rows.rows; ++row) {
      if (rows.cell(row, 6) != text(derived->bodies[0].title)) continue;
      ++inBody;
      if (!rows.cell(row, 2).isEmpty()) QCOMPARE(rows.target(row).value.graph, derived->bodies[0].graph);
    }
    QVERIFY(inBody > 3);
    // Without bodies there is nothing to tell apart.
    QCOMPARE(deriveRows(derivedLists()).columns.size(), size_t{6});
  }

  void thePanelDerivesTheOpenModel() {
    QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("model.onnx"));
    QVERIFY(load::save(*parseModelText(kModel), file.toStdString(), {}));
    auto host = std::make_shared<EngineHost>();
    host->providers = {cpuProvider()};
    host->createSession = session::Session::create;
    test::ToolBench bench("derive", host);
    bench.document.open(file);
    QTRY_VERIFY_WITH_TIMEOUT(!bench.document.service().busy(), 60000);
    auto* empty = bench.find<EmptyState>();
    QTRY_VERIFY(empty->button()->isEnabled());
    empty->button()->click();
    auto* job = bench.find<StudyJob>();
    QTRY_VERIFY_WITH_TIMEOUT(!job->busy(), 60000);
    QVERIFY2(job->result<DerivedInputsOutputs>(), job->error() ? describe(*job->error()).c_str() : "cancelled");
    auto* table = bench.find<QTableView>();
    QCOMPARE(table->model()->rowCount(), deriveRows(derivedLists()).rows);
    bench.picture(QStringLiteral("derive"));

    // A list set by hand: x alone, and y as the one output.
    const auto lines = bench.panel->findChildren<QLineEdit*>();
    const auto lineNamed = [&](const QString& name) {
      return *std::ranges::find_if(lines, [&](const QLineEdit* line) { return line->accessibleName() == name; });
    };
    QTest::keyClicks(lineNamed(QStringLiteral("Set inputs:")), QStringLiteral("x"));
    QTest::keyClicks(lineNamed(QStringLiteral("Set outputs:")), QStringLiteral("y, p"));
    QTest::keyClick(lineNamed(QStringLiteral("Set outputs:")), Qt::Key_Return);
    QTRY_VERIFY(job->busy() || job->result<DerivedInputsOutputs>()->derived.outputs.size() == 2);
    QTRY_VERIFY_WITH_TIMEOUT(!job->busy(), 60000);
    const auto set = job->result<DerivedInputsOutputs>();
    QCOMPARE(set->derived.inputs, std::vector<std::string>{"x"});
    QCOMPARE(set->derived.outputs, (std::vector<std::string>{"y", "p"}));
    bench.picture(QStringLiteral("derive-set"));
  }
};

QTEST_MAIN(TestDerivePanel)
#include "tst_derive_panel.moc"
