#pragma once
// What reductions do with elements: a map (as it is, size, square), a fold (sum, product, extreme, logarithm of summed
// exponentials), a last step. How they walk is in reduce_functors.h.
//
// Floats are summed in float over short runs (Part) and the runs in double (Total).
// Thread rule: as shared.h. Example: part = SumFold<float>::take(part, x, parameters);

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
  void* partial = nullptr;  // totals [segments, outputs], where there are several segments
  int64_t outputs = 0, count = 0;
  int64_t segments = 1, perSegment = 0;
  IndexMap<1> kept;           // output -> first element
  IndexMap<1> outer;          // run -> its first element
  int64_t run = 1, step = 1;  // the innermost reduced axis: so many elements, so far apart
  ReduceMap map = ReduceMap::kIdentity;
  ReduceFold fold = ReduceFold::kSum;
  ReduceLast last = ReduceLast::kNone;
  ReducePath path = ReducePath::kColumns;
  int32_t threads = 256;
  bool packed = false;  // segments are neighbouring elements in whole packs
};

inline constexpr int64_t kReduceRowsPerBlock = 8;

// What T is summed in over everything.
template <typename T>
struct WideOf {
  using type = double;
};
template <>
struct WideOf<int8_t> {
  using type = int64_t;
};
template <>
struct WideOf<int16_t> {
  using type = int64_t;
};
template <>
struct WideOf<int32_t> {
  using type = int64_t;
};
template <>
struct WideOf<int64_t> {
  using type = int64_t;
};
template <>
struct WideOf<bool> {
  using type = uint64_t;
};
template <>
struct WideOf<uint8_t> {
  using type = uint64_t;
};
template <>
struct WideOf<uint16_t> {
  using type = uint64_t;
};
template <>
struct WideOf<uint32_t> {
  using type = uint64_t;
};
template <>
struct WideOf<uint64_t> {
  using type = uint64_t;
};
template <typename T>
using Wide = typename WideOf<T>::type;

template <typename T>
inline constexpr bool kWhole = !(T(0.5f) > T(0));
template <>
inline constexpr bool kWhole<Half> = false;
template <>
inline constexpr bool kWhole<Brain> = false;
template <>
inline constexpr bool kWhole<bool> = true;

// The ends of whole types; infinities of floats.
template <typename T>
CUTAWAY_SHARED Compute<T> lowestOf() {
  if constexpr (!kWhole<T>)
    return -static_cast<Compute<T>>(INFINITY);
  else if constexpr (T(-1) < T(0))
    return static_cast<T>(T(1) << (sizeof(T) * 8 - 1));
  else
    return T(0);
}
template <typename T>
CUTAWAY_SHARED Compute<T> highestOf() {
  if constexpr (!kWhole<T>)
    return static_cast<Compute<T>>(INFINITY);
  else if constexpr (sizeof(T) == 1 && T(2) == T(1))
    return T(1);  // bool
  else if constexpr (T(-1) < T(0))
    return static_cast<T>(~(T(1) << (sizeof(T) * 8 - 1)));
  else
    return static_cast<T>(~T(0));
}

template <typename T>
CUTAWAY_SHARED T fromWide(double value) {
  if constexpr (!kWhole<T>) {
    return store<T>(static_cast<Compute<T>>(value));
  } else {
    if (!(value > static_cast<double>(lowestOf<T>()))) return lowestOf<T>();
    return value >= static_cast<double>(highestOf<T>()) ? highestOf<T>() : static_cast<T>(value);
  }
}

template <typename W>
CUTAWAY_SHARED W mapped(W value, ReduceMap map) {
  if (map == ReduceMap::kSquare) return value * value;
  if (map == ReduceMap::kSize) return value < W(0) ? W(0) - value : value;
  return value;
}

// The larger or smaller of two; what is not a number wins.
template <typename W>
CUTAWAY_SHARED W extremeOf(W a, W b, ReduceFold fold) {
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
  static CUTAWAY_SHARED Part none(const ReduceParameters& p) {
    return p.fold == ReduceFold::kMaximum ? lowestOf<T>() : highestOf<T>();
  }
  static CUTAWAY_SHARED Part take(Part part, T x, const ReduceParameters& p) {
    return extremeOf(part, load(x), p.fold);
  }
  static CUTAWAY_SHARED Total total(Part part) { return part; }
  static CUTAWAY_SHARED Total join(Total a, Total b, const ReduceParameters& p) { return extremeOf(a, b, p.fold); }
  static CUTAWAY_SHARED T finish(Total total, const ReduceParameters&) { return store<T>(total); }
};

// log of the sum of exp(x), as the largest x and the sum of exp(x - largest): one pass (Milakov and Gimelshein, "Online
// normalizer calculation for softmax", 2018).
template <typename T>
struct LogSumExpFold {
  struct Total {
    double largest, sum;
  };
  using Part = Total;
  static CUTAWAY_SHARED Part none(const ReduceParameters&) { return {-static_cast<double>(INFINITY), 0}; }
  static CUTAWAY_SHARED double exponential(double difference) {
    return static_cast<double>(std::exp(static_cast<Compute<T>>(difference)));
  }
  static CUTAWAY_SHARED Part take(Part part, T value, const ReduceParameters& p) {
    return join(part, {static_cast<double>(load(value)), 1}, p);
  }
  static CUTAWAY_SHARED Total total(Part part) { return part; }
  static CUTAWAY_SHARED double weight(Total of, double largest) {
    return of.largest == largest ? of.sum : of.sum * exponential(of.largest - largest);
  }
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
      if (p.map == ReduceMap::kSize && static_cast<int64_t>(bits) < 0 && T(-1) < T(0))
        return join(part, static_cast<Part>(0 - bits), p);
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

}  // namespace cutaway::cuda
