#include "engine/tensor/allocator.h"

#include <cstdlib>

namespace cutaway {
namespace {

class HeapAllocator final : public Allocator {
 public:
  void* allocate(size_t sizeBytes) override {
    void* block = nullptr;
    return posix_memalign(&block, kBlockAlignment, sizeBytes == 0 ? 1 : sizeBytes) == 0 ? block : nullptr;
  }
  void release(void* block) override { std::free(block); }
  const Device& device() const override { return m_device; }

 private:
  Device m_device;
};

}  // namespace

Allocator& heapAllocator() {
  static HeapAllocator allocator;
  return allocator;
}

}  // namespace cutaway
