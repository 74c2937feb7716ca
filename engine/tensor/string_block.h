#pragma once
// How strings that a tensor made go away: the deleter of what keeps them alive, by which they are found again.
//
// Thread rule: plain values. Example: std::get_deleter<StringBlock>(tensor.keepAlive())

#include <memory>
#include <string>

#include "engine/tensor/allocator.h"
#include "engine/tensor/heap_limit.h"

namespace cutaway {

struct StringBlock {
  Allocator* allocator = nullptr;
  std::string* strings = nullptr;
  size_t count = 0;
  std::shared_ptr<HeapHold> hold;  // nullptr: made without a limit

  void operator()(const void*) {
    std::destroy_n(strings, count);
    allocator->release(strings);
  }
};

}  // namespace cutaway
