// Equal, Less, Greater, LessOrEqual, GreaterOrEqual. A NaN is equal to nothing, and neither less nor greater.

#include "providers/cuda/functors/element_math.h"
#include "providers/cuda/functors/integer_math.h"
#include "providers/cuda/kernels/elementwise/element_kernel.h"

namespace cutaway::cuda {
namespace {

using element::Comparison;

template <Comparison code, bool legacy>
Result<std::unique_ptr<GpuKernel>> makeCompare(const KernelInfo& info) {
  const ElementType type = operators::commonInputType(info.graph(), info.node(), 2);
  if (type == ElementType::kBool) {
    return makeTwo(info, {.functor = "bool2",
                          .output = ElementType::kBool,
                          .code = static_cast<int32_t>(element::BoolPair::kEqual),
                          .legacyBroadcast = legacy});
  }
  CUTAWAY_TRY(std::string functor, functorName(info, "compare", type));
  return makeTwo(info, {.functor = std::move(functor),
                        .output = ElementType::kBool,
                        .code = static_cast<int32_t>(code),
                        .legacyBroadcast = legacy});
}

constexpr ElementType kEqualTypes[] = {
    ElementType::kFloat, ElementType::kFloat16, ElementType::kBfloat16, ElementType::kDouble, ElementType::kInt8,
    ElementType::kUint8, ElementType::kInt16,   ElementType::kUint16,   ElementType::kInt32,  ElementType::kUint32,
    ElementType::kInt64, ElementType::kUint64,  ElementType::kBool};
constexpr TypeRule kEqualRules[] = {{0, kEqualTypes}};

// One byte an element: only operands of one byte can be written over.
template <Comparison code, bool legacy>
constexpr KernelRow row(std::string_view opType, VersionSpan versions) {
  return {.opType = opType,
          .versions = versions,
          .types = code == Comparison::kEqual ? std::span<const TypeRule>(kEqualRules)
                                              : std::span<const TypeRule>(kNumericRules),
          .inplace = kEitherInPlace,
          .fastPath = "cuda",
          .create = gpuKernel<makeCompare<code, legacy>>};
}

}  // namespace

KernelRows kernel_comparison() {
  static constexpr KernelRow rows[] = {
      row<Comparison::kEqual, true>("Equal", {1, 6}),
      row<Comparison::kEqual, false>("Equal", {7}),
      row<Comparison::kLess, true>("Less", {1, 6}),
      row<Comparison::kLess, false>("Less", {7}),
      row<Comparison::kGreater, true>("Greater", {1, 6}),
      row<Comparison::kGreater, false>("Greater", {7}),
      row<Comparison::kLessOrEqual, false>("LessOrEqual", {12}),
      row<Comparison::kGreaterOrEqual, false>("GreaterOrEqual", {12}),
  };
  return rows;
}

}  // namespace cutaway::cuda
