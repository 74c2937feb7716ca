#include "providers/onnxruntime/shared_blocks.h"

namespace cutaway::onnxruntime {

namespace {
// Each has a descriptor, of which a process has some 1024: beyond this the heap gives the blocks.
constexpr size_t kMostBlocks = 256;
}  // namespace

void* SharedBlocks::allocate(size_t sizeBytes) {
  {
    const std::lock_guard lock(m_mutex);
    if (m_blocks.size() >= kMostBlocks) return nullptr;
  }
  Result<std::shared_ptr<const SharedMemory>> memory = SharedMemory::create(sizeBytes);
  if (!memory) return nullptr;
  std::byte* const data = (*memory)->bytes().data();
  const std::lock_guard lock(m_mutex);
  m_blocks.emplace(data, *std::move(memory));
  return data;
}

bool SharedBlocks::release(void* block) {
  std::shared_ptr<const SharedMemory> gone;  // unmapped without the lock
  const std::lock_guard lock(m_mutex);
  const auto found = m_blocks.find(static_cast<const std::byte*>(block));
  if (found == m_blocks.end()) return false;
  gone = std::move(found->second);
  m_blocks.erase(found);
  return true;
}

SharedPart SharedBlocks::find(const void* data, size_t sizeBytes) const {
  const auto* const first = static_cast<const std::byte*>(data);
  const std::lock_guard lock(m_mutex);
  auto block = m_blocks.upper_bound(first);
  if (block == m_blocks.begin()) return {};
  --block;
  const auto offset = static_cast<uint64_t>(first - block->first);
  const size_t size = block->second->bytes().size();
  if (offset > size || sizeBytes > size - offset) return {};
  return {block->second, offset};
}

SharedBlocks& sharedBlocks() {
  static auto* const blocks = new SharedBlocks;
  return *blocks;
}

}  // namespace cutaway::onnxruntime
