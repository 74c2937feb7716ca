#pragma once
// Normalisation of groups of channels of an image (group, instance).
//
// Statistics of a segment are sums of differences to its first element; segments are joined by the rule of Chan, Golub
// and LeVeque ("Updating formulae and a pairwise algorithm for computing sample variances", 1979). Few and large groups
// are cut into segments, and a second launch applies what the first found. Thread rule: as shared.h. Example: see
// group_norm_table.cpp.

#include <cmath>

#include "providers/cuda/functors/pack.h"

namespace cutaway::cuda {

struct Moments {
  double count, mean, squares;
};

CUTAWAY_SHARED Moments joined(const Moments& a, const Moments& b) {
  const double count = a.count + b.count;
  if (count == 0) return a;
  const double difference = b.mean - a.mean;
  return {count, a.mean + difference * (b.count / count),
          a.squares + b.squares + difference * difference * (a.count * b.count / count)};
}

// x, y, skip, bias, sum are of one type; scale and shift of another or the same.
struct GroupNormParameters {
  const void* x = nullptr;
  const void* skip = nullptr;   // as x, or one number a channel of an image (pooled)
  const void* bias = nullptr;   // one number a channel
  const void* scale = nullptr;  // one number a channel, or a group
  const void* shift = nullptr;
  void* y = nullptr;
  void* sum = nullptr;
  Moments* partial = nullptr;                              // [images * groups, segments], where there are several
  int64_t units = 0, groups = 1, perGroup = 1, cells = 1;  // units: images * groups
  int64_t segments = 1, perSegment = 0;
  int32_t threads = 256;
  float epsilon = 0;
  bool channelsLast = false, pooledSkip = false, scaleByGroup = false, silu = false, packed = false;
};

template <typename X, typename S>
struct GroupNormUnit {
  using C = Compute<X>;
  const GroupNormParameters& p;
  int64_t image, group, base;

  CUTAWAY_SHARED GroupNormUnit(const GroupNormParameters& parameters, int64_t unit)
      : p(parameters), image(unit / p.groups), group(unit % p.groups) {
    base = image * p.groups * p.perGroup * p.cells + group * p.perGroup * (p.channelsLast ? 1 : p.cells);
  }
  // Within the group: its number is below 2^31.
  CUTAWAY_SHARED uint32_t channelOf(uint32_t i) const {
    return p.channelsLast ? i % static_cast<uint32_t>(p.perGroup) : i / static_cast<uint32_t>(p.cells);
  }
  CUTAWAY_SHARED int64_t offsetOf(uint32_t i) const {
    if (!p.channelsLast) return base + i;
    const uint32_t cell = i / static_cast<uint32_t>(p.perGroup);
    return base + static_cast<int64_t>(cell) * p.groups * p.perGroup + (i - cell * static_cast<uint32_t>(p.perGroup));
  }
  CUTAWAY_SHARED C added(int64_t offset, uint32_t channel) const {
    C value = load(static_cast<const X*>(p.x)[offset]);
    const int64_t of = group * p.perGroup + channel;
    if (p.skip != nullptr)
      value += load(static_cast<const X*>(p.skip)[p.pooledSkip ? image * p.groups * p.perGroup + of : offset]);
    if (p.bias != nullptr) value += load(static_cast<const X*>(p.bias)[of]);
    return value;
  }

  // Sums are written on the way.
  template <typename Block>
  CUTAWAY_SHARED Moments measured(Block& block, int64_t begin, int64_t end) const {
    const bool plain = p.skip == nullptr && p.bias == nullptr && p.sum == nullptr;
    const C pivot = added(offsetOf(static_cast<uint32_t>(begin)), channelOf(static_cast<uint32_t>(begin)));
    block.sync();  // nobody writes a sum over what others take for the pivot
    double sum = 0, squares = 0;
    if (p.packed && plain) {
      const X* x = static_cast<const X*>(p.x) + base;
      for (int64_t i = begin + static_cast<int64_t>(block.thread()) * Pack<X>::kCount; i < end;
           i += static_cast<int64_t>(block.threads()) * Pack<X>::kCount) {
        const Pack<X> pack = p.channelsLast ? loadPack(static_cast<const X*>(p.x) + offsetOf(static_cast<uint32_t>(i)))
                                            : loadPack(x + i);
        C some = 0, squared = 0;
        for (int k = 0; k < Pack<X>::kCount; ++k) {
          const C difference = load(pack.values[k]) - pivot;
          some += difference;
          squared += difference * difference;
        }
        sum += static_cast<double>(some);
        squares += static_cast<double>(squared);
      }
    } else {
      for (int64_t i = begin + block.thread(); i < end; i += block.threads()) {
        const int64_t offset = offsetOf(static_cast<uint32_t>(i));
        const C value = added(offset, plain ? 0 : channelOf(static_cast<uint32_t>(i)));
        if (p.sum != nullptr) static_cast<X*>(p.sum)[offset] = store<X>(value);
        const C difference = value - pivot;
        sum += static_cast<double>(difference);
        squares += static_cast<double>(difference * difference);
      }
    }
    sum = block.sum(sum);
    squares = block.sum(squares);
    const double count = static_cast<double>(end - begin), mean = sum / count;
    return {count, static_cast<double>(pivot) + mean, squares - sum * mean};
  }

