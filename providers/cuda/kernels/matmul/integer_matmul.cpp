// MatMulInteger, QLinearMatMul, and com.microsoft QGemm, MatMulIntegerToFloat and DynamicQuantizeMatMul: products of
// 8-bit matrices.

#include "providers/cuda/functors/dynamic_range_functors.h"
#include "providers/cuda/kernels/matmul/byte_product.h"

namespace cutaway::cuda {
namespace {

// Where a node has what; -1: nowhere.
struct ByteSlots {
  int a = 0, aScale = -1, aZero = -1, b = 1, bScale = -1, bZero = -1, summand = -1, bias = -1, yScale = -1, yZero = -1;
};

BytesResult resultOf(ElementType type) {
  switch (type) {
    case ElementType::kInt32:
      return BytesResult::kSums;
    case ElementType::kFloat16:
      return BytesResult::kHalf;
    case ElementType::kBfloat16:
      return BytesResult::kBrain;
    case ElementType::kInt8:
      return BytesResult::kInt8;
    case ElementType::kUint8:
      return BytesResult::kUint8;
    default:
      return BytesResult::kFloat;
  }
}

const Tensor* at(GpuCall& call, int slot) {
  return slot >= 0 && static_cast<size_t>(slot) < call.inputCount() ? call.input(static_cast<size_t>(slot)) : nullptr;
}

class ByteMatMul : public GpuKernel {
 public:
  ByteMatMul(const KernelInfo& info, ByteSlots slots)
      : m_op(info.node().opType),
        m_slots(slots),
        m_result(info.outputType(0).element),
        m_alpha(info.attribute<float>("alpha", 1.0f)) {
    if (m_op != "QGemm") return;
    m_transposes = {.a = info.attribute<int64_t>("transA", 0) != 0, .b = info.attribute<int64_t>("transB", 0) != 0};
  }
  std::string_view variant() const override { return "bytes"; }
  std::unique_ptr<KernelState> createState() const override { return std::make_unique<ByteProductState>(); }

  Result<void> prepare(const KernelInfo& info, GpuResources& resources) override {
    return m_product.prepare(resources, info.constantInput(static_cast<size_t>(m_slots.b)), m_transposes.b);
  }

  Result<void> launch(GpuCall& call) const override {
    const Tensor& a = *at(call, m_slots.a);
    BytesParameters p;
    p.a = {.data = a.data(), .isSigned = a.type() == ElementType::kInt8};
    const int64_t lines =
        a.rank() == 0 ? 0
                      : a.elementCount() / std::max<int64_t>(1, m_transposes.a ? a.dims()[0] : a.dims()[a.rank() - 1]);
    const int64_t rows = a.rank() > 1 ? a.dims()[a.rank() - (m_transposes.a ? 1 : 2)] : 1;
    CUTAWAY_CHECK(placeScale(m_op, at(call, m_slots.aScale), {rows, lines}, p.a.scale, p.a.scaleType, p.a.scaleCount));
    CUTAWAY_CHECK(placeZero(m_op, at(call, m_slots.aZero), a.type(), {rows, lines}, p.a.zero, p.a.zeroCount));
    return multiply(call, a.dims(), lines, rows, p);
  }

