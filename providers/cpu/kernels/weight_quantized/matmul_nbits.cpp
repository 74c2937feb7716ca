// com.microsoft MatMulNBits: A times a constant matrix whose rows are stored in 2, 4 or 8 bits a number, in blocks with
// a scale and a zero point each.
//
// Few rows of A run over the packed weights directly (bit_product.h); many rows multiply panels of weights that are
// unpacked just before (oneDNN). Both compute in float whatever `accuracy_level` allows. With g_idx the block of a
// column comes from that table, and only panels are used.

#include "engine/base/parallel.h"
#include "engine/math/matrix_product.h"
#include "engine/operators/packed_weights.h"
#include "providers/cpu/kernels/type_dispatch.h"
#include "providers/cpu/kernels/type_lists.h"
#include "providers/cpu/kernels/weight_quantized/bit_product.h"
#include "providers/cpu/kernels/weight_quantized/float_values.h"

namespace cutaway::cpu {
namespace {

constexpr int64_t kFewRows = 32;     // up to here the packed weights are read again for every four rows
constexpr int64_t kPanelRows = 128;  // rows of weights unpacked at a time

using Shape = operators::NbitsWeights;
using Slots = operators::NbitsSlots;

const Tensor* optionalInput(const KernelContext& context, size_t slot) {
  return slot < context.inputCount() ? context.input(slot) : nullptr;
}

int64_t tableFloats(const Shape& shape) {
  return shape.n * shape.blocks() + kScalePadding;
}

Result<void> fillScales(const Tensor& scales, std::span<float> to) {
  std::ranges::fill(to.last(kScalePadding), 0.0f);
  if (!widenTo(scales, to.data()))
    return fail(ErrorCode::kInvalidArgument, "MatMulNBits: scales are {}", elementTypeName(scales.type()));
  return {};
}

Result<void> fillZeros(const Shape& shape, const Tensor& zeros, std::span<float> to) {
  std::ranges::fill(to.last(kScalePadding), 0.0f);
  if (zeros.type() != ElementType::kUint8) {
    if (!widenTo(zeros, to.data()))
      return fail(ErrorCode::kInvalidArgument, "MatMulNBits: zero_points are {}", elementTypeName(zeros.type()));
    return {};
  }
  const unsigned mask = (1u << shape.bits) - 1;
  const int64_t perByte = 8 / shape.bits;
  for (int64_t n = 0; n < shape.n; ++n) {
    const uint8_t* row = zeros.span<uint8_t>().data() + n * shape.zeroBytes();
    for (int64_t block = 0; block < shape.blocks(); ++block)
      to[static_cast<size_t>(n * shape.blocks() + block)] =
          static_cast<float>(row[block / perByte] >> (block % perByte * shape.bits) & mask);
  }
  return {};
}

// Scales and zero points as floats: made once when they are constants, else by every run.
struct Tables {
  std::vector<float> scales, zeros;
};

class MatMulNBits final : public Kernel {
 public:
  MatMulNBits(Shape shape, Tables tables) : m_shape(shape), m_tables(std::move(tables)) {}
  std::string_view variant() const override { return "highway, onednn"; }

