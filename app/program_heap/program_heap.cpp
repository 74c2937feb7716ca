// operator new of our programs: what it throws knows how much was asked for, and by which node (short_memory.h).
// Libraries of ours leave the operators to the program that they are part of.
#include <algorithm>
#include <cstdlib>
#include <new>

#include "engine/base/short_memory.h"

namespace {

// What malloc() is to have for no bytes: a block that others do not share.
constexpr std::size_t atLeastOne(std::size_t sizeBytes) {
  return sizeBytes == 0 ? 1 : sizeBytes;
}

template <typename Allocate>
void* allocated(std::size_t sizeBytes, Allocate&& allocate) {
  for (;;) {
    if (void* const block = allocate()) return block;
    const std::new_handler handler = std::get_new_handler();
    if (handler == nullptr) throw cutaway::RefusedAllocation(sizeBytes);
    handler();
  }
}

}  // namespace

// The library's others end in these.
void* operator new(std::size_t sizeBytes) {
  return allocated(sizeBytes, [&] { return std::malloc(atLeastOne(sizeBytes)); });
}

void* operator new(std::size_t sizeBytes, std::align_val_t alignment) {
  return allocated(sizeBytes, [&] {
    void* block = nullptr;
    const auto wanted = std::max(static_cast<std::size_t>(alignment), sizeof(void*));
    return ::posix_memalign(&block, wanted, atLeastOne(sizeBytes)) == 0 ? block : nullptr;
  });
}

void operator delete(void* block) noexcept {
  std::free(block);
}

void operator delete(void* block, std::size_t) noexcept {
  std::free(block);
}

void operator delete(void* block, std::align_val_t) noexcept {
  std::free(block);
}

void operator delete(void* block, std::size_t, std::align_val_t) noexcept {
  std::free(block);
}
