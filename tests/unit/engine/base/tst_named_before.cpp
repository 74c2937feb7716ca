#include <random>
#include <set>
#include <vector>

#include <QtTest/QtTest>

#include "engine/base/named_before.h"
#include "engine/base/strong_id.h"

using namespace cutaway;

using Id = StrongId<struct TestTag>;

// Which slots of a list name what an earlier one named.
class TestNamedBefore : public QObject {
  Q_OBJECT

 private slots:
  // Beside a std::set, for lists on both sides of the length from which what was seen is kept.
  void findsWhatASetFinds() {
    std::mt19937 random(7);
    for (size_t length = 0; length < 40; ++length) {
      std::vector<Id> ids;
      std::vector<int32_t> numbers;
      for (size_t i = 0; i < length; ++i) {
        const auto number = static_cast<uint32_t>(random() % 24);
        ids.push_back(Id(number));
        numbers.push_back(static_cast<int32_t>(number) - 12);
      }
      NamedBefore<Id> idBefore(ids);
      NamedBefore<int32_t> numberBefore(numbers);
      std::set<int32_t> seen;
      for (size_t slot = 0; slot < length; ++slot) {
        const bool expected = !seen.insert(numbers[slot]).second;
        QCOMPARE(idBefore(slot), expected);
        QCOMPARE(numberBefore(slot), expected);
      }
    }
  }
};

QTEST_GUILESS_MAIN(TestNamedBefore)
#include "tst_named_before.moc"
