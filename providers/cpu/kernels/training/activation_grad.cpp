// Backward activations of com.microsoft: dX = dY f'(x), from the input or the output of the forward operator.

#include <cmath>
#include <numbers>

#include "engine/base/parallel.h"
#include "providers/cpu/kernels/through_float.h"
#include "providers/cpu/kernels/training/same_shape.h"
#include "providers/cpu/kernels/type_dispatch.h"
#include "providers/cpu/kernels/type_lists.h"

namespace cutaway::cpu {
namespace {

constexpr int64_t kGrain = 8192;

template <typename T>
T reluSlope(T x, T) {
  return x > 0 ? T(1) : T(0);
}
template <typename T>
T leakyReluSlope(T y, T alpha) {
  return y > 0 ? T(1) : alpha;
}
template <typename T>
T sigmoidSlope(T y, T) {
  return y * (1 - y);
}
template <typename T>
T tanhSlope(T y, T) {
  return 1 - y * y;
}
// x F(x), F the normal distribution.
template <typename T>
T geluSlope(T x, T) {
  const T below = T(0.5) * (1 + std::erf(x * static_cast<T>(1 / std::numbers::sqrt2)));
  return below + x * std::exp(T(-0.5) * x * x) * static_cast<T>(0.5 * std::numbers::inv_sqrtpi * std::numbers::sqrt2);
}
template <typename T>
T fastGeluSlope(T x, T) {
  const T scale = static_cast<T>(std::numbers::sqrt2 * std::numbers::inv_sqrtpi), cubic = T(0.044715);
  const T bent = std::tanh(scale * (x + cubic * x * x * x));
  return T(0.5) * (1 + bent) + T(0.5) * x * (1 - bent * bent) * scale * (1 + 3 * cubic * x * x);
}
// x s(alpha x), s the sigmoid.
template <typename T>
T quickGeluSlope(T x, T alpha) {
  const T s = 1 / (1 + std::exp(-alpha * x));
  return s * (1 + alpha * x * (1 - s));
}

template <typename T, T (*slope)(T, T)>
class ActivationGrad final : public Kernel {
 public:
  ActivationGrad(std::string_view opType, float alpha, bool biased)
      : m_opType(opType), m_alpha(static_cast<T>(alpha)), m_biased(biased) {}
  std::string_view variant() const override { return "threads"; }

  Result<void> run(KernelContext& context) const override {
    const Tensor* dy = context.input(0);
    if (dy == nullptr) return fail(ErrorCode::kInvalidArgument, "{} needs dY", m_opType);
    CUTAWAY_TRY(const Tensor* x, likeInput(context, m_opType, 1, *dy));
    const T* bias = nullptr;
    int64_t period = 1;
    if (m_biased) {
      const Tensor* given = context.input(2);
      const bool fits = given != nullptr && given->rank() == 1 && given->type() == dy->type() && dy->rank() > 0 &&
                        given->dims()[0] == dy->dims()[dy->rank() - 1];
      if (!fits)
        return fail(ErrorCode::kInvalidArgument, "{}: B does not fit the last axis of {}", m_opType,
                    dimsToText(dy->dims()));
      bias = given->span<T>().data();
      period = std::max<int64_t>(given->dims()[0], 1);
    }
    CUTAWAY_TRY(Tensor * dx, context.output(0, dy->dims()));
    const T *g = dy->span<T>().data(), *from = x->span<T>().data();
    T* to = dx->span<T>().data();
    parallelFor(dy->elementCount(), kGrain, [&](int64_t begin, int64_t end) {
      if (bias == nullptr) {
        for (int64_t i = begin; i < end; ++i)
          to[i] = g[i] * slope(from[i], m_alpha);
      } else {
        for (int64_t i = begin; i < end; ++i)
          to[i] = g[i] * slope(from[i] + bias[i % period], m_alpha);
      }
    });
    return {};
  }

 private:
  std::string m_opType;
  T m_alpha;
  bool m_biased;
};

template <typename T, T (*slope)(T, T)>
Result<std::unique_ptr<Kernel>> create(const KernelInfo& info) {
  const std::string& name = info.node().opType;
  return std::make_unique<ActivationGrad<T, slope>>(
      name, info.attribute<float>("alpha", name == "QuickGeluGrad" ? 1.702f : 0.01f), name.starts_with("Bias"));
}

constexpr InplaceHint kInplace[] = {{.input = 0, .output = 0, .kind = AliasKind::kMayInplace},
                                    {.input = 1, .output = 0, .kind = AliasKind::kMayInplace}};

#define CUTAWAY_ROWS(name, slope)                                                                               \
  {.opType = name,                                                                                              \
   .domain = "com.microsoft",                                                                                   \
   .types = kFloatInput,                                                                                        \
   .inplace = kInplace,                                                                                         \
   .fastPath = "threads",                                                                                       \
   .create = create<float, slope<float>>},                                                                      \
      {.opType = name,                                                                                          \
       .domain = "com.microsoft",                                                                               \
       .types = kDoubleInput,                                                                                   \
       .inplace = kInplace,                                                                                     \
       .fastPath = "threads",                                                                                   \
       .create = create<double, slope<double>>},                                                                \
  {                                                                                                             \
    .opType = name, .domain = "com.microsoft", .types = kHalfInput, .inplace = kInplace, .fastPath = "threads", \
    .create = createThroughFloat<create<float, slope<float>>>                                                   \
  }

constexpr KernelRow kRows[] = {
    CUTAWAY_ROWS("ReluGrad", reluSlope),
    CUTAWAY_ROWS("LeakyReluGrad", leakyReluSlope),
    CUTAWAY_ROWS("SigmoidGrad", sigmoidSlope),
    CUTAWAY_ROWS("TanhGrad", tanhSlope),
    CUTAWAY_ROWS("GeluGrad", geluSlope),
    CUTAWAY_ROWS("FastGeluGrad", fastGeluSlope),
    CUTAWAY_ROWS("QuickGeluGrad", quickGeluSlope),
    CUTAWAY_ROWS("BiasGeluGrad_dX", geluSlope),
    CUTAWAY_ROWS("BiasFastGeluGrad_dX", fastGeluSlope),
};
#undef CUTAWAY_ROWS

}  // namespace

KernelRows kernel_activation_grad() {
  return kRows;
}

}  // namespace cutaway::cpu
