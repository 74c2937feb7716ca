#pragma once
// GridSample (16 on, and com.microsoft's): how places are read, and which shapes fit each other.

#include "engine/base/result.h"
#include "engine/graph/graph.h"
#include "engine/tensor/tensor.h"

namespace cutaway::operators {

inline constexpr size_t kMaxSampledAxes = 6;

enum class SampleMode : uint8_t { kNearest, kLinear, kCubic };
enum class SamplePadding : uint8_t { kZeros, kBorder, kReflection };

struct SampleSettings {
  SampleMode mode = SampleMode::kLinear;
  SamplePadding padding = SamplePadding::kZeros;
  bool alignCorners = false;
  bool tapsOnly = false;  // border brings cubic taps inside, but not the place between them: com.microsoft's reading,
                          // where ai.onnx moves the place
};
// NOT_IMPLEMENTED for words that are not known.
Result<SampleSettings> readSampleSettings(const Node& node);

// Dims of the output: the grid's places for each channel of x. INVALID_ARGUMENT where they do not fit, or there are
// places but nothing to sample.
Result<Dims> sampledDims(std::span<const int64_t> x, std::span<const int64_t> grid);

}  // namespace cutaway::operators
