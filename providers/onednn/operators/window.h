#pragma once
// Sliding windows of convolutions and pools (engine/operators/window.h) as the library's numbers.
//
// Thread rule: pure. Example: CUTAWAY_TRY(const Window window, windowOf(node, inputDims, kernel));

#include <span>
#include <vector>

#include "engine/base/result.h"
#include "engine/graph/graph.h"
#include "engine/operators/window.h"
#include "providers/onednn/library.h"
#include "providers/onednn/operator_table.h"

namespace cutaway::onednn {

struct Window {
  Dimensions kernel, strides, dilations, padsBegin, padsEnd, output;  // dilations as the library counts: 0 is dense
  bool roundedUp = false;                                             // ceil_mode added places beyond the padding
};
// input: [batch, channels, spatial...]. INVALID_GRAPH when there are no spatial axes, otherwise as
// engine/operators/window.h.
Result<Window> windowOf(const Node& node, std::span<const int64_t> input, std::span<const int64_t> kernel,
                        operators::WindowFit fit = operators::WindowFit::kMustFit);
Result<Window> transposedWindowOf(const Node& node, std::span<const int64_t> input, std::span<const int64_t> kernel);

// Sizes a shape has now, or a stand-in for open ones.
int64_t product(std::span<const int64_t> dims);
Dimensions joined(int64_t batch, int64_t channels, const Dimensions& spatial);

}  // namespace cutaway::onednn
