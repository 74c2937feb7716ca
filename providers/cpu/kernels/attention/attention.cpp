// Attention of ai.onnx, versions 23 to 25: 3-D and 4-D operands, shared key heads, masks, caches inside and outside,
// windows, and the scores at any stage.

#include <cmath>
#include <optional>

#include "engine/base/checked_math.h"
#include "providers/cpu/kernels/attention/attention_call.h"

namespace cutaway::attention {
namespace {

enum Slot : size_t { kQ, kK, kV, kMask, kPastKey, kPastValue, kLengths };

struct Operand {
  int64_t batch = 0, heads = 0, rows = 0, size = 0;
  Rows view;
};

Result<Operand> operandOf(const Tensor& tensor, int64_t heads, std::string_view name) {
  const Dims& dims = tensor.dims();
  if (dims.size() == 4) return Operand{dims[0], dims[1], dims[2], dims[3], headsOutside(tensor)};
  if (heads <= 0 || dims[2] % heads != 0)
    return fail(ErrorCode::kInvalidArgument, "Attention: {} is {}, which {} heads do not divide", name,
                dimsToText(dims), heads);
  return Operand{dims[0], heads, dims[1], dims[2] / heads, headsInside(tensor, dims[2] / heads)};
}

class AttentionKernel final : public Kernel {
 public:
  explicit AttentionKernel(const KernelInfo& info)
      : m_queryHeads(info.attribute<int64_t>("q_num_heads", 0)),
        m_keyHeads(info.attribute<int64_t>("kv_num_heads", 0)),
        m_softcap(info.attribute<float>("softcap", 0.0f)),
        m_causal(info.attribute<int64_t>("is_causal", 0) != 0),
        m_left(info.attribute<int64_t>("left_window_size", -1)),
        m_right(info.attribute<int64_t>("right_window_size", -1)),
        m_stage(static_cast<ScoreStage>(info.attribute<int64_t>("qk_matmul_output_mode", 0))),
        m_version(info.opset()) {
    if (info.node().findAttribute("scale") != nullptr) m_scale = info.attribute<float>("scale", 1.0f);
  }

  static Result<std::unique_ptr<Kernel>> create(const KernelInfo& info) {
    const int64_t mode = info.attribute<int64_t>("qk_matmul_output_mode", 0);
    if (mode < 0 || mode > 3)
      return fail(ErrorCode::kInvalidArgument, "Attention: qk_matmul_output_mode {} is none of 0 to 3", mode);
    for (const char* name : {"left_window_size", "right_window_size"}) {
      const int64_t size = info.attribute<int64_t>(name, -1);
      if (size < -1) return fail(ErrorCode::kInvalidArgument, "Attention: {} {} is below -1", name, size);
    }
    if (info.hasInput(kPastKey) != info.hasInput(kPastValue))
      return fail(ErrorCode::kInvalidArgument, "Attention: past_key and past_value come together or not at all");
    if (info.hasInput(kPastKey) && info.hasInput(kLengths))
      return fail(ErrorCode::kInvalidArgument,
                  "Attention: nonpad_kv_seqlen is for a cache outside, not beside past_key");
    return std::unique_ptr<Kernel>(std::make_unique<AttentionKernel>(info));
  }

  std::string_view variant() const override { return "highway"; }

  Result<void> run(KernelContext& context) const override {
    Problem problem;
    Operand key, value;
    CUTAWAY_CHECK(readOperands(context, problem, key, value));
    const bool inside = context.input(kQ)->rank() == 3;
    const Dims outDims = inside ? Dims{problem.batch, problem.queries, problem.heads * problem.valueSize}
                                : Dims{problem.batch, problem.heads, problem.queries, problem.valueSize};
    CUTAWAY_CHECK(readCache(context, problem, key, value));
    CUTAWAY_CHECK(readLengths(context, problem));
    if (const Tensor* mask = optional(context, kMask)) {
      CUTAWAY_TRY(problem.planes[0], planeOf(problem, *mask, "Attention: attn_mask", m_version >= 24));
    }
    CUTAWAY_TRY(Tensor * y, context.output(0, outDims));
    problem.out = inside ? headsInside(*y, problem.valueSize)
                         : targetOf(*y, outDims[1] * outDims[2] * outDims[3], outDims[2] * outDims[3], outDims[3]);
    if (context.outputCount() > 3 && context.hasOutput(3)) {
      CUTAWAY_TRY(
          Tensor * scores,
          context.output(3, y->type(), std::array{problem.batch, problem.heads, problem.queries, problem.keys}));
      problem.scores = scores->mutableData();
      problem.stage = m_stage;
    }
    return attend(context, problem);
  }

 private:
  static const Tensor* optional(const KernelContext& context, size_t slot) {
    return slot < context.inputCount() ? context.input(slot) : nullptr;
  }

