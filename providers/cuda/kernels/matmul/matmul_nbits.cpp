// com.microsoft MatMulNBits and MatMulBnb4: products with packed constant weights. Few rows run over the packed weights
// directly; many rows multiply weights that are expanded just before.

#include <array>
#include <bit>

#include "providers/cuda/functors/nbits_functors.h"
#include "providers/cuda/kernels/matmul/byte_product.h"
#include "providers/cuda/kernels/matmul/product.h"

namespace cutaway::cuda {
namespace {

enum Slot : size_t { kA, kB, kScales, kZeros, kGroups, kBias };

const Tensor* given(GpuCall& call, size_t slot) {
  return slot < call.inputCount() ? call.input(slot) : nullptr;
}

// y [..., n] of A [..., k]; the rows of A.
Result<int64_t> rowsOf(std::string_view op, std::span<const int64_t> a, int64_t k, int64_t n, Dims& result) {
  if (a.empty() || a.back() != k)
    return fail(ErrorCode::kInvalidArgument, "{}: A is {}, its last axis should be {}", op, dimsToText(a), k);
  result.assign(a);
  result[a.size() - 1] = n;
  return elementCount(a.first(a.size() - 1));
}

Result<void> multiplyExpanded(GpuCall& call, const ProductSlot& product, const Tensor& a, int64_t rows,
                              const void* weights, std::array<int64_t, 2> stored, bool transposed, const Tensor* bias,
                              Tensor& y) {
  ProductWanted wanted;
  CUTAWAY_TRY(wanted.pairing,
              pairMatrices(std::array{rows, transposed ? stored[1] : stored[0]}, stored, {.b = transposed}));
  if (bias != nullptr) wanted.finish.addend = ProductFinish::Addend::kColumns;
  return product.run(
      call, wanted,
      {.a = a.data(), .b = weights, .y = y.mutableData(), .addend = bias != nullptr ? bias->data() : nullptr});
}

class NbitsKernel final : public GpuKernel {
 public:
  NbitsKernel(NbitsParameters shape, ElementType type) : m_shape(shape), m_type(type) {}
  std::string_view variant() const override { return "packed weights"; }
  std::unique_ptr<KernelState> createState() const override { return std::make_unique<ProductState>(); }

  Result<void> prepare(const KernelInfo& /*info*/, GpuResources& resources) override {
    CUTAWAY_TRY(m_dot, resources.find(fmt::format("nbits.dot.{}", functorType(m_type))));
    CUTAWAY_TRY(m_expand, resources.find(fmt::format("nbits.expand.{}", functorType(m_type))));
    return m_product.prepare(resources, m_type, std::nullopt);
  }

  Result<void> launch(GpuCall& call) const override {
    const Tensor &a = *call.input(kA), &b = *call.input(kB), &scales = *call.input(kScales);
    const Tensor *groups = given(call, kGroups), *bias = given(call, kBias);
    NbitsParameters p = m_shape;
    CUTAWAY_CHECK(place(b, scales, given(call, kZeros), p));
    if (groups != nullptr && (groups->type() != ElementType::kInt32 || groups->elementCount() < p.k))
      return fail(ErrorCode::kInvalidArgument, "MatMulNBits: g_idx is {} {}, K is {}", elementTypeName(groups->type()),
                  dimsToText(groups->dims()), p.k);
    if (bias != nullptr && (bias->elementCount() != p.n || bias->type() != a.type()))
      return fail(ErrorCode::kInvalidArgument, "MatMulNBits: bias is {} {}, N is {}", elementTypeName(bias->type()),
                  dimsToText(bias->dims()), p.n);
    Dims result;
    CUTAWAY_TRY(p.rows, rowsOf("MatMulNBits", a.dims(), p.k, p.n, result));
    CUTAWAY_TRY(Tensor * y, call.output(0, result));
    if (p.rows == 0) return {};
    if (p.rows <= kNbitsRows && groups == nullptr) {
      p.a = a.data();
      p.bias = bias != nullptr ? bias->data() : nullptr;
      p.y = y->mutableData();
      return call.launch(m_dot, p);
    }
    p.groups = groups != nullptr ? static_cast<const int32_t*>(groups->data()) : nullptr;
    CUTAWAY_TRY(p.y, call.scratch(static_cast<size_t>(p.n * p.k * bitsOf(m_type) / 8)));
    CUTAWAY_CHECK(call.launch(m_expand, p));
    return multiplyExpanded(call, m_product, a, p.rows, p.y, {p.n, p.k}, true, bias, *y);
  }

