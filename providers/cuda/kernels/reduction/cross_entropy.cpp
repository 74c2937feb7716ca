// NegativeLogLikelihoodLoss and SoftmaxCrossEntropyLoss. A label that is no class gives a loss that is no number: the
// device cannot say more without a wait.

#include "engine/operators/cross_entropy.h"

#include "providers/cuda/functors/loss_functors.h"
#include "providers/cuda/gpu_kernel.h"

namespace cutaway::cuda {
namespace {

constexpr ElementType kFloats[] = {ElementType::kFloat, ElementType::kFloat16, ElementType::kBfloat16,
                                   ElementType::kDouble};
constexpr ElementType kLabels[] = {ElementType::kInt32, ElementType::kInt64};
constexpr TypeRule kRules[] = {{0, kFloats}, {1, kLabels}};

class LossKernel final : public GpuKernel {
 public:
  LossKernel(const operators::CrossEntropySettings& settings, ElementType type)
      : m_functor(fmt::format("loss.{}", functorType(type))), m_settings(settings) {}

  Result<void> prepare(const KernelInfo&, GpuResources& resources) override {
    CUTAWAY_TRY(m_kernel, resources.find(m_functor));
    return {};
  }

  Result<void> launch(GpuCall& call) const override {
    const Tensor &scores = *call.input(0), &labels = *call.input(1);
    const Tensor* weights = call.inputCount() > 2 ? call.input(2) : nullptr;
    CUTAWAY_TRY(const operators::CrossEntropySizes sizes, operators::crossEntropySizes(scores, labels, weights));
    LossParameters p{.scores = scores.data(),
                     .labels = labels.data(),
                     .weights = weights == nullptr ? nullptr : weights->data(),
                     .samples = labels.elementCount(),
                     .classes = sizes.classes,
                     .ignored = m_settings.ignored,
                     .softmax = m_settings.softmax,
                     .hasIgnored = m_settings.hasIgnored,
                     .wideLabels = labels.type() == ElementType::kInt64,
                     .mean = m_settings.reduction == operators::LossReduction::kMean};
    p.places = sizes.places;
    if (m_settings.softmax && call.outputCount() > 1 && call.hasOutput(1)) {
      CUTAWAY_TRY(Tensor * logs, call.output(1, scores.dims()));
      p.logs = logs->mutableData();
    }
    const bool each = m_settings.reduction == operators::LossReduction::kNone;
    CUTAWAY_TRY(Tensor * loss, call.output(0, each ? labels.dims() : Dims()));
    p.loss = loss->mutableData();
    if (each && p.samples == 0) return {};
    if (!each) {
      CUTAWAY_TRY(void* parts, call.scratch(static_cast<size_t>(std::max<int64_t>(p.samples, 1)) * 2 * sizeof(double)));
      p.parts = static_cast<double*>(parts);
    }
    return call.launch(m_kernel, p);
  }
  std::string_view variant() const override { return m_functor; }

 private:
  std::string m_functor;
  operators::CrossEntropySettings m_settings;
  DeviceKernel m_kernel;
};

Result<std::unique_ptr<GpuKernel>> makeLoss(const KernelInfo& info) {
  CUTAWAY_TRY(const operators::CrossEntropySettings settings, operators::readCrossEntropy(info.node()));
  return std::make_unique<LossKernel>(settings, info.inputElement(0));
}

}  // namespace

KernelRows kernel_cross_entropy() {
  static constexpr KernelRow rows[] = {
      {.opType = "NegativeLogLikelihoodLoss",
       .versions = {12},
       .types = kRules,
       .fastPath = "cuda",
       .create = gpuKernel<makeLoss>},
      {.opType = "SoftmaxCrossEntropyLoss",
       .versions = {12},
       .types = kRules,
       .fastPath = "cuda",
       .create = gpuKernel<makeLoss>},
  };
  return rows;
}

}  // namespace cutaway::cuda
