// Transpose: axes in another order.

#include "providers/cuda/kernels/mover.h"

namespace cutaway::cuda {
namespace {

class TransposeKernel final : public GpuKernel {
 public:
  TransposeKernel(Dims order, bool reverse) : m_order(std::move(order)), m_reverse(reverse) {}

  Result<void> prepare(const KernelInfo&, GpuResources& resources) override { return m_mover.prepare(resources); }

  Result<void> launch(GpuCall& call) const override {
    CUTAWAY_TRY(const Tensor* data, requireTensor(call, 0));
    const size_t rank = data->rank();
    if (!m_reverse && m_order.size() != rank)
      return fail(ErrorCode::kInvalidArgument, "perm {} does not fit an input of rank {}", dimsToText(m_order), rank);
    Dims order = filledList(rank, 0);
    for (size_t i = 0; i < rank; ++i)
      order[i] = m_reverse ? static_cast<int64_t>(rank - 1 - i) : m_order[i];
    CUTAWAY_TRY(order, resolveAxes(order, rank));
    const Dims strides = rowMajorStrides(data->dims());
    StridedMove move{order, order, {}};
    for (size_t i = 0; i < rank; ++i) {
      move.dims[i] = data->dims()[static_cast<size_t>(order[i])];
      move.fromStrides[i] = strides[static_cast<size_t>(order[i])];
    }
    move.toStrides = rowMajorStrides(move.dims);
    CUTAWAY_TRY(Tensor * output, call.output(0, move.dims));
    return m_mover.move(call, elementBytes(data->type()), move, data->data(), output->mutableData());
  }

 private:
  Dims m_order;
  bool m_reverse;
  Mover m_mover;
};

Result<std::unique_ptr<GpuKernel>> makeTranspose(const KernelInfo& info) {
  CUTAWAY_CHECK(checkMovable(info, 0));
  return std::make_unique<TransposeKernel>(listAttribute(info.node(), "perm"),
                                           info.node().findAttribute("perm") == nullptr);
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
