// DFT: forward, inverse, one-sided both ways, along any axis. Version 17 has the axis as an attribute, 20 as an input.

#include <algorithm>

#include "engine/base/parallel.h"
#include "engine/provider/kernel.h"
#include "providers/cpu/kernels/line_ranges.h"
#include "providers/cpu/kernels/math/fourier.h"
#include "providers/cpu/kernels/type_dispatch.h"

namespace cutaway::cpu {

namespace {

using namespace cpu;
using Complex = FourierTransform::Complex;

constexpr auto kFloats = elementTypes(FloatTypes{});
constexpr TypeRule kRules[] = {{0, kFloats}};
constexpr int kLengthInput[] = {1};
constexpr int kLengthAndAxis[] = {1, 2};
constexpr int64_t kLongest = int64_t{1} << 28;

Result<int64_t> integerInput(const Tensor& tensor, std::string_view name) {
  if (tensor.elementCount() == 1 && tensor.type() == ElementType::kInt64) return tensor.span<int64_t>()[0];
  if (tensor.elementCount() == 1 && tensor.type() == ElementType::kInt32) return tensor.span<int32_t>()[0];
  return fail(ErrorCode::kInvalidArgument, "DFT: {} is not one integer", name);
}

// The geometry of one transform: lines along `axis`, each of `inputLength` elements of `inputParts` numbers.
struct Geometry {
  int64_t length = 0;  // of the transform
  int64_t inputLength = 0;
  int64_t outputLength = 0;
  int64_t inputParts = 1;
  int64_t outputParts = 2;
  int64_t lines = 1;
  int64_t inner = 1;
};

class DftKernel final : public Kernel {
 public:
  DftKernel(const KernelInfo& info, bool axisFromInput)
      : m_inverse(info.attribute<int64_t>("inverse", 0) != 0),
        m_oneSided(info.attribute<int64_t>("onesided", 0) != 0),
        m_axisFromInput(axisFromInput),
        m_axis(axisFromInput ? -2 : info.attribute<int64_t>("axis", 1)) {}
  std::string_view variant() const override { return "threads"; }

  Result<void> run(KernelContext& context) const override {
    const Tensor& x = *context.input(0);
    int64_t axis = m_axis;
    if (m_axisFromInput && context.input(2) != nullptr) {
      CUTAWAY_TRY(axis, integerInput(*context.input(2), "axis"));
    }
    const int64_t rank = static_cast<int64_t>(x.rank());
    if (axis < 0) axis += rank;
    if (axis < 0 || axis > rank - 2)
      return fail(ErrorCode::kInvalidArgument, "DFT: axis is out of range for {}", dimsToText(x.dims()));
    CUTAWAY_TRY(const Geometry geometry, plan(context, x, static_cast<size_t>(axis)));
    Dims dims = x.dims();
    dims[static_cast<size_t>(axis)] = geometry.outputLength;
    dims[static_cast<size_t>(rank - 1)] = geometry.outputParts;
    CUTAWAY_TRY(Tensor * y, context.output(0, x.type(), dims));
    return y->elementCount() == 0 ? Result<void>{} : transform(context, geometry, x, *y);
  }

 private:
  Result<Geometry> plan(KernelContext& context, const Tensor& x, size_t axis) const {
    Geometry geometry;
    geometry.inputLength = x.dims()[axis];
    geometry.inputParts = x.dims()[x.rank() - 1];
    if (geometry.inputParts != 1 && geometry.inputParts != 2)
      return fail(ErrorCode::kInvalidArgument, "DFT: the last axis of {} is not 1 or 2", dimsToText(x.dims()));
    const bool toReal = m_oneSided && m_inverse;
    geometry.length = toReal ? 2 * (geometry.inputLength - 1) : geometry.inputLength;
    if (const Tensor* given = context.input(1); given != nullptr) {
      CUTAWAY_TRY(geometry.length, integerInput(*given, "dft_length"));
    }
    if (geometry.length < 1 || geometry.length > kLongest)
      return fail(ErrorCode::kInvalidArgument, "DFT: a transform of length {}", geometry.length);
    if (m_oneSided && !m_inverse && geometry.inputParts == 2)
      return fail(ErrorCode::kInvalidArgument, "DFT: one-sided needs a real input");
    geometry.outputLength = m_oneSided && !m_inverse ? geometry.length / 2 + 1 : geometry.length;
    geometry.outputParts = toReal ? 1 : 2;
    for (size_t i = 0; i + 1 < x.rank(); ++i) {
      if (i != axis) geometry.lines *= x.dims()[i];
      if (i > axis) geometry.inner *= x.dims()[i];
    }
    return geometry;
  }

