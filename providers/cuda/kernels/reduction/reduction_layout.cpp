#include "providers/cuda/kernels/reduction/reduction_layout.h"

#include <algorithm>

namespace cutaway::cuda {
namespace {

constexpr int64_t kBusyBlocks = 528;  // four blocks for each multiprocessor of the largest devices
constexpr int64_t kBusyThreads = 131072;
constexpr int64_t kMostSegments = 1024;

IndexMap<1> mapOf(std::span<const operators::AxisGroup> groups) {
  IndexMap<1> map;
  for (const operators::AxisGroup& group : groups) {
    map.dims[map.rank] = group.extent;
    map.strides[0][map.rank++] = group.stride;
  }
  return map;
}

int64_t ceilDiv(int64_t a, int64_t b) {
  return (a + b - 1) / b;
}

}  // namespace

Result<ReductionLayout> ReductionLayout::make(const Dims& dims, const operators::AxisSet& axes, bool keepDims) {
  CUTAWAY_TRY(const operators::ReductionPlan plan, operators::ReductionPlan::make(dims, axes, keepDims));
  ReductionLayout layout{.outputDims = plan.outputDims, .outputs = plan.outputCount, .count = plan.reducedCount};
  if (layout.outputs == 0 || layout.count == 0) return layout;
  if (std::max(plan.keptGroups, plan.reducedGroups) > kMaximumRank)
    return fail(ErrorCode::kNotImplemented, "a reduction over more than {} groups of axes", kMaximumRank);
  layout.rows = plan.rowsReduced && plan.reducedGroups > 0;
  layout.kept = mapOf({plan.kept.data(), plan.keptGroups});
  if (plan.reducedGroups == 0) return layout;
  const operators::AxisGroup& innermost = plan.reduced[plan.reducedGroups - 1];
  layout.outer = mapOf({plan.reduced.data(), plan.reducedGroups - 1});
  layout.run = innermost.extent, layout.step = innermost.stride;
  return layout;
}

ReduceParameters ReductionLayout::parameters(const void* x, int64_t elementBytes) const {
  ReduceParameters p{.x = x,
                     .outputs = outputs,
                     .count = count,
                     .perSegment = count,
                     .kept = kept,
                     .outer = outer,
                     .run = run,
                     .step = step};
  if (count == 0 || outputs == 0) return p;
  int64_t segments = 1;
  if (!rows) {
    p.path = ReducePath::kColumns;
    if (outputs < kBusyThreads / 2 && count >= 64)
      segments = std::min({count / 32, ceilDiv(kBusyThreads, outputs), kMostSegments});
    p.perSegment = ceilDiv(count, segments);
  } else if (count <= 32 || (count <= 1024 && outputs >= 64)) {
    p.path = ReducePath::kWarps;
  } else {
    p.path = ReducePath::kBlocks;
    if (outputs < kBusyBlocks / 2 && count >= 16384)
      segments = std::min({count / 8192, ceilDiv(kBusyBlocks, outputs), kMostSegments});
    p.perSegment = segments == 1 ? count : ceilDiv(ceilDiv(count, segments), 1024) * 1024;
    p.threads = p.perSegment <= 512 ? 64 : p.perSegment <= 4096 ? 128 : p.perSegment <= 16384 ? 256 : 512;
  }
  p.segments = ceilDiv(count, p.perSegment);
  p.packed = rows && outer.rank == 0 && isPackedBytes(x, count, elementBytes);
  return p;
}

}  // namespace cutaway::cuda
