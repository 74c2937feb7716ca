// The vector form of byte_arithmetic.h, compiled once per instruction set by Highway and chosen at run time.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "providers/cpu/kernels/quantize/byte_arithmetic.cpp"
#include <hwy/foreach_target.h>  // before highway.h

#include "providers/cpu/kernels/quantize/byte_arithmetic.h"

#include <cstring>
#include <limits>

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace cutaway::cpu {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using DF = hn::ScalableTag<float>;
using DI = hn::ScalableTag<int32_t>;
using VF = hn::Vec<DF>;
using VI = hn::Vec<DI>;

// One vector of an operand; `count` below the vector's length reads only so many.
template <typename T>
HWY_INLINE VI load(const ByteRun& run, int64_t at, size_t count) {
  const DI di;
  const hn::Rebind<T, DI> dt;
  const T* from = reinterpret_cast<const T*>(run.data);
  if (run.step == 0) return hn::Set(di, static_cast<int32_t>(from[0]));
  if (count == hn::Lanes(di)) return hn::PromoteTo(di, hn::LoadU(dt, from + at));
  HWY_ALIGN T buffer[HWY_MAX_BYTES] = {};
  std::memcpy(buffer, from + at, count);
  return hn::PromoteTo(di, hn::LoadU(dt, buffer));
}

template <typename T, bool isProduct>
void combine(const ByteRun& a, const ByteRun& b, int64_t count, const ByteArithmeticTerms& terms, uint8_t* y) {
  const DF df;
  const DI di;
  const hn::Rebind<T, DI> dt;
  const VI zeroA = hn::Set(di, terms.zeroA), zeroB = hn::Set(di, terms.zeroB);
  const VF factorA = hn::Set(df, terms.factorA), factorB = hn::Set(df, terms.factorB);
  // The zero points of a sum are one term, in onnxruntime's order of roundings.
  const float zeros =
      isProduct ? 0.0f
                : terms.factorA * static_cast<float>(terms.zeroA) + terms.factorB * static_cast<float>(terms.zeroB);
  const VF fixed = hn::Set(df, static_cast<float>(terms.zeroY) - zeros);
  const VF low = hn::Set(df, static_cast<float>(std::numeric_limits<T>::min())),
           high = hn::Set(df, static_cast<float>(std::numeric_limits<T>::max()));
  T* to = reinterpret_cast<T*>(y);
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(di));
  for (int64_t i = 0; i < count; i += lanes) {
    const size_t n = static_cast<size_t>(count - i < lanes ? count - i : lanes);
    const VI left = load<T>(a, i, n), right = load<T>(b, i, n);
    VF value;
    if constexpr (isProduct) {
      value = hn::MulAdd(hn::ConvertTo(df, hn::Mul(hn::Sub(left, zeroA), hn::Sub(right, zeroB))), factorA, fixed);
    } else {
      value = hn::MulAdd(hn::ConvertTo(df, left), factorA, hn::MulAdd(hn::ConvertTo(df, right), factorB, fixed));
    }
    value = hn::IfThenElse(hn::Gt(value, low), value, low);
    const auto bytes = hn::DemoteTo(dt, hn::NearestInt(hn::Min(value, high)));
    if (n == static_cast<size_t>(lanes)) {
      hn::StoreU(bytes, dt, to + i);
    } else {
      HWY_ALIGN T buffer[HWY_MAX_BYTES];
      hn::StoreU(bytes, dt, buffer);
      std::memcpy(to + i, buffer, n);
    }
  }
}

template <bool isProduct>
void combineAny(const ByteRun& a, const ByteRun& b, int64_t count, const ByteArithmeticTerms& terms, uint8_t* y) {
  if (terms.isSigned)
    combine<int8_t, isProduct>(a, b, count, terms, y);
  else
    combine<uint8_t, isProduct>(a, b, count, terms, y);
}

const ByteArithmetic* arithmetic() {
  static constexpr ByteArithmetic kArithmetic = {&combineAny<false>, &combineAny<true>};
  return &kArithmetic;
}

}  // namespace HWY_NAMESPACE
}  // namespace cutaway::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cutaway::cpu {

HWY_EXPORT(arithmetic);

const ByteArithmetic& byteArithmetic() {
  static const ByteArithmetic* const chosen = HWY_DYNAMIC_DISPATCH(arithmetic)();
  return *chosen;
}

}  // namespace cutaway::cpu
#endif
