#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "providers/cpu/kernels/normalization/lrn_cells.cpp"
#include <hwy/foreach_target.h>  // before highway.h

#include "providers/cpu/kernels/normalization/lrn_cells.h"

#include <cmath>

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace cutaway::cpu {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::ScalableTag<float>;
using V = hn::Vec<D>;

HWY_INLINE V divided(V x, V sum, V factor, V bias) {
  const V root = hn::Sqrt(hn::MulAdd(factor, sum, bias));
  return hn::Div(x, hn::Mul(root, hn::Sqrt(root)));
}

HWY_INLINE float divided(float x, float sum, float factor, float bias) {
  const float root = std::sqrt(std::fma(factor, sum, bias));
  return x / (root * std::sqrt(root));
}

void normalizeCell(const float* x, float* y, int64_t channels, int64_t before, int64_t after, float factor, float bias,
                   float* squares) {
  const D d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  const V factors = hn::Set(d, factor), biases = hn::Set(d, bias);
  float* own = squares + before;
  int64_t i = 0;
  for (; i + lanes <= channels; i += lanes) {
    const V value = hn::LoadU(d, x + i);
    hn::StoreU(hn::Mul(value, value), d, own + i);
  }
  for (; i < channels; ++i)
    own[i] = x[i] * x[i];
  for (i = 0; i + lanes <= channels; i += lanes) {
    V sum = hn::LoadU(d, own + i - before);
    for (int64_t shift = 1 - before; shift <= after; ++shift)
      sum = hn::Add(sum, hn::LoadU(d, own + i + shift));
    hn::StoreU(divided(hn::LoadU(d, x + i), sum, factors, biases), d, y + i);
  }
  for (; i < channels; ++i) {
    float sum = own[i - before];
    for (int64_t shift = 1 - before; shift <= after; ++shift)
      sum += own[i + shift];
    y[i] = divided(x[i], sum, factor, bias);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace cutaway::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cutaway::cpu {
HWY_EXPORT(normalizeCell);

void normalizeLrnCell(const float* x, float* y, int64_t channels, int64_t before, int64_t after, float factor,
                      float bias, float* squares) {
  HWY_DYNAMIC_DISPATCH(normalizeCell)(x, y, channels, before, after, factor, bias, squares);
}

}  // namespace cutaway::cpu
#endif  // HWY_ONCE
