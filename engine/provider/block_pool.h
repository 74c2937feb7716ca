#pragma once
// Blocks of memory that are handed out again once nobody holds them: what an interpreter puts intermediate tensors
// into.
//
// Thread rule: one owner. Example: CUTAWAY_TRY(const PoolBlock block, pool.take(bytes));  ...
// pool.giveBack(block.hold.get());   // when the last holder may be gone

#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "engine/base/result.h"

namespace cutaway {

struct PoolBlock {
  void* data = nullptr;
  std::shared_ptr<const void> hold;  // the block is in use as long as this, or a copy of it, lives
};

class BlockPool {
 public:
  // The smallest free block that is large enough and not more than twice as large, or a new one. FAIL when memory is
  // short.
  Result<PoolBlock> take(size_t sizeBytes);
  // hold: the pointer in PoolBlock::hold. Frees the block when nobody else holds it; pointers that are not from here
  // are ignored.
  void giveBack(const void* hold);
  // Forgets blocks that somebody still holds (they live on with their holders); all others are free then.
  void settle();

 private:
  struct Block;
  using BlockPointer = std::shared_ptr<Block>;
  void addFree(uint32_t index);

  std::vector<BlockPointer> m_blocks;
  std::vector<uint32_t> m_free;  // ascending by size
  std::unordered_map<const void*, uint32_t> m_index;
};

}  // namespace cutaway
