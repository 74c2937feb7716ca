// GatherElements: for every place of the indices, the element that has the index as its coordinate on the axis.

#include "providers/cpu/kernels/indexing/index_list.h"
#include "providers/cpu/kernels/shape/axis_list.h"
#include "providers/cpu/kernels/shape/strided_copy.h"

namespace cutaway {
namespace {

class GatherElementsKernel final : public Kernel {
 public:
  explicit GatherElementsKernel(const KernelInfo& info) : m_axis(info.attribute<int64_t>("axis", 0)) {}

  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const Tensor* data, requireTensor(context, 0));
    CUTAWAY_TRY(const Tensor* indices, requireTensor(context, 1));
    CUTAWAY_TRY(const int64_t axis, resolveAxis(m_axis, data->rank()));
    CUTAWAY_TRY(const std::span<int64_t> offsets, scratchNumbers(context, indices->elementCount()));
    CUTAWAY_CHECK(resolveElementOffsets(*indices, data->dims(), static_cast<size_t>(axis), offsets));
    CUTAWAY_TRY(Tensor * output, context.output(0, data->type(), indices->dims()));
    gatherBlocks(data->type(), data->data(), offsets, 1, output->mutableData());
    return {};
  }

 private:
  int64_t m_axis;
};

constexpr KernelRow kRows[] = {
    {.opType = "GatherElements", .versions = {11}, .create = makeKernel<GatherElementsKernel>},
};

}  // namespace

KernelRows kernel_gather_elements() { return kRows; }

}  // namespace cutaway
