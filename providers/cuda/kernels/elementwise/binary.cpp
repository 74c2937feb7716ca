// Operators of two operands: arithmetic, remainders, powers, shifts and bits. Versions before 7 broadcast only when
// asked to.

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

Made makePair(const KernelInfo& info, std::string_view function, IntegerPair code, bool legacy) {
  const ElementType type = operators::commonInputType(info.graph(), info.node(), 2);
  const bool floats = isRealFloat(type);
  CUTAWAY_TRY(std::string functor, functorName(info, floats ? fmt::format("binary.{}", function) : "integer2", type));
  return makeTwo(info, {.functor = std::move(functor), .code = static_cast<int32_t>(code), .legacyBroadcast = legacy});
}
template <Name name, IntegerPair code, bool legacy>
Made makeArithmetic(const KernelInfo& info) {
  return makePair(info, name.text, code, legacy);
}

Made makeMod(const KernelInfo& info) {
  const bool truncating = operators::readRemainder(info.node()) == operators::Remainder::kTruncated;
  return makePair(info, truncating ? "truncMod" : "floorMod",
                  truncating ? IntegerPair::kTruncMod : IntegerPair::kFloorMod, false);
}

Made makeBitShift(const KernelInfo& info) {
  CUTAWAY_TRY(const operators::ShiftDirection direction, operators::readShiftDirection(info.node()));
  const bool left = direction == operators::ShiftDirection::kLeft;
  return makePair(info, "", left ? IntegerPair::kShiftLeft : IntegerPair::kShiftRight, false);
}

// The base's type is the result's; an exponent of the same type takes the faster way.
template <bool legacy>
Made makePow(const KernelInfo& info) {
  const ElementType base = info.inputElement(0);
  const ElementType exponent = info.inputElement(1) == ElementType::kUndefined ? base : info.inputElement(1);
  if (base == exponent) return makePair(info, "pow", IntegerPair::kPow, legacy);
  CUTAWAY_TRY(std::string functor, functorName(info, "power", base));
  const IntegerRange range = integerRange(base);
  return makeTwo(info, {.functor = std::move(functor),
                        .code = static_cast<int32_t>(exponent),
                        .low = range.low,
                        .high = range.high,
                        .legacyBroadcast = legacy,
                        .mayPack = false,
                        .sameTypes = false});
}

template <Name name, IntegerPair code, bool legacy>
constexpr KernelRow arithmetic(std::string_view opType) {
  return {.opType = opType,
          .versions = legacy ? VersionSpan{1, 6} : VersionSpan{7},
          .types = kNumericRules,
          .inplace = kEitherInPlace,
          .fastPath = "cuda",
          .create = gpuKernel<makeArithmetic<name, code, legacy>>};
}
template <IntegerPair code>
constexpr KernelRow bits(std::string_view opType) {
  return {.opType = opType,
          .versions = {18},
          .types = kIntegerRules,
          .inplace = kEitherInPlace,
          .fastPath = "cuda",
          .create = gpuKernel<makeArithmetic<Name{""}, code, false>>};
}

constexpr ElementType kBases[] = {ElementType::kFloat,  ElementType::kFloat16, ElementType::kBfloat16,
                                  ElementType::kDouble, ElementType::kInt32,   ElementType::kInt64};
constexpr TypeRule kPowerRules[] = {{0, kBases}, {1, kNumericTypes}};

}  // namespace

KernelRows kernel_binary() {
  static constexpr KernelRow rows[] = {
      arithmetic<Name{"add"}, IntegerPair::kAdd, true>("Add"),
      arithmetic<Name{"add"}, IntegerPair::kAdd, false>("Add"),
      arithmetic<Name{"sub"}, IntegerPair::kSub, true>("Sub"),
      arithmetic<Name{"sub"}, IntegerPair::kSub, false>("Sub"),
      arithmetic<Name{"mul"}, IntegerPair::kMul, true>("Mul"),
      arithmetic<Name{"mul"}, IntegerPair::kMul, false>("Mul"),
      arithmetic<Name{"div"}, IntegerPair::kDiv, true>("Div"),
      arithmetic<Name{"div"}, IntegerPair::kDiv, false>("Div"),
      {.opType = "Mod",
       .versions = {10},
       .types = kNumericRules,
       .inplace = kEitherInPlace,
       .fastPath = "cuda",
       .create = gpuKernel<makeMod>},
      {.opType = "Pow",
       .versions = {1, 6},
       .types = kPowerRules,
       .inplace = kFirstInPlace,
       .fastPath = "cuda",
       .create = gpuKernel<makePow<true>>},
      {.opType = "Pow",
       .versions = {7},
       .types = kPowerRules,
       .inplace = kFirstInPlace,
       .fastPath = "cuda",
       .create = gpuKernel<makePow<false>>},
      {.opType = "BitShift",
       .versions = {11},
       .types = kIntegerRules,
       .inplace = kEitherInPlace,
       .fastPath = "cuda",
       .create = gpuKernel<makeBitShift>},
      bits<IntegerPair::kAnd>("BitwiseAnd"),
      bits<IntegerPair::kOr>("BitwiseOr"),
      bits<IntegerPair::kXor>("BitwiseXor"),
  };
  return rows;
}

}  // namespace cutaway::cuda
