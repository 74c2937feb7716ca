// Bernoulli: 1 with the probability that the input gives, else 0.

#include "engine/provider/kernel.h"
#include "providers/cpu/kernels/random/random_source.h"
#include "providers/cpu/kernels/type_dispatch.h"

namespace cutaway::cpu {

namespace {

using namespace cpu;

using OutputTypes = Join<NumericTypes, TypeList<bool>>;
constexpr auto kFloats = elementTypes(FloatTypes{});
constexpr TypeRule kRules[] = {{0, kFloats}};
constexpr InplaceHint kInPlace[] = {{0, 0, AliasKind::kMayInplace}};

class BernoulliKernel final : public Kernel {
 public:
  BernoulliKernel(const KernelInfo& info, ElementType type) : m_seed(SeedRule::of(info)), m_type(type) {}

  Result<void> run(KernelContext& context) const override {
    const Tensor& x = *context.input(0);
    CUTAWAY_TRY(Tensor * y, context.output(0, m_type, x.dims()));
    RandomSource source(m_seed.next(context));
    dispatchType(FloatTypes{}, x.type(), [&]<typename P>(TypeTag<P>) {
      const auto probabilities = x.span<P>();
      dispatchType(OutputTypes{}, m_type, [&]<typename T>(TypeTag<T>) {
        const auto target = y->span<T>();
        for (size_t i = 0; i < target.size(); ++i)
          target[i] = narrow<T>(
              static_cast<Computed<T>>(source.uniform() < static_cast<double>(widen(probabilities[i])) ? 1 : 0));
      });
    });
    return {};
  }
  std::unique_ptr<KernelState> createState() const override { return std::make_unique<RandomState>(); }

 private:
  SeedRule m_seed;
  ElementType m_type;
};

Result<std::unique_ptr<Kernel>> create(const KernelInfo& info) {
  const auto type =
      static_cast<ElementType>(info.attribute<int64_t>("dtype", static_cast<int64_t>(info.inputElement(0))));
  if (!dispatchType(OutputTypes{}, type, [](auto) {}))
    return fail(ErrorCode::kNotImplemented, "Bernoulli: draws of {} are not covered", elementTypeName(type));
  return std::make_unique<BernoulliKernel>(info, type);
}

}  // namespace

KernelRows kernel_bernoulli() {
  static constexpr KernelRow rows[] = {
      {.opType = "Bernoulli", .versions = {15}, .types = kRules, .inplace = kInPlace, .create = create}};
  return rows;
}

}  // namespace cutaway::cpu
