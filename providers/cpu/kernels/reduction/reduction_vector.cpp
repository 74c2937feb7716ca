#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "providers/cpu/kernels/reduction/reduction_vector.cpp"
#include <hwy/foreach_target.h>  // before highway.h

#include <limits>

#include <hwy/highway.h>

#include "providers/cpu/kernels/reduction/reduction_loops.h"

HWY_BEFORE_NAMESPACE();
namespace cutaway::cpu {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::ScalableTag<float>;
using V = hn::Vec<D>;

template <Map map>
HWY_INLINE V addMapped(V x, V sum) {
  if constexpr (map == Map::kSquare) return hn::MulAdd(x, x, sum);
  if constexpr (map == Map::kSize) return hn::Add(sum, hn::Abs(x));
  return hn::Add(sum, x);
}

template <Map map>
float blockSumOf(const float* x, int64_t count) {
  const D d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  V sums[4] = {hn::Zero(d), hn::Zero(d), hn::Zero(d), hn::Zero(d)};
  int64_t i = 0;
  for (; i + 4 * lanes <= count; i += 4 * lanes) {
    sums[0] = addMapped<map>(hn::LoadU(d, x + i), sums[0]);
    sums[1] = addMapped<map>(hn::LoadU(d, x + i + lanes), sums[1]);
    sums[2] = addMapped<map>(hn::LoadU(d, x + i + 2 * lanes), sums[2]);
    sums[3] = addMapped<map>(hn::LoadU(d, x + i + 3 * lanes), sums[3]);
  }
  for (; i + lanes <= count; i += lanes)
    sums[0] = addMapped<map>(hn::LoadU(d, x + i), sums[0]);
  if (i < count) {
    HWY_ALIGN float rest[HWY_MAX_BYTES / sizeof(float)] = {};
    for (int64_t k = i; k < count; ++k)
      rest[k - i] = x[k];
    sums[1] = addMapped<map>(hn::Load(d, rest), sums[1]);
  }
  return hn::GetLane(hn::SumOfLanes(d, hn::Add(hn::Add(sums[0], sums[1]), hn::Add(sums[2], sums[3]))));
}

float blockSum(Map map, const float* x, int64_t count) {
  if (map == Map::kSquare) return blockSumOf<Map::kSquare>(x, count);
  return map == Map::kSize ? blockSumOf<Map::kSize>(x, count) : blockSumOf<Map::kIdentity>(x, count);
}

template <bool maximum>
float extremeOf(const float* x, int64_t count) {
  const D d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  const float worst = maximum ? -std::numeric_limits<float>::infinity() : std::numeric_limits<float>::infinity();
  V best = hn::Set(d, worst);
  V nans = hn::Zero(d);
  int64_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    const V v = hn::LoadU(d, x + i);
    best = maximum ? hn::Max(v, best) : hn::Min(v, best);
    nans = hn::IfThenElse(hn::IsNaN(v), v, nans);
  }
  float result = maximum ? hn::GetLane(hn::MaxOfLanes(d, best)) : hn::GetLane(hn::MinOfLanes(d, best));
  bool hasNan = !hn::AllFalse(d, hn::IsNaN(nans));
  for (; i < count; ++i) {
    hasNan |= x[i] != x[i];
    result = maximum ? (x[i] > result ? x[i] : result) : (x[i] < result ? x[i] : result);
  }
  return hasNan ? std::numeric_limits<float>::quiet_NaN() : result;
}

float extreme(bool maximum, const float* x, int64_t count) {
  return maximum ? extremeOf<true>(x, count) : extremeOf<false>(x, count);
}

template <Map map>
void addRowOf(const float* row, float* sums, int64_t width) {
  const D d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  int64_t i = 0;
  for (; i + lanes <= width; i += lanes)
    hn::StoreU(addMapped<map>(hn::LoadU(d, row + i), hn::LoadU(d, sums + i)), d, sums + i);
  for (; i < width; ++i)
    sums[i] += map == Map::kSquare ? row[i] * row[i] : (map == Map::kSize ? (row[i] < 0 ? -row[i] : row[i]) : row[i]);
}

