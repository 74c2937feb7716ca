// Attention of com.microsoft: queries, keys and values are one projection of the input; the past of both lies in one
// tensor [2, batch, heads, length, size].

#include "engine/operators/projected_attention.h"

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

namespace cutaway::cpu::attention {
namespace {

using operators::ProjectedCache;
using operators::ProjectedSettings;
using operators::ProjectedSizes;
using Slots = operators::ProjectedSlots;

constexpr double kRotaryBase = 10000.0;

class ProjectedAttention final : public Kernel {
 public:
  ProjectedAttention(ProjectedSettings settings, PreparedProduct prepared)
      : m_settings(std::move(settings)), m_heads(m_settings.heads), m_prepared(std::move(prepared)) {}

  std::string_view variant() const override { return "highway"; }
  std::unique_ptr<KernelState> createState() const override { return std::make_unique<ProductState>(); }

  Result<void> run(KernelContext& context) const override {
    const Tensor *bias = optional(context, Slots::kBias), *past = optional(context, Slots::kPast);
    const bool present = context.outputCount() > 1 && context.hasOutput(1);
    CUTAWAY_TRY(const ProjectedSizes sizes, operators::projectedSizes(m_settings, context.input(Slots::kInput)->dims(),
                                                                      context.input(Slots::kWeights)->dims(),
                                                                      bias != nullptr ? &bias->dims() : nullptr));
    CUTAWAY_TRY(const ProjectedCache cache,
                operators::projectedCache(m_settings, sizes, past, optional(context, Slots::kPastLength), present));
    CUTAWAY_TRY(float* projected, project(context, sizes));
    Problem problem;
    problem.batch = sizes.batch, problem.heads = problem.keyHeads = m_heads, problem.queries = sizes.sequence;
    problem.headSize = sizes.size, problem.valueSize = sizes.valueSize;
    problem.scale = m_settings.scaleOf(sizes.size);
    problem.causal = m_settings.causal;
    const int64_t row = sizes.columns(), all = sizes.sequence * row;
    problem.q = {projected, ElementType::kFloat, all, problem.headSize, row};
    problem.k = {projected + sizes.hidden, ElementType::kFloat, all, problem.headSize, row};
    problem.v = {projected + 2 * sizes.hidden, ElementType::kFloat, all, problem.valueSize, row};
    problem.offset = cache.kept;
    if (m_settings.rotary) CUTAWAY_CHECK(rotate(context, sizes, problem, projected));
    CUTAWAY_CHECK(joinPast(context, sizes, cache, problem));
    if (const Tensor* mask = optional(context, Slots::kMask)) {
      CUTAWAY_TRY(problem.planes[0], paddingPlane(context, problem, *mask, m_settings.maskFilter, "Attention"));
    }
    if (const Tensor* scoreBias = optional(context, Slots::kScoreBias)) {
      CUTAWAY_TRY(const operators::ScorePlane plane,
                  operators::scoreBiasPlane(scoresOf(problem), scoreBias->dims(), "Attention"));
      problem.planes[1] = planeOf(plane, *scoreBias);
    }
    CUTAWAY_TRY(Tensor * y, context.output(0, {sizes.batch, sizes.sequence, sizes.valueHidden}));
    problem.out = headsInside(*y, problem.valueSize);
    return attend(context, problem);
  }

 private:
  static const Tensor* optional(const KernelContext& context, size_t slot) {
    return slot < context.inputCount() ? context.input(slot) : nullptr;
  }

  // [batch, sequence, queries | keys | values]
  Result<float*> project(KernelContext& context, const ProjectedSizes& sizes) const {
    const int64_t rows = sizes.batch * sizes.sequence, columns = sizes.columns();
    CUTAWAY_TRY(const int64_t count, checkedMultiply(rows, columns));
    CUTAWAY_TRY(const std::span<std::byte> memory, context.scratch(static_cast<size_t>(count) * sizeof(float)));
    float* to = reinterpret_cast<float*>(memory.data());
    if (count == 0) return to;
    const float* from = context.input(Slots::kInput)->span<float>().data();
    const Tensor* bias = optional(context, Slots::kBias);
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
                       from, context.input(Slots::kWeights)->span<float>().data(), to));
    return to;
  }

  // Angles of position p and pair i: p / base^(2 i / size).
  Result<void> rotate(KernelContext& context, const ProjectedSizes& sizes, const Problem& problem,
                      float* projected) const {
    const int64_t size = m_settings.rotarySize > 0 ? m_settings.rotarySize : problem.headSize, half = size / 2;
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
    parallelFor(sizes.batch * sizes.sequence, std::max<int64_t>(1, 8192 / std::max<int64_t>(1, sizes.hidden)),
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

  Result<void> joinPast(KernelContext& context, const ProjectedSizes& sizes, const ProjectedCache& cache,
                        Problem& problem) const {
    const Tensor* past = optional(context, Slots::kPast);
    const bool present = context.outputCount() > 1 && context.hasOutput(1);
    problem.keys = problem.offset + sizes.sequence;
    if (past == nullptr && !present) return {};
    const int64_t capacity = cache.capacity;
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
        const int64_t held = cache.held * problem.headSize;
        before = rowsOf(*past, {m_heads * held, held, problem.headSize, part * sizes.batch * m_heads * held});
      }
      fillCache(rows, past != nullptr ? &before : nullptr, *operands[part], target);
      *operands[part] = {target.data, target.type, target.batchStep, target.headStep, target.rowStep};
    }
    return {};
  }

  ProjectedSettings m_settings;
  int64_t m_heads;
  PreparedProduct m_prepared;
};

Result<std::unique_ptr<Kernel>> create(const KernelInfo& info) {
  CUTAWAY_TRY(ProjectedSettings settings, operators::readProjectedAttention(info.graph(), info.node()));
  const Tensor* weights = info.constantInput(Slots::kWeights);
  CUTAWAY_TRY(PreparedProduct prepared,
              prepareProduct(weights != nullptr && weights->rank() == 2 ? weights : nullptr, nullptr));
  return std::unique_ptr<Kernel>(std::make_unique<ProjectedAttention>(std::move(settings), std::move(prepared)));
}

constexpr InplaceHint kInplace[] = {{.input = Slots::kPast, .output = 1}};
constexpr int kHostInputs[] = {Slots::kPastLength};

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
}  // namespace cutaway::cpu::attention

namespace cutaway::cpu {
KernelRows kernel_projected_attention() {
  return attention::kRows;
}
}  // namespace cutaway::cpu
