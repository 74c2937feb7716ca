#include "providers/onednn/operators/window.h"

namespace cutaway::onednn {

namespace {

std::vector<int64_t> listOr(const Node& node, std::string_view name, size_t size, int64_t otherwise) {
  std::vector<int64_t> values = node.attributeOr<std::vector<int64_t>>(name, {});
  if (values.empty()) values.assign(size, otherwise);
  return values;
}

Result<Window> start(const Node& node, std::span<const int64_t> input, std::vector<int64_t> kernel,
                     std::vector<int64_t>& pads) {
  if (input.size() < 3)
    return fail(ErrorCode::kInvalidGraph, "{} wants batch, channels and at least one spatial axis", node.opType);
  const size_t rank = input.size() - 2;
  Window window;
  window.kernel = std::move(kernel);
  window.strides = listOr(node, "strides", rank, 1);
  window.dilations = listOr(node, "dilations", rank, 1);
  pads = listOr(node, "pads", rank * 2, 0);
  if (window.kernel.size() != rank || window.strides.size() != rank || window.dilations.size() != rank ||
      pads.size() != rank * 2) {
    return fail(ErrorCode::kInvalidGraph, "{}: kernel_shape, strides, dilations and pads do not fit {} spatial axes",
                node.opType, rank);
  }
  for (size_t axis = 0; axis < rank; ++axis) {
    if (window.kernel[axis] < 1 || window.strides[axis] < 1 || window.dilations[axis] < 1)
      return fail(ErrorCode::kInvalidGraph, "{}: kernel, stride and dilation must be positive", node.opType);
  }
  return window;
}

}  // namespace

Result<Window> windowOf(const Node& node, std::span<const int64_t> input, std::vector<int64_t> kernel) {
  std::vector<int64_t> pads;
  CUTAWAY_TRY(Window window, start(node, input, std::move(kernel), pads));
  const size_t rank = input.size() - 2;
  const std::string automatic = node.attributeOr<std::string>("auto_pad", "NOTSET");
  const bool up = node.attributeOr<int64_t>("ceil_mode", 0) != 0;
  for (size_t axis = 0; axis < rank; ++axis) {
    const int64_t in = input[axis + 2], stride = window.strides[axis];
    const int64_t reach = (window.kernel[axis] - 1) * window.dilations[axis] + 1;
    int64_t before = pads[axis], after = pads[axis + rank], out = 0;
    if (automatic == "SAME_UPPER" || automatic == "SAME_LOWER") {
      out = (in + stride - 1) / stride;
      const int64_t total = std::max<int64_t>(0, (out - 1) * stride + reach - in);
      before = automatic == "SAME_UPPER" ? total / 2 : total - total / 2;
      after = total - before;
    } else {
      if (automatic == "VALID") before = after = 0;
      const int64_t room = in + before + after - reach;
      if (room < 0)
        return fail(ErrorCode::kInvalidGraph, "{}: the kernel is larger than the padded input", node.opType);
      out = room / stride + 1;
      if (up && room % stride != 0 && out * stride < in + before) {
        out += 1;
        window.roundedUp = true;
        after = (out - 1) * stride + reach - in - before;
      }
    }
    window.padsBegin.push_back(before);
    window.padsEnd.push_back(after);
    window.output.push_back(out);
    window.dilations[axis] -= 1;
  }
  return window;
}

Result<Window> transposedWindowOf(const Node& node, std::span<const int64_t> input, std::vector<int64_t> kernel) {
  std::vector<int64_t> pads;
  CUTAWAY_TRY(Window window, start(node, input, std::move(kernel), pads));
  const size_t rank = input.size() - 2;
  const std::string automatic = node.attributeOr<std::string>("auto_pad", "NOTSET");
  const std::vector<int64_t> extra = listOr(node, "output_padding", rank, 0);
  const std::vector<int64_t> wanted = node.attributeOr<std::vector<int64_t>>("output_shape", {});
  if (extra.size() != rank || (!wanted.empty() && wanted.size() < rank))
    return fail(ErrorCode::kInvalidGraph, "{}: output_padding or output_shape do not fit", node.opType);
  for (size_t axis = 0; axis < rank; ++axis) {
    const int64_t in = input[axis + 2], stride = window.strides[axis];
    const int64_t reach = (window.kernel[axis] - 1) * window.dilations[axis] + 1;
    const int64_t full = (in - 1) * stride + reach + extra[axis];
    int64_t before = pads[axis], after = pads[axis + rank];
    const bool same = automatic == "SAME_UPPER" || automatic == "SAME_LOWER";
    if (!wanted.empty() || same) {
      const int64_t out = !wanted.empty() ? wanted[wanted.size() - rank + axis] : in * stride;
      const int64_t total = std::max<int64_t>(0, full - out);
      before = automatic == "SAME_UPPER" ? total / 2 : total - total / 2;
      // A result that is asked to be larger than what the kernel reaches ends in places that only the bias fills.
      after = total - before + std::min<int64_t>(0, full - out);
    } else if (automatic == "VALID") {
      before = after = 0;
    }
    window.padsBegin.push_back(before);
    window.padsEnd.push_back(after - extra[axis]);
    window.output.push_back(full - before - after);
    window.dilations[axis] -= 1;
    if (window.output.back() < 1) return fail(ErrorCode::kInvalidGraph, "{}: the result would be empty", node.opType);
  }
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