 protected:
  // p: the left side is filled in.
  Result<void> multiply(GpuCall& call, std::span<const int64_t> aDims, int64_t lines, int64_t rows,
                        BytesParameters& p) const {
    const Tensor& b = *at(call, m_slots.b);
    CUTAWAY_TRY(const Pairing pairing, pairMatrices(aDims, b.dims(), m_transposes));
    const int64_t columns = b.elementCount() / std::max<int64_t>(1, pairing.depth);
    p.b = {.data = b.data(), .isSigned = b.type() == ElementType::kInt8};
    CUTAWAY_CHECK(placeScale(m_op, at(call, m_slots.bScale), {pairing.columns, columns}, p.b.scale, p.b.scaleType,
                             p.b.scaleCount));
    CUTAWAY_CHECK(
        placeZero(m_op, at(call, m_slots.bZero), b.type(), {pairing.columns, columns}, p.b.zero, p.b.zeroCount));
    CUTAWAY_CHECK(placeScale(m_op, at(call, m_slots.yScale), {rows, lines}, p.yScale, p.yScaleType, p.yScaleCount));
    if (m_slots.yScale >= 0 && p.yScale != nullptr)
      CUTAWAY_CHECK(placeZero(m_op, at(call, m_slots.yZero), m_result, {rows, lines}, p.yZero, p.yZeroCount));
    if (const Tensor* bias = at(call, m_slots.bias)) {
      int64_t count = 0;
      CUTAWAY_CHECK(placeScale(m_op, bias, {pairing.columns}, p.bias, p.biasType, count));
      if (count != pairing.columns)
        return fail(ErrorCode::kInvalidArgument, "{}: a bias {} for {} columns", m_op, dimsToText(bias->dims()),
                    pairing.columns);
    }
    CUTAWAY_CHECK(placeSummand(at(call, m_slots.summand), pairing, p));
    p.result = resultOf(m_result);
    p.alpha = m_alpha;
    CUTAWAY_TRY(Tensor * y, call.context().output(0, m_result, pairing.output));
    p.y = y->mutableData();
    return m_product.run(call, pairing, p);
  }

  std::string m_op;
  ByteSlots m_slots;
  ElementType m_result;
  float m_alpha;
  Transposes m_transposes;
  ByteProduct m_product;

 private:
  Result<void> placeSummand(const Tensor* c, const Pairing& pairing, BytesParameters& p) const {
    if (c == nullptr) return {};
    const Dims& dims = c->dims();
    const int64_t columns = dims.size() == 0 ? 1 : dims[dims.size() - 1], rows = dims.size() == 2 ? dims[0] : 1;
    if (c->type() != ElementType::kInt32 || dims.size() > 2 || (columns != 1 && columns != pairing.columns) ||
        (rows != 1 && rows != pairing.rows)) {
      return fail(ErrorCode::kInvalidArgument, "{}: C {} of {} does not broadcast to [{},{}] of int32", m_op,
                  dimsToText(dims), elementTypeName(c->type()), pairing.rows, pairing.columns);
    }
    p.addend = static_cast<const int32_t*>(c->data());
    p.addendRow = rows == 1 ? 0 : columns;
    p.addendColumn = columns == 1 ? 0 : 1;
    return {};
  }
};

// A is quantised here, as DynamicQuantizeLinear does it.
class DynamicByteMatMul final : public ByteMatMul {
 public:
  using ByteMatMul::ByteMatMul;
  Result<void> prepare(const KernelInfo& info, GpuResources& resources) override {
    CUTAWAY_TRY(m_range, resources.find("bytes.range"));
    CUTAWAY_TRY(m_scale, resources.find("bytes.scale"));
    CUTAWAY_TRY(m_quantize, resources.find("bytes.quantize"));
    return ByteMatMul::prepare(info, resources);
  }

  Result<void> launch(GpuCall& call) const override {
    constexpr int64_t kMostBlocks = 128;
    const Tensor& a = *at(call, m_slots.a);
    const int64_t count = a.elementCount(), blocks = std::clamp<int64_t>(count / 4096, 1, kMostBlocks);
    CUTAWAY_TRY(void* numbers, call.scratch(sizeof(float) * (2 * kMostBlocks + 2)));
    CUTAWAY_TRY(void* bytes, call.scratch(static_cast<size_t>(count)));
    float *least = static_cast<float*>(numbers), *scale = least + 2 * kMostBlocks;
    auto* zero = reinterpret_cast<uint8_t*>(scale + 1);
    const auto* x = static_cast<const float*>(a.data());
    CUTAWAY_CHECK(call.launch(
        m_range, RangePart{.x = x, .least = least, .greatest = least + kMostBlocks, .count = count, .blocks = blocks}));
    CUTAWAY_CHECK(call.launch(
        m_scale,
        RangeScale{.least = least, .greatest = least + kMostBlocks, .scale = scale, .zero = zero, .blocks = blocks}));
    CUTAWAY_CHECK(call.launch(
        m_quantize,
        QuantizeByScale{.x = x, .scale = scale, .zero = zero, .y = static_cast<uint8_t*>(bytes), .count = count}));
    BytesParameters p;
    p.a = {.data = bytes, .zero = zero, .scale = scale, .isSigned = false};
    return multiply(call, a.dims(), 1, 1, p);
  }

