#include <array>
#include <random>

#include <QtTest/QtTest>

#include "engine/base/boxed.h"
#include "engine/base/short_list.h"

using namespace cutaway;

namespace {

struct Pair {
  uint32_t first = 7;
  uint32_t second = 9;
  bool operator==(const Pair&) const = default;
};

}  // namespace

// Lists in place and optionals on the heap, which graphs are made of.
class TestShortList : public QObject {
  Q_OBJECT

 private slots:
  void isSmall() {
    QCOMPARE(sizeof(ShortList<uint32_t>), size_t{16});
    QCOMPARE(sizeof(ShortList<Pair>), size_t{16});
    QCOMPARE(sizeof(Boxed<std::array<char, 1000>>), sizeof(void*));
  }

  // Every function beside std::vector's, at random, through the sizes at which lists move to the heap and back.
  void doesWhatAVectorDoes() {
    std::mt19937 random(7);
    for (int round = 0; round < 200; ++round) {
      std::vector<uint32_t> expected;
      ShortList<uint32_t> list;
      for (int step = 0; step < 60; ++step) {
        const auto value = static_cast<uint32_t>(random());
        const size_t place = expected.empty() ? 0 : random() % expected.size();
        const auto at = [place](auto& of) { return of.begin() + static_cast<std::ptrdiff_t>(place); };
        const std::vector<uint32_t> more(random() % 5, value);
        switch (random() % 10) {
          case 0:
            expected.insert(at(expected), value);
            list.insert(at(list), value);
            break;
          case 1:
            expected.insert(at(expected), more.begin(), more.end());
            list.insert(at(list), more.begin(), more.end());
            break;
          case 2:
            if (expected.empty()) break;
            expected.erase(at(expected));
            list.erase(at(list));
            break;
          case 3:
            expected.resize(place + 2);
            list.resize(place + 2);
            break;
          case 4:
            expected.assign(more.begin(), more.end());
            list.assign(more.begin(), more.end());
            break;
          case 5:
            if (expected.empty()) break;
            expected.pop_back();
            list.pop_back();
            break;
          case 6: {
            ShortList<uint32_t> copy = list;
            copy.push_back(value);
            list = std::move(copy);
            expected.push_back(value);
            break;
          }
          case 7:
            expected.assign(place, value);
            list.assign(place, value);
            break;
          default:
            expected.push_back(value);
            list.push_back(value);
        }
        QVERIFY(std::ranges::equal(list, expected));
        QCOMPARE(std::vector<uint32_t>(list), expected);
        QVERIFY(list == ShortList<uint32_t>(expected));
        if (!expected.empty()) QVERIFY(list.front() == expected.front() && list.back() == expected.back());
      }
    }
  }

  void whatIsAddedIsDefault() {
    for (const size_t size : {1, 2, 5}) {
      const ShortList<Pair> list(size);
      QCOMPARE(list.size(), size);
      for (const Pair& each : list)
        QVERIFY(each == Pair());
    }
    ShortList<Pair> list{{1, 2}, {3, 4}};
    list.pop_back();
    QVERIFY(list == (ShortList<Pair>{{1, 2}}));
    const ShortList<Pair> left = std::exchange(list, {});
    QVERIFY(list.empty() && left.size() == 1);
  }

  void boxesAreCopiedDeeply() {
    Boxed<std::string> empty, one = std::string("one");
    QVERIFY(!empty && !empty.has_value() && empty.get() == nullptr && one);
    Boxed<std::string> copy = one;
    *copy += " more";
    QCOMPARE(*one, std::string("one"));
    QCOMPARE(copy->size(), size_t{8});
    copy = empty;
    QVERIFY(!copy);
    copy = std::move(one);
    QVERIFY(!one && *copy == "one");
    copy = *copy + "!";
    copy = copy;
    QCOMPARE(*copy, std::string("one!"));
    copy = std::nullopt;
    QVERIFY(!copy.has_value());
    QCOMPARE(copy.emplace("two"), std::string("two"));
    copy.reset();
    QVERIFY(!copy);
  }
};

QTEST_GUILESS_MAIN(TestShortList)
#include "tst_short_list.moc"
