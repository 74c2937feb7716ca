// com.microsoft QGemm: A, scale, zero; B, scale, zero; C?; Y scale?, zero?. Y = alpha * a scale * b scale * (A B + C),
// as floats, or as bytes where Y has a scale.

#include "providers/cpu/kernels/quantize/byte_product.h"
#include "providers/cpu/kernels/quantize/linear_parameters.h"
#include "providers/cpu/kernels/quantize/requantized_product.h"
#include "providers/cpu/kernels/shape/axis_list.h"

namespace cutaway::cpu {
namespace {

// C broadcast to [rows, columns].
struct Summand {
  const int32_t* values = nullptr;
  int64_t rowStep = 0, columnStep = 0;

  static Result<Summand> read(const Tensor* c, int64_t rows, int64_t columns) {
    if (c == nullptr) return Summand{};
    const Dims& dims = c->dims();
    const int64_t cColumns = dims.size() == 0 ? 1 : dims[dims.size() - 1];
    const int64_t cRows = dims.size() == 2 ? dims[0] : 1;
    if (c->type() != ElementType::kInt32 || dims.size() > 2 || (cColumns != 1 && cColumns != columns) ||
        (cRows != 1 && cRows != rows)) {
      return fail(ErrorCode::kInvalidArgument, "QGemm: C {} of {} does not broadcast to [{}, {}] of int32",
                  dimsToText(dims), elementTypeName(c->type()), rows, columns);
    }
    return Summand{c->span<int32_t>().data(), cRows == 1 ? 0 : cColumns, cColumns == 1 ? 0 : 1};
  }
  void addTo(int64_t row, int32_t* sums, int64_t count) const {
    if (values == nullptr) return;
    const int32_t* from = values + row * rowStep;
    for (int64_t j = 0; j < count; ++j)
      sums[j] = static_cast<int32_t>(static_cast<uint32_t>(sums[j]) + static_cast<uint32_t>(from[j * columnStep]));
  }
};

class QuantizedGemm final : public Kernel {
 public:
  QuantizedGemm(const KernelInfo& info)
      : m_alpha(info.attribute<float>("alpha", 1.0f)),
        m_transposeA(info.attribute<int64_t>("transA", 0) != 0),
        m_transposeB(info.attribute<int64_t>("transB", 0) != 0) {}
  static Result<std::unique_ptr<Kernel>> create(const KernelInfo& info) {
    auto kernel = std::make_unique<QuantizedGemm>(info);
    CUTAWAY_TRY(kernel->m_product, kernel->productOf(info));
    if (!kernel->m_product.valid()) {
      CUTAWAY_TRY(
          kernel->m_constant,
          prepareBytes(info, {.a = 0, .b = 3, .transposeA = kernel->m_transposeA, .transposeB = kernel->m_transposeB}));
    }
    return std::unique_ptr<Kernel>(std::move(kernel));
  }
  std::unique_ptr<KernelState> createState() const override { return std::make_unique<ByteProductState>(); }
  std::string_view variant() const override { return m_product.valid() ? requantizedVariant() : "onednn"; }

  Result<void> run(KernelContext& context) const override {
    constexpr std::string_view kName = "QGemm";
    CUTAWAY_TRY(const Tensor* a, requireBytes(context, kName, 0));
    if (m_product.valid() && m_product.inputType() == a->type() && a->rank() == 2 &&
        a->dims()[1] == m_product.depth()) {
      const int64_t rows = a->dims()[0];
      CUTAWAY_TRY(Tensor * y, context.output(0, m_product.resultType(), Dims{rows, m_product.columns()}));
      return rows == 0 ? Result<void>() : m_product.run(context, *a, rows, static_cast<uint8_t*>(y->mutableData()));
    }
    CUTAWAY_TRY(const LinearParameters aLinear, readLinear(context, kName, 1, 2, a->type()));
    CUTAWAY_TRY(const Tensor* b, requireBytes(context, kName, 3));
    CUTAWAY_TRY(const Tensor* bScale, requireTensor(context, 4));
    const Tensor* bZero = optionalTensor(context, 5);
    if (a->rank() != 2 || b->rank() != 2)
      return fail(ErrorCode::kInvalidArgument, "QGemm multiplies matrices, not {} and {}", dimsToText(a->dims()),
                  dimsToText(b->dims()));
    const Dims aDims = turned(a->dims(), m_transposeA), bDims = turned(b->dims(), m_transposeB);
    CUTAWAY_TRY(const BytePairing s, pairBytes(aDims, bDims));
    CUTAWAY_CHECK(checkScale(*bScale, s.n, 4));
    CUTAWAY_CHECK(checkZeroPoint(bZero, s.n, 5));
    if (bZero != nullptr && bZero->type() != b->type())
      return fail(ErrorCode::kInvalidArgument, "QGemm: B is of type {}, its zero point of {}",
                  elementTypeName(b->type()), elementTypeName(bZero->type()));
    CUTAWAY_TRY(const Summand summand, Summand::read(optionalTensor(context, 6), s.m, s.n));
    CUTAWAY_TRY(const Finish finish, readFinish(context, s, aLinear.scale, *bScale));
    if (finish.output->elementCount() == 0) return {};
    CUTAWAY_TRY(const std::span<std::byte> memory, context.scratch(static_cast<size_t>(s.m * s.n) * sizeof(int32_t)));
    int32_t* sums = reinterpret_cast<int32_t*>(memory.data());
    CUTAWAY_TRY(const void* left, rowMajor(context, *a, m_transposeA));
    CUTAWAY_TRY(const void* right, rowMajor(context, *b, m_transposeB && !m_constant.valid()));
    const Tensor* aZero = optionalTensor(context, 2);
    const ByteOperands operands{a->type(), left, aZero, b->type(), right, bZero};
    ByteProduct product(context, m_constant, operands, s);
    return product.forRows(sums, [&](int64_t row, cpu::SumRow sumRow) {
      summand.addTo(row, sums + row * s.n, s.n);
      sumRow.scales = finish.scales;
      sumRow.scaleStep = 1;
      if (finish.isFloat)
        cpu::integerLoops().scale(sumRow, nullptr, static_cast<float*>(finish.output->mutableData()) + row * s.n);
      else
        cpu::integerLoops().requantize(sumRow, {finish.y.isSigned, finish.y.zero},
                                       static_cast<uint8_t*>(finish.output->mutableData()) + row * s.n);
    });
  }

