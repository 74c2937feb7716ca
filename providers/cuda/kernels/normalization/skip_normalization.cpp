// com.microsoft SkipLayerNormalization and SkipSimplifiedLayerNormalization: (input + skip + bias) normalised along the
// last axis, with all outputs.

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
  if (tensor->type() != x.type() || tensor->rank() != 1 || tensor->elementCount() != count) {
    return fail(ErrorCode::kInvalidArgument, "{} is {} {}, not {} [{}]", name, elementTypeName(tensor->type()),
                dimsToText(tensor->dims()), elementTypeName(x.type()), count);
  }
  return tensor->data();
}

// skip is like the input, or lacks its first axis, or has 1 there.
Result<void> checkSkip(std::span<const int64_t> dims, std::span<const int64_t> skip) {
  const bool same = std::ranges::equal(dims, skip);
  const bool broadcast =
      dims.size() == 3 && ((skip.size() == 3 && skip[0] == 1 && std::ranges::equal(dims.subspan(1), skip.subspan(1))) ||
                           std::ranges::equal(dims.subspan(1), skip));
  if (same || broadcast) return {};
  return fail(ErrorCode::kInvalidArgument, "skip is {}, which does not fit the input {}", dimsToText(skip),
              dimsToText(dims));
}

class SkipKernel final : public GpuKernel {
 public:
  SkipKernel(const KernelInfo& info, std::string functor)
      : m_functor(std::move(functor)),
        m_epsilon(info.attribute<float>("epsilon", 1e-12f)),
        m_centered(info.node().opType == "SkipLayerNormalization") {}

  Result<void> prepare(const KernelInfo&, GpuResources& resources) override {
    CUTAWAY_TRY(m_kernel, resources.find(m_functor));
    return {};
  }

  Result<void> launch(GpuCall& call) const override {
    const Tensor &x = *call.input(0), &skip = *call.input(1);
    const std::span<const int64_t> dims = x.dims();
    if (dims.size() != 2 && dims.size() != 3)
      return fail(ErrorCode::kInvalidArgument, "the input must have rank 2 or 3, it is {}", dimsToText(dims));
    CUTAWAY_CHECK(checkSkip(dims, skip.dims()));
    if (skip.type() != x.type())
      return fail(ErrorCode::kInvalidArgument, "skip is {}, the input {}", elementTypeName(skip.type()),
                  elementTypeName(x.type()));
    const int64_t count = dims.back(), rows = elementCount(dims.first(dims.size() - 1));
    RowNormParameters p{.x = x.data(),
                        .skip = skip.data(),
                        .rows = rows,
                        .count = count,
                        .skipRows = std::max<int64_t>(1, skip.elementCount() / std::max<int64_t>(count, 1)),
                        .epsilon = m_epsilon,
                        .centered = m_centered};
    CUTAWAY_TRY(p.scale, vectorInput(call, 2, x, count, "gamma"));
    if (m_centered) {
      CUTAWAY_TRY(p.shift, vectorInput(call, 3, x, count, "beta"));
    }
    CUTAWAY_TRY(p.bias, vectorInput(call, m_centered ? 4 : 3, x, count, "bias"));
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
  float m_epsilon;
  bool m_centered;
  DeviceKernel m_kernel;
};

Result<std::unique_ptr<GpuKernel>> makeSkip(const KernelInfo& info) {
  if (!info.hasInput(0) || !info.hasInput(1) || !info.hasInput(2))
    return fail(ErrorCode::kInvalidArgument, "{} needs input, skip and gamma", info.node().opType);
  CUTAWAY_TRY(std::string functor, normFunctor("row", info.inputElement(0), info.inputElement(0)));
  return std::make_unique<SkipKernel>(info, std::move(functor));
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
