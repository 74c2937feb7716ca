// Inverse of com.microsoft: matrices inverted by Gauss-Jordan elimination with partial pivoting, in double.

#include <cmath>
#include <limits>

#include "providers/cpu/kernels/shape/axis_list.h"
#include "providers/cpu/kernels/through_float.h"
#include "providers/cpu/kernels/type_lists.h"

namespace cutaway::cpu {
namespace {

// work: [n, 2n], left half the matrix, right half the identity; the right half ends as the inverse. A matrix that has
// none ends as infinities and not-numbers.
void eliminate(double* work, int64_t n) {
  const int64_t width = 2 * n;
  for (int64_t column = 0; column < n; ++column) {
    int64_t pivot = column;
    for (int64_t row = column + 1; row < n; ++row) {
      if (std::abs(work[row * width + column]) > std::abs(work[pivot * width + column])) pivot = row;
    }
    if (pivot != column) std::swap_ranges(work + pivot * width, work + (pivot + 1) * width, work + column * width);
    double* own = work + column * width;
    const double scale = 1 / own[column];
    for (int64_t i = 0; i < width; ++i)
      own[i] *= scale;
    for (int64_t row = 0; row < n; ++row) {
      const double factor = work[row * width + column];
      if (row == column || factor == 0) continue;
      for (int64_t i = column; i < width; ++i)
        work[row * width + i] -= factor * own[i];
    }
  }
}

template <typename T>
class Inverse final : public Kernel {
 public:
  explicit Inverse(const KernelInfo&) {}

  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const Tensor* x, requireTensor(context, 0));
    const size_t rank = x->rank();
    if (rank < 2 || x->dims()[rank - 1] != x->dims()[rank - 2])
      return fail(ErrorCode::kInvalidArgument, "Inverse needs square matrices in the last two axes, not {}",
                  dimsToText(x->dims()));
    CUTAWAY_TRY(Tensor * y, context.output(0, x->dims()));
    if (y->elementCount() == 0) return {};
    const int64_t n = x->dims()[rank - 1], matrices = x->elementCount() / (n * n);
    CUTAWAY_TRY(const std::span<std::byte> scratch, context.scratch(static_cast<size_t>(2 * n * n) * sizeof(double)));
    double* work = reinterpret_cast<double*>(scratch.data());
    for (int64_t matrix = 0; matrix < matrices; ++matrix) {
      const T* from = x->span<T>().data() + matrix * n * n;
      T* to = y->template span<T>().data() + matrix * n * n;
      for (int64_t i = 0; i < n * n; ++i) {
        work[i / n * 2 * n + i % n] = static_cast<double>(from[i]);
        work[i / n * 2 * n + n + i % n] = i / n == i % n ? 1.0 : 0.0;
      }
      eliminate(work, n);
      for (int64_t i = 0; i < n * n; ++i)
        to[i] = static_cast<T>(work[i / n * 2 * n + n + i % n]);
    }
    return {};
  }
};

constexpr KernelRow kRows[] = {
    {.opType = "Inverse",
     .domain = "com.microsoft",
     .versions = {1},
     .types = kFloatInput,
     .create = makeKernel<Inverse<float>>},
    {.opType = "Inverse",
     .domain = "com.microsoft",
     .versions = {1},
     .types = kDoubleInput,
     .create = makeKernel<Inverse<double>>},
    {.opType = "Inverse",
     .domain = "com.microsoft",
     .versions = {1},
     .types = kHalfInput,
     .create = createThroughFloat<makeKernel<Inverse<float>>>},
};

}  // namespace

KernelRows kernel_inverse() {
  return kRows;
}

}  // namespace cutaway::cpu
