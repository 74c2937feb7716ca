#include <thread>

#include <QtTest/QtTest>

#include "engine/base/index_list.h"
#include "engine/base/shared_text.h"

using namespace cutaway;

// What large reports are made of: texts that many hold, and short lists of indexes.
class TestSharedText : public QObject {
  Q_OBJECT

 private slots:
  void readsAsAString() {
    const SharedText text = "Conv";
    const std::string& string = text;
    QCOMPARE(string, std::string("Conv"));
    QVERIFY(text == "Conv" && text == std::string("Conv") && text == std::string_view("Conv") && text != "Add");
    QVERIFY(SharedText("Add") < text);
    QCOMPARE(fmt::format("[{:<6}]", text), std::string("[Conv  ]"));
    QCOMPARE(text + "_" + SharedText("1"), std::string("Conv_1"));
    QCOMPARE(std::string(text).size(), text.size());
    QVERIFY(SharedText().empty() && SharedText("").empty() && SharedText().string().empty());
    QVERIFY(SharedText(std::string()) == SharedText());
  }

  void copiesShare() {
    SharedText first = std::string("a name that is too long for the object of a string");
    const SharedText second = first;
    QVERIFY(first.sharesWith(second));
    first = "another";
    QCOMPARE(second.size(), size_t{50});
    QCOMPARE(first.string(), std::string("another"));
    SharedText third = std::move(first);
    QVERIFY(first.empty() && third == "another");
    third = third;
    QCOMPARE(third.string(), std::string("another"));
    QCOMPARE(sizeof(SharedText), sizeof(void*));
  }

  // Holders on several threads come and go.
  void isCountedAcrossThreads() {
    const SharedText text = std::string("held by many");
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i)
      threads.emplace_back([text] {
        std::vector<SharedText> held;
        for (int round = 0; round < 10'000; ++round) {
          held.push_back(text);
          if (held.size() > 100) held.clear();
        }
      });
    for (std::thread& thread : threads)
      thread.join();
    QCOMPARE(text.string(), std::string("held by many"));
  }

  void aPoolGivesEqualTextsOnce() {
    SharedText outlives;
    {
      TextPool pool;
      const SharedText one = pool.of("float[batch,8]"), other = pool.of(std::string("float[batch,8]"));
      QVERIFY(one.sharesWith(other) && !one.sharesWith(pool.of("float")));
      outlives = std::string("float[batch,8]");
      QVERIFY(!outlives.sharesWith(one));
      pool.share(outlives);
      QVERIFY(outlives.sharesWith(one));
      QVERIFY(pool.of("").empty());
    }
    QCOMPARE(outlives.string(), std::string("float[batch,8]"));
  }

  // Every length around the one from which the heap is used, grown, copied and cut.
  void listsOfIndexes() {
    QCOMPARE(sizeof(IndexList), size_t{16});
    for (int32_t size = 0; size < 12; ++size) {
      std::vector<int32_t> expected;
      IndexList list;
      for (int32_t i = 0; i < size; ++i) {
        expected.push_back(i * 7 - 1);
        list.push_back(i * 7 - 1);
      }
      const auto same = [&](const IndexList& other) { return std::ranges::equal(other, expected); };
      QVERIFY(same(list) && list.size() == expected.size() && list.empty() == expected.empty());
      const IndexList copy = list, made = expected;
      QVERIFY(same(copy) && copy == list && made == list);
      QCOMPARE(std::vector<int32_t>(copy), expected);
      IndexList moved = std::move(list);
      QVERIFY(same(moved) && list.empty());
      list = copy;
      while (!expected.empty()) {
        expected.pop_back();
        moved.erase(moved.end() - 1, moved.end());
        QVERIFY(same(moved));
      }
      list.push_back(99);
      QCOMPARE(list.back(), 99);
      QCOMPARE(list.size(), copy.size() + 1);
      list.clear();
      QVERIFY(list.empty() && list != IndexList{1});
    }
  }
};

QTEST_GUILESS_MAIN(TestSharedText)
#include "tst_shared_text.moc"
