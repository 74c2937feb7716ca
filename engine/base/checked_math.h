#pragma once
// Size arithmetic that cannot wrap: every number that a file controls goes through here.
//
// Thread rule: pure functions. Example: CUTAWAY_TRY(const int64_t bytes, checkedMultiply(count, 4));

#include <cstdint>

#include "engine/base/result.h"

namespace cutaway {

inline Result<int64_t> checkedMultiply(int64_t a, int64_t b) {
  int64_t result = 0;
  if (__builtin_mul_overflow(a, b, &result))
    return fail(ErrorCode::kInvalidArgument, "{} x {} does not fit in 64 bits", a, b);
  return result;
}

inline Result<int64_t> checkedAdd(int64_t a, int64_t b) {
  int64_t result = 0;
  if (__builtin_add_overflow(a, b, &result))
    return fail(ErrorCode::kInvalidArgument, "{} + {} does not fit in 64 bits", a, b);
  return result;
}

// Rounds up to a multiple of `alignment` (a power of two).
inline constexpr int64_t alignUp(int64_t value, int64_t alignment) {
  return (value + alignment - 1) & ~(alignment - 1);
}

}  // namespace cutaway
