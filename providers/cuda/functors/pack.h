#pragma once
// Sixteen bytes of neighbouring elements in one load or store: the widest that a thread has.
//
// Addresses must be multiples of 16; whoever launches checks that (isPacked) for the first element and for every row.
// Thread rule: as shared.h. Example: const Pack<Half> eight = loadPack(x + i * Pack<Half>::kCount);

#include "providers/cuda/functors/number.h"

#ifndef __CUDACC__
#include <cstring>
#endif

namespace cutaway::cuda {

template <typename T>
struct alignas(16) Pack {
  static constexpr int kCount = 16 / static_cast<int>(sizeof(T));
  T values[kCount];
};

template <typename T>
CUTAWAY_SHARED Pack<T> loadPack(const T* from) {
  Pack<T> pack;
#ifdef __CUDA_ARCH__
  const uint4 raw = *reinterpret_cast<const uint4*>(from);
  __builtin_memcpy(&pack, &raw, 16);
#else
  memcpy(&pack, from, 16);
#endif
  return pack;
}

template <typename T>
CUTAWAY_SHARED void storePack(T* to, const Pack<T>& pack) {
#ifdef __CUDA_ARCH__
  uint4 raw;
  __builtin_memcpy(&raw, &pack, 16);
  *reinterpret_cast<uint4*>(to) = raw;
#else
  memcpy(to, &pack, 16);
#endif
}

// Are `pointer`, and rows of `elements` behind it, made of whole packs?
template <typename T>
bool isPacked(const void* pointer, int64_t elements) {
  return reinterpret_cast<uintptr_t>(pointer) % 16 == 0 && elements % Pack<T>::kCount == 0;
}
// The same by the size of an element, for code that chooses by type at run time.
inline bool isPackedBytes(const void* pointer, int64_t elements, int64_t elementBytes) {
  return reinterpret_cast<uintptr_t>(pointer) % 16 == 0 && elements * elementBytes % 16 == 0;
}

}  // namespace cutaway::cuda
