// Range: start, start + delta, ... up to but not including limit. Half precisions count in float or, when stash_type
// says so, double.

#include "engine/operators/constants.h"
#include "providers/cpu/kernels/shape/axis_list.h"

namespace cutaway::cpu {
namespace {

template <typename T, typename Wide>
Result<void> fillRange(KernelContext& context, const Tensor& start, Wide first, Wide limit, Wide delta) {
  CUTAWAY_TRY(const int64_t count, operators::countSteps(first, limit, delta));
  CUTAWAY_TRY(Tensor * output, context.output(0, start.type(), Dims{count}));
  T* values = output->span<T>().data();
  for (int64_t i = 0; i < count; ++i) {
    if constexpr (std::is_integral_v<T>) {
      values[i] =
          static_cast<T>(static_cast<uint64_t>(first) + static_cast<uint64_t>(delta) * static_cast<uint64_t>(i));
    } else if constexpr (std::is_floating_point_v<T>) {
      values[i] = static_cast<T>(first + static_cast<Wide>(i) * delta);
    } else {
      values[i] = T::fromFloat(static_cast<float>(first + static_cast<Wide>(i) * delta));
    }
  }
  return {};
}

template <typename T>
T one() {
  if constexpr (std::is_arithmetic_v<T>)
    return 1;
  else
    return T::fromFloat(1.0f);
}

template <typename T>
Result<void> rangeOf(KernelContext& context, const Tensor& start, const Tensor& limit, const Tensor* delta) {
  const T first = start.span<T>()[0];
  const T end = limit.span<T>()[0];
  const T step = delta == nullptr ? one<T>() : delta->span<T>()[0];
  if constexpr (std::is_integral_v<T>) {
    return fillRange<T, int64_t>(context, start, first, end, step);
  } else if constexpr (std::is_floating_point_v<T>) {
    return fillRange<T, double>(context, start, first, end, step);
  } else {
    return fillRange<T, double>(context, start, first.toFloat(), end.toFloat(), step.toFloat());
  }
}

class RangeKernel final : public Kernel {
 public:
  explicit RangeKernel(const KernelInfo&) {}

  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const operators::RangeOperands operands, operators::rangeOperands(context));
    const Tensor *start = operands.start, *limit = operands.limit, *delta = operands.delta;
    switch (start->type()) {
      case ElementType::kFloat:
        return rangeOf<float>(context, *start, *limit, delta);
      case ElementType::kDouble:
        return rangeOf<double>(context, *start, *limit, delta);
      case ElementType::kFloat16:
        return rangeOf<Float16>(context, *start, *limit, delta);
      case ElementType::kBfloat16:
        return rangeOf<Bfloat16>(context, *start, *limit, delta);
      case ElementType::kInt16:
        return rangeOf<int16_t>(context, *start, *limit, delta);
      case ElementType::kInt32:
        return rangeOf<int32_t>(context, *start, *limit, delta);
      case ElementType::kInt64:
        return rangeOf<int64_t>(context, *start, *limit, delta);
      default:
        return fail(ErrorCode::kInvalidArgument, "Range does not take {}", elementTypeName(start->type()));
    }
  }
};

constexpr int kAllOnHost[] = {0, 1, 2};
constexpr KernelRow kRows[] = {
    {.opType = "Range", .versions = {11}, .hostInputs = kAllOnHost, .create = makeKernel<RangeKernel>},
    {.opType = "Range",
     .domain = "com.microsoft",
     .versions = {1},
     .hostInputs = kAllOnHost,
     .create = makeKernel<RangeKernel>},
};

}  // namespace

KernelRows kernel_range() {
  return kRows;
}

}  // namespace cutaway::cpu
