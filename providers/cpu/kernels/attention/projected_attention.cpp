// Attention of com.microsoft: queries, keys and values are one projection of the input; the past of both lies in one
// tensor [2, batch, heads, length, size].

#include <cmath>
#include <vector>

#include "engine/base/checked_math.h"
#include "engine/base/parallel.h"
#include "providers/cpu/kernels/attention/attention_call.h"
#include "providers/cpu/kernels/attention/padding_mask.h"
#include "providers/cpu/kernels/attention/rotary.h"
#include "providers/cpu/kernels/matmul/prepared_product.h"
#include "providers/cpu/kernels/through_float.h"
#include "providers/cpu/kernels/type_lists.h"

namespace cutaway::attention {
namespace {

enum Slot : size_t { kInput, kWeights, kBias, kMask, kPast, kScoreBias, kPastLength };

constexpr double kRotaryBase = 10000.0;

struct Sizes {
  int64_t batch = 0, sequence = 0, depth = 0, query = 0, value = 0;  // hidden sizes; keys have the queries'
  int64_t columns() const { return 2 * query + value; }
};

class ProjectedAttention final : public Kernel {
 public:
  ProjectedAttention(const KernelInfo& info, PreparedProduct prepared)
      : m_heads(info.attribute<int64_t>("num_heads", 0)),
        m_hiddenSizes(info.attribute<std::vector<int64_t>>("qkv_hidden_sizes", {})),
        m_scale(info.attribute<float>("scale", 0.0f)),
        m_filter(info.attribute<float>("mask_filter_value", -10000.0f)),
        m_causal(info.attribute<int64_t>("unidirectional", 0) != 0),
        m_rotary(info.attribute<int64_t>("do_rotary", 0) != 0),
        m_rotarySize(info.attribute<int64_t>("rotary_embedding_dim", 0)),
        m_shared(info.attribute<int64_t>("past_present_share_buffer", 0) != 0),
        m_prepared(std::move(prepared)) {}

  std::string_view variant() const override { return "highway"; }
  std::unique_ptr<KernelState> createState() const override { return std::make_unique<ProductState>(); }

  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const Sizes sizes, sizesOf(context));
    CUTAWAY_TRY(float* projected, project(context, sizes));
    Problem problem;
    problem.batch = sizes.batch, problem.heads = problem.keyHeads = m_heads, problem.queries = sizes.sequence;
    problem.headSize = sizes.query / m_heads, problem.valueSize = sizes.value / m_heads;
    problem.scale =
        m_scale != 0.0f
            ? m_scale
            : static_cast<float>(1.0 / std::sqrt(static_cast<double>(std::max<int64_t>(1, problem.headSize))));
    problem.causal = m_causal;
    const int64_t row = sizes.columns(), all = sizes.sequence * row;
    problem.q = {projected, ElementType::kFloat, all, problem.headSize, row};
    problem.k = {projected + sizes.query, ElementType::kFloat, all, problem.headSize, row};
    problem.v = {projected + 2 * sizes.query, ElementType::kFloat, all, problem.valueSize, row};
    CUTAWAY_TRY(problem.offset, pastLength(context, sizes, problem));
    if (m_rotary) CUTAWAY_CHECK(rotate(context, sizes, problem, projected));
    CUTAWAY_CHECK(joinPast(context, sizes, problem));
    if (const Tensor* mask = optional(context, kMask)) {
      CUTAWAY_TRY(problem.planes[0], paddingPlane(context, problem, *mask, m_filter, "Attention"));
    }
    if (const Tensor* bias = optional(context, kScoreBias)) {
      if (bias->rank() != 4)
        return fail(ErrorCode::kInvalidArgument, "Attention: attention_bias is {}, not 4-D", dimsToText(bias->dims()));
      CUTAWAY_TRY(problem.planes[1], planeOf(problem, *bias, "Attention: attention_bias"));
    }
    CUTAWAY_TRY(Tensor * y, context.output(0, {sizes.batch, sizes.sequence, sizes.value}));
    problem.out = headsInside(*y, problem.valueSize);
    return attend(context, problem);
  }

 private:
  static const Tensor* optional(const KernelContext& context, size_t slot) {
    return slot < context.inputCount() ? context.input(slot) : nullptr;
  }

