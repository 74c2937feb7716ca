#include "providers/cuda/group_plan.h"

#include <algorithm>

namespace cutaway::cuda {
namespace {

constexpr int64_t kAlignment = 256;

struct Placed {
  int64_t offset = 0, end = 0;
  int32_t first = 0, last = 0;
};

}  // namespace

GroupPlan planGroup(const std::vector<ValueLife>& lives) {
  GroupPlan plan;
  plan.offsets.assign(lives.size(), -1);
  std::vector<size_t> order;
  for (size_t i = 0; i < lives.size(); ++i) {
    if (lives[i].first >= 0 && lives[i].sizeBytes >= 0) order.push_back(i);
  }
  std::ranges::stable_sort(order, [&](size_t a, size_t b) { return lives[a].sizeBytes > lives[b].sizeBytes; });
  std::vector<Placed> placed;  // by offset
  for (const size_t value : order) {
    const ValueLife& life = lives[value];
    const int64_t size = (std::max<int64_t>(life.sizeBytes, 1) + kAlignment - 1) / kAlignment * kAlignment;
    int64_t offset = 0;
    for (const Placed& other : placed) {
      if (other.last < life.first || life.last < other.first) continue;
      if (offset + size <= other.offset) break;
      offset = std::max(offset, other.end);
    }
    plan.offsets[value] = offset;
    plan.sizeBytes = std::max(plan.sizeBytes, offset + size);
    const Placed mine{offset, offset + size, life.first, life.last};
    placed.insert(std::ranges::upper_bound(placed, offset, {}, &Placed::offset), mine);
  }
  return plan;
}

}  // namespace cutaway::cuda
