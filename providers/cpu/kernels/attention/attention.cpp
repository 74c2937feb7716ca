// Attention of ai.onnx, versions 23 to 25: 3-D and 4-D operands, shared key heads, masks, caches inside and outside,
// windows, and the scores at any stage.

#include "engine/operators/attention.h"

#include "engine/base/checked_math.h"
#include "providers/cpu/kernels/attention/attention_call.h"

namespace cutaway::cpu::attention {
namespace {

using operators::AttentionOperand;
using operators::AttentionOperands;
using operators::AttentionSettings;
using Slots = operators::AttentionSlots;

class AttentionKernel final : public Kernel {
 public:
  explicit AttentionKernel(const AttentionSettings& settings) : m_settings(settings) {}

  static Result<std::unique_ptr<Kernel>> create(const KernelInfo& info) {
    CUTAWAY_TRY(const AttentionSettings settings, operators::readAttention(info.node()));
    return std::unique_ptr<Kernel>(std::make_unique<AttentionKernel>(settings));
  }

  std::string_view variant() const override { return "highway"; }

  Result<void> run(KernelContext& context) const override {
    const Tensor &q = *context.input(Slots::kQ), &k = *context.input(Slots::kK), &v = *context.input(Slots::kV);
    CUTAWAY_TRY(const AttentionOperands operands,
                operators::attentionOperands(m_settings, q.dims(), k.dims(), v.dims()));
    Problem problem = problemOf(operands);
    problem.q = rowsOf(q, operands.query.steps);
    CUTAWAY_CHECK(readCache(context, problem, operands, k, v));
    CUTAWAY_CHECK(readLengths(context, problem));
    if (const Tensor* mask = optional(context, Slots::kMask)) {
      CUTAWAY_TRY(const operators::ScorePlane plane,
                  operators::scorePlane(scoresOf(problem), mask->dims(), "Attention: attn_mask",
                                        m_settings.masksMayBeShorter()));
      problem.planes[0] = planeOf(plane, *mask);
    }
    const Dims outDims = operands.outputDims();
    CUTAWAY_TRY(Tensor * y, context.output(0, outDims));
    problem.out = operands.inside ? headsInside(*y, problem.valueSize) : targetOf(*y, operators::headsOutside(outDims));
    if (context.outputCount() > 3 && context.hasOutput(3)) {
      CUTAWAY_TRY(
          Tensor * scores,
          context.output(3, y->type(), std::array{problem.batch, problem.heads, problem.queries, problem.keys}));
      problem.scores = scores->mutableData();
      problem.stage = static_cast<ScoreStage>(m_settings.scoreStage);
    }
    return attend(context, problem);
  }

 private:
  static const Tensor* optional(const KernelContext& context, size_t slot) {
    return slot < context.inputCount() ? context.input(slot) : nullptr;
  }

  Problem problemOf(const AttentionOperands& operands) const {
    Problem problem;
    problem.batch = operands.query.batch, problem.heads = operands.query.heads, problem.keyHeads = operands.key.heads,
    problem.queries = operands.query.rows;
    problem.headSize = operands.query.size, problem.valueSize = operands.value.size;
    problem.scale = m_settings.scaleOf(operands.query.size);
    problem.softcap = m_settings.softcap;
    problem.causal = m_settings.causal;
    problem.left = m_settings.left;
    problem.right = m_settings.right;
    return problem;
  }

  static Result<void> readCache(KernelContext& context, Problem& problem, const AttentionOperands& operands,
                                const Tensor& k, const Tensor& v) {
    const Tensor *pastKey = optional(context, Slots::kPastKey), *pastValue = optional(context, Slots::kPastValue);
    const AttentionOperand &key = operands.key, &value = operands.value;
    CUTAWAY_TRY(const int64_t past, operators::attentionPast(operands, pastKey, pastValue, k.type(), v.type()));
    CUTAWAY_TRY(problem.keys, checkedAdd(past, key.rows));
    problem.offset = past;
    const auto rows = [&](const AttentionOperand& operand) {
      return CacheRows{.batch = operand.batch,
                       .heads = operand.heads,
                       .size = operand.size,
                       .capacity = problem.keys,
                       .pastRows = past,
                       .freshRows = operand.rows};
    };
    const auto present = [&](size_t slot) { return slot < context.outputCount() && context.hasOutput(slot); };
    CUTAWAY_TRY(problem.k, joinCache(context, {pastKey, 1, present(1)}, rows(key), rowsOf(k, key.steps)));
    CUTAWAY_TRY(problem.v, joinCache(context, {pastValue, 2, present(2)}, rows(value), rowsOf(v, value.steps)));
    return {};
  }

  // Keys of each batch that are no padding; the queries are the last of them.
  static Result<void> readLengths(KernelContext& context, Problem& problem) {
    const Tensor* lengths = optional(context, Slots::kLengths);
    if (lengths == nullptr) return {};
    CUTAWAY_CHECK(operators::checkKeyLengths(lengths->dims(), problem.batch));
    CUTAWAY_TRY(const std::span<std::byte> memory,
                context.scratch(static_cast<size_t>(problem.batch) * sizeof(int64_t)));
    int64_t* offsets = reinterpret_cast<int64_t*>(memory.data());
    for (int64_t batch = 0; batch < problem.batch; ++batch) {
      const int64_t length = lengths->span<int64_t>()[static_cast<size_t>(batch)];
      if (length < 0 || length > problem.keys)
        return fail(ErrorCode::kInvalidArgument, "Attention: nonpad_kv_seqlen {} of batch {} lies outside 0 to {}",
                    length, batch, problem.keys);
      offsets[batch] = length - problem.queries;
    }
    problem.lengths = lengths->span<int64_t>().data();
    problem.offsets = offsets;
    return {};
  }

  AttentionSettings m_settings;
};

constexpr ElementType kMaskTypes[] = {ElementType::kBool, ElementType::kFloat, ElementType::kDouble,
                                      ElementType::kFloat16, ElementType::kBfloat16};
constexpr TypeRule kTypes[] = {
    {Slots::kQ, kStoredFloats}, {Slots::kK, kStoredFloats}, {Slots::kV, kStoredFloats}, {Slots::kMask, kMaskTypes}};
constexpr int kHostInputs[] = {Slots::kLengths};

constexpr KernelRow kRows[] = {
    {.opType = "Attention",
     .versions = {23},
     .types = kTypes,
     .hostInputs = kHostInputs,
     .fastPath = "highway",
     .create = AttentionKernel::create},
};

}  // namespace
}  // namespace cutaway::cpu::attention

namespace cutaway::cpu {
KernelRows kernel_attention() {
  return attention::kRows;
}
}  // namespace cutaway::cpu
