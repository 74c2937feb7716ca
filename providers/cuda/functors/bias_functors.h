#pragma once
// A bias along the last axes, an activation, a residual: y = f(x + bias) + residual. And halves of a row as value and
// gate: y = (left + bias) * gelu(right + bias).
//
// Thread rule: as shared.h. Example: see bias_table.cpp.

#include <cmath>

#include "providers/cuda/functors/pack.h"

namespace cutaway::cuda {

enum class BiasedFunction : int32_t { kNone, kGelu, kGeluTanh };

struct BiasedParameters {
  const void* x = nullptr;
  const void* bias = nullptr;      // `width` elements, repeated; nullptr: none
  const void* residual = nullptr;  // as x; nullptr: none
  void* y = nullptr;
  int64_t count = 0, width = 1;  // split: of y, and of the halves
  BiasedFunction function = BiasedFunction::kNone;
  bool packed = false;  // all of them, and the width, in whole packs
  bool split = false;
};

template <typename C>
CUTAWAY_SHARED C biasedResult(C x, BiasedFunction function) {
  if (function == BiasedFunction::kGelu) return C(0.5) * x * (C(1) + std::erf(x * C(0.70710678118654752)));
  if (function == BiasedFunction::kGeluTanh)
    return C(0.5) * x * (C(1) + std::tanh(C(0.79788456080286536) * (x + C(0.044715) * x * x * x)));
  return x;
}

template <typename T>
struct Biased {
  BiasedParameters p;
  CUTAWAY_SHARED void operator()(int64_t index) const {
    using C = Compute<T>;
    const T *x = static_cast<const T*>(p.x), *bias = static_cast<const T*>(p.bias),
            *residual = static_cast<const T*>(p.residual);
    T* y = static_cast<T*>(p.y);
    if (!p.packed) {
      C value = biasedResult(load(x[index]) + (bias == nullptr ? C(0) : load(bias[index % p.width])), p.function);
      if (residual != nullptr) value += load(residual[index]);
      y[index] = store<T>(value);
      return;
    }
    constexpr int kCount = Pack<T>::kCount;
    const int64_t first = index * kCount;
    Pack<T> pack = loadPack(x + first), added, kept;
    if (bias != nullptr) added = loadPack(bias + first % p.width);
    if (residual != nullptr) kept = loadPack(residual + first);
    for (int k = 0; k < kCount; ++k) {
      C value = biasedResult(load(pack.values[k]) + (bias == nullptr ? C(0) : load(added.values[k])), p.function);
      if (residual != nullptr) value += load(kept.values[k]);
      pack.values[k] = store<T>(value);
    }
    storePack(y + first, pack);
  }
};

template <typename T>
struct BiasedSplit {
  BiasedParameters p;
  CUTAWAY_SHARED void operator()(int64_t index) const {
    const int64_t row = index / p.width, column = index - row * p.width;
    const T *left = static_cast<const T*>(p.x) + row * 2 * p.width + column,
            *bias = static_cast<const T*>(p.bias) + column;
    static_cast<T*>(p.y)[index] =
        store<T>((load(left[0]) + load(bias[0])) *
                 biasedResult(load(left[p.width]) + load(bias[p.width]), BiasedFunction::kGelu));
  }
};

}  // namespace cutaway::cuda
