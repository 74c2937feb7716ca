#pragma once
// Normalisation of rows: layer, root mean square, and those with a skip and a bias added before.
//
// A row lies in shared memory between its passes (each thread's elements in a column of its own), so that it is read
// and written once; statistics take two passes over it. Rows that do not fit are read again. Thread rule: as shared.h.
// Example: see normalization_table.cpp.

#include <cmath>

#include "providers/cuda/functors/pack.h"
#include "providers/cuda/functors/row_norm_parameters.h"

namespace cutaway::cuda {

inline constexpr int64_t kNormRowsPerBlock = 8;

template <typename X, typename S>
struct RowNorm {
  using C = Compute<X>;
  const RowNormParameters& p;
  const X* x;
  const X* skip;
  const X* bias;
  X* sum;
  int64_t row;

  CUTAWAY_SHARED RowNorm(const RowNormParameters& parameters, int64_t at)
      : p(parameters),
        x(static_cast<const X*>(p.x) + at * p.count),
        skip(p.skip == nullptr ? nullptr : static_cast<const X*>(p.skip) + at % p.skipRows * p.count),
        bias(static_cast<const X*>(p.bias)),
        sum(p.sum == nullptr ? nullptr : static_cast<X*>(p.sum) + at * p.count),
        row(at) {}

  CUTAWAY_SHARED C added(int64_t i) const {
    C value = load(x[i]);
    if (skip != nullptr) value += load(skip[i]);
    return bias == nullptr ? value : value + load(bias[i]);
  }

  // each(value) for this thread's elements in order; the first time they are read, sums are written.
  template <typename Each>
  CUTAWAY_SHARED void read(int first, int stride, Each each) const {
    const int count = static_cast<int>(p.count);
    if (!p.packed) {
      for (int i = first; i < count; i += stride) {
        const C value = added(i);
        if (sum != nullptr) sum[i] = store<X>(value);
        each(value);
      }
      return;
    }
    constexpr int kCount = Pack<X>::kCount;
    for (int i = first; i < count / kCount; i += stride) {
      const Pack<X> given = loadPack(x + i * kCount);
      C values[kCount];
      for (int k = 0; k < kCount; ++k)
        values[k] = load(given.values[k]);
      if (skip != nullptr) add(values, loadPack(skip + i * kCount));
      if (bias != nullptr) add(values, loadPack(bias + i * kCount));
      if (sum != nullptr) {
        Pack<X> written;
        for (int k = 0; k < kCount; ++k)
          written.values[k] = store<X>(values[k]);
        storePack(sum + i * kCount, written);
      }
      for (int k = 0; k < kCount; ++k)
        each(values[k]);
    }
  }

  // y = next() * scale + shift for this thread's elements in order; next() is normalised.
  template <typename Next>
  CUTAWAY_SHARED void write(int first, int stride, Next next) const {
    const S *scale = static_cast<const S*>(p.scale), *shift = static_cast<const S*>(p.shift);
    S* y = static_cast<S*>(p.y) + row * p.count;
    const int count = static_cast<int>(p.count);
    if (!p.packed) {
      for (int i = first; i < count; i += stride) {
        int64_t places[2] = {i, i};
        if (p.mapped) p.broadcast.offsets(row * p.count + i, places);
        C value = next();
        if (scale != nullptr) value *= static_cast<C>(load(scale[places[0]]));
        if (shift != nullptr) value += static_cast<C>(load(shift[places[1]]));
        y[i] = store<S>(static_cast<Compute<S>>(value));
      }
      return;
    }
    constexpr int kCount = Pack<S>::kCount;
    for (int i = first; i < count / kCount; i += stride) {
      C values[kCount];
      for (int k = 0; k < kCount; ++k)
        values[k] = next();
      if (scale != nullptr) {
        const Pack<S> factor = loadPack(scale + i * kCount);
        for (int k = 0; k < kCount; ++k)
          values[k] *= static_cast<C>(load(factor.values[k]));
      }
      if (shift != nullptr) {
        const Pack<S> summand = loadPack(shift + i * kCount);
        for (int k = 0; k < kCount; ++k)
          values[k] += static_cast<C>(load(summand.values[k]));
      }
      Pack<S> written;
      for (int k = 0; k < kCount; ++k)
        written.values[k] = store<S>(static_cast<Compute<S>>(values[k]));
      storePack(y + i * kCount, written);
    }
  }

