#pragma once
// Weighted sums of four cells of a plane, for a block of places: the inner loop of bilinear sampling. Vectorised with
// Highway.
//
// Thread rule: pure. Example: vectorReadTaps(taps, plane, target, count);

#include <cstdint>

namespace cutaway::cpu {

struct PlaneTaps {
  static constexpr int64_t kMost = 64;
  int32_t cells[4][kMost];  // -1: outside, reads as zero
  float weights[4][kMost];
};

// count <= PlaneTaps::kMost.
void vectorReadTaps(const PlaneTaps& taps, const float* plane, float* to, int64_t count);

}  // namespace cutaway::cpu
