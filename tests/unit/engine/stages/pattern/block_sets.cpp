#include "tests/unit/engine/stages/pattern/block_sets.h"

#include <algorithm>
#include <random>

#include "engine/stages/pattern/block_life.h"
#include "engine/stages/pattern/pattern.h"

namespace cutaway {
namespace {

void sortByTime(std::vector<pattern::TimedBlock>& blocks) {
  std::stable_sort(blocks.begin(), blocks.end(),
                   [](const pattern::TimedBlock& a, const pattern::TimedBlock& b) { return a.first() < b.first(); });
}

}  // namespace

std::vector<pattern::TimedBlock> randomBlocks(const RandomBlockOptions& options) {
  std::mt19937_64 random(options.seed);
  const auto below = [&](int64_t bound) { return static_cast<int64_t>(random() % static_cast<uint64_t>(bound)); };
  std::vector<pattern::TimedBlock> blocks;
  for (int i = 0; i < options.blocks; ++i) {
    pattern::TimedBlock block;
    block.sizeBytes = pattern::kPatternAlignment * (options.fewSizes ? int64_t{1} << (2 * below(4)) : 1 + below(4096));
    int32_t step = static_cast<int32_t>(below(options.steps));
    do {
      const int32_t end = std::min<int32_t>(options.steps - 1, step + static_cast<int32_t>(below(options.longestLife)));
      block.life.starts.push_back(step);
      block.life.ends.push_back(end);
      step = end + 2 + static_cast<int32_t>(below(5));
    } while (options.pauses && step < options.steps && below(2) == 0);
    blocks.push_back(std::move(block));
  }
  sortByTime(blocks);
  return blocks;
}

std::vector<pattern::TimedBlock> cutRectangle(uint64_t seed, int blocks, int32_t steps, int64_t units) {
  struct Piece {
    int32_t first, last;
    int64_t low, high;
  };
  std::mt19937_64 random(seed);
  std::vector<Piece> pieces = {{0, steps - 1, 0, units}};
  for (int tries = 0; static_cast<int>(pieces.size()) < blocks && tries < blocks * 20; ++tries) {
    const size_t at = random() % pieces.size();
    Piece& piece = pieces[at];
    Piece rest = piece;
    if (random() % 2 == 0) {
      if (piece.last == piece.first) continue;
      piece.last = piece.first + static_cast<int32_t>(random() % static_cast<uint64_t>(piece.last - piece.first));
      rest.first = piece.last + 1;
    } else {
      if (piece.high - piece.low < 2) continue;
      piece.high = piece.low + 1 + static_cast<int64_t>(random() % static_cast<uint64_t>(piece.high - piece.low - 1));
      rest.low = piece.high;
    }
    pieces.push_back(rest);
  }
  std::vector<pattern::TimedBlock> made;
  for (const Piece& piece : pieces)
    made.push_back({(piece.high - piece.low) * pattern::kPatternAlignment, {{piece.first}, {piece.last}}});
  sortByTime(made);
  return made;
}

std::string faultOf(const std::vector<pattern::TimedBlock>& blocks, const pattern::Placement& placement) {
  if (placement.offsets.size() != blocks.size()) return "blocks are missing";
  for (size_t i = 0; i < blocks.size(); ++i) {
    const int64_t from = placement.offsets[i], end = from + blocks[i].sizeBytes;
    if (from < 0 || from % pattern::kPatternAlignment != 0) return fmt::format("block {} lies at {}", i, from);
    if (end > placement.peakBytes)
      return fmt::format("block {} ends at {}, above the peak {}", i, end, placement.peakBytes);
    for (size_t k = 0; k < i; ++k) {
      const bool inSpace = from < placement.offsets[k] + blocks[k].sizeBytes && placement.offsets[k] < end;
      if (inSpace && pattern::collide(blocks[i].life, blocks[k].life))
        return fmt::format("blocks {} and {} overlap", k, i);
    }
  }
  return {};
}

}  // namespace cutaway
