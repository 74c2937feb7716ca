#include "engine/tensor/allocator.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <limits>

#include <sys/mman.h>

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

#include "engine/base/free_memory.h"
#include "engine/tensor/large_blocks.h"

namespace cutaway {
namespace {

constexpr uintptr_t kPageBytes = 4096;

// Set by the first user, and kept: its blocks may come back at any time.
std::atomic<LargeBlockSource*> largeBlockSource{nullptr};
std::atomic<int> largeBlockUsers{0};

// Large blocks lie on huge pages where the system has them for whoever asks: to make a page of 4 KB takes microseconds
// when it is first written, and the weights of a model have thousands. What is left behind the last whole huge page
// stays on small ones, so that no block holds more memory than was asked for.
constexpr size_t kHugePageBytes = size_t{1} << 21;

// The hosts of virtual machines take back whole huge pages that are free, and are slow to give them again: 240 MB then
// took 400 to 1,000 ms on huge pages, and 140 to 230 ms on small ones (30 and 130 ms where the host had taken none).
bool isVirtualMachine() {
#if defined(__x86_64__) || defined(__i386__)
  constexpr unsigned kHypervisorBit = 1u << 31;
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  return __get_cpuid(1, &eax, &ebx, &ecx, &edx) != 0 && (ecx & kHypervisorBit) != 0;
#else
  return false;
#endif
}

void* allocateLarge(size_t sizeBytes) {
  static const bool fitsHugePages = !isVirtualMachine();
  void* block = nullptr;
  // Aligned to pages, a block that was given back would never be used again: the C library would ask the system for
  // each anew, because together with the room for its alignment it is larger than the last one was. The outputs of
  // every run would be made of pages that nobody has written yet.
  if (posix_memalign(&block, fitsHugePages ? kHugePageBytes : kBlockAlignment, sizeBytes) != 0) return nullptr;
  if (!fitsHugePages) return block;
  ::madvise(block, sizeBytes / kHugePageBytes * kHugePageBytes, MADV_HUGEPAGE);  // a wish: refused, nothing changes
  return block;
}

// Whether the system has the memory for a block. It is asked for large ones, and whenever small ones came to as much:
// that takes some ten microseconds, and to write so many bytes for the first time some ten milliseconds.
class FreeMemoryWatch {
 public:
  bool hasRoomFor(size_t sizeBytes) {
    constexpr size_t kAskedBytes = size_t{64} << 20;
    if (sizeBytes < kAskedBytes &&
        m_sinceAsked.fetch_add(sizeBytes, std::memory_order_relaxed) + sizeBytes < kAskedBytes)
      return true;
    m_sinceAsked.store(0, std::memory_order_relaxed);
    return isFree(static_cast<int64_t>(std::min<size_t>(sizeBytes, std::numeric_limits<int64_t>::max())));
  }

 private:
  std::atomic<size_t> m_sinceAsked{0};
};

class HeapAllocator final : public Allocator {
 public:
  void* allocate(size_t sizeBytes) override {
    void* block = nullptr;
    if (sizeBytes >= kLargeBlockBytes && largeBlockUsers.load(std::memory_order_relaxed) > 0)
      block = largeBlockSource.load(std::memory_order_acquire)->allocate(sizeBytes);
    if (block != nullptr) return block;
    if (!m_watch.hasRoomFor(sizeBytes)) return nullptr;
    if (sizeBytes >= kHugePageBytes) return allocateLarge(sizeBytes);
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
  FreeMemoryWatch m_watch;
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
