#include "providers/cpu/kernels/text/pattern.h"

namespace cutaway::cpu::text {

Result<std::unique_ptr<const RE2>> makePattern(const std::string& expression) {
  RE2::Options options(RE2::Quiet);  // a bad expression is the caller's error, not a line on stderr
  auto pattern = std::make_unique<const RE2>(expression, options);
  if (!pattern->ok())
    return fail(ErrorCode::kInvalidArgument, "the pattern '{}' is no RE2 expression: {}", expression, pattern->error());
  return pattern;
}

}  // namespace cutaway::cpu::text