void addRow(Map map, const float* row, float* sums, int64_t width) {
  if (map == Map::kSquare) return addRowOf<Map::kSquare>(row, sums, width);
  return map == Map::kSize ? addRowOf<Map::kSize>(row, sums, width) : addRowOf<Map::kIdentity>(row, sums, width);
}

int64_t findFirst(const float* x, int64_t count, float value) {
  const D d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  const bool nan = value != value;
  const V wanted = hn::Set(d, value);
  int64_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    const V v = hn::LoadU(d, x + i);
    if (!hn::AllFalse(d, nan ? hn::IsNaN(v) : hn::Eq(v, wanted))) break;
  }
  while (i < count && !(nan ? x[i] != x[i] : x[i] == value))
    ++i;
  return i;
}

int64_t argExtreme(bool maximum, const float* x, int64_t count, bool last) {
  const float value = extreme(maximum, x, count);
  if (!last) return findFirst(x, count, value);
  int64_t i = count - 1;
  while (i > 0 && !(value != value ? x[i] != x[i] : x[i] == value))
    --i;
  return i;
}

template <bool maximum, bool last>
void argRowOf(const float* row, float* best, int32_t* positions, int32_t index, int64_t width) {
  const D d;
  const hn::RebindToSigned<D> di;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  const auto here = hn::Set(di, index);
  int64_t i = 0;
  for (; i + lanes <= width; i += lanes) {
    const V candidate = hn::LoadU(d, row + i);
    const V held = hn::LoadU(d, best + i);
    auto wins = last ? (maximum ? hn::Ge(candidate, held) : hn::Le(candidate, held))
                     : (maximum ? hn::Gt(candidate, held) : hn::Lt(candidate, held));
    const auto nan = hn::IsNaN(candidate);
    wins = hn::Or(wins, last ? nan : hn::AndNot(hn::IsNaN(held), nan));
    hn::StoreU(hn::IfThenElse(wins, candidate, held), d, best + i);
    hn::StoreU(hn::IfThenElse(hn::RebindMask(di, wins), here, hn::LoadU(di, positions + i)), di, positions + i);
  }
  for (; i < width; ++i) {
    const bool nan = row[i] != row[i];
    const bool wins = (maximum ? row[i] > best[i] : row[i] < best[i]) | (last & (row[i] == best[i])) |
                      (nan & (last | (best[i] == best[i])));
    best[i] = wins ? row[i] : best[i];
    positions[i] = wins ? index : positions[i];
  }
}

void argRow(bool maximum, const float* row, float* best, int32_t* positions, int32_t index, int64_t width, bool last) {
  if (maximum)
    return last ? argRowOf<true, true>(row, best, positions, index, width)
                : argRowOf<true, false>(row, best, positions, index, width);
  return last ? argRowOf<false, true>(row, best, positions, index, width)
              : argRowOf<false, false>(row, best, positions, index, width);
}

}  // namespace HWY_NAMESPACE
}  // namespace cutaway::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cutaway::cpu {

HWY_EXPORT(blockSum);
HWY_EXPORT(extreme);
HWY_EXPORT(addRow);
HWY_EXPORT(argExtreme);
HWY_EXPORT(argRow);

int64_t vectorArgExtreme(bool maximum, const float* x, int64_t count, bool last) {
  return HWY_DYNAMIC_DISPATCH(argExtreme)(maximum, x, count, last);
}
void vectorArgRow(bool maximum, const float* row, float* best, int32_t* positions, int32_t index, int64_t width,
                  bool last) {
  HWY_DYNAMIC_DISPATCH(argRow)(maximum, row, best, positions, index, width, last);
}

float vectorBlockSum(Map map, const float* x, int64_t count) {
  return HWY_DYNAMIC_DISPATCH(blockSum)(map, x, count);
}
float vectorExtreme(bool maximum, const float* x, int64_t count) {
  return HWY_DYNAMIC_DISPATCH(extreme)(maximum, x, count);
}
void vectorAddRow(Map map, const float* row, float* sums, int64_t width) {
  HWY_DYNAMIC_DISPATCH(addRow)(map, row, sums, width);
}

}  // namespace cutaway::cpu
#endif
