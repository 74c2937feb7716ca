#pragma once
// The largest tensor that work of the calling thread may take from the heap: a memory limit binds also where sizes come
// to be while it runs - slices that a loop collects, random inputs, constants computed ahead.
//
// Thread rule: a limit belongs to one thread; limits nest, and the smaller one counts. Example:
//   const HeapLimit limit(session.memoryLimitBytes);  // 0: none
//   CUTAWAY_TRY(Tensor tensor, Tensor::create(type, dims));  // FAIL above it, with both figures

#include <cstdint>

namespace cutaway {

class HeapLimit {
 public:
  explicit HeapLimit(int64_t bytes);
  ~HeapLimit();
  HeapLimit(const HeapLimit&) = delete;
  HeapLimit& operator=(const HeapLimit&) = delete;

  static int64_t current();  // 0: none

 private:
  int64_t m_previous;
};

}  // namespace cutaway
