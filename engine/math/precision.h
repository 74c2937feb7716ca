#pragma once
// How closely products follow the numbers they are given: what option precision of the providers asks for.
//
// Thread rule: pure. Example: CUTAWAY_TRY(shape.precision, precisionAsked("cpu", "bf16"));

#include <cstdint>
#include <string_view>

#include "engine/base/result.h"

namespace cutaway::math {

enum class Precision : uint8_t {
  kFast,      // floats; 3x3 convolutions may be Winograd's (winograd.h)
  kExact,     // sums of products of floats
  kBfloat16,  // as kFast, but operands of heavy products are rounded to bfloat16; their products are summed in float
};

const char* precisionName(Precision precision);  // "fast", "exact", "bf16"

// Whether this processor multiplies pairs of bfloat16 (AVX512_BF16 or AMX, as far as oneDNN uses them). Elsewhere the
// library would emulate them, slower than floats.
bool multipliesBfloat16();
// Option precision of a provider. INVALID_ARGUMENT: another word; EP_FAIL: this processor does not multiply bfloat16.
Result<Precision> precisionAsked(std::string_view provider, std::string_view word);

// Whether a product of two matrices is worth rounding its operands. depth: summands of each result; columns: results
// that share an operand. The number of rows does not count, so that a constant operand has one packed form for all.
bool roundsToBfloat16(Precision precision, int64_t depth, int64_t columns);

}  // namespace cutaway::math
