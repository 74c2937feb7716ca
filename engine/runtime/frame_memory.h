#pragma once
// Memory of one frame beyond its planned block: chunks for values whose size no plan knew, and scratch for kernels.
//
// Chunks come in size classes (four per power of two) and are kept for the next run; scratch is a stack that grows to its high-water mark. Neither takes a lock.
// Thread rule: one frame, one thread at a time.
// Example: ChunkArena arena(heapAllocator(), meter);  MemoryChunk chunk = arena.acquire(1000);  arena.giveBack(chunk);

#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include "engine/runtime/memory_meter.h"
#include "engine/tensor/allocator.h"

namespace cutaway {

struct MemoryChunk {
  std::byte* data = nullptr;
  int64_t sizeBytes = 0;
};

// One block of an allocator that grows by being replaced; contents do not survive.
class GrowingBlock {
 public:
  GrowingBlock(Allocator& allocator, MemoryMeter& meter) : m_allocator(&allocator), m_meter(&meter) {}
  GrowingBlock(GrowingBlock&& other) noexcept : m_allocator(other.m_allocator), m_meter(other.m_meter), m_chunk(std::exchange(other.m_chunk, {})) {}
  GrowingBlock(const GrowingBlock&) = delete;
  GrowingBlock& operator=(const GrowingBlock&) = delete;
  ~GrowingBlock() { clear(); }
  // False when memory is short.
  bool reserve(int64_t sizeBytes);
  void clear();
  std::byte* data() const { return m_chunk.data; }
  int64_t sizeBytes() const { return m_chunk.sizeBytes; }

 private:
  Allocator* m_allocator;
  MemoryMeter* m_meter;
  MemoryChunk m_chunk;
};

class ChunkArena {
 public:
  ChunkArena(Allocator& allocator, MemoryMeter& meter) : m_allocator(&allocator), m_meter(&meter) {}
  ChunkArena(ChunkArena&& other) noexcept = default;
  ChunkArena(const ChunkArena&) = delete;
  ChunkArena& operator=(const ChunkArena&) = delete;
  ~ChunkArena();
  // data is nullptr when memory is short.
  MemoryChunk acquire(int64_t sizeBytes);
  void giveBack(MemoryChunk chunk);
  // Returns idle chunks to the allocator.
  void trim();

 private:
  static constexpr size_t kClasses = 256;
  std::array<std::vector<MemoryChunk>, kClasses> m_idle;
  std::vector<MemoryChunk> m_all;
  Allocator* m_allocator;
  MemoryMeter* m_meter;
};

class ScratchMemory {
 public:
  explicit ScratchMemory(MemoryMeter& meter) : m_meter(&meter) {}
  // Aligned to kBlockAlignment; empty data when memory is short. Valid until reset().
  std::byte* take(int64_t sizeBytes);
  // Everything taken becomes free; after a step that needed several blocks, one block replaces them.
  void reset();

 private:
  std::vector<GrowingBlock> m_blocks;  // the last one is being filled
  int64_t m_used = 0;                  // of the last block
  MemoryMeter* m_meter;
};

}  // namespace cutaway
