#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "providers/cpu/kernels/pooling/small_planes.cpp"
#include <hwy/foreach_target.h>  // before highway.h

#include "providers/cpu/kernels/pooling/small_planes.h"

#include <algorithm>

#include <hwy/highway.h>

#include "engine/base/parallel.h"
#include "engine/math/exact_maximum.h"
#include "providers/cpu/kernels/pooling/pool_vectors.h"

#ifndef CUTAWAY_SMALL_PLANES
#define CUTAWAY_SMALL_PLANES
namespace cutaway::cpu {
namespace {
struct SmallPlanes {
  int64_t height = 1, width = 1, outHeight = 1, outWidth = 1;
  int64_t kernelDown = 1, kernelAcross = 1, padTop = 0, padLeft = 0;
  int64_t pitch = 1;  // floats from row to row of a copy
  int64_t rows = 1;   // of a copy, with those beyond the edges
  int64_t read = 0;   // columns of the plane that windows see
  int64_t planeFloats() const { return rows * pitch; }
};
constexpr int64_t kBlockFloats = 2048;  // of the copies that are worked on together
constexpr int64_t kBehind = 512;        // that vectors and windows may pass over behind them
constexpr int64_t kMostPlane = kBlockFloats / 2;
}  // namespace
}  // namespace cutaway::cpu
#endif

HWY_BEFORE_NAMESPACE();
namespace cutaway::cpu {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// The planes into their copies, whose edges hold the lowest number; whether one of the numbers may be none (true also
// where infinities of both signs meet). A vector that ends a row writes the lowest number behind it, where the next row
// has its edge.
bool copyPlanes(const SmallPlanes& pool, const float* x, int64_t planes, float* copies) {
  const D d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  const V lowest = hn::Set(d, math::kLowestMaximum<float>);
  const int64_t whole = pool.read / lanes * lanes;
  const auto rest = hn::FirstN(d, static_cast<size_t>(pool.read - whole));
  const int64_t first = std::max<int64_t>(0, pool.padTop);
  const int64_t last = std::min(pool.rows, pool.padTop + pool.height);
  V sum = hn::Zero(d);
  float single = 0;
  for (int64_t plane = 0; plane < planes; ++plane) {
    float* to = copies + plane * pool.planeFloats() + pool.padLeft;
    const float* from = x + plane * pool.height * pool.width;
    for (int64_t row = first; row < last; ++row) {
      const float* cells = from + (row - pool.padTop) * pool.width;
      float* copy = to + row * pool.pitch;
      for (int64_t i = 0; i < whole; i += lanes) {
        const V value = hn::LoadU(d, cells + i);
        sum = hn::Add(sum, value);
        hn::StoreU(value, d, copy + i);
      }
      if (whole == pool.read) continue;
      if constexpr (kHasMasks) {
        const V value = hn::MaskedLoad(rest, d, cells + whole);
        sum = hn::Add(sum, value);
        hn::StoreU(hn::IfThenElse(rest, value, lowest), d, copy + whole);
      } else {
        for (int64_t i = whole; i < pool.read; ++i)
          single += copy[i] = cells[i];
      }
    }
  }
  return single != single || !hn::AllFalse(d, hn::IsNaN(sum));
}

template <bool odd>
HWY_INLINE V largestOf(const float* from, int64_t count, int64_t step) {
  const D d;
  V best = hn::LoadU(d, from);
  for (int64_t k = 1; k < count; ++k)
    best = larger<odd>(best, hn::LoadU(d, from + k * step));
  return best;
}

// y: of the first plane; end: behind the last result that may be written.
template <bool odd>
HWY_INLINE void foldCopies(const SmallPlanes& pool, int64_t planes, const float* copies, float* folded, float* y,
                           const float* end) {
  const D d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  const int64_t count = planes * pool.planeFloats();
  withCount(pool.kernelDown, [&](auto known) HWY_ATTR {
    const int64_t cells = decltype(known)::value > 0 ? decltype(known)::value : pool.kernelDown;
    for (int64_t i = 0; i < count; i += lanes)
      hn::StoreU(largestOf<odd>(copies + i, cells, pool.pitch), d, folded + i);
  });
  const int64_t whole = pool.outWidth / lanes * lanes;
  const auto rest = hn::FirstN(d, static_cast<size_t>(pool.outWidth - whole));
  withCount(pool.kernelAcross, [&](auto known) HWY_ATTR {
    const int64_t cells = decltype(known)::value > 0 ? decltype(known)::value : pool.kernelAcross;
    for (int64_t plane = 0; plane < planes; ++plane) {
      for (int64_t row = 0; row < pool.outHeight; ++row, y += pool.outWidth) {
        const float* line = folded + plane * pool.planeFloats() + row * pool.pitch;
        for (int64_t i = 0; i < whole; i += lanes)
          hn::StoreU(largestOf<odd>(line + i, cells, 1), d, y + i);
        if (whole == pool.outWidth) continue;
        const V best = largestOf<odd>(line + whole, cells, 1);
        // What is written behind a row, the next one writes over.
        if (y + whole + lanes <= end) {
          hn::StoreU(best, d, y + whole);
        } else if constexpr (kHasMasks) {
          hn::BlendedStore(best, rest, d, y + whole);
        } else {
          HWY_ALIGN float all[HWY_MAX_BYTES / sizeof(float)];
          hn::Store(best, d, all);
          std::copy_n(all, pool.outWidth - whole, y + whole);
        }
      }
    }
  });
}

void foldSmallPlanes(const SmallPlanes& pool, int64_t planes, const float* x, float* copies, float* folded, float* y) {
  const float* end = y + planes * pool.outHeight * pool.outWidth;
  if (copyPlanes(pool, x, planes, copies))
    foldCopies<true>(pool, planes, copies, folded, y, end);
  else
    foldCopies<false>(pool, planes, copies, folded, y, end);
}

}  // namespace HWY_NAMESPACE
}  // namespace cutaway::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cutaway::cpu {
HWY_EXPORT(foldSmallPlanes);

