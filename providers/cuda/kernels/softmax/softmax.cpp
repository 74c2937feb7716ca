// Softmax, LogSoftmax, Hardmax and com.microsoft BiasSoftmax, see engine/operators/softmax.h.

#include "engine/operators/softmax.h"

#include "providers/cuda/functors/arg_functors.h"
#include "providers/cuda/functors/softmax_functors.h"
#include "providers/cuda/gpu_kernel.h"

namespace cutaway::cuda {
namespace {

constexpr ElementType kFloats[] = {ElementType::kFloat, ElementType::kFloat16, ElementType::kBfloat16,
                                   ElementType::kDouble};
constexpr TypeRule kRules[] = {{0, kFloats}}, kBothRules[] = {{0, kFloats}, {1, kFloats}};
constexpr InplaceHint kOverInput[] = {{0, 0, AliasKind::kMayInplace}};
constexpr InplaceHint kOverEither[] = {{0, 0, AliasKind::kMayInplace}, {1, 0, AliasKind::kMayInplace}};
constexpr int64_t kSharedForWarps = 32 * 1024, kSharedForBlocks = 96 * 1024;

using operators::AxisSplit;

void choosePath(SoftmaxParameters& p, int64_t elementBytes) {
  const int64_t keptBytes = elementBytes == 8 ? 8 : 4;
  p.threads = p.length <= 2048 ? 128 : p.length <= 8192 ? 256 : 512;
  p.packed = p.inner == 1 && isPackedBytes(p.x, p.length, elementBytes) && isPackedBytes(p.y, p.length, elementBytes) &&
             isPackedBytes(p.bias, p.length, elementBytes);
  if (p.inner > 1) {
    p.path = SoftmaxPath::kColumns;
  } else if (kSoftmaxRowsPerBlock * softmaxPlaces(p.length, 32) * keptBytes <= kSharedForWarps) {
    p.path = SoftmaxPath::kWarps;
  } else {
    p.path = softmaxPlaces(p.length, p.threads) * keptBytes <= kSharedForBlocks ? SoftmaxPath::kBlocks
                                                                                : SoftmaxPath::kLongRows;
  }
}

class SoftmaxKernel final : public GpuKernel {
 public:
  explicit SoftmaxKernel(const KernelInfo& info)
      : m_settings(operators::readSoftmax(info.node())),
        m_logarithm(info.node().opType == "LogSoftmax"),
        m_functor(fmt::format("softmax.{}", functorType(info.inputElement(0)))) {}

  Result<void> prepare(const KernelInfo&, GpuResources& resources) override {
    CUTAWAY_TRY(m_kernel, resources.find(m_functor));
    return {};
  }

  Result<void> launch(GpuCall& call) const override {
    const Tensor& x = *call.input(0);
    CUTAWAY_TRY(const AxisSplit split, operators::softmaxSplit(m_settings, x.dims()));
    CUTAWAY_TRY(Tensor * y, call.output(0, x.dims()));
    if (y->elementCount() == 0) return {};
    SoftmaxParameters p{.x = x.data(),
                        .y = y->mutableData(),
                        .rows = split.outer * split.inner,
                        .length = split.length,
                        .inner = split.inner,
                        .logarithm = m_logarithm};
    choosePath(p, bitsOf(x.type()) / 8);
    return call.launch(m_kernel, p);
  }
  std::string_view variant() const override { return m_functor; }

 private:
  operators::SoftmaxSettings m_settings;
  bool m_logarithm;
  std::string m_functor;
  DeviceKernel m_kernel;
};

class HardmaxKernel final : public GpuKernel {
 public:
  explicit HardmaxKernel(const KernelInfo& info)
      : m_settings(operators::readSoftmax(info.node())),
        m_functor(fmt::format("arg.{}", functorType(info.inputElement(0)))) {}

  Result<void> prepare(const KernelInfo&, GpuResources& resources) override {
    CUTAWAY_TRY(m_kernel, resources.find(m_functor));
    return {};
  }

