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
// Columns of so many are too short for the processor to see that the next ones follow.
constexpr int64_t kShortColumn = 4096;

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
  const int64_t ahead = depth <= kShortColumn ? columns * depth : 0;  // the same place of the next ones
  for (; k + kSums * lanes <= depth; k += kSums * lanes) {
    for (int64_t s = 0; s < kSums; ++s) {
      const V factor = hn::LoadU(d, row + k + s * lanes);
      if (ahead > 0) {
        for (int64_t c = 0; c < columns; ++c)
          __builtin_prefetch(matrix + c * depth + k + s * lanes + ahead);
      }
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

constexpr int64_t kRowsAtOnce = 8;
constexpr int64_t kNearColumns = 2048;  // whose sums stay in the nearest cache from some rows to the next

// Adds `rows` rows of the matrix to the sums; begins them where `first` says so.
template <int64_t rows>
HWY_INLINE void addRows(const float* factors, const float* matrix, int64_t stride, int64_t columns, bool first,
                        float* sums) {
  const hn::ScalableTag<float> d;
  using V = hn::Vec<decltype(d)>;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  V factor[rows];
  for (int64_t r = 0; r < rows; ++r)
    factor[r] = hn::Set(d, factors[r]);
  int64_t i = 0;
  for (; i + lanes <= columns; i += lanes) {
    V sum = first ? hn::Zero(d) : hn::LoadU(d, sums + i);
    for (int64_t r = 0; r < rows; ++r)
      sum = hn::MulAdd(factor[r], hn::LoadU(d, matrix + r * stride + i), sum);
    hn::StoreU(sum, d, sums + i);
  }
  for (; i < columns; ++i) {
    float sum = first ? 0.0f : sums[i];
    for (int64_t r = 0; r < rows; ++r)
      sum += factors[r] * matrix[r * stride + i];
    sums[i] = sum;
  }
}

// Columns begin .. end of the result. Only the last column of the matrix may end a part of a vector.
void addRange(const float* row, const float* matrix, const RowProductShape& shape, int64_t begin, int64_t end,
              float* y) {
  for (int64_t column = begin; column < end; column += kNearColumns) {
    const int64_t columns = std::min(kNearColumns, end - column);
    int64_t k = 0;
    for (; k + kRowsAtOnce <= shape.depth; k += kRowsAtOnce)
      addRows<kRowsAtOnce>(row + k, matrix + k * shape.columns + column, shape.columns, columns, k == 0, y + column);
    for (; k < shape.depth; ++k)
      addRows<1>(row + k, matrix + k * shape.columns + column, shape.columns, columns, k == 0, y + column);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace cutaway::math
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cutaway::math {

HWY_EXPORT(sumRange);
HWY_EXPORT(addRange);

void multiplyRow(const float* row, const float* matrix, const RowProductShape& shape, float* y) {
  constexpr int64_t kWorkPerChunk = int64_t{1} << 14;  // 64 KB of factors, which mostly come from memory
  const int64_t grain = std::max<int64_t>(1, kWorkPerChunk / std::max<int64_t>(1, shape.depth));
  if (shape.rowByRow) {
    // Parts begin at whole vectors, so that a column is summed alike however many parts there are.
    constexpr int64_t kUnit = 64;
    parallelFor((shape.columns + kUnit - 1) / kUnit, (grain + kUnit - 1) / kUnit, [&](int64_t begin, int64_t end) {
      HWY_DYNAMIC_DISPATCH(addRange)(row, matrix, shape, begin * kUnit, std::min(end * kUnit, shape.columns), y);
    });
    return;
  }
  parallelFor(shape.columns, grain,
              [&](int64_t begin, int64_t end) { HWY_DYNAMIC_DISPATCH(sumRange)(row, matrix, shape, begin, end, y); });
}

}  // namespace cutaway::math
#endif
