#pragma once
// Reductions: every output folds the elements behind it. A map (as it is, size, square), a fold (sum, product, extreme, logarithm of summed exponentials), a last step.
//
// Floats are summed in float over short runs and the runs in double, in an order that depends on the shape only. Outputs of few and long reductions are cut into segments, whose totals are joined
// in a second pass (ReduceJoin).
// Thread rule: as shared.h. Example: see reduce_table.cpp.

#include <cmath>

#include "providers/cuda/functors/pack.h"

namespace cutaway::cuda {

enum class ReduceMap : int32_t { kIdentity, kSize, kSquare };
enum class ReduceFold : int32_t { kSum, kProduct, kMaximum, kMinimum };
enum class ReduceLast : int32_t { kNone, kMean, kRoot, kLogarithm };
// A warp an output, blocks an output (one a segment), a thread an output (and segment).
enum class ReducePath : int32_t { kWarps, kBlocks, kColumns };

struct ReduceParameters {
  const void* x = nullptr;
  void* y = nullptr;
  void* partial = nullptr;       // totals [segments, outputs], where there are several segments
  int64_t outputs = 0, count = 0;
  int64_t segments = 1, perSegment = 0;
  IndexMap<1> kept;              // output -> first element
  IndexMap<1> outer;             // run -> its first element
  int64_t run = 1, step = 1;     // the innermost reduced axis: so many elements, so far apart
  ReduceMap map = ReduceMap::kIdentity;
  ReduceFold fold = ReduceFold::kSum;
  ReduceLast last = ReduceLast::kNone;
  ReducePath path = ReducePath::kColumns;
  int32_t threads = 256;
  bool packed = false;           // segments are neighbouring elements in whole packs
};

inline constexpr int64_t kReduceRowsPerBlock = 8;

// What T is summed in over everything.
template <typename T> struct WideOf { using type = double; };
template <> struct WideOf<int8_t> { using type = int64_t; };
template <> struct WideOf<int16_t> { using type = int64_t; };
template <> struct WideOf<int32_t> { using type = int64_t; };
template <> struct WideOf<int64_t> { using type = int64_t; };
template <> struct WideOf<bool> { using type = uint64_t; };
template <> struct WideOf<uint8_t> { using type = uint64_t; };
template <> struct WideOf<uint16_t> { using type = uint64_t; };
template <> struct WideOf<uint32_t> { using type = uint64_t; };
template <> struct WideOf<uint64_t> { using type = uint64_t; };
template <typename T> using Wide = typename WideOf<T>::type;

template <typename T> inline constexpr bool kWhole = !(T(0.5f) > T(0));
template <> inline constexpr bool kWhole<Half> = false;
template <> inline constexpr bool kWhole<Brain> = false;
template <> inline constexpr bool kWhole<bool> = true;

// The ends of whole types; infinities of floats.
template <typename T> CUTAWAY_SHARED Compute<T> lowestOf() {
  if constexpr (!kWhole<T>) return -static_cast<Compute<T>>(INFINITY);
  else if constexpr (T(-1) < T(0)) return static_cast<T>(T(1) << (sizeof(T) * 8 - 1));
  else return T(0);
}
template <typename T> CUTAWAY_SHARED Compute<T> highestOf() {
  if constexpr (!kWhole<T>) return static_cast<Compute<T>>(INFINITY);
  else if constexpr (sizeof(T) == 1 && T(2) == T(1)) return T(1);  // bool
  else if constexpr (T(-1) < T(0)) return static_cast<T>(~(T(1) << (sizeof(T) * 8 - 1)));
  else return static_cast<T>(~T(0));
}

template <typename T> CUTAWAY_SHARED T fromWide(double value) {
  if constexpr (!kWhole<T>) {
    return store<T>(static_cast<Compute<T>>(value));
  } else {
    if (!(value > static_cast<double>(lowestOf<T>()))) return lowestOf<T>();
    return value >= static_cast<double>(highestOf<T>()) ? highestOf<T>() : static_cast<T>(value);
  }
}

template <typename W> CUTAWAY_SHARED W mapped(W value, ReduceMap map) {
  if (map == ReduceMap::kSquare) return value * value;
  if (map == ReduceMap::kSize) return value < W(0) ? W(0) - value : value;
  return value;
}

// The larger or smaller of two; what is not a number wins.
template <typename W> CUTAWAY_SHARED W extremeOf(W a, W b, ReduceFold fold) {
  if (a != a) return a;
  if (b != b) return b;
  return (fold == ReduceFold::kMaximum) == (a > b) ? a : b;
}

// --- Folds. Part: of a short run, Total: of everything.

template <typename T>
struct SumFold {
  using Part = Compute<T>;
  using Total = double;
  static CUTAWAY_SHARED Part none(const ReduceParameters&) { return 0; }
  static CUTAWAY_SHARED Part take(Part part, T x, const ReduceParameters& p) { return part + mapped(load(x), p.map); }
  static CUTAWAY_SHARED Total total(Part part) { return part; }
  static CUTAWAY_SHARED Total join(Total a, Total b, const ReduceParameters&) { return a + b; }
  static CUTAWAY_SHARED T finish(Total total, const ReduceParameters& p) {
    if (p.last == ReduceLast::kMean) total /= static_cast<double>(p.count);
    if (p.last == ReduceLast::kRoot) total = std::sqrt(total);
    if (p.last == ReduceLast::kLogarithm) total = std::log(total);
    return fromWide<T>(total);
  }
};

template <typename T>
struct ExtremeFold {
  using Part = Compute<T>;
  using Total = Compute<T>;
  static CUTAWAY_SHARED Part none(const ReduceParameters& p) { return p.fold == ReduceFold::kMaximum ? lowestOf<T>() : highestOf<T>(); }
  static CUTAWAY_SHARED Part take(Part part, T x, const ReduceParameters& p) { return extremeOf(part, load(x), p.fold); }
  static CUTAWAY_SHARED Total total(Part part) { return part; }
  static CUTAWAY_SHARED Total join(Total a, Total b, const ReduceParameters& p) { return extremeOf(a, b, p.fold); }
  static CUTAWAY_SHARED T finish(Total total, const ReduceParameters&) { return store<T>(total); }
};

// log of the sum of exp(x), as the largest x and the sum of exp(x - largest): one pass (Milakov and Gimelshein, "Online normalizer calculation for softmax", 2018).
template <typename T>
struct LogSumExpFold {
  struct Total { double largest, sum; };
  using Part = Total;
  static CUTAWAY_SHARED Part none(const ReduceParameters&) { return {-static_cast<double>(INFINITY), 0}; }
  static CUTAWAY_SHARED double exponential(double difference) { return static_cast<double>(std::exp(static_cast<Compute<T>>(difference))); }
  static CUTAWAY_SHARED Part take(Part part, T value, const ReduceParameters& p) { return join(part, {static_cast<double>(load(value)), 1}, p); }
  static CUTAWAY_SHARED Total total(Part part) { return part; }
  static CUTAWAY_SHARED double weight(Total of, double largest) { return of.largest == largest ? of.sum : of.sum * exponential(of.largest - largest); }
  static CUTAWAY_SHARED Total join(Total a, Total b, const ReduceParameters&) {
    const double largest = extremeOf(a.largest, b.largest, ReduceFold::kMaximum);
    return {largest, weight(a, largest) + weight(b, largest)};
  }
  static CUTAWAY_SHARED T finish(Total total, const ReduceParameters&) {
    const bool finite = total.largest - total.largest == 0;
    return fromWide<T>(finite ? std::log(total.sum) + total.largest : total.largest);
  }
};

// Any fold in the widest type: products of floats, and everything of whole numbers, which wrap.
template <typename T>
struct AnyFold {
  using Part = Wide<T>;
  using Total = Wide<T>;
  static CUTAWAY_SHARED Part none(const ReduceParameters& p) {
    if (p.fold == ReduceFold::kMaximum) return static_cast<Part>(lowestOf<T>());
    if (p.fold == ReduceFold::kMinimum) return static_cast<Part>(highestOf<T>());
    return p.fold == ReduceFold::kProduct ? Part(1) : Part(0);
  }
  static CUTAWAY_SHARED Part take(Part part, T x, const ReduceParameters& p) {
    const Part value = static_cast<Part>(load(x));
    if constexpr (kWhole<T>) {
      const uint64_t bits = static_cast<uint64_t>(value);
      if (p.map == ReduceMap::kSquare) return join(part, static_cast<Part>(bits * bits), p);
      if (p.map == ReduceMap::kSize && static_cast<int64_t>(bits) < 0 && T(-1) < T(0)) return join(part, static_cast<Part>(0 - bits), p);
      return join(part, value, p);
    } else {
      return join(part, mapped(value, p.map), p);
    }
  }
  static CUTAWAY_SHARED Total total(Part part) { return part; }
  static CUTAWAY_SHARED Total join(Total a, Total b, const ReduceParameters& p) {
    if (p.fold == ReduceFold::kMaximum || p.fold == ReduceFold::kMinimum) return extremeOf(a, b, p.fold);
    if constexpr (kWhole<T>) {
      const uint64_t left = static_cast<uint64_t>(a), right = static_cast<uint64_t>(b);
      return static_cast<Total>(p.fold == ReduceFold::kSum ? left + right : left * right);
    } else {
      return p.fold == ReduceFold::kSum ? a + b : a * b;
    }
  }
  static CUTAWAY_SHARED T finish(Total total, const ReduceParameters& p) {
    if (p.last == ReduceLast::kRoot) return fromWide<T>(std::sqrt(static_cast<double>(total)));
    if (p.last == ReduceLast::kLogarithm) return fromWide<T>(std::log(static_cast<double>(total)));
    if constexpr (kWhole<T>) {
      if (p.last == ReduceLast::kMean) return p.count == 0 ? T(0) : static_cast<T>(total / static_cast<Total>(p.count));
      return static_cast<T>(total);
    } else {
      return fromWide<T>(total);
    }
  }
};

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
  static CUTAWAY_SHARED Total spread(const ReduceParameters& p, const T* x, int64_t begin, int64_t end, int first, int stride) {
    Total total = Fold::total(Fold::none(p));
    if (p.packed) {
      constexpr int kPacks = kReduceRun / Pack<T>::kCount < 4 ? kReduceRun / Pack<T>::kCount : 4;
      const int64_t packs = (end - begin) / Pack<T>::kCount;
      int64_t i = first;
      for (; i + static_cast<int64_t>(kPacks - 1) * stride < packs; i += static_cast<int64_t>(kPacks) * stride) {
        Pack<T> pack[kPacks];
        for (int k = 0; k < kPacks; ++k) pack[k] = loadPack(x + begin + (i + static_cast<int64_t>(k) * stride) * Pack<T>::kCount);
        Part part = Fold::none(p);
        for (int k = 0; k < kPacks; ++k) part = takePack(part, pack[k], p);
        total = Fold::join(total, Fold::total(part), p);
      }
      for (; i < packs; i += stride) total = Fold::join(total, Fold::total(takePack(Fold::none(p), loadPack(x + begin + i * Pack<T>::kCount), p)), p);
      return total;
    }
    for (int64_t i = begin + first; i < end;) {
      Part part = Fold::none(p);
      for (int k = 0; k < kReduceRun && i < end; ++k, i += stride) part = Fold::take(part, x[offsetOf(p, i)], p);
      total = Fold::join(total, Fold::total(part), p);
    }
    return total;
  }

