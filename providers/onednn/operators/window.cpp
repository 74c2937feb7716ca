#include "providers/onednn/operators/window.h"

#include "engine/operators/window.h"

namespace cutaway::onednn {

namespace {

// The library's form: a list for each number, dilations counted from 0.
Window libraryWindow(const operators::Window& placed) {
  Window window;
  const auto listOf = [&](const operators::WindowDims& dims) {
    return Dimensions(dims.begin(), dims.begin() + static_cast<ptrdiff_t>(placed.rank));
  };
  window.kernel = listOf(placed.kernel);
  window.strides = listOf(placed.strides);
  window.dilations = listOf(placed.dilations);
  // A window of one place has none, and the library's averages want them below the size of the input.
  for (size_t axis = 0; axis < window.dilations.size(); ++axis)
    window.dilations[axis] = window.kernel[axis] == 1 ? 0 : window.dilations[axis] - 1;
  window.padsBegin = listOf(placed.padsBegin);
  window.padsEnd = listOf(placed.padsEnd);
  window.output = listOf(placed.output);
  return window;
}

Result<std::span<const int64_t>> spatialOf(const Node& node, std::span<const int64_t> input) {
  if (input.size() < 3)
    return fail(ErrorCode::kInvalidGraph, "{} wants batch, channels and at least one spatial axis", node.opType);
  return input.subspan(2);
}

}  // namespace

Result<Window> windowOf(const Node& node, std::span<const int64_t> input, std::span<const int64_t> kernel,
                        operators::WindowFit fit) {
  CUTAWAY_TRY(const std::span<const int64_t> spatial, spatialOf(node, input));
  CUTAWAY_TRY(const operators::WindowAttributes attributes, operators::readWindowAttributes(node));
  CUTAWAY_TRY(const operators::Window placed, operators::placeWindow(attributes, spatial, kernel, fit));
  Window window = libraryWindow(placed);
  for (size_t axis = 0; axis < placed.rank; ++axis) {
    if (placed.output[axis] < 1)
      return fail(ErrorCode::kNotImplemented, "{}: no place for a window of {} in an input of {}", node.opType,
                  placed.extent(axis), placed.input[axis]);
    if (placed.overhang(axis) <= placed.padsEnd[axis]) continue;
    window.roundedUp = true;
    window.padsEnd[axis] = placed.overhang(axis);
  }
  return window;
}

Result<Window> transposedWindowOf(const Node& node, std::span<const int64_t> input, std::span<const int64_t> kernel) {
  CUTAWAY_TRY(const std::span<const int64_t> spatial, spatialOf(node, input));
  CUTAWAY_TRY(const operators::TransposedWindowAttributes attributes, operators::readTransposedWindowAttributes(node));
  CUTAWAY_TRY(const operators::Window placed,
              operators::placeTransposedWindow(attributes, attributes.window.pads, spatial, kernel));
  Window window = libraryWindow(placed);
  // A result that is asked to be larger than what the kernel reaches ends in places that only the bias fills.
  for (size_t axis = 0; axis < placed.rank; ++axis)
    window.padsEnd[axis] = placed.transposedOverhang(axis);
  return window;
}

int64_t product(std::span<const int64_t> dims) {
  double count = 1;
  for (const int64_t dim : dims)
    count *= static_cast<double>(dim);
  return static_cast<int64_t>(std::min(count, 1e15));
}

Dimensions joined(int64_t batch, int64_t channels, const Dimensions& spatial) {
  Dimensions dims = spatial;
  dims.insert(dims.begin(), {batch, channels});
  return dims;
}

}  // namespace cutaway::onednn
