#pragma once
// The elements that share scales (engine/operators/quantize_linear.h) as runs: within a run the scale is one (step 0)
// or a neighbour further on for each element (step 1).
//
// Thread rule: plain values. Example: layout.forRuns(0, layout.rows(), [&](const ScaleRun& run) {...});

#include <algorithm>
#include <cstdint>

#include "engine/operators/quantize_linear.h"

namespace cutaway::cpu {

struct ScaleRun {
  int64_t first = 0;  // element of the tensor
  int64_t count = 0;
  int64_t scale = 0;  // element of the scale
  int64_t scaleStep = 0;
};

struct ScaleLayout : operators::ScaleBlocks {
  // Runs are grouped in rows that may be worked on independently.
  int64_t rows() const { return block == 0 ? 1 : outer * (inner == 1 ? 1 : length); }

  // Calls visit for every run of rows [begin, end).
  template <typename Visit>
  void forRuns(int64_t begin, int64_t end, Visit&& visit) const {
    if (block == 0) {
      visit(ScaleRun{0, outer * length * inner, 0, 0});
      return;
    }
    const int64_t count = blocks();
    for (int64_t row = begin; row < end; ++row) {
      if (inner == 1 && !blocked) {
        visit(ScaleRun{row * length, length, 0, 1});
      } else if (inner == 1) {
        for (int64_t b = 0; b < count; ++b)
          visit(ScaleRun{row * length + b * block, std::min(block, length - b * block), row * count + b, 0});
      } else if (blocked) {
        visit(ScaleRun{row * inner, inner, (row / length * count + row % length / block) * inner, 1});
      } else {
        visit(ScaleRun{row * inner, inner, row % length, 0});
      }
    }
  }
};

}  // namespace cutaway::cpu
