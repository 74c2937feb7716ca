#pragma once
// The loops of pointwise.h, compiled once per instruction set: products of cells with packed weights that are finished
// in registers.
//
// Thread rule: pure functions. Example: see pointwise.cpp.

#include <cstdint>

#include "engine/math/channel_loops.h"

namespace cutaway::math {

// Of Layout::kBlocked16, which loops in vectors of so many floats take.
constexpr int64_t kBlockChannels = 16;

// How many floats lie from a cell to the next, and from a vector of its channels to the next.
struct CellStrides {
  int64_t cell = 0, block = 0;
};

// Cells side by side of one image, and some of the panels of filters.
struct PointwiseRun {
  int64_t cells = 0, channels = 0, filters = 0;
  int64_t firstPanel = 0, endPanel = 0;
  const float* input = nullptr;
  CellStrides inputStrides;
  const int32_t* offsets = nullptr;  // of each channel from its cell's place, where they do not lie side by side
  const float* packed = nullptr;     // ChannelLoops::packColumns, all vectors as one group; of all filters
  ChannelEpilogue epilogue;          // bias of all filters; its residual where the output's is; may be output itself
  float* output = nullptr;           // of the first cell and filter, whatever panels are worked on
  CellStrides outputStrides;         // of the residual, too
};

struct PointwiseLoops {
  int64_t lanes;  // floats of a vector
  void (*run)(const PointwiseRun&);
};

// For this processor; nullptr where it has no vectors of eight floats with fused multiply-add.
const PointwiseLoops* pointwiseLoops();

}  // namespace cutaway::math
