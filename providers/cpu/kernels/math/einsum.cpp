// Einsum, see engine/operators/einsum.h and einsum_contraction.h.

#include <algorithm>

#include "engine/provider/kernel.h"
#include "providers/cpu/kernels/math/einsum_contraction.h"
#include "providers/cpu/kernels/type_dispatch.h"

namespace cutaway::cpu {

namespace {

using namespace cpu;
using operators::EinsumEquation;

constexpr auto kTypes = elementTypes(NumericTypes{});
constexpr TypeRule kRules[] = {{TypeRule::kAllInputs, kTypes}};

class EinsumKernel final : public Kernel {
 public:
  EinsumKernel(EinsumEquation equation, bool products) : m_equation(std::move(equation)), m_products(products) {}
  std::string_view variant() const override { return m_products ? "onednn" : "reference"; }

  Result<void> run(KernelContext& context) const override {
    const size_t count = context.inputCount();
    std::array<const Tensor*, EinsumLabels::kMaxOperands> given{};
    for (size_t slot = 0; slot < count; ++slot)
      given[slot] = context.input(slot);
    CUTAWAY_TRY(const EinsumLabels labels, m_equation.resolve(std::span<const Tensor* const>(given.data(), count)));
    const ElementType type = given[0]->type();
    CUTAWAY_TRY(Tensor * y, context.output(0, type, labels.outputDims));
    if (y->elementCount() == 0) return {};
    if (count == 2 && type == ElementType::kFloat) {
      return contractByProducts(labels, context.input(0)->span<float>().data(), context.input(1)->span<float>().data(),
                                y->span<float>().data(), context);
    }
    const std::span<const int64_t> extents(labels.extents.data(), static_cast<size_t>(labels.labels));
    if (count > 2 && type == ElementType::kFloat && std::ranges::find(extents, 0) == extents.end()) {
      std::array<const float*, EinsumLabels::kMaxOperands> operands{};
      for (size_t slot = 0; slot < count; ++slot)
        operands[slot] = context.input(slot)->span<float>().data();
      return contractPairwise(labels, std::span<const float* const>(operands.data(), count), y->span<float>().data(),
                              context);
    }
    dispatchType(NumericTypes{}, type, [&]<typename T>(TypeTag<T>) {
      std::array<const T*, EinsumLabels::kMaxOperands> operands{};
      for (size_t slot = 0; slot < count; ++slot)
        operands[slot] = context.input(slot)->span<T>().data();
      contractByDefinition<T>(labels, std::span<const T* const>(operands.data(), count), y->span<T>().data());
    });
    return {};
  }

 private:
  EinsumEquation m_equation;
  bool m_products;  // pairs of float operands are matrix products
};

Result<std::unique_ptr<Kernel>> create(const KernelInfo& info) {
  CUTAWAY_TRY(EinsumEquation equation, EinsumEquation::read(info.node()));
  const bool products = info.node().inputs.size() > 1 && info.inputElement(0) == ElementType::kFloat;
  return std::make_unique<EinsumKernel>(std::move(equation), products);
}

}  // namespace

KernelRows kernel_einsum() {
  static constexpr KernelRow rows[] = {
      {.opType = "Einsum", .versions = {12}, .types = kRules, .fastPath = "onednn", .create = create}};
  return rows;
}

}  // namespace cutaway::cpu
