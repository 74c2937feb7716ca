#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "providers/cpu/kernels/pooling/average_cells.cpp"
#include <hwy/foreach_target.h>  // before highway.h

#include "providers/cpu/kernels/pooling/average_cells.h"

#include <algorithm>

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
  const auto average = HWY_DYNAMIC_DISPATCH(averageOf);
  const AverageFold<float> fold{window, includePadding};
  const int64_t inCells = window.inputCells(), outCells = window.outputCells(), rows = window.output[0];
  const int64_t rowWork = outCells / std::max<int64_t>(1, rows) * channels * window.kernelCells();
  constexpr int64_t kWorkOfPart = 16384;  // numbers that pay for another thread
  parallelFor(images * rows, std::max<int64_t>(1, kWorkOfPart / std::max<int64_t>(1, rowWork)),
              [&](int64_t begin, int64_t end) {
                CellOffsets offsets(window.kernelCells());
                for (int64_t row = begin; row < end; ++row) {
                  const float* image = x + row / rows * inCells * channels;
                  float* target = y + row / rows * outCells * channels;
                  visitWindows(window, channels, row % rows, offsets.span(),
                               [&](int64_t cell, const WindowDims& out, std::span<const int64_t> places) {
                                 int64_t count = 1;
                                 for (size_t axis = 0; axis < window.rank; ++axis)
                                   count *= fold.cells(axis, out[axis]);
                                 float* result = target + cell * channels;
                                 if (places.empty() || count < 1)
                                   std::fill_n(result, channels, 0.0f);
                                 else
                                   average(image, places, static_cast<float>(count), channels, result);
                               });
                }
              });
}

}  // namespace cutaway::cpu
#endif  // HWY_ONCE
