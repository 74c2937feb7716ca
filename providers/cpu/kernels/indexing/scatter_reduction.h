#pragma once
// What a scatter does where an element already is: replace it, or combine the two.
//
// Thread rule: pure functions.
// Example: CUTAWAY_TRY(const ScatterReduction reduction, operators::scatterReductionOf(info.node()));
// CUTAWAY_CHECK(scatterInto(type, reduction, updates, offsets, 1, output));

#include <cstdint>
#include <span>

#include "engine/operators/scatter.h"
#include "engine/provider/kernel.h"

namespace cutaway::cpu {

using operators::ScatterReduction;

// Block i of `updates` (blockElements each) goes into `to` at offsets[i], in order. NOT_IMPLEMENTED when the type
// cannot be combined.
Result<void> scatterInto(ElementType type, ScatterReduction reduction, const void* updates,
                         std::span<const int64_t> offsets, int64_t blockElements, void* to);

}  // namespace cutaway::cpu
