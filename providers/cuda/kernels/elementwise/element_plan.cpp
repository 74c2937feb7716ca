#include "providers/cuda/kernels/elementwise/element_plan.h"

#include <algorithm>

namespace cutaway::cuda {

namespace {

bool aligned(const void* place, int64_t bytes) {
  return reinterpret_cast<uintptr_t>(place) % static_cast<uintptr_t>(bytes) == 0;
}

// The innermost axis in packs: only where every operand walks it one by one or stays, and all start on a pack's
// boundary.
int32_t packWidth(const ElementPlan& plan, int64_t inner) {
  const int64_t widest = std::max(plan.toBytes, *std::ranges::max_element(plan.bytes));
  const int64_t width = packOf(widest);
  if (width == 1 || inner < width || (*plan.rank > 1 && inner % width != 0) || !aligned(plan.to, width * plan.toBytes))
    return 1;
  for (size_t o = 0; o < plan.from.size(); ++o) {
    if (plan.step[o] != 0 && !aligned(plan.from[o], width * plan.bytes[o])) return 1;
  }
  return static_cast<int32_t>(width);
}

}  // namespace

ElementCounts countElements(const ElementPlan& plan, bool mayPack) {
  ElementCounts counts;
  const int rank = *plan.rank;
  int64_t packs = 1;
  for (int axis = 0; axis < rank; ++axis)
    packs *= plan.dims[axis];
  for (size_t o = 0; o < plan.step.size(); ++o)
    plan.step[o] = rank == 0 ? 0 : static_cast<int32_t>(plan.strides[o][rank - 1]);
  constexpr int64_t kNarrow = 0x7fffffff;
  bool narrow = packs <= kNarrow;
  for (size_t o = 0; narrow && o < plan.strides.size(); ++o) {
    int64_t last = 0;
    for (int axis = 0; axis < rank; ++axis)
      last += (plan.dims[axis] - 1) * plan.strides[o][axis];
    narrow = last <= kNarrow;
  }
  if (rank > 0 && packs > 0) {
    int64_t& inner = plan.dims[rank - 1];
    if (mayPack) counts.width = packWidth(plan, inner);
    if (counts.width > 1) {
      packs /= inner;
      inner = (inner + counts.width - 1) / counts.width;
      packs *= inner;
      for (int64_t* strides : plan.strides)
        strides[rank - 1] *= counts.width;
    }
  }
  counts.packs = packs;
  counts.narrow = narrow ? 1 : 0;
  return counts;
}

}  // namespace cutaway::cuda
