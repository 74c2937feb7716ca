// ReverseSequence: the first lens[b] steps of every batch entry backwards, the rest as it is. The lengths stay on the
// device.

#include "engine/operators/reverse_sequence.h"

#include "providers/cuda/functors/move_functors.h"
#include "providers/cuda/kernels/mover.h"
#include "providers/cuda/kernels/node_words.h"

namespace cutaway::cuda {
namespace {

class ReverseSequenceKernel final : public GpuKernel {
 public:
  explicit ReverseSequenceKernel(const KernelInfo& info) : m_settings(info.node()), m_words(info, "a length") {}
  Result<void> prepare(const KernelInfo&, GpuResources& resources) override {
    return m_kernels.prepare(resources, "move.reverse");
  }

  Result<void> launch(GpuCall& call) const override {
    CUTAWAY_TRY(const Tensor* data, requireTensor(call, 0));
    CUTAWAY_TRY(const Tensor* lengths, requireTensor(call, 1));
    CUTAWAY_TRY(const operators::ReversedAxes axes, m_settings.place(*data, *lengths));
    const size_t batchAxis = axes.batch, timeAxis = axes.time;
    const int64_t batch = data->dims()[batchAxis];
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
  operators::ReverseSettings m_settings;
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
