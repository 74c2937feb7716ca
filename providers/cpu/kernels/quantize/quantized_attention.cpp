// com.microsoft QAttention: input [batch, length, in] and weights [in, 3 * hidden] in 8 bits; scaled dot-product
// attention of the projections in floats.
//
// Output [batch, length, hidden]; present [2, batch, heads, past + length, size] holds keys and values. Masked places
// get mask_filter_value added, places after a row's own the lowest number.

#include <atomic>
#include <cmath>
#include <limits>

#include "engine/base/checked_math.h"
#include "engine/math/matrix_product.h"
#include "providers/cpu/kernels/quantize/byte_product.h"
#include "providers/cpu/kernels/quantize/linear_parameters.h"
#include "providers/cpu/kernels/shape/axis_list.h"
#include "providers/cpu/kernels/softmax/softmax_row.h"

namespace cutaway::cpu {
namespace {

constexpr std::string_view kName = "QAttention";

struct AttentionShape {
  int64_t batch = 0, length = 0, hidden = 0, heads = 0, size = 0, past = 0;
  int64_t total() const { return past + length; }
};

// The mask input in its forms: nothing; ends [batch]; ends and starts [2 * batch]; [batch, total], [batch, length,
// total] and [batch, 1, longest, longest] of 0 and 1.
class Mask {
 public:
  static Result<Mask> read(const Tensor* mask, const AttentionShape& s) {
    Mask result;
    if (mask == nullptr) return result;
    if (mask->type() != ElementType::kInt32)
      return fail(ErrorCode::kInvalidArgument, "QAttention: the mask is of type {}, not int32",
                  elementTypeName(mask->type()));
    const Dims& dims = mask->dims();
    result.m_values = mask->span<int32_t>().data();
    bool fits = true;
    if (dims.size() == 1) {
      fits = dims[0] == s.batch || dims[0] == 2 * s.batch;
      result.m_starts = dims[0] == 2 * s.batch && s.batch > 0;
    } else if (dims.size() == 2) {
      // A mask [batch or 1, 1] is a placeholder.
      if (dims[1] == 1 && s.total() != 1 && (dims[0] == s.batch || dims[0] == 1)) return Mask{};
      fits = dims[0] == s.batch && dims[1] == s.total();
      result.m_batchStep = s.total();
    } else if (dims.size() == 3) {
      fits = dims[0] == s.batch && dims[1] == s.length && dims[2] == s.total();
      result.m_batchStep = s.length * s.total();
      result.m_rowStep = s.total();
    } else if (dims.size() == 4) {
      fits = dims[0] == s.batch && dims[1] == 1 && dims[2] == dims[3] && dims[2] >= s.total();
      result.m_batchStep = dims[2] * dims[3];
      result.m_rowStep = dims[3];
      result.m_firstRow = s.past;
    } else {
      fits = false;
    }
    if (!fits)
      return fail(ErrorCode::kInvalidArgument,
                  "QAttention: a mask {} does not fit a batch of {}, length {} and past {}", dimsToText(dims), s.batch,
                  s.length, s.past);
    result.m_isRange = dims.size() == 1;
    result.m_batch = s.batch;
    return result;
  }

  void add(int64_t entry, int64_t row, float value, float* scores, int64_t count) const {
    if (m_values == nullptr) return;
    if (m_isRange) {
      const int64_t start = m_starts ? m_values[m_batch + entry] : 0, end = m_values[entry];
      for (int64_t t = 0; t < count; ++t)
        scores[t] += t < start || t >= end ? value : 0.0f;
      return;
    }
    const int32_t* from = m_values + entry * m_batchStep + (m_firstRow + row) * m_rowStep;
    for (int64_t t = 0; t < count; ++t)
      scores[t] += from[t] > 0 ? 0.0f : value;
  }