 private:
  static Result<void> place(const Tensor& b, const Tensor& scales, const Tensor* zeros, NbitsParameters& p) {
    const int64_t bytes = p.n * p.blocks * (p.blockSize * p.bits / 8), numbers = p.n * p.blocks;
    if (b.type() != ElementType::kUint8 || b.elementCount() != bytes)
      return fail(ErrorCode::kInvalidArgument, "MatMulNBits: B is {} {}, not {} bytes", elementTypeName(b.type()),
                  dimsToText(b.dims()), bytes);
    int64_t count = 0;
    CUTAWAY_CHECK(placeScale("MatMulNBits", &scales, {numbers}, p.scales, p.scaleType, count));
    if (count != numbers)
      return fail(ErrorCode::kInvalidArgument, "MatMulNBits: scales are {}, not [{},{}]", dimsToText(scales.dims()),
                  p.n, p.blocks);
    p.weights = static_cast<const uint8_t*>(b.data());
    if (zeros == nullptr) return {};
    p.packedZeros = zeros->type() == ElementType::kUint8;
    const int64_t wanted = p.packedZeros ? p.n * ((p.blocks * p.bits + 7) / 8) : numbers;
    if (zeros->elementCount() != wanted)
      return fail(ErrorCode::kInvalidArgument, "MatMulNBits: zero_points are {}, not {} numbers",
                  dimsToText(zeros->dims()), wanted);
    if (!p.packedZeros) return placeScale("MatMulNBits", zeros, {numbers}, p.zeros, p.zeroType, count);
    p.zeros = zeros->data();
    return {};
  }

  NbitsParameters m_shape;
  ElementType m_type;
  DeviceKernel m_dot, m_expand;
  ProductSlot m_product;
};

// The 4-bit float of bitsandbytes, divided by its largest value; and the quantiles of the normal distribution (QLoRA,
// arXiv 2305.14314, appendix E).
constexpr std::array<float, 16> kFp4 = {
    0.0f,  5.208333333e-03f,  0.66666667f,  1.0f,  0.33333333f,  0.5f,  0.16666667f,  0.25f,
    -0.0f, -5.208333333e-03f, -0.66666667f, -1.0f, -0.33333333f, -0.5f, -0.16666667f, -0.25f};
constexpr std::array<float, 16> kNf4 = {-1.0f,
                                        -0.6961928009986877f,
                                        -0.5250730514526367f,
                                        -0.39491748809814453f,
                                        -0.28444138169288635f,
                                        -0.18477343022823334f,
                                        -0.09105003625154495f,
                                        0.0f,
                                        0.07958029955625534f,
                                        0.16093020141124725f,
                                        0.24611230194568634f,
                                        0.33791524171829224f,
                                        0.44070982933044434f,
                                        0.5626170039176941f,
                                        0.7229568362236023f,
                                        1.0f};

struct TableForm {
  int64_t n = 0, k = 0, blockSize = 0;
  bool transposed = true;  // Y = A W^T; else Y = A W
  std::array<float, 16> table{};
};

class TableKernel final : public GpuKernel {
 public:
  TableKernel(TableForm form, ElementType type) : m_form(form), m_type(type) {}
  std::string_view variant() const override { return "packed weights, expanded"; }
  std::unique_ptr<KernelState> createState() const override { return std::make_unique<ProductState>(); }

  Result<void> prepare(const KernelInfo& /*info*/, GpuResources& resources) override {
    CUTAWAY_TRY(m_expand, resources.find(fmt::format("nbits.table.{}", functorType(m_type))));
    return m_product.prepare(resources, m_type, std::nullopt);
  }

  Result<void> launch(GpuCall& call) const override {
    const Tensor &a = *call.input(0), &b = *call.input(1), &largest = *call.input(2);
    const int64_t numbers = m_form.n * m_form.k, blocks = (numbers + m_form.blockSize - 1) / m_form.blockSize;
    if (b.elementCount() != (numbers + 1) / 2)
      return fail(ErrorCode::kInvalidArgument, "MatMulBnb4: B is {}, not {} bytes", dimsToText(b.dims()),
                  (numbers + 1) / 2);
    TableExpand<float> p{
        .weights = static_cast<const uint8_t*>(b.data()), .count = numbers, .blockSize = m_form.blockSize};
    int64_t count = 0;
    CUTAWAY_CHECK(placeScale("MatMulBnb4", &largest, {blocks}, p.largest, p.scaleType, count));
    if (count != blocks)
      return fail(ErrorCode::kInvalidArgument, "MatMulBnb4: absmax is {}, there are {} blocks",
                  dimsToText(largest.dims()), blocks);
    std::copy(m_form.table.begin(), m_form.table.end(), p.table);
    Dims result;
    CUTAWAY_TRY(const int64_t rows, rowsOf("MatMulBnb4", a.dims(), m_form.transposed ? m_form.k : m_form.n,
                                           m_form.transposed ? m_form.n : m_form.k, result));
    CUTAWAY_TRY(Tensor * y, call.output(0, result));
    if (rows == 0) return {};
    CUTAWAY_TRY(p.y, call.scratch(static_cast<size_t>(numbers * bitsOf(m_type) / 8)));
    CUTAWAY_CHECK(call.launch(m_expand, p));
    return multiplyExpanded(call, m_product, a, rows, p.y, {m_form.n, m_form.k}, m_form.transposed, nullptr, *y);
  }

