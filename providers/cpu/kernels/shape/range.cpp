// Range: start, start + delta, ... up to but not including limit. Half precisions count in float or, when stash_type
// says so, double.

#include <cmath>

#include "providers/cpu/kernels/shape/axis_list.h"

namespace cutaway {
namespace {

constexpr double kMostElements = 1e15;  // far above what fits; keeps the cast to an integer defined

Result<int64_t> countSteps(double start, double limit, double delta) {
  const double count = std::ceil((limit - start) / delta);
  if (delta == 0 || std::isnan(count) || count > kMostElements)
    return fail(ErrorCode::kInvalidArgument, "Range from {} to {} by {} has no end", start, limit, delta);
  return count > 0 ? static_cast<int64_t>(count) : 0;
}

// Exact for the whole range of 64 bits, where doubles are not.
Result<int64_t> countSteps(int64_t start, int64_t limit, int64_t delta) {
  if (delta == 0) return fail(ErrorCode::kInvalidArgument, "the delta of Range is 0");
  const bool up = delta > 0;
  if (up ? start >= limit : start <= limit) return 0;
  const uint64_t span = up ? static_cast<uint64_t>(limit) - static_cast<uint64_t>(start)
                           : static_cast<uint64_t>(start) - static_cast<uint64_t>(limit);
  const uint64_t step = up ? static_cast<uint64_t>(delta) : uint64_t{0} - static_cast<uint64_t>(delta);
  return static_cast<int64_t>(std::min<uint64_t>((span - 1) / step + 1, std::numeric_limits<int64_t>::max()));
}

template <typename T, typename Wide>
Result<void> fillRange(KernelContext& context, const Tensor& start, Wide first, Wide limit, Wide delta) {
  CUTAWAY_TRY(const int64_t count, countSteps(first, limit, delta));
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
    CUTAWAY_TRY(const Tensor* start, requireTensor(context, 0));
    CUTAWAY_TRY(const Tensor* limit, requireTensor(context, 1));
    const Tensor* delta = optionalTensor(context, 2);  // com.microsoft's may lack it: 1
    for (const Tensor* tensor : {start, limit, delta == nullptr ? start : delta}) {
      if (tensor->elementCount() != 1 || tensor->type() != start->type())
        return fail(ErrorCode::kInvalidArgument, "start, limit and delta of Range must be single elements of one type");
    }
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

}  // namespace cutaway
