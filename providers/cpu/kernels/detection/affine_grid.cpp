// AffineGrid: the places that an affine map gives the cells of an image, for GridSample. Two or three spatial axes; a
// place names the last axis first.

#include <algorithm>
#include <array>

#include "engine/base/parallel.h"
#include "providers/cpu/kernels/shape/axis_list.h"
#include "providers/cpu/kernels/through_float.h"
#include "providers/cpu/kernels/type_lists.h"

namespace cutaway::cpu {
namespace {

constexpr size_t kMostAxes = 3;

// Where cell i of n lies between -1 and 1: the corners' cells on the ends, or cells of equal width whose middles count.
double placeOf(int64_t i, int64_t n, bool alignCorners) {
  const double at = static_cast<double>(i), count = static_cast<double>(n);
  if (!alignCorners) return (2 * at + 1) / count - 1;
  return n == 1 ? 0.0 : 2 * at / (count - 1) - 1;
}

template <typename T>
class AffineGridKernel final : public Kernel {
 public:
  explicit AffineGridKernel(const KernelInfo& info)
      : m_alignCorners(info.attribute<int64_t>("align_corners", 0) != 0) {}
  std::string_view variant() const override { return "threads"; }

  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const Tensor* theta, requireTensor(context, 0));
    CUTAWAY_TRY(const Tensor* size, requireTensor(context, 1));
    CUTAWAY_TRY(const Dims image, readIntegers(*size));
    const size_t axes = image.size() < 4 ? 0 : image.size() - 2;
    const bool fits = (axes == 2 || axes == 3) && theta->rank() == 3 && theta->dims()[0] == image[0] &&
                      theta->dims()[1] == static_cast<int64_t>(axes) &&
                      theta->dims()[2] == static_cast<int64_t>(axes) + 1;
    if (!fits)
      return fail(ErrorCode::kInvalidArgument, "maps {} do not fit images of the size {}", dimsToText(theta->dims()),
                  dimsToText(image));
    Dims dims = filledList(axes + 2, static_cast<int64_t>(axes));
    dims[0] = image[0];
    for (size_t i = 0; i < axes; ++i)
      dims[i + 1] = image[i + 2];
    for (const int64_t each : image) {
      if (each < 0) return fail(ErrorCode::kInvalidArgument, "an image of the size {}", dimsToText(image));
    }
    CUTAWAY_TRY(Tensor * grid, context.output(0, theta->type(), dims));
    const int64_t columns = dims[axes];
    const int64_t rows = productOf(dims, 1, axes);
    const T* maps = theta->span<T>().data();
    T* to = grid->span<T>().data();
    const int64_t step = static_cast<int64_t>(axes);
    parallelFor(
        dims[0] * rows, std::max<int64_t>(1, 4096 / std::max<int64_t>(1, columns)), [&](int64_t begin, int64_t end) {
          for (int64_t line = begin; line < end; ++line) {
            std::array<double, kMostAxes> place{};  // last axis first; that one runs below
            int64_t rest = line % rows;
            for (size_t i = 1; i < axes; ++i) {
              const int64_t n = dims[axes - i];
              place[i] = placeOf(rest % n, n, m_alignCorners);
              rest /= n;
            }
            const T* map = maps + line / rows * step * (step + 1);
            for (size_t i = 0; i < axes; ++i, map += step + 1) {
              double sum = static_cast<double>(map[axes]);
              for (size_t k = 1; k < axes; ++k)
                sum += static_cast<double>(map[k]) * place[k];
              const double slope = static_cast<double>(map[0]);
              T* target = to + line * columns * step + static_cast<int64_t>(i);
              const double scale = m_alignCorners ? (columns == 1 ? 0.0 : 2 / static_cast<double>(columns - 1))
                                                  : 2 / static_cast<double>(columns);
              const double start = m_alignCorners ? (columns == 1 ? 0.0 : -1.0) : 1 / static_cast<double>(columns) - 1;
              for (int64_t column = 0; column < columns; ++column)
                target[column * step] = static_cast<T>(sum + slope * (start + scale * static_cast<double>(column)));
            }
          }
        });
    return {};
  }

 private:
  bool m_alignCorners;
};

constexpr int kSizeOnHost[] = {1};
constexpr KernelRow kRows[] = {
    {.opType = "AffineGrid",
     .versions = {20},
     .types = kFloatInput,
     .hostInputs = kSizeOnHost,
     .fastPath = "threads",
     .create = makeKernel<AffineGridKernel<float>>},
    {.opType = "AffineGrid",
     .versions = {20},
     .types = kDoubleInput,
     .hostInputs = kSizeOnHost,
     .fastPath = "threads",
     .create = makeKernel<AffineGridKernel<double>>},
    {.opType = "AffineGrid",
     .versions = {20},
     .types = kHalfInput,
     .hostInputs = kSizeOnHost,
     .fastPath = "threads",
     .create = createThroughFloat<makeKernel<AffineGridKernel<float>>>},
};

}  // namespace

KernelRows kernel_affine_grid() {
  return kRows;
}

}  // namespace cutaway::cpu
