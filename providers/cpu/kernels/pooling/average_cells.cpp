#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "providers/cpu/kernels/pooling/average_cells.cpp"
#include <hwy/foreach_target.h>  // before highway.h

#include "providers/cpu/kernels/pooling/average_cells.h"

#include <hwy/highway.h>

#include "providers/cpu/kernels/pooling/pool_cells.h"

HWY_BEFORE_NAMESPACE();
namespace cutaway::cpu {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <int vectors, class Tag>
HWY_INLINE void averageVectors(Tag d, const float* image, std::span<const int64_t> places, float divisor,
                               int64_t channel, float* y) {
  using V = hn::Vec<Tag>;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  V sums[vectors];
#pragma GCC unroll 4
  for (int i = 0; i < vectors; ++i)
    sums[i] = hn::LoadU(d, image + places[0] + channel + i * lanes);
  for (const int64_t place : places.subspan(1)) {
#pragma GCC unroll 4
    for (int i = 0; i < vectors; ++i)
      sums[i] = hn::Add(sums[i], hn::LoadU(d, image + place + channel + i * lanes));
  }
#pragma GCC unroll 4
  for (int i = 0; i < vectors; ++i)
    hn::StoreU(hn::Div(sums[i], hn::Set(d, divisor)), d, y + channel + i * lanes);
}

// Of the cells at `places`, for all channels. The last vector may overlap the one before: y is not read.
void averageOf(const float* image, std::span<const int64_t> places, float divisor, int64_t channels, float* y) {
  constexpr int kVectors = 4;
  const hn::ScalableTag<float> d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  int64_t i = 0;
  for (; i + kVectors * lanes <= channels; i += kVectors * lanes)
    averageVectors<kVectors>(d, image, places, divisor, i, y);
  for (; i + lanes <= channels; i += lanes)
    averageVectors<1>(d, image, places, divisor, i, y);
  if (i == channels) return;
  if (channels >= lanes) return averageVectors<1>(d, image, places, divisor, channels - lanes, y);
  for (; i < channels; ++i)
    averageVectors<1>(hn::CappedTag<float, 1>(), image, places, divisor, i, y);
}

}  // namespace HWY_NAMESPACE
}  // namespace cutaway::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cutaway::cpu {

HWY_EXPORT(averageOf);

void averageCells(int64_t images, int64_t channels, const Window& window, bool includePadding, const float* x,
                  float* y) {
  averagePoolCells<float>(images, channels, window, includePadding, x, y, HWY_DYNAMIC_DISPATCH(averageOf));
}

}  // namespace cutaway::cpu
#endif  // HWY_ONCE