  Result<Sizes> sizesOf(const KernelContext& context) const {
    const Dims &input = context.input(kInput)->dims(), &weights = context.input(kWeights)->dims();
    const Tensor* bias = optional(context, kBias);
    const bool listed = !m_hiddenSizes.empty();
    Sizes sizes;
    bool fits = input.size() == 3 && weights.size() == 2 && input[2] == weights[0];
    if (fits)
      sizes = {input[0], input[1], input[2], listed ? m_hiddenSizes[0] : weights[1] / 3,
               listed ? m_hiddenSizes[2] : weights[1] / 3};
    fits = fits && sizes.columns() == weights[1] && sizes.query % m_heads == 0 && sizes.value % m_heads == 0 &&
           (bias == nullptr || bias->dims() == Dims{weights[1]});
    if (fits) return sizes;
    return fail(ErrorCode::kInvalidArgument,
                "Attention: input {}, weights {} and bias {} do not give queries, keys and values of {} heads",
                dimsToText(input), dimsToText(weights), bias != nullptr ? dimsToText(bias->dims()) : "none", m_heads);
  }

  // [batch, sequence, queries | keys | values]
  Result<float*> project(KernelContext& context, const Sizes& sizes) const {
    const int64_t rows = sizes.batch * sizes.sequence, columns = sizes.columns();
    CUTAWAY_TRY(const int64_t count, checkedMultiply(rows, columns));
    CUTAWAY_TRY(const std::span<std::byte> memory, context.scratch(static_cast<size_t>(count) * sizeof(float)));
    float* to = reinterpret_cast<float*>(memory.data());
    if (count == 0) return to;
    const float* from = context.input(kInput)->span<float>().data();
    const Tensor* bias = optional(context, kBias);
    if (m_prepared.constantB.valid() && sizes.depth > 0) {
      auto& state = static_cast<ProductState&>(*context.state());
      CUTAWAY_TRY(
          ProductState::Entry * entry,
          state.find(m_prepared, {.rows = rows, .columns = columns, .depth = sizes.depth, .bias = bias != nullptr}));
      if (entry->call) {
        CUTAWAY_TRY(const std::span<std::byte> scratch, context.scratch(entry->call->product().scratchBytes()));
        CUTAWAY_CHECK(entry->call->run(from, *entry->packed, bias != nullptr ? bias->span<float>().data() : nullptr, to,
                                       scratch));
        return to;
      }
    }
    for (int64_t row = 0; bias != nullptr && row < rows; ++row)
      std::copy_n(bias->span<float>().data(), columns, to + row * columns);
    CUTAWAY_CHECK(
        math::multiply({.rows = rows, .columns = columns, .depth = sizes.depth, .beta = bias != nullptr ? 1.0f : 0.0f},
                       from, context.input(kWeights)->span<float>().data(), to));
    return to;
  }

  // Tokens kept of the past, after checking it.
  Result<int64_t> pastLength(const KernelContext& context, const Sizes& sizes, const Problem& problem) const {
    const Tensor *past = optional(context, kPast), *length = optional(context, kPastLength);
    if (past == nullptr) return 0;
    const int64_t held = past->rank() == 5 ? past->dims()[3] : -1;
    int64_t kept = held;
    if (m_shared) kept = length != nullptr && length->elementCount() == 1 ? length->span<int32_t>()[0] : -1;
    if (past->dims() != Dims{2, sizes.batch, m_heads, held, problem.headSize} ||
        problem.valueSize != problem.headSize || kept < 0 || kept > held) {
      return fail(ErrorCode::kInvalidArgument,
                  "Attention: {} tokens of a past of {} cannot go before {} batches of {} heads of {} and {} channels",
                  kept, dimsToText(past->dims()), sizes.batch, m_heads, problem.headSize, problem.valueSize);
    }
    return kept;
  }

  // Angles of position p and pair i: p / base^(2 i / size).
  Result<void> rotate(KernelContext& context, const Sizes& sizes, const Problem& problem, float* projected) const {
    const int64_t size = m_rotarySize > 0 ? m_rotarySize : problem.headSize, half = size / 2;
    if (size % 2 != 0 || size > problem.headSize)
      return fail(ErrorCode::kInvalidArgument, "Attention: {} channels of {} cannot be rotated in pairs", size,
                  problem.headSize);
    CUTAWAY_TRY(const std::span<std::byte> memory,
                context.scratch(static_cast<size_t>(2 * sizes.sequence * half) * sizeof(float)));
    float *cosine = reinterpret_cast<float*>(memory.data()), *sine = cosine + sizes.sequence * half;
    for (int64_t i = 0; i < sizes.sequence * half; ++i) {
      const double angle = static_cast<double>(problem.offset + i / half) *
                           std::pow(kRotaryBase, -2.0 * static_cast<double>(i % half) / static_cast<double>(size));
      cosine[i] = static_cast<float>(std::cos(angle)), sine[i] = static_cast<float>(std::sin(angle));
    }
    parallelFor(sizes.batch * sizes.sequence, std::max<int64_t>(1, 8192 / std::max<int64_t>(1, sizes.query)),
                [&](int64_t begin, int64_t end) {
                  for (int64_t token = begin; token < end; ++token) {
                    const int64_t place = token % sizes.sequence * half;
                    for (int64_t head = 0; head < 2 * m_heads; ++head) {  // keys follow the queries
                      float* at = projected + token * sizes.columns() + head * problem.headSize;
                      rotateHead<float>(at, problem.headSize, {cosine + place, sine + place, half, false}, at);
                    }
                  }
                });
    return {};
  }

