#pragma once
// Which scale belongs to which element: one for the tensor, one for each place of an axis, or one for each block along
// an axis.
//
// The tensor is walked in runs; within a run the scale is one (step 0) or a neighbour further on for each element (step
// 1). Thread rule: plain values. Example: CUTAWAY_TRY(const ScaleLayout layout, scaleLayout(x->dims(), scale->dims(),
// axis, blockSize));  layout.forRuns(0, layout.rows(), [&](const ScaleRun& run) {...});

#include <algorithm>
#include <cstdint>

#include "engine/tensor/tensor.h"

namespace cutaway {

struct ScaleRun {
  int64_t first = 0;  // element of the tensor
  int64_t count = 0;
  int64_t scale = 0;  // element of the scale
  int64_t scaleStep = 0;
};

struct ScaleLayout {
  int64_t outer = 1, length = 1, inner = 1;  // the tensor as [outer, length, inner], `length` the axis
  int64_t block = 0;                         // elements of the axis that share a scale; 0: one scale for all
  bool blocked = false;                      // scales differ along outer and inner too

  // Runs are grouped in rows that may be worked on independently.
  int64_t rows() const { return block == 0 ? 1 : outer * (inner == 1 ? 1 : length); }

  // Calls visit for every run of rows [begin, end).
  template <typename Visit>
  void forRuns(int64_t begin, int64_t end, Visit&& visit) const {
    if (block == 0) {
      visit(ScaleRun{0, outer * length * inner, 0, 0});
      return;
    }
    const int64_t blocks = length == 0 ? 0 : (length - 1) / block + 1;
    for (int64_t row = begin; row < end; ++row) {
      if (inner == 1 && !blocked) {
        visit(ScaleRun{row * length, length, 0, 1});
      } else if (inner == 1) {
        for (int64_t b = 0; b < blocks; ++b)
          visit(ScaleRun{row * length + b * block, std::min(block, length - b * block), row * blocks + b, 0});
      } else if (blocked) {
        visit(ScaleRun{row * inner, inner, (row / length * blocks + row % length / block) * inner, 1});
      } else {
        visit(ScaleRun{row * inner, inner, row % length, 0});
      }
    }
  }
};

// INVALID_ARGUMENT when the scale's shape does not fit.
Result<ScaleLayout> scaleLayout(std::span<const int64_t> dims, std::span<const int64_t> scaleDims, int64_t axis,
                                int64_t blockSize);

}  // namespace cutaway
