#pragma once
// Running sums and products along an axis, the places of what is not zero, and triangles of matrices.
//
// Rows are scanned by a block: every thread folds a run of neighbours, the runs before it give its start, and it goes
// over its run again. Axes that are not the last: a thread a column. Thread rule: as shared.h. Example: see
// scan_table.cpp.

#include "providers/cuda/functors/number.h"

namespace cutaway::cuda {

struct ScanParameters {
  const void* x = nullptr;
  void* y = nullptr;
  int64_t lines = 0, length = 0, inner = 1;
  bool exclusive = false, reverse = false, product = false, rows = false;
};

template <typename T>
struct Scan {
  using C = Compute<T>;
  const ScanParameters& p;
  const T* x;
  T* y;

  CUTAWAY_SHARED Scan(const ScanParameters& parameters, int64_t line) : p(parameters) {
    const int64_t outer = line / p.inner, first = outer * p.length * p.inner + (line - outer * p.inner);
    x = static_cast<const T*>(p.x) + first;
    y = static_cast<T*>(p.y) + first;
  }
  CUTAWAY_SHARED C none() const { return p.product ? C(1) : C(0); }
  // Whole numbers wrap.
  CUTAWAY_SHARED C folded(C a, C b) const {
    if constexpr (C(0.5f) > C(0)) {
      return p.product ? a * b : a + b;
    } else {
      const uint64_t left = static_cast<uint64_t>(a), right = static_cast<uint64_t>(b);
      return static_cast<C>(p.product ? left * right : left + right);
    }
  }
  CUTAWAY_SHARED int64_t placeOf(int64_t i) const { return (p.reverse ? p.length - 1 - i : i) * p.inner; }
  CUTAWAY_SHARED C total(int64_t begin, int64_t end) const {
    C sum = none();
    for (int64_t i = begin; i < end; ++i)
      sum = folded(sum, load(x[placeOf(i)]));
    return sum;
  }
  CUTAWAY_SHARED void walk(int64_t begin, int64_t end, C sum) const {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t at = placeOf(i);
      const C next = folded(sum, load(x[at]));
      y[at] = store<T>(p.exclusive ? sum : next);
      sum = next;
    }
  }
};

template <typename T>
struct ScanColumns {
  ScanParameters p;
  CUTAWAY_SHARED void operator()(int64_t line) const {
    const Scan<T> scan(p, line);
    scan.walk(0, p.length, scan.none());
  }
};

// Shared memory: a total for each thread.
template <typename T>
struct ScanRows {
  ScanParameters p;
  template <typename Block>
  CUTAWAY_SHARED void operator()(Block& block, int64_t line) const {
    using C = Compute<T>;
    const Scan<T> scan(p, line);
    C* totals = block.template shared<C>();
    const int64_t run = (p.length + block.threads() - 1) / block.threads();
    const int64_t begin = block.thread() * run < p.length ? block.thread() * run : p.length,
                  end = begin + run < p.length ? begin + run : p.length;
    totals[block.thread()] = scan.total(begin, end);
    block.sync();
    C before = scan.none();
    for (int i = 0; i < block.thread(); ++i)
      before = scan.folded(before, totals[i]);
    scan.walk(begin, end, before);
    block.sync();
  }
};

// --- NonZero: elements of a segment counted, segments' counts summed up, places written.

struct NonZeroParameters {
  const void* x = nullptr;
  int64_t* counts = nullptr;  // of segments; then where each begins, and behind the last the number of all
  int64_t* y = nullptr;       // [rank, found]
  int64_t count = 0, segments = 0, found = 0;
  int32_t rank = 0;
  int64_t dims[kMaximumRank] = {};
};

inline constexpr int64_t kNonZeroSegment = 4096;

