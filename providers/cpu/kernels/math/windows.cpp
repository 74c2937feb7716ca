// BlackmanWindow, HannWindow, HammingWindow: sums of cosines, see Harris, "On the use of windows for harmonic analysis"
// (1978).

#include <array>
#include <cmath>

#include "engine/provider/kernel.h"
#include "providers/cpu/kernels/elementwise/element_conversion.h"

namespace cutaway::cpu {

namespace {

using namespace cpu;

constexpr ElementType kSizes[] = {ElementType::kInt32, ElementType::kInt64};
constexpr TypeRule kRules[] = {{0, kSizes}};
constexpr int kSizeInput[] = {0};

// w(n) = a0 - a1 cos(2 pi n / N) + a2 cos(4 pi n / N)
using Coefficients = std::array<double, 3>;

class WindowKernel final : public Kernel {
 public:
  WindowKernel(const Coefficients& coefficients, const ElementConverter& converter, ElementType type, bool periodic)
      : m_coefficients(coefficients), m_converter(converter), m_type(type), m_periodic(periodic) {}

  Result<void> run(KernelContext& context) const override {
    const Tensor& given = *context.input(0);
    if (given.elementCount() != 1) return fail(ErrorCode::kInvalidArgument, "the size of a window is one number");
    const int64_t size = given.type() == ElementType::kInt32 ? given.span<int32_t>()[0] : given.span<int64_t>()[0];
    if (size < 0) return fail(ErrorCode::kInvalidArgument, "the size of a window is {}", size);
    CUTAWAY_TRY(Tensor * y, context.output(0, m_type, Dims{size}));
    const double period = m_periodic ? static_cast<double>(size) : static_cast<double>(size - 1);
    double run[kConversionBlock];
    for (int64_t begin = 0; begin < size; begin += kConversionBlock) {
      const int64_t end = std::min(size, begin + kConversionBlock);
      for (int64_t n = begin; n < end; ++n) {
        const double angle = period == 0 ? 0 : 2 * M_PI * static_cast<double>(n) / period;
        run[n - begin] = period == 0 ? 1
                                     : m_coefficients[0] - m_coefficients[1] * std::cos(angle) +
                                           m_coefficients[2] * std::cos(2 * angle);
      }
      CUTAWAY_CHECK(m_converter.convert(run, static_cast<std::byte*>(y->mutableData()) + begin * bitsOf(m_type) / 8, 0,
                                        end - begin));
    }
    return {};
  }

 private:
  Coefficients m_coefficients;
  ElementConverter m_converter;
  ElementType m_type;
  bool m_periodic;
};

Result<std::unique_ptr<Kernel>> make(const KernelInfo& info, const Coefficients& coefficients) {
  const auto type =
      static_cast<ElementType>(info.attribute<int64_t>("output_datatype", static_cast<int64_t>(ElementType::kFloat)));
  if (!isKnown(type) || type == ElementType::kString || isSubByte(type))
    return fail(ErrorCode::kNotImplemented, "{} of {} is not covered", info.node().opType, elementTypeName(type));
  const ElementType source = ElementType::kDouble;
  CUTAWAY_TRY(const ElementConverter converter, ElementConverter::make(source, type, {}));
  return std::make_unique<WindowKernel>(coefficients, converter, type, info.attribute<int64_t>("periodic", 1) != 0);
}

Result<std::unique_ptr<Kernel>> blackman(const KernelInfo& info) {
  return make(info, {0.42, 0.5, 0.08});
}
Result<std::unique_ptr<Kernel>> hann(const KernelInfo& info) {
  return make(info, {0.5, 0.5, 0});
}
// 25/46 puts a zero at the first side lobe.
Result<std::unique_ptr<Kernel>> hamming(const KernelInfo& info) {
  return make(info, {25.0 / 46, 21.0 / 46, 0});
}

}  // namespace

KernelRows kernel_windows() {
  static constexpr KernelRow rows[] = {
      {.opType = "BlackmanWindow", .versions = {17}, .types = kRules, .hostInputs = kSizeInput, .create = blackman},
      {.opType = "HannWindow", .versions = {17}, .types = kRules, .hostInputs = kSizeInput, .create = hann},
      {.opType = "HammingWindow", .versions = {17}, .types = kRules, .hostInputs = kSizeInput, .create = hamming},
  };
  return rows;
}

}  // namespace cutaway::cpu
