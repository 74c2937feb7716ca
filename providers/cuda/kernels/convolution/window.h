#pragma once
// Windows of convolutions and poolings (engine/operators/window.h) over the 1 to 3 spatial axes that device code has.

#include <array>
#include <span>
#include <vector>

#include "engine/operators/window.h"
#include "engine/provider/kernel.h"

namespace cutaway::cuda {

inline constexpr size_t kMostWindowAxes = 3;

using operators::placeTransposedWindow;
using operators::placeWindow;
using operators::readWindowAttributes;
using operators::Window;
using operators::WindowAttributes;
using operators::WindowFit;

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
    if (window.input[axis] > kMost || window.output[axis] > kMost || window.padsBegin[axis] > kMost ||
        window.extent(axis) > kMost || window.strides[axis] > kMost)
      return fail(ErrorCode::kNotImplemented, "an axis of more than 2^30 cells");
    p.input[to] = static_cast<int32_t>(window.input[axis]);
    p.output[to] = static_cast<int32_t>(window.output[axis]);
    p.kernel[to] = static_cast<int32_t>(window.kernel[axis]);
    p.stride[to] = static_cast<int32_t>(window.strides[axis]);
    p.dilation[to] = static_cast<int32_t>(window.dilations[axis]);
    p.padBegin[to] = static_cast<int32_t>(window.padsBegin[axis]);
    if constexpr (requires { p.padEnd; }) p.padEnd[to] = static_cast<int32_t>(window.padsEnd[axis]);
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
