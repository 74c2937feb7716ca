#pragma once
// Counts the bytes that a session's runs hold, by purpose, their high-water mark, and what its arenas did; refuses what
// would pass the memory limit, in which all counts that is made under it (engine/tensor/heap_limit.h).
//
// Thread rule: any thread; no locks. Example: if (!meter.hold(MemoryUse::kBlocks, 4096)) return refused;  ...
// meter.release(MemoryUse::kBlocks, 4096);

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <memory>

#include "engine/report/run_report.h"
#include "engine/tensor/heap_limit.h"

namespace cutaway::execute {

enum class MemoryUse : uint8_t {
  kBlocks,     // planned blocks
  kArena,      // regions of arenas, whether in use or not
  kWorkspace,  // scratch of kernels
  kOutputs,    // memory of outputs until the caller has them
};

class MemoryMeter {
 public:
  // nullptr: no limit.
  explicit MemoryMeter(std::shared_ptr<HeapBudget> budget = nullptr) : m_budget(std::move(budget)) {}

  // False, and nothing is counted, when the limit would be passed.
  bool hold(MemoryUse use, int64_t sizeBytes) {
    const bool isRefused = m_budget != nullptr && !m_budget->hold(sizeBytes);
    if (isRefused || m_refused.load(std::memory_order_relaxed) != 0)
      m_refused.store(isRefused ? sizeBytes : 0, std::memory_order_relaxed);
    if (isRefused) return false;
    m_held.fetch_add(sizeBytes, std::memory_order_relaxed);
    m_byUse[static_cast<size_t>(use)].fetch_add(sizeBytes, std::memory_order_relaxed);
    if (use == MemoryUse::kBlocks || use == MemoryUse::kWorkspace) addInUse(sizeBytes);
    return true;
  }
  void release(MemoryUse use, int64_t sizeBytes) {
    if (m_budget != nullptr) m_budget->release(sizeBytes);
    m_held.fetch_sub(sizeBytes, std::memory_order_relaxed);
    m_byUse[static_cast<size_t>(use)].fetch_sub(sizeBytes, std::memory_order_relaxed);
    if (use == MemoryUse::kBlocks || use == MemoryUse::kWorkspace)
      m_inUse.fetch_sub(sizeBytes, std::memory_order_relaxed);
  }

  // Chunks of arenas in use; their regions are held apart from this.
  void takeChunk(int64_t sizeBytes) {
    m_allocations.fetch_add(1, std::memory_order_relaxed);
    raise(m_largest, sizeBytes);
    raise(m_arenaPeak, m_arenaInUse.fetch_add(sizeBytes, std::memory_order_relaxed) + sizeBytes);
    addInUse(sizeBytes);
  }
  void giveChunk(int64_t sizeBytes) {
    m_arenaInUse.fetch_sub(sizeBytes, std::memory_order_relaxed);
    m_inUse.fetch_sub(sizeBytes, std::memory_order_relaxed);
  }
  void countExtension() { m_extensions.fetch_add(1, std::memory_order_relaxed); }
  void countShrinkage() { m_shrinkages.fetch_add(1, std::memory_order_relaxed); }

  // What the limit refused last, a whole block of an arena; 0: it has given since. Without memory for `sizeBytes`, as
  // much was asked for.
  int64_t askedBytes(int64_t sizeBytes) const { return std::max(sizeBytes, m_refused.load(std::memory_order_relaxed)); }
  int64_t limitBytes() const { return m_budget != nullptr ? m_budget->limitBytes() : 0; }
  // Of what the limit counts: of these runs, and of all else that is made under it (inputs, constants, other sessions).
  int64_t heldBytes() const { return m_budget != nullptr ? m_budget->heldBytes() : ownBytes(); }
  int64_t besideBytes() const { return heldBytes() - ownBytes(); }
  int64_t heldBytes(MemoryUse use) const { return m_byUse[static_cast<size_t>(use)].load(std::memory_order_relaxed); }
  // Blocks, chunks in use and workspace: now, and at most so far.
  int64_t currentBytes() const { return m_inUse.load(std::memory_order_relaxed); }
  int64_t peakBytes() const { return m_peak.load(std::memory_order_relaxed); }

  ArenaStatistics arena() const {
    ArenaStatistics result;
    result.allocations = m_allocations.load(std::memory_order_relaxed);
    result.extensions = m_extensions.load(std::memory_order_relaxed);
    result.shrinkages = m_shrinkages.load(std::memory_order_relaxed);
    result.inUseBytes = m_arenaInUse.load(std::memory_order_relaxed);
    result.heldBytes = heldBytes(MemoryUse::kArena);
    result.peakInUseBytes = m_arenaPeak.load(std::memory_order_relaxed);
    result.largestRequestBytes = m_largest.load(std::memory_order_relaxed);
    result.limitBytes = limitBytes();
    return result;
  }

 private:
  using Counter = std::atomic<int64_t>;
  static void raise(Counter& counter, int64_t value) {
    int64_t known = counter.load(std::memory_order_relaxed);
    while (value > known && !counter.compare_exchange_weak(known, value, std::memory_order_relaxed)) {
    }
  }
  int64_t ownBytes() const { return m_held.load(std::memory_order_relaxed); }
  void addInUse(int64_t sizeBytes) {
    raise(m_peak, m_inUse.fetch_add(sizeBytes, std::memory_order_relaxed) + sizeBytes);
  }

  const std::shared_ptr<HeapBudget> m_budget;
  std::array<Counter, 4> m_byUse{};
  Counter m_held{0};
  Counter m_refused{0};
  Counter m_inUse{0};
  Counter m_peak{0};
  Counter m_allocations{0};
  Counter m_extensions{0};
  Counter m_shrinkages{0};
  Counter m_arenaInUse{0};
  Counter m_arenaPeak{0};
  Counter m_largest{0};
};

}  // namespace cutaway::execute
