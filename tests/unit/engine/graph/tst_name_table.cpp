#include <map>
#include <random>

#include <spdlog/fmt/fmt.h>

#include <QtTest/QtTest>

#include "engine/graph/name_table.h"

using namespace cutaway;

class TestNameTable : public QObject {
  Q_OBJECT

 private slots:
  // Beside a map, at random: names come, go, come back under other numbers, and all numbers change.
  void findsWhatAMapFinds_data() {
    QTest::addColumn<int>("names");
    for (const int names : {1, 7, 8, 50, 3000})
      QTest::addRow("%d names", names) << names;
  }
  void findsWhatAMapFinds() {
    QFETCH(int, names);
    std::mt19937 random(11);
    std::vector<std::string> nameOf;  // by number
    std::map<std::string, ValueId> expected;
    NameTable table;
    const auto read = [&](ValueId id) -> const std::string& { return nameOf[id.index()]; };
    for (int step = 0; step < 20'000; ++step) {
      const std::string name = fmt::format("/layer.{}/weight", random() % static_cast<unsigned>(names));
      const auto known = expected.find(name);
      QCOMPARE(table.find(name, read), known == expected.end() ? ValueId() : known->second);
      if (known == expected.end()) {
        const ValueId id{nameOf.size()};
        nameOf.push_back(name);
        table.add(name, id);
        expected.emplace(name, id);
      } else if (random() % 3 != 0) {
        table.erase(name, ValueId{nameOf.size()});  // another one of that name: stays
        QCOMPARE(table.find(name, read), known->second);
        table.erase(name, known->second);
        expected.erase(known);
      }
    }
    std::vector<ValueId> fresh(nameOf.size());
    std::vector<std::string> left;
    for (auto& [name, id] : expected) {
      fresh[id.index()] = ValueId{left.size()};
      id = fresh[id.index()];
      left.push_back(name);
    }
    nameOf = left;
    table.renumber(fresh);
    for (const auto& [name, id] : expected)
      QCOMPARE(table.find(name, read), id);
  }

  void isEmptyAtFirst() {
    NameTable table;
    const auto none = [](ValueId) -> std::string { return {}; };
    QVERIFY(!table.find("x", none).valid());
    table.erase("x", ValueId{0});
    QVERIFY(!table.find("x", none).valid());
  }
};

QTEST_GUILESS_MAIN(TestNameTable)
#include "tst_name_table.moc"
