// LinearAttention of ai.onnx and com.microsoft: a state of [key size, value size] a head is carried from token to token
// and read by the queries.
//
// One token: rows of the state decay, the delta rule takes off what the state already says about the key, the key's
// outer product with the rest is added, queries read.

#include <cmath>
#include <optional>

#include "engine/base/checked_math.h"
#include "engine/base/loop_part.h"
#include "engine/base/parallel.h"
#include "engine/provider/kernel.h"
#include "providers/cpu/kernels/attention/attention_call.h"
#include "providers/cpu/kernels/attention/linear_step.h"
#include "providers/cpu/kernels/type_lists.h"

namespace cutaway::cpu::attention {
namespace {

enum Slot : size_t { kQuery, kKey, kValue, kPast, kDecay, kBeta };

struct Sizes {
  int64_t batch = 0, tokens = 0, queryHeads = 0, heads = 0, keySize = 0, valueSize = 0;
  int64_t outHeads() const { return std::max(queryHeads, heads); }
  int64_t state() const { return keySize * valueSize; }
};

struct Buffers {
  float *query, *key, *decay, *value, *out;
};

int64_t bufferFloats(const Sizes& sizes) {
  return 3 * sizes.keySize + 2 * sizes.valueSize;
}

class LinearAttentionKernel final : public Kernel {
 public:
  explicit LinearAttentionKernel(const KernelInfo& info)
      : m_queryHeads(info.attribute<int64_t>("q_num_heads", 0)),
        m_heads(info.attribute<int64_t>("kv_num_heads", 0)),
        m_window(info.attribute<int64_t>("state_window", 0)),
        m_scale(info.attribute<float>("scale", 0.0f)) {
    const std::string rule = info.attribute<std::string>("update_rule", "gated_delta");
    m_gated = rule == "gated" || rule == "gated_delta";
    m_delta = rule == "delta" || rule == "gated_delta";
  }

  static Result<std::unique_ptr<Kernel>> create(const KernelInfo& info) {
    const std::string rule = info.attribute<std::string>("update_rule", "gated_delta");
    if (rule != "linear" && rule != "gated" && rule != "delta" && rule != "gated_delta")
      return fail(ErrorCode::kInvalidArgument, "LinearAttention: update_rule '{}' is none of the four", rule);
    const int64_t queryHeads = info.attribute<int64_t>("q_num_heads", 0),
                  heads = info.attribute<int64_t>("kv_num_heads", 0),
                  window = info.attribute<int64_t>("state_window", 0);
    const bool shared = queryHeads > 0 && heads > 0 &&
                        (queryHeads % heads == 0 || (info.node().domain == "com.microsoft" && heads % queryHeads == 0));
    if (!shared)
      return fail(ErrorCode::kInvalidArgument, "LinearAttention: {} heads of queries and {} of keys do not share",
                  queryHeads, heads);
    if (window < 0 || window > 8)
      return fail(ErrorCode::kInvalidArgument, "LinearAttention: state_window {} lies outside 0 to 8", window);
    return std::unique_ptr<Kernel>(std::make_unique<LinearAttentionKernel>(info));
  }

