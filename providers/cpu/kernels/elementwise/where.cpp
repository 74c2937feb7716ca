// Where: three operands with broadcasting. Only the width of an element matters, so there is one loop a width, and one
// for strings.

#include <string>

#include "providers/cpu/kernels/elementwise/binary_kernel.h"
#include "providers/cpu/kernels/elementwise/run_vector.h"

namespace cutaway::cpu {

namespace {

using namespace cpu;

constexpr ElementType kBools[] = {ElementType::kBool};
constexpr auto kValues =
    elementTypes(Join<NumericTypes, TypeList<bool, std::string, std::complex<float>, std::complex<double>>>{});
constexpr TypeRule kRules[] = {{0, kBools}, {1, kValues}, {2, kValues}};
constexpr InplaceHint kInPlace[] = {{1, 0, AliasKind::kMayInplace}, {2, 0, AliasKind::kMayInplace}};

struct Wide {
  uint64_t low;
  uint64_t high;
};

template <typename T>
void selectRun(const uint8_t* condition, const T* x, const T* y, T* target, int64_t count, int conditionStep, int xStep,
               int yStep) {
  if (conditionStep == 0) {
    const T* source = *condition != 0 ? x : y;
    const int step = *condition != 0 ? xStep : yStep;
    for (int64_t i = 0; i < count; ++i)
      target[i] = source[i * step];
  } else if constexpr (std::is_integral_v<T>) {
    vectorSelect(condition, x, y, target, count, xStep, yStep);
  } else {
    for (int64_t i = 0; i < count; ++i)
      target[i] = condition[i] != 0 ? x[i * xStep] : y[i * yStep];
  }
}

template <typename T>
void select(const BroadcastPlan& plan, const Tensor& condition, const Tensor& x, const Tensor& y, Tensor& target) {
  const auto* mask = static_cast<const uint8_t*>(condition.data());
  const T* left = static_cast<const T*>(x.data());
  const T* right = static_cast<const T*>(y.data());
  T* out = static_cast<T*>(target.mutableData());
  forEachRun(plan, 32768, [&](int64_t at, const int64_t* offsets, int64_t count) {
    selectRun(mask + offsets[0], left + offsets[1], right + offsets[2], out + at, count, plan.step(0), plan.step(1),
              plan.step(2));
  });
}

class WhereKernel final : public Kernel {
 public:
  std::string_view variant() const override { return "highway"; }

  Result<void> run(KernelContext& context) const override {
    const Tensor& condition = *context.input(0);
    const Tensor& x = *context.input(1);
    const Tensor& y = *context.input(2);
    if (condition.type() != ElementType::kBool || x.type() != y.type())
      return fail(ErrorCode::kInvalidArgument, "Where: X is {} and Y is {}", elementTypeName(x.type()),
                  elementTypeName(y.type()));
    CUTAWAY_TRY(const Dims dims, broadcastDims({&condition.dims(), &x.dims(), &y.dims()}));
    CUTAWAY_TRY(const BroadcastPlan plan, BroadcastPlan::make({&condition.dims(), &x.dims(), &y.dims()}, dims));
    CUTAWAY_TRY(Tensor * target, context.output(0, x.type(), dims));
    if (x.type() == ElementType::kString) {
      select<std::string>(plan, condition, x, y, *target);
      return {};
    }
    switch (bitsOf(x.type())) {
      case 8:
        select<uint8_t>(plan, condition, x, y, *target);
        break;
      case 16:
        select<uint16_t>(plan, condition, x, y, *target);
        break;
      case 32:
        select<uint32_t>(plan, condition, x, y, *target);
        break;
      case 64:
        select<uint64_t>(plan, condition, x, y, *target);
        break;
      default:
        select<Wide>(plan, condition, x, y, *target);
        break;
    }
    return {};
  }
};

Result<std::unique_ptr<Kernel>> create(const KernelInfo& info) {
  const ElementType other = info.inputElement(2);
  if (info.inputElement(1) != other && info.inputElement(1) != ElementType::kUndefined &&
      other != ElementType::kUndefined)
    return fail(ErrorCode::kInvalidGraph, "Where: X and Y differ in type");
  return std::make_unique<WhereKernel>();
}

}  // namespace

KernelRows kernel_where() {
  static constexpr KernelRow rows[] = {{.opType = "Where",
                                        .versions = {9},
                                        .types = kRules,
                                        .inplace = kInPlace,
                                        .fastPath = "highway",
                                        .create = create}};
  return rows;
}

}  // namespace cutaway::cpu
