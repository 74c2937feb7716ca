// MatMulInteger and QLinearMatMul: products of 8-bit matrices in 32-bit sums; QLinearMatMul of 8-bit floats by plain
// loops.
//
// Zero points and scales may belong to the tensor, to rows of A and to columns of B.

#include <algorithm>
#include <cmath>

#include "providers/cpu/kernels/quantize/byte_product.h"
#include "providers/cpu/kernels/quantize/quantized_run.h"
#include "providers/cpu/kernels/quantize/requantized_product.h"
#include "providers/cpu/kernels/shape/axis_list.h"

namespace cutaway::cpu {
namespace {

Result<void> checkBytes(std::string_view op, const Tensor& a, const Tensor& b) {
  if (isByteInteger(a.type()) && isByteInteger(b.type())) return {};
  return fail(ErrorCode::kInvalidArgument, "{} takes 8-bit integers, not {} and {}", op, elementTypeName(a.type()),
              elementTypeName(b.type()));
}

Result<void> checkZero(std::string_view op, const Tensor* zero, ElementType type, bool fits, size_t slot) {
  if (zero == nullptr) return {};
  if (zero->type() != type)
    return fail(ErrorCode::kInvalidArgument, "{}: input {} is a zero point of type {} for a tensor of {}", op, slot,
                elementTypeName(zero->type()), elementTypeName(type));
  if (!fits)
    return fail(ErrorCode::kInvalidArgument,
                "{}: input {} has zero points {}, which fit neither the tensor nor its rows or columns", op, slot,
                dimsToText(zero->dims()));
  return {};
}

Result<void> checkFactor(std::string_view op, const Tensor& scale, bool fits, size_t slot) {
  const ElementType type = scale.type();
  if (type != ElementType::kFloat && type != ElementType::kFloat16 && type != ElementType::kBfloat16)
    return fail(ErrorCode::kInvalidArgument, "{}: input {} is a scale of type {}", op, slot, elementTypeName(type));
  if (!fits)
    return fail(ErrorCode::kInvalidArgument,
                "{}: input {} has scales {}, which fit neither the tensor nor its rows or columns", op, slot,
                dimsToText(scale.dims()));
  return {};
}

class MatMulIntegerKernel final : public Kernel {
 public:
  explicit MatMulIntegerKernel(ConstantBytes constant) : m_constant(std::move(constant)) {}
  static Result<std::unique_ptr<Kernel>> create(const KernelInfo& info) {
    CUTAWAY_TRY(ConstantBytes constant, prepareBytes(info, {}));
    return std::unique_ptr<Kernel>(std::make_unique<MatMulIntegerKernel>(std::move(constant)));
  }
  std::unique_ptr<KernelState> createState() const override { return std::make_unique<ByteProductState>(); }
  std::string_view variant() const override { return "onednn"; }

  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const Tensor* a, requireTensor(context, 0));
    CUTAWAY_TRY(const Tensor* b, requireTensor(context, 1));
    CUTAWAY_CHECK(checkBytes("MatMulInteger", *a, *b));
    CUTAWAY_TRY(const BytePairing s, pairBytes(a->dims(), b->dims()));
    const Tensor* aZero = optionalTensor(context, 2);
    const Tensor* bZero = optionalTensor(context, 3);
    CUTAWAY_CHECK(
        checkZero("MatMulInteger", aZero, a->type(), aZero == nullptr || fitsRows(s, aZero->elementCount()), 2));
    CUTAWAY_CHECK(
        checkZero("MatMulInteger", bZero, b->type(), bZero == nullptr || fitsColumns(s, bZero->elementCount()), 3));
    CUTAWAY_TRY(Tensor * output, context.output(0, ElementType::kInt32, s.output));
    const ByteOperands operands{a->type(), a->data(), aZero, b->type(), b->data(), bZero};
    int32_t* to = output->span<int32_t>().data();
    ByteProduct product(context, m_constant, operands, s);
    return product.forRows(to, [&](int64_t outputRow, const cpu::SumRow& row) {
      cpu::integerLoops().addScaled(to + outputRow * s.n, 1, row.added, s.n);
    });
  }

 private:
  ConstantBytes m_constant;
};

// What the two forms of QLinearMatMul share: a, scale, zero; b, scale, zero; y scale, zero.
struct LinearOperands {
  const Tensor* in[8];
  BytePairing pairing;