  Result<void> run(KernelContext& context) const override {
    const Tensor &a = *context.input(Slots::kA), &b = *context.input(Slots::kB),
                 &scales = *context.input(Slots::kScales);
    const Tensor *zeros = optionalInput(context, Slots::kZeros), *groups = optionalInput(context, Slots::kGroups),
                 *bias = optionalInput(context, Slots::kBias);
    CUTAWAY_CHECK(operators::checkNbitsWeights(m_shape, b, scales, zeros));
    CUTAWAY_CHECK(operators::checkNbitsOperands(m_shape, a.type(), groups, bias));
    CUTAWAY_CHECK(checkGroups(groups));
    CUTAWAY_TRY(const Dims result, operators::packedProductDims("MatMulNBits", a.dims(), m_shape.k, m_shape.n));
    CUTAWAY_TRY(Tensor * y, context.output(0, result));
    const int64_t rows = elementCount(std::span<const int64_t>(result).first(result.size() - 1));
    if (rows == 0 || m_shape.n == 0) return {};
    BitMatrix matrix{.packed = b.span<uint8_t>().data(),
                     .scales = m_tables.scales.data(),
                     .zeros = m_tables.zeros.empty() ? nullptr : m_tables.zeros.data(),
                     .rows = m_shape.n,
                     .depth = m_shape.k,
                     .blockSize = m_shape.blockSize,
                     .bits = m_shape.bits,
                     .defaultZero = m_shape.defaultZero()};
    context.subStep("prepare scales and input");
    CUTAWAY_CHECK(completeTables(context, matrix, scales, zeros));
    const bool wide = a.type() == ElementType::kFloat;
    const float* left = a.span<float>().data();
    float* target = wide ? y->span<float>().data() : nullptr;
    if (!wide) {
      CUTAWAY_TRY(const std::span<float> memory, floats(context, a.elementCount() + y->elementCount()));
      widenTo(a, memory.data());
      left = memory.data();
      target = memory.data() + a.elementCount();
    }
    context.subStep("product");
    if (rows <= kFewRows && groups == nullptr) {
      CUTAWAY_CHECK(runPacked(context, matrix, rows, left, target));
    } else {
      CUTAWAY_CHECK(runPanels(context, matrix, groups, rows, left, target));
    }
    addBias(bias, rows, target);
    if (!wide) narrowTo(target, *y);
    return {};
  }

 private:
  static Result<std::span<float>> floats(KernelContext& context, int64_t count) {
    CUTAWAY_TRY(std::span<std::byte> bytes, context.scratch(static_cast<size_t>(count) * sizeof(float)));
    return std::span<float>(reinterpret_cast<float*>(bytes.data()), static_cast<size_t>(count));
  }

  // g_idx: the block of every column.
  Result<void> checkGroups(const Tensor* groups) const {
    if (groups == nullptr) return {};
    for (const int32_t group : groups->span<int32_t>()) {
      if (group < 0 || group >= m_shape.blocks())
        return fail(ErrorCode::kInvalidArgument, "MatMulNBits: g_idx holds {}, there are {} blocks", group,
                    m_shape.blocks());
    }
    return {};
  }

  Result<void> completeTables(KernelContext& context, BitMatrix& matrix, const Tensor& scales,
                              const Tensor* zeros) const {
    if (m_tables.scales.empty()) {
      CUTAWAY_TRY(const std::span<float> memory, floats(context, tableFloats(m_shape)));
      CUTAWAY_CHECK(fillScales(scales, memory));
      matrix.scales = memory.data();
    }
    if (zeros != nullptr && m_tables.zeros.empty()) {
      CUTAWAY_TRY(const std::span<float> memory, floats(context, tableFloats(m_shape)));
      CUTAWAY_CHECK(fillZeros(m_shape, *zeros, memory));
      matrix.zeros = memory.data();
    }
    return {};
  }

  Result<void> runPacked(KernelContext& context, const BitMatrix& matrix, int64_t rows, const float* a,
                         float* y) const {
    CUTAWAY_TRY(const std::span<float> memory, floats(context, PreparedRows::floats(matrix, rows)));
    PreparedRows left(matrix, rows, memory.data());
    for (int64_t row = 0; row < rows; ++row)
      left.fill(row, a + row * m_shape.k);
    const int64_t groups = (m_shape.n + 3) / 4;
    parallelFor(groups, std::max<int64_t>(1, (1 << 16) / std::max<int64_t>(4 * m_shape.k, 1)),
                [&](int64_t begin, int64_t end) {
                  bitProduct(matrix, left, 4 * begin, std::min(4 * end, m_shape.n), y, m_shape.n);
                });
    return {};
  }

