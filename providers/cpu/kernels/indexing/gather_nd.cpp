// GatherND: slices picked by index tuples, batch by batch.

#include "providers/cpu/kernels/indexing/index_list.h"
#include "providers/cpu/kernels/shape/axis_list.h"
#include "providers/cpu/kernels/shape/strided_copy.h"

namespace cutaway {
namespace {

class GatherNdKernel final : public Kernel {
 public:
  explicit GatherNdKernel(const KernelInfo& info) : m_batchDims(info.attribute<int64_t>("batch_dims", 0)) {}
  std::string_view variant() const override { return "copy"; }

  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const Tensor* data, requireTensor(context, 0));
    CUTAWAY_TRY(const Tensor* indices, requireTensor(context, 1));
    CUTAWAY_CHECK(checkShapes(*data, *indices));
    const size_t batchDims = static_cast<size_t>(m_batchDims);
    const size_t tupleAxis = indices->rank() - 1;
    const size_t width = static_cast<size_t>(indices->dims()[tupleAxis]);
    const size_t sliceAxis = batchDims + width;
    Dims dims = filledList(tupleAxis + data->rank() - sliceAxis, 0);
    for (size_t i = 0; i < tupleAxis; ++i)
      dims[i] = indices->dims()[i];
    for (size_t i = sliceAxis; i < data->rank(); ++i)
      dims[tupleAxis + i - sliceAxis] = data->dims()[i];

    const int64_t tuples = productOf(indices->dims(), 0, tupleAxis);
    CUTAWAY_TRY(const std::span<int64_t> offsets, scratchNumbers(context, tuples));
    CUTAWAY_CHECK(resolveTuples(*indices, std::span<const int64_t>(data->dims()).subspan(batchDims), offsets));
    CUTAWAY_TRY(Tensor * output, context.output(0, data->type(), dims));
    const int64_t batches = productOf(data->dims(), 0, batchDims);
    const int64_t batchElements = productOf(data->dims(), batchDims, data->rank());
    for (int64_t i = 0; i < tuples; ++i)
      offsets[static_cast<size_t>(i)] += i / (tuples / batches) * batchElements;
    gatherBlocks(data->type(), data->data(), offsets, productOf(data->dims(), sliceAxis, data->rank()),
                 output->mutableData());
    return {};
  }

 private:
  Result<void> checkShapes(const Tensor& data, const Tensor& indices) const {
    const int64_t dataRank = static_cast<int64_t>(data.rank());
    const int64_t indexRank = static_cast<int64_t>(indices.rank());
    if (indexRank < 1 || m_batchDims < 0 || m_batchDims >= indexRank || m_batchDims > dataRank) {
      return fail(ErrorCode::kInvalidArgument, "batch_dims {} does not fit data {} and indices {}", m_batchDims,
                  dimsToText(data.dims()), dimsToText(indices.dims()));
    }
    for (size_t i = 0; i < static_cast<size_t>(m_batchDims); ++i) {
      if (data.dims()[i] != indices.dims()[i])
        return fail(ErrorCode::kInvalidArgument, "batch axis {} differs: data {}, indices {}", i,
                    dimsToText(data.dims()), dimsToText(indices.dims()));
    }
    const int64_t width = indices.dims()[indices.rank() - 1];
    if (width > dataRank - m_batchDims)
      return fail(ErrorCode::kInvalidArgument, "index tuples of {} numbers cannot index {}", width,
                  dimsToText(data.dims()));
    return {};
  }

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

}  // namespace cutaway
