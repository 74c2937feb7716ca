// One token of linear attention by vectors, compiled for each width by Highway.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "providers/cpu/kernels/attention/linear_step.cpp"
// Strips are arrays of vectors, which types without a size do not allow.
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#include <hwy/foreach_target.h>  // before highway.h

#include "providers/cpu/kernels/attention/linear_step.h"

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace cutaway::cpu::attention {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::ScalableTag<float>;
using V = hn::Vec<D>;
constexpr int64_t kLanes = static_cast<int64_t>(hn::MaxLanes(D()));

template <int N, bool kDecays, bool kDelta>
HWY_INLINE void strip(const LinearStep& step, float* HWY_RESTRICT state, const float* value, float* out) {
  const D d;
  V rest[N], sum[N];
  HWY_UNROLL(8)
  for (int n = 0; n < N; ++n)
    rest[n] = sum[n] = hn::Zero(d);
  for (int64_t i = 0; kDelta && i < step.keySize; ++i) {
    const V key = hn::Set(d, kDecays ? step.key[i] * step.decay[i] : step.key[i]);
    HWY_UNROLL(8)
    for (int n = 0; n < N; ++n)
      rest[n] = hn::MulAdd(key, hn::LoadU(d, state + i * step.valueSize + n * kLanes), rest[n]);
  }
  HWY_UNROLL(8)
  for (int n = 0; n < N; ++n)
    rest[n] = hn::Mul(hn::Set(d, step.rate), hn::Sub(hn::LoadU(d, value + n * kLanes), rest[n]));
  for (int64_t i = 0; i < step.keySize; ++i) {
    float* row = state + i * step.valueSize;
    const V key = hn::Set(d, step.key[i]), query = hn::Set(d, step.query[i]);
    HWY_UNROLL(8)
    for (int n = 0; n < N; ++n) {
      V each = hn::LoadU(d, row + n * kLanes);
      if (kDecays) each = hn::Mul(each, hn::Set(d, step.decay[i]));
      each = hn::MulAdd(key, rest[n], each);
      hn::StoreU(each, d, row + n * kLanes);
      sum[n] = hn::MulAdd(query, each, sum[n]);
    }
  }
  HWY_UNROLL(8)
  for (int n = 0; n < N; ++n)
    hn::StoreU(sum[n], d, out + n * kLanes);
}

// The number of columns done.
template <bool kDecays, bool kDelta>
int64_t stripsOf(const LinearStep& step, float* state, float* out) {
  int64_t c = 0;
  for (; c + 4 * kLanes <= step.valueSize; c += 4 * kLanes)
    strip<4, kDecays, kDelta>(step, state + c, step.value + c, out + c);
  for (; c + kLanes <= step.valueSize; c += kLanes)
    strip<1, kDecays, kDelta>(step, state + c, step.value + c, out + c);
  return c;
}

int64_t strips(const LinearStep& step, float* state, float* out) {
  if (step.decay != nullptr)
    return step.delta ? stripsOf<true, true>(step, state, out) : stripsOf<true, false>(step, state, out);
  return step.delta ? stripsOf<false, true>(step, state, out) : stripsOf<false, false>(step, state, out);
}

void readColumns(const LinearStep& step, const float* state, float* out) {
  const D d;
  int64_t c = 0;
  for (; c + kLanes <= step.valueSize; c += kLanes) {
    V sum = hn::Zero(d);
    for (int64_t i = 0; i < step.keySize; ++i)
      sum = hn::MulAdd(hn::Set(d, step.query[i]), hn::LoadU(d, state + i * step.valueSize + c), sum);
    hn::StoreU(sum, d, out + c);
  }
  for (; c < step.valueSize; ++c) {
    out[c] = 0.0f;
    for (int64_t i = 0; i < step.keySize; ++i)
      out[c] += step.query[i] * state[i * step.valueSize + c];
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace cutaway::cpu::attention
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cutaway::cpu::attention {

HWY_EXPORT(strips);
HWY_EXPORT(readColumns);

void linearStep(const LinearStep& step, float* state, float* out) {
  linearStepReference(step, HWY_DYNAMIC_DISPATCH(strips)(step, state, out), state, out);
}
void readState(const LinearStep& step, const float* state, float* out) {
  HWY_DYNAMIC_DISPATCH(readColumns)(step, state, out);
}

}  // namespace cutaway::cpu::attention
#endif
