#pragma once
// Memory of one frame beyond its arena: blocks for what a plan placed, and scratch for kernels.
//
// Scratch is a stack that grows to its high-water mark. Neither takes a lock; the session's limit is asked before
// anything is taken. Thread rule: one thread at a time (a frame that runs several steps at once has one ScratchMemory
// per worker). Example: GrowingBlock block(heapAllocator(), meter);  if (block.reserve(1 << 20)) use(block.data());

#include <cstddef>
#include <utility>
#include <vector>

#include "engine/execute/memory/memory_meter.h"
#include "engine/tensor/allocator.h"

namespace cutaway::execute {

// One block of an allocator that grows by being replaced; contents do not survive.
class GrowingBlock {
 public:
  GrowingBlock(Allocator& allocator, MemoryMeter& meter, MemoryUse use = MemoryUse::kBlocks)
      : m_allocator(&allocator), m_meter(&meter), m_use(use) {}
  GrowingBlock(GrowingBlock&& other) noexcept
      : m_allocator(other.m_allocator),
        m_meter(other.m_meter),
        m_use(other.m_use),
        m_data(std::exchange(other.m_data, nullptr)),
        m_sizeBytes(std::exchange(other.m_sizeBytes, 0)) {}
  GrowingBlock(const GrowingBlock&) = delete;
  GrowingBlock& operator=(const GrowingBlock&) = delete;
  ~GrowingBlock() { clear(); }
  // False when memory is short or the session's limit would be passed; it is empty then.
  bool reserve(int64_t sizeBytes);
  void clear();
  std::byte* data() const { return m_data; }
  int64_t sizeBytes() const { return m_sizeBytes; }

 private:
  Allocator* m_allocator;
  MemoryMeter* m_meter;
  MemoryUse m_use;
  std::byte* m_data = nullptr;
  int64_t m_sizeBytes = 0;
};

class ScratchMemory {
 public:
  explicit ScratchMemory(MemoryMeter& meter) : m_meter(&meter) {}
  // Aligned to kBlockAlignment; empty data when memory is short. Valid until reset().
  std::byte* take(int64_t sizeBytes);
  // Everything taken becomes free; after a step that needed several blocks, one block replaces them.
  void reset();
  // Everything goes back to the system. Only after reset().
  void shrink() { m_blocks.clear(); }

 private:
  std::vector<GrowingBlock> m_blocks;  // the last one is being filled
  int64_t m_used = 0;                  // of the last block
  MemoryMeter* m_meter;
};

}  // namespace cutaway::execute
