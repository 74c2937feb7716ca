// See run_vector.h. Compiled once per instruction set by Highway.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "providers/cpu/kernels/elementwise/run_vector.cpp"
#include <hwy/foreach_target.h>  // before highway.h

#include "providers/cpu/kernels/elementwise/run_vector.h"

#include <cmath>
#include <type_traits>

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace cutaway::cpu {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::ScalableTag<float>;

void classify(const float* x, uint8_t* to, int64_t count, bool nan, bool positive, bool negative) {
  const D d;
  const hn::RebindToUnsigned<D> du;
  const hn::Rebind<uint8_t, D> bytes;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  const auto high = hn::Set(d, INFINITY);
  const auto low = hn::Set(d, -INFINITY);
  const auto one = hn::Set(du, 1);
  const auto wanted = [&](bool flag) { return hn::Set(du, flag ? 1u : 0u); };
  const auto wantNan = wanted(nan), wantHigh = wanted(positive), wantLow = wanted(negative);
  int64_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    const auto v = hn::LoadU(d, x + i);
    const auto flag = [&](auto mask, auto want) {
      return hn::And(hn::VecFromMask(du, hn::RebindMask(du, mask)), want);
    };
    const auto found =
        hn::Or(flag(hn::IsNaN(v), wantNan), hn::Or(flag(hn::Eq(v, high), wantHigh), flag(hn::Eq(v, low), wantLow)));
    hn::StoreU(hn::TruncateTo(bytes, hn::And(found, one)), bytes, to + i);
  }
  for (; i < count; ++i)
    to[i] = (nan & (x[i] != x[i])) | (positive & (x[i] == INFINITY)) | (negative & (x[i] == -INFINITY));
}

template <typename T>
T truncatedOne(float x) {
  const bool fits = x >= -9223372036854775808.0f && x < 9223372036854775808.0f;
  return fits ? static_cast<T>(static_cast<uint64_t>(static_cast<int64_t>(x))) : T{0};
}

template <typename T>
void truncateTo(const float* x, T* to, int64_t count) {
  using Unsigned = std::make_unsigned_t<T>;
  const D d;
  const hn::RebindToSigned<D> di;
  const hn::RebindToUnsigned<D> du;
  const hn::Rebind<Unsigned, D> narrow;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  const auto limit = hn::Set(d, 2147483520.0f);
  auto* target = reinterpret_cast<Unsigned*>(to);
  int64_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    const auto v = hn::LoadU(d, x + i);
    if (!hn::AllTrue(d, hn::Le(hn::Abs(v), limit))) {
      for (int64_t k = i; k < i + lanes; ++k)
        to[k] = truncatedOne<T>(x[k]);
      continue;
    }
    const auto whole = hn::BitCast(du, hn::ConvertTo(di, v));
    if constexpr (sizeof(T) == 4)
      hn::StoreU(whole, du, target + i);
    else
      hn::StoreU(hn::TruncateTo(narrow, whole), narrow, target + i);
  }
  for (; i < count; ++i)
    to[i] = truncatedOne<T>(x[i]);
}

template <typename T>
void selectOf(const uint8_t* condition, const T* x, const T* y, T* to, int64_t count, int xStep, int yStep) {
  const hn::ScalableTag<T> d;
  const hn::Rebind<uint8_t, decltype(d)> bytes;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  const auto xFixed = hn::Set(d, *x);
  const auto yFixed = hn::Set(d, *y);
  const T xOne = *x, yOne = *y;  // to may lie over either
  int64_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    const auto flags = hn::LoadU(bytes, condition + i);
    const auto left = xStep == 1 ? hn::LoadU(d, x + i) : xFixed;
    const auto right = yStep == 1 ? hn::LoadU(d, y + i) : yFixed;
    if constexpr (sizeof(T) == 1) {
      hn::StoreU(hn::IfThenElse(hn::Ne(flags, hn::Zero(bytes)), left, right), d, to + i);
    } else if constexpr (sizeof(T) == 8) {
      const auto wide = hn::PromoteTo(d, hn::PromoteTo(hn::Rebind<uint32_t, decltype(d)>(), flags));
      hn::StoreU(hn::IfThenElse(hn::Ne(wide, hn::Zero(d)), left, right), d, to + i);
    } else {
      hn::StoreU(hn::IfThenElse(hn::Ne(hn::PromoteTo(d, flags), hn::Zero(d)), left, right), d, to + i);
    }
  }
  for (; i < count; ++i)
    to[i] = condition[i] != 0 ? (xStep == 1 ? x[i] : xOne) : (yStep == 1 ? y[i] : yOne);
}

