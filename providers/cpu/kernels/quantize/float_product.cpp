// com.microsoft DynamicQuantizeMatMul and MatMulIntegerToFloat: 8-bit products whose sums become floats;
// MatMulInteger16.

#include "providers/cpu/kernels/quantize/byte_product.h"
#include "providers/cpu/kernels/quantize/dynamic_scale.h"
#include "providers/cpu/kernels/quantize/linear_parameters.h"
#include "providers/cpu/kernels/shape/axis_list.h"

namespace cutaway::cpu {
namespace {

template <typename T>
Result<T*> scratchOf(KernelContext& context, int64_t count) {
  CUTAWAY_TRY(const std::span<std::byte> memory, context.scratch(static_cast<size_t>(count) * sizeof(T)));
  return reinterpret_cast<T*>(memory.data());
}

Result<void> checkColumns(std::string_view op, const Tensor* tensor, const BytePairing& s, size_t slot) {
  if (tensor == nullptr || fitsColumns(s, tensor->elementCount())) return {};
  return fail(ErrorCode::kInvalidArgument, "{}: input {} has {} elements, B has {} columns", op, slot,
              tensor->elementCount(), s.n);
}

Result<void> checkZero(std::string_view op, const Tensor* zero, ElementType type, size_t slot) {
  if (zero == nullptr || zero->type() == type) return {};
  return fail(ErrorCode::kInvalidArgument, "{}: input {} is a zero point of type {} for a tensor of {}", op, slot,
              elementTypeName(zero->type()), elementTypeName(type));
}

// Sums to floats: sum * (a scale * b scale) + bias, in the result's type.
class FloatFinish {
 public:
  static Result<FloatFinish> make(KernelContext& context, float aScale, const Tensor& bScale, const Tensor* bias,
                                  const BytePairing& s, Tensor& output) {
    FloatFinish finish(s, output);
    finish.m_perMatrix = bScale.elementCount() != 1 && bScale.elementCount() != s.n;
    const int64_t count = finish.m_perMatrix ? bScale.elementCount() : s.n;
    CUTAWAY_TRY(finish.m_scales, scratchOf<float>(context, count));
    for (int64_t i = 0; i < count; ++i)
      finish.m_scales[i] = aScale * scaleAt(bScale, i);
    if (bias == nullptr) return finish;
    CUTAWAY_TRY(finish.m_bias, scratchOf<float>(context, s.n));
    loadRun(bias->type(), bias->data(), 0, s.n, finish.m_bias);
    return finish;
  }

  void operator()(int64_t outputRow, cpu::SumRow row) const {
    row.scales = m_scales + (m_perMatrix ? m_pairing.bMatrix(outputRow / m_pairing.m) * m_pairing.n : 0);
    row.scaleStep = 1;
    if (m_output.type() == ElementType::kFloat) {
      cpu::integerLoops().scale(row, m_bias, static_cast<float*>(m_output.mutableData()) + outputRow * m_pairing.n);
      return;
    }
    float values[kQuantRun];
    for (int64_t first = 0; first < m_pairing.n; first += kQuantRun) {
      const int64_t count = std::min(kQuantRun, m_pairing.n - first);
      cpu::integerLoops().scale({row.sums + first, count, row.added + first, row.scales + first, 1},
                                m_bias == nullptr ? nullptr : m_bias + first, values);
      storeRun(m_output.type(), values, m_output.mutableData(), outputRow * m_pairing.n + first, count, true);
    }
  }

 private:
  FloatFinish(const BytePairing& s, Tensor& output) : m_pairing(s), m_output(output) {}
  const BytePairing& m_pairing;
  Tensor& m_output;
  float* m_scales = nullptr;
  float* m_bias = nullptr;
  bool m_perMatrix = false;
};

Result<void> checkBias(std::string_view op, const Tensor* bias, int64_t columns, size_t slot) {
  if (bias == nullptr) return {};
  float value = 0;
  const double zero = 0;
  if (bias->elementCount() == columns && isFloating(bias->type()) && loadRun(bias->type(), &zero, 0, 1, &value))
    return {};
  return fail(ErrorCode::kInvalidArgument, "{}: input {} is a bias {} of {} for {} columns", op, slot,
              dimsToText(bias->dims()), elementTypeName(bias->type()), columns);
}

class ByteFactorKernel : public Kernel {
 public:
  explicit ByteFactorKernel(ConstantBytes constant) : m_constant(std::move(constant)) {}
  std::unique_ptr<KernelState> createState() const override { return std::make_unique<ByteProductState>(); }
  std::string_view variant() const override { return "onednn"; }

