// See row_product.h. Compiled once per instruction set by Highway.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/math/row_product.cpp"
#include <hwy/foreach_target.h>  // before highway.h

#include "engine/math/row_product.h"

#include <algorithm>

#include <hwy/highway.h>

#include "engine/base/parallel.h"

HWY_BEFORE_NAMESPACE();
namespace cutaway::math {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

constexpr int64_t kColumnsAtOnce = 4;  // streams that memory is read in
constexpr int64_t kSums = 4;           // of a column, so that additions do not wait for one another

template <int64_t columns>
HWY_INLINE void sumColumns(const float* row, const float* matrix, int64_t depth, float* y) {
  const hn::ScalableTag<float> d;
  using V = hn::Vec<decltype(d)>;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  V sums[columns][kSums];
  for (int64_t c = 0; c < columns; ++c) {
    for (int64_t s = 0; s < kSums; ++s)
      sums[c][s] = hn::Zero(d);
  }
  int64_t k = 0;
  for (; k + kSums * lanes <= depth; k += kSums * lanes) {
    for (int64_t s = 0; s < kSums; ++s) {
      const V factor = hn::LoadU(d, row + k + s * lanes);
      for (int64_t c = 0; c < columns; ++c)
        sums[c][s] = hn::MulAdd(factor, hn::LoadU(d, matrix + c * depth + k + s * lanes), sums[c][s]);
    }
  }
  for (; k + lanes <= depth; k += lanes) {
    const V factor = hn::LoadU(d, row + k);
    for (int64_t c = 0; c < columns; ++c)
      sums[c][0] = hn::MulAdd(factor, hn::LoadU(d, matrix + c * depth + k), sums[c][0]);
  }
  for (int64_t c = 0; c < columns; ++c) {
    float sum =
        hn::GetLane(hn::SumOfLanes(d, hn::Add(hn::Add(sums[c][0], sums[c][1]), hn::Add(sums[c][2], sums[c][3]))));
    for (int64_t rest = k; rest < depth; ++rest)
      sum += row[rest] * matrix[c * depth + rest];
    y[c] = sum;
  }
}

void sumRange(const float* row, const float* matrix, const RowProductShape& shape, int64_t begin, int64_t end,
              float* y) {
  int64_t column = begin;
  for (; column + kColumnsAtOnce <= end; column += kColumnsAtOnce)
    sumColumns<kColumnsAtOnce>(row, matrix + column * shape.depth, shape.depth, y + column);
  for (; column < end; ++column)
    sumColumns<1>(row, matrix + column * shape.depth, shape.depth, y + column);
}

}  // namespace HWY_NAMESPACE
}  // namespace cutaway::math
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cutaway::math {

HWY_EXPORT(sumRange);

void multiplyRow(const float* row, const float* matrix, const RowProductShape& shape, float* y) {
  constexpr int64_t kWorkPerChunk = int64_t{1} << 16;
  const int64_t grain = std::max<int64_t>(1, kWorkPerChunk / std::max<int64_t>(1, shape.depth));
  parallelFor(shape.columns, grain,
              [&](int64_t begin, int64_t end) { HWY_DYNAMIC_DISPATCH(sumRange)(row, matrix, shape, begin, end, y); });
}

}  // namespace cutaway::math
#endif