  template <typename Block>
  CUTAWAY_SHARED void apply(Block& block, const Moments& moments, int64_t begin, int64_t end) const {
    const C mean = static_cast<C>(moments.mean),
            variance = static_cast<C>(moments.squares > 0 ? moments.squares / moments.count : 0 * moments.squares);
    const C inverse = C(1) / std::sqrt(variance + static_cast<C>(p.epsilon));
    X* y = static_cast<X*>(p.y);
    if (p.packed && (p.sum != nullptr || (p.skip == nullptr && p.bias == nullptr))) {
      const X* from = p.sum != nullptr ? static_cast<const X*>(p.sum) : static_cast<const X*>(p.x);
      for (int64_t i = begin + static_cast<int64_t>(block.thread()) * Pack<X>::kCount; i < end;
           i += static_cast<int64_t>(block.threads()) * Pack<X>::kCount) {
        const int64_t offset = offsetOf(static_cast<uint32_t>(i));
        const uint32_t channel = channelOf(static_cast<uint32_t>(i));
        Pack<X> pack = loadPack(from + offset);
        for (int k = 0; k < Pack<X>::kCount; ++k)
          pack.values[k] =
              finished(load(pack.values[k]), mean, inverse, channel + static_cast<uint32_t>(p.channelsLast ? k : 0));
        storePack(y + offset, pack);
      }
      return;
    }
    for (int64_t i = begin + block.thread(); i < end; i += block.threads()) {
      const int64_t offset = offsetOf(static_cast<uint32_t>(i));
      const uint32_t channel = channelOf(static_cast<uint32_t>(i));
      const C value = p.sum != nullptr ? load(static_cast<const X*>(p.sum)[offset]) : added(offset, channel);
      y[offset] = finished(value, mean, inverse, channel);
    }
  }

 private:
  CUTAWAY_SHARED X finished(C value, C mean, C inverse, uint32_t channel) const {
    const int64_t at = p.scaleByGroup ? group : group * p.perGroup + channel;
    C result = (value - mean) * inverse * static_cast<C>(load(static_cast<const S*>(p.scale)[at])) +
               static_cast<C>(load(static_cast<const S*>(p.shift)[at]));
    if (p.silu) result = result / (C(1) + std::exp(-result));
    return store<X>(result);
  }
};

// One segment of one group: measured, and applied at once when it is the only one.
template <typename X, typename S>
struct GroupNormMeasure {
  GroupNormParameters p;
  template <typename Block>
  CUTAWAY_SHARED void operator()(Block& block, int64_t number) const {
    const int64_t unit = number / p.segments, segment = number % p.segments, count = p.perGroup * p.cells;
    const int64_t begin = segment * p.perSegment, end = begin + p.perSegment < count ? begin + p.perSegment : count;
    const GroupNormUnit<X, S> of(p, unit);
    const Moments moments = of.measured(block, begin, end);
    if (p.segments > 1) {
      if (block.thread() == 0) p.partial[number] = moments;
      return;
    }
    block.sync();  // sums that other threads wrote
    of.apply(block, moments, begin, end);
  }
};

template <typename X, typename S>
struct GroupNormApply {
  GroupNormParameters p;
  template <typename Block>
  CUTAWAY_SHARED void operator()(Block& block, int64_t number) const {
    const int64_t unit = number / p.segments, segment = number % p.segments, count = p.perGroup * p.cells;
    const int64_t begin = segment * p.perSegment, end = begin + p.perSegment < count ? begin + p.perSegment : count;
    Moments moments = p.partial[unit * p.segments];
    for (int64_t i = 1; i < p.segments; ++i)
      moments = joined(moments, p.partial[unit * p.segments + i]);
    GroupNormUnit<X, S>(p, unit).apply(block, moments, begin, end);
  }
};

}  // namespace cutaway::cuda
