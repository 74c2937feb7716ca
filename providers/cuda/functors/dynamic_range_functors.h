#pragma once
// What DynamicQuantizeLinear does: range, scale and zero point of floats, then bytes.
// Thread rule: as shared.h.

#include "providers/cuda/functors/bytes_functors.h"

namespace cutaway::cuda {

// Dynamic quantisation to uint8 as DynamicQuantizeLinear has it: least and greatest with 0 by blocks, then scale and
// zero point, then bytes.
struct RangePart {
  const float* x = nullptr;
  float* least = nullptr;  // one for each block
  float* greatest = nullptr;
  int64_t count = 0, blocks = 1;
  template <typename Block>
  CUTAWAY_SHARED void operator()(Block& block, int64_t index) const {
    float low = 0, high = 0;
    for (int64_t i = index * block.threads() + block.thread(); i < count; i += blocks * block.threads()) {
      low = x[i] < low ? x[i] : low;
      high = x[i] > high ? x[i] : high;
    }
    low = -block.maximum(-low);
    high = block.maximum(high);
    if (block.thread() == 0) {
      least[index] = low;
      greatest[index] = high;
    }
  }
};

struct RangeScale {
  const float* least = nullptr;
  const float* greatest = nullptr;
  float* scale = nullptr;
  uint8_t* zero = nullptr;
  int64_t blocks = 1;
  CUTAWAY_SHARED void operator()(int64_t) const {
    float low = 0, high = 0;
    for (int64_t i = 0; i < blocks; ++i) {
      low = least[i] < low ? least[i] : low;
      high = greatest[i] > high ? greatest[i] : high;
    }
    const float step = low == high ? 1.0f : (high - low) / 255.0f;
    const float place = roundEven(-low / step);
    *scale = step;
    *zero = static_cast<uint8_t>(place < 0.0f ? 0.0f : place > 255.0f ? 255.0f : place);
  }
};

struct QuantizeByScale {
  const float* x = nullptr;
  const float* scale = nullptr;
  const uint8_t* zero = nullptr;
  uint8_t* y = nullptr;
  int64_t count = 0;
  CUTAWAY_SHARED void operator()(int64_t i) const {
    const float value = roundEven(x[i] / *scale) + static_cast<float>(*zero);
    y[i] = static_cast<uint8_t>(value > 0.0f ? (value < 255.0f ? value : 255.0f) : 0.0f);
  }
};

}  // namespace cutaway::cuda
