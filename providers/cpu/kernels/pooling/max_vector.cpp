#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "providers/cpu/kernels/pooling/max_vector.cpp"
#include <hwy/foreach_target.h>  // before highway.h

#include "providers/cpu/kernels/pooling/max_vector.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <hwy/highway.h>

#include "engine/math/exact_maximum.h"
#include "providers/cpu/kernels/pooling/pool_rows.h"
#include "providers/cpu/kernels/pooling/pool_vectors.h"

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

// Whether a value is no number; true also where infinities of both signs meet.
bool mayBeOdd(const float* values, int64_t count) {
  const D d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  V sum0 = hn::Zero(d), sum1 = sum0, sum2 = sum0, sum3 = sum0;
  int64_t i = 0;
  for (; i + 4 * lanes <= count; i += 4 * lanes) {
    sum0 = hn::Add(sum0, hn::LoadU(d, values + i));
    sum1 = hn::Add(sum1, hn::LoadU(d, values + i + lanes));
    sum2 = hn::Add(sum2, hn::LoadU(d, values + i + 2 * lanes));
    sum3 = hn::Add(sum3, hn::LoadU(d, values + i + 3 * lanes));
  }
  for (; i + lanes <= count; i += lanes)
    sum0 = hn::Add(sum0, hn::LoadU(d, values + i));
  float rest = 0;
  for (; i < count; ++i)
    rest += values[i];
  return rest != rest || !hn::AllFalse(d, hn::IsNaN(hn::Add(hn::Add(sum0, sum1), hn::Add(sum2, sum3))));
}

void foldInto(const float* from, float* best, int64_t count) {
  const D d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  int64_t i = 0;
  for (; i + lanes <= count; i += lanes)
    hn::StoreU(larger<true>(hn::LoadU(d, best + i), hn::LoadU(d, from + i)), d, best + i);
  for (; i < count; ++i)
    best[i] = math::isNewMaximum(from[i], best[i]) ? from[i] : best[i];
}

// A vector of neighbouring outputs, with stride 1 and 2.
template <bool odd>
HWY_INLINE V largestAlong(const float* row, int64_t kernel, int64_t dilation) {
  const D d;
  V best = hn::LoadU(d, row);
  for (int64_t k = 1; k < kernel; ++k)
    best = larger<odd>(best, hn::LoadU(d, row + k * dilation));
  return best;
}

// Every second number from row on, and those between them.
HWY_INLINE V evenOf(const float* row) {
  const D d;
#if HWY_TARGET == HWY_SCALAR
  return hn::LoadU(d, row);
#else
  return hn::ConcatEven(d, hn::LoadU(d, row + hn::Lanes(d)), hn::LoadU(d, row));
#endif
}

HWY_INLINE V oddOf(const float* row) {
  const D d;
#if HWY_TARGET == HWY_SCALAR
  return hn::LoadU(d, row + 1);
#else
  return hn::ConcatOdd(d, hn::LoadU(d, row + hn::Lanes(d)), hn::LoadU(d, row));
#endif
}

template <bool odd>
HWY_INLINE V largestOfEverySecond(const float* row, int64_t kernel, int64_t dilation) {
  V best = evenOf(row);
  int64_t k = 1;
  if (dilation == 1 && kernel > 1) best = larger<odd>(best, oddOf(row)), ++k;
  for (; k < kernel; ++k) {
    const float* cells = row + k * dilation;
    best = larger<odd>(best, evenOf(cells));
    if (dilation == 1 && k + 1 < kernel) best = larger<odd>(best, oddOf(cells)), ++k;
  }
  return best;
}

