#pragma once
// The sliding window of convolutions and poolings: its attributes, and where it lands on an input of known size.
//
// Formulas are those of the texts of Conv, ConvTranspose and the poolings in the ONNX operator list.
// Example:
//   CUTAWAY_TRY(const WindowAttributes attributes, readWindowAttributes(node));
//   CUTAWAY_TRY(const Window window, placeWindow(attributes, {224, 224}, {7, 7}));   // window.output == {112, 112}

#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/graph/graph.h"

namespace cutaway::operators {

inline constexpr size_t kMaxWindowRank = 6;
using WindowDims = std::array<int64_t, kMaxWindowRank>;

enum class AutoPad : uint8_t { kNotSet, kSameUpper, kSameLower, kValid };

// INVALID_ARGUMENT for other words; an empty text is NOTSET.
Result<AutoPad> parseAutoPad(std::string_view text);

// Padding of one axis.
struct AxisPadding {
  int64_t begin = 0, end = 0;
};
// SAME_UPPER and SAME_LOWER: as much padding as makes the output input / stride, rounded up; the odd cell lies at the
// end or at the begin. Others: none. extent: input cells that the window spans. stride: at least 1.
AxisPadding automaticPadding(AutoPad autoPad, int64_t input, int64_t extent, int64_t stride);

// As the node has them; empty lists mean the operator's default.
struct WindowAttributes {
  std::vector<int64_t> kernel, strides, dilations, pads;
  AutoPad autoPad = AutoPad::kNotSet;
  bool ceilMode = false;
};
// INVALID_ARGUMENT for values that make no sense (strides below 1, negative pads, numbers beyond 2^31).
Result<WindowAttributes> readWindowAttributes(const Node& node);

// Axes beyond `rank` have one cell and no padding.
struct Window {
  size_t rank = 0;
  WindowDims input = ones(), output = ones(), kernel = ones(), strides = ones(), dilations = ones();
  WindowDims padsBegin{}, padsEnd{};

  // Input cells between the first and the last cell of the window on this axis, both counted.
  int64_t extent(size_t axis) const { return (kernel[axis] - 1) * dilations[axis] + 1; }
  // Input coordinate of the first cell of the window for this output; may be negative.
  int64_t start(size_t axis, int64_t outputIndex) const { return outputIndex * strides[axis] - padsBegin[axis]; }
  // How far the last window reaches past the input: the effective padding at the end; may be negative.
  int64_t overhang(size_t axis) const { return start(axis, output[axis] - 1) + extent(axis) - input[axis]; }
  // The same of the convolution that leads from the output of a transposed one to its input.
  int64_t transposedOverhang(size_t axis) const { return start(axis, input[axis] - 1) + extent(axis) - output[axis]; }
  int64_t inputCells() const { return product(input); }
  int64_t outputCells() const { return product(output); }
  int64_t kernelCells() const { return product(kernel); }
  bool operator==(const Window&) const = default;

 private:
  static constexpr WindowDims ones() {
    WindowDims dims{};
    dims.fill(1);
    return dims;
  }
  int64_t product(const WindowDims& dims) const {
    int64_t count = 1;
    for (size_t axis = 0; axis < rank; ++axis)
      count *= dims[axis];
    return count;
  }
};

// What a window larger than the padded input means: an error (convolutions), or a window that hangs over, as far as the
// output formula has a place for one (poolings).
enum class WindowFit : uint8_t { kMustFit, kMayExceed };

// kernel: empty takes the attribute. Output sizes are checked to be positive; with kMayExceed they may be 0.
// NOT_IMPLEMENTED beyond mostAxes, which is at most kMaxWindowRank.
Result<Window> placeWindow(const WindowAttributes& attributes, std::span<const int64_t> inputSpatial,
                           std::span<const int64_t> kernel = {}, WindowFit fit = WindowFit::kMustFit,
                           size_t mostAxes = kMaxWindowRank);

// ConvTranspose: every input cell adds its window to the output.
struct TransposedWindowAttributes {
  WindowAttributes window;
  std::vector<int64_t> outputPadding, outputShape;
};
// INVALID_ARGUMENT as readWindowAttributes, and for output_padding outside [0, 2^30].
Result<TransposedWindowAttributes> readTransposedWindowAttributes(const Node& node);
// pads: those of the attributes, or what a run-time input gives. output_shape may name the batch and channels, too.
Result<Window> placeTransposedWindow(const TransposedWindowAttributes& attributes, std::span<const int64_t> pads,
                                     std::span<const int64_t> inputSpatial, std::span<const int64_t> kernel,
                                     size_t mostAxes = kMaxWindowRank);

}  // namespace cutaway::operators
