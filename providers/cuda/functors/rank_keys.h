#pragma once
// Ranks of TopK: an element and its place as one number whose order is that of the elements.

#include "providers/cuda/functors/number.h"

namespace cutaway::cuda {

enum class RankPath : int32_t { kShared, kSelect, kScratch };

struct RankParameters {
  const void* x = nullptr;
  void* values = nullptr;
  int64_t* places = nullptr;
  void* ranks = nullptr;  // kScratch: [lines, padded]
  int64_t lines = 0, length = 0, inner = 1, k = 0;
  int64_t padded = 0;            // power of two: of the length, or (kSelect) of k
  int64_t size = 0, stride = 0;  // kScratch: the step of the network
  RankPath path = RankPath::kShared;
  int32_t threads = 128;
  bool largest = true;
};

// Larger ranks come first. All bits 0: behind every element.
struct NarrowRank {
  uint64_t bits;
  static constexpr int kDigits = 8;
  static CUTAWAY_SHARED NarrowRank of(uint64_t ordered, uint32_t place) {
    return {ordered << 32 | static_cast<uint32_t>(~place)};
  }
  CUTAWAY_SHARED uint32_t place() const { return ~static_cast<uint32_t>(bits); }
  CUTAWAY_SHARED bool operator<(const NarrowRank& other) const { return bits < other.bits; }
  // From the highest on.
  CUTAWAY_SHARED int digit(int n) const { return static_cast<int>(bits >> (56 - 8 * n) & 255); }
  CUTAWAY_SHARED void setDigit(int n, int digit) { bits |= static_cast<uint64_t>(digit) << (56 - 8 * n); }
  // The digits before the n-th are the same.
  CUTAWAY_SHARED bool startsLike(const NarrowRank& other, int n) const {
    return n == 0 || (bits ^ other.bits) >> (64 - 8 * n) == 0;
  }
};

struct WideRank {
  uint64_t high;
  uint32_t low;
  uint32_t unused;
  static constexpr int kDigits = 12;
  static CUTAWAY_SHARED WideRank of(uint64_t ordered, uint32_t place) { return {ordered, ~place, 0}; }
  CUTAWAY_SHARED uint32_t place() const { return ~low; }
  CUTAWAY_SHARED bool operator<(const WideRank& other) const {
    return high != other.high ? high < other.high : low < other.low;
  }
  CUTAWAY_SHARED int digit(int n) const {
    return static_cast<int>((n < 8 ? high >> (56 - 8 * n) : uint64_t{low} >> (88 - 8 * n)) & 255);
  }
  CUTAWAY_SHARED void setDigit(int n, int digit) {
    if (n < 8)
      high |= static_cast<uint64_t>(digit) << (56 - 8 * n);
    else
      low |= static_cast<uint32_t>(digit) << (88 - 8 * n);
  }
  CUTAWAY_SHARED bool startsLike(const WideRank& other, int n) const {
    if (n <= 8) return n == 0 || (high ^ other.high) >> (64 - 8 * n) == 0;
    return high == other.high && (low ^ other.low) >> (96 - 8 * n) == 0;
  }
};

template <typename T>
struct RankOf {
  using type = NarrowRank;
};
template <>
struct RankOf<double> {
  using type = WideRank;
};
template <>
struct RankOf<int64_t> {
  using type = WideRank;
};
template <>
struct RankOf<uint64_t> {
  using type = WideRank;
};
template <typename T>
using Rank = typename RankOf<T>::type;

// A number whose order is that of the elements.
CUTAWAY_SHARED uint64_t orderedOf(float value) {
  value += 0.0f;  // -0 is 0
  uint32_t bits;
  __builtin_memcpy(&bits, &value, 4);
  if (value != value) return 0xffffffffu;
  return (bits & 0x80000000u) != 0 ? static_cast<uint32_t>(~bits) : bits | 0x80000000u;
}
CUTAWAY_SHARED uint64_t orderedOf(double value) {
  value += 0.0;
  uint64_t bits;
  __builtin_memcpy(&bits, &value, 8);
  if (value != value) return ~uint64_t{0};
  return (bits >> 63) != 0 ? ~bits : bits | uint64_t{1} << 63;
}
template <typename T>
CUTAWAY_SHARED uint64_t orderedOf(T value) {
  if constexpr (sizeof(T) == 8)
    return static_cast<uint64_t>(value) ^ (T(-1) < T(0) ? uint64_t{1} << 63 : 0);
  else if constexpr (T(-1) < T(0))
    return static_cast<uint32_t>(static_cast<int32_t>(value)) ^ 0x80000000u;
  else
    return static_cast<uint32_t>(value);
}

template <typename T>
struct RankLine {
  using R = Rank<T>;
  const RankParameters& p;
  int64_t first, target;

  CUTAWAY_SHARED RankLine(const RankParameters& parameters, int64_t line) : p(parameters) {
    const int64_t outer = line / p.inner, column = line - outer * p.inner;
    first = outer * p.length * p.inner + column;
    target = outer * p.k * p.inner + column;
  }
  CUTAWAY_SHARED R rank(int64_t i) const {
    const uint64_t ordered = orderedOf(load(static_cast<const T*>(p.x)[first + i * p.inner]));
    const uint64_t mask = sizeof(R) == 8 ? 0xffffffffu : ~uint64_t{0};
    return R::of(p.largest ? ordered : ~ordered & mask, static_cast<uint32_t>(i));
  }
  CUTAWAY_SHARED void emit(int64_t i, const R& rank) const {
    const int64_t place = rank.place();
    static_cast<T*>(p.values)[target + i * p.inner] = static_cast<const T*>(p.x)[first + place * p.inner];
    p.places[target + i * p.inner] = place;
  }
};

}  // namespace cutaway::cuda