 protected:
  ConstantBytes m_constant;
};

// A (floats, quantised here), B, b scale, b zero?, bias?
class DynamicQuantizeMatMul final : public ByteFactorKernel {
 public:
  using ByteFactorKernel::ByteFactorKernel;
  Result<void> run(KernelContext& context) const override {
    constexpr std::string_view kName = "DynamicQuantizeMatMul";
    CUTAWAY_TRY(const Tensor* a, requireTensor(context, 0));
    CUTAWAY_TRY(const Tensor* b, requireBytes(context, kName, 1));
    CUTAWAY_TRY(const Tensor* bScale, requireTensor(context, 2));
    const Tensor* bZero = optionalTensor(context, 3);
    const Tensor* bias = optionalTensor(context, 4);
    if (a->type() != ElementType::kFloat)
      return fail(ErrorCode::kNotImplemented, "DynamicQuantizeMatMul of {} is not covered", elementTypeName(a->type()));
    CUTAWAY_TRY(const BytePairing s, pairBytes(a->dims(), b->dims()));
    CUTAWAY_CHECK(checkColumns(kName, bScale, s, 2));
    CUTAWAY_CHECK(checkScale(*bScale, bScale->elementCount(), 2));
    CUTAWAY_CHECK(checkColumns(kName, bZero, s, 3));
    CUTAWAY_CHECK(checkZero(kName, bZero, b->type(), 3));
    CUTAWAY_CHECK(checkBias(kName, bias, s.n, 4));
    CUTAWAY_TRY(Tensor * output, context.output(0, ElementType::kFloat, s.output));
    CUTAWAY_TRY(uint8_t* bytes, scratchOf<uint8_t>(context, a->elementCount()));
    const float* values = a->span<float>().data();
    const cpu::DynamicScale chosen = cpu::dynamicScale(values, a->elementCount());
    cpu::quantizeDynamic(values, a->elementCount(), chosen, bytes);
    CUTAWAY_TRY(const FloatFinish finish, FloatFinish::make(context, chosen.scale, *bScale, bias, s, *output));
    const Tensor aZero = Tensor::wrapConst(ElementType::kUint8, Dims{}, &chosen.zeroPoint);
    const ByteOperands operands{ElementType::kUint8, bytes, &aZero, b->type(), b->data(), bZero};
    ByteProduct product(context, m_constant, operands, s);
    return product.forRows(nullptr, finish);
  }
};

// A, B, a scale, b scale, a zero?, b zero?, bias?
class MatMulIntegerToFloat final : public ByteFactorKernel {
 public:
  using ByteFactorKernel::ByteFactorKernel;
  Result<void> run(KernelContext& context) const override {
    constexpr std::string_view kName = "MatMulIntegerToFloat";
    CUTAWAY_TRY(const Tensor* a, requireBytes(context, kName, 0));
    CUTAWAY_TRY(const Tensor* b, requireBytes(context, kName, 1));
    CUTAWAY_TRY(const Tensor* aScale, requireTensor(context, 2));
    CUTAWAY_TRY(const Tensor* bScale, requireTensor(context, 3));
    const Tensor* aZero = optionalTensor(context, 4);
    const Tensor* bZero = optionalTensor(context, 5);
    const Tensor* bias = optionalTensor(context, 6);
    CUTAWAY_TRY(const BytePairing s, pairBytes(a->dims(), b->dims()));
    CUTAWAY_CHECK(checkScale(*aScale, 1, 2));
    CUTAWAY_CHECK(checkColumns(kName, bScale, s, 3));
    CUTAWAY_CHECK(checkScale(*bScale, bScale->elementCount(), 3));
    CUTAWAY_CHECK(checkZero(kName, aZero, a->type(), 4));
    if (aZero != nullptr && !fitsRows(s, aZero->elementCount()))
      return fail(ErrorCode::kInvalidArgument, "MatMulIntegerToFloat: {} zero points are given for {} rows",
                  aZero->elementCount(), s.m);
    CUTAWAY_CHECK(checkColumns(kName, bZero, s, 5));
    CUTAWAY_CHECK(checkZero(kName, bZero, b->type(), 5));
    CUTAWAY_CHECK(checkBias(kName, bias, s.n, 6));
    CUTAWAY_TRY(Tensor * output, context.output(0, aScale->type(), s.output));
    CUTAWAY_TRY(const FloatFinish finish, FloatFinish::make(context, scaleAt(*aScale, 0), *bScale, bias, s, *output));
    const ByteOperands operands{a->type(), a->data(), aZero, b->type(), b->data(), bZero};
    ByteProduct product(context, m_constant, operands, s);
    return product.forRows(nullptr, finish);
  }
};

template <typename KernelType>
Result<std::unique_ptr<Kernel>> createWithFactor(const KernelInfo& info) {
  CUTAWAY_TRY(ConstantBytes constant, prepareBytes(info, {}));
  return std::unique_ptr<Kernel>(std::make_unique<KernelType>(std::move(constant)));
}

// 16-bit products in 32-bit sums, modulo 2^32.
class MatMulInteger16 final : public Kernel {
 public:
  explicit MatMulInteger16(const KernelInfo&) {}
  std::string_view variant() const override { return "threads"; }
  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const Tensor* a, requireTensor(context, 0));
    CUTAWAY_TRY(const Tensor* b, requireTensor(context, 1));
    const auto isShort = [](const Tensor& tensor) {
      return tensor.type() == ElementType::kInt16 || tensor.type() == ElementType::kUint16;
    };
    if (!isShort(*a) || !isShort(*b))
      return fail(ErrorCode::kInvalidArgument, "MatMulInteger16 takes 16-bit integers, not {} and {}",
                  elementTypeName(a->type()), elementTypeName(b->type()));
    CUTAWAY_TRY(const BytePairing s, pairBytes(a->dims(), b->dims()));
    const bool isSigned = a->type() == ElementType::kInt16 || b->type() == ElementType::kInt16;
    CUTAWAY_TRY(Tensor * output, context.output(0, isSigned ? ElementType::kInt32 : ElementType::kUint32, s.output));
    uint32_t* to = static_cast<uint32_t*>(output->mutableData());
    const int64_t rows = s.n == 0 ? 0 : output->elementCount() / s.n;
    parallelFor(rows, 1, [&](int64_t begin, int64_t end) {
      for (int64_t row = begin; row < end; ++row)
        multiplyRow(*a, *b, s, row, to + row * s.n);
    });
    return {};
  }