 private:
  const int32_t* m_values = nullptr;
  bool m_isRange = false, m_starts = false;
  int64_t m_batch = 0, m_batchStep = 0, m_rowStep = 0, m_firstRow = 0;
};

class QuantizedAttention final : public Kernel {
 public:
  QuantizedAttention(const KernelInfo& info, ConstantBytes constant)
      : m_constant(std::move(constant)),
        m_heads(info.attribute<int64_t>("num_heads", 0)),
        m_unidirectional(info.attribute<int64_t>("unidirectional", 0) != 0),
        m_maskValue(info.attribute<float>("mask_filter_value", -10000.0f)),
        m_scale(info.attribute<float>("scale", 0.0f)) {}
  static Result<std::unique_ptr<Kernel>> create(const KernelInfo& info) {
    for (const char* each : {"do_rotary", "past_present_share_buffer"}) {
      if (info.attribute<int64_t>(each, 0) != 0)
        return fail(ErrorCode::kNotImplemented, "QAttention: {} is not covered", each);
    }
    if (info.attribute<int64_t>("num_heads", 0) < 1)
      return fail(ErrorCode::kInvalidArgument, "QAttention: num_heads is {}", info.attribute<int64_t>("num_heads", 0));
    CUTAWAY_TRY(ConstantBytes constant, prepareBytes(info, {}));
    return std::unique_ptr<Kernel>(std::make_unique<QuantizedAttention>(info, std::move(constant)));
  }
  std::unique_ptr<KernelState> createState() const override { return std::make_unique<ByteProductState>(); }
  std::string_view variant() const override { return "onednn"; }

  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const AttentionShape s, readShape(context));
    CUTAWAY_TRY(const Mask mask, Mask::read(optionalTensor(context, 5), s));
    CUTAWAY_TRY(Tensor * output, context.output(0, ElementType::kFloat, Dims{s.batch, s.length, s.hidden}));
    CUTAWAY_TRY(float* projected, floats(context, s.batch * s.length, 3 * s.hidden));
    CUTAWAY_CHECK(project(context, s, projected));
    const int64_t cacheHalf = s.batch * s.heads * s.total() * s.size;
    float* cache = nullptr;
    if (context.hasOutput(1)) {
      CUTAWAY_TRY(Tensor * present,
                  context.output(1, ElementType::kFloat, Dims{2, s.batch, s.heads, s.total(), s.size}));
      cache = present->span<float>().data();
    } else if (s.past > 0) {
      CUTAWAY_TRY(cache, floats(context, 2, cacheHalf));
    }
    if (output->elementCount() == 0) return {};
    if (cache != nullptr) fillCache(s, optionalTensor(context, 8), projected, cache);
    CUTAWAY_TRY(const int64_t scoreCount, checkedMultiply(s.batch * s.heads, s.length));
    CUTAWAY_TRY(float* scores, floats(context, scoreCount, s.total()));
    std::atomic<bool> failed = false;
    float* to = output->span<float>().data();
    parallelFor(s.batch * s.heads, 1, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const Head head{.entry = i / s.heads, .head = i % s.heads, .scores = scores + i * s.length * s.total()};
        if (!attend(s, mask, head, projected, cache, to)) failed = true;
      }
    });
    if (failed) return fail(ErrorCode::kEngineError, "QAttention: a matrix product failed");
    return {};
  }

 private:
  struct Head {
    int64_t entry, head;
    float* scores;
  };

  static Result<float*> floats(KernelContext& context, int64_t rows, int64_t columns) {
    CUTAWAY_TRY(const int64_t count, checkedMultiply(rows, columns));
    CUTAWAY_TRY(const int64_t bytes, checkedMultiply(count, static_cast<int64_t>(sizeof(float))));
    CUTAWAY_TRY(const std::span<std::byte> memory, context.scratch(static_cast<size_t>(bytes)));
    return reinterpret_cast<float*>(memory.data());
  }

  Result<AttentionShape> readShape(const KernelContext& context) const {
    CUTAWAY_TRY(const Tensor* input, requireBytes(context, kName, 0));
    CUTAWAY_TRY(const Tensor* weights, requireBytes(context, kName, 1));
    if (input->rank() != 3 || weights->rank() != 2 || weights->dims()[0] != input->dims()[2] ||
        weights->dims()[1] % (3 * m_heads) != 0) {
      return fail(ErrorCode::kInvalidArgument, "QAttention: input {} and weights {} do not fit {} heads",
                  dimsToText(input->dims()), dimsToText(weights->dims()), m_heads);
    }
    AttentionShape s{
        .batch = input->dims()[0], .length = input->dims()[1], .hidden = weights->dims()[1] / 3, .heads = m_heads};
    s.size = s.hidden / s.heads;
    if (const Tensor* past = optionalTensor(context, 8)) {
      const Dims& dims = past->dims();
      if (past->type() != ElementType::kFloat || dims.size() != 5 || dims[0] != 2 || dims[1] != s.batch ||
          dims[2] != s.heads || dims[4] != s.size) {
        return fail(ErrorCode::kInvalidArgument, "QAttention: past is {} of {}, not [2, {}, {}, length, {}] of float",
                    dimsToText(dims), elementTypeName(past->type()), s.batch, s.heads, s.size);
      }
      s.past = dims[3];
    }
    return s;
  }

  // projected[row, 3 * hidden] = input * weights + bias, in floats.
  Result<void> project(KernelContext& context, const AttentionShape& s, float* projected) const {
    const Tensor& input = *context.input(0);
    const Tensor& weights = *context.input(1);
    CUTAWAY_TRY(const Tensor* bias, requireTensor(context, 2));
    CUTAWAY_TRY(const LinearParameters linear, readLinear(context, kName, 3, 6, input.type()));
    CUTAWAY_TRY(const Tensor* weightScale, requireTensor(context, 4));
    const int64_t columns = 3 * s.hidden;
    if (bias->type() != ElementType::kFloat || bias->elementCount() != columns)
      return fail(ErrorCode::kInvalidArgument, "QAttention: the bias is {} of {}, not {} floats",
                  dimsToText(bias->dims()), elementTypeName(bias->type()), columns);
    CUTAWAY_CHECK(checkScale(*weightScale, columns, 4));
    const Tensor* weightZero = optionalTensor(context, 7);
    CUTAWAY_CHECK(checkZeroPoint(weightZero, columns, 7));
    CUTAWAY_TRY(float* scales, floats(context, 1, columns));
    for (int64_t j = 0; j < columns; ++j)
      scales[j] = linear.scale * scaleAt(*weightScale, j);
    CUTAWAY_TRY(const BytePairing pairing, pairBytes(input.dims(), weights.dims()));
    const ByteOperands operands{input.type(),   input.data(),   optionalTensor(context, 6),
                                weights.type(), weights.data(), weightZero};
    ByteProduct product(context, m_constant, operands, pairing);
    const float* added = bias->span<float>().data();
    return product.forRows(nullptr, [&](int64_t row, cpu::SumRow sums) {
      sums.scales = scales;
      sums.scaleStep = 1;
      cpu::integerLoops().scale(sums, added, projected + row * columns);
    });
  }

  // [2, batch, heads, total, size]: the past, then what was projected now.
  static void fillCache(const AttentionShape& s, const Tensor* past, const float* projected, float* cache) {
    const float* before = past == nullptr ? nullptr : past->span<float>().data();
    parallelFor(2 * s.batch * s.heads, 1, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const int64_t part = i / (s.batch * s.heads), entry = i / s.heads % s.batch, head = i % s.heads;
        float* to = cache + i * s.total() * s.size;
        if (s.past > 0) std::copy_n(before + i * s.past * s.size, s.past * s.size, to);
        for (int64_t row = 0; row < s.length; ++row) {
          std::copy_n(projected + ((entry * s.length + row) * 3 + part + 1) * s.hidden + head * s.size, s.size,
                      to + (s.past + row) * s.size);
        }
      }
    });
  }

  bool attend(const AttentionShape& s, const Mask& mask, const Head& at, const float* projected, const float* cache,
              float* output) const {
    const float* query = projected + at.entry * s.length * 3 * s.hidden + at.head * s.size;
    const float* key = query + s.hidden;
    const float* value = key + s.hidden;
    int64_t stride = 3 * s.hidden;
    if (cache != nullptr) {
      const int64_t block = s.total() * s.size;
      key = cache + (at.entry * s.heads + at.head) * block;
      value = key + s.batch * s.heads * block;
      stride = s.size;
    }
    const float scale = m_scale == 0.0f ? 1.0f / std::sqrt(static_cast<float>(s.size)) : m_scale;
    const math::MultiplyShape scoring{.rows = s.length,
                                      .columns = s.total(),
                                      .depth = s.size,
                                      .transposeB = true,
                                      .alpha = scale,
                                      .strideA = 3 * s.hidden,
                                      .strideB = stride};
    if (!math::multiply(scoring, query, key, at.scores)) return false;
    for (int64_t row = 0; row < s.length; ++row) {
      float* scores = at.scores + row * s.total();
      mask.add(at.entry, row, m_maskValue, scores, s.total());
      if (m_unidirectional && s.length > 1)
        std::fill(scores + s.past + row + 1, scores + s.total(), std::numeric_limits<float>::lowest());
      softmaxRow(scores, scores, s.total(), SoftmaxKind::kSoftmax);
    }
    const math::MultiplyShape mixing{
        .rows = s.length, .columns = s.size, .depth = s.total(), .strideB = stride, .strideC = s.hidden};
    return math::multiply(mixing, at.scores, value, output + at.entry * s.length * s.hidden + at.head * s.size)
        .has_value();
  }

  ConstantBytes m_constant;
  int64_t m_heads;
  bool m_unidirectional;
  float m_maskValue, m_scale;
};

constexpr KernelRow kRows[] = {
    {.opType = "QAttention",
     .domain = "com.microsoft",
     .versions = {1},
     .fastPath = "onednn",
     .create = QuantizedAttention::create},
};

}  // namespace

KernelRows kernel_quantized_attention() {
  return kRows;
}

}  // namespace cutaway::cpu
