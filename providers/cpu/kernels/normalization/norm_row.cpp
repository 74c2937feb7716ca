// The fp32 loops of norm_row.h, compiled once for each vector width by Highway and chosen when the program runs.
//
// Sums run in four chains of vectors, so that neither latency nor rounding grows with the length as in one chain. Long
// runs are cut into pieces whose sums are added in double.

#include "providers/cpu/kernels/normalization/norm_row.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "providers/cpu/kernels/normalization/norm_row.cpp"
#include <hwy/foreach_target.h>  // before highway.h

#include <algorithm>

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace cutaway::cpu {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::ScalableTag<float>;

constexpr int64_t kPiece = 1 << 12;

// Sum of (x - center)^2 or of x over at most kPiece values.
template <bool squared>
float pieceSum(const float* x, float center, int64_t count) {
  const D d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  const auto middle = hn::Set(d, center);
  auto chain0 = hn::Zero(d), chain1 = hn::Zero(d), chain2 = hn::Zero(d), chain3 = hn::Zero(d);
  const auto add = [&](auto& chain, const float* from) HWY_ATTR {
    const auto value = hn::Sub(hn::LoadU(d, from), middle);
    chain = squared ? hn::MulAdd(value, value, chain) : hn::Add(chain, value);
  };
  int64_t i = 0;
  for (; i + 4 * lanes <= count; i += 4 * lanes) {
    add(chain0, x + i);
    add(chain1, x + i + lanes);
    add(chain2, x + i + 2 * lanes);
    add(chain3, x + i + 3 * lanes);
  }
  for (; i + lanes <= count; i += lanes)
    add(chain0, x + i);
  float sum = hn::GetLane(hn::SumOfLanes(d, hn::Add(hn::Add(chain0, chain1), hn::Add(chain2, chain3))));
  for (; i < count; ++i)
    sum += squared ? (x[i] - center) * (x[i] - center) : x[i] - center;
  return sum;
}

template <bool squared>
double sumOf(const float* x, float center, int64_t count) {
  if (count <= kPiece) return pieceSum<squared>(x, center, count);
  double sum = 0;
  for (int64_t at = 0; at < count; at += kPiece)
    sum += pieceSum<squared>(x + at, center, std::min(kPiece, count - at));
  return sum;
}

double sumLoop(const float* x, int64_t count) {
  return sumOf<false>(x, 0.0f, count);
}
double squaresLoop(const float* x, float center, int64_t count) {
  return sumOf<true>(x, center, count);
}

struct Spread {
  double sum = 0, squares = 0;
};

// Sum and sum of squares of the distances from `center`. The sum is what rounding has left of the mean: with it the
// mean is exact even far from zero.
Spread spreadOf(const float* x, float center, int64_t count) {
  const D d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  const auto middle = hn::Set(d, center);
  Spread spread;
  for (int64_t at = 0; at < count; at += kPiece) {
    const int64_t end = std::min(count, at + kPiece);
    auto sum0 = hn::Zero(d), sum1 = hn::Zero(d), square0 = hn::Zero(d), square1 = hn::Zero(d);
    int64_t i = at;
    for (; i + 2 * lanes <= end; i += 2 * lanes) {
      const auto first = hn::Sub(hn::LoadU(d, x + i), middle), second = hn::Sub(hn::LoadU(d, x + i + lanes), middle);
      sum0 = hn::Add(sum0, first);
      sum1 = hn::Add(sum1, second);
      square0 = hn::MulAdd(first, first, square0);
      square1 = hn::MulAdd(second, second, square1);
    }
    float sum = hn::GetLane(hn::SumOfLanes(d, hn::Add(sum0, sum1))),
          squares = hn::GetLane(hn::SumOfLanes(d, hn::Add(square0, square1)));
    for (; i < end; ++i) {
      sum += x[i] - center;
      squares += (x[i] - center) * (x[i] - center);
    }
    spread.sum += sum;
    spread.squares += squares;
  }
  return spread;
}

// y = ((x - mean) * inverse - rest) * scale + shift.
template <bool scaled, bool shifted>
void writeRow(const float* x, float mean, float inverse, float rest, const RowRule<float>& rule, float* y,
              int64_t count) {
  const D d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  const auto middle = hn::Set(d, mean), factor = hn::Set(d, inverse), less = hn::Set(d, rest);
  int64_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    auto value = hn::MulSub(hn::Sub(hn::LoadU(d, x + i), middle), factor, less);
    if constexpr (scaled && shifted)
      value = hn::MulAdd(value, hn::LoadU(d, rule.scale + i), hn::LoadU(d, rule.shift + i));
    if constexpr (scaled && !shifted) value = hn::Mul(value, hn::LoadU(d, rule.scale + i));
    if constexpr (!scaled && shifted) value = hn::Add(value, hn::LoadU(d, rule.shift + i));
    hn::StoreU(value, d, y + i);
  }
  for (; i < count; ++i)
    y[i] = ((x[i] - mean) * inverse - rest) * (scaled ? rule.scale[i] : 1.0f) + (shifted ? rule.shift[i] : 0.0f);
}

