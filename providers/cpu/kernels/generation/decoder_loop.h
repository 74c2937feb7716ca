#pragma once
// A decoder body run again and again by the searches: tokens and positions in, scores of the next token out, the caches
// handed on.
//
// The body is GPT-2's: inputs input_ids, position_ids, attention_mask, past_0 ...; outputs logits [rows, length,
// vocabulary], present_0 ... [2, rows, heads, length, size]. Thread rule: DecoderPlan is immutable; DecoderLoop belongs
// to one run. Example: DecoderLoop loop(plan, context);  CUTAWAY_CHECK(loop.begin(ids, mask, beams));  CUTAWAY_TRY(auto
// scores, loop.step());  CUTAWAY_CHECK(loop.advance(tokens, origins));

#include <span>
#include <vector>

#include "engine/provider/kernel.h"

namespace cutaway::cpu::generation {

struct DecoderPlan {
  size_t decoder = 0, first = 0;  // bodies: of every step, of the first one
  std::vector<ValueType> pastTypes;
  int64_t vocabulary = 0;  // 0: as wide as the logits
  int32_t padToken = 0, endToken = 0;
  int64_t ngram = 0;

  // NOT_IMPLEMENTED for encoder-decoder models and bodies with other inputs.
  static Result<DecoderPlan> create(const KernelInfo& info);
};

class DecoderLoop {
 public:
  DecoderLoop(const DecoderPlan& plan, KernelContext& context) : m_plan(plan), m_context(context) {}

  // input_ids [batch, length] and attention_mask (may be nullptr), every row `copies` times.
  Result<void> begin(const Tensor& ids, const Tensor* mask, int64_t copies);
  int64_t rows() const { return m_rows; }
  int64_t vocabulary() const { return m_vocabulary; }
  const std::vector<int32_t>& sequence(int64_t row) const { return m_sequences[static_cast<size_t>(row)]; }
  // Logits of the next token, [rows, vocabulary].
  Result<std::span<float>> step();
  // Row r goes on as the row origins[r] was, with one more token.
  Result<void> advance(std::span<const int32_t> tokens, std::span<const int64_t> origins);

 private:
  Result<Tensor> emptyPast(const ValueType& type) const;
  Result<void> takeLogits(const Tensor& logits);

  const DecoderPlan& m_plan;
  KernelContext& m_context;
  int64_t m_rows = 0, m_vocabulary = 0, m_steps = 0;
  std::vector<std::vector<int32_t>> m_sequences, m_masks;
  std::vector<int32_t> m_positions;  // of the next token
  std::vector<RuntimeValue> m_inputs, m_outputs;
  std::vector<float> m_logits;
};

}  // namespace cutaway::cpu::generation
