#include "tests/program/counted_heap.h"

#include <cstdlib>
#include <new>

namespace cutaway::counted_heap {

std::atomic<int64_t> allocations{0};
std::atomic<int64_t> failAt{-1};
std::atomic<size_t> refusedFrom{0};
constinit thread_local bool isShort = false;

bool mayAllocate() {
  allocations.fetch_add(1, std::memory_order_relaxed);
  if (isShort) return false;
  return failAt.load(std::memory_order_relaxed) < 0 || failAt.fetch_sub(1, std::memory_order_relaxed) != 0;
}

}  // namespace cutaway::counted_heap

namespace {

void* blockOf(std::size_t sizeBytes) noexcept {
  const std::size_t refused = cutaway::counted_heap::refusedFrom.load(std::memory_order_relaxed);
  if (refused > 0 && sizeBytes >= refused) return nullptr;
  return cutaway::counted_heap::mayAllocate() ? std::malloc(sizeBytes == 0 ? 1 : sizeBytes) : nullptr;
}

void* blockOrThrow(std::size_t sizeBytes) {
  if (void* const block = blockOf(sizeBytes)) return block;
  throw std::bad_alloc();
}

}  // namespace

void* operator new(std::size_t sizeBytes) {
  return blockOrThrow(sizeBytes);
}
void* operator new[](std::size_t sizeBytes) {
  return blockOrThrow(sizeBytes);
}
// A sanitizer's own would not call the above.
void* operator new(std::size_t sizeBytes, const std::nothrow_t&) noexcept {
  return blockOf(sizeBytes);
}
void operator delete(void* block) noexcept {
  std::free(block);
}
void operator delete[](void* block) noexcept {
  std::free(block);
}
void operator delete(void* block, std::size_t) noexcept {
  std::free(block);
}
void operator delete[](void* block, std::size_t) noexcept {
  std::free(block);
}
