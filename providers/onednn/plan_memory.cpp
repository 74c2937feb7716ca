// Places working buffers: largest first, each at the lowest offset where no buffer of overlapping lifetime lies.
#include <algorithm>

#include "engine/base/checked_math.h"
#include "engine/tensor/allocator.h"
#include "providers/onednn/plan.h"

namespace cutaway::onednn {

void placeWorkingBuffers(Plan& plan) {
  std::vector<uint32_t> order;
  for (uint32_t i = 0; i < plan.buffers.size(); ++i) {
    const PlanBuffer& buffer = plan.buffers[i];
    if (buffer.kind == PlanBuffer::Kind::kWorking && buffer.firstStep >= 0 && buffer.sizeBytes > 0) order.push_back(i);
  }
  std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
    const PlanBuffer &left = plan.buffers[a], &right = plan.buffers[b];
    return left.sizeBytes != right.sizeBytes ? left.sizeBytes > right.sizeBytes : a < b;
  });
  std::vector<uint32_t> placed;  // by offset
  for (const uint32_t index : order) {
    PlanBuffer& buffer = plan.buffers[index];
    const size_t size = static_cast<size_t>(alignUp(static_cast<int64_t>(buffer.sizeBytes), kBlockAlignment));
    size_t offset = 0;
    for (const uint32_t other : placed) {
      const PlanBuffer& there = plan.buffers[other];
      if (there.lastStep < buffer.firstStep || there.firstStep > buffer.lastStep) continue;
      if (offset + size <= there.offset) break;
      offset = std::max(
          offset, static_cast<size_t>(alignUp(static_cast<int64_t>(there.offset + there.sizeBytes), kBlockAlignment)));
    }
    buffer.offset = offset;
    plan.scratchBytes = std::max(plan.scratchBytes, offset + size);
    const auto place = std::upper_bound(placed.begin(), placed.end(), index, [&](uint32_t a, uint32_t b) {
      return plan.buffers[a].offset < plan.buffers[b].offset;
    });
    placed.insert(place, index);
  }
}

}  // namespace cutaway::onednn