template <typename T>
CUTAWAY_SHARED bool isNotZero(T value) {
  return value != T(0);
}
template <>
CUTAWAY_SHARED bool isNotZero<Half>(Half value) {
  return (value.bits & 0x7fff) != 0;
}
template <>
CUTAWAY_SHARED bool isNotZero<Brain>(Brain value) {
  return (value.bits & 0x7fff) != 0;
}

template <typename T>
struct NonZeroCount {
  NonZeroParameters p;
  template <typename Block>
  CUTAWAY_SHARED void operator()(Block& block, int64_t segment) const {
    const int64_t begin = segment * kNonZeroSegment,
                  end = begin + kNonZeroSegment < p.count ? begin + kNonZeroSegment : p.count;
    int32_t found = 0;
    for (int64_t i = begin + block.thread(); i < end; i += block.threads())
      found += isNotZero(static_cast<const T*>(p.x)[i]) ? 1 : 0;
    found = block.sum(found);
    if (block.thread() == 0) p.counts[segment] = found;
  }
};

// One block. Shared memory: a total for each thread.
struct NonZeroStarts {
  NonZeroParameters p;
  template <typename Block>
  CUTAWAY_SHARED void operator()(Block& block, int64_t) const {
    int64_t* totals = block.template shared<int64_t>();
    const int64_t run = (p.segments + block.threads() - 1) / block.threads();
    const int64_t begin = block.thread() * run < p.segments ? block.thread() * run : p.segments,
                  end = begin + run < p.segments ? begin + run : p.segments;
    int64_t mine = 0;
    for (int64_t i = begin; i < end; ++i)
      mine += p.counts[i];
    totals[block.thread()] = mine;
    block.sync();
    int64_t before = 0;
    for (int i = 0; i < block.thread(); ++i)
      before += totals[i];
    for (int64_t i = begin; i < end; ++i) {
      const int64_t here = p.counts[i];
      p.counts[i] = before;
      before += here;
    }
    if (block.thread() == block.threads() - 1) p.counts[p.segments] = before;
  }
};

// Shared memory: a count for each thread.
template <typename T>
struct NonZeroWrite {
  NonZeroParameters p;
  template <typename Block>
  CUTAWAY_SHARED void operator()(Block& block, int64_t segment) const {
    const T* x = static_cast<const T*>(p.x);
    int32_t* counts = block.template shared<int32_t>();
    const int64_t first = segment * kNonZeroSegment, run = (kNonZeroSegment + block.threads() - 1) / block.threads();
    const int64_t begin = first + block.thread() * run,
                  last = first + kNonZeroSegment < p.count ? first + kNonZeroSegment : p.count,
                  end = begin + run < last ? begin + run : last;
    int32_t mine = 0;
    for (int64_t i = begin; i < end; ++i)
      mine += isNotZero(x[i]) ? 1 : 0;
    counts[block.thread()] = mine;
    block.sync();
    int64_t at = p.counts[segment];
    for (int i = 0; i < block.thread(); ++i)
      at += counts[i];
    for (int64_t i = begin; i < end; ++i) {
      if (!isNotZero(x[i])) continue;
      int64_t rest = i;
      for (int axis = p.rank - 1; axis >= 0; --axis) {
        const int64_t next = rest / p.dims[axis];
        p.y[axis * p.found + at] = rest - next * p.dims[axis];
        rest = next;
      }
      ++at;
    }
    block.sync();
  }
};

// --- Trilu

struct TriluParameters {
  const void* x = nullptr;
  void* y = nullptr;
  int64_t count = 0, rows = 1, columns = 1, diagonal = 0;
  bool upper = true;
};

template <typename T>
struct Trilu {
  TriluParameters p;
  CUTAWAY_SHARED void operator()(int64_t i) const {
    const int64_t line = i / p.columns, place = i - line * p.columns - line % p.rows - p.diagonal;
    static_cast<T*>(p.y)[i] = (p.upper ? place >= 0 : place <= 0) ? static_cast<const T*>(p.x)[i] : T(0);
  }
};

}  // namespace cutaway::cuda
