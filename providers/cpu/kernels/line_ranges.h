#pragma once
// How loops over lines that each need memory of their own are cut: a range of lines has one block of scratch memory.
//
// Thread rule: pure. Example: const int64_t ranges = lineRanges(lines, lines * length / 4096, block);
//   context.scratch(ranges * block);  parallelFor(ranges, 1, ...);

#include <algorithm>
#include <cstdint>

#include "engine/base/parallel.h"

namespace cutaway::cpu {

// At least 1, at most one for each line and for each share of the work that is worth a thread. Up to 64, so that
// threads that are behind leave ranges to the others; of blocks so large that 64 would be out of all proportion,
// as many as there are threads.
inline int64_t lineRanges(int64_t lines, int64_t shares, int64_t blockBytes) {
  constexpr int64_t kMostRanges = 64;
  constexpr int64_t kMostBytes = int64_t{32} << 20;
  const int64_t fit = kMostBytes / std::max<int64_t>(blockBytes, 1);
  const int64_t most = std::clamp<int64_t>(fit, std::min<int64_t>(currentThreads(), kMostRanges), kMostRanges);
  return std::clamp<int64_t>(std::min(lines, shares), 1, most);
}

}  // namespace cutaway::cpu
