// CropAndResize of com.microsoft: regions (y1, x1, y2, x2) of images, in parts of their height and width, sampled to
// one size. Places outside give extrapolation_value.

#include <cmath>

#include "engine/base/parallel.h"
#include "providers/cpu/kernels/shape/axis_list.h"
#include "providers/cpu/kernels/through_float.h"
#include "providers/cpu/kernels/type_lists.h"

namespace cutaway::cpu {
namespace {

// Where output cell `cell` of `cells` reads along an axis of `size` cells, for a region from `first` to `last`.
template <typename T>
T placeOf(T first, T last, int64_t cell, int64_t cells, int64_t size) {
  const T reach = static_cast<T>(size - 1);
  if (cells == 1) return T(0.5) * (first + last) * reach;
  return first * reach + static_cast<T>(cell) * ((last - first) * reach / static_cast<T>(cells - 1));
}

template <typename T>
class CropAndResize final : public Kernel {
 public:
  CropAndResize(bool nearest, T outside) : m_nearest(nearest), m_outside(outside) {}
  std::string_view variant() const override { return "threads"; }

  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const Tensor* x, requireTensor(context, 0));
    CUTAWAY_TRY(const Tensor* rois, requireTensor(context, 1));
    CUTAWAY_TRY(const Tensor* batch, requireTensor(context, 2));
    CUTAWAY_TRY(const Tensor* sizes, requireTensor(context, 3));
    CUTAWAY_TRY(const Dims crop, readIntegers(*sizes));
    const bool fits = x->rank() == 4 && rois->rank() == 2 && rois->dims()[1] == 4 && batch->rank() == 1 &&
                      batch->dims()[0] == rois->dims()[0] && crop.size() == 2;
    if (!fits) {
      return fail(ErrorCode::kInvalidArgument,
                  "CropAndResize: X {}, rois {}, batch_indices {} and {} numbers in crop_size do not fit",
                  dimsToText(x->dims()), dimsToText(rois->dims()), dimsToText(batch->dims()), crop.size());
    }
    if (crop[0] < 1 || crop[1] < 1)
      return fail(ErrorCode::kInvalidArgument, "CropAndResize: crop_size is {}", dimsToText(crop));
    for (const int32_t image : batch->span<int32_t>()) {
      if (image < 0 || image >= x->dims()[0])
        return fail(ErrorCode::kInvalidArgument, "CropAndResize: batch_indices has {} for {} images", image,
                    x->dims()[0]);
    }
    const int64_t regions = rois->dims()[0], channels = x->dims()[1];
    CUTAWAY_TRY(Tensor * y, context.output(0, {regions, channels, crop[0], crop[1]}));
    if (y->elementCount() == 0) return {};
    T* to = y->template span<T>().data();
    parallelFor(regions * crop[0], 4, [&](int64_t begin, int64_t end) {
      for (int64_t item = begin; item < end; ++item) {
        const int64_t region = item / crop[0], row = item % crop[0];
        const T* from = x->span<T>().data() +
                        batch->span<int32_t>()[static_cast<size_t>(region)] * channels * x->dims()[2] * x->dims()[3];
        sampleRow(from, x->dims(), rois->span<T>().data() + region * 4, row, crop,
                  to + (region * channels * crop[0] + row) * crop[1]);
      }
    });
    return {};
  }

 private:
  void sampleRow(const T* from, const Dims& dims, const T* region, int64_t row, const Dims& crop, T* to) const {
    const int64_t height = dims[2], width = dims[3];
    const T y = placeOf(region[0], region[2], row, crop[0], height);
    for (int64_t column = 0; column < crop[1]; ++column) {
      const T x = placeOf(region[1], region[3], column, crop[1], width);
      // Written so that NaN is outside.
      const bool inside = y >= 0 && y <= static_cast<T>(height - 1) && x >= 0 && x <= static_cast<T>(width - 1);
      const int64_t top = inside ? static_cast<int64_t>(m_nearest ? std::round(y) : std::floor(y)) : 0,
                    left = inside ? static_cast<int64_t>(m_nearest ? std::round(x) : std::floor(x)) : 0;
      const int64_t bottom = std::min(top + 1, height - 1), right = std::min(left + 1, width - 1);
      const T down = y - static_cast<T>(top), along = x - static_cast<T>(left);
      for (int64_t channel = 0; channel < dims[1]; ++channel) {
        const T* plane = from + channel * height * width;
        T& target = to[channel * crop[0] * crop[1] + column];
        if (!inside) {
          target = m_outside;
        } else if (m_nearest) {
          target = plane[top * width + left];
        } else {
          const T above = plane[top * width + left] + (plane[top * width + right] - plane[top * width + left]) * along;
          const T below =
              plane[bottom * width + left] + (plane[bottom * width + right] - plane[bottom * width + left]) * along;
          target = above + (below - above) * down;
        }
      }
    }
  }

  bool m_nearest;
  T m_outside;
};

template <typename T>
Result<std::unique_ptr<Kernel>> createCropAndResize(const KernelInfo& info) {
  const std::string mode = info.attribute<std::string>("mode", "bilinear");
  if (mode != "bilinear" && mode != "nearest")
    return fail(ErrorCode::kInvalidArgument, "CropAndResize: mode is '{}' and must be bilinear or nearest", mode);
  return std::unique_ptr<Kernel>(std::make_unique<CropAndResize<T>>(
      mode == "nearest", static_cast<T>(info.attribute<float>("extrapolation_value", 0.0f))));
}

constexpr int kSizeOnHost[] = {3};
constexpr KernelRow kRows[] = {
    {.opType = "CropAndResize",
     .domain = "com.microsoft",
     .versions = {1},
     .types = kFloatInput,
     .hostInputs = kSizeOnHost,
     .fastPath = "threads",
     .create = createCropAndResize<float>},
    {.opType = "CropAndResize",
     .domain = "com.microsoft",
     .versions = {1},
     .types = kDoubleInput,
     .hostInputs = kSizeOnHost,
     .fastPath = "threads",
     .create = createCropAndResize<double>},
    {.opType = "CropAndResize",
     .domain = "com.microsoft",
     .versions = {1},
     .types = kHalfInput,
     .hostInputs = kSizeOnHost,
     .fastPath = "threads",
     .create = createThroughFloat<createCropAndResize<float>>},
};

}  // namespace

KernelRows kernel_crop_and_resize() {
  return kRows;
}

}  // namespace cutaway::cpu
