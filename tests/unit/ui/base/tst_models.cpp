// The bases of tables and trees keep every rule of Qt's models, and filters understand ANDed words.
#include <QAbstractItemModelTester>
#include <QTest>

#include "ui/base/filter_proxy.h"
#include "ui/base/table_model.h"
#include "ui/base/theme.h"
#include "ui/base/tree_model.h"

using namespace cutaway::ui;

namespace {

class Numbers : public TableModel {
 public:
  void show(std::vector<int> numbers) {
    reset([&] { m_numbers = std::move(numbers); });
  }

 private:
  std::vector<Column> columns() const override {
    return {
        {.title = "Name", .text = [this](int row) { return QStringLiteral("row %1, \"quoted\"").arg(m_numbers[row]); }},
        {.title = "Number",
         .kind = Column::kNumber,
         .help = "how many",
         .text = [this](int row) { return QString::number(m_numbers[row]); },
         .key = [this](int row) { return m_numbers[row]; }}};
  }
  int rows() const override { return static_cast<int>(m_numbers.size()); }
  std::vector<int> m_numbers;
};

class Tree : public TreeModel {
 public:
  void show(std::vector<int> parents) {
    reset([&] { return parents; });
  }

 private:
  const std::vector<Column>& columns() const override { return m_columns; }
  const std::vector<Column> m_columns = {
      {.title = "Item", .text = [](int item) { return QString::number(item); }},
      {.title = "Depth", .kind = Column::kNumber, .help = "below the root", .text = [](int item) {
         return QString::number(item);
       }}};
};

}  // namespace

class TestModels : public QObject {
  Q_OBJECT

 private slots:
  void tableResets() {
    Numbers model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.show({10, 9, 100});
    QCOMPARE(model.rowCount(), 3);
    QCOMPARE(model.headerData(1, Qt::Horizontal).toString(), QStringLiteral("Number"));
    QCOMPARE(model.toCsv(), QStringLiteral("Name,Number\n\"row 10, \"\"quoted\"\"\",10\n\"row 9, "
                                           "\"\"quoted\"\"\",9\n\"row 100, \"\"quoted\"\"\",100\n"));
    model.show({});
    QCOMPARE(model.rowCount(), 0);
  }

  void numbersSortAsNumbers() {
    Numbers model;
    FilterProxy proxy;
    QAbstractItemModelTester tester(&proxy, QAbstractItemModelTester::FailureReportingMode::QtTest);
    proxy.setSourceModel(&model);
    model.show({10, 9, 100});
    proxy.sort(1);
    QCOMPARE(proxy.index(0, 1).data().toInt(), 9);
    QCOMPARE(proxy.index(2, 1).data().toInt(), 100);
  }

  void filterWantsAllWords() {
    Numbers model;
    FilterProxy proxy;
    proxy.setSourceModel(&model);
    model.show({10, 9, 100});
    proxy.setQuery(FindQuery::parse("ROW 10"));
    QCOMPARE(proxy.rowCount(), 2);
    proxy.setQuery(FindQuery::parse("\"row 10,\""));
    QCOMPARE(proxy.rowCount(), 1);
    proxy.setCondition([](int row) { return row != 0; });
    QCOMPARE(proxy.rowCount(), 0);
  }

  void treeKeepsItsShape() {
    Tree model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.show({-1, 0, 0, 2, -1});
    QCOMPARE(model.rowCount(), 2);
    const QModelIndex second = model.index(1, 0, model.index(0, 0));
    QCOMPARE(second.data().toString(), QStringLiteral("2"));
    QCOMPARE(model.rowCount(second), 1);
    QCOMPARE(model.index(0, 0, second).parent(), second);
    QCOMPARE(model.headerData(1, Qt::Horizontal, Qt::ToolTipRole).toString(), QStringLiteral("below the root"));
  }

  // Columns over rows of a snapshot: all that a column says is said by the model, and the snapshot lives as long.
  void columnsSayAll() {
    struct Fruit {
      std::string name;
      int64_t grams;
    };
    using Fruits = ColumnOf<Fruit>;
    auto basket =
        std::make_shared<const std::vector<Fruit>>(std::vector<Fruit>{{"plum", 90}, {"melon", 1200}, {"", -1}});
    Fruits weight = Fruits::figure(
        "Weight", &Fruit::grams, [](int64_t grams) { return QString("%1 g").arg(grams); }, "without the basket");
    weight.share = [](const Fruit& fruit) {
      return fruit.grams < 0 ? std::nullopt : std::optional(static_cast<double>(fruit.grams) / 1200);
    };
    ReportRows rows = rowsOf<Fruit>(
        partOf(basket, *basket), {{.title = "Name", .text = &Fruit::name}, weight, {.title = "Nothing"}},
        [](const Fruit& fruit) { return RowTarget{{GraphVersion::kLoaded, 0, static_cast<int>(fruit.grams)}, {}}; });
    const std::weak_ptr<const std::vector<Fruit>> alive = basket;
    basket.reset();
    QVERIFY(!alive.expired());
    QCOMPARE(rows.rows, 3);
    QCOMPARE(rows.cell(1, 0), QStringLiteral("melon"));
    QCOMPARE(rows.cell(1, 1), QStringLiteral("1200 g"));
    QVERIFY(rows.cell(1, 2).isEmpty());
    QCOMPARE(rows.sortKey(0, 0), QVariant(QStringLiteral("plum")));
    QCOMPARE(rows.sortKey(1, 1), QVariant(qlonglong{1200}));
    QCOMPARE(rows.target(0).node.node, 90);
    QCOMPARE(rows.columns[1].share(1), std::optional(1.0));
    QVERIFY(!rows.columns[1].share(2));
    QVERIFY(!rows.columns[0].share && !rows.columns[0].decoration && !rows.columns[0].key);
    rows = {};
    QVERIFY(alive.expired());
  }

  // Words must be readable on every background they stand on; marks must stand out from the canvas.
  void themesHaveContrast_data() {
    QTest::addColumn<bool>("dark");
    QTest::newRow("light") << false;
    QTest::newRow("dark") << true;
  }
  void themesHaveContrast() {
    QFETCH(bool, dark);
    const Theme& theme = dark ? Theme::darkTheme() : Theme::light();
    for (const QColor& ground : {theme.surface, theme.window, theme.canvas, theme.raised, theme.accentSoft}) {
      QVERIFY2(contrast(theme.text, ground) >= 7, qPrintable(ground.name()));
      QVERIFY2(contrast(theme.textSecondary, ground) >= 4.5, qPrintable(ground.name()));
    }
    QVERIFY(contrast(theme.textFaint, theme.surface) >= 3.8);
    QVERIFY(contrast(theme.accentText, theme.accent) >= 4.5);
    QVERIFY(contrast(theme.error, theme.errorSoft) >= 4.5);
    for (int i = 0; i < kCategoryCount; ++i) {
      QVERIFY2(contrast(theme.categories[i].color, theme.canvas) >= 2.4, qPrintable(theme.categories[i].color.name()));
      QVERIFY2(contrast(theme.text, theme.categories[i].fill) >= 7, qPrintable(theme.categories[i].fill.name()));
    }
  }

  void rampGrowsSteadily() {
    for (const Theme* theme : {&Theme::light(), &Theme::darkTheme()}) {
      double before = contrast(theme->ramp(0), theme->canvas);
      for (double position = 0.1; position <= 1.0; position += 0.1) {
        const double now = contrast(theme->ramp(position), theme->canvas);
        QVERIFY(now > before * 0.97);
        before = now;
      }
    }
  }
};

QTEST_GUILESS_MAIN(TestModels)
#include "tst_models.moc"
