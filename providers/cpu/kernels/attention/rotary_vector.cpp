// Rotation of one head of floats, compiled for each vector width by Highway.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "providers/cpu/kernels/attention/rotary_vector.cpp"
#include <hwy/foreach_target.h>  // before highway.h

#include <hwy/highway.h>

#include "providers/cpu/kernels/attention/rotary.h"

HWY_BEFORE_NAMESPACE();
namespace cutaway::cpu::attention {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// The number of pairs done.
int64_t rotatePairs(const float* from, const Rotation<float>& rotation, float* to) {
  const hn::ScalableTag<float> d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  int64_t i = 0;
  for (; i + lanes <= rotation.half; i += lanes) {
    const auto cosine = hn::LoadU(d, rotation.cosine + i), sine = hn::LoadU(d, rotation.sine + i);
    auto real = hn::Undefined(d), imaginary = hn::Undefined(d);
    if (rotation.interleaved) {
      hn::LoadInterleaved2(d, from + 2 * i, real, imaginary);
    } else {
      real = hn::LoadU(d, from + i), imaginary = hn::LoadU(d, from + rotation.half + i);
    }
    const auto turnedReal = hn::NegMulAdd(imaginary, sine, hn::Mul(real, cosine)),
               turnedImaginary = hn::MulAdd(real, sine, hn::Mul(imaginary, cosine));
    if (rotation.interleaved) {
      hn::StoreInterleaved2(turnedReal, turnedImaginary, d, to + 2 * i);
    } else {
      hn::StoreU(turnedReal, d, to + i);
      hn::StoreU(turnedImaginary, d, to + rotation.half + i);
    }
  }
  return i;
}

}  // namespace HWY_NAMESPACE
}  // namespace cutaway::cpu::attention
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cutaway::cpu::attention {

HWY_EXPORT(rotatePairs);

int64_t rotatePairs(const float* from, const Rotation<float>& rotation, float* to) {
  return HWY_DYNAMIC_DISPATCH(rotatePairs)(from, rotation, to);
}

}  // namespace cutaway::cpu::attention
#endif
