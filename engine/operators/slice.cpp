#include "engine/operators/slice.h"

#include <algorithm>

#include "engine/operators/axes.h"
#include "engine/operators/dims.h"
#include "engine/operators/integer_list.h"

namespace cutaway::operators {
namespace {

struct AxisRange {
  int64_t start = 0, step = 1, count = 0;
};

// ONNX's clamping rules: for a step forward, both ends lie in [0, n]; backward, the start in [0, n-1] and the end in
// [-1, n-1].
AxisRange clampRange(int64_t start, int64_t end, int64_t step, int64_t n) {
  if (n == 0) return {0, 1, 0};
  const auto fromEnd = [n](int64_t place) { return place < 0 ? (place < -n ? int64_t{-1} : place + n) : place; };
  if (step > 0) {
    start = std::clamp<int64_t>(fromEnd(start), 0, n);
    end = std::clamp<int64_t>(fromEnd(end), 0, n);
    return {start, step, end > start ? (end - start - 1) / step + 1 : 0};
  }
  start = std::clamp<int64_t>(fromEnd(start), 0, n - 1);
  end = std::clamp<int64_t>(fromEnd(end), -1, n - 1);
  // Written so that the most negative step does not overflow.
  const uint64_t back = uint64_t{0} - static_cast<uint64_t>(step);
  return {start, step, start > end ? static_cast<int64_t>(static_cast<uint64_t>(start - end - 1) / back) + 1 : 0};
}

Result<Dims> requireList(const Tensor* tensor, std::string_view name) {
  if (tensor == nullptr) return fail(ErrorCode::kInvalidArgument, "{} of Slice must be a tensor", name);
  return readIntegers(*tensor);
}

}  // namespace

SliceRanges::SliceRanges(const Node& node)
    : m_attributes{.starts = listAttribute(node, "starts"),
                   .ends = listAttribute(node, "ends"),
                   .axes = listAttribute(node, "axes"),
                   .steps = {},
                   .hasAxes = node.findAttribute("axes") != nullptr,
                   .hasSteps = false},
      m_areInputs(node.sinceVersion >= 10 || node.opType == "DynamicSlice") {}

Result<SliceRanges::Ranges> SliceRanges::read(const SliceOperands& operands) const {
  if (!m_areInputs) return m_attributes;
  Ranges ranges{.hasAxes = operands.axes != nullptr, .hasSteps = operands.steps != nullptr};
  CUTAWAY_TRY(ranges.starts, requireList(operands.starts, "starts"));
  CUTAWAY_TRY(ranges.ends, requireList(operands.ends, "ends"));
  if (ranges.hasAxes) {
    CUTAWAY_TRY(ranges.axes, readIntegers(*operands.axes));
  }
  if (ranges.hasSteps) {
    CUTAWAY_TRY(ranges.steps, readIntegers(*operands.steps));
  }
  return ranges;
}

Result<SlicedPart> SliceRanges::partOf(std::span<const int64_t> dims, const SliceOperands& operands) const {
  CUTAWAY_TRY(const Ranges ranges, read(operands));
  const size_t count = ranges.starts.size();
  if (ranges.ends.size() != count || (ranges.hasAxes && ranges.axes.size() != count) ||
      (ranges.hasSteps && ranges.steps.size() != count)) {
    return fail(ErrorCode::kInvalidArgument, "starts, ends, axes and steps of Slice differ in length");
  }
  Dims axes = filledList(count, 0);
  for (size_t i = 0; i < count; ++i)
    axes[i] = ranges.hasAxes ? ranges.axes[i] : static_cast<int64_t>(i);
  CUTAWAY_TRY(axes, resolveAxes(axes, dims.size()));
  SlicedPart part{.move = {Dims(dims), rowMajorStrides(dims), Dims()}};
  for (size_t i = 0; i < count; ++i) {
    const size_t axis = static_cast<size_t>(axes[i]);
    const int64_t step = ranges.hasSteps ? ranges.steps[i] : 1;
    if (step == 0) return fail(ErrorCode::kInvalidArgument, "the step of axis {} is 0", axis);
    const AxisRange range = clampRange(ranges.starts[i], ranges.ends[i], step, dims[axis]);
    int64_t& stride = part.move.fromStrides[axis];
    part.offset += range.start * stride;
    part.move.dims[axis] = range.count;
    stride = range.count > 1 ? stride * range.step : 0;
  }
  part.move.toStrides = rowMajorStrides(part.move.dims);
  return part;
}

}  // namespace cutaway::operators