  // All of [begin, end), by one thread, run by run.
  static CUTAWAY_SHARED Total alone(const ReduceParameters& p, const T* x, int64_t begin, int64_t end) {
    Total total = Fold::total(Fold::none(p));
    while (begin < end) {
      const int64_t left = p.outer.rank == 0 ? end - begin : p.run - begin % p.run;
      const int count = static_cast<int>(left < end - begin ? (left < kReduceRun ? left : kReduceRun) : (end - begin < kReduceRun ? end - begin : kReduceRun));
      const T* from = x + offsetOf(p, begin);
      Part part = Fold::none(p);
#ifdef __CUDACC__
#pragma unroll 4
#endif
      for (int k = 0; k < count; ++k) part = Fold::take(part, from[k * p.step], p);
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
    for (int e = 0; e < Pack<T>::kCount; ++e) part = Fold::take(part, pack.values[e], p);
    return part;
  }
};

template <typename Fold, typename T>
struct ReduceWarps {
  ReduceParameters p;
  template <typename Block> CUTAWAY_SHARED void operator()(Block& block, int64_t number) const {
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
  template <typename Block> CUTAWAY_SHARED void operator()(Block& block, int64_t number) const {
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
  template <typename Block> CUTAWAY_SHARED void operator()(Block& block, int64_t output) const {
    using Total = typename Fold::Total;
    const Total* partial = static_cast<const Total*>(p.partial);
    Total total = Fold::total(Fold::none(p));
    for (int64_t segment = block.thread(); segment < p.segments; segment += block.threads()) total = Fold::join(total, partial[segment * p.outputs + output], p);
    total = block.reduce(total, [this](Total a, Total b) { return Fold::join(a, b, p); });
    if (block.thread() == 0) static_cast<T*>(p.y)[output] = Fold::finish(total, p);
  }
};

}  // namespace cutaway::cuda