 private:
  struct Finish {
    Tensor* output;
    bool isFloat;
    LinearParameters y;
    float* scales;
  };

  // Empty where something of it may change, or is wrong: the run says what.
  Result<RequantizedProduct> productOf(const KernelInfo& info) const {
    for (size_t slot = 1; slot < info.inputCount(); ++slot) {
      if (info.hasInput(slot) && info.constantInput(slot) == nullptr) return RequantizedProduct();
    }
    const Tensor *aScale = info.constantInput(1), *b = info.constantInput(3), *bScale = info.constantInput(4),
                 *c = info.constantInput(6), *yScale = info.constantInput(7), *yZero = info.constantInput(8);
    if (m_transposeA || aScale == nullptr || b == nullptr || bScale == nullptr || yScale == nullptr ||
        yZero == nullptr || b->rank() != 2 || !isByteInteger(yZero->type()) || yZero->elementCount() != 1)
      return RequantizedProduct();
    const int64_t columns = b->dims()[m_transposeB ? 0 : 1];
    const bool sameForRows = c == nullptr || c->rank() < 2 || c->dims()[0] == 1;
    const auto summand = Summand::read(c, 1, columns);
    if (!checkScale(*aScale, 1, 1) || !checkScale(*bScale, columns, 4) || !checkScale(*yScale, 1, 7) || !sameForRows ||
        !summand)
      return RequantizedProduct();
    std::vector<float> scales(static_cast<size_t>(columns));
    writeScales(scaleAt(*aScale, 0), *bScale, scaleAt(*yScale, 0), scales);
    std::vector<int32_t> bias(scales.size());
    summand->addTo(0, bias.data(), columns);
    return RequantizedProduct::create(
        {.b = b,
         .transposed = m_transposeB,
         .aType = info.inputElement(0),
         .aZero = info.constantInput(2),
         .bZero = info.constantInput(5),
         .epilogue = {{yZero->type() == ElementType::kInt8, zeroPointAt(yZero, 0)}, scales.data(), bias.data()}});
  }

  void writeScales(float aScale, const Tensor& bScale, float divisor, std::span<float> scales) const {
    for (size_t j = 0; j < scales.size(); ++j)
      scales[j] = m_alpha * aScale * scaleAt(bScale, static_cast<int64_t>(j)) / divisor;
  }

  static Dims turned(const Dims& dims, bool transpose) {
    return transpose ? Dims{dims[1], dims[0]} : Dims{dims[0], dims[1]};
  }

  static Result<const void*> rowMajor(KernelContext& context, const Tensor& stored, bool transpose) {
    if (!transpose) return stored.data();
    CUTAWAY_TRY(const std::span<std::byte> memory, context.scratch(static_cast<size_t>(stored.elementCount())));
    uint8_t* to = reinterpret_cast<uint8_t*>(memory.data());
    const int64_t rows = stored.dims()[0], columns = stored.dims()[1];
    cpu::integerLoops().transpose(static_cast<const uint8_t*>(stored.data()), rows, columns, columns, 0, to, rows);
    return static_cast<const void*>(to);
  }

  Result<Finish> readFinish(KernelContext& context, const BytePairing& s, float aScale, const Tensor& bScale) const {
    Finish finish{.output = nullptr, .isFloat = optionalTensor(context, 7) == nullptr, .y = {}, .scales = nullptr};
    ElementType type = ElementType::kFloat;
    if (!finish.isFloat) {
      CUTAWAY_TRY(const Tensor* yZero, requireBytes(context, "QGemm", 8));
      type = yZero->type();
      CUTAWAY_TRY(finish.y, readLinear(context, "QGemm", 7, 8, type));
    }
    CUTAWAY_TRY(finish.output, context.output(0, type, s.output));
    CUTAWAY_TRY(const std::span<std::byte> memory, context.scratch(static_cast<size_t>(s.n) * sizeof(float)));
    finish.scales = reinterpret_cast<float*>(memory.data());
    writeScales(aScale, bScale, finish.isFloat ? 1.0f : finish.y.scale, {finish.scales, static_cast<size_t>(s.n)});
    return finish;
  }

  RequantizedProduct m_product;  // of constants with bytes as results; empty where that does not serve
  ConstantBytes m_constant;      // else
  float m_alpha;
  bool m_transposeA, m_transposeB;
};

constexpr KernelRow kRows[] = {
    {.opType = "QGemm",
     .domain = "com.microsoft",
     .versions = {1},
     .fastPath = "onednn",
     .create = QuantizedGemm::create},
};

}  // namespace

KernelRows kernel_quantized_gemm() {
  return kRows;
}

}  // namespace cutaway::cpu
