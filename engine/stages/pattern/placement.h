#pragma once
// Places blocks one after the other in a given order, each at an offset that is free of the blocks before it that live
// at the same time.
//
// Thread rule: one thread. Example: Placer placer(blocks, conflicts);  placer.place(order, 0, Fit::kFirst);
// placer.peakBytes();

#include <span>
#include <vector>

#include "engine/stages/pattern/conflicts.h"

namespace cutaway::pattern {

enum class Fit : uint8_t {
  kBest,   // the smallest gap that is large enough, the room up to the peak counted as a gap
           // (onnxruntime/core/framework/mem_pattern_planner.h)
  kFirst,  // the lowest offset
};

struct Placement {
  std::vector<int64_t> offsets;  // by block
  int64_t peakBytes = 0;
};

class Placer {
 public:
  Placer(std::span<const TimedBlock> blocks, const Conflicts& conflicts);
  // Takes a placement over as if it had been made in this order.
  void adopt(const Placement& placement, std::span<const uint32_t> order);
  // order: every block once. The first `from` of them stay where the last call put them (they must be the same).
  void place(std::span<const uint32_t> order, size_t from, Fit fit);
  const Placement& placement() const { return m_placement; }
  // Conflicts looked at so far, over all calls: the measure of work.
  int64_t visits() const { return m_visits; }

 private:
  struct Room {
    int64_t offset;
    int64_t end;
  };
  int64_t firstFit(int64_t sizeBytes) const;
  int64_t bestFit(int64_t sizeBytes) const;

  std::span<const TimedBlock> m_blocks;
  const Conflicts& m_conflicts;
  Placement m_placement;
  std::vector<uint32_t> m_rank;      // by block: place in the order
  std::vector<int64_t> m_peakAfter;  // by place in the order
  std::vector<Room> m_taken;         // around the block in hand, by offset
  int64_t m_visits = 0;
};

}  // namespace cutaway::pattern
