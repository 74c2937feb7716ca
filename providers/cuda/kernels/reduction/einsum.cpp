// Einsum of one or two operands, see engine/operators/einsum.h.

#include "engine/operators/einsum.h"

#include "providers/cuda/functors/einsum_functors.h"
#include "providers/cuda/gpu_kernel.h"
#include "providers/cuda/kernels/index_plan.h"

namespace cutaway::cuda {
namespace {

constexpr ElementType kTypes[] = {ElementType::kFloat,  ElementType::kFloat16, ElementType::kBfloat16,
                                  ElementType::kDouble, ElementType::kInt32,   ElementType::kInt64};
constexpr TypeRule kRules[] = {{TypeRule::kAllInputs, kTypes}};
constexpr int kMostLabels = 32;
using operators::EinsumEquation;
using operators::EinsumLabels;

class EinsumKernel final : public GpuKernel {
 public:
  EinsumKernel(const KernelInfo& info, EinsumEquation equation)
      : m_functor(fmt::format("einsum.{}", functorType(info.inputElement(0)))), m_equation(std::move(equation)) {}

  Result<void> prepare(const KernelInfo&, GpuResources& resources) override {
    CUTAWAY_TRY(m_kernel, resources.find(m_functor));
    return {};
  }

  Result<void> launch(GpuCall& call) const override {
    const std::array<const Tensor*, 2> given{call.input(0), call.inputCount() > 1 ? call.input(1) : nullptr};
    const Tensor &a = *given[0], *b = given[1];
    CUTAWAY_TRY(const EinsumLabels labels,
                m_equation.resolve(std::span<const Tensor* const>(given.data(), b != nullptr ? 2 : 1)));
    if (labels.labels > kMostLabels)
      return fail(ErrorCode::kNotImplemented, "Einsum over {} axes, at most {} are supported", labels.labels,
                  kMostLabels);
    const size_t outputs = static_cast<size_t>(labels.outputLabels), count = static_cast<size_t>(labels.labels);
    CUTAWAY_TRY(Tensor * y, call.output(0, labels.outputDims));
    EinsumParameters p{
        .a = a.data(), .b = b == nullptr ? nullptr : b->data(), .y = y->mutableData(), .outputs = y->elementCount()};
    if (p.outputs == 0) return {};
    const auto mapOf = [&](size_t first, size_t many) {
      return indexMap<2>({labels.extents.data() + first, many},
                         {std::span<const int64_t>(labels.strides[0].data() + first, many),
                          std::span<const int64_t>(labels.strides[1].data() + first, many)});
    };
    for (size_t i = outputs; i < count; ++i)
      p.terms *= labels.extents[i];
    CUTAWAY_TRY(p.kept, mapOf(0, outputs));
    if (p.terms > 0) {
      CUTAWAY_TRY(p.summed, mapOf(outputs, count - outputs));
    }
    return call.launch(m_kernel, p);
  }
  std::string_view variant() const override { return m_functor; }

 private:
  std::string m_functor;
  EinsumEquation m_equation;
  DeviceKernel m_kernel;
};

Result<std::unique_ptr<GpuKernel>> makeEinsum(const KernelInfo& info) {
  if (info.inputCount() > 2)
    return fail(ErrorCode::kNotImplemented, "Einsum of {} inputs: one and two are supported", info.inputCount());
  CUTAWAY_TRY(EinsumEquation equation, EinsumEquation::read(info.node()));
  return std::make_unique<EinsumKernel>(info, std::move(equation));
}

}  // namespace

KernelRows kernel_einsum() {
  static constexpr KernelRow rows[] = {
      {.opType = "Einsum", .versions = {12}, .types = kRules, .fastPath = "cuda", .create = gpuKernel<makeEinsum>}};
  return rows;
}

}  // namespace cutaway::cuda
