#pragma once
// Text models with branches, drawn at random: what executors overlap and planners reuse memory in.
//
// Thread rule: pure. Example: auto session = textSession(branchingText(seed, {.nodes = 40}));

#include <cstdint>
#include <string>

namespace cutaway {

struct BranchingOptions {
  int nodes = 40;
  bool openBatch = false;  // float[n,16] instead of float[8,16]
  bool bodies = true;      // If nodes whose branches capture values
  bool joins = true;       // Concat and Split, Reshape
};
// One input x and one or more outputs; values stay finite. The same seed gives the same text.
std::string branchingText(uint32_t seed, const BranchingOptions& options = {});

}  // namespace cutaway
