#pragma once
// TopK: the largest or smallest k of each line, in order; equal ones by place; what is not a number is the largest.
//
// An element and its place become one number (a rank), all of them different, so that whatever order threads work in,
// the result is one. Short lines are sorted in shared memory by a bitonic network (Batcher, "Sorting networks and their
// applications", 1968); of long ones the k-th rank is found digit by digit, and those above it are gathered and sorted;
// for large k lines are sorted in scratch. Thread rule: as shared.h. Example: see rank_table.cpp.

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

// One comparison of the network.
template <typename R>
CUTAWAY_SHARED void compareRanks(R* ranks, int64_t i, int64_t size, int64_t stride) {
  const int64_t low = 2 * i - (i & (stride - 1)), high = low + stride;
  const R a = ranks[low], b = ranks[high];
  if ((a < b) == ((low & size) == 0)) {
    ranks[low] = b;
    ranks[high] = a;
  }
}

// In descending order; `count` is a power of two.
template <typename Block, typename R>
CUTAWAY_SHARED void sortRanks(Block& block, R* ranks, int64_t count) {
  for (int64_t size = 2; size <= count; size *= 2) {
    for (int64_t stride = size / 2; stride > 0; stride /= 2) {
      block.sync();
      for (int64_t i = block.thread(); i < count / 2; i += block.threads())
        compareRanks(ranks, i, size, stride);
    }
  }
  block.sync();
}

// Shared memory: `padded` ranks.
template <typename T>
struct RankShared {
  RankParameters p;
  template <typename Block>
  CUTAWAY_SHARED void operator()(Block& block, int64_t number) const {
    using R = Rank<T>;
    const RankLine<T> line(p, number);
    R* ranks = block.template shared<R>();
    for (int64_t i = block.thread(); i < p.padded; i += block.threads())
      ranks[i] = i < p.length ? line.rank(i) : R{};
    sortRanks(block, ranks, p.padded);
    for (int64_t i = block.thread(); i < p.k; i += block.threads())
      line.emit(i, ranks[i]);
    block.sync();
  }
};

// Shared memory: `padded` ranks, 256 counters, a counter, the digit and what is left to take.
template <typename T>
struct RankSelect {
  RankParameters p;
  template <typename Block>
  CUTAWAY_SHARED void operator()(Block& block, int64_t number) const {
    using R = Rank<T>;
    const RankLine<T> line(p, number);
    R* ranks = block.template shared<R>();
    int32_t* counts = block.template shared<int32_t>(p.padded * static_cast<int64_t>(sizeof(R)));
    int32_t *gathered = counts + 256, *chosen = counts + 257;  // chosen: digit, left, done
    R bound{};
    int64_t left = p.k;
    for (int n = 0; n < R::kDigits; ++n) {
      for (int i = block.thread(); i < 257; i += block.threads())
        counts[i] = 0;
      block.sync();
      for (int64_t i = block.thread(); i < p.length; i += block.threads()) {
        const R rank = line.rank(i);
        if (rank.startsLike(bound, n)) block.addTo(counts + rank.digit(n), 1);
      }
      block.sync();
      if (block.thread() == 0) {
        int digit = 255;
        int32_t rest = static_cast<int32_t>(left);
        for (; digit > 0 && counts[digit] < rest; --digit)
          rest -= counts[digit];
        chosen[0] = digit;
        chosen[1] = rest;
        chosen[2] = counts[digit] == rest ? 1 : 0;
      }
      block.sync();
      bound.setDigit(n, chosen[0]);
      left = chosen[1];
      const bool done = chosen[2] != 0;  // all with these digits are taken: the lower ones do not matter
      block.sync();
      if (done) break;
    }
    for (int64_t i = block.thread(); i < p.padded; i += block.threads())
      ranks[i] = R{};
    block.sync();
    for (int64_t i = block.thread(); i < p.length; i += block.threads()) {
      const R rank = line.rank(i);
      if (!(rank < bound)) ranks[block.addTo(gathered, 1)] = rank;
    }
    sortRanks(block, ranks, p.padded);
    for (int64_t i = block.thread(); i < p.k; i += block.threads())
      line.emit(i, ranks[i]);
    block.sync();
  }
};

// Sorting in scratch: written, compared step by step, taken out.
template <typename T>
struct RankWrite {
  RankParameters p;
  CUTAWAY_SHARED void operator()(int64_t index) const {
    const int64_t number = index / p.padded, i = index - number * p.padded;
    static_cast<Rank<T>*>(p.ranks)[index] = i < p.length ? RankLine<T>(p, number).rank(i) : Rank<T>{};
  }
};

template <typename R>
struct RankStep {
  RankParameters p;
  CUTAWAY_SHARED void operator()(int64_t index) const {
    const int64_t line = index / (p.padded / 2);
    compareRanks(static_cast<R*>(p.ranks) + line * p.padded, index - line * (p.padded / 2), p.size, p.stride);
  }
};

template <typename T>
struct RankTake {
  RankParameters p;
  CUTAWAY_SHARED void operator()(int64_t index) const {
    const int64_t line = index / p.k, i = index - line * p.k;
    RankLine<T>(p, line).emit(i, static_cast<const Rank<T>*>(p.ranks)[line * p.padded + i]);
  }
};

}  // namespace cutaway::cuda
