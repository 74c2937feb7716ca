#pragma once
// Random and hand-made sets of blocks for tests of offset planning, and a judge of placements.
//
// Thread rule: pure; the same seed gives the same set. Example: const auto blocks = randomBlocks({.seed = 4, .blocks =
// 200});

#include <cstdint>
#include <string>
#include <vector>

#include "engine/stages/pattern/placement.h"

namespace cutaway {

struct RandomBlockOptions {
  uint64_t seed = 1;
  int blocks = 50;
  int steps = 100;
  int longestLife = 20;
  bool pauses = false;    // some lives have several intervals
  bool fewSizes = false;  // of four sizes, as in networks; otherwise anything up to a megabyte
};
// By first step, as planOffsets wants them.
std::vector<pattern::TimedBlock> randomBlocks(const RandomBlockOptions& options);

// Blocks cut out of a full rectangle of `steps` by `sizeBytes`: a placement without any loss exists.
std::vector<pattern::TimedBlock> cutRectangle(uint64_t seed, int blocks, int32_t steps, int64_t units);

// What is wrong with a placement: blocks that overlap in space and time, an end above the peak, an offset that is not
// aligned. Empty when it is good.
std::string faultOf(const std::vector<pattern::TimedBlock>& blocks, const pattern::Placement& placement);

}  // namespace cutaway
