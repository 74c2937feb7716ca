// DepthToSpace and SpaceToDepth: a six-axis transposition, which the mover knows how to do.

#include "engine/operators/depth_to_space.h"

#include "providers/cuda/kernels/mover.h"

namespace cutaway::cuda {
namespace {

class BlockKernel final : public GpuKernel {
 public:
  explicit BlockKernel(const operators::BlockSettings& settings) : m_settings(settings) {}
  std::string_view variant() const override { return "move"; }

  Result<void> prepare(const KernelInfo&, GpuResources& resources) override { return m_mover.prepare(resources); }

  Result<void> launch(GpuCall& call) const override {
    CUTAWAY_TRY(const Tensor* data, requireTensor(call, 0));
    CUTAWAY_TRY(const operators::BlockPlacement placed, m_settings.place(data->dims()));
    CUTAWAY_TRY(Tensor * output, call.output(0, placed.dims));
    return m_mover.move(call, elementBytes(data->type()), placed.move, data->data(), output->mutableData());
  }

 private:
  operators::BlockSettings m_settings;
  Mover m_mover;
};

Result<std::unique_ptr<GpuKernel>> makeBlocks(const KernelInfo& info) {
  CUTAWAY_CHECK(checkMovable(info, 0));
  CUTAWAY_TRY(const operators::BlockSettings settings, operators::BlockSettings::read(info.node()));
  return std::make_unique<BlockKernel>(settings);
}

}  // namespace

KernelRows kernel_depth_to_space() {
  static constexpr KernelRow rows[] = {
      {.opType = "DepthToSpace",
       .versions = {1},
       .types = kMovableFirst,
       .fastPath = "cuda",
       .create = gpuKernel<makeBlocks>},
      {.opType = "SpaceToDepth",
       .versions = {1},
       .types = kMovableFirst,
       .fastPath = "cuda",
       .create = gpuKernel<makeBlocks>},
  };
  return rows;
}

}  // namespace cutaway::cuda
