// com.microsoft MatMulFpQ4: A times a matrix [K, N] stored as a blob, a column after the other, in blocks of 32 numbers
// of 4 bits.
//
// A block is a float scale, for kind 1 a byte of zero point (kind 0: 8), and 16 bytes: the low halves hold the first 16
// numbers, the high halves the others. The operator's text does not say so; the layout was found by feeding the
// onnxruntime. Kind 2 has two meanings (its text and its checks differ) and is refused.

#include <cstring>

#include "engine/base/parallel.h"
#include "engine/math/matrix_product.h"
#include "providers/cpu/kernels/type_lists.h"

namespace cutaway::cpu {
namespace {

constexpr int64_t kBlock = 32;
constexpr int64_t kPanelColumns = 128;

class MatMulFpQ4 final : public Kernel {
 public:
  explicit MatMulFpQ4(bool zeroPoints) : m_zeroPoints(zeroPoints) {}
  std::string_view variant() const override { return "onednn:gemm"; }

  Result<void> run(KernelContext& context) const override {
    const Tensor &a = *context.input(0), &b = *context.input(1), &stored = *context.input(2);
    if (stored.type() != ElementType::kInt64 || stored.elementCount() != 2)
      return fail(ErrorCode::kInvalidArgument, "MatMulFpQ4: B_shape is {} {}, not two int64",
                  elementTypeName(stored.type()), dimsToText(stored.dims()));
    const int64_t depth = stored.span<int64_t>()[0], columns = stored.span<int64_t>()[1];
    constexpr int64_t kMost = int64_t{1} << 31;
    if (depth < 1 || columns < 1 || depth >= kMost || columns >= kMost)
      return fail(ErrorCode::kInvalidArgument, "MatMulFpQ4: B_shape is [{},{}]", depth, columns);
    const std::span<const int64_t> dims = a.dims();
    if (dims.empty() || dims.back() != depth)
      return fail(ErrorCode::kInvalidArgument, "MatMulFpQ4: A is {}, B [{},{}]", dimsToText(dims), depth, columns);
    const int64_t blocks = (depth + kBlock - 1) / kBlock, columnBytes = blocks * blockBytes();
    if (b.elementCount() / columnBytes != columns || b.elementCount() % columnBytes != 0)
      return fail(ErrorCode::kInvalidArgument, "MatMulFpQ4: B has {} bytes, a column {}, and there are {}",
                  b.elementCount(), columnBytes, columns);
    Dims result(dims);
    result[result.size() - 1] = columns;
    CUTAWAY_TRY(Tensor * y, context.output(0, result));
    const int64_t rows = elementCount(dims.first(dims.size() - 1)), panel = std::min(kPanelColumns, columns);
    if (rows == 0) return {};
    CUTAWAY_TRY(std::span<std::byte> scratch,
                context.scratch(static_cast<size_t>(panel) * static_cast<size_t>(depth) * sizeof(float)));
    float* weights = reinterpret_cast<float*>(scratch.data());
    for (int64_t first = 0; first < columns; first += panel) {
      const int64_t count = std::min(panel, columns - first);
      parallelFor(count, 4, [&](int64_t begin, int64_t end) {
        for (int64_t n = begin; n < end; ++n)
          expand(b.span<uint8_t>().data() + (first + n) * columnBytes, depth, weights + n * depth);
      });
      CUTAWAY_CHECK(math::multiply(
          {.rows = rows, .columns = count, .depth = depth, .transposeB = true, .strideB = depth, .strideC = columns},
          a.span<float>().data(), weights, y->span<float>().data() + first));
    }
    return {};
  }

 private:
  int64_t blockBytes() const { return static_cast<int64_t>(sizeof(float)) + (m_zeroPoints ? 1 : 0) + kBlock / 2; }

  void expand(const uint8_t* from, int64_t depth, float* to) const {
    for (int64_t k = 0; k < depth; k += kBlock, from += blockBytes()) {
      float scale = 0;
      std::memcpy(&scale, from, sizeof(scale));
      const float zero = m_zeroPoints ? static_cast<float>(from[sizeof(float)]) : 8.0f;
      const uint8_t* numbers = from + blockBytes() - kBlock / 2;
      const int64_t low = std::min<int64_t>(kBlock / 2, depth - k),
                    high = std::min<int64_t>(kBlock / 2, depth - k - kBlock / 2);
      for (int64_t i = 0; i < low; ++i)
        to[k + i] = (static_cast<float>(numbers[i] & 15) - zero) * scale;
      for (int64_t i = 0; i < high; ++i)
        to[k + kBlock / 2 + i] = (static_cast<float>(numbers[i] >> 4) - zero) * scale;
    }
  }

  bool m_zeroPoints;
};

Result<std::unique_ptr<Kernel>> create(const KernelInfo& info) {
  const int64_t kind = info.attribute<int64_t>("blk_quant_type", 1);
  if (kind != 0 && kind != 1)
    return fail(ErrorCode::kNotImplemented, "MatMulFpQ4 of blk_quant_type {}; 0 and 1 are known", kind);
  if (!info.hasInput(1) || !info.hasInput(2))
    return fail(ErrorCode::kInvalidArgument, "MatMulFpQ4 needs A, B and B_shape");
  return std::make_unique<MatMulFpQ4>(kind == 1);
}

constexpr ElementType kBytes[] = {ElementType::kUint8};
constexpr TypeRule kRules[] = {{0, kFloatList}, {1, kBytes}};
constexpr int kHost[] = {2};

constexpr KernelRow kRows[] = {
    {.opType = "MatMulFpQ4",
     .domain = "com.microsoft",
     .versions = {1},
     .types = kRules,
     .hostInputs = kHost,
     .fastPath = "onednn",
     .create = create},
};

}  // namespace

KernelRows kernel_matmul_fp_q4() {
  return kRows;
}

}  // namespace cutaway::cpu
