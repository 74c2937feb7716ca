#pragma once
// One number for a whole plane (global poolings), LRN across channels, and the way back from places of maxima
// (MaxUnpool).
//
// Thread rule: as shared.h. Example: see planes_table.cpp, "planes.first.float".

#include "providers/cuda/functors/pooling_functors.h"

namespace cutaway::cuda {

enum class PlaneFold : int32_t { kAverage, kMaximum, kPower };

struct PlaneParameters {
  const void* x = nullptr;
  void* y = nullptr;
  int64_t batch = 0, channels = 0, cells = 0;
  PlaneFold fold = PlaneFold::kAverage;
  double power = 2;
};

template <typename C>
struct PlaneStep {
  PlaneFold fold;
  C power;
  CUTAWAY_SHARED C start() const { return fold == PlaneFold::kMaximum ? C(-HUGE_VAL) : C(0); }
  CUTAWAY_SHARED C add(C total, C value) const {
    if (fold == PlaneFold::kMaximum) return value > total || value != value ? value : total;
    return total + (fold == PlaneFold::kPower ? powerOf(value, power) : value);
  }
  CUTAWAY_SHARED C finish(C total, int64_t cells) const {
    if (fold == PlaneFold::kAverage) return total / static_cast<C>(cells);
    return fold == PlaneFold::kPower ? rootOf(total, power) : total;
  }
};

// Channels first: a block a plane.
template <typename T>
struct PlaneFirst {
  PlaneParameters p;
  template <typename Block>
  CUTAWAY_SHARED void operator()(Block& block, int64_t plane) const {
    using C = Compute<T>;
    const PlaneStep<C> step{p.fold, static_cast<C>(p.power)};
    const T* x = static_cast<const T*>(p.x) + plane * p.cells;
    C total = step.start();
    for (int64_t i = block.thread(); i < p.cells; i += block.threads())
      total = step.add(total, load(x[i]));
    total = p.fold == PlaneFold::kMaximum ? block.reduce(total, [=](C a, C b) { return step.add(a, b); })
                                          : block.sum(total);
    if (block.thread() == 0) static_cast<T*>(p.y)[plane] = store<T>(step.finish(total, p.cells));
  }
};

// Channels last: a thread a channel; neighbours read neighbours.
template <typename T>
struct PlaneLast {
  PlaneParameters p;
  CUTAWAY_SHARED void operator()(int64_t i) const {
    using C = Compute<T>;
    const PlaneStep<C> step{p.fold, static_cast<C>(p.power)};
    const T* x = static_cast<const T*>(p.x) + i / p.channels * p.cells * p.channels + i % p.channels;
    C total = step.start();
    for (int64_t cell = 0; cell < p.cells; ++cell)
      total = step.add(total, load(x[cell * p.channels]));
    static_cast<T*>(p.y)[i] = store<T>(step.finish(total, p.cells));
  }
};

// --- LRN: y = x / (bias + alpha / size * sum of squares of the neighbouring channels) ^ beta.

struct LrnParameters {
  const void* x = nullptr;
  void* y = nullptr;
  int64_t count = 0, channels = 0, cells = 0;
  int64_t size = 1;
  double alpha = 0, beta = 0, bias = 0;
  bool channelsLast = false;
};

template <typename T>
struct Lrn {
  LrnParameters p;
  CUTAWAY_SHARED void operator()(int64_t i) const {
    using C = Compute<T>;
    const int64_t step = p.channelsLast ? 1 : p.cells,
                  channel = p.channelsLast ? i % p.channels : i / p.cells % p.channels;
    const int64_t before = (p.size - 1) / 2, after = p.size - 1 - before;
    const int64_t first = channel < before ? 0 : channel - before,
                  last = channel + after < p.channels ? channel + after : p.channels - 1;
    const T* x = static_cast<const T*>(p.x) + i;
    C sum = 0;
    for (int64_t c = first; c <= last; ++c) {
      const C value = load(x[(c - channel) * step]);
      sum += value * value;
    }
    const C base = static_cast<C>(p.bias) + static_cast<C>(p.alpha) / static_cast<C>(p.size) * sum;
    static_cast<T*>(p.y)[i] = store<T>(load(*x) / std::pow(base, static_cast<C>(p.beta)));
  }
};

// --- MaxUnpool: each value goes to its place; y was filled with zeros. Places outside are left out.

struct UnpoolParameters {
  const void* x = nullptr;
  const int64_t* places = nullptr;
  void* y = nullptr;
  int64_t count = 0, cells = 0;  // cells: of the unpooled tensor that places count in
  int32_t rank = 0;              // 0: y is that tensor; else the unpooled tensor lies at y's origin
  int64_t inner[8] = {}, outer[8] = {};
};

template <typename Bits>
struct Unpool {
  UnpoolParameters p;
  CUTAWAY_SHARED void operator()(int64_t i) const {
    int64_t place = p.places[i];
    if (place < 0 || place >= p.cells) return;
    int64_t moved = p.rank == 0 ? place : 0, step = 1;
    for (int axis = p.rank; axis-- > 0;) {
      moved += place % p.inner[axis] * step;
      place /= p.inner[axis];
      step *= p.outer[axis];
    }
    static_cast<Bits*>(p.y)[moved] = static_cast<const Bits*>(p.x)[i];
  }
};

}  // namespace cutaway::cuda