 private:
  TableForm m_form;
  ElementType m_type;
  DeviceKernel m_expand;
  ProductSlot m_product;
};

constexpr int64_t kMost = int64_t{1} << 31;

Result<std::unique_ptr<GpuKernel>> makeNbits(const KernelInfo& info) {
  NbitsParameters p;
  p.n = info.attribute<int64_t>("N", 0);
  p.k = info.attribute<int64_t>("K", 0);
  p.blockSize = info.attribute<int64_t>("block_size", 0);
  p.bits = static_cast<int32_t>(info.attribute<int64_t>("bits", 4));
  if (p.n < 1 || p.k < 1 || p.n >= kMost || p.k >= kMost)
    return fail(ErrorCode::kInvalidArgument, "MatMulNBits: N is {}, K is {}", p.n, p.k);
  if (p.bits != 2 && p.bits != 4 && p.bits != 8)
    return fail(ErrorCode::kNotImplemented, "MatMulNBits of {} bits; 2, 4 and 8 are known", p.bits);
  if (p.blockSize < 16 || p.blockSize > (1 << 20) || !std::has_single_bit(static_cast<uint64_t>(p.blockSize)))
    return fail(ErrorCode::kInvalidArgument, "MatMulNBits: block_size is {}, not a power of two from 16 on",
                p.blockSize);
  if (info.attribute<int64_t>("weight_prepacked", 0) != 0)
    return fail(ErrorCode::kNotImplemented, "MatMulNBits of weights packed for another device");
  if (!info.hasInput(kB) || !info.hasInput(kScales))
    return fail(ErrorCode::kInvalidArgument, "MatMulNBits needs A, B and scales");
  p.blocks = (p.k + p.blockSize - 1) / p.blockSize;
  return std::make_unique<NbitsKernel>(p, info.inputElement(kA));
}

Result<std::unique_ptr<GpuKernel>> makeTable(const KernelInfo& info) {
  TableForm form{.n = info.attribute<int64_t>("N", 0),
                 .k = info.attribute<int64_t>("K", 0),
                 .blockSize = info.attribute<int64_t>("block_size", 0),
                 .transposed = info.attribute<int64_t>("transB", 1) != 0};
  if (form.n < 1 || form.k < 1 || form.n >= kMost || form.k >= kMost)
    return fail(ErrorCode::kInvalidArgument, "MatMulBnb4: N is {}, K is {}", form.n, form.k);
  if (form.blockSize < 16 || !std::has_single_bit(static_cast<uint64_t>(form.blockSize)))
    return fail(ErrorCode::kInvalidArgument, "MatMulBnb4: block_size is {}, not a power of two from 16 on",
                form.blockSize);
  const int64_t kind = info.attribute<int64_t>("quant_type", -1);
  if (kind != 0 && kind != 1)
    return fail(ErrorCode::kInvalidArgument, "MatMulBnb4: quant_type is {}, only 0 and 1 are defined", kind);
  if (!info.hasInput(1) || !info.hasInput(2))
    return fail(ErrorCode::kInvalidArgument, "MatMulBnb4 needs A, B and absmax");
  form.table = kind == 0 ? kFp4 : kNf4;
  return std::make_unique<TableKernel>(form, info.inputElement(0));
}

constexpr ElementType kInputs[] = {ElementType::kFloat, ElementType::kFloat16, ElementType::kBfloat16};
constexpr ElementType kBytes[] = {ElementType::kUint8};
constexpr TypeRule kRules[] = {{kA, kInputs}, {kB, kBytes}};

constexpr KernelRow kRows[] = {
    {.opType = "MatMulNBits",
     .domain = "com.microsoft",
     .versions = {1},
     .types = kRules,
     .fastPath = "packed weights",
     .create = gpuKernel<makeNbits>},
    {.opType = "MatMulBnb4",
     .domain = "com.microsoft",
     .versions = {1},
     .types = kRules,
     .fastPath = "cublasLt",
     .create = gpuKernel<makeTable>},
};

}  // namespace

KernelRows kernel_matmul_nbits() {
  return kRows;
}

}  // namespace cutaway::cuda
