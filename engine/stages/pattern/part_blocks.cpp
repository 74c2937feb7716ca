#include "engine/stages/pattern/part_blocks.h"

namespace cutaway::pattern {

void placeParts(const Graph& graph, const allocate::AllocationPlan& allocation, const std::vector<int64_t>& sizes,
                MemoryPatternGroup& group) {
  std::vector<int64_t> offsets;  // asked for only where there are parts
  for (const ValueId value : graph.valueIds()) {
    const size_t index = value.index();
    const allocate::AllocPlanPerValue& plan = allocation.values[index];
    if ((plan.rule != AllocRule::kPart && plan.rule != AllocRule::kSplitPart) || !plan.root.valid() ||
        plan.root == value || sizes[index] < 0)
      continue;
    const MemoryBlock& whole = group.blocks[plan.root.index()];
    if (whole.offset < 0) continue;
    if (offsets.empty()) offsets = allocate::offsetsInRoot(graph, allocation, sizes);
    if (offsets[index] < 0 || sizes[index] > whole.sizeBytes || offsets[index] > whole.sizeBytes - sizes[index])
      continue;
    group.blocks[index] = {whole.offset + offsets[index], sizes[index]};
    group.patternOfValue[index] = group.patternOfValue[plan.root.index()];
  }
}

}  // namespace cutaway::pattern
