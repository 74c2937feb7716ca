// com.microsoft MatMulBnb4: A times a constant matrix whose numbers are indices into a table of 16 floats (FP4 or NF4),
// scaled by the largest magnitude of each block.
//
// The matrix [N, K] is one run of numbers, two a byte with the first in the high half; blocks go on over the ends of
// rows. Panels of rows are unpacked and multiplied (oneDNN).

#include <array>

#include "engine/base/parallel.h"
#include "engine/math/matrix_product.h"
#include "engine/operators/packed_weights.h"
#include "providers/cpu/kernels/type_lists.h"
#include "providers/cpu/kernels/weight_quantized/float_values.h"

namespace cutaway::cpu {
namespace {

constexpr int64_t kPanelRows = 128;

using Form = operators::TableWeights;

class MatMulBnb4 final : public Kernel {
 public:
  explicit MatMulBnb4(Form form) : m_form(form) {}
  std::string_view variant() const override { return "onednn"; }

  Result<void> run(KernelContext& context) const override {
    const Tensor &a = *context.input(0), &b = *context.input(1), &largest = *context.input(2);
    const int64_t blocks = m_form.blocks(), depth = m_form.depth(), columns = m_form.columns();
    CUTAWAY_CHECK(operators::checkBnb4Weights(m_form, b, largest));
    CUTAWAY_TRY(const Dims result, operators::packedProductDims("MatMulBnb4", a.dims(), depth, columns));
    CUTAWAY_TRY(Tensor * y, context.output(0, result));
    const int64_t rows = elementCount(std::span<const int64_t>(result).first(result.size() - 1)),
                  panel = std::min(kPanelRows, m_form.n);
    if (rows == 0) return {};
    const bool wide = a.type() == ElementType::kFloat;
    const int64_t floats = blocks + panel * m_form.k + (wide ? 0 : a.elementCount() + y->elementCount());
    CUTAWAY_TRY(std::span<std::byte> scratch, context.scratch(static_cast<size_t>(floats) * sizeof(float)));
    float *scales = reinterpret_cast<float*>(scratch.data()), *weights = scales + blocks,
          *wideA = weights + panel * m_form.k, *wideY = wideA + a.elementCount();
    if (!widenTo(largest, scales))
      return fail(ErrorCode::kInvalidArgument, "MatMulBnb4: absmax is {}", elementTypeName(largest.type()));
    if (!wide) widenTo(a, wideA);
    const float* left = wide ? a.span<float>().data() : wideA;
    float* target = wide ? y->span<float>().data() : wideY;
    for (int64_t first = 0; first < m_form.n; first += panel) {
      const int64_t count = std::min(panel, m_form.n - first);
      parallelFor(count, 4, [&](int64_t begin, int64_t end) {
        expand(b.span<uint8_t>().data(), scales, (first + begin) * m_form.k, (first + end) * m_form.k,
               weights + begin * m_form.k);
      });
      if (m_form.transposed) {
        CUTAWAY_CHECK(math::multiply({.rows = rows,
                                      .columns = count,
                                      .depth = m_form.k,
                                      .transposeB = true,
                                      .strideB = m_form.k,
                                      .strideC = columns},
                                     left, weights, target + first));
      } else {
        CUTAWAY_CHECK(math::multiply({.rows = rows,
                                      .columns = columns,
                                      .depth = count,
                                      .beta = first == 0 ? 0.0f : 1.0f,
                                      .strideA = depth,
                                      .strideB = m_form.k},
                                     left + first, weights, target));
      }
    }
    if (!wide) narrowTo(target, *y);
    return {};
  }

 private:
  void expand(const uint8_t* packed, const float* scales, int64_t begin, int64_t end, float* to) const {
    const std::array<float, 16>& table = *m_form.table;
    for (int64_t at = begin; at < end;) {
      const int64_t block = at / m_form.blockSize, blockEnd = std::min(end, (block + 1) * m_form.blockSize);
      const float scale = scales[block];
      std::array<float, 16> scaled;
      for (size_t i = 0; i < 16; ++i)
        scaled[i] = table[i] * scale;
      for (; at < blockEnd && at % 2 != 0; ++at)
        *to++ = scaled[packed[at / 2] & 15];
      for (; at + 1 < blockEnd; at += 2, to += 2) {
        const uint8_t pair = packed[at / 2];
        to[0] = scaled[pair >> 4];
        to[1] = scaled[pair & 15];
      }
      for (; at < blockEnd; ++at)
        *to++ = scaled[packed[at / 2] >> 4];
    }
  }

  Form m_form;
};

Result<std::unique_ptr<Kernel>> create(const KernelInfo& info) {
  CUTAWAY_TRY(const Form form, operators::readBnb4(info.node()));
  return std::make_unique<MatMulBnb4>(form);
}

constexpr ElementType kInputs[] = {ElementType::kFloat, ElementType::kFloat16, ElementType::kBfloat16};
constexpr ElementType kBytes[] = {ElementType::kUint8};
constexpr TypeRule kRules[] = {{0, kInputs}, {1, kBytes}};

constexpr KernelRow kRows[] = {
    {.opType = "MatMulBnb4",
     .domain = "com.microsoft",
     .versions = {1},
     .types = kRules,
     .fastPath = "onednn",
     .create = create},
};

}  // namespace

KernelRows kernel_matmul_bnb4() {
  return kRows;
}

}  // namespace cutaway::cpu
