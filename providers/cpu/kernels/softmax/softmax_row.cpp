// One source, compiled once for each vector width by Highway, chosen when the program runs.

#include "providers/cpu/kernels/softmax/softmax_row.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "providers/cpu/kernels/softmax/softmax_row.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#include <hwy/contrib/math/math-inl.h>

HWY_BEFORE_NAMESPACE();
namespace cutaway {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

void row(const float* from, float* to, int64_t length, bool logarithm) {
  const hn::ScalableTag<float> tag;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(tag));
  const int64_t whole = length / lanes * lanes;
  float largest = from[0];
  if (whole > 0) {
    auto best = hn::LoadU(tag, from);
    for (int64_t i = lanes; i < whole; i += lanes) best = hn::Max(best, hn::LoadU(tag, from + i));
    largest = hn::GetLane(hn::MaxOfLanes(tag, best));
  }
  for (int64_t i = whole; i < length; ++i) largest = from[i] > largest ? from[i] : largest;

  const auto shift = hn::Set(tag, largest);
  auto sums = hn::Zero(tag);
  float sum = 0.0f;
  for (int64_t i = 0; i < whole; i += lanes) {
    const auto value = hn::Sub(hn::LoadU(tag, from + i), shift);
    const auto power = hn::Exp(tag, value);
    sums = hn::Add(sums, power);
    hn::StoreU(logarithm ? value : power, tag, to + i);
  }
  for (int64_t i = whole; i < length; ++i) {
    const float value = from[i] - largest, power = std::exp(value);
    sum += power;
    to[i] = logarithm ? value : power;
  }
  sum += hn::GetLane(hn::SumOfLanes(tag, sums));

  const float last = logarithm ? -std::log(sum) : 1.0f / sum;
  const auto finish = hn::Set(tag, last);
  for (int64_t i = 0; i < whole; i += lanes) {
    const auto value = hn::LoadU(tag, to + i);
    hn::StoreU(logarithm ? hn::Add(value, finish) : hn::Mul(value, finish), tag, to + i);
  }
  for (int64_t i = whole; i < length; ++i) to[i] = logarithm ? to[i] + last : to[i] * last;
}

}  // namespace HWY_NAMESPACE
}  // namespace cutaway
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cutaway {

HWY_EXPORT(row);

void softmaxRow(const float* from, float* to, int64_t length, SoftmaxKind kind) { HWY_DYNAMIC_DISPATCH(row)(from, to, length, kind == SoftmaxKind::kLogSoftmax); }

}  // namespace cutaway
#endif
