#pragma once
// The block-sparse mask of SparseAttention: for every block of queries, which blocks of keys it sees, as rows of
// compressed columns; several layouts take turns over the heads.
//
// Thread rule: pure functions over the context of one run.
// Example: CUTAWAY_TRY(problem.planes[0], blockPlane(context, problem, {rows, columns, 16}, positions));

#include "engine/provider/kernel.h"
#include "providers/cpu/kernels/attention/attention_core.h"

namespace cutaway::cpu::attention {

struct BlockMask {
  const Tensor* rows = nullptr;     // [layouts, blocks + 1]: where each row of blocks starts among the columns
  const Tensor* columns = nullptr;  // [layouts, entries]
  int64_t blockSize = 1;
};

// past: position of query 0, a batch each. The plane is [batch, heads, queries, keys] of bool, in scratch.
Result<Plane> blockPlane(KernelContext& context, const Problem& problem, const BlockMask& mask, const int64_t* past);

}  // namespace cutaway::cpu::attention
