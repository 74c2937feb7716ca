// A sweep over the steps with the set of live blocks; a block that comes alive meets all of them.

#include "engine/stages/pattern/conflicts.h"

#include <algorithm>
#include <utility>

namespace cutaway::pattern {
namespace {

// Blocks whose intervals begin (or end) at each step, in lists one behind the other.
struct BlocksByStep {
  std::vector<uint32_t> from;
  std::vector<uint32_t> blocks;
  std::span<const uint32_t> at(size_t step) const { return {blocks.data() + from[step], from[step + 1] - from[step]}; }
};

BlocksByStep byStep(std::span<const TimedBlock> blocks, size_t steps, IndexList allocate::ProgramCounter::* which) {
  BlocksByStep lists;
  lists.from.assign(steps + 1, 0);
  for (const TimedBlock& block : blocks) {
    for (const int32_t step : block.life.*which)
      ++lists.from[static_cast<size_t>(step) + 1];
  }
  for (size_t step = 0; step < steps; ++step)
    lists.from[step + 1] += lists.from[step];
  lists.blocks.resize(lists.from.back());
  std::vector<uint32_t> next(lists.from.begin(), lists.from.end());
  for (uint32_t index = 0; index < blocks.size(); ++index) {
    for (const int32_t step : blocks[index].life.*which)
      lists.blocks[next[static_cast<size_t>(step)]++] = index;
  }
  return lists;
}

// Blocks that are alive, with removal in constant time.
class LiveSet {
 public:
  explicit LiveSet(size_t blocks) : m_position(blocks, 0) {}
  void add(uint32_t block) {
    m_position[block] = static_cast<uint32_t>(m_live.size());
    m_live.push_back(block);
  }
  void remove(uint32_t block) {
    const uint32_t position = m_position[block];
    m_live[position] = m_live.back();
    m_position[m_live[position]] = position;
    m_live.pop_back();
  }
  const std::vector<uint32_t>& live() const { return m_live; }

 private:
  std::vector<uint32_t> m_live;
  std::vector<uint32_t> m_position;
};

// How many pairs the sweep below lists.
size_t pairsMet(const BlocksByStep& begins, const BlocksByStep& ends, size_t steps) {
  size_t pairs = 0, alive = 0;
  for (size_t step = 0; step < steps; ++step) {
    const size_t begun = begins.at(step).size();
    pairs += begun * alive + begun * (begun - 1) / 2;
    alive += begun - ends.at(step).size();
  }
  return pairs;
}

}  // namespace

std::optional<Conflicts> Conflicts::build(std::span<const TimedBlock> blocks, size_t mostPairs) {
  int32_t steps = 0;
  for (const TimedBlock& block : blocks)
    steps = std::max(steps, block.last() + 1);
  const BlocksByStep begins = byStep(blocks, static_cast<size_t>(steps), &allocate::ProgramCounter::starts);
  const BlocksByStep ends = byStep(blocks, static_cast<size_t>(steps), &allocate::ProgramCounter::ends);

  const size_t pairs = pairsMet(begins, ends, static_cast<size_t>(steps));
  if (pairs > mostPairs) return std::nullopt;
  // Blocks with several intervals can meet more than once: those pairs are listed again and sorted out below.
  std::vector<std::pair<uint32_t, uint32_t>> met;
  met.reserve(pairs);
  LiveSet alive(blocks.size());
  for (size_t step = 0; step < static_cast<size_t>(steps); ++step) {
    for (const uint32_t block : begins.at(step)) {
      for (const uint32_t other : alive.live())
        met.emplace_back(block, other);
      alive.add(block);
    }
    for (const uint32_t block : ends.at(step))
      alive.remove(block);
  }

  Conflicts conflicts;
  conflicts.m_from.assign(blocks.size() + 1, 0);
  for (const auto& [a, b] : met)
    ++conflicts.m_from[a + 1], ++conflicts.m_from[b + 1];
  for (size_t block = 0; block < blocks.size(); ++block)
    conflicts.m_from[block + 1] += conflicts.m_from[block];
  conflicts.m_others.resize(met.size() * 2);
  std::vector<size_t> next(conflicts.m_from.begin(), conflicts.m_from.end() - 1);
  for (const auto& [a, b] : met) {
    conflicts.m_others[next[a]++] = b;
    conflicts.m_others[next[b]++] = a;
  }
  // Each pair once. Lists are compacted in place: a list never moves behind where it was.
  std::vector<uint32_t> seenBy(blocks.size(), UINT32_MAX);
  size_t kept = 0;
  for (size_t block = 0; block < blocks.size(); ++block) {
    const size_t from = conflicts.m_from[block], to = next[block];
    conflicts.m_from[block] = kept;
    for (size_t i = from; i < to; ++i) {
      const uint32_t other = conflicts.m_others[i];
      if (seenBy[other] == block) continue;
      seenBy[other] = static_cast<uint32_t>(block);
      conflicts.m_others[kept++] = other;
    }
  }
  conflicts.m_from.back() = kept;
  conflicts.m_others.resize(kept);
  return conflicts;
}

}  // namespace cutaway::pattern
