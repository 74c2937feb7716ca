// Clip. Bounds are attributes up to version 6, inputs since version 11. A lower bound above the upper one gives the
// upper bound everywhere.

#include <algorithm>
#include <limits>
#include <optional>

#include "engine/base/parallel.h"
#include "engine/operators/activation.h"
#include "providers/cpu/kernels/elementwise/pointwise_kernel.h"
#include "providers/cpu/kernels/type_dispatch.h"

namespace cutaway::cpu {

namespace {

using namespace cpu;

constexpr auto kTypes = elementTypes(NumericTypes{});
constexpr TypeRule kRules[] = {{0, kTypes}};
constexpr int kBounds[] = {1, 2};

Result<std::unique_ptr<Kernel>> fromAttributes(const KernelInfo& info) {
  const operators::ClipBounds bounds = operators::readClipBounds(info.node());
  return makePointwiseKernel(info, PointwiseOp::kClip, {bounds.low, bounds.high});
}

Result<const Tensor*> bound(KernelContext& context, size_t slot, ElementType type) {
  const Tensor* tensor = context.input(slot);
  if (tensor != nullptr) CUTAWAY_CHECK(operators::checkClipBound(*tensor, slot, type));
  return tensor;
}

template <typename T>
void clipFloats(const Tensor& x, const Tensor* low, const Tensor* high, Tensor& y) {
  using Limits = std::numeric_limits<double>;
  const PointwiseParameters parameters{low != nullptr ? widen(low->span<T>()[0]) : -Limits::infinity(),
                                       high != nullptr ? widen(high->span<T>()[0]) : Limits::infinity()};
  runPointwise(PointwiseOp::kClip, parameters, x.type(), x.data(), y.mutableData(), x.elementCount());
}

template <typename T>
void clipIntegers(const Tensor& x, const Tensor* low, const Tensor* high, Tensor& y) {
  const T lower = low != nullptr ? low->span<T>()[0] : std::numeric_limits<T>::min();
  const T upper = high != nullptr ? high->span<T>()[0] : std::numeric_limits<T>::max();
  const T* source = x.span<T>().data();
  T* target = y.span<T>().data();
  parallelFor(x.elementCount(), 32768, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i)
      target[i] = std::min(std::max(source[i], lower), upper);
  });
}

class ClipKernel final : public Kernel {
 public:
  Result<void> run(KernelContext& context) const override {
    const Tensor& x = *context.input(0);
    CUTAWAY_TRY(const Tensor* low, bound(context, 1, x.type()));
    CUTAWAY_TRY(const Tensor* high, bound(context, 2, x.type()));
    CUTAWAY_TRY(Tensor * y, context.output(0, x.type(), x.dims()));
    dispatchType(FloatTypes{}, x.type(), [&]<typename T>(TypeTag<T>) { clipFloats<T>(x, low, high, *y); });
    dispatchType(IntegerTypes{}, x.type(), [&]<typename T>(TypeTag<T>) { clipIntegers<T>(x, low, high, *y); });
    return {};
  }
  std::string_view variant() const override { return "highway"; }
};

Result<std::unique_ptr<Kernel>> fromInputs(const KernelInfo&) {
  return std::make_unique<ClipKernel>();
}

}  // namespace

KernelRows kernel_clip() {
  static constexpr KernelRow rows[] = {
      {.opType = "Clip",
       .versions = {1, 10},
       .types = kRules,
       .inplace = kFirstInPlace,
       .fastPath = "highway",
       .create = fromAttributes},
      {.opType = "Clip",
       .versions = {11},
       .types = kRules,
       .inplace = kFirstInPlace,
       .hostInputs = kBounds,
       .fastPath = "highway",
       .create = fromInputs},
  };
  return rows;
}

}  // namespace cutaway::cpu
