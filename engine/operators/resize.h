#pragma once
// What Resize and Upsample are asked to do: attributes of all versions, and the sizes and scales of one run.
//
// Example: CUTAWAY_TRY(const ResizeGeometry geometry, resizeGeometry(attributes, dims, resizeOperands(attributes,
// call)));

#include <array>
#include <vector>

#include "engine/base/result.h"
#include "engine/graph/graph.h"
#include "engine/operators/operands.h"

namespace cutaway::operators {

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

// Reads and checks the attributes of Resize 10 to 19 and Upsample 1 to 10. NOT_IMPLEMENTED for words that are not
// known.
Result<ResizeAttributes> readResizeAttributes(const Node& node);

struct ResizeGeometry {
  size_t rank = 0;
  std::array<int64_t, kMaxResizeRank> input{}, output{};
  std::array<double, kMaxResizeRank> scale{}, roiStart{}, roiEnd{};
  bool operator==(const ResizeGeometry&) const = default;
  // Nothing happens along this axis.
  bool identity(size_t axis, const ResizeAttributes& attributes) const;
};

// What the node's version has as inputs, in host memory; nullptr: absent.
struct ResizeOperands {
  const Tensor *roi = nullptr, *scales = nullptr, *sizes = nullptr;
};
template <typename Call>
ResizeOperands resizeOperands(const ResizeAttributes& attributes, const Call& call) {
  const auto at = [&](int slot) { return slot < 0 ? nullptr : optionalTensor(call, static_cast<size_t>(slot)); };
  return {at(attributes.roiSlot), at(attributes.scalesSlot), at(attributes.sizesSlot)};
}

// dims: of the input, in the order that scales, sizes and regions count axes. INVALID_ARGUMENT where they do not fit or
// make no sense, NOT_IMPLEMENTED beyond kMaxResizeRank axes.
Result<ResizeGeometry> resizeGeometry(const ResizeAttributes& attributes, std::span<const int64_t> dims,
                                      const ResizeOperands& operands);

}  // namespace cutaway::operators
