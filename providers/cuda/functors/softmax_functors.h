#pragma once
// Softmax and LogSoftmax along one axis, with rows added before (BiasSoftmax).
//
// Rows that fit lie in shared memory between their passes, each thread's elements in a column of its own: one read, one
// write, nothing to wait for. Longer rows take the largest and the sum in one pass (Milakov and Gimelshein, "Online
// normalizer calculation for softmax", 2018) and are read again. Axes that are not the last: a thread a column. Thread
// rule: as shared.h. Example: see softmax_table.cpp.

#include <cmath>

#include "providers/cuda/functors/pack.h"

namespace cutaway::cuda {

enum class SoftmaxPath : int32_t { kWarps, kBlocks, kLongRows, kColumns };

struct SoftmaxParameters {
  const void* x = nullptr;
  const void* bias = nullptr;  // rows added to those of x: BiasSoftmax
  void* y = nullptr;
  int64_t rows = 0, length = 0, inner = 1;  // rows counts columns, too: outer * inner
  int64_t biasRepeat = 1, biasRows = 1;     // row r takes bias row r / biasRepeat % biasRows
  SoftmaxPath path = SoftmaxPath::kColumns;
  int32_t threads = 256;
  bool logarithm = false;
  bool packed = false;
};

inline constexpr int64_t kSoftmaxRowsPerBlock = 8;

// The largest and the sum of exp(x - largest). What is not a number leaves the largest alone and spoils the sum.
template <typename C>
struct SoftmaxState {
  C largest = -static_cast<C>(INFINITY), sum = 0;
  CUTAWAY_SHARED C weight(C above) const { return largest == above ? sum : sum * std::exp(largest - above); }
  CUTAWAY_SHARED SoftmaxState joined(const SoftmaxState& other) const {
    const C above = largest > other.largest ? largest : other.largest;
    return {above, weight(above) + other.weight(above)};
  }
  CUTAWAY_SHARED void take(C value) {
    if (value > largest) {
      sum = weight(value) + C(1);
      largest = value;
    } else {
      sum += value == largest ? C(1) : std::exp(value - largest);
    }
  }
};

template <typename T>
struct SoftmaxRow {
  using C = Compute<T>;
  const T* x;
  const T* bias;
  T* y;

  static CUTAWAY_SHARED SoftmaxRow of(const SoftmaxParameters& p, int64_t row) {
    const T* bias =
        p.bias == nullptr ? nullptr : static_cast<const T*>(p.bias) + row / p.biasRepeat % p.biasRows * p.length;
    return {static_cast<const T*>(p.x) + row * p.length, bias, static_cast<T*>(p.y) + row * p.length};
  }

  // each(value) for this thread's elements, in the order of write().
  template <typename Each>
  CUTAWAY_SHARED void read(const SoftmaxParameters& p, int first, int stride, Each each) const {
    const int length = static_cast<int>(p.length);
    if (!p.packed) {
      for (int i = first; i < length; i += stride)
        each(load(x[i]) + (bias == nullptr ? C(0) : load(bias[i])));
      return;
    }
    constexpr int kCount = Pack<T>::kCount;
    for (int i = first; i < length / kCount; i += stride) {
      const Pack<T> pack = loadPack(x + i * kCount);
      if (bias == nullptr) {
        for (int k = 0; k < kCount; ++k)
          each(load(pack.values[k]));
      } else {
        const Pack<T> added = loadPack(bias + i * kCount);
        for (int k = 0; k < kCount; ++k)
          each(load(pack.values[k]) + load(added.values[k]));
      }
    }
  }
  // Writes next() to this thread's elements.
  template <typename Next>
  CUTAWAY_SHARED void write(const SoftmaxParameters& p, int first, int stride, Next next) const {
    const int length = static_cast<int>(p.length);
    if (!p.packed) {
      for (int i = first; i < length; i += stride)
        y[i] = store<T>(next());
      return;
    }
    constexpr int kCount = Pack<T>::kCount;
    for (int i = first; i < length / kCount; i += stride) {
      Pack<T> pack;
      for (int k = 0; k < kCount; ++k)
        pack.values[k] = store<T>(next());
      storePack(y + i * kCount, pack);
    }
  }

