#include "providers/cpu/kernels/elementwise/broadcast.h"

namespace cutaway::cpu {

Result<BroadcastPlan> BroadcastPlan::make(std::span<const Dims* const> operands, const Dims& outputDims) {
  BroadcastPlan plan;
  plan.operands = static_cast<int>(operands.size());
  plan.count = elementCount(outputDims);
  if (plan.count == 0) return plan;
  std::array<int64_t, kMaxOperands> nextStride{};
  for (int k = 0; k < plan.operands; ++k)
    nextStride[k] = 1;

  // Innermost first into reversed arrays; an axis joins the one inside it when every operand goes on where that one
  // ended.
  int axes = 0;
  for (size_t back = 0; back < outputDims.size(); ++back) {
    const int64_t extent = outputDims[outputDims.size() - 1 - back];
    if (extent == 1) continue;
    std::array<int64_t, kMaxOperands> stride{};
    bool joins = axes > 0;
    for (int k = 0; k < plan.operands; ++k) {
      const Dims& dims = *operands[static_cast<size_t>(k)];
      const int64_t own = back < dims.size() ? dims[dims.size() - 1 - back] : 1;
      if (own != 1 && own != extent)
        return fail(ErrorCode::kInvalidArgument, "shape {} does not broadcast to {}", dimsToText(dims),
                    dimsToText(outputDims));
      stride[k] = own == 1 ? 0 : nextStride[k];
      nextStride[k] *= own;
      if (joins) joins = stride[k] == plan.strides[k][axes - 1] * plan.extents[axes - 1];
    }
    if (joins) {
      plan.extents[axes - 1] *= extent;
      continue;
    }
    if (axes == kMaxAxes)
      return fail(ErrorCode::kNotImplemented, "broadcasting to {} needs more than {} axes", dimsToText(outputDims),
                  kMaxAxes);
    plan.extents[axes] = extent;
    for (int k = 0; k < plan.operands; ++k)
      plan.strides[k][axes] = stride[k];
    ++axes;
  }
  if (axes == 0) {
    plan.extents[0] = 1;
    axes = 1;
  }
  plan.axes = axes;
  std::reverse(plan.extents.begin(), plan.extents.begin() + axes);
  for (int k = 0; k < plan.operands; ++k)
    std::reverse(plan.strides[k].begin(), plan.strides[k].begin() + axes);
  return plan;
}

}  // namespace cutaway::cpu
