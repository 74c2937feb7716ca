#pragma once
// The sliding window of convolutions and poolings over 1 to 3 spatial axes: its attributes, and where it lands on an
// input of known size.
//
// Thread rule: plain values.
// Example: CUTAWAY_TRY(const WindowAttributes attributes, readWindowAttributes(info));  CUTAWAY_TRY(const Window
// window, placeWindow(attributes, {224, 224}, {7, 7}));

#include <array>
#include <span>
#include <vector>

#include "engine/provider/kernel.h"

namespace cutaway::cuda {

inline constexpr size_t kMostWindowAxes = 3;
using WindowDims = std::array<int64_t, kMostWindowAxes>;

enum class AutoPad : uint8_t { kNotSet, kSameUpper, kSameLower, kValid };

// As the node has them; empty lists mean the operator's default.
struct WindowAttributes {
  std::vector<int64_t> kernel, strides, dilations, pads;
  AutoPad autoPad = AutoPad::kNotSet;
  bool ceilMode = false;
};

// INVALID_ARGUMENT for values that make no sense (strides below 1, negative pads, numbers beyond 2^31).
Result<WindowAttributes> readWindowAttributes(const KernelInfo& info);

struct Window {
  size_t rank = 0;
  WindowDims input{1, 1, 1}, output{1, 1, 1}, kernel{1, 1, 1}, stride{1, 1, 1}, dilation{1, 1, 1}, padBegin{}, padEnd{};

  int64_t extent(size_t axis) const { return (kernel[axis] - 1) * dilation[axis] + 1; }
  // How far the last window reaches past the input: the padding at the end that really counts; may be negative.
  int64_t overhang(size_t axis) const {
    return (output[axis] - 1) * stride[axis] - padBegin[axis] + extent(axis) - input[axis];
  }
  int64_t kernelCells() const { return kernel[0] * kernel[1] * kernel[2]; }
  bool operator==(const Window&) const = default;
};

// What a window larger than the padded input means: an error (convolutions), or a window that hangs over (poolings), as
// far as the output formula has a place for one.
enum class WindowFit : uint8_t { kMustFit, kMayExceed };

// kernel: empty takes the attribute. NOT_IMPLEMENTED beyond three axes.
Result<Window> placeWindow(const WindowAttributes& attributes, std::span<const int64_t> inputSpatial,
                           std::span<const int64_t> kernel = {}, WindowFit fit = WindowFit::kMustFit);

// ConvTranspose: the window of the convolution that leads from output to input.
struct TransposedAttributes {
  WindowAttributes window;
  std::vector<int64_t> outputPadding, outputShape;
};
Result<Window> placeTransposed(const TransposedAttributes& attributes, std::span<const int64_t> pads,
                               std::span<const int64_t> input, std::span<const int64_t> kernel);

// The rank of the node's first input, where anything says it; 0: nothing does.
size_t knownRank(const KernelInfo& info, size_t slot);
// NOT_IMPLEMENTED where the node is known to have more axes than there are here.
Result<void> checkWindowRank(const KernelInfo& info);

// Into a functor's parameter block, whose axes stand at the end; every size must fit 31 bits.
template <typename Parameters>
Result<void> fillWindow(const Window& window, Parameters& p) {
  for (size_t axis = 0; axis < window.rank; ++axis) {
    const size_t to = kMostWindowAxes - window.rank + axis;
    constexpr int64_t kMost = int64_t{1} << 30;
    if (window.input[axis] > kMost || window.output[axis] > kMost || window.padBegin[axis] > kMost ||
        window.extent(axis) > kMost || window.stride[axis] > kMost)
      return fail(ErrorCode::kNotImplemented, "an axis of more than 2^30 cells");
    p.input[to] = static_cast<int32_t>(window.input[axis]);
    p.output[to] = static_cast<int32_t>(window.output[axis]);
    p.kernel[to] = static_cast<int32_t>(window.kernel[axis]);
    p.stride[to] = static_cast<int32_t>(window.stride[axis]);
    p.dilation[to] = static_cast<int32_t>(window.dilation[axis]);
    p.padBegin[to] = static_cast<int32_t>(window.padBegin[axis]);
    if constexpr (requires { p.padEnd; }) p.padEnd[to] = static_cast<int32_t>(window.padEnd[axis]);
  }
  return {};
}

// Dims of an image tensor: batch, channels, spatial sizes, in either order.
struct ImageDims {
  std::array<int64_t, kMostWindowAxes + 2> dims{};
  size_t rank = 0;
  std::span<const int64_t> span() const { return {dims.data(), rank}; }
};
ImageDims imageDims(int64_t batch, int64_t channels, std::span<const int64_t> spatial, bool channelsLast);

}  // namespace cutaway::cuda
