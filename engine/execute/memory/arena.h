#pragma once
// An arena: memory for values whose size no plan knew. It takes regions from an allocator and hands out chunks of them.
//
// Best fit: the smallest free chunk that is large enough, split when more than the request is left over; a chunk given
// back grows together with free neighbours in its region. Free chunks hang in one list per power of two, so that a
// search looks at few of them. Regions grow as ArenaOptions says, and go back to the allocator by shrink(). Records of
// chunks are kept and used again: once its regions are there, an arena does not touch the heap. Thread rule: one thread
// at a time. Example: Arena arena(heapAllocator(), meter);  MemoryChunk chunk = arena.acquire(1000);
// arena.giveBack(chunk);  arena.shrink();

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/execute/memory/memory_meter.h"
#include "engine/tensor/allocator.h"

namespace cutaway::execute {

enum class ArenaGrowth : uint8_t { kNextPowerOfTwo, kSameAsRequested };

// Defaults are onnxruntime's (onnxruntime/core/framework/bfc_arena.cc).
struct ArenaOptions {
  ArenaGrowth growth = ArenaGrowth::kNextPowerOfTwo;
  int64_t initialBytes = int64_t{1} << 20;           // the first region
  int64_t maximumExtensionBytes = int64_t{1} << 30;  // no region is larger, unless a single request is
};

struct MemoryChunk {
  std::byte* data = nullptr;
  int64_t sizeBytes = 0;
  int32_t record = -1;  // the arena's own
};

class Arena {
 public:
  Arena(Allocator& allocator, MemoryMeter& meter, const ArenaOptions& options = {});
  Arena(Arena&& other) noexcept;
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;
  ~Arena();

  // data is nullptr when memory is short or the session's limit would be passed.
  MemoryChunk acquire(int64_t sizeBytes);
  void giveBack(const MemoryChunk& chunk);
  // Regions without a chunk in use go back to the allocator. True when there were any.
  bool shrink();
  // Of all regions, in use or not. Walks them.
  int64_t heldBytes() const;

 private:
  static constexpr size_t kBins = 56;
  static constexpr int32_t kNoRecord = -1;
  struct Chunk {
    std::byte* data = nullptr;
    int64_t sizeBytes = 0;
    int32_t before = kNoRecord, behind = kNoRecord;          // neighbours in the region
    int32_t freeBefore = kNoRecord, freeBehind = kNoRecord;  // neighbours in the list of the bin
    bool isFree = false;
  };

  int32_t bestFit(int64_t sizeBytes) const;
  int32_t extend(int64_t sizeBytes);
  int64_t extensionBytes(int64_t sizeBytes) const;
  void prepareRecords();
  int32_t newRecord();
  void split(int32_t record, int64_t sizeBytes);
  void joinBehind(int32_t record);
  void link(int32_t record);
  void unlink(int32_t record);

  std::vector<Chunk> m_chunks;
  std::vector<int32_t> m_unusedRecords;
  std::vector<int32_t> m_firstOfRegion;
  std::array<int32_t, kBins> m_bins;
  uint64_t m_filledBins = 0;
  int64_t m_lastRegionBytes = 0;
  Allocator* m_allocator;
  MemoryMeter* m_meter;
  ArenaOptions m_options;
};

}  // namespace cutaway::execute
