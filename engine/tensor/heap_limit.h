#pragma once
// What work may take from the heap, all together: a memory limit binds also where sizes come to be while it runs -
// slices that a loop collects, texts, random inputs, constants computed ahead.
//
// One budget goes with the work, from loading to the last run and onto every thread that does a part of it. Tensors
// that are made under a limit count in it until their memory is given back, whoever holds them then; so does what runs
// hold (engine/execute/memory/memory_meter.h). Memory that a provider's own library takes does not.
//
// Thread rule: a budget is for any thread, a limit for the one that made it. Limits nest: the smaller one counts.
// Example:
//   const HeapLimit limit(session.memoryLimitBytes);         // 0: none
//   CUTAWAY_TRY(Tensor tensor, Tensor::create(type, dims));  // FAIL above it, with both figures
//   std::thread([budget = HeapLimit::budget()] { const HeapLimit same(budget); ... });

#include <atomic>
#include <cstdint>
#include <memory>

#include "engine/base/result.h"

namespace cutaway {

class Tensor;

class HeapBudget {
 public:
  explicit HeapBudget(int64_t limitBytes) : m_limit(limitBytes) {}
  // False, and nothing is counted, when the limit would be passed.
  bool hold(int64_t sizeBytes) {
    const int64_t held = m_held.fetch_add(sizeBytes, std::memory_order_relaxed) + sizeBytes;
    if (held <= m_limit) return true;
    release(sizeBytes);
    return false;
  }
  // Counted, also above the limit: whoever asks next hears of it.
  void take(int64_t sizeBytes) { m_held.fetch_add(sizeBytes, std::memory_order_relaxed); }
  void release(int64_t sizeBytes) { m_held.fetch_sub(sizeBytes, std::memory_order_relaxed); }
  int64_t limitBytes() const { return m_limit; }
  int64_t heldBytes() const { return m_held.load(std::memory_order_relaxed); }

 private:
  const int64_t m_limit;
  std::atomic<int64_t> m_held{0};
};

class HeapLimit {
 public:
  // The thread's budget where it allows no more than that, else a new one.
  explicit HeapLimit(int64_t bytes);
  // That budget, or what the thread has where it is null.
  explicit HeapLimit(std::shared_ptr<HeapBudget> budget);
  ~HeapLimit();
  HeapLimit(const HeapLimit&) = delete;
  HeapLimit& operator=(const HeapLimit&) = delete;

  static std::shared_ptr<HeapBudget> budget();  // nullptr: no limit

 private:
  std::shared_ptr<HeapBudget> m_budget;
  const std::shared_ptr<HeapBudget>* m_previous;
};

// While it lives, tensors of this thread count nowhere: their bytes are counted by who makes them.
class CountedElsewhere {
 public:
  CountedElsewhere();
  ~CountedElsewhere();
  CountedElsewhere(const CountedElsewhere&) = delete;
  CountedElsewhere& operator=(const CountedElsewhere&) = delete;

 private:
  const std::shared_ptr<HeapBudget>* m_previous;
};

// A tensor's part of a budget. Its texts are counted once they are there: holdTexts().
class HeapHold {
 public:
  HeapHold(std::shared_ptr<HeapBudget> budget, int64_t sizeBytes) : m_budget(std::move(budget)), m_size(sizeBytes) {}
  ~HeapHold() { m_budget->release(m_size + m_texts.load(std::memory_order_relaxed)); }
  HeapHold(const HeapHold&) = delete;
  HeapHold& operator=(const HeapHold&) = delete;

  const HeapBudget& budget() const { return *m_budget; }
  // False, and nothing changes, when the limit would be passed.
  bool holdTexts(int64_t sizeBytes);

 private:
  std::shared_ptr<HeapBudget> m_budget;
  const int64_t m_size;
  std::atomic<int64_t> m_texts{0};
};

// Counts what the texts of a tensor take, once they were written; again does nothing unless they changed. FAIL, by
// policy, above the limit that the tensor was made under. No strings, or no limit: nothing happens.
Result<void> holdTexts(const Tensor& tensor);

}  // namespace cutaway
