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
using math::HWY_NAMESPACE::expOfNegative;
using math::HWY_NAMESPACE::expsOfNegative;

using D = hn::ScalableTag<float>;
using V = hn::Vec<D>;

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

// exp(from - shift) of n vectors, or the difference alone in `to`; the powers are added to sums, one vector to each.
template <bool logarithm, size_t n>
HWY_INLINE void addPowers(const float* from, float* to, V shift, V* sums) {
  const D d;
  V x[n];
  for (size_t i = 0; i < n; ++i)
    x[i] = hn::Sub(hn::LoadU(d, from + i * hn::Lanes(d)), shift);
  for (size_t i = 0; i < n && logarithm; ++i)
    hn::StoreU(x[i], d, to + i * hn::Lanes(d));
  expsOfNegative(x);
  for (size_t i = 0; i < n; ++i)
    sums[i] = hn::Add(sums[i], x[i]);
  for (size_t i = 0; i < n && !logarithm; ++i)
    hn::StoreU(x[i], d, to + i * hn::Lanes(d));
}

template <bool logarithm>
void row(const float* from, float* to, int64_t length) {
  const D d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  const float largest = largestOf(from, length);
  const V shift = hn::Set(d, largest);
  V sums[4] = {hn::Zero(d), hn::Zero(d), hn::Zero(d), hn::Zero(d)};
  int64_t i = 0;
  for (; i + 4 * lanes <= length; i += 4 * lanes)
    addPowers<logarithm, 4>(from + i, to + i, shift, sums);
  for (; i + lanes <= length; i += lanes)
    addPowers<logarithm, 1>(from + i, to + i, shift, sums);
  if (i < length) {
    const auto width = static_cast<size_t>(length - i);
    const V value = hn::Sub(loaded(from + i, width), shift);
    const V power = hn::IfThenElseZero(hn::FirstN(d, width), expOfNegative(value));
    sums[0] = hn::Add(sums[0], power);
    store(logarithm ? value : power, to + i, width);
  }
  const float sum = hn::GetLane(hn::SumOfLanes(d, hn::Add(hn::Add(sums[0], sums[1]), hn::Add(sums[2], sums[3]))));
  const float last = logarithm ? -std::log(sum) : 1.0f / sum;
  const V finish = hn::Set(d, last);
  for (i = 0; i + lanes <= length; i += lanes) {
    const V value = hn::LoadU(d, to + i);
    hn::StoreU(logarithm ? hn::Add(value, finish) : hn::Mul(value, finish), d, to + i);
  }
  for (; i < length; ++i)
    to[i] = logarithm ? to[i] + last : to[i] * last;
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

template <size_t length>
HWY_INLINE void loadRows(const float* from, V* columns) {
  const D d;
  if constexpr (length == 2) hn::LoadInterleaved2(d, from, columns[0], columns[1]);
  if constexpr (length == 3) hn::LoadInterleaved3(d, from, columns[0], columns[1], columns[2]);
  if constexpr (length == 4) hn::LoadInterleaved4(d, from, columns[0], columns[1], columns[2], columns[3]);
}
template <size_t length>
HWY_INLINE void storeRows(const V* columns, float* to) {
  const D d;
  if constexpr (length == 2) hn::StoreInterleaved2(columns[0], columns[1], d, to);
  if constexpr (length == 3) hn::StoreInterleaved3(columns[0], columns[1], columns[2], d, to);
  if constexpr (length == 4) hn::StoreInterleaved4(columns[0], columns[1], columns[2], columns[3], d, to);
}

// As many rows as a vector has lanes.
template <size_t length>
HWY_INLINE void rowsOfOneVector(const float* from, float* to) {
  const D d;
  V columns[length];
  loadRows<length>(from, columns);
  V largest = columns[0];
  for (size_t i = 1; i < length; ++i)
    largest = hn::Max(largest, columns[i]);
  V sum = hn::Zero(d);
  for (size_t i = 0; i < length; ++i) {
    columns[i] = expOfNegative(hn::Sub(columns[i], largest));
    sum = hn::Add(sum, columns[i]);
  }
  const V share = hn::Div(hn::Set(d, 1.0f), sum);
  for (size_t i = 0; i < length; ++i)
    columns[i] = hn::Mul(columns[i], share);
  storeRows<length>(columns, to);
}

template <size_t length>
void shortRowsOf(const float* from, float* to, int64_t rows) {
  const auto lanes = static_cast<int64_t>(hn::Lanes(D()));
  constexpr int64_t kLength = static_cast<int64_t>(length);
  int64_t at = 0;
  for (; at + lanes <= rows; at += lanes)
    rowsOfOneVector<length>(from + at * kLength, to + at * kLength);
  if (at == rows) return;
  HWY_ALIGN float rest[length * HWY_MAX_BYTES / sizeof(float)] = {};
  std::copy(from + at * kLength, from + rows * kLength, rest);
  rowsOfOneVector<length>(rest, rest);
  std::copy_n(rest, (rows - at) * kLength, to + at * kLength);
}

void softmaxShortLoop(const float* from, float* to, int64_t length, int64_t rows) {
  if (length == 2) shortRowsOf<2>(from, to, rows);
  if (length == 3) shortRowsOf<3>(from, to, rows);
  if (length == 4) shortRowsOf<4>(from, to, rows);
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
HWY_EXPORT(softmaxShortLoop);
HWY_EXPORT(softmaxColumnLoop);
HWY_EXPORT(logSoftmaxColumnLoop);

void softmaxRow(const float* from, float* to, int64_t length, SoftmaxKind kind) {
  kind == SoftmaxKind::kLogSoftmax ? HWY_DYNAMIC_DISPATCH(logSoftmaxLoop)(from, to, length)
                                   : HWY_DYNAMIC_DISPATCH(softmaxLoop)(from, to, length);
}

void softmaxShortRows(const float* from, float* to, int64_t length, int64_t rows) {
  HWY_DYNAMIC_DISPATCH(softmaxShortLoop)(from, to, length, rows);
}

void softmaxColumns(const float* from, float* to, int64_t length, int64_t step, int64_t count, SoftmaxKind kind) {
  kind == SoftmaxKind::kLogSoftmax ? HWY_DYNAMIC_DISPATCH(logSoftmaxColumnLoop)(from, to, length, step, count)
                                   : HWY_DYNAMIC_DISPATCH(softmaxColumnLoop)(from, to, length, step, count);
}

}  // namespace cutaway::cpu
#endif
