#include "engine/execute/memory/frame_memory.h"

#include <algorithm>
#include <limits>

#include "engine/base/checked_math.h"

namespace cutaway::execute {
namespace {

constexpr int64_t kLargestRequest = std::numeric_limits<int64_t>::max() / 4;

}  // namespace

bool GrowingBlock::reserve(int64_t sizeBytes) {
  if (sizeBytes <= m_sizeBytes) return true;
  clear();
  if (!m_meter->hold(m_use, sizeBytes)) return false;
  m_data = static_cast<std::byte*>(m_allocator->allocate(static_cast<size_t>(sizeBytes)));
  if (m_data == nullptr) {
    m_meter->release(m_use, sizeBytes);
    return false;
  }
  m_sizeBytes = sizeBytes;
  return true;
}

void GrowingBlock::clear() {
  if (m_data == nullptr) return;
  m_allocator->release(m_data);
  m_meter->release(m_use, m_sizeBytes);
  m_data = nullptr;
  m_sizeBytes = 0;
}

std::byte* ScratchMemory::take(int64_t sizeBytes) {
  if (sizeBytes < 0 || sizeBytes > kLargestRequest) return nullptr;
  const int64_t rounded = alignUp(std::max<int64_t>(sizeBytes, 1), kBlockAlignment);
  if (m_blocks.empty() || m_used + rounded > m_blocks.back().sizeBytes()) {
    GrowingBlock block(heapAllocator(), *m_meter, MemoryUse::kWorkspace);
    if (!block.reserve(rounded)) return nullptr;
    m_blocks.push_back(std::move(block));
    m_used = 0;
  }
  std::byte* data = m_blocks.back().data() + m_used;
  m_used += rounded;
  return data;
}

void ScratchMemory::reset() {
  m_used = 0;
  if (m_blocks.size() < 2) return;
  int64_t total = 0;
  for (const GrowingBlock& block : m_blocks)
    total += block.sizeBytes();
  m_blocks.clear();
  GrowingBlock block(heapAllocator(), *m_meter, MemoryUse::kWorkspace);
  if (block.reserve(total)) m_blocks.push_back(std::move(block));
}

}  // namespace cutaway::execute