#define CUTAWAY_RUN_LOOPS(T, name)                                                                          \
  void select##name(const uint8_t* c, const T* x, const T* y, T* to, int64_t count, int xStep, int yStep) { \
    selectOf(c, x, y, to, count, xStep, yStep);                                                             \
  }
CUTAWAY_RUN_LOOPS(uint8_t, Bytes)
CUTAWAY_RUN_LOOPS(uint16_t, Shorts)
CUTAWAY_RUN_LOOPS(uint32_t, Words)
CUTAWAY_RUN_LOOPS(uint64_t, LongWords)
#undef CUTAWAY_RUN_LOOPS

void truncateBytes(const float* x, uint8_t* to, int64_t count) {
  truncateTo(x, to, count);
}
void truncateShorts(const float* x, uint16_t* to, int64_t count) {
  truncateTo(x, to, count);
}
void truncateWords(const float* x, uint32_t* to, int64_t count) {
  truncateTo(x, to, count);
}

}  // namespace HWY_NAMESPACE
}  // namespace cutaway::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cutaway::cpu {

HWY_EXPORT(classify);
HWY_EXPORT(truncateBytes);
HWY_EXPORT(truncateShorts);
HWY_EXPORT(truncateWords);
HWY_EXPORT(selectBytes);
HWY_EXPORT(selectShorts);
HWY_EXPORT(selectWords);
HWY_EXPORT(selectLongWords);

void vectorClassify(const float* x, uint8_t* to, int64_t count, bool nan, bool positiveInfinity,
                    bool negativeInfinity) {
  HWY_DYNAMIC_DISPATCH(classify)(x, to, count, nan, positiveInfinity, negativeInfinity);
}

// Low bits are the same with and without a sign.
template <typename T>
void vectorTruncate(const float* x, T* to, int64_t count) {
  if constexpr (sizeof(T) == 1) HWY_DYNAMIC_DISPATCH(truncateBytes)(x, reinterpret_cast<uint8_t*>(to), count);
  if constexpr (sizeof(T) == 2) HWY_DYNAMIC_DISPATCH(truncateShorts)(x, reinterpret_cast<uint16_t*>(to), count);
  if constexpr (sizeof(T) == 4) HWY_DYNAMIC_DISPATCH(truncateWords)(x, reinterpret_cast<uint32_t*>(to), count);
}
template void vectorTruncate<int8_t>(const float*, int8_t*, int64_t);
template void vectorTruncate<uint8_t>(const float*, uint8_t*, int64_t);
template void vectorTruncate<int16_t>(const float*, int16_t*, int64_t);
template void vectorTruncate<uint16_t>(const float*, uint16_t*, int64_t);
template void vectorTruncate<int32_t>(const float*, int32_t*, int64_t);
template void vectorTruncate<uint32_t>(const float*, uint32_t*, int64_t);

template <>
void vectorSelect<uint8_t>(const uint8_t* condition, const uint8_t* x, const uint8_t* y, uint8_t* to, int64_t count,
                           int xStep, int yStep) {
  HWY_DYNAMIC_DISPATCH(selectBytes)(condition, x, y, to, count, xStep, yStep);
}
template <>
void vectorSelect<uint16_t>(const uint8_t* condition, const uint16_t* x, const uint16_t* y, uint16_t* to, int64_t count,
                            int xStep, int yStep) {
  HWY_DYNAMIC_DISPATCH(selectShorts)(condition, x, y, to, count, xStep, yStep);
}
template <>
void vectorSelect<uint32_t>(const uint8_t* condition, const uint32_t* x, const uint32_t* y, uint32_t* to, int64_t count,
                            int xStep, int yStep) {
  HWY_DYNAMIC_DISPATCH(selectWords)(condition, x, y, to, count, xStep, yStep);
}
template <>
void vectorSelect<uint64_t>(const uint8_t* condition, const uint64_t* x, const uint64_t* y, uint64_t* to, int64_t count,
                            int xStep, int yStep) {
  HWY_DYNAMIC_DISPATCH(selectLongWords)(condition, x, y, to, count, xStep, yStep);
}

}  // namespace cutaway::cpu
#endif
