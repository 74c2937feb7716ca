#pragma once
// The integer masks of com.microsoft's attention operators as summands: 0 where a key counts, the filter value where it
// does not.
// (Forms: engine/operators/attention_layout.h.)
//
// Thread rule: pure functions over the context of one run.
// Example: CUTAWAY_TRY(problem.planes[0], paddingPlane(context, problem, *mask, -10000.0f, "Attention"));

#include "engine/provider/kernel.h"
#include "providers/cpu/kernels/attention/attention_call.h"

namespace cutaway::cpu::attention {

// problem: batch, queries and keys are set.
Result<Plane> paddingPlane(KernelContext& context, const Problem& problem, const Tensor& mask, float filter,
                           std::string_view name);

// Rows plus one summand a head and channel (`bias`, of the rows' type), in scratch as [batch, row, head, channel].
Result<Rows> withBias(KernelContext& context, const Rows& rows, int64_t batch, int64_t heads, int64_t count,
                      int64_t size, const void* bias);

}  // namespace cutaway::cpu::attention
