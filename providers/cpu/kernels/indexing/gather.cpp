// Gather: slices of the input along an axis, picked by index.

#include "engine/operators/gather.h"

#include "engine/base/checked_math.h"
#include "providers/cpu/kernels/indexing/index_list.h"
#include "providers/cpu/kernels/shape/axis_list.h"
#include "providers/cpu/kernels/shape/strided_copy.h"

namespace cutaway::cpu {
namespace {

class GatherKernel final : public Kernel {
 public:
  explicit GatherKernel(const KernelInfo& info) : m_axis(info.attribute<int64_t>("axis", 0)) {}
  std::string_view variant() const override { return "copy"; }

  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const Tensor* data, requireTensor(context, 0));
    CUTAWAY_TRY(const Tensor* indices, requireTensor(context, 1));
    CUTAWAY_TRY(const int64_t resolved, resolveAxis(m_axis, data->rank()));
    const size_t axis = static_cast<size_t>(resolved);
    const Dims dims = operators::gatheredDims(data->dims(), indices->dims(), axis);
    CUTAWAY_TRY(const std::span<int64_t> places, scratchNumbers(context, indices->elementCount()));
    CUTAWAY_CHECK(resolveIndices(*indices, data->dims()[axis], places));
    CUTAWAY_TRY(Tensor * output, context.output(0, data->type(), dims));
    const int64_t inner = productOf(data->dims(), axis + 1, data->rank());
    const int64_t outer = productOf(data->dims(), 0, axis);
    for (int64_t& place : places)
      place *= inner;
    const int64_t outputRow = static_cast<int64_t>(places.size()) * inner;
    if (outputRow == 0) return {};
    for (int64_t i = 0; i < outer; ++i) {
      gatherBlocks(data->type(), elementAt(data->type(), data->data(), i * data->dims()[axis] * inner), places, inner,
                   elementAt(data->type(), output->mutableData(), i * outputRow));
    }
    return {};
  }

 private:
  int64_t m_axis;
};

constexpr KernelRow kRows[] = {
    {.opType = "Gather", .versions = {1}, .fastPath = "copy", .create = makeKernel<GatherKernel>},
};

}  // namespace

KernelRows kernel_gather() {
  return kRows;
}

}  // namespace cutaway::cpu
