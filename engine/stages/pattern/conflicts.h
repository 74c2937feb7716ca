#pragma once
// Which blocks are alive at the same time: for each block the list of those that must not lie over it.
//
// Thread rule: immutable once built. Size grows with the number of such pairs, so it is built only up to a limit.
// Example: const auto conflicts = Conflicts::build(blocks, kMostPairs);  if (conflicts) for (uint32_t other :
// conflicts->of(block)) ...

#include <optional>
#include <span>
#include <vector>

#include "engine/stages/pattern/live_profile.h"

namespace cutaway::pattern {

class Conflicts {
 public:
  // nullopt when there are more pairs than `mostPairs`.
  static std::optional<Conflicts> build(std::span<const TimedBlock> blocks, size_t mostPairs);
  // Each once, in no particular order (the same every time).
  std::span<const uint32_t> of(uint32_t block) const {
    return {m_others.data() + m_from[block], m_from[block + 1] - m_from[block]};
  }
  size_t pairs() const { return m_others.size() / 2; }

 private:
  std::vector<size_t> m_from;  // by block, and one more
  std::vector<uint32_t> m_others;
};

}  // namespace cutaway::pattern
