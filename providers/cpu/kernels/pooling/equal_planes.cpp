#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "providers/cpu/kernels/pooling/equal_planes.cpp"
#include <hwy/foreach_target.h>  // before highway.h

#include "providers/cpu/kernels/pooling/equal_planes.h"

#include <algorithm>
#include <array>
#include <numeric>

#include <hwy/highway.h>

#include "engine/base/parallel.h"
#include "engine/math/exact_maximum.h"
#include "providers/cpu/kernels/pooling/pool_vectors.h"

#ifndef CUTAWAY_EQUAL_PLANES
#define CUTAWAY_EQUAL_PLANES
namespace cutaway::cpu {
namespace {

constexpr int64_t kMaskLanes = 16;     // of AVX-512
constexpr int64_t kMostFloats = 4096;  // of planes that fill whole vectors
constexpr int64_t kMostOffsets = 8;    // of a window, down and across together, without its own cell

// The planes that are worked on together, and where windows look. `inside` has, for each vector of them, a bit mask for
// each offset: lanes for which the cell there is one of their plane.
struct EqualPlanes {
  int64_t height = 1, width = 1, planes = 1;
  int64_t down = 0, across = 0;               // offsets of each kind
  std::array<int64_t, kMostOffsets> offsets;  // in floats, those down first
  std::array<uint16_t, kMostFloats / kMaskLanes * kMostOffsets> inside;
  int64_t floats() const { return planes * height * width; }
};

}  // namespace
}  // namespace cutaway::cpu
#endif

HWY_BEFORE_NAMESPACE();
namespace cutaway::cpu {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET <= HWY_AVX3

HWY_INLINE hn::Mask<D> maskOf(uint32_t bits) {
  return hn::Mask<D>{static_cast<__mmask16>(bits)};
}

// The largest of each number and those at the offsets. whole: how many of the lanes there are.
template <bool odd>
HWY_INLINE V largestAround(const float* from, const int64_t* offsets, const uint16_t* inside, int64_t count,
                           uint32_t whole) {
  const D d;
  const V lowest = hn::Set(d, math::kLowestMaximum<float>);
  V best = hn::MaskedLoad(maskOf(whole), d, from);
  for (int64_t k = 0; k < count; ++k) {
    const auto mask = maskOf(inside[k] & whole);
    best = larger<odd>(best, hn::IfThenElse(mask, hn::MaskedLoad(mask, d, from + offsets[k]), lowest));
  }
  return best;
}

// Columns into `folded`, then rows of it into y. Whether a number may be none.
template <bool odd>
HWY_INLINE bool foldAround(const EqualPlanes& pool, int64_t count, const float* x, float* folded, float* y) {
  const D d;
  constexpr uint32_t kAll = 0xFFFF;
  const int64_t offsets = pool.down + pool.across;
  const auto lanesAt = [&](int64_t i) { return count - i >= kMaskLanes ? kAll : kAll >> (kMaskLanes - (count - i)); };
  V sum = hn::Zero(d);
  const uint16_t* inside = pool.inside.data();
  for (int64_t i = 0; i < count; i += kMaskLanes, inside += offsets) {
    const uint32_t whole = lanesAt(i);
    if constexpr (!odd) sum = hn::Add(sum, hn::MaskedLoad(maskOf(whole), d, x + i));
    hn::StoreU(largestAround<odd>(x + i, pool.offsets.data(), inside, pool.down, whole), d, folded + i);
  }
  if (!odd && !hn::AllFalse(d, hn::IsNaN(sum))) return true;
  inside = pool.inside.data() + pool.down;
  for (int64_t i = 0; i < count; i += kMaskLanes, inside += offsets) {
    const uint32_t whole = lanesAt(i);
    const V best = largestAround<odd>(folded + i, pool.offsets.data() + pool.down, inside, pool.across, whole);
    hn::BlendedStore(best, maskOf(whole), d, y + i);
  }
  return false;
}

void foldPlanes(const EqualPlanes& pool, int64_t count, const float* x, float* folded, float* y) {
  if (foldAround<false>(pool, count, x, folded, y)) foldAround<true>(pool, count, x, folded, y);
}

bool hasMasks() {
  return true;
}

#else

void foldPlanes(const EqualPlanes&, int64_t, const float*, float*, float*) {}

bool hasMasks() {
  return false;
}

#endif

}  // namespace HWY_NAMESPACE
}  // namespace cutaway::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cutaway::cpu {
HWY_EXPORT(foldPlanes);
HWY_EXPORT(hasMasks);

