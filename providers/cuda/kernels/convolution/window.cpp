// Formulas from the texts of Conv, ConvTranspose and the poolings.
#include "providers/cuda/kernels/convolution/window.h"

#include <algorithm>

#include "engine/provider/execution_provider.h"

namespace cutaway::cuda {
namespace {

constexpr int64_t kLargestNumber = int64_t{1} << 31;

Result<void> checkRange(std::string_view name, std::span<const int64_t> values, int64_t smallest) {
  for (const int64_t value : values) {
    if (value < smallest || value > kLargestNumber)
      return fail(ErrorCode::kInvalidArgument, "attribute {} has the value {}", name, value);
  }
  return {};
}

Result<AutoPad> parseAutoPad(std::string_view text) {
  if (text.empty() || text == "NOTSET") return AutoPad::kNotSet;
  if (text == "SAME_UPPER") return AutoPad::kSameUpper;
  if (text == "SAME_LOWER") return AutoPad::kSameLower;
  if (text == "VALID") return AutoPad::kValid;
  return fail(ErrorCode::kInvalidArgument, "auto_pad is '{}'; known are NOTSET, SAME_UPPER, SAME_LOWER, VALID", text);
}

int64_t outputOf(const Window& window, size_t axis, bool ceilMode, WindowFit fit) {
  const int64_t room = window.input[axis] + window.padBegin[axis] + window.padEnd[axis] - window.extent(axis);
  const int64_t stride = window.stride[axis];
  // The division rounds towards zero, so that a window less than a stride too large still gives one place.
  if (room < 0) return fit == WindowFit::kMayExceed ? room / stride + 1 : 0;
  int64_t output = (ceilMode ? room + stride - 1 : room) / stride + 1;
  // A window that would start in the padding at the end is left out.
  if (ceilMode && (output - 1) * stride >= window.input[axis] + window.padBegin[axis]) --output;
  return output;
}

void padAutomatically(Window& window, size_t axis, AutoPad autoPad) {
  window.padBegin[axis] = window.padEnd[axis] = 0;
  if (autoPad == AutoPad::kValid) return;
  const int64_t output = (window.input[axis] + window.stride[axis] - 1) / window.stride[axis];
  const int64_t total =
      std::max<int64_t>((output - 1) * window.stride[axis] + window.extent(axis) - window.input[axis], 0);
  window.padBegin[axis] = autoPad == AutoPad::kSameUpper ? total / 2 : total - total / 2;
  window.padEnd[axis] = total - window.padBegin[axis];
}

void splitPadding(Window& window, size_t axis, int64_t total, bool moreAtEnd) {
  total = std::max<int64_t>(total, 0);
  window.padBegin[axis] = moreAtEnd ? total / 2 : total - total / 2;
  window.padEnd[axis] = total - window.padBegin[axis];
}

int64_t listed(const std::vector<int64_t>& list, size_t axis, int64_t otherwise) {
  return axis < list.size() ? list[axis] : otherwise;
}
bool fitsAxes(std::span<const int64_t> list, size_t count) {
  return list.empty() || list.size() == count;
}

Result<void> checkRank(size_t rank) {
  if (rank == 0 || rank > kMostWindowAxes)
    return fail(ErrorCode::kNotImplemented, "windows over {} spatial axes (1 to {} are supported)", rank,
                kMostWindowAxes);
  return {};
}

Result<void> setAxis(Window& window, size_t axis, const WindowAttributes& given, int64_t input, int64_t kernel) {
  if (kernel < 1 || kernel > kLargestNumber || input < 0 || input > kLargestNumber)
    return fail(ErrorCode::kInvalidArgument, "spatial sizes are out of range");
  if (listed(given.kernel, axis, kernel) != kernel)
    return fail(ErrorCode::kInvalidArgument, "kernel_shape differs from the shape of the weights");
  window.input[axis] = input;
  window.kernel[axis] = kernel;
  window.stride[axis] = listed(given.strides, axis, 1);
  window.dilation[axis] = listed(given.dilations, axis, 1);
  return {};
}

}  // namespace

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
  CUTAWAY_CHECK(checkRank(rank));
  if (kernel.size() != rank || !fitsAxes(attributes.kernel, rank) || !fitsAxes(attributes.strides, rank) ||
      !fitsAxes(attributes.dilations, rank) || !fitsAxes(attributes.pads, 2 * rank)) {
    return fail(ErrorCode::kInvalidArgument, "kernel_shape, strides, dilations or pads do not fit {} spatial axes",
                rank);
  }
  Window window;
  window.rank = rank;
  for (size_t axis = 0; axis < rank; ++axis) {
    CUTAWAY_CHECK(setAxis(window, axis, attributes, inputSpatial[axis], kernel[axis]));
    window.padBegin[axis] = listed(attributes.pads, axis, 0);
    window.padEnd[axis] = listed(attributes.pads, rank + axis, 0);
    if (attributes.autoPad != AutoPad::kNotSet) padAutomatically(window, axis, attributes.autoPad);
    window.output[axis] = outputOf(window, axis, attributes.ceilMode, fit);
    if (window.output[axis] < (fit == WindowFit::kMayExceed ? 0 : 1))
      return fail(ErrorCode::kInvalidArgument, "the window of {} does not fit an input of {} with its padding",
                  window.extent(axis), inputSpatial[axis]);
  }
  return window;
}