  std::string_view variant() const override { return "highway"; }

  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const Sizes sizes, sizesOf(context));
    const Tensor *past = optional(context, kPast), *decay = m_gated ? optional(context, kDecay) : nullptr,
                 *beta = m_delta ? optional(context, kBeta) : nullptr;
    CUTAWAY_CHECK(checkOperands(sizes, past, decay, beta));
    CUTAWAY_TRY(Tensor * y, context.output(0, {sizes.batch, sizes.tokens, sizes.outHeads() * sizes.valueSize}));
    const ElementType stateType = past != nullptr ? past->type() : presentType(context);
    const int64_t slots = std::max<int64_t>(1, m_window), slotSize = sizes.batch * sizes.heads * sizes.state();
    Dims dims{sizes.batch, sizes.heads, sizes.keySize, sizes.valueSize};
    if (m_window > 0) dims = Dims{m_window, sizes.batch, sizes.heads, sizes.keySize, sizes.valueSize};
    CUTAWAY_TRY(Tensor * present, context.output(1, stateType, dims));
    const int64_t each = alignUp((bufferFloats(sizes) + sizes.state()) * static_cast<int64_t>(sizeof(float)), 64);
    CUTAWAY_TRY(const std::span<std::byte> memory, context.scratch(static_cast<size_t>(each * currentThreads())));
    const bool direct = m_window == 0 && stateType == ElementType::kFloat;  // the state is carried in the output itself
    const TargetRows states = targetOf(*present, {slotSize, sizes.state(), sizes.valueSize});
    parallelFor(sizes.batch * sizes.heads,
                std::max<int64_t>(1, 16384 / std::max<int64_t>(1, sizes.tokens * sizes.state())),
                [&](int64_t begin, int64_t end) {
                  float* const work = reinterpret_cast<float*>(memory.data() + loopPart() * each);
                  for (int64_t unit = begin; unit < end; ++unit) {
                    float* state = direct ? present->span<float>().data() + unit * sizes.state() : work;
                    if (past != nullptr) {
                      fetchRow(rowsOf(*past, {slotSize, sizes.state(), 0}), slots - 1, unit, 0, sizes.state(), state);
                    } else {
                      std::fill(state, state + sizes.state(), 0.0f);
                    }
                    for (int64_t slot = 0; slot + sizes.tokens < slots; ++slot)
                      clearSlot(*present, slot * slotSize + unit * sizes.state(), sizes.state());
                    walk(context, sizes, unit, decay, beta, *y, state, work + sizes.state(), [&](int64_t token) {
                      if (direct) return;
                      const int64_t slot = slots - sizes.tokens + token;
                      if (slot >= 0) storeRow(states, slot, unit, 0, sizes.state(), state);
                    });
                    if (sizes.tokens == 0 && !direct) storeRow(states, slots - 1, unit, 0, sizes.state(), state);
                  }
                });
    return {};
  }

 private:
  static const Tensor* optional(const KernelContext& context, size_t slot) {
    return slot < context.inputCount() ? context.input(slot) : nullptr;
  }
  static ElementType presentType(const KernelContext& context) { return context.input(kQuery)->type(); }

  static void clearSlot(Tensor& present, int64_t start, int64_t count) {
    const int64_t bytes = present.sizeBytes() / std::max<int64_t>(1, present.elementCount());
    std::fill_n(present.mutableBytes().data() + start * bytes, count * bytes, std::byte{0});
  }

  Result<Sizes> sizesOf(const KernelContext& context) const {
    const Dims &q = context.input(kQuery)->dims(), &k = context.input(kKey)->dims(), &v = context.input(kValue)->dims();
    bool fits = q.size() == 3 && k.size() == 3 && v.size() == 3 && q[2] % m_queryHeads == 0 && v[2] % m_heads == 0;
    fits =
        fits && k[0] == q[0] && v[0] == q[0] && k[1] == q[1] && v[1] == q[1] && k[2] == m_heads * (q[2] / m_queryHeads);
    if (!fits) {
      return fail(ErrorCode::kInvalidArgument,
                  "LinearAttention: query {}, key {} and value {} do not belong together with {} and {} heads",
                  dimsToText(q), dimsToText(k), dimsToText(v), m_queryHeads, m_heads);
    }
    return Sizes{q[0], q[1], m_queryHeads, m_heads, q[2] / m_queryHeads, v[2] / m_heads};
  }

  Result<void> checkOperands(const Sizes& sizes, const Tensor* past, const Tensor* decay, const Tensor* beta) const {
    Dims dims{sizes.batch, sizes.heads, sizes.keySize, sizes.valueSize};
    if (m_window > 0) dims = Dims{m_window, sizes.batch, sizes.heads, sizes.keySize, sizes.valueSize};
    if (past != nullptr && past->dims() != dims)
      return fail(ErrorCode::kInvalidArgument, "LinearAttention: past_state is {} instead of {}",
                  dimsToText(past->dims()), dimsToText(dims));
    const auto fits = [&](const Tensor* tensor, int64_t wide, int64_t narrow) {
      return tensor != nullptr && (tensor->dims() == Dims{sizes.batch, sizes.tokens, wide} ||
                                   tensor->dims() == Dims{sizes.batch, sizes.tokens, narrow});
    };
    if (m_gated && !fits(decay, sizes.heads * sizes.keySize, sizes.heads))
      return fail(ErrorCode::kInvalidArgument, "LinearAttention: decay is {}",
                  decay != nullptr ? dimsToText(decay->dims()) : "missing");
    if (m_delta && !fits(beta, sizes.heads, 1))
      return fail(ErrorCode::kInvalidArgument, "LinearAttention: beta is {}",
                  beta != nullptr ? dimsToText(beta->dims()) : "missing");
    return {};
  }

