#pragma once
// The sliding window of convolutions and poolings: its attributes, and where it lands on an input of known size.
//
// Thread rule: plain values.
// Example:
//   CUTAWAY_TRY(const WindowAttributes attributes, readWindowAttributes(info));
//   CUTAWAY_TRY(const Window window, placeWindow(attributes, {224, 224}, {7, 7}));   // window.output == {112, 112}

#include <array>
#include <span>
#include <vector>

#include "engine/provider/kernel.h"

namespace cutaway {

inline constexpr size_t kMaxWindowRank = 6;
using WindowDims = std::array<int64_t, kMaxWindowRank>;

enum class AutoPad : uint8_t { kNotSet, kSameUpper, kSameLower, kValid };

// As the node has them; empty lists mean the operator's default.
struct WindowAttributes {
  std::vector<int64_t> kernel, strides, dilations, pads;
  AutoPad autoPad = AutoPad::kNotSet;
  bool ceilMode = false;
};

// INVALID_ARGUMENT for values that make no sense (strides below 1, negative pads, numbers beyond 2^31).
Result<WindowAttributes> readWindowAttributes(const KernelInfo& info);
Result<AutoPad> parseAutoPad(std::string_view text);

struct Window {
  size_t rank = 0;
  WindowDims input{}, output{}, kernel{}, strides{}, dilations{}, padsBegin{}, padsEnd{};

  // Input cells between the first and the last cell of the window on this axis, both counted.
  int64_t extent(size_t axis) const { return (kernel[axis] - 1) * dilations[axis] + 1; }
  // Input coordinate of the first cell of the window for this output; may be negative.
  int64_t start(size_t axis, int64_t outputIndex) const { return outputIndex * strides[axis] - padsBegin[axis]; }
  // How far the last window reaches past the input: the effective padding at the end; may be negative.
  int64_t overhang(size_t axis) const { return start(axis, output[axis] - 1) + extent(axis) - input[axis]; }
  int64_t inputCells() const;
  int64_t outputCells() const;
  int64_t kernelCells() const;
};

// What a window larger than the padded input means: an error (convolutions), or a window that hangs over, as far as the
// output formula has a place for one (poolings).
enum class WindowFit : uint8_t { kMustFit, kMayExceed };

// kernel: empty takes the attribute. Output sizes are checked to be positive; with kMayExceed they may be 0.
Result<Window> placeWindow(const WindowAttributes& attributes, std::span<const int64_t> inputSpatial,
                           std::span<const int64_t> kernel = {}, WindowFit fit = WindowFit::kMustFit);

// Steps through all index tuples below `limits`, last axis fastest; false when back at zero.
inline bool nextIndex(WindowDims& index, const WindowDims& limits, size_t rank) {
  for (size_t axis = rank; axis-- > 0;) {
    if (++index[axis] < limits[axis]) return true;
    index[axis] = 0;
  }
  return false;
}

}  // namespace cutaway
