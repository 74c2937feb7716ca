#pragma once
// The rules that change the scores of the next token before one is chosen, for every search.
//
// In this order: repetition penalty, n-grams that may not come twice, masks of the vocabulary, smallest length,
// temperature, presence penalty, Whisper's timestamps. Thread rule: pure over its arguments. Example: CUTAWAY_TRY(const
// ScoreRules rules, ScoreRules::read(context, slots, info, batch, vocabulary));  rules.apply(sequence, batch, step,
// scores);

#include <span>
#include <vector>

#include "engine/provider/kernel.h"

namespace cutaway::cpu::generation {

// Where the inputs lie; kAbsent: the operator has none.
inline constexpr size_t kAbsent = 99;
struct RuleSlots {
  size_t minLength, repetition, vocabularyMask, prefixMask, presenceMask;
};

struct ScoreRules {
  int64_t minLength = 0, ngram = 0, endToken = -1;
  bool timestamps = false;
  float repetition = 1.0f, temperature = 1.0f, presence = 0.0f;
  std::span<const int32_t> vocabularyMask, prefixMask, presenceMask;  // empty: none

  // Reads and checks what the inputs say; attributes are set by the caller.
  Result<void> read(const KernelContext& context, const RuleSlots& slots, int64_t batch, int64_t vocabulary);
  // sequence: tokens so far; step: 1 for the first choice.
  void apply(std::span<const int32_t> sequence, int64_t batch, int64_t step, std::span<float> scores) const;
};

// nullptr: absent, or the node has no such slot.
const Tensor* optionalInput(const KernelContext& context, size_t slot);
// One number of an input, or `otherwise` when it is absent.
Result<int64_t> readCount(const KernelContext& context, size_t slot, int64_t otherwise, std::string_view name);
Result<float> readFactor(const KernelContext& context, size_t slot, float otherwise, std::string_view name);

}  // namespace cutaway::cpu::generation
