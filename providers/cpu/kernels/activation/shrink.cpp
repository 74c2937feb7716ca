// Shrink: values within [-lambd, lambd] become zero, the others move towards it by bias.

#include "engine/base/parallel.h"
#include "engine/operators/activation.h"
#include "providers/cpu/kernels/elementwise/pointwise_kernel.h"
#include "providers/cpu/kernels/type_dispatch.h"

namespace cutaway::cpu {

namespace {

using namespace cpu;

constexpr auto kTypes = elementTypes(NumericTypes{});
constexpr TypeRule kRules[] = {{0, kTypes}};

// Integers are compared and moved in double and truncated; what does not fit their type saturates.
template <typename T>
T truncated(double value) {
  using Limits = std::numeric_limits<T>;
  if (value <= static_cast<double>(Limits::min())) return Limits::min();
  if (value >= static_cast<double>(Limits::max())) return Limits::max();
  return static_cast<T>(value);
}

class IntegerShrink final : public Kernel {
 public:
  explicit IntegerShrink(PointwiseParameters parameters) : m_parameters(parameters) {}
  std::string_view variant() const override { return "threads"; }

  Result<void> run(KernelContext& context) const override {
    const Tensor& x = *context.input(0);
    CUTAWAY_TRY(Tensor * y, context.output(0, x.type(), x.dims()));
    dispatchType(IntegerTypes{}, x.type(), [&]<typename T>(TypeTag<T>) {
      const T* source = x.span<T>().data();
      T* target = y->span<T>().data();
      parallelFor(x.elementCount(), 8192, [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i)
          target[i] =
              truncated<T>(pointwiseReference(PointwiseOp::kShrink, static_cast<double>(source[i]), m_parameters));
      });
    });
    return {};
  }

 private:
  PointwiseParameters m_parameters;
};

Result<std::unique_ptr<Kernel>> create(const KernelInfo& info) {
  const auto [limit, bias] = operators::functionParameters(info.node());
  const PointwiseParameters parameters{limit, bias};
  if (isInteger(info.inputElement(0))) return std::make_unique<IntegerShrink>(parameters);
  return makePointwiseKernel(info, PointwiseOp::kShrink, parameters);
}

}  // namespace

KernelRows kernel_shrink() {
  static constexpr KernelRow rows[] = {{.opType = "Shrink",
                                        .versions = {9},
                                        .types = kRules,
                                        .inplace = kFirstInPlace,
                                        .fastPath = "threads",
                                        .create = create}};
  return rows;
}

}  // namespace cutaway::cpu
