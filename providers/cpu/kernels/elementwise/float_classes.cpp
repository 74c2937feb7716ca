// IsNaN and IsInf. 8-bit floats are looked up in a table made when the kernel is.

#include <array>
#include <cmath>

#include "engine/base/parallel.h"
#include "providers/cpu/kernels/elementwise/pointwise_kernel.h"
#include "providers/cpu/kernels/elementwise/run_vector.h"
#include "providers/cpu/kernels/type_dispatch.h"

namespace cutaway::cpu {

namespace {

using namespace cpu;

constexpr ElementType kTypes[] = {ElementType::kFloat,      ElementType::kDouble,        ElementType::kFloat16,
                                  ElementType::kBfloat16,   ElementType::kFloat8E4M3FN,  ElementType::kFloat8E4M3FNUZ,
                                  ElementType::kFloat8E5M2, ElementType::kFloat8E5M2FNUZ};
constexpr TypeRule kRules[] = {{0, kTypes}};

// Which values answer true.
struct Wanted {
  bool nan = false;
  bool positiveInfinity = false;
  bool negativeInfinity = false;

  // Without branches, so that compilers make vectors of it.
  template <typename T>
  bool matches(T x) const {
    return (nan & (x != x)) | (positiveInfinity & (x == static_cast<T>(INFINITY))) |
           (negativeInfinity & (x == -static_cast<T>(INFINITY)));
  }
};

class FloatClassKernel final : public Kernel {
 public:
  FloatClassKernel(Wanted wanted, ElementType type) : m_wanted(wanted), m_floats(type == ElementType::kFloat) {
    if (bitsOf(type) != 8) return;
    for (size_t bits = 0; bits < m_table.size(); ++bits)
      m_table[bits] = wanted.matches(narrowToFloat(type, static_cast<uint8_t>(bits)));
  }
  std::string_view variant() const override { return m_floats ? "highway" : "threads"; }

  Result<void> run(KernelContext& context) const override {
    const Tensor& x = *context.input(0);
    CUTAWAY_TRY(Tensor * y, context.output(0, ElementType::kBool, x.dims()));
    bool* target = y->span<bool>().data();
    const int64_t count = x.elementCount();
    const bool wide = dispatchType(FloatTypes{}, x.type(), [&]<typename T>(TypeTag<T>) {
      const T* source = x.span<T>().data();
      parallelFor(count, 32768, [&](int64_t begin, int64_t end) {
        const Wanted wanted = m_wanted;
        if constexpr (std::is_same_v<T, float>)
          return vectorClassify(source + begin, reinterpret_cast<uint8_t*>(target) + begin, end - begin, wanted.nan,
                                wanted.positiveInfinity, wanted.negativeInfinity);
        for (int64_t i = begin; i < end; ++i)
          target[i] = wanted.matches(widen(source[i]));
      });
    });
    if (wide) return {};
    const uint8_t* source = x.span<uint8_t>().data();
    parallelFor(count, 32768, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i)
        target[i] = m_table[source[i]];
    });
    return {};
  }

 private:
  Wanted m_wanted;
  bool m_floats;
  std::array<bool, 256> m_table{};
};

Result<std::unique_ptr<Kernel>> isNan(const KernelInfo& info) {
  return std::make_unique<FloatClassKernel>(Wanted{.nan = true}, info.inputElement(0));
}

Result<std::unique_ptr<Kernel>> isInf(const KernelInfo& info) {
  const Wanted wanted{.positiveInfinity = info.attribute<int64_t>("detect_positive", 1) != 0,
                      .negativeInfinity = info.attribute<int64_t>("detect_negative", 1) != 0};
  return std::make_unique<FloatClassKernel>(wanted, info.inputElement(0));
}

}  // namespace

KernelRows kernel_float_classes() {
  static constexpr KernelRow rows[] = {
      {.opType = "IsNaN",
       .versions = {9},
       .types = kRules,
       .inplace = kFirstInPlace,
       .fastPath = "highway",
       .create = isNan},
      {.opType = "IsInf",
       .versions = {10},
       .types = kRules,
       .inplace = kFirstInPlace,
       .fastPath = "highway",
       .create = isInf},
  };
  return rows;
}

}  // namespace cutaway::cpu