  Result<void> runPanels(KernelContext& context, const BitMatrix& matrix, const Tensor* groups, int64_t rows,
                         const float* a, float* y) const {
    const int64_t panel = std::min(kPanelRows, m_shape.n);
    CUTAWAY_TRY(const std::span<float> memory, floats(context, panel * m_shape.k));
    for (int64_t first = 0; first < m_shape.n; first += panel) {
      const int64_t count = std::min(panel, m_shape.n - first);
      parallelFor(count, 4, [&](int64_t begin, int64_t end) {
        for (int64_t n = begin; n < end; ++n)
          groups == nullptr ? expandRow(matrix, first + n, memory.data() + n * m_shape.k)
                            : expandGrouped(matrix, groups->span<int32_t>(), first + n, memory.data() + n * m_shape.k);
      });
      CUTAWAY_CHECK(math::multiply({.rows = rows,
                                    .columns = count,
                                    .depth = m_shape.k,
                                    .transposeB = true,
                                    .strideB = m_shape.k,
                                    .strideC = m_shape.n},
                                   a, memory.data(), y + first));
    }
    return {};
  }

  static void expandGrouped(const BitMatrix& matrix, std::span<const int32_t> groups, int64_t n, float* to) {
    const uint8_t* packed = matrix.packed + n * matrix.rowBytes();
    const int64_t perByte = 8 / matrix.bits;
    const unsigned mask = (1u << matrix.bits) - 1;
    for (int64_t k = 0; k < matrix.depth; ++k) {
      const int64_t at = n * matrix.blocks() + groups[static_cast<size_t>(k)];
      const float number = static_cast<float>(packed[k / perByte] >> (k % perByte * matrix.bits) & mask);
      to[k] = (number - (matrix.zeros != nullptr ? matrix.zeros[at] : matrix.defaultZero)) * matrix.scales[at];
    }
  }

  void addBias(const Tensor* bias, int64_t rows, float* y) const {
    if (bias == nullptr) return;
    cpu::dispatchType(cpu::FloatTypes{}, bias->type(), [&]<typename T>(cpu::TypeTag<T>) {
      const T* values = bias->span<T>().data();
      for (int64_t row = 0; row < rows; ++row) {
        for (int64_t n = 0; n < m_shape.n; ++n)
          y[row * m_shape.n + n] += static_cast<float>(cpu::widen(values[n]));
      }
    });
  }

  Shape m_shape;
  Tables m_tables;
};

Result<std::unique_ptr<Kernel>> create(const KernelInfo& info) {
  CUTAWAY_TRY(const Shape shape, operators::readNbits(info.node()));
  Tables tables;
  const Tensor *b = info.constantInput(Slots::kB), *scales = info.constantInput(Slots::kScales),
               *zeros = info.hasInput(Slots::kZeros) ? info.constantInput(Slots::kZeros) : nullptr;
  if (b != nullptr && scales != nullptr) CUTAWAY_CHECK(operators::checkNbitsWeights(shape, *b, *scales, zeros));
  if (b != nullptr && scales != nullptr) {
    tables.scales.resize(static_cast<size_t>(tableFloats(shape)));
    CUTAWAY_CHECK(fillScales(*scales, tables.scales));
  }
  if (b != nullptr && scales != nullptr && zeros != nullptr) {
    tables.zeros.resize(static_cast<size_t>(tableFloats(shape)));
    CUTAWAY_CHECK(fillZeros(shape, *zeros, tables.zeros));
  }
  return std::make_unique<MatMulNBits>(shape, std::move(tables));
}

constexpr ElementType kInputs[] = {ElementType::kFloat, ElementType::kFloat16, ElementType::kBfloat16};
constexpr ElementType kBytes[] = {ElementType::kUint8};
constexpr TypeRule kRules[] = {{Slots::kA, kInputs}, {Slots::kB, kBytes}};

constexpr KernelRow kRows[] = {
    {.opType = "MatMulNBits",
     .domain = "com.microsoft",
     .versions = {1},
     .types = kRules,
     .fastPath = "highway",
     .create = create},
};

}  // namespace

KernelRows kernel_matmul_nbits() {
  return kRows;
}

}  // namespace cutaway::cpu
