// The arena: chunks that do not overlap, best fit, coalescing, growth, limits, shrinking, and no heap in steady use.

#include <cstring>
#include <limits>
#include <map>
#include <random>

#include <QTest>

#include "engine/execute/memory/arena.h"

using namespace cutaway;

namespace {

// Host memory that runs out: after so many bytes, or so many calls.
class MeanAllocator final : public Allocator {
 public:
  int64_t bytesLeft = std::numeric_limits<int64_t>::max();
  int64_t callsLeft = std::numeric_limits<int64_t>::max();
  int64_t blocks = 0;

  void* allocate(size_t sizeBytes) override {
    if (callsLeft <= 0 || static_cast<int64_t>(sizeBytes) > bytesLeft) return nullptr;
    --callsLeft;
    bytesLeft -= static_cast<int64_t>(sizeBytes);
    ++blocks;
    return heapAllocator().allocate(sizeBytes);
  }
  void release(void* block) override {
    --blocks;
    heapAllocator().release(block);
  }
  const Device& device() const override { return heapAllocator().device(); }
};

}  // namespace

class TestArena : public QObject {
  Q_OBJECT
 private slots:
  void chunksAreLargeEnoughAndComeBack_data() {
    QTest::addColumn<qint64>("bytes");
    for (const qint64 bytes : {0, 1, 255, 256, 257, 511, 512, 513, 1000, 4097, 65536, 65537, 1000003, 5000000})
      QTest::addRow("%lld", static_cast<long long>(bytes)) << bytes;
  }
  void chunksAreLargeEnoughAndComeBack() {
    QFETCH(qint64, bytes);
    execute::MemoryMeter meter;
    {
      execute::Arena arena(heapAllocator(), meter);
      const execute::MemoryChunk first = arena.acquire(bytes);
      QVERIFY(first.data != nullptr);
      QVERIFY(first.sizeBytes >= bytes);
      QVERIFY(first.sizeBytes < std::max<qint64>(512, bytes + 256));
      QCOMPARE(reinterpret_cast<uintptr_t>(first.data) % kBlockAlignment, uintptr_t{0});
      std::memset(first.data, 1, static_cast<size_t>(first.sizeBytes));
      const execute::MemoryChunk second = arena.acquire(bytes);
      QVERIFY(second.data != first.data);
      QCOMPARE(meter.currentBytes(), 2 * first.sizeBytes);
      arena.giveBack(first);
      QCOMPARE(arena.acquire(bytes).data, first.data);
    }
    QCOMPARE(meter.currentBytes(), int64_t{0});
    QCOMPARE(meter.heldBytes(), int64_t{0});
    QVERIFY(meter.peakBytes() > 0);
  }

  void impossibleSizesGiveNothing() {
    execute::MemoryMeter meter;
    execute::Arena arena(heapAllocator(), meter);
    QVERIFY(arena.acquire(-1).data == nullptr);
    QVERIFY(arena.acquire(std::numeric_limits<int64_t>::max()).data == nullptr);
    QCOMPARE(meter.heldBytes(), int64_t{0});
  }

  void theSmallestChunkThatFitsIsTaken() {
    execute::MemoryMeter meter;
    execute::Arena arena(heapAllocator(), meter);
    const execute::MemoryChunk large = arena.acquire(8192);
    const execute::MemoryChunk wallA = arena.acquire(256);
    const execute::MemoryChunk small = arena.acquire(4352);
    const execute::MemoryChunk wallB = arena.acquire(256);
    const execute::MemoryChunk middle = arena.acquire(6144);
    const execute::MemoryChunk wallC = arena.acquire(256);
    for (const execute::MemoryChunk& chunk : {large, small, middle})
      arena.giveBack(chunk);
    QCOMPARE(arena.acquire(4200).data, small.data);
    QCOMPARE(arena.acquire(4200).data, middle.data);
    QCOMPARE(arena.acquire(1024).data, middle.data + 4352);  // what the split left over is nearest
    for (const execute::MemoryChunk& chunk : {wallA, wallB, wallC})
      arena.giveBack(chunk);
  }

  void neighboursGrowTogether() {
    execute::MemoryMeter meter;
    execute::Arena arena(heapAllocator(), meter,
                         {.growth = execute::ArenaGrowth::kNextPowerOfTwo, .initialBytes = 4096});
    const execute::MemoryChunk a = arena.acquire(1024);
    const execute::MemoryChunk b = arena.acquire(1024);
    const execute::MemoryChunk c = arena.acquire(2048);
    QCOMPARE(meter.arena().extensions, int64_t{1});
    arena.giveBack(a);
    arena.giveBack(c);
    arena.giveBack(b);
    QCOMPARE(arena.acquire(4096).data, a.data);
    QCOMPARE(meter.arena().extensions, int64_t{1});
  }

