#pragma once
// The place of the largest or smallest element along one axis (ArgMax, ArgMin), and one-hot rows of it (Hardmax). What
// is not a number is the extreme; of equal ones the first (or last) is taken.
//
// Thread rule: as shared.h. Example: see arg_table.cpp.

#include "providers/cuda/functors/pack.h"

namespace cutaway::cuda {

enum class ArgPath : int32_t { kWarps, kBlocks, kColumns };

struct ArgParameters {
  const void* x = nullptr;
  void* y = nullptr;  // int64 places; Hardmax: as x
  int64_t outputs = 0, length = 0, inner = 1;
  ArgPath path = ArgPath::kColumns;
  int32_t threads = 256;
  bool largest = true, last = false, oneHot = false;
};

inline constexpr int64_t kArgRowsPerBlock = 8;

// An element and its place; below 0: none yet.
template <typename C>
struct Placed {
  C value = C(0);
  int32_t place = -1;
  int32_t unused = 0;  // whole words for the exchange between threads

  CUTAWAY_SHARED bool yields(const Placed& other, const ArgParameters& p) const {
    if (other.place < 0 || place < 0) return place < 0;
    const bool strange = value != value, otherStrange = other.value != other.value;
    if (strange != otherStrange) return otherStrange;
    if (strange || value == other.value) return p.last ? other.place > place : other.place < place;
    return p.largest ? other.value > value : other.value < value;
  }
};

template <typename T>
struct ArgRange {
  using P = Placed<decltype(Compute<T>() + 0)>;
  const T* first;
  int64_t step;

  static CUTAWAY_SHARED ArgRange of(const ArgParameters& p, int64_t output) {
    const int64_t outer = output / p.inner;
    return {static_cast<const T*>(p.x) + outer * p.length * p.inner + (output - outer * p.inner), p.inner};
  }
  CUTAWAY_SHARED P best(const ArgParameters& p, int from, int stride) const {
    P best;
    for (int64_t i = from; i < p.length; i += stride) {
      const P next{load(first[i * step]), static_cast<int32_t>(i), 0};
      if (best.yields(next, p)) best = next;
    }
    return best;
  }
  CUTAWAY_SHARED void emit(const ArgParameters& p, int64_t output, const P& best, int from, int stride) const {
    if (!p.oneHot) {
      if (from == 0) static_cast<int64_t*>(p.y)[output] = best.place;
      return;
    }
    T* y = static_cast<T*>(p.y) + (first - static_cast<const T*>(p.x));
    for (int64_t i = from; i < p.length; i += stride)
      y[i * step] = store<T>(i == best.place ? Compute<T>(1) : Compute<T>(0));
  }
};

template <typename T>
struct ArgWarps {
  ArgParameters p;
  template <typename Block>
  CUTAWAY_SHARED void operator()(Block& block, int64_t number) const {
    using P = typename ArgRange<T>::P;
    const int64_t begin = number * kArgRowsPerBlock,
                  end = begin + kArgRowsPerBlock < p.outputs ? begin + kArgRowsPerBlock : p.outputs;
    for (int64_t output = begin + block.warp(); output < end; output += block.warps()) {
      const auto range = ArgRange<T>::of(p, output);
      const P best = block.warpReduce(range.best(p, block.lane(), block.lanes()),
                                      [this](const P& a, const P& b) { return a.yields(b, p) ? b : a; });
      range.emit(p, output, best, block.lane(), block.lanes());
    }
  }
};

template <typename T>
struct ArgBlocks {
  ArgParameters p;
  template <typename Block>
  CUTAWAY_SHARED void operator()(Block& block, int64_t output) const {
    using P = typename ArgRange<T>::P;
    const auto range = ArgRange<T>::of(p, output);
    const P best = block.reduce(range.best(p, block.thread(), block.threads()),
                                [this](const P& a, const P& b) { return a.yields(b, p) ? b : a; });
    range.emit(p, output, best, block.thread(), block.threads());
  }
};

template <typename T>
struct ArgColumns {
  ArgParameters p;
  CUTAWAY_SHARED void operator()(int64_t output) const {
    const auto range = ArgRange<T>::of(p, output);
    range.emit(p, output, range.best(p, 0, 1), 0, 1);
  }
};

}  // namespace cutaway::cuda
