#pragma once
// Kernels over tensors that lie channels last: a value of dims [N, C, H, W] whose elements are stored [N, H, W, C].
//
// Such a tensor is a row-major one of the dims [N, H, W, C]; a kernel that means the same in any order of axes (sums
// with broadcasting, joins) runs on those dims unchanged. Operands that lie plainly are taken too where that is the
// same in memory: one channel, one cell a plane, or one element. Thread rule: pure; a wrapped kernel is as the kernel.
// Example: return inChannelsLastOrder(std::make_unique<ConcatKernel>(axis), info);

#include <memory>

#include "engine/provider/kernel.h"

namespace cutaway::cpu {

// Whether the node's first input or first output lies channels last.
bool liesChannelsLast(const KernelInfo& info);

// [N, C, H, W] -> [N, H, W, C] and back. dims of a smaller rank get ones in front first.
Dims channelsLastDims(std::span<const int64_t> dims, size_t rank);
Dims channelsFirstDims(std::span<const int64_t> dims);

// The kernel itself where the node's tensors lie plainly, else one that shows them to it with channels as the last
// axis.
std::unique_ptr<Kernel> inChannelsLastOrder(std::unique_ptr<Kernel> kernel, const KernelInfo& info);

}  // namespace cutaway::cpu
