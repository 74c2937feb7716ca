// OneHot: an axis of `depth` places, off everywhere but at the index. Every element is written once; the two values are
// read on the device.

#include "engine/operators/one_hot.h"

#include <cmath>
#include <optional>

#include "providers/cuda/functors/indexing_functors.h"
#include "providers/cuda/functors/one_hot_functors.h"
#include "providers/cuda/kernels/mover.h"

namespace cutaway::cuda {
namespace {

std::optional<IndexKind> kindOf(ElementType type) {
  switch (type) {
    case ElementType::kInt64:
      return IndexKind::kInt64;
    case ElementType::kInt32:
      return IndexKind::kInt32;
    case ElementType::kInt16:
      return IndexKind::kInt16;
    case ElementType::kInt8:
      return IndexKind::kInt8;
    case ElementType::kUint8:
      return IndexKind::kUint8;
    case ElementType::kUint16:
      return IndexKind::kUint16;
    case ElementType::kUint32:
      return IndexKind::kUint32;
    case ElementType::kUint64:
      return IndexKind::kUint64;
    case ElementType::kFloat:
      return IndexKind::kFloat;
    case ElementType::kDouble:
      return IndexKind::kDouble;
    case ElementType::kFloat16:
      return IndexKind::kHalf;
    default:
      return std::nullopt;
  }
}

class OneHotKernel final : public GpuKernel {
 public:
  OneHotKernel(int64_t axis, IndexKind indices, IndexKind depth) : m_axis(axis), m_indices(indices), m_depth(depth) {}
  Result<void> prepare(const KernelInfo&, GpuResources& resources) override {
    return m_kernels.prepare(resources, "indexing.onehot");
  }

  Result<void> launch(GpuCall& call) const override {
    CUTAWAY_TRY(const Tensor* indices, requireTensor(call, 0));
    CUTAWAY_TRY(const Tensor* depthTensor, requireTensor(call, 1));
    CUTAWAY_TRY(const Tensor* values, requireTensor(call, 2));
    CUTAWAY_CHECK(operators::checkOneHotOperands(*depthTensor, *values));
    const int64_t depth = loadIndex(m_depth, depthTensor->data(), 0);
    CUTAWAY_TRY(const operators::OneHotPlacement placed, operators::placeOneHot(indices->dims(), m_axis, depth));
    CUTAWAY_TRY(Tensor * output, call.output(0, placed.dims));
    if (output->elementCount() == 0) return {};
    return call.launch(m_kernels[elementBytes(values->type())], OneHotParameters{.indices = indices->data(),
                                                                                 .values = values->data(),
                                                                                 .to = output->mutableData(),
                                                                                 .kind = m_indices,
                                                                                 .count = output->elementCount(),
                                                                                 .depth = depth,
                                                                                 .inner = placed.inner});
  }

 private:
  int64_t m_axis;
  IndexKind m_indices, m_depth;
  WordKernels m_kernels;
};

Result<std::unique_ptr<GpuKernel>> makeOneHot(const KernelInfo& info) {
  CUTAWAY_CHECK(checkMovable(info, 2));
  const auto indices = kindOf(info.inputElement(0)), depth = kindOf(info.inputElement(1));
  if (!indices || !depth)
    return fail(ErrorCode::kNotImplemented, "{} cannot be an index here",
                elementTypeName(info.inputElement(indices ? 1 : 0)));
  return std::make_unique<OneHotKernel>(info.attribute<int64_t>("axis", -1), *indices, *depth);
}

constexpr int kDepthOnHost[] = {1};

}  // namespace

KernelRows kernel_one_hot() {
  static constexpr KernelRow rows[] = {{.opType = "OneHot",
                                        .versions = {9},
                                        .hostInputs = kDepthOnHost,
                                        .fastPath = "cuda",
                                        .create = gpuKernel<makeOneHot>}};
  return rows;
}

}  // namespace cutaway::cuda
