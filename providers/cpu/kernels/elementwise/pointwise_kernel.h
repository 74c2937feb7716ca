#pragma once
// Kernels of one tensor in and one of the same shape and type out.
//
// Thread rule: as Kernel.
// Example: return makePointwiseKernel(info, PointwiseOp::kElu, {.alpha = 1.0});

#include "engine/provider/kernel.h"
#include "providers/cpu/kernels/elementwise/pointwise.h"

namespace cutaway::cpu {

inline constexpr InplaceHint kFirstInPlace[] = {{0, 0, AliasKind::kMayInplace}};

// Float, double and half kinds. NOT_IMPLEMENTED for other element types.
Result<std::unique_ptr<Kernel>> makePointwiseKernel(const KernelInfo& info, PointwiseOp op,
                                                    PointwiseParameters parameters = {});

// The same over plain memory, split over threads; type is one of the four floats.
void runPointwise(PointwiseOp op, const PointwiseParameters& parameters, ElementType type, const void* from, void* to,
                  int64_t count);

// One loop over runs of elements of any type: what integer operators use.
using RunLoop = void (*)(const void* from, void* to, int64_t count);
Result<std::unique_ptr<Kernel>> makeRunKernel(RunLoop loop, ElementType inputType, ElementType outputType);

}  // namespace cutaway::cpu
