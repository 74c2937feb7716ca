#pragma once
// A decoder body run again and again by the searches: tokens and positions in, scores of the next token out, the caches
// handed on.
//
// The body is GPT-2's: inputs input_ids, position_ids, attention_mask, past_0 ...; outputs logits [rows, length,
// vocabulary], present_0 ... [2, rows, heads, length, size]. Thread rule: DecoderPlan is immutable; DecoderLoop belongs
// to one run. Example: DecoderLoop loop(plan, context);  CUTAWAY_CHECK(loop.begin(ids, mask, beams));  CUTAWAY_TRY(auto
// scores, loop.step());  CUTAWAY_CHECK(loop.advance(tokens, origins));

#include <vector>

#include "providers/cpu/kernels/generation/token_loop.h"

namespace cutaway::cpu::generation {

struct DecoderPlan : SearchSettings {
  size_t decoder = 0, first = 0;  // bodies: of every step, of the first one
  std::vector<ValueType> pastTypes;

  // NOT_IMPLEMENTED for encoder-decoder models and bodies with other inputs.
  static Result<DecoderPlan> create(const KernelInfo& info);
};

class DecoderLoop final : public TokenLoop {
 public:
  DecoderLoop(const DecoderPlan& plan, KernelContext& context) : TokenLoop(plan, context), m_plan(plan) {}

  // input_ids [batch, length] and attention_mask (may be nullptr), every row `copies` times.
  Result<void> begin(const Tensor& ids, const Tensor* mask, int64_t copies);
  Result<std::span<float>> step() override;
  Result<void> advance(std::span<const int32_t> tokens, std::span<const int64_t> origins) override;

 private:
  Result<Tensor> emptyPast(const ValueType& type) const;

  const DecoderPlan& m_plan;
  int64_t m_steps = 0;
  std::vector<std::vector<int32_t>> m_masks;
  std::vector<int32_t> m_positions;  // of the next token
  std::vector<RuntimeValue> m_inputs, m_outputs;
};

}  // namespace cutaway::cpu::generation
