#include "engine/tensor/allocator.h"

#include <atomic>
#include <cstdint>
#include <cstdlib>

#include "engine/tensor/large_blocks.h"

namespace cutaway {
namespace {

constexpr uintptr_t kPageBytes = 4096;

// Set by the first user, and kept: its blocks may come back at any time.
std::atomic<LargeBlockSource*> largeBlockSource{nullptr};
std::atomic<int> largeBlockUsers{0};

class HeapAllocator final : public Allocator {
 public:
  void* allocate(size_t sizeBytes) override {
    void* block = nullptr;
    if (sizeBytes >= kLargeBlockBytes && largeBlockUsers.load(std::memory_order_relaxed) > 0)
      block = largeBlockSource.load(std::memory_order_acquire)->allocate(sizeBytes);
    if (block != nullptr) return block;
    return posix_memalign(&block, kBlockAlignment, sizeBytes == 0 ? 1 : sizeBytes) == 0 ? block : nullptr;
  }
  void release(void* block) override {
    LargeBlockSource* const source = largeBlockSource.load(std::memory_order_acquire);
    const bool mayBeTheirs = source != nullptr && reinterpret_cast<uintptr_t>(block) % kPageBytes == 0;
    if (!mayBeTheirs || !source->release(block)) std::free(block);
  }
  const Device& device() const override { return m_device; }

 private:
  Device m_device;
};

}  // namespace

LargeBlockUse::LargeBlockUse(LargeBlockSource& source) {
  largeBlockSource.store(&source, std::memory_order_release);
  ++largeBlockUsers;
}

LargeBlockUse::~LargeBlockUse() {
  --largeBlockUsers;
}

Allocator& heapAllocator() {
  static HeapAllocator allocator;
  return allocator;
}

}  // namespace cutaway
