#include "providers/cuda/kernels/reduction/reduction_layout.h"

#include <algorithm>
#include <bitset>

namespace cutaway::cuda {
namespace {

constexpr size_t kMostAxes = 64;
constexpr int64_t kBusyBlocks = 528;  // four blocks for each multiprocessor of the largest devices
constexpr int64_t kBusyThreads = 131072;
constexpr int64_t kMostSegments = 1024;

struct Group {
  int64_t extent = 1, stride = 1;
};

// Outermost last.
struct Groups {
  Group of[2 * kMaximumRank];
  size_t count = 0;
};

Result<void> push(Groups& groups, bool joins, int64_t extent, int64_t stride) {
  if (joins) {
    groups.of[groups.count - 1].extent *= extent;
    return {};
  }
  if (groups.count == kMaximumRank)
    return fail(ErrorCode::kNotImplemented, "a reduction over more than {} groups of axes", kMaximumRank);
  groups.of[groups.count++] = {extent, stride};
  return {};
}

IndexMap<1> mapOf(const Groups& groups, size_t innermost) {
  IndexMap<1> map;
  for (size_t i = groups.count; i-- > innermost;) {
    map.dims[map.rank] = groups.of[i].extent;
    map.strides[0][map.rank++] = groups.of[i].stride;
  }
  return map;
}

Dims dimsAfter(std::span<const int64_t> dims, const std::bitset<kMostAxes>& reduced, bool keepDims) {
  int64_t left[kMostAxes];
  size_t count = 0;
  for (size_t axis = 0; axis < dims.size(); ++axis) {
    if (!reduced.test(axis))
      left[count++] = dims[axis];
    else if (keepDims)
      left[count++] = 1;
  }
  return Dims(std::span<const int64_t>(left, count));
}

int64_t ceilDiv(int64_t a, int64_t b) {
  return (a + b - 1) / b;
}

}  // namespace

Result<ReductionLayout> ReductionLayout::make(std::span<const int64_t> dims, std::span<const int64_t> axes, bool all,
                                              bool keepDims) {
  if (dims.size() > kMostAxes)
    return fail(ErrorCode::kNotImplemented, "a reduction of a tensor of {} axes", dims.size());
  const int64_t rank = static_cast<int64_t>(dims.size());
  std::bitset<kMostAxes> reduced;
  if (all) reduced.set();
  for (const int64_t axis : all ? std::span<const int64_t>() : axes) {
    if (axis < -rank || axis >= rank)
      return fail(ErrorCode::kInvalidArgument, "axis {} is out of range for rank {}", axis, rank);
    reduced.set(static_cast<size_t>(axis < 0 ? axis + rank : axis));
  }
  ReductionLayout layout;
  layout.outputDims = dimsAfter(dims, reduced, keepDims);
  for (size_t axis = 0; axis < dims.size(); ++axis)
    (reduced.test(axis) ? layout.count : layout.outputs) *= dims[axis];
  if (layout.outputs == 0 || layout.count == 0) return layout;
  Groups kept, folded;
  int last = -1;
  int64_t stride = 1;
  for (size_t axis = dims.size(); axis-- > 0;) {
    if (dims[axis] == 1) continue;
    const int kind = reduced.test(axis) ? 1 : 0;
    if (last == -1) layout.rows = kind == 1;
    CUTAWAY_CHECK(push(kind == 1 ? folded : kept, kind == last, dims[axis], stride));
    last = kind;
    stride *= dims[axis];
  }
  layout.kept = mapOf(kept, 0);
  layout.outer = mapOf(folded, 1);
  if (folded.count > 0) layout.run = folded.of[0].extent, layout.step = folded.of[0].stride;
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