namespace {

// Planes that fill whole vectors.
int64_t planesTogether(const Window& window) {
  return kMaskLanes / std::gcd(window.inputCells(), kMaskLanes);
}

void leaveOut(EqualPlanes& pool, int64_t offset, int64_t first, int64_t count) {
  const int64_t offsets = pool.down + pool.across;
  for (int64_t at = first; at < first + count; ++at)
    pool.inside[static_cast<size_t>(at / kMaskLanes * offsets + offset)] &=
        static_cast<uint16_t>(~(1u << (at % kMaskLanes)));
}

void planOffsets(const Window& window, EqualPlanes& pool) {
  pool.height = window.input[0];
  pool.width = window.input[1];
  pool.planes = planesTogether(window);
  pool.down = window.kernel[0] - 1;
  pool.across = window.kernel[1] - 1;
  std::fill_n(pool.inside.begin(), pool.floats() / kMaskLanes * (pool.down + pool.across), uint16_t{0xFFFF});
  int64_t offset = 0;
  for (int64_t k = 0; k < window.kernel[0]; ++k) {
    const int64_t rows = k - window.padsBegin[0];
    if (rows == 0) continue;
    const int64_t beyond = std::abs(rows) * pool.width, first = rows < 0 ? 0 : pool.height * pool.width - beyond;
    for (int64_t plane = 0; plane < pool.planes; ++plane)
      leaveOut(pool, offset, plane * pool.height * pool.width + first, beyond);
    pool.offsets[static_cast<size_t>(offset++)] = rows * pool.width;
  }
  for (int64_t k = 0; k < window.kernel[1]; ++k) {
    const int64_t columns = k - window.padsBegin[1];
    if (columns == 0) continue;
    const int64_t beyond = std::abs(columns), first = columns < 0 ? 0 : pool.width - beyond;
    for (int64_t row = 0; row < pool.planes * pool.height; ++row)
      leaveOut(pool, offset, row * pool.width + first, beyond);
    pool.offsets[static_cast<size_t>(offset++)] = columns;
  }
}

}  // namespace

bool areEqualPlanes(const Window& window) {
  if (window.rank != 2 || !HWY_DYNAMIC_DISPATCH(hasMasks)()) return false;
  for (size_t axis = 0; axis < 2; ++axis) {
    const bool looksAround = window.padsBegin[axis] >= 0 && window.padsBegin[axis] < window.kernel[axis];
    if (window.strides[axis] != 1 || window.dilations[axis] != 1 || window.output[axis] != window.input[axis] ||
        window.kernel[axis] > window.input[axis] || !looksAround)
      return false;
  }
  return window.kernel[0] + window.kernel[1] - 2 <= kMostOffsets && window.inputCells() <= kMostFloats &&
         planesTogether(window) * window.inputCells() <= kMostFloats;
}

void maxPoolEqualPlanes(int64_t planes, const Window& window, const float* x, float* y) {
  EqualPlanes pool;
  planOffsets(window, pool);
  const int64_t cells = window.inputCells(), blocks = (planes + pool.planes - 1) / pool.planes;
  const int64_t work = pool.floats() * (window.kernel[0] + window.kernel[1]);
  parallelFor(blocks, std::max<int64_t>(1, 65536 / work), [&](int64_t begin, int64_t end) {
    alignas(64) float folded[kMostFloats + 2 * kMaskLanes];
    for (int64_t block = begin; block < end; ++block) {
      const int64_t first = block * pool.planes, count = std::min(pool.planes, planes - first) * cells;
      HWY_DYNAMIC_DISPATCH(foldPlanes)(pool, count, x + first * cells, folded + kMaskLanes, y + first * cells);
    }
  });
}

}  // namespace cutaway::cpu
#endif  // HWY_ONCE
