#pragma once
// Index tensors of gathers and scatters: read, made positive, checked.
//
// Index values are hostile: every one is checked before it is used. INVALID_ARGUMENT names the index and the bound.
// Thread rule: pure functions.
// Example: CUTAWAY_TRY(const std::span<int64_t> offsets, scratchNumbers(context, count));
// CUTAWAY_CHECK(resolveIndices(*indices, bound, offsets));

#include <cstdint>
#include <span>

#include "engine/provider/kernel.h"

namespace cutaway::cpu {

// Numbers that live until the kernel's run returns.
Result<std::span<int64_t>> scratchNumbers(KernelContext& context, int64_t count);

// Copies the elements of an int32 or int64 tensor, each in [-bound, bound-1], as numbers in [0, bound-1]. `to` has one
// place for each.
Result<void> resolveIndices(const Tensor& indices, int64_t bound, std::span<int64_t> to);

// Index tuples of GatherND and ScatterND: the last axis of an int64 tensor indexes the first axes of `dims`. Gives each
// tuple's element offset.
Result<void> resolveTuples(const Tensor& indices, std::span<const int64_t> dims, std::span<int64_t> to);

// GatherElements and ScatterElements: the element offset in `dims` of every element of `indices`, whose value replaces
// the coordinate on `axis`.
Result<void> resolveElementOffsets(const Tensor& indices, std::span<const int64_t> dims, size_t axis,
                                   std::span<int64_t> to);

}  // namespace cutaway::cpu
