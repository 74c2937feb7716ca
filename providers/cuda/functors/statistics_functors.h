#pragma once
// Normalisation by given statistics (batch), over any axes (mean and variance), and by the length of a vector (Lp).
//
// Thread rule: as shared.h. Example: see group_norm_table.cpp.

#include <cmath>

#include "providers/cuda/functors/pack.h"

namespace cutaway::cuda {

// y = (x - mean) * scale / sqrt(variance + epsilon) + shift, one of each a channel; `unit` elements an index, which lie
// in one channel.
struct BatchNormParameters {
  const void* x = nullptr;
  void* y = nullptr;
  const void *scale = nullptr, *shift = nullptr, *mean = nullptr, *variance = nullptr;
  int64_t count = 0, channels = 1, cells = 1;
  float epsilon = 0;
  bool packed = false;
};

template <typename X, typename S>
struct BatchNorm {
  BatchNormParameters p;
  CUTAWAY_SHARED void operator()(int64_t index) const {
    using C = Compute<X>;
    const int64_t first = p.packed ? index * Pack<X>::kCount : index, channel = first / p.cells % p.channels;
    const auto of = [&](const void* values) { return static_cast<C>(load(static_cast<const S*>(values)[channel])); };
    const C factor = of(p.scale) / std::sqrt(of(p.variance) + static_cast<C>(p.epsilon)),
            summand = of(p.shift) - of(p.mean) * factor;
    const X* x = static_cast<const X*>(p.x);
    X* y = static_cast<X*>(p.y);
    if (!p.packed) {
      y[first] = store<X>(load(x[first]) * factor + summand);
      return;
    }
    Pack<X> pack = loadPack(x + first);
    for (int k = 0; k < Pack<X>::kCount; ++k)
      pack.values[k] = store<X>(load(pack.values[k]) * factor + summand);
    storePack(y + first, pack);
  }
};

// Groups that lie anywhere: a block a group.
struct AxesNormParameters {
  const void* x = nullptr;
  void* y = nullptr;
  int64_t groups = 0, count = 0;
  IndexMap<1> kept, reduced;  // group -> first element; number within -> from there
  bool variance = true;
};

template <typename T>
struct AxesNorm {
  AxesNormParameters p;
  template <typename Block>
  CUTAWAY_SHARED void operator()(Block& block, int64_t group) const {
    int64_t base[1];
    p.kept.offsets(group, base);
    const T* x = static_cast<const T*>(p.x) + base[0];
    T* y = static_cast<T*>(p.y) + base[0];
    double sum = 0, squares = 0;
    each(block, [&](int64_t at) { sum += static_cast<double>(load(x[at])); });
    const double mean = block.sum(sum) / static_cast<double>(p.count);
    each(block, [&](int64_t at) {
      const double difference = static_cast<double>(load(x[at])) - mean;
      squares += difference * difference;
    });
    const double spread = p.variance ? std::sqrt(block.sum(squares) / static_cast<double>(p.count)) + 1e-9 : 1.0;
    each(block, [&](int64_t at) {
      y[at] = store<T>(static_cast<Compute<T>>((static_cast<double>(load(x[at])) - mean) / spread));
    });
  }

 private:
  template <typename Block, typename Each>
  CUTAWAY_SHARED void each(Block& block, Each visit) const {
    for (int64_t i = block.thread(); i < p.count; i += block.threads()) {
      int64_t offset[1];
      p.reduced.offsets(i, offset);
      visit(offset[0]);
    }
  }
};

// Runs along one axis divided by their 1- or 2-norm; a run of zeros stays zeros.
struct LpParameters {
  const void* x = nullptr;
  void* y = nullptr;
  int64_t runs = 0, length = 0, inner = 1;
  int32_t power = 2;
};

template <typename T>
struct LpRun {
  static CUTAWAY_SHARED int64_t baseOf(const LpParameters& p, int64_t run) {
    const int64_t outer = run / p.inner;
    return outer * p.length * p.inner + (run - outer * p.inner);
  }
  static CUTAWAY_SHARED double part(const LpParameters& p, const T* x, int first, int stride) {
    double total = 0;
    for (int64_t i = first; i < p.length; i += stride) {
      const Compute<T> value = load(x[i * p.inner]);
      total += static_cast<double>(p.power == 1 ? (value < 0 ? -value : value) : value * value);
    }
    return total;
  }
  static CUTAWAY_SHARED void divide(const LpParameters& p, const T* x, T* y, double total, int first, int stride) {
    const auto norm = static_cast<Compute<T>>(p.power == 1 ? total : std::sqrt(total));
    for (int64_t i = first; i < p.length; i += stride)
      y[i * p.inner] = store<T>(norm == 0 ? Compute<T>(0) : load(x[i * p.inner]) / norm);
  }
};

template <typename T>
struct LpBlocks {
  LpParameters p;
  template <typename Block>
  CUTAWAY_SHARED void operator()(Block& block, int64_t run) const {
    const int64_t base = LpRun<T>::baseOf(p, run);
    const T* x = static_cast<const T*>(p.x) + base;
    const double total = block.sum(LpRun<T>::part(p, x, block.thread(), block.threads()));
    LpRun<T>::divide(p, x, static_cast<T*>(p.y) + base, total, block.thread(), block.threads());
  }
};

template <typename T>
struct LpColumns {
  LpParameters p;
  CUTAWAY_SHARED void operator()(int64_t run) const {
    const int64_t base = LpRun<T>::baseOf(p, run);
    const T* x = static_cast<const T*>(p.x) + base;
    LpRun<T>::divide(p, x, static_cast<T*>(p.y) + base, LpRun<T>::part(p, x, 0, 1), 0, 1);
  }
};

}  // namespace cutaway::cuda
