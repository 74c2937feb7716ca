#pragma once
// TopK: the largest or smallest k of each line, in order; equal ones by place; what is not a number is the largest.
//
// An element and its place become one number (a rank), all of them different, so that whatever order threads work in,
// the result is one. Short lines are sorted in shared memory by a bitonic network (Batcher, "Sorting networks and their
// applications", 1968); of long ones the k-th rank is found digit by digit, and those above it are gathered and sorted;
// for large k lines are sorted in scratch. Thread rule: as shared.h. Example: see rank_table.cpp.

#include "providers/cuda/functors/number.h"
#include "providers/cuda/functors/rank_keys.h"

namespace cutaway::cuda {

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
