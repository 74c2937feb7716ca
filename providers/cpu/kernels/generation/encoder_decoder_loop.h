#pragma once
// An encoder run once and its decoder run again and again: T5's and Whisper's forms of BeamSearch.
//
// encoder: encoder_input_ids [batch, length] (Whisper: features [batch, size, frames]), encoder_attention_mask where it
// asks for it, decoder_input_ids [batch, start] -> logits, encoder_hidden_states, present_key_self_0,
// present_value_self_0 ..., present_key_cross_0 ...; an encoder without decoder_input_ids gives the cross ones alone,
// and the decoder begins. decoder: input_ids (the last token, or all of them where its second dimension is open),
// encoder_attention_mask and encoder_hidden_states where it asks for them, the self pasts, the cross pasts -> logits,
// the self presents. All of [rows, heads, length, size]. Thread rule: EncoderDecoderPlan is immutable;
// EncoderDecoderLoop belongs to one run. Example: EncoderDecoderLoop loop(plan, context);
// CUTAWAY_CHECK(loop.begin({.ids = ids, .mask = mask}, beams));

#include <vector>

#include "providers/cpu/kernels/generation/token_loop.h"

namespace cutaway::cpu::generation {

struct EncoderDecoderPlan : SearchSettings {
  size_t encoder = 0, decoder = 0;  // bodies
  bool features = false;            // the encoder takes floats of rank 3
  bool encoderMask = false, encoderStarts = false;
  bool decoderMask = false, decoderHidden = false, wholeSequence = false;
  std::vector<ValueType> selfTypes;  // of the decoder's self pasts
  int32_t startToken = 0;

  // Whether the node is one of these: model_type 1 (T5) or 2 (Whisper).
  static bool isFor(const KernelInfo& info);
  // INVALID_GRAPH: a body is missing; NOT_IMPLEMENTED: bodies with other inputs or outputs.
  static Result<EncoderDecoderPlan> create(const KernelInfo& info);
};

class EncoderDecoderLoop final : public TokenLoop {
 public:
  EncoderDecoderLoop(const EncoderDecoderPlan& plan, KernelContext& context) : TokenLoop(plan, context), m_plan(plan) {}

  struct Prompt {
    const Tensor& ids;
    const Tensor* mask = nullptr;   // nullptr: everything but padding on the left
    const Tensor* start = nullptr;  // the decoder's first tokens; nullptr: its start token
  };
  Result<void> begin(const Prompt& prompt, int64_t copies);
  Result<std::span<float>> step() override;
  Result<void> advance(std::span<const int32_t> tokens, std::span<const int64_t> origins) override;

 private:
  Result<void> beginTokens(const Tensor* start, int64_t batch);
  Result<Tensor> maskOf(const Prompt& prompt) const;
  Result<std::span<float>> encode();
  Result<void> beginDecoder(size_t firstCross);
  Result<std::span<float>> decode();
  Result<Tensor> tokensOf(size_t from) const;  // all rows, from this place on

  const EncoderDecoderPlan& m_plan;
  int64_t m_copies = 1;
  bool m_encoded = false;
  size_t m_firstSelf = 0;           // among the decoder's inputs
  std::vector<int64_t> m_expanded;  // the row of the batch that each row began as
  Tensor m_mask;
  std::vector<RuntimeValue> m_prompt, m_inputs, m_outputs;
  size_t m_presents = 0;        // where the self presents begin in m_outputs
  int64_t m_presentCopies = 1;  // rows that one row of them stands for
};

}  // namespace cutaway::cpu::generation