  static Result<LinearOperands> read(const KernelContext& context) {
    LinearOperands o{};
    for (size_t i = 0; i < std::size(o.in); ++i) {
      CUTAWAY_TRY(o.in[i], requireTensor(context, i));
    }
    CUTAWAY_TRY(o.pairing, pairBytes(o.in[0]->dims(), o.in[3]->dims()));
    const auto rows = [&](size_t slot) { return fitsRows(o.pairing, o.in[slot]->elementCount()); };
    const auto columns = [&](size_t slot) { return fitsColumns(o.pairing, o.in[slot]->elementCount()); };
    CUTAWAY_CHECK(checkFactor("QLinearMatMul", *o.in[1], rows(1), 1));
    CUTAWAY_CHECK(checkZero("QLinearMatMul", o.in[2], o.in[0]->type(), rows(2), 2));
    CUTAWAY_CHECK(checkFactor("QLinearMatMul", *o.in[4], columns(4), 4));
    CUTAWAY_CHECK(checkZero("QLinearMatMul", o.in[5], o.in[3]->type(), columns(5), 5));
    CUTAWAY_CHECK(checkFactor("QLinearMatMul", *o.in[6], rows(6), 6));
    CUTAWAY_CHECK(checkZero("QLinearMatMul", o.in[7], o.in[7]->type(), rows(7), 7));
    return o;
  }

  // a scale * b scale / y scale for columns [first, first + count) of a row.
  void factors(int64_t outputRow, int64_t first, int64_t count, float* to) const {
    const float aScale = scaleAt(*in[1], pairing.rowPlace(in[1]->elementCount(), outputRow));
    const float yScale = scaleAt(*in[6], pairing.rowPlace(in[6]->elementCount(), outputRow));
    const int64_t columns = in[4]->elementCount();
    const int64_t place = pairing.columnPlace(columns, outputRow / std::max<int64_t>(1, pairing.m));
    for (int64_t j = 0; j < count; ++j)
      to[j] = aScale * scaleAt(*in[4], columns == 1 ? 0 : place + first + j) / yScale;
  }
  // One set of factors serves every row.
  bool sharedFactors() const {
    return in[1]->elementCount() == 1 && in[6]->elementCount() == 1 &&
           (in[4]->elementCount() == 1 || in[4]->elementCount() == pairing.n);
  }
};

class QLinearMatMulKernel final : public Kernel {
 public:
  QLinearMatMulKernel(RequantizedProduct product, ConstantBytes constant)
      : m_product(std::move(product)), m_constant(std::move(constant)) {}
  std::unique_ptr<KernelState> createState() const override { return std::make_unique<ByteProductState>(); }
  std::string_view variant() const override { return m_product.valid() ? requantizedVariant() : "onednn"; }

  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const Tensor* a, requireTensor(context, 0));
    if (m_product.valid() && a->type() == m_product.inputType() && a->rank() >= 1 &&
        a->dims()[a->rank() - 1] == m_product.depth()) {
      Dims dims = a->dims();
      dims[a->rank() - 1] = m_product.columns();
      CUTAWAY_TRY(Tensor * y, context.output(0, m_product.resultType(), dims));
      const int64_t rows = productOf(dims, 0, dims.size() - 1);
      return rows == 0 ? Result<void>() : m_product.run(context, *a, rows, static_cast<uint8_t*>(y->mutableData()));
    }
    CUTAWAY_TRY(const LinearOperands o, LinearOperands::read(context));
    const BytePairing& s = o.pairing;
    CUTAWAY_CHECK(checkBytes("QLinearMatMul", *o.in[0], *o.in[3]));
    const ElementType type = o.in[7]->type();
    if (!isByteInteger(type))
      return fail(ErrorCode::kInvalidArgument, "QLinearMatMul cannot give {}", elementTypeName(type));
    CUTAWAY_TRY(Tensor * output, context.output(0, type, s.output));
    CUTAWAY_TRY(const std::span<std::byte> memory, context.scratch(static_cast<size_t>(s.n) * sizeof(float)));
    float* shared = reinterpret_cast<float*>(memory.data());
    const bool isShared = o.sharedFactors();
    if (isShared) o.factors(0, 0, s.n, shared);
    uint8_t* to = static_cast<uint8_t*>(output->mutableData());
    const ByteOperands operands{o.in[0]->type(), o.in[0]->data(), o.in[2], o.in[3]->type(), o.in[3]->data(), o.in[5]};
    ByteProduct product(context, m_constant, operands, s);
    return product.forRows(nullptr, [&](int64_t outputRow, cpu::SumRow row) {
      const cpu::ByteFormat format{type == ElementType::kInt8,
                                   byteAt(type, o.in[7]->data(), s.rowPlace(o.in[7]->elementCount(), outputRow))};
      row.scaleStep = 1;
      row.scales = shared;
      if (isShared) {
        cpu::integerLoops().requantize(row, format, to + outputRow * s.n);
        return;
      }
      float factors[kQuantRun];
      for (int64_t first = 0; first < s.n; first += kQuantRun) {
        const int64_t count = std::min(kQuantRun, s.n - first);
        o.factors(outputRow, first, count, factors);
        cpu::integerLoops().requantize({row.sums + first, count, row.added + first, factors, 1}, format,
                                       to + outputRow * s.n + first);
      }
    });
  }

 private:
  RequantizedProduct m_product;  // of constants, one scale and zero point of each activation; else empty
  ConstantBytes m_constant;      // else
};

