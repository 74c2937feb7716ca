// Transpose: axes in another order.

#include "engine/operators/transpose.h"

#include "providers/cuda/kernels/mover.h"

namespace cutaway::cuda {
namespace {

class TransposeKernel final : public GpuKernel {
 public:
  explicit TransposeKernel(const KernelInfo& info) : m_order(info.node()) {}

  Result<void> prepare(const KernelInfo&, GpuResources& resources) override { return m_mover.prepare(resources); }

  Result<void> launch(GpuCall& call) const override {
    CUTAWAY_TRY(const Tensor* data, requireTensor(call, 0));
    CUTAWAY_TRY(const StridedMove move, m_order.move(data->dims()));
    CUTAWAY_TRY(Tensor * output, call.output(0, move.dims));
    return m_mover.move(call, elementBytes(data->type()), move, data->data(), output->mutableData());
  }

 private:
  operators::TransposeOrder m_order;
  Mover m_mover;
};

Result<std::unique_ptr<GpuKernel>> makeTranspose(const KernelInfo& info) {
  CUTAWAY_CHECK(checkMovable(info, 0));
  return std::make_unique<TransposeKernel>(info);
}

}  // namespace

KernelRows kernel_transpose() {
  static constexpr KernelRow rows[] = {{.opType = "Transpose",
                                        .versions = {1},
                                        .types = kMovableFirst,
                                        .fastPath = "cuda",
                                        .create = gpuKernel<makeTranspose>}};
  return rows;
}

}  // namespace cutaway::cuda
