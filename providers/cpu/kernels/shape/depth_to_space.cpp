// DepthToSpace and SpaceToDepth: a six-axis transposition.

#include "engine/operators/depth_to_space.h"

#include "providers/cpu/kernels/shape/axis_list.h"
#include "providers/cpu/kernels/shape/strided_copy.h"

namespace cutaway::cpu {
namespace {

class BlockKernel final : public Kernel {
 public:
  static Result<std::unique_ptr<Kernel>> create(const KernelInfo& info) {
    CUTAWAY_TRY(const operators::BlockSettings settings, operators::BlockSettings::read(info.node()));
    return std::unique_ptr<Kernel>(std::make_unique<BlockKernel>(settings));
  }
  explicit BlockKernel(const operators::BlockSettings& settings) : m_settings(settings) {}
  std::string_view variant() const override { return "copy"; }

  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const Tensor* data, requireTensor(context, 0));
    CUTAWAY_TRY(const operators::BlockPlacement placed, m_settings.place(data->dims()));
    CUTAWAY_TRY(Tensor * output, context.output(0, data->type(), placed.dims));
    moveStrided(data->type(), placed.move, data->data(), output->mutableData());
    return {};
  }

 private:
  operators::BlockSettings m_settings;
};

constexpr KernelRow kRows[] = {
    {.opType = "DepthToSpace", .versions = {1}, .fastPath = "copy", .create = BlockKernel::create},
    {.opType = "SpaceToDepth", .versions = {1}, .fastPath = "copy", .create = BlockKernel::create},
};

}  // namespace

KernelRows kernel_depth_to_space() {
  return kRows;
}

}  // namespace cutaway::cpu