  // All tokens of one head; done(token) after each.
  template <typename Done>
  void walk(const KernelContext& context, const Sizes& sizes, int64_t unit, const Tensor* decay, const Tensor* beta,
            Tensor& y, float* state, float* at, Done&& done) const {
    const int64_t batch = unit / sizes.heads, head = unit % sizes.heads, keySize = sizes.keySize,
                  valueSize = sizes.valueSize;
    const Buffers buffers{at, at + keySize, at + 2 * keySize, at + 3 * keySize, at + 3 * keySize + valueSize};
    const float scale = m_scale != 0.0f
                            ? m_scale
                            : static_cast<float>(1.0 / std::sqrt(static_cast<double>(std::max<int64_t>(1, keySize))));
    const bool eachChannel = decay != nullptr && decay->dims()[2] == sizes.heads * keySize && keySize > 0;
    // Query heads that read this state; when there are fewer of them than states, states share one.
    const int64_t readers = std::max<int64_t>(1, sizes.queryHeads / sizes.heads), firstOut = head * readers;
    for (int64_t token = 0; token < sizes.tokens; ++token) {
      fetchRow(headsInside(*context.input(kKey), keySize), batch, head, token, keySize, buffers.key);
      fetchRow(headsInside(*context.input(kValue), valueSize), batch, head, token, valueSize, buffers.value);
      if (decay != nullptr) readDecay(*decay, eachChannel, batch, head, token, keySize, buffers.decay);
      float rate = 1.0f;
      if (beta != nullptr) fetchRow(headsInside(*beta, 1), batch, beta->dims()[2] == 1 ? 0 : head, token, 1, &rate);
      const LinearStep step{decay != nullptr ? buffers.decay : nullptr,
                            buffers.key,
                            buffers.value,
                            buffers.query,
                            rate,
                            m_delta,
                            keySize,
                            valueSize};
      for (int64_t reader = 0; reader < readers; ++reader) {
        const int64_t queryHead =
            sizes.queryHeads >= sizes.heads ? firstOut + reader : head / (sizes.heads / sizes.queryHeads);
        fetchRow(headsInside(*context.input(kQuery), keySize), batch, queryHead, token, keySize, buffers.query);
        for (int64_t i = 0; i < keySize; ++i)
          buffers.query[i] *= scale;
        if (reader == 0) {
          linearStep(step, state, buffers.out);
        } else {
          readState(step, state, buffers.out);
        }
        storeRow(headsInside(y, valueSize), batch, firstOut + reader, token, valueSize, buffers.out);
      }
      done(token);
    }
  }

  static void readDecay(const Tensor& decay, bool eachChannel, int64_t batch, int64_t head, int64_t token,
                        int64_t keySize, float* to) {
    fetchRow(headsInside(decay, eachChannel ? keySize : 1), batch, head, token, eachChannel ? keySize : 1, to);
    if (!eachChannel) std::fill(to + 1, to + std::max<int64_t>(1, keySize), to[0]);
    for (int64_t i = 0; i < keySize; ++i)
      to[i] = i > 0 && !eachChannel ? to[0] : std::exp(to[i]);
  }

  int64_t m_queryHeads, m_heads, m_window;
  float m_scale;
  bool m_gated = false, m_delta = false;
};

constexpr ElementType kSmallFloats[] = {ElementType::kFloat, ElementType::kFloat16, ElementType::kBfloat16};
constexpr TypeRule kTypes[] = {{kQuery, kSmallFloats}, {kKey, kSmallFloats},   {kValue, kSmallFloats},
                               {kPast, kSmallFloats},  {kDecay, kSmallFloats}, {kBeta, kSmallFloats}};

// Each head copies its past state out before it writes one.
constexpr InplaceHint kInplace[] = {{.input = kPast, .output = 1}};

constexpr KernelRow kRows[] = {
    {.opType = "LinearAttention",
     .versions = {27},
     .types = kTypes,
     .inplace = kInplace,
     .fastPath = "highway",
     .create = LinearAttentionKernel::create},
    {.opType = "LinearAttention",
     .domain = "com.microsoft",
     .types = kTypes,
     .inplace = kInplace,
     .fastPath = "highway",
     .create = LinearAttentionKernel::create},
};

}  // namespace
}  // namespace cutaway::cpu::attention

namespace cutaway::cpu {
KernelRows kernel_linear_attention() {
  return attention::kRows;
}
}  // namespace cutaway::cpu
