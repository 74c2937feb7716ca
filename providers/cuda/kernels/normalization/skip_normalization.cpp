// com.microsoft SkipLayerNormalization and SkipSimplifiedLayerNormalization: (input + skip + bias) normalised along the
// last axis, with all outputs.

#include "engine/operators/normalization.h"
#include "providers/cuda/kernels/normalization/row_norm.h"

namespace cutaway::cuda {
namespace {

constexpr TypeRule kRules[] = {{0, kNormFloats}};
// Each element of input and skip is read before the same element of the sum and then of the output is written, by the
// same thread.
constexpr InplaceHint kOver[] = {{0, 0, AliasKind::kMayInplace},
                                 {1, 0, AliasKind::kMayInplace},
                                 {0, 3, AliasKind::kMayInplace},
                                 {1, 3, AliasKind::kMayInplace}};

// A vector of `count` elements; nullptr when absent.
Result<const void*> vectorInput(const GpuCall& call, size_t slot, const Tensor& x, int64_t count,
                                std::string_view name) {
  const Tensor* tensor = slot < call.inputCount() ? call.input(slot) : nullptr;
  if (tensor == nullptr) return nullptr;
  CUTAWAY_CHECK(operators::checkRowVector(*tensor, x.type(), count, name));
  return tensor->data();
}

class SkipKernel final : public GpuKernel {
 public:
  SkipKernel(const operators::SkipLayerSettings& settings, std::string functor)
      : m_functor(std::move(functor)), m_settings(settings) {}

  Result<void> prepare(const KernelInfo&, GpuResources& resources) override {
    CUTAWAY_TRY(m_kernel, resources.find(m_functor));
    return {};
  }

  Result<void> launch(GpuCall& call) const override {
    const Tensor &x = *call.input(0), &skip = *call.input(1);
    const std::span<const int64_t> dims = x.dims();
    CUTAWAY_TRY(const operators::SkipLayerSizes sizes, operators::skipLayerSizes(x, skip));
    const int64_t count = sizes.count, rows = sizes.rows;
    RowNormParameters p{.x = x.data(),
                        .skip = skip.data(),
                        .rows = rows,
                        .count = count,
                        .skipRows = std::max<int64_t>(1, sizes.skipRows),
                        .epsilon = m_settings.epsilon,
                        .centered = m_settings.centered};
    CUTAWAY_TRY(p.scale, vectorInput(call, 2, x, count, "gamma"));
    if (m_settings.centered) {
      CUTAWAY_TRY(p.shift, vectorInput(call, 3, x, count, "beta"));
    }
    CUTAWAY_TRY(p.bias, vectorInput(call, m_settings.biasSlot, x, count, "bias"));
    CUTAWAY_TRY(Tensor * y, call.output(0, dims));
    p.y = y->mutableData();
    CUTAWAY_CHECK(openStatistic(call, 1, dims, dims.size() - 1, p.mean, p.meanKind));
    CUTAWAY_CHECK(openStatistic(call, 2, dims, dims.size() - 1, p.inverse, p.inverseKind));
    if (call.outputCount() > 3 && call.hasOutput(3)) {
      CUTAWAY_TRY(Tensor * sum, call.output(3, dims));
      p.sum = sum->mutableData();
    }
    if (rows == 0 || count == 0) return {};
    chooseRowPath(p, x.type(), x.type());
    return call.launch(m_kernel, p);
  }
  std::string_view variant() const override { return m_functor; }

 private:
  std::string m_functor;
  operators::SkipLayerSettings m_settings;
  DeviceKernel m_kernel;
};

Result<std::unique_ptr<GpuKernel>> makeSkip(const KernelInfo& info) {
  CUTAWAY_TRY(const operators::SkipLayerSettings settings, operators::readSkipLayer(info.node()));
  CUTAWAY_TRY(std::string functor, normFunctor("row", info.inputElement(0), info.inputElement(0)));
  return std::make_unique<SkipKernel>(settings, std::move(functor));
}

}  // namespace

KernelRows kernel_skip_normalization() {
  static constexpr KernelRow rows[] = {
      {.opType = "SkipLayerNormalization",
       .domain = "com.microsoft",
       .versions = {1},
       .types = kRules,
       .inplace = kOver,
       .fastPath = "cuda",
       .create = gpuKernel<makeSkip>},
      {.opType = "SkipSimplifiedLayerNormalization",
       .domain = "com.microsoft",
       .versions = {1},
       .types = kRules,
       .inplace = kOver,
       .fastPath = "cuda",
       .create = gpuKernel<makeSkip>},
  };
  return rows;
}

}  // namespace cutaway::cuda
