#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "providers/cpu/kernels/pooling/max_vector.cpp"
#include <hwy/foreach_target.h>  // before highway.h

#include "providers/cpu/kernels/pooling/max_vector.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <hwy/highway.h>

#include "engine/math/exact_maximum.h"
#include "providers/cpu/kernels/pooling/pool_cells.h"

#ifndef CUTAWAY_PLANE_POOL
#define CUTAWAY_PLANE_POOL
namespace cutaway::cpu {
namespace {
// Windows on planes, and the lines that their rows are folded into.
struct PlanePool {
  int64_t height = 1, width = 1, outHeight = 1, outWidth = 1;
  int64_t kernelDown = 1, kernelAcross = 1, strideDown = 1, strideAcross = 1, dilationDown = 1, dilationAcross = 1;
  int64_t padTop = 0, padLeft = 0;
  int64_t read = 0;        // columns of the plane that windows see
  int64_t lineFloats = 0;  // with room for vectors that read beyond
};
}  // namespace
}  // namespace cutaway::cpu
#endif

HWY_BEFORE_NAMESPACE();
namespace cutaway::cpu {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::ScalableTag<float>;
using V = hn::Vec<D>;
constexpr bool kHasMasks = HWY_TARGET <= HWY_AVX2;  // loads and stores of a part of a vector touch nothing else

// The rule of math::isNewMaximum. x86 takes the second of two zeros, and of two of which one is no number.
HWY_INLINE V larger(V best, V value) {
#if HWY_ARCH_X86
  return hn::IfThenElse(hn::IsNaN(value), value, hn::Max(value, best));
#else
  return hn::IfThenElse(hn::Or(hn::Gt(value, best), hn::IsNaN(value)), value, best);
#endif
}

void foldInto(const float* from, float* best, int64_t count) {
  const D d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  int64_t i = 0;
  for (; i + lanes <= count; i += lanes)
    hn::StoreU(larger(hn::LoadU(d, best + i), hn::LoadU(d, from + i)), d, best + i);
  for (; i < count; ++i)
    best[i] = math::isNewMaximum(from[i], best[i]) ? from[i] : best[i];
}

// A vector of neighbouring outputs, with stride 1 and 2.
HWY_INLINE V largestAlong(const float* row, int64_t kernel, int64_t dilation) {
  const D d;
  V best = hn::LoadU(d, row);
  for (int64_t k = 1; k < kernel; ++k)
    best = larger(best, hn::LoadU(d, row + k * dilation));
  return best;
}

HWY_INLINE V largestOfEverySecond(const float* row, int64_t kernel, int64_t dilation) {
  const D d;
  V best, other;
  hn::LoadInterleaved2(d, row, best, other);
  int64_t k = 1;
  if (dilation == 1 && kernel > 1) {
    best = larger(best, other);
    ++k;
  }
  for (; k < kernel; ++k) {
    V even, odd;
    hn::LoadInterleaved2(d, row + k * dilation, even, odd);
    best = larger(best, even);
    if (dilation == 1 && k + 1 < kernel) {
      best = larger(best, odd);
      ++k;
    }
  }
  return best;
}

// The last vector of outputs overlaps the one before, or is cut: y is not read.
template <typename VectorAt>
HWY_INLINE void storeOutputs(float* y, int64_t count, const VectorAt& vectorAt) {
  const D d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  int64_t i = 0;
  for (; i + lanes <= count; i += lanes)
    hn::StoreU(vectorAt(i), d, y + i);
  if (i == count) return;
  if (count >= lanes) return hn::StoreU(vectorAt(count - lanes), d, y + count - lanes);
  if constexpr (kHasMasks) return hn::BlendedStore(vectorAt(0), hn::FirstN(d, static_cast<size_t>(count)), d, y);
  HWY_ALIGN float all[HWY_MAX_BYTES / sizeof(float)];
  hn::Store(vectorAt(0), d, all);
  std::copy_n(all, count, y);
}

// Output i is the largest of row[i * stride + k * dilation] for k < kernel. Reads up to two vectors past the last one.
void foldAlong(const float* row, int64_t kernel, int64_t stride, int64_t dilation, float* y, int64_t count) {
  if (stride == 1)
    return storeOutputs(y, count, [&](int64_t i) HWY_ATTR { return largestAlong(row + i, kernel, dilation); });
  if (stride == 2)
    return storeOutputs(y, count,
                        [&](int64_t i) HWY_ATTR { return largestOfEverySecond(row + 2 * i, kernel, dilation); });
  for (int64_t i = 0; i < count; ++i) {
    float best = row[i * stride];
    for (int64_t k = 1; k < kernel; ++k) {
      const float value = row[i * stride + k * dilation];
      best = math::isNewMaximum(value, best) ? value : best;
    }
    y[i] = best;
  }
}

// line[i] is the largest of rows[i + k * step] for k < count. A vector that is not full ends in the lowest number, as
// what stands behind a line does.
void foldDown(const float* rows, int64_t count, int64_t step, int64_t width, float* line) {
  const D d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  const auto largestAt = [&](int64_t i, const auto& load) HWY_ATTR {
    V best = load(rows + i);
    for (int64_t k = 1; k < count; ++k)
      best = larger(best, load(rows + k * step + i));
    return best;
  };
  const auto load = [&](const float* from) HWY_ATTR { return hn::LoadU(d, from); };
  int64_t i = 0;
  for (; i + lanes <= width; i += lanes)
    hn::StoreU(largestAt(i, load), d, line + i);
  if (i == width) return;
  if (width >= lanes) return hn::StoreU(largestAt(width - lanes, load), d, line + width - lanes);
  if constexpr (kHasMasks) {
    const auto there = hn::FirstN(d, static_cast<size_t>(width));
    const V best = largestAt(0, [&](const float* from) HWY_ATTR { return hn::MaskedLoad(there, d, from); });
    return hn::StoreU(hn::IfThenElse(there, best, hn::Set(d, math::kLowestMaximum<float>)), d, line);
  }
  for (; i < width; ++i) {
    line[i] = rows[i];
    for (int64_t k = 1; k < count; ++k)
      line[i] = math::isNewMaximum(rows[k * step + i], line[i]) ? rows[k * step + i] : line[i];
  }
}

// Rows [first, last) of a plane's results. lines: one after the other, with the lowest number left and right of what
// the plane has. All are folded down before the first is read along: a vector is not read again while it is stored.
void foldPlane(const PlanePool& pool, const float* plane, int64_t first, int64_t last, float* lines, float* y) {
  for (int64_t row = first; row < last; ++row) {
    const int64_t top = row * pool.strideDown - pool.padTop;
    const int64_t begin = top < 0 ? (-top + pool.dilationDown - 1) / pool.dilationDown : 0;
    const int64_t end = top < pool.height
                            ? std::min(pool.kernelDown, (pool.height - top + pool.dilationDown - 1) / pool.dilationDown)
                            : 0;
    float* line = lines + (row - first) * pool.lineFloats + pool.padLeft;
    if (begin >= end)
      std::fill_n(line, pool.read, math::kLowestMaximum<float>);
    else
      foldDown(plane + (top + begin * pool.dilationDown) * pool.width, end - begin, pool.dilationDown * pool.width,
               pool.read, line);
  }
  for (int64_t row = first; row < last; ++row)
    foldAlong(lines + (row - first) * pool.lineFloats, pool.kernelAcross, pool.strideAcross, pool.dilationAcross,
              y + row * pool.outWidth, pool.outWidth);
}

// The largest of several cells for the channels of one vector.
template <class Tag>
HWY_INLINE void foldVector(Tag d, const float* image, const int64_t* places, size_t count, int64_t channel, float* y) {
  auto best = hn::LoadU(d, image + places[0] + channel);
  for (size_t k = 1; k < count; ++k) {
    const auto value = hn::LoadU(d, image + places[k] + channel);
    best = hn::IfThenElse(hn::Or(hn::Gt(value, best), hn::IsNaN(value)), value, best);
  }
  hn::StoreU(best, d, y + channel);
}

// The same for all channels. The last vector may overlap the one before: y is not read.
void foldCells(const float* image, const int64_t* places, size_t count, int64_t channels, float* y) {
  const D d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  const hn::CappedTag<float, 4> few;
  const int64_t fewLanes = static_cast<int64_t>(hn::Lanes(few));
  int64_t i = 0;
  for (; i + lanes <= channels; i += lanes)
    foldVector(d, image, places, count, i, y);
  if (i == channels) return;
  if (channels >= lanes) return foldVector(d, image, places, count, channels - lanes, y);
  for (; i + fewLanes <= channels; i += fewLanes)
    foldVector(few, image, places, count, i, y);
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
HWY_EXPORT(foldInto);
HWY_EXPORT(foldAlong);
HWY_EXPORT(foldPlane);
HWY_EXPORT(foldCells);
HWY_EXPORT(foldSigned);
HWY_EXPORT(foldUnsigned);

namespace {
// Positions of a row that are folded at once, and room for vectors that read beyond them.
constexpr int64_t kPositions = 2048, kBeyond = 256;

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

namespace {

constexpr int64_t kLineFloats = 4096;  // of all lines that are folded together

std::optional<PlanePool> planePoolOf(const Window& window) {
  if (window.rank > 2) return std::nullopt;
  const size_t across = window.rank - 1;
  PlanePool pool{.width = window.input[across],
                 .outWidth = window.output[across],
                 .kernelAcross = window.kernel[across],
                 .strideAcross = window.strides[across],
                 .dilationAcross = window.dilations[across],
                 .padLeft = window.padsBegin[across]};
  if (window.rank == 2) {
    pool.height = window.input[0];
    pool.outHeight = window.output[0];
    pool.kernelDown = window.kernel[0];
    pool.strideDown = window.strides[0];
    pool.dilationDown = window.dilations[0];
    pool.padTop = window.padsBegin[0];
  }
  const int64_t length = (pool.outWidth - 1) * pool.strideAcross + window.extent(across);
  pool.read = std::clamp<int64_t>(length - pool.padLeft, 0, pool.width);
  pool.lineFloats = std::max(length, pool.padLeft + pool.read) + kBeyond / 4;
  return pool.padLeft >= 0 && pool.lineFloats <= kLineFloats ? std::optional(pool) : std::nullopt;
}

void maxPoolImages(int64_t planes, const PlanePool& pool, const float* x, float* y) {
  const int64_t rows = std::clamp<int64_t>(kLineFloats / pool.lineFloats, 1, pool.outHeight);
  const int64_t blocks = (pool.outHeight + rows - 1) / rows;
  const int64_t work = rows * pool.outWidth * (pool.kernelDown * pool.strideAcross + pool.kernelAcross);
  parallelFor(planes * blocks, std::max<int64_t>(1, 16384 / work), [&](int64_t begin, int64_t end) {
    alignas(64) float lines[kLineFloats + kBeyond];
    std::fill_n(lines, kLineFloats + kBeyond, math::kLowestMaximum<float>);
    for (int64_t block = begin; block < end; ++block) {
      const int64_t plane = block / blocks, first = block % blocks * rows;
      HWY_DYNAMIC_DISPATCH(foldPlane)
      (pool, x + plane * pool.height * pool.width, first, std::min(pool.outHeight, first + rows), lines,
       y + plane * pool.outHeight * pool.outWidth);
    }
  });
}

}  // namespace

bool fitsVectorRows(const Window& window) {
  const size_t last = window.rank - 1;
  return window.extent(last) + window.strides[last] <= kPositions / 2;
}

void maxPoolPlanes(int64_t planes, const Window& window, const float* x, float* y) {
  if (const auto pool = planePoolOf(window)) return maxPoolImages(planes, *pool, x, y);
  const size_t last = window.rank - 1;
  const int64_t width = window.input[last], columns = window.output[last], stride = window.strides[last];
  const int64_t extent = window.extent(last);
  const int64_t rows = window.outputCells() / columns, inCells = window.inputCells();
  const int64_t most = (kPositions - extent) / stride + 1;  // columns of one piece
  const int64_t grain = std::max<int64_t>(1, 16384 / std::max<int64_t>(1, columns * window.kernelCells()));
  parallelFor(planes * rows, grain, [&](int64_t begin, int64_t end) {
    alignas(64) float line[kPositions + kBeyond];
    std::fill_n(line, kPositions + kBeyond, math::kLowestMaximum<float>);
    for (int64_t row = begin; row < end; ++row) {
      const float* plane = x + row / rows * inCells;
      WindowDims out{};
      int64_t rest = row % rows;
      for (size_t axis = last; axis-- > 0; rest /= window.output[axis])
        out[axis] = rest % window.output[axis];
      for (int64_t column = 0; column < columns; column += most) {
        const int64_t count = std::min(most, columns - column);
        // line[i] is position start + i of the row.
        const int64_t start = column * stride - window.padsBegin[last], length = (count - 1) * stride + extent;
        const int64_t first = std::clamp<int64_t>(-start, 0, length),
                      end = std::clamp<int64_t>(width - start, first, length);
        std::fill_n(line, first, math::kLowestMaximum<float>);
        std::fill_n(line + end, length - end, math::kLowestMaximum<float>);
        bool isEmpty = true;
        visitOuterCells(window, out, [&](const WindowDims& position) {
          int64_t offset = 0;
          for (size_t axis = 0; axis < last; ++axis)
            offset = offset * window.input[axis] + position[axis];
          if (end == first) return;
          const float* from = plane + offset * width + start + first;
          if (std::exchange(isEmpty, false))
            std::copy_n(from, end - first, line + first);
          else
            HWY_DYNAMIC_DISPATCH(foldInto)(from, line + first, end - first);
        });
        if (isEmpty) std::fill_n(line + first, end - first, math::kLowestMaximum<float>);
        HWY_DYNAMIC_DISPATCH(foldAlong)
        (line, window.kernel[last], stride, window.dilations[last], y + row * columns + column, count);
      }
    }
  });
}

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