RowStatistics<float> normalizeLoop(const float* x, const RowRule<float>& rule, float* y, int64_t count) {
  const double size = static_cast<double>(std::max<int64_t>(count, 1));
  const float mean = rule.centered ? static_cast<float>(sumOf<false>(x, 0.0f, count) / size) : 0.0f;
  double left = 0, variance = 0;
  if (rule.centered) {
    const Spread spread = spreadOf(x, mean, count);
    left = spread.sum / size;
    variance = std::max(spread.squares / size - left * left, 0.0);
    if (std::isnan(spread.squares)) variance = spread.squares;
  } else {
    variance = sumOf<true>(x, 0.0f, count) / size;
  }
  const float inverse = 1.0f / std::sqrt(static_cast<float>(variance) + rule.epsilon);
  const float rest = static_cast<float>(left) * inverse;
  if (rule.scale != nullptr) {
    rule.shift != nullptr ? writeRow<true, true>(x, mean, inverse, rest, rule, y, count)
                          : writeRow<true, false>(x, mean, inverse, rest, rule, y, count);
  } else {
    rule.shift != nullptr ? writeRow<false, true>(x, mean, inverse, rest, rule, y, count)
                          : writeRow<false, false>(x, mean, inverse, rest, rule, y, count);
  }
  return {mean, inverse};
}

void addLoop(const float* a, const float* b, const float* bias, float* sum, int64_t count) {
  const D d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  int64_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    auto value = hn::Add(hn::LoadU(d, a + i), hn::LoadU(d, b + i));
    if (bias != nullptr) value = hn::Add(value, hn::LoadU(d, bias + i));
    hn::StoreU(value, d, sum + i);
  }
  for (; i < count; ++i)
    sum[i] = a[i] + b[i] + (bias != nullptr ? bias[i] : 0.0f);
}

void scaleLoop(const float* x, float center, float factor, float summand, float* y, int64_t count) {
  const D d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  const auto middle = hn::Set(d, center), times = hn::Set(d, factor), plus = hn::Set(d, summand);
  int64_t i = 0;
  for (; i + lanes <= count; i += lanes)
    hn::StoreU(hn::MulAdd(hn::Sub(hn::LoadU(d, x + i), middle), times, plus), d, y + i);
  for (; i < count; ++i)
    y[i] = (x[i] - center) * factor + summand;
}

}  // namespace HWY_NAMESPACE
}  // namespace cutaway::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cutaway::cpu {

HWY_EXPORT(normalizeLoop);
HWY_EXPORT(addLoop);
HWY_EXPORT(sumLoop);
HWY_EXPORT(squaresLoop);
HWY_EXPORT(scaleLoop);

RowStatistics<float> normalizeRow(const float* x, const RowRule<float>& rule, float* y, int64_t count) {
  return HWY_DYNAMIC_DISPATCH(normalizeLoop)(x, rule, y, count);
}
void addRows(const float* a, const float* b, const float* bias, float* sum, int64_t count) {
  HWY_DYNAMIC_DISPATCH(addLoop)(a, b, bias, sum, count);
}
double rowSum(const float* x, int64_t count) {
  return HWY_DYNAMIC_DISPATCH(sumLoop)(x, count);
}
double rowSquares(const float* x, float center, int64_t count) {
  return HWY_DYNAMIC_DISPATCH(squaresLoop)(x, center, count);
}
void scaleRow(const float* x, float center, float factor, float summand, float* y, int64_t count) {
  HWY_DYNAMIC_DISPATCH(scaleLoop)(x, center, factor, summand, y, count);
}

}  // namespace cutaway::cpu
#endif
