#include <QTest>

#include <cstring>
#include <limits>

#include "engine/runtime/frame_memory.h"
#include "engine/runtime/pattern_cache.h"

using namespace cutaway;

class TestFrameMemory : public QObject {
  Q_OBJECT
 private slots:
  void chunksAreLargeEnoughAndComeBack_data() {
    QTest::addColumn<qint64>("bytes");
    for (const qint64 bytes : {0, 1, 255, 256, 257, 319, 320, 321, 511, 512, 513, 640, 641, 1000, 4097, 65536, 65537, 1000003}) QTest::addRow("%lld", static_cast<long long>(bytes)) << bytes;
  }
  void chunksAreLargeEnoughAndComeBack() {
    QFETCH(qint64, bytes);
    MemoryMeter meter;
    {
      ChunkArena arena(heapAllocator(), meter);
      const MemoryChunk first = arena.acquire(bytes);
      QVERIFY(first.data != nullptr);
      QVERIFY(first.sizeBytes >= bytes);
      QVERIFY(first.sizeBytes <= std::max<qint64>(256, bytes + bytes / 4 + 64));
      std::memset(first.data, 1, static_cast<size_t>(first.sizeBytes));
      arena.giveBack(first);
      QCOMPARE(arena.acquire(bytes).data, first.data);
      QVERIFY(arena.acquire(bytes).data != first.data);
      QCOMPARE(meter.currentBytes(), 2 * first.sizeBytes);
    }
    QCOMPARE(meter.currentBytes(), int64_t{0});
    QVERIFY(meter.peakBytes() > 0);
  }

  void impossibleSizesGiveNothing() {
    MemoryMeter meter;
    ChunkArena arena(heapAllocator(), meter);
    QVERIFY(arena.acquire(-1).data == nullptr);
    QVERIFY(arena.acquire(std::numeric_limits<int64_t>::max()).data == nullptr);
    ScratchMemory scratch(meter);
    QVERIFY(scratch.take(std::numeric_limits<int64_t>::max()) == nullptr);
    QCOMPARE(meter.currentBytes(), int64_t{0});
  }

  void trimKeepsWhatIsInUse() {
    MemoryMeter meter;
    ChunkArena arena(heapAllocator(), meter);
    const MemoryChunk used = arena.acquire(1000);
    arena.giveBack(arena.acquire(5000));
    arena.trim();
    QCOMPARE(meter.currentBytes(), used.sizeBytes);
    std::memset(used.data, 2, static_cast<size_t>(used.sizeBytes));
    arena.giveBack(used);
    QCOMPARE(arena.acquire(1000).data, used.data);
  }

  void scratchGrowsToItsHighWaterMark() {
    MemoryMeter meter;
    ScratchMemory scratch(meter);
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
    PatternCache cache;
    const auto pattern = std::make_shared<const MemoryPatternGroup>();
    cache.insert({2, 4, 4}, pattern);
    QVERIFY(cache.find({2, 4, 4}) == pattern);
    // Keys that a sum or an exclusive-or of the dims would confuse.
    QVERIFY(cache.find({2, 7, 7}) == nullptr);
    QVERIFY(cache.find({1, 4, 1, 4}) == nullptr);
    QVERIFY(cache.find({}) == nullptr);
  }

  void oldestPatternGoesFirst() {
    PatternCache cache;
    const auto pattern = std::make_shared<const MemoryPatternGroup>();
    for (int64_t i = 0; i < 32; ++i) cache.insert({1, i}, pattern);
    QVERIFY(cache.find({1, 0}) != nullptr);
    cache.insert({1, 100}, pattern);
    QVERIFY(cache.find({1, 0}) != nullptr);
    QVERIFY(cache.find({1, 1}) == nullptr);
    QCOMPARE(cache.statistics().evictions, int64_t{1});
    QCOMPARE(cache.statistics().size, size_t{32});
  }
};

QTEST_GUILESS_MAIN(TestFrameMemory)
#include "tst_frame_memory.moc"