  Result<void> readOperands(const KernelContext& context, Problem& problem, Operand& key, Operand& value) const {
    const Tensor &q = *context.input(kQ), &k = *context.input(kK), &v = *context.input(kV);
    if ((q.rank() != 3 && q.rank() != 4) || k.rank() != q.rank() || v.rank() != q.rank()) {
      return fail(ErrorCode::kInvalidArgument, "Attention: Q, K and V are 3-D or 4-D alike, not {}, {} and {}",
                  dimsToText(q.dims()), dimsToText(k.dims()), dimsToText(v.dims()));
    }
    if (m_version >= 25 && q.rank() == 4 && (m_queryHeads != 0 || m_keyHeads != 0))
      return fail(ErrorCode::kInvalidArgument, "Attention: q_num_heads and kv_num_heads are for 3-D operands");
    CUTAWAY_TRY(const Operand query, operandOf(q, m_queryHeads, "Q"));
    CUTAWAY_TRY(key, operandOf(k, m_keyHeads, "K"));
    CUTAWAY_TRY(value, operandOf(v, m_keyHeads, "V"));
    const bool alike = key.batch == query.batch && value.batch == query.batch && key.rows == value.rows &&
                       key.heads == value.heads && key.size == query.size;
    if (!alike)
      return fail(ErrorCode::kInvalidArgument, "Attention: Q {}, K {} and V {} do not belong together",
                  dimsToText(q.dims()), dimsToText(k.dims()), dimsToText(v.dims()));
    if (key.heads <= 0 || query.heads % key.heads != 0)
      return fail(ErrorCode::kInvalidArgument, "Attention: {} heads of keys do not divide {} heads of queries",
                  key.heads, query.heads);
    problem.batch = query.batch, problem.heads = query.heads, problem.keyHeads = key.heads,
    problem.queries = query.rows;
    problem.headSize = query.size, problem.valueSize = value.size;
    problem.q = query.view;
    problem.scale = m_scale          ? *m_scale
                    : query.size > 0 ? static_cast<float>(1.0 / std::sqrt(static_cast<double>(query.size)))
                                     : 1.0f;
    problem.softcap = m_softcap;
    problem.causal = m_causal;
    problem.left = m_left;
    problem.right = m_right;
    return {};
  }

  Result<void> readCache(KernelContext& context, Problem& problem, const Operand& key, const Operand& value) const {
    const Tensor *pastKey = optional(context, kPastKey), *pastValue = optional(context, kPastValue);
    int64_t past = 0;
    if (pastKey != nullptr && pastValue != nullptr) {
      past = pastKey->rank() == 4 ? pastKey->dims()[2] : -1;
      const bool fits = pastKey->dims() == Dims{key.batch, key.heads, past, key.size} &&
                        pastValue->dims() == Dims{value.batch, value.heads, past, value.size};
      if (!fits || pastKey->type() != key.view.type || pastValue->type() != value.view.type) {
        return fail(ErrorCode::kInvalidArgument,
                    "Attention: past_key {} and past_value {} do not continue with {} heads of {} and {} channels in "
                    "{} batches",
                    dimsToText(pastKey->dims()), dimsToText(pastValue->dims()), key.heads, key.size, value.size,
                    key.batch);
      }
    }
    CUTAWAY_TRY(problem.keys, checkedAdd(past, key.rows));
    problem.offset = past;
    const auto rows = [&](const Operand& operand) {
      return CacheRows{.batch = operand.batch,
                       .heads = operand.heads,
                       .size = operand.size,
                       .capacity = problem.keys,
                       .pastRows = past,
                       .freshRows = operand.rows};
    };
    const auto present = [&](size_t slot) { return slot < context.outputCount() && context.hasOutput(slot); };
    CUTAWAY_TRY(problem.k, joinCache(context, {pastKey, 1, present(1)}, rows(key), key.view));
    CUTAWAY_TRY(problem.v, joinCache(context, {pastValue, 2, present(2)}, rows(value), value.view));
    return {};
  }

  // Keys of each batch that are no padding; the queries are the last of them.
  Result<void> readLengths(KernelContext& context, Problem& problem) const {
    const Tensor* lengths = optional(context, kLengths);
    if (lengths == nullptr) return {};
    if (lengths->dims() != Dims{problem.batch})
      return fail(ErrorCode::kInvalidArgument, "Attention: nonpad_kv_seqlen is {} for {} batches",
                  dimsToText(lengths->dims()), problem.batch);
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

  int64_t m_queryHeads, m_keyHeads;
  std::optional<float> m_scale;
  float m_softcap;
  bool m_causal;
  int64_t m_left, m_right;
  ScoreStage m_stage;
  int32_t m_version;
};

constexpr ElementType kMaskTypes[] = {ElementType::kBool, ElementType::kFloat, ElementType::kDouble,
                                      ElementType::kFloat16, ElementType::kBfloat16};
constexpr TypeRule kTypes[] = {{kQ, kStoredFloats}, {kK, kStoredFloats}, {kV, kStoredFloats}, {kMask, kMaskTypes}};
constexpr int kHostInputs[] = {kLengths};

constexpr KernelRow kRows[] = {
    {.opType = "Attention",
     .versions = {23},
     .types = kTypes,
     .hostInputs = kHostInputs,
     .fastPath = "highway",
     .create = AttentionKernel::create},
};

}  // namespace
}  // namespace cutaway::attention

namespace cutaway {
KernelRows kernel_attention() {
  return attention::kRows;
}
}  // namespace cutaway
