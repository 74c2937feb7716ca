// Expand and Tile: elements repeated, as strided moves whose repeated axes have stride zero.

#include "engine/base/checked_math.h"
#include "providers/cuda/kernels/mover.h"

namespace cutaway::cuda {
namespace {

// The broadcast of two shapes, right-aligned.
Result<Dims> broadcastShape(std::span<const int64_t> a, std::span<const int64_t> b) {
  const size_t rank = std::max(a.size(), b.size());
  Dims dims = filledList(rank, 1);
  for (size_t i = 0; i < rank; ++i) {
    const int64_t left = i + a.size() < rank ? 1 : a[i + a.size() - rank];
    const int64_t right = i + b.size() < rank ? 1 : b[i + b.size() - rank];
    if (right < 0 || (left != right && left != 1 && right != 1))
      return fail(ErrorCode::kInvalidArgument, "{} cannot be expanded to {}", dimsToText(a), dimsToText(b));
    dims[i] = left == 1 ? right : left;
  }
  return dims;
}

class ExpandKernel final : public GpuKernel {
 public:
  Result<void> prepare(const KernelInfo&, GpuResources& resources) override { return m_mover.prepare(resources); }

  Result<void> launch(GpuCall& call) const override {
    CUTAWAY_TRY(const Tensor* data, requireTensor(call, 0));
    CUTAWAY_TRY(const Tensor* shape, requireTensor(call, 1));
    CUTAWAY_TRY(const Dims wanted, readIntegers(*shape));
    CUTAWAY_TRY(const Dims dims, broadcastShape(data->dims(), wanted));
    CUTAWAY_TRY(Tensor * output, call.output(0, dims));
    const Dims strides = rowMajorStrides(data->dims());
    StridedMove move{dims, filledList(dims.size(), 0), rowMajorStrides(dims)};
    const size_t added = dims.size() - data->rank();
    for (size_t i = 0; i < data->rank(); ++i) {
      if (data->dims()[i] != 1) move.fromStrides[added + i] = strides[i];
    }
    return m_mover.move(call, elementBytes(data->type()), move, data->data(), output->mutableData());
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
    const size_t rank = data->rank();
    if (repeats.size() != rank)
      return fail(ErrorCode::kInvalidArgument, "{} repeats are given for an input of rank {}", repeats.size(), rank);
    Dims dims = data->dims();
    const Dims strides = rowMajorStrides(dims);
    for (size_t i = 0; i < rank; ++i) {
      if (repeats[i] < 0) return fail(ErrorCode::kInvalidArgument, "axis {} is repeated {} times", i, repeats[i]);
      CUTAWAY_TRY(dims[i], checkedMultiply(dims[i], repeats[i]));
    }
    CUTAWAY_TRY(Tensor * output, call.output(0, dims));
    const Dims outputStrides = rowMajorStrides(dims);
    // Every axis becomes two: which repetition, and where in it.
    StridedMove move{filledList(2 * rank, 0), filledList(2 * rank, 0), filledList(2 * rank, 0)};
    for (size_t i = 0; i < rank; ++i) {
      move.dims[2 * i] = repeats[i];
      move.dims[2 * i + 1] = data->dims()[i];
      move.fromStrides[2 * i + 1] = strides[i];
      move.toStrides[2 * i] = outputStrides[i] * data->dims()[i];
      move.toStrides[2 * i + 1] = outputStrides[i];
    }
    return m_mover.move(call, elementBytes(data->type()), move, data->data(), output->mutableData());
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