Result<Window> placeTransposed(const TransposedAttributes& attributes, std::span<const int64_t> pads,
                               std::span<const int64_t> input, std::span<const int64_t> kernel) {
  const size_t rank = input.size();
  CUTAWAY_CHECK(checkRank(rank));
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
  const size_t skip = attributes.outputShape.size() > rank ? 2 : 0;
  Window window;
  window.rank = rank;
  for (size_t axis = 0; axis < rank; ++axis) {
    CUTAWAY_CHECK(setAxis(window, axis, given, input[axis], kernel[axis]));
    const int64_t full =
        (input[axis] - 1) * window.stride[axis] + window.extent(axis) + listed(attributes.outputPadding, axis, 0);
    const bool same = given.autoPad == AutoPad::kSameUpper || given.autoPad == AutoPad::kSameLower;
    if (!attributes.outputShape.empty() || same) {
      window.output[axis] =
          attributes.outputShape.empty() ? input[axis] * window.stride[axis] : attributes.outputShape[axis + skip];
      splitPadding(window, axis, full - window.output[axis], given.autoPad == AutoPad::kSameUpper);
    } else {
      const bool padded = given.autoPad == AutoPad::kNotSet && !pads.empty();
      window.padBegin[axis] = padded ? pads[axis] : 0;
      window.padEnd[axis] = padded ? pads[rank + axis] : 0;
      window.output[axis] = full - window.padBegin[axis] - window.padEnd[axis];
    }
    if (window.output[axis] < 1 || window.output[axis] > (int64_t{1} << 40))
      return fail(ErrorCode::kInvalidArgument, "ConvTranspose: output size {}", window.output[axis]);
  }
  return window;
}

size_t knownRank(const KernelInfo& info, size_t slot) {
  if (!info.hasInput(slot)) return 0;
  if (const auto& shape = info.inputType(slot).shape) return shape->rank();
  const Tensor* constant = info.constantInput(slot);
  return constant == nullptr ? 0 : constant->rank();
}

Result<void> checkWindowRank(const KernelInfo& info) {
  const size_t rank = std::max(knownRank(info, 0), info.attribute<std::vector<int64_t>>("kernel_shape", {}).size() + 2);
  if (rank > kMostWindowAxes + 2)
    return fail(ErrorCode::kNotImplemented, "windows over {} spatial axes (1 to {} are supported)", rank - 2,
                kMostWindowAxes);
  return {};
}

ImageDims imageDims(int64_t batch, int64_t channels, std::span<const int64_t> spatial, bool channelsLast) {
  ImageDims result;
  result.dims[result.rank++] = batch;
  if (!channelsLast) result.dims[result.rank++] = channels;
  for (const int64_t size : spatial)
    result.dims[result.rank++] = size;
  if (channelsLast) result.dims[result.rank++] = channels;
  return result;
}

}  // namespace cutaway::cuda