 private:
  static uint32_t valueAt(const Tensor& tensor, int64_t at) {
    return tensor.type() == ElementType::kInt16
               ? static_cast<uint32_t>(static_cast<int32_t>(static_cast<const int16_t*>(tensor.data())[at]))
               : static_cast<const uint16_t*>(tensor.data())[at];
  }
  static void multiplyRow(const Tensor& a, const Tensor& b, const BytePairing& s, int64_t row, uint32_t* to) {
    const int64_t left = (s.aMatrix(row / s.m) * s.m + row % s.m) * s.k;
    const int64_t right = s.bMatrix(row / s.m) * s.k * s.n;
    std::fill_n(to, s.n, 0u);
    for (int64_t d = 0; d < s.k; ++d) {
      const uint32_t factor = valueAt(a, left + d);
      const int64_t first = right + d * s.n;
      if (b.type() == ElementType::kInt16) {
        const int16_t* from = static_cast<const int16_t*>(b.data()) + first;
        for (int64_t j = 0; j < s.n; ++j)
          to[j] += factor * static_cast<uint32_t>(static_cast<int32_t>(from[j]));
      } else {
        const uint16_t* from = static_cast<const uint16_t*>(b.data()) + first;
        for (int64_t j = 0; j < s.n; ++j)
          to[j] += factor * from[j];
      }
    }
  }
};

constexpr KernelRow kRows[] = {
    {.opType = "DynamicQuantizeMatMul",
     .domain = "com.microsoft",
     .versions = {1},
     .fastPath = "onednn",
     .create = createWithFactor<DynamicQuantizeMatMul>},
    {.opType = "MatMulIntegerToFloat",
     .domain = "com.microsoft",
     .versions = {1},
     .fastPath = "onednn",
     .create = createWithFactor<MatMulIntegerToFloat>},
    {.opType = "MatMulInteger16",
     .domain = "com.microsoft",
     .versions = {1},
     .fastPath = "threads",
     .create = makeKernel<MatMulInteger16>},
};

}  // namespace

KernelRows kernel_float_product() {
  return kRows;
}

}  // namespace cutaway::cpu
