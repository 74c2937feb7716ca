// com.microsoft GemmFastGelu: FastGelu(X W + bias), W a matrix.

#include "engine/base/parallel.h"
#include "engine/math/matrix_product.h"
#include "providers/cpu/kernels/elementwise/pointwise.h"
#include "providers/cpu/kernels/normalization/norm_row.h"
#include "providers/cpu/kernels/through_float.h"
#include "providers/cpu/kernels/type_lists.h"

namespace cutaway::cpu {
namespace {

class GemmFastGelu final : public Kernel {
 public:
  std::string_view variant() const override { return "onednn:gemm"; }

  Result<void> run(KernelContext& context) const override {
    const Tensor &x = *context.input(0), &w = *context.input(1);
    const Tensor* bias = context.inputCount() > 2 ? context.input(2) : nullptr;
    const std::span<const int64_t> dims = x.dims();
    if (dims.empty() || w.rank() != 2 || w.dims()[0] != dims.back() || w.type() != x.type())
      return fail(ErrorCode::kInvalidArgument, "GemmFastGelu: {} and {} do not fit together", dimsToText(dims),
                  dimsToText(w.dims()));
    const int64_t depth = w.dims()[0], columns = w.dims()[1], rows = elementCount(dims.first(dims.size() - 1));
    if (bias != nullptr && (bias->elementCount() != columns || bias->type() != x.type()))
      return fail(ErrorCode::kInvalidArgument, "GemmFastGelu: bias is {}, there are {} columns",
                  dimsToText(bias->dims()), columns);
    Dims result(dims);
    result[result.size() - 1] = columns;
    CUTAWAY_TRY(Tensor * y, context.output(0, result));
    if (y->elementCount() == 0) return {};
    float* target = y->span<float>().data();
    CUTAWAY_CHECK(math::multiply({.rows = rows, .columns = columns, .depth = depth}, x.span<float>().data(),
                                 w.span<float>().data(), target));
    const float* summand = bias != nullptr ? bias->span<float>().data() : nullptr;
    const cpu::FloatLoop gelu = cpu::floatLoop(cpu::PointwiseOp::kGeluTanh);
    parallelFor(rows, std::max<int64_t>(1, 8192 / columns), [&](int64_t begin, int64_t end) {
      for (int64_t row = begin; row < end; ++row) {
        float* at = target + row * columns;
        if (summand != nullptr) addRows(at, summand, nullptr, at, columns);
        gelu(at, at, columns, {});
      }
    });
    return {};
  }
};

Result<std::unique_ptr<Kernel>> create(const KernelInfo& info) {
  if (!info.hasInput(1)) return fail(ErrorCode::kInvalidArgument, "GemmFastGelu has no weights");
  return std::make_unique<GemmFastGelu>();
}

constexpr KernelRow kRows[] = {
    {.opType = "GemmFastGelu",
     .domain = "com.microsoft",
     .versions = {1},
     .types = kFloatInput,
     .fastPath = "onednn",
     .create = create},
    {.opType = "GemmFastGelu",
     .domain = "com.microsoft",
     .versions = {1},
     .types = kHalfInput,
     .fastPath = "onednn",
     .create = createThroughFloat<create>},
};

}  // namespace

KernelRows kernel_gemm_fast_gelu() {
  return kRows;
}

}  // namespace cutaway::cpu
