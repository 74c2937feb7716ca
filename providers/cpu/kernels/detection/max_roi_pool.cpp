// MaxRoiPool (all versions): regions of images, each pooled to the same number of cells (Girshick, Fast R-CNN, 2015).
//
// A region is (image, x1, y1, x2, y2); its corners are scaled and rounded to cells, both ends counted. Cells that cover
// nothing give 0.

#include <algorithm>
#include <cmath>

#include "engine/base/parallel.h"
#include "engine/math/exact_maximum.h"
#include "providers/cpu/kernels/shape/axis_list.h"
#include "providers/cpu/kernels/through_float.h"
#include "providers/cpu/kernels/type_lists.h"

namespace cutaway::cpu {
namespace {

constexpr int64_t kRegionNumbers = 5;

// Cells [begin, end) of the input for one output cell along one axis.
struct Range {
  int64_t begin = 0, end = 0;
};

template <typename T>
class MaxRoiPool final : public Kernel {
 public:
  MaxRoiPool(int64_t height, int64_t width, T scale) : m_pooled{height, width}, m_scale(scale) {}
  std::string_view variant() const override { return "threads"; }

  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const Tensor* x, requireTensor(context, 0));
    CUTAWAY_TRY(const Tensor* rois, requireTensor(context, 1));
    if (x->rank() != 4 || rois->rank() != 2 || rois->dims()[1] != kRegionNumbers) {
      return fail(ErrorCode::kInvalidArgument,
                  "MaxRoiPool: an input {} and regions {} are not [N, C, H, W] and [regions, 5]", dimsToText(x->dims()),
                  dimsToText(rois->dims()));
    }
    const int64_t regions = rois->dims()[0], channels = x->dims()[1];
    const T* numbers = rois->span<T>().data();
    for (int64_t r = 0; r < regions; ++r) {
      for (int64_t i = 0; i < kRegionNumbers; ++i) {
        const T number = numbers[r * kRegionNumbers + i] * (i == 0 ? T(1) : m_scale);
        const bool fine = i == 0 ? number >= 0 && number < static_cast<T>(x->dims()[0]) : std::abs(number) < T(1e9);
        if (!fine)
          return fail(ErrorCode::kInvalidArgument,
                      "MaxRoiPool: number {} of region {} is {}, which is out of range for {}", i, r,
                      numbers[r * kRegionNumbers + i], dimsToText(x->dims()));
      }
    }
    CUTAWAY_TRY(Tensor * y, context.output(0, {regions, channels, m_pooled[0], m_pooled[1]}));
    if (y->elementCount() == 0) return {};
    T* to = y->template span<T>().data();
    const int64_t plane = x->dims()[2] * x->dims()[3], pooledCells = m_pooled[0] * m_pooled[1];
    parallelFor(regions * channels, 8, [&](int64_t begin, int64_t end) {
      for (int64_t item = begin; item < end; ++item) {
        const T* region = numbers + item / channels * kRegionNumbers;
        const T* from = x->span<T>().data() + (static_cast<int64_t>(region[0]) * channels + item % channels) * plane;
        poolRegion(region, from, x->dims()[2], x->dims()[3], to + item * pooledCells);
      }
    });
    return {};
  }

 private:
  Range rangeOf(T first, T last, int64_t cell, int64_t cells, int64_t size) const {
    const int64_t begin = static_cast<int64_t>(std::round(first * m_scale)),
                  end = static_cast<int64_t>(std::round(last * m_scale));
    const T step = static_cast<T>(std::max<int64_t>(end - begin + 1, 1)) / static_cast<T>(cells);
    const int64_t low = begin + static_cast<int64_t>(std::floor(static_cast<T>(cell) * step));
    const int64_t high = begin + static_cast<int64_t>(std::ceil(static_cast<T>(cell + 1) * step));
    return {std::clamp<int64_t>(low, 0, size), std::clamp<int64_t>(high, 0, size)};
  }

  void poolRegion(const T* region, const T* from, int64_t height, int64_t width, T* to) const {
    for (int64_t row = 0; row < m_pooled[0]; ++row) {
      const Range rows = rangeOf(region[2], region[4], row, m_pooled[0], height);
      for (int64_t column = 0; column < m_pooled[1]; ++column) {
        const Range columns = rangeOf(region[1], region[3], column, m_pooled[1], width);
        T best = rows.end <= rows.begin || columns.end <= columns.begin ? T(0) : math::kLowestMaximum<T>;
        for (int64_t h = rows.begin; h < rows.end; ++h) {
          for (int64_t w = columns.begin; w < columns.end; ++w)
            best = math::isNewMaximum(from[h * width + w], best) ? from[h * width + w] : best;
        }
        *to++ = best;
      }
    }
  }

  int64_t m_pooled[2];
  T m_scale;
};

template <typename T>
Result<std::unique_ptr<Kernel>> createMaxRoiPool(const KernelInfo& info) {
  const auto pooled = info.attribute<std::vector<int64_t>>("pooled_shape", {});
  constexpr int64_t kMostCells = int64_t{1} << 24;
  if (pooled.size() != 2 || std::ranges::any_of(pooled, [](int64_t each) { return each < 1 || each > kMostCells; })) {
    return fail(ErrorCode::kInvalidArgument, "MaxRoiPool needs pooled_shape with 2 numbers of 1 or more");
  }
  const float scale = info.attribute<float>("spatial_scale", 1.0f);
  if (!(scale > 0) || !std::isfinite(scale))
    return fail(ErrorCode::kInvalidArgument, "MaxRoiPool: spatial_scale is {}", scale);
  return std::unique_ptr<Kernel>(std::make_unique<MaxRoiPool<T>>(pooled[0], pooled[1], static_cast<T>(scale)));
}

constexpr KernelRow kRows[] = {
    {.opType = "MaxRoiPool",
     .versions = {1},
     .types = kFloatInput,
     .fastPath = "threads",
     .create = createMaxRoiPool<float>},
    {.opType = "MaxRoiPool",
     .versions = {1},
     .types = kDoubleInput,
     .fastPath = "threads",
     .create = createMaxRoiPool<double>},
    {.opType = "MaxRoiPool",
     .versions = {1},
     .types = kHalfInput,
     .fastPath = "threads",
     .create = createThroughFloat<createMaxRoiPool<float>>},
};

}  // namespace

KernelRows kernel_max_roi_pool() {
  return kRows;
}

}  // namespace cutaway::cpu
