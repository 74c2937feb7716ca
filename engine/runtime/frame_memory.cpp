#include "engine/runtime/frame_memory.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

#include "engine/base/checked_math.h"

namespace cutaway {
namespace {

constexpr int64_t kSmallestChunk = 256;
constexpr int64_t kLargestRequest = std::numeric_limits<int64_t>::max() / 4;

struct SizeClass {
  size_t index;
  int64_t sizeBytes;
};

// Four classes between one power of two and the next, so that at most a fifth of a chunk is lost.
SizeClass classOf(int64_t sizeBytes) {
  if (sizeBytes <= kSmallestChunk) return {0, kSmallestChunk};
  const int power = std::bit_width(static_cast<uint64_t>(sizeBytes - 1));  // 2^(power - 1) < sizeBytes <= 2^power
  const int64_t step = int64_t{1} << (power - 3);
  const int64_t rounded = alignUp(sizeBytes, step);
  const int64_t quarter = (rounded - (int64_t{1} << (power - 1))) / step;  // 1..4
  return {static_cast<size_t>((power - 9) * 4 + quarter), rounded};
}

}  // namespace

bool GrowingBlock::reserve(int64_t sizeBytes) {
  if (sizeBytes <= m_chunk.sizeBytes) return true;
  clear();
  m_chunk.data = static_cast<std::byte*>(m_allocator->allocate(static_cast<size_t>(sizeBytes)));
  if (m_chunk.data == nullptr) return false;
  m_chunk.sizeBytes = sizeBytes;
  m_meter->add(sizeBytes);
  return true;
}

void GrowingBlock::clear() {
  if (m_chunk.data == nullptr) return;
  m_allocator->release(m_chunk.data);
  m_meter->remove(m_chunk.sizeBytes);
  m_chunk = {};
}

ChunkArena::~ChunkArena() {
  for (const MemoryChunk& chunk : m_all) {
    m_allocator->release(chunk.data);
    m_meter->remove(chunk.sizeBytes);
  }
}

MemoryChunk ChunkArena::acquire(int64_t sizeBytes) {
  if (sizeBytes < 0 || sizeBytes > kLargestRequest) return {};
  const SizeClass sizeClass = classOf(sizeBytes);
  auto& idle = m_idle[sizeClass.index];
  if (!idle.empty()) {
    const MemoryChunk chunk = idle.back();
    idle.pop_back();
    return chunk;
  }
  MemoryChunk chunk{static_cast<std::byte*>(m_allocator->allocate(static_cast<size_t>(sizeClass.sizeBytes))), sizeClass.sizeBytes};
  if (chunk.data == nullptr) return {};
  m_meter->add(chunk.sizeBytes);
  m_all.push_back(chunk);
  return chunk;
}

void ChunkArena::giveBack(MemoryChunk chunk) { m_idle[classOf(chunk.sizeBytes).index].push_back(chunk); }

void ChunkArena::trim() {
  std::vector<std::byte*> gone;
  for (auto& idle : m_idle) {
    for (const MemoryChunk& chunk : idle) {
      m_allocator->release(chunk.data);
      m_meter->remove(chunk.sizeBytes);
      gone.push_back(chunk.data);
    }
    idle.clear();
  }
  std::sort(gone.begin(), gone.end());
  std::erase_if(m_all, [&](const MemoryChunk& chunk) { return std::binary_search(gone.begin(), gone.end(), chunk.data); });
}

std::byte* ScratchMemory::take(int64_t sizeBytes) {
  if (sizeBytes < 0 || sizeBytes > kLargestRequest) return nullptr;
  const int64_t rounded = alignUp(std::max<int64_t>(sizeBytes, 1), kBlockAlignment);
  if (m_blocks.empty() || m_used + rounded > m_blocks.back().sizeBytes()) {
    GrowingBlock block(heapAllocator(), *m_meter);
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
  for (const GrowingBlock& block : m_blocks) total += block.sizeBytes();
  m_blocks.clear();
  GrowingBlock block(heapAllocator(), *m_meter);
  if (block.reserve(total)) m_blocks.push_back(std::move(block));
}

}  // namespace cutaway
