#include "engine/provider/block_pool.h"

#include <algorithm>

#include "engine/base/short_memory.h"
#include "engine/tensor/allocator.h"

namespace cutaway {

struct BlockPool::Block {
  explicit Block(size_t size) : sizeBytes(size), data(heapAllocator().allocate(size)) {}
  ~Block() {
    if (data != nullptr) heapAllocator().release(data);
  }
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;

  size_t sizeBytes;
  void* data;
  bool isFree = false;
};

Result<PoolBlock> BlockPool::take(size_t sizeBytes) {
  const size_t wanted = std::max<size_t>(sizeBytes, 1);
  const auto found = std::lower_bound(m_free.begin(), m_free.end(), wanted,
                                      [&](uint32_t index, size_t size) { return m_blocks[index]->sizeBytes < size; });
  if (found != m_free.end() && m_blocks[*found]->sizeBytes / 2 <= wanted) {
    const BlockPointer& block = m_blocks[*found];
    block->isFree = false;
    m_free.erase(found);
    return PoolBlock{block->data, block};
  }
  BlockPointer block = std::make_shared<Block>(wanted);
  if (block->data == nullptr) return fail(noMemoryFor("an intermediate value", static_cast<int64_t>(sizeBytes)));
  m_index.emplace(block.get(), static_cast<uint32_t>(m_blocks.size()));
  m_free.reserve(m_blocks.size() + 1);
  m_blocks.push_back(block);
  return PoolBlock{block->data, std::move(block)};
}

void BlockPool::addFree(uint32_t index) {
  m_blocks[index]->isFree = true;
  const auto place = std::upper_bound(m_free.begin(), m_free.end(), m_blocks[index]->sizeBytes,
                                      [&](size_t size, uint32_t other) { return size < m_blocks[other]->sizeBytes; });
  m_free.insert(place, index);
}

void BlockPool::giveBack(const void* hold) {
  const auto found = m_index.find(hold);
  if (found == m_index.end()) return;
  const BlockPointer& block = m_blocks[found->second];
  if (!block->isFree && block.use_count() == 1) addFree(found->second);
}

void BlockPool::settle() {
  if (m_free.size() == m_blocks.size()) return;
  std::erase_if(m_blocks, [](const BlockPointer& block) { return block.use_count() > 1; });
  m_free.clear();
  m_index.clear();
  for (uint32_t i = 0; i < m_blocks.size(); ++i)
    m_index.emplace(m_blocks[i].get(), i);
  for (uint32_t i = 0; i < m_blocks.size(); ++i)
    addFree(i);
}

}  // namespace cutaway