  CUTAWAY_SHARED void writeStatistics(bool writes, C mean, C inverse) const {
    if (!writes) return;
    if (p.mean != nullptr) storeAs(p.mean, row, p.meanKind, mean);
    if (p.inverse != nullptr) storeAs(p.inverse, row, p.inverseKind, inverse);
  }

  // kept: see SoftmaxRow::held.
  template <typename Sum>
  CUTAWAY_SHARED void held(C* kept, int first, int stride, Sum join) const {
    C total = 0;
    int end = first;
    read(first, stride, [&](C value) {
      kept[end] = value;
      end += stride;
      total += value;
    });
    const C count = static_cast<C>(p.count), mean = p.centered ? join(total) / count : C(0);
    C squares = 0;
    for (int i = first; i < end; i += stride) {
      const C difference = kept[i] - mean;
      squares += difference * difference;
    }
    const C inverse = C(1) / std::sqrt(join(squares) / count + static_cast<C>(p.epsilon));
    int at = first;
    write(first, stride, [&]() {
      const C value = (kept[at] - mean) * inverse;
      at += stride;
      return value;
    });
    writeStatistics(first == 0, mean, inverse);
  }

  // The row is read three times; where it has a sum, the sum is, because that may lie over the input.
  template <typename Sum>
  CUTAWAY_SHARED void again(int first, int stride, Sum join) const {
    const auto value = [&](int64_t i) { return sum != nullptr ? load(sum[i]) : added(i); };
    double total = 0;
    for (int64_t i = first; i < p.count; i += stride) {
      const C one = added(i);
      if (sum != nullptr) sum[i] = store<X>(one);
      total += static_cast<double>(one);
    }
    const double count = static_cast<double>(p.count);
    const C mean = p.centered ? static_cast<C>(join(total) / count) : C(0);
    double squares = 0;
    for (int64_t i = first; i < p.count; i += stride) {
      const C difference = value(i) - mean;
      squares += static_cast<double>(difference * difference);
    }
    const C inverse = C(1) / std::sqrt(static_cast<C>(join(squares) / count) + static_cast<C>(p.epsilon));
    int64_t at = first;
    write(first, stride, [&]() {
      const C one = (value(at) - mean) * inverse;
      at += stride;
      return one;
    });
    writeStatistics(first == 0, mean, inverse);
  }

 private:
  static CUTAWAY_SHARED void add(C* values, const Pack<X>& other) {
    for (int k = 0; k < Pack<X>::kCount; ++k)
      values[k] += load(other.values[k]);
  }
};

// Shared elements that a row takes: whole packs for every thread.
CUTAWAY_SHARED int64_t normPlaces(int64_t count, int threads) {
  return (count + threads * 8 - 1) / (threads * 8) * (threads * 8);
}

template <typename X, typename S>
struct RowNormWarps {
  RowNormParameters p;
  template <typename Block>
  CUTAWAY_SHARED void operator()(Block& block, int64_t number) const {
    using C = Compute<X>;
    const int64_t begin = number * kNormRowsPerBlock,
                  end = begin + kNormRowsPerBlock < p.rows ? begin + kNormRowsPerBlock : p.rows;
    C* kept = block.template shared<C>() + block.warp() * normPlaces(p.count, 32);
    for (int64_t row = begin + block.warp(); row < end; row += block.warps()) {
      RowNorm<X, S>(p, row).held(kept, block.lane(), block.lanes(),
                                 [&](C value) { return block.warpReduce(value, [](C a, C b) { return a + b; }); });
    }
  }
};

template <typename X, typename S>
struct RowNormBlocks {
  RowNormParameters p;
  template <typename Block>
  CUTAWAY_SHARED void operator()(Block& block, int64_t row) const {
    RowNorm<X, S>(p, row).held(block.template shared<Compute<X>>(), block.thread(), block.threads(),
                               [&](Compute<X> value) { return block.sum(value); });
  }
};

template <typename X, typename S>
struct RowNormLong {
  RowNormParameters p;
  template <typename Block>
  CUTAWAY_SHARED void operator()(Block& block, int64_t row) const {
    RowNorm<X, S>(p, row).again(block.thread(), block.threads(), [&](double value) { return block.sum(value); });
  }
};

}  // namespace cutaway::cuda