  // kept: room for the elements of every thread, `first` and on by `stride` are this one's. join(value, combine) joins
  // over all threads of the row.
  template <typename Join>
  CUTAWAY_SHARED void held(const SoftmaxParameters& p, C* kept, int first, int stride, Join join) const {
    C largest = -static_cast<C>(INFINITY);
    int end = first;
    read(p, first, stride, [&](C value) {
      kept[end] = value;
      end += stride;
      largest = value > largest ? value : largest;
    });
    largest = join(largest, [](C a, C b) { return a < b ? b : a; });
    C sum = 0;
    for (int i = first; i < end; i += stride) {
      const C difference = kept[i] - largest, power = std::exp(difference);
      sum += power;
      kept[i] = p.logarithm ? difference : power;
    }
    sum = join(sum, [](C a, C b) { return a + b; });
    const C last = p.logarithm ? std::log(sum) : C(1) / sum;
    int at = first;
    write(p, first, stride, [&]() {
      const C value = kept[at];
      at += stride;
      return p.logarithm ? value - last : value * last;
    });
  }
};

// Shared elements that a row takes: whole packs for every thread.
CUTAWAY_SHARED int64_t softmaxPlaces(int64_t length, int threads) {
  return (length + threads * 8 - 1) / (threads * 8) * (threads * 8);
}

template <typename T>
struct SoftmaxWarps {
  SoftmaxParameters p;
  template <typename Block>
  CUTAWAY_SHARED void operator()(Block& block, int64_t number) const {
    using C = Compute<T>;
    const int64_t begin = number * kSoftmaxRowsPerBlock,
                  end = begin + kSoftmaxRowsPerBlock < p.rows ? begin + kSoftmaxRowsPerBlock : p.rows;
    C* kept = block.template shared<C>() + block.warp() * softmaxPlaces(p.length, 32);
    for (int64_t row = begin + block.warp(); row < end; row += block.warps()) {
      SoftmaxRow<T>::of(p, row).held(p, kept, block.lane(), block.lanes(),
                                     [&](C value, auto combine) { return block.warpReduce(value, combine); });
    }
  }
};

template <typename T>
struct SoftmaxBlocks {
  SoftmaxParameters p;
  template <typename Block>
  CUTAWAY_SHARED void operator()(Block& block, int64_t row) const {
    using C = Compute<T>;
    SoftmaxRow<T>::of(p, row).held(p, block.template shared<C>(), block.thread(), block.threads(),
                                   [&](C value, auto combine) { return block.reduce(value, combine); });
  }
};

template <typename T>
struct SoftmaxLongRows {
  SoftmaxParameters p;
  template <typename Block>
  CUTAWAY_SHARED void operator()(Block& block, int64_t row) const {
    using C = Compute<T>;
    const auto of = SoftmaxRow<T>::of(p, row);
    SoftmaxState<C> state;
    of.read(p, block.thread(), block.threads(), [&](C value) { state.take(value); });
    state = block.reduce(state, [](const SoftmaxState<C>& a, const SoftmaxState<C>& b) { return a.joined(b); });
    const C last = p.logarithm ? std::log(state.sum) : C(1) / state.sum;
    const auto finished = [&](C value) {
      return p.logarithm ? value - state.largest - last : std::exp(value - state.largest) * last;
    };
    constexpr int kCount = Pack<T>::kCount;
    if (p.packed && of.bias == nullptr) {
      for (int64_t i = block.thread(); i < p.length / kCount; i += block.threads()) {
        Pack<T> pack = loadPack(of.x + i * kCount);
        for (int k = 0; k < kCount; ++k)
          pack.values[k] = store<T>(finished(load(pack.values[k])));
        storePack(of.y + i * kCount, pack);
      }
      return;
    }
    // The threads' elements as read() had them, so that a row may be written over.
    for (int64_t i = block.thread(); i < p.length; i += block.threads())
      of.y[i] = store<T>(finished(load(of.x[i]) + (of.bias == nullptr ? C(0) : load(of.bias[i]))));
  }
};

template <typename T>
struct SoftmaxColumns {
  SoftmaxParameters p;
  CUTAWAY_SHARED void operator()(int64_t index) const {
    using C = Compute<T>;
    const int64_t outer = index / p.inner, first = outer * p.length * p.inner + (index - outer * p.inner);
    const T* x = static_cast<const T*>(p.x) + first;
    T* y = static_cast<T*>(p.y) + first;
    SoftmaxState<C> state;
    for (int64_t i = 0; i < p.length; ++i)
      state.take(load(x[i * p.inner]));
    const C last = p.logarithm ? std::log(state.sum) : C(1) / state.sum;
    for (int64_t i = 0; i < p.length; ++i) {
      const C difference = load(x[i * p.inner]) - state.largest;
      y[i * p.inner] = store<T>(p.logarithm ? difference - last : std::exp(difference) * last);
    }
  }
};

}  // namespace cutaway::cuda
