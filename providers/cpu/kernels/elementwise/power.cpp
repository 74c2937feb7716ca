// Pow: the base's type is the result's; the exponent may be of any numeric type.
//
// Exponents are converted in short runs: to int64 when base and exponent are both integers, to double otherwise. One
// exponent for the whole run (the common x^2, x^3, x^0.5) takes a loop without calls for fp32; other powers of fp32 to
// fp32 are worked out by vectors.

#include <cmath>
#include <limits>

#include "providers/cpu/kernels/elementwise/binary_elements.h"
#include "providers/cpu/kernels/elementwise/binary_kernel.h"
#include "providers/cpu/kernels/elementwise/trigonometry_vector.h"

namespace cutaway::cpu {

namespace {

using namespace cpu;

using BaseTypes = Join<FloatTypes, TypeList<int32_t, int64_t>>;
constexpr auto kBases = elementTypes(BaseTypes{});
constexpr auto kExponents = elementTypes(NumericTypes{});
constexpr TypeRule kRules[] = {{0, kBases}, {1, kExponents}};
constexpr InplaceHint kInPlace[] = {{0, 0, AliasKind::kMayInplace}};

// Squaring; wraps. A negative exponent has an answer for 1 and -1 only: 0 otherwise.
template <typename T>
T integerPower(T base, int64_t exponent) {
  if (exponent < 0) return base == 1 ? T{1} : (base == -1 ? (exponent % 2 == 0 ? T{1} : T{-1}) : T{0});
  T result = 1;
  for (T factor = base; exponent > 0; exponent >>= 1) {
    if ((exponent & 1) != 0) result = MulElement::apply(result, factor);
    factor = MulElement::apply(factor, factor);
  }
  return result;
}

// Integer base, fractional exponent: through double, cut to the type's range.
template <typename T>
T realPower(T base, double exponent) {
  const double value = std::pow(static_cast<double>(base), exponent);
  if constexpr (std::is_integral_v<T>) {
    if (!(value > static_cast<double>(std::numeric_limits<T>::min()))) return std::numeric_limits<T>::min();  // NaN too
    if (value >= static_cast<double>(std::numeric_limits<T>::max())) return std::numeric_limits<T>::max();
  }
  return static_cast<T>(value);
}

bool commonPower(const float* base, double exponent, float* y, int64_t count) {
  if (exponent == 2) {
    for (int64_t i = 0; i < count; ++i)
      y[i] = base[i] * base[i];
  } else if (exponent == 3) {
    for (int64_t i = 0; i < count; ++i)
      y[i] = base[i] * base[i] * base[i];
  } else if (exponent == 1) {
    for (int64_t i = 0; i < count; ++i)
      y[i] = base[i];
  } else if (exponent == -1) {
    for (int64_t i = 0; i < count; ++i)
      y[i] = 1 / base[i];
  } else {
    return false;
  }
  return true;
}

template <typename Base, typename Exponent>
void powerRun(const void* a, const void* b, void* y, int64_t count, int aStep, int bStep) {
  using Wide = Computed<Base>;
  constexpr bool kIntegers = std::is_integral_v<Base> && std::is_integral_v<Exponent>;
  using Power = std::conditional_t<kIntegers, int64_t, double>;
  const Base* bases = static_cast<const Base*>(a);
  const Exponent* exponents = static_cast<const Exponent*>(b);
  Base* target = static_cast<Base*>(y);
  if constexpr (std::is_same_v<Base, float>) {
    if (aStep == 1 && bStep == 0 && commonPower(bases, static_cast<double>(widen(*exponents)), target, count)) return;
    if constexpr (std::is_same_v<Exponent, float>) return vectorPower(bases, exponents, target, count, aStep, bStep);
  }
  for (int64_t i = 0; i < count; ++i) {
    const Wide base = widen(bases[i * aStep]);
    const Power exponent = static_cast<Power>(widen(exponents[i * bStep]));
    if constexpr (kIntegers) {
      target[i] = integerPower(base, exponent);
    } else if constexpr (std::is_same_v<Wide, float>) {
      target[i] = narrow<Base>(std::pow(base, static_cast<float>(exponent)));
    } else {
      target[i] = realPower(base, exponent);
    }
  }
}

// uint64 exponents above the largest int64 only matter for bases 0, 1 and -1, where their parity and sign would be
// lost.
template <typename Base, typename Exponent>
int64_t run(const void* a, const void* b, void* y, int64_t count, int aStep, int bStep) {
  powerRun<Base, Exponent>(a, b, y, count, aStep, bStep);
  return -1;
}

template <bool legacy>
Result<std::unique_ptr<Kernel>> create(const KernelInfo& info) {
  BinaryDefinition definition{.outputType = info.inputElement(0), .grain = 4096};
  dispatchType(BaseTypes{}, info.inputElement(0), [&]<typename Base>(TypeTag<Base>) {
    dispatchType(NumericTypes{},
                 info.inputElement(1) == ElementType::kUndefined ? info.inputElement(0) : info.inputElement(1),
                 [&]<typename Exponent>(TypeTag<Exponent>) { definition.loop = &run<Base, Exponent>; });
  });
  if (info.inputElement(0) == ElementType::kFloat) definition.variant = "highway";
  return makeBinaryKernel(info, definition, legacy);
}

}  // namespace

KernelRows kernel_power() {
  static constexpr KernelRow rows[] = {
      {.opType = "Pow",
       .versions = {1, 6},
       .types = kRules,
       .inplace = kInPlace,
       .fastPath = "highway",
       .create = create<true>},
      {.opType = "Pow",
       .versions = {7},
       .types = kRules,
       .inplace = kInPlace,
       .fastPath = "highway",
       .create = create<false>},
  };
  return rows;
}

}  // namespace cutaway::cpu
