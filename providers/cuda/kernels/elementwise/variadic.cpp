// Max, Min, Sum, Mean over any number of inputs: the first two into the output, then every further one onto it.

#include "providers/cuda/functors/binary_functors.h"
#include "providers/cuda/functors/integer_math.h"
#include "providers/cuda/kernels/elementwise/element_kernel.h"

namespace cutaway::cuda {
namespace {

using element::IntegerPair;
using Made = Result<std::unique_ptr<GpuKernel>>;
struct Name {
  char text[16];
};

class VariadicKernel final : public GpuKernel {
 public:
  VariadicKernel(std::string fold, std::string divide, int32_t code)
      : m_foldName(std::move(fold)), m_divideName(std::move(divide)), m_code(code) {}

  Result<void> prepare(const KernelInfo&, GpuResources& resources) override {
    CUTAWAY_TRY(m_fold, resources.find(m_foldName));
    if (m_divideName.empty()) return {};
    CUTAWAY_TRY(m_divide, resources.find(m_divideName));
    return {};
  }

  Result<void> launch(GpuCall& call) const override {
    const Tensor& first = *call.input(0);
    Dims dims = first.dims();
    for (size_t slot = 0; slot < call.inputCount(); ++slot) {
      if (call.input(slot)->type() != first.type())
        return fail(ErrorCode::kInvalidArgument, "input {} is {}, and input 0 {}", slot,
                    elementTypeName(call.input(slot)->type()), elementTypeName(first.type()));
      CUTAWAY_TRY(dims, broadcastDims({&dims, &call.input(slot)->dims()}));
    }
    const void* firstData = first.data();
    const Dims firstDims = first.dims();
    const size_t bytes = static_cast<size_t>(first.sizeBytes());
    CUTAWAY_TRY(Tensor * y, call.output(0, dims));
    if (y->elementCount() == 0) return {};
    if (call.inputCount() == 1)
      return y->data() == firstData ? Result<void>{} : call.copy(y->mutableData(), firstData, bytes);
    for (size_t slot = 1; slot < call.inputCount(); ++slot) {
      const Tensor& next = *call.input(slot);
      CUTAWAY_CHECK(slot == 1 ? fold(call, firstData, firstDims, next, *y) : fold(call, y->data(), dims, next, *y));
    }
    return m_divideName.empty() ? Result<void>{} : divide(call, *y);
  }

  std::string_view variant() const override { return m_foldName; }

 private:
  Result<void> fold(GpuCall& call, const void* a, const Dims& aDims, const Tensor& b, Tensor& y) const {
    ElementParameters<2> p;
    p.from[0] = a;
    p.from[1] = b.data();
    p.to = y.mutableData();
    p.code = m_code;
    const int64_t bytes = bitsOf(y.type()) / 8;
    CUTAWAY_CHECK(planElements<2>(p, y.dims(), {aDims, b.dims()}, {bytes, bytes}, bytes));
    return call.launch(m_fold, p);
  }
  Result<void> divide(GpuCall& call, Tensor& y) const {
    ElementParameters<1> p;
    p.from[0] = y.data();
    p.to = y.mutableData();
    p.first = static_cast<double>(call.inputCount());
    const std::array<int64_t, 1> count{y.elementCount()};
    const int64_t bytes = bitsOf(y.type()) / 8;
    CUTAWAY_CHECK(planElements<1>(p, count, {count}, {bytes}, bytes));
    return call.launch(m_divide, p);
  }

  std::string m_foldName, m_divideName;
  int32_t m_code;
  DeviceKernel m_fold, m_divide;
};

template <Name name, IntegerPair code, bool mean>
Made makeVariadic(const KernelInfo& info) {
  CUTAWAY_CHECK(operators::checkAlikeInputs(info.graph(), info.node(), info.inputCount()));
  const ElementType type = operators::commonInputType(info.graph(), info.node(), info.inputCount());
  CUTAWAY_TRY(std::string fold,
              functorName(info, isRealFloat(type) ? fmt::format("binary.{}", name.text) : "integer2", type));
  std::string divide;
  if constexpr (mean) {
    CUTAWAY_TRY(divide, functorName(info, "unary.divideBy", type));
  }
  return std::make_unique<VariadicKernel>(std::move(fold), std::move(divide), static_cast<int32_t>(code));
}

template <Name name, IntegerPair code, bool mean = false>
constexpr KernelRow row(std::string_view opType, std::span<const TypeRule> types) {
  return {.opType = opType,
          .versions = {1},
          .types = types,
          .inplace = kEitherInPlace,
          .fastPath = "cuda",
          .create = gpuKernel<makeVariadic<name, code, mean>>};
}

}  // namespace

KernelRows kernel_variadic() {
  static constexpr KernelRow rows[] = {
      row<Name{"max"}, IntegerPair::kMax>("Max", kNumericRules),
      row<Name{"min"}, IntegerPair::kMin>("Min", kNumericRules),
      row<Name{"add"}, IntegerPair::kAdd>("Sum", kFloatRules),
      row<Name{"add"}, IntegerPair::kAdd, true>("Mean", kFloatRules),
  };
  return rows;
}

}  // namespace cutaway::cuda
