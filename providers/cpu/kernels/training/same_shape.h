#pragma once
// A check that backward kernels share: two inputs of one type and shape.
//
// Thread rule: pure. Example: CUTAWAY_TRY(const Tensor* x, likeInput(context, "ReluGrad", 1, dy));

#include "engine/provider/kernel.h"

namespace cutaway::cpu {

// Input `slot`, which must have the element type and dims of `like`.
inline Result<const Tensor*> likeInput(KernelContext& context, std::string_view opType, size_t slot,
                                       const Tensor& like) {
  const Tensor* found = context.input(slot);
  if (found == nullptr) return fail(ErrorCode::kInvalidArgument, "{}: input {} is missing", opType, slot);
  if (found->type() != like.type() || !std::ranges::equal(found->dims(), like.dims())) {
    return fail(ErrorCode::kInvalidArgument, "{}: input {} is {} {}; {} {} is needed", opType, slot,
                elementTypeName(found->type()), dimsToText(found->dims()), elementTypeName(like.type()),
                dimsToText(like.dims()));
  }
  return found;
}

}  // namespace cutaway::cpu