  template <typename T>
  void load(const Geometry& geometry, const T* x, Complex* line) const {
    const int64_t step = geometry.inner * geometry.inputParts;
    const bool toReal = m_oneSided && m_inverse;
    const int64_t given = std::min(geometry.inputLength, toReal ? geometry.length / 2 + 1 : geometry.length);
    for (int64_t i = 0; i < geometry.length; ++i) {
      const bool mirrored = toReal && i > geometry.length / 2;  // conjugate symmetry
      const int64_t at = mirrored ? geometry.length - i : i;
      if (at >= given) {
        line[i] = {};
        continue;
      }
      const double real = static_cast<double>(widen(x[at * step]));
      const double imaginary = geometry.inputParts == 2 ? static_cast<double>(widen(x[at * step + 1])) : 0;
      line[i] = {real, mirrored ? -imaginary : imaginary};
    }
    if (toReal) {  // the constant part and the middle frequency are real
      line[0] = line[0].real();
      if (geometry.length % 2 == 0) line[geometry.length / 2] = line[geometry.length / 2].real();
    }
  }

  template <typename T>
  void store(const Geometry& geometry, const Complex* line, T* y) const {
    const double scale = m_inverse ? 1 / static_cast<double>(geometry.length) : 1;
    for (int64_t i = 0; i < geometry.outputLength; ++i) {
      T* target = y + i * geometry.inner * geometry.outputParts;
      target[0] = narrow<T>(static_cast<Computed<T>>(line[i].real() * scale));
      if (geometry.outputParts == 2) target[1] = narrow<T>(static_cast<Computed<T>>(line[i].imag() * scale));
    }
  }

  Result<void> transform(KernelContext& context, const Geometry& geometry, const Tensor& x, Tensor& y) const {
    const int64_t own = geometry.length + FourierTransform::workSize(geometry.length);
    const int64_t ranges = lineRanges(geometry.lines, geometry.lines * geometry.length / 4096,
                                      own * static_cast<int64_t>(sizeof(Complex)));
    const int64_t tables = FourierTransform::tableSize(geometry.length);
    CUTAWAY_TRY(const std::span<std::byte> memory,
                context.scratch(static_cast<size_t>(tables + ranges * own) * sizeof(Complex)));
    auto* blocks = reinterpret_cast<Complex*>(memory.data());
    const FourierTransform fourier(geometry.length, m_inverse, {blocks, static_cast<size_t>(tables)});
    dispatchType(FloatTypes{}, x.type(), [&]<typename T>(TypeTag<T>) {
      const T* from = x.span<T>().data();
      T* to = y.span<T>().data();
      parallelFor(ranges, 1, [&](int64_t begin, int64_t end) {
        for (int64_t range = begin; range < end; ++range) {
          Complex* line = blocks + tables + range * own;
          for (int64_t i = geometry.lines * range / ranges; i < geometry.lines * (range + 1) / ranges; ++i) {
            const int64_t outer = i / geometry.inner;
            const int64_t column = i % geometry.inner;
            load(geometry, from + (outer * geometry.inputLength * geometry.inner + column) * geometry.inputParts, line);
            fourier.run(line, line + geometry.length);
            store(geometry, line,
                  to + (outer * geometry.outputLength * geometry.inner + column) * geometry.outputParts);
          }
        }
      });
    });
    return {};
  }

  bool m_inverse;
  bool m_oneSided;
  bool m_axisFromInput;
  int64_t m_axis;
};

template <bool axisFromInput>
Result<std::unique_ptr<Kernel>> create(const KernelInfo& info) {
  return std::make_unique<DftKernel>(info, axisFromInput);
}

}  // namespace

KernelRows kernel_dft() {
  static constexpr KernelRow rows[] = {
      {.opType = "DFT",
       .versions = {17, 19},
       .types = kRules,
       .hostInputs = kLengthInput,
       .fastPath = "threads",
       .create = create<false>},
      {.opType = "DFT",
       .versions = {20},
       .types = kRules,
       .hostInputs = kLengthAndAxis,
       .fastPath = "threads",
       .create = create<true>},
  };
  return rows;
}

}  // namespace cutaway::cpu
