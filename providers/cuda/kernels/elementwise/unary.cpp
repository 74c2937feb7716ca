// Operators of one value in and one out: mathematics, rounding, sign, and the classes of floats.

#include "providers/cuda/functors/integer_math.h"
#include "providers/cuda/functors/unary_functors.h"
#include "providers/cuda/kernels/elementwise/element_kernel.h"

namespace cutaway::cuda {
namespace {

using element::IntegerOne;
using Made = Result<std::unique_ptr<GpuKernel>>;

struct Name {
  char text[24];
};
template <Name name>
Made makeMath(const KernelInfo& info) {
  return makeFloatFunction(info, name.text);
}

// Integers by their own kernel, floats by function.
template <Name name, IntegerOne code>
Made makeSignLike(const KernelInfo& info) {
  const ElementType type = info.inputElement(0);
  if (isRealFloat(type)) return makeFloatFunction(info, name.text);
  CUTAWAY_TRY(std::string functor, functorName(info, "integer1", type));
  return makeOne(info, {.functor = std::move(functor), .code = static_cast<int32_t>(code)});
}

// Versions 9 to 12 allow integers.
Made makeIntegerErf(const KernelInfo& info) {
  CUTAWAY_TRY(std::string functor, functorName(info, "integer1", info.inputElement(0)));
  return makeOne(info, {.functor = std::move(functor), .code = static_cast<int32_t>(IntegerOne::kErf)});
}

Made makeBitwiseNot(const KernelInfo& info) {
  CUTAWAY_TRY(std::string functor, functorName(info, "integer1", info.inputElement(0)));
  return makeOne(info, {.functor = std::move(functor), .code = static_cast<int32_t>(IntegerOne::kNot)});
}

Made makeClass(const KernelInfo& info, int32_t flags) {
  CUTAWAY_TRY(std::string functor, functorName(info, "class", info.inputElement(0)));
  return makeOne(info, {.functor = std::move(functor), .output = ElementType::kBool, .flags = flags});
}
Made makeIsNan(const KernelInfo& info) {
  return makeClass(info, kNanFlag);
}
Made makeIsInf(const KernelInfo& info) {
  const bool positive = info.attribute<int64_t>("detect_positive", 1) != 0,
             negative = info.attribute<int64_t>("detect_negative", 1) != 0;
  return makeClass(info, (positive ? kPositiveInfinityFlag : 0) | (negative ? kNegativeInfinityFlag : 0));
}

template <Name name>
constexpr KernelRow math(std::string_view opType, int32_t first) {
  return {.opType = opType,
          .versions = {first},
          .types = kFloatRules,
          .inplace = kFirstInPlace,
          .fastPath = "cuda",
          .create = gpuKernel<makeMath<name>>};
}

}  // namespace

KernelRows kernel_unary() {
  static constexpr KernelRow rows[] = {
      math<Name{"exp"}>("Exp", 1),
      math<Name{"log"}>("Log", 1),
      math<Name{"sqrt"}>("Sqrt", 1),
      math<Name{"reciprocal"}>("Reciprocal", 1),
      math<Name{"floor"}>("Floor", 1),
      math<Name{"ceil"}>("Ceil", 1),
      math<Name{"round"}>("Round", 11),
      math<Name{"erf"}>("Erf", 9),
      math<Name{"sin"}>("Sin", 7),
      math<Name{"cos"}>("Cos", 7),
      math<Name{"tan"}>("Tan", 7),
      math<Name{"asin"}>("Asin", 7),
      math<Name{"acos"}>("Acos", 7),
      math<Name{"atan"}>("Atan", 7),
      math<Name{"sinh"}>("Sinh", 9),
      math<Name{"cosh"}>("Cosh", 9),
      math<Name{"asinh"}>("Asinh", 9),
      math<Name{"acosh"}>("Acosh", 9),
      math<Name{"atanh"}>("Atanh", 9),
      {.opType = "Erf",
       .versions = {9, 12},
       .types = kIntegerRules,
       .inplace = kFirstInPlace,
       .fastPath = "cuda",
       .create = gpuKernel<makeIntegerErf>},
      {.opType = "Abs",
       .versions = {1},
       .types = kNumericRules,
       .inplace = kFirstInPlace,
       .fastPath = "cuda",
       .create = gpuKernel<makeSignLike<Name{"abs"}, IntegerOne::kAbs>>},
      {.opType = "Neg",
       .versions = {1},
       .types = kSignedRules,
       .inplace = kFirstInPlace,
       .fastPath = "cuda",
       .create = gpuKernel<makeSignLike<Name{"neg"}, IntegerOne::kNeg>>},
      {.opType = "Sign",
       .versions = {9},
       .types = kNumericRules,
       .inplace = kFirstInPlace,
       .fastPath = "cuda",
       .create = gpuKernel<makeSignLike<Name{"sign"}, IntegerOne::kSign>>},
      {.opType = "BitwiseNot",
       .versions = {18},
       .types = kIntegerRules,
       .inplace = kFirstInPlace,
       .fastPath = "cuda",
       .create = gpuKernel<makeBitwiseNot>},
      {.opType = "IsNaN",
       .versions = {9},
       .types = kFloatRules,
       .inplace = kFirstInPlace,
       .fastPath = "cuda",
       .create = gpuKernel<makeIsNan>},
      {.opType = "IsInf",
       .versions = {10},
       .types = kFloatRules,
       .inplace = kFirstInPlace,
       .fastPath = "cuda",
       .create = gpuKernel<makeIsInf>},
  };
  return rows;
}

}  // namespace cutaway::cuda
