#include "providers/cuda/pinned_pool.h"

#include <algorithm>
#include <bit>

namespace cutaway::cuda {
namespace {

constexpr size_t kSmallest = 4096;

}  // namespace

PinnedPool::~PinnedPool() {
  for (const Block& block : m_blocks)
    m_backend.releasePinned(block.data);
}

// Best fit, within four times the size, so that one small copy does not hold a large block.
PinnedPool::Block* PinnedPool::findFree(size_t sizeBytes) {
  Block* best = nullptr;
  for (Block& block : m_blocks) {
    if (block.taken || block.sizeBytes < sizeBytes || block.sizeBytes / 4 > sizeBytes) continue;
    if (best == nullptr || block.sizeBytes < best->sizeBytes) best = &block;
  }
  return best;
}

Status PinnedPool::waitForOldest(bool& waited) {
  Block* oldest = nullptr;
  for (Block& block : m_blocks) {
    if (block.taken && block.after != nullptr && (oldest == nullptr || block.order < oldest->order)) oldest = &block;
  }
  waited = oldest != nullptr;
  if (oldest == nullptr) return {};
  Status status = m_backend.synchronize(oldest->after);
  oldest->taken = false;
  oldest->after = nullptr;
  return status;
}

void* PinnedPool::take(size_t sizeBytes, Status& status) {
  const size_t wanted = std::bit_ceil(std::max(sizeBytes, kSmallest));
  if (wanted > kMostBytes) return nullptr;
  while (true) {
    if (Block* found = findFree(wanted); found != nullptr) {
      found->taken = true;
      return found->data;
    }
    if (m_heldBytes + wanted <= kMostBytes) break;
    bool waited = false;
    status = waitForOldest(waited);
    if (!status.ok()) return nullptr;
    if (waited) continue;
    // Idle blocks of other sizes give way.
    const auto idle = std::ranges::find_if(m_blocks, [](const Block& block) { return !block.taken; });
    if (idle == m_blocks.end()) return nullptr;
    m_backend.releasePinned(idle->data);
    m_heldBytes -= idle->sizeBytes;
    m_blocks.erase(idle);
  }
  void* data = nullptr;
  // Without pinned memory the driver stages: slower, not wrong.
  if (!m_backend.allocatePinned(wanted, data).ok()) return nullptr;
  m_heldBytes += wanted;
  m_blocks.push_back({data, wanted, true, nullptr, 0});
  return data;
}

void PinnedPool::freeAfter(void* block, Event event) {
  for (Block& each : m_blocks) {
    if (each.data != block) continue;
    each.after = event;
    each.order = ++m_order;
  }
}

void PinnedPool::giveBack(void* block) {
  for (Block& each : m_blocks) {
    if (each.data != block) continue;
    each.taken = false;
    each.after = nullptr;
  }
}

void PinnedPool::allReached() {
  for (Block& each : m_blocks) {
    if (each.after == nullptr) continue;
    each.taken = false;
    each.after = nullptr;
  }
}

}  // namespace cutaway::cuda
