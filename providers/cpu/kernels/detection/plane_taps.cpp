// See plane_taps.h. Compiled once per instruction set by Highway.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "providers/cpu/kernels/detection/plane_taps.cpp"
#include <hwy/foreach_target.h>  // before highway.h

#include "providers/cpu/kernels/detection/plane_taps.h"

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace cutaway::cpu {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

void readTaps(const PlaneTaps& taps, const float* plane, float* to, int64_t count) {
  const hn::ScalableTag<float> d;
  const hn::RebindToSigned<decltype(d)> di;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  const auto zero = hn::Zero(di);
  int64_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    auto sum = hn::Zero(d);
    for (int corner = 0; corner < 4; ++corner) {
      const auto cells = hn::LoadU(di, taps.cells[corner] + i);
      const auto inside = hn::RebindMask(d, hn::Gt(cells, hn::Set(di, -1)));
      const auto values = hn::IfThenElseZero(inside, hn::GatherIndex(d, plane, hn::Max(cells, zero)));
      sum = hn::MulAdd(hn::LoadU(d, taps.weights[corner] + i), values, sum);
    }
    hn::StoreU(sum, d, to + i);
  }
  for (; i < count; ++i) {
    float sum = 0;
    for (int corner = 0; corner < 4; ++corner) {
      const int32_t cell = taps.cells[corner][i];
      if (cell >= 0) sum += taps.weights[corner][i] * plane[cell];
    }
    to[i] = sum;
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace cutaway::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cutaway::cpu {

HWY_EXPORT(readTaps);

void vectorReadTaps(const PlaneTaps& taps, const float* plane, float* to, int64_t count) {
  HWY_DYNAMIC_DISPATCH(readTaps)(taps, plane, to, count);
}

}  // namespace cutaway::cpu
#endif
