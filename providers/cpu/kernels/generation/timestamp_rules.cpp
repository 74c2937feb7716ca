// Written after the rules of Whisper's decoding (Radford et al., "Robust speech recognition via large-scale weak
// supervision"). Which tokens are meant, and where the rules begin and end, is as ONNX Runtime has it; its answers are
// what tests/conformance/own_cases/generation.py holds this against.

#include "providers/cpu/kernels/generation/timestamp_rules.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cutaway::cpu::generation {
namespace {

constexpr float kNever = std::numeric_limits<float>::lowest();
constexpr int64_t kLatestFirst = 50;                        // steps of 20 ms: one second
constexpr int64_t kTranslate = 50358, kTranscribe = 50359;  // of the multilingual vocabulary, whatever the end token is

class Vocabulary {
 public:
  explicit Vocabulary(std::span<float> scores) : m_scores(scores) {}

  void forbid(int64_t token) { forbid(token, token + 1); }
  void forbid(int64_t from, int64_t to) {
    for (int64_t token = std::max<int64_t>(from, 0); token < std::min(to, size()); ++token)
      m_scores[static_cast<size_t>(token)] = kNever;
  }
  int64_t size() const { return static_cast<int64_t>(m_scores.size()); }

 private:
  std::span<float> m_scores;
};

// The log of the sum of what is still allowed.
float sumOf(std::span<const float> scores) {
  const float largest = std::ranges::max(scores);
  float sum = 0;
  for (const float score : scores)
    sum += score > kNever ? std::exp(score - largest) : 0;
  return sum > 0 ? std::log(sum) + largest : kNever;
}

}  // namespace

void keepTimestamps(std::span<const int32_t> sequence, int64_t endToken, std::span<float> scores) {
  const int64_t first = firstTimestamp(endToken);
  const auto isTime = [first](int32_t token) { return token >= first; };
  Vocabulary vocabulary(scores);
  const auto opening = std::ranges::find_if(sequence, isTime);
  // Tokens up to the first time, with it; all of them where there is none yet.
  const bool isBegun = opening != sequence.end() && opening + 1 != sequence.end();
  vocabulary.forbid(first - 2, first);
  if (isBegun)
    for (const int64_t token : {endToken + 1, kTranslate, kTranscribe})
      vocabulary.forbid(token);

  const bool endsInTime = !sequence.empty() && isTime(sequence.back());
  const bool endsInPair = !isBegun || isTime(sequence[sequence.size() - 2]);
  if (endsInTime && endsInPair) vocabulary.forbid(first, vocabulary.size());
  if (endsInTime && !endsInPair) vocabulary.forbid(0, endToken);
  if (opening != sequence.end()) {
    const int32_t latest = *std::find_if(sequence.rbegin(), sequence.rend(), isTime);
    vocabulary.forbid(first, endsInTime && !endsInPair ? latest : int64_t{latest} + 1);
  }
  if (!isBegun) vocabulary.forbid(first + kLatestFirst + 1, vocabulary.size());

  const auto text = scores.first(static_cast<size_t>(first)), times = scores.subspan(static_cast<size_t>(first));
  if (sumOf(times) > std::ranges::max(text)) vocabulary.forbid(0, first);
}

}  // namespace cutaway::cpu::generation
