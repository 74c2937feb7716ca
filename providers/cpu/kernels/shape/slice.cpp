// Slice: a range with a step on some axes, ends clamped to the tensor. Ranges are attributes in version 1 and inputs
// from 10 on; DynamicSlice had them as inputs before.

#include "providers/cpu/kernels/shape/axis_list.h"
#include "providers/cpu/kernels/shape/strided_copy.h"

namespace cutaway {
namespace {

struct Ranges {
  Dims starts, ends, axes, steps;
  bool hasAxes = false;
  bool hasSteps = false;
};

struct AxisRange {
  int64_t start = 0;
  int64_t step = 1;
  int64_t count = 0;
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

class SliceKernel final : public Kernel {
 public:
  explicit SliceKernel(const KernelInfo& info)
      : m_attributes{listAttribute(info.node(), "starts"),         listAttribute(info.node(), "ends"),
                     listAttribute(info.node(), "axes"),           Dims(),
                     info.node().findAttribute("axes") != nullptr, false},
        m_rangesAreInputs(info.node().sinceVersion >= 10 || info.node().opType == "DynamicSlice") {}
  std::string_view variant() const override { return "copy"; }

  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const Tensor* data, requireTensor(context, 0));
    CUTAWAY_TRY(const Ranges ranges, readRanges(context));
    StridedMove move{data->dims(), rowMajorStrides(data->dims()), Dims()};
    CUTAWAY_TRY(const int64_t offset, applyRanges(ranges, data->rank(), move));
    move.toStrides = rowMajorStrides(move.dims);
    CUTAWAY_TRY(Tensor * output, context.output(0, data->type(), move.dims));
    if (output->elementCount() == 0) return {};
    moveStrided(data->type(), move, elementAt(data->type(), data->data(), offset), output->mutableData());
    return {};
  }

 private:
  Result<Ranges> readRanges(const KernelContext& context) const {
    if (!m_rangesAreInputs) return m_attributes;
    Ranges ranges;
    CUTAWAY_TRY(const Tensor* starts, requireTensor(context, 1));
    CUTAWAY_TRY(ranges.starts, readIntegers(*starts));
    CUTAWAY_TRY(const Tensor* ends, requireTensor(context, 2));
    CUTAWAY_TRY(ranges.ends, readIntegers(*ends));
    if (const Tensor* axes = optionalTensor(context, 3)) {
      CUTAWAY_TRY(ranges.axes, readIntegers(*axes));
      ranges.hasAxes = true;
    }
    if (const Tensor* steps = optionalTensor(context, 4)) {
      CUTAWAY_TRY(ranges.steps, readIntegers(*steps));
      ranges.hasSteps = true;
    }
    return ranges;
  }

  // Narrows move's dims and input strides; gives the first element's place.
  static Result<int64_t> applyRanges(const Ranges& ranges, size_t rank, StridedMove& move) {
    const size_t count = ranges.starts.size();
    if (ranges.ends.size() != count || (ranges.hasAxes && ranges.axes.size() != count) ||
        (ranges.hasSteps && ranges.steps.size() != count)) {
      return fail(ErrorCode::kInvalidArgument, "starts, ends, axes and steps of Slice differ in length");
    }
    Dims axes = filledList(count, 0);
    for (size_t i = 0; i < count; ++i)
      axes[i] = ranges.hasAxes ? ranges.axes[i] : static_cast<int64_t>(i);
    CUTAWAY_TRY(axes, resolveAxes(axes, rank));
    int64_t offset = 0;
    for (size_t i = 0; i < count; ++i) {
      const size_t axis = static_cast<size_t>(axes[i]);
      const int64_t step = ranges.hasSteps ? ranges.steps[i] : 1;
      if (step == 0) return fail(ErrorCode::kInvalidArgument, "the step of axis {} is 0", axis);
      const AxisRange range = clampRange(ranges.starts[i], ranges.ends[i], step, move.dims[axis]);
      move.dims[axis] = range.count;
      offset += range.start * move.fromStrides[axis];
      move.fromStrides[axis] = range.count > 1 ? move.fromStrides[axis] * range.step : 0;
    }
    return offset;
  }

  Ranges m_attributes;
  bool m_rangesAreInputs;
};

constexpr int kRangesOnHost[] = {1, 2, 3, 4};
constexpr int kStartsToAxesOnHost[] = {1, 2, 3};
constexpr KernelRow kRows[] = {
    {.opType = "Slice", .versions = {1, 9}, .fastPath = "copy", .create = makeKernel<SliceKernel>},
    {.opType = "DynamicSlice",
     .versions = {1},
     .hostInputs = kStartsToAxesOnHost,
     .fastPath = "copy",
     .create = makeKernel<SliceKernel>},
    {.opType = "Slice",
     .versions = {10},
     .hostInputs = kRangesOnHost,
     .fastPath = "copy",
     .create = makeKernel<SliceKernel>},
};

}  // namespace

KernelRows kernel_slice() {
  return kRows;
}

}  // namespace cutaway
