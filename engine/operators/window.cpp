#include "engine/operators/window.h"

#include <algorithm>
#include <string>

namespace cutaway::operators {
namespace {

constexpr int64_t kLargestNumber = int64_t{1} << 31;

Result<void> checkRange(std::string_view name, std::span<const int64_t> values, int64_t smallest,
                        int64_t largest = kLargestNumber) {
  for (const int64_t value : values) {
    if (value < smallest || value > largest)
      return fail(ErrorCode::kInvalidArgument, "attribute {} has the value {}", name, value);
  }
  return {};
}

Result<void> checkAxes(size_t rank, size_t mostAxes) {
  if (rank == 0 || rank > mostAxes)
    return fail(ErrorCode::kNotImplemented, "windows over {} spatial axes are not supported (1 to {} are)", rank,
                mostAxes);
  return {};
}

bool fitsAxes(std::span<const int64_t> list, size_t count) {
  return list.empty() || list.size() == count;
}
int64_t listed(std::span<const int64_t> list, size_t axis, int64_t otherwise) {
  return axis < list.size() ? list[axis] : otherwise;
}

Result<void> setAxis(Window& window, size_t axis, const WindowAttributes& given, int64_t input, int64_t kernel) {
  if (listed(given.kernel, axis, kernel) != kernel)
    return fail(ErrorCode::kInvalidArgument, "kernel_shape differs from the shape of the weights");
  if (kernel < 1 || kernel > kLargestNumber || input < 0 || input > kLargestNumber)
    return fail(ErrorCode::kInvalidArgument, "spatial sizes are out of range");
  window.input[axis] = input;
  window.kernel[axis] = kernel;
  window.strides[axis] = listed(given.strides, axis, 1);
  window.dilations[axis] = listed(given.dilations, axis, 1);
  return {};
}

void setPadding(Window& window, size_t axis, AxisPadding padding) {
  window.padsBegin[axis] = padding.begin;
  window.padsEnd[axis] = padding.end;
}

AxisPadding splitPadding(int64_t total, bool moreAtEnd) {
  const int64_t begin = moreAtEnd ? total / 2 : total - total / 2;
  return {begin, total - begin};
}

int64_t outputOf(const Window& window, size_t axis, bool ceilMode, WindowFit fit) {
  const int64_t room = window.input[axis] + window.padsBegin[axis] + window.padsEnd[axis] - window.extent(axis);
  const int64_t stride = window.strides[axis];
  // The division rounds towards zero, so that a window less than a stride too large still gives one place.
  if (room < 0) return fit == WindowFit::kMayExceed ? room / stride + 1 : 0;
  int64_t output = (ceilMode ? room + stride - 1 : room) / stride + 1;
  // A window that would start in the padding at the end is left out.
  if (ceilMode && (output - 1) * stride >= window.input[axis] + window.padsBegin[axis]) --output;
  return output;
}

}  // namespace

Result<AutoPad> parseAutoPad(std::string_view text) {
  if (text.empty() || text == "NOTSET") return AutoPad::kNotSet;
  if (text == "SAME_UPPER") return AutoPad::kSameUpper;
  if (text == "SAME_LOWER") return AutoPad::kSameLower;
  if (text == "VALID") return AutoPad::kValid;
  return fail(ErrorCode::kInvalidArgument, "auto_pad is '{}'; known are NOTSET, SAME_UPPER, SAME_LOWER, VALID", text);
}

AxisPadding automaticPadding(AutoPad autoPad, int64_t input, int64_t extent, int64_t stride) {
  if (autoPad != AutoPad::kSameUpper && autoPad != AutoPad::kSameLower) return {};
  const int64_t output = (input + stride - 1) / stride;
  return splitPadding(std::max<int64_t>((output - 1) * stride + extent - input, 0), autoPad == AutoPad::kSameUpper);
}

Result<WindowAttributes> readWindowAttributes(const Node& node) {
  using Ints = std::vector<int64_t>;
  WindowAttributes attributes;
  attributes.kernel = node.attributeOr<Ints>("kernel_shape", {});
  attributes.strides = node.attributeOr<Ints>("strides", {});
  attributes.dilations = node.attributeOr<Ints>("dilations", {});
  attributes.pads = node.attributeOr<Ints>("pads", {});
  attributes.ceilMode = node.attributeOr<int64_t>("ceil_mode", 0) != 0;
  CUTAWAY_TRY(attributes.autoPad, parseAutoPad(node.attributeOr<std::string>("auto_pad", "NOTSET")));
  CUTAWAY_CHECK(checkRange("kernel_shape", attributes.kernel, 1));
  CUTAWAY_CHECK(checkRange("strides", attributes.strides, 1));
  CUTAWAY_CHECK(checkRange("dilations", attributes.dilations, 1));
  CUTAWAY_CHECK(checkRange("pads", attributes.pads, 0));
  return attributes;
}

Result<Window> placeWindow(const WindowAttributes& attributes, std::span<const int64_t> inputSpatial,
                           std::span<const int64_t> kernel, WindowFit fit, size_t mostAxes) {
  if (kernel.empty()) kernel = attributes.kernel;
  const size_t rank = inputSpatial.size();
  CUTAWAY_CHECK(checkAxes(rank, mostAxes));
  if (kernel.size() != rank || !fitsAxes(attributes.kernel, rank) || !fitsAxes(attributes.strides, rank) ||
      !fitsAxes(attributes.dilations, rank) || !fitsAxes(attributes.pads, 2 * rank)) {
    return fail(ErrorCode::kInvalidArgument, "kernel_shape, strides, dilations or pads do not fit {} spatial axes",
                rank);
  }
  Window window;
  window.rank = rank;
  for (size_t axis = 0; axis < rank; ++axis) {
    CUTAWAY_CHECK(setAxis(window, axis, attributes, inputSpatial[axis], kernel[axis]));
    if (attributes.autoPad == AutoPad::kNotSet)
      setPadding(window, axis, {listed(attributes.pads, axis, 0), listed(attributes.pads, rank + axis, 0)});
    else
      setPadding(window, axis,
                 automaticPadding(attributes.autoPad, window.input[axis], window.extent(axis), window.strides[axis]));
    window.output[axis] = outputOf(window, axis, attributes.ceilMode, fit);
    if (window.output[axis] < (fit == WindowFit::kMayExceed ? 0 : 1))
      return fail(ErrorCode::kInvalidArgument, "the window of {} does not fit an input of {} with its padding",
                  window.extent(axis), inputSpatial[axis]);
  }
  return window;
}

Result<TransposedWindowAttributes> readTransposedWindowAttributes(const Node& node) {
  TransposedWindowAttributes attributes;
  CUTAWAY_TRY(attributes.window, readWindowAttributes(node));
  attributes.outputPadding = node.attributeOr<std::vector<int64_t>>("output_padding", {});
  attributes.outputShape = node.attributeOr<std::vector<int64_t>>("output_shape", {});
  CUTAWAY_CHECK(checkRange("output_padding", attributes.outputPadding, 0, int64_t{1} << 30));
  return attributes;
}

Result<Window> placeTransposedWindow(const TransposedWindowAttributes& attributes, std::span<const int64_t> pads,
                                     std::span<const int64_t> inputSpatial, std::span<const int64_t> kernel,
                                     size_t mostAxes) {
  const size_t rank = inputSpatial.size();
  CUTAWAY_CHECK(checkAxes(rank, mostAxes));
  const WindowAttributes& given = attributes.window;
  const bool shapeFits = fitsAxes(attributes.outputShape, rank) || attributes.outputShape.size() == rank + 2;
  if (kernel.size() != rank || !fitsAxes(given.kernel, rank) || !fitsAxes(given.strides, rank) ||
      !fitsAxes(given.dilations, rank) || !fitsAxes(pads, 2 * rank) || !fitsAxes(attributes.outputPadding, rank) ||
      !shapeFits) {
    return fail(ErrorCode::kInvalidArgument,
                "ConvTranspose: kernel_shape, strides, dilations, pads, output_padding or output_shape do not fit {} "
                "spatial axes",
                rank);
  }
  CUTAWAY_CHECK(checkRange("pads", pads, 0));
  const size_t skip = attributes.outputShape.size() > rank ? 2 : 0;
  const bool same = given.autoPad == AutoPad::kSameUpper || given.autoPad == AutoPad::kSameLower;
  Window window;
  window.rank = rank;
  for (size_t axis = 0; axis < rank; ++axis) {
    CUTAWAY_CHECK(setAxis(window, axis, given, inputSpatial[axis], kernel[axis]));
    const int64_t full = (inputSpatial[axis] - 1) * window.strides[axis] + window.extent(axis) +
                         listed(attributes.outputPadding, axis, 0);
    if (!attributes.outputShape.empty() || same) {
      window.output[axis] = attributes.outputShape.empty() ? inputSpatial[axis] * window.strides[axis]
                                                           : attributes.outputShape[axis + skip];
      setPadding(window, axis,
                 splitPadding(std::max<int64_t>(full - window.output[axis], 0), given.autoPad == AutoPad::kSameUpper));
    } else {
      if (given.autoPad == AutoPad::kNotSet)
        setPadding(window, axis, {listed(pads, axis, 0), listed(pads, rank + axis, 0)});
      window.output[axis] = full - window.padsBegin[axis] - window.padsEnd[axis];
    }
    if (window.output[axis] < 1 || window.output[axis] > (int64_t{1} << 40))
      return fail(ErrorCode::kInvalidArgument, "ConvTranspose: output size {}", window.output[axis]);
  }
  return window;
}

}  // namespace cutaway::operators
