// Operators of one value in and one out.

#include "providers/cuda/functors/unary_functors.h"
#include "providers/cuda/gpu_kernel.h"

namespace cutaway::cuda {
namespace {

constexpr ElementType kFloats[] = {ElementType::kFloat, ElementType::kFloat16, ElementType::kBfloat16, ElementType::kDouble};
constexpr TypeRule kRules[] = {{0, kFloats}};
constexpr InplaceHint kOverInput[] = {{0, 0, AliasKind::kMayInplace}};

class UnaryKernel final : public GpuKernel {
 public:
  explicit UnaryKernel(std::string functor) : m_functor(std::move(functor)) {}

  Result<void> prepare(const KernelInfo&, GpuResources& resources) override {
    CUTAWAY_TRY(m_kernel, resources.find(m_functor));
    return {};
  }

  Result<void> launch(GpuCall& call) const override {
    const Tensor& x = *call.input(0);
    CUTAWAY_TRY(Tensor * y, call.output(0, x.dims()));
    return call.launch(m_kernel, UnaryParameters{.x = x.data(), .y = y->mutableData(), .count = x.elementCount()});
  }

  std::string_view variant() const override { return m_functor; }

 private:
  std::string m_functor;
  DeviceKernel m_kernel;
};

Result<std::unique_ptr<GpuKernel>> makeRelu(const KernelInfo& info) { return std::make_unique<UnaryKernel>(fmt::format("unary.relu.{}", functorType(info.inputElement(0)))); }

}  // namespace

KernelRows kernel_unary() {
  static constexpr KernelRow rows[] = {{.opType = "Relu", .versions = {1}, .types = kRules, .inplace = kOverInput, .fastPath = "cuda", .create = gpuKernel<makeRelu>}};
  return rows;
}

}  // namespace cutaway::cuda
