#pragma once
// What kernels of this provider read over and over, from engine/operators: axes, lists of integers in host memory,
// operands; and the types and bytes of elements that kernels move without looking at them.

#include <cstdint>
#include <span>

#include "engine/operators/axes.h"
#include "engine/operators/dims.h"
#include "engine/operators/integer_list.h"
#include "engine/operators/operands.h"
#include "providers/cuda/gpu_kernel.h"

namespace cutaway::cuda {

using operators::filledList;
using operators::listAttribute;
using operators::optionalTensor;
using operators::productOf;
using operators::readInteger;
using operators::readIntegers;
using operators::requireTensor;
using operators::resolveAxes;
using operators::resolveAxis;
using operators::rowMajorStrides;

// Bytes of one element; 0 for strings and packed types.
int64_t elementBytes(ElementType type);
// Types that fill whole bytes: all that moving operators take.
inline constexpr ElementType kMovable[] = {
    ElementType::kFloat,          ElementType::kFloat16,    ElementType::kBfloat16,       ElementType::kDouble,
    ElementType::kInt8,           ElementType::kUint8,      ElementType::kInt16,          ElementType::kUint16,
    ElementType::kInt32,          ElementType::kUint32,     ElementType::kInt64,          ElementType::kUint64,
    ElementType::kBool,           ElementType::kComplex64,  ElementType::kComplex128,     ElementType::kFloat8E4M3FN,
    ElementType::kFloat8E4M3FNUZ, ElementType::kFloat8E5M2, ElementType::kFloat8E5M2FNUZ, ElementType::kFloat8E8M0};
inline constexpr TypeRule kMovableFirst[] = {{0, kMovable}};
inline constexpr TypeRule kMovableAll[] = {{TypeRule::kAllInputs, kMovable}};

// NOT_IMPLEMENTED unless the input is a tensor of elements that fill whole bytes (what the rules of a row say where the
// type is known).
Result<void> checkMovable(const KernelInfo& info, size_t slot);

inline const void* bytesAt(const void* data, int64_t offsetBytes) {
  return static_cast<const std::byte*>(data) + offsetBytes;
}
inline void* bytesAt(void* data, int64_t offsetBytes) {
  return static_cast<std::byte*>(data) + offsetBytes;
}

}  // namespace cutaway::cuda
