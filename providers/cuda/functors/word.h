#pragma once
// Elements as words of 1, 2, 4, 8 or 16 bytes: functors that only move data are instantiated by size, not by type.
//
// Thread rule: plain values. Example: WordTypes::each([&]<typename Word>() { table.add(wordName<Word>("move.strided"),
// &launchStrided<Word>); });

#include "providers/cuda/functors/launch_table.h"

namespace cutaway::cuda {

// Sixteen bytes that one instruction loads.
struct alignas(16) WideWord {
  uint64_t low, high;
};

using WordTypes = TypeList<uint8_t, uint16_t, uint32_t, uint64_t, WideWord>;

template <typename Word>
std::string wordName(const char* stem) {
  return std::string(stem) + "." + std::to_string(sizeof(Word));
}

// Offsets of a flat index, with divisions in Index: 32-bit ones are several times faster on a GPU, and serve wherever
// the count fits.
template <typename Index, int operands>
CUTAWAY_SHARED void offsetsOf(const IndexMap<operands>& map, Index index, int64_t (&result)[operands]) {
  for (int o = 0; o < operands; ++o)
    result[o] = 0;
  for (int axis = map.rank - 1; axis >= 0; --axis) {
    const Index extent = static_cast<Index>(map.dims[axis]);
    const Index next = axis == 0 ? 0 : index / extent;
    const int64_t at = static_cast<int64_t>(index - next * extent);
    for (int o = 0; o < operands; ++o)
      result[o] += at * map.strides[o][axis];
    index = next;
  }
}

// Counts up to here are divided in 32 bits.
inline constexpr int64_t kNarrowCount = int64_t{1} << 31;

}  // namespace cutaway::cuda
