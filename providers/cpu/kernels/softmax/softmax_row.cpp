// One source, compiled once for each vector width by Highway, chosen when the program runs.

#include "providers/cpu/kernels/softmax/softmax_row.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "providers/cpu/kernels/softmax/softmax_row.cpp"
#include <hwy/foreach_target.h>

#include <hwy/highway.h>

#include "engine/math/exp_vector.h"

HWY_BEFORE_NAMESPACE();
namespace cutaway::cpu {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using math::HWY_NAMESPACE::boundedExp;

using D = hn::ScalableTag<float>;
using V = hn::Vec<D>;

// exp(x) for x <= 0; below -87.33 the result is 0. The order of Max keeps what is not a number.
HWY_INLINE V expOfNegative(V x) {
  const V lowest = hn::Set(D(), -87.33f);
  return hn::IfThenZeroElse(hn::Lt(x, lowest), boundedExp(hn::Max(lowest, x)));
}

float largestOf(const float* from, int64_t length) {
  const D d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  float largest = from[0];
  int64_t i = 0;
  if (length >= lanes) {
    V best0 = hn::LoadU(d, from), best1 = best0, best2 = best0, best3 = best0;
    for (; i + 4 * lanes <= length; i += 4 * lanes) {
      best0 = hn::Max(best0, hn::LoadU(d, from + i));
      best1 = hn::Max(best1, hn::LoadU(d, from + i + lanes));
      best2 = hn::Max(best2, hn::LoadU(d, from + i + 2 * lanes));
      best3 = hn::Max(best3, hn::LoadU(d, from + i + 3 * lanes));
    }
    for (; i + lanes <= length; i += lanes)
      best0 = hn::Max(best0, hn::LoadU(d, from + i));
    largest = hn::GetLane(hn::MaxOfLanes(d, hn::Max(hn::Max(best0, best1), hn::Max(best2, best3))));
  }
  for (; i < length; ++i)
    largest = from[i] > largest ? from[i] : largest;
  return largest;
}

template <bool logarithm>
void row(const float* from, float* to, int64_t length) {
  const D d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  const float largest = largestOf(from, length);
  const V shift = hn::Set(d, largest);
  V sum0 = hn::Zero(d), sum1 = hn::Zero(d);
  const auto one = [&](int64_t at, V& sums) HWY_ATTR {
    const V value = hn::Sub(hn::LoadU(d, from + at), shift), power = expOfNegative(value);
    sums = hn::Add(sums, power);
    hn::StoreU(logarithm ? value : power, d, to + at);
  };
  int64_t i = 0;
  for (; i + 2 * lanes <= length; i += 2 * lanes) {
    one(i, sum0);
    one(i + lanes, sum1);
  }
  for (; i + lanes <= length; i += lanes)
    one(i, sum0);
  float sum = hn::GetLane(hn::SumOfLanes(d, hn::Add(sum0, sum1)));
  for (; i < length; ++i) {
    const float value = from[i] - largest, power = std::exp(value);
    sum += power;
    to[i] = logarithm ? value : power;
  }
  const float last = logarithm ? -std::log(sum) : 1.0f / sum;
  const V finish = hn::Set(d, last);
  for (i = 0; i + lanes <= length; i += lanes) {
    const V value = hn::LoadU(d, to + i);
    hn::StoreU(logarithm ? hn::Add(value, finish) : hn::Mul(value, finish), d, to + i);
  }
  for (; i < length; ++i)
    to[i] = logarithm ? to[i] + last : to[i] * last;
}

// `width` lanes; the others are zero.
HWY_INLINE V loaded(const float* place, size_t width) {
  const D d;
  if (width == hn::Lanes(d)) return hn::LoadU(d, place);
  HWY_ALIGN float lanes[HWY_MAX_BYTES / sizeof(float)] = {};
  std::copy_n(place, width, lanes);
  return hn::Load(d, lanes);
}
HWY_INLINE void store(V value, float* place, size_t width) {
  const D d;
  if (width == hn::Lanes(d)) {
    hn::StoreU(value, d, place);
    return;
  }
  HWY_ALIGN float lanes[HWY_MAX_BYTES / sizeof(float)];
  hn::Store(value, d, lanes);
  std::copy_n(lanes, width, place);
}

// As many columns at once as a vector holds: `width` of them.
template <bool logarithm>
void columnsOfOneVector(const float* from, float* to, int64_t length, int64_t step, size_t width) {
  const D d;
  V largest = loaded(from, width);
  for (int64_t i = 1; i < length; ++i)
    largest = hn::Max(largest, loaded(from + i * step, width));
  // Sums of sums: what a long run adds up does not outgrow what comes to it.
  constexpr int64_t kPart = 128;
  V sum = hn::Zero(d);
  for (int64_t first = 0; first < length; first += kPart) {
    V part = hn::Zero(d);
    for (int64_t i = first; i < std::min(first + kPart, length); ++i) {
      const V value = hn::Sub(loaded(from + i * step, width), largest), power = expOfNegative(value);
      part = hn::Add(part, power);
      store(logarithm ? value : power, to + i * step, width);
    }
    sum = hn::Add(sum, part);
  }
  HWY_ALIGN float last[HWY_MAX_BYTES / sizeof(float)] = {};
  hn::Store(sum, d, last);
  for (size_t lane = 0; lane < width; ++lane)
    last[lane] = logarithm ? -std::log(last[lane]) : 1.0f / last[lane];
  const V finish = hn::Load(d, last);
  for (int64_t i = 0; i < length; ++i) {
    const V value = loaded(to + i * step, width);
    store(logarithm ? hn::Add(value, finish) : hn::Mul(value, finish), to + i * step, width);
  }
}

template <bool logarithm>
void columns(const float* from, float* to, int64_t length, int64_t step, int64_t count) {
  const auto lanes = static_cast<int64_t>(hn::Lanes(D()));
  for (int64_t at = 0; at < count; at += lanes)
    columnsOfOneVector<logarithm>(from + at, to + at, length, step, static_cast<size_t>(std::min(lanes, count - at)));
}

void softmaxLoop(const float* from, float* to, int64_t length) {
  row<false>(from, to, length);
}
void logSoftmaxLoop(const float* from, float* to, int64_t length) {
  row<true>(from, to, length);
}
void softmaxColumnLoop(const float* from, float* to, int64_t length, int64_t step, int64_t count) {
  columns<false>(from, to, length, step, count);
}
void logSoftmaxColumnLoop(const float* from, float* to, int64_t length, int64_t step, int64_t count) {
  columns<true>(from, to, length, step, count);
}

}  // namespace HWY_NAMESPACE
}  // namespace cutaway::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cutaway::cpu {

HWY_EXPORT(softmaxLoop);
HWY_EXPORT(logSoftmaxLoop);
HWY_EXPORT(softmaxColumnLoop);
HWY_EXPORT(logSoftmaxColumnLoop);

void softmaxRow(const float* from, float* to, int64_t length, SoftmaxKind kind) {
  kind == SoftmaxKind::kLogSoftmax ? HWY_DYNAMIC_DISPATCH(logSoftmaxLoop)(from, to, length)
                                   : HWY_DYNAMIC_DISPATCH(softmaxLoop)(from, to, length);
}

void softmaxColumns(const float* from, float* to, int64_t length, int64_t step, int64_t count, SoftmaxKind kind) {
  kind == SoftmaxKind::kLogSoftmax ? HWY_DYNAMIC_DISPATCH(logSoftmaxColumnLoop)(from, to, length, step, count)
                                   : HWY_DYNAMIC_DISPATCH(softmaxColumnLoop)(from, to, length, step, count);
}

}  // namespace cutaway::cpu
#endif
