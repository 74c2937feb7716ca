#pragma once
// Regular expressions in RE2's syntax, made once with a bound on their memory.
//
// Thread rule: a made pattern is immutable and matched from many threads.
// Example: CUTAWAY_TRY(const auto pattern, makePattern("[a-z]+"));  RE2::FullMatch(text, *pattern);

#include <memory>
#include <string>

#include <re2/re2.h>

#include "engine/base/result.h"

namespace cutaway::cpu::text {

// INVALID_ARGUMENT with RE2's words when the expression is wrong or too large.
Result<std::unique_ptr<const RE2>> makePattern(const std::string& expression);

}  // namespace cutaway::cpu::text
