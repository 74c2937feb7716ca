// MelWeightMatrix: triangles over spectrogram bins whose corners are evenly spaced on the mel scale.

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/provider/kernel.h"
#include "providers/cpu/kernels/elementwise/element_conversion.h"
#include "providers/cpu/kernels/type_dispatch.h"

namespace cutaway::cpu {

namespace {

using namespace cpu;

constexpr int kAllInputs[] = {0, 1, 2, 3, 4};
constexpr int64_t kMostBins = int64_t{1} << 24;  // more would be a mistake in the model

Result<double> number(KernelContext& context, size_t slot) {
  const Tensor& tensor = *context.input(slot);
  double value = 0;
  if (tensor.elementCount() != 1 || !dispatchType(NumericTypes{}, tensor.type(), [&]<typename T>(TypeTag<T>) {
        value = static_cast<double>(widen(tensor.span<T>()[0]));
      })) {
    return fail(ErrorCode::kInvalidArgument, "MelWeightMatrix: input {} is not one number", slot);
  }
  return value;
}

struct MelScale {
  int64_t bins;
  double dftLength;
  double sampleRate;
  double low;
  double step;

  // Spectrogram bin of corner k of bins + 2.
  int64_t corner(int64_t k) const {
    const double hertz = 700 * std::expm1((low + static_cast<double>(k) * step) / 2595 * std::log(10.0));
    const double bin = std::floor((dftLength + 1) * hertz / sampleRate);
    return std::isfinite(bin) ? static_cast<int64_t>(std::clamp(bin, -1e15, 1e15)) : 0;
  }
};

double mel(double hertz) {
  return 2595 * std::log1p(hertz / 700) / std::log(10.0);
}

// Weight of a spectrogram bin in the triangle (left, centre, right).
double weight(int64_t bin, int64_t left, int64_t centre, int64_t right) {
  if (bin == centre) return 1;
  if (bin >= left && bin < centre) return static_cast<double>(bin - left) / static_cast<double>(centre - left);
  if (bin > centre && bin < right) return static_cast<double>(right - bin) / static_cast<double>(right - centre);
  return 0;
}

class MelWeightMatrixKernel final : public Kernel {
 public:
  MelWeightMatrixKernel(const ElementConverter& converter, ElementType type) : m_converter(converter), m_type(type) {}

  Result<void> run(KernelContext& context) const override {
    std::array<double, 5> values{};
    for (size_t slot = 0; slot < values.size(); ++slot) {
      CUTAWAY_TRY(values[slot], number(context, slot));
    }
    const auto [bins, dftLength, sampleRate, lower, upper] = values;
    if (!(bins >= 0 && bins <= static_cast<double>(kMostBins) && dftLength >= 0 &&
          dftLength <= static_cast<double>(kMostBins) && sampleRate > 0 && lower >= 0 && upper >= lower)) {
      return fail(ErrorCode::kInvalidArgument,
                  "MelWeightMatrix: {} bins, DFT length {}, rate {}, {} to {} Hz make no filter bank", bins, dftLength,
                  sampleRate, lower, upper);
    }
    MelScale scale{static_cast<int64_t>(bins), dftLength, sampleRate, mel(lower), 0};
    scale.step = (mel(upper) - scale.low) / static_cast<double>(scale.bins + 2);
    const int64_t spectrogramBins = static_cast<int64_t>(dftLength) / 2 + 1;
    CUTAWAY_TRY(Tensor * y, context.output(0, m_type, Dims{spectrogramBins, scale.bins}));
    if (y->elementCount() == 0) return {};
    CUTAWAY_TRY(const std::span<std::byte> memory, context.scratch(static_cast<size_t>(scale.bins) * sizeof(double)));
    auto* row = reinterpret_cast<double*>(memory.data());
    for (int64_t bin = 0; bin < spectrogramBins; ++bin) {
      for (int64_t k = 0; k < scale.bins; ++k)
        row[k] = weight(bin, scale.corner(k), scale.corner(k + 1), scale.corner(k + 2));
      CUTAWAY_CHECK(m_converter.convert(
          row, static_cast<std::byte*>(y->mutableData()) + bin * scale.bins * bitsOf(m_type) / 8, 0, scale.bins));
    }
    return {};
  }

 private:
  ElementConverter m_converter;
  ElementType m_type;
};

Result<std::unique_ptr<Kernel>> create(const KernelInfo& info) {
  const auto type =
      static_cast<ElementType>(info.attribute<int64_t>("output_datatype", static_cast<int64_t>(ElementType::kFloat)));
  if (!isKnown(type) || type == ElementType::kString || isSubByte(type))
    return fail(ErrorCode::kNotImplemented, "MelWeightMatrix of {} is not covered", elementTypeName(type));
  const ElementType source = ElementType::kDouble;
  CUTAWAY_TRY(const ElementConverter converter, ElementConverter::make(source, type, {}));
  return std::make_unique<MelWeightMatrixKernel>(converter, type);
}

}  // namespace

KernelRows kernel_mel_weight_matrix() {
  static constexpr KernelRow rows[] = {
      {.opType = "MelWeightMatrix", .versions = {17}, .hostInputs = kAllInputs, .create = create}};
  return rows;
}

}  // namespace cutaway::cpu
