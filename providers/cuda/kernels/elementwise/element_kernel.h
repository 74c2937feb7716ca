#pragma once
// Kernels that most elementwise operators are: one or two operands, a functor by name, and what goes into its parameter
// block.
//
// Thread rule: as GpuKernel. Example: return makeOne(info, {.functor = functorName("unary.relu", type)});

#include <string>

#include "engine/operators/arithmetic.h"
#include "providers/cuda/gpu_kernel.h"
#include "providers/cuda/kernels/elementwise/element_plan.h"

namespace cutaway::cuda {

inline constexpr ElementType kFloatTypes[] = {ElementType::kFloat, ElementType::kFloat16, ElementType::kBfloat16,
                                              ElementType::kDouble};
inline constexpr ElementType kIntegerTypes[] = {ElementType::kInt8,   ElementType::kUint8, ElementType::kInt16,
                                                ElementType::kUint16, ElementType::kInt32, ElementType::kUint32,
                                                ElementType::kInt64,  ElementType::kUint64};
inline constexpr ElementType kNumericTypes[] = {ElementType::kFloat,  ElementType::kFloat16, ElementType::kBfloat16,
                                                ElementType::kDouble, ElementType::kInt8,    ElementType::kUint8,
                                                ElementType::kInt16,  ElementType::kUint16,  ElementType::kInt32,
                                                ElementType::kUint32, ElementType::kInt64,   ElementType::kUint64};
inline constexpr ElementType kSignedTypes[] = {ElementType::kFloat,  ElementType::kFloat16, ElementType::kBfloat16,
                                               ElementType::kDouble, ElementType::kInt8,    ElementType::kInt16,
                                               ElementType::kInt32,  ElementType::kInt64};
inline constexpr ElementType kBoolTypes[] = {ElementType::kBool};
inline constexpr TypeRule kFloatRules[] = {{0, kFloatTypes}};
inline constexpr TypeRule kIntegerRules[] = {{0, kIntegerTypes}};
inline constexpr TypeRule kNumericRules[] = {{0, kNumericTypes}};
inline constexpr TypeRule kSignedRules[] = {{0, kSignedTypes}};
inline constexpr InplaceHint kFirstInPlace[] = {{0, 0, AliasKind::kMayInplace}};
inline constexpr InplaceHint kEitherInPlace[] = {{0, 0, AliasKind::kMayInplace}, {1, 0, AliasKind::kMayInplace}};

bool isRealFloat(ElementType type);  // float, half, bfloat16, double
// "family.half"; NOT_IMPLEMENTED for types that functors have not.
Result<std::string> functorName(const KernelInfo& info, std::string_view family, ElementType type);
// Smallest and largest value of an integer type, as ElementParameters holds them.
struct IntegerRange {
  int64_t low = 0, high = 0;
};
IntegerRange integerRange(ElementType type);

struct ElementDefinition {
  std::string functor;
  ElementType output = ElementType::kUndefined;  // kUndefined: as input 0
  int32_t code = 0, flags = 0;
  double first = 0, second = 0;
  int64_t low = 0, high = 0;
  bool legacyBroadcast = false;  // versions before 7: only when asked to, from an axis on
  bool mayPack = true;
  bool sameTypes = true;
};

Result<std::unique_ptr<GpuKernel>> makeOne(const KernelInfo& info, ElementDefinition definition);
Result<std::unique_ptr<GpuKernel>> makeTwo(const KernelInfo& info, ElementDefinition definition);

// "unary.<function>" of the four float types.
inline Result<std::unique_ptr<GpuKernel>> makeFloatFunction(const KernelInfo& info, std::string_view function,
                                                            double first = 0, double second = 0) {
  CUTAWAY_TRY(std::string functor, functorName(info, fmt::format("unary.{}", function), info.inputElement(0)));
  return makeOne(info, {.functor = std::move(functor), .first = first, .second = second});
}

}  // namespace cutaway::cuda