  Result<void> joinPast(KernelContext& context, const Sizes& sizes, Problem& problem) const {
    const Tensor* past = optional(context, kPast);
    const bool present = context.outputCount() > 1 && context.hasOutput(1);
    problem.keys = problem.offset + sizes.sequence;
    if (past == nullptr && !present) return {};
    if (problem.valueSize != problem.headSize)
      return fail(ErrorCode::kInvalidArgument,
                  "Attention: past and present need values as wide as keys, not {} beside {}", problem.valueSize,
                  problem.headSize);
    const int64_t capacity = m_shared && past != nullptr ? std::max(problem.keys, past->dims()[3]) : problem.keys;
    const int64_t half = sizes.batch * m_heads * capacity * problem.headSize;
    float* to = nullptr;
    if (present) {
      CUTAWAY_TRY(Tensor * tensor, context.output(1, {2, sizes.batch, m_heads, capacity, problem.headSize}));
      to = tensor->span<float>().data();
    } else {
      CUTAWAY_TRY(const std::span<std::byte> memory, context.scratch(static_cast<size_t>(2 * half) * sizeof(float)));
      to = reinterpret_cast<float*>(memory.data());
    }
    const CacheRows rows{.batch = sizes.batch,
                         .heads = m_heads,
                         .size = problem.headSize,
                         .capacity = capacity,
                         .pastRows = problem.offset,
                         .freshRows = sizes.sequence,
                         .clear = true};
    Rows* operands[2] = {&problem.k, &problem.v};
    for (int64_t part = 0; part < 2; ++part) {
      const TargetRows target{to + part * half, ElementType::kFloat, m_heads * capacity * problem.headSize,
                              capacity * problem.headSize, problem.headSize};
      Rows before;
      if (past != nullptr) {
        const int64_t held = past->dims()[3] * problem.headSize;
        before = rowsOf(*past, m_heads * held, held, problem.headSize, part * sizes.batch * m_heads * held);
      }
      fillCache(rows, past != nullptr ? &before : nullptr, *operands[part], target);
      *operands[part] = {target.data, target.type, target.batchStep, target.headStep, target.rowStep};
    }
    return {};
  }

  int64_t m_heads;
  std::vector<int64_t> m_hiddenSizes;
  float m_scale, m_filter;
  bool m_causal, m_rotary;
  int64_t m_rotarySize;
  bool m_shared;
  PreparedProduct m_prepared;
};

Result<std::unique_ptr<Kernel>> create(const KernelInfo& info) {
  const int64_t heads = info.attribute<int64_t>("num_heads", 0);
  if (heads <= 0) return fail(ErrorCode::kInvalidArgument, "Attention: num_heads is {}", heads);
  const std::vector<int64_t> sizes = info.attribute<std::vector<int64_t>>("qkv_hidden_sizes", {});
  if (!sizes.empty() && (sizes.size() != 3 || sizes[0] != sizes[1] || sizes[0] <= 0 || sizes[2] <= 0)) {
    return fail(ErrorCode::kInvalidArgument,
                "Attention: qkv_hidden_sizes are three sizes, of which queries and keys share one");
  }
  if (info.hasInput(kPastLength) && info.inputElement(kPastLength) != ElementType::kInt32)
    return fail(ErrorCode::kInvalidArgument, "Attention: past_sequence_length is not of int32");
  const Tensor* weights = info.constantInput(kWeights);
  CUTAWAY_TRY(PreparedProduct prepared,
              prepareProduct(weights != nullptr && weights->rank() == 2 ? weights : nullptr, nullptr));
  return std::unique_ptr<Kernel>(std::make_unique<ProjectedAttention>(info, std::move(prepared)));
}

constexpr InplaceHint kInplace[] = {{.input = kPast, .output = 1}};
constexpr int kHostInputs[] = {kPastLength};

constexpr KernelRow kRows[] = {
    {.opType = "Attention",
     .domain = "com.microsoft",
     .types = kFloatInput,
     .inplace = kInplace,
     .hostInputs = kHostInputs,
     .fastPath = "highway",
     .create = create},
    {.opType = "Attention",
     .domain = "com.microsoft",
     .types = kHalfInput,
     .inplace = kInplace,
     .hostInputs = kHostInputs,
     .fastPath = "highway",
     .create = createThroughFloat<create>},
};

}  // namespace
}  // namespace cutaway::attention

namespace cutaway {
KernelRows kernel_projected_attention() {
  return attention::kRows;
}
}  // namespace cutaway
