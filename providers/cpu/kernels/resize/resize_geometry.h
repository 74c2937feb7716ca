#pragma once
// What Resize and Upsample are asked to do: attributes of all versions, and the sizes and scales of one run.
//
// Thread rule: plain values.
// Example: CUTAWAY_TRY(const ResizeGeometry geometry, resizeGeometry(attributes, context));

#include <array>
#include <string>
#include <vector>

#include "engine/provider/kernel.h"

namespace cutaway {

inline constexpr size_t kMaxResizeRank = 8;

enum class ResizeMode : uint8_t { kNearest, kLinear, kCubic };
enum class CoordinateMode : uint8_t {
  kHalfPixel,
  kHalfPixelSymmetric,
  kPytorchHalfPixel,
  kAlignCorners,
  kAsymmetric,
  kCropAndResize,
  kTfHalfPixelForNearest
};
enum class NearestMode : uint8_t {
  kRoundPreferFloor,
  kRoundPreferCeil,
  kFloor,
  kCeil,
  kLegacy
};  // legacy: floor, but ceil when shrinking (Upsample and Resize 10)
enum class AspectPolicy : uint8_t { kStretch, kNotLarger, kNotSmaller };

struct ResizeAttributes {
  ResizeMode mode = ResizeMode::kNearest;
  CoordinateMode coordinates = CoordinateMode::kHalfPixel;
  NearestMode nearest = NearestMode::kRoundPreferFloor;
  AspectPolicy policy = AspectPolicy::kStretch;
  float cubicA = -0.75f;
  bool excludeOutside = false;
  bool antialias = false;
  float extrapolation = 0.0f;
  std::vector<int64_t> axes;          // empty: all
  std::vector<float> constantScales;  // Upsample 1 and 7
  int roiSlot = -1, scalesSlot = -1, sizesSlot = -1;
};

// Reads and checks the attributes of Resize 10 to 19 and Upsample 1 to 10.
Result<ResizeAttributes> readResizeAttributes(const KernelInfo& info);

struct ResizeGeometry {
  size_t rank = 0;
  std::array<int64_t, kMaxResizeRank> input{}, output{};
  std::array<double, kMaxResizeRank> scale{}, roiStart{}, roiEnd{};
  bool operator==(const ResizeGeometry&) const = default;
  // Nothing happens along this axis.
  bool identity(size_t axis, const ResizeAttributes& attributes) const;
};

Result<ResizeGeometry> resizeGeometry(const ResizeAttributes& attributes, KernelContext& context);

}  // namespace cutaway
