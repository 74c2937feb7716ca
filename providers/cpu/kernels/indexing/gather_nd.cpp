// GatherND: slices picked by index tuples, batch by batch.

#include "engine/operators/gather.h"
#include "providers/cpu/kernels/indexing/index_list.h"
#include "providers/cpu/kernels/shape/axis_list.h"
#include "providers/cpu/kernels/shape/strided_copy.h"

namespace cutaway::cpu {
namespace {

class GatherNdKernel final : public Kernel {
 public:
  explicit GatherNdKernel(const KernelInfo& info) : m_batchDims(info.attribute<int64_t>("batch_dims", 0)) {}
  std::string_view variant() const override { return "copy"; }

  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const Tensor* data, requireTensor(context, 0));
    CUTAWAY_TRY(const Tensor* indices, requireTensor(context, 1));
    CUTAWAY_TRY(const operators::TupleGather placed, operators::placeTupleGather(*data, *indices, m_batchDims));
    const size_t batchDims = placed.batchDims;
    const int64_t tuples = productOf(indices->dims(), 0, placed.tupleAxis);
    CUTAWAY_TRY(const std::span<int64_t> offsets, scratchNumbers(context, tuples));
    CUTAWAY_CHECK(resolveTuples(*indices, std::span<const int64_t>(data->dims()).subspan(batchDims), offsets));
    CUTAWAY_TRY(Tensor * output, context.output(0, data->type(), placed.dims));
    const int64_t batches = productOf(data->dims(), 0, batchDims);
    const int64_t batchElements = productOf(data->dims(), batchDims, data->rank());
    for (int64_t i = 0; i < tuples; ++i)
      offsets[static_cast<size_t>(i)] += i / (tuples / batches) * batchElements;
    gatherBlocks(data->type(), data->data(), offsets, productOf(data->dims(), placed.sliceAxis, data->rank()),
                 output->mutableData());
    return {};
  }

 private:
  int64_t m_batchDims;
};

constexpr KernelRow kRows[] = {
    {.opType = "GatherND", .versions = {11}, .fastPath = "copy", .create = makeKernel<GatherNdKernel>},
    {.opType = "GatherND",
     .domain = "com.microsoft",
     .versions = {1},
     .fastPath = "copy",
     .create = makeKernel<GatherNdKernel>},
};

}  // namespace

KernelRows kernel_gather_nd() {
  return kRows;
}

}  // namespace cutaway::cpu
