// MaxUnpool: each maximum goes back to the place that MaxPool noted; everything else is zero.

#include "engine/operators/max_unpool.h"

#include "providers/cuda/functors/planes_functors.h"
#include "providers/cuda/kernels/pooling/pooling_rows.h"

namespace cutaway::cuda {
namespace {

class MaxUnpool final : public GpuKernel {
 public:
  MaxUnpool(WindowAttributes attributes, std::string functor)
      : m_attributes(std::move(attributes)), m_functor(std::move(functor)) {}
  std::string_view variant() const override { return m_functor; }

  Result<void> prepare(const KernelInfo&, GpuResources& resources) override {
    CUTAWAY_TRY(m_kernel, resources.find(m_functor));
    return {};
  }

  Result<void> launch(GpuCall& call) const override {
    const Tensor &x = *call.input(0), &places = *call.input(1);
    const Tensor* given = call.inputCount() > 2 ? call.input(2) : nullptr;
    CUTAWAY_TRY(const operators::UnpooledDims dims, operators::unpooledDims(m_attributes, x, places, given));
    const Dims &inner = dims.inner, &outer = dims.outer;
    CUTAWAY_TRY(Tensor * y, call.output(0, outer));
    if (y->elementCount() == 0) return {};
    CUTAWAY_CHECK(call.fill(y->mutableData(), 0, static_cast<size_t>(y->sizeBytes())));
    UnpoolParameters p{.x = x.data(),
                       .places = static_cast<const int64_t*>(places.data()),
                       .y = y->mutableData(),
                       .count = x.elementCount(),
                       .cells = elementCount(inner)};
    if (!(outer == inner)) {
      p.rank = static_cast<int32_t>(inner.size());
      std::copy(inner.begin(), inner.end(), p.inner);
      std::copy(outer.begin(), outer.end(), p.outer);
    }
    return call.launch(m_kernel, p);
  }

 private:
  WindowAttributes m_attributes;
  std::string m_functor;
  DeviceKernel m_kernel;
};

Result<std::unique_ptr<GpuKernel>> makeMaxUnpool(const KernelInfo& info) {
  CUTAWAY_TRY(WindowAttributes attributes, operators::readMaxUnpoolAttributes(info.node()));
  if (attributes.kernel.size() > operators::kMaxWindowRank)
    return fail(ErrorCode::kNotImplemented, "MaxUnpool over {} spatial axes (1 to {} are supported)",
                attributes.kernel.size(), operators::kMaxWindowRank);
  return std::make_unique<MaxUnpool>(std::move(attributes),
                                     fmt::format("planes.unpool.{}", bitsOf(info.inputElement(0)) / 8));
}

constexpr int kShapeOnHost[] = {2};

}  // namespace

KernelRows kernel_max_unpool() {
  static constexpr KernelRow rows[] = {{.opType = "MaxUnpool",
                                        .versions = {9},
                                        .types = kPooledRules,
                                        .hostInputs = kShapeOnHost,
                                        .fastPath = "cuda",
                                        .create = gpuKernel<makeMaxUnpool>}};
  return rows;
}

}  // namespace cutaway::cuda