  void regionsGrowAsAsked_data() {
    QTest::addColumn<bool>("doubling");
    QTest::addColumn<qint64>("held");
    QTest::newRow("next power of two") << true << qint64{4096 + 8192 + 16384};
    QTest::newRow("same as requested") << false << qint64{3 * 4096};
  }
  void regionsGrowAsAsked() {
    QFETCH(bool, doubling);
    QFETCH(qint64, held);
    execute::MemoryMeter meter;
    execute::Arena arena(
        heapAllocator(), meter,
        {.growth = doubling ? execute::ArenaGrowth::kNextPowerOfTwo : execute::ArenaGrowth::kSameAsRequested,
         .initialBytes = 4096,
         .maximumExtensionBytes = 16384});
    const int requests = doubling ? 4 : 3;  // 4096, then two of the next region, then a third one
    for (int i = 0; i < requests; ++i)
      QVERIFY(arena.acquire(4096).data != nullptr);
    QCOMPARE(meter.arena().heldBytes, held);
    QCOMPARE(meter.arena().extensions, int64_t{3});
    QCOMPARE(meter.arena().allocations, int64_t{requests});
    QCOMPARE(meter.arena().inUseBytes, int64_t{4096} * requests);
    QCOMPARE(meter.arena().largestRequestBytes, int64_t{4096});
  }

  void aSystemThatRefusesIsAskedForLess() {
    MeanAllocator mean;
    mean.bytesLeft = 10'000;
    execute::MemoryMeter meter;
    {
      execute::Arena arena(mean, meter, {.growth = execute::ArenaGrowth::kNextPowerOfTwo, .initialBytes = 1 << 20});
      QVERIFY(arena.acquire(5000).data != nullptr);
      QVERIFY(arena.acquire(100'000).data == nullptr);
      mean.callsLeft = 0;
      QVERIFY(arena.acquire(50'000).data == nullptr);
    }
    QCOMPARE(mean.blocks, int64_t{0});
    QCOMPARE(meter.heldBytes(), int64_t{0});
  }

  void theLimitIsKept() {
    execute::MemoryMeter meter(std::make_shared<HeapBudget>(10'000));
    execute::Arena arena(heapAllocator(), meter);
    const execute::MemoryChunk first = arena.acquire(6000);
    QVERIFY(first.data != nullptr);
    QVERIFY(arena.acquire(6000).data == nullptr);
    QVERIFY(meter.heldBytes() <= 10'000);
    arena.giveBack(first);
    QVERIFY(arena.acquire(6000).data != nullptr);
  }

  void shrinkKeepsWhatIsInUse() {
    execute::MemoryMeter meter;
    execute::Arena arena(heapAllocator(), meter, {.growth = execute::ArenaGrowth::kSameAsRequested});
    const execute::MemoryChunk used = arena.acquire(1000);
    arena.giveBack(arena.acquire(5000));
    QVERIFY(arena.shrink());
    QVERIFY(!arena.shrink());
    QCOMPARE(meter.heldBytes(), used.sizeBytes);
    QCOMPARE(meter.arena().shrinkages, int64_t{1});
    std::memset(used.data, 2, static_cast<size_t>(used.sizeBytes));
    arena.giveBack(used);
    QCOMPARE(arena.acquire(1000).data, used.data);
  }

  // Against a map of what is out: no two chunks overlap, every byte stays as written, and everything comes together
  // again.
  void randomUse() {
    std::mt19937 random(7);
    execute::MemoryMeter meter;
    execute::Arena arena(
        heapAllocator(), meter,
        {.growth = execute::ArenaGrowth::kNextPowerOfTwo, .initialBytes = 8192, .maximumExtensionBytes = 1 << 16});
    std::map<std::byte*, std::pair<execute::MemoryChunk, int>> out;
    for (int i = 0; i < 20'000; ++i) {
      if (out.empty() || random() % 5 < 3) {
        const execute::MemoryChunk chunk =
            arena.acquire(static_cast<int64_t>(random() % (random() % 20 == 0 ? 100'000 : 4000)));
        QVERIFY(chunk.data != nullptr);
        const auto next = out.lower_bound(chunk.data);
        QVERIFY(next == out.end() || chunk.data + chunk.sizeBytes <= next->first);
        QVERIFY(next == out.begin() || std::prev(next)->first + std::prev(next)->second.first.sizeBytes <= chunk.data);
        const int mark = static_cast<int>(random() % 256);
        std::memset(chunk.data, mark, static_cast<size_t>(chunk.sizeBytes));
        out[chunk.data] = {chunk, mark};
      } else {
        auto at = out.begin();
        std::advance(at, static_cast<long>(random() % out.size()));
        const auto [chunk, mark] = at->second;
        QCOMPARE(static_cast<int>(chunk.data[0]), mark);
        QCOMPARE(static_cast<int>(chunk.data[chunk.sizeBytes - 1]), mark);
        arena.giveBack(chunk);
        out.erase(at);
      }
      if (i % 5000 == 4999) arena.shrink();
    }
    for (const auto& [data, chunk] : out)
      arena.giveBack(chunk.first);
    QCOMPARE(meter.arena().inUseBytes, int64_t{0});
    arena.shrink();
    QCOMPARE(meter.heldBytes(), int64_t{0});
  }
};

QTEST_GUILESS_MAIN(TestArena)
#include "tst_arena.moc"
