// com.microsoft MatMulNBits: A times a constant matrix whose rows are stored in 2, 4 or 8 bits a number, in blocks with
// a scale and a zero point each.
//
// Few rows of A run over the packed weights directly (bit_product.h); many rows multiply panels of weights that are
// unpacked just before (oneDNN). Both compute in float whatever `accuracy_level` allows. With g_idx the block of a
// column comes from that table, and only panels are used.

#include <array>
#include <bit>

#include "engine/base/parallel.h"
#include "engine/math/matrix_product.h"
#include "providers/cpu/kernels/type_dispatch.h"
#include "providers/cpu/kernels/type_lists.h"
#include "providers/cpu/kernels/weight_quantized/bit_product.h"
#include "providers/cpu/kernels/weight_quantized/float_values.h"

namespace cutaway {
namespace {

constexpr int64_t kFewRows = 32;     // up to here the packed weights are read again for every four rows
constexpr int64_t kPanelRows = 128;  // rows of weights unpacked at a time

struct Shape {
  int64_t n = 0, k = 0, blockSize = 0;
  int bits = 4;
  int64_t blocks() const { return (k + blockSize - 1) / blockSize; }
  int64_t zeroBytes() const { return (blocks() * bits + 7) / 8; }  // a row of packed zero points
};

enum Slot : size_t { kA, kB, kScales, kZeros, kGroups, kBias };

const Tensor* optionalInput(const KernelContext& context, size_t slot) {
  return slot < context.inputCount() ? context.input(slot) : nullptr;
}

Result<void> checkWeights(const Shape& shape, const Tensor& b, const Tensor& scales, const Tensor* zeros) {
  const int64_t bytes = shape.n * shape.blocks() * (shape.blockSize * shape.bits / 8),
                numbers = shape.n * shape.blocks();
  if (b.type() != ElementType::kUint8 || b.elementCount() != bytes)
    return fail(ErrorCode::kInvalidArgument, "MatMulNBits: B is {} {}, not {} bytes", elementTypeName(b.type()),
                dimsToText(b.dims()), bytes);
  if (scales.elementCount() != numbers)
    return fail(ErrorCode::kInvalidArgument, "MatMulNBits: scales are {}, not [{},{}]", dimsToText(scales.dims()),
                shape.n, shape.blocks());
  if (zeros == nullptr) return {};
  const int64_t wanted = zeros->type() == ElementType::kUint8 ? shape.n * shape.zeroBytes() : numbers;
  if (zeros->elementCount() != wanted)
    return fail(ErrorCode::kInvalidArgument, "MatMulNBits: zero_points are {}, not {} numbers",
                dimsToText(zeros->dims()), wanted);
  return {};
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
    const Tensor &a = *context.input(kA), &b = *context.input(kB), &scales = *context.input(kScales);
    const Tensor *zeros = optionalInput(context, kZeros), *groups = optionalInput(context, kGroups),
                 *bias = optionalInput(context, kBias);
    CUTAWAY_CHECK(checkWeights(m_shape, b, scales, zeros));
    const std::span<const int64_t> dims = a.dims();
    if (dims.empty() || dims.back() != m_shape.k)
      return fail(ErrorCode::kInvalidArgument, "MatMulNBits: A is {}, K is {}", dimsToText(dims), m_shape.k);
    if (bias != nullptr && (bias->elementCount() != m_shape.n || bias->type() != a.type()))
      return fail(ErrorCode::kInvalidArgument, "MatMulNBits: bias is {} {}, N is {}", elementTypeName(bias->type()),
                  dimsToText(bias->dims()), m_shape.n);
    CUTAWAY_CHECK(checkGroups(groups));
    Dims result(dims);
    result[result.size() - 1] = m_shape.n;
    CUTAWAY_TRY(Tensor * y, context.output(0, result));
    const int64_t rows = elementCount(dims.first(dims.size() - 1));
    if (rows == 0 || m_shape.n == 0) return {};
    BitMatrix matrix{.packed = b.span<uint8_t>().data(),
                     .scales = m_tables.scales.data(),
                     .zeros = m_tables.zeros.empty() ? nullptr : m_tables.zeros.data(),
                     .rows = m_shape.n,
                     .depth = m_shape.k,
                     .blockSize = m_shape.blockSize,
                     .bits = m_shape.bits,
                     .defaultZero = static_cast<float>(1 << (m_shape.bits - 1))};
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
    if (groups->type() != ElementType::kInt32 || groups->elementCount() < m_shape.k)
      return fail(ErrorCode::kInvalidArgument, "MatMulNBits: g_idx is {} {}, K is {}", elementTypeName(groups->type()),
                  dimsToText(groups->dims()), m_shape.k);
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

Result<Shape> readShape(const KernelInfo& info) {
  const Shape shape{.n = info.attribute<int64_t>("N", 0),
                    .k = info.attribute<int64_t>("K", 0),
                    .blockSize = info.attribute<int64_t>("block_size", 0),
                    .bits = static_cast<int>(info.attribute<int64_t>("bits", 4))};
  constexpr int64_t kMost = int64_t{1} << 31;
  if (shape.n < 1 || shape.k < 1 || shape.n >= kMost || shape.k >= kMost)
    return fail(ErrorCode::kInvalidArgument, "MatMulNBits: N is {}, K is {}", shape.n, shape.k);
  if (shape.bits != 2 && shape.bits != 4 && shape.bits != 8)
    return fail(ErrorCode::kNotImplemented, "MatMulNBits of {} bits; 2, 4 and 8 are known", shape.bits);
  if (shape.blockSize < 16 || shape.blockSize > (1 << 20) ||
      !std::has_single_bit(static_cast<uint64_t>(shape.blockSize))) {
    return fail(ErrorCode::kInvalidArgument, "MatMulNBits: block_size is {}, not a power of two from 16 on",
                shape.blockSize);
  }
  if (info.attribute<int64_t>("weight_prepacked", 0) != 0)
    return fail(ErrorCode::kNotImplemented, "MatMulNBits of weights packed for another device");
  return shape;
}

Result<std::unique_ptr<Kernel>> create(const KernelInfo& info) {
  CUTAWAY_TRY(const Shape shape, readShape(info));
  if (!info.hasInput(kB) || !info.hasInput(kScales))
    return fail(ErrorCode::kInvalidArgument, "MatMulNBits needs A, B and scales");
  Tables tables;
  const Tensor *b = info.constantInput(kB), *scales = info.constantInput(kScales),
               *zeros = info.hasInput(kZeros) ? info.constantInput(kZeros) : nullptr;
  if (b != nullptr && scales != nullptr) CUTAWAY_CHECK(checkWeights(shape, *b, *scales, zeros));
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
constexpr TypeRule kRules[] = {{kA, kInputs}, {kB, kBytes}};

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

}  // namespace cutaway
