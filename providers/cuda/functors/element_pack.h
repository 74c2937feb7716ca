#pragma once
// Neighbours that one thread reads and writes at once. Chains compiled at run time hold this text too.
//
// Thread rule: pure. Example: float x[4];  readPack(base, offset, 1, x);

#include "providers/cuda/functors/shared.h"

namespace cutaway::cuda {

// Elements that one thread takes: 16 bytes of the widest type, at most eight.
template <typename T>
inline constexpr int kPackOf = sizeof(T) <= 2    ? 8
                               : sizeof(T) >= 16 ? 1
                                                 : static_cast<int>(16 / sizeof(T));

template <typename T, int width>
struct alignas(sizeof(T) * width) ElementPack {
  T at[width];
};

template <typename T, int width>
CUTAWAY_SHARED void readPack(const void* base, int64_t offset, int32_t step, T (&into)[width]) {
  const T* from = static_cast<const T*>(base) + offset;
  if (step == 0) {
    const T value = *from;
    for (int i = 0; i < width; ++i)
      into[i] = value;
  } else {
    const auto pack = *reinterpret_cast<const ElementPack<T, width>*>(from);
    for (int i = 0; i < width; ++i)
      into[i] = pack.at[i];
  }
}

}  // namespace cutaway::cuda
