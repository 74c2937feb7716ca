// The accuracy panel: what can be compared, how a result reads, and where it leads.
#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

#include "tests/unit/ui/panels/tool_bench.h"
#include "ui/panels/accuracy/accuracy_choice.h"
#include "ui/panels/accuracy/accuracy_tables.h"
#include "ui/panels/accuracy/error_chart.h"

using namespace cutaway;
using namespace cutaway::ui;

namespace {

std::shared_ptr<const AccuracyReport> report() {
  auto made = std::make_shared<AccuracyReport>();
  made->configurationA = "as it is";
  made->configurationB = "only cpu";
  made->relativeTolerance = 1e-3;
  for (int i = 0; i < 40; ++i) {
    ValueAccuracy value{.value = "v" + std::to_string(i),
                        .node = "n" + std::to_string(i),
                        .opType = "Conv",
                        .providerA = "onednn",
                        .providerB = "cpu",
                        .elementType = "float",
                        .shape = "[1,8]",
                        .elements = 8};
    value.maxRelative = i < 20 ? 1e-7 : 1e-5 * (i - 19);
    if (i == 25 || i == 31) value.maxRelative = i == 25 ? 0.01 : 0.4, value.outsideTolerance = 3;
    if (i == 12) value.problem = "only A has it";
    made->values.push_back(value);
  }
  made->firstDivergence = 25;
  made->worst = 31;
  made->notComparable = 1;
  return made;
}

}  // namespace

class TestAccuracyPanel : public QObject {
  Q_OBJECT

 private slots:
  void choicesAreVariationsOfTheSession() {
    auto host = std::make_shared<EngineHost>();
    host->providers = {{.name = "cpu", .takesTheRest = true}};
    Document document(host, {.providers = {"onednn", "cpu"}, .optimizationLevel = 3});
    const auto choices = accuracyChoices(document);
    QVERIFY(choices.size() >= 5);
    for (const AccuracyChoice& choice : choices) {
      QVERIFY(choice.options.has_value());
      if (choice.id == "cpu") QCOMPARE(choice.options->providers, std::vector<std::string>{"cpu"});
      if (choice.id == "level0") QCOMPARE(choice.options->optimizationLevel, 0);
      if (choice.id == "level0") QCOMPARE(choice.options->providers.size(), size_t{2});
      if (choice.id == "reference") QCOMPARE(choice.options->optimizationLevel, 0);
    }
  }

  void resultIsSaidInASentence() {
    const QString words = accuracySentence(*report());
    QVERIFY2(words.contains("2 of 39 values differ, first at v25 (Conv)"), qPrintable(words));
    QVERIFY2(words.contains("Worst: v31"), qPrintable(words));
    AccuracyReport fine = *report();
    for (ValueAccuracy& value : fine.values)
      value.outsideTolerance = 0;
    fine.firstDivergence = fine.worst = kNone;
    QVERIFY(accuracySentence(fine).contains("all 39 values agree"));
    QVERIFY(accuracySentence({}).contains("nothing"));
  }

  void rowsAreMarked() {
    const auto made = report();
    QCOMPARE(markOf(*made, 25), AccuracyMark::kFirst);
    QCOMPARE(markOf(*made, 31), AccuracyMark::kWorst);
    QCOMPARE(markOf(*made, 12), AccuracyMark::kNotComparable);
    QCOMPARE(markOf(*made, 0), AccuracyMark::kNone);
    const ReportRows rows = accuracyRows(made);
    QVERIFY(rows.cell(12, 5).contains("only A"));
    QVERIFY(rows.sortKey(31, 5).toDouble() > rows.sortKey(25, 5).toDouble());
    QCOMPARE(rows.target(25).value.name, "v25");
  }

  void chartLeadsToItsValue() {
    ThemeStore themes;
    ErrorChart chart(&themes);
    chart.resize(600, 84);
    chart.show();
    chart.present(report());
    QSignalSpy spy(&chart, &ErrorChart::chosen);
    double x = 0;
    while (x < 600 && chart.rowAt(x) != 31)
      ++x;
    QTest::mouseClick(&chart, Qt::LeftButton, {}, QPoint(static_cast<int>(x) + 2, 30));
    QCOMPARE(spy.last().first().toInt(), 31);
    chart.setCurrent(31);
    QTest::keyClick(&chart, Qt::Key_Left);
    QCOMPARE(spy.last().first().toInt(), 30);
    QCOMPARE(errorHeight(report()->values[12]), -1.0);
    QVERIFY(errorHeight(report()->values[31]) > errorHeight(report()->values[25]));
    if (const QString to = qEnvironmentVariable("CUTAWAY_PICTURES"); !to.isEmpty())
      chart.grab().save(to + "/accuracy-chart.png");
  }

  void panelSaysWhyItCannot() {
    test::ToolBench bench("accuracy");
    bench.picture("accuracy-empty");
    for (auto* button : bench.panel->findChildren<QPushButton*>())
      if (button->text() == "Compare") QVERIFY(!button->isEnabled());
    QVERIFY(bench.panel->findChildren<QComboBox*>().first()->count() >= 4);
  }
};

QTEST_MAIN(TestAccuracyPanel)
#include "tst_accuracy_panel.moc"