  Result<void> launch(GpuCall& call) const override {
    const Tensor& x = *call.input(0);
    CUTAWAY_TRY(const AxisSplit split, operators::softmaxSplit(m_settings, x.dims()));
    CUTAWAY_TRY(Tensor * y, call.output(0, x.dims()));
    if (y->elementCount() == 0) return {};
    ArgParameters p{.x = x.data(),
                    .y = y->mutableData(),
                    .outputs = split.outer * split.inner,
                    .length = split.length,
                    .inner = split.inner,
                    .oneHot = true};
    p.path = p.inner > 1 ? ArgPath::kColumns : p.length <= 1024 ? ArgPath::kWarps : ArgPath::kBlocks;
    return call.launch(m_kernel, p);
  }
  std::string_view variant() const override { return m_functor; }

 private:
  operators::SoftmaxSettings m_settings;
  std::string m_functor;
  DeviceKernel m_kernel;
};

// softmax(data + bias) over the axes from `axis` on; the bias repeats over the inner or the outer part of the axes
// before.
class BiasSoftmaxKernel final : public GpuKernel {
 public:
  BiasSoftmaxKernel(const KernelInfo& info, const operators::BiasSoftmaxSettings& settings)
      : m_settings(settings), m_functor(fmt::format("softmax.{}", functorType(info.inputElement(0)))) {}

  Result<void> prepare(const KernelInfo&, GpuResources& resources) override {
    CUTAWAY_TRY(m_kernel, resources.find(m_functor));
    return {};
  }

  Result<void> launch(GpuCall& call) const override {
    const Tensor &x = *call.input(0), &bias = *call.input(1);
    CUTAWAY_TRY(const AxisSplit split, operators::biasSoftmaxSplit(m_settings, x.dims()));
    CUTAWAY_TRY(Tensor * y, call.output(0, x.dims()));
    if (y->elementCount() == 0) return {};
    CUTAWAY_TRY(const int64_t biasRows, operators::biasSoftmaxRows(split, x, bias));
    SoftmaxParameters p{.x = x.data(),
                        .bias = bias.data(),
                        .y = y->mutableData(),
                        .rows = split.outer,
                        .length = split.length,
                        .biasRepeat = m_settings.innerBroadcast ? split.outer / biasRows : 1,
                        .biasRows = biasRows};
    choosePath(p, bitsOf(x.type()) / 8);
    return call.launch(m_kernel, p);
  }
  std::string_view variant() const override { return m_functor; }

 private:
  operators::BiasSoftmaxSettings m_settings;
  std::string m_functor;
  DeviceKernel m_kernel;
};

template <typename Made>
Result<std::unique_ptr<GpuKernel>> makeOf(const KernelInfo& info) {
  return std::make_unique<Made>(info);
}

Result<std::unique_ptr<GpuKernel>> makeBiasSoftmax(const KernelInfo& info) {
  CUTAWAY_TRY(const operators::BiasSoftmaxSettings settings, operators::readBiasSoftmax(info.node()));
  return std::make_unique<BiasSoftmaxKernel>(info, settings);
}

}  // namespace

KernelRows kernel_softmax() {
  static constexpr KernelRow rows[] = {
      {.opType = "Softmax",
       .versions = {1},
       .types = kRules,
       .inplace = kOverInput,
       .fastPath = "cuda",
       .create = gpuKernel<makeOf<SoftmaxKernel>>},
      {.opType = "LogSoftmax",
       .versions = {1},
       .types = kRules,
       .inplace = kOverInput,
       .fastPath = "cuda",
       .create = gpuKernel<makeOf<SoftmaxKernel>>},
      {.opType = "Hardmax",
       .versions = {1},
       .types = kRules,
       .inplace = kOverInput,
       .fastPath = "cuda",
       .create = gpuKernel<makeOf<HardmaxKernel>>},
      {.opType = "BiasSoftmax",
       .domain = "com.microsoft",
       .versions = {1},
       .types = kBothRules,
       .inplace = kOverEither,
       .fastPath = "cuda",
       .create = gpuKernel<makeBiasSoftmax>},
  };
  return rows;
}

}  // namespace cutaway::cuda
