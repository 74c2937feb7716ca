// Slice and DynamicSlice: a strided move of the part that the ranges say. Ranges that are inputs lie in host memory.

#include "engine/operators/slice.h"

#include "providers/cuda/kernels/mover.h"

namespace cutaway::cuda {
namespace {

class SliceKernel final : public GpuKernel {
 public:
  explicit SliceKernel(const KernelInfo& info) : m_ranges(info.node()) {}
  Result<void> prepare(const KernelInfo&, GpuResources& resources) override { return m_mover.prepare(resources); }

  Result<void> launch(GpuCall& call) const override {
    CUTAWAY_TRY(const Tensor* data, requireTensor(call, 0));
    CUTAWAY_TRY(const operators::SlicedPart part, m_ranges.partOf(data->dims(), operators::sliceOperands(call)));
    CUTAWAY_TRY(Tensor * output, call.output(0, part.move.dims));
    const int64_t unit = elementBytes(data->type());
    return m_mover.move(call, unit, part.move, bytesAt(data->data(), part.offset * unit), output->mutableData());
  }

 private:
  operators::SliceRanges m_ranges;
  Mover m_mover;
};

Result<std::unique_ptr<GpuKernel>> makeSlice(const KernelInfo& info) {
  CUTAWAY_CHECK(checkMovable(info, 0));
  return std::make_unique<SliceKernel>(info);
}

constexpr int kRangesOnHost[] = {1, 2, 3, 4};
constexpr int kStartsToAxesOnHost[] = {1, 2, 3};

}  // namespace

KernelRows kernel_slice() {
  static constexpr KernelRow rows[] = {
      {.opType = "Slice",
       .versions = {1, 9},
       .types = kMovableFirst,
       .fastPath = "cuda",
       .create = gpuKernel<makeSlice>},
      {.opType = "DynamicSlice",
       .versions = {1},
       .types = kMovableFirst,
       .hostInputs = kStartsToAxesOnHost,
       .fastPath = "cuda",
       .create = gpuKernel<makeSlice>},
      {.opType = "Slice",
       .versions = {10},
       .types = kMovableFirst,
       .hostInputs = kRangesOnHost,
       .fastPath = "cuda",
       .create = gpuKernel<makeSlice>},
  };
  return rows;
}

}  // namespace cutaway::cuda