// The same with stride 3 and 4: numbers so far apart are parts of one load.
template <bool odd, int64_t stride>
HWY_INLINE V largestOfEvery(const float* row, int64_t kernel) {
  const D d;
  V best, parts[4];
  for (int64_t k = 0; k < kernel; k += stride) {
    if constexpr (stride == 3)
      hn::LoadInterleaved3(d, row + k, parts[0], parts[1], parts[2]);
    else
      hn::LoadInterleaved4(d, row + k, parts[0], parts[1], parts[2], parts[3]);
    for (int64_t part = 0; part < stride && k + part < kernel; ++part)
      best = k + part == 0 ? parts[0] : larger<odd>(best, parts[part]);
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

template <bool odd>
HWY_INLINE void foldAlongOf(const float* row, int64_t kernel, int64_t stride, int64_t dilation, float* y,
                            int64_t count) {
  if (dilation == 1 && (stride == 3 || stride == 4)) {
    withCount(kernel, [&](auto known) HWY_ATTR {
      const int64_t cells = decltype(known)::value > 0 ? decltype(known)::value : kernel;
      if (stride == 3)
        storeOutputs(y, count, [&](int64_t i) HWY_ATTR { return largestOfEvery<odd, 3>(row + 3 * i, cells); });
      else
        storeOutputs(y, count, [&](int64_t i) HWY_ATTR { return largestOfEvery<odd, 4>(row + 4 * i, cells); });
    });
    return;
  }
  if (stride > 2) {
    for (int64_t i = 0; i < count; ++i) {
      float best = row[i * stride];
      for (int64_t k = 1; k < kernel; ++k) {
        const float value = row[i * stride + k * dilation];
        best = math::isNewMaximum(value, best) ? value : best;
      }
      y[i] = best;
    }
    return;
  }
  withCount(dilation == 1 ? kernel : 0, [&](auto known) HWY_ATTR {
    constexpr int64_t kKnown = decltype(known)::value;
    const int64_t cells = kKnown > 0 ? kKnown : kernel, apart = kKnown > 0 ? 1 : dilation;
    if (stride == 1)
      storeOutputs(y, count, [&](int64_t i) HWY_ATTR { return largestAlong<odd>(row + i, cells, apart); });
    else
      storeOutputs(y, count, [&](int64_t i) HWY_ATTR { return largestOfEverySecond<odd>(row + 2 * i, cells, apart); });
  });
}

// Output i is the largest of row[i * stride + k * dilation] for k < kernel. Reads up to four vectors past the last one.
void foldAlong(const float* row, int64_t kernel, int64_t stride, int64_t dilation, float* y, int64_t count) {
  foldAlongOf<true>(row, kernel, stride, dilation, y, count);
}

// line[i] is the largest of rows[i + k * step] for k < count. A vector that is not full ends in the lowest number, as
// what stands behind a line does.
template <bool odd>
HWY_INLINE void foldDown(const float* rows, int64_t count, int64_t step, int64_t width, float* line) {
  const D d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  const auto largestAt = [&](int64_t i, int64_t cells, const auto& load) HWY_ATTR {
    V best = load(rows + i);
    for (int64_t k = 1; k < cells; ++k)
      best = larger<odd>(best, load(rows + k * step + i));
    return best;
  };
  const auto load = [&](const float* from) HWY_ATTR { return hn::LoadU(d, from); };
  if (width >= lanes) {
    withCount(count, [&](auto known) HWY_ATTR {
      const int64_t cells = decltype(known)::value > 0 ? decltype(known)::value : count;
      for (int64_t i = 0; i + lanes <= width; i += lanes)
        hn::StoreU(largestAt(i, cells, load), d, line + i);
      if (width % lanes != 0) hn::StoreU(largestAt(width - lanes, cells, load), d, line + width - lanes);
    });
    return;
  }
  if constexpr (kHasMasks) {
    const auto there = hn::FirstN(d, static_cast<size_t>(width));
    const auto part = [&](const float* from) HWY_ATTR { return hn::MaskedLoad(there, d, from); };
    withCount(count, [&](auto known) HWY_ATTR {
      const V best = largestAt(0, decltype(known)::value > 0 ? decltype(known)::value : count, part);
      hn::StoreU(hn::IfThenElse(there, best, hn::Set(d, math::kLowestMaximum<float>)), d, line);
    });
    return;
  }
  for (int64_t i = 0; i < width; ++i) {
    line[i] = rows[i];
    for (int64_t k = 1; k < count; ++k)
      line[i] = math::isNewMaximum(rows[k * step + i], line[i]) ? rows[k * step + i] : line[i];
  }
}

// All lines are folded down before the first is read along: a vector is not read again while it is stored.
template <bool odd>
void foldRows(const PlanePool& pool, const float* plane, int64_t first, int64_t last, float* lines, float* y) {
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
      foldDown<odd>(plane + (top + begin * pool.dilationDown) * pool.width, end - begin, pool.dilationDown * pool.width,
                    pool.read, line);
  }
  for (int64_t row = first; row < last; ++row)
    foldAlongOf<odd>(lines + (row - first) * pool.lineFloats, pool.kernelAcross, pool.strideAcross, pool.dilationAcross,
                     y + row * pool.outWidth, pool.outWidth);
}

// Rows [first, last) of a plane's results. lines: one after the other, with the lowest number left and right of what
// the plane has.
void foldPlane(const PlanePool& pool, const float* plane, int64_t first, int64_t last, float* lines, float* y) {
  const int64_t top = std::clamp<int64_t>(first * pool.strideDown - pool.padTop, 0, pool.height);
  const int64_t bottom = std::clamp<int64_t>(
      (last - 1) * pool.strideDown - pool.padTop + (pool.kernelDown - 1) * pool.dilationDown + 1, top, pool.height);
  if (mayBeOdd(plane + top * pool.width, (bottom - top) * pool.width))
    foldRows<true>(pool, plane, first, last, lines, y);
  else
    foldRows<false>(pool, plane, first, last, lines, y);
}

}  // namespace HWY_NAMESPACE
}  // namespace cutaway::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cutaway::cpu {
HWY_EXPORT(foldInto);
HWY_EXPORT(foldAlong);
HWY_EXPORT(foldPlane);

namespace {
// Positions of a row that are folded at once, and room for vectors that read beyond them.
constexpr int64_t kPositions = 2048, kBeyond = 256;

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
    std::fill_n(lines, rows * pool.lineFloats + kBeyond, math::kLowestMaximum<float>);
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

}  // namespace cutaway::cpu
#endif  // HWY_ONCE
