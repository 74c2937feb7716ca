#pragma once
// Lets a kernel written for float serve the half kinds: inputs are widened before it runs, outputs rounded after.
//
// Thread rule: as Kernel; the widened tensors lie in the call's scratch, so a steady run allocates nothing. Constants
// are widened once, for all sessions. Example: {.opType = "Conv", .types = kHalfTypes, .create =
// createThroughFloat<createConv>},

#include <memory>
#include <vector>

#include "engine/provider/kernel.h"

namespace cutaway::cpu {

Result<std::unique_ptr<Kernel>> makeThroughFloat(std::unique_ptr<Kernel> inner, const KernelInfo& info);

template <auto Create>
Result<std::unique_ptr<Kernel>> createThroughFloat(const KernelInfo& info) {
  CUTAWAY_TRY(std::unique_ptr<Kernel> inner, Create(info));
  return makeThroughFloat(std::move(inner), info);
}

// A float tensor with the values of a float, half, bfloat16 or double one (the same tensor when it is float already).
Result<Tensor> widened(const Tensor& tensor);

}  // namespace cutaway::cpu
