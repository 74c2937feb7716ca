// Multinomial: classes drawn by the inverse of their cumulated probabilities; inputs are unnormalised
// log-probabilities.

#include <algorithm>
#include <cmath>

#include "engine/provider/kernel.h"
#include "providers/cpu/kernels/random/random_source.h"
#include "providers/cpu/kernels/type_dispatch.h"

namespace cutaway::cpu {

namespace {

using namespace cpu;

constexpr auto kFloats = elementTypes(FloatTypes{});
constexpr TypeRule kRules[] = {{0, kFloats}};

// Sums of exp(x - max) up to each class. False when no class has a finite weight.
template <typename T>
bool cumulate(const T* row, int64_t classes, double* sums) {
  double largest = -INFINITY;
  for (int64_t i = 0; i < classes; ++i)
    largest = std::max(largest, static_cast<double>(widen(row[i])));
  double total = 0;
  for (int64_t i = 0; i < classes; ++i) {
    const double weight = std::exp(static_cast<double>(widen(row[i])) - largest);
    total += std::isnan(weight) ? 0 : weight;
    sums[i] = total;
  }
  return std::isfinite(largest) && total > 0;
}

class MultinomialKernel final : public Kernel {
 public:
  MultinomialKernel(const KernelInfo& info, ElementType type)
      : m_seed(SeedRule::of(info)), m_samples(info.attribute<int64_t>("sample_size", 1)), m_type(type) {}

  Result<void> run(KernelContext& context) const override {
    const Tensor& x = *context.input(0);
    if (x.rank() != 2 || x.dims()[1] == 0)
      return fail(ErrorCode::kInvalidArgument, "Multinomial: {} is not [batch, classes]", dimsToText(x.dims()));
    const int64_t batch = x.dims()[0];
    const int64_t classes = x.dims()[1];
    CUTAWAY_TRY(Tensor * y, context.output(0, m_type, Dims{batch, m_samples}));
    CUTAWAY_TRY(const std::span<std::byte> memory, context.scratch(static_cast<size_t>(classes) * sizeof(double)));
    auto* sums = reinterpret_cast<double*>(memory.data());
    RandomSource source(m_seed.next(context));
    for (int64_t row = 0; row < batch; ++row) {
      bool drawable = false;
      dispatchType(FloatTypes{}, x.type(), [&]<typename T>(TypeTag<T>) {
        drawable = cumulate(x.span<T>().data() + row * classes, classes, sums);
      });
      if (!drawable) return fail(ErrorCode::kInvalidArgument, "Multinomial: row {} has no finite log-probability", row);
      for (int64_t i = 0; i < m_samples; ++i) {
        const double* chosen = std::upper_bound(sums, sums + classes, source.uniform() * sums[classes - 1]);
        const int64_t index = std::min<int64_t>(chosen - sums, classes - 1);
        if (m_type == ElementType::kInt32) {
          y->span<int32_t>()[static_cast<size_t>(row * m_samples + i)] = static_cast<int32_t>(index);
        } else {
          y->span<int64_t>()[static_cast<size_t>(row * m_samples + i)] = index;
        }
      }
    }
    return {};
  }
  std::unique_ptr<KernelState> createState() const override { return std::make_unique<RandomState>(); }

 private:
  SeedRule m_seed;
  int64_t m_samples;
  ElementType m_type;
};

Result<std::unique_ptr<Kernel>> create(const KernelInfo& info) {
  const auto type =
      static_cast<ElementType>(info.attribute<int64_t>("dtype", static_cast<int64_t>(ElementType::kInt32)));
  if (type != ElementType::kInt32 && type != ElementType::kInt64)
    return fail(ErrorCode::kInvalidArgument, "Multinomial: samples are int32 or int64, not {}", elementTypeName(type));
  if (info.attribute<int64_t>("sample_size", 1) < 0)
    return fail(ErrorCode::kInvalidArgument, "Multinomial: sample_size is negative");
  return std::make_unique<MultinomialKernel>(info, type);
}

}  // namespace

KernelRows kernel_multinomial() {
  static constexpr KernelRow rows[] = {{.opType = "Multinomial", .versions = {7}, .types = kRules, .create = create}};
  return rows;
}

}  // namespace cutaway::cpu
