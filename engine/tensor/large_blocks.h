#pragma once
// Somewhere else for large blocks of the heap, while somebody needs them there: in memory that another process sees.
//
// While a source is used, heapAllocator() takes blocks from kLargeBlockBytes on from it; they go back to it whenever
// they are released, so a source lives as long as the program. Thread rule: any thread. Example:
//   const LargeBlockUse use(sharedBlocks());   // until it goes out of scope

#include <cstddef>

namespace cutaway {

inline constexpr size_t kLargeBlockBytes = size_t{1} << 20;

class LargeBlockSource {
 public:
  virtual ~LargeBlockSource() = default;
  // Aligned to pages; nullptr: the heap gives it.
  virtual void* allocate(size_t sizeBytes) = 0;
  // False: it is none of its blocks.
  virtual bool release(void* block) = 0;
};

// Users are counted; all of them name the same source.
class LargeBlockUse {
 public:
  explicit LargeBlockUse(LargeBlockSource& source);
  ~LargeBlockUse();
  LargeBlockUse(const LargeBlockUse&) = delete;
  LargeBlockUse& operator=(const LargeBlockUse&) = delete;
};

}  // namespace cutaway
