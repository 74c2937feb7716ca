#include "engine/stages/pattern/orders.h"

#include <algorithm>
#include <numeric>

#include "engine/stages/pattern/range_maximum.h"

namespace cutaway::pattern {
namespace {

template <typename Key>
BlockOrder descending(std::span<const TimedBlock> blocks, Key&& key) {
  BlockOrder order(blocks.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return key(blocks[a]) > key(blocks[b]); });
  return order;
}

// Steps in which something lies in it; pauses do not count.
int64_t stepsAlive(const TimedBlock& block) {
  int64_t steps = 0;
  for (size_t i = 0; i < block.life.starts.size(); ++i)
    steps += block.life.ends[i] - block.life.starts[i] + 1;
  return steps;
}

}  // namespace

BlockOrder orderByTime(std::span<const TimedBlock> blocks) {
  return descending(blocks, [](const TimedBlock& block) { return -int64_t{block.first()}; });
}

BlockOrder orderBySize(std::span<const TimedBlock> blocks) {
  return descending(blocks, [](const TimedBlock& block) { return block.sizeBytes; });
}

BlockOrder orderByLifetime(std::span<const TimedBlock> blocks) {
  return descending(blocks, [](const TimedBlock& block) { return std::pair(stepsAlive(block), block.sizeBytes); });
}

BlockOrder orderByArea(std::span<const TimedBlock> blocks) {
  return descending(blocks, [](const TimedBlock& block) {
    return static_cast<double>(stepsAlive(block)) * static_cast<double>(block.sizeBytes);
  });
}

BlockOrder orderByBreadth(std::span<const TimedBlock> blocks, const std::vector<int64_t>& liveBytes) {
  // A block belongs to the heaviest step at which it lives: the first one met when steps are taken by weight.
  const RangeMaximum heaviest(liveBytes);
  std::vector<int64_t> weight(blocks.size());
  std::vector<int32_t> at(blocks.size());
  for (size_t i = 0; i < blocks.size(); ++i) {
    int32_t step = blocks[i].first();
    for (size_t k = 0; k < blocks[i].life.starts.size(); ++k) {
      const int32_t candidate = heaviest.at(blocks[i].life.starts[k], blocks[i].life.ends[k]);
      if (liveBytes[static_cast<size_t>(candidate)] > liveBytes[static_cast<size_t>(step)]) step = candidate;
    }
    at[i] = step;
    weight[i] = liveBytes[static_cast<size_t>(step)];
  }
  BlockOrder order(blocks.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
    if (weight[a] != weight[b]) return weight[a] > weight[b];
    return at[a] != at[b] ? at[a] < at[b] : blocks[a].sizeBytes > blocks[b].sizeBytes;
  });
  return order;
}

BlockOrder orderAroundPeak(std::span<const TimedBlock> blocks, int32_t peakStep) {
  return descending(blocks, [peakStep](const TimedBlock& block) {
    const int64_t away = block.first() > peakStep ? block.first() - peakStep : std::max(peakStep - block.last(), 0);
    return std::pair(-away, stepsAlive(block));
  });
}

}  // namespace cutaway::pattern
