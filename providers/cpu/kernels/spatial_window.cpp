#include "providers/cpu/kernels/spatial_window.h"

namespace cutaway::cpu {
namespace {

constexpr int64_t kLargestNumber = int64_t{1} << 31;

Result<void> checkRange(std::string_view name, std::span<const int64_t> values, int64_t smallest) {
  for (const int64_t value : values) {
    if (value < smallest || value > kLargestNumber)
      return fail(ErrorCode::kInvalidArgument, "attribute {} has the value {}", name, value);
  }
  return {};
}

int64_t product(const WindowDims& dims, size_t rank) {
  int64_t count = 1;
  for (size_t axis = 0; axis < rank; ++axis)
    count *= dims[axis];
  return count;
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

void padAutomatically(Window& window, size_t axis, AutoPad autoPad) {
  window.padsBegin[axis] = window.padsEnd[axis] = 0;
  if (autoPad == AutoPad::kValid) return;
  const int64_t output = (window.input[axis] + window.strides[axis] - 1) / window.strides[axis];
  const int64_t total =
      std::max<int64_t>((output - 1) * window.strides[axis] + window.extent(axis) - window.input[axis], 0);
  const int64_t smaller = total / 2;
  window.padsBegin[axis] = autoPad == AutoPad::kSameUpper ? smaller : total - smaller;
  window.padsEnd[axis] = total - window.padsBegin[axis];
}

}  // namespace

int64_t Window::inputCells() const {
  return product(input, rank);
}
int64_t Window::outputCells() const {
  return product(output, rank);
}
int64_t Window::kernelCells() const {
  return product(kernel, rank);
}

Result<AutoPad> parseAutoPad(std::string_view text) {
  if (text.empty() || text == "NOTSET") return AutoPad::kNotSet;
  if (text == "SAME_UPPER") return AutoPad::kSameUpper;
  if (text == "SAME_LOWER") return AutoPad::kSameLower;
  if (text == "VALID") return AutoPad::kValid;
  return fail(ErrorCode::kInvalidArgument, "auto_pad is '{}'; known are NOTSET, SAME_UPPER, SAME_LOWER, VALID", text);
}

Result<WindowAttributes> readWindowAttributes(const KernelInfo& info) {
  using Ints = std::vector<int64_t>;
  WindowAttributes attributes;
  attributes.kernel = info.attribute<Ints>("kernel_shape", {});
  attributes.strides = info.attribute<Ints>("strides", {});
  attributes.dilations = info.attribute<Ints>("dilations", {});
  attributes.pads = info.attribute<Ints>("pads", {});
  attributes.ceilMode = info.attribute<int64_t>("ceil_mode", 0) != 0;
  CUTAWAY_TRY(attributes.autoPad, parseAutoPad(info.attribute<std::string>("auto_pad", "NOTSET")));
  CUTAWAY_CHECK(checkRange("kernel_shape", attributes.kernel, 1));
  CUTAWAY_CHECK(checkRange("strides", attributes.strides, 1));
  CUTAWAY_CHECK(checkRange("dilations", attributes.dilations, 1));
  CUTAWAY_CHECK(checkRange("pads", attributes.pads, 0));
  return attributes;
}

Result<Window> placeWindow(const WindowAttributes& attributes, std::span<const int64_t> inputSpatial,
                           std::span<const int64_t> kernel, WindowFit fit) {
  if (kernel.empty()) kernel = attributes.kernel;
  const size_t rank = inputSpatial.size();
  if (rank == 0 || rank > kMaxWindowRank)
    return fail(ErrorCode::kNotImplemented, "windows over {} spatial axes are not supported (1 to {} are)", rank,
                kMaxWindowRank);
  const auto fits = [&](const std::vector<int64_t>& list, size_t count) {
    return list.empty() || list.size() == count;
  };
  if (kernel.size() != rank || !fits(attributes.kernel, rank) || !fits(attributes.strides, rank) ||
      !fits(attributes.dilations, rank) || !fits(attributes.pads, 2 * rank)) {
    return fail(ErrorCode::kInvalidArgument, "kernel_shape, strides, dilations or pads do not fit {} spatial axes",
                rank);
  }
  Window window;
  window.rank = rank;
  for (size_t axis = 0; axis < rank; ++axis) {
    window.input[axis] = inputSpatial[axis];
    window.kernel[axis] = kernel[axis];
    if (!attributes.kernel.empty() && attributes.kernel[axis] != kernel[axis])
      return fail(ErrorCode::kInvalidArgument, "kernel_shape differs from the shape of the weights");
    if (kernel[axis] < 1 || kernel[axis] > kLargestNumber || inputSpatial[axis] > kLargestNumber)
      return fail(ErrorCode::kInvalidArgument, "spatial sizes are out of range");
    window.strides[axis] = attributes.strides.empty() ? 1 : attributes.strides[axis];
    window.dilations[axis] = attributes.dilations.empty() ? 1 : attributes.dilations[axis];
    if (attributes.autoPad == AutoPad::kNotSet) {
      window.padsBegin[axis] = attributes.pads.empty() ? 0 : attributes.pads[axis];
      window.padsEnd[axis] = attributes.pads.empty() ? 0 : attributes.pads[rank + axis];
    } else {
      padAutomatically(window, axis, attributes.autoPad);
    }
    window.output[axis] = outputOf(window, axis, attributes.ceilMode, fit);
    if (window.output[axis] < (fit == WindowFit::kMayExceed ? 0 : 1))
      return fail(ErrorCode::kInvalidArgument, "the window of {} does not fit an input of {} with its padding",
                  window.extent(axis), inputSpatial[axis]);
  }
  return window;
}

}  // namespace cutaway::cpu