// Empty where something of it may change, or is wrong: the run says what.
Result<RequantizedProduct> requantizedProduct(const KernelInfo& info) {
  LinearOperands o{};
  for (size_t slot = 1; slot < std::size(o.in); ++slot) {
    o.in[slot] = info.constantInput(slot);
    if (o.in[slot] == nullptr) return RequantizedProduct();
  }
  const auto one = [&](size_t slot) { return o.in[slot]->elementCount() == 1; };
  if (o.in[3]->rank() != 2 || !one(1) || !one(2) || !one(6) || !one(7) || !isByteInteger(o.in[7]->type()))
    return RequantizedProduct();
  o.pairing.n = o.in[3]->dims()[1];
  const bool fits = one(4) || o.in[4]->elementCount() == o.pairing.n;
  if (!checkFactor("", *o.in[1], true, 1) || !checkFactor("", *o.in[4], fits, 4) ||
      !checkFactor("", *o.in[6], true, 6) || o.in[2]->type() != info.inputElement(0))
    return RequantizedProduct();
  std::vector<float> scales(static_cast<size_t>(o.pairing.n));
  o.factors(0, 0, o.pairing.n, scales.data());
  return RequantizedProduct::create(
      {.b = o.in[3],
       .aType = info.inputElement(0),
       .aZero = o.in[2],
       .bZero = o.in[5],
       .epilogue = {{o.in[7]->type() == ElementType::kInt8, zeroPointAt(o.in[7], 0)}, scales.data()}});
}

// 8-bit floats, alone or beside 8-bit integers: the product in double, rounded once and saturated.
class Float8MatMulKernel final : public Kernel {
 public:
  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const LinearOperands o, LinearOperands::read(context));
    const BytePairing& s = o.pairing;
    const ElementType type = o.in[7]->type();
    CUTAWAY_TRY(Tensor * output, context.output(0, type, s.output));
    const int64_t rows = s.n == 0 ? 0 : output->elementCount() / s.n;
    parallelFor(rows, 1, [&](int64_t begin, int64_t end) {
      for (int64_t row = begin; row < end; ++row) {
        for (int64_t column = 0; column < s.n; ++column) {
          float factor = 0;
          o.factors(row, column, 1, &factor);
          const float zero = valueAt(*o.in[7], s.rowPlace(o.in[7]->elementCount(), row));
          float value = static_cast<float>(dot(o, row, column) * static_cast<double>(factor));
          if (const QuantRange range = quantRange(type); isQuantInteger(type)) {
            value =
                std::clamp(std::nearbyint(value) + zero, static_cast<float>(range.low), static_cast<float>(range.high));
          } else {
            value += zero;
          }
          storeRun(type, &value, output->mutableData(), row * s.n + column, 1, true);
        }
      }
    });
    return {};
  }

 private:
  static float valueAt(const Tensor& tensor, int64_t place) {
    float value = 0;
    loadRun(tensor.type(), tensor.data(), place, 1, &value);
    return value;
  }
  static double dot(const LinearOperands& o, int64_t row, int64_t column) {
    const BytePairing& s = o.pairing;
    const int64_t batch = row / s.m;
    const float aZero = valueAt(*o.in[2], s.rowPlace(o.in[2]->elementCount(), row));
    const int64_t bZeros = o.in[5]->elementCount();
    const float bZero = valueAt(*o.in[5], bZeros == 1 ? 0 : s.columnPlace(bZeros, batch) + column);
    const int64_t a = (s.aMatrix(batch) * s.m + row % s.m) * s.k;
    const int64_t b = s.bMatrix(batch) * s.k * s.n + column;
    double sum = 0;
    for (int64_t d = 0; d < s.k; ++d)
      sum += static_cast<double>(valueAt(*o.in[0], a + d) - aZero) * (valueAt(*o.in[3], b + d * s.n) - bZero);
    return sum;
  }
};

Result<std::unique_ptr<Kernel>> createQLinearMatMul(const KernelInfo& info) {
  if (isFloating(info.inputElement(0)) || isFloating(info.inputElement(3)) || isFloating(info.inputElement(7)))
    return std::unique_ptr<Kernel>(std::make_unique<Float8MatMulKernel>());
  CUTAWAY_TRY(RequantizedProduct product, requantizedProduct(info));
  ConstantBytes constant;
  if (!product.valid()) {
    CUTAWAY_TRY(constant, prepareBytes(info, {.a = 0, .b = 3}));
  }
  return std::unique_ptr<Kernel>(std::make_unique<QLinearMatMulKernel>(std::move(product), std::move(constant)));
}

constexpr KernelRow kRows[] = {
    {.opType = "MatMulInteger", .versions = {10}, .fastPath = "onednn", .create = MatMulIntegerKernel::create},
    {.opType = "QLinearMatMul", .versions = {10}, .fastPath = "onednn", .create = createQLinearMatMul},
};

}  // namespace

KernelRows kernel_integer_matmul() {
  return kRows;
}

}  // namespace cutaway::cpu
