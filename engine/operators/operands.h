#pragma once
// The operands of a call, whichever provider makes it.
//
// A call is anything with `inputCount()` and `input(slot)`, which is nullptr where the slot holds no tensor: a
// KernelContext, a device's call.
// Example: CUTAWAY_TRY(const Tensor* data, requireTensor(context, 0));

#include <cstddef>

#include "engine/base/result.h"
#include "engine/tensor/tensor.h"

namespace cutaway::operators {

// The tensor of an optional slot, or nullptr.
template <typename Call>
const Tensor* optionalTensor(const Call& call, size_t slot) {
  return slot < call.inputCount() ? call.input(slot) : nullptr;
}

// The tensor of an input slot, or INVALID_ARGUMENT when the slot is empty or holds something else.
template <typename Call>
Result<const Tensor*> requireTensor(const Call& call, size_t slot) {
  const Tensor* tensor = optionalTensor(call, slot);
  if (tensor == nullptr)
    return fail(ErrorCode::kInvalidArgument, "input {} must be a tensor and is absent or something else", slot);
  return tensor;
}

}  // namespace cutaway::operators
