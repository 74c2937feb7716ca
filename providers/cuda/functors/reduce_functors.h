#pragma once
// Reductions: every output folds the elements behind it, in an order that depends on the shape only. Outputs of few and
// long reductions are cut into segments, whose totals are joined in a second pass (ReduceJoin).
//
// Thread rule: as shared.h. Example: see reduce_table.cpp.

#include "providers/cuda/functors/reduce_folds.h"

namespace cutaway::cuda {

// --- The three paths and the joining pass.

inline constexpr int kReduceRun = 64;  // elements in a Part

template <typename Fold, typename T>
struct ReduceRange {
  using Total = typename Fold::Total;
  using Part = typename Fold::Part;

  static CUTAWAY_SHARED int64_t offsetOf(const ReduceParameters& p, int64_t index) {
    if (p.outer.rank == 0) return index * p.step;
    int64_t offset[1];
    const int64_t number = index / p.run;
    p.outer.offsets(number, offset);
    return offset[0] + (index - number * p.run) * p.step;
  }

  // Elements first, first + stride, ... of [begin, end) behind x.
  static CUTAWAY_SHARED Total spread(const ReduceParameters& p, const T* x, int64_t begin, int64_t end, int first,
                                     int stride) {
    Total total = Fold::total(Fold::none(p));
    if (p.packed) {
      constexpr int kPacks = kReduceRun / Pack<T>::kCount < 4 ? kReduceRun / Pack<T>::kCount : 4;
      const int64_t packs = (end - begin) / Pack<T>::kCount;
      int64_t i = first;
      for (; i + static_cast<int64_t>(kPacks - 1) * stride < packs; i += static_cast<int64_t>(kPacks) * stride) {
        Pack<T> pack[kPacks];
        for (int k = 0; k < kPacks; ++k)
          pack[k] = loadPack(x + begin + (i + static_cast<int64_t>(k) * stride) * Pack<T>::kCount);
        Part part = Fold::none(p);
        for (int k = 0; k < kPacks; ++k)
          part = takePack(part, pack[k], p);
        total = Fold::join(total, Fold::total(part), p);
      }
      for (; i < packs; i += stride)
        total =
            Fold::join(total, Fold::total(takePack(Fold::none(p), loadPack(x + begin + i * Pack<T>::kCount), p)), p);
      return total;
    }
    for (int64_t i = begin + first; i < end;) {
      Part part = Fold::none(p);
      for (int k = 0; k < kReduceRun && i < end; ++k, i += stride)
        part = Fold::take(part, x[offsetOf(p, i)], p);
      total = Fold::join(total, Fold::total(part), p);
    }
    return total;
  }

  // All of [begin, end), by one thread, run by run.
  static CUTAWAY_SHARED Total alone(const ReduceParameters& p, const T* x, int64_t begin, int64_t end) {
    Total total = Fold::total(Fold::none(p));
    while (begin < end) {
      const int64_t left = p.outer.rank == 0 ? end - begin : p.run - begin % p.run;
      const int count = static_cast<int>(left < end - begin ? (left < kReduceRun ? left : kReduceRun)
                                                            : (end - begin < kReduceRun ? end - begin : kReduceRun));
      const T* from = x + offsetOf(p, begin);
      Part part = Fold::none(p);
#ifdef __CUDACC__
#pragma unroll 4
#endif
      for (int k = 0; k < count; ++k)
        part = Fold::take(part, from[k * p.step], p);
      total = Fold::join(total, Fold::total(part), p);
      begin += count;
    }
    return total;
  }

  static CUTAWAY_SHARED void emit(const ReduceParameters& p, int64_t output, int64_t segment, Total total) {
    if (p.segments > 1) {
      static_cast<Total*>(p.partial)[segment * p.outputs + output] = total;
    } else {
      static_cast<T*>(p.y)[output] = Fold::finish(total, p);
    }
  }

  static CUTAWAY_SHARED const T* firstOf(const ReduceParameters& p, int64_t output) {
    int64_t offset[1];
    p.kept.offsets(output, offset);
    return static_cast<const T*>(p.x) + offset[0];
  }

 private:
  static CUTAWAY_SHARED Part takePack(Part part, const Pack<T>& pack, const ReduceParameters& p) {
    for (int e = 0; e < Pack<T>::kCount; ++e)
      part = Fold::take(part, pack.values[e], p);
    return part;
  }
};

template <typename Fold, typename T>
struct ReduceWarps {
  ReduceParameters p;
  template <typename Block>
  CUTAWAY_SHARED void operator()(Block& block, int64_t number) const {
    using Range = ReduceRange<Fold, T>;
    const int64_t first = number * kReduceRowsPerBlock;
    const int64_t end = first + kReduceRowsPerBlock < p.outputs ? first + kReduceRowsPerBlock : p.outputs;
    for (int64_t output = first + block.warp(); output < end; output += block.warps()) {
      const auto mine = Range::spread(p, Range::firstOf(p, output), 0, p.count, block.lane(), block.lanes());
      const auto total = block.warpReduce(mine, [this](auto a, auto b) { return Fold::join(a, b, p); });
      if (block.lane() == 0) Range::emit(p, output, 0, total);
    }
  }
};

template <typename Fold, typename T>
struct ReduceBlocks {
  ReduceParameters p;
  template <typename Block>
  CUTAWAY_SHARED void operator()(Block& block, int64_t number) const {
    using Range = ReduceRange<Fold, T>;
    const int64_t output = number / p.segments, segment = number % p.segments;
    const int64_t begin = segment * p.perSegment, end = begin + p.perSegment < p.count ? begin + p.perSegment : p.count;
    const auto mine = Range::spread(p, Range::firstOf(p, output), begin, end, block.thread(), block.threads());
    const auto total = block.reduce(mine, [this](auto a, auto b) { return Fold::join(a, b, p); });
    if (block.thread() == 0) Range::emit(p, output, segment, total);
  }
};

template <typename Fold, typename T>
struct ReduceColumns {
  ReduceParameters p;
  CUTAWAY_SHARED void operator()(int64_t index) const {
    using Range = ReduceRange<Fold, T>;
    const int64_t segment = index / p.outputs, output = index - segment * p.outputs;
    const int64_t begin = segment * p.perSegment, end = begin + p.perSegment < p.count ? begin + p.perSegment : p.count;
    Range::emit(p, output, segment, Range::alone(p, Range::firstOf(p, output), begin, end));
  }
};

template <typename Fold, typename T>
struct ReduceJoin {
  ReduceParameters p;
  template <typename Block>
  CUTAWAY_SHARED void operator()(Block& block, int64_t output) const {
    using Total = typename Fold::Total;
    const Total* partial = static_cast<const Total*>(p.partial);
    Total total = Fold::total(Fold::none(p));
    for (int64_t segment = block.thread(); segment < p.segments; segment += block.threads())
      total = Fold::join(total, partial[segment * p.outputs + output], p);
    total = block.reduce(total, [this](Total a, Total b) { return Fold::join(a, b, p); });
    if (block.thread() == 0) static_cast<T*>(p.y)[output] = Fold::finish(total, p);
  }
};

}  // namespace cutaway::cuda
