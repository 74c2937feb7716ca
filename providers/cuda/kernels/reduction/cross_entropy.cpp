// NegativeLogLikelihoodLoss and SoftmaxCrossEntropyLoss. A label that is no class gives a loss that is no number: the
// device cannot say more without a wait.

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
  LossKernel(const KernelInfo& info, std::string reduction)
      : m_functor(fmt::format("loss.{}", functorType(info.inputElement(0)))),
        m_reduction(std::move(reduction)),
        m_softmax(info.node().opType == "SoftmaxCrossEntropyLoss"),
        m_hasIgnored(info.node().findAttribute("ignore_index") != nullptr),
        m_ignored(info.attribute<int64_t>("ignore_index", 0)) {}

  Result<void> prepare(const KernelInfo&, GpuResources& resources) override {
    CUTAWAY_TRY(m_kernel, resources.find(m_functor));
    return {};
  }

  Result<void> launch(GpuCall& call) const override {
    const Tensor &scores = *call.input(0), &labels = *call.input(1);
    const Tensor* weights = call.inputCount() > 2 ? call.input(2) : nullptr;
    const Dims& dims = scores.dims();
    bool fits = dims.size() >= 2 && labels.rank() + 1 == dims.size() && labels.dims()[0] == dims[0];
    for (size_t i = 1; fits && i < labels.rank(); ++i)
      fits = labels.dims()[i] == dims[i + 1];
    if (!fits)
      return fail(ErrorCode::kInvalidArgument,
                  "labels {} do not fit scores {}: they have the same axes without the classes",
                  dimsToText(labels.dims()), dimsToText(dims));
    if (weights != nullptr &&
        (weights->type() != scores.type() || weights->rank() != 1 || weights->dims()[0] != dims[1])) {
      return fail(ErrorCode::kInvalidArgument, "weights {}{} do not fit {} classes of {}",
                  elementTypeName(weights->type()), dimsToText(weights->dims()), dims[1],
                  elementTypeName(scores.type()));
    }
    LossParameters p{.scores = scores.data(),
                     .labels = labels.data(),
                     .weights = weights == nullptr ? nullptr : weights->data(),
                     .samples = labels.elementCount(),
                     .classes = dims[1],
                     .ignored = m_ignored,
                     .softmax = m_softmax,
                     .hasIgnored = m_hasIgnored,
                     .wideLabels = labels.type() == ElementType::kInt64,
                     .mean = m_reduction == "mean"};
    for (size_t i = 2; i < dims.size(); ++i)
      p.places *= dims[i];
    if (m_softmax && call.outputCount() > 1 && call.hasOutput(1)) {
      CUTAWAY_TRY(Tensor * logs, call.output(1, dims));
      p.logs = logs->mutableData();
    }
    const bool each = m_reduction == "none";
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
  std::string m_reduction;
  bool m_softmax, m_hasIgnored;
  int64_t m_ignored;
  DeviceKernel m_kernel;
};

Result<std::unique_ptr<GpuKernel>> makeLoss(const KernelInfo& info) {
  std::string reduction = info.attribute<std::string>("reduction", "mean");
  if (reduction != "none" && reduction != "sum" && reduction != "mean")
    return fail(ErrorCode::kInvalidArgument, "{}: reduction is '{}', not none, sum or mean", info.node().opType,
                reduction);
  return std::make_unique<LossKernel>(info, std::move(reduction));
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
