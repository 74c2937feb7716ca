#pragma once
// Rotary position embedding of one head of one token (Su et al., "RoFormer", 2021): pairs of channels turn by the
// angles whose cosines and sines are given.
//
// Thread rule: pure functions; `to` may be `from`.
// Example: rotateHead(from, headSize, {cosines, sines, 32, false}, to);

#include <algorithm>
#include <cstdint>

#include "providers/cpu/kernels/type_dispatch.h"

namespace cutaway::cpu::attention {

template <typename T>
struct Rotation {
  const T* cosine = nullptr;  // `half` of each
  const T* sine = nullptr;
  int64_t half = 0;
  bool interleaved = false;  // pairs are neighbours, else `half` apart
};

// The first pairs by vectors; how many.
int64_t rotatePairs(const float* from, const Rotation<float>& rotation, float* to);

template <typename T>
void rotateHead(const T* from, int64_t headSize, const Rotation<T>& rotation, T* to) {
  const int64_t step = rotation.interleaved ? 2 : 1, apart = rotation.interleaved ? 1 : rotation.half;
  int64_t i = 0;
  if constexpr (std::is_same_v<T, float>) i = rotatePairs(from, rotation, to);
  for (; i < rotation.half; ++i) {
    const auto real = cpu::widen(from[i * step]), imaginary = cpu::widen(from[i * step + apart]);
    const auto cosine = cpu::widen(rotation.cosine[i]), sine = cpu::widen(rotation.sine[i]);
    to[i * step] = cpu::narrow<T>(real * cosine - imaginary * sine);
    to[i * step + apart] = cpu::narrow<T>(real * sine + imaginary * cosine);
  }
  if (to != from) std::copy(from + 2 * rotation.half, from + headSize, to + 2 * rotation.half);
}

}  // namespace cutaway::cpu::attention
