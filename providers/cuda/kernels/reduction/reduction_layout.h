#pragma once
// Which axes a reduction removes, and how what is left lies: outputs, and runs of elements behind each.
//
// (engine/operators/reduction.h) The innermost group decides the path: reduced rows are folded by warps or blocks, kept
// columns by threads. Thread rule: pure. Example:
//   CUTAWAY_TRY(const ReductionLayout layout, ReductionLayout::make(x.dims(), axes, keepDims));
//   ReduceParameters p = layout.parameters(x.data(), 4);

#include "engine/operators/reduction.h"
#include "engine/tensor/tensor.h"
#include "providers/cuda/functors/reduce_functors.h"

namespace cutaway::cuda {

struct ReductionLayout {
  Dims outputDims;
  int64_t outputs = 1, count = 1;
  IndexMap<1> kept, outer;
  int64_t run = 1, step = 0;
  bool rows = false;  // the innermost group is reduced

  static Result<ReductionLayout> make(const Dims& dims, const operators::AxisSet& axes, bool keepDims);
  // Path, threads and segments by the shape alone, so that results do not depend on the device.
  ReduceParameters parameters(const void* x, int64_t elementBytes) const;
};

}  // namespace cutaway::cuda
