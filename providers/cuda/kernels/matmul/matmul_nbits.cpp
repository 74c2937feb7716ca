// com.microsoft MatMulNBits and MatMulBnb4: products with packed constant weights. Few rows run over the packed weights
// directly; many rows multiply weights that are expanded just before.

#include <array>

#include "engine/operators/packed_weights.h"
#include "providers/cuda/functors/nbits_functors.h"
#include "providers/cuda/kernels/matmul/byte_product.h"
#include "providers/cuda/kernels/matmul/product.h"

namespace cutaway::cuda {
namespace {

using operators::NbitsWeights;
using operators::TableWeights;
using Slots = operators::NbitsSlots;

const Tensor* given(GpuCall& call, size_t slot) {
  return slot < call.inputCount() ? call.input(slot) : nullptr;
}

int64_t rowsOf(std::span<const int64_t> dims) {
  return elementCount(dims.first(dims.size() - 1));
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
  NbitsKernel(const NbitsWeights& shape, ElementType type) : m_shape(shape), m_type(type) {}
  std::string_view variant() const override { return "packed weights"; }
  std::unique_ptr<KernelState> createState() const override { return std::make_unique<ProductState>(); }

  Result<void> prepare(const KernelInfo& /*info*/, GpuResources& resources) override {
    CUTAWAY_TRY(m_dot, resources.find(fmt::format("nbits.dot.{}", functorType(m_type))));
    CUTAWAY_TRY(m_expand, resources.find(fmt::format("nbits.expand.{}", functorType(m_type))));
    return m_product.prepare(resources, m_type, std::nullopt);
  }

  Result<void> launch(GpuCall& call) const override {
    const Tensor &a = *call.input(Slots::kA), &b = *call.input(Slots::kB), &scales = *call.input(Slots::kScales);
    const Tensor *groups = given(call, Slots::kGroups), *bias = given(call, Slots::kBias);
    CUTAWAY_CHECK(operators::checkNbitsWeights(m_shape, b, scales, given(call, Slots::kZeros)));
    CUTAWAY_CHECK(operators::checkNbitsOperands(m_shape, a.type(), groups, bias));
    CUTAWAY_TRY(const Dims result, operators::packedProductDims("MatMulNBits", a.dims(), m_shape.k, m_shape.n));
    NbitsParameters p{.rows = rowsOf(result),
                      .n = m_shape.n,
                      .k = m_shape.k,
                      .blockSize = m_shape.blockSize,
                      .blocks = m_shape.blocks(),
                      .bits = m_shape.bits};
    CUTAWAY_CHECK(place(b, scales, given(call, Slots::kZeros), p));
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
    const int64_t numbers = p.n * p.blocks;
    int64_t count = 0;
    CUTAWAY_CHECK(placeScale("MatMulNBits", &scales, {numbers}, p.scales, p.scaleType, count));
    p.weights = static_cast<const uint8_t*>(b.data());
    if (zeros == nullptr) return {};
    p.packedZeros = zeros->type() == ElementType::kUint8;
    if (!p.packedZeros) return placeScale("MatMulNBits", zeros, {numbers}, p.zeros, p.zeroType, count);
    p.zeros = zeros->data();
    return {};
  }

  NbitsWeights m_shape;
  ElementType m_type;
  DeviceKernel m_dot, m_expand;
  ProductSlot m_product;
};

class TableKernel final : public GpuKernel {
 public:
  TableKernel(const TableWeights& form, ElementType type) : m_form(form), m_type(type) {}
  std::string_view variant() const override { return "packed weights, expanded"; }
  std::unique_ptr<KernelState> createState() const override { return std::make_unique<ProductState>(); }

  Result<void> prepare(const KernelInfo& /*info*/, GpuResources& resources) override {
    CUTAWAY_TRY(m_expand, resources.find(fmt::format("nbits.table.{}", functorType(m_type))));
    return m_product.prepare(resources, m_type, std::nullopt);
  }

  Result<void> launch(GpuCall& call) const override {
    const Tensor &a = *call.input(0), &b = *call.input(1), &largest = *call.input(2);
    const int64_t numbers = m_form.numbers();
    CUTAWAY_CHECK(operators::checkBnb4Weights(m_form, b, largest));
    TableExpand<float> p{
        .weights = static_cast<const uint8_t*>(b.data()), .count = numbers, .blockSize = m_form.blockSize};
    int64_t count = 0;
    CUTAWAY_CHECK(placeScale("MatMulBnb4", &largest, {m_form.blocks()}, p.largest, p.scaleType, count));
    std::ranges::copy(*m_form.table, p.table);
    CUTAWAY_TRY(const Dims result,
                operators::packedProductDims("MatMulBnb4", a.dims(), m_form.depth(), m_form.columns()));
    const int64_t rows = rowsOf(result);
    CUTAWAY_TRY(Tensor * y, call.output(0, result));
    if (rows == 0) return {};
    CUTAWAY_TRY(p.y, call.scratch(static_cast<size_t>(numbers * bitsOf(m_type) / 8)));
    CUTAWAY_CHECK(call.launch(m_expand, p));
    return multiplyExpanded(call, m_product, a, rows, p.y, {m_form.n, m_form.k}, m_form.transposed, nullptr, *y);
  }

 private:
  TableWeights m_form;
  ElementType m_type;
  DeviceKernel m_expand;
  ProductSlot m_product;
};

Result<std::unique_ptr<GpuKernel>> makeNbits(const KernelInfo& info) {
  CUTAWAY_TRY(const NbitsWeights weights, operators::readNbits(info.node()));
  return std::make_unique<NbitsKernel>(weights, info.inputElement(Slots::kA));
}

Result<std::unique_ptr<GpuKernel>> makeTable(const KernelInfo& info) {
  CUTAWAY_TRY(const TableWeights weights, operators::readBnb4(info.node()));
  return std::make_unique<TableKernel>(weights, info.inputElement(0));
}

constexpr ElementType kInputs[] = {ElementType::kFloat, ElementType::kFloat16, ElementType::kBfloat16};
constexpr ElementType kBytes[] = {ElementType::kUint8};
constexpr TypeRule kRules[] = {{Slots::kA, kInputs}, {Slots::kB, kBytes}};

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
