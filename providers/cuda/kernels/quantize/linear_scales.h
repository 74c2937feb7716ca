#pragma once
// A scale and a zero point of a whole 8-bit tensor, as the com.microsoft operators give them: two inputs on the device,
// the zero point optional.
//
// Thread rule: pure functions.
// Example: CUTAWAY_TRY(const LinearScale x, linearScale(call, 1, 2, a->type()));

#include "providers/cuda/functors/linear_functors.h"
#include "providers/cuda/kernels/axis_list.h"

namespace cutaway::cuda {

inline Result<LinearScale> linearScale(const GpuCall& call, size_t scaleSlot, size_t zeroSlot, ElementType type) {
  CUTAWAY_TRY(const Tensor* scale, requireTensor(call, scaleSlot));
  if (scale->elementCount() != 1 || scale->type() != ElementType::kFloat)
    return fail(ErrorCode::kInvalidArgument, "input {} must be one scale of type float, not {} of {}", scaleSlot,
                dimsToText(scale->dims()), elementTypeName(scale->type()));
  LinearScale result{.scale = static_cast<const float*>(scale->data())};
  const Tensor* zero = optionalTensor(call, zeroSlot);
  if (zero == nullptr) return result;
  if (zero->type() != type || zero->elementCount() != 1)
    return fail(ErrorCode::kInvalidArgument, "input {} must be one zero point of type {}, not {} of {}", zeroSlot,
                elementTypeName(type), dimsToText(zero->dims()), elementTypeName(zero->type()));
  result.zero = static_cast<const uint8_t*>(zero->data());
  return result;
}

inline constexpr ElementType kByteTypes[] = {ElementType::kUint8, ElementType::kInt8};
inline constexpr TypeRule kBytesFirst[] = {{0, kByteTypes}};
inline int32_t isSigned(const Tensor& tensor) {
  return tensor.type() == ElementType::kInt8;
}

}  // namespace cutaway::cuda
