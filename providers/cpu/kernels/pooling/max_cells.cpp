#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "providers/cpu/kernels/pooling/max_cells.cpp"
#include <hwy/foreach_target.h>  // before highway.h

#include "providers/cpu/kernels/pooling/max_cells.h"

#include <algorithm>
#include <limits>
#include <type_traits>

#include <hwy/highway.h>

#include "engine/math/exact_maximum.h"
#include "providers/cpu/kernels/pooling/pool_cells.h"
#include "providers/cpu/kernels/pooling/pool_vectors.h"

HWY_BEFORE_NAMESPACE();
namespace cutaway::cpu {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// The largest of several cells for the channels of some vectors. Sums tell whether one of them is no number (or that
// infinities of both signs meet, which costs no more than time).
template <int vectors, class Tag>
HWY_INLINE void foldVectors(Tag d, const float* image, const int64_t* places, size_t count, int64_t channel, float* y) {
  using V = hn::Vec<Tag>;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  V best[vectors], sum[vectors];
#pragma GCC unroll 4
  for (int i = 0; i < vectors; ++i)
    best[i] = sum[i] = hn::LoadU(d, image + places[0] + channel + i * lanes);
  for (size_t k = 1; k < count; ++k) {
    const float* cell = image + places[k] + channel;
#pragma GCC unroll 4
    for (int i = 0; i < vectors; ++i) {
      const V value = hn::LoadU(d, cell + i * lanes);
      best[i] = larger<false>(best[i], value);
      sum[i] = hn::Add(sum[i], value);
    }
  }
  V all = sum[0];
  for (int i = 1; i < vectors; ++i)
    all = hn::Add(all, sum[i]);
  const bool isOdd = !hn::AllFalse(d, hn::IsNaN(all));
  for (int i = 0; i < vectors; ++i) {
    if (HWY_UNLIKELY(isOdd)) {
      best[i] = hn::LoadU(d, image + places[0] + channel + i * lanes);
      for (size_t k = 1; k < count; ++k)
        best[i] = larger<true>(best[i], hn::LoadU(d, image + places[k] + channel + i * lanes));
    }
    hn::StoreU(best[i], d, y + channel + i * lanes);
  }
}

// The same for all channels. The last vector may overlap the one before: y is not read.
void foldCells(const float* image, const int64_t* places, size_t count, int64_t channels, float* y) {
  constexpr int kVectors = 4;
  const D d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  const hn::CappedTag<float, 4> few;
  const int64_t fewLanes = static_cast<int64_t>(hn::Lanes(few));
  int64_t i = 0;
  for (; i + kVectors * lanes <= channels; i += kVectors * lanes)
    foldVectors<kVectors>(d, image, places, count, i, y);
  for (; i + lanes <= channels; i += lanes)
    foldVectors<1>(d, image, places, count, i, y);
  if (i == channels) return;
  if (channels >= lanes) return foldVectors<1>(d, image, places, count, channels - lanes, y);
  for (; i + fewLanes <= channels; i += fewLanes)
    foldVectors<1>(few, image, places, count, i, y);
  for (; i < channels; ++i) {
    float best = image[places[0] + i];
    for (size_t k = 1; k < count; ++k) {
      const float value = image[places[k] + i];
      best = math::isNewMaximum(value, best) ? value : best;
    }
    y[i] = best;
  }
}

template <typename D, typename T>
HWY_INLINE void foldBytes(D d, const T* image, const int64_t* places, size_t count, int64_t channel, T* y) {
  auto best = hn::LoadU(d, image + places[0] + channel);
  for (size_t k = 1; k < count; ++k)
    best = hn::Max(best, hn::LoadU(d, image + places[k] + channel));
  hn::StoreU(best, d, y + channel);
}

template <typename T>
HWY_INLINE void foldByteCells(const T* image, const int64_t* places, size_t count, int64_t channels, T* y) {
  const hn::ScalableTag<T> d;
  const hn::CappedTag<T, 16> few;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d)), fewLanes = static_cast<int64_t>(hn::Lanes(few));
  int64_t i = 0;
  for (; i + lanes <= channels; i += lanes)
    foldBytes(d, image, places, count, i, y);
  for (; i + fewLanes <= channels; i += fewLanes)
    foldBytes(few, image, places, count, i, y);
  for (; i < channels; ++i) {
    y[i] = image[places[0] + i];
    for (size_t k = 1; k < count; ++k)
      y[i] = std::max(y[i], image[places[k] + i]);
  }
}

void foldSigned(const int8_t* image, const int64_t* places, size_t count, int64_t channels, int8_t* y) {
  foldByteCells(image, places, count, channels, y);
}

void foldUnsigned(const uint8_t* image, const int64_t* places, size_t count, int64_t channels, uint8_t* y) {
  foldByteCells(image, places, count, channels, y);
}

}  // namespace HWY_NAMESPACE
}  // namespace cutaway::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cutaway::cpu {
HWY_EXPORT(foldCells);
HWY_EXPORT(foldSigned);
HWY_EXPORT(foldUnsigned);

namespace {

template <typename T, typename Fold>
void maxPoolCellsWith(int64_t images, int64_t channels, const Window& window, const T* x, T* y, Fold fold) {
  constexpr T kLowest = std::is_same_v<T, float> ? math::kLowestMaximum<T> : std::numeric_limits<T>::lowest();
  const int64_t inCells = window.inputCells(), outCells = window.outputCells(), rows = window.output[0];
  const int64_t rowWork = outCells / std::max<int64_t>(1, rows) * channels * window.kernelCells();
  parallelFor(images * rows, std::max<int64_t>(1, 16384 / std::max<int64_t>(1, rowWork)),
              [&](int64_t begin, int64_t end) {
                CellOffsets offsets(window.kernelCells());
                for (int64_t row = begin; row < end; ++row) {
                  const T* image = x + row / rows * inCells * channels;
                  T* target = y + row / rows * outCells * channels;
                  visitWindows(window, channels, row % rows, offsets.span(),
                               [&](int64_t cell, const WindowDims&, std::span<const int64_t> places) {
                                 if (places.empty())
                                   std::fill_n(target + cell * channels, channels, kLowest);
                                 else
                                   fold(image, places.data(), places.size(), channels, target + cell * channels);
                               });
                }
              });
}
}  // namespace

void maxPoolCells(int64_t images, int64_t channels, const Window& window, const float* x, float* y) {
  maxPoolCellsWith(images, channels, window, x, y, HWY_DYNAMIC_DISPATCH(foldCells));
}

void maxPoolCells(int64_t images, int64_t channels, const Window& window, const int8_t* x, int8_t* y) {
  maxPoolCellsWith(images, channels, window, x, y, HWY_DYNAMIC_DISPATCH(foldSigned));
}

void maxPoolCells(int64_t images, int64_t channels, const Window& window, const uint8_t* x, uint8_t* y) {
  maxPoolCellsWith(images, channels, window, x, y, HWY_DYNAMIC_DISPATCH(foldUnsigned));
}

}  // namespace cutaway::cpu
#endif  // HWY_ONCE
