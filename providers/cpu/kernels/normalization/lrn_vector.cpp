#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "providers/cpu/kernels/normalization/lrn_vector.cpp"
#include <hwy/foreach_target.h>  // before highway.h

#include "providers/cpu/kernels/normalization/lrn_vector.h"

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace cutaway::cpu {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::ScalableTag<float>;
using V = hn::Vec<D>;

void normalize(const float* neighbours, int64_t planes, const float* x, int64_t cells, float factor, float bias,
               float* to) {
  const D d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  const auto one = [&](auto&& load, int64_t i) {
    V sum = hn::Zero(d);
    for (int64_t plane = 0; plane < planes; ++plane) {
      const V value = load(neighbours + plane * cells + i);
      sum = hn::MulAdd(value, value, sum);
    }
    // Two square roots instead of a power.
    const V root = hn::Sqrt(hn::MulAdd(hn::Set(d, factor), sum, hn::Set(d, bias)));
    return hn::Div(load(x + i), hn::Mul(root, hn::Sqrt(root)));
  };
  int64_t i = 0;
  for (; i + lanes <= cells; i += lanes)
    hn::StoreU(one([&](const float* at) { return hn::LoadU(d, at); }, i), d, to + i);
  if (i == cells) return;
  const auto rest = hn::FirstN(d, static_cast<size_t>(cells - i));
  const auto partly = [&](const float* at) {
    HWY_ALIGN float values[HWY_MAX_BYTES / sizeof(float)] = {};
    for (int64_t k = 0; k < cells - i; ++k)
      values[k] = at[k];
    return hn::Load(d, values);
  };
  hn::BlendedStore(one(partly, i), rest, d, to + i);
}

}  // namespace HWY_NAMESPACE
}  // namespace cutaway::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cutaway::cpu {

HWY_EXPORT(normalize);

void normalizeAcross(const float* neighbours, int64_t planes, const float* x, int64_t cells, float factor, float bias,
                     float* to) {
  HWY_DYNAMIC_DISPATCH(normalize)(neighbours, planes, x, cells, factor, bias, to);
}

}  // namespace cutaway::cpu
#endif
