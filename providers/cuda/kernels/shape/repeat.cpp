// Expand and Tile: elements repeated, as strided moves whose repeated axes have stride zero.

#include "engine/operators/repeat.h"

#include "providers/cuda/kernels/mover.h"

namespace cutaway::cuda {
namespace {

class ExpandKernel final : public GpuKernel {
 public:
  Result<void> prepare(const KernelInfo&, GpuResources& resources) override { return m_mover.prepare(resources); }

  Result<void> launch(GpuCall& call) const override {
    CUTAWAY_TRY(const Tensor* data, requireTensor(call, 0));
    CUTAWAY_TRY(const Tensor* shape, requireTensor(call, 1));
    CUTAWAY_TRY(const Dims wanted, readIntegers(*shape));
    CUTAWAY_TRY(const Dims dims, operators::expandedDims(data->dims(), wanted));
    CUTAWAY_TRY(Tensor * output, call.output(0, dims));
    return m_mover.move(call, elementBytes(data->type()), operators::expandMove(data->dims(), dims), data->data(),
                        output->mutableData());
  }

 private:
  Mover m_mover;
};

class TileKernel final : public GpuKernel {
 public:
  Result<void> prepare(const KernelInfo&, GpuResources& resources) override { return m_mover.prepare(resources); }

  Result<void> launch(GpuCall& call) const override {
    CUTAWAY_TRY(const Tensor* data, requireTensor(call, 0));
    CUTAWAY_TRY(const Tensor* given, requireTensor(call, 1));
    CUTAWAY_TRY(const Dims repeats, readIntegers(*given));
    CUTAWAY_TRY(const Dims dims, operators::tiledDims(data->dims(), repeats));
    CUTAWAY_TRY(Tensor * output, call.output(0, dims));
    return m_mover.move(call, elementBytes(data->type()), operators::tileMove(data->dims(), repeats, dims),
                        data->data(), output->mutableData());
  }

 private:
  Mover m_mover;
};

template <typename KernelType>
Result<std::unique_ptr<GpuKernel>> makeRepeat(const KernelInfo& info) {
  CUTAWAY_CHECK(checkMovable(info, 0));
  return std::make_unique<KernelType>();
}

constexpr int kSecondOnHost[] = {1};

}  // namespace

KernelRows kernel_repeat() {
  static constexpr KernelRow rows[] = {
      {.opType = "Expand",
       .versions = {8},
       .types = kMovableFirst,
       .hostInputs = kSecondOnHost,
       .fastPath = "cuda",
       .create = gpuKernel<makeRepeat<ExpandKernel>>},
      {.opType = "Tile",
       .versions = {6},
       .types = kMovableFirst,
       .hostInputs = kSecondOnHost,
       .fastPath = "cuda",
       .create = gpuKernel<makeRepeat<TileKernel>>},
  };
  return rows;
}

}  // namespace cutaway::cuda