 private:
  DeviceKernel m_range, m_scale, m_quantize;
};

Result<std::unique_ptr<GpuKernel>> makeBytes(const KernelInfo& info, const ByteSlots& slots) {
  const auto type = [&](int slot) { return info.inputElement(static_cast<size_t>(slot)); };
  if (!isByte(type(slots.a)) || !isByte(type(slots.b)))
    return fail(ErrorCode::kNotImplemented, "{} of {} and {}: products of 8-bit integers are what runs here",
                info.node().opType, elementTypeName(type(slots.a)), elementTypeName(type(slots.b)));
  const ElementType y = info.outputType(0).element;
  if (slots.yScale >= 0 && info.hasInput(static_cast<size_t>(slots.yScale)) && !isByte(y))
    return fail(ErrorCode::kNotImplemented, "{} that gives {}", info.node().opType, elementTypeName(y));
  return std::make_unique<ByteMatMul>(info, slots);
}

Result<std::unique_ptr<GpuKernel>> makeMatMulInteger(const KernelInfo& info) {
  return makeBytes(info, {.a = 0, .aZero = 2, .b = 1, .bZero = 3});
}
Result<std::unique_ptr<GpuKernel>> makeQLinearMatMul(const KernelInfo& info) {
  return makeBytes(info, {.a = 0, .aScale = 1, .aZero = 2, .b = 3, .bScale = 4, .bZero = 5, .yScale = 6, .yZero = 7});
}
Result<std::unique_ptr<GpuKernel>> makeQGemm(const KernelInfo& info) {
  return makeBytes(
      info, {.a = 0, .aScale = 1, .aZero = 2, .b = 3, .bScale = 4, .bZero = 5, .summand = 6, .yScale = 7, .yZero = 8});
}
Result<std::unique_ptr<GpuKernel>> makeToFloat(const KernelInfo& info) {
  return makeBytes(info, {.a = 0, .aScale = 2, .aZero = 4, .b = 1, .bScale = 3, .bZero = 5, .bias = 6});
}

Result<std::unique_ptr<GpuKernel>> makeDynamic(const KernelInfo& info) {
  if (info.inputElement(0) != ElementType::kFloat || !isByte(info.inputElement(1)))
    return fail(ErrorCode::kNotImplemented, "DynamicQuantizeMatMul of {} and {}", elementTypeName(info.inputElement(0)),
                elementTypeName(info.inputElement(1)));
  return std::make_unique<DynamicByteMatMul>(info, ByteSlots{.a = 0, .b = 1, .bScale = 2, .bZero = 3, .bias = 4});
}

constexpr KernelRow kRows[] = {
    {.opType = "MatMulInteger", .versions = {10}, .fastPath = "cublasLt", .create = gpuKernel<makeMatMulInteger>},
    {.opType = "QLinearMatMul", .versions = {10}, .fastPath = "cublasLt", .create = gpuKernel<makeQLinearMatMul>},
    {.opType = "QGemm",
     .domain = "com.microsoft",
     .versions = {1},
     .fastPath = "cublasLt",
     .create = gpuKernel<makeQGemm>},
    {.opType = "MatMulIntegerToFloat",
     .domain = "com.microsoft",
     .versions = {1},
     .fastPath = "cublasLt",
     .create = gpuKernel<makeToFloat>},
    {.opType = "DynamicQuantizeMatMul",
     .domain = "com.microsoft",
     .versions = {1},
     .fastPath = "cublasLt",
     .create = gpuKernel<makeDynamic>},
};

}  // namespace

KernelRows kernel_integer_matmul() {
  return kRows;
}

}  // namespace cutaway::cuda
