// com.microsoft MatMulBnb4: A times a constant matrix whose numbers are indices into a table of 16 floats (FP4 or NF4),
// scaled by the largest magnitude of each block.
//
// The matrix [N, K] is one run of numbers, two a byte with the first in the high half; blocks go on over the ends of
// rows. Panels of rows are unpacked and multiplied (oneDNN).

#include <array>
#include <bit>

#include "engine/base/parallel.h"
#include "engine/math/matrix_product.h"
#include "providers/cpu/kernels/type_lists.h"
#include "providers/cpu/kernels/weight_quantized/float_values.h"

namespace cutaway {
namespace {

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
constexpr int64_t kPanelRows = 128;

struct Form {
  int64_t n = 0, k = 0, blockSize = 0;
  bool transposed = true;  // Y = A W^T; else Y = A W
  const std::array<float, 16>* table = &kFp4;
};

class MatMulBnb4 final : public Kernel {
 public:
  explicit MatMulBnb4(Form form) : m_form(form) {}
  std::string_view variant() const override { return "onednn"; }

  Result<void> run(KernelContext& context) const override {
    const Tensor &a = *context.input(0), &b = *context.input(1), &largest = *context.input(2);
    const int64_t numbers = m_form.n * m_form.k, blocks = (numbers + m_form.blockSize - 1) / m_form.blockSize;
    const int64_t depth = m_form.transposed ? m_form.k : m_form.n, columns = m_form.transposed ? m_form.n : m_form.k;
    if (b.type() != ElementType::kUint8 || b.elementCount() != (numbers + 1) / 2)
      return fail(ErrorCode::kInvalidArgument, "MatMulBnb4: B is {} {}, not {} bytes", elementTypeName(b.type()),
                  dimsToText(b.dims()), (numbers + 1) / 2);
    if (largest.elementCount() != blocks)
      return fail(ErrorCode::kInvalidArgument, "MatMulBnb4: absmax is {}, there are {} blocks",
                  dimsToText(largest.dims()), blocks);
    const std::span<const int64_t> dims = a.dims();
    if (dims.empty() || dims.back() != depth)
      return fail(ErrorCode::kInvalidArgument, "MatMulBnb4: A is {}, its last axis should be {}", dimsToText(dims),
                  depth);
    Dims result(dims);
    result[result.size() - 1] = columns;
    CUTAWAY_TRY(Tensor * y, context.output(0, result));
    const int64_t rows = elementCount(dims.first(dims.size() - 1)), panel = std::min(kPanelRows, m_form.n);
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
  Form form{.n = info.attribute<int64_t>("N", 0),
            .k = info.attribute<int64_t>("K", 0),
            .blockSize = info.attribute<int64_t>("block_size", 0),
            .transposed = info.attribute<int64_t>("transB", 1) != 0};
  constexpr int64_t kMost = int64_t{1} << 31;
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
  form.table = kind == 0 ? &kFp4 : &kNf4;
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

}  // namespace cutaway
