// One budget for all that is made under a limit, on every thread, for as long as it is held.
#include <string>
#include <thread>
#include <vector>

#include <QtTest/QtTest>

#include "engine/base/free_memory.h"
#include "engine/tensor/heap_limit.h"
#include "engine/tensor/tensor.h"

using namespace cutaway;

namespace {

Result<Tensor> bytes(int64_t count) {
  return Tensor::create(ElementType::kUint8, std::vector<int64_t>{count});
}

}  // namespace

class TestHeapLimit : public QObject {
  Q_OBJECT

 private slots:
  void tensorsCountTogether() {
    Tensor second;
    {
      const HeapLimit limit(1000);
      Tensor first = bytes(600).value(), copy = first;  // of the same bytes
      QCOMPARE(HeapLimit::budget()->heldBytes(), int64_t{600});
      const auto refused = bytes(401);
      QVERIFY(!refused && refused.error().byPolicy);
      QVERIFY2(
          refused.error().message.find("600 bytes are held, and the memory limit is 1000 bytes") != std::string::npos,
          refused.error().message.c_str());
      second = bytes(400).value();
      QVERIFY(!bytes(1));
      first = {};
      QCOMPARE(HeapLimit::budget()->heldBytes(), int64_t{1000});
      copy = {};
      QCOMPARE(HeapLimit::budget()->heldBytes(), int64_t{400});
      copy = bytes(600).value();
      QCOMPARE(HeapLimit::budget()->heldBytes(), int64_t{1000});
    }
    QCOMPARE(HeapLimit::budget(), nullptr);
    QVERIFY(bytes(5000));
    second = {};  // the budget is there for as long as something is held
  }

  // Without a limit, what the computer has is one: a program that took more would be ended by the system.
  void thereIsNoMoreThanTheComputerHas() {
    const std::optional<int64_t> free = freeMemoryBytes();
    QVERIFY(free);
    QVERIFY(bytes(int64_t{100} << 20));
    const auto refused = bytes(*free + (int64_t{1} << 30));
    QVERIFY(!refused && !refused.error().byPolicy);
    QVERIFY2(refused.error().message.find("are free") != std::string::npos, refused.error().message.c_str());
  }

  void otherThreadsHaveTheSameBudget() {
    const HeapLimit limit(1000);
    const Tensor mine = bytes(600).value();
    std::thread([budget = HeapLimit::budget()] {
      QCOMPARE(HeapLimit::budget(), nullptr);
      const HeapLimit same(budget);
      QVERIFY(!bytes(500));
      QVERIFY(bytes(400));
    }).join();
    QCOMPARE(HeapLimit::budget()->heldBytes(), int64_t{600});
  }

  void theSmallerLimitCounts() {
    const HeapLimit outer(1000);
    const auto budget = HeapLimit::budget();
    {
      const HeapLimit wider(2000), none(0), unknown(nullptr);
      QCOMPARE(HeapLimit::budget(), budget);
      const HeapLimit narrower(100);
      QVERIFY(!bytes(101));
    }
    QCOMPARE(HeapLimit::budget(), budget);
  }

  // Their memory is bounded by the list that they are copied from; what follows is refused.
  void listsInMemoryAreNotRefused() {
    const HeapLimit limit(1000);
    const std::vector<int64_t> numbers(200, 7);
    {
      const Tensor list = Tensor::of<int64_t>(numbers), number = Tensor::scalar(3.0f);
      QCOMPARE(list.span<int64_t>().back(), int64_t{7});
      QCOMPARE(number.span<float>()[0], 3.0f);
      QCOMPARE(HeapLimit::budget()->heldBytes(), int64_t{1604});
      QVERIFY(!bytes(1));
    }
    QCOMPARE(HeapLimit::budget()->heldBytes(), int64_t{0});
    QVERIFY(bytes(1000));
  }

  void textsCountOnceTheyAreThere() {
    const HeapLimit limit(4000);
    const auto held = [] { return HeapLimit::budget()->heldBytes(); };
    const auto header = static_cast<int64_t>(sizeof(std::string));
    Tensor text = Tensor::create(ElementType::kString, std::vector<int64_t>{2}).value();
    QCOMPARE(held(), 2 * header);
    text.span<std::string>()[1] = std::string(1000, 'a');
    for (int again = 0; again < 2; ++again) {
      QVERIFY(holdTexts(text));
      QCOMPARE(held(), 2 * header + 1000);
    }
    const Tensor copy = text.clone().value();
    QCOMPARE(held(), 4 * header + 2000);
    text.span<std::string>()[0] = std::string(3000, 'b');
    const auto refused = holdTexts(text);
    QVERIFY(!refused && refused.error().byPolicy);
    QCOMPARE(held(), 4 * header + 2000);
    QVERIFY(!text.clone());
    text = {};
    QCOMPARE(held(), 2 * header + 1000);
  }

  void whatIsCountedElsewhereIsNotCountedTwice() {
    const HeapLimit limit(1000);
    {
      const CountedElsewhere byAnother;
      QVERIFY(bytes(5000));
    }
    QVERIFY(!bytes(5000));
  }
};

QTEST_GUILESS_MAIN(TestHeapLimit)
#include "tst_heap_limit.moc"
