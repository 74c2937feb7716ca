// Slice and DynamicSlice: a strided copy of the part that the ranges say.

#include "engine/operators/slice.h"

#include "providers/cpu/kernels/shape/axis_list.h"
#include "providers/cpu/kernels/shape/strided_copy.h"

namespace cutaway::cpu {
namespace {

class SliceKernel final : public Kernel {
 public:
  explicit SliceKernel(const KernelInfo& info) : m_ranges(info.node()) {}
  std::string_view variant() const override { return "copy"; }

  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const Tensor* data, requireTensor(context, 0));
    CUTAWAY_TRY(const operators::SlicedPart part, m_ranges.partOf(data->dims(), operators::sliceOperands(context)));
    CUTAWAY_TRY(Tensor * output, context.output(0, data->type(), part.move.dims));
    if (output->elementCount() == 0) return {};
    moveStrided(data->type(), part.move, elementAt(data->type(), data->data(), part.offset), output->mutableData());
    return {};
  }

 private:
  operators::SliceRanges m_ranges;
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

}  // namespace cutaway::cpu
