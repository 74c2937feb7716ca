#pragma once
// What a search sees of the graphs that it runs again and again: scores of the next token out, chosen tokens in.
//
// Two kinds of graphs stand behind it: a decoder alone (decoder_loop.h), and an encoder with its decoder
// (encoder_decoder_loop.h). Thread rule: one run. Example: CUTAWAY_TRY(auto scores, loop.step());
// CUTAWAY_CHECK(loop.advance(tokens, origins));

#include <span>
#include <vector>

#include "engine/provider/kernel.h"

namespace cutaway::cpu::generation {

// Attributes that all searches have.
struct SearchSettings {
  int64_t vocabulary = 0;  // 0: as wide as the logits
  int32_t padToken = 0, endToken = 0;
  int64_t ngram = 0;

  void read(const KernelInfo& info);
};

// A matrix of int32.
Result<Tensor> matrixOf(int64_t rows, int64_t columns);
// Row r is row rows[r] of the tensor along its first axis: always a copy, which no body overwrites in its next run.
Result<Tensor> pickRows(const Tensor& tensor, std::span<const int64_t> rows);

class TokenLoop {
 public:
  virtual ~TokenLoop() = default;
  int64_t rows() const { return m_rows; }
  int64_t vocabulary() const { return m_vocabulary; }
  const std::vector<int32_t>& sequence(int64_t row) const { return m_sequences[static_cast<size_t>(row)]; }
  // Logits of the next token, [rows, vocabulary].
  virtual Result<std::span<float>> step() = 0;
  // Row r goes on as the row origins[r] was, with one more token.
  virtual Result<void> advance(std::span<const int32_t> tokens, std::span<const int64_t> origins) = 0;

 protected:
  TokenLoop(const SearchSettings& settings, KernelContext& context) : m_context(context), m_settings(settings) {}
  // logits: [rows / copies, length, vocabulary]; those of the last place, each row `copies` times.
  Result<std::span<float>> takeLogits(const RuntimeValue& logits, int64_t copies);
  void growSequences(std::span<const int32_t> tokens, std::span<const int64_t> origins);

  KernelContext& m_context;
  int64_t m_rows = 0;
  std::vector<std::vector<int32_t>> m_sequences;

 private:
  const SearchSettings& m_settings;
  int64_t m_vocabulary = 0;
  std::vector<float> m_logits;
};

}  // namespace cutaway::cpu::generation
