// Gelu in the spellings of com.microsoft: Gelu, FastGelu (tanh form, optional bias), QuickGelu, BiasGelu. The bias is
// added along the last axis.

#include <algorithm>

#include "engine/base/parallel.h"
#include "engine/operators/activation.h"
#include "engine/operators/bias.h"
#include "providers/cpu/kernels/elementwise/pointwise_kernel.h"
#include "providers/cpu/kernels/normalization/norm_row.h"
#include "providers/cpu/kernels/type_dispatch.h"

namespace cutaway::cpu {

namespace {

using namespace cpu;
using Op = PointwiseOp;

constexpr auto kFloats = elementTypes(FloatTypes{});
constexpr TypeRule kRules[] = {{0, kFloats}};

template <typename T>
void addBiasAndApply(Op op, const Tensor& x, const Tensor& bias, Tensor& y) {
  using Wide = Computed<T>;
  const int64_t width = bias.elementCount();
  const T* source = x.span<T>().data();
  const T* offset = bias.span<T>().data();
  T* target = y.span<T>().data();
  parallelFor(x.elementCount(), 8192, [&](int64_t begin, int64_t end) {
    Wide run[kConversionRun];
    int64_t column = begin % width;
    for (int64_t i = begin; i < end;) {
      constexpr int64_t kFloatRun = 2048;  // what stays in the nearest cache from one loop to the next
      const int64_t most = std::is_same_v<T, float> ? kFloatRun : kConversionRun;
      const int64_t length = std::min({most, end - i, width - column});
      if constexpr (std::is_same_v<T, float>) {
        addRows(source + i, offset + column, nullptr, target + i, length);
        floatLoop(op)(target + i, target + i, length, {});
      } else {
        for (int64_t k = 0; k < length; ++k)
          run[k] = widen(source[i + k]) + widen(offset[column + k]);
        if constexpr (std::is_same_v<Wide, double>) {
          scalarDoubleLoop(op)(run, run, length, {});
        } else {
          floatLoop(op)(run, run, length, {});
        }
        for (int64_t k = 0; k < length; ++k)
          target[i + k] = narrow<T>(run[k]);
      }
      i += length;
      column = column + length == width ? 0 : column + length;
    }
  });
}

class BiasGelu final : public Kernel {
 public:
  explicit BiasGelu(Op op) : m_op(op) {}
  std::string_view variant() const override { return "highway"; }

  Result<void> run(KernelContext& context) const override {
    const Tensor& x = *context.input(0);
    const Tensor& bias = *context.input(1);
    CUTAWAY_CHECK(operators::checkBiasOfLastAxes(x, bias));
    CUTAWAY_TRY(Tensor * y, context.output(0, x.type(), x.dims()));
    if (x.elementCount() == 0) return {};
    dispatchType(FloatTypes{}, x.type(), [&]<typename T>(TypeTag<T>) { addBiasAndApply<T>(m_op, x, bias, *y); });
    return {};
  }

 private:
  Op m_op;
};

Result<std::unique_ptr<Kernel>> gelu(const KernelInfo& info) {
  return makePointwiseKernel(info, Op::kGelu);
}
Result<std::unique_ptr<Kernel>> quickGelu(const KernelInfo& info) {
  return makePointwiseKernel(info, Op::kSwish, {.alpha = operators::functionParameters(info.node())[0]});
}
Result<std::unique_ptr<Kernel>> biasGelu(const KernelInfo& info) {
  if (!info.hasInput(1)) return fail(ErrorCode::kInvalidGraph, "BiasGelu has no bias");
  return std::make_unique<BiasGelu>(Op::kGelu);
}
Result<std::unique_ptr<Kernel>> fastGelu(const KernelInfo& info) {
  if (!info.hasInput(1)) return makePointwiseKernel(info, Op::kGeluTanh);
  return std::make_unique<BiasGelu>(Op::kGeluTanh);
}

constexpr KernelRow row(std::string_view opType, Result<std::unique_ptr<Kernel>> (*create)(const KernelInfo&)) {
  return {.opType = opType,
          .domain = "com.microsoft",
          .versions = {1},
          .types = kRules,
          .inplace = kFirstInPlace,
          .fastPath = "highway",
          .create = create};
}

}  // namespace

KernelRows kernel_contrib_gelu() {
  static constexpr KernelRow rows[] = {row("Gelu", gelu), row("QuickGelu", quickGelu), row("BiasGelu", biasGelu),
                                       row("FastGelu", fastGelu)};
  return rows;
}

}  // namespace cutaway::cpu
