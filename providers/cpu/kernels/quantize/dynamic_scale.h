#pragma once
// The scale and zero point that map a tensor's own range, with zero in it, to 0..255.
//
// Thread rule: pure functions, split over the caller's threads.
// Example: const DynamicScale chosen = dynamicScale(x, count);  quantizeDynamic(x, count, chosen, bytes);

#include <cstdint>

namespace cutaway::cpu {

struct DynamicScale {
  float scale = 0;
  uint8_t zeroPoint = 0;
};

DynamicScale dynamicScale(const float* x, int64_t count);
void quantizeDynamic(const float* x, int64_t count, const DynamicScale& chosen, uint8_t* out);

}  // namespace cutaway::cpu
