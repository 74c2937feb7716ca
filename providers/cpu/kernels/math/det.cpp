// Det: Gaussian elimination with partial pivoting, in double.

#include <cmath>
#include <utility>

#include "engine/provider/kernel.h"
#include "providers/cpu/kernels/type_dispatch.h"

namespace cutaway::cpu {

namespace {

using namespace cpu;

constexpr auto kFloats = elementTypes(FloatTypes{});
constexpr TypeRule kRules[] = {{0, kFloats}};

double determinant(double* matrix, int64_t size) {
  double result = 1;
  for (int64_t k = 0; k < size; ++k) {
    int64_t pivot = k;
    for (int64_t row = k + 1; row < size; ++row) {
      if (std::fabs(matrix[row * size + k]) > std::fabs(matrix[pivot * size + k])) pivot = row;
    }
    if (matrix[pivot * size + k] == 0) return 0;
    if (pivot != k) {
      result = -result;
      for (int64_t column = k; column < size; ++column)
        std::swap(matrix[pivot * size + column], matrix[k * size + column]);
    }
    const double diagonal = matrix[k * size + k];
    result *= diagonal;
    for (int64_t row = k + 1; row < size; ++row) {
      const double factor = matrix[row * size + k] / diagonal;
      for (int64_t column = k + 1; column < size; ++column)
        matrix[row * size + column] -= factor * matrix[k * size + column];
    }
  }
  return result;
}

class DetKernel final : public Kernel {
 public:
  Result<void> run(KernelContext& context) const override {
    const Tensor& x = *context.input(0);
    const size_t rank = x.rank();
    if (rank < 2 || x.dims()[rank - 1] != x.dims()[rank - 2])
      return fail(ErrorCode::kInvalidArgument, "Det: {} are no square matrices", dimsToText(x.dims()));
    const int64_t size = x.dims()[rank - 1];
    CUTAWAY_TRY(Tensor * y, context.output(0, x.type(), std::span(x.dims().data(), rank - 2)));
    CUTAWAY_TRY(const std::span<std::byte> memory, context.scratch(static_cast<size_t>(size * size) * sizeof(double)));
    auto* matrix = reinterpret_cast<double*>(memory.data());
    dispatchType(FloatTypes{}, x.type(), [&]<typename T>(TypeTag<T>) {
      const T* from = x.span<T>().data();
      for (T& target : y->span<T>()) {
        for (int64_t i = 0; i < size * size; ++i)
          matrix[i] = static_cast<double>(widen(from[i]));
        target = narrow<T>(static_cast<Computed<T>>(determinant(matrix, size)));
        from += size * size;
      }
    });
    return {};
  }
};

Result<std::unique_ptr<Kernel>> create(const KernelInfo&) {
  return std::make_unique<DetKernel>();
}

}  // namespace

KernelRows kernel_det() {
  static constexpr KernelRow rows[] = {{.opType = "Det", .versions = {11}, .types = kRules, .create = create}};
  return rows;
}

}  // namespace cutaway::cpu
