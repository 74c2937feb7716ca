#include <cstring>
#include <limits>

#include <QTest>

#include "engine/execute/memory/frame_memory.h"
#include "engine/execute/memory/pattern_cache.h"

using namespace cutaway;

class TestFrameMemory : public QObject {
  Q_OBJECT
 private slots:
  void impossibleSizesGiveNothing() {
    execute::MemoryMeter meter;
    execute::ScratchMemory scratch(meter);
    QVERIFY(scratch.take(std::numeric_limits<int64_t>::max()) == nullptr);
    QCOMPARE(meter.currentBytes(), int64_t{0});
  }

  void theLimitIsKept() {
    execute::MemoryMeter meter(std::make_shared<HeapBudget>(1000));
    execute::GrowingBlock block(heapAllocator(), meter);
    QVERIFY(block.reserve(600));
    execute::ScratchMemory scratch(meter);
    QVERIFY(scratch.take(640) == nullptr);
    QVERIFY(scratch.take(320) != nullptr);
    QVERIFY(!block.reserve(700));  // the old block is gone by then, 680 bytes are left
    QCOMPARE(meter.heldBytes(), int64_t{320});
    QVERIFY(block.reserve(680));
  }

  void scratchGrowsToItsHighWaterMark() {
    execute::MemoryMeter meter;
    execute::ScratchMemory scratch(meter);
    std::byte* a = scratch.take(100);
    std::byte* b = scratch.take(1000);
    QVERIFY(a != b);
    QCOMPARE(reinterpret_cast<uintptr_t>(b) % kBlockAlignment, uintptr_t{0});
    std::memset(a, 1, 100);
    std::memset(b, 2, 1000);
    QCOMPARE(static_cast<int>(a[99]), 1);
    scratch.reset();
    const int64_t held = meter.currentBytes();
    std::byte* again = scratch.take(100);
    QVERIFY(scratch.take(1000) == again + 128);
    scratch.reset();
    QCOMPARE(meter.currentBytes(), held);
  }

  void patternsAreFoundByTheirExactKey() {
    execute::PatternCache cache;
    const auto pattern = std::make_shared<const pattern::MemoryPatternGroup>();
    cache.insert({2, 4, 4}, pattern);
    QVERIFY(cache.find({2, 4, 4}) == pattern);
    // Keys that a sum or an exclusive-or of the dims would confuse.
    QVERIFY(cache.find({2, 7, 7}) == nullptr);
    QVERIFY(cache.find({1, 4, 1, 4}) == nullptr);
    QVERIFY(cache.find({}) == nullptr);
  }

  void oldestPatternGoesFirst() {
    execute::PatternCache cache;
    const auto pattern = std::make_shared<const pattern::MemoryPatternGroup>();
    for (int64_t i = 0; i < 32; ++i)
      cache.insert({1, i}, pattern);
    QVERIFY(cache.find({1, 0}) != nullptr);
    cache.insert({1, 100}, pattern);
    QVERIFY(cache.find({1, 0}) != nullptr);
    QVERIFY(cache.find({1, 1}) == nullptr);
    QCOMPARE(cache.statistics().evictions, int64_t{1});
    QCOMPARE(cache.statistics().entries, int64_t{32});
  }
};

QTEST_GUILESS_MAIN(TestFrameMemory)
#include "tst_frame_memory.moc"