namespace {

SmallPlanes planesOf(const Window& window) {
  SmallPlanes pool{.height = window.input[0],
                   .width = window.input[1],
                   .outHeight = window.output[0],
                   .outWidth = window.output[1],
                   .kernelDown = window.kernel[0],
                   .kernelAcross = window.kernel[1],
                   .padTop = window.padsBegin[0],
                   .padLeft = window.padsBegin[1]};
  pool.pitch = pool.outWidth + pool.kernelAcross - 1;
  pool.rows = pool.outHeight + pool.kernelDown - 1;
  pool.read = std::clamp<int64_t>(pool.pitch - pool.padLeft, 0, pool.width);
  return pool;
}

}  // namespace

bool areSmallPlanes(const Window& window) {
  if (window.rank != 2) return false;
  for (size_t axis = 0; axis < 2; ++axis) {
    if (window.strides[axis] != 1 || window.dilations[axis] != 1 || window.padsBegin[axis] < 0) return false;
  }
  const SmallPlanes pool = planesOf(window);
  return pool.planeFloats() <= kMostPlane && pool.padLeft < pool.pitch &&
         pool.kernelDown * pool.pitch + HWY_MAX_BYTES / int64_t{sizeof(float)} <= kBehind;
}

void maxPoolSmallPlanes(int64_t planes, const Window& window, const float* x, float* y) {
  const SmallPlanes pool = planesOf(window);
  const int64_t together = kBlockFloats / pool.planeFloats(), blocks = (planes + together - 1) / together;
  const int64_t work = together * pool.planeFloats() * (pool.kernelDown + pool.kernelAcross);
  parallelFor(blocks, std::max<int64_t>(1, 65536 / work), [&](int64_t begin, int64_t end) {
    alignas(64) float copies[kBlockFloats + kBehind];
    alignas(64) float folded[kBlockFloats + kBehind];
    std::fill_n(copies, kBlockFloats + kBehind, math::kLowestMaximum<float>);
    std::fill_n(folded + kBlockFloats, kBehind, math::kLowestMaximum<float>);
    for (int64_t block = begin; block < end; ++block) {
      const int64_t first = block * together;
      HWY_DYNAMIC_DISPATCH(foldSmallPlanes)
      (pool, std::min(together, planes - first), x + first * pool.height * pool.width, copies, folded,
       y + first * pool.outHeight * pool.outWidth);
    }
  });
}

}  // namespace cutaway::cpu
#endif  // HWY_ONCE
