// ReverseSequence: the first lens[b] steps of every batch entry backwards, the rest as it is. The lengths stay on the
// device.

#include "providers/cuda/functors/move_functors.h"
#include "providers/cuda/kernels/mover.h"
#include "providers/cuda/kernels/node_words.h"

namespace cutaway::cuda {
namespace {

class ReverseSequenceKernel final : public GpuKernel {
 public:
  explicit ReverseSequenceKernel(const KernelInfo& info)
      : m_batchAxis(info.attribute<int64_t>("batch_axis", 1)),
        m_timeAxis(info.attribute<int64_t>("time_axis", 0)),
        m_words(info, "a length") {}
  Result<void> prepare(const KernelInfo&, GpuResources& resources) override {
    return m_kernels.prepare(resources, "move.reverse");
  }

  Result<void> launch(GpuCall& call) const override {
    CUTAWAY_TRY(const Tensor* data, requireTensor(call, 0));
    CUTAWAY_TRY(const Tensor* lengths, requireTensor(call, 1));
    CUTAWAY_TRY(const int64_t batchResolved, resolveAxis(m_batchAxis, data->rank()));
    CUTAWAY_TRY(const int64_t timeResolved, resolveAxis(m_timeAxis, data->rank()));
    const size_t batchAxis = static_cast<size_t>(batchResolved), timeAxis = static_cast<size_t>(timeResolved);
    if (batchAxis == timeAxis)
      return fail(ErrorCode::kInvalidArgument, "batch_axis and time_axis are both {}", batchAxis);
    const int64_t batch = data->dims()[batchAxis];
    if (lengths->type() != ElementType::kInt64 || lengths->elementCount() != batch)
      return fail(ErrorCode::kInvalidArgument, "{} lengths are given for {} batch entries", lengths->elementCount(),
                  batch);
    CUTAWAY_TRY(Tensor * output, call.output(0, data->dims()));
    if (output->elementCount() == 0) return {};
    const Dims strides = rowMajorStrides(data->dims());
    const int64_t unit = elementBytes(data->type());
    const int64_t word = std::max(unit, WordWidth()
                                            .fits(data->data())
                                            .fits(output->data())
                                            .fits(strides[batchAxis] * unit)
                                            .fits(strides[timeAxis] * unit)
                                            .bytes());
    CUTAWAY_TRY(const FaultPlace fault, m_words.faultPlace(call));
    return call.launch(m_kernels[word], ReverseParameters{.from = data->data(),
                                                          .to = output->mutableData(),
                                                          .lengths = static_cast<const int64_t*>(lengths->data()),
                                                          .count = data->sizeBytes() / word,
                                                          .batch = batch,
                                                          .batchStride = strides[batchAxis] * unit / word,
                                                          .steps = data->dims()[timeAxis],
                                                          .stepStride = strides[timeAxis] * unit / word,
                                                          .fault = fault});
  }

 private:
  int64_t m_batchAxis, m_timeAxis;
  NodeWords m_words;
  WordKernels m_kernels;
};

Result<std::unique_ptr<GpuKernel>> makeReverseSequence(const KernelInfo& info) {
  CUTAWAY_CHECK(checkMovable(info, 0));
  return std::make_unique<ReverseSequenceKernel>(info);
}

}  // namespace

KernelRows kernel_reverse_sequence() {
  static constexpr KernelRow rows[] = {{.opType = "ReverseSequence",
                                        .versions = {10},
                                        .types = kMovableFirst,
                                        .fastPath = "cuda",
                                        .create = gpuKernel<makeReverseSequence>}};
  return rows;
}

}  // namespace cutaway::cuda
