// Rules over the scores of the next token.

#include "providers/cpu/kernels/generation/score_rules.h"

#include <algorithm>
#include <limits>
#include <set>

#include "providers/cpu/kernels/generation/timestamp_rules.h"

namespace cutaway::cpu::generation {
namespace {

constexpr float kNever = std::numeric_limits<float>::lowest();

Result<std::span<const int32_t>> readMask(const KernelContext& context, size_t slot, int64_t count,
                                          std::string_view name) {
  const Tensor* mask = optionalInput(context, slot);
  if (mask == nullptr) return std::span<const int32_t>();
  if (mask->type() != ElementType::kInt32 || mask->elementCount() != count)
    return fail(ErrorCode::kInvalidArgument, "{} is {}, not {} integers", name, dimsToText(mask->dims()), count);
  return mask->span<int32_t>();
}

void penaliseRepeated(std::span<const int32_t> sequence, float penalty, std::span<float> scores) {
  std::set<int32_t> seen(sequence.begin(), sequence.end());
  for (const int32_t token : seen) {
    if (token < 0 || static_cast<size_t>(token) >= scores.size()) continue;
    float& score = scores[static_cast<size_t>(token)];
    score = score < 0 ? score * penalty : score / penalty;
  }
}

// The last size - 1 tokens may not be followed by what followed them before.
void forbidNgrams(std::span<const int32_t> sequence, size_t size, std::span<float> scores) {
  if (sequence.size() < size) return;
  const std::span<const int32_t> last = sequence.last(size - 1);
  for (size_t start = 0; start + size <= sequence.size(); ++start) {
    const int32_t next = sequence[start + size - 1];
    if (std::ranges::equal(sequence.subspan(start, size - 1), last) && next >= 0 &&
        static_cast<size_t>(next) < scores.size())
      scores[static_cast<size_t>(next)] = kNever;
  }
}

}  // namespace

const Tensor* optionalInput(const KernelContext& context, size_t slot) {
  return slot < context.inputCount() ? context.input(slot) : nullptr;
}

Result<int64_t> readCount(const KernelContext& context, size_t slot, int64_t otherwise, std::string_view name) {
  const Tensor* tensor = optionalInput(context, slot);
  if (tensor == nullptr) return otherwise;
  if (tensor->type() != ElementType::kInt32 || tensor->elementCount() != 1)
    return fail(ErrorCode::kInvalidArgument, "{} is {}, not one int32", name, dimsToText(tensor->dims()));
  return tensor->span<int32_t>()[0];
}

Result<float> readFactor(const KernelContext& context, size_t slot, float otherwise, std::string_view name) {
  const Tensor* tensor = optionalInput(context, slot);
  if (tensor == nullptr) return otherwise;
  if (tensor->type() != ElementType::kFloat || tensor->elementCount() != 1)
    return fail(ErrorCode::kInvalidArgument, "{} is {}, not one float", name, dimsToText(tensor->dims()));
  return tensor->span<float>()[0];
}

Result<void> ScoreRules::read(const KernelContext& context, const RuleSlots& slots, int64_t batch, int64_t vocabulary) {
  CUTAWAY_TRY(minLength, readCount(context, slots.minLength, 0, "min_length"));
  CUTAWAY_TRY(repetition, readFactor(context, slots.repetition, 1.0f, "repetition_penalty"));
  if (!(repetition > 0.0f))
    return fail(ErrorCode::kInvalidArgument, "repetition_penalty {} is not above 0", repetition);
  CUTAWAY_TRY(vocabularyMask, readMask(context, slots.vocabularyMask, vocabulary, "vocab_mask"));
  CUTAWAY_TRY(prefixMask, readMask(context, slots.prefixMask, batch * vocabulary, "prefix_vocab_mask"));
  CUTAWAY_TRY(presenceMask, readMask(context, slots.presenceMask, batch * vocabulary, "presence_mask"));
  return {};
}

void ScoreRules::apply(std::span<const int32_t> sequence, int64_t batch, int64_t step, std::span<float> scores) const {
  if (repetition != 1.0f) penaliseRepeated(sequence, repetition, scores);
  if (ngram > 0) forbidNgrams(sequence, static_cast<size_t>(ngram), scores);
  const size_t start = static_cast<size_t>(batch) * scores.size();
  for (size_t token = 0; token < vocabularyMask.size(); ++token) {
    if (vocabularyMask[token] == 0) scores[token] = kNever;
  }
  for (size_t token = 0; step == 1 && !prefixMask.empty() && token < scores.size(); ++token) {
    if (prefixMask[start + token] == 0) scores[token] = kNever;
  }
  if (static_cast<int64_t>(sequence.size()) < minLength && endToken >= 0 &&
      static_cast<size_t>(endToken) < scores.size())
    scores[static_cast<size_t>(endToken)] = kNever;
  for (float& score : scores)
    score = temperature != 1.0f ? score / temperature : score;
  for (size_t token = 0; !presenceMask.empty() && token < scores.size(); ++token)
    scores[token] -= static_cast<float>(presenceMask[start + token]) * presence;
  if (timestamps) keepTimestamps(sequence, endToken, scores);
}

}  // namespace cutaway::cpu::generation
