#pragma once
// Whisper's rules for timestamps among the tokens, which BeamSearch's logits_processor 1 asks for.
//
// Behind the end token stand, as in Whisper's multilingual vocabulary, the start of a transcript, 99 languages, the two
// tasks, three marks and "no timestamps"; every token from there on is a time. Text comes between pairs of times that
// never decrease; the first lies within the first second. Thread rule: pure. Example: keepTimestamps(sequence, end,
// scores);

#include <cstdint>
#include <span>

namespace cutaway::cpu::generation {

// The first token that is a time.
constexpr int64_t firstTimestamp(int64_t endToken) {
  return endToken + 107;
}

// sequence: tokens so far; scores: log-probabilities of the next one, of which the forbidden ones become the lowest
// float. The vocabulary reaches beyond firstTimestamp().
void keepTimestamps(std::span<const int32_t> sequence, int64_t endToken, std::span<float> scores);

}  // namespace cutaway::cpu::generation
