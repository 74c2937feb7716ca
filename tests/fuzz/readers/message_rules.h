#pragma once
// What a message for people has to keep: the program ends where one does not, so that the fuzzer keeps the input.
//
// Thread rule: pure. Example: if (!read) judgeMessage(read.error(), bytes);

#include "engine/base/result.h"

namespace cutaway::fuzz {

// UTF-8 without control characters, at most 1 kB, and no words of the standard library's or of a parser's own: unless
// they stand in the input, which messages quote.
void judgeMessage(const Error& error, std::string_view input);

// Whether it was read; a refusal is judged.
template <typename T>
bool judged(const Result<T>& result, std::string_view input) {
  if (!result) judgeMessage(result.error(), input);
  return result.has_value();
}

}  // namespace cutaway::fuzz
